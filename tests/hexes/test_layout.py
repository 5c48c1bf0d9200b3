"""Pixels and hexes."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salient.hexes.layout import Layout

from .strategies import LAYOUTS, grids, inner_labels, labels

layouts = st.builds(Layout, grids, st.floats(2, 200), st.tuples(st.floats(-5000, 5000), st.floats(-5000, 5000)))
BEARINGS = {"N": -90, "NE": -30, "SE": 30, "S": 90, "SW": 150, "NW": -150}
POINTY_BEARINGS = {"NE": -60, "E": 0, "SE": 60, "SW": 120, "W": 180, "NW": -120}


@given(layouts, labels, st.floats(0, 0.85), st.floats(0, 2 * math.pi))
def test_a_pixel_inside_a_hex_finds_it(layout, label, share, angle):
    """Any point nearer to the centre than the hexsides are belongs to the hex."""
    x, y = layout.centre(label)
    radius = share * layout.size
    assert layout.hex_at(x + radius * math.cos(angle), y + radius * math.sin(angle)) == label


@given(layouts, inner_labels, st.integers(0, 5))
def test_neighbours_lie_in_their_direction(layout, label, direction):
    (x, y), (nx, ny) = layout.centre(label), layout.centre(layout.grid.neighbour(label, direction))
    bearings = BEARINGS if layout.grid.orientation == "flat" else POINTY_BEARINGS
    expected = math.radians(bearings[layout.grid.directions[direction]])
    spacing = layout.size * math.sqrt(3)
    assert nx - x == pytest.approx(spacing * math.cos(expected), abs=1e-6)
    assert ny - y == pytest.approx(spacing * math.sin(expected), abs=1e-6)


@given(layouts, inner_labels, st.integers(0, 5))
def test_a_hexside_has_the_same_ends_from_both_hexes(layout, label, direction):
    start, end = layout.hexside(label, direction)
    other_start, other_end = layout.hexside(layout.grid.neighbour(label, direction), (direction + 3) % 6)
    assert [*start, *end] == pytest.approx([*other_end, *other_start], abs=1e-6)


@given(layouts, inner_labels, st.integers(0, 5))
def test_pixel_corners_match_the_exact_corner_ids(layout, label, corner):
    """Corner ids are three times the axial coordinates, so they give the same pixel."""
    q, r = layout.grid.corner(label, corner)
    root3 = math.sqrt(3)
    if layout.grid.orientation == "flat":
        x, y = 1.5 * q / 3, root3 * (r / 3 + q / 6)
    else:
        x, y = root3 * (q / 3 + r / 6), 1.5 * r / 3
    expected = (layout.origin[0] + layout.size * x, layout.origin[1] + layout.size * y)
    assert layout.corners(label)[corner] == pytest.approx(expected, abs=1e-6)


@given(grids, st.sets(labels, min_size=1, max_size=8), st.floats(0, 50))
def test_fitting_puts_the_top_left_at_the_margin(grid, hexes, margin):
    layout = Layout.fitting(grid, 20, hexes, margin)
    left, top, right, bottom = layout.bounds(hexes)
    assert (left, top) == pytest.approx((margin, margin), abs=1e-6)
    for label in hexes:
        x, y = layout.centre(label)
        assert left < x < right
        assert top < y < bottom


def test_a_pixel_off_the_numbers_has_no_hex():
    layout = Layout(LAYOUTS[0], 10)
    assert layout.hex_at(-10_000.0, -10_000.0) is None
