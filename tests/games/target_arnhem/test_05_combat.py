"""Target Arnhem: chapter 5, combat."""

from __future__ import annotations

from itertools import pairwise

import pytest

from games.target_arnhem.positions import GROUND, TABLES, A, B, C, unit, where
from salient.games.target_arnhem.combat import attack_strength, basic_column, final_column


def test_5_units_attack_a_touching_hex(impulse):
    """504 in 0904 may attack 0903; a unit two hexes off may not join."""
    table = impulse("allied", 1, f"{C} 504\n0805 505\n{B} 406")
    assert table.choices("attack") == [f"attack {B}"]
    table.play(f"attack {B}")
    assert table.choices("join") == ["join 504"]
    assert table.refusal("join 505") == ("5", "not-adjacent")


def test_5_no_attack_across_an_unbridged_river(impulse):
    """The Maas lies between 1003 and 1102."""
    table = impulse("allied", 1, "1003 504\n1102 406")
    assert not table.choices("attack")
    assert table.refusal("attack 1102") == ("5", "river-without-bridge")


def test_5_attack_across_a_bridge_and_across_a_canal(impulse):
    """Grave bridge, and the canal between 0703 and 0704."""
    assert impulse("allied", 1, "1004 504\n1104 406").choices("attack")
    assert impulse("allied", 1, "0703 504\n0704 406").choices("attack")


def test_5_a_hex_is_attacked_once_an_impulse(impulse):
    """After one attack the survivors are safe until the next impulse."""
    table = impulse("allied", 1, f"{C} 504\n1004 505\n{B} 406")
    table.play(f"attack {B}", "join 504", "resolve", "roll 5")
    assert not table.choices("attack")
    assert table.refusal(f"attack {B}") == ("5", "attacked-already")


def test_5_a_unit_attacks_once_an_impulse(impulse):
    """504 has fought 0903 and cannot fight 1004."""
    table = impulse("allied", 1, f"{C} 504\n{B} 406\n1004 Grave")
    table.play(f"attack {B}", "join 504", "resolve", "roll 5")
    assert table.refusal("attack 1004") == ("3.3", "acted-already")


def test_5_units_in_areas_do_not_attack(impulse):
    """A German in area B cannot attack Allies in 0701."""
    table = impulse("german", 1, "B 59/A\n0701 504")
    assert not table.choices("attack")


def test_5_all_units_in_a_hex_defend_together(impulse):
    """Two defenders of four make eight."""
    table = impulse("allied", 1, f"{C} 504\n{B} 406, 180")
    assert table.game.view.preview(table.state, table.game.read(f"attack {B}"))["odds"]["defence"] == 8


def test_5_attackers_are_named_in_any_order_and_taken_back(impulse):
    """Nothing is rolled before `resolve`; two orders make one position, and `cancel` leaves no trace."""
    table = impulse("allied", 1, f"{C} 504\n1004 505\n1005 508\n{B} 406")
    assert table.try_all(f"attack {B}", "join 505", "cancel").state.key() == table.state.key()
    one = table.try_all(f"attack {B}", "join 505", "join 504")
    assert one.actor == "allied"
    assert one.choices() == ["resolve", "drop 504", "drop 505", "cancel"]
    assert one.state.key() == table.try_all(f"attack {B}", "join 504", "join 505").state.key()
    assert one.try_all("drop 505").state.key() == table.try_all(f"attack {B}", "join 504").state.key()


@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [
        (12, 12, "1:1"),
        (12, 11, "1:1"),
        (11, 12, "1:2"),
        (24, 12, "2:1"),
        (23, 12, "3:2"),
        (100, 4, "6:1"),
        (1, 100, "1:3"),
    ],
)
def test_5_1_fractions_favour_the_defender_and_the_table_has_ends(attack, defence, column):
    """Odds are rounded down to a printed column, and no further than the first and the last."""
    assert TABLES.columns[basic_column(TABLES, attack, defence)] == column


def damage(table, name: str) -> int:
    return table.state.damage[unit(name)]


