"""Battle of the Bulge: phase 3, reinforcements placed from the charts. Chapter 8."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from salient.games.bulge.components import COMBAT_KINDS, KINDS, SEATS, SUPPLY, TANK, TRUCK, Ground
from salient.games.bulge.model import BulgeState, based, change_base, fighting, mark_moved, owned, put, seat_of, waiting
from salient.games.bulge.movement import blitzed, road_reach, stops
from salient.hexes.masks import bit, bits
from salient.hexes.sets import HexId, HexSet, UnitId
from salient.kernel import Action, Frame, Prompt, Refusal, Seat
from salient.kernel.messages import Sink

# ---- 8.3, 8.4 Where reinforcements enter ----------------------------------------------------------------


def entry_hexes(s: BulgeState, formation: int) -> HexSet:
    """The edge hexes of a formation's chart on its own side of the front and free of enemies, as bits."""
    side = s.formations.side[formation]
    return s.formations.edge[formation] & owned(s, side) & ~fighting(s, 1 - side)


# ---- 8.5, 8.6 Tanks drive on -----------------------------------------------------------------------------


def tank_arrivals(
    ground: Ground, side: int, entries: HexSet, enemies: HexSet, enemy_hexes: HexSet, blitz: bool
) -> HexSet:
    """Where tanks from off the board come to, as bits: the edge, along roads from there, a hex more with a blitz."""
    stop = stops(ground, enemies, enemy_hexes)
    reached = entries | road_reach(ground, entries & ground.road_edge[side], enemies, ~stop)
    return blitzed(ground, reached, enemies) if blitz else reached


def arrival_hexes(s: BulgeState, formation: int, kind: int, blitz: bool) -> HexSet:
    """Where pieces of a formation may be placed, as bits."""
    entries = entry_hexes(s, formation)
    if kind != TANK:
        return entries
    side = s.formations.side[formation]
    return tank_arrivals(s.ground, side, entries, fighting(s, 1 - side), owned(s, 1 - side), blitz)


@lru_cache(maxsize=1 << 12)
def _arrivals(unit: UnitId, hexes: int, most: int) -> tuple[Action, ...]:
    """The arrivals of a pile in some hexes, ready-made."""
    return tuple([("arrive", unit, h, n) for h in bits(hexes) for n in range(1, most + 1)])


# ---- 8.1, 8.7 The charts -------------------------------------------------------------------------------------


def refuse_formation(s: BulgeState, side: int, formation: int) -> Refusal | None:
    """Why a formation cannot send pieces."""
    place, turn = s.ground.boxes[formation], s.formations.turn[formation]
    if s.formations.side[formation] != side:
        return Refusal("8.1", "not-your-chart", place=place)
    if turn > s.turn:
        return Refusal("8.1", "not-due", place=place, n_turn=turn)
    return None


def due(s: BulgeState, side: int) -> list[int]:
    """The formations of a side with pieces that may arrive, ascending."""
    return [f for f in s.formations.due[side][s.turn] if any(s.charts[f * 3 : f * 3 + 3])]


def receive_trucks(s: BulgeState, side: int, out: Sink) -> None:
    """Trucks on a chart join those off the board on their turn; they enter by road only [8.4]."""
    formations = s.formations
    for formation in formations.of_side[side]:
        trucks = formations.pieces[formation][TRUCK]
        if formations.turn[formation] == s.turn and trucks:
            change_base(s, side, TRUCK, trucks)
            out("8.4", "trucks-join", place=s.ground.boxes[formation], n=trucks)


