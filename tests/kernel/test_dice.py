"""Dice: reproducible, unbiased, bound to their place in the log."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from salient.kernel import ScriptedDice, SeededDice, TypedDice, Unreadable, VerifiedDice
from salient.kernel.messages import SalientError

SECRET = bytes(range(32))
GOLDEN = [1, 4, 6, 6, 6, 3, 2, 2, 6, 4]
# The 99.9 per cent point of chi-square with 5 and with 9 degrees of freedom.
CRITICAL = {6: 20.52, 10: 27.88}


def chi_square(faces: list[int], sides: int) -> float:
    counts = Counter(faces)
    expected = len(faces) / sides
    return sum((counts[face] - expected) ** 2 / expected for face in range(1, sides + 1))


@pytest.mark.parametrize("sides", [6, 10])
def test_verified_dice_are_unbiased(sides: int) -> None:
    dice = VerifiedDice("game", SECRET)
    faces = [dice.roller(ply, "attack").die(sides) for ply in range(6000)]
    assert set(faces) == set(range(1, sides + 1))
    assert chi_square(faces, sides) < CRITICAL[sides]


@pytest.mark.parametrize("sides", [6, 10])
def test_seeded_dice_are_unbiased(sides: int) -> None:
    dice = SeededDice(7)
    assert chi_square([dice.die(sides) for _ in range(6000)], sides) < CRITICAL[sides]


def test_successive_dice_of_one_roll_are_independent() -> None:
    """Pairs of two dice of one roll spread evenly over the 36 cells (99.9 per cent point of 35 degrees: 66.6)."""
    dice = VerifiedDice("game", SECRET)
    pairs = []
    for ply in range(7200):
        roller = dice.roller(ply, "attack")
        pairs.append(6 * (roller.die(6) - 1) + roller.die(6))
    assert chi_square(pairs, 36) < 66.6


def test_verified_dice_depend_on_secret_name_ply_and_purpose_only() -> None:
    def rolls(name: str, secret: bytes, ply: int, purpose: str) -> list[int]:
        roller = VerifiedDice(name, secret).roller(ply, purpose)
        return [roller.die(1000) for _ in range(5)]

    base = rolls("game", SECRET, 3, "attack")
    assert base == rolls("game", SECRET, 3, "attack")
    assert base != rolls("other", SECRET, 3, "attack")
    assert base != rolls("game", SECRET[::-1], 3, "attack")
    assert base != rolls("game", SECRET, 4, "attack")
    assert base != rolls("game", SECRET, 3, "supply")


def test_verified_dice_never_change_between_versions() -> None:
    """Records of earlier versions must still verify, so these faces are fixed for ever."""
    roller = VerifiedDice("game", SECRET).roller(0, "attack")
    assert [roller.die(6) for _ in range(10)] == GOLDEN


def test_commitment_is_the_hash_of_the_secret() -> None:
    assert VerifiedDice("game", SECRET).commitment == hashlib.sha256(SECRET).hexdigest()


def test_each_game_has_its_own_secret() -> None:
    assert VerifiedDice("game").secret != VerifiedDice("game").secret
    assert len(VerifiedDice("game").secret) == 32


def test_seeded_dice_repeat_by_seed() -> None:
    def first(seed: int | str) -> list[int]:
        dice = SeededDice(seed)
        return [dice.roller(0, "").die(6) for _ in range(20)]

    assert first("4/2") == first("4/2")
    assert first("4/2") != first("4/3")


def test_scripted_dice_give_their_faces_and_then_complain() -> None:
    dice = ScriptedDice([3, 6])
    assert [dice.roller(0, "").die(6), dice.roller(1, "").die(6)] == [3, 6]
    with pytest.raises(SalientError, match="no die left"):
        dice.die(6)


def test_scripted_face_must_be_on_the_die() -> None:
    with pytest.raises(Unreadable, match="1 to 6, not 7"):
        ScriptedDice([7]).die(6)


def test_typed_dice_roll_nothing_by_themselves() -> None:
    with pytest.raises(SalientError, match="people"):
        TypedDice().roller(9, "supply")
