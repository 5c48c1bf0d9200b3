"""Levels, personas and strength; and what happens where there is nothing to decide or nobody able to."""

from __future__ import annotations

import pytest

from salient import bots, load
from salient.bots.advice import advise
from salient.bots.levels import Level, read_level
from salient.bots.personas import factors, personas, weights_of
from salient.games import game_ids
from salient.kernel import SeededDice, Session, legal

GAME = load("target-arnhem")


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("captain", Level("captain")),
        ("captain/bold", Level("captain", "bold")),
        ("planner@60", Level("planner", strength=60)),
        ("captain/cautious@5", Level("captain", "cautious", 5)),
        ("captain/shy", None),
        ("captain@0", None),
        ("captain@101", None),
        ("admiral", None),
        ("", None),
    ],
)
def test_a_level_is_read_from_its_name(text, level):
    assert read_level(text) == level


def test_every_level_that_is_offered_exists():
    assert all(bots.is_level(level) for level in bots.LEVELS)
    assert bots.is_level(bots.DEFAULT)


def test_every_feature_of_a_persona_is_counted_by_some_game():
    known = {name for game_id in game_ids() for name in load(game_id).judge.weights(load(game_id).seats[0])}
    assert {name for by in factors().values() for name in by} <= known


@pytest.mark.parametrize("name", game_ids())
def test_every_persona_weighs_every_game_in_its_own_way(name):
    game = load(name)
    seen = {tuple(weights_of(persona, game, game.seats[0]).values()) for persona in personas()}
    assert len(seen) == len(personas())


def opening(persona: str) -> list[str]:
    """What the Allies do first under a captain of a persona, on the same dice."""
    session = Session(GAME, SeededDice("d5"), "", {}, dict.fromkeys(GAME.seats, "captain"), "opening")
    minds = {
        "allied": bots.make(f"captain/{persona}", GAME, "allied", 1),
        "german": bots.make("captain", GAME, "german", 1),
    }
    played: list[str] = []
    while len(played) < 14:
        if session.actor not in minds:
            session.roll()
            continue
        seat, action = session.actor, minds[session.actor].choose(session.state).action
        if seat == "allied":
            played.append(GAME.write(action))
        session.play(seat, action)
    return played


def test_the_cautious_and_the_bold_open_the_game_differently():
    plain, cautious, bold = (opening(persona) for persona in ("plain", "cautious", "bold"))
    assert plain != cautious
    assert plain != bold
    assert cautious != bold


def test_a_weak_player_overlooks_and_misjudges():
    strong, weak = bots.make("captain", GAME, "allied", 1), bots.make("captain@10", GAME, "allied", 1)
    state = GAME.new()
    assert strong.noticed(state) == GAME.judge.candidates(state)
    assert 0 < len(weak.noticed(state)) < len(GAME.judge.candidates(state))
    values = {("a",): 1.0, ("b",): 0.9}
    assert {strong.best(values) for _ in range(40)} == {("a",)}
    assert {weak.best(values) for _ in range(40)} == {("a",), ("b",)}


def test_a_hint_has_two_plans_that_begin_differently():
    state = GAME.new()
    found = advise(GAME, state, "allied", 1)
    assert 1 <= len(found) <= 2
    assert len({each.action for each in found}) == len(found)
    assert all(each.action in legal(state) and each.told for each in found)
