"""Ardennes '44: chapter 8, stacking."""

from __future__ import annotations

from typing import Any

from games.ardennes44.positions import (
    reach,
    stage,
    unit,
    where,
)
from salient import load
from salient.common.sides import ALLIED
from salient.games.ardennes44.stacking import Stacking, refuse_stack
from salient.kernel import candidates, legal, settle
from table import Table


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


def test_8_3_relief_in_place(moving: Any) -> None:
    """The limit holds when the movement ends: two full hexes exchange their garrisons."""
    table = moving("allied", "6637 84/334\n6636 84/335")
    table.play("select 84/334", "move 84/334 6636", "select 84/335", "move 84/335 6637")
    assert (where(table, "84/334"), where(table, "84/335")) == ("6636", "6637")
    assert table.said("loses-step") == []


def test_8_3_nobody_joins_those_who_cannot_leave(moving: Any) -> None:
    table = moving("allied", "6637 1/26\n6638 1/16 engaged\n6636 99/394/1")
    assert "6638" not in reach(table, "1/26")
    assert table.try_all("select 1/26").refusal("move 1/26 6638") == ("8.1", "hex-is-full")
    arrived = moving("allied", "6637 1/26\n6639 1/16\n6636 99/394/1").play("select 1/16", "move 1/16 6638")
    assert arrived.try_all("select 1/26").refusal("move 1/26 6638") == ("8.1", "hex-is-full")


def test_8_3_who_can_makes_room_before_the_movement_ends(moving: Any) -> None:
    """Neither the phase nor a unit's stay, its trench or its night marker leaves too many in a hex."""
    table = moving("allied", "6637 84/334\n6636 84/335", turn=8).play("select 84/334", "move 84/334 6636")
    for text in ("pass", "dig 84/335", "night 6636"):
        assert table.refusal(text) == ("8.3", "make-room-first"), text
    table.play("select 84/335")
    assert table.refusal("stay 84/335") == ("8.3", "make-room-first")
    table.play("move 84/335 6635")
    assert table.said("loses-step") == []


def test_8_3_computer_players_keep_the_limit_all_the_time(moving: Any) -> None:
    table = moving("allied", "6637 84/334\n6636 84/335").play("select 84/334")
    into = table.game.read("move 84/334 6636")
    assert into in legal(table.state)
    assert into not in candidates(table.state)


def test_8_3_the_owner_removes_what_is_too_much() -> None:
    s = stage("allied", "2531 30/120, 51Eng", turn=7)
    s.push(Stacking(ALLIED))
    settle(s)
    table = Table(load("ardennes44"), s)
    assert table.choices("lose") == ["lose 30/120", "lose 51Eng"]
    table.play("lose 51Eng")
    assert where(table, "51Eng") == "eliminated"


def test_8_4_british_and_us_stack_but_do_not_attack_together(fighting: Any) -> None:
    table = fighting("allied", "6637 2Pz/2\n6638 43/129\n6636 84/334", turn=15)
    table.play("attack 6637", "join 84/334")
    assert table.refusal("join 43/129") == ("27.3.3", "british-and-us")
