"""The rulebook's example of play, turn 2: the notes on movement, all fifteen combats, supply, traffic and the night.

Where the text contradicts the book's own charts or rules, INTERPRETATIONS.md says so and the chart is played.
"""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import GROUND, UNITS, bridge, lost, marked, odds_of, order, reach, stage, unit, where
from salient import load
from salient.games.ardennes44 import model
from salient.games.ardennes44.stacking import refuse_stack

# attack: target, pieces, attackers, guns, strengths, column
ATTACKS = {
    "A": ("1205", "1205 TF1 parent=9Arm/CCA\n1305 276VG/988 lost=1\n1206 212VG/423", "276VG/988 212VG/423", "", (6, 3),
          "2-1"),
    "B": ("1105", "1105 4/12/3\n1005 212VG/316, 212VG/Fus\n1106 212VG/320\n1205 212VG/423\n1305 276VG/988 lost=1\n"
          "advantage 1106 1105 212VG/320", "212VG/316 212VG/320 212VG/Fus", "", (8, 4), "3-1"),
    "C": ("1807", "1807 28/109/3\n1707 352VG/914", "352VG/914", "", (4, 4), "1-1"),
    "D": ("1810", "1810 28/109/2\n1710 5FJ/13, 5FJ/11StG\n1910 5FJ/14\n1809 352VG/916\n1610 Werfer18",
          "5FJ/13 5FJ/14 5FJ/11StG 352VG/916", "Werfer18", (15, 4), "4-1"),
    "E": ("2313", "2313 28/110/3\n2314 26VG/39\n2214 26VG/77\n2213 26VG/78", "26VG/39 26VG/77 26VG/78", "", (15, 3),
          "5-1"),
    "F": ("2416", "2416 28/707 lost=1, 28/110/2\n2316 2Pz/2\n2315 2Pz/304\n2217 VAK766", "2Pz/2 2Pz/304", "VAK766",
          (10, 6), "1-1"),
    "H": ("1822", "1822 106/424/1 disrupted\nip 1822\n1821 116Pz/156, 116Pz/16/2\n1921 116Pz/16/1",
          "116Pz/156 116Pz/16/1 116Pz/16/2", "", (15, 4), "5-1"),
    "I": ("1627", "1627 14Cav/32\n1527 18VG/294, 244StG\n1727 18VG/293 lost=1\n1628 3FJ/5 lost=1",
          "18VG/293 18VG/294 244StG 3FJ/5", "", (11, 3), "3-1"),
    "J": ("1529", "1529 99/394/3\nip 1529\n1429 1SS/1Pz, 1SS/2/3, 1SS/Pi\n1528 3FJ/5",
          "1SS/1Pz 1SS/2/3 1SS/Pi 3FJ/5", "", (18, 4), "4-1"),
    "K": ("1431", "1431 99/394/2\nip 1431\n1331 12SS/Rec, 12SS/PzJ\n1330 12VG/89, 12VG/Fus\n1232 VAK388",
          "12VG/89 12VG/Fus 12SS/Rec 12SS/PzJ", "VAK388", (12, 4), "4-1"),
    "L": ("1430", "1430 99/394/1\nip 1430\n1329 12VG/27\n1429 12VG/48\n1330 1SS/1, 1SS/PzJ\n1431 12VG/89\n1529 3FJ/5\n"
          "1130 VAK402", "12VG/27 12VG/48 1SS/1 1SS/PzJ", "VAK402", (18, 4), "5-1"),
    "M": ("1433", "1433 99/393/3\nip 1433\n1333 277VG/990 lost=1\n1332 277VG/991\n1232 VAK388", "277VG/990 277VG/991",
          "VAK388", (6, 4), "2-1"),
}  # fmt: skip
OUREN = "2119 28/112/2\n2020 116Pz/60, 116Pz/16/1\n2019 116Pz/Rec, 560VG/1130\n2118 560VG/1128\n2319 VIII/333"
FAR = "0129 2SS/3"  # keeps a phase from ending


