"""Ardennes '44: chapter 16, results."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import (
    DUEL,
    ELSEWHERE,
    FAR,
    GROUND,
    JOINS,
    TABLES,
    UNITS,
    assault,
    flee,
    hexagon,
    lost,
    marked,
    order,
    shifts_of,
    stage,
    unit,
    where,
)
from salient.common.sides import GERMAN
from salient.games.ardennes44.advances import (
    refuse_entering,
)
from salient.games.ardennes44.losses import lose_step
from salient.games.ardennes44.results import firefight_modifier, refuse_lead, refuse_stand, stand_result
from salient.games.ardennes44.strengths import Battle, result_of
from salient.kernel.messages import ignore_events
from table import Table


@pytest.mark.parametrize(
    ("column", "die", "result"),
    [("3-1", 3, "FF"), ("3-1", 4, "EX"), ("3-1", 2, "DR2"), ("3-1", 6, "ENG"), ("3-1", 5, "FF+1"), ("3-1", 1, "DR3"),
     ("4-1", 2, "DR3"), ("5-1", 5, "FF"), ("2-1", 3, "EX"), ("6-1", 1, "DS"), ("2-1", 1, "DR2"), ("1-1", 3, "FF+1"),
     ("4-1", 3, "DR2"), ("1-1", 4, "ENG"), ("2-1", 5, "ENG"), ("5-1", 4, "DR2"), ("4-1", 5, "EX"), ("6-1", 4, "DR3"),
     ("1-3", 1, "FF+1"), ("7-1", 6, "DR2")],
)  # fmt: skip
def test_16_1_combat_table(column: str, die: int, result: str) -> None:
    assert result_of(TABLES, TABLES.columns.index(column), die) == result


def duel(fighting: Any, die: int) -> Any:
    table = fighting("german", DUEL)
    return table.play("attack 6637", "join 2Pz/2", "join 2Pz/304", "join 2Pz/3/1", "resolve", f"roll {die}")


def test_16_1_engaged(fighting: Any) -> None:
    table = duel(fighting, 6)
    assert marked(table, "engaged", "84/334")
    assert where(table, "84/334") == "6637"


def test_16_1_exchange_takes_the_armour_that_gave_the_column(fighting: Any) -> None:
    table = duel(fighting, 4)
    assert (lost(table, "84/334"), lost(table, "2Pz/3/1")) == (1, 1)
    assert marked(table, "engaged", "84/334")


def test_16_1_dr3_routs_and_gives_a_bonus_advance(fighting: Any) -> None:
    table = duel(fighting, 1)
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert order(table, "84/334") == 2
    assert table.choices("advance 2Pz/2")
    assert table.choices("stand") == []


def test_16_1_collapse_costs_a_step_routs_and_breaks_through(fighting: Any) -> None:
    table = flee(assault(fighting, "99/395-", 1))
    assert (lost(table, "99/395-"), order(table, "99/395-")) == (1, 2)
    assert GROUND.board.distance(hexagon("6637"), hexagon(where(table, "99/395-"))) == 4


@pytest.mark.parametrize(("defenders", "die", "hexes"), [("84/334", 4, 2), ("84/334", 3, 3), ("84/334", 2, 4)])
def test_16_1_retreats_of_the_table(fighting: Any, defenders: str, die: int, hexes: int) -> None:
    """24 to 6 with a column for tanks: 5-1."""
    table = assault(fighting, defenders, die)
    if table.choices("stand"):
        table.play("pass")
    flee(table)
    assert GROUND.board.distance(hexagon("6637"), hexagon(where(table, defenders))) == hexes
    assert order(table, defenders) == (1 if hexes == 2 else 2)


def test_16_1_a1_costs_the_attacker_alone(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 12VG/Fus").play("attack 6637", "join 12VG/Fus", "resolve", "roll 6")
    assert where(table, "12VG/Fus") == "eliminated"
    assert not marked(table, "engaged", "84/334")


def test_16_1_exchange_engages_the_survivors(fighting: Any) -> None:
    table = assault(fighting, "84/334", 6)
    assert lost(table, "84/334") == 1
    assert {text.split()[1] for text in table.choices("lose")} == {"9SS/9/1", "9SS/9/2"}
    assert marked(table.play("lose 9SS/9/2"), "engaged", "84/334")


def test_16_2_1_nobody_leads_over_an_army_boundary(fighting: Any) -> None:
    """A44-3: who may not advance into the hex may not lead either."""
    table = fighting("german", f"2212 28/110/1\n2213 26VG/39\n{FAR}", turn=2)
    table.play("attack 2212", "join 26VG/39", "resolve", "roll 1")
    assert not table.choices("lead")
    assert marked(table, "engaged", "28/110/1")
    s = stage("german", "2212 28/110/1\n2213 26VG/39", turn=2)
    assert refuse_entering(s, unit("26VG/39"), hexagon("2212")).rule == "11.10.2"  # type: ignore[union-attr]


def test_16_2_1_the_attacker_may_leave_it_at_engaged(fighting: Any) -> None:
    table = duel(fighting, 3).play("pass")
    assert marked(table, "engaged", "84/334")


def test_16_2_1_lead_units(fighting: Any) -> None:
    """Elite Panthers as good as the defender's tanks: -2; panzergrenadiers: 0."""
    s = stage("german", DUEL)
    b = Battle(GERMAN, hexagon("6637"), (unit("2Pz/2"), unit("2Pz/3/1")))
    assert firefight_modifier(s, b, unit("2Pz/3/1")) == -2
    assert firefight_modifier(s, b, unit("2Pz/2")) == 0


