"""Target Arnhem: chapter 3, sequence."""

from __future__ import annotations

import pytest

from games.target_arnhem.positions import B, C, unit


def test_3_1_the_impulses_alternate_and_the_turn_ends_after_the_sixth(impulse):
    """Allied 1, German 1, Allied 2, German 2, Allied 3, German 3, next turn's supply roll."""
    table = impulse("allied", 1, "0103 5Gds\n1504 9SS/Aufkl")
    seen = []
    for _ in range(6):
        seen.append((table.actor, table.state.impulse))
        table.play("pass")
    assert seen == [(side, n) for n in (1, 2, 3) for side in ("allied", "german")]
    assert table.actor == "chance"
    assert table.state.turn == 4


def test_3_1_only_vehicles_act_in_the_third_impulse(impulse):
    """The guards' tanks may move, a foot brigade may not."""
    table = impulse("allied", 3, "0103 5Gds, 129")
    assert table.choices("move 5Gds")
    assert not table.choices("move 129")
    assert table.refusal("move 129 0203") == ("3.1", "vehicles-only")


def test_3_1_an_impulse_without_units_that_may_act_is_passed_over(impulse):
    """The Allies have foot units only, so their third impulse is skipped."""
    table = impulse("german", 2, "0103 129\n1504 9SS/Aufkl")
    table.play("pass")
    assert (table.actor, table.state.impulse) == ("german", 3)


def test_3_2_supply_points_are_a_die_and_a_half_rounded_up_and_one_for_ss_and_divisions(before):
    """A roll of 3 gives the Wehrmacht 5 points; SS 1; a division with a zone 1."""
    table = before("zone 82abn 1105\n0103 5Gds\n1504 9SS/Aufkl").play("roll 3")
    pools = dict(zip(("wehrmacht", "ss", "1abn", "82abn", "101abn"), table.state.pools, strict=False))
    assert pools == {"wehrmacht": 5, "ss": 1, "1abn": 0, "82abn": 1, "101abn": 0}


@pytest.mark.parametrize(("die", "points"), [(1, 2), (2, 3), (3, 5), (4, 6), (5, 8), (6, 9)])
def test_3_2_every_face_of_the_supply_roll(before, die, points):
    """One and a half times the die, rounded up."""
    assert before("1504 9SS/Aufkl").play(f"roll {die}").state.pools[0] == points


def test_3_2_out_of_supply_damage_comes_before_supply_and_reinforcements(before):
    """A unit cut off takes its point before the die is rolled; arrivals are asked last."""
    table = before("0103 5Gds\n1105 504\n1104 406\n1205 Henke\nwaiting 129, 59/A", turn=3)
    assert table.said("starves")
    assert table.state.damage[table.game.read("join 504")[1]] == 1
    assert table.actor == "chance"
    table.play("roll 1")
    assert table.choices() == ["arrive 129", "done"]
    table.play("arrive 129", "done")
    assert table.choices() == ["arrive 59/A", "done"]


def test_3_3_each_unit_acts_once_an_impulse_in_any_order(impulse):
    """A unit that has moved cannot recover or move again; the other still can."""
    table = impulse("allied", 1, "0103 5Gds damage=1, 32Gds")
    table.play("move 5Gds 0203")
    assert table.refusal("recover 5Gds xxx") == ("3.3", "acted-already")
    assert table.refusal("move 5Gds 0103") == ("3.3", "acted-already")
    assert table.choices("move 32Gds")


def test_3_3_a_new_impulse_makes_units_ready_again(impulse):
    """What acted in the first impulse acts again in the second."""
    table = impulse("allied", 1, "0103 5Gds\n1504 9SS/Aufkl").play("move 5Gds 0203", "pass", "pass")
    assert table.choices("move 5Gds")


def test_3_3_units_from_several_hexes_combine(impulse):
    """504 and 505 from different hexes attack 0903 in one combat."""
    table = impulse("allied", 1, f"{C} 504\n1004 505\n{B} 406")
    table.play(f"attack {B}", "join 504", "join 505", "resolve")
    assert table.actor == "chance"
    assert table.said("attacks")[0].args["units"] == (unit("504"), unit("505"))


def test_3_4_damage_equal_to_resistance_eliminates(before):
    """A cut-off unit of resistance 3 with two points of damage starves to death."""
    table = before("1105 504 damage=2\n1104 406\n1205 Henke")
    assert table.game.view.observe(table.state, "allied")["units"]["504"]["where"] == "eliminated"


def test_3_4_damage_does_not_lower_strength(impulse):
    """Two points of damage leave the strength as it was."""
    from salient.games.target_arnhem.combat import defence_strength

    whole = impulse("allied", 1, "0103 5Gds")
    hurt = impulse("allied", 1, "0103 5Gds damage=2")
    assert defence_strength(whole.state, 0) == defence_strength(hurt.state, 0) == 16


def test_3_5_three_units_a_hex_at_the_end_of_an_impulse_owner_chooses(impulse):
    """Five units in 0103: the owner names two of them in any order, changes his mind, and is done."""
    table = impulse("allied", 1, "0103 5Gds, 32Gds, 129, 130, 214").play("pass")
    assert table.actor == "allied"
    assert table.choices() == ["remove 5Gds", "remove 32Gds", "remove 129", "remove 214", "remove 130"]
    table.play("remove 130", "remove 5Gds")
    assert table.choices() == ["done", "drop 5Gds", "drop 130"]
    table.play("drop 5Gds", "remove 129", "done")
    where = table.game.view.observe(table.state, "allied")["units"]
    assert [where[u]["where"] for u in ("5Gds", "32Gds", "129", "214", "130")] == [
        "0103", "0103", "eliminated", "0103", "eliminated",
    ]  # fmt: skip


def test_3_5_the_excess_may_be_named_in_any_order(impulse):
    """Two orders, one position."""
    table = impulse("allied", 1, "0103 5Gds, 32Gds, 129, 130, 214").play("pass")
    one, other = table.try_all("remove 130", "remove 129"), table.try_all("remove 129", "remove 130")
    assert one.state.key() == other.state.key()
    assert one.try_all("drop 129", "drop 130").state.key() == table.state.key()


def test_3_5_there_is_no_limit_during_the_impulse_nor_in_areas(impulse):
    """Four Germans may gather in one area and stay."""
    table = impulse("german", 1, "H 9SS/Spindler, 9SS/Harzer, 10SS/Reinhold, 10SS/Brinkmann").play("pass")
    assert not table.said("removed-overstacked")
    assert table.actor != "german" or table.state.impulse != 1


def test_3_5_nobody_enters_a_hex_with_enemies(impulse):
    """0203 holds Germans."""
    table = impulse("allied", 1, "0103 5Gds\n0203 Hoffmann")
    assert table.refusal("move 5Gds 0203") == ("3.5", "enemy-in-hex")
