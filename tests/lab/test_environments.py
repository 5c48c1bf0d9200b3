"""The games as PettingZoo and Gymnasium environments: their own conformance suites, masks, seeds, rewards."""

from __future__ import annotations

import random

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, performance_benchmark, seed_test
from tests.lab.late import late_position

from salient.games import game_ids, load
from salient.kernel import CHANCE, Unreadable, candidates, legal
from salient.lab.actions import most_offered
from salient.lab.gym import SalientGym
from salient.lab.observation import FEATURES, Observer
from salient.lab.pettingzoo import env

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize("chance", ["inside", "agent"])
def test_pettingzoo_api(game: str, chance: str) -> None:
    api_test(env(game, chance=chance), num_cycles=20)


@pytest.mark.parametrize("game", game_ids())
def test_pettingzoo_seeds(game: str) -> None:
    seed_test(lambda: env(game), num_cycles=20)


@pytest.mark.parametrize("game", game_ids())
def test_pettingzoo_benchmark(game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The suite's own benchmark plays for five seconds; here its clock runs ten times as fast."""
    from pettingzoo.test import performance_benchmark as module

    clock = module.__globals__["time"]
    real = clock.time
    monkeypatch.setattr(clock, "time", lambda: real() * 10)
    performance_benchmark(env(game))
    assert "turns per second" in capsys.readouterr().out


@pytest.mark.parametrize("game", game_ids())
def test_gymnasium_api(game: str) -> None:
    check_env(SalientGym(game, opponent="random"), skip_render_check=True)


@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize("chance", ["inside", "agent"])
def test_a_game_ends_with_opposite_rewards(game: str, chance: str) -> None:
    world = env(game, chance=chance, observation="none")
    world.reset(seed=5, options={"position": load(game).write_position(late_position(game, 30))})
    rng = random.Random(5)
    rewards = dict.fromkeys(world.possible_agents, 0.0)
    for agent in world.agent_iter():
        _, reward, ended, _, _ = world.last()
        rewards[agent] += reward
        world.step(None if ended else rng.randrange(len(world.offers)))
    result = load(game).result(world.state_now)
    assert result is not None
    assert {seat for seat, reward in rewards.items() if reward == 1} == ({result.winner} - {None})
    assert sum(rewards.values()) == 0


def test_the_mask_shows_what_is_offered_and_nothing_to_the_other_seat() -> None:
    world = env("target-arnhem")
    world.reset(seed=1)
    acting = world.agent_selection
    other = next(seat for seat in world.agents if seat != acting)
    assert world.observe(acting)["action_mask"].sum() == len(candidates(world.state_now)) > 0
    assert world.observe(other)["action_mask"].sum() == 0


def test_an_action_that_is_not_offered_is_refused() -> None:
    world = env("target-arnhem", observation="none")
    world.reset(seed=1)
    with pytest.raises(ValueError, match=r"chose action 2047; .* are offered"):
        world.step(2047)


def test_chance_as_an_agent_tells_its_probabilities() -> None:
    world = env("target-arnhem", chance="agent", observation="none")
    world.reset(seed=2)
    rng = random.Random(2)
    while world.agent_selection != CHANCE:
        world.step(rng.randrange(len(world.offers)))
    shares = world.infos[CHANCE]["probabilities"]
    assert len(shares) == len(world.offers)
    assert shares.sum() == pytest.approx(1)


def test_a_learner_who_chooses_nothing_offered_loses() -> None:
    world = SalientGym("target-arnhem", opponent="random")
    world.reset(seed=1)
    _, reward, ended, _, info = world.step(most_offered(world.game) - 1)
    assert (reward, ended, info) == (-1.0, True, {"illegal": True})


def test_a_seat_that_is_not_there_is_named() -> None:
    with pytest.raises(Unreadable, match="There is no seat “axis”"):
        SalientGym("target-arnhem", seat="axis")


@pytest.mark.parametrize("game", game_ids())
def test_lists_fit_into_the_action_space(game: str) -> None:
    state = late_position(game, 0)
    assert legal(state) == []
    assert len(candidates(load(game).new())) <= most_offered(load(game)) // 2


# ---- observations --------------------------------------------------------------------


@pytest.mark.parametrize("game", game_ids())
def test_every_piece_on_the_map_is_counted_once(game: str) -> None:
    """The rows of places hold all pieces of the view, own and enemy, and turn over with the seat."""
    rules = load(game)
    observer = Observer(rules)
    state = late_position(game, 30)
    first, second = (observer.arrays(rules.view.observe(state, seat), seat)["places"] for seat in rules.seats)
    view = rules.view.observe(state, rules.seats[0])
    shown = [seen for seen in view["units"].values() if seen.get("where") in observer.row]
    pieces = sum(int(str(seen["values"])[1:]) if "×" in str(seen.get("values", "")) else 1 for seen in shown)
    half = len(FEATURES) // 2
    assert first[:, 0].sum() + first[:, half].sum() == pieces > 0
    assert (first[:, 0] == second[:, half]).all()


@pytest.mark.parametrize("game", game_ids())
def test_the_graph_is_that_of_the_board(game: str) -> None:
    observer = Observer(load(game))
    edges = observer.edges
    both = set(map(tuple, edges.T.tolist()))
    assert both == {(b, a) for a, b in both}
    assert edges.max() < len(observer.places)
    kinds, terrain = observer.terrain
    assert terrain.shape == (len(observer.places), len(kinds))
    assert observer.board is not None
    assert terrain.sum() == len(observer.board.labels)


@pytest.mark.parametrize("game", game_ids())
def test_planes_keep_every_hex(game: str) -> None:
    observer = Observer(load(game))
    assert observer.board is not None
    hexes = len(observer.board.labels)
    rows = np.arange(observer.shape[0] * len(FEATURES), dtype=np.float32).reshape(observer.shape)
    image = observer.planes(rows)
    lines, columns = observer.cells.T
    assert (image[:, lines, columns] == rows[:hexes].T).all()
    assert len(set(map(tuple, observer.cells.tolist()))) == hexes
