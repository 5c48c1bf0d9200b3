"""Records both ways; each malformed, truncated, foreign or edited record is refused with its cause."""

from __future__ import annotations

import pytest

from salient.kernel import AnyGame, Record, SeededDice, Session, Unreadable, VerifiedDice
from salient.kernel.record import Divergence, RecordedMove, read_pairs, write_pairs
from salient.lab.playouts import play_session

SECRET = bytes(range(32))


@pytest.fixture
def finished(crossing: AnyGame) -> Session:
    """A finished game with dice in it, of verified dice."""
    session = Session(crossing, VerifiedDice("test", SECRET), name="test", seats={"red": "Ann O'Neil", "blue": "Bob"})
    for text in ("hide 2", "move r1 2", "move r2 2", "end"):
        session.play(session.actor, crossing.read(text))
    session.roll()
    session.roll()
    play_session(session, seed=1)
    return session


def edited(session: Session, old: str, new: str) -> Record:
    text = session.record().text()
    assert old in text
    return Record.parse(text.replace(old, new, 1))


def test_text_both_ways(finished: Session) -> None:
    record = finished.record()
    again = Record.parse(record.text())
    assert again == record
    assert again.text() == record.text()


def test_a_record_reads_like_this(crossing: AnyGame) -> None:
    session = Session(crossing, SeededDice(1), "long", {"probe": "no"}, {"blue": "captain"}, name="example")
    session.play("blue", ("hide", "3"))
    session.play("red", ("end",))
    session.play("red", ("end",))
    assert session.record().text() == EXAMPLE


EXAMPLE = """\
salient-record 1
game: tiny
rules: 1
data: none
name: example
scenario: long
options: probe=no
seats: red=human blue=captain
dice: seeded

== Turn 1
1. blue hide 3
2. red end
== Turn 2
3. red end
"""


def test_comments_and_blank_lines_are_allowed() -> None:
    text = EXAMPLE.replace("2. red end", "; a remark of its own\n\n2. red  end ; too careful; surely").replace(
        "\n\n", "\n\n\n"
    )
    record = Record.parse(text)
    assert record.moves[1] == RecordedMove("red", "end", "too careful; surely")
    assert Record.parse(record.text()) == record


def test_names_of_players_may_have_spaces_and_quotes(finished: Session) -> None:
    assert Record.parse(finished.record().text()).seats() == {"red": "Ann O'Neil", "blue": "Bob"}
    assert read_pairs(write_pairs({"red": "A\nB  C"})) == {"red": "A B C"}


def test_verify_replays_and_checks_the_dice(finished: Session, crossing: AnyGame) -> None:
    assert finished.record().verify(crossing).key() == finished.state.key()


def test_replay_yields_every_position(finished: Session, crossing: AnyGame) -> None:
    states = list(finished.record().replay(crossing))
    assert len(states) == len(finished.actions) + 1
    assert [state.key() for state in states] == [finished.state_at(i).key() for i in range(len(states))]


def test_secret_is_shown_only_at_the_end(crossing: AnyGame) -> None:
    session = Session(crossing, VerifiedDice("test", SECRET))
    assert "secret" not in session.record().header
    assert session.record().header["commitment"] == VerifiedDice("test", SECRET).commitment
    play_session(session, seed=1)
    assert session.record().header["secret"] == SECRET.hex()


# ---- unreadable ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "Line 1: A record begins with “salient-record 1”"),
        ("hello\n", "Line 1: A record begins"),
        (EXAMPLE.replace("record 1", "record 2"), "Line 1: This program reads format 1"),
        (EXAMPLE.replace("game: tiny\n", ""), "no line “game: …”"),
        (EXAMPLE.replace("scenario: long\n", ""), "no line “scenario: …”"),
        (EXAMPLE.replace("seats: red=human blue=captain\n", ""), "no line “seats: …”"),
        (EXAMPLE.replace("dice: seeded\n", ""), "no line “dice: …”"),
        (EXAMPLE.replace("rules: 1\n", ""), "no line “rules: …”"),
        (EXAMPLE.replace("data: none\n", ""), "no line “data: …”"),
        (EXAMPLE.replace("name: example", "colour: red"), "Line 5: Unknown or repeated header “colour”"),
        (EXAMPLE.replace("name: example", "game: tiny"), "Line 5: Unknown or repeated header “game”"),
        (EXAMPLE.replace("2. red end\n", ""), "Line 14: Move 2 is missing"),
        (EXAMPLE.replace("2. red end", "2 red end"), "Line 13: Neither a header, a heading nor a numbered move"),
        (EXAMPLE.replace("3. red end\n", "3. re"), "Line 15: Neither a header, a heading nor a numbered move"),
    ],
)
def test_malformed_records_are_unreadable(text: str, cause: str) -> None:
    with pytest.raises(Unreadable, match=cause):
        Record.parse(text)


