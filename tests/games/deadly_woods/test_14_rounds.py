"""The Deadly Woods: chapter 14, rounds."""

from __future__ import annotations

from fractions import Fraction

import pytest

from games.deadly_woods.positions import (
    GROUND,
    PLAIN_GAME,
    chits,
    cup_of,
    hexagon,
    reach,
    way_of,
    where,
)
from salient.games.deadly_woods.chits import drawable
from salient.games.deadly_woods.components import CHITS
from table import Table


def test_14_1_chits_are_drawn_by_their_numbers(drawing):
    """Two of three chits are Allied Move/Combat: probability two thirds."""
    table = drawing({"allied-mc": 2, "supply": 1})
    assert table.state.stack[-1].outcomes(table.state) == [
        (("draw", CHITS.index("supply")), Fraction(1, 3)),
        (("draw", CHITS.index("allied-mc")), Fraction(2, 3)),
    ]


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
    table = phase("cup", "1408 99/393\n4019 12VG/27", turn=8)
    table.play("first patton-monty", "play patton", "draw allied-mc", "play move", "pass")
    assert "allied-mc" in cup_of(table)
    assert CHITS.index("allied-mc") not in drawable(table.state)


def test_14_2_no_third_round_in_a_row_while_the_other_side_has_chits(drawing):
    """After two German chits only Allied chits and supply checks can be drawn."""
    table = drawing({"5pz": 1, "supply": 1, "allied-mc": 1}, track=chits("6pz", "german-mc"))
    assert [CHITS[c] for c in drawable(table.state)] == ["supply", "allied-mc"]


def test_14_2_alone_in_the_cup_a_side_goes_on(drawing):
    """With only German chits left a third one is legal."""
    table = drawing({"5pz": 1, "supply": 1}, track=chits("6pz", "german-mc"))
    assert [CHITS[c] for c in drawable(table.state)] == ["5pz", "supply"]


def test_14_2_the_example_of_the_book(drawing):
    """Supply check, Move, 5th Panzer Army is legal; then Reinforcements, supply check, Allied Move: next a German."""
    cup = {"5pz": 1, "6pz": 1, "allied-mc": 1}
    first = drawing(cup, track=chits("supply", "german-mc"))
    assert CHITS.index("5pz") in drawable(first.state)
    then = drawing(cup, track=chits("supply", "german-mc", "5pz", "allied-reinforcements", "supply", "allied-mc"))
    assert [CHITS[c] for c in drawable(then.state)] == ["5pz", "6pz"]


def test_14_3_after_the_opening_a_second_allied_chit_is_the_last_in_a_row():
    """The note: the reaction was Allied, so after one more Allied chit the draw must be German."""
    game = PLAIN_GAME
    table = Table(game, game.new()).play("pass", "pass", "pass", "pass")
    table.play(table.choices("deploy")[0], "done", "roll 6")
    assert CHITS.index("allied-reinforcements") in drawable(table.state)
    table.play("draw allied-reinforcements")
    while table.actor == "allied":
        table.play(next((c for c in table.choices() if c.startswith(("arrive", "done"))), "pass"))
    assert {CHITS[c] for c in drawable(table.state)} == {"5pz", "6pz"}


def test_14_3_the_opening_has_five_steps():
    """German combat, German movement, traffic, reaction, von der Heydte, then the cup with two chits of each side."""
    game = PLAIN_GAME
    table = Table(game, game.new())
    assert type(table.state.stack[-1]).__name__ == "Fight"
    table.play("pass")
    assert (type(table.state.stack[-1]).__name__, table.actor) == ("Select", "german")
    table.play("pass")
    assert table.choices("place")[0].startswith("place Traffic")
    table.play("pass")
    assert (type(table.state.stack[-1]).__name__, table.actor) == ("Select", "allied")
    table.play("pass")
    assert table.choices("deploy")[0].startswith("deploy VdH")
    table.play(table.choices("deploy")[0], "done", "roll 1")
    assert cup_of(table) == {"5pz": 1, "6pz": 1, "allied-reinforcements": 2}
    assert CHITS[table.state.hand] == "reaction"
    assert table.state.track == chits("german-mc", "german-mc", "reaction")


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


