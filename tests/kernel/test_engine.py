"""The engine: whose decision, what is legal, three distinct errors, and positions that never change."""

from __future__ import annotations

import pytest

from salient.kernel import CHANCE, OVER, AnyGame, Illegal, NotYourTurn, Unreadable, actor, legal, step, why_not
from salient.kernel.engine import settle
from salient.kernel.messages import Event, EventList, Refusal


def play(game: AnyGame, *texts: str):
    state = game.new()
    for text in texts:
        state = step(state, game.read(text))
    return state


def test_actors_follow_the_stack(crossing: AnyGame) -> None:
    s = play(crossing)
    assert actor(s) == "blue"
    s = play(crossing, "hide 2", "move r1 2", "move r2 2", "end")
    assert actor(s) == CHANCE
    s = play(crossing, "hide 2", "move r1 2", "end", "roll 5")
    assert actor(s) == "red"


def test_what_is_pushed_last_comes_first(crossing: AnyGame) -> None:
    """Two trapped units are rolled for in their order before red's next turn."""
    s = play(crossing, "hide 2", "move r1 2", "move r2 2", "end")
    assert [type(frame).__name__ for frame in s.stack] == ["EndOfTurn", "RedTurn", "Ambush", "Ambush"]
    s = step(s, ("roll", 1))
    assert s.at == [0, 2]


def test_events_carry_rule_and_arguments(crossing: AnyGame) -> None:
    events = EventList()
    step(play(crossing, "hide 2"), ("move", 0, "2"), events)
    assert events == [Event("2", "moved", unit=0, field_to="2")]


def test_step_leaves_the_old_position_alone(crossing: AnyGame) -> None:
    s = play(crossing, "hide 2")
    before = s.key()
    step(s, ("move", 0, "2"))
    assert s.key() == before


def test_illegal_action_says_why_and_changes_nothing(crossing: AnyGame) -> None:
    s = play(crossing, "hide 2", "move r1 2")
    before = s.key()
    with pytest.raises(Illegal) as caught:
        step(s, ("move", 0, "3"))
    assert caught.value.refusals == [Refusal("2", "moved-already", unit=0)]
    assert caught.value.refusals == why_not(s, ("move", 0, "3")) == crossing.why_not(s, ("move", 0, "3"))
    assert "[2] moved-already" in str(caught.value)
    assert s.key() == before


def test_legal_action_has_no_refusal(crossing: AnyGame) -> None:
    assert why_not(play(crossing, "hide 2"), ("end",)) == []


def test_the_wrong_seat_may_not_act(crossing: AnyGame) -> None:
    with pytest.raises(NotYourTurn, match="Red cannot act now; it is up to: blue"):
        step(play(crossing), ("hide", "2"), seat="red")


def test_trusted_steps_are_not_checked_again(crossing: AnyGame) -> None:
    s = play(crossing, "hide 2", "move r1 2")
    assert step(s, ("move", 0, "3"), trusted=True).at == [3, 1]


def test_a_finished_game_offers_nothing(crossing: AnyGame) -> None:
    s = play(crossing, *["hide 2", "end", "end", "end", "end", "end"])
    assert actor(s) == OVER
    assert legal(s) == []
    with pytest.raises(Illegal) as caught:
        step(s, ("end",))
    assert caught.value.refusals == [Refusal("", "game-is-over")]
    result = crossing.result(s)
    assert result is not None
    assert (result.winner, result.rule) == ("blue", "5")


def test_settle_leaves_a_decision_on_top(crossing: AnyGame) -> None:
    s = play(crossing)
    before = s.key()
    settle(s)
    assert s.key() == before


def test_unknown_scenario_option_and_choice_are_refused(crossing: AnyGame) -> None:
    with pytest.raises(Unreadable, match=r"no scenario “short”\. Scenarios: standard and long"):
        crossing.new("short")
    with pytest.raises(Unreadable, match=r"no option “fog”\. Options: probe"):
        crossing.new("", {"fog": "yes"})
    with pytest.raises(Unreadable, match="“maybe” is not one of yes and no"):
        crossing.new("", {"probe": "maybe"})


def test_options_reach_the_position(crossing: AnyGame) -> None:
    s = step(crossing.new("", {"probe": "no"}), ("hide", "2"))
    assert not any(action[0] == "probe" for action in legal(s))
    assert why_not(s, ("probe", "2")) == [Refusal("3", "no-probe-left")]
