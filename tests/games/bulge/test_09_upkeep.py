"""Battle of the Bulge: chapter 9, upkeep."""

from __future__ import annotations

import pytest

from games.bulge.positions import GROUND, held, pieces
from salient.hexes.masks import bits

START = {GROUND.board.labels[h] for h in bits(GROUND.axis_start)}


def test_9_1_a_hex_with_axis_combat_units_falls(upkeep):
    """A tank in St. Vith, with the ground to its east that is no city."""
    table = upkeep("0407 axis-tank 1")
    assert held(table) - START == {"0407", "0408"}
    assert [event.rule for event in table.said("front-gained")] == ["9.1"]


@pytest.mark.parametrize("kind", ["truck", "supply"])
def test_9_1_trucks_and_supply_move_no_line(upkeep, kind):
    """Only combat units take ground."""
    assert held(upkeep(f"0407 axis-{kind} 1")) == START


@pytest.mark.parametrize(
    ("lines", "gained"),
    [
        ("0506 axis-infantry 1", {"0506", "0507"}),
        ("0506 axis-infantry 1\n0507 allied-supply 1", {"0506"}),
        ("0506 axis-infantry 1\n0507 allied-truck 1", {"0506"}),
        ("0506 axis-infantry 1\n0507 allied-artillery 1", {"0506"}),
        ("0506 axis-infantry 1\n0406 axis-infantry 1", {"0406", "0506", "0507"}),
        ("0506 axis-infantry 1\n0406 axis-truck 1", {"0506", "0507"}),
    ],
)
def test_9_2_three_hexes_to_the_east(upkeep, lines, gained):
    """From Cherain: Burg-Reuland, but not the cities Vielsalm and Clervaux unless German combat units hold them."""
    assert held(upkeep(lines)) - START == gained


def test_9_2_the_pull_goes_east_only_and_one_hex(upkeep):
    """Neither the west of the hex nor the east of a pulled hex changes hands."""
    assert held(upkeep("0702 axis-infantry 1")) - START == {"0702", "0602", "0703", "0802"}


def test_9_2_units_behind_the_line_pull_too(upkeep):
    """A hex that the Allies took and left falls back to a German unit west of it."""
    table = upkeep("front 0408\n0408 axis-infantry 1")
    assert held(table) == {"0408", "0309", "0409", "0509"}


def test_9_3_an_allied_hex_pulls_nothing(upkeep):
    """The Allies retake the one hex that they stand in."""
    table = upkeep("0608 allied-infantry 1\n0709 allied-truck 1")
    assert START - held(table) == {"0608"}
    assert [event.rule for event in table.said("front-gained")] == ["9.3"]


def test_9_4_hexes_cut_off_keep_their_owner(upkeep):
    """An empty Allied hex inside the bulge stays Allied, a German one in the west German."""
    around = {"0604", "0605", "0704", "0706", "0804", "0805", "0102"}
    table = upkeep(f"front {' '.join(sorted(START | around))}")
    assert held(table) == START | around


def test_9_5_trucks_and_supply_change_hands(upkeep):
    """After the line has moved; they are the captor's from then on."""
    table = upkeep(
        "0803 allied-infantry 1, axis-truck 1, axis-supply 2\n0705 axis-tank 1, allied-supply 3\n0704 allied-truck 1"
    )
    assert table.actor == "axis"
    table.play("capture allied-supply-0705 3", "done")
    table.play("capture axis-truck-0803 1", "capture axis-supply-0803 2", "done")
    assert pieces(table, "0803") == "allied-infantry 1, allied-truck 1, allied-supply 2"
    assert pieces(table, "0705") == "axis-tank 1, axis-supply 3"
    assert pieces(table, "0704") == "allied-truck 1"
    assert {event.rule for event in table.said("captured")} == {"9.5"}


