"""What people see of a game (docs/VIEW.md), for OpenAPI: counters, views, panels, previews, odds, overlays."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

Json = dict[str, Any]
Absent = SkipJsonSchema[None]  # of a field that is left out rather than null


class Answer(BaseModel):
    """An answer that has these fields and no others."""

    model_config = ConfigDict(extra="forbid")


class Said(Answer):
    """A prompt, event, refusal or result with its sentence."""

    rule: str
    key: str
    args: Json
    text: str


class Event(Said):
    """Something that happened; `news` if it changes how the game stands."""

    news: Literal[True] | Absent = None


class Outcome(Said):
    """How a game ended; nobody wins a draw."""

    winner: str | None


# ---- what never changes --------------------------------------------------------------


class Counter(Answer):
    """A unit as it is printed."""

    side: str
    name: str
    symbol: str
    size: str | Absent = None
    colour: str | Absent = None
    values: str
    formation: str | Absent = None
    source: str
    vehicle: bool | Absent = None
    kind: str | Absent = None


class Place(Answer):
    """Where units can stand outside the hexes."""

    id: str
    kind: Literal["area", "box"]
    side: str | Absent = None
    hexes: list[str] | Absent = None


class Track(Answer):
    """A track and its last space; `goal` is what a side wants to reach."""

    id: str
    side: str
    max: int
    goal: int | Absent = None


class PhaseLine(Answer):
    """A phase of a turn."""

    key: str
    side: str | Absent = None
    n: int | Absent = None


class ChartFormation(Answer):
    """A formation on a chart of reinforcements."""

    id: str
    name: str
    nation: str
    turn: int
    source: str


class FormationChart(Answer):
    """A chart of reinforcements, and the hexes where they enter."""

    id: str
    side: str
    hexes: list[str]
    formations: list[ChartFormation]


class Asset(Answer):
    """Support that is not a unit."""

    side: str
    name: str
    kind: str
    strength: int


class Chit(Answer):
    """A chit of the cup."""

    side: str


class Components(Answer):
    """What never changes."""

    units: dict[str, Counter]
    places: list[Place]
    tracks: list[Track]
    markers: list[str]
    overlays: list[str]
    sequence: list[PhaseLine]
    values: list[str] | Absent = None
    stacks: Literal["spread"] | Absent = None
    charts: list[FormationChart] | Absent = None
    assets: dict[str, Asset] | Absent = None
    chits: dict[str, Chit] | Absent = None


class TableOfGame(Answer):
    """A table of the rules, as its data has it."""

    key: str
    columns: list[str]
    rows: list[list[str]]


# ---- what a seat sees now ---------------------------------------------------------------


class Badge(Answer):
    """A small mark on a counter."""

    key: str
    n: int | Absent = None


class UnitSeen(Answer):
    """A unit as it is now: where, what differs from its printed values, its marks; `done` for this phase."""

    where: str | Absent = None
    values: str | Absent = None
    badges: list[Badge]
    done: bool | Absent = None


class Marker(Answer):
    """A marker on the map."""

    key: str
    where: str
    label: str | Absent = None
    side: str | Absent = None


class Edge(Answer):
    """What lies on hexsides; `between` names the sides that a line keeps apart."""

    key: str
    look: Literal["line", "cut", "bridge"]
    sides: list[tuple[str, str]]
    between: tuple[str, str] | Absent = None


class Chip(Answer):
    """A small named thing: `dim` is there, but not now; `now` is the one that counts at present."""

    key: str
    label: str | Absent = None
    hint: str | Absent = None
    side: str | Absent = None
    n: int | Absent = None
    dim: bool | Absent = None
    now: bool | Absent = None


class Chips(Answer):
    """A panel of chips."""

    kind: Literal["chips"]
    key: str
    chips: list[Chip]


class ChartCell(Answer):
    """A cell of a chart; `n` is its turn."""

    key: str
    side: str | Absent = None
    n: int | Absent = None
    now: bool | Absent = None
    units: list[str]
    chips: list[Chip] | Absent = None


class ChartRow(Answer):
    """A row of a chart."""

    key: str
    side: str | Absent = None
    now: bool | Absent = None
    cells: list[ChartCell]


class Chart(Answer):
    """A panel of what is still to come."""

    kind: Literal["chart"]
    key: str
    rows: list[ChartRow]


class Square(Answer):
    """A square of a strip: the numbers that hit it, the dice on it, what becomes of it."""

    unit: str
    n: int
    numbers: list[int]
    dice: list[int]
    result: str


class StripRow(Answer):
    """The squares of one side of a battle."""

    side: str
    dice: int
    rolled: bool
    missed: list[int]
    squares: list[Square]


class ChartChange(Answer):
    """A chart, with the rows that are as they were by their keys."""

    kind: Literal["chart"]
    key: str
    rows: list[ChartRow | str]


class Strips(Answer):
    """A panel of the squares of a battle."""

    kind: Literal["strips"]
    key: str
    where: str
    rows: list[StripRow]


Panel = Annotated[Chips | Chart | Strips, Field(discriminator="kind")]
PanelChange = Annotated[Chips | ChartChange | Strips, Field(discriminator="kind")]


class Campaign(Answer):
    """Several games as one."""

    games: int
    game: int
    totals: dict[str, int]


class PlainResult(Answer):
    """How a game ended, by its rules."""

    winner: str | None
    rule: str
    key: str


class View(Answer):
    """What a seat may see now."""

    turn: int
    turns: int
    at: int
    actor: str
    units: dict[str, UnitSeen]
    markers: list[Marker]
    tracks: dict[str, int]
    result: PlainResult | None
    edges: list[Edge] | Absent = None
    panels: list[Panel] | Absent = None
    command: dict[str, str] | Absent = None
    campaign: Campaign | Absent = None
    initiative: str | Absent = None


class ViewChange(Answer):
    """What is new in a view: units one by one, null for one that is gone; a panel that is as it was by its key."""

    turn: int | Absent = None
    turns: int | Absent = None
    at: int | Absent = None
    actor: str | Absent = None
    units: dict[str, UnitSeen | None]
    markers: list[Marker] | Absent = None
    tracks: dict[str, int] | Absent = None
    result: PlainResult | None = None
    edges: list[Edge] | Absent = None
    panels: list[PanelChange | str] | Absent = None
    command: dict[str, str] | Absent = None
    campaign: Campaign | Absent = None
    initiative: str | Absent = None


# ---- what an action would do ---------------------------------------------------------------


class Strength(Answer):
    """A unit of a combat: its strength, what it counts, and why."""

    unit: str
    strength: float
    final: float
    modifiers: list[Said]


class OutcomeLine(Answer):
    """What some faces of the die lead to."""

    probability: str
    rolls: list[int] | Absent = None
    result: str
    attacker_loss: int
    defender_loss: int


class Losses(Answer):
    """Expected losses."""

    attacker: float
    defender: float
    infantry_destroyed: float | Absent = None
    tank_destroyed: float | Absent = None
    artillery_destroyed: float | Absent = None
    infantry_retreating: float | Absent = None
    tank_retreating: float | Absent = None
    artillery_retreating: float | Absent = None
    trucks: float | Absent = None
    supply: float | Absent = None


class CombatEnd(Answer):
    """One of the ways in which a combat ends."""

    end: str
    probability: str


class WholeCombat(Answer):
    """The combat to its end: expected losses, and how it ends."""

    attacker: float
    defender: float
    ends: list[CombatEnd]


class Branch(Answer):
    """What a die leads to: the end of the combat, or who leads what comes next."""

    probability: str
    result: str
    attacker_loss: int
    defender_loss: int
    end: str | Absent = None
    lead: str | Absent = None
    then: list[Branch] | Absent = None


class OneMore(Answer):
    """What one more unit would do to an attack."""

    unit: str
    column: str
    cleared: str


class DiePart(Answer):
    """What one die decides: its column, its outcomes, and the combat to its end."""

    column: str
    outcomes: list[OutcomeLine]
    expected: Losses
    cleared: str
    whole: WholeCombat
    tree: list[Branch] | Absent = None


class SupportOdds(DiePart):
    """The same attack with all support in range."""

    units: list[str]
    words: list[str]


class Odds(DiePart):
    """An attack in full, before the die."""

    target: str
    attackers: list[Strength]
    defenders: list[Strength]
    attack_notes: list[Said] | Absent = None
    defence_notes: list[Said] | Absent = None
    attack: float
    defence: float
    ratio: str
    shifts: list[Said]
    one_more: list[OneMore]
    then: list[Said] | Absent = None
    support: SupportOdds | Absent = None
    bombardment: list[str] | Absent = None
    dice: int | Absent = None


class Preview(Answer):
    """What an action would do: its way, its odds, what cannot be taken back; empty if nothing is worth showing."""

    path: list[str] | Absent = None
    cost: float | Absent = None
    note: Said | Absent = None
    effects: list[Said] | Absent = None
    odds: Odds | Absent = None


# ---- overlays and the situation --------------------------------------------------------------


class LegendLine(Answer):
    """What a value of an overlay means."""

    value: int | str
    key: str
    text: str


class OverlaySide(Answer):
    """A hexside of an overlay, and the units that it is about."""

    between: tuple[str, str]
    value: str
    units: list[str]


class OverlayAnswer(Answer):
    """Values by hex, lines, and a legend."""

    hexes: dict[str, int | str]
    lines: list[list[str]]
    legend: list[LegendLine]
    units: dict[str, list[str]] | Absent = None
    sides: list[OverlaySide] | Absent = None
    walls: list[tuple[str, str]] | Absent = None
    routes: dict[str, list[str]] | Absent = None


class Objective(Said):
    """What a side wants, whether it holds now, where to look."""

    side: str
    met: bool
    places: list[str]


class Score(Answer):
    """Points now, at the end of the turn as units stand, and needed."""

    side: str
    now: int
    projected: int
    needed: int


class Prize(Answer):
    """A hex that scores, who holds it, whether it scores now."""

    place: str
    worth: int
    side: str
    counts: bool


class Force(Answer):
    """What a side has and has lost."""

    on_map: int
    cut_off: list[str]
    lost_units: int
    lost_steps: int


class Arrival(Answer):
    """Who comes when and where; no places where the unit may choose freely."""

    turn: int
    side: str
    places: list[str]
    units: list[str]


class Condition(Chip):
    """Air or weather, in words."""

    text: str


class Situation(Answer):
    """Who is winning, and why."""

    seen: int
    objectives: list[Objective]
    enough: Literal["all", "any"]
    notes: list[Objective]
    score: Score | None
    prizes: list[Prize]
    forces: dict[str, Force]
    arrivals: list[Arrival]
    conditions: list[Condition]
