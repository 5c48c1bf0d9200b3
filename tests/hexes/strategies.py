"""Grids and boards for the property tests."""

from itertools import product

from hypothesis import strategies as st

from salient.hexes.board import Board, compile_board
from salient.hexes.grid import SHIFT_CHOICES, Grid
from salient.hexes.load import COLUMNS
from salient.hexes.rows import Row

LAYOUTS = [
    Grid(orientation, number, columns, rows, shifted, towards)
    for orientation in ("flat", "pointy")
    for number, columns, rows, shifted, towards in product(
        ("CCRR", "RRCC"), ("east", "west"), ("north", "south"), ("even", "odd"), SHIFT_CHOICES[orientation]
    )
]
grids = st.sampled_from(LAYOUTS)
labels = st.builds("{:02d}{:02d}".format, st.integers(0, 99), st.integers(0, 99))
inner_labels = st.builds("{:02d}{:02d}".format, st.integers(30, 60), st.integers(30, 60))


def bare_board(grid: Grid, numbers: list[str]) -> Board:
    """Return a board of clear hexes."""
    rows: dict[str, tuple[Row, ...]] = dict.fromkeys(COLUMNS, ())
    rows["hexes.csv"] = tuple(
        Row("hexes.csv", line, {"hex": number, "terrain": "clear", "features": "", "source": "house"})
        for line, number in enumerate(numbers, start=2)
    )
    return compile_board(grid, rows, {})


@st.composite
def boards(draw: st.DrawFn, width: int = 7, height: int = 6) -> Board:
    """Draw a small board of any layout, with holes."""
    grid = draw(grids)
    cells = [grid.label(column, row) for column in range(1, width + 1) for row in range(1, height + 1)]
    holes = draw(st.sets(st.sampled_from(cells), max_size=8))
    return bare_board(grid, [cell for cell in cells if cell not in holes])
