"""The Deadly Woods: chapter 10, movement."""

from __future__ import annotations

from itertools import pairwise

from games.deadly_woods.positions import (
    GROUND,
    UNITS,
    fight,
    hexagon,
    in_zone,
    points_to,
    reach,
    settled,
    stage,
    way_of,
    where,
)
from salient.common.sides import ALLIED, GERMAN
from salient.games.deadly_woods.results import BlowHeld
from salient.games.deadly_woods.retreats import BlowBehind


def test_10_1_infantry_and_motorized_units_pay_different_costs(moving):
    """Off the road clear ground costs infantry 1 and motorized units 2; forest is closed to the latter."""
    table = moving("allied", "1408 99/393\n1308 14Cav")
    assert points_to(table, "99/393", "1407") == 1
    assert points_to(table, "14Cav", "1307") == 2
    assert "3410" not in reach(moving("allied", "3409 14Cav"), "14Cav")


def test_10_1_units_without_capacity_do_not_move(moving):
    """Von der Heydte's battalion never moves."""
    table = moving("german", "1408 VdH\n1308 12VG/27")
    assert table.choices("select") == ["select 12VG/27"]
    assert table.refusal("select VdH") == ("10.1", "no-capacity")


def test_10_2_units_pay_for_hexes_and_hexsides(moving):
    """Infantry pays 2 for a clear hex across an unbridged minor river and moves up to three points_to."""
    table = moving("allied", "2516 99/393")
    assert points_to(table, "99/393", "2515") == 2
    assert all(points_to(table, "99/393", label) <= 3 for label in reach(moving("allied", "1408 99/393"), "99/393"))


def test_10_2_a_unit_is_led_hex_by_hex(moving):
    """Three hexes of its own choice cost what the hexes cost; then the points_to are spent, and it can only stop."""
    table = moving("allied", "1408 99/393\n1308 99/394").play("select 99/393")
    table.play("via 99/393 1407", "via 99/393 1408")
    assert where(table, "99/393") == "1408"
    assert table.refusal("via 99/393 1408") == ("10.2", "is-there")
    table.play("move 99/393 1308")
    assert where(table, "99/393") == "1308"
    assert table.refusal("select 99/393") == ("10.2.1", "moved-already")


def test_10_2_what_is_left_follows_the_way_walked(moving):
    """Mechanized cavalry that leaves the road for 2619 pays the full cost from there on; by 2618 it drives on."""
    start = moving("allied", "2519 14Cav\n4012 12VG/27").play("select 14Cav")
    beside, along = (start.try_all(f"via 14Cav {h}").destinations("14Cav") for h in ("2619", "2618"))
    assert max(GROUND.board.distance(hexagon("2619"), hexagon(h)) for h in beside) < 3
    assert max(GROUND.board.distance(hexagon("2618"), hexagon(h)) for h in along) > 6


def test_10_2_a_waypoint_in_an_enemy_zone_is_an_end(moving):
    """Nobody goes on from a zone: such a hex ends a move and is no waypoint."""
    table = moving("german", "2514 12VG/27\n2517 99/393").play("select 12VG/27")
    zone_hex = next(h for h in sorted(table.destinations("12VG/27")) if in_zone(table, h))
    assert table.refusal(f"via 12VG/27 {zone_hex}") == ("7.3", "must-stop-there")
    assert table.refusal("via 12VG/27 4012") == ("10.2", "too-far")


def test_10_2_what_cannot_be_reached_has_its_reason(moving):
    """Too few points, enemy zones on the way, or no way at all (T-25)."""
    table = moving("allied", "2519 14Cav\n2617 12VG/27\n2817 12VG/48").play("select 14Cav")
    beyond = [h for h in GROUND.board.labels[: GROUND.hexes] if h not in table.destinations("14Cav")]
    assert {("7.3", "zones-between"), ("10.2", "too-far"), ("10.2", "no-way")} <= {
        table.refusal(f"move 14Cav {h}") for h in beyond
    }


def test_10_2_1_a_unit_moves_once_a_round(moving):
    """Once moved, a unit is not offered again."""
    table = moving("allied", "1408 99/393\n1308 99/394").play("select 99/393", "move 99/393 1407")
    assert table.choices("select") == ["select 99/394"]
    assert table.refusal("select 99/393") == ("10.2.1", "moved-already")


