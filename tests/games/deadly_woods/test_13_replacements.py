"""The Deadly Woods: chapter 13, replacements."""

from __future__ import annotations

from games.deadly_woods.positions import (
    RING,
    lost,
    where,
)

FIRST, SECOND = "first-replacements", "second-replacements"  # the phases of the player without and with the initiative


def test_13_1_replacements_restore_a_step(phase):
    """A reduced regiment in supply is flipped to its full side."""
    table = phase(FIRST, "2519 99/393 lost=1", turn=4).play("replace 99/393")
    assert table.refusal("replace 99/393") == ("13.2", "not-reduced")
    assert lost(table.play("done"), "99/393") == 0


def test_13_1_a_point_restores_a_step(phase):
    """A reduced unit is turned over."""
    table = phase("first-replacements", "2519 99/393 lost=1", turn=4).play("replace 99/393", "done")
    assert lost(table, "99/393") == 0


def test_13_2_the_player_without_the_initiative_comes_first(phase):
    """On turn 4 the Allies spend before the Germans, on turn 8 the Germans before the Allies."""
    lines = "2519 99/393 lost=1\n4019 12VG/27 lost=1"
    four = phase(FIRST, lines, turn=4)
    assert (four.actor, four.play("done").actor) == ("allied", "german")
    eight = phase(FIRST, lines, turn=8)
    assert (eight.actor, eight.play("done").actor) == ("german", "allied")


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


def test_13_2_the_player_without_the_initiative_first_and_in_supply_only(phase):
    """On turn 4 the Allies spend first; a cut off unit gets nothing."""
    table = phase("first-replacements", f"2519 99/393 lost=1\n{RING}\n4019 12VG/48 lost=1", turn=4)
    assert table.actor == "allied"
    assert table.refusal("replace 99/393") == ("13.2", "replacement-needs-supply")
    table.play("done")
    assert (table.actor, table.choices("replace")) == ("german", ["replace 12VG/48"])


def test_13_2_1_two_points_restore_two_steps_of_one_unit(phase):
    """A mechanized regiment on its last step regains one step a point."""
    lines = "4019 12VG/27 lost=1\n4119 3PG/8 lost=2\n4018 2Pz/3 lost=1"
    table = phase(SECOND, lines, turn=4).play("replace 3PG/8", "replace 3PG/8")
    assert not table.choices("replace 2Pz/3")
    assert table.try_all("drop 3PG/8").choices("replace 2Pz/3")
    assert lost(table.play("done"), "3PG/8") == 0


def test_13_2_1_germans_restore_steps_only(phase):
    """Armour points serve mechanized units; eliminated Germans do not come back."""
    table = phase("first-replacements", "4019 FB lost=2\n2519 99/394", turn=4).play("done")
    assert table.choices() == ["done", "replace FB"]
    assert table.refusal("rebuild 12VG/27 4019") == ("13.2.1", "germans-not-rebuilt")
    assert lost(table.play("replace FB", "done"), "FB") == 1


def test_13_2_2_an_eliminated_unit_comes_back_at_one_step_in_a_supplied_town(phase):
    """99/393 is placed reduced in a supplied town and may not be flipped in the same turn."""
    table = phase(FIRST, "2519 99/394", turn=4)
    table.play("rebuild 99/393 2519")
    assert table.refusal("replace 99/393") == ("13.2.2", "just-rebuilt")
    assert table.refusal("rebuild 99/393 2519") == ("13.2.2", "just-rebuilt")
    table.play("done")
    assert (where(table, "99/393"), lost(table, "99/393")) == ("2519", 1)


def test_13_2_2_no_town_next_to_the_enemy(phase):
    """A German beside Bastogne keeps rebuilt units out of it."""
    assert "rebuild 99/393 2519" in phase(FIRST, "1408 99/394", turn=4).choices()
    assert "rebuild 99/393 2519" not in phase(FIRST, "1408 99/394\n2618 12VG/27", turn=4).choices()


def test_13_2_2_not_into_a_full_town_or_another_corps(phase):
    """A town with VIII Corps takes no V Corps unit."""
    table = phase(FIRST, "2519 106/422", turn=4)
    assert "rebuild 99/393 2519" not in table.choices()
    assert "rebuild 28/109 2519" in table.choices()


def test_13_2_2_us_units_come_back_in_supplied_towns(phase):
    """Luxembourg takes VIII and III Corps, Eupen V and VII; the unit returns at its last step, once a turn."""
    table = phase("first-replacements", "2519 101/501", turn=4)
    assert "rebuild 99/393 3102" in table.choices()
    assert "rebuild 99/393 3328" not in table.choices()
    assert "rebuild 106/422 3328" in table.choices()
    assert "rebuild 106/422 3102" not in table.choices()
    table.play("rebuild 99/393 3102")
    assert table.refusal("replace 99/393") == ("13.2.2", "just-rebuilt")
    assert lost(table.play("done"), "99/393") == 1


def test_13_2_2_never_british_airborne_or_surrendered(phase):
    """They are not offered."""
    table = phase("first-replacements", "2519 101/501 lost=1\ngone 106/422", turn=4)
    assert not table.choices("rebuild 29Bde")
    assert not table.choices("rebuild 82/504")
    assert not table.choices("rebuild 106/422")
    assert table.refusal("replace 101/501") == ("13.2.2", "never-replaced")