def declared(fighting: Any, letter: str) -> Any:
    """An attack declared and supported, before the die; the example plays with the limit of 18 factors."""
    target, lines, attackers, guns, _, _ = ATTACKS[letter]
    table = fighting("german", f"{lines}\n{FAR}", turn=2, rules=model.FACTOR_LIMIT)
    table.play(f"attack {target}", *(f"join {name}" for name in reversed(attackers.split())), "resolve")
    if guns:
        table.play(f"support {guns}")
    while table.choices("resolve"):
        table.play("resolve")
    return table


def result(table: Any) -> str:
    return str(table.said("combat-result")[-1].args["word_result"])


def flee(table: Any) -> Any:
    """The defender retreats wherever he is asked."""
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    return table


def ends(table: Any, name: str) -> set[str]:
    """Where a unit may advance to."""
    return {text.split()[2] for text in table.choices(f"advance {name}")}


# ---- artillery, movement --------------------------------------------------------------------------------


def test_example_2_six_guns_are_readied(phase: Any) -> None:
    """One in 7th Army, two in 5th, three in 6th Panzer Army, named in any order."""
    guns = "1610 Werfer18 fired\n1915 VAK766 fired\n1719 Werfer7 fired\n1130 VAK402 fired\n1232 VAK388 fired\n"
    table = phase("german-artillery", "german", guns + "1229 Werfer4 fired\n2014 Werfer15 fired", turn=2)
    named = ("VAK388", "Werfer4", "Werfer18", "VAK402", "Werfer7", "VAK766")
    table.play(*(f"ready {name}" for name in named), "done")
    assert [marked(table, "fired", name) for name in (*named, "Werfer15")] == [False] * 6 + [True]


def test_example_2_no_fuel_is_rolled_before_turn_7(phase: Any) -> None:
    table = phase("german-fuel", "german", f"6637 2Pz/2\n2711 84/334\n{FAR}", turn=2)
    assert table.actor == "german"  # no die: the phase is over


def test_example_2_two_bridges_are_finished_and_two_begun(phase: Any) -> None:
    """Gemünd and Dasburg stand; 7th Army begins two of its four sites."""
    start = load("ardennes44").new()
    banks = "1305 276VG/988\n1606 352VG/915\n1106 212VG/320\n1707 352VG/914\n2013 26VG/39\n2115 2Pz/304"
    changes = {name: getattr(start, name) for name in ("blown", "building", "builders")}
    table = phase("german-bridges", "german", f"{banks}\n{FAR}", turn=2, **changes)
    assert not table.state.blown & (bridge("1913/2013") | bridge("2016/2115"))
    table.play("build 1306/1307", "build 1508/1608", "pass")
    assert table.state.building == bridge("1306/1307") | bridge("1508/1608")


def test_example_2_note_1_two_silhouettes_of_one_step_share_a_hex() -> None:
    s = stage("german", "1913 Lehr/130PzJ, Lehr/559PzJ", turn=2)
    assert refuse_stack(s, (unit("Lehr/130PzJ"), unit("Lehr/559PzJ"))) is None
    assert refuse_stack(s, (unit("Lehr/130Pz"), unit("Lehr/559PzJ"))) is not None


def test_example_2_note_2_traffic_on_the_forest_road_costs_four(moving: Any) -> None:
    table = moving("german", f"1913 26VG/Kunkel\ntraffic 0 2113\n{FAR}", turn=2, blown=0).play("select 26VG/Kunkel")
    costs = [
        table.game.view.preview(table.state, table.game.read(f"move 26VG/Kunkel {h}"))["cost"] for h in ("2013", "2113")
    ]
    assert costs[1] - costs[0] == 4


def test_example_2_note_3_the_tanks_of_2nd_panzer_get_two_hexes(moving: Any) -> None:
    """Marnach is jammed: over the bridge of Dasburg it is reached tactically only, and nothing beyond it."""
    table = moving("german", f"2016 2Pz/3/1\ntraffic 2 2216\n2416 28/110/2\n{FAR}", turn=2, blown=0)
    assert {h for h in reach(table, "2Pz/3/1") if int(h) >= 2100} == {"2115", "2216"}
    table.play("select 2Pz/3/1")
    preview = table.game.view.preview(table.state, table.game.read("move 2Pz/3/1 2216"))
    assert preview["note"]["key"] == "way-tactical"


