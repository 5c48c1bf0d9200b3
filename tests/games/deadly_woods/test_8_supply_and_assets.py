"""Chapters 2, 3, 8, 12, 13 and 15: components, set-up, supply, assets, replacements, victory."""

from __future__ import annotations

import pytest
from tests.games.deadly_woods.conftest import asset, hexagon, lost, reach, stage, where

from salient import load
from salient.common.sides import ALLIED, GERMAN
from salient.games.deadly_woods import model
from salient.games.deadly_woods.model import ARMOR, BRIDGE_NAMES, INFANTRY, KIND, MECHANIZED, STEPS, UNIT, VALUES
from salient.games.deadly_woods.supply import air_supplied_hexes, is_supplied, supplied_hexes
from salient.games.deadly_woods.victory import points, steps_over_meuse
from table import Table

RING = "2518 12VG/27\n2418 26VG/39\n2520 26VG/77\n2619 18VG/293\n2618 18VG/294\n2419 62VG/164"  # around Bastogne


@pytest.fixture
def start():
    """The game as it begins."""
    game = load("deadly-woods")
    return Table(game, game.new())


def supplied(s, unit):
    s.clear_caches()
    return is_supplied(s, UNIT[unit])


# ---- 2 Components ---------------------------------------------------------------------------------


def test_2_1_the_pieces(start):
    """A map of 1,305 hexes, units of both sides, assets, one die."""
    assert model.HEXES == 1305
    assert {model.SIDE[u] for u in range(model.COUNT)} == {ALLIED, GERMAN}


def test_2_2_rivers_are_minor_and_major():
    """Both kinds of hexside count as a river."""
    kinds = {row["kind"] for row in model.BOARD.rows["hexsides.csv"]}
    assert kinds == {"minor-river", "major-river"}
    assert all(model.RIVER_TOUCHING[a] >> b & 1 for a, b in model.BRIDGES)


def test_2_2_1_entry_areas_are_supply_sources():
    """A to J for the Allies, K to M for the Germans, each in its own supply at the start."""
    s = stage("")
    for side in (ALLIED, GERMAN):
        assert model.ENTRIES[side] & ~supplied_hexes(s, side) == 0
    assert set(model.AREA_HEXES) == set("ABCDEFGHIJKLM")


def test_2_2_2_boxes_and_tracks(start):
    """Clients are given boxes, the track of points and the round track."""
    parts = start.game.components()
    assert {"box", "eliminated", "track"} <= {place["id"] for place in parts["places"]}
    assert [track["id"] for track in parts["tracks"]] == ["victory-points"]
    assert start.game.observe(start.state, "german")["panels"]


def test_2_3_1_kinds_of_units():
    """Delay and von der Heydte are infantry; cavalry, armour and mechanized units are motorized."""
    assert KIND[UNIT["Delay"]][0] == KIND[UNIT["VdH"]][0] == KIND[UNIT["82/504"]][0] == INFANTRY
    assert KIND[UNIT["7A/CCB"]][0] == KIND[UNIT["2Pz/3"]][0] == ARMOR
    assert KIND[UNIT["FB"]][0] == MECHANIZED


def test_2_3_1_1_steps():
    """Armoured battle groups and mechanized units have three steps, the last without zone; others two or one."""
    for name in ("1SS/Peiper", "2Pz/3", "FB", "3PG/8", "150Bde"):
        assert STEPS[UNIT[name]] == 3
        assert not VALUES[UNIT[name]][2][3]
    assert KIND[UNIT["2Pz/3"]][2] == MECHANIZED
    assert STEPS[UNIT["12VG/27"]] == STEPS[UNIT["7A/CCB"]] == STEPS[UNIT["506"]] == 2
    assert STEPS[UNIT["Delay"]] == STEPS[UNIT["VdH"]] == 1


def test_2_4_assets_wait_in_their_box(start):
    """German guns and those of V and VIII Corps are available; later ones stand on the track."""
    assert asset(start, "6Pz-Art1") == asset(start, "V-Art1") == "box"
    assert asset(start, "VII-Art1").startswith("turn-")


def test_2_6_markers_are_shown(start, moving):
    """Blown bridges and the fuel depot are markers; a reduced unit without supply wears badges."""
    seen = start.game.observe(start.state, "allied")
    assert [len(edge["sides"]) for edge in seen["edges"] if edge["key"] == "bridge-blown"] == [4]
    assert "fuel" in [marker["key"] for marker in seen["markers"]]
    table = moving("german", "4019 12VG/27 lost=1 oos")
    badges = table.game.observe(table.state, "german")["units"]["12VG/27"]["badges"]
    assert [badge["key"] for badge in badges] == ["step", "out-of-supply"]


