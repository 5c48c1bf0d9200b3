"""The bodies of requests, checked before anything else sees them, and the answers as OpenAPI describes them."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator

from salient.server.settings import IMPORT_LIMIT
from salient.server.views import Absent, Answer, Event, Outcome, Panel, Said, View, ViewChange


def without_control_characters(text: str) -> str:
    """The text, if all of it can be seen."""
    if any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for c in text):
        raise ValueError("no control characters")
    return text


Word = Annotated[str, StringConstraints(max_length=64)]
Name = Annotated[
    str, StringConstraints(max_length=120, strip_whitespace=True), AfterValidator(without_control_characters)
]
Player = Annotated[str, StringConstraints(pattern=r"^(human|bot:[a-z0-9_-]{1,32})$")]
Pace = Annotated[float, Field(ge=0, le=10)]
Token = Annotated[str, StringConstraints(max_length=100)]
Seen = Annotated[int, Field(ge=0, le=10**9, description="The `seen` of the snapshot that this is based on.")]


class Body(BaseModel):
    """A request's body: unknown fields are refused, and the one character that PostgreSQL cannot keep."""

    model_config = ConfigDict(extra="forbid")

    @field_validator("*")
    @classmethod
    def _without_nul(cls, value: Any) -> Any:
        if isinstance(value, str) and "\0" in value:
            raise ValueError("no control characters")
        return value


class NewGame(Body):
    """A game to start."""

    game: Word
    scenario: Word = ""
    options: dict[Word, Word] = Field(default_factory=dict, max_length=50)
    seats: dict[Word, Player] = Field(default_factory=dict, max_length=8)
    dice: Literal["verified", "typed"] = "verified"
    name: Name = ""
    pace: Pace | None = None


class Import(Body):
    """A record to take up."""

    record: Annotated[str, StringConstraints(max_length=IMPORT_LIMIT)]
    name: Name = ""
    seats: dict[Word, Player] | None = Field(default=None, max_length=8)


class Change(Body):
    """What to change about a game."""

    name: Annotated[Name, Field(min_length=1)] | None = None
    pace: Pace | None = None
    paused: bool | None = None
    seats: dict[Word, Player] | None = Field(default=None, max_length=8)


class Invite(Body):
    """A seat to offer."""

    seat: Word


class Join(Body):
    """An invitation to accept."""

    invitation: Token


class Submission(Body):
    """An action to play, or the faces of real dice."""

    seen: Seen
    action: Annotated[str, StringConstraints(min_length=1, max_length=500)] | None = None
    faces: Annotated[list[int], Field(min_length=1, max_length=500)] | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.action is None) == (self.faces is None):
            raise ValueError("give either 'action' or 'faces'")
        return self


ActionText = Annotated[str, StringConstraints(min_length=1, max_length=500)]


class Previews(Body):
    """Actions to look at."""

    actions: Annotated[list[ActionText], Field(max_length=400)]


class Order(Body):
    """Several actions as one: as named; or `each` piece that a verb can name; or `units`, led by a verb towards a hex
    or named in what an action begins.

    Without `commit` it is only tried.
    """

    seen: Seen
    actions: Annotated[list[ActionText], Field(min_length=1, max_length=200)] | None = None
    each: Word | None = None
    units: Annotated[list[Word], Field(max_length=100)] = Field(default_factory=list)
    begin: ActionText | None = None
    verb: Word = "move"
    to: Word = ""
    commit: bool = False

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if [self.actions is not None, self.each is not None, bool(self.units)].count(True) != 1:
            raise ValueError("give one of 'actions', 'each' and 'units'")
        return self


class Attempt(Body):
    """What somebody would do in a problem."""

    action: ActionText


class Undo(Body):
    """A step back: one action, or to a ply."""

    seen: Seen
    to: Annotated[int, Field(ge=0, le=10**9)] | None = None


class Redo(Body):
    """A step forward again, or a whole turn back."""

    seen: Seen


# ---- answers, for OpenAPI -----------------------------------------------------


class Argument(Answer):
    """One part of an action."""

    kind: str
    value: str


Role = Literal["take-up", "take-back", "lead", "fight"]


class LegalAction(Answer):
    """An action that may be submitted now."""

    text: str
    verb: str
    args: list[Argument]
    label: str
    names: bool
    role: Role | Absent = None
    ends: str | Absent = None
    left: str | Absent = None


class SeatLine(Answer):
    """Who sits where."""

    seat: str
    name: str
    player: str
    person: str | Absent = None
    mine: bool


class Chain(Answer):
    """A chain of a player's dice: the number after which it begins, the last link shown, and the head that binds it."""

    first: int
    last: int
    head: str | None


class DiceShares(Answer):
    """What a player's program must know to give its share of the dice: docs/DICE.md."""

    binding: str
    mine: dict[str, dict[str, Chain]]
    theirs: dict[str, dict[str, Chain]]
    next: dict[str, int]
    due: list[str]
    caster: str


