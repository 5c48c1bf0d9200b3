"""What the dice of a roll showed: rolled once more from the same secret, for those who like to see them lie."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from salient.kernel import Action, Game, State, VerifiedDice
from salient.kernel.dice import Dice, Roller
from salient.kernel.frames import ChanceFrame


@dataclass(frozen=True)
class Shown:
    """The dice of one roll in order, each with its number of sides, and how the game lays them on the table."""

    sides: tuple[int, ...]
    faces: tuple[int, ...]
    panel: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        """For the client: the faces, and the panel if the game has one."""
        return {"faces": list(self.faces), **({"panel": self.panel} if self.panel else {})}


@dataclass
class _Watched:
    roller: Roller
    sides: list[int] = field(default_factory=list)
    faces: list[int] = field(default_factory=list)

    def die(self, sides: int) -> int:
        face = self.roller.die(sides)
        self.sides.append(sides)
        self.faces.append(face)
        return face


def shown_roll(game: Game, dice: Dice, before: State, ply: int, action: Action) -> Shown | None:
    """The dice behind the action at place `ply` of the log; None if the log alone does not tell them."""
    frame = before.stack[-1]
    if action[0] != "roll" or not isinstance(dice, VerifiedDice) or not isinstance(frame, ChanceFrame):
        return None
    watched = _Watched(dice.roller(ply, frame.purpose(before)))
    if frame.sample(before, watched) != action:
        return None
    return Shown(tuple(watched.sides), tuple(watched.faces), game.show_roll(before, watched.faces))
