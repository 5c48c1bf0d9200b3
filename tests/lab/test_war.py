"""`tools/war.py`: who holds which place when, over games on record."""

from __future__ import annotations

import pytest
from tools.war import War, main, places

from salient import load
from salient.kernel import Record, step
from salient.lab.simulate import Match, play_one


@pytest.fixture(scope="module")
def records() -> list[str]:
    return [play_one(Match("target-arnhem", ("greedy", "random")), index).record for index in range(2)]


def test_a_place_belongs_to_who_stood_there_last(records):
    game, record = load("target-arnhem"), Record.parse(records[0])
    war, state = War(game, record), record.start(game)
    for move in record.moves:
        state = step(state, game.read(move.text))
    sides = {unit: about["side"] for unit, about in game.components()["units"].items()}
    standing = {
        seen["where"]: sides[unit]
        for unit, seen in game.view.observe(state, "allied")["units"].items()
        if seen.get("where") in places(game, record)
    }
    assert standing
    assert {place: war.holders[place] for place in standing} == standing
    assert max(war.strengths) == game.stage(state).turn
    assert war.winner == game.result(state).winner


def test_places_are_told_by_name_with_the_turns_in_which_they_fell(records, tmp_path, capsys):
    for index, record in enumerate(records):
        (tmp_path / f"{index}.salient").write_text(record, encoding="utf-8")
    main(str(tmp_path))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("2 games: {")
    (arnhem,) = (line for line in lines if line.startswith("1504 Arnhem: "))
    firsts = [War(load("target-arnhem"), Record.parse(record)).taken for record in records]
    came = sum(("1504", "german") in taken for taken in firsts)
    assert f"german in {came}" in arnhem
    assert lines[-1].startswith("turn 9, ")
