"""Ardennes '44: chapter 6, fuel shortage."""

from __future__ import annotations

from dataclasses import dataclass

from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import on_map
from salient.games.ardennes44.entering import CAPTURED, NO_DEPOT, set_depot
from salient.games.ardennes44.model import ArdennesState
from salient.games.ardennes44.supply import road_network
from salient.hexes.masks import mask_of
from salient.hexes.sets import Group
from salient.kernel import Action, Prompt, Refusal
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink

PANZER_DIVISIONS_5 = ("2Pz", "Lehr", "116Pz", "9Pz")  # 6.4.2
FIRST_SHORTAGE, WORSE_FROM, SPARED_UNTIL = 7, 15, 8  # turns [6.1, 6.2, 32.2]


def fuel_phase(s: ArdennesState, out: Sink) -> None:
    """Bring captured fuel home, then roll on both tables from turn 7 on [6.1, 32.2]."""
    network = road_network(s, GERMAN)
    for h, depot in zip(s.ground.depot_hexes, s.depots, strict=False):
        if depot == CAPTURED and network >> h & 1:
            s.fuel_left = 1
            set_depot(s, h, NO_DEPOT)
            out("32.2", "fuel-brought-home", hex=h)
    if s.turn >= FIRST_SHORTAGE and not (s.fuel_left and s.turn <= SPARED_UNTIL):
        s.push(FuelRoll(1), FuelRoll(0))


def has_arrived(s: ArdennesState, division: str) -> bool:
    """Whether a division is on the map or arrives this turn [6.3]."""
    units = s.units.formation_units[division]
    return any(on_map(s, u) or (s.where[u] == s.ground.track and 0 < s.units.arrival[u] <= s.turn) for u in units)


def shortage(s: ArdennesState, result: str) -> tuple[int, tuple[str, ...], bool]:
    """Who chooses, among which divisions, and whether all of them are short [6.3, 6.4]."""
    kind, _, names = result.partition(":")
    if kind == "none":
        return GERMAN, (), True
    if kind == "west":
        army = [d for d in s.units.divisions if s.units.colour[s.units.formation_units[d][0]] == names]
        return ALLIED, tuple(d for d in army if west_of_ourthe(s, d)), False
    if kind == "any":
        here = [d for d in PANZER_DIVISIONS_5 if any(on_map(s, u) for u in s.units.formation_units[d])]
        return ALLIED, tuple(here), False
    return GERMAN, tuple(d for d in names.split() if has_arrived(s, d)), kind == "all"


def west_of_ourthe(s: ArdennesState, division: str) -> Group:
    """A division's units west of the Ourthe line [6.4.1]."""
    west = s.ground.west_of_ourthe
    return tuple(u for u in s.units.formation_units[division] if on_map(s, u) and west >> s.where[u] & 1)


def run_short(s: ArdennesState, division: str, western: bool, out: Sink) -> None:
    """A division has no fuel this turn [6.1, 6.4.1]."""
    units = west_of_ourthe(s, division) if western else s.units.formation_units[division]
    affected = tuple(u for u in units if on_map(s, u) or s.where[u] == s.ground.track)
    s.short |= mask_of(affected)
    out("6.1", "out-of-fuel", units=affected)


@dataclass(frozen=True, slots=True)
class FuelRoll(DieFrame[ArdennesState]):
    """One die on a fuel shortage table."""

    table: int

    def purpose(self, s: ArdennesState) -> str:
        return "fuel"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("6.1", "roll-fuel", n=self.table + 1)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        die = int(action[1]) + int(s.turn >= WORSE_FROM)
        result = s.tables.shortages[self.table][die - 1]
        word = result.partition(":")[0]
        named = "fuel-west" if word == "west" else word  # "west" alone is the off-map box
        out("6.1", "fuel-rolled", n=self.table + 1, n_die=int(action[1]), word_result=named)
        chooser, divisions, everyone = shortage(s, result)
        western = int(result.startswith("west"))
        if everyone or len(divisions) == 1:
            for division in divisions:
                run_short(s, division, bool(western), out)
        elif divisions:
            s.push(ChooseDivision(chooser, divisions, western))


@dataclass(frozen=True, slots=True)
class ChooseDivision(SideFrame[ArdennesState]):
    """A player names the division that runs out of fuel."""

    divisions: tuple[str, ...]
    western: int

    def legal(self, s: ArdennesState) -> list[Action]:
        return [("division", i) for i, d in enumerate(s.units.divisions) if d in self.divisions]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        run_short(s, s.units.divisions[int(action[1])], bool(self.western), out)

    def prompt(self, s: ArdennesState) -> Prompt:
        rule = "6.4.1" if self.western else "6.4.2" if self.side == ALLIED else "6.1"
        return Prompt(rule, "choose-division")

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        return [Refusal("6.1", "division-first")]
