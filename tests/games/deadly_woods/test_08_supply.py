"""The Deadly Woods: chapter 8, supply."""

from __future__ import annotations

from games.deadly_woods.positions import (
    GROUND,
    OPEN,
    PLAIN_GAME,
    RING,
    UNITS,
    asset,
    hexagon,
    lost,
    points_to,
    reach,
    shifts_of,
    stage,
    where,
)
from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import occupied, on_map, put, units_at
from salient.games.deadly_woods.movement import cost, ways
from salient.games.deadly_woods.supply import air_supplied_hexes, is_supplied, supplied_hexes, supply_cuts
from salient.hexes.masks import bits
from table import Table


def test_8_1_an_allied_path_is_opened_by_others_in_the_same_round(moving):
    """The note: a unit that was cut off moves as supplied once a friend has lifted the zone on its road."""
    lines = "2519 14Cav\n2318 106/422\n" + RING.replace("\n2419 62VG/164", "").replace("2418 26VG/39\n", "")
    shut = moving("allied", lines)
    assert not is_supplied(shut.state, UNITS.index["14Cav"])
    shut.play("select 106/422", "move 106/422 2418")
    assert is_supplied(shut.state, UNITS.index["14Cav"])


def test_8_1_germans_stay_supplied_until_the_chit_is_drawn(moving):
    """Surrounded but not marked, the regiment may still attack and ride: only the chit marks it."""
    allied = "2518 99/393\n2418 99/394\n2520 99/395\n2619 2/9\n2618 2/23\n2419 2/38"
    s = stage(f"2519 12VG/27\n{allied}")
    assert not supplied_hexes(s, GERMAN) >> hexagon("2519") & 1
    assert is_supplied(s, UNITS.index["12VG/27"])


def test_8_1_germans_check_when_their_chit_is_drawn(playing):
    """A surrounded German is marked by the supply check, and cleared by a later one."""
    allied = "2518 99/393\n2418 99/394\n2520 99/395\n2619 2/9\n2618 2/23\n2419 2/38"
    table = playing("supply", f"2519 12VG/27\n{allied}", cup=[0] * 7 + [1] + [0] * 4)
    assert table.state.oos >> UNITS.index["12VG/27"] & 1
    free = playing("supply", "2519 12VG/27 oos", cup=[0] * 7 + [1] + [0] * 4)
    assert not free.state.oos


def supplied(s, unit):
    s.clear_caches()
    return is_supplied(s, UNITS.index[unit])


def test_8_1_allies_check_at_the_moment_of_need():
    """Surrounded, the unit is out of supply at once; with one German gone it is in supply again."""
    assert not supplied(stage(f"2519 101/501\n{RING}"), "101/501")
    assert supplied(stage("2519 101/501"), "101/501")


def in_supply(lines, label, side=ALLIED, **changes):
    return bool(supplied_hexes(stage(lines, **changes), side) >> hexagon(label) & 1)


def test_8_2_lines_do_not_pass_through_forest_off_the_road():
    """1926 lies among forests without a road: nobody there is supplied; the forest 0821 at their edge is."""
    assert not in_supply("", "1926")
    assert GROUND.board.terrain[hexagon("0821")] == "forest"
    assert in_supply("", "0821")


def test_8_2_lines_do_not_cross_blown_bridges():
    """With all bridges blown Germans reach nothing west of the Meuse, and Allies nothing behind the Our."""
    every = (1 << len(GROUND.bridges)) - 1
    assert in_supply("", "0101", GERMAN)
    assert not in_supply("", "0101", GERMAN, blown=every)
    assert in_supply("", "3415")
    assert not in_supply("", "3415", blown=every)


def test_8_2_five_hexes_and_no_more():
    """Air supply shows the reach: some hex exactly five away is supplied, none farther."""
    s = stage("1608 Air")
    far = {GROUND.board.distance(h, hexagon("1608")) for h in bits(air_supplied_hexes(s))}
    assert max(far) == 5


