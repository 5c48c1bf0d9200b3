"""Ardennes '44: chapter 14, combat."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import (
    TABLES,
    hexagon,
    key,
    odds_of,
    shifts_of,
    stage,
    unit,
    where,
)
from salient import load
from salient.common.sides import GERMAN
from salient.games.ardennes44.charges import bridges_attacked
from salient.games.ardennes44.combat import formations
from salient.games.ardennes44.strengths import Battle, column_name, plain_column, result_of
from salient.kernel import SeededDice, Session, legal, step


def test_14_1_a_unit_attacks_once_and_is_attacked_once(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2\n6636 2Pz/304")
    table.play("attack 6637", "join 2Pz/2", "resolve", "roll 6")
    while not table.choices("attack") and not table.choices("pass"):
        table.play(table.choices()[0])
    assert table.refusal("attack 6637")[1] == "was-attacked"


def test_14_1_the_last_combat_does_not_end_the_phase(fighting: Any) -> None:
    """Who has fought says that he has done with it: until then a loss or a retreat can be taken back."""
    table = fighting("german", "6637 84/334\n6638 2Pz/2").play("attack 6637", "join 2Pz/2", "resolve", "roll 6")
    assert (table.actor, table.choices()) == ("german", ["pass"])
    assert table.state.fought
    assert not table.play("pass").state.fought


def test_14_1_attacks_are_voluntary(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2")
    assert "pass" in table.choices()


def test_14_1_all_units_of_a_hex_defend_together(fighting: Any) -> None:
    table = fighting("german", "6637 84/334, 84/771\n6638 2Pz/2")
    assert odds_of(table, "attack 6637")["defence"] == 6 + 3


def test_14_1_only_neighbours_attack(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2\n6635 2Pz/304")
    table.play("attack 6637")
    assert table.refusal("join 2Pz/304")[1] == "not-adjacent"


TWO = "6637 28/110/1\n6636 2SS/3\n6638 12VG/27"


def test_14_1_an_attack_can_be_taken_back(fighting: Any) -> None:
    """A44-28: `cancel` leads to the very position before it; nobody has attacked or been attacked."""
    start = fighting("german", TWO)
    assert key(start.try_all("attack 6637", "join 2SS/3", "join 12VG/27", "cancel")) == key(start)
    assert key(start.try_all("attack 6637", "cancel")) == key(start)
    assert key(start.try_all("attack 6637", "join 2SS/3", "drop 2SS/3")) == key(start.try_all("attack 6637"))


def test_14_2_from_six_hexes(fighting: Any) -> None:
    ring = "6638 2Pz/2\n6537 2Pz/304\n6536 2Pz/3/1\n6636 2Pz/3/2\n6736 2Pz/Rec\n6737 2Pz/38PzJ"
    assert len(odds_of(fighting("german", f"6637 84/334\n{ring}"), "attack 6637")["attackers"]) == 6


def test_14_2_units_of_a_hex_attack_different_hexes(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6737 84/335\n6638 2Pz/2, 2Pz/3/1")
    table.play("attack 6637", "join 2Pz/2", "resolve", "roll 6")
    while not table.choices("attack"):
        table.play(table.choices()[-1])
    assert table.choices("attack") == ["attack 6737"]
    assert table.try_all("attack 6737").choices("join") == ["join 2Pz/3/1"]


def test_14_2_attackers_join_in_any_order(fighting: Any) -> None:
    first = fighting("german", TWO).play("attack 6637", "join 2SS/3", "join 12VG/27")
    other = fighting("german", TWO).play("attack 6637", "join 12VG/27", "join 2SS/3")
    assert key(first) == key(other)
    assert odds_of(first, "resolve")["attack"] == odds_of(other, "resolve")["attack"]


def test_14_3_1_two_formations(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2\n6636 116Pz/60\n6737 Lehr/901")
    table.play("attack 6637", "join 116Pz/60", "join 2Pz/2")
    assert table.refusal("join Lehr/901") == ("14.3.1", "two-formations")


def test_14_3_1_independent_units_are_formations_of_their_own() -> None:
    s = stage("german", "6638 244StG\n6636 394StG\n6737 506")
    assert formations(s, tuple(sorted(map(unit, ("244StG", "394StG", "506"))))) == 3


def test_14_3_1_guns_are_not_counted(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2\n6636 116Pz/60\n6640 VAK766")
    table.play("attack 6637", "join 116Pz/60", "join 2Pz/2", "resolve")
    assert table.choices("support") == ["support VAK766"]


def test_14_3_2_a_stacked_unit_is_attached() -> None:
    """The Lehr's Panthers with 2nd Panzer, its reconnaissance with the 26th: two formations."""
    s = stage("german", "6638 2Pz/2, Lehr/130Pz\n6636 26VG/39, Lehr/Rec")
    units = tuple(sorted(unit(name) for name in ("2Pz/2", "Lehr/130Pz", "26VG/39", "Lehr/Rec")))
    assert formations(s, units) == 2


