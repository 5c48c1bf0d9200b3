"""The Deadly Woods: chapter 11, combat."""

from __future__ import annotations

import pytest

from games.deadly_woods.positions import (
    GROUND,
    OPEN,
    TABLES,
    UNITS,
    asset,
    fight,
    hexagon,
    lost,
    odds_of,
    shifts_of,
    where,
)
from salient.games.deadly_woods.combat import plain_column
from salient.games.deadly_woods.model import GERMAN_MC


def test_11_1_one_hex_is_attacked_from_several(fighting):
    """Two units from different hexes attack 2517 together; attacking is voluntary."""
    table = fighting("german", f"{OPEN} 99/393\n2417 12VG/27\n2617 12VG/48\n2516 26VG/39")
    assert table.choices() == [f"attack {OPEN}", "pass"]
    table.play(f"attack {OPEN}")
    assert table.candidates() == ["join 12VG/27", "join 12VG/48", "join 26VG/39"]


def test_11_1_the_last_combat_does_not_end_the_round(fighting):
    """Who has fought says that he has done with it: until then no chit is drawn and a loss can be taken back."""
    table = fighting("german", f"{OPEN} 99/393\n2417 12VG/27\n2617 12VG/48")
    fight(table, OPEN, "12VG/27", "12VG/48").play("roll 1")
    assert table.choices() == ["lose 12VG/27", "lose 12VG/48"]
    table.play("lose 12VG/27")
    assert (table.actor, table.choices()) == ("german", ["pass"])
    assert (table.state.turn, table.play("pass").state.turn) == (4, 5)


def test_11_1_motorized_units_do_not_attack_across_unbridged_rivers(fighting):
    """The Ourthe between 2516 and 2515 stops armour, not infantry."""
    table = fighting("german", "2515 99/393\n2516 12VG/27, 2Pz/3")
    table.play("attack 2515")
    assert table.candidates() == ["join 12VG/27"]
    assert table.refusal("join 2Pz/3") == ("11.1", "river-without-bridge")


def test_11_1_motorized_units_advance_into_forest_by_road_only(fighting):
    """Armour may attack the forest 3606 from 3607 by road and from 3507 without; only the first advances."""
    table = fighting("german", "3606 14Cav lost=1\n3607 1SS/Peiper\n3506 12SS/Muller")
    fight(table, "3606", "1SS/Peiper", "12SS/Muller").play("roll 4")
    assert table.choices() == ["advance 1SS/Peiper", "done"]


def test_11_2_units_attack_and_are_attacked_once_a_round(fighting):
    """After a combat neither its attackers nor its target are offered again."""
    table = fighting("german", f"{OPEN} 99/393\n2516 99/394\n2417 12VG/27\n2616 26VG/39")
    fight(table, OPEN, "12VG/27").play("roll 5")
    assert table.choices("attack") == ["attack 2516"]
    assert table.refusal(f"attack {OPEN}") == ("11.2", "was-attacked")
    table.play("attack 2516")
    assert table.refusal("join 12VG/27")[1] == "attacked-already"


def test_11_2_no_attack_without_strength_or_supply(fighting):
    """Units marked out of supply do not attack; the US Delay has no strength."""
    table = fighting("german", f"{OPEN} 99/393\n2417 12VG/27 oos\n2616 26VG/39")
    table.play(f"attack {OPEN}")
    assert table.candidates() == ["join 26VG/39"]
    assert table.refusal("join 12VG/27") == ("11.2", "attack-needs-supply")
    allied = fighting("allied", f"{OPEN} 12VG/27\n2417 Delay\n2616 99/393").play(f"attack {OPEN}")
    assert allied.refusal("join Delay") == ("11.2", "no-attack-strength")


@pytest.mark.parametrize(
    ("lines", "attack", "shift"),
    [
        (f"{OPEN} 99/393\n2416 12VG/27, 12VG/48", "12VG/27", ("shift-defender-scattered", 1)),
        (f"{OPEN} 99/393\n2518 99/394\n2416 12VG/27", "12VG/27", ("shift-attacker-scattered", -1)),
    ],
)
def test_11_2_1_divisional_integrity(fighting, lines, attack, shift):
    """A lonely Allied defender gives a column, a lonely attacker costs one; Germans in defence need nobody."""
    table = fighting("german", lines).play(f"attack {OPEN}")
    assert dict([shift]).items() <= shifts_of(table, f"join {attack}").items()
    german = fighting("allied", f"{OPEN} 12VG/27\n2416 99/393, 99/394").play(f"attack {OPEN}", "join 99/393")
    assert "shift-defender-scattered" not in shifts_of(german, "resolve")


