"""Chapter 11 with 6, 12.2, 12.3, 12.4.2 and 16.1: combat, guns, retreats, advances, stacking."""

from __future__ import annotations

import pytest
from tests.games.deadly_woods.conftest import asset, hexagon, lost, odds_of, settled, shifts_of, stage, where

from salient.common.sides import ALLIED
from salient.games.deadly_woods import model
from salient.games.deadly_woods.combat import nebelwerfer_strength, plain_column
from salient.games.deadly_woods.model import ASSET, BRIDGE_NAMES, COLUMNS
from salient.games.deadly_woods.results import BlowHeld
from salient.games.deadly_woods.retreats import BlowBehind
from salient.games.deadly_woods.stacking import refuse_mixing, refuse_stack

OPEN = "2517"  # clear, no river, no settlement


def fight(table, target, *units):
    """Declare an attack and commit no guns: the die is to be rolled."""
    table.play(f"attack {target}", *(f"join {u}" for u in units), "resolve")
    while table.choices("resolve"):
        table.play("resolve")
    return table


# ---- 11.1, 11.2 -----------------------------------------------------------------------------------


def test_11_1_one_hex_is_attacked_from_several(fighting):
    """Two units from different hexes attack 2517 together; attacking is voluntary."""
    table = fighting("german", f"{OPEN} 99/393\n2417 12VG/27\n2617 12VG/48\n2516 26VG/39")
    assert table.choices() == [f"attack {OPEN}", "pass"]
    table.play(f"attack {OPEN}")
    assert table.candidates() == ["join 12VG/27", "join 12VG/48", "join 26VG/39"]


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


# ---- 11.3 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [(33, 10, "3-1"), (10, 10, "1-1"), (9, 10, "1-2"), (4, 10, "1-3"), (60, 10, "6-1"), (99, 10, "6-1")],
)
def test_11_3_2_odds_favour_the_defender(attack, defence, column):
    """The book's example: 33 against 10 is 3-1."""
    assert COLUMNS[plain_column(attack, defence)] == column


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
    assert odds_of(village, "resolve")["defence"] == model.VALUES[model.UNIT["99/393"]][0][1] + 1
    wall = fighting("allied", "3707 277VG/990\n3607 99/393").play("attack 3707", "join 99/393")
    assert odds_of(wall, "resolve")["defence"] == 2 * model.VALUES[model.UNIT["277VG/990"]][0][1]


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


def test_8_3_armour_out_of_supply_loses_its_column_in_defence(fighting):
    """German tanks marked out of supply: a column for the attacker, none for themselves."""
    table = fighting("allied", f"{OPEN} 2Pz/3 oos\n2417 99/393").play(f"attack {OPEN}", "join 99/393")
    shifts = shifts_of(table, "resolve")
    assert shifts["shift-unsupplied"] == 1
    assert "shift-armor-defends" not in shifts


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
    table = fighting("german", f"{OPEN} 99/393, 99/394\n2417 12VG/27, 12VG/48", turn=1, track=(model.GERMAN_MC,))
    fight(table, OPEN, "12VG/27").play("roll 3")
    assert table.choices() == ["convert", "pass"]
    table.play("convert", "lose 99/393")
    assert lost(table, "12VG/27") == 1
    later = fighting("german", f"{OPEN} 99/393\n2417 12VG/27, 12VG/48", turn=2, track=(model.GERMAN_MC,))
    assert fight(later, OPEN, "12VG/27").play("roll 3").choices() != ["convert", "pass"]


# ---- 11.4 Retreat ---------------------------------------------------------------------------------