@pytest.mark.parametrize("mark", ["", "fired"])
def test_example_2_note_4_nebelwerfer_move_one_hex(moving: Any, mark: str) -> None:
    table = moving("german", f"6637 Werfer4 {mark}\n{FAR}", turn=2).play("select Werfer4", "move Werfer4 6638")
    assert marked(table, "fired", "Werfer4") is bool(mark)


def test_example_2_note_5_peiper_moves_four_hexes_and_attacks(moving: Any) -> None:
    """Past the jam of Hallschlag his three units reach 1429, next to 99/394/3, within their seven points."""
    lines = f"1029 1SS/1Pz, 1SS/2/3, 1SS/Pi\ntraffic 5 1129\n1529 99/394/3\nip 1529\n{FAR}"
    table = moving("german", lines, turn=2)
    for name in ("1SS/1Pz", "1SS/2/3", "1SS/Pi"):
        assert UNITS.values[unit(name)][0][2] == 7
        table.play(f"select {name}")
        preview = table.game.view.preview(table.state, table.game.read(f"move {name} 1429"))
        assert (len(preview["path"]), preview["cost"] <= 7) == (5, True)
        table.play(f"move {name} 1429")


def test_example_2_note_6_one_group_for_the_night(moving: Any) -> None:
    table = moving("german", f"1134 12SS/25, 12SS/12Pz\n{FAR}", turn=2).play("night 1134")
    assert marked(table, "night_marks", "12SS/25")
    assert marked(table, "night_marks", "12SS/12Pz")


# ---- the German combats ----------------------------------------------------------------------------------


@pytest.mark.parametrize("letter", ATTACKS)
def test_example_2_odds(fighting: Any, letter: str) -> None:
    odds = odds_of(declared(fighting, letter), "roll 1")
    *_, strengths, column = ATTACKS[letter]
    assert ((odds["attack"], odds["defence"]), odds["column"]) == (strengths, column)


def test_example_2_a_the_task_force_retreats_in_disorder(fighting: Any) -> None:
    table = declared(fighting, "A").play("roll 1")
    assert result(table) == "DR2"
    flee(table.play("pass"))
    assert (order(table, "TF1"), where(table, "TF1") != "1205") == (1, True)
    assert "1205" in ends(table, "212VG/423")
    assert all(
        len(table.game.view.preview(table.state, table.game.read(text))["path"]) == 2
        for text in table.choices("advance")
    )


def test_example_2_b_echternach_is_lost_but_delays(fighting: Any) -> None:
    """Surrounded: he stands. By 15.1 the town counts 2, so a 4 is 2, a delay; the outcome is the example's."""
    table = declared(fighting, "B").play("roll 3", "lead 212VG/320", "roll 4")
    assert (result(table), lost(table, "212VG/320")) == ("FF", 1)
    assert where(table.try_all("pass"), "4/12/3") == "eliminated"
    table.play("stand 4/12/3", "roll 4")
    assert where(table, "4/12/3") == "eliminated"
    assert {text.split()[2] for text in table.choices("advance")} == {"1105"}


def test_example_2_c_a_firefight_declined_engages(fighting: Any) -> None:
    table = declared(fighting, "C").play("roll 3", "pass")
    assert result(table) == "FF+1"
    assert marked(table, "engaged", "28/109/3")


def test_example_2_d_fouhren_is_lost_but_delays(fighting: Any) -> None:
    """No way out; -2 for the village: 3 becomes 1. Only its hex may be entered, and not by guns across the river."""
    table = declared(fighting, "D").play("roll 3")
    assert result(table) == "DR2"
    assert where(table.try_all("pass"), "28/109/2") == "eliminated"
    table.play("stand 28/109/2", "roll 3")
    assert table.said("stand-yes")[0].args["n_added"] == -2
    assert where(table, "28/109/2") == "eliminated"
    assert {text.split()[2] for text in table.choices("advance")} == {"1810"}
    assert not table.choices("advance 5FJ/11StG")


