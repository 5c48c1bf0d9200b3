"""Chapters 4, 5, 14 and 17: the turn, the cup, the chits, reinforcements."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.games.deadly_woods.conftest import asset, hexagon, reach, way_of, where

from salient import load
from salient.common.sides import SEATS
from salient.games.deadly_woods import model
from salient.games.deadly_woods.chits import drawable
from salient.games.deadly_woods.model import CHITS
from salient.kernel import legal
from table import Table


def chits(*names):
    return tuple(CHITS.index(name) for name in names)


def cup_of(table):
    return {CHITS[c]: n for c, n in enumerate(table.state.cup) if n}


# ---- 4, 5 The turn --------------------------------------------------------------------------------


def test_4_1_the_asset_phase_has_its_order(phase):
    """Engineers, Greif, motorized marker, traffic, Delay; then replacements."""
    lines = "2519 99/393 lost=1\n2518 106/422\n4019 12VG/27\nbox VIII-Eng, Greif, Motor, Traffic, Delay"
    table = phase(0, lines, turn=3)
    asked = []
    while type(table.state.stack[-1]).__name__ not in ("FirstChit", "Draw"):
        frame = table.state.stack[-1]
        asked.append(getattr(frame, "asset", None) or type(frame).__name__)
        table.play(*table.choices("pass") or table.choices("done"))
    names = [model.ASSETS[x] if isinstance(x, int) else x for x in asked]
    assert names == ["Engineers", "Greif", "Motorize", "Traffic", "Deploy", "Replace"]


def test_4_2_replacements_follow_the_assets(phase):
    """A reduced, supplied unit is asked for before the cup is filled."""
    table = phase(7, "2519 99/393 lost=1", turn=4)
    assert table.choices("replace") == ["replace 99/393"]


def test_4_3_the_initiative_opens_and_the_cup_follows(phase):
    """After the first chit of turn 8 the cup holds the rest."""
    table = phase(9, "2519 4A/CCA", turn=8)
    table.play("first patton-monty", "play patton", "pass")
    assert cup_of(table) == {"german-mc": 2, "formations": 1, "supply": 2, "allied-mc": 2}
    assert table.actor == "chance"


def test_4_4_the_turn_ends_with_points_and_clean_up(drawing):
    """The last chit is drawn: points are counted and the next turn begins."""
    table = drawing({"supply": 1}, "4019 12VG/27\nused 5Pz-Art1", turn=7).play("draw supply")
    assert table.said("points-counted")
    assert table.state.turn == 8
    assert asset(table, "5Pz-Art1") == "box"


def test_5_1_the_example_of_turn_2(phase):
    """The German looks at all his chits of turn 2 and may open with All Germans; supply checks are not offered."""
    table = phase(9, "4019 12VG/27", turn=2)
    assert table.actor == "german"
    assert table.choices("first") == [
        "first german-mc", "first 5pz", "first 6pz", "first all-german", "first formations",
        "first german-reinforcements",
    ]  # fmt: skip
    table.play("first all-german")
    assert table.state.track == chits("all-german")


@pytest.mark.parametrize(
    ("turn", "held", "seat"), [(5, 0, "german"), (6, 2, "allied"), (6, 3, "german"), (7, 4, "allied")]
)
def test_5_2_initiative(phase, turn, held, seat):
    """Germans to turn 5, on turn 6 with three supplied victory hexes, then the Allies."""
    hexes = ["3211", "3107", "2519", "1812"][:held]
    lines = "\n".join(
        f"{label} {unit}" for label, unit in zip(hexes, ("12VG/27", "26VG/39", "18VG/293", "62VG/164"), strict=False)
    )
    table = phase(0, lines or "4019 12VG/27", turn=turn)
    assert SEATS[table.state.initiative] == seat


# ---- 14.1, 14.2 The cup ---------------------------------------------------------------------------


def test_14_1_chits_are_drawn_by_their_numbers(drawing):
    """Two of three chits are Allied Move/Combat: probability two thirds."""
    table = drawing({"allied-mc": 2, "supply": 1})
    assert table.state.stack[-1].outcomes(table.state) == [
        (("draw", CHITS.index("supply")), Fraction(1, 3)),
        (("draw", CHITS.index("allied-mc")), Fraction(2, 3)),
    ]


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


# ---- 14.3 Turn 1 ----------------------------------------------------------------------------------


def pass_until(table, *frames):
    while type(table.state.stack[-1]).__name__ not in frames:
        table.play(table.choices()[-1] if "pass" not in table.choices() else "pass")
    return table


def test_14_3_the_opening_has_five_steps():
    """German combat, German movement, traffic, reaction, von der Heydte, then the cup with two chits of each side."""
    game = load("deadly-woods")
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
    table.play(table.choices("deploy")[0], "roll 1")
    assert cup_of(table) == {"5pz": 1, "6pz": 1, "allied-reinforcements": 2}
    assert CHITS[table.state.hand] == "reaction"
    assert table.state.track == chits("german-mc", "german-mc", "reaction")


def test_14_3_1_the_first_reaction_moves_three_units_but_not_2nd_and_99th():
    """Units of the 2nd and 99th Divisions are not offered; after three moves it is over."""
    game = load("deadly-woods")
    table = Table(game, game.new()).play("pass", "pass", "pass")
    offered = {choice.split()[1] for choice in table.choices("select")}
    assert not any(name.startswith(("2/", "99/")) for name in offered)
    for unit in ("9A/CCB", "9A/CCR", "9A/CCA"):
        table.play(f"select {unit}", table.try_all(f"select {unit}").choices("move")[0])
    assert table.choices() == ["pass"]
    assert table.play("pass").choices("deploy")


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


# ---- 14.4 to 14.9 The chits -----------------------------------------------------------------------


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
    assert reach(table, "7A/CCB") <= {model.BOARD.labels[h] for h in model.BOARD.adjacent[hexagon("2519")]}
    table.play("select 7A/CCB", "move 7A/CCB 2518", "pass", "attack 2517")
    assert table.candidates() == ["join 7A/CCA", "join 7A/CCB"]


def test_14_5_a_panzer_army_moves_its_zone_and_its_armour_attacks(playing):
    """Only units in the zone move; only armour attacks."""
    table = playing("5pz", "2517 99/393\n2518 2Pz/3\n2416 26VG/39\n3607 12VG/27")
    assert table.choices("select") == ["select 2Pz/3", "select 26VG/39"]
    table.play("pass", "attack 2517")
    assert table.candidates() == ["join 2Pz/3"]


def test_9_1_army_chits_activate_by_zone(playing):
    """6th Panzer Army's chit activates a division that stands in its zone, whatever army it came with."""
    assert playing("6pz", "3607 2Pz/3\n2416 12SS/Muller").choices("select") == ["select 2Pz/3"]