def test_11_2_1_units_without_division_keep_integrity(fighting):
    """14th Cavalry in defence and 150th Brigade in attack suffer nothing."""
    table = fighting("german", f"{OPEN} 14Cav\n2416 150Bde").play(f"attack {OPEN}", "join 150Bde")
    assert not any("scattered" in key for key in shifts_of(table, "resolve"))


@pytest.mark.parametrize(("friend", "scattered"), [("2514", False), ("2513", True)])
def test_11_2_1_three_hexes_are_near_enough(fighting, friend, scattered):
    """A regiment of the division three hexes away keeps it together, one four hexes away does not."""
    table = fighting("german", f"{OPEN} 99/393\n{friend} 99/394\n2518 12VG/27").play(f"attack {OPEN}", "join 12VG/27")
    assert ("shift-defender-scattered" in shifts_of(table, "resolve")) is scattered


def test_11_3_1_attacker_then_defender_commit_guns(fighting):
    """The German is asked for his guns first, then the Ally for those of V Corps."""
    table = fighting("german", f"{OPEN} 99/393, 99/394\n2416 12VG/27\nbox 5Pz-Art1, V-Art1")
    table.play(f"attack {OPEN}", "join 12VG/27", "resolve")
    assert (table.actor, table.choices()) == ("german", ["resolve", "support 5Pz-Art1"])
    table.play("support 5Pz-Art1", "resolve")
    assert (table.actor, table.choices()) == ("allied", ["resolve", "support V-Art1"])
    table.play("support V-Art1", "resolve")
    assert table.actor == "chance"


def test_11_3_1_attackers_are_named_in_any_order(fighting):
    """Whoever is named first, the attack is the same; a unit and the whole attack can be taken back."""
    start = fighting("german", "2218 12VG/27, 12VG/48\n2318 28/109\n4502 3PG/8")
    table = start.try_all("attack 2318")
    both = table.try_all("join 12VG/48", "join 12VG/27")
    assert both.state.key() == table.try_all("join 12VG/27", "join 12VG/48").state.key()
    assert both.refusal("join 12VG/27") == ("11.2", "joined-already")
    assert both.try_all("drop 12VG/48", "drop 12VG/27").state.key() == table.state.key()
    assert table.refusal("resolve") == ("11.3.1", "no-attackers")
    assert table.refusal("drop 12VG/27") == ("11.3.1", "not-named")
    assert both.try_all("cancel").state.key() == start.state.key()


def test_11_3_1_guns_are_named_in_any_order(fighting):
    """The first combat of the game: Nebelwerfer, then artillery; nothing is used before the attack is resolved."""
    table = fighting("german", f"{OPEN} 99/393\n2416 12VG/27\nbox 5Pz-Art1, 5Pz-Art2, 5Pz-Neb2")
    table.play(f"attack {OPEN}", "join 12VG/27", "resolve")
    two = table.try_all("double 5Pz-Neb2", "support 5Pz-Art2")
    assert two.state.key() == table.try_all("support 5Pz-Art2", "double 5Pz-Neb2").state.key()
    assert asset(two, "5Pz-Neb2") == "box"
    assert two.refusal("support 5Pz-Neb2") == ("12.2", "gun-named-already")
    assert two.refusal("drop 5Pz-Art1") == ("11.3.1", "not-named")
    assert two.try_all("drop 5Pz-Neb2", "drop 5Pz-Art2").state.key() == table.state.key()
    two.play("drop 5Pz-Art2", "support 5Pz-Art1", "resolve")
    assert [asset(two, gun) for gun in ("5Pz-Art1", "5Pz-Art2", "5Pz-Neb2")] == ["used", "box", "turn-6"]


@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [(33, 10, "3-1"), (10, 10, "1-1"), (9, 10, "1-2"), (4, 10, "1-3"), (60, 10, "6-1"), (99, 10, "6-1")],
)
def test_11_3_2_odds_favour_the_defender(attack, defence, column):
    """The book's example: 33 against 10 is 3-1."""
    assert TABLES.columns[plain_column(TABLES, attack, defence)] == column