def test_11_4_two_hexes_away_from_the_enemy(fighting):
    """393 ends two hexes from where it stood, not next to a German, not further east."""
    table = fight(fighting("german", f"{OPEN} 99/393\n2616 12VG/27, 12VG/48"), OPEN, "12VG/27").play("roll 3")
    places = [choice.split()[2] for choice in table.choices("retreat")]
    assert places
    for label in places:
        assert model.BOARD.distance(hexagon(OPEN), hexagon(label)) == 2
        assert int(label[:2]) <= 25
        assert model.BOARD.distance(hexagon("2616"), hexagon(label)) > 1


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
    assert led.game.preview(led.state, led.game.read("retreat 99/393 2419"))["path"] == ["2518", "2519", "2419"]
    assert led.try_all("cancel").state.key() == table.state.key()
    assert not led.play("retreat 99/393 2419").state.german_held & bastogne


def test_6_2_corps_do_not_mix_in_a_retreat_even_where_the_hex_is_full(fighting):
    """Two divisions of VIII Corps in 2417 fill it; a regiment of V Corps may not even pass."""
    table = fighting("german", f"{OPEN} 99/393\n2417 106/422, 28/110\n2616 12VG/27")
    refusal = refuse_mixing(table.state, model.UNIT["99/393"], hexagon("2417"))
    assert (refusal.rule, refusal.key) == ("6.1", "two-corps")


RING = "2416 12VG/27\n2518 12VG/48\n2617 26VG/39\n2616 26VG/77\n2516 18VG/293\n2417 18VG/294"


def test_11_4_who_cannot_retreat_stays_and_loses(fighting):
    """Surrounded, 393 stays and loses a step; on its last step it is eliminated."""
    table = fight(fighting("german", f"{OPEN} 99/393\n{RING}"), OPEN, "12VG/27").play("roll 3")
    assert where(table, "99/393") == OPEN
    assert lost(table, "99/393") == 1
    last = fight(fighting("german", f"{OPEN} 99/393 lost=1\n{RING}"), OPEN, "12VG/27").play("roll 3")
    assert where(last, "99/393") == "eliminated"


def test_7_3_a_retreat_through_zones_costs_the_stack_one_step(fighting):
    """The only way leads through a zone: one of the two units loses a step."""
    around = "2416 12VG/27\n2617 26VG/39\n2616 26VG/77\n2516 18VG/293\n2417 18VG/294"
    table = fight(fighting("german", f"{OPEN} 99/393, 99/394\n{around}"), OPEN, "12VG/27").play("roll 3")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert table.said("retreat-through-zone")
    assert table.choices("lose") == ["lose 99/393", "lose 99/394"]


def test_7_3_friends_lift_zones_for_a_retreat(fighting):
    """With a friend in 2518 the way through it costs nothing."""
    around = "2416 12VG/27\n2617 26VG/39\n2616 26VG/77\n2516 18VG/293\n2417 18VG/294"
    table = fight(fighting("german", f"{OPEN} 99/393\n2518 99/394\n{around}"), OPEN, "12VG/27").play("roll 3")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert not table.said("retreat-through-zone")
    assert lost(table, "99/393") == 0


def test_9_2_a_retreat_stopped_by_an_army_boundary_costs_two_steps(fighting):
    """Enemies north of 3810: on turn 2 only the zone of 5th Panzer Army lies open, and the unit loses both steps."""
    lines = "3810 12VG/27\n3809 2/9\n3710 2/23\n3910 2/38"
    attackers = ("2/9", "2/23", "2/38")
    table = fight(fighting("allied", lines, turn=2), "3810", *attackers).play("roll 3")
    assert where(table, "12VG/27") == "eliminated"
    later = fight(fighting("allied", lines, turn=5), "3810", *attackers).play("roll 3")
    assert later.choices("retreat") == ["retreat 12VG/27 3812", "retreat 12VG/27 3912"]