def test_14_6_all_germans_and_one_army(playing):
    """All Germans: everyone moves, then everyone may attack. One Army: the German chooses."""
    table = playing("all-german", "2517 99/393\n2518 12VG/27\n3607 1SS/Peiper", turn=2)
    assert len(table.choices("select")) == 2
    table.play("pass")
    assert table.play("attack 2517").candidates() == ["join 12VG/27"]
    army = playing("one-army", "2518 12VG/27\n3607 1SS/Peiper", turn=3)
    assert army.choices() == ["play army-5", "play army-6", "play army-7"]
    assert army.play("play army-6").choices("select") == ["select 1SS/Peiper"]


def test_14_7_three_formations(playing):
    """One armoured, one mechanized, one infantry formation; all their units move, then attack."""
    table = playing("formations", "2518 2Pz/3\n2418 2Pz/304\n2618 FB\n2718 12VG/27\n2719 26VG/39")
    table.play("formation 26VG", "formation 2Pz", "formation FB", "done")
    assert table.choices("select") == ["select 2Pz/3", "select 2Pz/304", "select 26VG/39", "select FB"]
    passed = playing("formations", "2518 2Pz/3\n2718 12VG/27").play("formation 12VG", "done")
    assert passed.choices("select") == ["select 12VG/27"]


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


# ---- 14.8 Reinforcements --------------------------------------------------------------------------


def test_14_8_first_and_second_box(playing):
    """The first chit of turn 5 brings 9th VG, the second 167th VG; they may ride and stack in the entry hex."""
    lines = "track 9VG/36, 9VG/57, 167VG/331"
    table = playing("german-reinforcements", lines, turn=5)
    assert table.candidates() == ["arrive 9VG/36 4520", "arrive 9VG/36 4522"]
    table.play("arrive 9VG/57 4520", "arrive 9VG/36 4520")
    assert table.choices("select") == ["select 9VG/36", "select 9VG/57"]
    assert any(len(way_of(table, "9VG/36", h)) > 4 for h in reach(table, "9VG/36"))
    second = playing("german-reinforcements", lines, turn=5, reinforcements=[0, 1])
    assert second.choices()[0].startswith("arrive")


def test_14_8_armour_attacks_after_its_arrival(playing):
    """2nd Armored comes by H, moves and attacks a German nearby."""
    table = playing("allied-reinforcements", "track 2A/CCA\n1903 12VG/27", turn=4)
    table.play(table.choices("arrive")[0], "select 2A/CCA")
    near = [c for c in table.choices("move") if hexagon(c.split()[2]) in model.BOARD.adjacent[hexagon("1903")]]
    table.play(near[0], "pass")
    assert table.choices() == ["attack 1903", "pass"]


def test_14_8_closed_entries_send_the_allies_further_from_the_east(playing):
    """The example: B and C closed on turn 4, III Corps units enter at D."""
    closed = "2729 12VG/27\n3129 12VG/48\n2229 26VG/39\n2429 26VG/77"
    table = playing("allied-reinforcements", f"track 5/2\n{closed}", turn=4, reinforcements=[1, 0])
    labels = [model.BOARD.labels[h] for h in model.AREA_HEXES["D"]]
    assert table.choices("arrive") == [f"arrive 5/2 {label}" for label in labels]


