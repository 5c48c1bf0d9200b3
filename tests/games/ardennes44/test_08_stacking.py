"""Chapter 8: stacking."""

from __future__ import annotations

from typing import Any

from tests.games.ardennes44.conftest import reach, stage, unit, where

from salient.games.ardennes44.stacking import refuse_stack


def refusal(lines: str, *names: str) -> str:
    s = stage("allied", lines)
    found = refuse_stack(s, tuple(sorted(unit(name) for name in names)))
    return found.key if found else ""


def test_8_1_three_points_are_the_limit() -> None:
    """A regiment of three battalions fills a hex; a battalion more is too many."""
    assert refusal("", "1/26") == ""
    assert refusal("", "1/26", "99/394/1") == "stacking-points"
    assert refusal("", "99/394/1", "99/394/2", "99/394/3") == ""


def test_8_2_a_reduced_regiment_leaves_room() -> None:
    assert refusal("6637 1/26 lost=1", "1/26", "99/394/1") == ""


def test_8_2_two_steps_with_a_silhouette_stack_free() -> None:
    """A tank battalion of two steps, or two tank destroyers, beside three points of infantry."""
    assert refusal("", "1/26", "1/745") == ""
    assert refusal("", "1/26", "1/634", "1/703") == ""
    assert refusal("", "1/745", "1/634") == "silhouette-steps"


def test_8_2_one_artillery_unit_stacks_free() -> None:
    assert refusal("", "1/26", "V/190") == ""
    assert refusal("", "V/190", "V/187") == "one-artillery"


def test_8_3_nobody_moves_into_a_full_hex(moving: Any) -> None:
    table = moving("allied", "6637 1/26\n6638 1/16\n6636 99/394/1")
    assert "6638" not in reach(table, "1/26")
    assert table.try_all("select 1/26").refusal("move 1/26 6638") == ("8.1", "hex-is-full")


def test_8_3_the_owner_removes_what_is_too_much(moving: Any) -> None:
    """Engineers may be placed in a full town; if they stay there a step must go at the end of movement."""
    table = moving("allied", "2531 30/120\ntrack 51Eng", turn=7)
    table.play("select 51Eng", "deploy 51Eng 2531", "pass")
    assert table.choices("lose") == ["lose 30/120", "lose 51Eng"]
    table.play("lose 51Eng")
    assert where(table, "51Eng") == "eliminated"


def test_8_4_british_and_us_stack_but_do_not_attack_together(fighting: Any) -> None:
    table = fighting("allied", "6637 2Pz/2\n6638 43/129\n6636 84/334", turn=15)
    table.play("attack 6637", "join 84/334")
    assert table.refusal("join 43/129") == ("27.3.3", "british-and-us")
