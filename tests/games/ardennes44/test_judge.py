"""What the judge sees, and what the captain makes of it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.ardennes44.positions import stage
from salient import load
from salient.bots.captain import Captain
from salient.games.ardennes44.survey import survey
from salient.kernel import legal
from salient.lab.playouts import random_states

GAME = load("ardennes44")


def value(lines: str, **changes: Any) -> float:
    return GAME.judge.evaluate(stage("german", lines, **changes), "german")


def test_what_is_good_for_one_is_bad_for_the_other() -> None:
    s = GAME.new()
    german, allied = GAME.judge.features(s, "german"), GAME.judge.features(s, "allied")
    assert {name: -value for name, value in german.items()} == allied


def test_victory_hexes_and_strength_count() -> None:
    assert value("3413 2Pz/2") > value("3414 2Pz/2")
    assert value("2216 2Pz/2") > value("2216 2Pz/2 lost=1")
    assert value("2216 2Pz/2\n3413 84/334 routed") > value("2216 2Pz/2\n3413 84/334")


def test_odds_in_sight_count_while_units_move(moving: Any) -> None:
    """Two regiments beside an enemy are worth more than the second one behind the first; in combat it is all one."""
    beside = moving("german", "6637 99Norw\n6638 26VG/39\n6636 26VG/77").state
    behind = moving("german", "6637 99Norw\n6638 26VG/39\n6640 26VG/77").state
    assert GAME.judge.features(beside, "german")["massing"] > GAME.judge.features(behind, "german")["massing"] > 0
    assert GAME.judge.features(stage("german", "6637 99Norw\n6638 26VG/39"), "german")["massing"] == 0


def test_candidates_are_legal_and_fewer(moving: Any) -> None:
    table = moving("german", "2216 2Pz/3/1", turn=5).play("select 2Pz/3/1")
    chosen = GAME.judge.candidates(table.state)
    assert set(chosen) <= set(legal(table.state))
    assert 0 < len(chosen) < len(legal(table.state))


def test_the_captain_attacks_at_good_odds_and_lets_bad_ones_be(fighting: Any) -> None:
    strong = fighting("german", "6637 99Norw\n6638 2Pz/2, 2Pz/3/1\n6636 2Pz/304")
    assert Captain(GAME, "german").choose(strong.state).action[0] == "attack"
    weak = fighting("german", "6637 2/9\n6638 2Pz/304")
    assert Captain(GAME, "german").choose(weak.state).action == ("pass",)


@pytest.mark.parametrize("seed", range(2))
def test_a_mended_survey_equals_a_fresh_one(seed: int) -> None:
    """Surveyed only now and then, so that many pieces have changed in between."""
    rng = random.Random(seed)
    looked = 0
    for s in random_states(GAME, seed, "six-turns", 1200):
        if rng.random() < 0.05:
            mended, fresh = survey(s), s.clone()
            fresh.surveyed = None
            assert mended == survey(fresh)
            looked += 1
    assert looked > 20


def test_germans_do_not_dig_while_they_attack(moving: Any) -> None:
    """On 16 December a regiment may begin a position, but the captain is not even offered to."""
    table = moving("german", "2216 26VG/39", turn=2)
    assert any(action[0] == "dig" for action in legal(table.state))
    assert not any(action[0] == "dig" for action in GAME.judge.candidates(table.state))


def test_guns_are_wanted_where_they_reach_the_front() -> None:
    """A gun beside the attackers is worth more than one far behind them, and more than one in the first line."""
    line = "2216 26VG/39\n2315 28/110/1\n"
    near, far, first = (GAME.judge.features(stage("german", line + gun), "german")["guns"] for gun in GUN_PLACES)
    assert near > far
    assert near > first


GUN_PLACES = ("2017 VAK766", "0617 VAK766", "2215 VAK766")


def test_a_garrison_keeps_a_town_closed() -> None:
    """An empty Bastogne before German spearheads is worth more to them than one with a battalion in it."""
    empty, guarded = (stage("german", "3213 2Pz/2" + more) for more in ("", "\n3313 28/110/1\n3413 28/110/2"))
    assert GAME.judge.features(empty, "german")["breakthrough"] > GAME.judge.features(guarded, "german")["breakthrough"]
