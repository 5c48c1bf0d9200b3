"""The judge: what the positions of a game are worth. Computer players, hints and studies ask it; no rule does."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Generic

from salient.kernel import engine
from salient.kernel.frames import S, Seat
from salient.kernel.notation import Action


class Judge(ABC, Generic[S]):
    """The evaluation of positions of type `S`: features by weights, and what is worth weighing at all.

    `weighs_rolls` is true if the evaluation already includes the expected value of a pending roll.
    `piece_worth` is what one more piece must add to an attack, since it could do something else.
    """

    weighs_rolls: ClassVar[bool] = False
    piece_worth: ClassVar[float] = 0.15

    @abstractmethod
    def features(self, s: S, seat: Seat) -> dict[str, float]:
        """What makes the position good for `seat`, named and counted; `weights` tells what each is worth."""

    @abstractmethod
    def weights(self, side: Seat) -> Mapping[str, float]:
        """What each feature is worth to the computer players of a side."""

    @abstractmethod
    def elapsed(self, s: S) -> float:
        """The share of the game that has been played, from 0, by turns and those parts of a turn that come again."""

    def side(self, s: S, seat: Seat) -> Seat:
        """The side that a seat plays, by the name of the seat that plays it at first."""
        return seat

    def evaluate(self, s: S, seat: Seat, weights: Mapping[str, float] | None = None) -> float:
        """The sum of the features by their weights: those of the side, unless others are given."""
        worth = weights or self.weights(self.side(s, seat))
        return sum([worth[name] * value for name, value in self.features(s, seat).items()])

    def pending(self, s: S, seat: Seat) -> float:
        """The expected value for `seat` of a combat that is being decided, beyond the features."""
        return 0.0

    def candidates(self, s: S) -> list[Action]:
        """The actions that a computer player should weigh, at least one: all candidates, or those that matter."""
        return engine.candidates(s)
