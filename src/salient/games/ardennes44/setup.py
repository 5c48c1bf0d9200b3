"""Ardennes '44: the scenarios S1 to S5, set-up and options."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import put
from salient.games.ardennes44.entering import DUMMY, HIDDEN
from salient.games.ardennes44.model import (
    ALL_AREAS,
    AREA,
    AREAS,
    ARRIVAL,
    ARTILLERY_MASK,
    BLOWN_AT_START,
    BOARD,
    BRIDGE_IDS,
    COMMANDO_GONE,
    CORPS,
    COUNT,
    DEPOT_HEXES,
    DEPOTS,
    ELIMINATED,
    ENTRIES,
    FORMATION,
    GONE,
    MARKS,
    OBJECTIVES,
    OPTIONAL,
    PATTON,
    POOL,
    REAR,
    REMNANT,
    ROUGH,
    SCENARIOS,
    SIDE_MASK,
    SIDE_UNITS,
    SPLIT,
    START,
    TRACK,
    TRAFFIC_MARKERS,
    UNBUILT_AT_START,
    ArdennesState,
)
from salient.games.ardennes44.sequence import Turn
from salient.games.ardennes44.stacking import refuse_joining
from salient.games.ardennes44.traffic import Placing, TrafficRoll
from salient.hexes.masks import bits, hexes_of, mask_of
from salient.hexes.sets import HexSet
from salient.kernel import Action, ChanceFrame, Option, Prompt, Refusal, Roller
from salient.kernel.messages import Sink
from salient.kernel.sequence import SETTING_UP

OFF, ON = "off", "on"
PREPARED, FREE = "prepared", "free"
SETUP = Option("german-set-up", (PREPARED, FREE), "S1.3")
OPTIONS = (SETUP, *(Option(name, (OFF, ON), rule) for name, (_, rule) in OPTIONAL.items()))
BLOWN_BY_PATTON = ("3821/3920", "3618/3718", "2928/3029", "2929/3029")  # S4.3
PEIPER_POINTS, BASTOGNE_POINTS = 3, 1  # S4.3

AT_START = tuple(u for u in SIDE_UNITS[GERMAN] if START[u] >= 0)

# ---- S1 The campaign ------------------------------------------------------------------------------------


def _place_at_start(scenario: str, u: int) -> int:
    """The start hex that is printed on a counter, or the turn track [2.7]."""
    if SPLIT[u] or REMNANT[u]:
        return POOL
    if scenario == "six-turns" and FORMATION[u] in ("82", "101"):
        return GONE  # S2.3
    return START[u] if START[u] >= 0 else TRACK


def new_state(scenario: str, options: dict[str, str]) -> ArdennesState:
    """The first position of a scenario [S1.3, S1.4, S1.5]."""
    s = ArdennesState()
    s.scenario = scenario
    s.rules = sum(bit for name, (bit, _) in OPTIONAL.items() if options.get(name) == ON)
    s.where = [_place_at_start(scenario, u) for u in range(COUNT)]
    s.turn = int(SCENARIOS[scenario]["first"])
    s.held = HexSet((REAR | ALL_AREAS | ENTRIES[GERMAN]) & OBJECTIVES)
    s.ip = hexes_of(START[u] for u in range(COUNT) if "ip" in MARKS[u])
    s.blown = BLOWN_AT_START | UNBUILT_AT_START
    s.building = s.builders = UNBUILT_AT_START
    on_22_december = SCENARIOS[scenario].get("set_up") == "patton"
    s.depots = (DUMMY,) * len(DEPOT_HEXES) if s.rules & DEPOTS and not on_22_december else ()
    s.stack = (Turn(SETTING_UP),)
    if on_22_december:
        _set_up_patton(s)
    else:
        _offer_choices(s, options.get(SETUP.id, PREPARED))
    return s


def _offer_choices(s: ArdennesState, german: str) -> None:
    if german == FREE:
        s.where = [TRACK if u in AT_START else place for u, place in enumerate(s.where)]
        s.push(SetUp(GERMAN))
    if s.depots:
        s.push(HideDepot())


# ---- S4 Patton's counter-attack --------------------------------------------------------------------------------


def _place_for_patton(s: ArdennesState) -> None:
    """The units of the scenario stand where it says; others are still to come, or are lost."""
    for u in range(COUNT):
        if u in PATTON:
            row = PATTON[u]
            s.where[u] = BOARD.index[row["hex"]]
            s.lost[u] = int(row["lost"] or 0)
        elif not (SPLIT[u] or REMNANT[u]):
            s.where[u] = TRACK if ARRIVAL[u] >= s.turn else ELIMINATED
    s.clear_caches()


def _set_up_patton(s: ArdennesState) -> None:
    """22 December: the front, Peiper and Bastogne cut off, German guns fired, bridges blown [S4.2, S4.3]."""
    _place_for_patton(s)
    s.ip = hexes_of(s.where[u] for u in PATTON if "ip" in PATTON[u]["marks"].split())
    s.fired = ARTILLERY_MASK & SIDE_MASK[GERMAN]
    s.blown = mask_of(BRIDGE_IDS[name] for name in BLOWN_BY_PATTON)
    s.building = s.builders = 0
    s.ouren = s.sauer = 1
    s.exposed = 2
    s.greif = COMMANDO_GONE
    s.held |= mask_of(BOARD.index[label] for label in SCENARIOS["patton"].get("held", ())) & OBJECTIVES
    for u in PATTON:
        h = s.where[u]
        if OBJECTIVES >> h & 1:
            s.held = s.held | 1 << h if u in SIDE_UNITS[GERMAN] else s.held & ~(1 << h)
    for group, points in (("peiper", PEIPER_POINTS), ("bastogne", BASTOGNE_POINTS)):
        for u in PATTON:
            if group in PATTON[u]["marks"].split():
                s.oos |= 1 << u
                s.points[u] = points
    s.traffic[TRAFFIC_MARKERS : TRAFFIC_MARKERS + 3] = [-2] * 3  # removed on turns 8, 10 and 12 [24.6]
    s.push(TrafficRoll(ALLIED), Placing(ALLIED))


# ---- S1.3 The German sets up freely --------------------------------------------------------------------------------


def setup_hexes(s: ArdennesState, u: int) -> list[int]:
    """Where a German unit may start: its division's area, corps artillery any area of its corps [S1.3]."""
    if AREA[u]:
        hexes = AREAS[AREA[u]]
    else:
        hexes = mask_of(h for area in AREAS for h in bits(AREAS[area]) if _corps_of(area) == CORPS[u])
    if "dry" in MARKS[u]:
        hexes &= ~ROUGH
    return [h for h in bits(hexes) if refuse_joining(s, u, h) is None]