def test_11_3_2_below_the_table_the_attacker_loses_at_once(fighting):
    """2 against more than 6: AL1 without a die."""
    table = fighting("german", f"{OPEN} 99/393, 99/394, 99/395\n2416 560VG/1129 lost=1")
    table.play(f"attack {OPEN}", "join 560VG/1129", "resolve")
    assert where(table, "560VG/1129") == "eliminated"
    assert table.said("odds-hopeless")


@pytest.mark.parametrize(
    ("target", "others", "key", "n"),
    [
        ("2520", "2521 12VG/27", "shift-woods", -1),
        ("2519", "2418 12VG/27", "shift-town", -1),
        ("3216", "3217 12VG/27", "shift-rough", -1),
        ("2516", "2515 12VG/27", "shift-river", -1),
    ],
)
def test_11_3_2_terrain_columns(fighting, target, others, key, n):
    """Infantry in woods or town, anyone in rough, all attackers across a river: a column left."""
    table = fighting("german", f"{target} 99/393\n{others}").play(f"attack {target}", "join 12VG/27")
    assert shifts_of(table, "resolve")[key] == n


def test_11_3_2_woods_and_town_help_infantry_only(fighting):
    """Armour in woods has no column for it."""
    table = fighting("german", "2520 7A/CCB\n2521 12VG/27").play("attack 2520", "join 12VG/27")
    assert "shift-woods" not in shifts_of(table, "resolve")


def test_11_3_2_the_river_counts_only_if_all_attack_across_it(fighting):
    """One attacker on the same bank spoils it."""
    table = fighting("german", "2516 99/393\n2515 12VG/27\n2517 12VG/48")
    table.play("attack 2516", "join 12VG/27", "join 12VG/48")
    assert "shift-river" not in shifts_of(table, "resolve")


def test_11_3_2_a_village_adds_one_and_the_westwall_doubles_german_infantry(fighting):
    """393 in the village of Noville defends with one more; infantry in the Westwall with twice its strength."""
    village = fighting("german", "2617 99/393\n2616 12VG/27").play("attack 2617", "join 12VG/27")
    assert odds_of(village, "resolve")["defence"] == UNITS.values[UNITS.index["99/393"]][0][1] + 1
    wall = fighting("allied", "3707 277VG/990\n3607 99/393").play("attack 3707", "join 99/393")
    assert odds_of(wall, "resolve")["defence"] == 2 * UNITS.values[UNITS.index["277VG/990"]][0][1]


def test_11_3_2_armour_in_the_clear(fighting):
    """Armour against none gains a column in attack, and in defence if it is supplied."""
    attack = fighting("german", f"{OPEN} 99/393\n2417 2Pz/3").play(f"attack {OPEN}", "join 2Pz/3")
    assert shifts_of(attack, "resolve")["shift-armor-attacks"] == 1
    both = fighting("german", f"{OPEN} 7A/CCB\n2417 2Pz/3").play(f"attack {OPEN}", "join 2Pz/3")
    assert not any("armor" in key for key in shifts_of(both, "resolve"))
    defence = fighting("german", f"{OPEN} 7A/CCB\n2417 12VG/27").play(f"attack {OPEN}", "join 12VG/27")
    assert shifts_of(defence, "resolve")["shift-armor-defends"] == -1
    town = fighting("german", "2519 99/393\n2418 2Pz/3").play("attack 2519", "join 2Pz/3")
    assert "shift-armor-attacks" not in shifts_of(town, "resolve")


def test_11_3_2_peiper_adds_one_on_turn_1(fighting):
    """A 2 becomes a 3: DR instead of BL1 with the plain table; not on turn 2, nor with the option of 16.1."""
    lines = f"{OPEN} 99/393, 99/394\n2417 1SS/Peiper, 1SS/Hansen"
    for turn, option, result in ((1, "standard", "DR"), (2, "standard", "BL1"), (1, "plus-two", "BL1")):
        table = fight(fighting("german", lines, turn=turn, option=option), OPEN, "1SS/Peiper").play("roll 2")
        assert table.said("combat-result")[0].args["word_result"] == result


