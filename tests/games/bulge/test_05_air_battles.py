"""Chapter 5 in detail: the order of battles, the aircraft strip against every throw, what the pieces below suffer."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from games.bulge.conftest import number, pieces, position, throw
from salient.games.bulge.air import AirBattle, dogfight_odds
from salient.games.bulge.strips import aircraft_odds


def over(lines: str, first: int = 0, turn: int = 5):
    """All aircraft are placed; the last `done` begins the battles."""
    return position(f"{lines}\nallied-base allied-fighter 1", f"Turn(2) AirRound({first},0) Fly(1)", turn).play("done")


def test_5_1_all_turns_from_black_to_white(upkeep):
    """Turn 8 has an air phase too."""
    table = upkeep("allied-base allied-fighter 1", turn=7)
    assert (table.state.turn, table.state.stack[-1].purpose(table.state)) == (8, "air-initiative")


def test_5_1_without_aircraft_there_is_no_phase(upkeep):
    """If all were lost by the option."""
    table = upkeep("aircraft lost\n0209 axis-infantry 1", turn=6)
    assert table.state.stack[-1].purpose(table.state) == "ground-initiative"


def test_5_3_the_loser_may_be_made_to_place_first():
    """The ruling lets the winner choose; the first to place also names the first battle."""
    lines = "axis-base axis-fighter 2\nallied-base allied-fighter 2\n0105 allied-infantry 1\n0106 allied-infantry 1"
    table = position(lines, "Turn(2) AirInitiative()", 5)
    throw(table, 2, 12).play("first axis")
    table.play("fly axis-fighter-axis-base 0105", "fly axis-fighter-axis-base 0106", "done")
    assert (table.actor, len(table.choices("fly"))) == ("allied", 95)
    table.play("done")
    assert (table.actor, table.choices()) == ("axis", ["fight 0105", "fight 0106"])


def test_5_3_full_hexes_and_empty_hexes(upkeep):
    """Aircraft ignore stacking; several fly over one hex."""
    lines = "0709 axis-infantry 6, axis-tank 6\nallied-base allied-fighter 2"
    table = position(lines, "Turn(2) AirRound(1,0) Fly(1)", 5)
    table.play("fly allied-fighter-allied-base 0709", "fly allied-fighter-allied-base 0709")
    assert table.actor == "allied"
    table.play("done")
    assert table.state.stack[-1].purpose(table.state) == "anti-aircraft"


def test_5_4_aircraft_over_nobody_fight_nobody():
    """Over their own units or an empty hex there is no battle."""
    table = over("0705 allied-infantry 1, allied-fighter 2\n0105 axis-fighter 1\n0209 axis-infantry 1")
    assert table.state.stack[-1].purpose(table.state) == "ground-initiative"
    assert pieces(table, "allied-base") == "allied-fighter 3"


def test_5_4_a_retreat_under_aircraft_is_fought_too():
    """The infantry that leaves Bastogne for Ortheuville is attacked there; a hex is fought over once."""
    table = over("0705 axis-infantry 1, allied-bomber 1\n0604 allied-fighter 1")
    table.play("roll 0 0", "roll 0 1 0 0 0 0 0 0", "retreat axis-infantry-0705 0604", "done")
    frame = table.state.stack[-1]
    assert (frame.purpose(table.state), frame.hex) == ("anti-aircraft", number("0604"))
    table.play("roll 0 0", "roll 0 1 0 0 0 0 0 0", "retreat axis-infantry-0604 0705", "done")
    assert not any(isinstance(each, AirBattle) for each in table.state.stack)


def test_5_5_bombers_roll_one_die_in_dogfights():
    """Three bombers against a fighter: three dice against one."""
    table = over("0705 axis-fighter 1, allied-bomber 3")
    throw(table, 7, 9, 2, 10)
    assert pieces(table, "axis-base") == "axis-fighter 1"
    assert pieces(table, "allied-base") == "allied-fighter 1, allied-bomber 3"


def test_5_5_both_sides_shoot_at_once():
    """The last two aircraft can shoot each other down."""
    table = throw(over("0705 axis-fighter 1, axis-infantry 1, allied-fighter 1"), 6, 1)
    assert {event.args["word_side"] for event in table.said("shot-down")} == {"axis", "allied"}
    assert table.state.stack[-1].purpose(table.state) == "ground-initiative"


def test_5_5_odds_of_a_dogfight():
    """One against one: each is hit with a half; rounds without a hit are rolled again."""
    assert {action[1:]: share for action, share in dogfight_odds((1, 0), (1, 0))} == {
        (0, 0, 1, 0): Fraction(1, 3),
        (1, 0, 0, 0): Fraction(1, 3),
        (1, 0, 1, 0): Fraction(1, 3),
    }


@pytest.mark.parametrize(
    ("below", "dice"),
    [
        ("axis-infantry 6", 1),
        ("axis-infantry 1, axis-tank 2", 2),
        ("axis-truck 3, axis-supply 4", 2),
        ("axis-infantry 1, axis-tank 1, axis-artillery 1, axis-truck 1, axis-supply 1", 5),
    ],
)
def test_5_6_one_die_for_each_kind(below, dice):
    """Five at the most."""
    table = over(f"0705 {below}, allied-fighter 1")
    assert table.state.stack[-1].dice(table.state) == dice


def test_5_6_survivors_of_the_dogfight_are_shot_at():
    """First the dogfight, then the fire from below, then the air attack."""
    table = over("0705 axis-fighter 1, axis-infantry 1, allied-fighter 2")
    throw(table, 8, 1, 9)
    assert table.state.stack[-1].purpose(table.state) == "anti-aircraft"
    throw(table, 2)
    assert table.state.stack[-1].dice == 1


def test_5_6_no_attack_if_all_are_shot_down():
    """The only bomber falls."""
    table = over("0705 axis-infantry 1, allied-bomber 1").play("roll 0 1")
    assert table.said("air-attack") == []
    assert table.state.stack[-1].purpose(table.state) == "ground-initiative"


def test_5_7_the_owner_retreats_units_hit_from_the_air():
    """By the rules of ground combat, in zones of control as well."""
    table = over("0705 axis-infantry 1, allied-bomber 1\n0606 allied-infantry 1").play(
        "roll 0 0", "roll 0 1 0 0 0 0 0 0"
    )
    assert table.actor == "axis"
    assert table.choices() == [f"retreat axis-infantry-0705 {h}" for h in ("0604", "0704", "0804", "0805")]


def test_5_8_shot_down_aircraft_are_back_too():
    """By the usual rule all twelve Allied aircraft are off the board again."""
    lines = "0705 axis-infantry 1, allied-fighter 8, allied-bomber 3"
    table = over(lines).play("roll 1 0")
    table.play("roll 0 0 0 0 0 0 0 0")
    assert pieces(table, "allied-base") == "allied-fighter 9, allied-bomber 3"


def by_hand(fighters: int, bombers: int, faces: tuple[int, ...]) -> tuple[int, int]:
    hit = {(face - 1) % (fighters + bombers) for face in faces}
    return sum(1 for i in hit if i < fighters), sum(1 for i in hit if i >= fighters)


@pytest.mark.parametrize(("fighters", "bombers"), [(2, 1), (1, 0), (0, 3), (5, 1)])
def test_5_9_odds_by_every_throw(fighters, bombers):
    """Three dice, face by face: fighters fill the first squares, numbers beyond the last begin again."""
    found: Counter[tuple[int, int]] = Counter()
    for faces in product(range(1, 13), repeat=3):
        found[by_hand(fighters, bombers, tuple(face for face in faces if face <= 6))] += 1
    assert dict(aircraft_odds(3, fighters, bombers)) == {lost: Fraction(n, 12**3) for lost, n in found.items()}


def test_5_9_more_than_six_aircraft_are_rolled_for_again():
    """Two of five dice hit eight aircraft: 8 is the bomber, 9 the first fighter again."""
    pieces_below = "axis-infantry 1, axis-tank 1, axis-artillery 1, axis-truck 1, axis-supply 1"
    table = over(f"0705 {pieces_below}, allied-fighter 7, allied-bomber 1")
    throw(table, 1, 7, 8, 2, 12, 8, 9)
    assert {event.args["word_kind"]: event.args["n"] for event in table.said("shot-down")} == {
        "fighter": 1,
        "bomber": 1,
    }
