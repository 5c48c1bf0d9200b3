"""Battle of the Bulge: chapter 5, air."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

from games.bulge.positions import BASES, number, pieces, position, throw
from salient.games.bulge.air import AirBattle, Dogfight, dogfight_odds
from salient.games.bulge.strips import aircraft_odds
from table import Table


def test_5_1_no_air_combat_before_turn_5() -> None:
    """Turn 4 begins with the ground, turn 5 with the air."""
    for turn, heading in ((3, "Turn 4, ground combat"), (4, "Turn 5, air combat")):
        table = position(BASES, "Turn(allied-arrivals) Arrive(1,0)", turn).play("pass")
        assert table.game.view.heading(table.state) == (heading if turn == 4 else "Turn 4, ground combat")


def test_5_1_all_turns_from_black_to_white(upkeep):
    """Turn 8 has an air phase too."""
    table = upkeep("allied-base allied-fighter 1", turn=7)
    assert (table.state.turn, table.state.stack[-1].purpose(table.state)) == (8, "air-initiative")


def test_5_1_without_aircraft_there_is_no_phase(upkeep):
    """If all were lost by the option."""
    table = upkeep("aircraft lost\n0209 axis-infantry 1", turn=6)
    assert table.state.stack[-1].purpose(table.state) == "ground-initiative"


def test_5_2_the_high_roller_chooses_who_places_first() -> None:
    """Ties are rolled again."""
    table = throw(position(BASES, "Turn(air-combat) AirInitiative()", 5), 7, 7, 3, 9)
    assert table.actor == "allied"
    assert table.choices() == ["first allied", "first axis"]
    table.play("first axis")
    assert table.actor == "axis"


def test_5_3_one_side_places_all_then_the_other() -> None:
    """In any order; who is not sent stays at home, and nothing begins before the side is done."""
    table = position(BASES, "Turn(air-combat) ChooseFirst(0)", 5).play("first axis")
    one = table.try_all("fly axis-bomber-axis-base 0706", "fly axis-fighter-axis-base 0705")
    assert (
        one.state.key()
        == table.try_all("fly axis-fighter-axis-base 0705", "fly axis-bomber-axis-base 0706").state.key()
    )
    assert one.try_all("drop axis-fighter-0705", "drop axis-bomber-0706").state.key() == table.state.key()
    assert one.refusal("drop axis-fighter-0706") == ("5.3", "not-named")
    table.play("fly axis-fighter-axis-base 0705", "done")
    assert table.actor == "allied"
    assert pieces(table, "axis-base") == "axis-fighter 2, axis-bomber 1"


def test_5_3_the_loser_may_be_made_to_place_first():
    """The ruling lets the winner choose; the first to place also names the first battle."""
    lines = "axis-base axis-fighter 2\nallied-base allied-fighter 2\n0105 allied-infantry 1\n0106 allied-infantry 1"
    table = position(lines, "Turn(air-combat) AirInitiative()", 5)
    throw(table, 2, 12).play("first axis")
    table.play("fly axis-fighter-axis-base 0105", "fly axis-fighter-axis-base 0106", "done")
    assert (table.actor, len(table.choices("fly"))) == ("allied", 95)
    table.play("done")
    assert (table.actor, table.choices()) == ("axis", ["fight 0105", "fight 0106"])


def test_5_3_full_hexes_and_empty_hexes(upkeep):
    """Aircraft ignore stacking; several fly over one hex."""
    lines = "0709 axis-infantry 6, axis-tank 6\nallied-base allied-fighter 2"
    table = position(lines, "Turn(air-combat) AirRound(1,0) Fly(1)", 5)
    table.play("fly allied-fighter-allied-base 0709", "fly allied-fighter-allied-base 0709")
    assert table.actor == "allied"
    table.play("done")
    assert table.state.stack[-1].purpose(table.state) == "anti-aircraft"


def test_5_4_the_sides_choose_the_hexes_in_turn(sky: Callable[..., Table]) -> None:
    """The side that placed first begins."""
    lines = "\n".join(f"{h} axis-infantry 1, allied-fighter 1" for h in ("0705", "0706", "0707"))
    table = sky(lines)
    assert (table.actor, table.choices()) == ("axis", ["fight 0705", "fight 0706", "fight 0707"])
    table.play("fight 0706", "roll 1 0")
    assert (table.actor, table.choices()) == ("allied", ["fight 0705", "fight 0707"])


def over(lines: str, first: int = 0, turn: int = 5):
    """All aircraft are placed; the last `done` begins the battles."""
    return position(
        f"{lines}\nallied-base allied-fighter 1", f"Turn(air-combat) AirRound({first},0) Fly(1)", turn
    ).play("done")


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


def test_5_5_dogfights_go_on_until_one_side_is_gone(sky: Callable[..., Table]) -> None:
    """Bombers roll one die as well; both sides hit at once."""
    table = sky("0705 axis-fighter 2, allied-fighter 1, allied-bomber 1\n0706 axis-fighter 1, allied-infantry 1")
    table.play("fight 0705")
    assert isinstance(table.state.stack[-1], Dogfight)
    throw(table, 1, 9, 2, 9)  # two Axis dice, then two Allied dice: a fighter on each side
    assert pieces(table, "0705") == "axis-fighter 1, allied-bomber 1"
    throw(table, 9, 9, 3, 8)  # nobody is hit: rolled again
    assert "axis-fighter" in pieces(table, "0705")
    assert "allied-bomber" not in pieces(table, "0705")


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


def test_5_6_anti_aircraft_fire_by_kinds_of_pieces(sky: Callable[..., Table]) -> None:
    """Six infantry and two tokens are two kinds, so two dice."""
    table = sky("0705 axis-infantry 6, axis-supply 2, allied-fighter 1\n0706 axis-infantry 1, allied-fighter 1")
    table.play("fight 0705")
    assert table.state.stack[-1].dice(table.state) == 2


def test_5_6_aircraft_shot_down_come_back_or_are_lost(sky: Callable[..., Table]) -> None:
    """By the option: always back, lost to fire from the ground only, or always lost."""
    lines = "0705 axis-infantry 1, allied-fighter 1\n0706 axis-infantry 1, allied-fighter 1"
    duel = "0705 axis-fighter 1, allied-fighter 1\n0706 axis-infantry 1, allied-fighter 1"
    for option, by_fire, by_fighters in (("return", 1, 1), ("flak", 0, 1), ("lost", 0, 0)):
        below = sky(lines, options=f"aircraft {option}").play("fight 0705", "roll 1 0")
        assert pieces(below, "allied-base") == "allied-fighter 1" * by_fire
        above = sky(duel, options=f"aircraft {option}").play("fight 0705", "roll 0 0 1 0")
        assert pieces(above, "allied-base") == "allied-fighter 1" * by_fighters


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


def test_5_7_air_attacks_need_no_supply(sky: Callable[..., Table]) -> None:
    """The hits fall on the strips of the hex and the owner retreats."""
    table = sky("0705 axis-infantry 2, allied-bomber 1\n0706 axis-infantry 1, allied-fighter 1")
    table.play("fight 0705", "roll 0 0")
    throw(table, 1, 1, 8, 9)
    assert "axis-infantry 1" in pieces(table, "0705")


def test_5_7_the_owner_retreats_units_hit_from_the_air():
    """By the rules of ground combat, in zones of control as well."""
    table = over("0705 axis-infantry 1, allied-bomber 1\n0606 allied-infantry 1").play(
        "roll 0 0", "roll 0 1 0 0 0 0 0 0"
    )
    assert table.actor == "axis"
    assert table.choices() == [f"retreat axis-infantry-0705 {h}" for h in ("0604", "0704", "0804", "0805")]


def test_5_8_aircraft_return_after_the_phase(sky: Callable[..., Table]) -> None:
    """All are off the board when ground combat begins."""
    table = sky("0705 axis-infantry 1, allied-fighter 1\n0706 allied-fighter 1, axis-infantry 1")
    table.play("fight 0705", "roll 0 0", "roll 0 0 0 0 0 0 0 0", "roll 0 0", "roll 0 0 0 0 0 0 0 0")
    assert pieces(table, "allied-base") == "allied-fighter 2"


def test_5_8_shot_down_aircraft_are_back_too():
    """By the usual rule all twelve Allied aircraft are off the board again."""
    lines = "0705 axis-infantry 1, allied-fighter 8, allied-bomber 3"
    table = over(lines).play("roll 1 0")
    table.play("roll 0 0 0 0 0 0 0 0")
    assert pieces(table, "allied-base") == "allied-fighter 9, allied-bomber 3"


def test_5_9_only_squares_with_aircraft_count() -> None:
    """One aircraft takes every hit; two share the faces 1, 3, 5 and 2, 4, 6."""
    assert dict(aircraft_odds(1, 1, 0)) == {(0, 0): Fraction(1, 2), (1, 0): Fraction(1, 2)}
    assert dict(aircraft_odds(1, 1, 1))[(0, 1)] == Fraction(1, 4)


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
