"""Target Arnhem: chapter 7, supply."""

from __future__ import annotations

from games.target_arnhem.positions import GROUND, UNITS, unit, where
from salient import load
from salient.common.sides import ALLIED, GERMAN
from salient.games.target_arnhem.combat import defence_strength
from salient.games.target_arnhem.supply import is_supplied, supply_cuts


def supplied(table, name: str) -> bool:
    return is_supplied(table.state, UNITS.ids.index(name))


def test_7_supply_is_looked_at_when_it_matters(impulse):
    """A unit cut off is out of supply at once, and in supply again when the way is free."""
    lines = "0803 501\n0804 502\n0902 506\n0904 504\n1003 505"
    assert supplied(impulse("german", 1, f"{lines}\n0903 406"), "406")
    assert not supplied(impulse("german", 1, f"{lines}\n1004 508\n0903 406"), "406")


def test_7_the_overlay_names_the_units(impulse):
    """Each marked hex says whom it would cut off."""
    table = impulse("german", 1, "0803 501\n0804 502\n0902 506\n0904 504\n1003 505\n0903 406")
    shown = load("target-arnhem").view.overlay(table.state, "german", "german-cuts")
    assert shown["hexes"]["1004"] == "cut"
    assert shown["units"]["1004"] == ["406"]
    assert shown["legend"] == [{"value": "cut", "key": "german-cuts-cut"}]


def test_7_1_a_german_line_does_not_pass_enemies_or_unbridged_rivers(impulse):
    """1405 touches 1304, 1305 and 1404 by land and everything else across water without a bridge."""
    assert not supplied(impulse("german", 1, "1304 504\n1404 505\n1305 508\n1405 406"), "406")
    assert supplied(impulse("german", 1, "1304 504\n1404 505\n1405 406"), "406")


def test_7_1_germans_on_the_edge_and_in_areas_are_supplied(impulse):
    """0801 touches area B."""
    table = impulse("german", 1, "0801 406\nB 59/A\n0802 504\n0702 505\n0902 506")
    assert supplied(table, "406")
    assert supplied(table, "59/A")


def test_7_1_area_p_supplies_only_until_turn_4(impulse):
    """0101 touches only area P: cut off from A, it is supplied on turn 3 and not on turn 4."""
    lines = "0101 245\n0102 504\n0201 505\n0202 506"
    assert supplied(impulse("german", 1, lines, turn=3), "245")
    assert not supplied(impulse("german", 1, lines, turn=4), "245")


def cuts(table, side: int) -> dict[str, list[str]]:
    found = supply_cuts(table.state, side)
    return {GROUND.board.labels[h]: [UNITS.ids[u] for u in cut] for h, cut in found.items()}


def test_7_1_the_one_gap_in_a_ring_would_cut_a_german_off(impulse):
    """Five of the six hexes around 0903 are Allied: an enemy in the sixth cuts 406 off, which stands in 0903 itself."""
    ring = "0803 501\n0804 502\n0902 506\n0904 504\n1003 505"
    found = cuts(impulse("german", 1, f"{ring}\n0903 406"), GERMAN)
    assert found["1004"] == ["406"]
    assert "0903" not in found
    assert cuts(impulse("german", 1, f"{ring}\n1004 508\n0903 406"), GERMAN) == {}


def test_7_2_allies_within_two_hexes_of_a_road_to_0103(impulse):
    """0805 is within two hexes of the road at 0804; with the road cut in 0203 and 0204 nobody is supplied."""
    assert supplied(impulse("allied", 1, "0103 5Gds\n0805 504"), "504")
    cut = impulse("allied", 1, "0103 5Gds\n0805 504\n0203 Hoffmann\n0204 Kerutt")
    assert not supplied(cut, "504")
    assert supplied(cut, "5Gds")


def test_7_2_the_two_hexes_do_not_cross_unbridged_rivers_or_enemies(impulse):
    """1102 lies across the Maas from the road at 1003 and has roads of its own side only."""
    north = "1104 406\n1204 180\n1205 Henke\n1203 HG\n1202 Becker\n1101 Tettau"
    assert not supplied(impulse("allied", 1, f"0103 5Gds\n1102 504\n{north}"), "504")
    assert supplied(impulse("allied", 1, f"0103 5Gds\n1002 504\n{north}"), "504")


def test_7_2_germans_in_0103_cut_off_everybody(impulse):
    """The source of all supply is lost."""
    assert not supplied(impulse("allied", 1, "0103 Hoffmann\n0203 5Gds"), "5Gds")


ON_THE_ROAD = next(
    label for label in GROUND.board.labels if GROUND.roads[GROUND.entry] >> GROUND.board.index[label] & 1
)