def battle(*names: str, target: str = "6637") -> Battle:
    return Battle(UNITS.side[unit(names[0])], hexagon(target), tuple(sorted(map(unit, names))))


def test_16_2_1_modifiers_of_the_lead_unit() -> None:
    s = stage("german", "6637 84/334\n6638 9SS/9/1, 5FJ/13\n6636 2Pz/3/2, 244StG")
    b = battle("9SS/9/1", "5FJ/13", "2Pz/3/2", "244StG")
    found = {name: firefight_modifier(s, b, unit(name)) for name in ("9SS/9/1", "5FJ/13", "2Pz/3/2", "244StG")}
    assert found == {"9SS/9/1": -2, "5FJ/13": 1, "2Pz/3/2": -1, "244StG": 0}


def test_16_2_1_an_equal_quality_is_enough_here() -> None:
    s = stage("german", "6637 84/771\n6638 2Pz/3/2")
    assert firefight_modifier(s, battle("2Pz/3/2"), unit("2Pz/3/2")) == -1
    better = stage("german", "6637 80/610\n6638 2Pz/3/2")
    assert firefight_modifier(better, battle("2Pz/3/2"), unit("2Pz/3/2")) == 0


def test_16_2_1_no_tank_leads_over_a_river_without_bridge() -> None:
    s = stage("german", "1929 1/26\n1928 2Pz/3/1, 2Pz/2", turn=9)
    b = battle("2Pz/3/1", "2Pz/2", target="1929")
    assert refuse_lead(s, unit("2Pz/3/1"), b).rule == "16.2.1"  # type: ignore[union-attr]
    assert refuse_lead(s, unit("2Pz/2"), b) is None


def test_16_2_1_units_held_on_turn_1_cannot_lead() -> None:
    """They attack but do not advance (29.1.1), and a lead unit must be able to advance."""
    s = stage("german", "1813 28/109/1\n1913 26VG/78", turn=1)
    assert refuse_lead(s, unit("26VG/78"), battle("26VG/78", target="1813")).rule == "29.1.1"  # type: ignore[union-attr]