def test_14_3_1_the_first_reaction_moves_three_units_but_not_2nd_and_99th():
    """Units of the 2nd and 99th Divisions are not offered; after three moves it is over."""
    game = PLAIN_GAME
    table = Table(game, game.new()).play("pass", "pass", "pass")
    offered = {choice.split()[1] for choice in table.choices("select")}
    assert not any(name.startswith(("2/", "99/")) for name in offered)
    for unit in ("9A/CCB", "9A/CCR", "9A/CCA"):
        table.play(f"select {unit}", table.try_all(f"select {unit}").choices("move")[0])
    assert table.choices() == ["pass"]
    assert table.play("pass").choices("deploy")


def pass_until(table, *frames):
    while type(table.state.stack[-1]).__name__ not in frames:
        table.play(table.choices()[-1] if "pass" not in table.choices() else "pass")
    return table


def test_14_3_1_the_second_reaction_follows_a_panzer_army(playing):
    """After 5th Panzer Army's round the Allies may react: three units, armour that stands may attack."""
    table = playing("5pz", "2518 2Pz/3\n2418 7A/CCB\n2319 7A/CCA", turn=1, hand=CHITS.index("reaction"))
    pass_until(table, "React")
    assert (table.actor, table.choices()) == ("allied", ["pass", "react"])
    table.play("react", "pass")
    assert table.choices("attack") == ["attack 2518"]


def test_14_3_1_at_the_end_of_turn_1_it_is_offered_a_last_time(drawing):
    """With an empty cup the Allies decide; if they pass it is gone."""
    table = drawing({}, "2418 7A/CCB\n4019 12VG/27", turn=1, hand=CHITS.index("reaction"))
    assert table.choices() == ["pass", "react"]
    assert table.play("pass").state.turn == 2


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


def test_14_4_on_turn_1_german_armour_gets_nothing_extra(mc_round):
    """No attack after the movement round, no step before the combat round."""
    lines = "2517 99/393\n2518 2Pz/3\n1408 2Pz/304"
    assert not mc_round("german", "combat", lines, turn=1).choices("select")
    table = mc_round("german", "move", lines, turn=1).play("pass")
    assert not table.choices("attack")


def test_14_4_the_german_plays_one_movement_and_one_combat(playing):
    """The first chit asks, the second is the other round."""
    table = playing("german-mc", "4019 12VG/27")
    assert table.choices() == ["play combat", "play move"]
    second = playing("german-mc", "2517 99/393\n2518 12VG/27", mc_played=1)
    assert type(second.state.stack[-1]).__name__ == "Fight"


def test_14_4_the_allies_choose_freely(playing):
    """Two combat rounds in a turn are allowed."""
    assert playing("allied-mc", "2519 99/393", track=chits("allied-mc")).choices() == ["play combat", "play move"]


def test_14_4_armour_that_does_not_move_may_attack_in_a_movement_round(mc_round):
    """Of two armoured units the one that moved does not attack; infantry never does."""
    table = mc_round("allied", "move", "2517 12VG/27\n2518 7A/CCB\n2417 7A/CCA\n2617 106/422")
    table.play("select 7A/CCA", "move 7A/CCA 2418", "pass", "attack 2517")
    assert table.candidates() == ["join 7A/CCB"]
    assert table.refusal("join 7A/CCA") == ("14.1", "may-not-attack-now")


def test_14_4_armour_away_from_the_enemy_moves_one_hex_before_combat(mc_round):
    """7A/CCB two hexes away steps up and attacks; beside the enemy nobody steps."""
    table = mc_round("allied", "combat", "2517 12VG/27\n2519 7A/CCB\n2417 7A/CCA")
    assert table.choices("select") == ["select 7A/CCB"]
    assert table.refusal("select 7A/CCA") == ("14.4", "next-to-enemy")
    assert reach(table, "7A/CCB") <= {GROUND.board.labels[h] for h in GROUND.board.adjacent[hexagon("2519")]}
    table.play("select 7A/CCB", "move 7A/CCB 2518", "pass", "attack 2517")
    assert table.candidates() == ["join 7A/CCA", "join 7A/CCB"]


