"""Ardennes '44: chapter 22, artillery."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import (
    UNITS,
    hexagon,
    key,
    lost,
    marked,
    reach,
    shifts_of,
    stage,
    unit,
)
from salient.common.sides import GERMAN
from salient.games.ardennes44.advances import refuse_advancer
from salient.games.ardennes44.strengths import Battle, refuse_gun


def test_22_1_a_gun_led_two_hexes_has_fired(moving: Any) -> None:
    table = moving("allied", "6637 V/190\n6630 84/334").play("select V/190", "via V/190 6636", "move V/190 6636")
    assert not marked(table, "fired", "V/190")
    further = moving("allied", "6637 V/190\n6630 84/334")
    further.play("select V/190", "via V/190 6636", "via V/190 6635", "move V/190 6635")
    assert marked(further, "fired", "V/190")


def test_22_1_a_gun_that_leaves_from_the_edge_stays_ready(moving: Any) -> None:
    """One hex is no more than a change of position."""
    table = moving("allied", "2101 V/190\n2711 84/334").play("select V/190", "leave V/190 southeast")
    assert not marked(table, "fired", "V/190")
    further = moving("allied", "2103 V/190\n2711 84/334").play("select V/190", "leave V/190 southeast")
    assert marked(further, "fired", "V/190")


def test_22_1_guns_that_moved_far_have_fired(moving: Any) -> None:
    table = moving("allied", "6637 VII/18").play("select VII/18", "move VII/18 6635")
    assert marked(table, "fired", "VII/18")


def test_22_1_allied_guns_that_drive_have_fired(moving: Any) -> None:
    table = moving("allied", "6637 VII/18").play("select VII/18", "move VII/18 6634")
    assert marked(table, "fired", "VII/18")
    shifted = moving("allied", "6637 VII/18").play("select VII/18", "move VII/18 6636")
    assert not marked(shifted, "fired", "VII/18")


@pytest.mark.parametrize("state", ["disrupted", "oos"])
def test_22_2_a_nebelwerfer_brigade_bound_to_tactical_movement_stays(moving: Any, state: str) -> None:
    """Tactical movement asks for two movement points; it has one [11.3, 18.3, 23.4]."""
    table = moving("german", f"2711 2Pz/2\n6637 Werfer4 {state}").play("select Werfer4")
    assert table.destinations("Werfer4") == set()
    assert moving("german", "2711 2Pz/2\n6637 Werfer4").play("select Werfer4").destinations("Werfer4")


def test_22_2_one_hex_keeps_them_ready(moving: Any) -> None:
    table = moving("allied", "6637 VII/18").play("select VII/18", "move VII/18 6636")
    assert not marked(table, "fired", "VII/18")


def test_22_2_volks_artillery_does_not_shift(moving: Any) -> None:
    assert reach(moving("german", "6637 VAK766"), "VAK766") == set()
    assert len(reach(moving("german", "6637 Werfer15"), "Werfer15")) == 6


def test_22_2_werfer_shift_one_hex_and_stay_ready(moving: Any) -> None:
    table = moving("german", "6637 Werfer15\n6633 VAK766")
    assert reach(table, "Werfer15") == {"6638", "6636", "6737", "6736", "6537", "6536"}
    assert reach(table, "VAK766") == set()


def test_22_3_a_tractor_brings_guns_five_points_and_stays(moving: Any) -> None:
    table = moving("german", "6637 VAK766").play("select VAK766", "tow VAK766 6632")
    assert marked(table, "tractor", "VAK766")
    assert not marked(table, "fired", "VAK766")


def test_22_3_the_7th_army_has_one_tractor(moving: Any) -> None:
    table = moving("german", "6637 VAK406\n6633 VAK408").play("select VAK406", "tow VAK406 6635", "select VAK408")
    assert table.refusal("tow VAK408 6632") == ("22.3", "no-tractor-left")


def test_22_3_tractors_tow_guns_of_their_army(moving: Any) -> None:
    table = moving("german", "6637 VAK408\n6635 Werfer8\n6633 2Pz/2")
    table.play("select VAK408", table.try_all("select VAK408").choices("tow VAK408")[0])
    assert marked(table, "tractor", "VAK408")
    assert table.try_all("select Werfer8").choices("tow") == []


def test_22_4_range_is_counted_to_the_attacked_hex() -> None:
    b = Battle(GERMAN, hexagon("6637"), (unit("2Pz/2"),))
    span = UNITS.range[unit("Werfer15")]
    assert span == 3
    near = stage("german", "6637 84/334\n6638 2Pz/2\n6634 Werfer15")
    far = stage("german", "6637 84/334\n6638 2Pz/2\n6633 Werfer15")
    assert refuse_gun(near, unit("Werfer15"), b, True) is None
    assert refuse_gun(far, unit("Werfer15"), b, True).rule == "22.4"  # type: ignore[union-attr]


def test_22_5_guns_have_one_step() -> None:
    assert {UNITS.steps[u] for u in range(UNITS.count) if UNITS.artillery[u]} == {1}


def test_22_6_guns_need_a_unit_of_their_colour(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2\n6636 VAK402\n6635 VAK766")
    table.play("attack 6637", "join 2Pz/2", "resolve")
    assert table.choices("support") == ["support VAK766"]
    assert table.refusal("support VAK402") == ("22.6", "other-colour")


@pytest.mark.parametrize("state", ["fired", "tractor", "disrupted"])
def test_22_6_guns_must_be_ready(state: str) -> None:
    s = stage("german", f"6637 84/334\n6638 2Pz/2\n6640 VAK766 {state}")
    b = Battle(GERMAN, hexagon("6637"), (unit("2Pz/2"),))
    assert refuse_gun(s, unit("VAK766"), b, True).key == "guns-not-ready"  # type: ignore[union-attr]


def test_22_6_engaged_guns_do_not_defend() -> None:
    s = stage("german", "6637 84/334\n6638 2Pz/2\n6635 VII/18 engaged")
    b = Battle(GERMAN, hexagon("6637"), (unit("2Pz/2"),))
    assert refuse_gun(s, unit("VII/18"), b, False).key == "guns-engaged"  # type: ignore[union-attr]


def test_22_7_two_guns_at_most_and_they_have_fired(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2\n6636 VAK766\n6635 VAK401\n6634 Werfer15")
    table.play("attack 6637", "join 2Pz/2", "resolve", "support VAK766", "support VAK401", "resolve")
    assert shifts_of(table, "roll 1")["shift-guns"] == 2
    assert marked(table, "fired", "VAK766")


GUNS_IN_RANGE = "6637 28/110/1\n6636 2SS/3\n6632 VAK405\n6634 Werfer9\n6635 Werfer4"


def test_22_7_guns_are_named_in_any_order_and_fire_by_resolve(fighting: Any) -> None:
    start = fighting("german", GUNS_IN_RANGE).play("attack 6637", "join 2SS/3", "resolve")
    table = start.try_all("support Werfer9", "support VAK405")
    assert key(table) == key(start.try_all("support VAK405", "support Werfer4", "drop Werfer4", "support Werfer9"))
    assert not marked(table, "fired", "Werfer9")
    assert table.refusal("support Werfer4") == ("22.7", "enough-guns")
    assert table.refusal("support VAK405") == ("22.6", "named-already")
    assert table.refusal("drop Werfer4") == ("22.6", "not-named")
    assert key(table.try_all("cancel")) == key(start)
    table.play("resolve")
    assert shifts_of(table, "roll 1")["shift-guns"] == 2
    assert marked(table, "fired", "Werfer9")
    assert marked(table, "fired", "VAK405")


def test_22_8_time_on_target_breaks_the_attack(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6636 VII/18\n6638 2Pz/2")
    table.play("attack 6637", "join 2Pz/2", "resolve", "support VII/18", "resolve", "roll 1")
    assert table.said("time-on-target")
    assert table.state.lost[unit("2Pz/2")] == 1


def test_22_8_one_gun_defends(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6636 VII/18\n6635 VII/142\n6638 2Pz/2")
    table.play("attack 6637", "join 2Pz/2", "resolve", "support VII/18", "resolve", "roll 2")
    assert table.choices("support") == []
    assert shifts_of(table, "roll 1")["shift-defence"] == -2


@pytest.mark.parametrize(("die", "columns"), [(1, 2), (2, 2), (3, 1), (4, 1), (5, 0), (6, 0)])
def test_22_8_german_guns_defend(fighting: Any, die: int, columns: int) -> None:
    table = fighting("allied", "6637 2Pz/2\n6636 VAK766\n6638 84/334")
    table.play("attack 6637", "join 84/334", "resolve", "support VAK766", "resolve", f"roll {die}")
    assert shifts_of(table, "roll 1").get("shift-defence", 0) == -columns


def test_22_8_time_on_target_uses_up_the_advantage(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6636 VII/18\n6638 2Pz/2\nadvantage 6638 6637 2Pz/2")
    table.play("attack 6637", "join 2Pz/2", "resolve", "support VII/18", "resolve", "roll 1")
    assert (lost(table, "2Pz/2"), table.state.advantage) == (1, ())
    assert not marked(table, "engaged", "84/334")


def test_22_8_naming_the_only_gun_does_not_fire_it(fighting: Any) -> None:
    start = fighting("german", "6637 84/334\n6636 VII/18\n6638 2Pz/2").play("attack 6637", "join 2Pz/2", "resolve")
    table = start.try_all("support VII/18")
    assert (table.actor, table.choices()) == ("allied", ["drop VII/18", "cancel", "resolve"])
    assert key(table.try_all("drop VII/18")) == key(start)
    assert table.play("resolve").actor == "chance"


def test_22_8_the_defender_decides_on_odds_that_are_told(fighting: Any) -> None:
    """The attack as it stands, without the attacker's further guns; of the gun, that a die follows (T-85)."""
    table = fighting("german", "6637 84/334\n6636 VII/18\n6638 2Pz/2").play("attack 6637", "join 2Pz/2", "resolve")
    view, read = table.game.view, table.game.read
    seen = view.preview(table.state, read("support VII/18"))
    assert seen["note"] == {"rule": "22.8", "key": "barrage-may-shift", "args": {}}
    assert not {"one_more", "support"} & set(seen["odds"])
    stands = view.preview(table.state, read("resolve"))
    assert "note" not in stands
    assert seen["odds"]["column"] == stands["odds"]["column"] == "1-2"


def test_22_9_guns_do_not_support_their_own_hex(fighting: Any) -> None:
    table = fighting("german", "6637 84/334, VII/18\n6638 2Pz/2")
    table.play("attack 6637", "join 2Pz/2", "resolve")
    assert table.choices("support") == []


def test_22_9_guns_attacked_may_support_another_hex() -> None:
    s = stage("german", "6637 84/334\n6636 VII/18\n6638 2Pz/2\n6635 2Pz/304")
    b = Battle(GERMAN, hexagon("6637"), (unit("2Pz/2"),))
    assert refuse_gun(s, unit("VII/18"), b, False) is None


def test_22_9_guns_never_attack(fighting: Any) -> None:
    table = fighting("allied", "6637 2Pz/2\n6638 84/334, VII/18").play("attack 6637")
    assert table.refusal("join VII/18") == ("22.9", "guns-only-support")


def test_22_10_guns_do_not_advance() -> None:
    s = stage("german", "6638 VAK766")
    assert refuse_advancer(s, unit("VAK766")).rule == "19.1.1"  # type: ignore[union-attr]