def test_5_2_low_rolls_are_good_for_the_attacker(impulse):
    """With the plain table a 1 hurts the defender, a 6 the attacker."""
    table = impulse("allied", 1, f"{C} 504\n{B} 406").play(f"attack {B}", "join 504", "resolve")
    assert damage(table.try_all("roll 2"), "406") == 2
    assert damage(table.try_all("roll 6"), "504") == 2


def test_5_2_a_lower_roll_is_never_worse_for_the_attacker():
    """In every column, from die to die."""
    for column in TABLES.combat:
        for (own, enemy), (own_then, enemy_then) in pairwise(column):
            assert own_then >= own
            assert enemy_then <= enemy


def test_5_2_the_owner_shares_out_damage(impulse):
    """Two points on two defenders: the German chooses, takes a point back, and is done; then it falls."""
    table = impulse("allied", 1, f"{C} 504\n{B} 406, 180").play(f"attack {B}", "join 504", "resolve", "roll 2")
    assert table.actor == "german"
    assert table.choices() == ["lose 406", "lose 180"]
    table.play("lose 180", "lose 180")
    assert table.choices() == ["done", "drop 180"]
    table.play("drop 180", "lose 406")
    assert (damage(table, "406"), damage(table, "180")) == (0, 0)
    table.play("done")
    assert (damage(table, "406"), damage(table, "180")) == (1, 1)


def test_5_2_damage_is_shared_out_in_any_order(impulse):
    """Two orders, one position; all taken back, the position before; what is laid on a unit is seen on it."""
    table = impulse("allied", 1, f"{C} 504\n{B} 406, 180").play(f"attack {B}", "join 504", "resolve", "roll 2")
    one, other = table.try_all("lose 180", "lose 406"), table.try_all("lose 406", "lose 180")
    assert one.state.key() == other.state.key()
    assert one.try_all("drop 406", "drop 180").state.key() == table.state.key()
    assert one.game.view.observe(one.state, "allied")["units"]["406"]["badges"] == [{"key": "damage", "n": 1}]


def test_5_2_no_unit_takes_more_than_its_resistance(impulse):
    """Three points on units with one and two points of room left kill both without a choice."""
    table = impulse("allied", 1, f"{C} 504\n{B} 406 damage=2, 180 damage=1")
    table.play(f"attack {B}", "join 504", "resolve", "roll 1")
    assert where(table, "406") == where(table, "180") == "eliminated"


def test_5_2_no_unit_is_given_more_than_its_resistance(impulse):
    """Three points, one point of room in 180: it takes one of them, first or last."""
    table = impulse("allied", 1, f"{C} 504\n{B} 406, 180 damage=2").play(f"attack {B}", "join 504", "resolve", "roll 1")
    assert table.choices() == ["lose 406", "lose 180"]
    table.play("lose 180")
    assert table.refusal("lose 180") == ("5.2", "takes-no-more")
    table.play("lose 406", "lose 406", "done")
    assert (where(table, "180"), damage(table, "406")) == ("eliminated", 2)


def test_5_2_excess_damage_is_ignored(impulse):
    """Three points on a unit with one point of room: it dies, nothing else happens."""
    table = impulse("allied", 1, f"{C} 504\n{B} 406 damage=2").play(f"attack {B}", "join 504", "resolve", "roll 1")
    assert where(table, "406") == "eliminated"


def test_5_2_attackers_may_advance_into_a_cleared_hex(impulse):
    """Each attacker may advance or stay, named in any order and taken back; others may not."""
    table = impulse("allied", 1, f"{C} 504\n1004 505\n1005 508\n{B} 406 damage=2")
    table.play(f"attack {B}", "join 504", "join 505", "resolve", "roll 3")
    assert table.choices() == ["advance 504", "advance 505", "done"]
    assert (
        table.try_all("advance 505", "advance 504").state.key()
        == table.try_all("advance 504", "advance 505").state.key()
    )
    table.play("advance 505", "advance 504", "drop 505", "done")
    assert (where(table, "504"), where(table, "505")) == (B, "1004")


