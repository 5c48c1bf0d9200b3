"""Second reading of chapters 16 to 20: results, retreats, disorder, advances, disengagement."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.ardennes44.conftest import bridge, hexagon, lost, marked, order, reach, shifts_of, stage, unit, where

from salient.common.sides import ALLIED
from salient.games.ardennes44 import model
from salient.games.ardennes44.advances import (
    BONUS,
    BREAKTHROUGH,
    LIMITED,
    REGULAR,
    advance_options,
    breakthrough_groups,
    refuse_mixed,
)
from salient.games.ardennes44.bridges import sappers
from salient.games.ardennes44.disengagement import ways_out
from salient.games.ardennes44.odds import Battle, best_tq, bonus
from salient.games.ardennes44.results import firefight_modifier, may_evade, refuse_lead, refuse_stand
from salient.games.ardennes44.retreats import edge_boxes, ground_of, passable, refuse_survival, retreat_options
from salient.games.ardennes44.stacking import Overstack
from salient.games.ardennes44.zones import zone
from table import Table

NINTH = "6638 9SS/19, 9SS/9/1\n6636 9SS/20, 9SS/9/2"  # 24 attack factors around 6637
ELSEWHERE = "6030 5/10\n6031 79VG/208"  # keeps the phase open
JOINS = ("join 9SS/9/1", "join 9SS/9/2", "join 9SS/19", "join 9SS/20", "resolve")


def assault(fighting: Any, defenders: str, die: int, more: str = "", **changes: Any) -> Table:
    """9th SS attacks 6637 at high odds."""
    table: Table = fighting("german", f"6637 {defenders}\n{NINTH}\n{ELSEWHERE}\n{more}", **changes)
    return table.play("attack 6637", *JOINS, f"roll {die}")


def battle(*names: str, target: str = "6637") -> Battle:
    return Battle(model.SIDE[unit(names[0])], hexagon(target), tuple(sorted(map(unit, names))))


def flee(table: Table) -> Table:
    """Every unit takes the first way that its retreat leaves open."""
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    return table


def labels(options: dict[int, Any]) -> set[str]:
    return {model.PLACES[h] for h in options}


# ---- 16 ----------------------------------------------------------------------------------------------


def test_16_1_collapse_costs_a_step_routs_and_breaks_through(fighting: Any) -> None:
    table = flee(assault(fighting, "99/395-", 1))
    assert (lost(table, "99/395-"), order(table, "99/395-")) == (1, 2)
    assert model.BOARD.distance(hexagon("6637"), hexagon(where(table, "99/395-"))) == 4


@pytest.mark.parametrize(("defenders", "die", "hexes"), [("84/334", 4, 2), ("84/334", 3, 3), ("84/334", 2, 4)])
def test_16_1_retreats_of_the_table(fighting: Any, defenders: str, die: int, hexes: int) -> None:
    """24 to 6 with a column for tanks: 5-1."""
    table = assault(fighting, defenders, die)
    if table.choices("stand"):
        table.play("pass")
    flee(table)
    assert model.BOARD.distance(hexagon("6637"), hexagon(where(table, defenders))) == hexes
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


def test_16_4_the_remnant_retreats_with_the_rest(fighting: Any) -> None:
    table = flee(assault(fighting, "84/334 lost=1", 1))
    assert where(table, "84/334") == "eliminated"
    assert order(table, "Rem1") == 2
    assert model.FORMATION[unit("Rem1")] == "Rem1"


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


def test_16_5_engaged_units_do_not_dig(moving: Any) -> None:
    table = moving("allied", "6637 84/334 engaged\n6638 2Pz/2\n6630 84/335\ndigging 6637")
    assert table.choices("dig") == ["dig 84/335"]


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
    assert table.game.preview(table.state, ("roll", 1))["odds"]["column"] == "3-1"
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


@pytest.mark.parametrize(("loser", "lead", "added"), [("99/394/1", "84/771", -1), ("84/771", "99/394/1", -2)])
def test_16_7_2_the_bonus_is_looked_at_after_the_losses(fighting: Any, loser: str, lead: str, added: int) -> None:
    """11 to 5 and infantry with tanks: 1-1, a firefight, D1. In a position tanks without infantry have 1 (15.1)."""
    lines = f"6637 99/394/1, 84/771 lost=1\n6638 9SS/19\n6636 12VG/27\nip 6637\n{ELSEWHERE}"
    table = fighting("german", lines).play("attack 6637", "join 12VG/27", "join 9SS/19", "resolve")
    table.play("roll 1", "lead 9SS/19", "roll 1", f"lose {loser}", f"stand {lead}", "roll 5")
    assert table.said("stand-no")[0].args["n_added"] == added


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


# ---- 17 ---------------------------------------------------------------------------------------------


def test_17_1_units_may_go_different_ways(fighting: Any) -> None:
    table = assault(fighting, "84/334, 84/771", 1)  # 24 to 9 and better tanks: 3-1, DR3
    assert {text.split()[1] for text in table.choices("retreat")} == {"84/334"}
    first = table.choices("retreat")
    table.play(first[0])
    assert len(table.choices("retreat 84/771")) > 1


def test_17_1_the_first_hex_may_lie_in_a_zone_if_there_is_no_other() -> None:
    """Guns on three sides have zones over all six neighbours but no bonds; the second hex must be free."""
    s = stage("german", "6637 84/334\n6538 VAK766\n6535 VAK401\n6837 Werfer15")
    options, _ = retreat_options(s, unit("84/334"), (unit("84/334"),), 2)
    assert labels(options)
    assert labels(options) <= {"6437", "6735", "6738"}  # the priorities choose among these


def test_17_2_bonds_bar_the_first_hex_too() -> None:
    """Three regiments in the place of the guns: bonds between them leave no way."""
    s = stage("german", "6637 84/334\n6638 9SS/20\n6536 9SS/19\n6736 2SS/3")
    assert retreat_options(s, unit("84/334"), (unit("84/334"),), 2)[0] == {}


def test_17_1_a_friend_lifts_the_zone() -> None:
    """The hex of a friend is free, unless the friend flees from the same combat."""
    s = stage("german", "6637 99/394/1\n6636 99/394/2\n6635 2Pz/2")
    ground = ground_of(s, unit("99/394/1"), (unit("99/394/1"),))
    assert not ground.zone >> hexagon("6636") & 1
    assert ground_of(s, unit("99/394/1"), (unit("99/394/1"), unit("99/394/2"))).zone >> hexagon("6636") & 1


def test_17_1_vehicles_keep_to_roads() -> None:
    s = stage("german", "3413 84/771\n3414 2Pz/2")
    for way in retreat_options(s, unit("84/771"), (unit("84/771"),), 2)[0].values():
        assert model.BOARD.road(way[0], way[1])
        assert model.BOARD.road(way[1], way[2])


def test_17_2_nobody_flees_across_the_meuse_without_a_bridge() -> None:
    s = stage("german", "")
    a, b = next((a, b) for a, b in sorted(model.MEUSE) if (a, b) not in model.BRIDGE)
    assert not passable(s, unit("84/334"), a) >> b & 1


def test_17_2_vehicles_do_not_flee_over_rivers_or_into_woods() -> None:
    s = stage("german", "")
    assert not passable(s, unit("84/771"), hexagon("1928")) >> hexagon("1929") & 1
    assert passable(s, unit("84/334"), hexagon("1928")) >> hexagon("1929") & 1
    assert not passable(s, unit("84/771"), hexagon("1532")) >> hexagon("1432") & 1


def test_17_3_the_advance_stands_if_the_defender_dies(fighting: Any) -> None:
    table = assault(fighting, "84/334 routed", 4)
    if table.choices("stand"):
        table.play("pass")
    assert where(table, "84/334") == "eliminated"
    assert table.choices("advance")


RING = "6638 2Pz/2\n6737 2Pz/304\n6736 116Pz/60\n6537 Lehr/901\n6536 Lehr/902\n6636 84/335"


def two_battalions(fighting: Any, behind: str) -> Table:
    """DR2 against two battalions in 6637, which do not stand; the only way leads to 6635."""
    table: Table = fighting("german", f"6637 99/394/1, 99/394/2\n{RING}\n6635 {behind}\n{ELSEWHERE}")
    table.play("attack 6637", "join 2Pz/304", "join Lehr/901", "join Lehr/902", "resolve", "roll 2")
    assert table.said("combat-result")[0].args["word_result"] == "DR2"
    return table.play("pass")


def test_17_1_the_owner_chooses_who_retreats_first_where_room_is_short(fighting: Any) -> None:
    """In 6635 there is room for one point: the battalion that goes second must go further and is routed."""
    for first, second in (("99/394/1", "99/394/2"), ("99/394/2", "99/394/1")):
        table = two_battalions(fighting, "99/395-")
        assert table.choices("retreat") == ["retreat 99/394/1 6635", "retreat 99/394/2 6635"]
        flee(table.play(f"retreat {first} 6635"))
        assert (where(table, first), order(table, first), order(table, second)) == ("6635", 1, 2)


def test_17_1_nobody_is_asked_for_the_order_where_there_is_room(fighting: Any) -> None:
    table = two_battalions(fighting, "99/393/1")
    assert not table.choices("retreat")
    assert (where(table, "99/394/1"), where(table, "99/394/2")) == ("6635", "6635")


FUNNEL = "6637 84/334\n6638 2Pz/2\n6737 2Pz/304\n6736 116Pz/60\n6537 Lehr/901\n6536 Lehr/902\n6636 84/335\n6635 84/333"


def driven_out(table: Table) -> Table:
    """DR2 against the regiment in 6637, which does not stand."""
    table.play("attack 6637", "join 2Pz/304", "join Lehr/901", "join Lehr/902", "resolve", "roll 1")
    assert table.said("combat-result")[0].args["word_result"] == "DR2"
    return table.play("pass")


def test_17_4_as_far_as_it_takes() -> None:
    """Between Germans only 6636 and 6635 are open: hex after hex behind them fills up, and the regiment goes on."""
    names = iter(model.UNITS[u] for u in model.SIDE_UNITS[ALLIED] if model.STACK[u][0] == 3 and not model.BRITISH[u])
    spare = (name for name in names if name not in FUNNEL)
    lines, hexes = FUNNEL, []
    while not hexes or hexes[-1] < 5:
        options, further = retreat_options(stage("german", lines), unit("84/334"), (unit("84/334"),), 2)
        assert further
        hexes.append(min(len(way) - 1 for way in options.values()))
        lines += "".join(f"\n{model.BOARD.labels[h]} {next(spare)}" for h in options)
    assert hexes == sorted(hexes)
    assert set(hexes) == {3, 4, 5}


def test_17_4_who_goes_further_is_routed(fighting: Any) -> None:
    table = flee(driven_out(fighting("german", FUNNEL)))
    assert (order(table, "84/334"), where(table, "84/334") in {"6634", "6534", "6734"}) == (2, True)


def test_17_4_without_room_the_steps_are_lost(fighting: Any) -> None:
    """Behind 6635 there are Germans too: the regiment ends there, has no room, and is worn down to nothing."""
    table = fighting("german", f"{FUNNEL}\n6634 9SS/19\n6534 9SS/20\n6734 12VG/27\n{ELSEWHERE}")
    options, further = retreat_options(table.state, unit("84/334"), (unit("84/334"),), 2)  # type: ignore[arg-type]
    assert (labels(options), further) == ({"6635"}, False)
    driven_out(table)
    while table.choices("lose"):
        assert "84/333" not in {text.split()[1] for text in table.choices("lose")}
        table.play(table.choices("lose")[0])
    assert where(table, "84/334") == "eliminated"
    assert (where(table, "84/333"), lost(table, "84/333")) == ("6635", 0)


def test_17_4_who_is_out_of_supply_does_not_go_on_past_two_hexes(fighting: Any) -> None:
    """A third hex would eliminate it [23.4]: it ends where it is too many and loses the steps over the limit."""
    unsupplied = 1 << unit("84/334")
    options, further = retreat_options(stage("german", FUNNEL, oos=unsupplied), unit("84/334"), (unit("84/334"),), 2)
    assert (labels(options), further) == ({"6635"}, False)
    table = driven_out(fighting("german", f"{FUNNEL}\n{ELSEWHERE}", oos=unsupplied))
    while table.choices("lose"):
        table.play(table.choices("lose")[0])
    assert (where(table, "84/334"), lost(table, "84/333")) == ("eliminated", 0)


def test_17_4_steps_come_from_those_who_retreated(phase: Any) -> None:
    s = stage("german", "6637 84/334, 84/335", turn=9, retreated=1 << unit("84/335"))
    assert Overstack(ALLIED, hexagon("6637")).legal(s) == [("lose", unit("84/335"))]


def test_17_5_who_fled_to_others_adds_nothing_and_is_lost(fighting: Any) -> None:
    table = fighting("german", f"6637 99/395-, 99/394/1 disrupted\n{NINTH}")
    table.state.retreated |= 1 << unit("99/394/1")
    table.state.attacked |= 1 << unit("99/394/1")
    table.play("attack 6637", *JOINS)
    assert table.game.preview(table.state, table.game.read("roll 1"))["odds"]["defence"] == 4
    table.play("roll 5")  # 6-1 with columns for tanks and disorder: DR3
    flee(table)
    assert where(table, "99/394/1") == "eliminated"
    assert where(table, "99/395-") not in ("6637", "eliminated")


def test_17_5_alone_it_fights_on_and_is_routed(fighting: Any) -> None:
    """A breakthrough meets a unit that has retreated alone: it defends, and may retreat once more (18.2)."""
    table = fighting("german", f"6637 84/334 disrupted\n{NINTH}")
    table.state.retreated |= 1 << unit("84/334")
    table.play("attack 6637", *JOINS, "roll 5")
    while not table.choices("retreat") and not table.choices("advance"):
        table.play(table.choices()[0])
    flee(table)
    assert (order(table, "84/334"), where(table, "84/334") != "eliminated") == (2, True)


def test_17_6_allies_leave_the_map_into_boxes_germans_do_not() -> None:
    s = stage("german", "")
    assert edge_boxes(s, unit("84/334"), hexagon("6601")) != []
    assert edge_boxes(s, unit("2Pz/2"), hexagon("6601")) == []
    assert edge_boxes(s, unit("84/334"), hexagon("0115")) == []


def test_17_7_guns_that_retreat_have_fired(fighting: Any) -> None:
    table = assault(fighting, "84/334, VII/18", 2)
    flee(table)
    assert marked(table, "fired", "VII/18")
    assert order(table, "VII/18") == 2


def test_17_7_a_tractor_saves_german_guns() -> None:
    s = stage("allied", "6637 VAK766 tractor")
    assert refuse_survival(s, unit("VAK766"), 2) is None


def test_17_8_the_engaged_marker_comes_off(fighting: Any) -> None:
    table = flee(assault(fighting, "84/334 engaged", 3))
    assert not marked(table, "engaged", "84/334")


def test_12_7_a_march_marker_comes_off_in_a_retreat(fighting: Any) -> None:
    table = assault(fighting, "84/334 march", 3)
    flee(table)
    assert not marked(table, "march", "84/334")


# ---- 18 ---------------------------------------------------------------------------------------------


def test_18_1_good_order_is_the_rule() -> None:
    assert set(stage("german", "6637 84/334").order) == {0}


def test_18_2_three_hexes_rout(fighting: Any) -> None:
    assert order(flee(assault(fighting, "84/334", 3)), "84/334") == 2


def test_18_3_disrupted_units_do_not_enter_zones(moving: Any) -> None:
    table = moving("allied", "6637 84/334 disrupted\n6633 2Pz/2")
    assert not any(model.within(hexagon("6633"), 1) >> hexagon(h) & 1 for h in reach(table, "84/334"))


def test_18_3_no_march_no_split(moving: Any) -> None:
    table = moving("allied", "3413 7Arm/CCA disrupted", turn=9)
    assert table.choices("split") == []
    assert table.try_all("select 7Arm/CCA").choices("march") == []


def test_18_4_disrupted_units_keep_zone_and_bonus() -> None:
    s = stage("german", "3413 84/771 disrupted, 99/394/1 routed")
    assert zone(s, ALLIED) >> hexagon("3414") & 1
    assert bonus(s, hexagon("3413")) == 3
    assert best_tq((unit("84/771"),)) == 3


def test_18_5_routed_units_blow_no_bridges() -> None:
    index = model.BRIDGE_IDS["4111/4211"]
    assert sappers(stage("allied", "4111 1/26 disrupted", turn=5), ALLIED, index) == (unit("1/26"),)
    assert sappers(stage("allied", "4111 1/26 routed", turn=5), ALLIED, index) == ()


@pytest.mark.parametrize(
    ("name", "die", "recovers"),
    [
        ("84/334", 2, True),
        ("84/334", 3, False),
        ("106/424-", 2, False),
        ("106/424-", 1, True),
        ("101/501", 3, True),
        ("101/501", 4, False),
    ],
)
def test_18_6_recovery_next_to_the_enemy(phase: Any, name: str, die: int, recovers: bool) -> None:
    table = phase("allied_recovery", "allied", f"6637 {name} routed\n6638 2Pz/2").play(f"roll {die}")
    assert order(table, name) == (1 if recovers else 2)


# ---- 19 --------------------------------------------------------------------------------------------


def advance(s: Any, name: str, kind: str, target: str = "6637") -> set[str]:
    return labels(advance_options(s, unit(name), hexagon(target), kind))


def test_19_1_1_only_attackers_advance(fighting: Any) -> None:
    table = flee(assault(fighting, "84/334", 3, "6536 9SS/Rec"))
    assert not table.choices("advance 9SS/Rec")
    assert table.choices("advance 9SS/19")


def test_19_1_2_one_hex_in_any_direction_two_with_a_bonus() -> None:
    s = stage("german", "6638 12VG/27")
    assert len(advance(s, "12VG/27", REGULAR)) == 6
    assert len(advance(s, "12VG/27", BONUS)) == 18
    assert advance(s, "12VG/27", LIMITED) == {"6637"}


def test_19_1_3_a_road_gives_motors_one_hex_more() -> None:
    """The primary road from Bastogne runs 3313 - 3413 - 3512 and on."""
    s = stage("german", "3313 2Pz/2", turn=9)
    assert {"3413", "3512", "3513"} <= advance(s, "2Pz/2", REGULAR, "3413")
    assert "3412" in advance(s, "2Pz/2", REGULAR, "3413")  # a secondary road
    assert "3512" not in advance(stage("german", "3313 12VG/27"), "12VG/27", REGULAR, "3413")


def test_19_1_3_forest_roads_count_on_frozen_ground_only() -> None:
    """From 0217 the road runs through the woods 0316, 0417."""
    for turn, far in ((10, False), (11, True)):
        s = stage("german", "0217 2Pz/2", turn=turn)
        assert ("0417" in advance(s, "2Pz/2", REGULAR, "0316")) is far


def test_19_1_3_rough_woods_have_forest_roads_too() -> None:
    """11.8: 2013 - 2113 - 2214 lies in the valleys of the Our."""
    muddy, frozen = (stage("german", "2214 2Pz/2", turn=turn) for turn in (9, 12))
    assert "2013" not in advance(muddy, "2Pz/2", REGULAR, "2113")
    assert "2013" in advance(frozen, "2Pz/2", REGULAR, "2113")


def test_19_2_rivers_only_in_the_first_step() -> None:
    """The river between 1928 and 1929 is crossed from its bank; from 1927 it would be the second hex."""
    s = stage("german", "1928 12VG/27\n1927 12VG/48", turn=9, blown=(1 << len(model.BRIDGES)) - 1)
    assert "1929" in advance(s, "12VG/27", REGULAR, "1929")
    alone = stage("german", "1927 12VG/48", turn=9, blown=(1 << len(model.BRIDGES)) - 1)
    assert advance(alone, "12VG/48", BONUS, "1928") & {"1928", "1929"} == {"1928"}


def test_19_2_rough_woods_only_in_the_first_step() -> None:
    """No road leads into the valley 2116: from 2216 it is the first hex, from 2316 the second."""
    assert "2116" in advance(stage("german", "2216 12VG/27"), "12VG/27", BONUS, "2116")
    found = advance(stage("german", "2316 12VG/27"), "12VG/27", BONUS, "2216")
    assert found & {"2216", "2116"} == {"2216"}
    assert "2116" not in advance(stage("german", "2216 2Pz/3/1"), "2Pz/3/1", BONUS, "2116")


def test_19_2_vehicles_never_cross_without_a_bridge() -> None:
    s = stage("german", "4212 2Pz/3/1\n4211 9SS/9/1", turn=9)
    assert "4111" not in advance(s, "2Pz/3/1", REGULAR, "4111")
    assert "4111" in advance(s, "9SS/9/1", REGULAR, "4111")
    s.blown = bridge("4111/4211")
    assert "4111" not in advance(s, "9SS/9/1", REGULAR, "4111")


def test_19_3_1_bonds_are_not_entered_but_at_the_defenders_hex() -> None:
    """6638 and 6636 are American: their bond runs through 6637."""
    s = stage("german", "6638 84/334\n6636 84/335\n6536 2Pz/2\n6736 2Pz/304")
    assert "6637" not in advance(s, "2Pz/2", REGULAR, "6537")
    assert "6637" in advance(s, "2Pz/2", REGULAR, "6637")


def test_19_3_1_nor_in_the_second_step_except_the_defenders_hex() -> None:
    s = stage("german", "6638 84/334\n6636 84/335\n6436 12VG/27")
    assert "6637" not in advance(s, "12VG/27", BONUS, "6536")


def test_19_3_2_zones_do_not_stop_an_advance() -> None:
    s = stage("german", "6638 12VG/27\n6639 84/334")
    assert "6637" in advance(s, "12VG/27", BONUS, "6637")
    assert "6636" in advance(s, "12VG/27", BONUS, "6637")


def test_19_4_1_infantry_breaks_through_after_one_hex_only() -> None:
    s = stage("german", "6637 12VG/27, 2Pz/3/1\n6536 2Pz/2")
    groups = breakthrough_groups(s, ((unit("12VG/27"), 1), (unit("2Pz/3/1"), 1), (unit("2Pz/2"), 3)))
    assert groups[hexagon("6637")] == tuple(sorted((unit("12VG/27"), unit("2Pz/3/1"))))
    assert groups[hexagon("6536")] == (unit("2Pz/2"),)
    far = breakthrough_groups(s, ((unit("12VG/27"), 2), (unit("2Pz/3/1"), 1)))
    assert far[hexagon("6637")] == (unit("2Pz/3/1"),)
    assert refuse_mixed((unit("12VG/27"), unit("2Pz/3/1")), ()) is None


def test_19_4_1_infantry_alone_beside_tanks_that_went_further(fighting: Any) -> None:
    """In one hex tanks after two hexes and infantry after one: each kind may attack again, but not both together."""
    table = fighting("german", f"6637 99/394/1\n6638 9SS/19, 9SS/9/1\n6537 12VG/27\n6436 99/394/2\n{ELSEWHERE}")
    table.play("attack 6637", "join 12VG/27", "join 9SS/9/1", "join 9SS/19", "resolve", "roll 1")
    table.play("advance 12VG/27 6536", "advance 9SS/9/1 6536", "pass")
    assert dict(table.state.stack[-1].gone)[unit("9SS/9/1")] == 2
    table.play("breakthrough 6536 6436")
    assert {text.split()[1] for text in table.choices("join")} == {"12VG/27", "9SS/9/1"}
    assert table.try_all("join 12VG/27").refusal("join 9SS/9/1") == ("19.4.1", "went-too-far")
    assert table.try_all("join 12VG/27").choices() == ["drop 12VG/27", "cancel", "resolve"]
    assert table.try_all("join 9SS/9/1").choices() == ["drop 9SS/9/1", "cancel", "resolve"]


def broken_through(fighting: Any) -> Table:
    """9th SS has broken a battalion at 6637 and stands there; another one holds 6535."""
    table = assault(fighting, "99/394/1", 1, "6535 99/394/2")
    return table.play("advance 9SS/19 6536", "advance 9SS/9/1 6536", "pass")


def test_19_4_2_it_comes_before_the_next_combat_with_one_group(fighting: Any) -> None:
    table = broken_through(fighting)
    assert table.choices("breakthrough") == ["breakthrough 6536 6535"]
    table.play("breakthrough 6536 6535")
    assert {text.split()[1] for text in table.choices("join")} == {"9SS/9/1", "9SS/19"}


def test_19_4_3_others_do_not_add_to_it(fighting: Any) -> None:
    table = broken_through(fighting).play("breakthrough 6536 6535", "join 9SS/9/1")
    assert table.refusal("join 9SS/20")[0] in ("14.1", "14.4")


def test_19_4_4_again_and_again(fighting: Any) -> None:
    table = broken_through(fighting).play("breakthrough 6536 6535", "join 9SS/9/1", "join 9SS/19", "resolve", "roll 1")
    assert table.said("combat-result")[-1].args["word_result"] in ("DS", "DR4", "DR3")


def test_19_5_no_breakthrough_out_of_supply() -> None:
    s = stage("german", "6637 2Pz/2 oos")
    assert breakthrough_groups(s, ((unit("2Pz/2"), 1),)) == {}


def test_19_6_not_with_marching_friends_nor_over_the_limit() -> None:
    s = stage("german", "6638 2Pz/2\n6537 2Pz/Rec march\n6536 9SS/19\n6636 12VG/27")
    assert "6537" not in advance(s, "2Pz/2", REGULAR)
    full = stage("german", "6638 9SS/19\n6537 9SS/20")
    assert "6537" not in advance(full, "9SS/19", REGULAR)


def test_26_2_a_unit_may_split_before_it_advances(fighting: Any) -> None:
    table = flee(assault(fighting, "84/334", 3))
    assert "split 9SS/19" in table.choices("split")
    table.play("split 9SS/19")
    assert lost(table, "9SS/19") == 1
    assert table.choices("advance PzGBn1")


# ---- 20 --------------------------------------------------------------------------------------------


def test_20_1_attack_or_disengage_not_both(fighting: Any) -> None:
    table = fighting("allied", "6637 84/334, 84/771\n6638 2Pz/2\n6535 84/335\n6534 2Pz/304")
    table.play("attack 6638", "join 84/334", "resolve", "roll 6")
    while not table.choices("disengage"):
        table.play(table.choices()[0])
    assert "disengage 84/334" not in table.choices("disengage")
    assert "disengage 84/771" in table.choices("disengage")


def test_20_1_only_next_to_the_enemy(fighting: Any) -> None:
    table = fighting("allied", "6637 84/334\n6638 2Pz/2\n6633 84/335")
    assert table.refusal("disengage 84/335") == ("20.1", "not-next-to-enemy")


@pytest.mark.parametrize(
    ("die", "goes", "shaken"), [(1, True, 0), (3, True, 0), (4, True, 1), (5, False, 0), (6, False, 1)]
)
def test_20_2_and_20_3_the_table(fighting: Any, die: int, goes: bool, shaken: int) -> None:
    table = fighting("allied", f"6637 84/334 engaged\n6638 2Pz/2\n{ELSEWHERE}").play(
        "disengage 84/334", "resolve", f"roll {die}"
    )
    assert bool(table.choices("retreat")) is goes
    flee(table)
    assert order(table, "84/334") == shaken


def test_20_3_who_is_shaken_does_not_stop_in_a_zone(fighting: Any) -> None:
    lines = "6637 84/334 engaged\n6638 2Pz/2"
    calm = fighting("allied", lines).play("disengage 84/334", "resolve", "roll 1")
    shaken = fighting("allied", lines).play("disengage 84/334", "resolve", "roll 4")
    zones = {"6537", "6737"}
    assert {text.split()[2] for text in calm.choices("retreat")} & zones
    assert not {text.split()[2] for text in shaken.choices("retreat")} & zones


def test_20_3_disrupted_units_go_two_hexes() -> None:
    s = stage("allied", "6637 84/334 disrupted engaged\n6638 2Pz/2")
    ways = ways_out(s, unit("84/334"), False)
    assert ways
    assert all(len(way) == 3 for found in ways.values() for way in found)


def test_20_4_without_a_marker_no_zone_is_entered(fighting: Any) -> None:
    table = fighting("allied", "6637 84/334\n6638 2Pz/2").play("disengage 84/334", "resolve", "roll 1")
    zones = {"6537", "6737"}
    assert not {text.split()[2] for text in table.choices("retreat")} & zones


def test_20_5_who_does_not_disengage_may_attack(fighting: Any) -> None:
    table = fighting("allied", "6637 84/334 engaged\n6638 2Pz/2")
    assert table.choices("attack") == ["attack 6638"]
    table.play("pass")
    assert not marked(table, "engaged", "84/334")


def test_21_4_not_out_of_a_position() -> None:
    """Example K: the squadron in its position cannot slip away."""
    assert may_evade(stage("german", "6637 14Cav/18"), hexagon("6637"))
    assert not may_evade(stage("german", "6637 14Cav/18\nip 6637"), hexagon("6637"))


def test_19_4_1_breakthrough_kind_is_a_bonus_advance() -> None:
    s = stage("german", "6638 12VG/27")
    assert advance(s, "12VG/27", BREAKTHROUGH) == advance(s, "12VG/27", BONUS)
