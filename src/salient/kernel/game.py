"""What every game offers to players, bots, servers and the laboratory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

from salient.kernel.dice import Roller
from salient.kernel.engine import why_not
from salient.kernel.frames import AnyFrame, S, Seat
from salient.kernel.judge import Judge
from salient.kernel.messages import Refusal, Unreadable
from salient.kernel.notation import Action, Notation
from salient.kernel.orders import NO_PLANS, Plans
from salient.kernel.sequence import Stage
from salient.kernel.state import State

S_contra = TypeVar("S_contra", bound=State, contravariant=True)


@dataclass(frozen=True)
class Option:
    """A rule that players may choose: its choices, the default first, and its number in the book."""

    id: str
    choices: tuple[str, ...]
    rule: str

    @property
    def default(self) -> str:
        """The choice of players who choose nothing."""
        return self.choices[0]


@dataclass(frozen=True)
class Scenario:
    """A set-up of the rulebook with its number of turns and the rule that describes it."""

    id: str
    turns: int
    rule: str


@dataclass(frozen=True)
class GameListing:
    """A game in a list of games: what can be told of it without loading its rules and its map."""

    id: str
    package: str
    title: str
    seats: tuple[Seat, ...]
    rules_version: int
    scenarios: tuple[Scenario, ...]
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Result:
    """How a game ended: the winner (None for a draw), the rule and the message that says why."""

    winner: Seat | None
    rule: str
    key: str

    def as_json(self) -> dict[str, Any]:
        """The result as clients show it (docs/VIEW.md)."""
        return {"winner": self.winner, "rule": self.rule, "key": self.key}


class View(Protocol[S_contra]):
    """What people see of a game, as JSON values (docs/VIEW.md): the part of a game that its module `view` is."""

    def observe(self, s: S_contra, seat: Seat, /) -> dict[str, Any]:
        """All that `seat` may see: the only thing clients and fair bots are given."""
        ...

    def heading(self, s: S_contra, /) -> str:
        """Turn and phase in a few plain words, for records."""
        ...

    def components(self, data: Any, /) -> dict[str, Any]:
        """What never changes: counters, boxes, tracks, overlays, as the game's data have them."""
        ...

    def preview(self, s: S_contra, action: Action, /) -> dict[str, Any]:
        """What an action would do: its path and cost, or the full odds of an attack."""
        ...

    def overlay(self, s: S_contra, seat: Seat, name: str, /) -> dict[str, Any]:
        """One overlay as far as `seat` may see it: values by hex, and lines."""
        ...

    def situation(self, s: S_contra, /) -> dict[str, Any]:
        """What the game is about and how it stands, which both sides know; empty if not told."""
        ...

    def show_roll(self, s: S_contra, faces: Sequence[int], /) -> dict[str, Any]:
        """How the dice of the coming roll lie on the table, as a panel; empty if faces say it all."""
        ...


class Game(ABC, Generic[S]):
    """One game by its rulebook, with its data: pieces, map and tables. No method changes the position it is given.

    The game itself is the rules. Its parts have contracts of their own: `notation`, `view`, `judge` and `plans`.
    `board` is the board of hexes that the game is played on, if it has one.
    `reveals` names the events that show a seat a secret: what led to one of them cannot be taken back.
    `news` names the events that change how the game stands: what a player must hear of.
    `secret_verbs` names the actions that only their own seat may see until the game is over.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[tuple[Seat, ...]]
    rules_version: ClassVar[int]
    options: ClassVar[tuple[Option, ...]]
    frames: ClassVar[dict[str, type[AnyFrame]]]
    reveals: ClassVar[frozenset[str]] = frozenset()
    news: ClassVar[frozenset[str]] = frozenset()
    secret_verbs: ClassVar[frozenset[str]] = frozenset()
    state_type: type[S]
    notation: Notation[S]
    view: View[S]
    judge: Judge[S]
    plans: Plans[S] = NO_PLANS
    scenarios: tuple[Scenario, ...]
    board: object = None
    data_hash: str

    def __init__(self, data: Any = None) -> None:
        """The game as it is played with these data; their type is the game's own."""
        self.data = data

    @abstractmethod
    def new(self, scenario: str = "", options: Mapping[str, str] | None = None) -> S:
        """The first position of a scenario (the first one if unnamed), settled at its first decision."""

    @abstractmethod
    def resample(self, s: S, seat: Seat, roller: Roller) -> S:
        """A position that `seat` cannot tell from `s`, with what is hidden from it redrawn."""

    @abstractmethod
    def stage(self, s: S) -> Stage:
        """Turn and phase: what everybody knows of where the game is."""

    @abstractmethod
    def result(self, s: S) -> Result | None:
        """The result once the game is over."""

    @abstractmethod
    def check(self, s: S) -> list[str]:
        """The invariants that are broken: none in a sound position."""

    def why_not(self, s: S, action: Action) -> list[Refusal]:
        """Why an action is not legal, each reason with its rule; empty if it is legal."""
        return why_not(s, action)

    def write(self, action: Action) -> str:
        """An action as players write it."""
        return self.notation.write(action)

    def read(self, text: str) -> Action:
        """The action that a text names; Unreadable if it names none."""
        return self.notation.read(text)

    def write_position(self, s: S) -> str:
        """The position as a short text, complete and canonical."""
        return self.notation.write_position(s)

    def read_position(self, text: str) -> S:
        """The position of a text; Unreadable with the line and the cause if it is none."""
        return self.notation.read_position(text, self.frames)

    def state_from_json(self, values: dict[str, Any]) -> S:
        """The position that `State.as_json` wrote."""
        return self.state_type.from_json(values, self.frames, self.data)

    def components(self) -> dict[str, Any]:
        """What never changes: counters, boxes, tracks, overlays."""
        return self.view.components(self.data)

    def scenario(self, name: str) -> Scenario:
        """A scenario by its id, the first one for an empty name."""
        for scenario in self.scenarios:
            if name in ("", scenario.id):
                return scenario
        known = tuple(scenario.id for scenario in self.scenarios)
        raise Unreadable("unknown-scenario", text=name, texts_known=known)

    def chosen_options(self, options: Mapping[str, str] | None) -> dict[str, str]:
        """Every option with its choice; Unreadable for unknown options and choices."""
        given = dict(options or {})
        chosen = {}
        for option in self.options:
            choice = given.pop(option.id, option.default)
            if choice not in option.choices:
                raise Unreadable("unknown-choice", text=choice, word=option.id, texts_known=option.choices)
            chosen[option.id] = choice
        if given:
            name, known = next(iter(given)), tuple(option.id for option in self.options)
            raise Unreadable("unknown-option", text=name, texts_known=known)
        return chosen


AnyGame: TypeAlias = Game[State]  # where many games meet


def everything(game: AnyGame, state: State) -> dict[str, Any]:
    """What all seats together may see."""
    first, *others = (game.view.observe(state, seat) for seat in game.seats)
    for view in others:
        for unit, seen in view["units"].items():
            if "where" not in first["units"].get(unit, {}):
                first["units"][unit] = seen
    return first


def no_such_seat(game: AnyGame, seat: str) -> Unreadable:
    """The error of a seat that a game does not have."""
    return Unreadable("no-such-seat", text=seat, texts_known=game.seats)