def test_5_2_nobody_need_advance(impulse):
    """Done with nobody named: the hex stays empty."""
    table = impulse("allied", 1, f"{C} 504\n{B} 406 damage=2")
    table.play(f"attack {B}", "join 504", "resolve", "roll 3", "done")
    assert where(table, "504") == C


def test_5_2_there_is_no_advance_while_defenders_live(impulse):
    """One of two defenders survives: the impulse goes on at once."""
    table = impulse("allied", 1, f"{C} 504\n{B} 406 damage=2, 180")
    table.play(f"attack {B}", "join 504", "resolve", "roll 3", "lose 406", "done")
    assert where(table, "406") == "eliminated"
    assert table.choices("pass")
    assert not table.choices("advance")


def test_5_2_an_attacker_that_dies_does_not_advance(impulse):
    """Both sides lose a point, both die: nobody is left to advance."""
    table = impulse("allied", 1, f"{C} 504 damage=2\n{B} 406 damage=2").play(
        f"attack {B}", "join 504", "resolve", "roll 4"
    )
    assert where(table, "504") == where(table, "406") == "eliminated"
    assert not table.choices("advance")


def hex_(label: str) -> int:
    return GROUND.board.index[label]


def test_5_3_halved_over_a_bridge_and_over_a_canal(impulse):
    """Over the bridge at Veghel, over the canal, over the Grave bridge: half; over open ground: whole."""
    table = impulse("allied", 1, f"{A} 501, 502\n0703 506\n1004 504\n{C} 505\n0103 5Gds")
    assert attack_strength(table.state, unit("501"), hex_(B)) == 8
    assert attack_strength(table.state, unit("506"), hex_("0704")) == 8
    assert attack_strength(table.state, unit("504"), hex_("1104")) == 8
    assert attack_strength(table.state, unit("505"), hex_(B)) == 16


def test_5_3_halving_is_cumulative(impulse):
    """Over the Grave bridge and out of supply: a quarter."""
    table = impulse("allied", 1, "1004 504\n1104 406\n0903 180\n1003 HG\n1005 Becker\n0904 Tettau")
    assert attack_strength(table.state, unit("504"), hex_("1104")) == 4


@pytest.mark.parametrize(("target", "shift"), [("0902", -1), ("0803", -1), ("0904", 0)])
def test_5_3_forest_and_town_shift_one_column_left(impulse, target, shift):
    """Forest 0902, town 0803, open 0904."""
    table = impulse("allied", 1, f"0903 504, 505\n{target} 406\n0103 5Gds")
    plain = basic_column(TABLES, *(sum(x) for x in ([16, 16] if target != "0803" else [8, 8], [16])))
    assert final_column(table.state, (unit("504"), unit("505")), hex_(target), False) == plain + shift


def test_5_3b_bombardment_costs_a_point_and_shifts_one_column_right(impulse):
    """German: a Wehrmacht point, one column."""
    table = impulse("german", 1, f"{C} 406\n{B} 504").play(f"attack {B}", "join 406")
    before = final_column(table.state, (unit("406"),), hex_(B), False)
    table.play("bombard wehrmacht")
    assert table.state.pools[0] == 4
    assert table.state.stack[-1].column == before + 1


def test_5_3b_the_allies_need_a_supplied_mechanized_attacker(impulse):
    """Paratroops alone do not bombard; with the Guards' tanks they do, at no cost that is counted."""
    lines = f"{C} 504\n1004 5Gds\n{B} 406"
    alone = impulse("allied", 1, lines).play(f"attack {B}", "join 504")
    assert alone.refusal("bombard xxx") == ("5.3b", "bombardment-needs-mechanized")
    together = impulse("allied", 1, "0203 504\n0103 5Gds\n0303 406").play("attack 0303", "join 504")
    assert not together.choices("bombard")
    tanks = impulse("allied", 1, "0203 5Gds\n0303 406").play("attack 0303", "join 5Gds")
    assert tanks.choices("bombard") == ["bombard xxx"]