def test_2_7_the_table_uses_the_books_results():
    """Columns from 1-3 to 6-1, results AL1, BL1, DR, DR*; a higher roll is never worse for the attacker."""
    worth = {"AL1": 0, "NE": 1, "BL1": 2, "DR": 3, "DR*": 4}
    assert model.COLUMNS[0] == "1-3"
    assert model.COLUMNS[-1] == "6-1"
    for column in model.TABLE:
        assert list(column) == sorted(column, key=worth.__getitem__)


# ---- 3 Set-up and victory -------------------------------------------------------------------------


def test_3_2_set_up(start):
    """2nd Panzer in 3317, V Corps engineers in Elsenborn, four bridges blown, fuel in 3508, no points."""
    assert where(start, "2Pz/3") == where(start, "2Pz/304") == "3317"
    assert asset(start, "V-Eng") == "3406"
    blown = {BRIDGE_NAMES[b] for b in range(len(BRIDGE_NAMES)) if start.state.blown >> b & 1}
    assert blown == {"3926/4025", "3823/3923", "3622/3623", "3320/3419"}
    assert model.BOARD.labels[model.FUEL] == "3508"
    assert points(start.state) == 0


def test_3_1_and_3_3_lengths():
    """Six turns or twelve."""
    game = load("deadly-woods")
    assert {scenario.id: scenario.turns for scenario in game.scenarios} == {"campaign": 12, "attack": 6}


def test_3_3_the_attack_ends_after_turn_6(drawing):
    """The last chit of turn 6 ends the attack scenario."""
    table = drawing({"supply": 1}, "4019 12VG/27", turn=6, scenario="attack").play("draw supply")
    assert table.actor == "over"
    assert table.game.result(table.state).winner == "allied"


FIVE = ("3211", "3107", "2519", "1812", "3102")
HOLDERS = ("12VG/27", "12VG/48", "26VG/39", "26VG/77", "18VG/293")


def holding(count):
    return "\n".join(f"{label} {unit}" for label, unit in list(zip(FIVE, HOLDERS, strict=True))[:count])


@pytest.mark.parametrize(
    ("count", "turn", "changes", "winner"),
    [
        (5, 3, {}, "german"),
        (4, 3, {}, None),
        (4, 6, {"scenario": "attack"}, "german"),
        (3, 6, {"scenario": "attack"}, "allied"),
        (2, 12, {"withdrawal": 1}, "german"),
        (1, 12, {"withdrawal": 1}, "allied"),
        (2, 12, {"withdrawal": 2}, "allied"),
        (3, 12, {"withdrawal": 2}, "german"),
    ],
)
def test_3_4_victory_by_points(drawing, count, turn, changes, winner):
    """Five end the game at once; four win the attack; two the campaign, three if the SS stayed."""
    table = drawing({"supply": 1}, holding(count), turn=turn, **changes).play("draw supply")
    result = table.game.result(table.state)
    assert (result.winner if result else None) == winner


def test_3_4_only_supplied_hexes_count():
    """Bastogne held by a surrounded German is no point."""
    allied = "2518 99/393\n2418 99/394\n2520 99/395\n2619 2/9\n2618 2/23\n2419 2/38"
    assert points(stage("2519 12VG/27")) == 1
    assert points(stage(f"2519 12VG/27\n{allied}")) == 0


def test_3_4_nine_motorized_steps_over_the_meuse(drawing):
    """Three full battle groups at Namur win at the end of the turn; infantry does not count."""
    s = stage("0806 2Pz/3, 2Pz/304\n0705 116Pz/60", turn=5)
    assert steps_over_meuse(s) == 9
    infantry = stage("0806 12VG/27, 12VG/48", turn=5)
    assert steps_over_meuse(infantry) == 0


def test_3_5_the_allies_hold_everything_west_of_the_westwall(start):
    """St. Vith and Büllingen are Allied, Prüm is German."""
    held = start.state.german_held
    assert not held >> hexagon("3211") & 1
    assert not held >> hexagon("3508") & 1
    assert held >> hexagon("3813") & 1


# ---- 8 Supply -------------------------------------------------------------------------------------


def test_8_1_germans_check_when_their_chit_is_drawn(playing):
    """A surrounded German is marked by the supply check, and cleared by a later one."""
    allied = "2518 99/393\n2418 99/394\n2520 99/395\n2619 2/9\n2618 2/23\n2419 2/38"
    table = playing("supply", f"2519 12VG/27\n{allied}", cup=[0] * 7 + [1] + [0] * 4)
    assert table.state.oos >> UNIT["12VG/27"] & 1
    free = playing("supply", "2519 12VG/27 oos", cup=[0] * 7 + [1] + [0] * 4)
    assert not free.state.oos


