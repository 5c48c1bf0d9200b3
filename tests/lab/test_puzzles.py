"""Problems with known best play: every one is solved again, and players are measured by them."""

from __future__ import annotations

import pytest

from salient.bots import make
from salient.games import game_ids, load
from salient.kernel import Unreadable, actor, candidates
from salient.lab.puzzles import KINDS, Puzzle, puzzle, puzzles, score_of, solve

ALL = puzzles()


def test_there_are_problems_of_every_kind() -> None:
    for game in game_ids():
        kinds = {each.kind for each in puzzles(game)}
        assert kinds == set(KINDS)


@pytest.mark.parametrize("problem", ALL, ids=[each.name for each in ALL])
def test_the_best_play_is_what_exhaustive_search_finds(problem: Puzzle) -> None:
    game, state = load(problem.game), problem.state()
    assert game.check(state) == []
    assert actor(state) == problem.seat
    values = solve(game, state, problem.seat, problem.goal, problem.until)
    assert len(values) == len(candidates(state))
    assert max(values.values()) == pytest.approx(problem.value)
    assert min(values.values()) == pytest.approx(problem.worst)
    assert {text for text, value in values.items() if value > problem.value - 1e-6} == set(problem.best)


@pytest.mark.parametrize("level", ["random", "captain"])
def test_a_player_scores_between_nothing_and_all(level: str) -> None:
    problem = puzzles("target-arnhem")[0]
    player = make(level, load(problem.game), problem.seat, 1)
    assert 0 <= score_of(problem, player) <= 1


def test_a_problem_that_is_not_there_is_named() -> None:
    with pytest.raises(Unreadable, match="“mate-in-two” is not a valid problem"):
        puzzle("mate-in-two")
