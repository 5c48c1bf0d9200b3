"""The examples of docs/NOTATION.md are true: they can be read, and the record replays."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from salient import CHANCE, Record, VerifiedDice, load

PAGE = (Path(__file__).parents[2] / "docs" / "NOTATION.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```\n(.*?)```", PAGE, re.DOTALL)


def example(beginning: str) -> str:
    return next(text for text in EXAMPLES if text.startswith(beginning))


def test_the_record_verifies_and_is_canonical() -> None:
    text = example("salient-record")
    record = Record.parse(text)
    record.verify(load(record.header["game"]))
    assert record.text() == text


def test_the_die_of_the_record_follows_from_the_secret() -> None:
    """The example's secret is 32 zero bytes."""
    game = load("target-arnhem")
    record = Record.parse(example("salient-record"))
    dice = VerifiedDice(record.header["name"], bytes(32))
    assert dice.commitment == record.header["commitment"]
    number, rolled = next((i, move) for i, move in enumerate(record.moves) if move.seat == CHANCE)
    before = list(record.replay(game))[number]
    frame = before.stack[-1]
    assert game.write(frame.sample(before, dice.roller(0, frame.purpose(before)))) == rolled.text


def test_the_position_can_be_read_and_is_canonical() -> None:
    game = load("target-arnhem")
    text = example("position")
    assert game.write_position(game.read_position(text)) == text


@pytest.mark.parametrize("line", example("move").splitlines())
def test_the_actions_can_be_read_and_are_canonical(line: str) -> None:
    game = load("target-arnhem")
    assert game.write(game.read(line)) == line
