"""Properties of every grid layout."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salient.hexes.grid import Grid, length, opposite, rotate
from salient.hexes.reach import distances

from .strategies import LAYOUTS, bare_board, grids, inner_labels, labels

directions = st.integers(0, 5)
vectors = st.tuples(st.integers(-20, 20), st.integers(-20, 20))


def test_there_are_64_layouts():
    assert len(set(LAYOUTS)) == 64


@given(grids, labels)
def test_number_to_coordinates_and_back(grid, label):
    assert grid.label(*grid.parse(label)) == label
    assert grid.from_axial(*grid.axial(label)) == grid.parse(label)
    assert grid.at(*grid.axial(label)) == label


@given(grids, st.sets(labels, min_size=2, max_size=2))
def test_two_numbers_never_share_a_place(grid, pair):
    a, b = pair
    assert grid.axial(a) != grid.axial(b)


@given(grids, labels, directions)
def test_neighbours_point_back(grid, label, direction):
    near = grid.neighbour(label, direction)
    if near is not None:
        assert grid.neighbour(near, opposite(direction)) == label
        assert grid.direction_between(label, near) == direction
        assert grid.direction_between(near, label) == opposite(direction)
        assert grid.distance(label, near) == 1


@given(grids, inner_labels)
def test_numbers_grow_where_the_grid_says(grid, label):
    """The next number along a column (flat) or row (pointy) is the neighbour in the named direction."""
    column, row = grid.parse(label)
    if grid.orientation == "flat":
        expected, name = grid.label(column, row + 1), grid.rows_grow[0].upper()
    else:
        expected, name = grid.label(column + 1, row), grid.columns_grow[0].upper()
    assert grid.neighbour(label, grid.directions.index(name)) == expected


@given(grids, inner_labels)
def test_shifted_ranks_are_pushed_as_the_grid_says(grid, label):
    """A shifted hex touches the same-numbered hex of the next rank on the side away from its shift."""
    column, row = grid.parse(label)
    rank = column if grid.orientation == "flat" else row
    next_rank = grid.label(column + 1, row) if grid.orientation == "flat" else grid.label(column, row + 1)
    name = grid.directions[grid.direction_between(label, next_rank)]
    is_shifted = (rank % 2 == 0) == (grid.shifted == "even")
    towards = grid.shift_towards[0].upper()
    assert (towards in name) != is_shifted


@given(grids, inner_labels, inner_labels, inner_labels)
def test_distance_is_a_metric(grid, a, b, c):
    assert grid.distance(a, b) == grid.distance(b, a)
    assert (grid.distance(a, b) == 0) == (a == b)
    assert grid.distance(a, c) <= grid.distance(a, b) + grid.distance(b, c)


@pytest.mark.parametrize("grid", LAYOUTS[::5])
def test_distance_equals_steps_of_a_breadth_first_search(grid):
    board = bare_board(grid, [grid.label(column, row) for column in range(1, 12) for row in range(1, 12)])
    for start in (0, 37, 120):
        steps = distances([start], board.adjacent)
        assert steps == [board.distance(start, there) for there in range(len(board))]


@given(grids, inner_labels, inner_labels)
def test_line_is_a_shortest_path_and_the_same_both_ways(grid, a, b):
    line = grid.line(a, b)
    assert (line[0], line[-1], len(line)) == (a, b, grid.distance(a, b) + 1)
    assert all(grid.adjacent(here, there) for here, there in itertools.pairwise(line))
    assert grid.line(b, a) == line[::-1]


def test_line_between_two_hexes_takes_the_southern_one():
    """From 2010 due east to 2210 the line runs along a hexside."""
    grid = Grid("flat", "CCRR", "east", "south", "even", "south")
    assert grid.line("2010", "2210") == ["2010", "2111", "2210"]


@given(grids, inner_labels, st.integers(0, 6))
def test_range_has_the_hexes_of_a_hexagon(grid, centre, radius):
    found = grid.range(centre, radius)
    assert len(found) == len(set(found)) == 1 + 3 * radius * (radius + 1)
    assert found == sorted(found)
    assert max(grid.distance(centre, label) for label in found) == radius


@given(grids, labels, directions)
def test_hexside_names_are_canonical(grid, label, direction):
    near = grid.neighbour(label, direction)
    if near is not None:
        name = grid.hexside(label, near)
        assert name == grid.hexside(near, label) == "/".join(sorted((label, near)))
        assert set(grid.hexside_hexes(name)) == {label, near}


def test_hexside_of_distant_hexes_is_refused():
    with pytest.raises(ValueError, match="0101 and 0303 do not touch"):
        LAYOUTS[0].hexside("0101", "0303")


def test_hexside_in_the_wrong_order_is_refused():
    with pytest.raises(ValueError, match="write 0101/0102"):
        LAYOUTS[0].hexside_hexes("0102/0101")


@given(grids, inner_labels, directions)
def test_three_hexes_share_each_corner(grid, label, corner):
    """The corner between two directions belongs to the hex and to the neighbours in both directions."""
    mine = grid.corner(label, corner)
    left, right = grid.neighbour(label, corner), grid.neighbour(label, (corner + 1) % 6)
    assert mine in {grid.corner(left, i) for i in range(6)}
    assert mine in {grid.corner(right, i) for i in range(6)}
    assert mine in grid.hexside_corners(left, right)


@given(grids, inner_labels, inner_labels)
def test_distant_hexes_share_no_corner(grid, a, b):
    shared = {grid.corner(a, i) for i in range(6)} & {grid.corner(b, i) for i in range(6)}
    assert len(shared) == {0: 6, 1: 2}.get(grid.distance(a, b), 0)


@given(vectors, st.integers(-12, 12))
def test_rotation_keeps_length_and_comes_back(vector, steps):
    assert length(rotate(vector, steps)) == length(vector)
    assert rotate(rotate(vector, steps), -steps) == vector


@given(grids, inner_labels, directions, st.integers(0, 5))
def test_rotation_turns_clockwise_through_the_directions(grid, centre, direction, steps):
    start = grid.neighbour(centre, direction)
    assert grid.rotate_about(centre, start, steps) == grid.neighbour(centre, (direction + steps) % 6)


@pytest.mark.parametrize("text", ["", "123", "12345", "12a4", "-101", "１２３４", "01 1"])
def test_malformed_numbers_are_refused(text):
    with pytest.raises(ValueError, match="is not a hex number"):
        LAYOUTS[0].parse(text)


@pytest.mark.parametrize("place", [(-1, 5), (5, -1), (100, 5), (5, 100)])
def test_places_beyond_two_digits_have_no_number(place):
    with pytest.raises(ValueError, match="no four-digit hex number"):
        LAYOUTS[0].label(*place)


def test_a_grid_names_every_fault():
    with pytest.raises(ValueError, match=r"“number” is “XYXY”.*“shift_towards” is “east”.*“km”"):
        Grid("flat", "XYXY", "east", "south", "even", "east", -1)
