"""Ardennes '44: the scenarios S1 to S5, set-up and options."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import or_

from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import put
from salient.games.ardennes44.components import Data, Ground
from salient.games.ardennes44.entering import DUMMY, HIDDEN
from salient.games.ardennes44.model import COMMANDO_GONE, DEPOTS, OPTIONAL, TRAFFIC_MARKERS, ArdennesState
from salient.games.ardennes44.sequence import Turn
from salient.games.ardennes44.stacking import refuse_joining
from salient.games.ardennes44.traffic import Placing, TrafficRoll
from salient.hexes.masks import bits, hexes_of, mask_of
from salient.hexes.sets import HexSet, UnitId
from salient.kernel import Action, ChanceFrame, Option, Prompt, Refusal, Roller
from salient.kernel.messages import Sink
from salient.kernel.sequence import SETTING_UP

OFF, ON = "off", "on"
PREPARED, FREE = "prepared", "free"
SETUP = Option("german-set-up", (PREPARED, FREE), "S1.3")
OPTIONS = (SETUP, *(Option(name, (OFF, ON), rule) for name, (_, rule) in OPTIONAL.items()))
BLOWN_BY_PATTON = ("3821/3920", "3618/3718", "2928/3029", "2929/3029")  # S4.3
PEIPER_POINTS, BASTOGNE_POINTS = 3, 1  # S4.3

# ---- S1 The campaign ------------------------------------------------------------------------------------


def _place_at_start(data: Data, scenario: str, u: UnitId) -> int:
    """The start hex that is printed on a counter, or the turn track [2.7]."""
    if data.units.split[u] or data.units.remnant[u]:
        return data.ground.pool
    if scenario == "six-turns" and data.units.formation[u] in ("82", "101"):
        return data.ground.gone  # S2.3
    return data.units.start[u] if data.units.start[u] >= 0 else data.ground.track


def new_state(data: Data, scenario: str, options: dict[str, str]) -> ArdennesState:
    """The first position of a scenario [S1.3, S1.4, S1.5]."""
    s = ArdennesState(data)
    s.scenario = scenario
    s.rules = sum(bit for name, (bit, _) in OPTIONAL.items() if options.get(name) == ON)
    s.where = [_place_at_start(s.data, scenario, u) for u in s.units.all]
    s.turn = int(s.tables.scenarios[scenario]["first"])
    s.held = HexSet((s.ground.rear | s.ground.all_areas | s.ground.entries[GERMAN]) & s.ground.objectives)
    s.ip = hexes_of(s.units.start[u] for u in s.units.all if "ip" in s.units.marks[u])
    s.blown = s.ground.blown_at_start | s.ground.unbuilt_at_start
    s.building = s.builders = s.ground.unbuilt_at_start
    on_22_december = s.tables.scenarios[scenario].get("set_up") == "patton"
    s.depots = (DUMMY,) * len(s.ground.depot_hexes) if s.rules & DEPOTS and not on_22_december else ()
    s.stack = (Turn(SETTING_UP),)
    if on_22_december:
        _set_up_patton(s)
    else:
        _offer_choices(s, options.get(SETUP.id, PREPARED))
    return s


def _offer_choices(s: ArdennesState, german: str) -> None:
    if german == FREE:
        s.where = [s.ground.track if u in s.units.at_start else place for u, place in enumerate(s.where)]
        s.push(SetUp(GERMAN))
    if s.depots:
        s.push(HideDepot())


# ---- S4 Patton's counter-attack --------------------------------------------------------------------------------


def _place_for_patton(s: ArdennesState) -> None:
    """The units of the scenario stand where it says; others come later, or are lost, some by surrender [25.2.5]."""
    units, ground, rows = s.units, s.ground, s.tables.patton
    surrendered = {units.index[name] for name in s.tables.scenarios["patton"].get("surrendered", ())}
    for u in range(units.count):
        if u in rows:
            row = rows[u]
            s.where[u] = ground.board.index[row["hex"]]
            s.lost[u] = int(row["lost"] or 0)
        elif not (units.split[u] or units.remnant[u]):
            lost = ground.gone if u in surrendered else ground.eliminated
            s.where[u] = ground.track if units.arrival[u] >= s.turn else lost
    s.clear_caches()


def _set_up_patton(s: ArdennesState) -> None:
    """22 December: the front, Peiper and Bastogne cut off, German guns fired, bridges blown [S4.2, S4.3]."""
    ground, rows = s.ground, s.tables.patton
    _place_for_patton(s)
    s.ip = hexes_of(s.where[u] for u in rows if "ip" in rows[u]["marks"].split())
    s.fired = s.units.artillery_mask & s.units.side_mask[GERMAN]
    s.blown = mask_of(ground.bridge_ids[name] for name in BLOWN_BY_PATTON)
    s.building = s.builders = 0
    s.ouren = s.sauer = 1
    s.exposed = 2
    s.greif = COMMANDO_GONE
    s.held |= (
        mask_of(ground.board.index[label] for label in s.tables.scenarios["patton"].get("held", ())) & ground.objectives
    )
    for u in rows:
        h = s.where[u]
        if ground.objectives >> h & 1:
            s.held = s.held | 1 << h if u in s.units.of_side[GERMAN] else s.held & ~(1 << h)
    for group, points in (("peiper", PEIPER_POINTS), ("bastogne", BASTOGNE_POINTS)):
        for u in rows:
            if group in rows[u]["marks"].split():
                s.oos |= 1 << u
                s.points[u] = points
    s.traffic[TRAFFIC_MARKERS : TRAFFIC_MARKERS + 3] = [-2] * 3  # removed on turns 8, 10 and 12 [24.6]
    s.push(TrafficRoll(ALLIED), Placing(ALLIED))


# ---- S1.3 The German sets up freely --------------------------------------------------------------------------------


def setup_hexes(s: ArdennesState, u: UnitId) -> list[int]:
    """Where a German unit may start: its division's area, corps artillery any area of its corps [S1.3]."""
    if s.units.area[u]:
        hexes = s.ground.areas[s.units.area[u]]
    else:
        areas = [mask for area, mask in s.ground.areas.items() if _corps_of(s.ground, area) == s.units.corps[u]]
        hexes = reduce(or_, areas, 0)
    if "dry" in s.units.marks[u]:
        hexes &= ~s.ground.rough
    return [h for h in bits(hexes) if refuse_joining(s, u, h) is None]


