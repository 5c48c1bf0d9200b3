"""Ardennes '44: what makes a position good, for bots and for their reasons.

All features are counted for the Germans and turned over for the Allies. Their unit is about one step.
"""

from __future__ import annotations

from functools import lru_cache

from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.stacks import occupied, units_at
from salient.games.ardennes44.advances import Advance
from salient.games.ardennes44.bridges import SendCommando
from salient.games.ardennes44.combat import Attack
from salient.games.ardennes44.model import (
    ARTILLERY,
    BOARD,
    COUNT,
    HEXES,
    LIEGE,
    OBJECTIVES,
    ROAD_HEXES,
    SIDE,
    STEPS,
    TOUCHING,
    TRAFFIC_MARKERS,
    VALUES,
    VICTORY,
    WEST_MAP,
    ArdennesState,
    east_only,
    values,
)
from salient.games.ardennes44.moving import Movement
from salient.games.ardennes44.odds import Battle, odds, result_of
from salient.games.ardennes44.retreats import Retreat
from salient.games.ardennes44.supply import supplied_hexes
from salient.games.ardennes44.support import CombatRoll, Support
from salient.games.ardennes44.traffic import PlaceTraffic
from salient.games.ardennes44.victory import exited_factors
from salient.games.ardennes44.walking import MoveUnit
from salient.games.ardennes44.zones import next_to
from salient.hexes.masks import bits
from salient.hexes.reach import distances
from salient.kernel import Action, Seat, engine

WON = 1000.0
HELD, WESTERN = 6.0, 10.0  # a victory hex of the East map, and of the West map
FADING = 0.9  # how the pull of a victory hex fades with every hex
PULL_GERMAN, PULL_ALLIED = 0.06, 0.03  # what a factor near open victory hexes is worth
DISORDER = (0.0, 0.5, 1.0)  # good order, disrupted, routed
ENGAGED, CUT_OFF = 0.2, 0.8
THREAT, DANGER, MOST_ODDS = 0.4, 0.15, 4.0  # a column of odds for and against the side that moves
MARKER, BRIDGE_WORTH, CHOSEN, NIGHT = 0.2, 0.15, 0.01, 0.002
EXITED = 0.6  # a factor on its way to Antwerp
MOST_NEARER, MOST_BESIDE, MOST_ADVANCES, MOST_RETREATS = 6, 6, 2, 3
DIE = range(1, 7)


MOST_STEPS = max(STEPS)


def _worth(u: int) -> tuple[float, ...]:
    """What a unit is worth by steps lost."""
    return tuple((attack + defence) / 8 for attack, defence, _ in VALUES[u])


def _weights(u: int) -> tuple[tuple[float, float], ...]:
    """By steps lost: what a unit adds to the German strength, and how strongly open victory hexes pull it."""
    sign = 1.0 if SIDE[u] == GERMAN else -1.0
    found = []
    for attack, defence, _ in VALUES[u]:
        pull = PULL_GERMAN * attack if SIDE[u] == GERMAN else PULL_ALLIED * defence
        found.append((sign * (attack + defence) / 8, sign * pull))
    return (*found, *[found[-1]] * (MOST_STEPS + 1 - len(found)))


WORTH = tuple(_worth(u) for u in range(COUNT))
WEIGHTS = tuple(_weights(u) for u in range(COUNT))


def features(s: ArdennesState, seat: Seat) -> dict[str, float]:
    """Named and weighted reasons, positive when good for `seat`."""
    german = _german_features(s)
    return german if seat == SEATS[GERMAN] else {name: -value for name, value in german.items()}


def _german_features(s: ArdennesState) -> dict[str, float]:
    if s.winner:
        return {"victory": WON if s.winner == SEATS[GERMAN] else -WON if s.winner == SEATS[ALLIED] else 0.0}
    supplied = supplied_hexes(s, GERMAN)
    strength, approach = _pieces(s)
    return {
        "objectives": _objectives(s, supplied),
        "approach": approach,
        "strength": strength,
        "order": _order(s),
        "cut-off": _cut_off(s, supplied),
        "massing": _massing(s),
        "bridges": -BRIDGE_WORTH * s.blown.bit_count(),
        "markers": _markers(s),
        "readiness": _readiness(s),
    }


# ---- the board ----------------------------------------------------------------------------------------


def _objectives(s: ArdennesState, supplied: int) -> float:
    """Victory hexes in German hands, those in supply in full, and factors that have left for Antwerp."""
    held = s.held & VICTORY
    fed = held & supplied
    total = 0.0
    for mask, share in ((fed, 1.0), (held & ~fed, 0.4)):
        total += share * (HELD * (mask & ~WEST_MAP).bit_count() + WESTERN * (mask & WEST_MAP).bit_count())
    return total + EXITED * exited_factors(s)


