"""Battle of the Bulge: orders for the wings of a front, for planners and for those who ask them.

Pieces have no names, so a formation is what stands in the north, the centre or the south of the board. It is told a
city: to attack it, or to hold it if its side has it.
"""

from __future__ import annotations

from salient.games.bulge.judge import NEUTRAL
from salient.games.bulge.model import BulgeState, fighting, owned, side_at
from salient.games.bulge.survey import survey, unpacked, worths
from salient.hexes.masks import bits
from salient.kernel import Order, Plan, Seat

WINGS = {"wing-north": range(3), "wing-centre": range(3, 6), "wing-south": range(6, 20)}  # by row from the north
EMPHASIS = 0.6  # of a city's points


def _row(s: BulgeState, h: int) -> int:
    return int(s.ground.board.labels[h][:2]) - 1


def formations(s: BulgeState, seat: Seat) -> tuple[str, ...]:
    """The wings in which a seat has pieces."""
    rows = {_row(s, h) for h in bits(fighting(s, side_at(s, seat)))}
    return tuple(wing for wing, its_rows in WINGS.items() if rows & set(its_rows))


def orders(s: BulgeState, seat: Seat, formation: str) -> Plan:
    """What a wing can be told: every city of its rows."""
    own = owned(s, side_at(s, seat))
    cities = [h for h in s.ground.points if _row(s, h) in WINGS[formation]]
    return tuple(Order(formation, "hold" if own >> h & 1 else "attack", h) for h in cities)


def bias(s: BulgeState, seat: Seat, plan: Plan) -> float:
    """How far a side does as it was told: its share of the strength around the cities of its orders."""
    hosts, side, known = survey(s).hosts, side_at(s, seat), worths(s.data)
    mine, theirs = unpacked(known, hosts[side].influence), unpacked(known, hosts[1 - side].influence)
    total = 0.0
    for order in plan:
        city = known.cities.index(order.place)
        total += EMPHASIS * s.ground.points[order.place] * mine[city] / (mine[city] + theirs[city] + NEUTRAL)
    return total
