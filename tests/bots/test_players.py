"""Computer players: the interface, determinism, fairness, strength."""

from __future__ import annotations

import gc

import pytest

from salient import SeededDice, Session, actor, bots, legal, load, step
from salient.games import game_ids
from salient.kernel import CHANCE, OVER, Unreadable

GAME = load("target-arnhem")
LEVELS = [f"{level}@4" if level in ("planner", "general") else level for level in bots.LEVELS]  # they think for long


def play(levels: dict[str, str], seed: int) -> Session:
    """One whole game."""
    session = Session(GAME, SeededDice(seed), seats=levels)
    players = {seat: bots.make(level, GAME, seat, seed) for seat, level in levels.items()}
    while session.actor != OVER:
        if session.actor == CHANCE:
            session.roll()
        else:
            session.play(session.actor, players[session.actor].choose(session.state).action)
    return session


def test_an_unknown_level_is_refused_with_the_levels_that_exist():
    with pytest.raises(Unreadable, match="random, greedy"):
        bots.make("admiral", GAME, "allied")


@pytest.mark.parametrize("level", LEVELS)
def test_a_player_repeats_itself_under_a_seed(level):
    first, second = (bots.make(level, GAME, "allied", 7).choose(GAME.new()) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("level", LEVELS)
def test_thinking_changes_nothing(level):
    state = GAME.new()
    before = state.key()
    action, _ = bots.make(level, GAME, actor(state), 1).choose(state)
    assert state.key() == before
    assert action in legal(state)


def test_a_whole_game_repeats_itself_under_a_seed():
    levels = {"allied": "greedy", "german": "random"}
    assert play(levels, 5).actions == play(levels, 5).actions


@pytest.mark.parametrize("seed", range(6))
def test_greedy_beats_random(seed):
    greedy, other = GAME.seats if seed % 2 else GAME.seats[::-1]
    result = GAME.result(play({greedy: "greedy", other: "random"}, seed).state)
    assert result is not None
    assert result.winner == greedy


@pytest.mark.parametrize("level", ["greedy", "captain"])
def test_a_choice_comes_with_its_reasons(level):
    choice = bots.make(level, GAME, "allied", 1).choose(GAME.new())
    assert choice.reasons
    assert {key for key, _ in choice.reasons} <= set(GAME.judge.features(GAME.new(), "allied"))
    assert [abs(gain) for _, gain in choice.reasons] == sorted((abs(gain) for _, gain in choice.reasons), reverse=True)


def test_reasons_are_counted_for_the_own_seat():
    state = GAME.new()
    allied, german = (GAME.judge.features(state, seat) for seat in GAME.seats)
    assert allied == {key: -value for key, value in german.items()}


POSITION = """
position target-arnhem
turn 4 impulse 1
points wehrmacht=4 ss=0 1abn=0 82abn=0 101abn=0
{units}
stack Turn(allied-impulse-1) EndOfImpulse(0) Impulse(0)
"""


def captain_plays(units: str, actions: int) -> list[str]:
    """What the captain does with the Allies, until a die is rolled or the impulse ends."""
    state = GAME.read_position(POSITION.format(units=units))
    captain = bots.make("captain", GAME, "allied", 1)
    played = []
    for _ in range(actions):
        action = captain.choose(state).action
        played.append(GAME.write(action))
        state = step(state, action)
        if actor(state) != "allied":
            break
    return played


def test_captain_joins_units_for_an_attack_that_none_could_make_alone():
    played = captain_plays("0103 69\n0302 231, 129\n0303 Kerutt", 4)
    assert played[:3] == ["attack 0303", "join 231", "join 129"]
    assert played[3].startswith(("resolve", "bombard"))


def test_captain_leaves_a_hopeless_attack_alone():
    played = captain_plays("0103 69\n0303 Kerutt, 107Pz, 59/A\n0403 501", 6)
    assert not any(action.startswith("attack") for action in played)


def test_captain_leaves_no_more_than_three_units_in_a_hex():
    """Four units in 0103 that could all go up the road: none is left to die."""
    played = captain_plays("0103 231, 129, 214, 69\n1604 Kussin", 12)
    moved = {action.split()[1] for action in played if action.startswith("move")}
    assert moved & {"231", "129", "214", "69"}
    assert played[-1] == "pass"


ACTIVATED = """
position bulge
turn 2
front 0607 0707 0708 0806
0604 allied-infantry 1
0806 axis-infantry 1, axis-tank 1, axis-supply 2
0906 allied-infantry 1
stack Turn(axis-movement) Movement(0,0) Activate(0)
"""


def test_a_plan_ends_where_the_same_question_comes_again():
    """The moves of an activated hex are one question: the plan answers it once, then it is weighed anew."""
    game = load("bulge")
    state = step(game.read_position(ACTIVATED), game.read("activate 0806"))
    captain = bots.make("captain", game, "axis", 1)
    line = [game.read("move axis-infantry-0806 0706 1"), game.read("move axis-tank-0806 0707 1"), ("pass",)]
    captain._remember(state, line, [])
    assert [choice.action for _, choice in captain.plan] == line[:1]
    assert captain.choose(state).action == line[0]


ARRIVALS = """position target-arnhem
turn 3
0103 5Gds
1504 406
waiting 8Armd, 129
stack Turn(allied-reinforcements) Reinforce(0,[])"""


@pytest.mark.parametrize("level", ["greedy", "captain"])
def test_a_piece_that_is_only_named_is_weighed_by_what_its_set_does(level):
    """Naming a reinforcement changes nothing until it is done, and yet both are named before."""
    game = load("target-arnhem")
    state, mind, named = game.read_position(ARRIVALS), bots.make(level, game, "allied"), set()
    while state.stack[-1].draft(state) or not named:
        action = mind.choose(state).action
        named.add(game.write(action))
        state = step(state, action)
    assert named == {"arrive 8Armd", "arrive 129", "done"}


@pytest.mark.parametrize("game_id", game_ids())
def test_a_choice_leaves_nothing_for_the_garbage_collector(game_id):
    """So it may rest meanwhile: what a captain thinks about is freed without it."""
    game = load(game_id)
    players = {seat: bots.make("captain", game, seat, 1) for seat in game.seats}
    session = Session(game, SeededDice(1), seats=dict.fromkeys(game.seats, "captain"))
    left = []
    gc.collect()
    gc.freeze()  # what other tests have left needs no second look
    gc.disable()
    try:
        for _ in range(12):
            if session.actor == CHANCE:
                session.roll()
                continue
            gc.collect()
            action = players[session.actor].choose(session.state).action
            left.append(gc.collect())
            session.play(session.actor, action)
    finally:
        gc.enable()
        gc.unfreeze()
    assert left
    assert not any(left)
