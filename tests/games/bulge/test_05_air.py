"""Chapter 5: air combat."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from games.bulge.conftest import pieces, position, throw
from salient.games.bulge.air import Dogfight
from salient.games.bulge.strips import aircraft_odds
from table import Table

BASES = "axis-base axis-fighter 3, axis-bomber 1\nallied-base allied-fighter 9, allied-bomber 3"


def test_4_5_and_5_3_fighters_fly_over_any_whole_hex() -> None:
    """Enemy hexes included, partial hexes not."""
    table = position(BASES, "Turn(2) AirRound(0,0) Fly(0)", 5)
    assert len(table.choices("fly axis-fighter-axis-base")) == 95
    assert table.refusal("fly axis-fighter-axis-base 0200") == ("7.15", "partial-hex")


def test_4_5_a_fighter_attacks_with_one_die(sky: Callable[..., Table]) -> None:
    """Over trucks and infantry."""
    lines = "0705 axis-infantry 1, allied-fighter 1\n0706 axis-infantry 1, allied-fighter 1"
    table = sky(lines).play("fight 0705", "roll 0 0")
    assert table.state.stack[-1].dice == 1


def test_4_6_a_bomber_attacks_with_four_dice(sky: Callable[..., Table]) -> None:
    """One bomber, four dice."""
    lines = "0705 axis-infantry 1, allied-bomber 1\n0706 axis-infantry 1, allied-fighter 1"
    table = sky(lines).play("fight 0705", "roll 0 0")
    assert table.state.stack[-1].dice == 4


def test_5_1_no_air_combat_before_turn_5() -> None:
    """Turn 4 begins with the ground, turn 5 with the air."""
    for turn, heading in ((3, "Turn 4, ground combat"), (4, "Turn 5, air combat")):
        table = position(BASES, "Turn(12) Arrive(1,0)", turn).play("pass")
        assert table.game.heading(table.state) == (heading if turn == 4 else "Turn 4, ground combat")


def test_5_2_the_high_roller_chooses_who_places_first() -> None:
    """Ties are rolled again."""
    table = throw(position(BASES, "Turn(2) AirInitiative()", 5), 7, 7, 3, 9)
    assert table.actor == "allied"
    assert table.choices() == ["first allied", "first axis"]
    table.play("first axis")
    assert table.actor == "axis"


def test_5_3_one_side_places_all_then_the_other() -> None:
    """In any order; who is not sent stays at home, and nothing begins before the side is done."""
    table = position(BASES, "Turn(2) ChooseFirst(0)", 5).play("first axis")
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


def test_5_4_the_sides_choose_the_hexes_in_turn(sky: Callable[..., Table]) -> None:
    """The side that placed first begins."""
    lines = "\n".join(f"{h} axis-infantry 1, allied-fighter 1" for h in ("0705", "0706", "0707"))
    table = sky(lines)
    assert (table.actor, table.choices()) == ("axis", ["fight 0705", "fight 0706", "fight 0707"])
    table.play("fight 0706", "roll 1 0")
    assert (table.actor, table.choices()) == ("allied", ["fight 0705", "fight 0707"])


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


def test_5_7_air_attacks_need_no_supply(sky: Callable[..., Table]) -> None:
    """The hits fall on the strips of the hex and the owner retreats."""
    table = sky("0705 axis-infantry 2, allied-bomber 1\n0706 axis-infantry 1, allied-fighter 1")
    table.play("fight 0705", "roll 0 0")
    throw(table, 1, 1, 8, 9)
    assert "axis-infantry 1" in pieces(table, "0705")


def test_5_8_aircraft_return_after_the_phase(sky: Callable[..., Table]) -> None:
    """All are off the board when ground combat begins."""
    table = sky("0705 axis-infantry 1, allied-fighter 1\n0706 allied-fighter 1, axis-infantry 1")
    table.play("fight 0705", "roll 0 0", "roll 0 0 0 0 0 0 0 0", "roll 0 0", "roll 0 0 0 0 0 0 0 0")
    assert pieces(table, "allied-base") == "allied-fighter 2"


def test_5_9_only_squares_with_aircraft_count() -> None:
    """One aircraft takes every hit; two share the faces 1, 3, 5 and 2, 4, 6."""
    assert dict(aircraft_odds(1, 1, 0)) == {(0, 0): Fraction(1, 2), (1, 0): Fraction(1, 2)}
    assert dict(aircraft_odds(1, 1, 1))[(0, 1)] == Fraction(1, 4)
