"""Ardennes '44: chapter 33, roadblocks."""

from __future__ import annotations

from typing import Any

from games.ardennes44.positions import (
    FAR_AWAY,
    GROUND,
    effects,
    hexagon,
    in_every_order,
    stage,
)
from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44 import components, model
from salient.games.ardennes44.supply import enemy_blocks, road_network
from salient.games.ardennes44.traffic import block_hexes


def test_33_1_toll_supply_and_marches() -> None:
    h = hexagon("3413")
    s = stage("german", "", rules=model.ROADBLOCKS, blocks=[h, -1, -1, -1])
    assert enemy_blocks(s, GERMAN) == 1 << h
    assert not road_network(s, GERMAN) >> h & 1


def test_33_2_roadblocks_in_any_order_and_taken_back(phase: Any) -> None:
    table = phase("allied-traffic", "allied", "3413 101/501", turn=5, rules=model.ROADBLOCKS).play("done")
    before = table.state.key()
    first, *_, last = table.choices("block")
    a, b = first.split()[1], last.split()[1]
    assert len(set(in_every_order(table, [first, last]))) == 1
    assert table.try_all(first, last, f"unblock {a}", f"unblock {b}").state.key() == before
    assert table.refusal(f"unblock {a}") == ("33.3", "no-roadblock-of-yours")
    assert table.play(last).refusal(last) == ("33.2", "marker-there-already")
    table.play(first, "done")
    assert sorted(table.state.blocks[:2]) == sorted([hexagon(a), hexagon(b)])


def test_33_2_roadblocks_are_placed(phase: Any) -> None:
    table = phase("allied-traffic", "allied", "3413 101/501", turn=5, rules=model.ROADBLOCKS).play("done")
    assert table.choices("block")
    table.play(table.choices("block")[0])
    assert table.state.blocks[0] >= 0


def road_from(label: str) -> str:
    """A hex along a road from another one."""
    h = hexagon(label)
    return next(GROUND.board.labels[b] for b in GROUND.board.adjacent[h] if GROUND.board.road(h, b))


def test_33_2_within_four_road_hexes_and_away_from_the_enemy() -> None:
    s = stage("allied", "3413 101/501", turn=5, rules=model.ROADBLOCKS)
    hexes = block_hexes(s, ALLIED)
    assert hexes
    assert all(GROUND.board.distance(hexagon("3413"), h) <= 4 for h in range(GROUND.hexes) if hexes >> h & 1)
    near = road_from("3413")
    enemy = stage("allied", f"3413 101/501\n{near} 2Pz/2", turn=5, rules=model.ROADBLOCKS)
    assert not block_hexes(enemy, ALLIED) & components.within(GROUND, hexagon(near), 1)


def test_33_2_not_beside_markers() -> None:
    traffic = [hexagon(road_from("3413")), *[-1] * 11]
    s = stage("allied", "3413 101/501", turn=5, rules=model.ROADBLOCKS, traffic=traffic)
    assert not block_hexes(s, ALLIED) & components.within(GROUND, traffic[0], 1)


def test_33_2_after_the_traffic_markers(phase: Any) -> None:
    table = phase("allied-traffic", "allied", "3413 101/501", turn=5, rules=model.ROADBLOCKS)
    assert table.choices("traffic")
    assert not table.choices("block")
    table.play("done")
    assert table.choices("block")
    assert not table.choices("dice")


def test_33_3_a_roadblock_is_overrun_in_passing(moving: Any) -> None:
    lines, block = f"6637 2Pz/Rec\n{FAR_AWAY}", [hexagon("6636"), -1, -1, -1]
    table = moving("german", lines, rules=model.ROADBLOCKS, blocks=block).play("select 2Pz/Rec")
    assert effects(table, "move 2Pz/Rec 6635") == []
    assert effects(table, "via 2Pz/Rec 6636") == ["way-overruns"]
    table.play("via 2Pz/Rec 6636", "move 2Pz/Rec 6635", "pass")
    assert table.state.blocks[0] == model.IN_BOX


def test_33_3_overrun_blocks_go_at_the_end_of_the_phase(moving: Any) -> None:
    """The second unit meets it as well; when the phase ends the block is off."""
    lines = "6638 2Pz/2\n6639 2Pz/304\n6030 79VG/208"
    table = moving("german", lines, turn=9, rules=model.ROADBLOCKS, blocks=[hexagon("6637"), -1, -1, -1])
    table.play("select 2Pz/2", "move 2Pz/2 6637", "select 2Pz/304", "move 2Pz/304 6636")
    assert table.state.blocks[0] == hexagon("6637")
    table.play("pass")
    assert table.state.blocks[0] == model.IN_BOX


def test_33_3_cut_off_blocks_are_removed(phase: Any) -> None:
    """Nobody feeds a block behind the enemy's bonds."""
    lines = "3512 2Pz/2\n3414 2Pz/304\n3312 116Pz/60"
    table = phase(
        "allied-traffic", "allied", lines, turn=5, rules=model.ROADBLOCKS, blocks=[hexagon("3413"), -1, -1, -1]
    )
    assert table.state.blocks[0] == model.IN_BOX


def test_33_4_germans_have_none_before_turn_3(phase: Any) -> None:
    table = phase("german-traffic", "german", "2016 2Pz/2", turn=2, rules=model.ROADBLOCKS)
    assert not table.choices("block")
