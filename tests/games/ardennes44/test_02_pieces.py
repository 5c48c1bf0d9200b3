"""Ardennes '44: chapter 2, pieces."""

from __future__ import annotations

from typing import Any

from games.ardennes44.positions import (
    DATA,
    UNITS,
    hexagon,
    marked,
    unit,
)
from salient import load
from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44 import components, view
from salient.games.ardennes44.movement import refuse_mover


def test_2_1_a_counter_shows_everything() -> None:
    counter = view.components(DATA)["units"]["28/707"]
    assert {"values", "formation", "symbol", "size", "name", "side"} <= set(counter)
    u = unit("28/707")
    assert (UNITS.stack[u], UNITS.morale[u], UNITS.tq[u], UNITS.large[u]) == ((0, 0), components.VETERAN, 3, False)


def test_2_2_three_factors_on_each_side() -> None:
    """The 5th Parachute Division's 13th Regiment is 7-7-3, reduced 4-4-3."""
    assert UNITS.values[unit("5FJ/13")] == ((7, 7, 3), (4, 4, 3))


def test_2_3_sizes() -> None:
    sizes = {name: UNITS.size[unit(name)] for name in ("28/109/1", "84/334", "150Pz")}
    assert sizes == {"28/109/1": "battalion", "84/334": "regiment", "150Pz": "brigade"}


def test_2_4_types() -> None:
    """Silhouettes are tanks and guns without infantry; combat commands are mixed; Nebelwerfer are artillery."""
    assert [components.is_mechanized(UNITS, unit(name)) for name in ("84/334", "2Pz/2", "2Pz/3/1")] == [
        False,
        True,
        True,
    ]
    assert [UNITS.profile[unit(name)] for name in ("2Pz/3/1", "9Arm/CCA", "2Pz/Rec")] == [True, False, False]
    assert UNITS.mixed[unit("9Arm/CCA")]
    assert UNITS.artillery[unit("Werfer4")]
    assert UNITS.artillery[unit("VAK766")]


def test_2_5_the_division_counts() -> None:
    """A unit that names no division is a formation of its own."""
    assert UNITS.formation[unit("28/109/1")] == UNITS.formation[unit("28/707")] == "28"
    assert UNITS.formation[unit("244StG")] == "244StG"


def test_2_6_every_reinforcement_of_the_tables_is_there() -> None:
    """How many units come on each turn, by side."""
    german = {2: 2, 3: 5, 4: 2, 5: 5, 6: 3, 7: 5, 8: 12, 9: 1, 10: 4, 11: 6, 14: 6, 15: 6, 19: 7, 20: 3, 22: 2, 27: 3}
    allied = {
        2: 2, 3: 12, 4: 5, 5: 17, 6: 4, 7: 3, 8: 5, 9: 2, 10: 3, 11: 4, 12: 11, 13: 18, 14: 8, 15: 17, 16: 6, 17: 5,
        19: 5, 21: 3, 22: 4, 23: 4,
    }  # fmt: skip
    for side, expected in ((ALLIED, allied), (GERMAN, german)):
        turns = [UNITS.arrival[u] for u in UNITS.of_side[side] if UNITS.arrival[u]]
        assert {turn: turns.count(turn) for turn in sorted(set(turns))} == expected


def test_2_7_starts_and_red_codes() -> None:
    """Allies have a hex; a German has an area; who is red does not move on turn 1."""
    game = load("ardennes44")
    s = game.new("campaign")
    assert s.where[unit("28/110/3")] == hexagon("2214")  # type: ignore[attr-defined]
    assert UNITS.area[unit("26VG/39")] == "26vg"
    assert refuse_mover(s, unit("106/422")).rule == "29.1.1"  # type: ignore[union-attr, arg-type]


def test_2_8_morale_is_a_modifier() -> None:
    names = ("1SS/1Pz", "26VG/39", "277VG/990")
    assert (
        [UNITS.morale[unit(name)] for name in names]
        == [components.ELITE, components.VETERAN, components.GREEN]
        == [-1, 0, 1]
    )


def test_2_9_tank_quality() -> None:
    """Grey for tanks, red for guns that attack with one less, a box for the one flak unit, which is no armour."""
    assert (UNITS.grey_tq[unit("2Pz/3/1")], UNITS.attack_tq[unit("2Pz/3/1")]) == (True, 4)
    assert (UNITS.tq[unit("244StG")], UNITS.attack_tq[unit("244StG")]) == (3, 2)
    assert (UNITS.tq[unit("18/10+")], UNITS.armor[unit("18/10+")]) == (4, False)
    assert [name for name, kind in zip(UNITS.ids, UNITS.type, strict=True) if kind == "flak"] == ["18/10+"]


def test_2_10_colours_of_nations() -> None:
    units = view.components(DATA)["units"]
    colours = {name: units[name]["colour"] for name in ("84/334", "43/129", "1SS/1Pz", "26VG/39", "5FJ/13")}
    assert len(set(colours.values())) == 5


def test_2_11_colours_of_armies_and_corps() -> None:
    """Split units and remnants match no artillery."""
    assert {UNITS.colour[unit(name)] for name in ("1SS/1Pz", "26VG/39", "5FJ/13")} == {"6Pz", "5Pz", "7A"}
    assert UNITS.colour[unit("TF1")] == "split"
    assert UNITS.colour[unit("28/109/1")] == UNITS.colour[unit("VIII/333")] == "VIII"


def test_2_12_markers_are_shown(fighting: Any) -> None:
    """Badges of a unit, markers of hexes, signs at bridges."""
    lines = "6637 84/334 engaged oos, VII/18 fired\nip 6637\ntraffic 0 2113\nroadblock 0 2416\n0129 2SS/3"
    table = fighting("german", f"{lines}\n6638 2Pz/2")
    seen = load("ardennes44").view.observe(table.state, "allied")
    assert {"mark-engaged"} <= {badge["key"] for badge in seen["units"]["84/334"]["badges"]}
    assert {"mark-fired"} <= {badge["key"] for badge in seen["units"]["VII/18"]["badges"]}
    assert {"improved-position", "traffic", "roadblock"} <= {marker["key"] for marker in seen["markers"]}
    assert marked(table, "engaged", "84/334")
