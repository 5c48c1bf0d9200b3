"""Battle of the Bulge: chapter 6, combat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

from games.bulge.positions import number, pieces, position, throw
from salient import step
from salient.games.bulge import strips
from salient.games.bulge.model import counts
from salient.games.bulge.retreats import Retreat
from salient.games.bulge.strips import effect_of, odds, square_count, weights
from salient.games.bulge.strips import throw as throw_dice
from salient.kernel import ScriptedDice, SeededDice, candidates
from table import Table

LINE = "0806 axis-infantry 2, axis-tank 2, axis-supply 3\n0805 allied-infantry 1, allied-supply 2\n0706 allied-truck 1"


def test_6_1_the_axis_begins_with_the_higher_die():
    """The first die is the Axis's."""
    assert throw(position(LINE, "Turn(ground-combat) GroundInitiative()"), 9, 2).actor == "axis"


DUEL = "0806 axis-infantry 2, axis-supply 2\n0805 allied-infantry 1, allied-supply 2"


def test_6_1_initiative_by_dice_from_turn_2() -> None:
    """Ties again; the higher attacks first."""
    table = throw(position(DUEL, "Turn(ground-combat) GroundInitiative()"), 4, 4, 2, 11)
    assert table.actor == "allied"


def test_6_2_surprise_needs_no_dice(upkeep):
    """On turn 1 the Axis begins without a roll; on turn 2 dice decide."""
    assert upkeep("0806 axis-infantry 1", turn=1).actor == "chance"
    table = position(LINE, "Turn(ground-combat) Initiative(1,0) Combat(1)", 1)
    assert table.refusal("attack 0805 0806") == ("6.2", "surprised")
    assert table.choices() == ["pass"]


def test_6_2_the_allies_do_not_attack_on_turn_1(combat: Callable[..., Table]) -> None:
    """After the Axis has attacked, it has the initiative again."""
    table = combat("axis", DUEL + "\n0707 axis-infantry 1, axis-supply 1\n0706 allied-infantry 1", turn=1)
    table.play("attack 0806 0805", "resolve", "roll 0 0 0 0 0 0 0 0")
    assert table.actor == "axis"


def test_6_3_a_retreated_unit_attacks_from_its_new_hex(combat):
    """Hexes are barred from attacking again, not units."""
    duel = "0806 axis-infantry 1, axis-supply 1\n0805 allied-infantry 1, allied-supply 1"
    table = combat("allied", f"{duel}\n0804 allied-supply 1\n0803 axis-truck 1")
    table.play("attack 0805 0806", "pay 0805", "resolve", "roll 0 0 0 0 0 0 0 0")
    table.play("attack 0806 0805", "resolve", "roll 0 1 0 0 0 0 0 0", "retreat allied-infantry-0805 0804", "done")
    assert table.choices("attack") == ["attack 0804 0803"]


def test_6_3_a_hex_attacks_once_a_turn(combat: Callable[..., Table]) -> None:
    """Its token could pay again, but it has attacked."""
    table = combat("axis", DUEL + "\n0706 axis-infantry 1, axis-supply 1")
    assert table.refusal("attack 0805 0806") == ("6.3", "nobody-to-attack-with")
    table.play("attack 0806 0805", "resolve", "roll 0 0 0 0 0 0 0 0", "pass")
    assert table.actor == "axis"
    assert table.refusal("attack 0806 0805") == ("6.3", "has-attacked")


def test_6_4_several_targets_in_any_order(combat):
    """Targets and who goes where are named in any order before any die is rolled; two orders, one position."""
    table = combat("axis", LINE)
    one = table.try_all(
        "attack 0806 0805", "attack 0806 0706", "send axis-infantry-0806 0805 1", "hold axis-tank-0806 1"
    )
    other = table.try_all(
        "attack 0806 0706", "hold axis-tank-0806 1", "attack 0806 0805", "send axis-infantry-0806 0805 1"
    )
    assert one.state.key() == other.state.key()
    assert one.try_all("cancel").state.key() == table.state.key()
    assert one.actor == "axis"
    one.play("resolve", "fight 0805")
    assert one.state.stack[-1].dice == 1
    one.play("roll 0 0 0 0 0 0 0 0")
    assert (one.state.stack[-1].target, one.state.stack[-1].dice) == (number("0706"), 3)
    assert pieces(one, "0806") == "axis-infantry 2, axis-tank 2, axis-supply 1"


