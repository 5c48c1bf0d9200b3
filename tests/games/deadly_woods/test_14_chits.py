"""Chapters 14 and 17: the chits in their finer points, and what the Allies may know of the cup."""

from __future__ import annotations

import pytest
from tests.games.deadly_woods.conftest import hexagon, lost, reach, where

from salient import load
from salient.games.deadly_woods import model
from salient.games.deadly_woods.chits import army_is_secret, drawable
from salient.games.deadly_woods.model import CHITS
from salient.kernel import SeededDice
from table import Table


def chits(*names):
    return tuple(CHITS.index(name) for name in names)


def cup_of(table):
    return {CHITS[c]: n for c, n in enumerate(table.state.cup) if n}


def seen_cup(table, seat):
    panels = table.game.observe(table.state, seat)["panels"]
    return [chip["key"] for panel in panels if panel["key"] == "cup" for chip in panel["chips"]]


# ---- 14.2 -------------------------------------------------------------------------------------------


def test_14_2_the_example_played_out(drawing):
    """Supply check, Move, 5th Panzer Army, Allied reinforcements, supply check, Allied Move: the next is German."""
    cup = {"supply": 2, "german-mc": 1, "5pz": 1, "6pz": 1, "allied-reinforcements": 1, "allied-mc": 2}
    table = drawing(cup, "2416 26VG/39\n1408 99/393", mc_played=2)
    table.play("draw supply", "draw german-mc", "pass", "draw 5pz", "pass")
    assert {CHITS[c] for c in drawable(table.state)} == {"supply", "allied-reinforcements", "allied-mc"}
    table.play("draw allied-reinforcements", "draw supply", "draw allied-mc", "play move", "pass")
    assert {CHITS[c] for c in drawable(table.state)} == {"6pz"}


def test_14_2_the_first_chit_of_the_initiative_counts(phase):
    """Turn 8: Patton opens, an Allied chit follows, the next must be German or a supply check."""
    table = phase(9, "1408 99/393\n4019 12VG/27", turn=8)
    table.play("first patton-monty", "play patton", "draw allied-mc", "play move", "pass")
    assert "allied-mc" in cup_of(table)
    assert CHITS.index("allied-mc") not in drawable(table.state)


def test_14_3_after_the_opening_a_second_allied_chit_is_the_last_in_a_row():
    """The note: the reaction was Allied, so after one more Allied chit the draw must be German."""
    game = load("deadly-woods")
    table = Table(game, game.new()).play("pass", "pass", "pass", "pass")
    table.play(table.choices("deploy")[0], "roll 6")
    assert CHITS.index("allied-reinforcements") in drawable(table.state)
    table.play("draw allied-reinforcements")
    while table.actor == "allied":
        table.play(next((c for c in table.choices() if c.startswith("arrive")), "pass"))
    assert {CHITS[c] for c in drawable(table.state)} == {"5pz", "6pz"}


def test_14_3_1_units_may_react_twice_and_the_chit_is_gone_after_turn_1(playing, drawing):
    """The 2nd and 99th Divisions and units that moved before are free to react the second time."""
    lines = "2519 2/9\n2318 99/393\n1408 7A/CCB\n4019 12VG/27"
    table = playing("6pz", lines, turn=1, hand=CHITS.index("reaction"))
    while not table.choices("react"):
        table.play("pass")
    table.play("react")
    assert table.choices("select") == ["select 2/9", "select 99/393", "select 7A/CCB"]
    over = drawing({}, lines, turn=1, hand=CHITS.index("reaction")).play("react", "pass")
    assert over.state.turn == 2
    assert over.state.hand != CHITS.index("reaction")


def test_14_3_1_armour_that_attacks_counts_among_the_three(playing):
    """Two units have moved: one armoured unit may attack, then the reaction is over."""
    lines = "2517 12VG/27\n2518 7A/CCB\n2417 7A/CCA\n1408 99/393\n1406 99/394"
    table = playing("6pz", lines, turn=1, hand=CHITS.index("reaction"))
    while not table.choices("react"):
        table.play("pass")
    table.play("react", "select 99/393", "move 99/393 1407", "select 99/394", "move 99/394 1405", "pass")
    table.play("attack 2517", "join 7A/CCA")
    assert table.candidates() == ["resolve"]
    assert table.refusal("join 7A/CCB") == ("14.3.1", "no-activation-left")


