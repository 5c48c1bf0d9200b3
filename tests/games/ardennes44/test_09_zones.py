"""Ardennes '44: chapter 9, zones."""

from __future__ import annotations

from typing import Any

from games.ardennes44.positions import (
    GROUND,
    _label,
    reach,
    stage,
    unit,
)
from salient.common.sides import GERMAN
from salient.games.ardennes44.retreats import retreat_options
from salient.games.ardennes44.zones import zone
from salient.hexes.masks import bits


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


def _beside(h: int) -> int:
    found = [b for b in GROUND.board.adjacent[h] if GROUND.board.road(h, b) is None and not GROUND.rough >> b & 1]
    return found[0] if found else 0


def test_9_3_silhouettes_have_no_zone_into_rough_woods() -> None:
    """A tank battalion next to a rough-woods hex without a road does not control it; infantry does."""
    rough = next(h for h in bits(GROUND.rough) if _beside(h))
    near = _beside(rough)
    label = _label(near)
    assert not zone(stage("german", f"{label} 2Pz/3/1"), GERMAN) >> rough & 1
    assert zone(stage("german", f"{label} 2Pz/2"), GERMAN) >> rough & 1


def test_9_4_zones_bind_retreats() -> None:
    """After its first hex a retreat keeps out of enemy zones (17.2); friends lift them where they stand."""
    s = stage("german", "6637 84/334\n6638 2Pz/2\n6535 26VG/39")
    options, _ = retreat_options(s, unit("84/334"), (unit("84/334"),), 2)
    assert options
    assert not any(zone(s, GERMAN) >> way[-1] & 1 for way in options.values())
