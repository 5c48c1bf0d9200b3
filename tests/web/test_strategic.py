"""From afar: formations in place of single counters, the line between the sides, and the way back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from web.browsing import Server
from web.table import TABLE, Table

LETTERS = """() => [...document.querySelectorAll('.formation text')]
    .map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"""
COUNTED = """() => [...document.querySelectorAll('.formation .values')]
    .reduce((sum, text) => sum + Number(text.textContent.slice(1)), 0)"""
OVERLAPS = """() => {
    const boxes = [...document.querySelectorAll('.formation')].map((card) => card.getBoundingClientRect());
    const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > a.width / 2
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > a.height / 2;
    return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => over(a, b))).length;
}"""


@pytest.mark.parametrize("game_id", ["ardennes44", "deadly-woods"])
def test_the_whole_map_shows_formations_and_fronts(page: Page, server: Server, game_id: str) -> None:
    """Every unit is in one legible counter, none hides another, and a click goes near again (T-5)."""
    table = Table.start(page, server.url, game=game_id, options={})
    page.locator("[data-tool=fit]").click()
    expect(page.locator(".formation").first).to_be_visible()
    expect(page.locator(".counter:visible")).to_have_count(0)
    page.wait_for_function(f"() => Math.min(...({LETTERS})()) >= 9")  # once the map lies still
    on_map = f"() => {TABLE}.board.pieces.pieces.size"
    assert page.evaluate(COUNTED) == page.evaluate(on_map)
    assert page.evaluate(OVERLAPS) == 0
    assert page.locator(".front .core").get_attribute("d")
    page.locator(".formation").first.click()
    expect(page.locator(".counter:visible").first).to_be_visible()
    expect(page.locator(".formation")).to_have_count(0)
    assert table.ply == 0
    assert not table.failures
