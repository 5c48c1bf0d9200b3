"""Drafting maps: the hex plane, the fit, rivers along hexsides, roads through hexes, woods."""

import itertools
import math
from pathlib import Path

import pytest
from tools.cartography.fit import Control, fit_controls
from tools.cartography.geography import Cloud, inside, read_land_cover
from tools.cartography.paths import Roads, Waters
from tools.cartography.plane import Plane
from tools.cartography.woods import terrain_for

from salient.hexes.grid import Grid

KEYS = {
    "orientation": "flat",
    "number": "CCRR",
    "columns_grow": "west",
    "rows_grow": "north",
    "shifted": "even",
    "shift_towards": "south",
}
POINTY = {**KEYS, "orientation": "pointy", "columns_grow": "east", "shifted": "odd", "shift_towards": "east"}


@pytest.fixture(params=[KEYS, POINTY], ids=["flat", "pointy"])
def plane(request: pytest.FixtureRequest) -> Plane:
    return Plane.from_config({**request.param, "columns": [1, 9], "rows": [1, 9]})


@pytest.fixture
def flat() -> Plane:
    return Plane.from_config({**KEYS, "columns": [1, 9], "rows": [1, 9]})


def test_neighbours_are_those_of_the_engine(plane: Plane) -> None:
    keys = KEYS if plane.orientation == "flat" else POINTY
    grid = Grid(**keys)
    for hex_ in plane.hexes:
        known = {label for label in grid.neighbours(plane.label(hex_)) if label and plane.parse(label) in plane.hexes}
        assert {plane.label(near) for near in plane.neighbours(hex_)} == known


def test_every_sample_of_a_hex_lies_in_it(plane: Plane) -> None:
    for hex_ in plane.hexes:
        assert {plane.at(point) for point in plane.samples(hex_)} == {hex_}


def test_a_similarity_is_recovered_and_the_warp_bends_the_rest() -> None:
    base = [Control(str(i), (6 + 0.05 * i, 50 + 0.03 * (i % 3)), (0.0, 0.0)) for i in range(8)]
    fit = fit_controls([Control(c.name, c.lonlat, (c.lonlat[0] * 30, c.lonlat[1] * 46)) for c in base], "affine")
    assert all(math.dist(fit(c.lonlat), (c.lonlat[0] * 30, c.lonlat[1] * 46)) < 1e-6 for c in base)
    off = [Control(c.name, c.lonlat, (c.lonlat[0] * 30 + 0.4 * (i == 4), c.lonlat[1] * 46)) for i, c in enumerate(base)]
    bent = fit_controls(off, "affine", warp_km=3.0, stiffness=0.0)
    assert math.dist(bent(off[4].lonlat), off[4].spot) < 0.01 < math.dist(bent.straight(off[4].lonlat), off[4].spot)


def test_a_river_is_one_chain_of_hexsides_close_to_its_line(flat: Plane) -> None:
    centre = flat.centre((5, 5))
    line = [(centre[0] - 3.0, centre[1] + 0.5), (centre[0] + 3.0, centre[1] + 0.5)]
    sides = Waters(flat).lay("Our", Cloud([line]))
    corners = [set(flat.side(a, b)) for a, b in sides]
    assert all(one & other for one, other in itertools.pairwise(corners))
    assert ((5, 5), (5, 6)) in sides
    assert all(Cloud([line]).distance(flat.middle(a, b)) < 0.6 for a, b in sides)


def test_a_river_follows_the_hexsides_it_must(flat: Plane) -> None:
    line = [flat.centre((8, 5)), flat.centre((2, 5))]
    must = ((5, 6), (5, 7))
    assert must in Waters(flat).lay("Our", Cloud([line]), via=[must])


def test_a_river_may_run_through_hexes(flat: Plane) -> None:
    waters = Waters(flat)
    line = [flat.centre((8, 5)), flat.centre((2, 5))]
    waters.lay("Clerve", Cloud([line]), through=[(5, 5), (6, 5)])
    assert set(waters.inner) == {(5, 5), (6, 5)}
    assert set(waters.links) == {((5, 5), (6, 5))}
    assert not any({(5, 5), (6, 5)} == set(side) for side in waters.sides)


def test_a_road_runs_through_its_stops_without_zigzag_and_avoids_the_river(flat: Plane) -> None:
    start, end = (8, 5), (2, 5)
    chain = Roads(flat, set()).lay("N4", "primary", [start, (5, 6), end])
    assert (5, 6) in chain
    assert len(chain) == len(set(chain)) == 7
    rivers = {(min(a, b), max(a, b)) for a in flat.hexes for b in flat.neighbours(a) if a == (5, 5)}
    assert (5, 5) not in Roads(flat, rivers).lay("N4", "primary", [start, end])


def test_land_cover_tells_wild_land_from_towns(tmp_path: Path) -> None:
    path = tmp_path / "cover.csv"
    path.write_text("lon,lat,agriculture_pct,conifer_pct,broadleaf_pct,builtup_pct\n6,50,10,50,20,0\n6,50,10,0,0,30\n")
    forest, town = read_land_cover(path)
    assert (forest[1], town[1]) == (90, 0)
    assert terrain_for(forest[1], [("forest", 72), ("light-woods", 45)], "clear") == "forest"
    assert terrain_for(50, [("forest", 72), ("light-woods", 45)], "clear") == "light-woods"


def test_a_hole_is_not_inside() -> None:
    square = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]
    hole = [(1.0, 1.0), (3.0, 1.0), (3.0, 3.0), (1.0, 3.0)]
    assert inside((0.5, 0.5), [square, hole])
    assert not inside((2.0, 2.0), [square, hole])