def test_6_4_every_target_is_attacked_by_somebody(combat):
    """A second target without units cannot be resolved; who is sent can be taken back."""
    table = combat("axis", LINE).play("attack 0806 0706", "attack 0806 0805")
    assert table.refusal("resolve") == ("6.4", "target-without-attackers")
    assert table.refusal("attack 0806 0706") == ("6.4", "target-already")
    assert table.refusal("attack 0806 0807") == ("6.4", "no-enemy-there")
    assert table.refusal("attack 0805 0706") == ("6.7", "finish-attack-first")
    assert table.refusal("send axis-tank-0806 0706 1") == ("6.4", "no-target-to-send-at")
    assert table.refusal("send axis-tank-0806 0805 3") == ("6.7", "cannot-send")
    assert table.refusal("drop axis-tank-0806") == ("6.7", "not-named")
    sent = table.try_all("send axis-tank-0806 0805 2")
    assert sent.try_all("drop axis-tank-0806").state.key() == table.state.key()
    sent.play("resolve")
    assert sent.refusal("fight 0807") == ("6.4", "no-battle-there")
    assert sent.refusal("pass") == ("6.4", "choose-battle-first")
    sent.play("fight 0805")
    assert sent.state.stack[-1].dice == 4


def test_6_4_a_unit_for_every_target(combat):
    """Two infantry and two targets: none can be held back, and whoever holds one back first is told so."""
    lines = "0806 axis-infantry 2, axis-supply 3\n0805 allied-infantry 1\n0706 allied-infantry 1"
    table = combat("axis", lines).play("attack 0806 0805", "hold axis-infantry-0806 1")
    assert table.refusal("attack 0806 0706") == ("6.7", "nobody-left-to-send")
    table.play("drop axis-infantry-0806", "attack 0806 0706", "send axis-infantry-0806 0805 1", "resolve")
    assert table.choices() == ["fight 0706", "fight 0805"]


def test_6_4_programs_fill_a_target_that_they_passed_over(combat):
    """Whatever a program sends where, the next action fills a target: it never goes round in circles."""
    lines = LINE + "\n0906 allied-truck 1"
    table = combat("axis", lines).play("attack 0806 0706", "attack 0806 0805", "attack 0806 0906")
    table.play("send axis-tank-0806 0906 1")
    assert {action[2] for action in candidates(table.state)} == {number("0805")}


def test_6_4_units_held_back_stay_out(combat):
    """Resolving rolls the dice of those that attack."""
    table = combat("axis", LINE).play("attack 0806 0706", "hold axis-infantry-0806 2", "resolve")
    assert (table.state.stack[-1].target, table.state.stack[-1].dice) == (number("0706"), 4)


def test_6_4_a_target_is_taken_back(combat):
    """Of three targets any one, the first too, with its token; its units join those at the first."""
    lines = LINE + "\n0906 allied-truck 1"
    table = combat("axis", lines)
    three = table.try_all(
        "attack 0806 0706", "attack 0806 0805", "attack 0806 0906", "send axis-tank-0806 0805 1"
    ).try_all("send axis-infantry-0806 0906 1")
    assert three.choices("drop") == [
        "drop axis-infantry-0806", "drop axis-tank-0806", "drop 0706", "drop 0805", "drop 0906",
    ]  # fmt: skip
    two = table.try_all("attack 0806 0706", "attack 0806 0805", "send axis-tank-0806 0805 1")
    assert three.try_all("drop 0906").state.key() == two.state.key()
    one = three.try_all("drop 0706", "drop 0906")
    assert one.state.key() == table.try_all("attack 0806 0805").state.key()
    assert one.refusal("drop 0805") == ("6.4", "only-target")
    assert two.refusal("drop 0906") == ("6.4", "not-named")
    assert one.try_all("cancel").state.key() == table.state.key()


def test_6_4_any_adjacent_enemy_pieces_are_a_target(combat: Callable[..., Table]) -> None:
    """Trucks and supply as well; not hexes further off, not empty ones."""
    table = combat("axis", "0806 axis-infantry 1, axis-supply 1\n0805 allied-truck 1\n0804 allied-infantry 1")
    assert table.choices("attack") == ["attack 0806 0805"]
    assert table.refusal("attack 0806 0804") == ("6.4", "not-adjacent")
    assert table.refusal("attack 0806 0706") == ("6.4", "no-enemy-there")