def test_10_2_1_a_move_is_finished_before_the_next(moving):
    """A unit under way ends its move before another is taken up."""
    table = moving("allied", "1408 99/393\n1308 99/394").play("select 99/393", "via 99/393 1407")
    assert table.refusal("select 99/394") == ("10.2.1", "finish-move-first")
    assert table.refusal("pass") == ("10.2.1", "finish-move-first")
    assert table.play("move 99/393 1407").choices("select") == ["select 99/394"]


def test_10_2_1_the_last_move_does_not_end_the_round(moving):
    """Who has moved his last unit says so himself: until then nothing is drawn and the move can be undone."""
    table = moving("allied", "1408 99/393\n4012 12VG/27").play("select 99/393", "move 99/393 1407")
    assert (table.actor, table.choices()) == ("allied", ["pass"])
    assert (table.state.turn, table.play("pass").state.turn) == (4, 5)
    stays = moving("allied", "1408 99/393\n4012 12VG/27").play("select 99/393", "move 99/393 1408")
    assert (stays.actor, stays.choices()) == ("allied", ["pass"])


def test_10_2_1_a_unit_in_hand_is_no_commitment(moving):
    """Taken up, it is laid down again or another taken up instead, and forfeits nothing; told to stay, it is done."""
    start = moving("allied", "1408 99/393\n1308 99/394")
    table = start.try_all("select 99/393")
    assert table.try_all("cancel").state.key() == start.state.key()
    assert table.try_all("select 99/394").state.key() == start.try_all("select 99/394").state.key()
    assert table.refusal("pass") == ("10.2.1", "move-or-cancel")
    stays = table.play("move 99/393 1408")
    assert stays.choices("select") == ["select 99/394"]
    assert not stays.state.moved


def test_10_3_a_trapped_unit_slips_past_a_supplied_friend(moving):
    """Zones on all sides: 393 slips through the hex of 394, who must stay, to a supplied hex away from the enemy."""
    table = moving("allied", "2417 99/393\n2318 99/394\n2517 560VG/1129\n2217 26VG/39\n2519 12VG/27")
    assert reach(table, "99/393") == set()
    table.play("select 99/393")
    ways = table.choices("withdraw")
    assert ways
    assert all(way.split()[2] == "2318" for way in ways)
    table.play(ways[0])
    assert where(table, "99/393") == ways[0].split()[3]
    assert table.refusal("select 99/394") == ("10.2.1", "moved-already") or not table.choices("select")


TRAPPED = "2417 99/393\n2517 560VG/1129\n2217 26VG/39\n2519 12VG/27"


def test_10_3_the_owner_chooses_who_holds_the_door(moving):
    """Two friends at the door: one of them stays, and the other may still move."""
    table = moving("allied", f"{TRAPPED}\n2318 99/394, 99/395").play("select 99/393", "withdraw 99/393 2318 2319")
    assert table.choices() == ["hold 99/394", "hold 99/395"]
    assert table.refusal("hold 99/393") == ("10.3", "not-at-the-door")
    table.play("hold 99/395")
    assert table.choices("select") == ["select 99/394"]


def test_10_3_who_stays_anyway_holds_the_door(moving):
    """395 has been told to stay: it holds the door, nobody is asked and 394 may move."""
    table = moving("allied", f"{TRAPPED}\n2318 99/394, 99/395").play("select 99/395", "move 99/395 2318")
    table.play("select 99/393", "withdraw 99/393 2318 2319")
    assert table.choices("select") == ["select 99/394"]


def test_10_3_air_supply_serves_a_withdrawal(moving):
    """Germans on every Allied entry hex: only the air supply marker makes friend and hex supplied ones [8.6]."""
    entries = [label for h, label in enumerate(GROUND.board.labels) if GROUND.entries[ALLIED] >> h & 1]
    trapped = {line.split()[1] for line in TRAPPED.split("\n")}
    germans = [UNITS.ids[u] for u in UNITS.of_side[GERMAN] if UNITS.ids[u] not in trapped]
    cut = "\n".join(f"{label} {unit}" for label, unit in zip(entries, germans, strict=False))
    lines = f"{TRAPPED}\n2318 99/394\n{cut}"
    assert not moving("allied", lines, turn=6).play("select 99/393").choices("withdraw")
    by_air = moving("allied", f"{lines}\n2320 Air", turn=6).play("select 99/393")
    assert by_air.choices("withdraw") == ["withdraw 99/393 2318 2319"]
    assert where(by_air.play("withdraw 99/393 2318 2319"), "99/393") == "2319"


