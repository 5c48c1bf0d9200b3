"""Which rules of a game have tests: its RULES.md against the names of the tests."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import salient
from salient.kernel import AnyGame, Unreadable
from salient.text.catalog import package_of

RULE_TEST = re.compile(r"test_(s?[0-9]+[a-z]?(?:_[0-9]+[a-z]?)*)_")
TESTS = Path(salient.__file__).parents[2] / "tests" / "games"


@dataclass(frozen=True)
class Rule:
    """One row of RULES.md and the tests named after it."""

    number: str
    words: str
    module: str
    status: str
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Coverage:
    """The rules of a game, and tests named after rules that it does not list."""

    rules: tuple[Rule, ...]
    unlisted: tuple[str, ...]

    @property
    def covered(self) -> int:
        """How many rules have a test."""
        return sum(bool(rule.tests) for rule in self.rules)

    @property
    def per_cent(self) -> float:
        """The share of rules that have a test."""
        return 100 * self.covered / max(1, len(self.rules))

    def as_json(self) -> dict[str, Any]:
        """All as plain JSON values."""
        return {"rules": [asdict(rule) for rule in self.rules], "unlisted": self.unlisted, "per_cent": self.per_cent}


def coverage_of(game: AnyGame) -> Coverage:
    """Read RULES.md and find the tests `test_<rule number with _>_...` of the game."""
    package = package_of(game)
    file = resources.files(package) / "RULES.md"
    if not file.is_file():
        raise Unreadable("no-rules-list", text=game.title)
    rows = table_rows(file.read_text(encoding="utf-8"))
    tests = tests_by_rule(TESTS / package.rpartition(".")[2], {row[0].lower() for row in rows})
    rules = tuple(Rule(*row, tuple(tests.pop(row[0].lower(), ()))) for row in rows)
    return Coverage(rules, tuple(sorted(tests, key=in_book_order)))


def titles_of(game: AnyGame, lang: str) -> dict[str, str]:
    """What each rule is about, from the digest that players read."""
    file = resources.files("salient") / "web" / "help" / f"{game.id}.{lang}.json"
    if not file.is_file():
        file = resources.files("salient") / "web" / "help" / f"{game.id}.en.json"
    return {rule["rule"]: rule["title"] for rule in json.loads(file.read_text(encoding="utf-8"))["rules"]}


def table_rows(text: str) -> list[tuple[str, str, str, str]]:
    """The rows `| rule | words | module | status |` of a Markdown text, its header lines left out."""
    rows = []
    for line in text.splitlines():
        cells = [cell.strip().strip("`") for cell in line.strip().strip("|").split("|")]
        if line.lstrip().startswith("|") and len(cells) == 4 and re.match(r"[0-9A-Z]", cells[0]):
            rows.append((cells[0], cells[1], cells[2], cells[3]))
    return rows


def tests_by_rule(folder: Path, listed: set[str]) -> dict[str, list[str]]:
    """The names of a folder's tests, by the number in them; `test_4_1_3_hexes` tests 4.1 if there is no 4.1.3."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and (match := RULE_TEST.match(node.name)):
                found.setdefault(_listed_number(match[1].replace("_", "."), listed), []).append(node.name)
    return found


def _listed_number(number: str, listed: set[str]) -> str:
    shorter = number
    while shorter:
        if shorter in listed:
            return shorter
        shorter = shorter.rpartition(".")[0]
    return number


def in_book_order(number: str) -> list[tuple[int, str]]:
    """A key that puts 10.2 after 9.3."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in number.split(".")]