def test_6_5_every_target_costs_a_token(combat):
    """Without a second token no second target is offered; what is cancelled costs nothing."""
    one = LINE.replace("axis-supply 3", "axis-supply 1")
    table = combat("axis", one).play("attack 0806 0706", "hold axis-tank-0806 2")
    assert not table.choices("attack")
    assert table.refusal("attack 0806 0805") == ("6.5", "no-supply-to-attack")
    assert pieces(table.try_all("cancel"), "0806").endswith("axis-supply 1")
    assert table.play("resolve").actor == "chance"


def test_6_5_payments_for_several_targets_in_any_order(combat):
    """Tokens of two hexes, two targets: what is paid is the same whatever the order; paying rolls no die."""
    lines = LINE.replace("axis-supply 3", "axis-supply 1") + "\n0807 axis-supply 1\nfront 0806 0807"
    table = combat("axis", lines)
    one = table.try_all("attack 0806 0805", "pay 0807", "attack 0806 0706", "pay 0806")
    other = table.try_all("attack 0806 0706", "pay 0806", "attack 0806 0805", "pay 0807")
    assert one.state.key() == other.state.key()
    assert one.try_all("cancel").state.key() == table.state.key()
    assert table.try_all("attack 0806 0805", "cancel").state.key() == table.state.key()


def test_6_5_a_payment_is_taken_back(combat):
    """Until the attack is resolved another hex may pay; the attack goes on without paying twice."""
    lines = LINE.replace("axis-supply 3", "axis-supply 1") + "\n0807 axis-supply 2\nfront 0806 0807"
    table = combat("axis", lines)
    paid = table.try_all("attack 0806 0805", "pay 0806", "hold axis-tank-0806 1")
    owing = paid.try_all("drop axis-supply-0806")
    assert owing.refusal("resolve") == ("6.5", "pay-first")
    assert owing.try_all("pay 0806").state.key() == paid.state.key()
    again = owing.try_all("attack 0806 0706", "pay 0807", "pay 0807")
    assert again.refusal("pay 0806") == ("6.5", "all-is-paid")
    other = table.try_all("attack 0806 0706", "attack 0806 0805", "hold axis-tank-0806 1", "pay 0807", "pay 0807")
    assert again.state.key() == other.state.key()
    assert pieces(again, "0807") == ""
    assert pieces(again.try_all("drop 0706"), "0807") == "axis-supply 1"
    assert again.refusal("drop axis-supply-0806") == ("6.7", "not-named")


def test_6_5_water_does_not_hinder_attack_or_payment(combat):
    """Across the Our from Dasburg to Burg-Reuland, with a token from across it."""
    lines = "front 0607 0508\n0607 axis-infantry 1\n0508 axis-supply 1\n0507 allied-infantry 1"
    table = combat("axis", lines).play("attack 0607 0507", "resolve")
    assert (table.state.stack[-1].dice, pieces(table, "0508")) == (1, "")


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


def test_6_7_holding_back(combat):
    """Kinds in any order, another number replaces the first; one unit at least attacks."""
    table = combat("axis", LINE).play("attack 0806 0805", "hold axis-tank-0806 1")
    assert table.choices("hold") == ["hold axis-infantry-0806 1", "hold axis-infantry-0806 2", "hold axis-tank-0806 2"]
    other = combat("axis", LINE).play("attack 0806 0805", "hold axis-infantry-0806 2", "hold axis-tank-0806 1")
    table.play("hold axis-infantry-0806 1", "hold axis-infantry-0806 2")
    assert table.state.key() == other.state.key()
    assert table.refusal("hold axis-tank-0806 2") == ("6.7", "cannot-hold")
    assert table.refusal("pass") == ("6.7", "finish-attack-first")
    assert table.play("drop axis-infantry-0806", "resolve").state.stack[-1].dice == 4


@pytest.mark.parametrize(("face", "effect"), [(6, "roll 0 1 0 0 0 0 0 0"), (7, "roll 0 0 0 0 0 0 0 0")])
def test_6_7_six_or_less_hits(face, effect):
    """One die against one infantry."""
    table = position("0805 allied-infantry 1", f"Turn(ground-combat) BattleRoll(0,{number('0805')},1)")
    frame = table.state.stack[-1]
    assert table.game.write(frame.sample(table.state, ScriptedDice([face]))) == effect


