"""The rulebook's example of play: the German attacks of turn 1 with their odds, and what their dice bring."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import lost, marked, odds_of, order, where

# attack: target, pieces, attackers, guns, strengths, column
ATTACKS = {
    "A": ("1105", "1105 4/12/3\n1005 212VG/316\n1206 212VG/423\n1106 212VG/320\n1107 VAK408",
          "212VG/316 212VG/320 212VG/423", "VAK408", (10, 4), "3-1"),
    "B": ("1306", "1306 4/12/2\n1406 276VG/986\n1407 276VG/988\n1206 212VG/423, 212VG/Fus\n1308 Werfer8",
          "276VG/986 276VG/988 212VG/Fus", "Werfer8", (8, 4), "3-1"),
    "C": ("1608", "1608 28/109/3\n1708 352VG/914\n1609 352VG/915\n1508 352VG/916\n1610 Werfer18\nip 1608",
          "352VG/914 352VG/915 352VG/916", "Werfer18", (8, 4), "3-1"),
    "D": ("1810", "1810 28/109/2\n1710 5FJ/13, 5FJ/11StG\n1709 5FJ/15\n1610 Werfer18",
          "5FJ/13 5FJ/15 5FJ/11StG", "Werfer18", (10, 4), "3-1"),
    "E": ("2214", "2214 28/110/3\n2215 26VG/39\n2113 26VG/77\n2014 Werfer15", "26VG/39 26VG/77", "Werfer15", (8, 4),
          "3-1"),
    "F": ("2216", "2216 28/110/1\n2115 2Pz/2\n2116 2Pz/304\n1915 VAK766", "2Pz/2 2Pz/304", "VAK766", (8, 4), "3-1"),
    "G": ("1918", "1918 28/112/3\n1819 116Pz/60\n1818 560VG/1128\n1917 560VG/1130\n1718 VAK401",
          "116Pz/60 560VG/1128 560VG/1130", "VAK401", (13, 4), "4-1"),
    "H": ("1920", "1920 28/112/1\n1821 116Pz/156, 116Pz/16/1, 116Pz/Rec\n1719 Werfer7",
          "116Pz/156 116Pz/16/1 116Pz/Rec", "Werfer7", (13, 4), "5-1"),
    "I": ("1822", "1822 106/424/1\n1722 62VG/164\n1721 62VG/183\n1621 Werfer16\nip 1822",
          "62VG/164 62VG/183", "Werfer16", (8, 4), "3-1"),
    "J": ("1624", "1624 106/424/P\n1623 62VG/190\n1523 18VG/293", "18VG/293 62VG/190", "", (8, 4), "2-1"),
    "K": ("1327", "1327 14Cav/18\n1227 18VG/294, 244StG\n1228 3FJ/5\n1328 3FJ/9\n1229 VAK402\nip 1327",
          "3FJ/5 3FJ/9 18VG/294 244StG", "VAK402", (16, 4), "6-1"),
    "L": ("1430", "1430 99/394/1\n1329 12VG/27\n1330 12VG/48\n1130 VAK402\nip 1430", "12VG/27 12VG/48", "VAK402",
          (8, 4), "3-1"),
    "M": ("1432", "1432 99/393/1\n1331 12VG/89, 12VG/Fus\n1232 VAK388\nip 1432", "12VG/89 12VG/Fus", "VAK388", (6, 4),
          "2-1"),
    "N": ("1433", "1433 99/393/3\n1333 277VG/990\n1332 277VG/991\n1232 VAK388\nip 1433", "277VG/990 277VG/991",
          "VAK388", (8, 4), "3-1"),
}  # fmt: skip


def declared(fighting: Any, letter: str) -> Any:
    """The attack declared and supported, before the die."""
    target, lines, attackers, guns, _, _ = ATTACKS[letter]
    table = fighting("german", lines, turn=1)
    table.play(f"attack {target}", *(f"join {name}" for name in attackers.split()), "resolve")
    if guns:
        table.play(f"support {guns}")
    while table.choices("resolve"):
        table.play("resolve")
    return table


@pytest.mark.parametrize("letter", ATTACKS)
def test_example_odds_of_turn_1(fighting: Any, letter: str) -> None:
    table = declared(fighting, letter)
    odds = odds_of(table, "roll 1")
    *_, strengths, column = ATTACKS[letter]
    assert ((odds["attack"], odds["defence"]), odds["column"]) == (strengths, column)


def test_example_a_firefight_ends_with_an_advantage(fighting: Any) -> None:
    """A 3 is a firefight, a 5 on that table engages the defender and gives the advantage."""
    table = declared(fighting, "A").play("roll 3", "lead 212VG/316", "roll 5")
    assert marked(table, "engaged", "4/12/3")
    table.play("mark 1106")
    assert len(table.state.advantage) == 1


def test_example_b_strengths_at_berdorf(fighting: Any) -> None:
    """A regiment of 4 out of the valley counts 2, the other 4, the fusiliers of 212th 2; 2 and a village are 4."""
    target, lines, attackers, *_ = ATTACKS["B"]
    table = fighting("german", lines, turn=1)
    table.play(f"attack {target}", *(f"join {name}" for name in attackers.split()), "resolve")
    assert table.choices("support") == ["support Werfer8"]
    before = odds_of(table, "resolve")
    assert (before["attack"], before["defence"], before["column"], before["shifts"]) == (8, 4, "2-1", [])
    finals = {row["unit"]: (row["strength"], row["final"]) for row in before["attackers"]}
    assert finals == {"276VG/986": (4, 2), "276VG/988": (4, 4), "212VG/Fus": (2, 2)}
    assert [row["modifiers"][0]["rule"] for row in before["attackers"] if row["modifiers"]] == ["15.5.1"]
    assert [(row["unit"], row["final"]) for row in before["defenders"]] == [("4/12/2", 2)]
    after = odds_of(table.play("support Werfer8", "resolve"), "roll 4")
    assert ([(shift["key"], shift["args"]["n"]) for shift in after["shifts"]], after["column"]) == (
        [("shift-guns", 1)],
        "3-1",
    )


def test_example_b_an_exchange_at_berdorf(fighting: Any) -> None:
    """A 4 is EX: the battalion is gone, 988th pays with a step, its hex alone may be occupied."""
    table = declared(fighting, "B").play("roll 4")
    assert table.said("combat-result")[0].args["word_result"] == "EX"
    assert where(table, "4/12/2") == "eliminated"
    assert {text.split()[1] for text in table.choices("lose")} == {"276VG/986", "276VG/988", "212VG/Fus"}
    table.play("lose 276VG/988")
    assert [lost(table, name) for name in ("276VG/986", "276VG/988")] == [0, 1]
    assert marked(table, "fired", "Werfer8")
    assert set(table.choices("advance")) == {f"advance {name} 1306" for name in ATTACKS["B"][2].split()}
    table.play("advance 276VG/988 1306")
    assert where(table, "276VG/988") == "1306"


def test_example_c_the_battalion_retreats_two_hexes(fighting: Any) -> None:
    table = declared(fighting, "C").play("roll 2")
    table.play("pass")  # no determined defence
    if table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert order(table, "28/109/3") == 1
    assert table.choices("advance")


def test_example_f_marnach_three_hexes_and_bonus_advance(fighting: Any) -> None:
    table = declared(fighting, "F").play("roll 1")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert order(table, "28/110/1") == 2
    assert any(text.startswith("advance 2Pz/2 ") for text in table.choices("advance"))


def test_example_h_panthers_lead_with_minus_two(fighting: Any) -> None:
    """Elite, and a tank quality at least as good as the defender's: a 2 becomes 0, hence 1, D1."""
    table = declared(fighting, "H").play("roll 5", "lead 116Pz/16/1", "roll 2")
    assert table.said("firefight-result")[0].args["n_added"] == -2
    assert table.said("firefight-result")[0].args["word_result"] == "D1"
    assert where(table, "28/112/1") == "eliminated"


