"""Chapter 13: replacements."""

from __future__ import annotations

from tests.games.deadly_woods.conftest import lost, where

FIRST, SECOND = 7, 8  # the phases of the player without and with the initiative


def test_13_1_replacements_restore_a_step(phase):
    """A reduced regiment in supply is flipped to its full side."""
    table = phase(FIRST, "2519 99/393 lost=1", turn=4).play("replace 99/393")
    assert lost(table, "99/393") == 0
    assert not table.choices("replace")


def test_13_2_the_player_without_the_initiative_comes_first(phase):
    """On turn 4 the Allies spend before the Germans, on turn 8 the Germans before the Allies."""
    lines = "2519 99/393 lost=1\n4019 12VG/27 lost=1"
    four = phase(FIRST, lines, turn=4)
    assert (four.actor, four.play("pass").actor) == ("allied", "german")
    eight = phase(FIRST, lines, turn=8)
    assert (eight.actor, eight.play("pass").actor) == ("german", "allied")


def test_13_2_2_an_eliminated_unit_comes_back_at_one_step_in_a_supplied_town(phase):
    """99/393 is placed reduced in a supplied town and may not be flipped in the same turn."""
    table = phase(FIRST, "2519 99/394", turn=4)
    table.play("rebuild 99/393 2519")
    assert (where(table, "99/393"), lost(table, "99/393")) == ("2519", 1)
    assert table.refusal("replace 99/393") == ("13.2.2", "just-rebuilt")