class DiceKind(Answer):
    """How dice are rolled, the commitment of verified ones, and the sides of those that people must roll now."""

    kind: str
    commitment: str | None
    needed: list[int]
    typists: list[str]
    shares: DiceShares | Absent = None


class Terms(Answer):
    """What two persons agreed on."""

    pace: str
    base: float | None
    increment: float
    timeout: str
    dice: str
    rated: bool
    watch: bool
    delay: float


class Clock(Answer):
    """The time of each seat, whose runs, and whether it stands still."""

    left: dict[str, float | None]
    running: str | None
    paused: bool | None


class OpenOffer(Answer):
    """A draw, a pause or a way back that a seat has offered; `to` is the ply."""

    by: str
    to: int | Absent = None


class Between(Answer):
    """What the referee keeps of a game between people."""

    terms: Terms
    clock: Clock
    deadline: float | None
    offers: dict[str, OpenOffer]


class Snapshot(Answer):
    """The present position for one viewer (docs/API.md)."""

    mark: str
    id: str
    name: str
    game: str
    title: str
    scenario: str
    options: dict[str, str]
    created: float
    changed: float
    seen: int
    ply: int
    owner: bool
    seats: list[SeatLine]
    seat: str
    actor: str
    yours: bool
    thinking: bool
    trouble: str | None
    heading: str
    prompt: Said | None
    view: View
    legal: list[LegalAction]
    sets: dict[str, int]
    hindrance: Said | None
    undo_to: int | None
    can_redo: bool
    dice: DiceKind
    result: Outcome | None
    between: Between | None
    pace: float
    paused: bool


class RollShown(Answer):
    """The faces of a roll, and the panel that shows where the dice lie, if the game has one."""

    faces: list[int]
    panel: Panel | Absent = None


class LogEntry(Answer):
    """One action of the log; `change` as in docs/API.md."""

    ply: int
    seat: str
    action: str | None
    label: str | None
    ends: bool | Absent = None
    hint: bool | Absent = None
    heading: str | Absent = None
    roll: RollShown | Absent = None
    way: list[str] | Absent = None
    events: list[Event]
    change: ViewChange | Absent = None
    reasons: bool


class ActionHead(Answer):
    """What legal actions have in common; their label is found by the values at the places `by`."""

    verb: str
    kinds: list[str]
    names: bool
    role: Role | Absent = None
    ends: str | Absent = None
    left: str | Absent = None
    by: list[int]
    labels: dict[str, str]


class PackedLegal(Answer):
    """The legal list: runs of actions, each the number of a head and rows of values; `called` are names by kind."""

    heads: list[ActionHead]
    called: dict[str, dict[str, str]]
    runs: list[tuple[int, str]]


class SnapshotChange(Answer):
    """What is new in the snapshot with the mark `from`; other keys are as they were."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    from_: str = Field(alias="from")
    told: bool
    between: Between | None
    mark: str | Absent = None
    name: str | Absent = None
    title: str | Absent = None
    changed: float | Absent = None
    seen: int | Absent = None
    ply: int | Absent = None
    owner: bool | Absent = None
    seats: list[SeatLine] | Absent = None
    seat: str | Absent = None
    actor: str | Absent = None
    yours: bool | Absent = None
    thinking: bool | Absent = None
    trouble: str | None = None
    heading: str | Absent = None
    prompt: Said | None = None
    view: ViewChange | Absent = None
    legal: PackedLegal | Absent = None
    sets: dict[str, int] | Absent = None
    hindrance: Said | None = None
    undo_to: int | None = None
    can_redo: bool | Absent = None
    dice: DiceKind | Absent = None
    result: Outcome | None = None
    pace: float | Absent = None
    paused: bool | Absent = None


class Update(Answer):
    """What has happened since `seen`, and the present position: whole, or what is new in the one that is held."""

    seen: int
    ply: int
    cut: int
    gap: bool
    entries: list[LogEntry]
    snapshot: Snapshot | Absent = None
    change: SnapshotChange | Absent = None


class Started(Answer):
    """A game that was created or imported."""

    id: str
    token: str
    snapshot: Snapshot


class ProblemLine(Answer):
    """A problem with known best play."""

    name: str
    game: str
    title: str
    kind: str
    seat: str
    goal: str


class Problems(Answer):
    """All problems."""

    puzzles: list[ProblemLine]


class Task(ProblemLine):
    """A problem to be solved."""

    heading: str
    prompt: str
    legal: list[LegalAction]


class Weighed(Answer):
    """What a choice achieves, from 0 (the worst) to 1 (the best)."""

    action: str
    label: str
    share: float


class Solution(Answer):
    """Whether an answer was right, and what every choice achieves."""

    right: bool
    told: list[Weighed]


class TriedLine(Answer):
    """What was tried, in how many games, and how many of them each seat won."""

    action: str
    label: str
    games: int
    wins: dict[str, int]


class OpeningsAnswer(Answer):
    """What was tried where the position looked the same."""

    games: int
    tried: list[TriedLine]


class Trouble(BaseModel):
    """Why something was not done; nothing has changed. Some answers say more: the present position, the dice needed."""

    error: str
    message: str
