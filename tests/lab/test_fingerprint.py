"""Seeded games go as they went: `python tools/fingerprint.py` renews the file after a change of rules."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from salient.games import load
from salient.lab.fingerprint import player_fingerprint, rules_fingerprint

ROWS = list(
    csv.DictReader((Path(__file__).parent.parent / "fingerprints.csv").read_text(encoding="utf-8").splitlines())
)


@pytest.mark.parametrize(
    "row", ROWS, ids=lambda row: "-".join((row["game"], row["scenario"], row["what"], row["seed"]))
)
def test_seeded_games_go_as_they_went(row: dict[str, str]) -> None:
    """Rules: every legal list of a random game. A player: its first choices."""
    game, seed, length = load(row["game"]), int(row["seed"]), int(row["length"])
    if row["what"] == "rules":
        assert rules_fingerprint(game, row["scenario"], seed, length) == row["checksum"]
    else:
        assert player_fingerprint(game, row["scenario"], row["what"], seed, length) == row["checksum"]


def test_a_change_of_rules_changes_the_fingerprint() -> None:
    game = load("target-arnhem")
    assert rules_fingerprint(game, "historical", 0, 50) != rules_fingerprint(game, "historical", 1, 50)
