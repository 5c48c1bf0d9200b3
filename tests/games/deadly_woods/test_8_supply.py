"""Chapter 8: supply in its finer points."""

from __future__ import annotations

from tests.games.deadly_woods.conftest import hexagon, lost, reach, stage, where

from salient import load
from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import occupied, on_map, put, units_at
from salient.games.deadly_woods import model
from salient.games.deadly_woods.model import UNIT
from salient.games.deadly_woods.movement import cost, ways
from salient.games.deadly_woods.supply import air_supplied_hexes, is_supplied, supplied_hexes, supply_cuts
from salient.hexes.masks import bits
from table import Table

RING = "2518 12VG/27\n2418 26VG/39\n2520 26VG/77\n2619 18VG/293\n2618 18VG/294\n2419 62VG/164"  # around Bastogne
GAP = "2520 26VG/77\n2619 18VG/293\n2618 18VG/294"  # the west of it open
SUPPLY_CUP = [0] * 7 + [1] + [0] * 4


def in_supply(lines, label, side=ALLIED, **changes):
    return bool(supplied_hexes(stage(lines, **changes), side) >> hexagon(label) & 1)


def test_8_1_an_allied_path_is_opened_by_others_in_the_same_round(moving):
    """The note: a unit that was cut off moves as supplied once a friend has lifted the zone on its road."""
    lines = "2519 14Cav\n2318 106/422\n" + RING.replace("\n2419 62VG/164", "").replace("2418 26VG/39\n", "")
    shut = moving("allied", lines)
    assert not is_supplied(shut.state, UNIT["14Cav"])
    shut.play("select 106/422", "move 106/422 2418")
    assert is_supplied(shut.state, UNIT["14Cav"])


def test_8_1_germans_stay_supplied_until_the_chit_is_drawn(moving):
    """Surrounded but not marked, the regiment may still attack and ride: only the chit marks it."""
    allied = "2518 99/393\n2418 99/394\n2520 99/395\n2619 2/9\n2618 2/23\n2419 2/38"
    s = stage(f"2519 12VG/27\n{allied}")
    assert not supplied_hexes(s, GERMAN) >> hexagon("2519") & 1
    assert is_supplied(s, UNIT["12VG/27"])


def test_8_2_lines_do_not_pass_through_forest_off_the_road():
    """1926 lies among forests without a road: nobody there is supplied; the forest 0821 at their edge is."""
    assert not in_supply("", "1926")
    assert model.BOARD.terrain[hexagon("0821")] == "forest"
    assert in_supply("", "0821")


def test_8_2_lines_do_not_cross_blown_bridges():
    """With all bridges blown Germans reach nothing west of the Meuse, and Allies nothing behind the Our."""
    every = (1 << len(model.BRIDGES)) - 1
    assert in_supply("", "0101", GERMAN)
    assert not in_supply("", "0101", GERMAN, blown=every)
    assert in_supply("", "3415")
    assert not in_supply("", "3415", blown=every)


def test_8_2_five_hexes_and_no_more():
    """Air supply shows the reach: some hex exactly five away is supplied, none farther."""
    s = stage("1608 Air")
    far = {model.BOARD.distance(h, hexagon("1608")) for h in bits(air_supplied_hexes(s))}
    assert max(far) == 5


def test_8_2_a_hex_in_an_enemy_zone_is_supplied_but_leads_nowhere():
    """A line may begin in an enemy zone; a whole ring of zones stops it."""
    assert in_supply("2718 12VG/27", "2617")
    assert not in_supply(RING, "2519")


def test_8_3_allied_tanks_cut_off_crawl_and_do_not_attack(moving, fighting):
    """Three points without roads for armour, and no attack."""
    lines = "2519 7A/CCB\n2517 12VG/27\n2521 26VG/77\n2318 26VG/39\n2320 62VG/164\n2718 62VG/190\n2720 18VG/293"
    cut = moving("allied", lines)
    assert not is_supplied(cut.state, UNIT["7A/CCB"])
    assert cost(cut.state, UNIT["7A/CCB"], hexagon("2419"), ways(cut.state, UNIT["7A/CCB"])) == 2
    assert {"2418", "2419"} <= reach(cut, "7A/CCB") <= {"2419", "2418", "2518", "2520", "2619", "2618"}
    near = fighting("allied", f"{lines}\n2519 7A/CCA\n2518 18VG/294\n1408 106/422\n1407 9VG/36")
    assert near.choices("attack") == ["attack 1407"]
    assert near.refusal("attack 2518") == ("11.2", "attack-needs-supply")


def test_8_3_the_marker_is_lost_with_supply(playing):
    """A regiment under the motorized marker that fails its check loses the trucks."""
    allied = "2518 99/393\n2618 99/394\n2520 99/395\n2420 2/9\n2318 2/23\n2317 2/38"
    table = playing("supply", f"2519 12VG/27\n{allied}", motor=UNIT["12VG/27"], cup=SUPPLY_CUP)
    assert table.state.oos >> UNIT["12VG/27"] & 1
    assert table.state.motor == -1


def test_8_3_a_defender_out_of_supply_gives_a_column(fighting):
    """One column more against a marked German."""
    plain = fighting("allied", "2517 12VG/27\n2518 99/393, 99/394").play("attack 2517", "join 99/393")
    marked = fighting("allied", "2517 12VG/27 oos\n2518 99/393, 99/394").play("attack 2517", "join 99/393")

    def keys(table):
        return [shift["key"] for shift in table.game.preview(table.state, ("resolve",))["odds"]["shifts"]]

    assert "shift-unsupplied" not in keys(plain)
    assert "shift-unsupplied" in keys(marked)