# ---- 14.4 -------------------------------------------------------------------------------------------


def test_14_4_the_armour_step_is_any_adjacent_hex_it_can_enter(mc_round):
    """From 2022 the next hex 2023 is cheaper by the road round 1923, yet it is one step away."""
    table = mc_round("allied", "combat", "2022 7A/CCB\n2519 12VG/27")
    assert "2023" in reach(table, "7A/CCB")
    table.play("select 7A/CCB", "move 7A/CCB 2023")
    assert table.said("moves")[0].args["hexes"] == (hexagon("2022"), hexagon("2023"))


def test_14_4_the_armour_step_needs_supply_and_is_for_armour_only(mc_round):
    """Tanks out of supply and infantry do not step."""
    table = mc_round("german", "combat", "1408 2Pz/3 oos\n1508 116Pz/60\n1308 12VG/27\n2519 99/393")
    assert table.choices("select") == ["select 116Pz/60"]
    assert table.refusal("select 2Pz/3") == ("14.4", "step-needs-supply")


def test_10_6_2_the_armour_step_rebuilds_no_bridge(mc_round):
    """Tanks step over the blown bridge of Dasburg and leave it blown."""
    table = mc_round("german", "combat", "blown 3217/3317\n3317 2Pz/3\n2519 99/393")
    table.play("select 2Pz/3", "move 2Pz/3 3217")
    assert table.state.blown >> model.BRIDGE_NAMES.index("3217/3317") & 1


def test_14_4_on_turn_1_german_armour_gets_nothing_extra(mc_round):
    """No attack after the movement round, no step before the combat round."""
    lines = "2517 99/393\n2518 2Pz/3\n1408 2Pz/304"
    assert not mc_round("german", "combat", lines, turn=1).choices("select")
    table = mc_round("german", "move", lines, turn=1).play("pass")
    assert not table.choices("attack")


def test_14_5_armour_attacks_after_moving_where_it_began_in_the_zone(playing):
    """2nd Panzer moves up and attacks in one round of 5th Panzer Army."""
    table = playing("5pz", "2517 99/393\n2519 2Pz/3")
    table.play("select 2Pz/3", "move 2Pz/3 2518", "pass", "attack 2517")
    assert table.candidates() == ["join 2Pz/3"]


def test_14_6_infantry_attacks_after_moving_with_all_germans(playing):
    """A regiment walks up to the enemy and attacks."""
    table = playing("all-german", "2517 99/393\n2519 12VG/27", turn=2)
    table.play("select 12VG/27", "move 12VG/27 2518", "pass", "attack 2517")
    assert table.candidates() == ["join 12VG/27"]


def test_14_7_a_battalion_is_a_formation(playing):
    """Von der Heydte's battalion may be the infantry formation: it attacks without moving."""
    table = playing("formations", "2517 99/393\n2518 VdH\n4019 2Pz/3")
    table.play("formation VdH", "done")
    assert table.choices() == ["attack 2517", "pass"]


def test_14_9_patton_moves_then_attacks_and_monty_does_one_of_both(playing):
    """Patton's tanks move and attack; Monty's move gives no attack."""
    lines = "2517 12VG/27\n2519 4A/CCA\n2417 3A/CCA"
    patton = playing("patton-monty", lines, turn=6).play("play patton", "select 4A/CCA", "move 4A/CCA 2518")
    assert patton.play("pass", "attack 2517").candidates() == ["join 4A/CCA"]
    monty = playing("patton-monty", lines, turn=6).play("play monty-move", "pass")
    assert not monty.choices("attack")


