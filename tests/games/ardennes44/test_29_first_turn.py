"""Ardennes '44: chapter 29, first turn."""

from __future__ import annotations

from typing import Any

from games.ardennes44.positions import (
    GROUND,
    hexagon,
    reach,
    stage,
    unit,
)
from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44.advances import refuse_advancer
from salient.games.ardennes44.combat import refuse_attacker, refuse_fighter
from salient.games.ardennes44.disengagement import refuse_disengagement
from salient.games.ardennes44.improved_positions import refuse_digging
from salient.games.ardennes44.marches import refuse_march
from salient.games.ardennes44.movement import (
    crosses_sauer,
    refuse_mover,
)
from salient.games.ardennes44.strengths import Battle, refuse_gun
from salient.games.ardennes44.zones import out_of_bounds
from salient.hexes.masks import bits


def test_29_1_1_red_units_do_not_move_on_turn_1(moving: Any) -> None:
    table = moving("german", "1914 26VG/78\n2114 26VG/39", turn=1)
    assert table.refusal("select 26VG/78") == ("29.1.1", "held-on-turn-1")


def test_29_1_1_red_units_attack_but_do_nothing_else() -> None:
    s = stage("german", "1913 26VG/78\n1813 28/109/1", turn=1)
    u = unit("26VG/78")
    assert refuse_fighter(s, u) is None
    assert {
        r.rule
        for r in (refuse_mover(s, u), refuse_disengagement(s, u), refuse_digging(s, u), refuse_advancer(s, u))
        if r
    } == {"29.1.1"}


def test_29_1_2_divisional_areas_on_turn_1(moving: Any) -> None:
    found = reach(moving("german", "2016 2Pz/2", turn=1), "2Pz/2")
    others = GROUND.all_areas & ~GROUND.areas["2pz"]
    assert not any(others >> hexagon(label) & 1 for label in found)


def test_29_1_2_areas_are_closed_on_turn_1() -> None:
    first, second = (out_of_bounds(stage("german", "2016 2Pz/2", turn=turn), unit("2Pz/2")) for turn in (1, 2))
    assert first & GROUND.areas["26vg"] == GROUND.areas["26vg"]
    assert not first & GROUND.areas["2pz"]
    assert first & GROUND.rear == GROUND.rear
    assert not second & GROUND.areas["26vg"]


def test_29_1_3_no_strategic_movement_on_turn_1(moving: Any) -> None:
    table = moving("german", "0829 1SS/Rec", turn=1)
    table.play("select 1SS/Rec")
    assert table.refusal("march 1SS/Rec 0830")[0] == "29.1.3"


def test_29_1_3_no_march_on_turn_1() -> None:
    for side, name in (("german", "2Pz/2"), ("allied", "7Arm/CCA")):
        assert refuse_march(stage(side, f"6637 {name}", turn=1), unit(name)).rule == "29.1.3"  # type: ignore[union-attr]


def test_29_2_1_most_allied_guns_are_silent_on_turn_1(fighting: Any) -> None:
    table = fighting("german", "1431 99/394/2, V/190\n1430 99/394/1\n1330 12VG/27\n1935 V/406", turn=1)
    table.play("attack 1430", "join 12VG/27", "resolve")
    assert "support V/190" not in table.choices("support")


def test_29_2_1_allied_guns_are_silent_in_defence_only() -> None:
    defence = Battle(GERMAN, hexagon("6637"), (unit("12VG/27"),))
    s = stage("german", "6637 28/110/1\n6638 12VG/27\n6635 VIII/333", turn=1)
    assert refuse_gun(s, unit("VIII/333"), defence, False).rule == "29.2.1"  # type: ignore[union-attr]
    attack = Battle(ALLIED, hexagon("6638"), (unit("28/110/1"),))
    assert refuse_gun(s, unit("VIII/333"), attack, True) is None
    monschau = stage("german", "6637 99/395/3\n6638 12VG/27\n6635 V/187", turn=1)
    assert refuse_gun(monschau, unit("V/187"), defence, False) is None


def test_29_2_2_german_guns_support_their_corps_on_turn_1(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2\n6636 VAK766\n6635 VAK401", turn=1)
    table.play("attack 6637", "join 2Pz/2", "resolve")
    assert table.choices("support") == ["support VAK766"]


def test_29_2_2_german_guns_support_their_corps() -> None:
    b = Battle(GERMAN, hexagon("6637"), (unit("2Pz/2"),))
    s = stage("german", "6637 28/110/1\n6638 2Pz/2\n6640 VAK766\n6639 Werfer16", turn=1)
    assert refuse_gun(s, unit("VAK766"), b, True) is None
    assert refuse_gun(s, unit("Werfer16"), b, True).rule == "29.2.2"  # type: ignore[union-attr]
    s.turn = 2
    assert refuse_gun(s, unit("Werfer16"), b, True) is None


def test_29_3_one_unit_of_212th_crosses_the_sauer(moving: Any) -> None:
    table = moving("german", "1006 212VG/316\n1105 4/12/3\n0904 4/12/1", turn=1)
    assert "1005" in reach(table, "212VG/316")


def test_29_3_one_unit_of_212th_crosses_on_turn_1() -> None:
    lines = "1006 212VG/316, 212VG/Fus\n1106 352VG/914"
    s = stage("german", lines, turn=1)
    assert crosses_sauer(s, unit("212VG/316"))
    assert not crosses_sauer(s, unit("352VG/914"))
    s.sauer = 1
    assert not crosses_sauer(s, unit("212VG/Fus"))
    assert not crosses_sauer(stage("german", lines, turn=2), unit("212VG/316"))


def test_29_4_106th_division_leaves_18th_volksgrenadier_alone(moving: Any) -> None:
    table = moving("allied", "1624 106/424/1\n1523 18VG/293", turn=3)
    area = {GROUND.board.labels[h] for h in bits(GROUND.areas["18vg"])}
    assert not reach(table, "106/424/1") & area


def test_29_4_106th_division() -> None:
    target = next(h for h in range(GROUND.hexes) if GROUND.areas["18vg"] >> h & 1)
    other = GROUND.board.adjacent[target][0]
    s = stage("allied", f"{GROUND.board.labels[target]} 18VG/293\n{GROUND.board.labels[other]} 106/423-", turn=3)
    assert refuse_attacker(s, unit("106/423-"), target).rule == "29.4"  # type: ignore[union-attr]
    assert out_of_bounds(s, unit("106/423-")) & GROUND.areas["18vg"]
    assert not out_of_bounds(stage("allied", "", turn=3), unit("106/423-")) & GROUND.areas["18vg"]
