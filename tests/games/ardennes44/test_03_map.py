"""Ardennes '44: chapter 3, map."""

from __future__ import annotations

from games.ardennes44.positions import (
    GROUND,
    LABELS,
    cost,
    hexagon,
    stage,
    unit,
)
from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44 import components
from salient.games.ardennes44.combat import refuse_attacker
from salient.games.ardennes44.components import FOOT, VEHICLE
from salient.games.ardennes44.ways import tactical_steps
from salient.hexes.masks import bits


def test_3_1_east_and_west_are_one_grid() -> None:
    """Column 40 of the East map touches column 41, the first of the West map."""
    edge = GROUND.east_west_edge
    assert all(any(GROUND.west_map >> b & 1 for b in GROUND.board.adjacent[h]) for h in bits(edge))


def test_3_2_entry_hexes_and_blocking_positions() -> None:
    """Every blocking position lies behind an Allied entry hex of the East map."""
    assert GROUND.blocks
    for block in GROUND.blocks:
        h = GROUND.block_hex[block]
        assert GROUND.entries[ALLIED] >> h & 1
        assert not GROUND.west_map >> h & 1
    assert GROUND.entries[GERMAN]


def test_3_3_rivers_through_towns_are_no_barriers() -> None:
    """Tanks enter and leave Clervaux by road as if no river were there."""
    clervaux = hexagon("2416")
    assert "river-through" in GROUND.board.features[clervaux]
    assert not any((clervaux, b) in GROUND.river for b in GROUND.board.adjacent[clervaux])
    plain, _ = tactical_steps(GROUND, components.VEHICLE, 0, clervaux)
    assert plain >> hexagon("2315") & 1


def test_3_4_light_woods_cost_motors_three_then_two() -> None:
    light = next((a, b) for a in range(GROUND.hexes) for b in GROUND.board.adjacent[a]
                 if GROUND.board.terrain[b] == "light-woods" and GROUND.board.road(a, b) is None
                 and GROUND.board.side(a, b) is None and GROUND.board.terrain[a] == "clear"
                 and not (GROUND.westwall | GROUND.city) >> b & 1)  # fmt: skip
    a, b = (LABELS[h] for h in light)
    assert (cost(a, b, VEHICLE), cost(a, b, VEHICLE, frozen=True), cost(a, b, FOOT)) == (3, 2, 1)


def test_3_4_no_attack_across_a_lake() -> None:
    s = stage("german", "1832 2Pz/2\n1931 1/26", turn=9)
    assert refuse_attacker(s, unit("2Pz/2"), hexagon("1931")).key == "lake-between"  # type: ignore[union-attr]
