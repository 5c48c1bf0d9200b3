"""What every game offers to players, bots, servers and the laboratory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from salient.kernel.dice import Roller
from salient.kernel.engine import candidates, why_not
from salient.kernel.frames import Frame, Seat
from salient.kernel.messages import Refusal, Unreadable
from salient.kernel.notation import Action, Notation
from salient.kernel.state import State


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
class Result:
    """How a game ended: the winner (None for a draw), the rule and the message that says why."""

    winner: Seat | None
    rule: str
    key: str


class Game(ABC):
    """One game by its rulebook. All methods only look: none changes the position it is given.

    `reveals` names the events that show a seat a secret: what led to one of them cannot be taken back.
    `weighs_rolls` tells that the features, or `pending`, count what a pending roll promises.
    `piece_worth` is what one more piece must add to an attack, since it could do something else.
    `secret_verbs` names the actions that only their own seat may see until the game is over.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[tuple[Seat, ...]]
    rules_version: ClassVar[int]
    scenarios: ClassVar[tuple[Scenario, ...]]
    options: ClassVar[tuple[Option, ...]]
    state_type: ClassVar[type[State]]
    frames: ClassVar[dict[str, type[Frame]]]
    reveals: ClassVar[frozenset[str]] = frozenset()
    secret_verbs: ClassVar[frozenset[str]] = frozenset()
    weighs_rolls: ClassVar[bool] = False
    piece_worth: ClassVar[float] = 0.15
    notation: Notation
    data_hash: str

    @abstractmethod
    def new(self, scenario: str = "", options: Mapping[str, str] | None = None) -> State:
        """The first position of a scenario (the first one if unnamed), settled at its first decision."""

    @abstractmethod
    def observe(self, s: State, seat: Seat) -> dict[str, Any]:
        """All that `seat` may see, as JSON values: the only thing clients and fair bots are given."""

    @abstractmethod
    def resample(self, s: State, seat: Seat, roller: Roller) -> State:
        """A position that `seat` cannot tell from `s`, with what is hidden from it drawn anew."""

    @abstractmethod
    def result(self, s: State) -> Result | None:
        """The result once the game is over."""

    @abstractmethod
    def check(self, s: State) -> list[str]:
        """The invariants that are broken: none in a sound position."""

    @abstractmethod
    def heading(self, s: State) -> str:
        """Turn and phase in a few plain words, for records."""

    @abstractmethod
    def write_position(self, s: State) -> str:
        """The position as a short text, complete and canonical."""

    @abstractmethod
    def read_position(self, text: str) -> State:
        """The position of a text; Unreadable with the line and the cause if it is none."""

    @abstractmethod
    def components(self) -> dict[str, Any]:
        """What never changes, for clients: counters, boxes, tracks, overlays (docs/VIEW.md)."""

    @abstractmethod
    def preview(self, s: State, action: Action) -> dict[str, Any]:
        """What an action would do: its path and cost, or the full odds of an attack (docs/VIEW.md)."""

    @abstractmethod
    def overlay(self, s: State, seat: Seat, name: str) -> dict[str, Any]:
        """One overlay as far as `seat` may see it: values by hex, and lines (docs/VIEW.md)."""

    @abstractmethod
    def features(self, s: State, seat: Seat) -> dict[str, float]:
        """What makes the position good for `seat`, named and weighted: their sum is the evaluation that bots use."""

    def pending(self, s: State, seat: Seat) -> float:
        """What a combat under way promises to `seat` beyond the features, for those who look into the middle of it."""
        return 0.0

    def candidates(self, s: State) -> list[Action]:
        """The actions that a computer player should weigh, at least one: all candidates, or those that matter."""
        return candidates(s)

    def show_roll(self, s: State, faces: Sequence[int]) -> dict[str, Any]:
        """How the dice of the coming roll lie on the table, as a panel (docs/VIEW.md); empty if faces say it all."""
        return {}

    def evaluate(self, s: State, seat: Seat) -> float:
        """The sum of the features."""
        return sum(self.features(s, seat).values())

    def why_not(self, s: State, action: Action) -> list[Refusal]:
        """Why an action is not legal, each reason with its rule; empty if it is legal."""
        return why_not(s, action)

    def write(self, action: Action) -> str:
        """An action as players write it."""
        return self.notation.write(action)

    def read(self, text: str) -> Action:
        """The action that a text names; Unreadable if it names none."""
        return self.notation.read(text)

    def state_from_json(self, values: dict[str, Any]) -> State:
        """The position that `State.as_json` wrote."""
        return self.state_type.from_json(values, self.frames)

    def scenario(self, name: str) -> Scenario:
        """A scenario by its id, the first one for an empty name."""
        for scenario in self.scenarios:
            if name in ("", scenario.id):
                return scenario
        known = tuple(scenario.id for scenario in self.scenarios)
        sentence = f"{self.title} has no scenario {name!r}: {', '.join(known)}."
        raise Unreadable(sentence, "unknown-scenario", text=name, texts_known=known)

    def chosen_options(self, options: Mapping[str, str] | None) -> dict[str, str]:
        """Every option with its choice; Unreadable for unknown options and choices."""
        given = dict(options or {})
        chosen = {}
        for option in self.options:
            choice = given.pop(option.id, option.default)
            if choice not in option.choices:
                sentence = f"Option {option.id}: {choice!r} is not one of {', '.join(option.choices)}."
                raise Unreadable(sentence, "unknown-choice", text=choice, word=option.id, texts_known=option.choices)
            chosen[option.id] = choice
        if given:
            name, known = next(iter(given)), tuple(option.id for option in self.options)
            sentence = f"{self.title} has no option {name!r}. Its options: {', '.join(known) or 'none'}."
            raise Unreadable(sentence, "unknown-option", text=name, texts_known=known)
        return chosen


def no_such_seat(game: Game, seat: str) -> Unreadable:
    """The error of a seat that a game does not have."""
    sentence = f"{game.title} has no seat {seat!r}: {', '.join(game.seats)}."
    return Unreadable(sentence, "no-such-seat", text=seat, texts_known=game.seats)