def test_6_7_units_may_be_held_back(combat: Callable[..., Table]) -> None:
    """One infantry of two rolls one die; not all can be held back."""
    table = combat("axis", DUEL).play("attack 0806 0805")
    assert table.choices() == ["hold axis-infantry-0806 1", "resolve", "cancel"]
    table.play("hold axis-infantry-0806 1", "resolve")
    assert table.state.stack[-1].dice == 1


def laid_by_hand(squares: tuple[int, ...], faces: tuple[int, ...]) -> tuple[int, ...]:
    """Lay dice on squares one by one, as at the table."""
    kinds = [kind for kind in range(4) for _ in range(squares[kind])] + [4] * (squares[4] > 0)
    hits = Counter((face - 1) % len(kinds) for face in faces)
    lost = [0] * 8
    for square, kind in enumerate(kinds):
        if kind < 3:
            lost[2 * kind] += hits[square] >= 2
            lost[2 * kind + 1] += hits[square] == 1
        elif kind == 3:
            lost[6] = min(squares[3], lost[6] + hits[square])
        else:
            lost[7] += min(squares[4], hits[square])
    return tuple(lost)


@pytest.mark.parametrize(
    "squares", [(1, 0, 0, 0, 0), (1, 1, 0, 1, 2), (2, 1, 1, 0, 1), (0, 0, 0, 2, 0), (2, 2, 1, 1, 0)]
)
def test_6_8_odds_of_few_squares_by_every_throw(squares):
    """Three dice over up to six squares: all 12 x 12 x 12 throws, one by one."""
    found: Counter[tuple[int, ...]] = Counter()
    for faces in product(range(1, 13), repeat=3):
        found[laid_by_hand(squares, tuple(face for face in faces if face <= 6))] += 1
    exact = {effect: share for effect, share in strips.odds(3, squares) if share}
    assert exact == {effect: Fraction(n, 12**3) for effect, n in found.items()}


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


def test_6_9_extra_hits_are_lost(combat):
    """Five hits on one infantry and its truck: both are gone, nothing else."""
    table = position(
        "0805 allied-infantry 1, allied-truck 1\n0804 allied-infantry 1",
        f"Turn(ground-combat) BattleRoll(0,{number('0805')},5)",
    )
    throw(table, 1, 1, 3, 2, 4)
    assert pieces(table, "0805") == ""
    assert pieces(table, "0804") == "allied-infantry 1"


def test_6_9_each_hit_on_trucks_takes_a_truck():
    """Two hits on the first square of three trucks destroy two of them; the strips show it."""
    table = position("0805 allied-truck 3", f"Turn(ground-combat) BattleRoll(0,{number('0805')},2)")
    shown = table.game.view.show_roll(table.state, [1, 4])["rows"][0]["squares"]
    assert [square["result"] for square in shown] == ["square-destroyed", "square-destroyed", ""]
    throw(table, 1, 4)
    assert pieces(table, "0805") == "allied-truck 1"


def test_6_9_each_hit_on_supply_takes_a_token():
    """Three hits on the square of five tokens leave two."""
    table = position("0805 allied-supply 5", f"Turn(ground-combat) BattleRoll(0,{number('0805')},3)")
    throw(table, 1, 1, 6)
    assert pieces(table, "0805") == "allied-supply 2"


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


def test_6_10_destroyed_pieces_leave_the_game(combat: Callable[..., Table]) -> None:
    """Nothing of them is anywhere."""
    table = combat("axis", DUEL).play("attack 0806 0805", "resolve", "roll 1 0 0 0 0 0 0 0")
    assert "allied-infantry" not in table.game.write_position(table.state)


def retreat_from(kind: str, lines: str):
    """One unit of a kind in Martelange has been hit once."""
    slot = {"infantry": 1, "tank": 3, "artillery": 5}[kind]
    table = position(f"0805 allied-{kind} 1\n{lines}", f"Turn(ground-combat) BattleRoll(0,{number('0805')},1)")
    return table.play("roll " + " ".join("1" if i == slot else "0" for i in range(8)))


def test_6_11_one_hex_chosen_by_the_owner():
    """Any neighbour that is free of enemies and their zones."""
    table = retreat_from("infantry", "0806 axis-infantry 1")
    assert table.actor == "allied"
    assert table.choices() == [f"retreat allied-infantry-0805 {h}" for h in ("0705", "0804", "0905")]
    assert table.refusal("retreat allied-infantry-0805 0806") == ("6.11", "enemy-in-hex")
    assert table.refusal("retreat allied-infantry-0805 0706") == ("6.11", "retreat-into-zone")
    assert table.refusal("retreat allied-infantry-0805 0704") == ("6.11", "retreat-one-hex")
    assert table.refusal("pass") == ("6.11", "retreat-first")