def test_example_2_e_the_lead_pays_and_three_regiments_advance(fighting: Any) -> None:
    table = declared(fighting, "E").play("roll 5", "lead 26VG/77", "roll 4")
    assert (result(table), lost(table, "26VG/77")) == ("FF", 1)
    flee(table.play("pass"))
    assert order(table, "28/110/3") == 1
    assert all(ends(table, f"26VG/{name}") for name in ("39", "77", "78"))


def test_example_2_f_clervaux_is_engaged(fighting: Any) -> None:
    """Guns and the defender's tanks cancel each other. The chart says ENG for a 4; the text takes that result, too."""
    table = declared(fighting, "F").play("roll 4")
    assert result(table) == "ENG"
    assert marked(table, "engaged", "28/707")
    assert marked(table, "engaged", "28/110/2")


def test_example_2_g_the_bridge_of_ouren_breaks(fighting: Any) -> None:
    """A 3 breaks it; he could call off, and goes on: 14 to 3, two columns for the guns: 2-1, a 5 engages."""
    table = fighting("german", f"{OUREN}\n{FAR}", turn=2)
    units = ("116Pz/60", "116Pz/16/1", "116Pz/Rec", "560VG/1130", "560VG/1128")
    table.play("attack 2119", *(f"join {name}" for name in units), "resolve", "roll 3")
    assert table.choices() == ["cancel", "pass"]
    table.play("pass")
    assert table.actor == "allied"
    table.play("support VIII/333", "resolve", "roll 2")
    odds = odds_of(table, "roll 5")
    assert ((odds["attack"], odds["defence"]), odds["ratio"], odds["column"]) == ((14, 3), "4-1", "2-1")
    table.play("roll 5")
    assert result(table) == "ENG"
    assert marked(table, "engaged", "28/112/2")


def test_example_2_h_a_disrupted_battalion_is_routed(fighting: Any) -> None:
    table = declared(fighting, "H").play("roll 4")
    assert result(table) == "DR2"
    assert not table.choices("stand")
    flee(table)
    assert order(table, "106/424/1") == 2
    paths = [
        table.game.view.preview(table.state, table.game.read(t))["path"] for t in table.choices("advance 116Pz/156")
    ]
    assert max(len(path) for path in paths) == 3  # mechanized: two hexes by road, like the tanks
    assert "1823" in ends(table, "116Pz/16/2")


def test_example_2_i_the_cavalry_falls_back(fighting: Any) -> None:
    """The parachutists may not cross the army boundary; the assault guns go two hexes by road."""
    table = declared(fighting, "I").play("roll 2")
    assert result(table) == "DR2"
    flee(table.play("pass"))
    assert order(table, "14Cav/32") == 1
    assert "1627" not in ends(table, "3FJ/5")
    assert "1726" in ends(table, "244StG")
    assert "1627" in ends(table, "18VG/294")


def test_example_2_j_the_flank_of_the_99th_is_routed(fighting: Any) -> None:
    """19 factors count 18. Two hexes in any direction; the forest roads beyond give no third."""
    table = declared(fighting, "J").play("roll 2")
    assert result(table) == "DR3"
    flee(table)
    assert order(table, "99/394/3") == 2
    paths = [table.game.view.preview(table.state, table.game.read(text))["path"] for text in table.choices("advance")]
    assert max(len(path) for path in paths if "1529" in path) == 3


def test_example_2_k_an_exchange(fighting: Any) -> None:
    """No column for armour: any unit may pay. The fusiliers do, the hex alone may be occupied."""
    table = declared(fighting, "K").play("roll 5")
    assert (result(table), where(table, "99/394/2")) == ("EX", "eliminated")
    assert {text.split()[1] for text in table.choices("lose")} == set(ATTACKS["K"][2].split())
    table.play("lose 12VG/Fus")
    assert where(table, "12VG/Fus") == "eliminated"
    assert {text.split()[2] for text in table.choices("advance")} == {"1431"}