def test_10_3_the_delay_holds_no_door(moving):
    """It gives way as the unit enters, so it cannot stay behind as the unit that held the door open."""
    assert moving("allied", f"{TRAPPED}\n2318 99/394").play("select 99/393").choices("withdraw")
    assert not moving("allied", f"{TRAPPED}\n2318 Delay").play("select 99/393").choices("withdraw")


def test_10_4_road_costs(moving):
    """By road infantry pays 1 into woods, motorized units one half."""
    table = moving("allied", "2519 99/393")
    assert points_to(table, "99/393", "2520") == 1
    assert points_to(moving("allied", "2519 14Cav"), "14Cav", "2520") == 0.5


def test_10_4_1_no_road_rate_for_units_that_begin_stacked(moving):
    """Two units in Bastogne: neither drives at the road rate, even after the other has left."""
    table = moving("allied", "2519 14Cav, 106/422")
    assert points_to(table, "14Cav", "2418") == 2
    table.play("select 106/422", "move 106/422 2420")
    assert points_to(table, "14Cav", "2418") == 2


def test_10_4_1_a_motorized_unit_begins_on_a_road(moving):
    """From 2420, off the road, the road to 2419 and on does not help."""
    table = moving("allied", "2420 14Cav")
    assert points_to(table, "14Cav", "2419") == 2
    assert points_to(table, "14Cav", "2319") == 4


def test_10_4_1_stacking_on_the_way_costs_the_full_rate_from_there_on(moving):
    """Through a friend's hex the road rate is lost: 2 points_to for 2418; 2318 beyond it is cheaper round by 2417."""
    alone = moving("allied", "2519 14Cav")
    assert points_to(alone, "14Cav", "2318") == 1
    table = moving("allied", "2519 14Cav\n2418 106/422")
    assert points_to(table, "14Cav", "2418") == 2
    assert points_to(table, "14Cav", "2318") == 3


def test_10_5_allied_infantry_rides_on_roads_only(moving):
    """On a road infantry rides up to twelve road hexes, all of its way on roads."""
    table = moving("allied", "2519 99/393")
    far = [label for label in reach(table, "99/393") if GROUND.board.distance(hexagon("2519"), hexagon(label)) > 3]
    assert far
    for label in far:
        way = way_of(table, "99/393", label)
        assert len(way) <= 13
        assert all(GROUND.board.road(a, b) for a, b in pairwise(way))


def test_10_5_german_infantry_rides_only_when_arriving_or_under_the_marker(moving):
    """The example: capacity 3 becomes 6, twelve hexes by road under the marker; without it three."""
    on_foot = moving("german", "4019 12VG/27")
    assert max(len(way_of(on_foot, "12VG/27", h)) for h in reach(on_foot, "12VG/27")) <= 4
    riding = moving("german", "4019 12VG/27", motor=UNITS.index["12VG/27"])
    assert max(len(way_of(riding, "12VG/27", h)) for h in reach(riding, "12VG/27")) == 13


def test_10_5_riding_infantry_passes_a_friend_at_the_full_cost(moving):
    """Two road hexes for one half each, a friend's hex and the one beyond it for 2 each: 5 of 6 points_to."""
    table = moving("allied", "1604 99/393\n1306 99/394")
    assert points_to(table, "99/393", "1306") == 3
    assert points_to(table, "99/393", "1206") == 5


def test_10_6_a_bridge_costs_motorized_units_two_off_the_road(moving):
    """Into 3217 over the bridge of Dasburg: one half by road; stacked, 2 for the hex and 2 for the bridge."""
    assert points_to(moving("german", "3317 2Pz/3"), "2Pz/3", "3217") == 0.5
    assert points_to(moving("german", "3317 2Pz/3, 2Pz/304"), "2Pz/3", "3217") == 4


