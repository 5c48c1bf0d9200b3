"""Every rule of every book: a row in RULES.md, a test of its number, and the module that carries it out."""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

import pytest

import salient
from salient import load
from salient.cli.coverage import Coverage, coverage_of, in_book_order

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from rules import digest, rules_file, told_anew

GAMES = ("target-arnhem", "bulge", "deadly-woods", "ardennes44")
PACKAGES = Path(salient.__file__).parent / "games"
NUMBER = r"S?[0-9]+[a-z]?(?:\.[0-9]+[a-z]?)*"
RANGE = re.compile(rf"({NUMBER}) to ({NUMBER})")


@cache
def coverage(game: str) -> Coverage:
    return coverage_of(load(game))


@cache
def rules_in(game: str, module: str) -> tuple[frozenset[str], tuple[tuple[str, str], ...]]:
    """The numbers that a module names, and its ranges such as `2.1 to 2.9`."""
    text = (PACKAGES / game.replace("-", "_") / f"{module}.py").read_text(encoding="utf-8")
    return frozenset(re.findall(NUMBER, text)), tuple(RANGE.findall(text))


def is_named(game: str, module: str, rule: str) -> bool:
    numbers, ranges = rules_in(game, module)
    place = in_book_order(rule)
    return rule in numbers or any(in_book_order(a) <= place <= in_book_order(b) for a, b in ranges)


@pytest.mark.parametrize("game", GAMES)
def test_rules_are_told_once(game: str) -> None:
    """The words of RULES.md are those of the digest: `python tools/rules.py` copies them."""
    told, words = rules_file(game).read_text("utf-8"), digest(game)
    assert told == told_anew(told, words), "run: python tools/rules.py"
    listed = {rule.number for rule in coverage(game).rules}
    assert listed <= set(words)
    assert all("." not in number for number in set(words) - listed), "only chapters stand in the digest alone"


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_has_a_test(game: str) -> None:
    assert [rule.number for rule in coverage(game).rules if not rule.tests] == []
    assert coverage(game).per_cent == 100


@pytest.mark.parametrize("game", GAMES)
def test_every_test_of_a_rule_has_a_row(game: str) -> None:
    assert coverage(game).unlisted == ()


@pytest.mark.parametrize("game", GAMES)
def test_the_module_of_a_row_names_the_rule(game: str) -> None:
    rows = [(rule.number, module) for rule in coverage(game).rules for module in rule.module.split(", ")]
    assert [row for row in rows if not is_named(game, row[1], row[0])] == []