def test_example_2_l_a_stand_that_fails(fighting: Any) -> None:
    table = declared(fighting, "L").play("roll 4")
    assert result(table) == "DR2"
    table.play("stand 99/394/1", "roll 5")
    assert table.said("stand-no")[0].args["n_added"] == -2
    assert where(table, "99/394/1") == "eliminated"
    assert len(ends(table, "12VG/27")) > 1


def test_example_2_m_engaged(fighting: Any) -> None:
    table = declared(fighting, "M").play("roll 5")
    assert result(table) == "ENG"
    assert marked(table, "engaged", "99/393/3")


# ---- the Allied turn ---------------------------------------------------------------------------------------


def test_example_2_allied_guns_that_move_one_hex_stay_ready(moving: Any) -> None:
    table = moving("allied", f"6637 V/406\n{FAR}\n2711 84/334", turn=2).play("select V/406", "move V/406 6638")
    assert not marked(table, "fired", "V/406")


def test_example_2_all_allied_guns_are_readied_and_no_bridge_is_blown(phase: Any) -> None:
    """No die and no choice for the guns; demolitions wait for the second day."""
    guns = "1936 V/187 fired\n1935 V/406 fired\n1726 VIII/333 fired"
    table = phase("allied-turn", "allied", f"{guns}\n2119 28/112/2\n2020 116Pz/60\n2013 28/110/1\n{FAR}", turn=2)
    assert not any(marked(table, "fired", name) for name in ("V/187", "V/406", "VIII/333"))
    assert table.choices("select")  # the bridge phase is over
    assert not table.choices("blow")


def test_example_2_allied_note_1_a_reinforcement_enters(moving: Any) -> None:
    """4/70 comes by the edge on turn 2."""
    table = moving("allied", f"track 4/70\n2416 28/110/2\n2316 2Pz/2\n{FAR}", turn=2).play("select 4/70")
    table.play(next(text for text in table.choices() if text.startswith(("enter", "ride"))))
    assert where(table, "4/70") in GROUND.board.labels


ALLIES = f"2616 9Arm/CCR\n2231 9Arm/CCB\n2416 28/110/2\n1933 2/23\n1529 3FJ/5\n2316 2Pz/2\n{FAR}"


@pytest.mark.parametrize(
    ("name", "to"),
    [("9Arm/CCR", "2219"), ("9Arm/CCB", "2125"), ("2/23", "1731"), ("2/23", "1633")],
    ids=["note 3, Weiswampach", "note 4, St. Vith", "note 5, Büllingen", "note 5, Rocherath"],
)
def test_example_2_allied_notes_3_to_5_reserves_reach_their_posts(moving: Any, name: str, to: str) -> None:
    table = moving("allied", ALLIES, turn=2).play(f"select {name}", f"move {name} {to}")
    assert where(table, name) == to


def test_example_2_allied_note_5_who_stands_there_digs_in(moving: Any) -> None:
    """The position takes the whole turn."""
    table = moving("allied", f"1632 99/393/1\n1529 3FJ/5\n{FAR}", turn=2).play("dig 99/393/1")
    assert table.state.digging == 1 << GROUND.board.index["1632"]
    assert not table.choices("select 99/393/1")


def test_example_2_allied_note_6_two_guns_cover_elsenborn(moving: Any, fighting: Any) -> None:
    """They go more than a hex and turn over, stand where they can support Rocherath, and fire again next turn."""
    table = moving("allied", f"1936 V/187\n1935 V/406\n1633 99/393/1\n{FAR}", turn=2)
    for name, to in (("V/187", "1733"), ("V/406", "1833")):
        table.play(f"select {name}", f"move {name} {to}")
        assert (where(table, name), marked(table, "fired", name)) == (to, True)
    lines = f"1733 V/187\n1833 V/406\n1633 99/393/1\n1533 12SS/25\n{FAR}"
    attack = fighting("german", lines, turn=3).play("attack 1633", "join 12SS/25", "resolve")
    assert set(attack.choices("support")) == {"support V/187", "support V/406"}


