"""Ardennes '44: chapter 10, bonds."""

from __future__ import annotations

from typing import Any

from games.ardennes44.positions import (
    GROUND,
    _label,
    hexagon,
    stage,
)
from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44.supply import supplied_hexes
from salient.games.ardennes44.zones import bonds, rough_side
from salient.hexes.masks import bits


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


def test_10_2_supply_is_not_traced_through_a_bond() -> None:
    """A lone German whose only way leads through bonded hexes is cut off."""
    s = stage("german", "6637 2Pz/2")
    assert not supplied_hexes(s, GERMAN) >> hexagon("6637") & 1


def test_10_3_an_enemy_between_cancels_a_bond() -> None:
    assert bonds(stage("german", "6636 84/334\n6638 84/335\n6637 2Pz/2"), ALLIED).hexes == 0


def test_10_3_enemies_on_both_sides_cancel_a_hexside_bond() -> None:
    s = stage("german", "6636 84/334\n6737 84/335")
    a, b = min(bonds(s, ALLIED).sides)
    t = stage("german", f"6636 84/334\n6737 84/335\n{_label(a)} 2Pz/2\n{_label(b)} 2Pz/304")
    assert bonds(t, ALLIED).sides == frozenset()


def test_10_4_crossing_bonds_bind_both_sides() -> None:
    """Both sides look across one hex: nobody enters it."""
    s = stage("german", "6636 84/334\n6638 84/335\n6536 2Pz/2\n6737 2Pz/304")
    between = 1 << hexagon("6637")
    assert bonds(s, ALLIED).hexes == bonds(s, GERMAN).hexes == between


def test_10_5_1_no_bond_through_two_rivers() -> None:
    """Across a rough-woods hex both hexsides are barriers."""
    for h in bits(GROUND.rough):
        ends = [(a, b) for a in GROUND.board.adjacent[h] for b in GROUND.board.adjacent[h]
                if GROUND.board.direction(a, h) == GROUND.board.direction(h, b)]  # fmt: skip
        for a, b in ends:
            s = stage("german", f"{_label(a)} 84/334\n{_label(b)} 84/335")
            assert not bonds(s, ALLIED).hexes >> h & 1


def _between(a: int, b: int) -> list[int]:
    return [m for m in GROUND.board.adjacent[a] if m in GROUND.board.adjacent[b]]


def _wet(a: int, m: int, b: int) -> bool:
    return all(pair in GROUND.river or rough_side(GROUND, *pair) for pair in ((a, m), (m, b)))


def _hexside_pairs() -> list[tuple[int, int, int, int]]:
    """Two hexes, and between them one that is wet on both sides and one that is not."""
    found = []
    for a in range(len(GROUND.board)):
        for b in {
            b
            for m in GROUND.board.adjacent[a]
            for b in GROUND.board.adjacent[m]
            if b > a and b not in GROUND.board.adjacent[a]
        }:
            mids = _between(a, b)
            if len(mids) == 2 and _wet(a, mids[0], b) != _wet(a, mids[1], b):
                wet, dry = mids if _wet(a, mids[0], b) else mids[::-1]
                found.append((a, b, wet, dry))
    return found


def test_10_5_2_a_hexside_bond_is_drawn_by_the_better_side() -> None:
    """One side of it may be wet; but an enemy in the dry hex leaves only the wet one."""
    pairs = _hexside_pairs()
    assert pairs
    for a, b, wet, dry in pairs[:20]:
        s = stage("german", f"{_label(a)} 84/334\n{_label(b)} 84/335")
        assert (wet, dry) in bonds(s, ALLIED).sides
        s = stage("german", f"{_label(a)} 84/334\n{_label(b)} 84/335\n{_label(dry)} 2Pz/2")
        assert (wet, dry) not in bonds(s, ALLIED).sides


def test_10_5_3_silhouettes_bond_into_rough_woods_by_road_only() -> None:
    """Straight ahead across one rough-woods hexside: tanks need a road there, infantry does not."""
    tried = 0
    for m in range(len(GROUND.board)):
        for a in GROUND.board.adjacent[m]:
            ends = [b for b in GROUND.board.adjacent[m] if GROUND.board.direction(a, m) == GROUND.board.direction(m, b)]
            if ends and rough_side(GROUND, a, m) and not _wet(a, m, ends[0]) and GROUND.board.road(a, m) is None:
                tanks = stage("german", f"{_label(a)} 2Pz/3/1\n{_label(ends[0])} 2Pz/2")
                foot = stage("german", f"{_label(a)} 2Pz/304\n{_label(ends[0])} 2Pz/2")
                assert (bonds(tanks, GERMAN).hexes >> m & 1, bonds(foot, GERMAN).hexes >> m & 1) == (0, 1)
                tried += 1
        if tried > 20:
            break
    assert tried


def test_10_6_allies_bond_with_the_west_edge_and_germans_do_not() -> None:
    assert bonds(stage("german", "6937 84/334"), ALLIED).sides != frozenset()
    assert bonds(stage("german", "6937 2Pz/2"), GERMAN).sides == frozenset()
    assert bonds(stage("german", "0220 2Pz/2"), GERMAN).sides != frozenset()