def test_11_3_3_losses_are_chosen_by_their_owner(fighting):
    """BL1: the Ally chooses among two, the only attacker loses a step."""
    table = fight(fighting("german", f"{OPEN} 99/393, 99/394\n2417 12VG/27, 12VG/48"), OPEN, "12VG/27")
    table.play("roll 2")
    assert table.actor == "allied"
    assert table.choices() == ["lose 99/393", "lose 99/394"]
    table.play("lose 99/394")
    assert (lost(table, "99/394"), lost(table, "12VG/27")) == (1, 1)


def test_11_3_3_the_first_german_combat_round_may_convert_retreats(fighting):
    """On turn 1 the first combat round: DR may become BL1."""
    table = fighting("german", f"{OPEN} 99/393, 99/394\n2417 12VG/27, 12VG/48", turn=1, track=(GERMAN_MC,))
    fight(table, OPEN, "12VG/27").play("roll 3")
    assert table.choices() == ["convert", "pass"]
    table.play("convert", "lose 99/393")
    assert lost(table, "12VG/27") == 1
    later = fighting("german", f"{OPEN} 99/393\n2417 12VG/27, 12VG/48", turn=2, track=(GERMAN_MC,))
    assert fight(later, OPEN, "12VG/27").play("roll 3").choices() != ["convert", "pass"]


def test_11_4_two_hexes_away_from_the_enemy(fighting):
    """393 ends two hexes from where it stood, not next to a German, not further east."""
    table = fight(fighting("german", f"{OPEN} 99/393\n2616 12VG/27, 12VG/48"), OPEN, "12VG/27").play("roll 3")
    places = [choice.split()[2] for choice in table.choices("retreat")]
    assert places
    for label in places:
        assert GROUND.board.distance(hexagon(OPEN), hexagon(label)) == 2
        assert int(label[:2]) <= 25
        assert GROUND.board.distance(hexagon("2616"), hexagon(label)) > 1


def test_11_4_a_stack_may_part(fighting):
    """Two units choose their own way."""
    table = fight(fighting("german", f"{OPEN} 99/393, 99/394\n2616 12VG/27, 12VG/48"), OPEN, "12VG/27").play("roll 3")
    first = table.choices("retreat 99/393")
    table.play(first[0])
    second = table.choices("retreat 99/394")
    table.play(second[-1])
    assert where(table, "99/393") != where(table, "99/394")


def test_11_4_the_owner_chooses_a_way_that_makes_a_difference(fighting):
    """From 2518 to 2419 by 2418, or by 2519 to take Bastogne back."""
    lines = "held 2519\n2518 99/393\n2617 12VG/27, 12VG/48"
    table = fight(fighting("german", lines), "2518", "12VG/27").play("roll 3")
    bastogne = 1 << hexagon("2519")
    assert table.try_all("retreat 99/393 2419").state.german_held & bastogne
    led = table.try_all("via 99/393 2519")
    assert led.choices() == ["cancel", "retreat 99/393 2419", "retreat 99/393 2520"]
    assert led.game.view.preview(led.state, led.game.read("retreat 99/393 2419"))["path"] == ["2518", "2519", "2419"]
    assert led.try_all("cancel").state.key() == table.state.key()
    assert not led.play("retreat 99/393 2419").state.german_held & bastogne


RING_IN_THE_OPEN = "2416 12VG/27\n2518 12VG/48\n2617 26VG/39\n2616 26VG/77\n2516 18VG/293\n2417 18VG/294"


def test_11_4_who_cannot_retreat_stays_and_loses(fighting):
    """Surrounded, 393 stays and loses a step; on its last step it is eliminated."""
    table = fight(fighting("german", f"{OPEN} 99/393\n{RING_IN_THE_OPEN}"), OPEN, "12VG/27").play("roll 3")
    assert where(table, "99/393") == OPEN
    assert lost(table, "99/393") == 1
    last = fight(fighting("german", f"{OPEN} 99/393 lost=1\n{RING_IN_THE_OPEN}"), OPEN, "12VG/27").play("roll 3")
    assert where(last, "99/393") == "eliminated"


