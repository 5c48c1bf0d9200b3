"""Target Arnhem: chapter 9, scenario."""

from __future__ import annotations

import pytest

from games.target_arnhem.positions import GROUND, PLAIN_GAME, UNITS
from salient import load
from salient.common.sides import ALLIED, GERMAN
from salient.games.target_arnhem import model
from salient.games.target_arnhem.supply import is_supplied
from table import Table


def last_impulse(lines: str) -> Table:
    text = f"position target-arnhem\nturn 9 impulse 3\n{lines}\nstack Turn(german-impulse-3) EndOfImpulse(1) Impulse(1)"
    return Table.position(load("target-arnhem"), text).play("pass")


def test_9_1_allies_win_with_a_unit_in_arnhem_and_the_red_road_free():
    """After turn 9."""
    table = last_impulse("1504 1Para\n0103 5Gds\n1603 9SS/Aufkl")
    result = table.game.result(table.state)
    assert (result.winner, result.rule, result.key) == ("allied", "9.1", "corridor-open")
    assert table.actor == "over"


def test_9_1_a_german_on_the_red_road_denies_it():
    """One German unit at Uden is enough."""
    table = last_impulse("1504 1Para\n0103 5Gds\n0903 9SS/Aufkl")
    assert (table.game.result(table.state).winner, table.game.result(table.state).key) == ("german", "red-road-cut")


def test_9_1_without_arnhem_the_germans_win():
    """The road is free, Arnhem is empty."""
    table = last_impulse("1404 1Para\n0103 5Gds\n1603 9SS/Aufkl")
    assert (table.game.result(table.state).winner, table.game.result(table.state).key) == ("german", "arnhem-not-held")


@pytest.fixture
def start() -> Table:
    game = PLAIN_GAME
    return Table(game, game.new(options={"supply-zones": "historical"}))


@pytest.fixture
def landing(start: Table) -> Table:
    return start.play("zone 82abn 1105", "done", "roll 3", *_german_arrivals(start))


def _german_arrivals(start: Table) -> list[str]:
    early = [u for u in UNITS.of_side[GERMAN] if UNITS.arrival_turn[u] == 1]
    return [*(f"arrive {UNITS.ids[u]}" for u in early), "done"]


def test_9_1_there_is_no_result_before_the_end_of_turn_9(landing):
    """The game goes on."""
    assert landing.game.result(landing.state) is None


def test_9_2_germans_start_where_their_backs_say_fortified_ones_so(start):
    """Every German unit of turn 0 stands in its hex; all others wait."""
    for u in UNITS.of_side[GERMAN]:
        expected = UNITS.start[u] if UNITS.arrival_turn[u] == 0 else GROUND.waiting
        assert start.state.where[u] == expected
        assert start.state.fortified[u] == UNITS.starts_fortified[u]


def test_9_3_zones_go_into_any_three_hexes():
    """Free choice, hexes with Germans among them; not two in one hex."""
    game = load("target-arnhem")
    table = Table(game, game.new())
    assert table.actor == "allied"
    assert len(table.choices("zone 1abn")) == GROUND.hexes
    table.play("zone 1abn 1503")
    assert table.refusal("zone 82abn 1503") == ("9.3", "zone-taken")


def test_9_3_a_zone_among_germans_gives_no_supply_until_they_are_gone():
    """1st Airborne drops around Arnhem: Kussin stands on its zone and has not entered it, so it is not destroyed."""
    game = load("target-arnhem")
    table = Table(game, game.new())
    table.play("zone 1abn 1504", "zone 82abn 1105", "zone 101abn 0603", "done", "roll 3", *_german_arrivals(table))
    assert table.state.zones[model.FIRST_AIRBORNE] == GROUND.arnhem
    assert table.refusal("land 1Para 1504") == ("8.3", "enemy-in-hex")
    table.play("land 1Para 1503")
    assert not is_supplied(table.state, UNITS.ids.index("1Para"))


def test_9_3_the_historical_zones_as_a_preset(start):
    """1503 and 0603 lie there without a question; 1104 or 1105 is chosen (T-20)."""
    assert start.choices() == ["zone 82abn 1104", "zone 82abn 1105"]
    placed = start.try_all("zone 82abn 1104")
    assert placed.choices() == ["done", "zone 82abn 1105", "cancel"]
    assert placed.try_all("cancel").state.key() == start.state.key()
    assert start.refusal("zone 1abn 1503") == ("9.3", "zone-taken")
    assert len(placed.play("done").said("zone-placed")) == 3


def test_9_3_zones_are_placed_in_any_order_and_moved_until_done():
    """Two orders, one position; nothing is rolled before `done`; `cancel` takes all zones back."""
    game = load("target-arnhem")
    table = Table(game, game.new())
    one = table.try_all("zone 101abn 0603", "zone 1abn 1503", "zone 82abn 1104")
    other = table.try_all("zone 82abn 0101", "zone 1abn 1503", "zone 101abn 0603", "zone 82abn 1104")
    assert one.actor == "allied"
    assert one.state.key() == other.state.key()
    assert one.try_all("cancel").state.key() == table.state.key()
    begun = table.try_all("zone 1abn 1503")
    assert begun.refusal("done") == ("9.3", "place-zones-first")
    moved = begun.try_all("zone 1abn 1504")
    assert moved.state.key() == table.try_all("zone 1abn 1504").state.key()


