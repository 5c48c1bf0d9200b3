"""What every game promises about records: both ways, verified, taken up again."""

from __future__ import annotations

from functools import cache

from salient.kernel import Game, Record, Session, VerifiedDice
from salient.lab.playouts import play_session

SECRET = bytes(range(32))


@cache
def finished(game: Game) -> Session:
    session = Session(game, VerifiedDice("contract", SECRET), name="contract")
    play_session(session, seed=11)
    return session


def test_record_text_both_ways(game: Game) -> None:
    record = finished(game).record()
    again = Record.parse(record.text())
    assert again == record
    assert again.text() == record.text()


def test_record_verifies(game: Game) -> None:
    session = finished(game)
    assert Record.parse(session.record().text()).verify(game).key() == session.state.key()


def test_half_a_record_can_be_taken_up(game: Game) -> None:
    record = finished(game).record()
    del record.moves[len(record.moves) // 2 :]
    del record.header["secret"]
    session = Session.from_record(record, game, VerifiedDice("contract", SECRET))
    assert session.state.key() == finished(game).state_at(len(record.moves)).key()
    assert [move.text for move in session.record().moves] == [move.text for move in record.moves]
