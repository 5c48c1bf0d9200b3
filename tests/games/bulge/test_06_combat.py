"""Chapter 6: ground combat."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from games.bulge.conftest import pieces, position, throw
from salient.games.bulge.strips import effect_of, odds, square_count, weights
from salient.games.bulge.strips import throw as throw_dice
from salient.kernel import SeededDice
from table import Table

DUEL = "0806 axis-infantry 2, axis-supply 2\n0805 allied-infantry 1, allied-supply 2"


def test_6_1_initiative_by_dice_from_turn_2() -> None:
    """Ties again; the higher attacks first."""
    table = throw(position(DUEL, "Turn(4) GroundInitiative()"), 4, 4, 2, 11)
    assert table.actor == "allied"


def test_6_2_the_allies_do_not_attack_on_turn_1(combat: Callable[..., Table]) -> None:
    """After the Axis has attacked, it has the initiative again."""
    table = combat("axis", DUEL + "\n0707 axis-infantry 1, axis-supply 1\n0706 allied-infantry 1", turn=1)
    table.play("attack 0806 0805", "resolve", "roll 0 0 0 0 0 0 0 0")
    assert table.actor == "axis"


def test_6_3_a_hex_attacks_once_a_turn(combat: Callable[..., Table]) -> None:
    """Its token could pay again, but it has attacked."""
    table = combat("axis", DUEL + "\n0706 axis-infantry 1, axis-supply 1")
    assert table.refusal("attack 0805 0806") == ("6.3", "nobody-to-attack-with")
    table.play("attack 0806 0805", "resolve", "roll 0 0 0 0 0 0 0 0", "pass")
    assert table.actor == "axis"
    assert table.refusal("attack 0806 0805") == ("6.3", "has-attacked")


def test_6_4_any_adjacent_enemy_pieces_are_a_target(combat: Callable[..., Table]) -> None:
    """Trucks and supply as well; not hexes further off, not empty ones."""
    table = combat("axis", "0806 axis-infantry 1, axis-supply 1\n0805 allied-truck 1\n0804 allied-infantry 1")
    assert table.choices("attack") == ["attack 0806 0805"]
    assert table.refusal("attack 0806 0804") == ("6.4", "not-adjacent")
    assert table.refusal("attack 0806 0706") == ("6.4", "no-enemy-there")


def test_6_5_tokens_of_the_hex_or_next_to_it_behind_the_line(combat: Callable[..., Table]) -> None:
    """0807 is Allied, 0709 not adjacent, 0707 holds an enemy truck: only the hex itself pays."""
    lines = """
    front 0707 0708 0709 0806
    0806 axis-infantry 1
    0807 axis-supply 1
    0707 axis-supply 1, allied-truck 1
    0805 allied-infantry 1
    """
    table = combat("axis", lines + "0808 axis-infantry 1, axis-supply 1\n0908 allied-infantry 1")
    assert table.refusal("attack 0806 0805") == ("6.5", "no-supply-to-attack")
    pays = combat("axis", lines.replace(", allied-truck 1", "") + "0706 axis-supply 1").play("attack 0806 0805")
    assert table.choices("pay") == []
    assert pieces(pays, "0707") == ""
    choose = combat(
        "axis", "0806 axis-infantry 1, axis-supply 1\nfront 0806 0707\n0707 axis-supply 1\n0805 allied-truck 1"
    )
    assert choose.play("attack 0806 0805").choices() == ["pay 0707", "pay 0806", "cancel"]
    assert choose.refusal("pay 0805") == ("6.5", "no-supply-there")


def test_6_5_all_attacks_of_a_hex_before_the_initiative_passes(combat: Callable[..., Table]) -> None:
    """Two battles are fought one after the other, then the other side attacks."""
    lines = "0806 axis-infantry 2, axis-supply 2\n0805 allied-infantry 1, allied-supply 1\n0706 allied-truck 1"
    table = combat("axis", lines).play("attack 0806 0706", "attack 0806 0805")
    table.play("send axis-infantry-0806 0805 1", "resolve", "fight 0805", "roll 0 0 0 0 0 0 0 0")
    assert table.actor == "chance"
    table.play("roll 0 0 0 0 0 0 1 0")
    assert table.actor == "allied"


def test_6_6_all_supply_takes_one_square() -> None:
    """Two infantry, a truck and five tokens are four squares."""
    assert square_count((2, 0, 0, 1, 5)) == 4


def test_6_7_units_may_be_held_back(combat: Callable[..., Table]) -> None:
    """One infantry of two rolls one die; not all can be held back."""
    table = combat("axis", DUEL).play("attack 0806 0805")
    assert table.choices() == ["hold axis-infantry-0806 1", "resolve", "cancel"]
    table.play("hold axis-infantry-0806 1", "resolve")
    assert table.state.stack[-1].dice == 1


@pytest.mark.parametrize(
    ("squares", "hits", "effect"),
    [
        ((2, 1, 0, 0, 0), [1, 0, 2], (0, 1, 1, 0, 0, 0, 0, 0)),
        ((1, 0, 1, 2, 3), [3, 1, 1, 2, 2], (1, 0, 0, 0, 0, 1, 2, 2)),
        ((0, 0, 0, 0, 2), [5], (0, 0, 0, 0, 0, 0, 0, 2)),
    ],
)
def test_6_9_hits_and_their_effect(squares: tuple[int, ...], hits: list[int], effect: tuple[int, ...]) -> None:
    """One hit retreats, two destroy, trucks and tokens die at one, the rest is lost."""
    assert effect_of(squares, hits) == effect


def test_6_8_numbers_wrap_over_the_squares() -> None:
    """On four squares the faces 5 and 6 fall on the first two again."""
    assert weights(4) == ((2, 2, 1, 1), 6)


def test_6_8_odds_are_exact() -> None:
    """Two dice against one infantry: two hits destroy, one makes it retreat."""
    table = {effect[:2]: share for effect, share in odds(2, (1, 0, 0, 0, 0))}
    assert table == {(0, 0): Fraction(1, 4), (0, 1): Fraction(1, 2), (1, 0): Fraction(1, 4)}


def test_6_8_odds_agree_with_rolled_dice() -> None:
    """Six dice against nine pieces: the average over many rolls is near the exact one."""
    squares = (3, 3, 2, 1, 2)
    exact = sum(float(share) * effect[0] for effect, share in odds(6, squares))
    dice = SeededDice(1)
    rolls = [effect_of(squares, throw_dice(6, square_count(squares), dice))[0] for _ in range(4000)]
    assert abs(sum(rolls) / len(rolls) - exact) < 0.02
    assert sum(share for _, share in odds(6, squares)) == 1


def test_6_10_destroyed_pieces_leave_the_game(combat: Callable[..., Table]) -> None:
    """Nothing of them is anywhere."""
    table = combat("axis", DUEL).play("attack 0806 0805", "resolve", "roll 1 0 0 0 0 0 0 0")
    assert "allied-infantry" not in table.game.write_position(table.state)


def test_6_11_no_way_to_retreat_destroys(combat: Callable[..., Table]) -> None:
    """All neighbours of Martelange lie in Axis zones."""
    lines = DUEL + "\n0704 axis-infantry 1\n0904 axis-infantry 1"
    table = combat("axis", lines).play("attack 0806 0805", "resolve", "roll 0 1 0 0 0 0 0 0")
    assert [event.rule for event in table.said("destroyed")] == ["6.11"]


def test_6_11_guns_do_not_retreat_over_a_river(combat: Callable[..., Table]) -> None:
    """From Clervaux the bridge of Dasburg is the only way over the Our, and full hexes take nobody."""
    lines = """
    0606 axis-artillery 1
    0605 allied-infantry 1, allied-supply 1
    0707 axis-infantry 6, axis-tank 6
    0507 axis-artillery 3
    0607 axis-artillery 2
    """
    table = combat("allied", lines).play("attack 0605 0606", "resolve", "roll 0 0 0 0 0 1 0 0")
    assert pieces(table, "0607") == "axis-artillery 3"


def test_6_11_beyond_the_line_and_onto_enemy_supply(combat: Callable[..., Table]) -> None:
    """An enemy-controlled city with enemy trucks only is open if no enemy combat unit is next to it."""
    lines = "0706 axis-infantry 1\n0707 allied-infantry 1, allied-supply 1\n0705 allied-truck 1"
    table = combat("allied", lines).play("attack 0707 0706", "resolve", "roll 0 1 0 0 0 0 0 0")
    assert "retreat axis-infantry-0706 0705" in table.choices("retreat")
    assert table.actor == "axis"
    assert table.refusal("retreat axis-infantry-0706 0806") == ("6.11", "retreat-into-zone")


def test_6_12_two_passes_end_the_phase(combat: Callable[..., Table]) -> None:
    """The side that passed attacks again after the other has attacked."""
    table = combat("axis", DUEL + "\n0806 axis-infantry 2, axis-supply 2").play("pass")
    assert table.actor == "allied"
    again = table.try_all("attack 0805 0806", "resolve", "roll 0 0 0 0 0 0 0 0")
    assert again.actor == "axis"
    assert again.choices("attack") == ["attack 0806 0805"]
    assert table.play("pass").game.heading(table.state) == "Turn 2, axis movement"


def test_6_13_spent_tokens_are_removed(combat: Callable[..., Table]) -> None:
    """One token of two is left."""
    table = combat("axis", DUEL).play("attack 0806 0805", "resolve")
    assert pieces(table, "0806") == "axis-infantry 2, axis-supply 1"


def test_6_14_more_than_twelve_dice(combat: Callable[..., Table]) -> None:
    """Six tanks and three guns roll twenty-one."""
    table = combat("axis", "0806 axis-tank 6, axis-artillery 3, axis-supply 1\n0805 allied-infantry 1")
    assert table.play("attack 0806 0805", "resolve").state.stack[-1].dice == 21
    assert throw(table, *([9] * 21)).said("no-effect")


def test_6_15_seven_squares_need_a_second_roll() -> None:
    """Each of seven squares is reached by one or two of twelve faces."""
    assert weights(7) == ((2, 2, 2, 2, 2, 1, 1), 12)
