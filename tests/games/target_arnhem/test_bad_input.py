"""Bad input gets a sentence that names the cause, and the game is unchanged."""

from __future__ import annotations

import random

import pytest

from salient import Illegal, NotYourTurn, Record, SeededDice, Session, Unreadable, VerifiedDice, load
from salient.kernel import CHANCE, OVER, legal
from salient.kernel.record import Divergence


@pytest.fixture
def session() -> Session:
    session = Session(load("target-arnhem"), SeededDice(1), options={"supply-zones": "historical"})
    session.play("allied", session.game.read("zone 1abn 1503"))
    return session


def finished(seed: int = 3) -> Session:
    """A whole random game with verified dice."""
    session = Session(load("target-arnhem"), VerifiedDice("test-game", bytes(32)), name="test-game")
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
        ("move 999 1503", "There is no unit called '999'"),
        ("attack 9901", "There is no hex called '9901'"),
        ("dance 504", "'dance' is no action"),
        ("move 504", "Write it: move UNIT PLACE"),
        ("roll six", "'six' is not a whole number"),
        ("", "begins with a verb"),
    ],
)
def test_unreadable_actions_name_the_cause(session, text, cause):
    with pytest.raises(Unreadable, match=cause):
        session.game.read(text)


def test_an_illegal_action_is_refused_with_its_rule_and_changes_nothing(session):
    before, count = session.state.key(), len(session.actions)
    with pytest.raises(Illegal) as error:
        session.play("allied", session.game.read("zone 82abn 1205"))
    assert [refusal.rule for refusal in error.value.refusals] == ["9.3"]
    assert (session.state.key(), len(session.actions)) == (before, count)


def test_the_wrong_seat_is_told_whose_decision_it_is(session):
    before = session.state.key()
    with pytest.raises(NotYourTurn, match="the decision is allied's"):
        session.play("german", session.game.read("zone 82abn 1105"))
    assert session.state.key() == before


def test_a_malformed_record_names_the_line():
    text = finished().record().text().replace("3. ", "3) ", 1)
    with pytest.raises(Unreadable, match="Line "):
        Record.parse(text)


def test_a_record_of_another_game_is_refused():
    record = finished().record()
    record.header["game"] = "chess"
    with pytest.raises(Unreadable, match="a record of chess"):
        record.verify(load("target-arnhem"))


def test_a_truncated_record_with_its_secret_is_refused():
    record = finished().record()
    del record.moves[-3:]
    with pytest.raises(Divergence, match="ends before the game does"):
        Record.parse(record.text()).verify(load("target-arnhem"))


def test_an_edited_die_is_found():
    record = finished().record()
    rolls = [move for move in record.moves if move.seat == "chance"]
    face = int(rolls[0].text.split()[1])
    rolls[0].text = f"roll {face % 6 + 1}"
    with pytest.raises(Divergence, match="the dice gave"):
        record.verify(load("target-arnhem"))


def test_an_edited_move_is_found_with_its_number():
    record = finished().record()
    record.moves[0].text = "zone 1abn 1205"
    with pytest.raises(Divergence, match="Move 1:"):
        record.verify(load("target-arnhem"))


def test_a_whole_game_verifies_and_reads_back_letter_by_letter():
    text = finished().record().text()
    again = Record.parse(text)
    assert again.text() == text
    assert load("target-arnhem").result(again.verify(load("target-arnhem"))) is not None


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("1504 Nobody", "There is no unit called 'Nobody'"),
        ("1504 504 damage=9", "cannot be 'damage=9'"),
        ("1504 504\n1503 504", "stands in two places"),
        ("9999 504", "no hex or area called '9999'"),
        ("stack Dance(1)", "is no decision of this game"),
    ],
)
def test_an_unreadable_position_names_the_line(line, cause):
    with pytest.raises(Unreadable, match=cause):
        load("target-arnhem").read_position(f"position target-arnhem\nturn 1\n{line}\nstack Turn(0)")
