"""Time for a choice: every level gives a legal action whenever it is stopped, and the best that it has found."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from salient import bots, load
from salient.bots.advice import advise
from salient.bots.clock import Clock
from salient.games import game_ids
from salient.kernel import CHANCE, AnyGame, GameOver, SeededDice, Session, State, Unreadable, actor, legal

THINKING = [level for level in bots.LEVELS if level != "random" and "/" not in level]


class Looks(Clock):
    """A clock that is over after so many looks at it."""

    looks = 0
    enough = 0

    @property
    def is_over(self) -> bool:
        self.looks += 1
        return self.looks > self.enough


def decisions(game: AnyGame, count: int) -> Iterator[State]:
    """Positions with something to choose, of a game played at random."""
    session = Session(game, SeededDice(1), "", {}, {}, "clock")
    mind = SeededDice("random").random
    while count:
        if session.actor == CHANCE:
            session.roll()
            continue
        choices = game.judge.candidates(session.state)
        if len(choices) > 3:
            count -= 1
            yield session.state
        session.play(session.actor, mind.choice(choices))


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> AnyGame:
    """A game whose judge raises whenever it is asked."""
    game = load(request.param)

    def fail(*args: object) -> float:
        raise ZeroDivisionError("no such number")

    monkeypatch.setattr(game.judge, "evaluate", fail)
    monkeypatch.setattr(game.judge, "features", fail)
    return game


@pytest.mark.parametrize("failing", game_ids(), indirect=True)
@pytest.mark.parametrize("level", bots.LEVELS)
def test_without_time_a_legal_action_is_played_and_no_judge_asked(failing, level):
    for state in decisions(failing, 8):
        player = bots.make(level, failing, actor(state), 1)
        assert player.choose(state, 0.0).action in legal(state)


@pytest.mark.parametrize("name", game_ids())
@pytest.mark.parametrize("level", THINKING)
@pytest.mark.parametrize("enough", [1, 3])
def test_a_clock_that_runs_out_in_the_middle_leaves_a_legal_action(name, level, enough):
    game = load(name)
    ran_out = False
    for state in decisions(game, 3):
        player, clock = bots.make(level, game, actor(state), 1), Looks()
        player.alone, clock.enough = True, enough
        assert player.decide(state, clock).action in legal(state)
        ran_out |= clock.looks > enough
    assert ran_out


@pytest.mark.parametrize("name", game_ids())
def test_a_planner_tells_how_far_it_is_and_stops_when_it_is_told_to(name):
    game = load(name)
    state = next(decisions(game, 1))
    player = bots.make("planner@20", game, actor(state), 1)
    player.stage, told = (), []

    def tell(done: int, total: int) -> None:
        told.append((done, total))
        player.stop()

    player._is_worth_a_plan = lambda state: True
    assert player.choose(state, tell=tell).action in legal(state)
    assert len(told) == 1
    assert 0 < told[0][0] <= told[0][1]


@pytest.mark.parametrize("name", game_ids())
def test_advice_without_time_is_one_legal_action(name):
    game = load(name)
    state = next(decisions(game, 1))
    found = advise(game, state, actor(state), 1, 0.0)
    assert len(found) == 1
    assert found[0].action in legal(state)


@pytest.mark.parametrize("name", game_ids())
@pytest.mark.parametrize("level", bots.LEVELS)
def test_a_position_that_is_over_leaves_nothing_to_choose(name, level):
    game = load(name)
    over = game.new().clone()
    over.stack = (GameOver(),)
    with pytest.raises(Unreadable, match="nothing to choose"):
        bots.make(level, game, game.seats[0], 1).choose(over)


@pytest.mark.parametrize("name", game_ids())
def test_a_weight_of_another_name_is_named_with_its_file(name, tmp_path):
    game = load(name)
    file = tmp_path / "mine.toml"
    file.write_text(f'[{game.seats[0]}]\ncourage = {{value = 1.0, range = [0.0, 3.0], source = "house"}}\n')
    with pytest.raises(Exception, match=r"mine\.toml, line 2: there is no feature “courage” to weigh"):
        bots.seated(f"captain+{file}", game, game.seats[0])
