"""Target Arnhem: chapter 2, components."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from games.target_arnhem.positions import GROUND, TABLES, UNITS
from salient.common.sides import GERMAN
from table import Table


def test_2_1_the_map_runs_from_row_01_in_the_south_to_row_16():
    """Six hexes in the north row, five in the south row, 88 in all."""

    assert [label for label in GROUND.board.labels if label.startswith("16")] == [f"160{c}" for c in range(1, 7)]
    assert [label for label in GROUND.board.labels if label.startswith("01")] == [f"010{c}" for c in range(1, 6)]
    assert len(GROUND.board) == 88


def test_2_2_counters_five_germans_are_fortified_and_vehicles_are_marked():
    """Five fortified Germans; the two units that start in 0103 have vehicles."""
    fortified = [u for u in range(len(UNITS.ids)) if UNITS.starts_fortified[u]]
    assert len(fortified) == 5
    assert all(UNITS.side[u] == GERMAN for u in fortified)
    at_entry = [u for u in range(len(UNITS.ids)) if UNITS.arrival_turn[u] == 0 and UNITS.start[u] == GROUND.entry]
    assert len(at_entry) == 2
    assert all(UNITS.vehicle[u] for u in at_entry)


def test_2_3a_the_preview_names_every_halving_and_shift(impulse):
    """Out of supply, over a bridge, against a town, with bombardment: four causes, each with its rule."""
    table = impulse("german", 1, "0803 504\n0903 406\n0103 5Gds").play("attack 0803", "join 406")
    odds = table.game.view.preview(table.state, table.game.read("bombard wehrmacht"))["odds"]
    assert [m["key"] for m in odds["attackers"][0]["modifiers"]] == ["halved-over-water"]
    assert [(m["rule"], m["key"]) for m in odds["shifts"]] == [("5.3", "shift-town"), ("5.3b", "shift-bombardment")]
    assert sum(Fraction(outcome["probability"]) for outcome in odds["outcomes"]) == 1


def test_2_3b_the_house_table_is_read_by_column_and_die():
    """Every column has six results, each attacker's / defender's damage."""
    assert len(TABLES.combat) == len(TABLES.columns)
    assert all(len(column) == 6 for column in TABLES.combat)


def test_2_3b_the_columns_rise_in_odds():
    """Each column stands for better odds than the one before it."""
    assert all(a * d2 < a2 * d for (a, d), (a2, d2) in pairwise(TABLES.ratios))


def test_2_3b_better_odds_never_hurt_the_attacker_more_or_the_defender_less():
    """From column to column, die by die; and no two columns are the same."""
    for weaker, stronger in pairwise(TABLES.combat):
        assert weaker != stronger
        for (own, enemy), (own_then, enemy_then) in zip(weaker, stronger, strict=True):
            assert own_then <= own
            assert enemy_then >= enemy


def test_2_4_the_only_chance_is_one_six_sided_die(before):
    """Six outcomes, each with probability one sixth."""
    table: Table = before("0103 5Gds\n1504 9SS/Aufkl")
    outcomes = table.state.stack[-1].outcomes(table.state)
    assert [action for action, _ in outcomes] == [("roll", n) for n in range(1, 7)]
    assert {p * 6 for _, p in outcomes} == {1}
