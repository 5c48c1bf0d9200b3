"""The odds of an attack that one die decides and its outcomes, as clients show them beforehand (docs/VIEW.md)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from salient.kernel import Refusal


class Odds(NamedTuple):
    """Strengths, the plain column, every shift with its rule, and the final column; -1 is an automatic loss."""

    attack: int
    defence: int
    plain: int
    shifts: tuple[Refusal, ...]
    column: int


class Face(NamedTuple):
    """What one face of the die means."""

    result: str
    attacker_loss: int
    defender_loss: int
    cleared: bool


def die_outcomes(faces: Sequence[Face]) -> dict[str, Any]:
    """Outcomes grouped by result, expected losses and the chance to clear the hex; `faces` begins with the one."""
    rolls: dict[Face, list[int]] = {}
    for die, face in enumerate(faces, start=1):
        rolls.setdefault(face, []).append(die)
    count = len(faces)
    return {
        "outcomes": [
            {
                "probability": str(Fraction(len(dice), count)),
                "rolls": dice,
                "result": face.result,
                "attacker_loss": face.attacker_loss,
                "defender_loss": face.defender_loss,
            }
            for face, dice in rolls.items()
        ],
        "expected": {
            "attacker": round(sum(face.attacker_loss for face in faces) / count, 2),
            "defender": round(sum(face.defender_loss for face in faces) / count, 2),
        },
        "cleared": str(Fraction(sum(face.cleared for face in faces), count)),
    }
