"""What the routes answer, as OpenAPI describes it; a test holds real answers of every route against it."""

from __future__ import annotations

from typing import Literal

from salient.server.models import LegalAction, LogEntry, Terms
from salient.server.views import Absent, Answer, Json, Odds, Outcome, Preview, Said, View

# ---- people ----------------------------------------------------------------------


class Wishes(Answer):
    """How a person wants to be told."""

    mail: bool | Absent = None
    push: bool | Absent = None
    hook: str | Absent = None


class Account(Answer):
    """Who is signed in."""

    id: str
    name: str
    kind: str
    mail: str | None
    mail_confirmed: bool
    admin: bool
    lang: str
    about: str
    wishes: Wishes | None
    suspended_until: float
    hook_key: str


class KeyLine(Answer):
    """A key of a program, without the key."""

    id: str
    name: str
    scopes: list[str]
    created: float


class NewKeyAnswer(Answer):
    """A key, shown once."""

    key: str


class NewBotAnswer(Answer):
    """A bot account and its first key."""

    name: str
    key: str


class RatingLine(Answer):
    """A person's rating in a game."""

    rating: float
    deviation: float
    games: int


class ResultLine(Answer):
    """A person's results in a game on a side."""

    game: str
    seat: str
    won: int
    drawn: int
    lost: int


class Profile(Answer):
    """What others read about a person."""

    name: str
    kind: str
    about: str
    since: float
    moves_in_time: int
    games_left: int
    suspended: bool
    keeper: str | None
    ratings: dict[str, RatingLine]
    results: list[ResultLine]


class OfferLine(Answer):
    """A game that looks for an opponent."""

    id: str
    kind: str
    game: str
    scenario: str
    options: dict[str, str]
    seat: str
    terms: Terms
    lowest: float
    highest: float
    note: str
    created: float
    by: str
    mine: bool
    rating: float
    fits: bool
    invited: str | None


class Begun(Answer):
    """The game that has begun, if it has."""

    game: str | None


class Notice(Answer):
    """Something that a person was told."""

    id: int
    person_id: str
    at: float
    kind: str
    game_id: str
    words: Json
    read: bool
    text: str


class Notices(Answer):
    """What a person was told, and the key for web push."""

    notices: list[Notice]
    push_key: str


class WaitingGame(Answer):
    """A game that waits for one's move."""

    id: str
    name: str
    deadline: float | None


class PresenceAnswer(Answer):
    """Who is at a table."""

    seats: list[str]
    watching: int


class ChatLine(Answer):
    """Something that was said."""

    id: int
    name: str
    seat: str
    at: float
    text: str


class NoteText(Answer):
    """A note to oneself."""

    text: str


# ---- the library -------------------------------------------------------------------


class About(Answer):
    """What this server is."""

    version: str
    languages: list[str]
    local: bool
    public: bool
    levels: list[str]
    level: str


class Health(Answer):
    """Whether it works."""

    ok: bool


class Named(Answer):
    """An id and its name."""

    id: str
    name: str


class ScenarioLine(Named):
    """A scenario."""

    turns: int
    rule: str


class OptionLine(Named):
    """An option and what can be chosen."""

    rule: str
    choices: list[Named]


class GameTitle(Named):
    """A game of the library."""

    title: str
    seats: list[Named]
    rules_version: int
    scenarios: list[ScenarioLine]
    options: list[OptionLine]


class Names(Answer):
    """Names in a language."""

    lang: str
    names: dict[str, str]


class HexFact(Answer):
    """What is in a hex."""

    terrain: str
    features: list[str]
    source: str
    place: str | Absent = None


class Box(Answer):
    """A rectangle in pixels."""

    x: float
    y: float
    width: float
    height: float


class Geometry(Answer):
    """Where hexes and off-map areas lie, in pixels from the top left; corner `i` is between directions `i`, `i + 1`."""

    size: float
    orientation: str
    width: int
    height: int
    centres: dict[str, tuple[float, float]]
    corners: dict[str, list[tuple[float, float]]]
    areas: dict[str, Box]


class MapAnswer(Answer):
    """Where everything lies in the image of a map."""

    scales: list[float]
    scale: float
    images: dict[str, str]
    preview: str | None
    geometry: Geometry