def test_14_5_armour_attacks_after_moving_where_it_began_in_the_zone(playing):
    """2nd Panzer moves up and attacks in one round of 5th Panzer Army."""
    table = playing("5pz", "2517 99/393\n2519 2Pz/3")
    table.play("select 2Pz/3", "move 2Pz/3 2518", "pass", "attack 2517")
    assert table.candidates() == ["join 2Pz/3"]


def test_14_5_a_panzer_army_moves_its_zone_and_its_armour_attacks(playing):
    """Only units in the zone move; only armour attacks."""
    table = playing("5pz", "2517 99/393\n2518 2Pz/3\n2416 26VG/39\n3607 12VG/27")
    assert table.choices("select") == ["select 2Pz/3", "select 26VG/39"]
    table.play("pass", "attack 2517")
    assert table.candidates() == ["join 2Pz/3"]


def test_14_6_infantry_attacks_after_moving_with_all_germans(playing):
    """A regiment walks up to the enemy and attacks."""
    table = playing("all-german", "2517 99/393\n2519 12VG/27", turn=2)
    table.play("select 12VG/27", "move 12VG/27 2518", "pass", "attack 2517")
    assert table.candidates() == ["join 12VG/27"]


def test_14_6_all_germans_and_one_army(playing):
    """All Germans: everyone moves, then everyone may attack. One Army: the German chooses."""
    table = playing("all-german", "2517 99/393\n2518 12VG/27\n3607 1SS/Peiper", turn=2)
    assert len(table.choices("select")) == 2
    table.play("pass")
    assert table.play("attack 2517").candidates() == ["join 12VG/27"]
    army = playing("one-army", "2518 12VG/27\n3607 1SS/Peiper", turn=3)
    assert army.choices() == ["play army-5", "play army-6", "play army-7"]
    assert army.play("play army-6").choices("select") == ["select 1SS/Peiper"]


def test_14_7_a_battalion_is_a_formation(playing):
    """Von der Heydte's battalion may be the infantry formation: it attacks without moving."""
    table = playing("formations", "2517 99/393\n2518 VdH\n4019 2Pz/3")
    table.play("formation VdH", "done")
    assert table.choices() == ["attack 2517", "pass"]


def test_14_7_formations_are_named_in_any_order(playing):
    """Another formation of a kind takes the place of the first; all can be taken back."""
    table = playing("formations", "2518 2Pz/3\n2418 116Pz/60\n2618 FB\n2718 12VG/27")
    pair = table.try_all("formation 12VG", "formation 2Pz")
    assert pair.state.key() == table.try_all("formation 2Pz", "formation 12VG").state.key()
    assert pair.refusal("formation 2Pz") == ("14.7", "formation-named")
    assert pair.try_all("dismiss 12VG").state.key() == table.try_all("formation 2Pz").state.key()
    assert pair.refusal("dismiss FB") == ("14.7", "formation-not-named")
    assert pair.try_all("cancel").state.key() == table.state.key()
    assert table.try_all("formation FB", "formation 2Pz", "formation 12VG", "done").choices("select")


def test_14_7_three_formations(playing):
    """One armoured, one mechanized, one infantry formation; all their units move, then attack."""
    table = playing("formations", "2518 2Pz/3\n2418 2Pz/304\n2618 FB\n2718 12VG/27\n2719 26VG/39")
    table.play("formation 26VG", "formation 2Pz", "formation FB", "done")
    assert table.choices("select") == ["select 2Pz/3", "select 2Pz/304", "select 26VG/39", "select FB"]
    passed = playing("formations", "2518 2Pz/3\n2718 12VG/27").play("formation 12VG", "done")
    assert passed.choices("select") == ["select 12VG/27"]


