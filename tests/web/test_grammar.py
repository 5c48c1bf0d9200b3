"""One grammar of input: a click selects and commits nothing; drag and drop, boxes, stacks, waypoints, attacks."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from web.browsing import Server
from web.table import TABLE, Table, api, record_until

pytestmark = pytest.mark.browser

ALONE = f"""() => {{
    const {{ board, choice, game }} = {TABLE};
    const alone = ([place, ids]) => ids.length === 1 && choice.units().has(ids[0]) && board.sees(place);
    return [...board.pieces.stacks].filter(alone).map(([place, [unit]]) => ({{ place, unit }}))[0];
}}"""
STACKED = f"""() => {{
    const {{ board, choice }} = {TABLE};
    const able = ([place, ids]) => board.sees(place) && ids.length > 1 && ids.every((id) => choice.units().has(id));
    return [...board.pieces.stacks].filter(able).map(([place, ids]) => ({{ place, ids }}))[0];
}}"""
PLANNED = f"() => {TABLE}.plans.known.size > 0"


@pytest.fixture
def ardennes(page: Page, server: Server) -> Table:
    """The German movement of 16 December."""
    return Table.start(page, server.url, game="ardennes44", scenario="six-turns", options={})


def combat(table: Table) -> None:
    """End the movement: the combat phase with its plans."""
    table.play_by_mouse(next(action for action in table.legal if action["text"] == "pass"))
    table.page.wait_for_function(PLANNED)


def selected(table: Table) -> list[str]:
    return list(table.page.evaluate(f"{TABLE}.input.selected()"))


def test_a_counter_dropped_on_a_lit_hex_moves_there(ardennes: Table) -> None:
    """The unit goes where it is put; the map stays where it is (T-18)."""
    page = ardennes.page
    found = page.evaluate(ALONE)
    camera = page.evaluate(f"[{TABLE}.board.camera.x, {TABLE}.board.camera.y]")
    x, y = ardennes.centre_of(found["unit"], found["place"])
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 12, y + 3, steps=3)
    expect(page.locator(".carried")).to_be_visible()
    page.wait_for_function(f"() => {TABLE}.game.choosing && {TABLE}.choice.places().size > 0")
    goal = page.evaluate(
        f"(here) => [...{TABLE}.choice.places()].find((p) => p !== here && {TABLE}.board.sees(p))", found["place"]
    )
    page.mouse.move(*ardennes.point_of(goal), steps=4)
    page.mouse.up()
    ardennes.wait_for_ply(2)
    assert ardennes.state(f"shown.units['{found['unit']}'].where") == goal
    assert page.evaluate(f"[{TABLE}.board.camera.x, {TABLE}.board.camera.y]") == camera
    expect(page.locator(".carried")).to_have_count(0)


@pytest.mark.parametrize("button", ["right", "left"])
def test_a_box_selects_the_units_inside(ardennes: Table, button: str) -> None:
    """Right-drag, or Ctrl and drag."""
    page = ardennes.page
    box = page.locator(".viewport").bounding_box()
    assert box
    if button == "left":
        page.keyboard.down("Control")
    page.mouse.move(box["x"] + 80, box["y"] + 80)
    page.mouse.down(button=button)  # type: ignore[arg-type]
    page.mouse.move(box["x"] + 600, box["y"] + 500, steps=4)
    expect(page.locator(".select-box")).to_be_visible()
    page.mouse.up(button=button)  # type: ignore[arg-type]
    page.keyboard.up("Control")
    assert len(selected(ardennes)) > 3
    assert ardennes.ply == 0


def test_the_number_of_a_stack_takes_the_whole_stack(ardennes: Table) -> None:
    found = ardennes.page.evaluate(STACKED)
    ardennes.point_of(found["place"])
    ardennes.wait_until_counters_lie_still()
    top = ardennes.page.locator(f".counter[data-unit='{found['ids'][-1]}']").bounding_box()
    assert top
    ardennes.page.mouse.click(top["x"] + top["width"] * 0.92, top["y"] + top["height"] * 0.92)
    assert set(selected(ardennes)) == set(found["ids"])
    assert ardennes.ply == 0


def test_shift_and_a_click_on_a_hex_sets_a_waypoint(ardennes: Table) -> None:
    page = ardennes.page
    found = page.evaluate(ALONE)
    ardennes.click_unit(found["unit"])
    ardennes.wait_for_ply(1)
    via = next(a for a in ardennes.legal if a["verb"] == "via" and not ardennes_units(ardennes, a["args"][1]["value"]))
    point = ardennes.point_of(via["args"][1]["value"])
    page.keyboard.down("Shift")
    page.mouse.click(*point)
    page.keyboard.up("Shift")
    ardennes.wait_for_ply(2)
    assert ardennes.state("entries[1].action") == via["text"]


def ardennes_units(table: Table, place: str) -> Any:
    return table.page.evaluate(f"(place) => {TABLE}.board.pieces.stacks.get(place)", place)


def test_a_click_on_an_attacker_selects_it_and_never_commits(ardennes: Table) -> None:
    """A unit that could also disengage is selected, its targets are lit, nothing is played (T-29)."""
    combat(ardennes)
    before = ardennes.ply
    disengaging = {action["args"][0]["value"] for action in ardennes.legal if action["verb"] == "disengage"}
    unit = next(iter(disengaging & set(ardennes.page.evaluate(f"[...{TABLE}.plans.units()]"))))
    ardennes.click_unit(unit)
    assert unit in selected(ardennes)
    expect(ardennes.page.locator(".marks .legal.hostile").first).to_be_attached()
    assert ardennes.ply == before


def test_an_attack_in_three_clicks(ardennes: Table) -> None:
    """Units and gun are boxed, the target is clicked, and clicked again: the die falls."""
    combat(ardennes)
    page, before = ardennes.page, ardennes.ply
    plan = page.evaluate(
        f"""() => {{
            const strong = ([, plan]) => plan.odds.support?.units.length && plan.units.size > 2;
            const found = [...{TABLE}.plans.known].find(strong);
            return {{ target: found[0], units: [...found[1].units] }};
        }}"""
    )
    page.evaluate(f"(units) => {TABLE}.group.replace(units)", plan["units"])
    point = ardennes.point_of(plan["target"])
    page.mouse.click(*point)
    page.wait_for_function(f"(before) => {TABLE}.game.snapshot.ply > before && {TABLE}.game.choosing", arg=before)
    actions = [entry["action"].split()[0] for entry in ardennes.state("entries")[before:]]
    assert actions[0] == "attack"
    assert {"join", "support"} <= set(actions)
    assert "roll" not in actions
    expect(page.locator("odds-panel")).to_contain_text("%")
    page.mouse.click(*ardennes.point_of(plan["target"]))
    page.wait_for_function(f"(before) => {TABLE}.game.entries.slice(before).some((entry) => entry.roll)", arg=before)
    assert not ardennes.failures


def test_a_picked_unit_shows_its_moves_and_its_targets(page: Page, server: Server) -> None:
    """Moves white, targets with crosshairs; a click on the target begins the attack with the unit (T-10)."""
    made = api(server.url, "games/import", {"record": record_until("target-arnhem", "attack"), "name": "attack"})
    table = Table(page, server.url)
    table.open(made["id"])
    page.wait_for_function(PLANNED)
    moving = {action["args"][0]["value"] for action in table.legal if action["verb"] == "move"}
    plans = page.evaluate(f"[...{TABLE}.plans.known].map(([target, plan]) => [target, [...plan.units]])")
    target, unit = next((target, unit) for target, units in plans for unit in units if unit in moving)
    table.click_unit(unit)
    assert page.locator(f".marks .legal.hostile[data-place='{target}']").count()
    assert page.locator(".marks .legal:not(.hostile)").count()
    before = table.ply
    table.page.mouse.click(*table.point_of(target))
    table.wait_for_ply(before + 2)
    assert [entry["action"] for entry in table.state("entries")[before:]] == [f"attack {target}", f"join {unit}"]


def test_a_unit_in_hand_digs_in_by_one_button(ardennes: Table) -> None:
    """One click takes an infantry regiment up; what else it could do is still on offer (T-13)."""
    digging = {action["args"][0]["value"] for action in ardennes.legal if action["verb"] == "dig"}
    unit = sorted(digging)[0]
    ardennes.click_unit(unit)
    ardennes.wait_for_ply(1)
    assert ardennes.page.evaluate(f"{TABLE}.choice.pinnedUnits()") == [unit]
    ardennes.page.locator(f"[data-action='dig {unit}']").click()
    ardennes.page.wait_for_function(f"() => {TABLE}.game.entries.some(({{ action }}) => action.startsWith('dig'))")


def test_escape_and_the_second_click_let_a_unit_go(page: Page, server: Server) -> None:
    """A unit in hand is put down again, another one is taken up instead, and nobody forfeits a move (T-11)."""
    table = Table.start(page, server.url, game="ardennes44", scenario="six-turns", options={})
    first, second = [action["args"][0]["value"] for action in table.legal if action["verb"] == "select"][:2]
    table.click_unit(first)
    table.wait_for_ply(1)
    table.click_unit(second)
    page.wait_for_function(f"(unit) => {TABLE}.game.choosing && {TABLE}.choice.given[0]?.value === unit", arg=second)
    moves = {action["args"][0]["value"] for action in table.legal if action["verb"] in ("move", "select")}
    assert {first, second} <= moves
    page.keyboard.press("Escape")
    page.wait_for_function(f"() => !{TABLE}.choice.given.length")
    selectable = {action["args"][0]["value"] for action in table.legal if action["verb"] == "select"}
    assert {first, second} <= selectable


def test_escape_takes_back_an_attack_that_was_only_begun(page: Page, server: Server) -> None:
    """A click on a target and a unit that joins are no commitment: Esc leaves, and all is on offer again (T-10)."""
    table = Table.start(page, server.url, game="deadly-woods", options={})
    offered = {action["text"] for action in table.legal}
    table.click_place("3710")
    table.wait_for_ply(1)
    table.click_unit("1SS/Peiper")
    table.wait_for_ply(2)
    page.keyboard.press("Escape")
    page.wait_for_function(f"() => {TABLE}.game.choosing && !{TABLE}.choice.cancel()")
    assert {action["text"] for action in table.legal} == offered


def test_bare_ground_lets_a_unit_go_and_says_why(ardennes: Table) -> None:
    """A click on ground that it cannot reach puts the unit down, with the reason; it forfeits nothing (T-11)."""
    page = ardennes.page
    unit = page.evaluate(ALONE)["unit"]
    ardennes.click_unit(unit)
    ardennes.wait_for_ply(1)
    bare = page.evaluate(
        f"""() => {{
            const {{ board, choice }} = {TABLE};
            const free = (place) => board.sees(place) && !board.pieces.stacks.has(place) && !choice.places().has(place);
            return [...board.geometry.centres.keys()].find(free);
        }}"""
    )
    page.mouse.click(*ardennes.ground_of(bare))
    page.wait_for_function(f"() => !{TABLE}.input.selected().length && {TABLE}.game.choosing")
    expect(page.locator(".note.why")).to_contain_text("Why not?")
    assert unit in {action["args"][0]["value"] for action in ardennes.legal if action["verb"] == "select"}


def test_units_that_could_attack_are_moved_together_all_the_same(page: Page, server: Server) -> None:
    """In an impulse of Target Arnhem units move or attack; a division is landed by two clicks all the same (T-13)."""
    table = Table.start(page, server.url)
    for text in ("zone 82abn 1104", "done", "done"):
        ply = table.ply
        page.evaluate(f"(text) => {{ {TABLE}.command(text) }}", text)
        table.wait_after(ply)
    page.wait_for_function(PLANNED)
    before = table.ply
    page.locator(".tray-unit[data-unit='1Para']").click()
    page.keyboard.press("g")
    assert set(selected(table)) == {"1Para", "1Airl"}
    assert page.locator(".marks .legal.go").count() > 5
    for _ in range(2):
        page.mouse.click(*table.ground_of("1403"))
        page.wait_for_function(f"() => !{TABLE}.game.busy && ({TABLE}.group.plan || !{TABLE}.group.size)")
    table.wait_for_ply(before + 2)
    assert {table.state(f"shown.units['{unit}'].where") for unit in ("1Para", "1Airl")} == {"1403"}