@lru_cache(maxsize=64)
def _distance_to(target: int) -> tuple[int, ...]:
    return tuple(distances([target], BOARD.adjacent))


@lru_cache(maxsize=256)
def _field(open_hexes: int) -> tuple[float, ...]:
    """By hex: how strongly the open victory hexes pull."""
    field = [0.0] * HEXES
    fade = [FADING**d for d in range(200)]
    for target in bits(open_hexes):
        weight = WESTERN if WEST_MAP >> target & 1 else HELD
        for h, d in enumerate(_distance_to(target)):
            field[h] += weight * fade[d] / HELD
    return tuple(field)


def open_targets(s: ArdennesState) -> int:
    """The victory hexes that the Germans still want, as bits; Liège is too far to draw them."""
    wanted = VICTORY & ~s.held & ~LIEGE
    return wanted & ~WEST_MAP if east_only(s) else wanted


def _pieces(s: ArdennesState) -> tuple[float, float]:
    """Steps on the map; strength near the victory hexes that are still open."""
    field = _field(open_targets(s))
    lost = s.lost
    strength = approach = 0.0
    for u, place in enumerate(s.where):
        if place < HEXES:
            worth, pull = WEIGHTS[u][lost[u]]
            strength += worth
            approach += pull * field[place]
    return strength, approach


def _order(s: ArdennesState) -> float:
    """Disrupted, routed and engaged units are a burden."""
    total = 0.0
    for u, order in enumerate(s.order):
        if order:
            total += DISORDER[order] if SIDE[u] == ALLIED else -DISORDER[order]
    for u in bits(s.engaged):
        total += ENGAGED if SIDE[u] == ALLIED else -ENGAGED
    return total


def _cut_off(s: ArdennesState, supplied: int) -> float:
    """Hexes with units that cannot trace supply."""
    germans = (occupied(s, GERMAN) & ~supplied).bit_count()
    allies = (occupied(s, ALLIED) & ~supplied_hexes(s, ALLIED)).bit_count()
    return CUT_OFF * (allies - germans)


def _massing(s: ArdennesState) -> float:
    """In a movement phase: the odds at which the side that moves could attack, less those that it offers the enemy."""
    if not any(isinstance(frame, Movement) for frame in s.stack):
        return 0.0
    german, allied = (THREAT, DANGER) if s.player == GERMAN else (DANGER, THREAT)
    return german * _chances(s, GERMAN) - allied * _chances(s, ALLIED)


def _chances(s: ArdennesState, side: int) -> float:
    """How well a side stands around the enemies that it touches, by plain odds; it may attack each but once."""
    friends, enemies = occupied(s, side), occupied(s, 1 - side)
    forces = {a: _force(s, a) / (TOUCHING[a] & enemies).bit_count() ** 0.5 for a in bits(next_to(enemies) & friends)}
    total = 0.0
    for h in bits(next_to(friends) & enemies):
        attack = sum(forces[a] for a in bits(TOUCHING[h] & friends))
        defence = sum(values(s, u)[1] for u in units_at(s, h)) or 1
        worth = 2.0 if VICTORY >> h & 1 else 1.0
        total += worth * min(MOST_ODDS, max(0.0, attack / defence - 1.0))
    return total


def _force(s: ArdennesState, h: int) -> float:
    """The attack strength in a hex of units that could attack."""
    return float(sum(values(s, u)[0] for u in units_at(s, h) if not ARTILLERY[u] and not s.order[u]))


def _markers(s: ArdennesState) -> float:
    """Traffic and roadblocks on the map, and units kept for the night."""
    german = sum(h >= 0 for h in (*s.traffic[TRAFFIC_MARKERS:], *s.blocks[2:]))
    allied = sum(h >= 0 for h in (*s.traffic[:TRAFFIC_MARKERS], *s.blocks[:2]))
    night = sum(1 if SIDE[u] == GERMAN else -1 for u in bits(s.night_marks))
    march = sum(1 if SIDE[u] == ALLIED else -1 for u in bits(s.march))
    return MARKER * (german - allied) + NIGHT * (night + march)


# ---- attacks under way ------------------------------------------------------------------------------------


def pending(s: ArdennesState, seat: Seat) -> float:
    """What a declared combat promises to `seat`, by the odds of the combat table."""
    frame = s.stack[-1]
    if isinstance(frame, Attack):
        battle = Battle(frame.side, frame.hex, frame.joined or frame.pool)
    elif isinstance(frame, (Support, CombatRoll)):
        battle = frame.battle
    else:
        return 0.0
    column = odds(s, battle).column
    worth = _results(s, battle)
    promise = sum(worth[result_of(column, die)] for die in DIE) / len(DIE)
    return promise if SEATS[battle.side] == seat else -promise


