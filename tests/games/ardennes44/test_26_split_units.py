"""Ardennes '44: chapter 26, split units."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import (
    FAR,
    UNITS,
    assault,
    flee,
    lost,
    marked,
    stage,
    unit,
    where,
)
from salient.games.ardennes44.split_units import refuse_merging, refuse_split


def test_26_1_a_task_force_is_no_stronger_than_its_share(moving: Any) -> None:
    """A44-1: a tank battalion of 4-3-6 becomes 2-1-6 and 2-2-6."""
    table = moving("allied", f"6637 28/707\n2711 84/334\n{FAR}").play("split 28/707")
    assert [UNITS.printed[unit(name)][-1] for name in ("28/707", "TF1")] == ["2-1-6", "2-2-6"]
    assert lost(table, "28/707") == 1


def test_26_1_a_regiment_splits_off_a_battalion(moving: Any) -> None:
    table = moving("allied", "6637 84/334").play("split 84/334")
    assert lost(table, "84/334") == 1
    assert where(table, "Bn1") == "6637"
    assert table.state.parent[unit("Bn1")] == unit("84/334")


@pytest.mark.parametrize(
    ("name", "new"),
    [("84/334", "Bn1"), ("101/501", "ParaBn1"), ("82/325G", "ParaBn1"), ("7Arm/CCA", "TF1"), ("28/707", "TF1")],
)
def test_26_1_what_splits_off(moving: Any, name: str, new: str) -> None:
    table = moving("allied", f"6637 {name}").play(f"split {name}")
    assert (where(table, new), lost(table, name)) == ("6637", 1)


@pytest.mark.parametrize(("name", "new"), [("12VG/27", "GrBn1"), ("5FJ/13", "FJBn1"), ("2Pz/2", "PzGBn1")])
def test_26_1_germans_split_too(moving: Any, name: str, new: str) -> None:
    assert where(moving("german", f"6637 {name}").play(f"split {name}"), new) == "6637"


def test_26_1_three_steps_become_two_battalions_and_a_remnant(moving: Any) -> None:
    table = moving("allied", "6637 84/334").play("split 84/334", "split 84/334")
    assert {where(table, name) for name in ("Bn1", "Bn2", "Rem1")} == {"6637"}
    assert where(table, "84/334") == "eliminated"


def test_26_1_german_tanks_and_british_brigades_do_not_split() -> None:
    s = stage("german", "6637 2Pz/3/1\n6630 34Tk")
    assert refuse_split(s, unit("2Pz/3/1")) is not None
    assert refuse_split(s, unit("34Tk")) is not None


def test_26_2_a_unit_may_split_before_it_advances(fighting: Any) -> None:
    table = flee(assault(fighting, "84/334", 3))
    assert "split 9SS/19" in table.choices("split")
    table.play("split 9SS/19")
    assert lost(table, "9SS/19") == 1
    assert table.choices("advance PzGBn1")


def test_26_2_disrupted_units_do_not_split(moving: Any) -> None:
    table = moving("allied", "6637 84/334 disrupted\n6630 84/335")
    assert table.refusal("split 84/334") == ("26.2", "disrupted-cannot-split")


def test_26_2_before_moving(moving: Any) -> None:
    table = moving("allied", "6637 84/334").play("select 84/334", "move 84/334 6636")
    assert table.choices("split") == []


def test_26_2_engaged_units_split_in_combat_and_one_part_slips_away(fighting: Any) -> None:
    table = fighting("allied", "6637 84/334 engaged\n6638 2Pz/2").play("split 84/334")
    assert marked(table, "engaged", "Bn1")
    assert {"disengage 84/334", "disengage Bn1"} <= set(table.choices("disengage"))


def test_26_2_counters_are_limited() -> None:
    pool = "\n".join(f"66{20 + i} TF{i}" for i in range(1, 6))
    s = stage("allied", f"6637 7Arm/CCA\n{pool}")
    assert refuse_split(s, unit("7Arm/CCA")).key == "no-split-counter"  # type: ignore[union-attr]


def test_26_3_split_units_have_one_step_and_often_worse_morale() -> None:
    splits = [u for u in range(UNITS.count) if UNITS.split[u]]
    assert {UNITS.steps[u] for u in splits} == {1}
    assert UNITS.morale[unit("ParaBn1")] > UNITS.morale[unit("101/501")]


def test_26_4_not_from_another_hex(moving: Any) -> None:
    """A battalion rejoins its regiment where it stands, not from afar."""
    table = moving("allied", "6637 84/334 lost=1\n6630 Bn1 parent=84/334")
    assert table.refusal("merge Bn1") == ("26.4", "parent-elsewhere")


def test_26_4_only_its_parent_takes_it_back(moving: Any) -> None:
    table = moving("allied", "6637 84/334 lost=1, Bn1 parent=84/334").play("merge Bn1")
    assert lost(table, "84/334") == 0
    assert where(table, "Bn1") == "pool"


def test_26_4_who_has_taken_back_a_part_has_moved(moving: Any) -> None:
    """Nothing that is taken back lets it move again: they have completed their movement."""
    table = moving("allied", "6637 84/334 lost=1, Bn1 parent=84/334\n6630 84/335", turn=8)
    lifted = table.try_all("merge Bn1", "night 6637", "lift 6637")
    assert lifted.refusal("select 84/334") == ("11.1", "moved-already")
    digging = table.try_all("dig 84/334", "merge Bn1")
    assert digging.refusal("drop 84/334") == ("15.8.2", "not-just-begun")


def test_26_4_engaged_units_rejoin_and_stay_engaged(moving: Any) -> None:
    """They have completed their movement; the marker of either holds for both."""
    for lines in ("84/334 lost=1 engaged, Bn1 parent=84/334", "84/334 lost=1, Bn1 parent=84/334 engaged"):
        table = moving("allied", f"6637 {lines}\n6638 2Pz/2\n6630 84/335").play("merge Bn1")
        assert (lost(table, "84/334"), marked(table, "engaged", "84/334")) == (0, True)
        assert table.refusal("select 84/334") == ("11.1", "moved-already")


def test_26_4_disrupted_units_do_not_rejoin(moving: Any) -> None:
    table = moving("allied", "6637 84/334 lost=1, Bn1 parent=84/334 disrupted\n6630 84/335")
    assert table.refusal("merge Bn1") == ("26.4", "not-in-good-order")


def test_26_4_back_to_its_parent_alone(moving: Any) -> None:
    table = moving("allied", "6637 84/334\n6630 84/335 lost=1").play("split 84/334")
    assert refuse_merging(table.state, unit("Bn1")) is None  # type: ignore[arg-type]
    table.play("merge Bn1")
    assert (lost(table, "84/334"), where(table, "Bn1")) == (0, "pool")