def test_10_6_1_a_blown_bridge_costs_infantry_one_and_motorized_three(moving):
    """The blown bridge of Dasburg: infantry 1 + 1, motorized units 2 + 3, and no road."""
    assert points_to(moving("german", "blown 3217/3317\n3317 26VG/39"), "26VG/39", "3217") == 2
    assert points_to(moving("german", "blown 3217/3317\n3317 2Pz/3"), "2Pz/3", "3217") == 5


def test_10_6_1_a_defender_who_holds_may_blow_the_bridge(fighting):
    """Attacked over the bridge of Dasburg, the Americans hold 3217 and blow it."""
    table = fighting("german", "3217 28/110\n3317 2Pz/3, 2Pz/304")
    fight(table, "3217", "2Pz/3").play("roll 5")
    assert table.actor == "allied"
    assert table.choices() == ["blow 3217/3317", "done"]
    table.play("blow 3217/3317")
    assert table.try_all("drop 3217/3317").choices() == ["blow 3217/3317", "done"]
    table.play("done")
    assert table.state.blown >> GROUND.bridge_names.index("3217/3317") & 1


def test_10_6_1_who_retreats_over_a_bridge_may_roll_to_blow_it(fighting):
    """Driven from 2615 over the bridge of Houffalize: a 3 blows it, a 4 does not."""
    table = fighting("german", "2615 14Cav\n2614 12VG/27, 12VG/48\n2714 26VG/39")
    fight(table, "2615", "12VG/27").play("roll 3")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert table.choices("blow") == ["blow 2615/2616"]
    table.play("blow 2615/2616")
    assert table.try_all("roll 3").state.blown >> GROUND.bridge_names.index("2615/2616") & 1
    assert not table.try_all("roll 4").state.blown >> GROUND.bridge_names.index("2615/2616") & 1


TWO_BRIDGES = 1 << GROUND.bridge_names.index("2615/2616") | 1 << GROUND.bridge_names.index("3217/3317")


def test_10_6_1_bridges_behind_a_retreat_are_tried_in_any_order():
    """Two bridges were crossed: the later one of the list first, then the other; each once."""
    s = stage("2518 99/393\n4019 12VG/27")
    s.push(BlowBehind(ALLIED, TWO_BRIDGES, 0))
    table = settled(s).play("blow 3217/3317", "roll 4")
    assert table.choices() == ["blow 2615/2616", "pass"]
    assert table.refusal("blow 3217/3317") == ("10.6.1", "not-that-bridge")


def test_10_6_1_a_defender_names_bridges_in_any_order():
    """Both bridges over which he was attacked, one of them, or none, as he likes until he is done."""
    s = stage("2518 99/393\n4019 12VG/27")
    s.push(BlowHeld(ALLIED, TWO_BRIDGES, ()))
    table = settled(s)
    both = table.try_all("blow 3217/3317", "blow 2615/2616")
    assert both.state.key() == table.try_all("blow 2615/2616", "blow 3217/3317").state.key()
    assert both.refusal("blow 2615/2616") == ("10.6.1", "bridge-named-already")
    assert both.refusal("drop 99/393") == ("10.6.1", "not-named")
    assert both.state.blown == 0
    assert both.try_all("drop 2615/2616", "done").state.blown == 1 << GROUND.bridge_names.index("3217/3317")
    assert both.play("done").state.blown == TWO_BRIDGES


def test_10_6_1_engineers_need_an_allied_unit_at_the_bridge(mc_round):
    """Nobody at Houffalize: nothing to blow."""
    table = mc_round("allied", "move", "2519 106/422\n2617 VIII-Eng")
    assert table.refusal("demolish VIII-Eng 2615/2616") == ("12.4.3", "bridge-unguarded")


def test_10_6_2_moving_over_a_blown_bridge_rebuilds_it(moving):
    """One bridge an army zone a turn: a second one of the zone is crossed but stays blown."""
    table = moving("german", "blown 3217/3317 3218/3319\n3317 26VG/39\n3319 26VG/77")
    table.play("select 26VG/39", "move 26VG/39 3217")
    assert GROUND.bridge_names.index("3217/3317") not in [b for b in range(78) if table.state.blown >> b & 1]
    table.play("select 26VG/77", "move 26VG/77 3218")
    assert table.state.blown >> GROUND.bridge_names.index("3218/3319") & 1