def test_14_7_formations_are_named_in_any_order(playing):
    """Another formation of a kind takes the place of the first; all can be taken back."""
    table = playing("formations", "2518 2Pz/3\n2418 116Pz/60\n2618 FB\n2718 12VG/27")
    pair = table.try_all("formation 12VG", "formation 2Pz")
    assert pair.state.key() == table.try_all("formation 2Pz", "formation 12VG").state.key()
    assert pair.refusal("formation 2Pz") == ("14.7", "formation-named")
    assert pair.try_all("cancel").state.key() == table.state.key()
    assert table.try_all("formation FB", "formation 2Pz", "formation 12VG", "done").choices("select")


# ---- 14.8 -------------------------------------------------------------------------------------------


def test_14_8_overstacking_on_arrival_is_settled_at_the_end_of_the_round(playing):
    """Three divisions stay in one entry hex: the Allies eliminate down to a division and one unit."""
    table = playing("allied-reinforcements", "track 84/333, 75/289, 83/329", turn=5)
    for unit in ("84/333", "75/289", "83/329"):
        table.play(f"arrive {unit} 2101")
    table.play("pass")
    assert table.choices() == ["remove 84/333", "remove 75/289", "remove 83/329"]
    table.play("remove 75/289")
    assert (where(table, "75/289"), where(table, "84/333")) == ("eliminated", "2101")


def test_14_8_arrivals_attack_before_stacking_is_settled(playing):
    """Three armoured commands of three divisions come in beside a German: they attack, then one must go."""
    lines = "track 2A/CCA, 3A/CCA, 7A/CCA\n2102 116Pz/60 lost=2"
    table = playing("allied-reinforcements", lines, turn=5)
    while arrivals := [choice for choice in table.choices("arrive") if choice.endswith("2101")]:
        table.play(arrivals[0])
    if not table.choices("attack"):
        table.play("pass")
    assert table.choices("attack") == ["attack 2102"]
    assert table.play("pass").choices("remove")


def test_14_8_arriving_units_use_the_road_however_they_are_stacked(playing):
    """Two combat commands in one entry hex both drive more than ten hexes."""
    table = playing("allied-reinforcements", "track 2A/CCA, 2A/CCB", turn=4)
    table.play("arrive 2A/CCA 2101", "arrive 2A/CCB 2101")
    far = [h for h in reach(table, "2A/CCB") if model.BOARD.distance(hexagon(h), hexagon("2101")) > 8]
    assert far


def test_14_8_1_no_detour_without_a_later_chit(playing):
    """On turn 10 there is one chit only: the 90th Division cannot wait for a next one."""
    table = playing("allied-reinforcements", "track 90/357", turn=10)
    assert table.choices("arrive")
    assert not table.choices("detour")
    early = playing("allied-reinforcements", "track 6A/CCA", turn=6, hand=CHITS.index("allied-reinforcements"))
    assert early.choices("detour") == ["detour 6A/CCA"]
    assert not playing("allied-reinforcements", "track 6A/CCA", turn=6, scenario="attack").choices("detour")


def test_14_8_2_a_drawn_reinforcement_chit_may_be_replaced_by_the_held_one(drawing):
    """The second strategy of the note: the first box comes, the drawn chit is back in the cup."""
    table = drawing({"allied-reinforcements": 1, "5pz": 1}, "track 2A/CCA", hand=CHITS.index("allied-reinforcements"))
    table.play("draw allied-reinforcements", "swap")
    assert cup_of(table) == {"allied-reinforcements": 1, "5pz": 1}
    assert table.state.reinforcements == [1, 0]
    assert table.choices("arrive")


def test_14_8_2_german_chits_are_not_replaced(drawing):
    """A German chit is played as it comes."""
    table = drawing({"5pz": 1, "allied-mc": 1}, "4019 12VG/27", hand=CHITS.index("allied-reinforcements"))
    table.play("draw panzer-army")
    assert not table.choices("swap")


