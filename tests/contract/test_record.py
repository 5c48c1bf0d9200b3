"""What every game promises about records: both ways, verified, taken up again."""

from __future__ import annotations

from functools import cache

import pytest

from salient.kernel import CHANCE, AnyGame, Record, Session, Unreadable, VerifiedDice, legal
from salient.kernel.record import Divergence
from salient.lab.playouts import play_session

SECRET = bytes(range(32))


@cache
def finished(game: AnyGame) -> Session:
    shortest = min(game.scenarios, key=lambda scenario: scenario.turns)
    session = Session(game, VerifiedDice("contract", SECRET), shortest.id, name="contract")
    play_session(session, seed=14)
    return session


def test_record_text_both_ways(game: AnyGame) -> None:
    record = finished(game).record()
    again = Record.parse(record.text())
    assert again == record
    assert again.text() == record.text()


def test_record_verifies(game: AnyGame) -> None:
    session = finished(game)
    verified = Record.parse(session.record().text()).verify(game)
    assert verified.key() == session.state.key()
    assert game.result(verified) is not None


def test_half_a_record_can_be_taken_up(game: AnyGame) -> None:
    record = finished(game).record()
    del record.moves[len(record.moves) // 2 :]
    del record.header["secret"]
    session = Session.from_record(record, game, VerifiedDice("contract", SECRET))
    assert session.state.key() == finished(game).state_at(len(record.moves)).key()
    assert [move.text for move in session.record().moves] == [move.text for move in record.moves]


# ---- records that somebody has edited ----------------------------------------------------


def test_a_malformed_record_names_the_line(game: AnyGame) -> None:
    text = finished(game).record().text().replace("\n3. ", "\n3) ", 1)
    with pytest.raises(Unreadable, match="Line "):
        Record.parse(text)


def test_a_record_of_another_game_is_refused(game: AnyGame) -> None:
    record = finished(game).record()
    record.header["game"] = "chess"
    with pytest.raises(Unreadable, match="a record of chess"):
        record.verify(game)


def test_a_truncated_record_with_its_secret_is_refused(game: AnyGame) -> None:
    record = finished(game).record()
    del record.moves[-3:]
    with pytest.raises(Divergence, match="stops before the game ends"):
        Record.parse(record.text()).verify(game)


def test_an_edited_roll_is_found(game: AnyGame) -> None:
    """Another outcome that was possible too."""
    session = finished(game)
    record = session.record()
    for number, move in enumerate(record.moves):
        others = [action for action in legal(session.state_at(number)) if game.write(action) != move.text]
        if move.seat == CHANCE and others:
            move.text = game.write(others[-1])
            break
    with pytest.raises(Divergence, match=f"Move {number + 1}: The dice gave"):
        record.verify(game)


def test_an_edited_move_is_found_with_its_number(game: AnyGame) -> None:
    """A move of later in the game that was not legal yet."""
    session = finished(game)
    record = session.record()
    number = next(n for n, move in enumerate(record.moves) if move.seat != CHANCE)
    allowed = {game.write(action) for action in legal(session.state_at(number))}
    record.moves[number].text = next(move.text for move in record.moves if move.text not in allowed)
    with pytest.raises(Divergence, match=f"Move {number + 1}:"):
        record.verify(game)
