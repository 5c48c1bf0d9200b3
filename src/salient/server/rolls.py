"""What the dice of a roll showed: typed, or rolled once more from the same secret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from salient.kernel import Action, AnyGame, Dice, Roller, ScriptedDice, State, VerifiedDice
from salient.kernel.frames import ChanceFrame
from salient.kernel.shared_dice import SharedDice


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


def shown_roll(
    game: AnyGame, dice: Dice, before: State, number: int, action: Action, faces: Sequence[int] = ()
) -> Shown | None:
    """The dice behind the game's roll of that number, typed ones by their faces; None if nobody knows them."""
    frame = before.stack[-1]
    if not isinstance(frame, ChanceFrame) or not frame.rolls_dice:
        return None
    if faces:
        watched = _Watched(ScriptedDice(faces))
    elif isinstance(dice, (VerifiedDice, SharedDice)):
        watched = _Watched(dice.roller(number, frame.purpose(before)))
    else:
        return None
    if frame.sample(before, watched) != action:
        return None
    return Shown(tuple(watched.sides), tuple(watched.faces), game.view.show_roll(before, watched.faces))
