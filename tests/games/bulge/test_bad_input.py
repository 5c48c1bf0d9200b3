"""Bad input gets a sentence that names the cause, and the game is unchanged."""

from __future__ import annotations

import random

import pytest

from salient import Illegal, NotYourTurn, Record, SeededDice, Session, Unreadable, VerifiedDice, load
from salient.kernel import CHANCE, OVER, legal
from salient.kernel.record import Divergence


@pytest.fixture
def session() -> Session:
    return Session(load("bulge"), SeededDice(1))


def finished(seed: int = 3) -> Session:
    """A whole random game with verified dice."""
    session = Session(load("bulge"), VerifiedDice("test-game", bytes(32)), name="test-game")
    chooser = random.Random(seed)
    while session.actor != OVER:
        if session.actor == CHANCE:
            session.roll()
        else:
            session.play(session.actor, chooser.choice(legal(session.state)))
    return session


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("move axis-horse-0705 0706 1", "There is no unit called 'axis-horse-0705'"),
        ("attack 9901 0705", "There is no hex called '9901'"),
        ("dance 0705", "'dance' is no action"),
        ("attack 0705", "Write it: attack HEX HEX"),
        ("roll six", "'six' is not a whole number"),
        ("first french", "french"),
        ("", "begins with a verb"),
    ],
)
def test_unreadable_actions_name_the_cause(session, text, cause):
    with pytest.raises(Unreadable, match=cause):
        session.game.read(text)


def test_an_illegal_action_is_refused_with_its_rule_and_changes_nothing(session):
    before, count = session.state.key(), len(session.actions)
    with pytest.raises(Illegal) as error:
        session.play("axis", session.game.read("attack 0110 0105"))
    assert [refusal.rule for refusal in error.value.refusals] == ["6.3"]
    assert (session.state.key(), len(session.actions)) == (before, count)


def test_the_wrong_seat_is_told_whose_decision_it_is(session):
    before = session.state.key()
    with pytest.raises(NotYourTurn, match="the decision is axis's"):
        session.play("allied", session.game.read("pass"))
    assert session.state.key() == before


def test_an_unknown_option_is_refused():
    with pytest.raises(Unreadable, match="aircraft"):
        load("bulge").new("", {"aircraft": "maybe"})


def test_an_edited_roll_is_found():
    record = finished().record()
    roll = next(move for move in record.moves if move.seat == "chance" and move.text.startswith("roll"))
    numbers = roll.text.split()[1:]
    numbers[-1] = str(1 - int(numbers[-1])) if numbers[-1] in "01" else "0"
    roll.text = " ".join(["roll", *numbers])
    with pytest.raises(Divergence):
        record.verify(load("bulge"))


def test_a_whole_game_verifies_and_reads_back_letter_by_letter():
    text = finished().record().text()
    again = Record.parse(text)
    assert again.text() == text
    assert load("bulge").result(again.verify(load("bulge"))) is not None


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("0705 axis-horse 1", "There is no unit called 'axis-horse-0705'"),
        ("9999 axis-infantry 1", "no hex or chart called '9999'"),
        ("FBB allied-infantry 1", "cannot be there"),
        ("axis-base axis-infantry 1", "cannot be there"),
        ("0705 axis-infantry many", "Line 3"),
        ("aircraft maybe", "aircraft is one of return, flak, lost"),
        ("held 1 2", "Line 3"),
        ("front 0705 nowhere", "There is no hex called 'nowhere'"),
        ("stack Dance(1)", "is no decision of this game"),
    ],
)
def test_an_unreadable_position_names_the_line(line, cause):
    with pytest.raises(Unreadable, match=cause):
        load("bulge").read_position(f"position bulge\nturn 1\n{line}\nstack Turn(0)")


@pytest.mark.parametrize("text", ["", "position target-arnhem\nstack Turn(0)", "position bulge\nturn 1"])
def test_a_text_that_is_no_position(text):
    with pytest.raises(Unreadable):
        load("bulge").read_position(text)
