"""Dice statistics: what each side rolled, and what was to be expected."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt
from typing import Any

from salient.kernel import CHANCE, State, step
from salient.kernel.frames import ChanceFrame
from salient.server.live import LiveGame
from salient.server.rolls import Shown

NOBODY = "nobody"


class SideDice:
    """The rolls of one side."""

    def __init__(self) -> None:
        self.rolls = 0
        self.faces: Counter[int] = Counter()
        self.total = 0
        self.expected = Fraction(0)
        self.variance = Fraction(0)

    def add_dice(self, shown: Shown) -> None:
        """Count a roll die by die, with the mean and variance of each."""
        self.rolls += 1
        self.faces.update(shown.faces)
        self.total += sum(shown.faces)
        self.expected += sum((Fraction(n + 1, 2) for n in shown.sides), Fraction(0))
        self.variance += sum((Fraction(n * n - 1, 12) for n in shown.sides), Fraction(0))

    def add(self, frame: ChanceFrame[Any], state: State, faces: list[int]) -> None:
        """Count a roll known by its action alone, with the exact mean and variance of what it could have been."""
        chances = [(sum(numbers(action)), chance) for action, chance in frame.outcomes(state)]
        mean = sum((total * chance for total, chance in chances), Fraction(0))
        self.rolls += 1
        self.faces.update(faces)
        self.total += sum(faces)
        self.expected += mean
        self.variance += sum(((total - mean) ** 2 * chance for total, chance in chances), Fraction(0))

    def as_json(self) -> dict[str, Any]:
        """Figures for the client."""
        return {
            "rolls": self.rolls,
            "faces": {str(face): count for face, count in sorted(self.faces.items())},
            "total": self.total,
            "expected": round(float(self.expected), 3),
            "spread": round(sqrt(self.variance), 3),
        }


def numbers(action: tuple[str | int, ...]) -> list[int]:
    """The faces of a roll: its whole numbers."""
    return [value for value in action[1:] if isinstance(value, int)]


class Owned:
    """The rolls of a side, all together and by what they were for."""

    def __init__(self) -> None:
        self.all = SideDice()
        self.purposes: dict[str, SideDice] = {}

    def add(self, frame: ChanceFrame[Any], state: State, shown: Shown | None, faces: list[int]) -> None:
        """Count a roll."""
        for dice in (self.all, self.purposes.setdefault(frame.purpose(state), SideDice())):
            if shown:
                dice.add_dice(shown)
            else:
                dice.add(frame, state, faces)

    def as_json(self) -> dict[str, Any]:
        """Figures for the client."""
        return self.all.as_json() | {"purposes": {name: dice.as_json() for name, dice in self.purposes.items()}}


def dice_statistics(live: LiveGame) -> dict[str, Any]:
    """Every roll with its purpose, and the figures of each side; it belongs to its roller, else to the last decider."""
    session = live.session
    sides = {seat: Owned() for seat in live.game.seats}
    rolls = []
    state, decider = session.state_at(0), NOBODY
    told = live.tellings(0, live.ply)
    for ply, (seat, action) in enumerate(zip(session.actors, session.actions, strict=True), start=1):
        frame = state.stack[-1]
        if seat != CHANCE:
            decider = seat
        elif isinstance(frame, ChanceFrame) and frame.rolls_dice:
            shown = told[ply - 1].roll
            faces = list(shown.faces) if shown else numbers(action)
            owner = frame.roller(state) or decider
            rolls.append({"ply": ply, "seat": owner, "purpose": frame.purpose(state), "faces": faces})
            if owner != NOBODY:
                sides[owner].add(frame, state, shown, faces)
        state = step(state, action, trusted=True)
    return {"rolls": rolls, "sides": {seat: side.as_json() for seat, side in sides.items()}}
