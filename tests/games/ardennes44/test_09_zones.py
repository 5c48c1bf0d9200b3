"""Chapters 9 and 10: zones of control and bonds."""

from __future__ import annotations

from typing import Any

from tests.games.ardennes44.conftest import hexagon, reach, stage

from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44.model import BOARD, ROUGH, bits
from salient.games.ardennes44.supply import supplied_hexes
from salient.games.ardennes44.zones import bonds, zone


def test_9_1_the_six_hexes_around_a_unit() -> None:
    s = stage("allied", "6637 2Pz/2")
    assert zone(s, GERMAN).bit_count() == 6


def test_9_2_1_units_stop_in_enemy_zones_and_pay_to_leave(moving: Any) -> None:
    """A regiment has five points in extended movement: one of them is for leaving the zone."""
    table = moving("allied", "6637 1/26\n6638 2Pz/2")
    free = moving("allied", "6637 1/26")
    assert "6632" in reach(free, "1/26")
    assert "6632" not in reach(table, "1/26")
    assert "6633" in reach(table, "1/26")


def test_9_2_2_from_zone_to_zone(moving: Any) -> None:
    table = moving("allied", "6637 1/26\n6638 2Pz/2")
    assert "6737" in reach(table, "1/26")


def test_9_3_silhouettes_have_no_zone_into_rough_woods() -> None:
    """A tank battalion next to a rough-woods hex without a road does not control it; infantry does."""
    rough = next(h for h in bits(ROUGH) if _beside(h))
    near = _beside(rough)
    label = _label(near)
    assert not zone(stage("german", f"{label} 2Pz/3/1"), GERMAN) >> rough & 1
    assert zone(stage("german", f"{label} 2Pz/2"), GERMAN) >> rough & 1


def _label(h: int) -> str:
    return BOARD.labels[h]


def _beside(h: int) -> int:
    found = [b for b in BOARD.adjacent[h] if BOARD.road(h, b) is None and not ROUGH >> b & 1]
    return found[0] if found else 0


def test_10_1_a_hex_bond_closes_the_hex_between(moving: Any) -> None:
    s = stage("german", "6636 84/334\n6638 84/335")
    assert bits(bonds(s, ALLIED).hexes) == [hexagon("6637")]
    table = moving("german", "6636 84/334\n6638 84/335\n6538 2Pz/2")
    assert table.try_all("select 2Pz/2").refusal("move 2Pz/2 6637") == ("10.2", "bond")


def test_10_1_a_hexside_bond_closes_the_hexside(moving: Any) -> None:
    """Two units whose hexes have two common neighbours: the side between those cannot be crossed."""
    s = stage("german", "6636 84/334\n6737 84/335")
    found = bonds(s, ALLIED)
    assert found.hexes == 0
    assert len(found.sides) == 2
    a, b = min(found.sides)
    assert {a, b} <= set(bits(found.touched))


def test_10_1_artillery_and_disrupted_units_do_not_bond() -> None:
    assert bonds(stage("german", "6636 84/334\n6638 V/190"), ALLIED).hexes == 0
    assert bonds(stage("german", "6636 84/334\n6638 84/335 disrupted"), ALLIED).hexes == 0


def test_12_5_marching_units_do_not_bond() -> None:
    assert bonds(stage("german", "6636 84/334\n6638 84/335 march"), ALLIED).hexes == 0


def test_10_3_an_enemy_between_cancels_a_bond() -> None:
    assert bonds(stage("german", "6636 84/334\n6638 84/335\n6637 2Pz/2"), ALLIED).hexes == 0


def test_10_3_enemies_on_both_sides_cancel_a_hexside_bond() -> None:
    s = stage("german", "6636 84/334\n6737 84/335")
    a, b = min(bonds(s, ALLIED).sides)
    t = stage("german", f"6636 84/334\n6737 84/335\n{_label(a)} 2Pz/2\n{_label(b)} 2Pz/304")
    assert bonds(t, ALLIED).sides == frozenset()


def test_10_5_1_no_bond_through_two_rivers() -> None:
    """Across a rough-woods hex both hexsides are barriers."""
    for h in bits(ROUGH):
        ends = [(a, b) for a in BOARD.adjacent[h] for b in BOARD.adjacent[h]
                if BOARD.direction(a, h) == BOARD.direction(h, b)]  # fmt: skip
        for a, b in ends:
            s = stage("german", f"{_label(a)} 84/334\n{_label(b)} 84/335")
            assert not bonds(s, ALLIED).hexes >> h & 1


def test_10_6_allies_bond_with_the_west_edge_and_germans_do_not() -> None:
    assert bonds(stage("german", "6937 84/334"), ALLIED).sides != frozenset()
    assert bonds(stage("german", "6937 2Pz/2"), GERMAN).sides == frozenset()
    assert bonds(stage("german", "0220 2Pz/2"), GERMAN).sides != frozenset()


def test_10_2_supply_is_not_traced_through_a_bond() -> None:
    """A lone German whose only way leads through bonded hexes is cut off."""
    s = stage("german", "6637 2Pz/2")
    assert not supplied_hexes(s, GERMAN) >> hexagon("6637") & 1
