"""Ardennes '44: chapter 3, map."""

from __future__ import annotations

from games.ardennes44.positions import (
    LABELS,
    cost,
    hexagon,
    stage,
    unit,
)
from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44 import model
from salient.games.ardennes44.combat import refuse_attacker
from salient.games.ardennes44.model import FOOT, VEHICLE
from salient.games.ardennes44.ways import tactical_steps


def test_3_1_east_and_west_are_one_grid() -> None:
    """Column 40 of the East map touches column 41, the first of the West map."""
    edge = model.EAST_WEST_EDGE
    assert all(any(model.WEST_MAP >> b & 1 for b in model.BOARD.adjacent[h]) for h in model.bits(edge))


def test_3_2_entry_hexes_and_blocking_positions() -> None:
    """Every blocking position lies behind an Allied entry hex of the East map."""
    assert model.BLOCKS
    for block in model.BLOCKS:
        h = model.BLOCK_HEX[block]
        assert model.ENTRIES[ALLIED] >> h & 1
        assert not model.WEST_MAP >> h & 1
    assert model.ENTRIES[GERMAN]


def test_3_3_rivers_through_towns_are_no_barriers() -> None:
    """Tanks enter and leave Clervaux by road as if no river were there."""
    clervaux = hexagon("2416")
    assert "river-through" in model.BOARD.features[clervaux]
    assert not any((clervaux, b) in model.RIVER for b in model.BOARD.adjacent[clervaux])
    plain, _ = tactical_steps(model.VEHICLE, 0, clervaux)
    assert plain >> hexagon("2315") & 1


def test_3_4_light_woods_cost_motors_three_then_two() -> None:
    light = next((a, b) for a in range(model.HEXES) for b in model.BOARD.adjacent[a]
                 if model.BOARD.terrain[b] == "light-woods" and model.BOARD.road(a, b) is None
                 and model.BOARD.side(a, b) is None and model.BOARD.terrain[a] == "clear"
                 and not (model.WESTWALL | model.CITY) >> b & 1)  # fmt: skip
    a, b = (LABELS[h] for h in light)
    assert (cost(a, b, VEHICLE), cost(a, b, VEHICLE, frozen=True), cost(a, b, FOOT)) == (3, 2, 1)


def test_3_4_no_attack_across_a_lake() -> None:
    s = stage("german", "1832 2Pz/2\n1931 1/26", turn=9)
    assert refuse_attacker(s, unit("2Pz/2"), hexagon("1931")).key == "lake-between"  # type: ignore[union-attr]