def test_8_1_allies_check_at_the_moment_of_need():
    """Surrounded, the unit is out of supply at once; with one German gone it is in supply again."""
    assert not supplied(stage(f"2519 101/501\n{RING}"), "101/501")
    assert supplied(stage("2519 101/501"), "101/501")


def test_8_2_five_hexes_to_a_road():
    """Every supplied hex away from roads lies within five of a road, and rivers without bridge are not crossed."""
    s = stage("")
    mask = supplied_hexes(s, ALLIED)
    roads = {h for h in range(model.HEXES) if model.ROAD_HEXES >> h & 1}
    for h in range(model.HEXES):
        if mask >> h & 1:
            assert any(model.BOARD.distance(h, road) <= 5 for road in roads)


def test_8_2_enemy_zones_stop_supply_and_friends_lift_them():
    """Two Germans in 2117 and 2320 close the roads west of Bastogne only in part; a ring closes all."""
    cut = stage(f"2519 101/501\n{RING}")
    assert not supplied_hexes(cut, ALLIED) >> hexagon("2519") & 1
    gap = RING.replace("2419 62VG/164", "2419 101/502")
    assert supplied(stage(f"2519 101/501\n{gap}\n2320 101/506\n2221 101/327"), "101/501")


def test_8_3_the_106th_surrenders_after_turn_2(drawing):
    """Surrounded on turn 2 it is out of the game; on turn 3 it stays."""
    lines = f"2519 106/422\n{RING}"
    table = drawing({"supply": 1}, lines, turn=2).play("draw supply")
    assert where(table, "106/422") == "gone"
    later = drawing({"supply": 1}, lines, turn=3).play("draw supply")
    assert where(later, "106/422") == "2519"


def test_8_3_allied_infantry_out_of_supply_does_not_ride(moving):
    """Air supply apart, a cut off regiment on a road walks."""
    gap = RING.replace("2419 62VG/164\n", "").replace("\n2419 62VG/164", "")
    cut = moving("allied", f"2519 101/501\n{gap}\n2320 62VG/164\n2219 62VG/190")
    assert not is_supplied(cut.state, UNIT["101/501"])
    assert all(model.BOARD.distance(hexagon("2519"), hexagon(label)) <= 3 for label in reach(cut, "101/501"))


def test_8_4_the_delay_needs_no_supply():
    """Surrounded it still counts as supplied."""
    assert supplied(stage(f"2519 Delay\n{RING}"), "Delay")


def test_8_5_fuel_keeps_peiper_supplied_on_turn_2(playing):
    """With the depot a cut off Peiper is not marked on turn 2, but is on turn 3."""
    allied = "2518 99/393\n2418 99/394\n2520 99/395\n2619 2/9\n2618 2/23\n2419 2/38"
    for turn, marked in ((2, False), (3, True)):
        more = [0] * 7 + [1] + [0] * 4
        table = playing("supply", f"2519 1SS/Peiper\n{allied}", turn=turn, fuel=1, cup=more)
        assert bool(table.state.oos) is marked


def test_8_6_air_supply(playing):
    """Placed on the second chit of turn 5 it supplies US units within five hexes, not the British."""
    table = playing("allied-reinforcements", "box Air\n2519 101/501\n" + RING, turn=5, reinforcements=[1, 0])
    assert "place Air 2519" in table.choices("place")
    assert "place Air 2615" not in table.choices("place")  # in the woods
    table.play("place Air 2519")
    assert air_supplied_hexes(table.state) >> hexagon("2519") & 1
    assert is_supplied(table.state, UNIT["101/501"])
    assert not playing("allied-reinforcements", "box Air\n2519 101/501", turn=5).choices("place")


def test_8_6_germans_who_enter_remove_the_marker(moving):
    """A German in the town takes the marker off for good."""
    table = moving("german", "2518 12VG/27\n2519 Air", turn=6).play("select 12VG/27", "move 12VG/27 2519")
    assert asset(table, "Air") == "gone"


# ---- 12 Assets ------------------------------------------------------------------------------------


def test_12_1_assets_leave_when_their_time_is_over(drawing):
    """Traffic after turn 3, Greif after turn 4."""
    three = drawing({"supply": 1}, "4019 12VG/27\n2520 Traffic, Greif", turn=3).play("draw supply")
    assert (asset(three, "Traffic"), asset(three, "Greif")) == ("gone", "box")
    four = drawing({"supply": 1}, "4019 12VG/27\n2520 Greif", turn=4).play("draw supply")
    assert asset(four, "Greif") == "gone"


