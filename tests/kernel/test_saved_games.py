"""Saved games of earlier versions: each record of tests/records still tells the same game, or says why it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from salient import game_ids, load
from salient.kernel import OVER, Record, Unreadable, actor

RECORDS = sorted((Path(__file__).parent.parent / "records").glob("*.salient"))


@pytest.mark.parametrize("file", RECORDS, ids=[file.stem for file in RECORDS])
def test_a_saved_game_is_still_true(file: Path) -> None:
    """Of the rules of today: replayed to its end, its dice checked. Of older rules: refused, both versions named."""
    record = Record.parse(file.read_text(encoding="utf-8"))
    assert record.header["game"] in game_ids()
    game = load(record.header["game"])
    assert file.stem == f"{game.id}-{record.header['rules']}"
    if int(record.header["rules"]) == game.rules_version:
        assert "secret" in record.header
        assert actor(record.verify(game)) == OVER
    else:
        with pytest.raises(Unreadable, match=f"version {record.header['rules']}; .* version {game.rules_version}"):
            record.verify(game)


def test_there_are_saved_games() -> None:
    assert RECORDS