def test_9_5_the_captor_may_take_less(upkeep):
    """One truck of two and no supply; the rest stays with its owner, and may be taken next turn."""
    table = upkeep("0803 allied-infantry 1, axis-truck 2, axis-supply 3")
    assert table.choices("capture axis-truck-0803") == ["capture axis-truck-0803 1", "capture axis-truck-0803 2"]
    assert table.refusal("capture axis-truck-0803 3") == ("9.5", "not-so-many")
    assert table.refusal("capture axis-supply-0804 1") == ("9.5", "nothing-to-capture")
    table.play("capture axis-truck-0803 1")
    assert table.refusal("capture axis-truck-0803 1") == ("9.5", "captured-already")
    table.play("done")
    assert pieces(table, "0803") == "axis-truck 1, axis-supply 3, allied-infantry 1, allied-truck 1"


def test_9_5_captures_in_any_order_and_taken_back(upkeep):
    """Supply before trucks or after: one position; all given back: the one before."""
    table = upkeep("0803 allied-infantry 1, axis-truck 2, axis-supply 3")
    one = table.try_all("capture axis-supply-0803 3", "capture axis-truck-0803 2")
    assert one.state.key() == table.try_all("capture axis-truck-0803 2", "capture axis-supply-0803 3").state.key()
    assert one.try_all("drop axis-truck-0803", "drop axis-supply-0803").state.key() == table.state.key()
    assert one.actor == "allied"


def test_9_5_a_full_hex_may_leave_a_truck_alone(upkeep):
    """Twelve units that do not take the truck stay twelve: the opponent moves nobody."""
    table = upkeep("0705 axis-infantry 6, axis-tank 6, allied-truck 1").play("done")
    assert table.actor == "chance"


def test_9_5_a_pull_captures_nothing(upkeep):
    """Enemy trucks alone keep their hex."""
    assert pieces(upkeep("0506 axis-infantry 1\n0507 allied-truck 1"), "0507") == "allied-truck 1"


def test_9_6_the_opponent_moves_the_excess(upkeep):
    """Eight infantry: the Allied player moves two of them, by the rules of retreat."""
    table = upkeep("0709 axis-infantry 8\n0710 axis-infantry 6\n0808 allied-infantry 1\nfront 0709 0710 0608 0609")
    assert table.actor == "allied"
    assert table.choices() == ["retreat axis-infantry-0709 0608", "retreat axis-infantry-0709 0609"]
    assert table.refusal("retreat axis-infantry-0709 0708") == ("6.11", "retreat-into-zone")
    assert table.refusal("retreat axis-infantry-0709 0710") == ("6.11", "retreat-hex-full")
    assert table.refusal("remove axis-infantry-0709") == ("9.6", "excess-can-retreat")
    assert table.refusal("done") == ("9.6", "reduce-stack-first")
    one = table.try_all("retreat axis-infantry-0709 0608", "retreat axis-infantry-0709 0609")
    other = table.try_all("retreat axis-infantry-0709 0609", "retreat axis-infantry-0709 0608")
    assert one.state.key() == other.state.key()
    assert one.choices() == ["done", "drop axis-infantry-0608", "drop axis-infantry-0609"]
    assert one.try_all("drop axis-infantry-0608", "drop axis-infantry-0609").state.key() == table.state.key()
    assert one.refusal("drop axis-infantry-0710") == ("9.6", "not-named")
    assert one.refusal("retreat axis-infantry-0709 0608") == ("9.6", "stack-is-reduced")
    one.play("done")
    assert pieces(one, "0709") == "axis-infantry 6"
    assert len(one.said("retreats")) == 2


def test_9_6_who_cannot_retreat_is_destroyed(upkeep):
    """A seventh tank with enemies all around."""
    ring = ("0505", "0603", "0606", "0803", "0806", "0906")
    table = upkeep("0705 axis-tank 7\n" + "\n".join(f"{h} allied-infantry 1" for h in ring))
    assert table.actor == "chance"  # there was nothing to choose
    assert pieces(table, "0705") == "axis-tank 6"
    assert [event.rule for event in table.said("destroyed")] == ["9.6"]