def test_7_2_the_hex_behind_the_corps_would_cut_it_off(impulse):
    """Whoever lives on 0103 alone is cut off by an enemy there."""
    assert cuts(impulse("allied", 1, f"{ON_THE_ROAD} 5Gds\n1504 406"), ALLIED)["0103"] == ["5Gds"]


def test_7_3_a_german_move_can_be_led_through_a_supply_zone(impulse):
    """The plain move from 0905 to 0903 spares the zone; led by way of 0904 it captures it and goes on."""
    table = impulse("german", 1, "zone 82abn 0904\n0905 406\n0103 5Gds")
    assert table.try_all("move 406 1004").state.zones[3] >= 0
    table.play("via 406 0904", "move 406 1004")
    assert table.state.zones[3] == -1
    assert table.state.pools[0] == 6
    assert where(table, "406") == "1004"


def test_7_3_a_german_unit_may_capture_a_supply_zone_and_come_back(impulse):
    """Two hexes are a whole move wherever they lead: into the zone and back to 0905."""
    table = impulse("german", 1, "zone 82abn 0904\n0905 406\n0103 5Gds").play("via 406 0904", "move 406 0905")
    assert table.state.zones[3] == -1
    assert where(table, "406") == "0905"
    assert table.refusal("move 406 0904") == ("3.3", "acted-already")


def test_7_3_the_preview_names_what_the_way_does(impulse):
    """A fortified unit that is led into a zone: both effects, each with its rule."""
    table = impulse("german", 1, "zone 82abn 1304\n1205 Henke fortified\n0103 5Gds")
    effects = table.game.view.preview(table.state, table.game.read("via Henke 1304"))["effects"]
    assert [(e["rule"], e["key"]) for e in effects] == [
        ("7.3", "would-capture-zone"),
        ("5.4", "would-leave-fortification"),
    ]


def test_7_3_advancing_into_a_supply_zone_captures_it(impulse):
    """The zone in 1105 falls to the advance."""
    table = impulse("german", 1, "zone 82abn 1105\n1105 504 damage=2\n1205 Henke")
    table.play("attack 1105", "join Henke", "resolve", "roll 3", "advance Henke", "done")
    assert table.state.zones[3] == -1
    assert table.state.pools[0] == 6


def test_7_3_of_several_who_advance_into_a_zone_the_wehrmacht_gains(impulse):
    """SS and Wehrmacht enter together: the point goes to the pool that both may use; SS alone gain their own."""
    lines = "zone 82abn 1105\n1105 504 damage=2\n1205 Henke, Knaust"
    fought = impulse("german", 1, lines).play("attack 1105", "join Henke", "join Knaust", "resolve", "roll 3")
    assert fought.try_all("advance Knaust", "advance Henke", "done").state.pools[:2] == [6, 2]
    assert fought.try_all("advance Knaust", "done").state.pools[:2] == [5, 3]


def test_7_3_airborne_units_within_two_hexes_of_their_zone(impulse):
    """504 of the 82nd draws on the 82nd's zone, 501 of the 101st does not."""
    lines = "zone 82abn 1105\n1105 504, 501\n1104 406\n1205 Henke"
    table = impulse("allied", 1, lines)
    assert supplied(table, "504")
    assert not supplied(table, "501")


def test_7_3_two_hexes_and_no_farther_from_the_zone(impulse):
    """1602 is two hexes from the zone at 1503, through 1502 or 1603; with both held by Germans it is cut off."""
    cut = "0203 Hoffmann\n0204 Kerutt\n"
    assert supplied(impulse("allied", 1, f"{cut}zone 1abn 1503\n1602 1Para"), "1Para")
    held = impulse("allied", 1, f"{cut}zone 1abn 1503\n1602 1Para\n1502 Krafft\n1603 HG")
    assert not supplied(held, "1Para")


def test_7_3_the_poles_use_the_zone_of_1st_airborne(impulse):
    """PP beside Oosterbeek."""
    cut = "0203 Hoffmann\n0204 Kerutt\n"
    assert supplied(impulse("allied", 1, f"{cut}zone 1abn 1503\n1504 PP"), "PP")


def test_7_3_ground_units_do_not_use_zones(impulse):
    """XXX Corps depends on 0103 alone."""
    cut = "0203 Hoffmann\n0204 Kerutt\n"
    assert not supplied(impulse("allied", 1, f"{cut}zone 82abn 1105\n1105 129"), "129")


def test_7_3_a_german_that_enters_a_zone_destroys_it_and_gains_a_point(impulse):
    """The SS gain for the SS pool; the division is left to 0103."""
    table = impulse("german", 1, "zone 82abn 1105\n1006 Knaust").play("move Knaust 1105")
    assert table.state.zones[3] == -1
    assert table.state.pools[:2] == [5, 3]


