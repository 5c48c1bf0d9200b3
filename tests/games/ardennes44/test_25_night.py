"""Ardennes '44: chapter 25, night."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import (
    FAR,
    FAR_AWAY,
    GROUND,
    UNITS,
    hexagon,
    in_every_order,
    lost,
    marked,
    reach,
    stage,
    unit,
    where,
)
from salient import load
from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44 import components, model
from salient.games.ardennes44.combat import refuse_fighter
from salient.games.ardennes44.night import refuse_night
from salient.games.ardennes44.replacements import (
    begin_replacements,
    needs_armor_point,
    rebuilding_hexes,
    refuse_ever,
    refuse_replacement,
)
from salient.games.ardennes44.sequence import PHASES


def test_25_1_the_order_of_the_night() -> None:
    nights = [name for name in PHASES.names if "-night-" in name]
    assert nights == [
        "allied-night-replacements", "allied-night-movement", "allied-night-combat",
        "german-night-replacements", "german-night-movement", "german-night-combat",
    ]  # fmt: skip


def test_25_1_the_night_turn_reverses_the_players() -> None:
    names = [name for name in PHASES.names if "-night-" in name]
    assert names[0] == "allied-night-replacements"
    assert names[-1] == "german-night-combat"


REDUCED = "3413 84/334 lost=1\n3216 84/771 lost=1\n3612 1/745 lost=1\n2125 1/26 lost=1"


def test_25_2_1_replacements_in_any_order(phase: Any) -> None:
    """Armour first and infantry after it, or the other way round; what is taken back was not spent."""
    table = phase("allied-night-replacements", "allied", REDUCED, turn=12)
    before = table.state.key()
    assert len(set(in_every_order(table, ["replace 84/771", "replace 84/334"]))) == 1
    assert table.try_all("replace 84/771", "replace 84/334", "drop 84/334", "drop 84/771").state.key() == before
    table.play("replace 84/771")
    assert table.refusal("replace 1/745") == ("25.2.1", "no-armor-point")
    table.play("drop 84/771", "replace 1/745", "replace 84/334", "done")
    assert [table.state.lost[unit(name)] for name in ("1/745", "84/334", "84/771")] == [0, 0, 1]
    assert marked(table, "fresh", "1/745")


def test_25_2_1_a_set_is_committed_by_done_alone(phase: Any) -> None:
    table = phase("allied-night-replacements", "allied", REDUCED, turn=12)
    table.play("replace 84/771", "replace 84/334")
    assert table.choices() == ["drop 84/334", "drop 84/771", "done"]
    assert table.refusal("replace 1/26") == ("25.2.1", "no-replacement-left")
    assert table.refusal("drop 1/26") == ("25.2.1", "not-named")


def replacing(turn: int, lines: str, side: int = ALLIED) -> Any:
    """What a side may spend its replacements on."""
    s = stage("allied" if side == ALLIED else "german", lines, turn, night=1)
    begin_replacements(s, side)
    return s


def test_25_2_1_one_replacement_is_for_infantry_only() -> None:
    lines = "3413 84/771 lost=1\n3512 84/334 lost=1"
    one, two = replacing(4, lines), replacing(12, lines)
    assert ("replace", unit("84/771")) not in one.stack[-1].legal(one)
    assert {("replace", unit("84/771")), ("replace", unit("84/334"))} <= set(two.stack[-1].legal(two))


def test_25_2_1_a_unit_may_be_brought_back_and_filled_up(phase: Any) -> None:
    table = phase("allied-night-replacements", "allied", "3413 V/190\neliminated 99/395-", turn=12)
    table.play("rebuild 99/395- 3413")
    assert lost(table, "99/395-") == 1
    assert table.choices("replace") == ["replace 99/395-"]


def test_25_2_1_armour_reconnaissance_and_flak_need_the_armour_point() -> None:
    assert all(needs_armor_point(UNITS, unit(name)) for name in ("84/771", "14Cav/32", "18/10+", "7Arm/CCA"))
    assert not needs_armor_point(UNITS, unit("2Pz/2"))


def test_25_2_2_replacements_restore_a_step(phase: Any) -> None:
    table = phase("allied-night-replacements", "allied", "2531 84/334 lost=1", turn=4)
    table.play("replace 84/334")
    assert lost(table, "84/334") == 0
    assert marked(table, "fresh", "84/334")


def test_25_2_2_not_next_to_the_enemy() -> None:
    s = stage("allied", "6637 84/334 lost=1\n6638 2Pz/2", turn=12)
    assert refuse_replacement(s, unit("84/334")).key == "next-to-enemy"  # type: ignore[union-attr]


def test_25_2_2_eliminated_units_come_back_in_towns_near_their_colour() -> None:
    s = stage("allied", "3413 V/190\neliminated 99/395-", turn=8)
    found = {GROUND.board.labels[h] for h in rebuilding_hexes(s, unit("99/395-"))}
    assert {"3413", "3313"} <= found
    assert all(GROUND.board.distance(hexagon("3413"), hexagon(h)) <= 5 for h in found)
    other = stage("allied", "3413 84/334\neliminated 99/395-", turn=8)
    assert rebuilding_hexes(other, unit("99/395-")) == []


def test_25_2_2_not_beside_an_enemy() -> None:
    s = stage("allied", "3413 V/190\n3314 2Pz/2\neliminated 99/395-", turn=8)
    near = components.within(GROUND, hexagon("3314"), 1)
    assert not any(near >> h & 1 for h in rebuilding_hexes(s, unit("99/395-")))


def test_25_2_2_germans_also_at_k_l_and_m() -> None:
    s = stage("german", "eliminated 12VG/27", turn=8)
    found = {GROUND.board.labels[h] for h in rebuilding_hexes(s, unit("12VG/27"))}
    assert found == {GROUND.board.labels[h] for letter in "KLM" for h in GROUND.entry_hexes[GERMAN][letter]}


def test_25_2_2_a_german_who_comes_back_takes_an_entry_hex_that_the_allies_held(phase: Any) -> None:
    """Until the replacements are done the hex stays with the Allies, whatever is taken back; found by fuzzing."""
    entry = 1 << hexagon("0106")
    table = phase("german-night-replacements", "german", "eliminated 12VG/27", turn=8)
    table.state.held &= ~entry
    table.play("rebuild 12VG/27 0106")
    assert load("ardennes44").check(table.state) == []
    table.play("drop 12VG/27", "rebuild 12VG/27 0106", "done")
    assert table.state.held & entry


def test_25_2_3_a_remnant_comes_back_with_the_replacement_taken_back(phase: Any) -> None:
    name = next(u for u in UNITS.of_side[0] if UNITS.large[u] and UNITS.type[u] == "infantry")
    remnant = next(
        x for x in UNITS.of_side[0] if UNITS.remnant[x] and UNITS.type[x] == "infantry" and not UNITS.british[x]
    )
    lines = f"3413 {UNITS.ids[remnant]} moved\neliminated {UNITS.ids[name]}"
    table = phase("allied-night-replacements", "allied", lines, turn=12)
    before = table.state.key()
    text = f"rebuild {UNITS.ids[name]} 3413"
    assert table.try_all(text, f"drop {UNITS.ids[name]}").state.key() == before
    table.play(text, "done")
    assert where(table, UNITS.ids[name]) == "3413"
    assert where(table, UNITS.ids[remnant]) == "pool"


def test_25_2_3_large_units_come_back_from_remnants() -> None:
    s = stage("allied", "2531 Rem1", turn=12)
    assert [GROUND.board.labels[h] for h in rebuilding_hexes(s, unit("84/334"))] == ["2531"]


def test_25_2_3_a_regiment_needs_a_remnant() -> None:
    s = stage("allied", "3413 Rem1\n3512 ParaRem1\neliminated 84/334", turn=8)
    assert [GROUND.board.labels[h] for h in rebuilding_hexes(s, unit("84/334"))] == ["3413"]
    engaged = stage("allied", "3413 Rem1 engaged\neliminated 84/334", turn=8)
    assert rebuilding_hexes(engaged, unit("84/334")) == []


def test_25_2_4_one_hex_and_no_attack(moving: Any, fighting: Any) -> None:
    assert reach(moving("allied", "6637 84/334 fresh"), "84/334") == {"6638", "6537", "6536", "6636", "6736", "6737"}
    s = stage("allied", "6637 84/334 fresh\n6638 2Pz/2")
    assert refuse_fighter(s, unit("84/334")).rule == "25.2.4"  # type: ignore[union-attr]
    table = fighting("allied", "6637 84/334 fresh, 84/771\n6638 2Pz/2").play("pass")
    assert not marked(table, "fresh", "84/334")


def test_25_2_4_disorder_takes_the_marker() -> None:
    s = stage("allied", "6637 84/334 fresh")
    model.set_order(s, unit("84/334"), model.DISRUPTED)
    assert not s.fresh


def test_25_2_5_who_never_gets_any() -> None:
    for name in ("101/501", "43/129", "VdH", "150Pz", "506", "1000StM", "V/190"):
        assert refuse_ever(UNITS, unit(name)) is not None, name
    assert refuse_ever(UNITS, unit("84/334")) is None


@pytest.mark.parametrize(
    "name", ["1SS/501", "506", "1000StM", "217StPz", "VdH", "150Pz", "101/501", "509", "V/190", "VAK766", "43/129"]
)
def test_25_2_5_never_replaced(name: str) -> None:
    assert refuse_ever(UNITS, unit(name)).rule == "25.2.5"  # type: ignore[union-attr]


@pytest.mark.parametrize("state", ["oos", "disrupted", "engaged", "march", "night_marks"])
def test_25_2_5_not_in_this_state(state: str) -> None:
    s = stage("allied", f"3413 84/334 lost=1 {state}", turn=8)
    assert refuse_replacement(s, unit("84/334")).rule == "25.2.5"  # type: ignore[union-attr]


def test_25_3_1_by_night_only_marked_units_move(moving: Any) -> None:
    table = moving("german", "6637 2Pz/2 night_marks\n6635 2Pz/304", turn=8, night=1)
    assert table.choices("select") == ["select 2Pz/2"]


def test_25_3_1_three_groups_each_a_hex(moving: Any) -> None:
    lines = "6637 84/334, 84/771\n6630 84/335\n6620 84/333\n6610 1/26"
    table = moving("allied", lines, turn=8).play("night 6637", "night 6630", "night 6620")
    assert table.choices("night") == []
    assert marked(table, "night_marks", "84/771")


def test_25_3_1_no_march_by_night_but_extended_movement(moving: Any) -> None:
    table = moving("allied", "6637 84/334 night_marks\n3413 7Arm/CCA night_marks", turn=8, night=1)
    assert "6632" in reach(table, "84/334")
    assert table.try_all("select 7Arm/CCA").choices("march") == []


def test_25_3_2_everyone_next_to_the_enemy_may_disengage_by_night(fighting: Any) -> None:
    """A44-14: markers are needed to attack, not to get away."""
    lines = "6637 26VG/39 engaged\n6636 84/334\n6630 9SS/19 night_marks\n6631 84/335"
    table = fighting("german", lines, turn=8, night=1)
    assert "disengage 26VG/39" in table.choices()
    assert table.refusal("attack 6636") == ("25.3.2", "no-night-marker")


def test_25_3_2_guns_need_no_marker(fighting: Any) -> None:
    table = fighting("allied", "6637 2Pz/2\n6638 84/334 night_marks, 84/771\n6640 VII/18", turn=8, night=1)
    table.play("attack 6637")
    assert table.refusal("join 84/771") == ("25.3.2", "no-night-marker")
    assert table.play("join 84/334", "resolve").choices("support") == ["support VII/18"]


def engaged_at_dusk(fighting: Any, marks: str = "", **changes: Any) -> Any:
    table = fighting("allied", f"6637 26VG/39{marks}\n6636 84/334\n3413 84/771\n{FAR}", turn=8, **changes)
    table.play("attack 6637", "join 84/334", "resolve", "roll 4")
    assert marked(table, "engaged", "26VG/39")
    return table


def test_25_3_3_without_a_group_the_night_is_skipped_and_markers_stay(fighting: Any) -> None:
    """A44-5: engaged in the Allied PM turn, still engaged in the AM turn, where it cannot move (16.5)."""
    table = engaged_at_dusk(fighting)
    while table.state.turn == 8 or not table.choices("select"):
        words = [text for text in table.choices() if text in ("pass", "done", "resolve")]
        table.play(words[-1] if words else table.choices()[-1])
    assert marked(table, "engaged", "26VG/39")
    assert "select 26VG/39" not in table.choices()


def test_25_3_3_with_a_group_the_phase_is_played_and_markers_come_off(phase: Any) -> None:
    lines = "6637 26VG/39 engaged\n6636 84/334\n6630 9SS/19 night_marks\n3413 84/771"
    table = phase("german-night-combat", "german", lines, turn=8, night=1, planned=2)
    assert "disengage 26VG/39" in table.choices()
    table.play("pass")
    assert not marked(table, "engaged", "26VG/39")


def test_25_3_3_night_markers_are_placed_in_pm_turns(moving: Any) -> None:
    table = moving("german", "6637 2Pz/2\n6635 2Pz/304\n6633 2Pz/3/1\n6631 2Pz/3/2", turn=8, oos=0)
    table.play("night 6637", "night 6635", "night 6633")
    assert table.choices("night") == []
    assert marked(table, "night_marks", "2Pz/2")
    assert moving("german", "6637 2Pz/2", turn=9).choices("night") == []


def test_25_3_3_groups_in_any_order_and_back(moving: Any) -> None:
    """Which three are kept may be thought over until the phase ends, also after others have moved."""
    table = moving("allied", "6637 84/334, 84/771\n6630 84/335\n6620 84/333\n6635 1/26", turn=8)
    before = table.state.key()
    assert len(set(in_every_order(table, ["night 6637", "night 6630", "night 6620"]))) == 1
    assert table.try_all("night 6637", "night 6630", "lift 6637", "lift 6630").state.key() == before
    table.play("night 6637", "night 6630", "night 6620", "select 1/26", "move 1/26 6634", "lift 6637")
    assert table.choices("night") == ["night 6634", "night 6637"]
    assert "select 84/334" in table.choices("select")
    table.play("night 6634", "lift 6634")
    assert "select 1/26" not in table.choices("select"), "its point is spent"
    assert table.refusal("lift 6637") == ("25.3.3", "no-night-marker-here")
    assert not [text for text in table.candidates() if text.startswith("lift")]


def test_25_3_3_one_marker_does_for_a_hex(moving: Any) -> None:
    """Who joins a marked group comes under its marker, whatever the order."""
    lines = "6637 84/334\n6636 84/771\n6630 84/335\n6620 84/333\n6610 1/26"
    groups = ["night 6637", "night 6630", "night 6620"]
    joins = ["select 84/771", "move 84/771 6637"]
    early = moving("allied", lines, turn=8).play(*joins, *groups)
    late = moving("allied", lines, turn=8).play(*groups, *joins, "night 6637")
    assert marked(late, "night_marks", "84/771")
    assert late.state.used == 3
    assert late.state.key() == early.state.key()


def test_25_3_3_taken_back_the_night_is_skipped(moving: Any) -> None:
    table = moving("allied", "6637 84/334\n6630 84/335", turn=8).play("night 6637", "lift 6637")
    assert not table.state.planned


def test_25_3_3_only_in_the_afternoon(moving: Any) -> None:
    assert moving("allied", "6637 84/334", turn=7).choices("night") == []
    assert moving("allied", "6637 84/334", turn=8).choices("night") == ["night 6637"]


def test_25_3_3_guns_may_be_kept_for_the_night_to_move(moving: Any, phase: Any) -> None:
    """They fire without a marker (25.3.2) but move by night only under one; programs do not mark them alone."""
    table = moving("allied", "6637 84/334, V/190 fired\n6630 V/187", turn=8)
    assert table.choices("night") == ["night 6630", "night 6637"]
    assert "night 6630" not in table.candidates()
    assert marked(table.play("night 6637"), "night_marks", "V/190")
    lines = "6637 84/334 night_marks, V/190 fired night_marks\n6630 V/187"
    night = phase("allied-night-movement", "allied", lines, turn=8, night=1, planned=1)
    assert night.choices("select") == ["select V/190", "select 84/334"]
    assert len(reach(night, "V/190")) > 18


@pytest.mark.parametrize("state", ["engaged", "oos", "short", "disrupted", "routed"])
def test_25_3_4_who_cannot_be_marked(state: str) -> None:
    s = stage("german", f"6637 2Pz/2 {state}", turn=8)
    assert refuse_night(s, unit("2Pz/2")).rule == "25.3.4"  # type: ignore[union-attr]


def test_25_3_5_one_point_by_stretches_is_one_point(moving: Any) -> None:
    """A unit that was led for a point may still be kept for the night; one that was led further may not."""
    near = moving("german", f"6637 2Pz/2\n{FAR_AWAY}", turn=8)
    near.play("select 2Pz/2", "via 2Pz/2 6636", "move 2Pz/2 6636")
    assert "night 6636" in near.choices("night")
    back = moving("german", f"6637 2Pz/2\n{FAR_AWAY}", turn=8)
    back.play("select 2Pz/2", "via 2Pz/2 6636", "move 2Pz/2 6637")
    assert back.refusal("night 6637") == ("25.3.5", "has-moved-too-far")


def test_25_3_5_marked_units_do_not_attack_by_day(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2 night_marks\n6636 2Pz/304", turn=8)
    table.play("attack 6637")
    assert table.refusal("join 2Pz/2") == ("25.3.5", "night-cannot-attack")


def test_25_3_5_one_point_first(moving: Any) -> None:
    table = moving("allied", "6637 84/334\n6620 84/335", turn=8)
    table.play("select 84/334", "move 84/334 6636", "select 84/335", "move 84/335 6618")
    assert table.choices("night") == ["night 6636"]


def test_25_3_6_no_demolition_phase_by_night() -> None:
    assert not [name for name in PHASES.names if "-night-" in name and "bridge" in name]


def test_25_3_7_a_retreat_takes_the_marker() -> None:
    s = stage("german", "6637 2Pz/2 night_marks", turn=8)
    model.set_order(s, unit("2Pz/2"), model.DISRUPTED)
    assert not s.night_marks
