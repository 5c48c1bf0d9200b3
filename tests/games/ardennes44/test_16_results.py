"""Chapters 16 to 20: results, retreats, disorder, advances, disengagement."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.ardennes44.conftest import hexagon, lost, marked, order, stage, unit, where

from salient.common.sides import GERMAN
from salient.games.ardennes44 import model
from salient.games.ardennes44.advances import BONUS, LIMITED, REGULAR, advance_options
from salient.games.ardennes44.disengagement import disengagement_modifier
from salient.games.ardennes44.entering import enter
from salient.games.ardennes44.losses import lose_step
from salient.games.ardennes44.odds import Battle
from salient.games.ardennes44.results import firefight_modifier, stand_result
from salient.games.ardennes44.retreats import refuse_survival, retreat, retreat_options
from salient.kernel.messages import NULL

DUEL = "6637 84/334\n6638 2Pz/2, 2Pz/3/1\n6636 2Pz/304"  # 16 to 6, armour: 3-1


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


def test_16_2_1_the_attacker_may_leave_it_at_engaged(fighting: Any) -> None:
    table = duel(fighting, 3).play("pass")
    assert marked(table, "engaged", "84/334")


def test_16_2_1_lead_units(fighting: Any) -> None:
    """Elite Panthers as good as the defender's tanks: -2; panzergrenadiers: 0."""
    s = stage("german", DUEL)
    b = Battle(GERMAN, hexagon("6637"), (unit("2Pz/2"), unit("2Pz/3/1")))
    assert firefight_modifier(s, b, unit("2Pz/3/1")) == -2
    assert firefight_modifier(s, b, unit("2Pz/2")) == 0


def test_16_2_2_a1_dr2_costs_the_lead_unit_a_step(fighting: Any) -> None:
    table = duel(fighting, 3).play("lead 2Pz/2", "roll 4")
    assert lost(table, "2Pz/2") == 1
    assert table.choices("stand") == ["stand 84/334"]