def test_9_2_a_stack_stopped_by_an_army_boundary_loses_two_steps_in_all(fighting):
    """Two regiments that may not leave their army's zone lose two steps together, as their owner chooses."""
    lines = "3411 4/8\n3312 4/12\n3211 4/22\n3311 18VG/293, 18VG/294"
    table = fight(fighting("allied", lines, turn=2), "3311", "4/8", "4/12").play("roll 3")
    assert table.actor == "german"
    assert table.choices() == ["lose 18VG/293", "lose 18VG/294"]
    each = table.try_all("lose 18VG/293", "lose 18VG/294")
    assert (lost(each, "18VG/293"), lost(each, "18VG/294")) == (1, 1)
    one = table.try_all("lose 18VG/294", "lose 18VG/294")
    assert (lost(one, "18VG/293"), where(one, "18VG/294")) == (0, "eliminated")


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


# ---- 10.6.1 Bridges in combat ---------------------------------------------------------------------


def test_10_6_1_a_defender_who_holds_may_blow_the_bridge(fighting):
    """Attacked over the bridge of Dasburg, the Americans hold 3217 and blow it."""
    table = fighting("german", "3217 28/110\n3317 2Pz/3, 2Pz/304")
    fight(table, "3217", "2Pz/3").play("roll 5")
    assert table.actor == "allied"
    assert table.choices() == ["blow 3217/3317", "done"]
    table.play("blow 3217/3317")
    assert table.try_all("drop 3217/3317").choices() == ["blow 3217/3317", "done"]
    table.play("done")
    assert table.state.blown >> BRIDGE_NAMES.index("3217/3317") & 1


def test_10_6_1_who_retreats_over_a_bridge_may_roll_to_blow_it(fighting):
    """Driven from 2615 over the bridge of Houffalize: a 3 blows it, a 4 does not."""
    table = fighting("german", "2615 14Cav\n2614 12VG/27, 12VG/48\n2714 26VG/39")
    fight(table, "2615", "12VG/27").play("roll 3")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert table.choices("blow") == ["blow 2615/2616"]
    table.play("blow 2615/2616")
    assert table.try_all("roll 3").state.blown >> BRIDGE_NAMES.index("2615/2616") & 1
    assert not table.try_all("roll 4").state.blown >> BRIDGE_NAMES.index("2615/2616") & 1


TWO_BRIDGES = 1 << BRIDGE_NAMES.index("2615/2616") | 1 << BRIDGE_NAMES.index("3217/3317")


def test_10_6_1_bridges_behind_a_retreat_are_tried_in_any_order():
    """Two bridges were crossed: the later one of the list first, then the other; each once."""
    s = stage("2518 99/393\n4019 12VG/27")
    s.push(BlowBehind(ALLIED, TWO_BRIDGES, 0))
    table = settled(s).play("blow 3217/3317", "roll 4")
    assert table.choices() == ["blow 2615/2616", "pass"]
    assert table.refusal("blow 3217/3317") == ("10.6.1", "not-that-bridge")


def test_10_6_1_a_defender_names_bridges_in_any_order():
    """Both bridges over which he was attacked, one of them, or none, as he likes until he is done."""
    s = stage("2518 99/393\n4019 12VG/27")
    s.push(BlowHeld(ALLIED, TWO_BRIDGES, ()))
    table = settled(s)
    both = table.try_all("blow 3217/3317", "blow 2615/2616")
    assert both.state.key() == table.try_all("blow 2615/2616", "blow 3217/3317").state.key()
    assert both.refusal("blow 2615/2616") == ("10.6.1", "bridge-named-already")
    assert both.refusal("drop 99/393") == ("10.6.1", "not-named")
    assert both.state.blown == 0
    assert both.try_all("drop 2615/2616", "done").state.blown == 1 << BRIDGE_NAMES.index("3217/3317")
    assert both.play("done").state.blown == TWO_BRIDGES


# ---- 12.2, 12.3 Guns ------------------------------------------------------------------------------


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


