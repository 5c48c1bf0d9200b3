"""Target Arnhem: chapter 9, the historical scenario's set-up."""

from __future__ import annotations

from dataclasses import dataclass

from salient.common.sides import ALLIED, SEATS
from salient.games.target_arnhem.components import POOLS, Data
from salient.games.target_arnhem.model import DIVISIONS, ArnhemState
from salient.games.target_arnhem.sequence import Turn
from salient.hexes.masks import bits
from salient.hexes.sets import HexId
from salient.kernel import Action, Frame, Option, Prompt, Refusal, Seat
from salient.kernel.messages import Sink
from salient.kernel.sequence import SETTING_UP

FREE, HISTORICAL = "free", "historical"
SUPPLY_ZONES = Option("supply-zones", (FREE, HISTORICAL), "9.3")
HISTORICAL_ZONES = {  # the historical note of 9.3
    "1abn": ("1503",),
    "82abn": ("1104", "1105"),
    "101abn": ("0603",),
}


def new_state(data: Data, preset: str) -> ArnhemState:
    """The set-up of 9.2 and 9.3 before the Allied player places his supply zones; those without a choice lie there."""
    s = ArnhemState(data)
    units = data.units
    s.where = [units.start[u] if units.arrival_turn[u] == 0 else s.ground.waiting for u in range(units.count)]
    s.fortified = list(units.starts_fortified)
    s.pools = [int(s.tables.scenario["pools"].get(pool, 0)) for pool in POOLS]
    s.preset = preset
    s.stack = (Turn(SETTING_UP), PlaceZones())
    for division in DIVISIONS:
        if division not in chosen_zones(s):
            s.zones[division] = next(h for h in bits(s.ground.all_hexes) if refuse_zone(s, division, h) is None)
    return s


# ---- 9.3 Supply zones ---------------------------------------------------------------------------------


def chosen_zones(s: ArnhemState) -> list[int]:
    """The divisions whose supply zone has several possible hexes: any, or those of the historical note."""
    return [d for d in DIVISIONS if s.preset == FREE or len(HISTORICAL_ZONES[POOLS[d]]) > 1]


def refuse_zone(s: ArnhemState, division: int, h: HexId) -> Refusal | None:
    """Why a division's supply zone cannot lie in a hex."""
    if h in s.zones:
        return Refusal("9.3", "zone-taken", hex=h)
    if s.preset == HISTORICAL and s.ground.board.labels[h] not in HISTORICAL_ZONES[POOLS[division]]:
        return Refusal("9.3", "zone-not-historical", hex=h)
    return None


@dataclass(frozen=True, slots=True)
class PlaceZones(Frame[ArnhemState]):
    """The Allied player places the supply zones of his divisions in any order, and may move them until he is done."""

    def actor(self, s: ArnhemState) -> Seat:
        return SEATS[ALLIED]

    def legal(self, s: ArnhemState) -> list[Action]:
        cancel: list[Action] = [("cancel",)] if self.draft(s) else []
        done: list[Action] = [] if self._missing(s) else [("done",)]
        return [*done, *(action for division in chosen_zones(s) for action in _zones(s, division)), *cancel]

    def candidates(self, s: ArnhemState) -> list[Action]:
        missing = self._missing(s)
        return _zones(s, missing[0]) if missing else [("done",)]

    def draft(self, s: ArnhemState) -> tuple[Action, ...]:
        return tuple(("zone", division, s.zones[division]) for division in chosen_zones(s) if s.zones[division] >= 0)

    def _missing(self, s: ArnhemState) -> list[int]:
        return [division for division in DIVISIONS if s.zones[division] < 0]

    def apply(self, s: ArnhemState, action: Action, out: Sink) -> None:
        match action:
            case ("cancel",):
                for division in chosen_zones(s):
                    s.zones[division] = -1
            case ("zone", int(division), HexId(h)):
                s.zones[division] = h
            case _:
                for division in DIVISIONS:
                    out("9.3", "zone-placed", pool=division, hex=s.zones[division])
                s.pop()

    def prompt(self, s: ArnhemState) -> Prompt:
        missing = self._missing(s)
        return Prompt("9.3", "place-zones", pools=tuple(missing)) if missing else Prompt("9.3", "zones-are-placed")

    def refusals(self, s: ArnhemState, action: Action) -> list[Refusal]:
        match action:
            case ("zone", int(division), _) if division not in DIVISIONS:
                return [Refusal("9.3", "no-zone-of-its-own", pool=division)]
            case ("zone", int(division), HexId(h)):
                return [refuse_zone(s, division, h) or Refusal("9.3", "place-zones-first")]
        return [Refusal("9.3", "place-zones-first")]


def _zones(s: ArnhemState, division: int) -> list[Action]:
    return [("zone", division, h) for h in bits(s.ground.all_hexes) if refuse_zone(s, division, h) is None]
