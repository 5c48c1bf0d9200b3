"""Several units as one: gathered by Shift, stack or formation, ordered by two clicks, taken back by one undo."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from web.browsing import Server
from web.table import TABLE, Table


@pytest.fixture
def ardennes(page: Page, server: Server) -> Table:
    """The German movement of 16 December."""
    return Table.start(page, server.url, game="ardennes44", scenario="six-turns", options={})


def gather(table: Table, unit: str, key: str) -> list[str]:
    """Pick a unit and gather its stack or its formation by a key."""
    script = f"(unit) => {TABLE}.input.pick({{ unit, place: {TABLE}.game.shown.units[unit].where, x: 9, y: 9 }})"
    table.page.evaluate(script, unit)
    table.page.keyboard.press(key)
    table.page.wait_for_function(f"() => {TABLE}.group.size > 0")
    return list(table.page.evaluate(f"[...{TABLE}.group.units]"))


def test_a_formation_is_ordered_as_one_and_undone_by_one_key(ardennes: Table) -> None:
    """1st SS Panzer Division closes up: tried, carried out by Enter, one undo takes all back (T-13)."""
    page = ardennes.page
    units = gather(ardennes, "1SS/1", "g")
    assert len(units) > 4
    page.evaluate(f"{TABLE}.group.go('1029')")
    page.wait_for_function(f"() => {TABLE}.group.plan")
    expect(page.locator("[data-key=order]")).to_be_in_viewport()
    ends = page.evaluate(f"{TABLE}.group.plan.ends")
    assert ends
    before = ardennes.ply
    assert before == 1  # the unit that was picked is in hand
    page.keyboard.press("Enter")
    ardennes.wait_for_ply(2 * len(ends))
    assert {unit: ardennes.state(f"shown.units['{unit}'].where") for unit in ends} == ends
    page.keyboard.press("u")
    page.wait_for_function(f"(before) => {TABLE}.game.snapshot.ply === before", arg=before)


def test_escape_lets_the_group_go_and_nothing_is_forfeited(ardennes: Table) -> None:
    before = [action["text"] for action in ardennes.legal]
    gather(ardennes, "1SS/1", "g")
    ardennes.page.keyboard.press("Escape")
    assert ardennes.page.evaluate(f"{TABLE}.group.size") == 0
    ardennes.page.keyboard.press("Escape")
    ardennes.page.wait_for_function(f"() => {TABLE}.game.choosing && !{TABLE}.choice.given.length")
    assert [action["text"] for action in ardennes.legal] == before
    expect(ardennes.page.locator(".counter.selected")).to_have_count(0)


def test_one_button_names_all_that_can(ardennes: Table) -> None:
    """Every attacker beside Echternach joins by one press."""
    ardennes.play_by_mouse(next(action for action in ardennes.legal if action["text"] == "pass"))
    ardennes.play_by_mouse(next(action for action in ardennes.legal if action["text"] == "attack 1105"))
    joining = sum(action["verb"] == "join" for action in ardennes.legal)
    assert joining > 1
    before = ardennes.ply
    ardennes.page.locator("[data-key='all-join']").click()
    ardennes.wait_for_ply(before + joining)
    assert not any(action["verb"] == "join" for action in ardennes.legal)


def test_all_costs_of_a_pick_come_in_one_request(ardennes: Table) -> None:
    requests: list[str] = []
    ardennes.page.on("request", lambda request: requests.append(request.url))
    ardennes.play_by_mouse(next(action for action in ardennes.legal if action["text"] == "select 2Pz/304"))
    expect(ardennes.page.locator(".cost")).not_to_have_count(0)
    assert sum("/preview" in url for url in requests) <= 3


def test_what_has_not_moved_is_listed_by_formation_and_a_name_selects_it(ardennes: Table) -> None:
    """Every unit that can move is in the list once; a press takes the whole division and goes there (T-13)."""
    page = ardennes.page
    chips = page.locator(".unmoved [data-formation]")
    listed = [unit for chip in chips.all() for unit in str(chip.get_attribute("title")).split(", ")]
    assert sorted(listed) == sorted({action["args"][0]["value"] for action in ardennes.legal if action["args"]})
    page.locator(".unmoved [data-formation='12VG']").click()
    page.wait_for_function(f"() => {TABLE}.group.size === 4")
    assert page.evaluate(f"[...{TABLE}.group.units].some((unit) => {TABLE}.board.sees({TABLE}.sight.placeOf(unit)))")
    assert ardennes.ply == 0