def test_14_8_closed_german_entries_keep_units_waiting(playing):
    """With Allies at both hexes of M 9th VG waits for the next chit."""
    table = playing("german-reinforcements", "track 9VG/36\n4520 99/393\n4522 99/394", turn=5)
    assert where(table, "9VG/36") == "track"
    assert table.said("arrives") == []


def test_14_8_1_third_corps_goes_round_by_d_one_chit_later(playing):
    """The example: due with the second chit of turn 3 at C, 4th Armored comes with the first of turn 4 at D."""
    table = playing("allied-reinforcements", "track 4A/CCA", turn=3, reinforcements=[1, 0])
    assert "detour 4A/CCA" in table.choices()
    table.play("detour 4A/CCA")
    assert where(table, "4A/CCA") == "track"
    later = playing("allied-reinforcements", "track 4A/CCA detour", turn=4)
    labels = {model.BOARD.labels[h] for h in model.AREA_HEXES["D"]}
    assert {choice.split()[2] for choice in later.choices("arrive")} == labels


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
    table.play("arrive 82/504 0329", "select 82/504")
    near = [c for c in table.choices("move") if model.BOARD.distance(hexagon(c.split()[2]), hexagon("2519")) == 1]
    assert near
    way = way_of(table, "82/504", near[0].split()[2])
    assert len(way) - 1 == 24
    late = playing("allied-reinforcements", "track 82/504", turn=3).play("arrive 82/504 0329", "select 82/504")
    assert not [c for c in late.choices("move") if model.BOARD.distance(hexagon(c.split()[2]), hexagon("2519")) == 1]


# ---- 17 Which chits -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        (2, {"all-german": 1, "formations": 1, "german-reinforcements": 2, "german-mc": 2, "supply": 2, "5pz": 1,
             "6pz": 1, "allied-mc": 2, "allied-reinforcements": 1}),
        (3, {"one-army": 1, "formations": 1, "german-reinforcements": 2, "german-mc": 2, "supply": 2, "5pz": 1,
             "6pz": 1, "allied-mc": 2, "allied-reinforcements": 1}),
        (5, {"formations": 1, "german-reinforcements": 2, "german-mc": 2, "supply": 2, "allied-mc": 2,
             "allied-reinforcements": 1}),
        (7, {"formations": 1, "german-mc": 2, "supply": 2, "patton-monty": 1, "allied-mc": 2}),
        (10, {"german-mc": 2, "supply": 2, "patton-monty": 1, "allied-mc": 2, "allied-reinforcements": 1}),
        (12, {"german-mc": 2, "supply": 2, "patton-monty": 1, "allied-mc": 2}),
    ],
)  # fmt: skip
def test_17_the_cup_of_each_turn(phase, turn, expected):
    """As the table lists them; on turns 2 to 7 the Allies hold a reinforcement chit as well."""
    table = phase(9, "4019 12VG/27\n2519 99/393", turn=turn)
    assert cup_of(table) == expected
    assert (table.state.hand == CHITS.index("allied-reinforcements")) is (turn <= 7)


def test_17_the_choice_of_a_panzer_army(phase):
    """Turn 4: one of the two, both with St. Vith and Bastogne; turn 5: one, with both towns."""
    both = "3211 12VG/27\n2519 26VG/39"
    four = phase(9, "4019 12VG/27", turn=4)
    assert four.choices() == ["choose 5pz", "choose 6pz"]
    assert "6pz" in cup_of(four.play("choose 6pz"))
    assert {"5pz", "6pz"} <= set(cup_of(phase(9, both, turn=4)))
    assert phase(9, both, turn=5).choices() == ["choose 5pz", "choose 6pz"]


def test_2_5_every_chit_of_the_table_exists():
    """The rows of the table name chits of the game, or the army to be chosen."""
    names = {chit for turn in range(1, 13) for where_ in ("cup", "hand") for chit, _ in model.chits_of(turn, where_)}
    assert names <= {*CHITS, "panzer-army"}


def test_1_2_the_scale():
    """A hex is between four and five kilometres."""
    assert 4 < model.BOARD.grid.km < 5


def test_1_1_two_seats_and_twelve_turns():
    """Allied against German, six or twelve turns."""
    game = load("deadly-woods")
    assert game.seats == ("allied", "german")
    assert {scenario.turns for scenario in game.scenarios} == {6, 12}
    assert legal(game.new())


# ---- 14.8 The turn track beside the map ------------------------------------------------------------------


def arrivals(table, row):
    track = next(p for p in table.game.observe(table.state, "allied")["panels"] if p["key"] == "turn-track")
    return {cell["key"]: cell["units"] for r in track["rows"] if r["key"] == row for cell in r["cells"]}


def test_14_8_the_track_shows_which_chit_brings_a_unit(drawing):
    """82/504 comes with the first Allied chit of turn 2; held up, with the next one: on turn 3 the second."""
    assert arrivals(drawing({"supply": 1}, "track 82/504", turn=2), "turn-2")["allied-first"] == ["82/504"]
    late = drawing({"supply": 1}, "track 82/504", turn=3, reinforcements=[1, 0])
    assert arrivals(late, "turn-3")["allied-second"] == ["82/504"]