def test_12_3_two_guns_in_any_order(fighting):
    """The second gun of VIII Corps named first leaves the first one free."""
    table = fighting("allied", "2318 28/109\n2218 12VG/27\nbox VIII-Art1, VIII-Art2")
    table.play("attack 2218", "join 28/109", "resolve", "support VIII-Art2")
    assert table.refusal("support VIII-Art2") == ("12.2", "gun-named-already")
    table.play("support VIII-Art1", "resolve")
    assert table.actor == "chance"
    assert [asset(table, gun) for gun in ("VIII-Art1", "VIII-Art2")] == ["used", "used"]


def test_12_2_one_artillery_and_one_nebelwerfer_a_combat(fighting):
    """After one of each the German has no further choice."""
    table = fighting("german", f"{OPEN} 99/393\n2416 12VG/27\nbox 5Pz-Art1, 5Pz-Art2, 5Pz-Neb1, 5Pz-Neb2")
    table.play(f"attack {OPEN}", "join 12VG/27", "resolve", "support 5Pz-Art1")
    nebelwerfer = ["double 5Pz-Neb1", "double 5Pz-Neb2", "resolve", "support 5Pz-Neb1", "support 5Pz-Neb2"]
    assert table.candidates() == nebelwerfer
    table.play("support 5Pz-Neb1")
    assert table.candidates() == ["resolve"]
    assert table.refusal("support 5Pz-Neb2") == ("12.2", "enough-guns")
    table.play("resolve")
    assert table.actor == "chance"
    assert asset(table, "5Pz-Art1") == "used"


def test_12_2_a_doubled_nebelwerfer_comes_back_two_turns_later(fighting):
    """Doubled on turn 4 it stands on the track for turn 6."""
    table = fighting("german", f"{OPEN} 99/393\n2416 12VG/27\nbox 5Pz-Neb1")
    table.play(f"attack {OPEN}", "join 12VG/27", "resolve")
    single, double = (odds_of(table, f"{verb} 5Pz-Neb1")["attack"] for verb in ("support", "double"))
    assert double - model.VALUES[model.UNIT["12VG/27"]][0][0] == 2 * (
        single - model.VALUES[model.UNIT["12VG/27"]][0][0]
    )
    assert asset(table.play("double 5Pz-Neb1", "resolve"), "5Pz-Neb1") == "turn-6"


@pytest.mark.parametrize(
    ("label", "change"), [(OPEN, 1), ("2617", -1), ("3410", -1), ("2820", -2), ("2519", -2), ("2520", 0)]
)
def test_12_2_terrain_changes_nebelwerfer(label, change):
    """Clear +1, village or forest -1, rough or town -2, woods nothing: the worst counts."""
    a = ASSET["6Pz-Neb1"]
    assert nebelwerfer_strength(a, hexagon(label), False) == model.ASSET_STRENGTH[a] + change


def test_12_2_nebelwerfer_do_not_defend_and_guns_stay_in_their_zone(fighting):
    """On turn 2 guns of 7th Army are not offered in the zone of 5th Panzer Army; in defence only artillery is."""
    table = fighting("german", f"{OPEN} 99/393\n2416 12VG/27\nbox 7th-Art1, 5Pz-Art1", turn=2)
    table.play(f"attack {OPEN}", "join 12VG/27", "resolve")
    assert table.choices("support") == ["support 5Pz-Art1"]
    assert table.refusal("support 7th-Art1") == ("12.2", "gun-out-of-zone")
    defence = fighting("allied", f"{OPEN} 12VG/27\n2416 99/393\nbox 5Pz-Art1, 5Pz-Neb1")
    defence.play(f"attack {OPEN}", "join 99/393", "resolve")
    assert defence.choices() == ["resolve", "support 5Pz-Art1"]
    assert defence.refusal("support 5Pz-Neb1") == ("12.2", "nebelwerfer-attack-only")


