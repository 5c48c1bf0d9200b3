"""Target Arnhem: chapter 4, movement."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from games.target_arnhem.positions import GROUND, UNITS, where
from salient import legal, load, step


def test_4_allied_units_never_leave_the_map(impulse):
    """No area is among the destinations of an Allied unit on a road that leads off the map."""
    table = impulse("allied", 1, "0501 504")
    assert table.refusal("move 504 A") == ("4", "allies-stay-on-map")


@pytest.mark.parametrize(
    ("lines", "action", "refusal"),
    [
        ("0805 504", "via 504 0705", ("4.1", "stops-in-forest")),
        ("0904 504\n0803 406", "via 504 0903", ("4.1", "stops-next-to-enemy")),
        ("0703 504", "via 504 0704", ("4.1", "canal-is-whole-move")),
        ("0904 504", "via 504 1003", ("4", "move-ends-there")),
        ("0904 504", "via 504 0503", ("4.1", "too-far")),
        ("0904 504", "via 504 0904", ("4", "is-there-already")),
    ],
)
def test_4_a_waypoint_is_where_a_move_can_go_on(impulse, lines, action, refusal):
    """Where a move must end is its end and no waypoint."""
    assert impulse("allied", 1, lines).refusal(action) == refusal


def test_4_1_two_hexes_over_open_ground(impulse):
    """From 0904 a unit reaches hexes two away and none three away."""
    reached = impulse("allied", 1, "0904 504").destinations("504")
    assert "0905" in reached
    assert all(abs(int(h[:2]) - 9) <= 2 for h in reached)
    assert "0904" not in reached


def test_4_1_forest_stops_a_unit(impulse):
    """The only way of two hexes from 0805 to 0606 leads through the forest of De Peel (0705)."""
    reached = impulse("allied", 1, "0805 504").destinations("504")
    assert "0705" in reached
    assert "0606" not in reached


def test_4_1_a_unit_stops_next_to_the_enemy(impulse):
    """With a German in 0905, hexes next to him are entered and not passed."""
    free = impulse("allied", 1, "0803 504").destinations("504")
    held = impulse("allied", 1, "0803 504\n0904 406").destinations("504")
    assert "0904" in free
    assert "1003" in free
    assert "0903" in held
    assert "1004" not in held


def test_4_1_an_unbridged_river_hides_the_enemy(impulse):
    """Germans across the unbridged Maas do not stop a unit on the south bank."""
    free = impulse("allied", 1, "0902 504").destinations("504")
    held = impulse("allied", 1, "0902 504\n1102 406").destinations("504")
    assert "1002" in free
    assert held == free


def test_4_1_an_unbridged_river_cannot_be_crossed(impulse):
    """From 1003, next to a German, there is no way over the Maas to 1102."""
    table = impulse("allied", 1, "1003 504\n0902 406")
    assert "1102" not in table.destinations("504")
    assert table.refusal("move 504 1102") == ("4.1", "river-without-bridge")


def test_4_1_a_bridge_carries_a_unit_over_a_river(impulse):
    """Grave: from 1004 over the bridge into 1104."""
    assert "1104" in impulse("allied", 1, "1004 504").destinations("504")


def test_4_1_crossing_a_canal_without_bridge_is_the_whole_move(impulse):
    """From 0803 over the canal into 0804, not a hex farther by that way."""
    table = impulse("allied", 1, "0703 504")
    assert {"0704", "0804"} <= table.destinations("504")
    assert "0805" not in table.destinations("504")
    assert "0705" not in table.destinations("504")


def test_4_1_a_canal_is_crossed_at_the_start_of_a_move_only(impulse):
    """One hex and then the canal is not allowed: from 0702 the hex 0804 behind the canal is out of reach."""
    table = impulse("allied", 1, "0702 504\n0803 406")
    assert "0703" in table.destinations("504")
    assert "0804" not in table.destinations("504")


@pytest.mark.parametrize("seed", range(8))
def test_4_1_and_4_2_every_destination_has_a_way_that_keeps_the_rules(seed):
    """In random positions: no step through enemies or over a river, no passing by the enemy, forest only by road."""
    from salient.games.target_arnhem import model
    from salient.games.target_arnhem.movement import next_to, path, reach

    game = load("target-arnhem")
    chooser, state = random.Random(seed), game.new()
    for _ in range(250):
        state = step(state, chooser.choice(legal(state)), trusted=True)
    for u in range(len(UNITS.ids)):
        if state.where[u] >= GROUND.hexes:
            continue
        enemies = model.occupied(state, 1 - UNITS.side[u])
        for to in reach(state, u):
            way = path(state, u, to)
            hexes = [h for h in way if h < GROUND.hexes]
            assert way[0] == state.where[u]
            assert way[-1] == to
            assert all(GROUND.touching[a] >> b & 1 for a, b in pairwise(hexes))
            assert not any(enemies >> h & 1 for h in hexes)
            assert not any(next_to(GROUND, enemies) >> h & 1 for h in hexes[1:-1])
            by_road = all(GROUND.roads[a] >> b & 1 for a, b in pairwise(hexes[:-1]))
            assert by_road or len(way) <= 3


def test_4_1_a_normal_move_can_be_led_hex_by_hex(impulse):
    """One hex, then a second, or none: a third is out of reach, and nothing else is done meanwhile."""
    table = impulse("allied", 1, "0904 504\n0103 5Gds").play("via 504 0905")
    assert where(table, "504") == "0905"
    assert table.destinations("504") >= {"0904", "0905", "1005"}
    assert table.refusal("move 5Gds 0203") == ("3.3", "finish-move-first")
    assert table.refusal("pass") == ("3.3", "finish-move-first")
    assert table.refusal("move 504 1205") == ("4", "no-way-on")
    assert where(table.try_all("move 504 1005"), "504") == "1005"
    stopped = table.try_all("move 504 0905")
    assert where(stopped, "504") == "0905"
    assert stopped.refusal("move 504 0904") == ("3.3", "acted-already")


def test_4_2_road_movement_has_no_limit(impulse):
    """Up the whole red road from 0103 to Arnhem when no German is near."""
    assert "1504" in impulse("allied", 1, "0103 5Gds").destinations("5Gds")


def test_4_2_road_movement_stops_next_to_the_enemy(impulse):
    """With a German in 0602, the road is open up to a hex next to him and no farther."""
    reached = impulse("allied", 1, "0103 5Gds\n0702 Best").destinations("5Gds")
    assert "0603" in reached
    assert "0702" not in reached
    assert "0802" not in reached


def test_4_2_no_road_movement_from_next_to_the_enemy(impulse):
    """A unit that begins next to an enemy moves normally only."""
    table = impulse("allied", 1, "0103 5Gds\n0104 406")
    assert "0503" not in table.destinations("5Gds")
    assert table.refusal("move 5Gds 0503") == ("4.2", "no-road-move-next-to-enemy")


def test_4_2_a_unit_that_began_next_to_the_enemy_has_no_road_movement_after_his_loss(impulse):
    """The Guards clear 0303: who began the impulse beside it walks, who came up behind drives through."""
    table = impulse("allied", 1, "0203 5Gds, 32Gds\n0103 8Armd\n0303 406")
    table.play("attack 0303", "join 5Gds", "resolve", "roll 1", "done")
    assert table.destinations("8Armd") >= {"0303", "0503", "0803"}
    assert "0303" in table.destinations("32Gds")
    assert "0503" not in table.destinations("32Gds")
    assert table.refusal("move 32Gds 0503") == ("4.2", "no-road-move-next-to-enemy")


def test_4_2_an_enemy_across_an_unbridged_river_does_not_forbid_road_movement(impulse):
    """A German in 1102 lies across the Maas from the road hex 1003."""
    assert "0903" in impulse("allied", 1, "1003 504\n1102 406").destinations("504")
    assert "0803" in impulse("allied", 1, "1003 504\n1102 406").destinations("504")


def test_4_2_a_road_move_ends_in_the_first_hex_off_the_road(impulse):
    """One step off the road to 0904 or 0505, but not two: 0406 lies behind 0505, away from every road."""
    reached = impulse("allied", 1, "0103 5Gds").destinations("5Gds")
    assert {"0904", "0505"} <= reached
    assert "0406" not in reached


def test_4_2_a_road_move_does_not_leave_the_road_over_a_canal(impulse):
    """On every way that the Guards can take from 0103, water is crossed by bridges only."""

    from salient.games.target_arnhem.movement import path, reach

    state = impulse("allied", 1, "0103 5Gds").state
    for to in reach(state, 0):
        way = path(state, 0, to)
        for here, there in pairwise(way):
            side = GROUND.board.side(here, there)
            assert side is None or side.bridge or len(way) == 2


def test_4_2_a_unit_off_the_road_moves_normally(impulse):
    """0904 has no road: a unit there moves two hexes."""
    assert "0503" not in impulse("allied", 1, "0904 504").destinations("504")


def test_4_2_germans_leave_by_road_into_an_area(impulse):
    """From 0501 the road leads into area A; a unit in 0401 beside A has no such road."""
    assert "A" in impulse("german", 1, "0501 59/A").destinations("59/A")
    table = impulse("german", 1, "0401 59/A")
    assert "A" not in table.destinations("59/A")
    assert table.refusal("move 59/A A") == ("4.2", "areas-by-road-only")


def test_4_2_the_road_carries_germans_from_far_into_an_area(impulse):
    """From 0602 along the road to 0501 and out into A in one move."""
    assert "A" in impulse("german", 1, "0602 Best").destinations("Best")


def test_4_2_a_road_move_can_be_led_any_way(impulse):
    """The Guards drive by way of 0303 and 0503, hex by hex or not, and turn off the road at last."""
    table = impulse("allied", 1, "0103 5Gds\n1504 406").play("via 5Gds 0303", "via 5Gds 0503", "via 5Gds 0303")
    assert "0503" in table.destinations("5Gds")
    assert "0302" in table.destinations("5Gds")
    assert where(table.play("move 5Gds 0302"), "5Gds") == "0302"


def test_4_2_who_leaves_the_road_has_a_normal_move_left(impulse):
    """From 0103 off the road to 0104: one more hex, and the road beside it carries the unit no further."""
    table = impulse("allied", 1, "0103 5Gds\n1504 406").play("via 5Gds 0104")
    assert {"0103", "0104", "0204"} <= table.destinations("5Gds")
    assert table.refusal("move 5Gds 0203") == ("4", "no-way-on")


def test_4_2b_from_an_area_to_touching_areas_and_hexes_only(impulse):
    """From B: areas A and C, and the hexes of its edge."""
    table = impulse("german", 1, "B 59/A")
    assert table.destinations("59/A") == {"A", "C", "0601", "0701", "0801", "0901", "1001"}
    assert table.refusal("move 59/A D") == ("4.2b", "areas-do-not-touch")
    assert table.refusal("move 59/A 0602") == ("4.2b", "one-hex-from-area")


def test_4_2b_a_hex_with_allies_is_closed_to_entry_from_an_area(impulse):
    """Allies in 0601 keep Germans out of it."""
    assert "0601" not in impulse("german", 1, "B 59/A\n0601 504").destinations("59/A")


def test_4_2b_area_p_is_lost_at_the_start_of_turn_4_and_closed(before):
    """On turn 4 units in P are eliminated; from A nobody enters it any more."""
    table = before("P 245\nA 59/A\n0103 5Gds", turn=4)
    assert table.game.view.observe(table.state, "german")["units"]["245"]["where"] == "eliminated"
    table.play("roll 1", "pass")
    assert table.actor == "german"
    assert table.refusal("move 59/A P") == ("4.2b", "area-p-closed")


def test_4_2b_area_p_is_open_before_turn_4(impulse):
    """On turn 3 a unit still moves from A to P."""
    assert "P" in impulse("german", 1, "A 59/A", turn=3).destinations("59/A")
