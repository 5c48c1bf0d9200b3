"""The language changed in the middle of things: nothing of the old one stays on the screen."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from web.browsing import Server, quick_context
from web.table import Table, api, record_until

# Words of English sentences that are no words of Italian, French or German sentences.
ENGLISH = re.compile(
    r"\b(the|or|of|and|to|with|from|choose|turn|units?|hex(es)?|attack|allies|germans)\b", re.IGNORECASE
)
KEPT = re.compile(r"Salient|target-arnhem|move 5Gds 0203|English")  # what is the same in every language

SEEN = """() => {
    const texts = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const { parentElement, textContent } = walker.currentNode;
        if (textContent.trim() && !parentElement.closest("script, style, noscript, option")) texts.push(textContent);
    }
    for (const element of document.querySelectorAll("[title], [aria-label], [placeholder]")) {
        texts.push(...["title", "aria-label", "placeholder"].map((name) => element.getAttribute(name)).filter(Boolean));
    }
    return texts;
}"""


@pytest.fixture
def table(browser: Browser, server: Server) -> Iterator[Table]:
    """A game in English, before an attack of a random game."""
    context = quick_context(browser)
    table = Table(context.new_page(), server.url)
    made = api(server.url, "games/import", {"record": record_until("target-arnhem", "attack"), "name": "1944"})
    table.open(made["id"])
    yield table
    assert table.failures == []
    context.close()


def switch(page: Page, lang: str) -> None:
    """Choose a language in the settings."""
    page.locator("header.top button").first.click()
    page.locator("dialog [data-menu=settings]").click()
    page.locator("dialog.preferences select[name='settings.language']").select_option(lang)
    expect(page.locator("html")).to_have_attribute("lang", lang)
    page.keyboard.press("Escape")
    expect(page.locator("dialog.preferences")).to_have_count(0)


def left_behind(page: Page) -> list[str]:
    """The texts and labels of the page that are still English, once the new words have come."""
    found: list[str] = []
    for _ in range(20):
        page.wait_for_timeout(300)
        found = [text for text in page.evaluate(SEEN) if ENGLISH.search(KEPT.sub("", text))]
        if not found:
            break
    return found


def test_in_the_middle_of_a_decision(table: Table) -> None:
    assert left_behind(table.page)
    for lang in ("it", "fr", "de"):
        switch(table.page, lang)
        assert left_behind(table.page) == [], lang


def test_in_the_middle_of_a_combat(table: Table) -> None:
    """Target and attackers are named, the odds are open."""
    attack = next(action for action in table.legal if action["verb"] == "attack")
    table.play_by_mouse(attack)
    table.page.mouse.move(*table.point_of(attack["args"][0]["value"]))
    expect(table.page.locator("action-panel .prompt")).to_be_visible()
    switch(table.page, "de")
    assert left_behind(table.page) == []
    prompt = table.page.locator("action-panel .prompt").inner_text()
    assert "Angriff" in prompt


def test_in_the_middle_of_a_replay(table: Table) -> None:
    for _ in range(3):
        table.page.keyboard.press(",")
    expect(table.page.locator("salient-table.looking-back")).to_be_visible()
    back = table.state("back")
    switch(table.page, "it")
    assert table.state("back") == back
    assert left_behind(table.page) == []


def test_what_ends_a_decision_is_said_in_the_new_language(page: Page, server: Server) -> None:
    """The button below an Italian question stayed English until the next decision (T-94)."""
    Table.start(page, server.url, game="ardennes44", options={})
    ending = page.locator(".foot [data-action=pass]")
    expect(ending).to_contain_text("End the movement")
    page.evaluate("() => import('/i18n.js').then((words) => words.chooseLanguage('it'))")
    expect(page.locator("action-panel .question")).to_contain_text("Prendi")
    expect(ending).to_contain_text("84 unità non hanno mosso", timeout=10_000)
