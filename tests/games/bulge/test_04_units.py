"""Battle of the Bulge: chapter 4, units."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.bulge.positions import BASES, GROUND, number, pieces, position
from salient.games.bulge import model
from salient.games.bulge.components import ALLIED, AXIS
from salient.hexes.masks import bits
from salient.kernel import CHANCE, actor
from table import Table


def test_4_1_only_combat_units_control_hexes() -> None:
    """Trucks and supply have no zone of control."""
    table = position(
        "0705 allied-truck 1, allied-supply 1\n0804 allied-infantry 1", "Turn(axis-movement) Movement(0,0) Activate(0)"
    )
    assert labels(model.zone_of_control(table.state, ALLIED)) == {"0704", "0705", "0803", "0805", "0904", "0905"}


def labels(mask: int) -> set[str]:
    return {GROUND.board.labels[h] for h in bits(mask)}


@pytest.mark.parametrize("kind", ["infantry", "tank", "artillery"])
def test_4_1_combat_units_control_the_hexes_around(kind):
    """The six neighbours, whoever owns them; not the hex itself."""
    table = position(f"0705 axis-{kind} 1", "Turn(axis-movement) Activate(0)")
    assert labels(model.zone_of_control(table.state, AXIS)) == {"0604", "0605", "0704", "0706", "0804", "0805"}


@pytest.mark.parametrize("kind", ["truck", "supply", "fighter"])
def test_4_1_others_control_nothing(kind):
    """Trucks, supply and aircraft have no zone of control."""
    table = position(f"0705 axis-{kind} 1", "Turn(air-combat) AirBattles(0,0)", 5)
    assert model.zone_of_control(table.state, AXIS) == 0


def test_4_2_infantry_moves_one_hex_and_crosses_rivers(moving: Callable[..., Table]) -> None:
    """From Burg-Reuland over the Our."""
    table = moving("axis", "0508 axis-infantry 1, axis-supply 1").play("activate 0508")
    assert table.destinations("axis-infantry-0508") == {"0407", "0408", "0507", "0509", "0607", "0608"}


FRONT = "front 0705 0706 0805 0806 0606 0707"


def test_4_2_infantry_moves_one_hex(moving):
    """All six neighbours, over water too, and no farther along the road."""
    table = moving("axis", f"0707 axis-infantry 1, axis-supply 1\n{FRONT}").play("activate 0707")
    assert table.destinations("axis-infantry-0707") == {"0606", "0607", "0706", "0708", "0806", "0807"}


def test_4_2_infantry_rolls_one_die(combat):
    """Three infantry roll three dice."""
    table = combat("axis", "0809 axis-infantry 3, axis-supply 1\n0808 allied-infantry 1").play(
        "attack 0809 0808", "resolve"
    )
    assert table.state.stack[-1].dice == 3


def test_4_3_tanks_by_road_or_one_hex_off_it(moving: Callable[..., Table]) -> None:
    """From Prüm: any length of road, one hex across country, no river without a bridge."""
    table = moving("axis", "0508 axis-tank 1, axis-supply 1").play("activate 0508")
    reach = table.destinations("axis-tank-0508")
    assert {"0407", "0509", "0709", "0607"} <= reach
    assert "0507" not in reach
    assert table.refusal("move axis-tank-0508 0507 1") == ("7.14", "river-without-bridge")


def test_4_3_tanks_one_hex_or_along_a_road(moving):
    """From Neufchâteau: its neighbours, and hexes far along the roads."""
    table = moving("allied", "0804 allied-tank 1, allied-supply 1").play("activate 0804")
    reach = table.destinations("allied-tank-0804")
    assert {"0803", "0805", "0705", "0704", "0904", "0905"} <= reach
    assert {"0301", "0105", "1007"} <= reach
    assert "0703" not in reach


def test_4_3_tanks_do_not_cross_water(moving):
    """The Our bars the way from Dasburg to Hosingen and Burg-Reuland, the bridge to Clervaux is open."""
    lines = "0607 axis-tank 1, axis-supply 1\n0706 allied-infantry 1\n0709 allied-infantry 1"
    table = moving("axis", lines).play("activate 0607")
    reach = table.destinations("axis-tank-0607")
    assert "0606" in reach
    assert "0507" not in reach
    assert table.refusal("move axis-tank-0607 0707 1") == ("7.14", "river-without-bridge")


def test_4_3_tanks_roll_two_dice(combat):
    """Two tanks roll four dice."""
    table = combat("axis", "0809 axis-tank 2, axis-supply 1\n0808 allied-infantry 1").play(
        "attack 0809 0808", "resolve"
    )
    assert table.state.stack[-1].dice == 4


def test_4_3_1_blitz_adds_a_hex_out_of_a_zone(moving: Callable[..., Table]) -> None:
    """A second token: tanks enter the zone of Ortheuville in Bastogne and go one hex more."""
    lines = "0706 axis-tank 2, axis-supply 2\n0604 allied-infantry 1\nfront 0706"
    table = moving("axis", lines).play("activate 0706")
    assert "0704" not in table.destinations("axis-tank-0706")
    table.play("blitz 0706")
    assert pieces(table, "0706") == "axis-tank 2"
    assert "0704" in table.destinations("axis-tank-0706")
    assert table.refusal("blitz 0706") == ("4.3.1", "blitz-paid")


def test_4_3_1_a_blitz_is_one_hex_more(moving):
    """Off the road after a drive along it; the token serves all tanks of the hex."""
    table = moving("allied", "0804 allied-tank 2, allied-supply 2").play("activate 0804")
    assert table.refusal("move allied-tank-0804 0703 1") == ("4.3", "too-far")
    table.play("blitz 0804")
    assert "0703" in table.destinations("allied-tank-0804")
    assert pieces(table, "0804") == "allied-tank 2"
    table.play("move allied-tank-0804 0703 2")
    assert pieces(table, "0703") == "allied-tank 2"


def test_4_3_1_a_blitz_leads_from_zone_to_zone(moving):
    """Without a blitz leaving a zone ends the move; with it there is one hex more."""
    lines = f"0806 axis-tank 1, axis-supply 2\n0906 allied-infantry 1\n{FRONT}"
    table = moving("axis", lines).play("activate 0806")
    assert "0705" not in table.destinations("axis-tank-0806")
    table.play("blitz 0806")
    assert "0705" in table.destinations("axis-tank-0806")


def test_4_3_1_a_blitz_needs_a_second_token(moving):
    """One token is spent for the activation."""
    table = moving("axis", f"0806 axis-tank 1, axis-supply 1\n{FRONT}").play("activate 0806")
    assert table.refusal("blitz 0806") == ("4.3.1", "no-supply-to-move")


def test_4_3_1_only_tanks_blitz(moving):
    """Infantry keeps to one hex."""
    table = moving("axis", f"0806 axis-infantry 1, axis-tank 1, axis-supply 2\n{FRONT}")
    table.play("activate 0806", "blitz 0806")
    assert "0804" not in table.destinations("axis-infantry-0806")
    table.play("move axis-tank-0806 0805 1")
    assert table.refusal("blitz 0806") == ("4.3.1", "blitz-paid")


def test_4_4_artillery_moves_one_hex_not_over_rivers(moving: Callable[..., Table]) -> None:
    """Bleialf: the Our bars the way to Burg-Reuland."""
    table = moving("axis", "0508 axis-artillery 1, axis-supply 1").play("activate 0508")
    assert table.destinations("axis-artillery-0508") == {"0407", "0408", "0509", "0607", "0608"}


def test_4_4_artillery_one_hex_not_over_water(moving):
    """Guns of Dasburg cross by the bridge to Clervaux only."""
    table = moving("axis", "0607 axis-artillery 1, axis-supply 1").play("activate 0607")
    assert table.destinations("axis-artillery-0607") == {"0508", "0606", "0608", "0708"}


def test_4_4_artillery_rolls_three_dice(combat):
    """Two guns roll six dice."""
    lines = "0809 axis-artillery 2, axis-supply 1\n0808 allied-infantry 1"
    assert combat("axis", lines).play("attack 0809 0808", "resolve").state.stack[-1].dice == 6


@pytest.mark.parametrize(("kind", "dice"), [("fighter", 1), ("bomber", 4)])
def test_4_5_aircraft_over_any_hex(kind, dice):
    """They fly over enemy hexes and full ones, in zones of control, without a token."""
    lines = f"0105 allied-infantry 6, allied-tank 6\naxis-base axis-{kind} 1"
    table = position(lines, "Turn(air-combat) AirRound(0,0) Fly(0)", 5)
    table.play(f"fly axis-{kind}-axis-base 0105", "done")
    table.play("roll 0 0")
    assert table.said("air-attack")[0].args["n_dice"] == dice


def test_4_5_and_5_3_fighters_fly_over_any_whole_hex() -> None:
    """Enemy hexes included, partial hexes not."""
    table = position(BASES, "Turn(air-combat) AirRound(0,0) Fly(0)", 5)
    assert len(table.choices("fly axis-fighter-axis-base")) == 95
    assert table.refusal("fly axis-fighter-axis-base 0200") == ("7.15", "partial-hex")


def test_4_5_a_fighter_attacks_with_one_die(sky: Callable[..., Table]) -> None:
    """Over trucks and infantry."""
    lines = "0705 axis-infantry 1, allied-fighter 1\n0706 axis-infantry 1, allied-fighter 1"
    table = sky(lines).play("fight 0705", "roll 0 0")
    assert table.state.stack[-1].dice == 1


def test_4_6_bombers_roll_four_dice_against_the_ground(sky):
    """A fighter and a bomber: five dice."""
    table = sky("0705 axis-truck 1, allied-fighter 1, allied-bomber 1\n0105 axis-fighter 1, allied-infantry 1")
    table.play("fight 0705", "roll 0 0")
    assert table.said("air-attack")[0].args["n_dice"] == 5


def test_4_6_a_bomber_attacks_with_four_dice(sky: Callable[..., Table]) -> None:
    """One bomber, four dice."""
    lines = "0705 axis-infantry 1, allied-bomber 1\n0706 axis-infantry 1, allied-fighter 1"
    table = sky(lines).play("fight 0705", "roll 0 0")
    assert table.state.stack[-1].dice == 4


def test_4_7_trucks_keep_to_roads_and_cost_nothing(trucks):
    """From Bastogne along the roads as far as the edge; Chiny beside the road is out."""
    table = trucks("allied", "0705 allied-truck 1")
    reach = {text.split()[1] for text in table.play("drive allied-truck-0705").choices("stop")}
    assert {"0604", "0804", "0301", "1007"} <= reach
    assert "0703" not in reach
    table.play("stop 0301")
    assert pieces(table, "0301") == "allied-truck 1"


def test_4_7_trucks_stop_in_zones_of_control(trucks):
    """Germans in Clervaux stop a truck in Wiltz; one that starts in a zone drives one hex."""
    table = trucks("allied", "0705 allied-truck 1\n0606 axis-infantry 1").play("drive allied-truck-0705")
    reach = {text.split()[1] for text in table.choices("stop")}
    assert {"0706", "0605"} <= reach
    assert "0806" in reach
    assert not reach & {"0606"}
    table = trucks("allied", "0706 allied-truck 1\n0606 axis-infantry 1").play("drive allied-truck-0706")
    assert {text.split()[1] for text in table.choices("stop")} == {"0705", "0806"}


def test_4_7_trucks_add_no_dice_but_are_targets(combat):
    """A truck alone can be attacked; it adds nothing to an attack."""
    lines = "0809 axis-infantry 1, axis-truck 2, axis-supply 1\n0808 allied-truck 1"
    table = combat("axis", lines).play("attack 0809 0808", "resolve")
    assert table.state.stack[-1].dice == 1
    table.play("roll 0 0 0 0 0 0 1 0")
    assert pieces(table, "0808") == ""


def test_4_7_a_truck_does_not_overrun_trucks(trucks):
    """Enemy trucks and supply bar the road until combat units hold the hex."""
    table = trucks("allied", "0705 allied-truck 1\n0604 axis-supply 1").play("drive allied-truck-0705")
    assert "stop 0604" not in table.choices("stop")
    table = trucks("allied", "0705 allied-truck 1\n0604 axis-supply 1, allied-infantry 1").play(
        "drive allied-truck-0705"
    )
    assert "stop 0604" in table.choices("stop")


def test_4_7_1_six_spaces(trucks):
    """Each infantry, gun or token takes one."""
    table = trucks("allied", "allied-base allied-truck 1, allied-supply 11\n1Inf allied-infantry 2, allied-artillery 1")
    table.play("drive allied-truck-allied-base", "load allied-infantry-1Inf 2", "load allied-artillery-1Inf 1")
    assert table.choices("load") == [f"load allied-supply-allied-base {n}" for n in (1, 2, 3)]
    assert table.refusal("load allied-supply-allied-base 4") == ("4.7.1", "truck-full")


def test_4_7_1_tanks_are_no_cargo(trucks):
    """Tanks on a chart are not loaded."""
    table = trucks("allied", "allied-base allied-truck 1\n7Arm allied-tank 2").play("drive allied-truck-allied-base")
    assert table.choices("load") == []


def test_4_7_2_loading_on_the_run(trucks):
    """Tokens, and units of an activated hex that have not moved, at hexes along the way."""
    lines = """activated 0804
    0705 allied-truck 1
    0804 allied-infantry 3, allied-artillery 1
    0704 allied-infantry 2, allied-supply 3
    moved 0804 infantry=1"""
    table = trucks("allied", lines).play("drive allied-truck-0705")
    assert table.choices("load allied-infantry-0804") == [f"load allied-infantry-0804 {n}" for n in (1, 2)]
    assert table.refusal("load allied-infantry-0704 1") == ("4.7.2", "load-needs-activation")
    table.play("load allied-infantry-0804 2", "load allied-supply-0704 3", "stop 0705", "pass")
    assert pieces(table, "0705") == "allied-infantry 2, allied-truck 1, allied-supply 3"
    assert pieces(table, "0704") == "allied-infantry 2"


def test_4_7_2_loads_are_named_in_any_order_and_taken_back(trucks):
    """Supply before infantry or after, off the board too: one position; nothing is driven before `stop`."""
    lines = """activated 0804
    allied-base allied-truck 1, allied-supply 2
    0804 allied-infantry 2
    0704 allied-supply 3"""
    table = trucks("allied", lines).play("drive allied-truck-allied-base")
    loads = ["load allied-infantry-0804 1", "load allied-supply-0704 2", "load allied-supply-allied-base 2"]
    one, other = table.try_all(*loads), table.try_all(*reversed(loads))
    assert one.state.key() == other.state.key()
    assert one.refusal("load allied-supply-0704 1") == ("4.7.2", "loaded-already")
    assert one.try_all(*(f"drop {load.split()[1]}" for load in loads)).state.key() == table.state.key()
    assert one.refusal("drop allied-infantry-0704") == ("4.7.2", "not-named")
    assert one.try_all("cancel").state.key() == trucks("allied", lines).state.key()
    assert "stop 0804" in one.choices("stop")


def test_4_7_2_nothing_is_loaded_where_the_drive_ends(trucks):
    """Supply in an enemy zone of control is out of reach of a truck that must stop there."""
    table = trucks("allied", "0705 allied-truck 1\n0706 allied-supply 2\n0606 axis-infantry 1").play(
        "drive allied-truck-0705"
    )
    assert table.choices("load") == []
    assert table.refusal("load allied-supply-0706 1") == ("4.7.2", "not-on-the-way")


def test_4_7_2_a_truck_in_a_zone_loads_and_drives_one_hex(trucks):
    """An official ruling: it loads where it stands, then leaves the zone and stops."""
    lines = "0706 allied-truck 1, allied-supply 2\n0705 allied-supply 1\n0606 axis-infantry 1"
    table = trucks("allied", lines).play("drive allied-truck-0706")
    assert table.choices("load") == ["load allied-supply-0706 1", "load allied-supply-0706 2"]
    table.play("load allied-supply-0706 2")
    assert table.choices("stop") == ["stop 0705", "stop 0806"]


def test_4_7_2_the_hex_of_departure_is_never_left_behind(trucks):
    """From an enemy city, which would end a drive into it: infantry elsewhere is named first, then supply here."""
    lines = "front 0705\nactivated 0704\n0705 allied-truck 1, allied-supply 2\n0704 allied-infantry 1"
    table = trucks("allied", lines).play("drive allied-truck-0705", "load allied-infantry-0704 1")
    assert table.choices("load") == ["load allied-supply-0705 1", "load allied-supply-0705 2"]


def test_4_7_3_loading_off_the_board(trucks):
    """Reinforcements that are due and tokens, whatever their chart; the rest waits."""
    charts = "1Inf allied-infantry 1\n82Abn allied-infantry 1\n84Inf allied-infantry 1"
    table = trucks("allied", f"allied-base allied-truck 1, allied-supply 2\n{charts}")
    table.play("drive allied-truck-allied-base")
    assert {text.split()[1] for text in table.choices("load")} == {
        "allied-infantry-1Inf",
        "allied-infantry-82Abn",
        "allied-supply-allied-base",
    }
    table.play("load allied-infantry-82Abn 1", "load allied-supply-allied-base 1", "stop 0705")
    assert pieces(table, "allied-base") == "allied-supply 1"
    assert pieces(table, "82Abn") == ""


def test_4_7_4_trucks_unload_at_the_end(trucks):
    """Not before: what is aboard is neither on the board nor can it be loaded again."""
    table = trucks("allied", "allied-base allied-truck 2, allied-supply 3")
    table.play("drive allied-truck-allied-base", "load allied-supply-allied-base 3", "stop 0705")
    assert pieces(table, "0705") == "allied-truck 1"
    table.play("drive allied-truck-allied-base")
    assert table.choices("load") == []
    table.play("stop 0705", "pass")
    assert pieces(table, "0705") == "allied-truck 2, allied-supply 3"
    assert [(event.rule, event.args["n"]) for event in table.said("unloads")] == [("4.7.4", 3)]


def test_4_7_4_tokens_aboard_do_not_pay(arriving):
    """Neither for movement nor for a blitz of arriving tanks; they are used once unloaded."""
    table = arriving("allied", "0705 allied-truck 1\naboard 0705 supply=3\n7Arm allied-tank 1")
    assert table.refusal("blitz 7Arm") == ("8.6", "no-supply-off-board")


def test_4_8_supply_does_not_move_but_can_be_hit(combat: Callable[..., Table]) -> None:
    """A hex with supply alone is a target."""
    table = combat("axis", "0806 axis-infantry 1, axis-supply 1\n0805 allied-supply 2")
    table.play("attack 0806 0805", "resolve", "roll 0 0 0 0 0 0 0 1")
    assert pieces(table, "0805") == "allied-supply 1"
    assert actor(table.state) != CHANCE


def test_4_8_tokens_fire_at_aircraft_and_are_hit():
    """Supply is a kind of its own for anti-aircraft fire, and has a square on the strips."""
    table = position("0705 axis-supply 3, allied-bomber 1", f"Turn(air-combat) AntiAircraft(0,{number('0705')})", 5)
    assert table.state.stack[-1].dice(table.state) == 1
    table.play("roll 0 0")
    table = position("0705 axis-supply 3, allied-bomber 1", f"Turn(air-combat) BattleRoll(1,{number('0705')},4)", 5)
    table.play("roll 0 0 0 0 0 0 0 2")
    assert pieces(table, "0705") == "axis-supply 1"


def test_4_8_tokens_do_not_move_by_themselves(moving):
    """Only units are offered, and a hex with supply alone cannot be activated."""
    table = moving("axis", "0208 axis-supply 2")
    assert table.refusal("activate 0208") == ("7.3", "nobody-to-move")
