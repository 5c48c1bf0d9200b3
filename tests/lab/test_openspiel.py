"""The games in OpenSpiel: its random simulations, its playthroughs, its own tree search. `make test-lab` runs these."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import generate_playthrough, mcts  # noqa: E402
from tests.lab.late import late_position  # noqa: E402

from salient.games import game_ids, load  # noqa: E402
from salient.lab.openspiel import JudgeEvaluator  # noqa: E402

pytestmark = pytest.mark.lab


def late_game(game: str, plies: int, folder: Path, actions: str = "index") -> str:
    """The name by which OpenSpiel loads a game that begins `plies` actions before the end of a random one."""
    file = folder / "position.txt"
    file.write_text(load(game).write_position(late_position(game, plies)), encoding="utf-8")
    return f"salient(game={game},position={file},actions={actions})"


@pytest.mark.parametrize("game", game_ids())
def test_random_simulation(game: str, tmp_path: Path) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(late_game(game, 40, tmp_path)), 2, True, False)


def test_random_simulation_from_the_first_position() -> None:
    pyspiel.random_sim_test(pyspiel.load_game("salient(game=target-arnhem)"), 1, False, False)


def test_random_simulation_by_fixed_codes(tmp_path: Path) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(late_game("target-arnhem", 40, tmp_path, "fixed")), 1, True, False)


@pytest.mark.parametrize("game", game_ids())
def test_playthroughs_repeat(game: str, tmp_path: Path) -> None:
    name = late_game(game, 1, tmp_path)
    told = generate_playthrough.playthrough_lines(name, seed=1)
    assert told == generate_playthrough.playthrough_lines(name, seed=1)
    assert any(line.startswith("IsTerminal() = True") for line in told)


@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize("actions", ["index", "fixed"])
def test_its_tree_search_plays_to_the_end(game: str, actions: str, tmp_path: Path) -> None:
    played = pyspiel.load_game(late_game(game, 25, tmp_path, actions))
    search = mcts.MCTSBot(played, 1.5, 8, JudgeEvaluator(), random_state=np.random.RandomState(1))
    state, rng = played.new_initial_state(), random.Random(1)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.choice([outcome for outcome, _ in state.chance_outcomes()]))
        else:
            state.apply_action(search.step(state))
    assert sum(state.returns()) == 0
