"""Bad input gets a sentence that names the cause, and the game is unchanged."""

from __future__ import annotations

import pytest

from salient import Illegal, NotYourTurn, SeededDice, Session, Unreadable, load
from salient.kernel import AnyGame

# ---- actions ---------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "cause"), [("dance 0705", "“dance” is not an action"), ("", "begins with a verb")])
def test_what_is_no_action_in_any_game(game: AnyGame, text: str, cause: str) -> None:
    with pytest.raises(Unreadable, match=cause):
        game.read(text)


@pytest.mark.parametrize(
    ("game_id", "text", "cause"),
    [
        ("target-arnhem", "move 999 1503", "There is no unit called “999”"),
        ("target-arnhem", "attack 9901", "There is no hex called “9901”"),
        ("target-arnhem", "move 504", "Write it like this: move UNIT PLACE"),
        ("target-arnhem", "roll six", "“six” is not a whole number"),
        ("bulge", "move axis-horse-0705 0706 1", "There is no unit called “axis-horse-0705”"),
        ("bulge", "attack 9901 0705", "There is no hex called “9901”"),
        ("bulge", "attack 0705", "Write it like this: attack HEX HEX"),
        ("bulge", "roll six", "“six” is not a whole number"),
        ("bulge", "first french", "french"),
    ],
)
def test_unreadable_actions_name_the_cause(game_id: str, text: str, cause: str) -> None:
    with pytest.raises(Unreadable, match=cause):
        load(game_id).read(text)


def session_of(game_id: str, options: dict[str, str], *played: str) -> Session:
    session = Session(load(game_id), SeededDice(1), options=options)
    for text in played:
        session.play(session.actor, session.game.read(text))
    return session


def begun(game_id: str) -> Session:
    """A game at a decision of the side that the tests below name."""
    if game_id == "target-arnhem":
        return session_of(game_id, {"supply-zones": "historical"})
    return session_of(game_id, {})


@pytest.mark.parametrize(
    ("game_id", "seat", "text", "rule"),
    [("target-arnhem", "allied", "zone 82abn 1205", "9.3"), ("bulge", "axis", "attack 0110 0105", "6.3")],
)
def test_an_illegal_action_is_refused_with_its_rule_and_changes_nothing(
    game_id: str, seat: str, text: str, rule: str
) -> None:
    session = begun(game_id)
    before, count = session.state.key(), len(session.actions)
    with pytest.raises(Illegal) as error:
        session.play(seat, session.game.read(text))
    assert [refusal.rule for refusal in error.value.refusals] == [rule]
    assert (session.state.key(), len(session.actions)) == (before, count)


@pytest.mark.parametrize(
    ("game_id", "seat", "text", "decides"),
    [("target-arnhem", "german", "zone 82abn 1105", "Allies"), ("bulge", "allied", "pass", "Axis")],
)
def test_the_wrong_seat_is_told_whose_decision_it_is(game_id: str, seat: str, text: str, decides: str) -> None:
    session = begun(game_id)
    before = session.state.key()
    with pytest.raises(NotYourTurn, match=f"it is up to: {decides}"):
        session.play(seat, session.game.read(text))
    assert session.state.key() == before


# ---- options and positions ---------------------------------------------------------------


def test_an_unknown_choice_of_an_option_is_refused(game: AnyGame) -> None:
    option = game.options[0].id
    with pytest.raises(Unreadable, match="“maybe” is not one of"):
        game.new("", {option: "maybe"})


@pytest.mark.parametrize(
    ("game_id", "line", "cause"),
    [
        ("target-arnhem", "1504 Nobody", "There is no unit called “Nobody”"),
        ("target-arnhem", "1504 504 damage=9", "cannot be “damage=9”"),
        ("target-arnhem", "1504 504\n1503 504", "is in two places"),
        ("target-arnhem", "9999 504", "no hex or area called “9999”"),
        ("target-arnhem", "stack Dance(1)", "is not a decision in this game"),
        ("bulge", "0705 axis-horse 1", "There is no unit called “axis-horse-0705”"),
        ("bulge", "9999 axis-infantry 1", "no hex or chart called “9999”"),
        ("bulge", "FBB allied-infantry 1", "cannot be there"),
        ("bulge", "axis-base axis-infantry 1", "cannot be there"),
        ("bulge", "0705 axis-infantry many", "Line 3"),
        ("bulge", "aircraft maybe", "is not a valid aircraft. Choose return, flak or lost"),
        ("bulge", "held 1 2", "Line 3"),
        ("bulge", "front 0705 nowhere", "There is no hex called “nowhere”"),
        ("bulge", "stack Dance(1)", "is not a decision in this game"),
    ],
)
def test_an_unreadable_position_names_the_line(game_id: str, line: str, cause: str) -> None:
    with pytest.raises(Unreadable, match=cause):
        load(game_id).read_position(f"position {game_id}\nturn 1\n{line}\nstack Turn(set-up)")


def test_a_text_that_is_no_position(game: AnyGame) -> None:
    for text in ("", "position chess\nstack Turn(set-up)", f"position {game.id}\nturn 1"):
        with pytest.raises(Unreadable):
            game.read_position(text)