def test_14_8_overstacking_on_arrival_is_settled_at_the_end_of_the_round(playing):
    """Three divisions stay in one entry hex: the Allies eliminate down to a division and one unit."""
    table = playing("allied-reinforcements", "track 84/333, 75/289, 83/329", turn=5)
    for unit in ("84/333", "75/289", "83/329"):
        table.play(f"arrive {unit} 2101")
    table.play("done", "pass")
    assert table.choices() == ["remove 84/333", "remove 75/289", "remove 83/329"]
    table.play("remove 75/289", "done")
    assert (where(table, "75/289"), where(table, "84/333")) == ("eliminated", "2101")


def test_14_8_arrivals_attack_before_stacking_is_settled(playing):
    """Three armoured commands of three divisions come in beside a German: they attack, then one must go."""
    lines = "track 2A/CCA, 3A/CCA, 7A/CCA\n2102 116Pz/60 lost=2"
    table = playing("allied-reinforcements", lines, turn=5)
    while arrivals := [choice for choice in table.choices("arrive") if choice.endswith("2101")]:
        table.play(arrivals[0])
    table.play("done")
    if not table.choices("attack"):
        table.play("pass")
    assert table.choices("attack") == ["attack 2102"]
    assert table.play("pass").choices("remove")


def test_14_8_arriving_units_use_the_road_however_they_are_stacked(playing):
    """Two combat commands in one entry hex both drive more than ten hexes."""
    table = playing("allied-reinforcements", "track 2A/CCA, 2A/CCB", turn=4)
    table.play("arrive 2A/CCA 2101", "arrive 2A/CCB 2101", "done")
    far = [h for h in reach(table, "2A/CCB") if GROUND.board.distance(hexagon(h), hexagon("2101")) > 8]
    assert far


def test_14_8_first_and_second_box(playing):
    """The first chit of turn 5 brings 9th VG, the second 167th VG; they may ride and stack in the entry hex."""
    lines = "track 9VG/36, 9VG/57, 167VG/331"
    table = playing("german-reinforcements", lines, turn=5)
    assert table.candidates() == ["arrive 9VG/36 4520", "arrive 9VG/36 4522"]
    table.play("arrive 9VG/57 4520", "arrive 9VG/36 4520", "done")
    assert table.choices("select") == ["select 9VG/36", "select 9VG/57"]
    assert any(len(way_of(table, "9VG/36", h)) > 4 for h in reach(table, "9VG/36"))
    second = playing("german-reinforcements", lines, turn=5, reinforcements=[0, 1])
    assert second.choices()[0].startswith("arrive")


def test_14_8_entries_are_named_in_any_order_and_taken_back(playing):
    """Nothing is taken or told before `done`; a unit that goes round may still come in at once."""
    table = playing("allied-reinforcements", "track 4A/CCA, 4A/CCB", turn=3, reinforcements=[1, 0])
    entry = table.choices("arrive")[0].split()[2]
    one = table.try_all(f"arrive 4A/CCA {entry}", "detour 4A/CCB")
    other = table.try_all("detour 4A/CCB", f"arrive 4A/CCA {entry}")
    assert one.state.key() == other.state.key()
    assert one.choices() == ["done", "drop 4A/CCA", "drop 4A/CCB"]
    assert one.said("arrives") == []
    assert one.try_all("drop 4A/CCA", "drop 4A/CCB").state.key() == table.state.key()
    assert one.refusal(f"arrive 4A/CCA {entry}") == ("14.8", "entry-named-already")
    assert one.refusal("pass") == ("14.8", "entries-chosen")
    assert table.refusal("drop 4A/CCA") == ("14.8", "not-named")
    assert table.refusal("done") == ("14.8", "arrive-first")
    one.play("done")
    assert (len(one.said("arrives")), len(one.said("goes-round"))) == (1, 1)


