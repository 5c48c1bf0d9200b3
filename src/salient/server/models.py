"""The bodies of requests, checked before anything else sees them, and the answers as OpenAPI describes them."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator

from salient.server.settings import IMPORT_LIMIT


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
Seen = Annotated[int, Field(ge=0, description="The `seen` of the snapshot that this is based on.")]


class Body(BaseModel):
    """A request's body: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


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
    """Several actions as one: as named; or `each` piece that a verb can name; or `units` led by a verb towards a hex.

    Without `commit` it is only tried.
    """

    seen: Seen
    actions: Annotated[list[ActionText], Field(min_length=1, max_length=200)] | None = None
    each: Word | None = None
    units: Annotated[list[Word], Field(max_length=100)] = Field(default_factory=list)
    verb: Word = "move"
    to: Word = ""
    commit: bool = False

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if [self.actions is not None, self.each is not None, bool(self.units)].count(True) != 1:
            raise ValueError("give one of 'actions', 'each' and 'units'")
        return self


class Undo(Body):
    """A step back: one action, or to a ply."""

    seen: Seen
    to: Annotated[int, Field(ge=0)] | None = None


class Redo(Body):
    """A step forward again, or a whole turn back."""

    seen: Seen


# ---- answers, for OpenAPI -----------------------------------------------------

Json = dict[str, Any]


class Said(BaseModel):
    """A prompt, event, refusal or result with its sentence."""

    rule: str
    key: str
    args: Json
    text: str


class Argument(BaseModel):
    """One part of an action."""

    kind: str
    value: str


class LegalAction(BaseModel):
    """An action that may be submitted now."""

    text: str
    verb: str
    args: list[Argument]
    label: str
    names: bool


class SeatLine(BaseModel):
    """Who sits where."""

    seat: str
    name: str
    player: str
    person: str | None = None
    mine: bool


class DiceKind(BaseModel):
    """How dice are rolled, the commitment of verified ones, and the sides of those that people must roll now."""

    kind: str
    commitment: str | None
    needed: list[int]
    shares: Json | None = None


class Snapshot(BaseModel):
    """The present position for one viewer (docs/API.md)."""

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
    view: Json
    legal: list[LegalAction]
    sets: dict[str, int]
    undo_to: int | None
    can_redo: bool
    dice: DiceKind
    result: Json | None
    between: Json | None
    pace: float
    paused: bool


class LogEntry(BaseModel):
    """One action of the log; `change` as in docs/API.md."""

    ply: int
    seat: str
    action: str | None
    label: str | None
    heading: str | None = None
    roll: Json | None = None
    events: list[Said]
    change: Json | None = None
    reasons: bool


class Update(BaseModel):
    """What has happened since `seen`, and the present position."""

    seen: int
    ply: int
    cut: int
    entries: list[LogEntry]
    snapshot: Snapshot


class Started(BaseModel):
    """A game that was created or imported."""

    id: str
    token: str
    snapshot: Snapshot


class Trouble(BaseModel):
    """Why something was not done; nothing has changed."""

    error: str
    message: str


REFUSALS: dict[int | str, dict[str, Any]] = {status: {"model": Trouble} for status in (400, 403, 404, 409, 413, 422)}