def test_11_4_infantry_retreats_over_a_major_river(fighting):
    """Germans hold the east bank at 0520: the regiment crosses the Meuse on foot, as it could in its own round."""
    lines = "0520 28/109\n0519 12VG/27\n0619 12VG/48\n0620 3FJ/5\n0521 3FJ/8\n4502 3PG/8"
    table = fight(fighting("german", lines), "0520", "12VG/27", "12VG/48", "3FJ/5", "3FJ/8").play("roll 3")
    assert table.choices("retreat") == ["retreat 28/109 0319", "retreat 28/109 0320", "retreat 28/109 0321"]


def test_11_4_the_owner_says_who_of_a_stack_retreats_first(fighting):
    """Either of two regiments may go first, and the end is the same."""
    table = fight(fighting("german", f"{OPEN} 99/393, 99/394\n2616 12VG/27, 12VG/48"), OPEN, "12VG/27").play("roll 3")
    ends = table.choices("retreat 99/394")
    other = f"retreat 99/393 {ends[0].split()[2]}"
    assert table.try_all(ends[0], other).state.key() == table.try_all(other, ends[0]).state.key()
    assert table.refusal("via 99/393 2616") == ("11.4", "no-way-through")


def test_11_4_no_retreat_ends_next_to_an_enemy_without_zone(fighting):
    """A battle group on its last step at 2315 has no zone, yet the hexes beside it are no place to end."""
    lines = f"{OPEN} 99/393\n2518 2Pz/3, 2Pz/304"
    attack = (f"attack {OPEN}", "join 2Pz/3", "join 2Pz/304", "resolve", "roll 3")
    alone = fighting("german", lines).play(*attack)
    assert {"retreat 99/393 2316", "retreat 99/393 2415"} <= set(alone.choices())
    watched = fighting("german", f"{lines}\n2315 116Pz/60 lost=2").play(*attack)
    assert watched.candidates() == ["retreat 99/393 2317", "retreat 99/393 2515"]


def test_11_4_1_airborne_troops_stand(fighting):
    """The example: DR* on a full airborne and a full armoured unit in a town; the airborne unit takes both losses."""
    table = fighting("german", "2519 101/501, 10A/CCB\n2418 2Pz/3, 2Pz/304")
    fight(table, "2519", "2Pz/3").play("roll 4", "lose 101/501")
    assert table.choices() == ["stand 101/501", "pass"]
    table.play("stand 101/501")
    assert where(table, "101/501") == "eliminated"
    assert (where(table, "10A/CCB"), lost(table, "10A/CCB")) == ("2519", 0)


def test_11_4_1_not_in_the_open(fighting):
    """In clear ground airborne troops retreat like others."""
    table = fight(fighting("german", f"{OPEN} 101/501\n2616 12VG/27, 12VG/48"), OPEN, "12VG/27").play("roll 3")
    assert not table.choices("stand")


def test_11_4_2_units_without_capacity_are_lost_in_a_retreat(fighting):
    """The US Delay goes back to its box, von der Heydte is eliminated."""
    table = fight(fighting("german", f"{OPEN} Delay\n2616 12VG/27, 12VG/48"), OPEN, "12VG/27").play("roll 3")
    assert where(table, "Delay") == "box"
    drop = fight(fighting("allied", f"{OPEN} VdH\n2616 99/393, 99/394"), OPEN, "99/393").play("roll 3")
    assert where(drop, "VdH") == "eliminated"


def test_11_5_attackers_advance_in_any_order_within_the_stacking_limit(fighting):
    """Three attackers of three divisions: any two may enter the cleared hex, and one can be taken back before."""
    table = fighting("german", f"{OPEN} 14Cav lost=1\n2416 12VG/27\n2616 26VG/39\n2617 18VG/293")
    fight(table, OPEN, "12VG/27", "18VG/293", "26VG/39").play("roll 4")
    two = table.try_all("advance 18VG/293", "advance 12VG/27")
    assert not two.choices("advance")
    assert two.refusal("advance 26VG/39") == ("6", "division-and-one")
    assert two.refusal("advance 18VG/293") == ("11.5", "advances-already")
    assert two.state.key() == table.try_all("advance 12VG/27", "advance 18VG/293").state.key()
    two.play("drop 12VG/27", "advance 26VG/39", "done")
    assert [where(two, unit) for unit in ("12VG/27", "18VG/293", "26VG/39")] == ["2416", OPEN, OPEN]
