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


# ---- the whole of a combat ------------------------------------------------------------------------------------------

ADVANCE, CLEARED, ENGAGED, HOLDS = "advance", "cleared", "engaged", "holds"
ENDS = (ADVANCE, CLEARED, ENGAGED, HOLDS)  # entered, empty but nobody may enter, engaged, as before


class Way(NamedTuple):
    """What a die leads to: losses of both sides, and how the combat ends or who leads what comes next."""

    result: str
    attacker: int
    defender: int
    end: str = ""
    lead: str = ""
    then: tuple[tuple[Fraction, Way], ...] = ()


Ways = tuple[tuple[Fraction, Way], ...]  # each with its share


def by_share(faces: Sequence[Way]) -> Ways:
    """What the faces of a die lead to, equal ones together."""
    counts: dict[Way, int] = {}
    for face in faces:
        counts[face] = counts.get(face, 0) + 1
    return tuple((Fraction(count, len(faces)), way) for way, count in counts.items())


def chance_of(ways: Ways, *ends: str) -> Fraction:
    """How likely a combat ends in one of these ways."""
    parts = (share * (chance_of(way.then, *ends) if way.then else int(way.end in ends)) for share, way in ways)
    return sum(parts, Fraction(0))


def _loss(ways: Ways, side: int) -> Fraction:
    """The expected loss of the attacker (0) or the defender (1)."""
    parts = (share * ((way.attacker, way.defender)[side] + _loss(way.then, side)) for share, way in ways)
    return sum(parts, Fraction(0))


def whole(ways: Ways) -> dict[str, Any]:
    """The combat to its end: expected losses, and the chance of each end."""
    chances = {end: chance_of(ways, end) for end in ENDS}
    return {
        "attacker": round(float(_loss(ways, 0)), 2),
        "defender": round(float(_loss(ways, 1)), 2),
        "ends": [{"end": end, "probability": str(chance)} for end, chance in chances.items() if chance],
    }


def tree(ways: Ways) -> list[dict[str, Any]]:
    """The combat die by die; each probability is that of its own die."""
    return [
        {
            "probability": str(share),
            "result": way.result,
            "attacker_loss": way.attacker,
            "defender_loss": way.defender,
            **({"end": way.end} if way.end else {}),
            **({"lead": way.lead} if way.lead else {}),
            **({"then": tree(way.then)} if way.then else {}),
        }
        for share, way in ways
    ]


def to_the_end(ways: Ways) -> dict[str, Any]:
    """The combat to its end, and die by die where more than one falls."""
    deep = any(way.then for _, way in ways)
    return {"whole": whole(ways), **({"tree": tree(ways)} if deep else {})}
