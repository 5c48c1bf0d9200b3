"""Chapter 6 in detail: declarations, the strips against every throw of the dice, and retreats."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from games.bulge.conftest import number, pieces, position, throw
from salient import step
from salient.games.bulge import strips
from salient.games.bulge.model import counts
from salient.games.bulge.retreats import Retreat
from salient.kernel import ScriptedDice, candidates

LINE = "0806 axis-infantry 2, axis-tank 2, axis-supply 3\n0805 allied-infantry 1, allied-supply 2\n0706 allied-truck 1"


# ---- 6.1 to 6.7 Declaring --------------------------------------------------------------------------------


def test_6_1_the_axis_begins_with_the_higher_die():
    """The first die is the Axis's."""
    assert throw(position(LINE, "Turn(4) GroundInitiative()"), 9, 2).actor == "axis"


def test_6_2_surprise_needs_no_dice(upkeep):
    """On turn 1 the Axis begins without a roll; on turn 2 dice decide."""
    assert upkeep("0806 axis-infantry 1", turn=1).actor == "chance"
    table = position(LINE, "Turn(4) Initiative(1,0) Combat(1)", 1)
    assert table.refusal("attack 0805 0806") == ("6.2", "surprised")
    assert table.choices() == ["pass"]


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


def test_6_4_units_held_back_stay_out(combat):
    """Resolving rolls the dice of those that attack."""
    table = combat("axis", LINE).play("attack 0806 0706", "hold axis-infantry-0806 2", "resolve")
    assert (table.state.stack[-1].target, table.state.stack[-1].dice) == (number("0706"), 4)


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


def test_6_5_water_does_not_hinder_attack_or_payment(combat):
    """Across the Our from Dasburg to Burg-Reuland, with a token from across it."""
    lines = "front 0607 0508\n0607 axis-infantry 1\n0508 axis-supply 1\n0507 allied-infantry 1"
    table = combat("axis", lines).play("attack 0607 0507", "resolve")
    assert (table.state.stack[-1].dice, pieces(table, "0508")) == (1, "")


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
    table = position("0805 allied-infantry 1", f"Turn(4) BattleRoll(0,{number('0805')},1)")
    frame = table.state.stack[-1]
    assert table.game.write(frame.sample(table.state, ScriptedDice([face]))) == effect


# ---- 6.8, 6.9, 6.15 The strips, against every throw ------------------------------------------------------------


def by_hand(squares: tuple[int, ...], faces: tuple[int, ...]) -> tuple[int, ...]:
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
        found[by_hand(squares, tuple(face for face in faces if face <= 6))] += 1
    exact = {effect: share for effect, share in strips.odds(3, squares) if share}
    assert exact == {effect: Fraction(n, 12**3) for effect, n in found.items()}


@pytest.mark.parametrize("squares", [(3, 2, 1, 1, 2), (6, 3, 0, 3, 0)])
def test_6_15_odds_of_many_squares_by_every_throw(squares):
    """Two dice over more than six squares: hits are rolled again over twelve faces."""
    found: Counter[tuple[int, ...]] = Counter()
    for first in product((True, False), repeat=2):
        for faces in product(range(1, 13), repeat=2):
            found[by_hand(squares, tuple(face for hit, face in zip(first, faces, strict=True) if hit))] += 1
    exact = {effect: share for effect, share in strips.odds(2, squares) if share}
    assert exact == {effect: Fraction(n, 4 * 144) for effect, n in found.items()}


def test_6_9_extra_hits_are_lost(combat):
    """Five hits on one infantry and its truck: both are gone, nothing else."""
    table = position(
        "0805 allied-infantry 1, allied-truck 1\n0804 allied-infantry 1", f"Turn(4) BattleRoll(0,{number('0805')},5)"
    )
    throw(table, 1, 1, 3, 2, 4)
    assert pieces(table, "0805") == ""
    assert pieces(table, "0804") == "allied-infantry 1"


def test_6_9_each_hit_on_trucks_takes_a_truck():
    """Two hits on the first square of three trucks destroy two of them; the strips show it."""
    table = position("0805 allied-truck 3", f"Turn(4) BattleRoll(0,{number('0805')},2)")
    shown = table.game.show_roll(table.state, [1, 4])["rows"][0]["squares"]
    assert [square["result"] for square in shown] == ["square-destroyed", "square-destroyed", ""]
    throw(table, 1, 4)
    assert pieces(table, "0805") == "allied-truck 1"