def test_14_8_armour_attacks_after_its_arrival(playing):
    """2nd Armored comes by H, moves and attacks a German nearby."""
    table = playing("allied-reinforcements", "track 2A/CCA\n1903 12VG/27", turn=4)
    table.play(table.choices("arrive")[0], "done", "select 2A/CCA")
    near = [c for c in table.choices("move") if hexagon(c.split()[2]) in GROUND.board.adjacent[hexagon("1903")]]
    table.play(near[0], "pass")
    assert table.choices() == ["attack 1903", "pass"]


def test_14_8_closed_entries_send_the_allies_further_from_the_east(playing):
    """The example: B and C closed on turn 4, III Corps units enter at D."""
    closed = "2729 12VG/27\n3129 12VG/48\n2229 26VG/39\n2429 26VG/77"
    table = playing("allied-reinforcements", f"track 5/2\n{closed}", turn=4, reinforcements=[1, 0])
    labels = [GROUND.board.labels[h] for h in GROUND.area_hexes["D"]]
    assert table.choices("arrive") == [f"arrive 5/2 {label}" for label in labels]


def test_14_8_closed_german_entries_keep_units_waiting(playing):
    """With Allies at both hexes of M 9th VG waits for the next chit."""
    table = playing("german-reinforcements", "track 9VG/36\n4520 99/393\n4522 99/394", turn=5)
    assert where(table, "9VG/36") == "track"
    assert table.said("arrives") == []


def arrivals(table, row):
    track = next(p for p in table.game.view.observe(table.state, "allied")["panels"] if p["key"] == "turn-track")
    return {cell["key"]: cell["units"] for r in track["rows"] if r["key"] == row for cell in r["cells"]}


def test_14_8_the_track_shows_which_chit_brings_a_unit(drawing):
    """82/504 comes with the first Allied chit of turn 2; held up, with the next one: on turn 3 the second."""
    assert arrivals(drawing({"supply": 1}, "track 82/504", turn=2), "turn-2")["allied-first"] == ["82/504"]
    late = drawing({"supply": 1}, "track 82/504", turn=3, reinforcements=[1, 0])
    assert arrivals(late, "turn-3")["allied-second"] == ["82/504"]


def test_14_8_1_no_detour_without_a_later_chit(playing):
    """On turn 10 there is one chit only: the 90th Division cannot wait for a next one."""
    table = playing("allied-reinforcements", "track 90/357", turn=10)
    assert table.choices("arrive")
    assert not table.choices("detour")
    early = playing("allied-reinforcements", "track 6A/CCA", turn=6, hand=CHITS.index("allied-reinforcements"))
    assert early.choices("detour") == ["detour 6A/CCA"]
    assert not playing("allied-reinforcements", "track 6A/CCA", turn=6, scenario="attack").choices("detour")


def test_14_8_1_third_corps_goes_round_by_d_one_chit_later(playing):
    """The example: due with the second chit of turn 3 at C, 4th Armored comes with the first of turn 4 at D."""
    table = playing("allied-reinforcements", "track 4A/CCA", turn=3, reinforcements=[1, 0])
    assert "detour 4A/CCA" in table.choices()
    table.play("detour 4A/CCA", "done")
    assert where(table, "4A/CCA") == "track"
    later = playing("allied-reinforcements", "track 4A/CCA detour", turn=4)
    labels = {GROUND.board.labels[h] for h in GROUND.area_hexes["D"]}
    assert {choice.split()[2] for choice in later.choices("arrive")} == labels


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


def test_14_8_2_the_held_chit_replaces_a_drawn_one(drawing):
    """Move/Combat is drawn: the Allies play their reinforcements first and the drawn chit goes back."""
    table = drawing({"allied-mc": 2, "5pz": 1}, "track 2A/CCA", hand=CHITS.index("allied-reinforcements"))
    table.play("draw allied-mc")
    assert table.choices() == ["pass", "swap"]
    swapped = table.try_all("swap")
    assert cup_of(swapped) == {"allied-mc": 2, "5pz": 1}
    assert swapped.state.hand == -1
    kept = table.try_all("pass")
    assert cup_of(kept) == {"allied-mc": 1, "5pz": 1}