def test_12_4_1_engineers_are_deployed_near_their_corps(phase):
    """In a supplied Allied settlement within three hexes of a supplied unit of the corps."""
    table = phase(1, "2518 106/422\nbox VIII-Eng")
    places = {choice.split()[2] for choice in table.choices("place VIII-Eng")}
    assert "2519" in places
    assert all(model.BOARD.distance(hexagon("2518"), hexagon(label)) <= 3 for label in places)
    assert all(model.SETTLED >> hexagon(label) & 1 for label in places)
    assert table.refusal("place VIII-Eng 2517") == ("12.4.1", "no-place-for-engineers")


def test_12_4_1_recalled_engineers_miss_a_turn(phase):
    """Recalled on turn 4 they are on the track for turn 5."""
    table = phase(1, "2518 106/422\n2519 VIII-Eng").play("recall VIII-Eng", "done")
    assert asset(table, "VIII-Eng") == "turn-5"


def test_12_4_3_engineers_blow_bridges_in_a_movement_round(mc_round):
    """One bridge within three hexes with an Allied unit beside it; not in a combat round."""
    lines = "2616 106/422\n2617 VIII-Eng\n4019 12VG/27"
    table = mc_round("allied", "move", lines)
    assert table.choices("demolish") == ["demolish VIII-Eng 2615/2616"]
    table.play("demolish VIII-Eng 2615/2616")
    assert table.state.blown >> BRIDGE_NAMES.index("2615/2616") & 1
    assert not table.choices("demolish")
    assert not mc_round("german", "move", lines).choices("demolish")


def test_10_6_1_engineers_need_an_allied_unit_at_the_bridge(mc_round):
    """Nobody at Houffalize: nothing to blow."""
    table = mc_round("allied", "move", "2519 106/422\n2617 VIII-Eng")
    assert table.refusal("demolish VIII-Eng 2615/2616") == ("12.4.3", "bridge-unguarded")


def test_12_5_greif_is_placed_away_from_allies(phase):
    """Not in or next to Allied units or engineers; on turn 2 only in the zone of 6th Panzer Army."""
    table = phase(2, "2519 99/393\nbox Greif", turn=3)
    assert "place Greif 2520" not in table.choices()
    assert "place Greif 2522" in table.choices()
    two = phase(2, "2519 99/393\nbox Greif", turn=2)
    assert all(model.ARMY_ZONE["6"] >> hexagon(c.split()[2]) & 1 for c in two.choices("place Greif"))


def test_12_6_the_motorized_marker(phase, moving):
    """For supplied infantry on a road, not next to an Ally; it comes off beside one."""
    table = phase(3, "4019 12VG/27\n2518 26VG/39\n2517 99/393\n4020 2Pz/3\nbox Motor", turn=4)
    assert table.choices("motorize") == ["motorize 12VG/27"]
    assert table.refusal("motorize 26VG/39") == ("12.6", "motor-near-enemy")
    rider = moving("german", "2718 12VG/27\n2517 99/393", motor=UNIT["12VG/27"])
    rider.play("select 12VG/27", "move 12VG/27 2617")
    assert rider.state.motor == -1


@pytest.mark.parametrize(("face", "place", "alarm"), [(2, "unit", "gone"), (3, "gone", "marker")])
def test_12_7_von_der_heydte_jumps(face, place, alarm):
    """1 or 2: the unit; otherwise a marker that slows the Allies until the end of turn 2."""
    game = load("deadly-woods")
    table = Table(game, game.new()).play("pass", "pass", "pass", "pass")
    jump = table.choices("deploy")[0]
    h = jump.split()[2]
    assert model.ARMY_ZONE["6"] >> hexagon(h) & 1
    assert not model.SETTLED >> hexagon(h) & 1
    table.play(jump, f"roll {face}")
    assert where(table, "VdH") == (h if place == "unit" else "gone")
    assert (asset(table, "VdH-Alarm") == h) is (alarm == "marker")


def test_12_9_special_reinforcements_come_at_the_start_of_their_turn(phase):
    """Guns on the track for turn 4 are in the box when it begins."""
    table = phase(0, "2519 99/393\nturn-4 III-Art1\nturn-5 VII-Art1", turn=4)
    assert asset(table, "III-Art1") == "box"
    assert asset(table, "VII-Art1") == "turn-5"


