"""Ardennes '44: chapter 18, disorder."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import (
    FAR,
    GROUND,
    assault,
    flee,
    hexagon,
    order,
    reach,
    shifts_of,
    stage,
    unit,
    where,
)
from salient.common.sides import ALLIED
from salient.games.ardennes44 import components
from salient.games.ardennes44.bridges import sappers
from salient.games.ardennes44.retreats import refuse_survival
from salient.games.ardennes44.strengths import best_tq, bonus
from salient.games.ardennes44.zones import zone


def test_18_1_good_order_is_the_rule() -> None:
    assert set(stage("german", "6637 84/334").order) == {0}


@pytest.mark.parametrize(("marks", "gone", "after"), [("disrupted", True, 0), ("", False, 2)])
def test_18_2_a_disrupted_unit_does_not_survive_a_rout(fighting: Any, marks: str, gone: bool, after: int) -> None:
    """A44-2: DR3 eliminates it; in good order it is routed."""
    table = fighting("german", f"6637 28/110/1 {marks}\n6636 9SS/19\n{FAR}")
    table.play("attack 6637", "join 9SS/19", "resolve", "roll 2" if marks else "roll 1")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert (where(table, "28/110/1") == "eliminated", order(table, "28/110/1")) == (gone, after)


def test_18_2_a_disrupted_unit_that_retreats_is_routed(fighting: Any) -> None:
    table = fighting("german", "6637 84/334 disrupted\n6638 2Pz/2, 2Pz/3/1\n6636 2Pz/304")
    table.play("attack 6637", "join 2Pz/2", "join 2Pz/304", "join 2Pz/3/1", "resolve", "roll 3")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert order(table, "84/334") == 2


def test_18_2_three_hexes_rout(fighting: Any) -> None:
    assert order(flee(assault(fighting, "84/334", 3)), "84/334") == 2


def test_18_3_disrupted_guns_are_not_towed_into_enemy_zones(moving: Any) -> None:
    lines = "6637 Werfer7{}\n6634 84/334"
    calm = moving("german", lines.format("")).play("select Werfer7").choices("tow")
    afraid = moving("german", lines.format(" disrupted")).play("select Werfer7").choices("tow")
    assert "tow Werfer7 6635" in calm
    assert "tow Werfer7 6636" in afraid
    assert "tow Werfer7 6635" not in afraid


def test_18_3_disrupted_defenders_give_a_column(fighting: Any) -> None:
    table = fighting("german", "6637 84/334 disrupted\n6638 2Pz/2")
    assert shifts_of(table, "attack 6637")["shift-disrupted"] == 1


def test_18_3_disrupted_units_do_not_attack(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2 disrupted\n6636 2Pz/304")
    table.play("attack 6637")
    assert table.refusal("join 2Pz/2") == ("18.3", "disrupted-cannot-attack")


def test_18_3_disrupted_units_move_tactically_and_away(moving: Any) -> None:
    table = moving("allied", "6637 84/334 disrupted\n6638 2Pz/2")
    assert table.choices("pass") == []
    assert table.refusal("pass") == ("18.3", "withdraw-first")
    table.play("select 84/334")
    assert all(GROUND.board.distance(hexagon("6637"), hexagon(h)) <= 2 for h in table.destinations("84/334"))


def test_18_3_friends_in_good_order_lift_the_zone_where_they_stand(moving: Any) -> None:
    """Beside one of them a disrupted unit may stay, and one alone goes there rather than nowhere."""
    beside = moving("allied", "6637 28/110/1 disrupted, 28/110/2\n6638 2Pz/2\n2711 84/334")
    assert "pass" in beside.choices()
    assert "stay 28/110/1" in beside.try_all("select 28/110/1").choices()
    shaken = moving("allied", "6637 28/110/1 disrupted, 28/110/2 routed\n6638 2Pz/2\n2711 84/334")
    assert shaken.refusal("pass") == ("18.3", "withdraw-first")
    enemies = "6638 2Pz/2 disrupted\n6535 9SS/19 disrupted\n6735 9SS/20 disrupted"  # zones all round, no bonds
    ring = f"6637 28/110/1 disrupted\n{enemies}\n2711 84/334"
    alone = moving("allied", ring)
    assert "pass" in alone.choices()
    helped = moving("allied", f"{ring}\n6636 28/110/2")
    assert helped.refusal("pass") == ("18.3", "withdraw-first")
    assert reach(helped, "28/110/1") == {"6636"}


def test_18_3_disrupted_units_do_not_enter_zones(moving: Any) -> None:
    table = moving("allied", "6637 84/334 disrupted\n6633 2Pz/2")
    assert not any(components.within(GROUND, hexagon("6633"), 1) >> hexagon(h) & 1 for h in reach(table, "84/334"))


def test_18_3_no_march_no_split(moving: Any) -> None:
    table = moving("allied", "3413 7Arm/CCA disrupted", turn=9)
    assert table.choices("split") == []
    assert table.try_all("select 7Arm/CCA").choices("march") == []


def test_18_4_disrupted_units_keep_zone_and_bonus() -> None:
    s = stage("german", "3413 84/771 disrupted, 99/394/1 routed")
    assert zone(s, ALLIED) >> hexagon("3414") & 1
    assert bonus(s, hexagon("3413")) == 3
    assert best_tq(s, (unit("84/771"),)) == 3


def test_18_5_routed_units_do_not_survive_a_retreat() -> None:
    s = stage("german", "6637 84/334 routed")
    assert refuse_survival(s, unit("84/334"), 2).rule == "18.5"  # type: ignore[union-attr]


def test_18_5_routed_units_blow_no_bridges() -> None:
    index = GROUND.bridge_ids["4111/4211"]
    assert sappers(stage("allied", "4111 1/26 disrupted", turn=5), ALLIED, index) == (unit("1/26"),)
    assert sappers(stage("allied", "4111 1/26 routed", turn=5), ALLIED, index) == ()


def test_18_5_routed_units_recover_to_disrupted(phase: Any) -> None:
    assert order(phase("german-recovery", "german", "6637 2Pz/2 routed"), "2Pz/2") == 1


def test_18_6_recovery_by_itself_or_by_die(phase: Any) -> None:
    table = phase("allied-recovery", "allied", "6637 84/334 disrupted\n6638 2Pz/2\n6633 84/335 routed")
    assert order(table, "84/335") == 1
    table.play("roll 2")
    assert order(table, "84/334") == 0


def test_18_6_green_troops_recover_worse(phase: Any) -> None:
    table = phase("allied-recovery", "allied", "6637 75/289 disrupted\n6638 2Pz/2").play("roll 2")
    assert order(table, "75/289") == 1


@pytest.mark.parametrize(
    ("name", "die", "recovers"),
    [
        ("84/334", 2, True),
        ("84/334", 3, False),
        ("106/424-", 2, False),
        ("106/424-", 1, True),
        ("101/501", 3, True),
        ("101/501", 4, False),
    ],
)
def test_18_6_recovery_next_to_the_enemy(phase: Any, name: str, die: int, recovers: bool) -> None:
    table = phase("allied-recovery", "allied", f"6637 {name} routed\n6638 2Pz/2").play(f"roll {die}")
    assert order(table, name) == (1 if recovers else 2)


def test_18_6_off_the_map_units_recover(phase: Any) -> None:
    table = phase("allied-recovery", "allied", "west 84/334 routed", turn=9)
    assert order(table, "84/334") == 1