def test_9_2_2_guns_of_6th_panzer_army_never_fire_for_the_7th(fighting):
    """Even on turn 8."""
    south = "3526"
    assert model.ARMY_ZONE["7"] >> hexagon(south) & 1
    table = fighting("german", f"{south} 4/12\n3525 12VG/27\nbox 6Pz-Art1, 5Pz-Art1", turn=8)
    table.play(f"attack {south}", "join 12VG/27", "resolve")
    assert table.choices("support") == ["support 5Pz-Art1"]
    assert table.refusal("support 6Pz-Art1") == ("9.2.2", "gun-out-of-zone")


def test_8_3_no_german_artillery_for_units_out_of_supply(fighting):
    """A marked defender gets none."""
    table = fighting("allied", f"{OPEN} 12VG/27 oos\n2416 99/393\nbox 5Pz-Art1")
    table.play(f"attack {OPEN}", "join 99/393", "resolve")
    assert table.actor == "chance"


def test_12_3_two_guns_of_the_right_corps(fighting):
    """V Corps guns, two of them, for V Corps; VIII Corps guns are not offered."""
    table = fighting("german", f"{OPEN} 99/393\n2416 12VG/27\nbox V-Art1, V-Art2, VIII-Art1")
    table.play(f"attack {OPEN}", "join 12VG/27", "resolve")
    assert table.choices("support") == ["support V-Art1", "support V-Art2"]
    assert table.refusal("support VIII-Art1") == ("12.3", "guns-of-other-corps")
    table.play("support V-Art1", "support V-Art2", "resolve")
    assert table.actor == "chance"


def test_12_3_airborne_troops_use_the_guns_of_corps_within_three_hexes(fighting):
    """The example: an airborne unit with VII Corps beside it and V Corps near may use the guns of both."""
    lines = f"{OPEN} 82/504, 84/333\n2419 99/393\n2416 12VG/27\nbox V-Art1, VII-Art1, III-Art1"
    table = fighting("german", lines).play(f"attack {OPEN}", "join 12VG/27", "resolve")
    assert table.choices("support") == ["support V-Art1", "support VII-Art1"]


def test_12_3_allied_guns_are_ready_again_after_the_round(fighting):
    """Used in a combat, back in the box at the end of the round."""
    table = fighting("german", f"{OPEN} 99/393\n2416 12VG/27\nbox V-Art1", cup=[0] * 7 + [1] + [0] * 4)
    table.play(f"attack {OPEN}", "join 12VG/27", "resolve", "support V-Art1", "resolve")
    assert asset(table, "V-Art1") == "used"
    table.play("roll 5")
    assert asset(table, "V-Art1") == "box"


def test_12_3_no_guns_for_two_regiments_of_the_99th_on_turn_1(fighting):
    """393 gets none on turn 1, 395 does."""
    for unit, offered in (("99/393", False), ("99/395", True)):
        table = fighting("german", f"{OPEN} {unit}\n2416 12VG/27\nbox V-Art1", turn=1)
        table.play(f"attack {OPEN}", "join 12VG/27", "resolve")
        assert bool(table.choices("support")) is offered


def test_12_4_2_engineers_help_defenders_of_their_corps(fighting):
    """V Corps engineers two hexes away: a column for 393, none for a VIII Corps unit, one for airborne and Delay."""
    for unit, helped in (("99/393", True), ("106/422", False), ("101/501", True), ("Delay", True)):
        table = fighting("german", f"{OPEN} {unit}\n2519 V-Eng\n2416 12VG/27").play(f"attack {OPEN}", "join 12VG/27")
        assert ("shift-engineers" in shifts_of(table, "resolve")) is helped
    attack = fighting("allied", f"{OPEN} 12VG/27\n2519 V-Eng\n2416 99/393").play(f"attack {OPEN}", "join 99/393")
    assert "shift-engineers" not in shifts_of(attack, "resolve")


def test_12_4_2_engineers_alone_are_not_attacked(fighting):
    """Nothing to attack where only engineers are."""
    table = fighting("german", f"2519 V-Eng\n2418 12VG/27\n{OPEN} 99/393\n2416 26VG/39")
    assert table.choices("attack") == [f"attack {OPEN}"]