def _results(s: ArdennesState, b: Battle) -> dict[str, float]:
    """By result: what it is worth to the attacker."""
    defenders = units_at(s, b.hex)
    pain = min(_step(s, u) for u in b.units)
    harm = min((_step(s, u) for u in defenders), default=1.0)
    takes = OBJECTIVES >> b.hex & 1 and bool(s.held >> b.hex & 1) != (b.side == GERMAN)
    ground = 0.5 + 0.4 * len(defenders) + (HELD * 0.5 if takes else 0.0)
    push = (4 * ground + 2 * harm - 3 * pain + 0.6) / 6
    return {
        "DS": ground + harm + 1.2, "DR4": ground + 0.9, "DR3": ground + 0.6, "DR2": 0.8 * ground,
        "FF": max(0.3, push), "FF+1": max(0.3, push - 0.2), "EX": harm - pain + 0.2, "ENG": 0.2,
        "A1/ENG": 0.2 - pain, "A1": -pain,
    }  # fmt: skip


def _step(s: ArdennesState, u: int) -> float:
    """What the loss of its next step costs the owner of a unit."""
    worth, lost = WORTH[u], s.lost[u]
    after = worth[lost + 1] if STEPS[u] > lost + 1 else 0.0
    return max(0.2, worth[min(lost, len(worth) - 1)] - after)


# ---- what is worth weighing ----------------------------------------------------------------------------


def candidates(s: ArdennesState) -> list[Action]:
    """The legal actions; of a unit's moves only those towards the goals, beside enemies, and onto what can be taken."""
    actions = engine.candidates(s)
    frame = s.stack[-1]
    if isinstance(frame, PlaceTraffic):
        return _best_traffic(s, frame, actions)
    if isinstance(frame, Advance):
        return _best_advances(s, frame.side, actions)
    if isinstance(frame, Retreat):
        return _towards_goals(s, actions)[:MOST_RETREATS]
    if not isinstance(frame, SendCommando):  # the commando waits for the fuses, units stay whole
        actions = [a for a in actions if a[0] not in ("commando", "split")]
    if not isinstance(frame, MoveUnit) or len(actions) <= MOST_NEARER + MOST_BESIDE:
        return actions
    onto: list[Action] = [a for a in actions if len(a) == 3 and int(a[2]) < HEXES]
    moves = _towards_goals(s, onto)
    beside, wanted = next_to(occupied(s, 1 - frame.side)), _wanted(s, frame.side)
    chosen = set(moves[:MOST_NEARER])
    chosen.update([a for a in moves if beside >> int(a[2]) & 1][:MOST_BESIDE])
    chosen.update(a for a in moves if wanted >> int(a[2]) & 1)
    return [a for a in actions if a in chosen or a not in onto]


def _towards_goals(s: ArdennesState, actions: list[Action]) -> list[Action]:
    """Moves of units to hexes, those first towards the victory hexes that are still open."""
    field = _field(open_targets(s))
    return sorted(actions, key=lambda a: -field[int(a[2])] if int(a[2]) < HEXES else 0.0)


def _wanted(s: ArdennesState, side: int) -> int:
    """The victory hexes that a side would take by entering them, as bits."""
    return VICTORY & (~s.held if side == GERMAN else s.held)


def _best_advances(s: ArdennesState, side: int, actions: list[Action]) -> list[Action]:
    """The best hexes of the first unit and the best one of each other; those that win something first."""
    wanted = _wanted(s, side)
    moves = _towards_goals(s, [a for a in actions if a[0] == "advance"])
    moves.sort(key=lambda a: not wanted >> int(a[2]) & 1)
    best = {a[1]: a for a in reversed(moves)}
    first = [a for a in moves if moves and a[1] == min(best)][:MOST_ADVANCES]
    chosen = {*first, *list(best.values())[:MOST_ADVANCES], ("pass",)}
    return [a for a in actions if a in chosen] or actions


def _best_traffic(s: ArdennesState, frame: PlaceTraffic, actions: list[Action]) -> list[Action]:
    """Road hexes just in front of the enemy, those towards his goals first: the lowest of as many as are at hand."""
    field = _field(open_targets(s))
    enemies = occupied(s, 1 - frame.side)
    near = next_to(next_to(enemies)) & ROAD_HEXES & ~occupied(s, frame.side)
    spots = [int(a[1]) for a in actions if a[0] == "traffic" and near >> int(a[1]) & 1]
    spots.sort(key=lambda h: -field[h])
    plan: list[int] = []
    for h in spots:
        if len(plan) < len(frame.box) - len(frame.placed) and not any(TOUCHING[h] >> other & 1 for other in plan):
            plan.append(h)
    return [("traffic", min(plan))] if plan else [("done",)]


def _readiness(s: ArdennesState) -> float:
    """A unit that has been selected to move is worth a little to its side, so that it is asked."""
    frame = s.stack[-1]
    if not isinstance(frame, MoveUnit):
        return 0.0
    return CHOSEN if frame.side == GERMAN else -CHOSEN