def _corps_of(ground: Ground, area: str) -> str:
    return next(iter(ground.board.zone_values[f"setup-{area}"].values()))


@dataclass(frozen=True, slots=True)
class SetUp(SideFrame[ArdennesState]):
    """The German places his units in their areas, in any order, and takes them up again until he is done."""

    def waiting(self, s: ArdennesState) -> list[UnitId]:
        """The units that have no hex yet, ascending."""
        return [u for u in s.units.at_start if s.where[u] == s.ground.track]

    def legal(self, s: ArdennesState) -> list[Action]:
        waiting = self.waiting(s)
        placed: list[Action] = [("drop", u) for u in s.units.at_start if u not in waiting]
        return [*placed, *(("place", u, h) for u in waiting for h in setup_hexes(s, u)), *self._ready(s)]

    def candidates(self, s: ArdennesState) -> list[Action]:
        return [*(("place", u, h) for u in self.waiting(s)[:1] for h in setup_hexes(s, u)), *self._ready(s)]

    def _ready(self, s: ArdennesState) -> list[Action]:
        return [("done",)] if not self.waiting(s) else []

    def draft(self, s: ArdennesState) -> tuple[Action, ...]:
        return tuple(("place", u, s.where[u]) for u in s.units.at_start if s.where[u] != s.ground.track)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        match action:
            case ("place", UnitId(u), int(h)):
                put(s, u, h)
            case ("drop", UnitId(u)):
                put(s, u, s.ground.track)
            case _:
                s.pop()
                out("S1.3", "germans-set-up")

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("S1.3", "place-units", n=len(self.waiting(s)))

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        match action:
            case ("place", UnitId(u), int(h)) if u in s.units.at_start:
                key = "outside-area" if s.where[u] == s.ground.track else "named-already"
                return [Refusal("S1.3", key, unit=u, **({"hex": h} if s.where[u] == s.ground.track else {}))]
            case ("drop", UnitId(u)):
                return [Refusal("S1.3", "not-named", unit=u)]
        return [Refusal("S1.3", "place-first", n=len(self.waiting(s)))]


# ---- 32.1 The hidden depot ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HideDepot(ChanceFrame[ArdennesState]):
    """The markers are shuffled: the depot lies in one of three hexes, and only the Allies look which."""

    rolls_dice = False

    def outcomes(self, s: ArdennesState) -> list[tuple[Action, Fraction]]:
        return [(("hide", h), Fraction(1, len(s.ground.depot_hexes))) for h in s.ground.depot_hexes]

    def sample(self, s: ArdennesState, roller: Roller) -> Action:
        return ("hide", s.ground.depot_hexes[roller.die(len(s.ground.depot_hexes)) - 1])

    def purpose(self, s: ArdennesState) -> str:
        return "hide-depot"

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        s.depots = tuple(HIDDEN if h == action[1] else DUMMY for h in s.ground.depot_hexes)
        out("32.1", "depot-hidden")

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("32.1", "hide-depot")