@pytest.mark.parametrize(
    ("old", "new", "cause"),
    [
        ("game: tiny", "game: chess", "a record of chess, not of tiny"),
        ("rules: 1", "rules: 9", "Rules version 9; this program plays version 1 of tiny. Use a release"),
        ("scenario: long", "scenario: short", "no scenario “short”"),
        ("probe=no", "probe=maybe", "“maybe” is not one of yes and no"),
        ("probe=no", "probe", "“name=value” expected, not “probe”"),
        ("probe=no", "'probe=no", "A quotation mark is not closed"),
        ("probe=no", "fog=no", "no option “fog”"),
    ],
)
def test_records_that_do_not_start_are_unreadable(crossing: AnyGame, old: str, new: str, cause: str) -> None:
    with pytest.raises(Unreadable, match=cause):
        Record.parse(EXAMPLE.replace(old, new, 1)).verify(crossing)


# ---- divergent -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "cause"),
    [
        ("1. blue hide 3", "1. blue hide 5", "Move 1: .*not-offered"),
        ("1. blue hide 3", "1. red hide 3", "Move 1: Red cannot act now"),
        ("2. red end", "2. red move r9 2", "Move 2: “r9” is not a valid unit"),
        ("2. red end", "2. red move r1 9", "Move 2: “9” is not a valid field"),
        ("2. red end", "2. red fly", "Move 2: “fly” is not an action in this game"),
        ("3. red end", "3. red probe 2", r"Move 3: .*\[3\] no-probe-left"),
    ],
)
def test_the_first_wrong_move_is_named(crossing: AnyGame, old: str, new: str, cause: str) -> None:
    record = Record.parse(EXAMPLE.replace(old, new))
    with pytest.raises(Divergence, match=cause):
        record.verify(crossing)
    with pytest.raises(Divergence, match=cause):
        Session.from_record(record, crossing, SeededDice(1))


def test_other_data_are_named_as_a_possible_cause(crossing: AnyGame) -> None:
    """A record of other data replays as long as it is legal; where it diverges, that is said."""
    foreign = EXAMPLE.replace("data: none", "data: others")
    assert Record.parse(foreign).has_other_data(crossing)
    assert Record.parse(foreign).verify(crossing).key() == Record.parse(EXAMPLE).verify(crossing).key()
    record = Record.parse(foreign.replace("3. red end", "3. red move r9 2"))
    with pytest.raises(Divergence, match=r"Move 3: .*r9.* played with different data") as caught:
        record.verify(crossing)
    assert caught.value.other_data
    with pytest.raises(Divergence, match="played with different data"):
        Session.from_record(record, crossing, SeededDice(1))


def test_an_edited_die_is_found(finished: Session, crossing: AnyGame) -> None:
    roll = finished.record().moves[4].text
    other = "roll 3" if roll != "roll 3" else "roll 2"
    with pytest.raises(Divergence, match=f"Move 5: The dice gave “{roll}”, the record says “{other}”"):
        edited(finished, f"5. chance {roll}", f"5. chance {other}").verify(crossing)


def test_a_truncated_finished_record_is_found(finished: Session, crossing: AnyGame) -> None:
    record = finished.record()
    del record.moves[-1]
    with pytest.raises(Divergence, match="The record stops before the game ends"):
        record.verify(crossing)


def test_moves_after_the_end_are_found(finished: Session, crossing: AnyGame) -> None:
    record = finished.record()
    record.moves.append(RecordedMove("red", "end"))
    with pytest.raises(Divergence, match="Red cannot act now; it is up to: Game over"):
        record.verify(crossing)


def test_a_false_secret_is_found(finished: Session, crossing: AnyGame) -> None:
    with pytest.raises(Divergence, match="does not match the commitment"):
        edited(finished, SECRET.hex(), SECRET[::-1].hex()).verify(crossing)
    with pytest.raises(Unreadable, match="hexadecimal"):
        edited(finished, SECRET.hex(), "xyz").verify(crossing)


def test_another_game_name_changes_the_dice(finished: Session, crossing: AnyGame) -> None:
    with pytest.raises(Divergence, match="The dice gave"):
        edited(finished, "name: test", "name: another").verify(crossing)