def test_16_2_2_a1_dr2_costs_the_lead_unit_a_step(fighting: Any) -> None:
    table = duel(fighting, 3).play("lead 2Pz/2", "roll 4")
    assert lost(table, "2Pz/2") == 1
    assert table.choices("stand") == ["stand 84/334"]


@pytest.mark.parametrize(
    ("die", "lost_by_lead", "lost_by_defender", "engaged"),
    [(1, 0, 1, False), (2, 0, 0, False), (3, 1, 1, False), (4, 1, 0, False), (5, 0, 0, True), (6, 1, 0, True)],
)
def test_16_2_2_firefight_table(
    fighting: Any, die: int, lost_by_lead: int, lost_by_defender: int, engaged: bool
) -> None:
    table = fighting("german", f"6637 99/395-\n6638 12VG/27\n6636 12VG/48\n{ELSEWHERE}")
    table.play("attack 6637", "join 12VG/27", "join 12VG/48", "resolve", "roll 2", "lead 12VG/27", f"roll {die}")
    if table.choices("stand"):
        table.play("pass")
    flee(table)
    assert (lost(table, "12VG/27"), lost(table, "99/395-")) == (lost_by_lead, lost_by_defender)
    assert marked(table, "engaged", "99/395-") is engaged
    assert order(table, "99/395-") == (0 if engaged else 1)


def test_16_2_2_all_attackers_may_advance(fighting: Any) -> None:
    table = fighting("german", "6637 99/395-\n6638 12VG/27\n6636 12VG/48")
    table.play("attack 6637", "join 12VG/27", "join 12VG/48", "resolve", "roll 2", "lead 12VG/27", "roll 2", "pass")
    flee(table)
    assert {text.split()[1] for text in table.choices("advance")} == {"12VG/27", "12VG/48"}