def test_5_3b_a_mechanized_attacker_out_of_supply_does_not_bombard(impulse):
    """5th Guards cut off by Germans on every road."""
    table = impulse("allied", 1, "0904 5Gds\n0903 406\n1004 180\n1005 HG\n0804 Becker\n0805 Tettau\n0905 59/A")
    table.play("attack 0903", "join 5Gds")
    assert table.refusal("bombard xxx") == ("5.3b", "bombardment-needs-mechanized")


def test_5_3b_and_7_4_wehrmacht_units_do_not_spend_ss_points(impulse):
    """A Wehrmacht attack offers German points only, an SS attack both."""
    army = impulse("german", 1, f"{C} 406\n{B} 504").play(f"attack {B}", "join 406")
    assert army.choices("bombard") == ["bombard wehrmacht"]
    assert army.refusal("bombard ss") == ("7.4", "pool-not-usable")
    ss = impulse("german", 1, f"{C} Knaust\n{B} 504").play(f"attack {B}", "join Knaust")
    assert ss.choices("bombard") == ["bombard wehrmacht", "bombard ss"]


def test_5_4_a_fortified_unit_that_moves_is_turned_over(impulse):
    """Henke leaves Nijmegen and his fortification for good."""
    table = impulse("german", 1, "1205 Henke fortified").play("move Henke 1204")
    assert not any(table.state.fortified)


def test_5_4_a_fortified_unit_absorbs_the_first_point_and_flips(impulse):
    """Two points on Henke: the first costs the fortification, the second damages him."""
    table = impulse("allied", 1, "1105 504\n1205 Henke fortified").play("attack 1205", "join 504", "resolve", "roll 2")
    assert table.state.fortified[unit("Henke")] == 0
    assert damage(table, "Henke") == 1


def test_5_4_the_first_point_falls_on_the_fortified_unit_whoever_stands_beside(impulse):
    """One point on Henke and a friend: no choice, the fortification takes it."""
    table = impulse("allied", 1, "1105 504\n1205 Henke fortified, 406").play(
        "attack 1205", "join 504", "resolve", "roll 3"
    )
    assert table.state.fortified[unit("Henke")] == 0
    assert damage(table, "Henke") == damage(table, "406") == 0


def test_5_4_of_two_fortified_units_the_owner_chooses_one(impulse):
    """Two points: one flips, the other stays fortified and may be damaged."""
    table = impulse("allied", 1, "0903 504\n0904 Henke fortified, Krafft fortified")
    table.play("attack 0904", "join 504", "resolve", "roll 2")
    assert table.choices() == ["flip Henke", "flip Krafft"]
    table.play("flip Krafft")
    assert table.choices() == ["lose Henke", "lose Krafft"]
    assert table.state.fortified[unit("Henke")] == 1


def test_5_4_a_result_without_damage_leaves_the_fortification(impulse):
    """A roll of 5 hurts only the attacker."""
    table = impulse("allied", 1, "1105 504\n1205 Henke fortified").play("attack 1205", "join 504", "resolve", "roll 5")
    assert table.state.fortified[unit("Henke")] == 1


def test_5_4_a_fortification_does_not_absorb_in_attack(impulse):
    """Henke attacks out of Nijmegen and takes his own damage; he stays fortified since he has not moved."""
    table = impulse("german", 1, "1105 504\n1205 Henke fortified").play(
        "attack 1105", "join Henke", "resolve", "roll 5"
    )
    assert damage(table, "Henke") == 1
    assert table.state.fortified[unit("Henke")] == 1


def test_5_4_advancing_is_moving(impulse):
    """Henke clears 1105, advances, and leaves his fortification."""
    table = impulse("german", 1, "1105 504 damage=2\n1205 Henke fortified")
    table.play("attack 1105", "join Henke", "resolve", "roll 3", "advance Henke", "done")
    assert table.state.fortified[unit("Henke")] == 0