def test_6_9_each_hit_on_supply_takes_a_token():
    """Three hits on the square of five tokens leave two."""
    table = position("0805 allied-supply 5", f"Turn(4) BattleRoll(0,{number('0805')},3)")
    throw(table, 1, 1, 6)
    assert pieces(table, "0805") == "allied-supply 2"


# ---- 6.11 Retreats --------------------------------------------------------------------------------------------------


# Germans east of Martelange, no room in Bastogne and one place in Neufchâteau.
NEXT = "0806 axis-infantry 1\n0705 allied-infantry 6\n0804 allied-infantry 5"


def retreat_from(kind: str, lines: str):
    """One unit of a kind in Martelange has been hit once."""
    slot = {"infantry": 1, "tank": 3, "artillery": 5}[kind]
    table = position(f"0805 allied-{kind} 1\n{lines}", f"Turn(4) BattleRoll(0,{number('0805')},1)")
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
    table = position("0301 allied-infantry 1\n0303 axis-infantry 1", f"Turn(4) BattleRoll(0,{number('0301')},1)")
    table.play("roll 0 1 0 0 0 0 0 0")
    assert table.choices() == [f"retreat allied-infantry-0301 {h}" for h in ("0201", "0401")]
    assert table.refusal("retreat allied-infantry-0301 0200") == ("6.11", "partial-hex")


@pytest.mark.parametrize(("kind", "crosses"), [("infantry", True), ("tank", False), ("artillery", False)])
def test_6_11_water_bars_tanks_and_guns(kind, crosses):
    """From Manhay over the Salm to Vielsalm."""
    slot = {"infantry": 1, "tank": 3, "artillery": 5}[kind]
    table = position(f"0405 allied-{kind} 1", f"Turn(4) BattleRoll(0,{number('0405')},1)")
    table.play("roll " + " ".join("1" if i == slot else "0" for i in range(8)))
    assert (f"retreat allied-{kind}-0405 0406" in table.choices()) is crosses
    if not crosses:
        assert table.refusal(f"retreat allied-{kind}-0405 0406") == ("6.11", "retreat-over-river")


def test_6_11_two_units_to_different_hexes():
    """One by one, in any order, taken back until the owner is done."""
    table = position("0805 allied-infantry 2\n0806 axis-infantry 1", f"Turn(4) BattleRoll(0,{number('0805')},2)")
    table.play("roll 0 2 0 0 0 0 0 0")
    one = table.try_all("retreat allied-infantry-0805 0905", "retreat allied-infantry-0805 0705")
    other = table.try_all("retreat allied-infantry-0805 0705", "retreat allied-infantry-0805 0905")
    assert one.state.key() == other.state.key()
    assert one.choices() == ["done", "drop allied-infantry-0705", "drop allied-infantry-0905"]
    assert one.try_all("drop allied-infantry-0905", "drop allied-infantry-0705").state.key() == table.state.key()
    assert one.refusal("drop allied-infantry-0804") == ("6.11", "not-named")
    one.play("drop allied-infantry-0705", "retreat allied-infantry-0805 0804", "done")
    assert (pieces(one, "0804"), pieces(one, "0905")) == ("allied-infantry 1", "allied-infantry 1")


def test_6_11_only_as_many_as_there_is_room_for():
    """Three retreat, one place is left: two are destroyed."""
    lines = f"{NEXT}\n0805 allied-infantry 3\n0905 allied-infantry 6"
    table = position(lines, f"Turn(4) BattleRoll(0,{number('0805')},3)").play("roll 0 3 0 0 0 0 0 0")
    assert (pieces(table, "0804"), pieces(table, "0805")) == ("allied-infantry 6", "")
    assert [(event.rule, event.args["n"]) for event in table.said("destroyed")] == [("6.11", 2)]


def test_6_11_nobody_is_lost_who_could_be_saved():
    """With one place in 0804 and many in 0905 at most one of two may name 0804; both must retreat."""
    lines = f"{NEXT}\n0805 allied-infantry 2\n0905 allied-infantry 1"
    table = position(lines, f"Turn(4) BattleRoll(0,{number('0805')},2)")
    table.play("roll 0 2 0 0 0 0 0 0", "retreat allied-infantry-0805 0804")
    assert table.refusal("retreat allied-infantry-0805 0804") == ("6.11", "retreat-hex-full")
    assert table.refusal("done") == ("6.11", "retreat-first")
    table.play("retreat allied-infantry-0805 0905", "done")
    assert (pieces(table, "0804"), pieces(table, "0905")) == ("allied-infantry 6", "allied-infantry 2")