def test_example_j_exchange_empties_bleialf(fighting: Any) -> None:
    table = declared(fighting, "J").play("roll 3")
    assert where(table, "106/424/P") == "eliminated"
    table.play("lose 62VG/190")
    assert lost(table, "62VG/190") == 1
    assert {text.split()[2] for text in table.choices("advance")} == {"1624"}


def test_example_k_the_squadron_in_its_position_cannot_evade(fighting: Any) -> None:
    table = declared(fighting, "K").play("roll 1")
    assert where(table, "14Cav/18") == "eliminated"
    assert table.choices("advance 244StG")


def test_example_n_a_green_regiment_leads(fighting: Any) -> None:
    """A 5 becomes 6: the lead unit loses a step and the defender is engaged."""
    table = declared(fighting, "N").play("roll 3", "lead 277VG/990", "roll 5")
    assert lost(table, "277VG/990") == 1
    assert marked(table, "engaged", "99/393/3")


def test_example_disengagement_of_hosingen(fighting: Any) -> None:
    """A 1 lets the battalion go one or two hexes; it may stop in the first."""
    table = fighting("allied", "2214 28/110/3 engaged\n2215 26VG/39\n2113 26VG/77", turn=1)
    table.play("disengage 28/110/3", "resolve", "roll 1")
    assert {"2313", "2314"} <= {text.split()[2] for text in table.choices("retreat")}


def test_example_disengagement_of_green_troops_fails_in_disorder(fighting: Any) -> None:
    table = fighting("allied", "1822 106/424/1 engaged\n1722 62VG/164\n1721 62VG/183", turn=1)
    table.play("disengage 106/424/1", "resolve", "roll 6")
    assert order(table, "106/424/1") == 1
    assert where(table, "106/424/1") == "1822"


def test_example_clervaux_determined_defence(fighting: Any) -> None:
    """16.7: tanks lead in a town (-3): a 4 becomes 1, they hold at the cost of a step."""
    table = fighting("german", "2416 28/707, 28/110/1\n2415 2Pz/2\n2417 2Pz/304, 2Pz/3/1\n2418 26VG/39", turn=5)
    table.play("attack 2416", "join 2Pz/2", "join 2Pz/304", "join 2Pz/3/1", "resolve")
    column = odds_of(table, "roll 1")["column"]
    die = {"2-1": 1, "3-1": 2, "4-1": 3, "1-1": 1}[column]
    table.play(f"roll {die}")
    if column == "1-1":
        table.play("lead 2Pz/2", "roll 2")
    table.play("stand 28/707", "roll 4")
    assert lost(table, "28/707") == 1
    assert where(table, "28/707") == "2416"
    assert marked(table, "engaged", "28/110/1")
    assert order(table, "28/110/1") == 0
