"""Ardennes '44: chapter 20, disengagement."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import (
    ELSEWHERE,
    flee,
    key,
    marked,
    order,
    stage,
    unit,
)
from salient.games.ardennes44.disengagement import disengagement_modifier, ways_out


def test_20_1_attack_or_disengage_not_both(fighting: Any) -> None:
    table = fighting("allied", "6637 84/334, 84/771\n6638 2Pz/2\n6535 84/335\n6534 2Pz/304")
    table.play("attack 6638", "join 84/334", "resolve", "roll 6")
    while not table.choices("disengage"):
        table.play(table.choices()[0])
    assert "disengage 84/334" not in table.choices("disengage")
    assert "disengage 84/771" in table.choices("disengage")


def test_20_1_only_next_to_the_enemy(fighting: Any) -> None:
    table = fighting("allied", "6637 84/334\n6638 2Pz/2\n6633 84/335")
    assert table.refusal("disengage 84/335") == ("20.1", "not-next-to-enemy")


STACK = "6637 28/110/2 engaged, 28/110/1 engaged, 28/109/1 engaged\n6636 2SS/3"


def test_20_2_a_stack_announces_together(fighting: Any) -> None:
    """A44-12: who is not named before the first die stays; his marker comes off, he may still attack."""
    start = fighting("allied", STACK)
    table = start.try_all("disengage 28/110/2", "disengage 28/110/1")
    assert key(table) == key(
        start.try_all("disengage 28/110/1", "disengage 28/109/1", "drop 28/109/1", "disengage 28/110/2")
    )
    assert key(table.try_all("cancel")) == key(start)
    assert key(start.try_all("disengage 28/110/1", "drop 28/110/1")) == key(start)
    assert table.refusal("disengage 28/110/2") == ("20.2", "named-already")
    assert table.refusal("drop 28/109/1") == ("20.2", "not-named")
    assert table.refusal("pass") == ("20.2", "finish-disengagement-first")
    table.play("resolve", "roll 5")
    assert table.actor == "chance"
    table.play("roll 5")
    assert table.refusal("disengage 28/109/1") == ("20.2", "stays")
    assert not marked(table, "engaged", "28/109/1")
    assert table.play("attack 6636").choices("join") == ["join 28/109/1"]


def test_20_2_only_of_one_stack(fighting: Any) -> None:
    table = fighting("allied", f"{STACK}\n6536 28/109/2 engaged").play("disengage 28/110/1")
    assert table.refusal("disengage 28/109/2") == ("20.2", "not-of-this-stack")


def test_20_2_modifiers() -> None:
    s = stage("allied", "")
    assert disengagement_modifier(s, unit("2Pz/3/1")) == -2
    assert disengagement_modifier(s, unit("75/289")) == 1
    assert disengagement_modifier(s, unit("4Cav/4")) == -1


@pytest.mark.parametrize(
    ("die", "goes", "shaken"), [(1, True, 0), (3, True, 0), (4, True, 1), (5, False, 0), (6, False, 1)]
)
def test_20_2_and_20_3_the_table(fighting: Any, die: int, goes: bool, shaken: int) -> None:
    table = fighting("allied", f"6637 84/334 engaged\n6638 2Pz/2\n{ELSEWHERE}").play(
        "disengage 84/334", "resolve", f"roll {die}"
    )
    assert bool(table.choices("retreat")) is goes
    flee(table)
    assert order(table, "84/334") == shaken


def test_20_3_who_is_shaken_does_not_stop_in_a_zone(fighting: Any) -> None:
    lines = "6637 84/334 engaged\n6638 2Pz/2"
    calm = fighting("allied", lines).play("disengage 84/334", "resolve", "roll 1")
    shaken = fighting("allied", lines).play("disengage 84/334", "resolve", "roll 4")
    zones = {"6537", "6737"}
    assert {text.split()[2] for text in calm.choices("retreat")} & zones
    assert not {text.split()[2] for text in shaken.choices("retreat")} & zones


def test_20_3_disrupted_units_go_two_hexes() -> None:
    s = stage("allied", "6637 84/334 disrupted engaged\n6638 2Pz/2")
    ways = ways_out(s, unit("84/334"), False)
    assert ways
    assert all(len(way) == 3 for found in ways.values() for way in found)


def test_20_4_units_not_engaged_stay_out_of_zones(fighting: Any) -> None:
    table = fighting("allied", "6637 84/334\n6638 2Pz/2")
    table.play("disengage 84/334", "resolve", "roll 1")
    ends = {text.split()[2] for text in table.choices("retreat")}
    assert "6737" not in ends
    assert "6636" in ends


def test_20_4_without_a_marker_no_zone_is_entered(fighting: Any) -> None:
    table = fighting("allied", "6637 84/334\n6638 2Pz/2").play("disengage 84/334", "resolve", "roll 1")
    zones = {"6537", "6737"}
    assert not {text.split()[2] for text in table.choices("retreat")} & zones


def test_20_5_engaged_markers_come_off_in_the_owners_combat_phase(fighting: Any) -> None:
    table = fighting("allied", "6637 84/334 engaged\n6638 2Pz/2").play("pass")
    assert not marked(table, "engaged", "84/334")


def test_20_5_who_does_not_disengage_may_attack(fighting: Any) -> None:
    table = fighting("allied", "6637 84/334 engaged\n6638 2Pz/2")
    assert table.choices("attack") == ["attack 6638"]
    table.play("pass")
    assert not marked(table, "engaged", "84/334")


def test_20_5_ending_the_combats_names_the_engaged_units_that_stay(fighting: Any) -> None:
    assert "ends-engaged" in fighting("allied", "6637 84/334 engaged\n6638 2Pz/2").warned("pass")
    assert "ends-engaged" not in fighting("allied", "6637 84/334\n6638 2Pz/2").warned("pass")