def test_16_1_the_optional_asset_adds_two_once_a_turn(fighting):
    """With the option a 2 becomes a 4."""
    lines = f"{OPEN} 99/393, 99/394\n2417 12VG/27, 12VG/48\nbox Bonus"
    table = fighting("german", lines, turn=2, option="plus-two")
    table.play(f"attack {OPEN}", "join 12VG/27", "resolve", "support Bonus", "resolve", "roll 2")
    assert table.said("combat-result")[0].args["word_result"] == "DR*"
    assert asset(table, "Bonus") == "used"
    late = fighting("german", lines, turn=3, option="plus-two").play(f"attack {OPEN}", "join 12VG/27", "resolve")
    assert late.actor == "chance"


# ---- 6 Stacking -----------------------------------------------------------------------------------


def units(*names):
    return tuple(model.UNIT[name] for name in names)


def test_6_a_division_and_one_more():
    """The examples: all of the 99th and one of the 106th; 12th VG and one of the 12th SS."""
    assert refuse_stack(units("99/393", "99/394", "99/395", "2/9")) is None
    assert refuse_stack(units("12VG/27", "12VG/48", "12SS/Kuhlmann")) is None
    assert refuse_stack(units("12VG/27", "12VG/48", "12SS/Kuhlmann", "12SS/Muller")).rule == "6"
    assert refuse_stack(units("12VG/27", "26VG/39", "18VG/293")).rule == "6"


def test_6_1_nations_and_corps_do_not_mix():
    """British with US, V with VIII Corps: no; airborne units go with any corps, engineers only with their own."""
    assert refuse_stack(units("29Bde", "99/393")).key == "british-and-us"
    assert refuse_stack(units("99/393", "106/422")).key == "two-corps"
    assert refuse_stack(units("82/504", "99/393")) is None
    assert refuse_stack(units("99/393"), "VIII").key == "two-corps"


def test_6_2_the_owner_eliminates_the_excess_after_a_movement_round(moving):
    """Three units of three divisions in a hex: one must go when the movement ends."""
    table = moving("german", "2517 12VG/27\n2516 26VG/39\n2616 18VG/293")
    table.play("select 26VG/39", "move 26VG/39 2517", "select 18VG/293", "move 18VG/293 2517", "pass")
    assert table.choices() == ["remove 12VG/27", "remove 18VG/293", "remove 26VG/39"]
    assert where(table.play("remove 18VG/293"), "18VG/293") == "eliminated"


def test_6_3_one_engineer_a_hex(phase):
    """Where V Corps engineers are, none of another corps are offered."""
    table = phase(1, "2519 V-Eng\n2518 106/422\nbox VIII-Eng")
    assert "place VIII-Eng 2519" not in table.choices()


def test_6_3_1_the_delay_gives_way(moving):
    """An Allied unit that enters its hex sends the Delay back to its box."""
    table = moving("allied", "2519 Delay\n2418 99/393").play("select 99/393", "move 99/393 2519")
    assert where(table, "Delay") == "box"


def test_11_4_no_retreat_ends_next_to_an_enemy_without_zone(fighting):
    """A battle group on its last step at 2315 has no zone, yet the hexes beside it are no place to end."""
    lines = f"{OPEN} 99/393\n2518 2Pz/3, 2Pz/304"
    attack = (f"attack {OPEN}", "join 2Pz/3", "join 2Pz/304", "resolve", "roll 3")
    alone = fighting("german", lines).play(*attack)
    assert {"retreat 99/393 2316", "retreat 99/393 2415"} <= set(alone.choices())
    watched = fighting("german", f"{lines}\n2315 116Pz/60 lost=2").play(*attack)
    assert watched.candidates() == ["retreat 99/393 2317", "retreat 99/393 2515"]
