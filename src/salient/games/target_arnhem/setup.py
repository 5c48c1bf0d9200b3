"""Target Arnhem: chapter 9, the historical scenario's set-up."""

from __future__ import annotations

from dataclasses import dataclass

from salient.common.sides import ALLIED, SEATS
from salient.games.target_arnhem.model import (
    ARRIVAL_TURN,
    BOARD,
    DIVISIONS,
    HEXES,
    POOLS,
    SCENARIO,
    START,
    STARTS_FORTIFIED,
    UNITS,
    WAITING,
    ArnhemState,
)
from salient.games.target_arnhem.sequence import Turn
from salient.kernel import Action, Frame, Option, Prompt, Refusal, Seat
from salient.kernel.messages import Sink

FREE, HISTORICAL = "free", "historical"
SUPPLY_ZONES = Option("supply-zones", (FREE, HISTORICAL), "9.3")
HISTORICAL_ZONES = {  # the historical note of 9.3
    "1abn": ("1503",),
    "82abn": ("1104", "1105"),
    "101abn": ("0603",),
}


def new_state(preset: str) -> ArnhemState:
    """The set-up of 9.2 and 9.3 before the Allied player places his supply zones."""
    s = ArnhemState()
    s.where = [START[u] if ARRIVAL_TURN[u] == 0 else WAITING for u in range(len(UNITS))]
    s.fortified = list(STARTS_FORTIFIED)
    s.pools = [int(SCENARIO["pools"].get(pool, 0)) for pool in POOLS]
    s.preset = preset
    s.stack = (Turn(0), *(PlaceZone(division) for division in reversed(DIVISIONS)))
    return s


# ---- 9.3 Supply zones ---------------------------------------------------------------------------------


def refuse_zone(s: ArnhemState, division: int, h: int) -> Refusal | None:
    """Why a division's supply zone cannot lie in a hex."""
    if h in s.zones:
        return Refusal("9.3", "zone-taken", hex=h)
    if s.preset == HISTORICAL and BOARD.labels[h] not in HISTORICAL_ZONES[POOLS[division]]:
        return Refusal("9.3", "zone-not-historical", hex=h)
    return None


@dataclass(frozen=True, slots=True)
class PlaceZone(Frame):
    """The Allied player places the supply zone of a division."""

    division: int

    def actor(self, s: ArnhemState) -> Seat:
        return SEATS[ALLIED]

    def legal(self, s: ArnhemState) -> list[Action]:
        return [("zone", self.division, h) for h in range(HEXES) if refuse_zone(s, self.division, h) is None]

    def apply(self, s: ArnhemState, action: Action, out: Sink) -> None:
        s.zones[self.division] = int(action[2])
        out("9.3", "zone-placed", pool=self.division, hex=int(action[2]))
        s.pop()

    def prompt(self, s: ArnhemState) -> Prompt:
        return Prompt("9.3", "place-zone", pool=self.division)

    def why_not(self, s: ArnhemState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        match action:
            case ("zone", self.division, int(h)):
                refusal = refuse_zone(s, self.division, h)
                return [refusal] if refusal else []
        return [Refusal("9.3", "place-zone-first", pool=self.division)]