def test_9_6_thirteen_units(upkeep):
    """With more than twelve the opponent chooses among all kinds, trucks too; tokens count one and stay."""
    lines = "0709 axis-infantry 6, axis-tank 5, axis-truck 1, axis-supply 9\nfront 0709 0710"
    table = upkeep(lines)
    assert {text.split()[1] for text in table.choices("retreat")} == {
        f"axis-{kind}-0709" for kind in ("infantry", "tank", "truck")
    }
    assert table.refusal("remove axis-supply-0709") == ("9.6", "reduce-stack-first")
    table.play("retreat axis-truck-0709 0710")
    assert table.actor == "allied"
    table.play("done")
    assert pieces(table, "0709") == "axis-infantry 6, axis-tank 5, axis-supply 9"
    assert table.actor == "chance"


def test_9_6_kinds_above_their_own_limit_go_first(upkeep):
    """Four guns and eight infantry: guns or infantry leave, not the tank."""
    table = upkeep("0709 axis-infantry 8, axis-tank 1, axis-artillery 4\nfront 0709 0710 0809")
    assert {text.split()[1] for text in table.choices("retreat")} == {"axis-infantry-0709", "axis-artillery-0709"}


def test_9_6_limits_of_a_kind_and_of_the_hex_in_any_order(upkeep):
    """Seven infantry, six tanks, one gun: one infantry and another unit leave, whichever is named first."""
    table = upkeep("0709 axis-infantry 7, axis-tank 6, axis-artillery 1\nfront 0709 0710 0809")
    one = table.try_all("retreat axis-tank-0709 0809", "retreat axis-infantry-0709 0710")
    other = table.try_all("retreat axis-infantry-0709 0710", "retreat axis-tank-0709 0809")
    assert one.state.key() == other.state.key()
    tank = table.try_all("retreat axis-tank-0709 0809")
    assert {text.split()[1] for text in tank.choices("retreat")} == {"axis-infantry-0709"}
    assert tank.refusal("retreat axis-artillery-0709 0809") == ("9.6", "reduce-stack-first")


def test_9_6_who_was_destroyed_for_want_of_room_comes_back_with_it(upkeep):
    """Room for one of three: the others are destroyed; if the one is taken back, so are they."""
    ring = ("0505", "0803", "0905")
    lines = "0705 axis-infantry 8, axis-tank 7\n" + "\n".join(f"{h} allied-infantry 1" for h in ring)
    table = upkeep(f"{lines}\n0706 axis-infantry 5, axis-tank 5, axis-artillery 1")
    assert table.choices() == ["retreat axis-infantry-0705 0706", "retreat axis-tank-0705 0706"]
    saved = table.try_all("retreat axis-tank-0705 0706")
    assert saved.choices("remove") == ["remove axis-infantry-0705"]
    lost = saved.try_all("remove axis-infantry-0705", "remove axis-infantry-0705")
    assert lost.try_all("drop axis-infantry-0705", "remove axis-infantry-0705").state.key() == lost.state.key()
    assert lost.try_all("drop axis-tank-0706").state.key() == table.state.key()
    lost.play("done")
    assert pieces(lost, "0705") == "axis-infantry 6, axis-tank 6"
    assert [event.rule for event in lost.said("destroyed")] == ["9.6"]


def test_9_6_captures_can_overfill_a_hex(upkeep):
    """Six infantry and six tanks that take a truck are thirteen units."""
    table = upkeep("0705 axis-infantry 6, axis-tank 6, allied-truck 1").play("capture allied-truck-0705 1", "done")
    assert (table.actor, len(table.said("captured"))) == ("allied", 1)
    assert any(text.startswith("retreat axis-truck-0705") for text in table.choices())


def test_9_7_points_behind_the_line(upkeep):
    """St. Vith and Vielsalm are worth five together."""
    table = upkeep("0407 axis-tank 1\n0406 axis-tank 1")
    assert [event.args["n_points"] for event in table.said("points-counted")] == [5]
    again = upkeep("0407 axis-tank 1\n0406 allied-infantry 1\nfront 0406 0407")
    assert [event.args["n_points"] for event in again.said("points-counted")] == [3]


def test_9_8_the_turn_marker_moves_on(upkeep):
    """Hexes may attack again, and after the white turn the game is over."""
    table = upkeep("attacked 0709\n0709 axis-infantry 1", turn=2)
    assert (table.state.turn, table.state.attacked) == (3, 0)
    assert upkeep("0709 axis-infantry 1", turn=8).actor == "over"
