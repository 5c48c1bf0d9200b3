"""What the judge sees, and what the captain makes of it."""

from __future__ import annotations

from typing import Any

from tests.games.ardennes44.conftest import stage

from salient import load
from salient.bots.captain import Captain
from salient.kernel import legal

GAME = load("ardennes44")


def value(lines: str, **changes: Any) -> float:
    return GAME.evaluate(stage("german", lines, **changes), "german")


def test_what_is_good_for_one_is_bad_for_the_other() -> None:
    s = GAME.new()
    german, allied = GAME.features(s, "german"), GAME.features(s, "allied")
    assert {name: -value for name, value in german.items()} == allied


def test_victory_hexes_and_strength_count() -> None:
    assert value("3413 2Pz/2") > value("3414 2Pz/2")
    assert value("2216 2Pz/2") > value("2216 2Pz/2 lost=1")
    assert value("2216 2Pz/2\n3413 84/334 routed") > value("2216 2Pz/2\n3413 84/334")


def test_odds_in_sight_count_while_units_move(moving: Any) -> None:
    """Two regiments beside an enemy are worth more than the second one behind the first; in combat it is all one."""
    beside = moving("german", "6637 99Norw\n6638 26VG/39\n6636 26VG/77").state
    behind = moving("german", "6637 99Norw\n6638 26VG/39\n6640 26VG/77").state
    assert GAME.features(beside, "german")["massing"] > GAME.features(behind, "german")["massing"] > 0
    assert GAME.features(stage("german", "6637 99Norw\n6638 26VG/39"), "german")["massing"] == 0


def test_candidates_are_legal_and_fewer(moving: Any) -> None:
    table = moving("german", "2216 2Pz/3/1", turn=5).play("select 2Pz/3/1")
    chosen = GAME.candidates(table.state)
    assert set(chosen) <= set(legal(table.state))
    assert 0 < len(chosen) < len(legal(table.state))


def test_the_captain_attacks_at_good_odds_and_lets_bad_ones_be(fighting: Any) -> None:
    strong = fighting("german", "6637 99Norw\n6638 2Pz/2, 2Pz/3/1\n6636 2Pz/304")
    assert Captain(GAME, "german").choose(strong.state).action[0] == "attack"
    weak = fighting("german", "6637 2/9\n6638 2Pz/304")
    assert Captain(GAME, "german").choose(weak.state).action == ("pass",)