def test_6_11_kinds_retreat_in_any_order():
    """Guns, tanks, infantry: the order changes nothing; trucks and supply stay."""
    stack = "allied-infantry 1, allied-tank 1, allied-artillery 1, allied-truck 1, allied-supply 1"
    table = position(f"0805 {stack}\n0806 axis-infantry 1", f"Turn(4) BattleRoll(0,{number('0805')},3)").play(
        "roll 0 1 0 1 0 1 0 0"
    )
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
    table = position(f"0805 {stack}\n{ONE_PLACE}", f"Turn(4) BattleRoll(0,{number('0805')},3)")
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


@pytest.mark.parametrize("hit", [(1, 1, 1), (2, 1, 0), (2, 2, 1), (0, 2, 2), (3, 1, 2)])
@pytest.mark.parametrize("places", [(1, 2), (2, 2), (3, 1)])
def test_6_11_every_way_to_use_the_room_can_be_played(hit, places):
    """Whatever the order: all ends with nobody lost who still had room, and no other, counted by brute force."""
    rooms = zip(("0804", "0905"), places, strict=True)
    lines = ["0806 axis-infantry 1", "0705 allied-truck 12", *(f"{h} allied-truck {12 - n}" for h, n in rooms)]
    stack = ", ".join(f"allied-{kind} {n}" for kind, n in zip(("infantry", "tank", "artillery"), hit, strict=True) if n)
    table = position("\n".join([f"0805 {stack}", *lines]), f"Turn(4) BattleRoll(0,{number('0805')},12)")
    table.play("roll " + " ".join(f"0 {n}" for n in hit) + " 0 0")
    assert ends(table.state) == by_brute_force(hit, places)


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


def test_6_11_only_units_that_were_hit_retreat():
    """The guns were not hit: they are not offered and stay."""
    table = scarce("allied-infantry 1, allied-tank 1, allied-artillery 1", "0 1 0 1 0 0 0 0")
    assert table.refusal("retreat allied-artillery-0805 0804") == ("6.11", "retreat-first")
    table.play("retreat allied-tank-0805 0804", "done")
    assert pieces(table, "0805") == "allied-artillery 1"


# ---- 6.3, 6.12, 6.13 ---------------------------------------------------------------------------------------------


def test_6_3_a_retreated_unit_attacks_from_its_new_hex(combat):
    """Hexes are barred from attacking again, not units."""
    duel = "0806 axis-infantry 1, axis-supply 1\n0805 allied-infantry 1, allied-supply 1"
    table = combat("allied", f"{duel}\n0804 allied-supply 1\n0803 axis-truck 1")
    table.play("attack 0805 0806", "pay 0805", "resolve", "roll 0 0 0 0 0 0 0 0")
    table.play("attack 0806 0805", "resolve", "roll 0 1 0 0 0 0 0 0", "retreat allied-infantry-0805 0804", "done")
    assert table.choices("attack") == ["attack 0804 0803"]


def test_6_12_the_initiative_passes_after_each_hex(combat):
    """Axis, Allies, Axis."""
    duel = "0806 axis-infantry 1, axis-supply 1\n0805 allied-infantry 1, allied-supply 1"
    table = combat("axis", f"{duel}\n0808 axis-infantry 1, axis-supply 1\n0908 allied-truck 1")
    table.play("attack 0806 0805", "resolve", "roll 0 0 0 0 0 0 0 0")
    assert table.actor == "allied"
    table.play("attack 0805 0806", "resolve", "roll 0 0 0 0 0 0 0 0")
    assert (table.actor, table.choices("attack")) == ("axis", ["attack 0808 0908"])


def test_6_13_when_nobody_can_attack_the_phase_ends(combat):
    """The last token is spent: movement follows."""
    lines = "0806 axis-infantry 1, axis-supply 1\n0805 allied-infantry 1\n0109 axis-infantry 1, axis-supply 1"
    table = combat("axis", lines).play("attack 0806 0805", "resolve", "roll 0 0 0 0 0 0 0 0")
    assert table.choices("activate") == ["activate 0109"]