# ---- games -------------------------------------------------------------------------


class SummarySeat(Answer):
    """Who sits where, in a list of games."""

    seat: str
    mine: bool
    player: str
    person: str | Absent = None


class GameLine(Answer):
    """A game in a list."""

    id: str
    name: str
    game: str
    title: str
    scenario: str
    created: float
    changed: float
    ply: int
    actor: str
    heading: str
    seats: list[SummarySeat]
    owner: bool
    yours: bool
    result: Outcome | None
    deadline: float | None
    broken: str | None


class Invitation(Answer):
    """A secret link to a seat."""

    seat: str
    invitation: str
    link: str


class Joined(Answer):
    """A seat, and the token that plays it."""

    seat: str
    token: str


class LogPage(Answer):
    """A page of the log."""

    seen: int
    ply: int
    entries: list[LogEntry]


class ReplayPage(LogPage):
    """A page of the log with the view at its start."""

    start: View


class Past(Answer):
    """An earlier position."""

    ply: int
    actor: str
    heading: str
    view: View


class WhyNot(Answer):
    """Why an action is not allowed; nothing if it is."""

    legal: bool
    refusals: list[Said]


class PreviewsAnswer(Answer):
    """What actions would do."""

    seen: int
    previews: dict[str, Preview]


class Reasons(Answer):
    """Why a bot did what it did, in sentences."""

    ply: int
    reasons: list[str]


class Verdict(Answer):
    """Whether the dice of a finished game are proved."""

    ok: bool
    message: str


class DiceFigures(Answer):
    """Rolls, and what was to be expected of them."""

    rolls: int
    faces: dict[str, int]
    total: float
    expected: float
    spread: float


class DiceSide(DiceFigures):
    """The dice of a side, all together and by what they were for."""

    purposes: dict[str, DiceFigures]


class RollLine(Answer):
    """A roll and what it was for."""

    ply: int
    seat: str
    purpose: str
    faces: list[int]


class DiceAnswer(Answer):
    """All rolls and what they amount to."""

    kind: str
    commitment: str | None
    secret: str | None
    rolls: list[RollLine]
    sides: dict[str, DiceSide]


class PlanAnswer(Answer):
    """What an order would do."""

    seen: int
    actions: list[str]
    ends: dict[str, str]
    stragglers: list[str]
    held: list[str]
    preview: Preview


# ---- how it stands -----------------------------------------------------------------


class CurvePoint(Answer):
    """The judge's opinion after a ply."""

    ply: int
    turn: int
    share: float
    heading: str


class Curve(Answer):
    """The judge's opinion over the game."""

    seen: int
    seat: str
    points: list[CurvePoint]


class FightLuck(Answer):
    """A combat: what each side was to expect to lose, and what it lost."""

    ply: int
    seat: str
    target: str
    expected_attacker: float
    expected_defender: float
    attacker: int
    defender: int


class SideLuck(Answer):
    """A side's fights in sum: how many it began, and how much more it lost than was to be expected."""

    seat: str
    fights: int
    more_lost: float


class Luck(Answer):
    """What the dice did to both sides."""

    fights: list[FightLuck]
    sides: list[SideLuck]


# ---- advice ------------------------------------------------------------------------


class PlanAdvice(Answer):
    """A plan: how likely it wins as far as that was tried, how it begins, and why."""

    share: float | None
    actions: list[LegalAction]
    told: list[str]
    paths: list[list[str]]
    odds: Odds | None


class AdviceAnswer(Answer):
    """What the computer would do, once it has thought: how much is done, of how much."""

    seen: int
    state: Literal["running", "failed", "done"]
    done: int
    total: int
    plans: list[PlanAdvice]


class MistakeLine(Answer):
    """A decision that cost much, and what was better."""

    ply: int
    heading: str
    seat: str
    played: str
    better: str
    cost: float
    reasons: list[str]


class AnalysisAnswer(Answer):
    """The analysis of a finished game as far as it is; luck and skill are the first seat's, in shares of a game."""

    state: Literal["running", "failed", "done"]
    done: int
    total: int
    luck: float | Absent = None
    skill: float | Absent = None
    worst: list[MistakeLine] | Absent = None