def effects_of(table, text):
    """The events that a preview names."""
    return [effect["key"] for effect in table.game.view.preview(table.state, table.game.read(text))["effects"]]


def test_10_6_2_a_bridge_is_rebuilt_by_the_way_that_is_chosen(moving):
    """The plain move drives round the ruin; the step across it rebuilds the bridge, and the preview says so."""
    lines = "blown 3007/3107\n3107 9A/CCR\n4012 12VG/27"
    table = moving("allied", lines).play("select 9A/CCR")
    assert "bridge-rebuilt" not in effects_of(table, "move 9A/CCR 3007")
    assert effects_of(table, "via 9A/CCR 3007") == ["bridge-rebuilt"]
    assert table.try_all("move 9A/CCR 3007").state.blown
    assert not table.play("via 9A/CCR 3007", "move 9A/CCR 3007").state.blown
    assert where(table, "9A/CCR") == "3007"


def test_10_6_2_the_armour_step_rebuilds_no_bridge(mc_round):
    """Tanks step over the blown bridge of Dasburg and leave it blown."""
    table = mc_round("german", "combat", "blown 3217/3317\n3317 2Pz/3\n2519 99/393")
    table.play("select 2Pz/3", "move 2Pz/3 3217")
    assert table.state.blown >> GROUND.bridge_names.index("3217/3317") & 1


def test_10_6_3_no_armour_over_ouren_on_turn_1(moving):
    """On turn 1 tanks in 3315 cannot cross to 3215, infantry can; on turn 2 tanks can."""
    assert "3215" not in reach(moving("german", "3315 116Pz/60", turn=1), "116Pz/60")
    assert "3215" in reach(moving("german", "3315 560VG/1130", turn=1), "560VG/1130")
    assert "3215" in reach(moving("german", "3315 116Pz/60", turn=2), "116Pz/60")


def test_10_6_4_units_wait_west_of_the_meuse(moving):
    """17th Airborne in Namur stays on the left bank until turn 9 or until a German crosses."""
    lines = "0806 17/507"
    west = GROUND.west_of_meuse
    assert west >> hexagon("0806") & 1
    held = reach(moving("allied", lines, turn=8), "17/507")
    assert all(west >> hexagon(label) & 1 for label in held)
    for table in (moving("allied", lines, turn=9), moving("allied", lines, turn=8, meuse_crossed=1)):
        assert any(not west >> hexagon(label) & 1 for label in reach(table, "17/507"))


def test_10_6_4_fifth_armored_stays_near_area_j(moving):
    """Entered by J it stays within three hexes; entered elsewhere it is free."""
    near = GROUND.within[hexagon("3101")][3] | GROUND.within[hexagon("3401")][3]
    held = reach(moving("allied", "3101 5A/CCA", turn=6), "5A/CCA")
    assert held
    assert all(near >> hexagon(label) & 1 for label in held)
    free = reach(moving("allied", "3101 5A/CCA", turn=6, fifth_free=1), "5A/CCA")
    assert any(not near >> hexagon(label) & 1 for label in free)


def test_10_6_4_a_plain_move_spares_the_meuse(moving):
    """From 0815 to Dinant both banks cost three points_to: the move stays on the east bank; by Givet it can be led."""
    table = moving("german", "0815 2Pz/3\n4012 12VG/27\n0120 4/8").play("select 2Pz/3")
    assert "meuse-crossed" not in effects_of(table, "move 2Pz/3 0912")
    assert not table.try_all("move 2Pz/3 0912").state.meuse_crossed
    over = next(h for h in sorted(table.destinations("2Pz/3")) if GROUND.west_of_meuse >> hexagon(h) & 1)
    assert "meuse-crossed" in effects_of(table, f"move 2Pz/3 {over}")


def test_10_6_1_an_attack_over_a_bridge_warns_that_it_may_be_blown(fighting):
    """Before the attack is declared, and not where no bridge lies between."""
    assert "may-lose-bridges" in fighting("german", "3217 28/110\n3317 2Pz/3").warned("attack 3217")
    assert not fighting("german", "2615 14Cav\n2614 12VG/27").warned("attack 2615")