def test_8_2_a_hex_in_an_enemy_zone_is_supplied_but_leads_nowhere():
    """A line may begin in an enemy zone; a whole ring of zones stops it."""
    assert in_supply("2718 12VG/27", "2617")
    assert not in_supply(RING, "2519")


GAP = "2520 26VG/77\n2619 18VG/293\n2618 18VG/294"  # the west of it open


def test_8_2_closing_the_gap_would_cut_bastogne_off():
    """Germans east of 2519: infantry west of it closes the last way with its zone."""
    s = stage(f"2519 14Cav\n{GAP}")
    assert is_supplied(s, UNITS.index["14Cav"])
    hexes, _ = supply_cuts(s, ALLIED)
    assert hexes[hexagon("2418")] == [UNITS.index["14Cav"]]
    assert hexagon("2519") not in hexes


def fed_now(s, u):
    hexes = supplied_hexes(s, UNITS.side[u])
    return bool((hexes | (air_supplied_hexes(s) if UNITS.nation[u] == "us" else 0)) >> s.where[u] & 1)


def test_8_2_cuts_are_all_found_and_nothing_else():
    """Every hex of the map, held by an enemy regiment for a try, cuts off exactly those units that are named."""
    s = stage(f"2519 14Cav\n{GAP}\n1608 Air\n1507 106/422\n3016 99/394\n2216 26VG/39\n2117 2/9")
    intruders = {ALLIED: UNITS.index["62VG/164"], GERMAN: UNITS.index["99/393"]}
    for side, intruder in intruders.items():
        fed = [u for u in UNITS.of_side[side] if on_map(s, u) and fed_now(s, u)]
        expected = {}
        for h in range(GROUND.hexes):
            if not occupied(s, 1 - side) >> h & 1:
                after = s.clone()
                for u in units_at(s, h):
                    put(after, u, GROUND.eliminated)
                put(after, intruder, h)
                cut = [u for u in fed if on_map(after, u) and not fed_now(after, u)]
                expected |= {h: cut} if cut else {}
        assert expected
        assert supply_cuts(s, side)[0] == expected


def test_8_2_the_last_bridge_would_cut_off_who_lives_across_it():
    """Of all bridges over the Our one stands: it is marked, and the regiment behind it named."""
    every = (1 << len(GROUND.bridges)) - 1
    last = next(b for b in range(len(GROUND.bridges)) if in_supply("", "3415", blown=every ^ 1 << b))
    s = stage("3415 106/422", blown=every ^ 1 << last)
    assert supply_cuts(s, ALLIED)[1] == {last: [UNITS.index["106/422"]]}
    shown = PLAIN_GAME.view.overlay(s, "allied", "allied-cuts")
    (side,) = shown["sides"]
    assert "/".join(side["between"]) == GROUND.bridge_names[last]
    assert side["units"] == ["106/422"]


def test_8_2_five_hexes_to_a_road():
    """Every supplied hex away from roads lies within five of a road, and rivers without bridge are not crossed."""
    s = stage("")
    mask = supplied_hexes(s, ALLIED)
    roads = {h for h in range(GROUND.hexes) if GROUND.road_hexes >> h & 1}
    for h in range(GROUND.hexes):
        if mask >> h & 1:
            assert any(GROUND.board.distance(h, road) <= 5 for road in roads)


def test_8_2_enemy_zones_stop_supply_and_friends_lift_them():
    """Two Germans in 2117 and 2320 close the roads west of Bastogne only in part; a ring closes all."""
    cut = stage(f"2519 101/501\n{RING}")
    assert not supplied_hexes(cut, ALLIED) >> hexagon("2519") & 1
    gap = RING.replace("2419 62VG/164", "2419 101/502")
    assert supplied(stage(f"2519 101/501\n{gap}\n2320 101/506\n2221 101/327"), "101/501")