def test_example_2_allied_note_2_a_disrupted_unit_leaves_the_zone(moving: Any) -> None:
    """Only tactically, and out of the enemy's zone if it can."""
    table = moving("allied", f"6637 28/109/3 disrupted\n6638 2Pz/2\n2711 84/334\n{FAR}", turn=2)
    assert table.refusal("pass") == ("18.3", "withdraw-first")
    assert not {"6537", "6737"} & reach(table, "28/109/3")


def test_example_2_those_away_from_the_enemy_recover(phase: Any) -> None:
    table = phase("allied-recovery", "allied", f"6637 28/110/1 disrupted\n6630 28/110/3 routed\n{FAR}", turn=2)
    assert (order(table, "28/110/1"), order(table, "28/110/3")) == (0, 1)


def test_example_2_nobody_disengages_and_the_markers_come_off(fighting: Any) -> None:
    table = fighting("allied", "1807 28/109/3 engaged\n1707 352VG/914\n1433 99/393/3 engaged\n1333 277VG/990", turn=2)
    table.play("pass")
    assert not marked(table, "engaged", "28/109/3")
    assert not marked(table, "engaged", "99/393/3")


def test_example_2_traffic_two_markers_two_roadblocks_then_the_dice(phase: Any) -> None:
    """#2 and #5 are placed again, roadblocks after them; 4 and 6 come off. At 2214 #2 would lie beside #1 (24.4)."""
    lines = "traffic 0 2113\ntraffic 2 2216\ntraffic 3 1527\ntraffic 5 1129\n2616 9Arm/CCR\n1733 2/23\n2416 28/110/2"
    table = phase("allied-traffic", "allied", f"{lines}\n{FAR}", turn=2, rules=model.ROADBLOCKS)
    assert table.refusal("traffic 2214")[0] == "24.4"
    table.play("traffic 2312", "traffic 1630")
    while not table.choices("dice"):
        table.play("pass" if table.choices("pass") else table.choices("done")[0])
    table.play("dice 4 6")
    held = [table.state.traffic[i] >= 0 for i in range(6)]
    assert held == [True, True, True, False, True, False]


def test_example_2_the_schnee_eifel_gathers_a_point(phase: Any) -> None:
    """A 3: one point for all three units; two more and they surrender."""
    pocket = "1425 106/422\n1525 106/423-, Bn1 parent=106/423-"
    ring = "1424 18VG/293\n1526 18VG/294\n1625 18VG/295\n1325 62VG/164\n1624 62VG/183\n1426 3FJ/5\n1524 3FJ/9"
    table = phase("allied-supply", "allied", f"{pocket}\n{ring}", turn=2).play("roll 3")
    assert [table.state.points[unit(name)] for name in ("106/422", "106/423-", "Bn1")] == [1, 1, 1]


# ---- the night ------------------------------------------------------------------------------------------------

NIGHT_A = "1530 99/394/3 disrupted\n1430 1SS/1Pz, 1SS/2/3, 1SS/Pi\n0129 2SS/3"
NIGHT_B = "1433 99/393/3\nip 1433\n1333 12SS/25 night_marks, 12SS/12Pz night_marks\n0129 2SS/3"


def test_example_2_night_only_the_germans_move(phase: Any) -> None:
    """No replacements; without a group of their own the Allies skip the night, Peiper's and the marked units move."""
    marked_units = "1134 12SS/25 night_marks, 12SS/12Pz night_marks\n1429 1SS/1Pz, 1SS/2/3, 1SS/Pi"
    lines = f"{marked_units}\n6637 84/334 engaged\n6638 2Pz/2"
    table = phase("allied-night-replacements", "allied", lines, turn=2, planned=2)
    assert table.actor == "german"
    assert {text.split()[1] for text in table.choices("select")} == {
        "12SS/25",
        "12SS/12Pz",
        "1SS/1Pz",
        "1SS/2/3",
        "1SS/Pi",
    }
    assert marked(table, "engaged", "84/334")


