"""Sessions: play, undo to the last barrier, taking a record up again."""

from __future__ import annotations

import pytest

from salient.kernel import OVER, AnyGame, Illegal, NotYourTurn, Record, ScriptedDice, SeededDice, Session, VerifiedDice
from salient.kernel.record import has_hint
from salient.kernel.session import SNAPSHOT_EVERY, NothingToUndo
from salient.lab.playouts import play_session


def session_of(game: AnyGame, *texts: str, dice: tuple[int, ...] = ()) -> Session:
    session = Session(game, ScriptedDice(dice))
    for text in texts:
        session.play(session.actor, game.read(text))
    return session


def test_undo_takes_back_the_last_action(crossing: AnyGame) -> None:
    session = session_of(crossing, "hide 2", "move r1 2")
    before = session.state_at(1).key()
    assert session.undo("red") == [("move", 0, "2")]
    assert session.state.key() == before
    assert session.actor == "red"


def test_undo_to_the_start_of_the_own_turn(crossing: AnyGame) -> None:
    session = session_of(crossing, "hide 2", "move r1 2", "move r2 2")
    assert session.barrier("red") == 1
    assert session.undo("red", to=1) == [("move", 0, "2"), ("move", 1, "2")]
    assert session.actions == [("hide", "2")]


def test_another_seat_is_a_barrier(crossing: AnyGame) -> None:
    session = session_of(crossing, "hide 2")
    with pytest.raises(NothingToUndo, match="Nothing to undo"):
        session.undo("red")
    assert session.undo("blue") == [("hide", "2")]


def test_another_seats_action_cannot_be_taken_back_through_ones_own(crossing: AnyGame) -> None:
    session = session_of(crossing, "hide 2", "move r1 2")
    with pytest.raises(NothingToUndo):
        session.undo("red", to=0)
    with pytest.raises(NothingToUndo):
        session.undo("blue")
    assert len(session.actions) == 2


def test_dice_are_a_barrier(crossing: AnyGame) -> None:
    session = session_of(crossing, "hide 2", "move r1 2", "end", dice=(6,))
    session.roll()
    with pytest.raises(NothingToUndo):
        session.undo("red")


def test_nothing_is_taken_back_after_the_end(crossing: AnyGame) -> None:
    session = session_of(crossing, "hide 4")
    while session.actor != OVER:
        session.play("red", ("end",))
    assert session.actor == OVER
    with pytest.raises(NothingToUndo):
        session.undo("red")


def test_a_secret_shown_is_a_barrier(crossing: AnyGame) -> None:
    session = session_of(crossing, "hide 2", "move r1 2", "probe 3", "move r2 2")
    assert session.barrier("red") == 3
    session.undo("red")
    with pytest.raises(NothingToUndo):
        session.undo("red")
    taken_up = Session.from_record(session.record(), crossing, ScriptedDice([]))
    assert taken_up.barrier("red") == 3


def test_nothing_to_undo_at_the_start(crossing: AnyGame) -> None:
    with pytest.raises(NothingToUndo):
        Session(crossing, SeededDice(1)).undo("blue")
    with pytest.raises(NothingToUndo):
        session_of(crossing, "hide 2").undo("blue", to=1)


def test_play_after_undo_keeps_the_record_sound(crossing: AnyGame) -> None:
    session = session_of(crossing, "hide 2", "end")
    session.undo("red")
    assert session.headings == {0: "Turn 1"}
    session.play("red", ("move", 0, "2"))
    session.play("red", ("end",))
    assert session.record().verify(crossing).key() == session.state.key()


def test_refused_actions_change_nothing(crossing: AnyGame) -> None:
    session = session_of(crossing, "hide 2")
    key = session.state.key()
    with pytest.raises(NotYourTurn):
        session.play("blue", ("end",))
    with pytest.raises(Illegal):
        session.play("red", ("move", 0, "5"))
    assert session.state.key() == key
    assert session.actions == [("hide", "2")]


def test_a_record_is_taken_up_with_the_same_dice(crossing: AnyGame) -> None:
    """A game saved before a roll and taken up again rolls what it would have rolled."""
    secret = bytes(32)
    session = Session(crossing, VerifiedDice("n", secret), name="n")
    for text in ("hide 2", "move r1 2", "end"):
        session.play(session.actor, crossing.read(text))
    saved = session.record().text()
    session.roll()
    again = Session.from_record(Record.parse(saved), crossing, VerifiedDice("n", secret))
    again.roll()
    assert again.actions == session.actions
    assert again.record().text() == session.record().text()


def test_any_past_position_can_be_seen(crossing: AnyGame) -> None:
    session = Session(crossing, SeededDice(3), "long")
    keys = [session.state.key()]
    while session.actor != "over":
        play_session(session, seed=len(keys), plies=1)
        keys.append(session.state.key())
    assert [session.state_at(ply).key() for ply in range(len(keys))] == keys


def test_snapshots_are_cut_with_the_log(crossing: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("salient.kernel.session.SNAPSHOT_EVERY", 2)
    session = session_of(crossing, "hide 2", "move r1 2", "move r2 2", "probe 3")
    assert sorted(session.snapshots) == [0, 2, 4]
    session = session_of(crossing, "hide 2", "move r1 2", "move r2 2")
    session.undo("red", to=1)
    assert sorted(session.snapshots) == [0]
    assert SNAPSHOT_EVERY > 2


def test_events_are_returned(crossing: AnyGame) -> None:
    session = session_of(crossing, "hide 2")
    assert [event.key for event in session.play("red", ("probe", "2"))] == ["probed"]


def test_a_hint_is_marked_at_the_decision_and_kept_by_the_record(crossing: AnyGame) -> None:
    session = session_of(crossing, "hide 2")
    session.mark_hint()
    session.mark_hint()
    session.play("red", crossing.read("move r1 2"))
    text = session.record().text()
    assert "2. red move r1 2 ; hint\n" in text
    again = Session.from_record(Record.parse(text), crossing, SeededDice(1))
    assert again.record().text().splitlines()[-2:] == text.splitlines()[-2:]


def test_a_hint_stays_marked_whatever_is_taken_back(crossing: AnyGame) -> None:
    """Who asks, looks and takes back has asked all the same."""
    session = session_of(crossing, "hide 2", "move r1 2")
    session.mark_hint()
    session.play("red", crossing.read("move r2 2"))
    session.undo("red", to=1)
    session.play("red", crossing.read("move r2 2"))
    assert [has_hint(move.comment) for move in session.record().moves] == [False, True]


def test_comments_of_a_record_are_kept_beside_a_hint(crossing: AnyGame) -> None:
    record = session_of(crossing, "hide 2").record()
    record.moves[0].comment = "a good place"
    session = Session.from_record(record, crossing, SeededDice(1))
    session.undo("blue")
    session.mark_hint()
    session.play("blue", crossing.read("hide 3"))
    assert session.record().moves[0].comment == "a good place; hint"