def test_6_11_full_hexes_take_nobody():
    """Six infantry or twelve units fill a hex; a hex with six infantry still takes a tank."""
    full = "0806 axis-infantry 1\n0705 allied-infantry 6\n0804 allied-infantry 5, allied-tank 6, allied-supply 2"
    table = retreat_from("infantry", full)
    assert pieces(table, "0905") == "allied-infantry 1"
    tank = retreat_from("tank", full)
    assert tank.choices() == [f"retreat allied-tank-0805 {h}" for h in ("0705", "0905")]
    assert tank.refusal("retreat allied-tank-0805 0804") == ("6.11", "retreat-hex-full")


def test_6_11_no_partial_hexes():
    """In the corner of 0301 only 0201 and 0401 remain."""
    table = position(
        "0301 allied-infantry 1\n0303 axis-infantry 1", f"Turn(ground-combat) BattleRoll(0,{number('0301')},1)"
    )
    table.play("roll 0 1 0 0 0 0 0 0")
    assert table.choices() == [f"retreat allied-infantry-0301 {h}" for h in ("0201", "0401")]
    assert table.refusal("retreat allied-infantry-0301 0200") == ("6.11", "partial-hex")


@pytest.mark.parametrize(("kind", "crosses"), [("infantry", True), ("tank", False), ("artillery", False)])
def test_6_11_water_bars_tanks_and_guns(kind, crosses):
    """From Manhay over the Salm to Vielsalm."""
    slot = {"infantry": 1, "tank": 3, "artillery": 5}[kind]
    table = position(f"0405 allied-{kind} 1", f"Turn(ground-combat) BattleRoll(0,{number('0405')},1)")
    table.play("roll " + " ".join("1" if i == slot else "0" for i in range(8)))
    assert (f"retreat allied-{kind}-0405 0406" in table.choices()) is crosses
    if not crosses:
        assert table.refusal(f"retreat allied-{kind}-0405 0406") == ("6.11", "retreat-over-river")


def test_6_11_two_units_to_different_hexes():
    """One by one, in any order, taken back until the owner is done."""
    table = position(
        "0805 allied-infantry 2\n0806 axis-infantry 1", f"Turn(ground-combat) BattleRoll(0,{number('0805')},2)"
    )
    table.play("roll 0 2 0 0 0 0 0 0")
    one = table.try_all("retreat allied-infantry-0805 0905", "retreat allied-infantry-0805 0705")
    other = table.try_all("retreat allied-infantry-0805 0705", "retreat allied-infantry-0805 0905")
    assert one.state.key() == other.state.key()
    assert one.choices() == ["done", "drop allied-infantry-0705", "drop allied-infantry-0905"]
    assert one.try_all("drop allied-infantry-0905", "drop allied-infantry-0705").state.key() == table.state.key()
    assert one.refusal("drop allied-infantry-0804") == ("6.11", "not-named")
    one.play("drop allied-infantry-0705", "retreat allied-infantry-0805 0804", "done")
    assert (pieces(one, "0804"), pieces(one, "0905")) == ("allied-infantry 1", "allied-infantry 1")


# Germans east of Martelange, no room in Bastogne and one place in Neufchâteau.
NEXT = "0806 axis-infantry 1\n0705 allied-infantry 6\n0804 allied-infantry 5"


def test_6_11_only_as_many_as_there_is_room_for():
    """Three retreat, one place is left: two are destroyed."""
    lines = f"{NEXT}\n0805 allied-infantry 3\n0905 allied-infantry 6"
    table = position(lines, f"Turn(ground-combat) BattleRoll(0,{number('0805')},3)").play("roll 0 3 0 0 0 0 0 0")
    assert (pieces(table, "0804"), pieces(table, "0805")) == ("allied-infantry 6", "")
    assert [(event.rule, event.args["n"]) for event in table.said("destroyed")] == [("6.11", 2)]


