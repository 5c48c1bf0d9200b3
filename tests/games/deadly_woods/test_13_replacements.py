"""Chapter 13: replacements."""

from __future__ import annotations

from tests.games.deadly_woods.conftest import lost, where

FIRST, SECOND = 7, 8  # the phases of the player without and with the initiative


def test_13_1_replacements_restore_a_step(phase):
    """A reduced regiment in supply is flipped to its full side."""
    table = phase(FIRST, "2519 99/393 lost=1", turn=4).play("replace 99/393")
    assert table.refusal("replace 99/393") == ("13.2", "not-reduced")
    assert lost(table.play("done"), "99/393") == 0


def test_13_2_the_player_without_the_initiative_comes_first(phase):
    """On turn 4 the Allies spend before the Germans, on turn 8 the Germans before the Allies."""
    lines = "2519 99/393 lost=1\n4019 12VG/27 lost=1"
    four = phase(FIRST, lines, turn=4)
    assert (four.actor, four.play("done").actor) == ("allied", "german")
    eight = phase(FIRST, lines, turn=8)
    assert (eight.actor, eight.play("done").actor) == ("german", "allied")


def test_13_2_2_an_eliminated_unit_comes_back_at_one_step_in_a_supplied_town(phase):
    """99/393 is placed reduced in a supplied town and may not be flipped in the same turn."""
    table = phase(FIRST, "2519 99/394", turn=4)
    table.play("rebuild 99/393 2519")
    assert table.refusal("replace 99/393") == ("13.2.2", "just-rebuilt")
    assert table.refusal("rebuild 99/393 2519") == ("13.2.2", "just-rebuilt")
    table.play("done")
    assert (where(table, "99/393"), lost(table, "99/393")) == ("2519", 1)


def test_13_2_infantry_and_armour_have_points_of_their_own(phase):
    """One armour point serves cavalry or tanks, not both; infantry points remain."""
    table = phase(FIRST, "2519 14Cav lost=1\n2418 7A/CCB lost=1\n1408 106/422 lost=1", turn=4)
    assert len(table.choices("replace")) == 3
    table.play("replace 14Cav")
    assert table.refusal("replace 7A/CCB") == ("13.2", "no-points-left")


def test_13_2_fuel_and_marks_do_not_count_as_a_line(phase):
    """Peiper with the captured fuel, cut off, gets no step."""
    allied = "2518 99/393\n2418 99/394\n2520 99/395\n2619 2/9\n2618 2/23\n2419 2/38"
    table = phase(SECOND, f"2519 1SS/Peiper lost=1\n4019 12VG/27 lost=1\n{allied}", turn=2, fuel=1)
    assert table.refusal("replace 1SS/Peiper") == ("13.2", "replacement-needs-supply")


def test_13_2_a_german_who_traces_supply_loses_his_mark(phase):
    """The check of 8.1: a marked regiment with an open road takes a step and is supplied again."""
    table = phase(SECOND, "4019 12VG/27 lost=1 oos\n4119 12VG/48 lost=1", turn=4).play("replace 12VG/27", "done")
    assert not table.state.oos


def test_13_2_1_two_points_restore_two_steps_of_one_unit(phase):
    """A mechanized regiment on its last step regains one step a point."""
    lines = "4019 12VG/27 lost=1\n4119 3PG/8 lost=2\n4018 2Pz/3 lost=1"
    table = phase(SECOND, lines, turn=4).play("replace 3PG/8", "replace 3PG/8")
    assert not table.choices("replace 2Pz/3")
    assert table.try_all("drop 3PG/8").choices("replace 2Pz/3")
    assert lost(table.play("done"), "3PG/8") == 0


def test_13_2_points_are_spent_in_any_order(phase):
    """Two regiments and a point each: whichever is named first, both regain a step; one can be taken back."""
    table = phase(FIRST, "2519 28/109\n4012 12VG/27 lost=1\n4013 12VG/48 lost=1", turn=7, initiative=0)
    both = table.try_all("replace 12VG/48", "replace 12VG/27")
    assert both.state.key() == table.try_all("replace 12VG/27", "replace 12VG/48").state.key()
    assert both.actor == "german"
    assert both.refusal("drop 2Pz/3") == ("13.2", "not-named")
    assert both.try_all("drop 12VG/27", "drop 12VG/48").state.key() == table.state.key()
    both.play("done")
    assert [lost(both, unit) for unit in ("12VG/27", "12VG/48")] == [0, 0]


def test_13_2_2_no_town_next_to_the_enemy(phase):
    """A German beside Bastogne keeps rebuilt units out of it."""
    assert "rebuild 99/393 2519" in phase(FIRST, "1408 99/394", turn=4).choices()
    assert "rebuild 99/393 2519" not in phase(FIRST, "1408 99/394\n2618 12VG/27", turn=4).choices()


def test_13_2_2_not_into_a_full_town_or_another_corps(phase):
    """A town with VIII Corps takes no V Corps unit."""
    table = phase(FIRST, "2519 106/422", turn=4)
    assert "rebuild 99/393 2519" not in table.choices()
    assert "rebuild 28/109 2519" in table.choices()
