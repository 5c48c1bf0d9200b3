"""Target Arnhem: chapter 8, reinforcements, and the first landing of 9.3."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from salient.common.naming import NamingFrame, above
from salient.common.sides import GERMAN
from salient.games.target_arnhem.components import Ground
from salient.games.target_arnhem.model import ArnhemState, mark_acted, occupied, put, waiting
from salient.games.target_arnhem.movement import area_p_open
from salient.hexes.flood import flood
from salient.hexes.masks import bit, bits, mask_of
from salient.hexes.sets import HexId, HexSet, UnitId, UnitSet
from salient.kernel import Action, Prompt, Refusal
from salient.kernel.messages import Sink


def due(s: ArnhemState) -> UnitSet:
    """The units that wait to arrive this turn; they may have been delayed [8]."""
    return waiting(s) & s.units.due[s.turn]


def refuse_due(s: ArnhemState, u: UnitId) -> Refusal | None:
    """Why a unit cannot arrive this turn, wherever it would [8]."""
    if s.where[u] == s.ground.eliminated:
        return Refusal("3.4", "is-eliminated", unit=u)
    if s.where[u] != s.ground.waiting:
        return Refusal("8", "arrived-already", unit=u)
    return None if due(s) >> u & 1 else Refusal("8", "not-due", unit=u, n_turn=s.units.arrival_turn[u])


# ---- 8.1, 8.2 Ground reinforcements ---------------------------------------------------------


def refuse_arrival(s: ArnhemState, u: UnitId) -> Refusal | None:
    """Why a unit cannot be placed in its area or in 0103 in this reorganisation phase."""
    if late := refuse_due(s, u):
        return late
    if s.units.drops[u] and s.turn == 1:
        return Refusal("9.3", "first-lift-lands", unit=u)
    if s.units.start[u] == s.ground.area_p and not area_p_open(s):
        return Refusal("4.2b", "area-p-closed", place=s.ground.area_p)
    if s.units.start[u] == s.ground.entry and occupied(s, GERMAN) >> s.ground.entry & 1:
        return Refusal("8.2", "entry-blocked", hex=s.ground.entry)
    return None


@dataclass(frozen=True, slots=True)
class Reinforce(NamingFrame[ArnhemState]):
    """A side names the ground reinforcements that it places, and delays the others [3.2, 8]."""

    naming = "arrive"
    named: tuple[UnitId, ...]  # ascending

    def due(self, s: ArnhemState) -> list[UnitId]:
        """The units that may arrive."""
        return [u for u in bits(due(s) & s.units.side_mask[self.side]) if refuse_arrival(s, u) is None]

    def legal(self, s: ArnhemState) -> list[Action]:
        arrive: list[Action] = [("arrive", u) for u in self.due(s) if u not in self.named]
        return [*arrive, ("done",), *(("drop", u) for u in self.named)]

    def candidates(self, s: ArnhemState) -> list[Action]:
        return [*(("arrive", u) for u in above(self.due(s), self.named)), ("done",)]

    def commit(self, s: ArnhemState, out: Sink) -> None:
        for u in self.named:
            put(s, u, s.units.start[u])
            out("8.1" if self.side == GERMAN else "8.2", "arrives", unit=u, place=s.units.start[u])

    def prompt(self, s: ArnhemState) -> Prompt:
        return Prompt("8", "place-reinforcements", units=tuple(self.due(s)))

    def refusals(self, s: ArnhemState, action: Action) -> list[Refusal]:
        match action:
            case ("arrive" | "drop", UnitId(u)) if u not in s.units.of_side[self.side]:
                return [Refusal("8", "not-your-unit", unit=u)]
            case ("arrive", UnitId(u)):
                return [refuse_arrival(s, u) or Refusal("8", "arrives-already", unit=u)]
            case ("drop", UnitId(u)):
                return [Refusal("8", "not-named", unit=u)]
        return [Refusal("3.2", "reinforcements-first", units=tuple(self.due(s)))]


def offer_reinforcements(s: ArnhemState, side: int) -> None:
    """Ask a side for its arrivals if it has any to place."""
    frame = Reinforce(side, ())
    if frame.due(s):
        s.push(frame)


# ---- 8.3 Parachute landings --------------------------------------------------------------------


@cache
def landing_ground(ground: Ground, zone: int) -> int:
    """The hexes within two of a zone, those across a river only if its bridge lies within two as well, as bits."""
    return flood(bit(zone), ground.open_ground, mask_of(ground.board.within(zone, 2)))


def landing_hexes(s: ArnhemState, u: UnitId) -> HexSet:
    """Where a waiting airborne unit may land, as bits."""
    zone = s.zones[s.units.pool[u]]
    where = s.ground.all_hexes if u == s.units.poles else landing_ground(s.ground, zone) if zone >= 0 else 0
    free = where & ~occupied(s, GERMAN)
    return free & ~bit(s.ground.entry) if s.turn == 1 else free


def landing(s: ArnhemState) -> list[UnitId]:
    """The units that may land in this impulse, ascending."""
    return [u for u in bits(due(s) & s.units.airborne) if _refuse_landing_now(s, u) is None]


def refuse_landing(s: ArnhemState, u: UnitId) -> Refusal | None:
    """Why a unit cannot land at all in this impulse."""
    if not s.units.drops[u]:
        return Refusal("8.3", "not-airborne", unit=u)
    return refuse_due(s, u) or _refuse_landing_now(s, u)


def _refuse_landing_now(s: ArnhemState, u: UnitId) -> Refusal | None:
    """Why an airborne unit that is due cannot land."""
    if s.impulse == 3:
        return Refusal("8.3", "no-landing-in-third-impulse", unit=u)
    if u != s.units.poles and s.zones[s.units.pool[u]] < 0:
        return Refusal("8.3", "zone-lost", unit=u)
    return None


@lru_cache(maxsize=1 << 12)
def landings(u: UnitId, hexes: int) -> tuple[Action, ...]:
    """The landings of a unit in some hexes, ready-made."""
    return tuple([("land", u, h) for h in bits(hexes)])


def refuse_landing_at(s: ArnhemState, u: UnitId, h: HexId) -> Refusal | None:
    """Why a unit that may land cannot land in a hex."""
    if landing_hexes(s, u) >> h & 1:
        return None
    if occupied(s, GERMAN) >> h & 1:
        return Refusal("8.3", "enemy-in-hex", hex=h)
    if h == s.ground.entry and s.turn == 1:
        return Refusal("9.3", "no-landing-at-entry", hex=h)
    if h in s.ground.board.within(s.zones[s.units.pool[u]], 2):
        return Refusal("8.3", "landing-across-river", hex=h)
    return Refusal("8.3", "landing-too-far", unit=u, hex=h)


def land(s: ArnhemState, u: UnitId, h: HexId, out: Sink) -> None:
    """Land a unit: that is its action, but two units of the first landing may be given another [8.3, 9.3]."""
    put(s, u, h)
    mark_acted(s, u)
    if s.extra > 0:
        s.landed |= bit(u)
    out("8.3", "lands", unit=u, hex=h)


def must_land(s: ArnhemState) -> list[UnitId]:
    """The units of the first lift that have yet to land in the first impulse of the game [9.3]."""
    if s.turn > 1 or s.impulse > 1:
        return []
    return bits(due(s) & s.units.airborne)
