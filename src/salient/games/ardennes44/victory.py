"""Ardennes '44: chapter 30 and the scenarios' own conditions (S2 to S5), and the defence of Antwerp (27.3.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from salient.common.naming import NamingFrame, above
from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.stacks import occupied, on_map, put
from salient.games.ardennes44.model import ArdennesState, east_only, set_lost, take_off, turns_of, units_in, values
from salient.games.ardennes44.supply import road_network, supplied_hexes
from salient.hexes.sets import Group, HexSet, UnitId
from salient.kernel import Action, GameOver, Prompt, Refusal, Result
from salient.kernel.frames import TAKE_BACK
from salient.kernel.messages import Sink

EXIT_FACTORS, MEUSE_NEEDED, WEST_NEEDED = 24, 4, 6  # 30.2
AREAS_NEEDED, PHASES_NEEDED = 3, 2  # 30.3
POINTS_NEEDED = {"six-turns": 10, "eight-turns": 14}  # S2.4, S3.4
FACTORS_A_POINT = 4  # S2.4
EXTENDED_WEST = 4  # S5.2
ANTWERP_MARGIN = 6  # 27.3.4

# ---- 30.1 Control -----------------------------------------------------------------------------------------


def german_victory_hexes(s: ArdennesState) -> HexSet:
    """The victory hexes under German control, in supply, as bits [30.1.2]."""
    return s.ground.victory & s.held & supplied_hexes(s, GERMAN)


def exited_factors(s: ArdennesState) -> int:
    """Attack factors of Germans that have left for Antwerp, if an exit hex is in supply [30.2, S2.4]."""
    if not s.exits & road_network(s, GERMAN):
        return 0
    return sum(values(s, u)[0] for u in units_in(s, s.ground.antwerp) if s.units.side[u] == GERMAN)


def points(s: ArdennesState) -> int:
    """German points of the short scenarios [S2.4]."""
    return (german_victory_hexes(s) & ~s.ground.west_map).bit_count() + exited_factors(s) // FACTORS_A_POINT


def german_reason(s: ArdennesState) -> str:
    """The condition by which the Germans have won, empty if none [30.2]."""
    held = german_victory_hexes(s)
    if exited_factors(s) >= EXIT_FACTORS:
        return "german-exit"
    if held & s.ground.liege == s.ground.liege:
        return "german-liege"
    if (held & s.ground.meuse_towns).bit_count() >= MEUSE_NEEDED:
        return "german-meuse"
    return "german-west" if (held & s.ground.west_map).bit_count() >= WEST_NEEDED else ""


def allies_in_areas(s: ArdennesState) -> int:
    """How many German initial areas hold Allied units in supply [30.3]."""
    allies = occupied(s, ALLIED) & supplied_hexes(s, ALLIED)
    return sum(bool(area & allies) for area in s.ground.areas.values())


# ---- 30.1.1 The victory phase ------------------------------------------------------------------------------------


def victory_phase(s: ArdennesState, out: Sink) -> None:
    """Look for a winner; at the end of the last turn there is one, or a draw [30.1, S4.4]."""
    s.german_areas = s.german_areas + 1 if allies_in_areas(s) >= AREAS_NEEDED else 0
    if s.german_areas >= PHASES_NEEDED:
        _end(s, SEATS[ALLIED], "allied-areas", out)
        return
    if not east_only(s) and (reason := german_reason(s)):
        _end(s, SEATS[GERMAN], reason, out)
    elif s.turn >= turns_of(s):
        _last_turn(s, out)


def _last_turn(s: ArdennesState, out: Sink) -> None:
    if east_only(s):
        won = points(s) >= POINTS_NEEDED[s.scenario]
        _end(s, SEATS[GERMAN] if won else SEATS[ALLIED], "german-points" if won else "allied-points", out)
    elif s.tables.scenarios[s.scenario]["rule"] == "S5" and german_holds_on(s):
        _end(s, SEATS[GERMAN], "german-bastogne", out)
    elif s.scenario == "patton" and s.ground.bastogne & road_network(s, ALLIED) != s.ground.bastogne:
        _end(s, "", "draw-bastogne", out)
    else:
        _end(s, SEATS[ALLIED], "allied-holds", out)


def german_holds_on(s: ArdennesState) -> bool:
    """Bastogne taken or cut off, and four victory hexes of the West map [S5.2]."""
    held = german_victory_hexes(s)
    bastogne = s.held & s.ground.bastogne == s.ground.bastogne or not s.ground.bastogne & road_network(s, ALLIED)
    return bastogne and (held & s.ground.west_map).bit_count() >= EXTENDED_WEST


def _end(s: ArdennesState, winner: str, key: str, out: Sink) -> None:
    s.winner, s.result_key = winner or "draw", key
    s.stack = (GameOver(),)
    out(RULES[key], key)


RULES = {
    "german-exit": "30.2", "german-liege": "30.2", "german-meuse": "30.2", "german-west": "30.2",
    "allied-areas": "30.3", "allied-holds": "30.3", "german-points": "S2.4", "allied-points": "S2.4",
    "german-bastogne": "S5.2", "draw-bastogne": "S4.4",
}  # fmt: skip


def result(s: ArdennesState) -> Result | None:
    """How the game ended, None while it goes on."""
    if not s.winner:
        return None
    return Result(s.winner if s.winner in SEATS else None, RULES[s.result_key], s.result_key)


# ---- 27.3.4 The defence of Antwerp -----------------------------------------------------------------------------


def british_missing(s: ArdennesState, named: Group = ()) -> int:
    """The British defence factors that Antwerp still needs beside those of units that have been named."""
    there = units_in(s, s.ground.antwerp)
    germans = sum(values(s, u)[1] for u in there if s.units.side[u] == GERMAN)
    british = sum(values(s, u)[1] for u in (*named, *there) if s.units.side[u] == ALLIED)
    return germans + ANTWERP_MARGIN - british if germans else 0


def british_on_map(s: ArdennesState) -> Group:
    """The British units that can be sent to Antwerp, ascending."""
    return tuple(u for u in s.units.of_side[ALLIED] if s.units.british[u] and on_map(s, u))


def defend_antwerp(s: ArdennesState, out: Sink) -> None:
    """At the end of a German turn British units leave for Antwerp, arriving ones too if the rest is not enough."""
    if east_only(s) or british_missing(s) <= 0:
        return
    units = british_on_map(s)
    if british_missing(s, units) < 0 or (british_missing(s, units) == 0 and len(units) > 1):
        s.push(Antwerp(ALLIED, ()))
        return
    _send(s, units, out)
    known = s.units
    for u in known.of_side[ALLIED]:
        arriving = s.where[u] == s.ground.track and 0 < known.arrival[u] <= s.turn
        if known.british[u] and arriving and british_missing(s) > 0:
            put(s, u, s.ground.antwerp)
            out("27.3.4", "sent-to-antwerp", unit=u)


def _send(s: ArdennesState, units: Group, out: Sink) -> None:
    for u in units:
        lost = s.lost[u]
        take_off(s, u, s.ground.antwerp)
        if s.where[u] == s.ground.antwerp:
            set_lost(s, u, lost)
        out("27.3.4", "sent-to-antwerp", unit=u)


@dataclass(frozen=True, slots=True)
class Antwerp(NamingFrame[ArdennesState]):
    """The Allies name the British units that go to Antwerp; they are enough when they are done."""

    naming = "send"
    roles: ClassVar[Mapping[str, str]] = {"drop": TAKE_BACK}  # nobody is sent to fight
    named: Group

    def legal(self, s: ArdennesState) -> list[Action]:
        return [*(("drop", u) for u in self.named), *(("send", u) for u in self.choices(s)), *self._enough(s)]

    def choices(self, s: ArdennesState) -> list[UnitId]:
        """The units that may be named as long as more are needed."""
        if british_missing(s, self.named) <= 0:
            return []
        return [u for u in british_on_map(s) if u not in self.named]

    def candidates(self, s: ArdennesState) -> list[Action]:
        later = above(self.choices(s), self.named)
        able = [u for i, u in enumerate(later) if british_missing(s, (*self.named, *later[i:])) <= 0]
        return [*(("send", u) for u in able or self.choices(s)), *self._enough(s)]

    def _enough(self, s: ArdennesState) -> list[Action]:
        return [("done",)] if british_missing(s, self.named) <= 0 else []

    def commit(self, s: ArdennesState, out: Sink) -> None:
        _send(s, self.named, out)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("27.3.4", "defend-antwerp", n=max(0, british_missing(s, self.named)))

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        match action:
            case ("drop", UnitId(u)):
                return [Refusal("27.3.4", "not-named", unit=u)]
            case ("send", UnitId(u)) if u in british_on_map(s) and u not in self.named:
                return [Refusal("27.3.4", "antwerp-is-safe", unit=u)]
        return [Refusal("27.3.4", "send-first")]