def test_8_3_german_armour_out_of_supply_moves_as_its_last_step(moving):
    """It abandons its tanks: the third step, mechanized, moves 3 without roads."""
    table = moving("german", "2519 2Pz/3 oos")
    assert points_to(table, "2Pz/3", "2418") == 2
    table.play("select 2Pz/3", "move 2Pz/3 2418")
    assert lost(table, "2Pz/3") == 2
    assert table.said("abandons-tanks")


def test_8_3_a_heavy_tank_battalion_out_of_supply_cannot_move(moving):
    """It has no mechanized step to escape with."""
    table = moving("german", "2519 506 oos").play("select 506")
    assert table.candidates() == ["move 506 2519"]
    assert table.refusal("move 506 2418") == ("8.3", "tanks-stand")


def test_8_3_allied_cavalry_out_of_supply_moves_three_without_roads(moving):
    """Surrounded roads: the capacity is 3 and every hex costs its full price."""
    ring = "2518 12VG/27\n2418 26VG/39\n2520 26VG/77\n2619 18VG/293\n2618 18VG/294\n2419 62VG/164"
    cut = moving("allied", f"2519 14Cav\n{ring}")
    assert reach(cut, "14Cav") == set()
    roads = "2320 62VG/164\n2418 26VG/39\n2518 12VG/27\n2520 26VG/77\n2618 18VG/294"
    walks = moving("allied", f"2419 14Cav\n{roads}\n2219 62VG/190\n2221 12VG/48")
    assert not is_supplied(walks.state, UNITS.index["14Cav"])
    assert all(GROUND.board.distance(hexagon("2419"), hexagon(label)) == 1 for label in reach(walks, "14Cav"))


def test_8_3_mechanized_germans_out_of_supply_move_three(moving):
    """A mechanized brigade without supply gets one clear hex for 2 of its 3 points_to."""
    table = moving("german", "2519 FB oos")
    assert points_to(table, "FB", "2418") == 2
    assert "2318" not in reach(table, "FB")


def test_8_3_armour_out_of_supply_loses_its_column_in_defence(fighting):
    """German tanks marked out of supply: a column for the attacker, none for themselves."""
    table = fighting("allied", f"{OPEN} 2Pz/3 oos\n2417 99/393").play(f"attack {OPEN}", "join 99/393")
    shifts = shifts_of(table, "resolve")
    assert shifts["shift-unsupplied"] == 1
    assert "shift-armor-defends" not in shifts


def test_8_3_no_german_artillery_for_units_out_of_supply(fighting):
    """A marked defender gets none."""
    table = fighting("allied", f"{OPEN} 12VG/27 oos\n2416 99/393\nbox 5Pz-Art1")
    table.play(f"attack {OPEN}", "join 99/393", "resolve")
    assert table.actor == "chance"


def test_8_3_abandoned_tanks_do_not_attack(playing):
    """A battle group out of supply moves as its last step and may not attack afterwards."""
    table = playing("all-german", "2517 99/393\n2519 2Pz/3 oos", turn=2)
    table.play("select 2Pz/3", "move 2Pz/3 2518")
    assert lost(table, "2Pz/3") == 2
    assert not table.choices("attack")


def test_8_3_allied_tanks_cut_off_crawl_and_do_not_attack(moving, fighting):
    """Three points without roads for armour, and no attack."""
    lines = "2519 7A/CCB\n2517 12VG/27\n2521 26VG/77\n2318 26VG/39\n2320 62VG/164\n2718 62VG/190\n2720 18VG/293"
    cut = moving("allied", lines)
    assert not is_supplied(cut.state, UNITS.index["7A/CCB"])
    assert cost(cut.state, UNITS.index["7A/CCB"], hexagon("2419"), ways(cut.state, UNITS.index["7A/CCB"])) == 2
    assert {"2418", "2419"} <= reach(cut, "7A/CCB") <= {"2419", "2418", "2518", "2520", "2619", "2618"}
    near = fighting("allied", f"{lines}\n2519 7A/CCA\n2518 18VG/294\n1408 106/422\n1407 9VG/36")
    assert near.choices("attack") == ["attack 1407"]
    assert near.refusal("attack 2518") == ("11.2", "attack-needs-supply")