def test_14_8_2_with_the_last_allied_chit_the_held_one_goes_into_the_cup(drawing):
    """The only Allied chit is drawn and played: the held one goes into the cup."""
    table = drawing({"allied-mc": 1, "5pz": 1}, hand=CHITS.index("allied-reinforcements"))
    table.play("draw allied-mc", "pass")
    assert cup_of(table) == {"allied-reinforcements": 1, "5pz": 1}
    assert table.state.hand == -1


def test_14_8_3_who_could_not_enter_on_turn_3_never_does(playing):
    """St. Vith is held but all of K was closed: on turn 4 10th SS is out of the game."""
    held = 1 << hexagon("3211")
    closed = "4502 99/393\n4506 99/394\n4510 99/395"
    three = playing("german-reinforcements", f"track 10SS/21\n{closed}", 3, reinforcements=[0, 1], german_held=held)
    assert where(three, "10SS/21") == "track"
    four = playing("german-reinforcements", "track 10SS/21", turn=4, german_held=held)
    assert where(four, "10SS/21") == "gone"


@pytest.mark.parametrize(("town", "unit"), [("3211", "10SS/21"), ("2519", "11Pz/110")])
def test_14_8_3_conditional_german_reinforcements(playing, town, unit):
    """With the town in German hands they come on the second chit of turn 3, otherwise never."""
    held = 1 << hexagon(town)
    lines = f"track {unit}"
    comes = playing("german-reinforcements", lines, turn=3, reinforcements=[0, 1], german_held=held)
    assert comes.choices("arrive")
    never = playing("german-reinforcements", lines, turn=3, reinforcements=[0, 1])
    assert where(never, unit) == "gone"


def test_14_8_4_the_82nd_rides_24_hexes_to_just_outside_bastogne(playing):
    """The example: from area E a regiment drives 24 road hexes and ends next to Bastogne."""
    table = playing("allied-reinforcements", "track 82/504", turn=2)
    table.play("arrive 82/504 0329", "done", "select 82/504")
    near = [c for c in table.choices("move") if GROUND.board.distance(hexagon(c.split()[2]), hexagon("2519")) == 1]
    assert near
    way = way_of(table, "82/504", near[0].split()[2])
    assert len(way) - 1 == 24
    late = playing("allied-reinforcements", "track 82/504", turn=3).play("arrive 82/504 0329", "done", "select 82/504")
    assert not [c for c in late.choices("move") if GROUND.board.distance(hexagon(c.split()[2]), hexagon("2519")) == 1]


def test_14_9_patton_moves_then_attacks_and_monty_does_one_of_both(playing):
    """Patton's tanks move and attack; Monty's move gives no attack."""
    lines = "2517 12VG/27\n2519 4A/CCA\n2417 3A/CCA"
    patton = playing("patton-monty", lines, turn=6).play("play patton", "select 4A/CCA", "move 4A/CCA 2518")
    assert patton.play("pass", "attack 2517").candidates() == ["join 4A/CCA"]
    monty = playing("patton-monty", lines, turn=6).play("play monty-move", "pass")
    assert not monty.choices("attack")


def test_14_9_patton_and_monty(playing):
    """Patton moves III Corps and lets it attack; Monty moves or attacks with VII Corps and the British."""
    lines = "2517 12VG/27\n2518 4A/CCA\n2417 84/333\n1408 29Bde\n2616 99/393"
    table = playing("patton-monty", lines, turn=6)
    assert table.choices() == ["play monty-combat", "play monty-move", "play patton"]
    patton = table.try_all("play patton")
    assert patton.choices("select") == ["select 4A/CCA"]
    assert patton.play("pass", "attack 2517").candidates() == ["join 4A/CCA"]
    assert table.try_all("play monty-move").choices("select") == ["select 84/333", "select 29Bde"]
    assert table.try_all("play monty-combat", "attack 2517").candidates() == ["join 84/333"]