def test_6_11_nobody_is_lost_who_could_be_saved():
    """With one place in 0804 and many in 0905 at most one of two may name 0804; both must retreat."""
    lines = f"{NEXT}\n0805 allied-infantry 2\n0905 allied-infantry 1"
    table = position(lines, f"Turn(ground-combat) BattleRoll(0,{number('0805')},2)")
    table.play("roll 0 2 0 0 0 0 0 0", "retreat allied-infantry-0805 0804")
    assert table.refusal("retreat allied-infantry-0805 0804") == ("6.11", "retreat-hex-full")
    assert table.refusal("done") == ("6.11", "retreat-first")
    table.play("retreat allied-infantry-0805 0905", "done")
    assert (pieces(table, "0804"), pieces(table, "0905")) == ("allied-infantry 6", "allied-infantry 2")


def test_6_11_kinds_retreat_in_any_order():
    """Guns, tanks, infantry: the order changes nothing; trucks and supply stay."""
    stack = "allied-infantry 1, allied-tank 1, allied-artillery 1, allied-truck 1, allied-supply 1"
    table = position(
        f"0805 {stack}\n0806 axis-infantry 1", f"Turn(ground-combat) BattleRoll(0,{number('0805')},3)"
    ).play("roll 0 1 0 1 0 1 0 0")
    table.play(*(f"retreat allied-{kind}-0805 0804" for kind in ("artillery", "tank", "infantry")), "done")
    assert pieces(table, "0805") == "allied-truck 1, allied-supply 1"
    assert pieces(table, "0804") == "allied-infantry 1, allied-tank 1, allied-artillery 1"


# One place for any kind in Neufchâteau; no other hex is open from Martelange.
ONE_PLACE = (
    "0806 axis-infantry 1\n0906 axis-infantry 1\n0705 allied-infantry 6, allied-tank 6\n"
    "0804 allied-infantry 5, allied-tank 5, allied-artillery 1"
)


def scarce(stack: str, roll: str):
    """Units in Martelange have been hit and Neufchâteau has one place left."""
    table = position(f"0805 {stack}\n{ONE_PLACE}", f"Turn(ground-combat) BattleRoll(0,{number('0805')},3)")
    return table.play(f"roll {roll}")


@pytest.mark.parametrize(
    ("saved", "there"),
    [
        ("infantry", "allied-infantry 6, allied-tank 5, allied-artillery 1"),
        ("tank", "allied-infantry 5, allied-tank 6, allied-artillery 1"),
        ("artillery", "allied-infantry 5, allied-tank 5, allied-artillery 2"),
    ],
)
def test_6_11_the_owner_chooses_who_gets_the_last_place(saved, there):
    """One place for three kinds: whoever is named is saved and the others are destroyed."""
    table = scarce("allied-infantry 1, allied-tank 1, allied-artillery 1", "0 1 0 1 0 1 0 0")
    assert table.actor == "allied"
    assert table.choices() == [f"retreat allied-{kind}-0805 0804" for kind in ("infantry", "tank", "artillery")]
    table.play(f"retreat allied-{saved}-0805 0804", "done")
    assert (pieces(table, "0804"), pieces(table, "0805")) == (there, "")
    assert [(event.rule, event.args["n"]) for event in table.said("destroyed")] == [("6.11", 1)] * 2


def ends(state) -> set[tuple[tuple[int, ...], ...]]:
    """What stands in 0804 and 0905 after each way to retreat."""
    if not isinstance(state.stack[-1], Retreat):
        return {tuple(counts(state, 1, number(h))[:3] for h in ("0804", "0905"))}
    return {end for action in candidates(state) for end in ends(step(state, action))}


def by_brute_force(hit, places) -> set[tuple[tuple[int, ...], ...]]:
    """Every sharing out of the room that leaves nobody behind who fits; three guns are the most in a hex."""
    found = set()
    for first in product(*(range(n + 1) for n in hit)):
        for second in product(*(range(n - m + 1) for n, m in zip(hit, first, strict=True))):
            rooms = [n - sum(there) for n, there in zip(places, (first, second), strict=True)]
            lost = sum(hit) - sum(first) - sum(second)
            if min(rooms) >= 0 and not (lost and max(rooms)):
                found.add((first, second))
    return found