def test_16_3_the_owner_chooses_the_loss(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2\n6636 2Pz/304")
    table.play("attack 6637", "join 2Pz/2", "resolve", "roll 6")
    assert lost(table, "2Pz/2") == 1


def test_16_4_a_large_unit_leaves_a_remnant() -> None:
    s = stage("german", "6637 84/334 lost=1 disrupted")
    remnant = lose_step(s, unit("84/334"), "16.3", NULL)
    assert model.UNITS[remnant] == "Rem1"
    assert (s.where[remnant], s.order[remnant]) == (hexagon("6637"), 1)
    assert s.where[unit("84/334")] == model.ELIMINATED


def test_16_4_without_a_counter_there_is_no_remnant() -> None:
    rest = "\n".join(f"66{row} Rem{i}" for i, row in enumerate((20, 22, 24, 26, 28), start=1))
    s = stage("german", f"6637 84/334 lost=1\n{rest}")
    assert lose_step(s, unit("84/334"), "16.3", NULL) == -1


def test_16_5_engaged_units_do_not_move(moving: Any) -> None:
    table = moving("allied", "6637 84/334 engaged\n6635 84/335")
    assert table.refusal("select 84/334") == ("16.5", "is-engaged")


def test_16_6_an_advantage_is_a_column_and_is_used_up(fighting: Any) -> None:
    target, origin = hexagon("6637"), hexagon("6638")
    table = fighting("german", "6637 84/334\n6638 2Pz/2", advantage=((origin, target, 1 << unit("2Pz/2")),))
    table.play("attack 6637", "join 2Pz/2", "resolve")
    shifts = table.game.preview(table.state, ("roll", 1))["odds"]["shifts"]
    assert [shift["key"] for shift in shifts] == ["shift-advantage"]
    table.play("roll 4")
    assert table.state.advantage == ()


def test_16_7_2_determined_defence_table() -> None:
    assert [stand_result(die) for die in (-1, 0, 1, 2, 3, 5, 6, 7)] == [
        "yes-ex", "yes-ex", "yes", "delay", "no", "no", "no-loss", "no-loss",
    ]  # fmt: skip


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


def test_17_1_a_retreat_ends_at_full_distance_out_of_zones() -> None:
    s = stage("german", DUEL)
    options, further = retreat_options(s, unit("84/334"), (unit("84/334"),), 2)
    assert options
    assert not further
    assert all(model.BOARD.distance(hexagon("6637"), h) == 2 for h in options)


def test_17_2_surrounded_units_are_lost(fighting: Any) -> None:
    ring = "\n".join(f"{h} {u}" for h, u in zip(
        ("6638", "6636", "6737", "6736", "6537", "6536"),
        ("2Pz/2", "2Pz/304", "Lehr/901", "Lehr/902", "116Pz/60", "116Pz/156"), strict=True))  # fmt: skip
    s = stage("german", f"6637 84/334\n{ring}")
    assert retreat_options(s, unit("84/334"), (unit("84/334"),), 2) == ({}, False)


def test_17_4_an_overstacked_end_is_avoided() -> None:
    """Everything two hexes away is full: the unit goes further and routs."""
    s = stage("german", "6637 84/334\n6638 2Pz/2")
    ends, _ = retreat_options(s, unit("84/334"), (unit("84/334"),), 2)
    names = ("84/335", "84/333", "75/289", "75/290", "75/291", "26/101", "26/104", "26/328", "5/10", "5/2", "5/11")
    full = "\n".join(f"{model.BOARD.labels[h]} {name}" for h, name in zip(ends, names, strict=False))
    t = stage("german", f"6637 84/334\n6638 2Pz/2\n{full}")
    _, further = retreat_options(t, unit("84/334"), (unit("84/334"),), 2)
    assert further == (len(ends) <= len(names))


def test_17_7_german_guns_without_a_tractor_are_lost() -> None:
    s = stage("allied", "6637 VAK766\n6635 VAK401 tractor")
    assert refuse_survival(s, unit("VAK766"), 2).rule == "17.7"  # type: ignore[union-attr]
    assert refuse_survival(s, unit("VAK401"), 2) is None


def test_18_2_a_disrupted_unit_that_retreats_is_routed(fighting: Any) -> None:
    table = fighting("german", "6637 84/334 disrupted\n6638 2Pz/2, 2Pz/3/1\n6636 2Pz/304")
    table.play("attack 6637", "join 2Pz/2", "join 2Pz/304", "join 2Pz/3/1", "resolve", "roll 3")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert order(table, "84/334") == 2


def test_18_3_disrupted_units_move_tactically_and_away(moving: Any) -> None:
    table = moving("allied", "6637 84/334 disrupted\n6638 2Pz/2")
    assert table.choices("pass") == []
    assert table.refusal("pass") == ("18.3", "withdraw-first")
    table.play("select 84/334")
    assert all(model.BOARD.distance(hexagon("6637"), hexagon(h)) <= 2 for h in table.destinations("84/334"))


def test_18_5_routed_units_do_not_survive_a_retreat() -> None:
    s = stage("german", "6637 84/334 routed")
    assert refuse_survival(s, unit("84/334"), 2).rule == "18.5"  # type: ignore[union-attr]


def test_18_6_recovery_by_itself_or_by_die(phase: Any) -> None:
    table = phase("allied_recovery", "allied", "6637 84/334 disrupted\n6638 2Pz/2\n6633 84/335 routed")
    assert order(table, "84/335") == 1
    table.play("roll 2")
    assert order(table, "84/334") == 0


def test_18_6_green_troops_recover_worse(phase: Any) -> None:
    table = phase("allied_recovery", "allied", "6637 75/289 disrupted\n6638 2Pz/2").play("roll 2")
    assert order(table, "75/289") == 1


def test_11_10_2_no_recovery_over_the_army_boundary(phase: Any) -> None:
    """Until turn 5, and only for who was driven there: others recover in any sector."""
    foreign = model.BOARD.labels[model.bits(model.ARMY_ZONE["7A"] & ~model.OBJECTIVES)[0]]
    lines, driven = f"{foreign} 2Pz/2 disrupted", 1 << unit("2Pz/2")
    assert order(phase("german_recovery", "german", lines, turn=3, driven=driven), "2Pz/2") == 1
    assert order(phase("german_recovery", "german", lines, turn=5, driven=driven), "2Pz/2") == 0
    assert order(phase("german_recovery", "german", lines, turn=3), "2Pz/2") == 0


def test_11_10_2_a_retreat_over_the_line_is_remembered_until_the_way_back() -> None:
    """12th Volksgrenadier is driven from 1328 to 1327 and beyond, and comes home."""
    s, u = stage("german", "1328 12VG/27", turn=3), unit("12VG/27")
    retreat(s, u, (hexagon("1328"), hexagon("1327"), hexagon("1326")), 2, False, NULL)
    assert s.driven == 1 << u
    enter(s, u, [hexagon("1326"), hexagon("1327")], NULL)
    assert s.driven == 1 << u
    enter(s, u, [hexagon("1327"), hexagon("1328")], NULL)
    assert not s.driven


def test_11_10_2_west_of_the_line_nobody_is_driven_across() -> None:
    s, u = stage("german", "2028 12VG/27", turn=3), unit("12VG/27")
    retreat(s, u, (hexagon("2028"), hexagon("2027"), hexagon("2026")), 2, False, NULL)
    assert not s.driven


def advances(lines: str, name: str, kind: str, target: str = "6637", turn: int = 9) -> set[str]:
    s = stage("german", lines, turn)
    return {model.BOARD.labels[h] for h in advance_options(s, unit(name), hexagon(target), kind)}


def test_19_1_2_limited_regular_and_bonus_advances() -> None:
    assert advances("6638 26VG/39", "26VG/39", LIMITED) == {"6637"}
    assert len(advances("6638 26VG/39", "26VG/39", REGULAR)) == 6
    assert len(advances("6638 26VG/39", "26VG/39", BONUS)) == 18


def test_19_1_3_motors_go_further_along_roads() -> None:
    """From Marnach along the primary road."""
    near = advances("2216 2Pz/2", "2Pz/2", REGULAR, "2217", turn=5)
    assert "2218" in near
    assert "2218" not in advances("2216 26VG/39", "26VG/39", REGULAR, "2217", turn=5)


def test_19_2_forest_only_in_the_first_step() -> None:
    """From 0206 into the forest 0207 and out of it again, but not on into the forests 0107 and 0307."""
    found = advances("0206 12VG/89", "12VG/89", BONUS, "0207")
    assert found & {"0207", "0107", "0307", "0208"} == {"0207", "0208"}
    assert advances("0206 12VG/89", "12VG/89", REGULAR, "0207") & {"0207", "0208"} == {"0207"}


def test_19_2_a_road_leads_on_through_the_forest() -> None:
    """A road runs from 1331 through the forests 1431 and 1430; none leads into 1432 or from there into 1532."""
    assert {"1431", "1430", "1432"} <= advances("1331 12VG/89", "12VG/89", BONUS, "1431")
    assert advances("1331 2Pz/3/1", "2Pz/3/1", BONUS, "1431") & {"1431", "1430", "1432"} == {"1431", "1430"}
    assert "0207" not in advances("0206 2Pz/3/1", "2Pz/3/1", BONUS, "0207")


def test_19_3_2_not_from_zone_to_zone_of_one_unit() -> None:
    """Past the enemy in 6635 only by hexes that he does not both control."""
    found = advances("6638 26VG/39\n6635 84/334", "26VG/39", BONUS)
    assert "6637" in found
    assert "6636" in found


def test_19_5_no_road_bonus_out_of_supply() -> None:
    assert "2218" not in advances("2216 2Pz/2 oos", "2Pz/2", REGULAR, "2217", turn=5)


def test_19_4_1_breakthrough_after_a_collapse(fighting: Any) -> None:
    """DS: the tanks advance and attack again."""
    table = fighting("german", "6637 99Norw\n6635 740\n6638 2Pz/2, 2Pz/3/1\n6737 Lehr/901")
    table.play("attack 6637", "join 2Pz/2", "join 2Pz/3/1", "join Lehr/901", "resolve", "roll 1")
    table.play("advance 2Pz/3/1 6636" if "advance 2Pz/3/1 6636" in table.choices("advance") else "advance 2Pz/3/1 6637")
    table.play("pass")
    assert any(text.endswith("6635") for text in table.choices("breakthrough")) or where(table, "2Pz/3/1") == "6637"


def test_20_2_modifiers() -> None:
    assert disengagement_modifier(unit("2Pz/3/1")) == -2
    assert disengagement_modifier(unit("75/289")) == 1
    assert disengagement_modifier(unit("4Cav/4")) == -1


def test_20_4_units_not_engaged_stay_out_of_zones(fighting: Any) -> None:
    table = fighting("allied", "6637 84/334\n6638 2Pz/2")
    table.play("disengage 84/334", "resolve", "roll 1")
    ends = {text.split()[2] for text in table.choices("retreat")}
    assert "6737" not in ends
    assert "6636" in ends


def test_20_5_engaged_markers_come_off_in_the_owners_combat_phase(fighting: Any) -> None:
    table = fighting("allied", "6637 84/334 engaged\n6638 2Pz/2").play("pass")
    assert not marked(table, "engaged", "84/334")


def test_21_4_reconnaissance_slips_away(fighting: Any) -> None:
    table = fighting("german", "6637 4Cav/4\n6638 2Pz/2, 2Pz/3/1\n6636 2Pz/304")
    table.play("attack 6637", "join 2Pz/2", "join 2Pz/304", "join 2Pz/3/1", "resolve", "roll 1", "evade")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert order(table, "4Cav/4") == 2


def test_27_1_engineers_do_not_survive_three_hexes() -> None:
    s = stage("german", "6637 51Eng")
    assert refuse_survival(s, unit("51Eng"), 3).rule == "27.1"  # type: ignore[union-attr]
    assert refuse_survival(s, unit("51Eng"), 2) is None


def test_23_4_no_long_retreat_without_supply() -> None:
    s = stage("german", "6637 84/334 oos")
    assert refuse_survival(s, unit("84/334"), 3).rule == "23.4"  # type: ignore[union-attr]


@pytest.mark.parametrize(("lead", "added"), [("106/424-", 1), ("84/334", 0), ("101/501", -1)])
def test_16_7_2_the_morale_of_the_lead_counts(fighting: Any, lead: str, added: int) -> None:
    """In the open: +1 for green, -1 for elite troops, nothing else."""
    table = fighting("german", f"6637 {lead}\n6638 9SS/19, 9SS/9/1\n6636 9SS/20, 9SS/9/2\n0129 2SS/3")
    table.play("attack 6637", "join 9SS/9/1", "join 9SS/19", "join 9SS/20", "resolve")
    die = next(n for n in range(1, 7) if table.try_all(f"roll {n}").choices("stand"))
    table.play(f"roll {die}", f"stand {lead}", "roll 3")
    said = [event for event in table.events if event.key.startswith("stand-")]
    assert said[-1].args["n_added"] == added


@pytest.mark.parametrize(("other", "open_hex"), [("6536 84/335", False), ("6630 84/335", True)])
def test_19_3_2_no_second_hex_in_the_zone_of_one_enemy(fighting: Any, other: str, open_hex: bool) -> None:
    """6637 and 6636 both lie in the zone of 6536: who has advanced into the first does not go on into the second."""
    table = fighting("german", f"6637 99/394/1\n6638 9SS/19, 9SS/9/1\n{other}\n0129 2SS/3")
    table.play("attack 6637", "join 9SS/9/1", "join 9SS/19", "resolve", "roll 1")
    assert ("advance 9SS/19 6636" in table.choices("advance")) is open_hex
    assert "advance 9SS/19 6637" in table.choices("advance")
