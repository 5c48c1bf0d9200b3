"""The computer's moves played back at a readable pace with its reasons."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from web.browsing import Server, quick_context
from web.table import Table

pytestmark = pytest.mark.browser


def test_bot_moves_are_played_back_one_by_one_and_can_be_skipped_and_repeated(browser: Browser, server: Server) -> None:
    context = quick_context(browser)
    page = context.new_page()
    page.add_init_script(
        "localStorage.setItem('salient', JSON.stringify({ lang: 'en', pace: 1.8, confirmEnd: false }))"
    )
    table = Table.start(page, server.url, seats={"allied": "bot:greedy", "german": "human"})
    page.wait_for_function("() => document.querySelector('salient-table').game.snapshot.yours")
    page.keyboard.press("Escape")
    while not any(entry["action"].startswith("land") for entry in table.state("entries")):
        page.wait_for_function("() => document.querySelector('salient-table').game.choosing")
        page.locator(".action[data-action=pass], .action[data-action=done]").first.click()
        page.wait_for_function("() => document.querySelector('salient-table').game.playing")
    expect(page.locator("action-panel .question")).not_to_be_empty()
    page.keyboard.press("Escape")
    page.wait_for_function("() => !document.querySelector('salient-table').game.playing")
    page.locator("[data-tab=log]").click()
    page.locator(".entry:not([hidden]) .reasons summary").last.click()
    expect(page.locator(".reasons li").first).to_be_visible()
    page.keyboard.press("r")
    expect(page.locator(".prompt.back")).to_be_visible()
    context.close()
    assert not table.failures


def test_two_bots_can_be_watched_and_paused(page: Page, server: Server) -> None:
    seats = {"allied": "bot:random", "german": "bot:random"}
    table = Table.start(page, server.url, seats=seats, pace=0.5)
    table.wait_for_ply(3)
    page.locator("action-panel").get_by_role("button", name="Pause").click()
    page.wait_for_function("() => document.querySelector('salient-table').game.snapshot.paused")