def test_12_9_1_the_delay(phase):
    """In a supplied Allied settlement without Allied units while the Germans have the initiative."""
    assert VALUES[UNIT["Delay"]][0] == (0, 1, 0, False)
    table = phase(5, "2519 99/393\nbox Delay", turn=3)
    assert "deploy Delay 2617" in table.choices()
    assert "deploy Delay 2519" not in table.choices()
    assert where(table.play("deploy Delay 2617"), "Delay") == "2617"
    assert not phase(5, "2519 99/393\nbox Delay", turn=8).choices("deploy")


SS = "4019 1SS/Peiper, 1SS/Hansen\n4018 12SS/Kuhlmann, 12SS/Muller"


def test_12_10_the_ss_withdraw_on_turn_11(phase):
    """Twelve steps and fewer than three points: they go, guns and all."""
    table = phase(6, f"{SS}\nbox 6Pz-Art1", turn=11)
    assert where(table, "1SS/Peiper") == "gone"
    assert asset(table, "6Pz-Art1") == "gone"
    assert table.state.withdrawal == 1


def test_12_10_with_three_points_the_german_may_keep_them(phase):
    """He is asked; keeping them he needs three points at the end."""
    table = phase(6, f"{SS}\n{holding(3)}", turn=11)
    assert table.choices() == ["keep", "pass"]
    assert table.play("keep").state.withdrawal == 2


def test_12_10_too_few_steps(phase):
    """Fewer than twelve: without three points the Allies win at once, with them the SS stay."""
    assert (
        phase(6, "4019 1SS/Peiper", turn=11).game.result(phase(6, "4019 1SS/Peiper", turn=11).state).winner == "allied"
    )
    assert phase(6, f"4019 1SS/Peiper\n{holding(3)}", turn=11).state.withdrawal == 2


# ---- 13 Replacements ------------------------------------------------------------------------------


def test_13_1_a_point_restores_a_step(phase):
    """A reduced unit is turned over."""
    table = phase(7, "2519 99/393 lost=1", turn=4).play("replace 99/393", "done")
    assert lost(table, "99/393") == 0


def test_13_2_the_player_without_the_initiative_first_and_in_supply_only(phase):
    """On turn 4 the Allies spend first; a cut off unit gets nothing."""
    table = phase(7, f"2519 99/393 lost=1\n{RING}\n4019 12VG/48 lost=1", turn=4)
    assert table.actor == "allied"
    assert table.refusal("replace 99/393") == ("13.2", "replacement-needs-supply")
    table.play("done")
    assert (table.actor, table.choices("replace")) == ("german", ["replace 12VG/48"])


def test_13_2_1_germans_restore_steps_only(phase):
    """Armour points serve mechanized units; eliminated Germans do not come back."""
    table = phase(7, "4019 FB lost=2\n2519 99/394", turn=4).play("done")
    assert table.choices() == ["done", "replace FB"]
    assert table.refusal("rebuild 12VG/27 4019") == ("13.2.1", "germans-not-rebuilt")
    assert lost(table.play("replace FB", "done"), "FB") == 1


def test_13_2_2_us_units_come_back_in_supplied_towns(phase):
    """Luxembourg takes VIII and III Corps, Eupen V and VII; the unit returns at its last step, once a turn."""
    table = phase(7, "2519 101/501", turn=4)
    assert "rebuild 99/393 3102" in table.choices()
    assert "rebuild 99/393 3328" not in table.choices()
    assert "rebuild 106/422 3328" in table.choices()
    assert "rebuild 106/422 3102" not in table.choices()
    table.play("rebuild 99/393 3102")
    assert table.refusal("replace 99/393") == ("13.2.2", "just-rebuilt")
    assert lost(table.play("done"), "99/393") == 1


def test_13_2_2_never_british_airborne_or_surrendered(phase):
    """They are not offered."""
    table = phase(7, "2519 101/501 lost=1\ngone 106/422", turn=4)
    assert not table.choices("rebuild 29Bde")
    assert not table.choices("rebuild 82/504")
    assert not table.choices("rebuild 106/422")
    assert table.refusal("replace 101/501") == ("13.2.2", "never-replaced")


# ---- 15 Clean-up ----------------------------------------------------------------------------------


def test_15_clean_up(drawing):
    """Used guns come back, the Delay goes to its box, bridges may be built again, engineers stay."""
    lines = "4019 12VG/27\n2519 Delay\n2617 VIII-Eng\nused 5Pz-Art1, 5Pz-Neb1"
    table = drawing({"supply": 1}, lines, turn=7, built=7, mc_played=3).play("draw supply")
    assert (asset(table, "5Pz-Art1"), asset(table, "5Pz-Neb1")) == ("box", "box")
    assert where(table, "Delay") == "box"
    assert asset(table, "VIII-Eng") == "2617"
    assert (table.state.built, table.state.mc_played, table.state.turn) == (0, 0, 8)
