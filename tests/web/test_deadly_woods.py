"""The Deadly Woods in a real browser: the opening of the attack scenario by mouse."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from web.browsing import Server
from web.table import Table, api, record_until

pytestmark = pytest.mark.browser

DECISIONS = 24
LIVELY = ["resolve", "attack", "join", "advance", "lose", "retreat", "select", "move", "arrive", "formation", "play"]


@pytest.fixture
def woods(page: Page, server: Server) -> Table:
    """The attack scenario for two at one screen."""
    return Table.start(page, server.url, game="deadly-woods", scenario="attack", options={})


def first(table: Table, verb: str) -> dict[str, Any]:
    """The first legal action with a verb."""
    return next(action for action in table.legal if action["verb"] == verb)


def test_an_attack_with_an_asset(woods: Table) -> None:
    """Target, attackers and a gun are clicked; cup, rounds, assets and turn track lie beside the map."""
    page = woods.page
    for panel in ("cup", "round-track", "german-assets", "allied-assets", "turn-track"):
        expect(page.locator(f"[data-panel='{panel}']")).to_be_visible()
    expect(page.locator(".edge-cut")).not_to_have_count(0)
    woods.play_by_mouse(first(woods, "attack"))
    while any(action["verb"] == "join" for action in woods.legal):
        woods.play_by_mouse(first(woods, "join"))
    expect(page.locator("odds-panel")).to_be_visible()
    if any(action["verb"] == "resolve" for action in woods.legal):
        woods.play_by_mouse(first(woods, "resolve"))
    gun = first(woods, "support")["args"][0]["value"]
    before = woods.ply
    page.locator(f"button[data-thing='{gun}']").click()
    if woods.ply == before and woods.state("choosing"):
        page.locator(f".action[data-action='support {gun}']").click()
    woods.wait_after(before)
    assert not woods.failures


@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_a_bridge_is_picked_on_the_map(page: Page, server: Server, way: str) -> None:
    """Its hexside is lit; a click on it, or N and Enter, blows it."""
    record = record_until("deadly-woods", "blow", "demolish")
    table = Table(page, server.url)
    table.open(api(server.url, "games/import", {"record": record})["id"])
    action = next(action for action in table.legal if action["verb"] in ("blow", "demolish"))
    bridge = action["args"][-1]["value"]
    mark = page.locator(f".marks .legal.hexside[data-place='{bridge}']")
    expect(mark).to_have_count(1)
    before = table.ply
    if way == "mouse":
        table.click_place(bridge)
    else:
        for _ in range(40):
            page.keyboard.press("n")
            if page.locator(f".marks .cursor[data-place='{bridge}']").count():
                break
        page.keyboard.press("Enter")
    table.wait_after(before)
    assert bridge in table.state("entries")[before]["action"]
    assert not table.failures


def chosen(legal: list[dict[str, Any]], ply: int) -> dict[str, Any]:
    """Every kind of action in turn, with a pass now and then."""
    by_verb: dict[str, dict[str, Any]] = {}
    for action in legal:
        by_verb.setdefault(action["verb"], action)
    order = ["pass", *LIVELY] if ply % 7 == 6 else [*LIVELY, "pass"]
    return next((by_verb[verb] for verb in order if verb in by_verb), legal[-1])


def test_the_opening_by_mouse(woods: Table) -> None:
    """A series of real decisions, each by clicking counters, hexes and buttons."""
    verbs = set()
    for _ in range(DECISIONS):
        action = chosen(woods.legal, woods.ply)
        verbs.add(action["verb"])
        woods.play_by_mouse(action)
    assert {"attack", "join", "resolve", "pass"} <= verbs
    assert woods.page.locator("game-log .entry").count() >= DECISIONS
    assert not woods.failures