def test_14_8_3_who_could_not_enter_on_turn_3_never_does(playing):
    """St. Vith is held but all of K was closed: on turn 4 10th SS is out of the game."""
    held = 1 << hexagon("3211")
    closed = "4502 99/393\n4506 99/394\n4510 99/395"
    three = playing("german-reinforcements", f"track 10SS/21\n{closed}", 3, reinforcements=[0, 1], german_held=held)
    assert where(three, "10SS/21") == "track"
    four = playing("german-reinforcements", "track 10SS/21", turn=4, german_held=held)
    assert where(four, "10SS/21") == "gone"


def test_8_6_air_supply_is_placed_once_a_game(playing):
    """After it has been lost no second marker comes."""
    lines = "2519 101/501\ngone Air"
    assert not playing("allied-reinforcements", lines, turn=5, reinforcements=[1, 0]).choices("place")


# ---- 17 What the Allies know of the cup --------------------------------------------------------------


@pytest.mark.parametrize("army", ["5pz", "6pz"])
def test_17_the_choice_of_an_army_is_the_germans_secret(phase, army):
    """On turn 4 the Allies see that a panzer army is in the cup, not which, until it is drawn."""
    table = phase(9, "4019 12VG/27\n2519 99/393", turn=4).play(f"choose {army}")
    assert all("chit" not in event.args for event in table.said("army-chosen"))
    assert "choose" in table.game.secret_verbs
    assert army in seen_cup(table, "german")
    assert "panzer-army" in seen_cup(table, "allied")
    assert not {"5pz", "6pz"} & set(seen_cup(table, "allied"))


@pytest.mark.parametrize("army", ["5pz", "6pz"])
def test_17_the_draw_does_not_name_the_secret_army(phase, army):
    """Whoever holds the dice sees the same draws whichever army the German chose; drawn, it is known."""
    table = phase(9, "4019 12VG/27\n2519 99/393", turn=4).play(f"choose {army}", "first german-mc", "play move", "pass")
    draws = ["draw german-mc", "draw formations", "draw german-reinforcements", "draw supply", "draw allied-mc"]
    assert table.choices("draw") == [*draws, "draw allied-reinforcements", "draw panzer-army"]
    assert table.refusal(f"draw {army}") == ("14.1", "roll-first")
    table.play("draw panzer-army")
    assert table.state.track[-1:] == chits(army)


def test_17_resampling_for_the_allies_redraws_the_army(phase):
    """Both armies come up in redrawn positions for the Allies, one only for the German."""
    table = phase(9, "4019 12VG/27\n2519 99/393", turn=4).play("choose 5pz")
    dice = SeededDice(7)

    def armies(seat):
        states = [table.game.resample(table.state, seat, dice) for _ in range(20)]
        return {tuple(s.cup[c] for c in chits("5pz", "6pz")) for s in states}

    assert armies("allied") == {(1, 0), (0, 1)}
    assert armies("german") == {(1, 0)}


def test_17_a_drawn_army_and_two_known_armies_are_no_secret(drawing):
    """With both chits known to be in the game nothing is hidden."""
    assert army_is_secret(drawing({"5pz": 1, "supply": 1}, turn=5).state)
    assert not army_is_secret(drawing({"5pz": 1, "6pz": 1}, turn=4).state)
    assert not army_is_secret(drawing({"6pz": 1}, turn=4, track=chits("5pz")).state)
    assert not army_is_secret(drawing({"6pz": 1}, turn=3).state)


def test_17_an_army_chosen_may_open_the_turn(phase):
    """The German chooses 6th Panzer Army and plays it first: the Allies see it on the round track."""
    table = phase(9, "3607 2Pz/3\n2519 99/393", turn=4).play("choose 6pz", "first 6pz")
    assert table.state.track == chits("6pz")
    assert table.choices("select") == ["select 2Pz/3"]


def test_8_3_abandoned_tanks_do_not_attack(playing):
    """A battle group out of supply moves as its last step and may not attack afterwards."""
    table = playing("all-german", "2517 99/393\n2519 2Pz/3 oos", turn=2)
    table.play("select 2Pz/3", "move 2Pz/3 2518")
    assert lost(table, "2Pz/3") == 2
    assert not table.choices("attack")
