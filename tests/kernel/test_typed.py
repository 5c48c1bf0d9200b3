"""Typed dice: as many faces as are rolled, in the game's own order, make the roll of the game."""

from __future__ import annotations

import pytest

from salient import load
from salient.games.deadly_woods.chits import Draw
from salient.kernel import (
    CHANCE,
    AnyGame,
    ChanceFrame,
    MoreDice,
    ScriptedDice,
    Session,
    TypedDice,
    Unreadable,
    candidates,
    dice_needed,
    typed_roll,
)

BATTLE = ("attack 0309 0308", "pay 0309", "resolve")


def session(game: AnyGame, *actions: str) -> Session:
    """A game with typed dice after some actions."""
    played = Session(game, TypedDice())
    for text in actions:
        if played.actor == CHANCE:
            break
        played.play(played.actor, game.read(text))
    assert played.actor == CHANCE
    return played


@pytest.fixture
def battle() -> Session:
    """Fourteen dice of twelve sides against five squares."""
    return session(load("bulge"), *BATTLE)


def chance(played: Session) -> ChanceFrame:
    frame = played.state.stack[-1]
    assert isinstance(frame, ChanceFrame)
    return frame


def test_faces_become_the_effect_that_scripted_dice_would_have(battle: Session) -> None:
    """The person types what lies on the table, nobody counts squares."""
    faces = [1, 12, 7, 3, 3, 2, 9, 11, 8, 10, 12, 5, 6, 4]
    frame, state = chance(battle), battle.state
    assert dice_needed(frame, state) == (12,) * 14
    expected = frame.sample(state, ScriptedDice(faces))
    battle.roll_typed(faces)
    assert battle.actions[-1] == expected
    assert battle.actors[-1] == CHANCE


def test_too_few_faces_ask_for_the_rest_and_change_nothing(battle: Session) -> None:
    before = battle.state
    with pytest.raises(MoreDice) as more:
        battle.roll_typed([12] * 9)
    assert (more.value.sides, more.value.typed) == ((12,) * 5, 9)
    assert battle.state is before


@pytest.mark.parametrize(
    ("faces", "cause"), [([12] * 15, "You typed 15 dice; only 14"), ([13], "1 to 12, not 13"), ([0], "not 0")]
)
def test_wrong_faces_are_refused(battle: Session, faces: list[int], cause: str) -> None:
    with pytest.raises(Unreadable, match=cause):
        battle.roll_typed(faces)


def test_a_tie_is_rolled_again() -> None:
    """Initiative: two dice, and two more after a tie."""
    from salient.games.bulge.combat import GroundInitiative

    state = load("bulge").new()
    frame = GroundInitiative()
    assert dice_needed(frame, state) == (12, 12)
    assert dice_needed(frame, state, [4, 4]) == (12, 12)
    assert typed_roll(frame, state, [4, 4, 9, 2]) == ("initiative", "axis")


@pytest.mark.parametrize("game_id", ["target-arnhem", "deadly-woods"])
def test_one_die_is_one_face(game_id: str) -> None:
    """Where the book rolls one die of six sides, one face is asked for."""
    game = load(game_id)
    played = Session(game, TypedDice(), options={"supply-zones": "historical"} if game_id == "target-arnhem" else None)
    while played.actor != CHANCE or not chance(played).rolls_dice:
        played.play(played.actor, candidates(played.state)[0])
    assert dice_needed(chance(played), played.state) == (6,)
    played.roll_typed([4])
    assert played.actions[-1] == ("roll", 4)


def test_a_chit_is_drawn_not_rolled() -> None:
    assert not Draw.rolls_dice