def test_9_3_two_mechanized_units_start_in_0103(start):
    """5th Guards Armoured and 32nd Guards."""
    entry = [UNITS.ids[u] for u in UNITS.of_side[ALLIED] if start.state.where[u] == GROUND.entry]
    assert entry == ["5Gds", "32Gds"]


FIRST_LIFT = ("1Para", "1Airl", "504", "505", "508", "501", "502", "506")


def land_all(table: Table) -> Table:
    zones = {"1abn": "1503", "82abn": "1105", "101abn": "0603"}
    for name in FIRST_LIFT:
        table.play(f"land {name} {zones[model.POOLS[UNITS.pool[UNITS.ids.index(name)]]]}")
    return table


def test_9_3_eight_units_land_in_the_first_impulse(landing):
    """All eight must, before the impulse can end."""
    assert landing.actor == "allied"
    assert {c.split()[1] for c in landing.choices("land")} == set(FIRST_LIFT)
    assert landing.refusal("pass") == ("9.3", "must-land")
    land_all(landing)
    assert landing.choices("pass")


def test_9_3_the_first_lift_does_not_land_in_0103():
    """Even with the zone beside it."""
    game = load("target-arnhem")
    table = Table(game, game.new())
    table.play("zone 1abn 1503", "zone 82abn 1105", "zone 101abn 0204", "done", "roll 3", *_german_arrivals(table))
    assert table.refusal("land 501 0103") == ("9.3", "no-landing-at-entry")


def test_9_3_two_units_that_landed_may_act_once_more(landing):
    """Two of them, once each, and nobody else; a road move is not possible."""
    land_all(landing)
    landing.play(landing.choices("move 1Para")[0])
    assert landing.refusal("move 1Para 1503")[1] == "acted-already"
    landing.play(landing.choices("move 504")[0])
    assert not landing.choices("move 505")
    assert landing.refusal("move 505 1205")[1] in ("acted-already", "enemy-in-hex")
    assert landing.choices("move 5Gds")


def test_9_3_the_extra_action_is_no_road_move(landing):
    """501 landed on the road at Veghel moves two hexes, not along the road to Gemert."""
    landing.play("land 501 0803")
    assert "0703" in landing.destinations("501")
    assert landing.refusal("move 501 0704") == ("4.2", "just-landed-no-road")


AT_NIJMEGEN = ("land 504 1105", "land 505 1105", "land 508 1105")


def test_9_3_a_third_landed_unit_does_not_join_an_attack(landing):
    """Three regiments beside Nijmegen: two attack with the extra actions, the third is refused, also later."""
    landing.play(*AT_NIJMEGEN, "attack 1205", "join 504", "join 505")
    assert not landing.choices("join")
    assert landing.refusal("join 508") == ("9.3", "no-extra-action-left")
    landing.play("resolve", "roll 6")
    landing.play("lose 504", "lose 505", "done")
    assert landing.state.extra == 0
    landing.play("land 1Para 1503")
    assert landing.refusal("move 1Para 1502") == ("3.3", "acted-already")


def test_9_3_with_one_extra_action_left_one_landed_unit_attacks(landing):
    """1st Parachute has taken one of the two: of the regiments at Nijmegen either may attack, not both."""
    landing.play("land 1Para 1503", "move 1Para 1603", *AT_NIJMEGEN, "attack 1205")
    assert landing.choices("join") == ["join 504", "join 505", "join 508"]
    landing.play("join 505")
    assert not landing.choices("join")
    assert landing.refusal("join 508") == ("9.3", "no-extra-action-left")


def test_9_3_who_may_act_again_and_how_many_is_told(landing):
    """The prompt counts them, and a counter that may act again has no tick; one that has taken its extra action has."""
    land_all(landing)
    units = {"1Para": False, "5Gds": False, "504": False}
    seen = landing.game.view.observe(landing.state, "allied")["units"]
    assert {unit: seen[unit].get("done", False) for unit in units} == units
    told = landing.state.stack[-1].prompt(landing.state)
    assert (told.rule, told.key, told.args["n_again"]) == ("9.3", "act-again", 2)
    first = landing.choices("move 1Para")[0]
    landing.play(first)
    told = landing.state.stack[-1].prompt(landing.state)
    assert told.args["n_again"] == 1
    assert landing.game.view.observe(landing.state, "allied")["units"]["1Para"]["done"]


def test_9_3_overdrawn_extra_actions_are_no_sound_position(landing):
    """The invariant that every random game is checked for."""
    landing.state.extra = -1
    assert landing.game.check(landing.state) == ["1 extra actions too many have been taken [9.3]"]


def test_9_3_extra_actions_belong_to_the_first_impulse_only(landing):
    """Once it is over, they are gone."""
    land_all(landing).play("pass")
    assert landing.state.extra == 0