SUPPLY_CUP = [0] * 7 + [1] + [0] * 4


def test_8_3_the_marker_is_lost_with_supply(playing):
    """A regiment under the motorized marker that fails its check loses the trucks."""
    allied = "2518 99/393\n2618 99/394\n2520 99/395\n2420 2/9\n2318 2/23\n2317 2/38"
    table = playing("supply", f"2519 12VG/27\n{allied}", motor=UNITS.index["12VG/27"], cup=SUPPLY_CUP)
    assert table.state.oos >> UNITS.index["12VG/27"] & 1
    assert table.state.motor == -1


def test_8_3_a_defender_out_of_supply_gives_a_column(fighting):
    """One column more against a marked German."""
    plain = fighting("allied", "2517 12VG/27\n2518 99/393, 99/394").play("attack 2517", "join 99/393")
    marked = fighting("allied", "2517 12VG/27 oos\n2518 99/393, 99/394").play("attack 2517", "join 99/393")

    def keys(table):
        return [shift["key"] for shift in table.game.view.preview(table.state, ("resolve",))["odds"]["shifts"]]

    assert "shift-unsupplied" not in keys(plain)
    assert "shift-unsupplied" in keys(marked)


def test_8_3_only_units_of_the_106th_out_of_supply_surrender(drawing):
    """Its free regiment and the 28th Division in the pocket fight on."""
    lines = f"2519 106/422, 28/110\n1408 106/423\n{RING}"
    table = drawing({"supply": 1}, lines, turn=2).play("draw supply")
    assert [where(table, u) for u in ("106/422", "28/110", "106/423")] == ["gone", "2519", "1408"]


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
    assert not is_supplied(cut.state, UNITS.index["101/501"])
    assert all(GROUND.board.distance(hexagon("2519"), hexagon(label)) <= 3 for label in reach(cut, "101/501"))


def test_8_4_the_delay_needs_no_supply():
    """Surrounded it still counts as supplied."""
    assert supplied(stage(f"2519 Delay\n{RING}"), "Delay")


def test_8_5_peiper_takes_the_fuel_by_entering(moving):
    """On turn 1 Peiper passes through 3508 by a way of his choice and has the fuel."""
    table = moving("german", "3607 1SS/Peiper", turn=1).play("select 1SS/Peiper", "via 1SS/Peiper 3508")
    assert table.state.fuel == 1
    assert where(table.play("move 1SS/Peiper 3407"), "1SS/Peiper") == "3407"


def test_8_5_without_büllingen_the_depot_is_gone():
    """The German passes his first movement round: the marker leaves the game."""
    game = PLAIN_GAME
    table = Table(game, game.new()).play("pass", "pass")
    assert table.state.fuel == 2
    assert "fuel" not in [marker["key"] for marker in game.view.observe(table.state, "german")["markers"]]


def test_8_5_fuel_serves_peiper_alone(playing):
    """Another battle group in the same pocket is marked."""
    allied = "2518 99/393\n2418 99/394\n2520 99/395\n2619 2/9\n2618 2/23\n2419 2/38"
    table = playing("supply", f"2519 1SS/Peiper, 1SS/Hansen\n{allied}", turn=2, fuel=1, cup=SUPPLY_CUP)
    assert [u for u in range(UNITS.count) if table.state.oos >> u & 1] == [UNITS.index["1SS/Hansen"]]


