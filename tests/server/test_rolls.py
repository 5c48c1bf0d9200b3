"""The dice behind a roll: the real faces, and where they lie."""

from __future__ import annotations

from pathlib import Path

from salient import load
from salient.kernel import CHANCE, AnyGame, Session, State, VerifiedDice
from salient.kernel.frames import chance_frame
from salient.server.rolls import shown_roll

GAME = load("bulge")
SECRET = bytes(32)
DICE = VerifiedDice("game", SECRET)
POSITIONS = Path(__file__).parent.parent / "positions"
OPENING = ("attack 0309 0308", "pay 0309", "resolve")


def test_a_roll_shows_the_faces_that_led_to_its_effect() -> None:
    """Verified dice are rolled once more: as many faces as dice, each on a square it may hit or among the misses."""
    dice = VerifiedDice("game", SECRET)
    session = Session(GAME, dice)
    for text in OPENING:
        session.play(session.actor, GAME.read(text))
    assert session.actor == CHANCE
    before, ply = session.state, len(session.actions)
    session.roll()
    shown = shown_roll(GAME, dice, before, 0, session.actions[ply])
    assert shown is not None
    (row,) = shown.panel["rows"]
    assert len(shown.faces) == row["dice"] == 14
    assert sorted([*row["missed"], *(face for square in row["squares"] for face in square["dice"])]) == sorted(
        shown.faces
    )
    assert all(set(square["dice"]) <= set(square["numbers"]) for square in row["squares"])
    assert all(face > 6 for face in row["missed"])


def test_dice_that_the_log_does_not_tell_are_not_shown() -> None:
    """Other dice than those of the log do not lead to its action, so that nothing is invented."""
    session = Session(GAME, VerifiedDice("game", SECRET))
    for text in OPENING:
        session.play(session.actor, GAME.read(text))
    before = session.state
    assert shown_roll(GAME, session.dice, before, 0, ("roll", 0, 0, 0, 0, 0, 0, 0, 0)) is None


def position(game: AnyGame, name: str) -> State:
    return game.read_position((POSITIONS / f"{name}.txt").read_text(encoding="utf-8"))


def test_every_roll_of_dice_is_shown_whatever_its_verb() -> None:
    """The two dice that clear traffic in Ardennes '44 are written `dice`, not `roll`."""
    ardennes = load("ardennes44")
    before = position(ardennes, "ardennes44-roadblocks")
    before.pop()  # the roadblocks are done
    shown = shown_roll(ardennes, DICE, before, 0, ("dice", 2, 5), (5, 2))
    assert shown is not None
    assert (shown.faces, shown.sides) == ((5, 2), (6, 6))


def test_what_is_drawn_shows_no_dice() -> None:
    woods = load("deadly-woods")
    before = position(woods, "deadly-woods-cup")
    drawn = chance_frame(before).sample(before, DICE.roller(0, "chit"))
    assert shown_roll(woods, DICE, before, 0, drawn) is None