def test_7_3_a_division_without_its_zone_receives_no_points(before):
    """Only the 82nd, whose zone stands, gains its point."""
    table = before("zone 82abn 1105\n0103 5Gds\n1504 9SS/Aufkl").play("roll 1")
    assert table.state.pools[2:5] == [0, 1, 0]


def test_7_3_who_has_two_sources_is_cut_off_by_neither(impulse):
    """The loss of 0103 does no harm to a regiment that stands in its own division's supply zone."""
    table = impulse("allied", 1, f"{ON_THE_ROAD} 501\n1504 406")
    assert cuts(table, ALLIED)["0103"] == ["501"]
    table.state.zones[UNITS.pool[UNITS.ids.index("501")]] = GROUND.board.index[ON_THE_ROAD]
    assert cuts(table, ALLIED) == {}


def test_7_4_points_accumulate(before):
    """Five left over and two more make seven."""
    table = before("1504 9SS/Aufkl", points="wehrmacht=5 ss=2").play("roll 1")
    assert table.state.pools[:2] == [7, 3]


def test_7_4_the_ss_use_both_pools_the_wehrmacht_one(impulse):
    """Recovery of an SS unit may be paid by either."""
    table = impulse("german", 1, "1504 Knaust damage=1, 406 damage=1")
    assert table.choices("recover Knaust") == ["recover Knaust wehrmacht", "recover Knaust ss"]
    assert table.choices("recover 406") == ["recover 406 wehrmacht"]
    assert table.refusal("recover 406 ss") == ("7.4", "pool-not-usable")


def test_7_4_airborne_units_use_their_own_points_or_those_of_the_corps(impulse):
    """Near its zone but cut off from 0103: its own; on the road: both; XXX Corps never runs out."""
    points = "wehrmacht=0 ss=0 82abn=1"
    cut = "zone 82abn 1105\n1105 504 damage=1\n1104 406\n1205 Henke"
    assert impulse("allied", 1, cut, points=points).choices("recover") == ["recover 504 82abn"]
    road = impulse("allied", 1, "zone 82abn 1105\n1104 504 damage=2\n0103 5Gds damage=1", points=points)
    assert road.choices("recover 504") == ["recover 504 82abn", "recover 504 xxx"]
    pools = list(road.state.pools)
    assert road.play("recover 5Gds xxx").state.pools == pools


def test_7_4_a_division_does_not_use_another_divisions_points(impulse):
    """The 82nd cannot spend the 101st's point."""
    table = impulse("allied", 1, "zone 82abn 1105\n1104 504 damage=1", points="101abn=3 82abn=0")
    assert table.refusal("recover 504 101abn") == ("7.4", "pool-not-usable")


def test_7_5_out_of_supply_halves_the_defender_too(impulse):
    """A German ringed by Allies defends with half his strength."""
    ring = "0103 5Gds\n0803 501\n0804 502\n0902 506\n0904 504\n1003 505\n1004 508"
    table = impulse("allied", 1, f"{ring}\n0903 406")
    assert defence_strength(table.state, unit("406")) == 8


def test_7_5_every_unit_out_of_supply_takes_a_point_each_turn(before):
    """The cut-off paratroops suffer, the supplied ones do not."""
    table = before("0103 5Gds\n1105 504\n1104 406\n1205 Henke\n0805 505")
    assert [event.args["unit"] for event in table.said("starves")] == [UNITS.ids.index("504")]


def test_7_5_a_move_out_of_supply_and_its_end_are_warned_of(impulse):
    """With the road cut 506 lives on its zone and can walk out of it; ending the impulse names who starves."""
    table = impulse("allied", 1, "zone 101abn 0903\n0103 5Gds\n0203 Hoffmann\n0202 6FJR\n0204 Kerutt\n0802 506")
    far = [to for to in table.destinations("506") if "would-leave-supply" in table.warned(f"move 506 {to}")]
    assert far
    assert all(not supplied(table.try_all(f"move 506 {to}"), "506") for to in far)
    near = sorted(table.destinations("506").difference(far))
    assert all(supplied(table.try_all(f"move 506 {to}"), "506") for to in near if to.isdigit())
    assert "ends-unsupplied" not in table.warned("pass")
    assert "ends-unsupplied" in table.try_all(f"move 506 {sorted(far)[0]}").warned("pass")


def test_9_1_leaving_arnhem_empty_is_warned_of(impulse):
    """The last unit that leaves Arnhem; with another one there nothing is said."""
    alone = impulse("allied", 1, "0103 5Gds\n1504 504")
    to = sorted(alone.destinations("504"))[0]
    assert "would-leave-empty" in alone.warned(f"move 504 {to}")
    assert "would-leave-empty" not in impulse("allied", 1, "0103 5Gds\n1504 504, 505").warned(f"move 504 {to}")