def test_8_5_fuel_keeps_peiper_supplied_on_turn_2(playing):
    """With the depot a cut off Peiper is not marked on turn 2, but is on turn 3."""
    allied = "2518 99/393\n2418 99/394\n2520 99/395\n2619 2/9\n2618 2/23\n2419 2/38"
    for turn, marked in ((2, False), (3, True)):
        more = [0] * 7 + [1] + [0] * 4
        table = playing("supply", f"2519 1SS/Peiper\n{allied}", turn=turn, fuel=1, cup=more)
        assert bool(table.state.oos) is marked


def test_8_6_air_supply_is_placed_once_a_game(playing):
    """After it has been lost no second marker comes."""
    lines = "2519 101/501\ngone Air"
    assert not playing("allied-reinforcements", lines, turn=5, reinforcements=[1, 0]).choices("place")


def test_8_6_air_supply_is_not_for_the_british_nor_through_zones():
    """A US regiment next to the marker is supplied, a British brigade is not; a German between stops the line."""
    assert is_supplied(stage(f"2519 101/501\n{RING}\n2519 Air"), UNITS.index["101/501"])
    lines = "0905 53/71\n0806 12VG/27\n1005 26VG/39\n0904 26VG/77\n1004 62VG/164\n0906 62VG/190\n0805 18VG/293"
    s = stage(f"{lines}\n0905 Air")
    assert not is_supplied(s, UNITS.index["53/71"])
    assert air_supplied_hexes(s) >> hexagon("0905") & 1
    assert not air_supplied_hexes(s) >> hexagon("0808") & 1


def test_8_6_air_supply_brings_no_replacements_and_no_guns(phase, fighting):
    """A reduced regiment in Bastogne gets no step; V Corps guns do not fire for it."""
    table = phase("first-replacements", f"2519 99/393 lost=1\n{RING}\n2519 Air\n1923 106/422 lost=1", turn=6)
    while table.actor == "german":
        table.play("pass")
    assert table.refusal("replace 99/393") == ("13.2", "replacement-needs-supply")
    assert lost(table, "99/393") == 1
    guns = fighting("german", f"2519 99/393\n{RING}\n2519 Air\nbox V-Art1", turn=6)
    guns.play("attack 2519", "join 26VG/39", "resolve")
    assert guns.actor == "chance"


def test_8_6_air_supply(playing):
    """Placed on the second chit of turn 5 it supplies US units within five hexes, not the British."""
    table = playing("allied-reinforcements", "box Air\n2519 101/501\n" + RING, turn=5, reinforcements=[1, 0])
    assert "place Air 2519" in table.choices("place")
    assert "place Air 2615" not in table.choices("place")  # in the woods
    table.play("place Air 2519")
    assert air_supplied_hexes(table.state) >> hexagon("2519") & 1
    assert is_supplied(table.state, UNITS.index["101/501"])
    assert not playing("allied-reinforcements", "box Air\n2519 101/501", turn=5).choices("place")


def test_8_6_germans_who_enter_remove_the_marker(moving):
    """A German in the town takes the marker off for good."""
    table = moving("german", "2518 12VG/27\n2519 Air", turn=6).play("select 12VG/27", "move 12VG/27 2519")
    assert asset(table, "Air") == "gone"


def test_8_1_a_move_out_of_supply_is_warned_of(moving):
    """Every destination that cuts the regiment off says so, and no other."""
    table = moving("german", "1926 12VG/27\n4019 26VG/39").play("select 26VG/39")
    for text in table.choices("move 26VG/39"):
        after = table.try_all(text)
        cut = not supplied_hexes(after.state, GERMAN) >> after.state.where[UNITS.index["26VG/39"]] & 1
        assert ("would-leave-supply" in table.warned(text)) == cut, text


def test_8_1_ending_the_movement_names_who_will_be_out_of_supply(moving):
    """A regiment among forests without a road will be marked by the next check."""
    assert "ends-unsupplied" in moving("german", "1926 12VG/27\n4019 26VG/39").warned("pass")
    assert "ends-unsupplied" not in moving("german", "4019 26VG/39").warned("pass")
