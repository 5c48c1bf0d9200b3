"""Whole games of Target Arnhem in a real browser: by mouse, by keyboard alone, by touch."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from web.browsing import Server, quick_context
from web.table import TABLE, Table

pytestmark = pytest.mark.browser

LIVELY_UNTIL = 30
LIVELY_TURN = 12
LONGEST = 600


def chosen(legal: list[dict[str, Any]], ply: int) -> dict[str, Any]:
    """A lively beginning with every kind of action, then the quickest way to the end."""
    by_verb: dict[str, dict[str, Any]] = {}
    for action in legal:
        by_verb.setdefault(action["verb"], action)
    order = ["resolve", "attack", "land", "move", "arrive", "join", "recover", "advance", "done", "pass"]
    if ply > LIVELY_UNTIL:
        order = ["pass", "done", "resolve"]
    elif ply % 3 == 2:
        order.remove("attack")
    for verb in order:
        if verb in by_verb:
            return by_verb[verb]
    return legal[ply % len(legal)]


def test_a_whole_game_by_mouse(table: Table) -> None:
    """Every decision is taken by clicking counters, hexes and buttons, to the last turn."""
    verbs = set()
    for _ in range(LONGEST):
        if table.state("over"):
            break
        action = chosen(table.legal, table.ply)
        verbs.add(action["verb"])
        table.play_by_mouse(action)
    assert table.state("over")
    assert {"land", "move", "attack", "pass"} <= verbs
    assert table.page.locator(".verdict").is_visible()
    assert not table.failures


def test_a_whole_game_by_keyboard_alone(table: Table) -> None:
    """N, Enter and the number keys are enough; the mouse is never used."""
    for _ in range(LONGEST):
        if table.state("over"):
            break
        before = table.ply
        plain = [action for action in table.legal if not action["args"] and action["verb"] != "cancel"]
        if plain and (before > LIVELY_UNTIL or len(table.legal) < 4):
            press_button_of(table, plain[0]["text"])
        else:
            pick_by_keys(table)
        table.wait_after(before)
    assert table.state("over")
    assert not table.failures


@pytest.mark.parametrize("game_id", ["bulge", "deadly-woods", "ardennes44"])
def test_a_whole_turn_by_keyboard_alone(page: Page, server: Server, game_id: str) -> None:
    """Both sides' first turn of the other games: something of every kind at first, then the endings."""
    table = Table.start(page, server.url, game=game_id, options={})
    while table.state("shown.turn") == 1:
        before = table.ply
        plain = [action for action in table.legal if not action["args"] and action["verb"] != "cancel"]
        if plain and (before > LIVELY_TURN or len(table.legal) < 4):
            press_button_of(table, plain[0]["text"])
        else:
            pick_by_keys(table)
        table.wait_after(before)
    assert not table.failures


def press_button_of(table: Table, text: str) -> None:
    """The number shown on the button."""
    key = table.page.locator(f".actions [data-action='{text}'] kbd").inner_text()
    table.page.keyboard.press(key)


def pick_by_keys(table: Table) -> None:
    """Go to the next thing that can be chosen and pick it, until an action is complete."""
    before = table.ply
    for _ in range(4):
        table.page.keyboard.press("n")
        table.page.keyboard.press("Enter")
        table.page.wait_for_timeout(60)
        if table.page.evaluate(f"{TABLE}.game.snapshot.ply > {before} || {TABLE}.game.busy"):  # both at one moment
            return
    button = table.page.locator(".actions [data-action] kbd").first
    table.page.keyboard.press(button.inner_text())


def test_touch_opens_a_stack_moves_a_unit_and_pinches(browser: Browser, server: Server) -> None:
    """On a tablet: a tap opens the stack, a tap picks a counter, a tap on a hex plays, two fingers zoom."""
    context = quick_context(browser, has_touch=True, is_mobile=True)
    table = Table.start(context.new_page(), server.url)
    while not any(action["verb"] == "move" for action in table.legal):
        tap_action(table, chosen(table.legal, table.ply))
    movable = {action["args"][0]["value"]: action for action in table.legal if action["verb"] == "move"}
    place, unit = next(
        (place, unit) for place, units in stacks(table).items() for unit in units if len(units) > 1 and unit in movable
    )
    table.page.touchscreen.tap(*table.point_of(place))
    table.page.wait_for_selector(f".counter.fanned[data-unit='{unit}']")
    table.page.wait_for_timeout(400)
    table.page.locator(f".counter.fanned[data-unit='{unit}']").tap()
    before = table.ply
    table.page.touchscreen.tap(*table.point_of(movable[unit]["args"][-1]["value"]))
    table.wait_after(before)
    scale = table.page.evaluate("document.querySelector('salient-table').board.camera.scale")
    pinch(table, 80, 200)
    assert table.page.evaluate("document.querySelector('salient-table').board.camera.scale") > scale * 1.5
    context.close()
    assert not table.failures


def pinch(table: Table, near: float, far: float) -> None:
    """Move two fingers apart over the middle of the map."""
    devtools = table.page.context.new_cdp_session(table.page)

    def touch(kind: str, gap: float) -> None:
        fingers = [{"x": 450 - gap / 2, "y": 400, "id": 1}, {"x": 450 + gap / 2, "y": 400, "id": 2}]
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [] if kind == "touchEnd" else fingers})

    touch("touchStart", near)
    for step in range(1, 9):
        touch("touchMove", near + (far - near) * step / 8)
    touch("touchEnd", far)


def stacks(table: Table) -> dict[str, list[str]]:
    """Places with the units in them."""
    return dict(table.page.evaluate("[...document.querySelector('salient-table').board.pieces.stacks]"))


def tap_action(table: Table, action: dict[str, Any]) -> None:
    """Play an action from the list of all actions, with a finger."""
    before = table.ply
    button = table.page.locator(f".action[data-action='{action['text']}']").first
    if button.count() == 0:
        if table.page.locator("details.all[open]").count() == 0:
            table.page.locator("details.all > summary").tap()
        button = table.page.locator(f".listed[data-action='{action['text']}']")
    table.page.wait_for_timeout(600)  # two quick taps on one spot are a double click
    button.tap()
    table.wait_after(before)