def test_8_3_only_units_of_the_106th_out_of_supply_surrender(drawing):
    """Its free regiment and the 28th Division in the pocket fight on."""
    lines = f"2519 106/422, 28/110\n1408 106/423\n{RING}"
    table = drawing({"supply": 1}, lines, turn=2).play("draw supply")
    assert [where(table, u) for u in ("106/422", "28/110", "106/423")] == ["gone", "2519", "1408"]


def test_8_5_without_büllingen_the_depot_is_gone():
    """The German passes his first movement round: the marker leaves the game."""
    game = load("deadly-woods")
    table = Table(game, game.new()).play("pass", "pass")
    assert table.state.fuel == 2
    assert "fuel" not in [marker["key"] for marker in game.observe(table.state, "german")["markers"]]


def test_8_5_fuel_serves_peiper_alone(playing):
    """Another battle group in the same pocket is marked."""
    allied = "2518 99/393\n2418 99/394\n2520 99/395\n2619 2/9\n2618 2/23\n2419 2/38"
    table = playing("supply", f"2519 1SS/Peiper, 1SS/Hansen\n{allied}", turn=2, fuel=1, cup=SUPPLY_CUP)
    assert [u for u in range(model.COUNT) if table.state.oos >> u & 1] == [UNIT["1SS/Hansen"]]


def test_8_6_air_supply_is_not_for_the_british_nor_through_zones():
    """A US regiment next to the marker is supplied, a British brigade is not; a German between stops the line."""
    assert is_supplied(stage(f"2519 101/501\n{RING}\n2519 Air"), UNIT["101/501"])
    lines = "0905 53/71\n0806 12VG/27\n1005 26VG/39\n0904 26VG/77\n1004 62VG/164\n0906 62VG/190\n0805 18VG/293"
    s = stage(f"{lines}\n0905 Air")
    assert not is_supplied(s, UNIT["53/71"])
    assert air_supplied_hexes(s) >> hexagon("0905") & 1
    assert not air_supplied_hexes(s) >> hexagon("0808") & 1


def test_8_6_air_supply_brings_no_replacements_and_no_guns(phase, fighting):
    """A reduced regiment in Bastogne gets no step; V Corps guns do not fire for it."""
    table = phase(7, f"2519 99/393 lost=1\n{RING}\n2519 Air\n1923 106/422 lost=1", turn=6)
    while table.actor == "german":
        table.play("pass")
    assert table.refusal("replace 99/393") == ("13.2", "replacement-needs-supply")
    assert lost(table, "99/393") == 1
    guns = fighting("german", f"2519 99/393\n{RING}\n2519 Air\nbox V-Art1", turn=6)
    guns.play("attack 2519", "join 26VG/39", "resolve")
    assert guns.actor == "chance"


# ---- what would cut supply ------------------------------------------------------------------


def test_8_2_closing_the_gap_would_cut_bastogne_off():
    """Germans east of 2519: infantry west of it closes the last way with its zone."""
    s = stage(f"2519 14Cav\n{GAP}")
    assert is_supplied(s, UNIT["14Cav"])
    hexes, _ = supply_cuts(s, ALLIED)
    assert hexes[hexagon("2418")] == [UNIT["14Cav"]]
    assert hexagon("2519") not in hexes


def test_8_2_cuts_are_all_found_and_nothing_else():
    """Every hex of the map, held by an enemy regiment for a try, cuts off exactly those units that are named."""
    s = stage(f"2519 14Cav\n{GAP}\n1608 Air\n1507 106/422\n3016 99/394\n2216 26VG/39\n2117 2/9")
    intruders = {ALLIED: UNIT["62VG/164"], GERMAN: UNIT["99/393"]}
    for side, intruder in intruders.items():
        fed = [u for u in model.SIDE_UNITS[side] if on_map(s, u) and fed_now(s, u)]
        expected = {}
        for h in range(model.HEXES):
            if not occupied(s, 1 - side) >> h & 1:
                after = s.clone()
                for u in units_at(s, h):
                    put(after, u, model.ELIMINATED)
                put(after, intruder, h)
                cut = [u for u in fed if on_map(after, u) and not fed_now(after, u)]
                expected |= {h: cut} if cut else {}
        assert expected
        assert supply_cuts(s, side)[0] == expected


def fed_now(s, u):
    hexes = supplied_hexes(s, model.SIDE[u])
    return bool((hexes | (air_supplied_hexes(s) if model.NATION[u] == "us" else 0)) >> s.where[u] & 1)


def test_8_2_the_last_bridge_would_cut_off_who_lives_across_it():
    """Of all bridges over the Our one stands: it is marked, and the regiment behind it named."""
    every = (1 << len(model.BRIDGES)) - 1
    last = next(b for b in range(len(model.BRIDGES)) if in_supply("", "3415", blown=every ^ 1 << b))
    s = stage("3415 106/422", blown=every ^ 1 << last)
    assert supply_cuts(s, ALLIED)[1] == {last: [UNIT["106/422"]]}
    shown = load("deadly-woods").overlay(s, "allied", "allied-cuts")
    (side,) = shown["sides"]
    assert "/".join(side["between"]) == model.BRIDGE_NAMES[last]
    assert side["units"] == ["106/422"]