@pytest.mark.parametrize("hit", [(1, 1, 1), (2, 1, 0), (2, 2, 1), (0, 2, 2), (3, 1, 2)])
@pytest.mark.parametrize("places", [(1, 2), (2, 2), (3, 1)])
def test_6_11_every_way_to_use_the_room_can_be_played(hit, places):
    """Whatever the order: all ends with nobody lost who still had room, and no other, counted by brute force."""
    rooms = zip(("0804", "0905"), places, strict=True)
    lines = ["0806 axis-infantry 1", "0705 allied-truck 12", *(f"{h} allied-truck {12 - n}" for h, n in rooms)]
    stack = ", ".join(f"allied-{kind} {n}" for kind, n in zip(("infantry", "tank", "artillery"), hit, strict=True) if n)
    table = position("\n".join([f"0805 {stack}", *lines]), f"Turn(ground-combat) BattleRoll(0,{number('0805')},12)")
    table.play("roll " + " ".join(f"0 {n}" for n in hit) + " 0 0")
    assert ends(table.state) == by_brute_force(hit, places)


def test_6_11_only_units_that_were_hit_retreat():
    """The guns were not hit: they are not offered and stay."""
    table = scarce("allied-infantry 1, allied-tank 1, allied-artillery 1", "0 1 0 1 0 0 0 0")
    assert table.refusal("retreat allied-artillery-0805 0804") == ("6.11", "retreat-first")
    table.play("retreat allied-tank-0805 0804", "done")
    assert pieces(table, "0805") == "allied-artillery 1"


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


def test_6_12_the_initiative_passes_after_each_hex(combat):
    """Axis, Allies, Axis."""
    duel = "0806 axis-infantry 1, axis-supply 1\n0805 allied-infantry 1, allied-supply 1"
    table = combat("axis", f"{duel}\n0808 axis-infantry 1, axis-supply 1\n0908 allied-truck 1")
    table.play("attack 0806 0805", "resolve", "roll 0 0 0 0 0 0 0 0")
    assert table.actor == "allied"
    table.play("attack 0805 0806", "resolve", "roll 0 0 0 0 0 0 0 0")
    assert (table.actor, table.choices("attack")) == ("axis", ["attack 0808 0908"])


def test_6_12_two_passes_end_the_phase(combat: Callable[..., Table]) -> None:
    """The side that passed attacks again after the other has attacked."""
    table = combat("axis", DUEL + "\n0806 axis-infantry 2, axis-supply 2").play("pass")
    assert table.actor == "allied"
    again = table.try_all("attack 0805 0806", "resolve", "roll 0 0 0 0 0 0 0 0")
    assert again.actor == "axis"
    assert again.choices("attack") == ["attack 0806 0805"]
    assert table.play("pass").game.view.heading(table.state) == "Turn 2, axis movement"


def test_6_13_when_nobody_can_attack_the_phase_ends(combat):
    """The last token is spent: movement follows."""
    lines = "0806 axis-infantry 1, axis-supply 1\n0805 allied-infantry 1\n0109 axis-infantry 1, axis-supply 1"
    table = combat("axis", lines).play("attack 0806 0805", "resolve", "roll 0 0 0 0 0 0 0 0")
    assert table.choices("activate") == ["activate 0109"]


def test_6_13_spent_tokens_are_removed(combat: Callable[..., Table]) -> None:
    """One token of two is left."""
    table = combat("axis", DUEL).play("attack 0806 0805", "resolve")
    assert pieces(table, "0806") == "axis-infantry 2, axis-supply 1"


def test_6_14_more_than_twelve_dice(combat: Callable[..., Table]) -> None:
    """Six tanks and three guns roll twenty-one."""
    table = combat("axis", "0806 axis-tank 6, axis-artillery 3, axis-supply 1\n0805 allied-infantry 1")
    assert table.play("attack 0806 0805", "resolve").state.stack[-1].dice == 21
    assert throw(table, *([9] * 21)).said("no-effect")


@pytest.mark.parametrize("squares", [(3, 2, 1, 1, 2), (6, 3, 0, 3, 0)])
def test_6_15_odds_of_many_squares_by_every_throw(squares):
    """Two dice over more than six squares: hits are rolled again over twelve faces."""
    found: Counter[tuple[int, ...]] = Counter()
    for first in product((True, False), repeat=2):
        for faces in product(range(1, 13), repeat=2):
            found[laid_by_hand(squares, tuple(face for hit, face in zip(first, faces, strict=True) if hit))] += 1
    exact = {effect: share for effect, share in strips.odds(2, squares) if share}
    assert exact == {effect: Fraction(n, 4 * 144) for effect, n in found.items()}


def test_6_15_seven_squares_need_a_second_roll() -> None:
    """Each of seven squares is reached by one or two of twelve faces."""
    assert weights(7) == ((2, 2, 2, 2, 2, 1, 1), 12)