def _corps_of(area: str) -> str:
    return next(iter(BOARD.zone_values[f"setup-{area}"].values()))


@dataclass(frozen=True, slots=True)
class SetUp(SideFrame[ArdennesState]):
    """The German places his units in their areas, in any order, and takes them up again until he is done."""

    def waiting(self, s: ArdennesState) -> list[int]:
        """The units that have no hex yet, ascending."""
        return [u for u in AT_START if s.where[u] == TRACK]

    def legal(self, s: ArdennesState) -> list[Action]:
        waiting = self.waiting(s)
        placed: list[Action] = [("drop", u) for u in AT_START if u not in waiting]
        return [*placed, *(("place", u, h) for u in waiting for h in setup_hexes(s, u)), *self._ready(s)]

    def candidates(self, s: ArdennesState) -> list[Action]:
        return [*(("place", u, h) for u in self.waiting(s)[:1] for h in setup_hexes(s, u)), *self._ready(s)]

    def _ready(self, s: ArdennesState) -> list[Action]:
        return [("done",)] if not self.waiting(s) else []

    def draft(self, s: ArdennesState) -> tuple[Action, ...]:
        return tuple(("place", u, s.where[u]) for u in AT_START if s.where[u] != TRACK)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        match action:
            case ("place", int(u), int(h)):
                put(s, u, h)
            case ("drop", int(u)):
                put(s, u, TRACK)
            case _:
                s.pop()
                out("S1.3", "germans-set-up")

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("S1.3", "place-units", n=len(self.waiting(s)))

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        match action:
            case ("place", int(u), int(h)) if u in AT_START:
                key = "outside-area" if s.where[u] == TRACK else "named-already"
                return [Refusal("S1.3", key, unit=u, **({"hex": h} if s.where[u] == TRACK else {}))]
            case ("drop", int(u)):
                return [Refusal("S1.3", "not-named", unit=u)]
        return [Refusal("S1.3", "place-first", n=len(self.waiting(s)))]


# ---- 32.1 The hidden depot ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HideDepot(ChanceFrame[ArdennesState]):
    """The markers are shuffled: the depot lies in one of three hexes, and only the Allies look which."""

    rolls_dice = False

    def outcomes(self, s: ArdennesState) -> list[tuple[Action, Fraction]]:
        return [(("hide", h), Fraction(1, len(DEPOT_HEXES))) for h in DEPOT_HEXES]

    def sample(self, s: ArdennesState, roller: Roller) -> Action:
        return ("hide", DEPOT_HEXES[roller.die(len(DEPOT_HEXES)) - 1])

    def purpose(self, s: ArdennesState) -> str:
        return "hide-depot"

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        s.depots = tuple(HIDDEN if h == action[1] else DUMMY for h in DEPOT_HEXES)
        out("32.1", "depot-hidden")

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("32.1", "hide-depot")