@dataclass(frozen=True, slots=True)
class Arrive(Frame[BulgeState]):
    """A side places pieces from its charts; what it does not place may come later [8.7]."""

    side: int
    blitz: int  # formations that have paid for a blitz, as bits

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, self.side)

    def legal(self, s: BulgeState) -> list[Action]:
        arrivals: list[Action] = []
        formations, boxes, piles = due(s, self.side), s.ground.boxes, s.units.piles
        for kind in COMBAT_KINDS:
            for f in formations:
                if most := waiting(s, f, kind):
                    unit = piles[self.side][kind][boxes[f]]
                    arrivals += _arrivals(unit, arrival_hexes(s, f, kind, bool(self.blitz >> f & 1)), most)
        if based(s, self.side, SUPPLY):
            arrivals += [("blitz", boxes[f]) for f in formations if refuse_blitz(s, self, f) is None]
        arrivals.append(("pass",))
        return arrivals

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        match action:
            case ("arrive", UnitId(unit), HexId(h), int(n)):
                self._place(s, unit, h, n, out)
            case ("blitz", int(place)):
                change_base(s, self.side, SUPPLY, -1)
                s.swap(Arrive(self.side, self.blitz | bit(place - s.ground.hexes)))
                out("8.6", "blitzes-off-board", place=place)
            case _:
                s.pop()

    def _place(self, s: BulgeState, unit: UnitId, h: HexId, n: int, out: Sink) -> None:
        kind, place = s.units.kind[unit], s.units.place[unit]
        s.charts[(place - s.ground.hexes) * 3 + kind] -= n
        put(s, self.side, kind, h, n)
        mark_moved(s, kind, h, n)
        rule = "8.3" if self.side == 0 else "8.4"
        out(rule, "arrives", word_kind=KINDS[kind], n=n, place=place, hex=h)

    def prompt(self, s: BulgeState) -> Prompt:
        key = "arrive-or-pass" if due(s, self.side) else "end-of-movement"
        return Prompt("8.1", key, word_side=SEATS[self.side])

    def refusals(self, s: BulgeState, action: Action) -> list[Refusal]:
        match action:
            case ("arrive", UnitId(unit), HexId(h), int(n)):
                return [self._refuse(s, unit, h, n)]
            case ("blitz", int(place)) if place in s.ground.boxes:
                formation = place - s.ground.hexes
                refusal = refuse_formation(s, self.side, formation) or refuse_blitz(s, self, formation)
                return [refusal or Refusal("8.6", "no-tanks-on-chart", place=place)]
        return [Refusal("8.1", "arrivals-first")]

    def _refuse(self, s: BulgeState, unit: UnitId, h: HexId, n: int) -> Refusal:
        place, kind = s.units.place[unit], s.units.kind[unit]
        if s.units.side[unit] != self.side or place not in s.ground.boxes or kind not in COMBAT_KINDS:
            return Refusal("8.1", "not-on-a-chart")
        formation = place - s.ground.hexes
        refusal = refuse_formation(s, self.side, formation)
        if refusal:
            return refusal
        if not 1 <= n <= waiting(s, formation, kind):
            return Refusal("8.1", "not-so-many", place=place, n=n)
        return refuse_entry(s, formation, h)


def refuse_entry(s: BulgeState, formation: int, h: HexId) -> Refusal:
    """Why a formation's pieces cannot be placed in a hex that is not offered."""
    side = s.formations.side[formation]
    rule = "8.3" if side == 0 else "8.4"
    if not s.ground.whole >> h & 1:
        return Refusal("7.15", "partial-hex", hex=h)
    if not s.formations.edge[formation] >> h & 1:
        return Refusal(rule, "not-its-edge", place=s.ground.boxes[formation], hex=h)
    if not owned(s, side) >> h & 1:
        return Refusal(rule, "edge-not-yours", hex=h)
    return Refusal("7.7", "enemy-in-hex", hex=h)


def refuse_blitz(s: BulgeState, frame: Arrive, formation: int) -> Refusal | None:
    """Why the tanks of a formation cannot blitz from off the board [8.6]."""
    place = s.ground.boxes[formation]
    if frame.blitz >> formation & 1:
        return Refusal("8.6", "blitz-paid", place=place)
    if not waiting(s, formation, TANK):
        return Refusal("8.6", "no-tanks-on-chart", place=place)
    if not based(s, frame.side, SUPPLY):
        return Refusal("8.6", "no-supply-off-board")
    return None


def offer_arrivals(s: BulgeState, side: int) -> None:
    """Ask a side for its arrivals; its pass ends the side's part of the phase, whether any can be placed or not."""
    s.push(Arrive(side, 0))
