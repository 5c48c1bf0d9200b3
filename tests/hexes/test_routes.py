"""Ways back to the sources of a flood."""

from __future__ import annotations

from salient.hexes.flood import OpenMasks
from salient.hexes.routes import beyond, rings, way_in

EASTWARD = OpenMasks(up=((1, 0b01111),), down=())  # 0 > 1 > 2 > 3 > 4, and never back
BOTH = OpenMasks(up=((1, 0b01111),), down=((1, 0b11110),))


def test_the_way_leads_back_across_the_sides_by_which_the_flood_came() -> None:
    layers = rings(0b00001, EASTWARD, 0b11111)
    assert way_in(3, layers) == [3, 2, 1, 0]
    assert way_in(0, layers) == [0]


def test_what_is_closed_has_no_way() -> None:
    assert way_in(3, rings(0b00001, BOTH, 0b11011)) == []
    assert way_in(1, rings(0b00001, BOTH, 0b11011)) == [1, 0]


def test_a_step_beyond_goes_to_the_ring_nearest_to_the_source() -> None:
    """From 4 one more step leads to 3, which two sources reach."""
    layers = beyond(rings(0b01001, BOTH, 0b01011), BOTH, 0b11111)
    assert way_in(4, layers) == [4, 3]
    assert way_in(2, layers) == [2, 3]