def test_example_2_night_1_grenadiers_go_through_the_forest_and_panthers_do_not(phase: Any) -> None:
    """Two hexes tactically for the grenadiers, one along the road for the Panthers: all three next to the enemy."""
    lines = f"1532 1SS/1Pz, 1SS/2/3, 1SS/Pi\n1733 99/394/3 disrupted\n{FAR}"
    table = phase("german-night-movement", "german", lines, turn=2, night=1, planned=2)
    assert "1634" not in reach(table, "1SS/1Pz")
    for name in ("1SS/2/3", "1SS/Pi"):
        table.play(f"select {name}")
        preview = table.game.view.preview(table.state, table.game.read(f"move {name} 1634"))
        assert (len(preview["path"]), preview["note"]["key"]) == (3, "way-tactical")
        table.play(f"move {name} 1634")
    table.play("select 1SS/1Pz", "move 1SS/1Pz 1633")
    assert where(table, "1SS/1Pz") == "1633"


def test_example_2_night_2_the_tigers_pay_three_and_a_half_for_three_hexes(phase: Any) -> None:
    """Half a point a hex, and two for the jam."""
    lines = f"1128 1SS/501\ntraffic 5 1129\n1530 99/394/3\n{FAR}"
    table = phase("german-night-movement", "german", lines, turn=2, night=1, planned=2).play("select 1SS/501")
    preview = table.game.view.preview(table.state, table.game.read("move 1SS/501 1329"))
    assert (len(preview["path"]), preview["cost"]) == (4, 3.5)


def test_example_2_night_3_the_marked_group_comes_up(phase: Any) -> None:
    """12SS/25 and the Panthers of 12SS go from 1134 to 1333, next to 99/393/3."""
    lines = f"1134 12SS/25 night_marks, 12SS/12Pz night_marks\n1433 99/393/3\nip 1433\n{FAR}"
    table = phase("german-night-movement", "german", lines, turn=2, night=1, planned=2)
    for name in ("12SS/25", "12SS/12Pz"):
        table.play(f"select {name}", f"move {name} 1333")
        assert where(table, name) == "1333"


def test_example_2_night_a_a_disrupted_battalion_does_not_survive_a_rout(fighting: Any) -> None:
    """15 to 3 and disrupted: 6-1, DR3. Two hexes in any direction, three along the road."""
    table = fighting("german", NIGHT_A, turn=2, night=1)
    table.play("attack 1530", "join 1SS/Pi", "join 1SS/2/3", "join 1SS/1Pz", "resolve")
    odds = odds_of(table, "roll 4")
    assert ((odds["attack"], odds["defence"]), odds["ratio"], odds["column"]) == ((15, 3), "5-1", "6-1")
    table.play("roll 4")
    assert (result(table), where(table, "99/394/3")) == ("DR3", "eliminated")
    for name in ("1SS/1Pz", "1SS/2/3", "1SS/Pi"):
        paths = [
            table.game.view.preview(table.state, table.game.read(t))["path"] for t in table.choices(f"advance {name}")
        ]
        assert max(len(path) for path in paths) == 4


@pytest.mark.parametrize(("die", "word"), [(3, "FF"), (2, "DR2")])
def test_example_2_night_b_panthers_by_road_in_the_forest(fighting: Any, die: int, word: str) -> None:
    """14 to 4 without a column for armour. A 3 is FF by the chart, not DR2; with a 2 the battalion retreats as told."""
    table = fighting("german", NIGHT_B, turn=2, night=1)
    table.play("attack 1433", "join 12SS/12Pz", "join 12SS/25", "resolve")
    odds = odds_of(table, "roll 1")
    assert ((odds["attack"], odds["defence"]), odds["column"], odds["shifts"]) == ((14, 4), "3-1", [])
    table.play(f"roll {die}")
    assert result(table) == word
    if word == "DR2":
        flee(table.play("pass"))
        assert order(table, "99/393/3") == 1
        assert ends(table, "12SS/25")
        assert ends(table, "12SS/12Pz")
