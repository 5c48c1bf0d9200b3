"""Rule 2.3b: the combat table is a reconstruction within a known frame."""

from __future__ import annotations

from itertools import pairwise

from games.target_arnhem.positions import TABLES, UNITS


def test_2_3b_columns_rise_in_odds():
    assert all(a * d2 < a2 * d for (a, d), (a2, d2) in pairwise(TABLES.ratios))


def test_2_3b_better_odds_never_hurt_the_attacker_more_or_the_defender_less():
    for weaker, stronger in pairwise(TABLES.combat):
        for (own, enemy), (own_then, enemy_then) in zip(weaker, stronger, strict=True):
            assert own_then <= own
            assert enemy_then >= enemy


def test_5_2_a_lower_die_is_never_worse_for_the_attacker():
    for column in TABLES.combat:
        for (own, enemy), (own_then, enemy_then) in pairwise(column):
            assert own_then >= own
            assert enemy_then <= enemy


def test_2_3b_each_column_differs_from_the_next():
    assert len(set(TABLES.combat)) == len(TABLES.columns)


def test_2_2_five_units_begin_fortified():
    assert sum(UNITS.starts_fortified) == 5