def test_16_3_the_owner_chooses_the_loss(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2\n6636 2Pz/304")
    table.play("attack 6637", "join 2Pz/2", "resolve", "roll 6")
    assert lost(table, "2Pz/2") == 1


def test_16_3_a_firefight_costs_the_lead_unit_its_step(fighting: Any) -> None:
    table = fighting("german", "6637 99/395-\n6638 12VG/Fus, 12VG/27\n6636 12VG/48")
    table.play(
        "attack 6637", "join 12VG/27", "join 12VG/48", "join 12VG/Fus", "resolve", "roll 2", "lead 12VG/Fus", "roll 6"
    )
    assert where(table, "12VG/Fus") == "eliminated"


def test_16_3_defending_armour_that_took_a_column_takes_the_loss(fighting: Any) -> None:
    exchange = fighting("german", "6637 84/334, 84/771\n6638 9SS/19\n6636 9SS/20\n6536 2Pz/2\n6736 2Pz/304")
    exchange.play("attack 6637", "join 2Pz/2", "join 2Pz/304", "join 9SS/19", "join 9SS/20", "resolve", "roll 2")
    assert lost(exchange, "84/771") == 1  # 24 to 9 less a column: 1-1, an exchange


def test_16_4_a_large_unit_leaves_a_remnant() -> None:
    s = stage("german", "6637 84/334 lost=1 disrupted")
    remnant = lose_step(s, unit("84/334"), "16.3", ignore_events)
    assert UNITS.ids[remnant] == "Rem1"
    assert (s.where[remnant], s.order[remnant]) == (hexagon("6637"), 1)
    assert s.where[unit("84/334")] == GROUND.eliminated


def test_16_4_without_a_counter_there_is_no_remnant() -> None:
    rest = "\n".join(f"66{row} Rem{i}" for i, row in enumerate((20, 22, 24, 26, 28), start=1))
    s = stage("german", f"6637 84/334 lost=1\n{rest}")
    assert lose_step(s, unit("84/334"), "16.3", ignore_events) == -1


def test_16_4_the_remnant_retreats_with_the_rest(fighting: Any) -> None:
    table = flee(assault(fighting, "84/334 lost=1", 1))
    assert where(table, "84/334") == "eliminated"
    assert order(table, "Rem1") == 2
    assert UNITS.formation[unit("Rem1")] == "Rem1"


def worn_down(fighting: Any, die: int) -> Table:
    """A last step of the 2nd SS leads a firefight against 6637 and falls to a 4, A1/DR2: a remnant is left."""
    table: Table = fighting("german", f"6637 84/334\n6638 2SS/3 lost=1\n6636 12VG/27\n6536 12VG/48\n{ELSEWHERE}")
    table.play("attack 6637", "join 12VG/27", "join 12VG/48", "join 2SS/3", "resolve", "roll 2")
    return table.play("lead 2SS/3", f"roll {die}")


def test_16_4_the_remnant_of_an_attacker_advances(fighting: Any) -> None:
    table = worn_down(fighting, 4)
    assert where(table, "2SS/3") == "eliminated"
    flee(table.play("pass"))
    assert {text.split()[1] for text in table.choices("advance")} == {"12VG/27", "12VG/48", "PzGRem1"}
    table.play("advance PzGRem1 6637")
    assert where(table, "PzGRem1") == "6637"
    assert marked(table, "fought", "PzGRem1")


def test_16_4_the_remnant_of_an_attacker_takes_further_losses(fighting: Any) -> None:
    """4 to 6 is 1-2: a 2 is a firefight, a 4 costs the last step of the regiment; the exchange costs its remnant."""
    table = fighting("german", f"6637 101/501 lost=1\n6638 9SS/19 lost=1\nip 6637\n{ELSEWHERE}")
    table.play("attack 6637", "join 9SS/19", "resolve", "roll 2", "lead 9SS/19", "roll 4")
    assert where(table, "PzGRem1") == "6638"
    table.play("stand 101/501", "roll 1")
    assert table.said("stand-yes-ex")
    assert (where(table, "PzGRem1"), where(table, "ParaRem1")) == ("pool", "6637")


def test_16_4_a_remnant_is_a_unit_of_its_own_when_combats_end(fighting: Any) -> None:
    table = flee(worn_down(fighting, 4).play("pass"))
    assert table.state.parent[unit("PzGRem1")] == unit("2SS/3")  # type: ignore[attr-defined]
    table.play("pass", "pass")
    assert table.state.parent[unit("PzGRem1")] == -1  # type: ignore[attr-defined]


def test_16_5_engaged_units_do_not_move(moving: Any) -> None:
    table = moving("allied", "6637 84/334 engaged\n6635 84/335")
    assert table.refusal("select 84/334") == ("16.5", "is-engaged")


def test_16_5_engaged_units_do_not_dig(moving: Any) -> None:
    table = moving("allied", "6637 84/334 engaged\n6638 2Pz/2\n6630 84/335\ndigging 6637")
    assert table.choices("dig") == ["dig 84/335"]


def test_16_6_an_advantage_is_a_column_and_is_used_up(fighting: Any) -> None:
    target, origin = hexagon("6637"), hexagon("6638")
    table = fighting("german", "6637 84/334\n6638 2Pz/2", advantage=((origin, target, 1 << unit("2Pz/2")),))
    table.play("attack 6637", "join 2Pz/2", "resolve")
    shifts = table.game.view.preview(table.state, ("roll", 1))["odds"]["shifts"]
    assert [shift["key"] for shift in shifts] == ["shift-advantage"]
    table.play("roll 4")
    assert table.state.advantage == ()


def test_16_6_the_advantage_needs_one_of_the_first_attackers(fighting: Any) -> None:
    lines = "6637 84/334\n6638 2Pz/2, 2Pz/3/1\n6636 2Pz/304\nadvantage 6638 6637 2Pz/2"
    table = fighting("german", lines)
    assert "shift-advantage" in shifts_of(table.try_all("attack 6637", "join 2Pz/2"), "resolve")
    assert "shift-advantage" not in shifts_of(table.try_all("attack 6637", "join 2Pz/304"), "resolve")


def test_16_6_an_empty_target_ends_it(fighting: Any) -> None:
    table = fighting("german", "6536 84/334\n6637 2Pz/2\nadvantage 6637 6638 2Pz/2")
    assert table.state.advantage == ()


def test_16_6_a_retreat_ends_it_even_if_it_is_refused(fighting: Any) -> None:
    """24 to 6 with tanks: a 4 is DR2."""
    table = assault(fighting, "84/334", 4, "6537 2Pz/2\nadvantage 6637 6537 84/334")
    assert table.choices("stand")
    assert table.state.advantage == ()


def test_16_6_it_goes_when_all_leave(moving: Any) -> None:
    table = moving("german", "6637 84/334\n6638 2Pz/2\nadvantage 6638 6637 2Pz/2")
    table.play("select 2Pz/2", "move 2Pz/2 6639")
    assert table.state.advantage == ()


def test_16_7_1_no_stand_against_a_bonus_advance(fighting: Any) -> None:
    assert assault(fighting, "84/334", 3).choices("stand") == []
    assert assault(fighting, "84/334", 4).choices("stand") == ["stand 84/334"]


@pytest.mark.parametrize("state", ["disrupted", "routed", "march"])
def test_16_7_1_who_cannot_lead(state: str) -> None:
    s = stage("german", f"6637 84/334 {state}")
    assert refuse_stand(s, unit("84/334")) is not None


def test_16_7_2_determined_defence_table() -> None:
    assert [stand_result(TABLES, die) for die in (-1, 0, 1, 2, 3, 5, 6, 7)] == [
        "yes-ex", "yes-ex", "yes", "delay", "no", "no", "no-loss", "no-loss",
    ]  # fmt: skip


@pytest.mark.parametrize(("lead", "added"), [("106/424-", 1), ("84/334", 0), ("101/501", -1)])
def test_16_7_2_the_morale_of_the_lead_counts(fighting: Any, lead: str, added: int) -> None:
    """In the open: +1 for green, -1 for elite troops, nothing else."""
    table = fighting("german", f"6637 {lead}\n6638 9SS/19, 9SS/9/1\n6636 9SS/20, 9SS/9/2\n0129 2SS/3")
    table.play("attack 6637", "join 9SS/9/1", "join 9SS/19", "join 9SS/20", "resolve")
    die = next(n for n in range(1, 7) if table.try_all(f"roll {n}").choices("stand"))
    table.play(f"roll {die}", f"stand {lead}", "roll 3")
    said = [event for event in table.events if event.key.startswith("stand-")]
    assert said[-1].args["n_added"] == added


@pytest.mark.parametrize(("loser", "lead", "added"), [("99/394/1", "84/771", -1), ("84/771", "99/394/1", -2)])
def test_16_7_2_the_bonus_is_looked_at_after_the_losses(fighting: Any, loser: str, lead: str, added: int) -> None:
    """11 to 5 and infantry with tanks: 1-1, a firefight, D1. In a position tanks without infantry have 1 (15.1)."""
    lines = f"6637 99/394/1, 84/771 lost=1\n6638 9SS/19\n6636 12VG/27\nip 6637\n{ELSEWHERE}"
    table = fighting("german", lines).play("attack 6637", "join 12VG/27", "join 9SS/19", "resolve")
    table.play("roll 1", "lead 9SS/19", "roll 1", f"lose {loser}", f"stand {lead}", "roll 5")
    assert table.said("stand-no")[0].args["n_added"] == added


def test_16_7_3_delay_costs_a_step_and_limits_the_advance(fighting: Any) -> None:
    table = duel(fighting, 2).play("stand 84/334", "roll 2")
    assert lost(table, "84/334") == 1
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert order(table, "84/334") == 1
    assert {text.split()[2] for text in table.choices("advance")} <= {"6637"}


def test_16_7_3_yes_cancels_the_retreat(fighting: Any) -> None:
    table = duel(fighting, 2).play("stand 84/334", "roll 1")
    assert where(table, "84/334") == "6637"
    assert marked(table, "engaged", "84/334")


def test_16_7_3_clervaux(fighting: Any) -> None:
    """The tanks lead in a town: a 4 less 3 is 1, a step for the hex."""
    table = fighting(
        "german", "2416 28/110/2, 28/707\n2315 2Pz/2, 2Pz/3/1\n2316 2Pz/304, 116Pz/16/1\n2415 116Pz/60", turn=9
    )
    table.play(
        "attack 2416", "join 116Pz/60", "join 116Pz/16/1", "join 2Pz/2", "join 2Pz/304", "join 2Pz/3/1", "resolve"
    )
    while not table.choices("stand"):
        table.play("roll 3" if table.choices("roll") else table.choices()[0])
        if table.choices("lead"):
            table.play("lead 2Pz/2", "roll 2")
    table.play("stand 28/707", "roll 4")
    assert table.said("stand-yes")
    assert (where(table, "28/707"), lost(table, "28/707"), order(table, "28/707")) == ("2416", 1, 0)
    assert marked(table, "engaged", "28/110/2")
    assert table.choices("advance") == []


def test_16_7_3_yes_with_an_exchange(fighting: Any) -> None:
    table = assault(fighting, "101/501", 3, "ip 6637").play("stand 101/501", "roll 1")  # 1 - elite - 2
    assert lost(table, "101/501") == 1
    assert table.choices("lose")


def tank_fight(fighting: Any, lead: str) -> Table:
    """Panthers give the column against Shermans, Panzer IVs do not; a firefight that costs both sides a step."""
    lines = f"6637 1/18, 84/771 lost=1\n6638 9SS/19, 9SS/9/1 lost=1\n6636 9SS/20, 9SS/9/2\nip 6637\n{ELSEWHERE}"
    table: Table = fighting("german", lines).play("attack 6637", *JOINS)
    assert table.game.view.preview(table.state, ("roll", 1))["odds"]["column"] == "3-1"
    table.play("roll 3", f"lead {lead}", f"roll {5 if lead == '9SS/9/1' else 4}")
    assert table.said("firefight-result")[-1].args["word_result"] == "A1/D1"
    return table.play("lose 84/771")


def test_16_7_3_the_armour_that_gave_the_column_pays_after_losses_too(fighting: Any) -> None:
    """With the Shermans gone any tank would give a column now; it was the Panthers that did."""
    table = tank_fight(fighting, "9SS/20").play("stand 1/18", "roll 2")
    assert table.said("stand-yes-ex")
    assert where(table, "9SS/9/1") == "eliminated"
    assert lost(table, "9SS/9/2") == 0


def test_16_7_3_if_that_armour_is_gone_the_owner_chooses(fighting: Any) -> None:
    table = tank_fight(fighting, "9SS/9/1").play("stand 1/18", "roll 2")
    assert where(table, "9SS/9/1") == "eliminated"
    assert {text.split()[1] for text in table.choices("lose")} == {"9SS/9/2", "9SS/19", "9SS/20"}


def test_16_7_3_no_with_a_loss(fighting: Any) -> None:
    table = assault(fighting, "84/334", 4).play("stand 84/334", "roll 6")
    assert lost(table, "84/334") == 1
    flee(table)
    assert order(table, "84/334") == 1


def test_16_7_4_a_hex_emptied_by_its_stand_is_only_occupied(fighting: Any) -> None:
    table = fighting("german", "6637 99/394/1\n6638 12VG/27\n6636 12VG/Fus")  # 6 to 2
    table.play("attack 6637", "join 12VG/27", "join 12VG/Fus", "resolve", "roll 2", "stand 99/394/1", "roll 1")
    assert where(table, "99/394/1") == "eliminated"
    assert {text.split()[2] for text in table.choices("advance")} == {"6637"}