def test_14_3_2_one_unit_a_formation() -> None:
    """Two strangers with one division are one too many."""
    s = stage("german", "6638 2Pz/2, 244StG\n6636 2Pz/304, 902StG")
    assert formations(s, tuple(sorted(map(unit, ("2Pz/2", "244StG", "2Pz/304", "902StG"))))) == 2


def test_14_3_2_the_host_need_not_attack() -> None:
    """A stranger is attached to who stands with it; 2nd Panzer attacks from another hex."""
    s = stage("german", "6638 2Pz/2, 244StG\n6636 2Pz/304\n6737 26VG/39")
    assert formations(s, tuple(sorted(map(unit, ("244StG", "2Pz/304", "26VG/39"))))) == 2


def test_14_4_odds_round_in_favour_of_the_defender() -> None:
    assert TABLES.columns[plain_column(15, 4)] == "3-1"
    assert plain_column(4, 15) == -1
    assert TABLES.columns[plain_column(5, 9)] == "1-2"


def column(attack: int, defence: int, shift: int = 0) -> str:
    """The column of plain odds with a shift, as the table plays it."""
    return column_name(TABLES, max(-1, min(plain_column(attack, defence) + shift, len(TABLES.columns) - 1)))


@pytest.mark.parametrize(
    ("attack", "defence", "name"), [(15, 4, "3-1"), (4, 15, "<1-3"), (4, 12, "1-3"), (5, 5, "1-1")]
)
def test_14_4_examples_of_odds(attack: int, defence: int, name: str) -> None:
    assert column(attack, defence) == name


def test_14_4_a_bridge_may_be_blown_and_the_attack_called_off(fighting: Any) -> None:
    """The attack that is called off was none: the tank attacks elsewhere."""
    table = fighting("german", "4111 1/26\n4211 2Pz/3/1\n4110 1/16", turn=5)
    table.play("attack 4111", "join 2Pz/3/1", "resolve", "blow 4111/4211", "roll 1", "cancel")
    assert table.choices("attack") == ["attack 4110", "attack 4111"]
    again = table.try_all("attack 4111", "join 2Pz/3/1", "resolve")
    assert not again.choices("blow")


def test_14_4_or_fought_without_the_bridge(fighting: Any) -> None:
    table = fighting("german", "4111 1/26\n4211 2Pz/3/1", turn=5)
    table.play("attack 4111", "join 2Pz/3/1", "resolve", "blow 4111/4211", "roll 1", "pass")
    assert "shift-armor" not in shifts_of(table, "roll 1")
    assert not bridges_attacked(table.state, Battle(GERMAN, hexagon("4111"), (unit("2Pz/3/1"),)))


def test_14_4_named_twice_or_never(fighting: Any) -> None:
    table = fighting("german", TWO).play("attack 6637", "join 2SS/3")
    assert table.refusal("join 2SS/3") == ("14.4", "joined-already")
    assert table.refusal("drop 12VG/27") == ("14.4", "not-named")
    assert table.refusal("pass") == ("14.4", "finish-attack-first")


def at_the_first_combat() -> Session:
    """An attack that two units may make has been begun in a new game."""
    session = Session(load("ardennes44"), SeededDice(1), "six-turns")
    while not any(action[0] == "attack" for action in legal(session.state)):
        session.play(session.actor, legal(session.state)[-1])
    for action in legal(session.state):
        after = step(session.state, action)
        if action[0] == "attack" and sum(choice[0] == "join" for choice in legal(after)) > 1:
            session.play(session.actor, action)
            return session
    raise AssertionError("no attack of two units")


def test_14_4_a_record_tells_the_attack_without_its_detours() -> None:
    """Two orders of naming, one of them with take-backs, write one record."""
    records = []
    for detour in (False, True):
        session = at_the_first_combat()
        first, second = [action for action in legal(session.state) if action[0] == "join"][:2]
        back = ("drop", second[1])
        for action in (second, first, back, second) if detour else (first, second):
            session.play("german", action)
        session.play("german", ("resolve",))
        records.append(session.record().moves)
    assert records[0] == records[1]


def test_14_5_the_ends_of_the_table_come_after_the_shifts() -> None:
    """9-1 less one column is 8-1, played as 7-1; below 1-3 the attacker loses a step."""
    assert min(plain_column(36, 4) - 1, len(TABLES.columns) - 1) == TABLES.columns.index("7-1")
    assert result_of(TABLES, -1, 1) == "A1"


@pytest.mark.parametrize(("attack", "shift", "name"), [(9, -1, "7-1"), (9, -3, "6-1"), (7, 2, "7-1"), (2, -9, "<1-3")])
def test_14_5_limits_come_last(attack: int, shift: int, name: str) -> None:
    assert column(attack, 1, shift) == name


def test_14_5_worse_than_1_3_costs_a_step(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 12VG/Fus")
    table.play("attack 6637", "join 12VG/Fus", "resolve", "roll 1")
    assert where(table, "12VG/Fus") == "6638"  # 2 to 6 is 1-3: a firefight
    weak = fighting("german", "6637 84/334, 84/771\n6638 12VG/Fus").play(
        "attack 6637", "join 12VG/Fus", "resolve", "roll 1"
    )
    assert where(weak, "12VG/Fus") == "eliminated"
