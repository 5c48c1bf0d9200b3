"""Chapters 1 to 4: components, counters, the map and the sequence of play."""

from __future__ import annotations

from typing import Any

from tests.games.ardennes44.conftest import hexagon, marked, unit

from salient import load
from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44 import model, view
from salient.games.ardennes44.movement import refuse_mover
from salient.games.ardennes44.sequence import PHASE_NAMES
from salient.games.ardennes44.ways import tactical_steps


def test_1_1_two_sides_two_maps_one_die() -> None:
    """Every roll is of one six-sided die, but for the two of traffic."""
    assert load("ardennes44").seats == ("allied", "german")
    assert model.WEST_MAP
    assert model.ALL_HEXES & ~model.WEST_MAP
    assert all(len(row) == 6 for row in (*model.TABLE, *model.ROLLS.values()))


def test_1_2_two_turns_and_a_night_make_a_day() -> None:
    """16 to 26 December are 22 turns; a night follows each second one."""
    assert int(model.SCENARIOS["campaign"]["turns"]) == 22
    assert {"battalion", "regiment", "brigade"} <= set(model.SIZE)


def test_2_1_a_counter_shows_everything() -> None:
    counter = view.components()["units"]["28/707"]
    assert {"values", "formation", "symbol", "size", "name", "side"} <= set(counter)
    u = unit("28/707")
    assert (model.STACK[u], model.MORALE[u], model.TQ[u], model.LARGE[u]) == ((0, 0), model.VETERAN, 3, False)


def test_2_2_three_factors_on_each_side() -> None:
    """The 5th Parachute Division's 13th Regiment is 7-7-3, reduced 4-4-3."""
    assert model.VALUES[unit("5FJ/13")] == ((7, 7, 3), (4, 4, 3))


def test_2_3_sizes() -> None:
    sizes = {name: model.SIZE[unit(name)] for name in ("28/109/1", "84/334", "150Pz")}
    assert sizes == {"28/109/1": "battalion", "84/334": "regiment", "150Pz": "brigade"}


def test_2_4_types() -> None:
    """Silhouettes are tanks and guns without infantry; combat commands are mixed; Nebelwerfer are artillery."""
    assert [model.is_mechanized(unit(name)) for name in ("84/334", "2Pz/2", "2Pz/3/1")] == [False, True, True]
    assert [model.PROFILE[unit(name)] for name in ("2Pz/3/1", "9Arm/CCA", "2Pz/Rec")] == [True, False, False]
    assert model.MIXED[unit("9Arm/CCA")]
    assert model.ARTILLERY[unit("Werfer4")]
    assert model.ARTILLERY[unit("VAK766")]


def test_2_5_the_division_counts() -> None:
    """A unit that names no division is a formation of its own."""
    assert model.FORMATION[unit("28/109/1")] == model.FORMATION[unit("28/707")] == "28"
    assert model.FORMATION[unit("244StG")] == "244StG"


def test_2_7_starts_and_red_codes() -> None:
    """Allies have a hex; a German has an area; who is red does not move on turn 1."""
    game = load("ardennes44")
    s = game.new("campaign")
    assert s.where[unit("28/110/3")] == hexagon("2214")  # type: ignore[attr-defined]
    assert model.AREA[unit("26VG/39")] == "26vg"
    assert refuse_mover(s, unit("106/422")).rule == "29.1.1"  # type: ignore[union-attr, arg-type]


def test_2_8_morale_is_a_modifier() -> None:
    names = ("1SS/1Pz", "26VG/39", "277VG/990")
    assert [model.MORALE[unit(name)] for name in names] == [model.ELITE, model.VETERAN, model.GREEN] == [-1, 0, 1]


def test_2_9_tank_quality() -> None:
    """Grey for tanks, red for guns that attack with one less, a box for the one flak unit, which is no armour."""
    assert (model.GREY_TQ[unit("2Pz/3/1")], model.ATTACK_TQ[unit("2Pz/3/1")]) == (True, 4)
    assert (model.TQ[unit("244StG")], model.ATTACK_TQ[unit("244StG")]) == (3, 2)
    assert (model.TQ[unit("18/10+")], model.ARMOR[unit("18/10+")]) == (4, False)
    assert [name for name, kind in zip(model.UNITS, model.TYPE, strict=True) if kind == "flak"] == ["18/10+"]


def test_2_10_colours_of_nations() -> None:
    units = view.components()["units"]
    colours = {name: units[name]["colour"] for name in ("84/334", "43/129", "1SS/1Pz", "26VG/39", "5FJ/13")}
    assert len(set(colours.values())) == 5


def test_2_11_colours_of_armies_and_corps() -> None:
    """Split units and remnants match no artillery."""
    assert {model.COLOUR[unit(name)] for name in ("1SS/1Pz", "26VG/39", "5FJ/13")} == {"6Pz", "5Pz", "7A"}
    assert model.COLOUR[unit("TF1")] == "split"
    assert model.COLOUR[unit("28/109/1")] == model.COLOUR[unit("VIII/333")] == "VIII"


def test_2_12_markers_are_shown(fighting: Any) -> None:
    """Badges of a unit, markers of hexes, signs at bridges."""
    lines = "6637 84/334 engaged oos, VII/18 fired\nip 6637\ntraffic 0 2113\nroadblock 0 2416\n0129 2SS/3"
    table = fighting("german", f"{lines}\n6638 2Pz/2")
    seen = load("ardennes44").observe(table.state, "allied")
    assert {"mark-engaged"} <= {badge["key"] for badge in seen["units"]["84/334"]["badges"]}
    assert {"mark-fired"} <= {badge["key"] for badge in seen["units"]["VII/18"]["badges"]}
    assert {"improved-position", "traffic", "roadblock"} <= {marker["key"] for marker in seen["markers"]}
    assert marked(table, "engaged", "84/334")


def test_3_1_east_and_west_are_one_grid() -> None:
    """Column 40 of the East map touches column 41, the first of the West map."""
    edge = model.EAST_WEST_EDGE
    assert all(any(model.WEST_MAP >> b & 1 for b in model.BOARD.adjacent[h]) for h in model.bits(edge))


def test_3_2_entry_hexes_and_blocking_positions() -> None:
    """Every blocking position lies behind an Allied entry hex of the East map."""
    assert model.BLOCKS
    for block in model.BLOCKS:
        h = model.BLOCK_HEX[block]
        assert model.ENTRIES[ALLIED] >> h & 1
        assert not model.WEST_MAP >> h & 1
    assert model.ENTRIES[GERMAN]


def test_3_3_rivers_through_towns_are_no_barriers() -> None:
    """Tanks enter and leave Clervaux by road as if no river were there."""
    clervaux = hexagon("2416")
    assert "river-through" in model.BOARD.features[clervaux]
    assert not any((clervaux, b) in model.RIVER for b in model.BOARD.adjacent[clervaux])
    plain, _ = tactical_steps(model.VEHICLE, 0, clervaux)
    assert plain >> hexagon("2315") & 1


def test_4_the_sequence_of_play() -> None:
    """German, Allied, and after PM turns the night with the Allies first."""
    order = ["german_artillery", "german_fuel", "german_bridges", "german_movement", "german_recovery", "german_combat",
             "german_traffic", "german_supply", "allied_turn", "allied_bridges", "allied_movement", "allied_recovery",
             "allied_combat", "allied_traffic", "allied_supply", "victory", "night_allied_replacements",
             "night_allied_movement", "night_allied_combat", "night_german_replacements", "night_german_movement",
             "night_german_combat"]  # fmt: skip
    assert [name for name in PHASE_NAMES if name in order] == order
