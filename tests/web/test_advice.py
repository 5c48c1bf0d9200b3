"""What would you do? The computer's plans for the present decision, and the whole turn with the adviser beside you."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from web.browsing import Server
from web.table import TABLE, Table, api

pytestmark = pytest.mark.browser

PATIENT = 120_000  # plans are tried for some seconds
LESSONS = ("target-arnhem", "bulge", "deadly-woods", "ardennes44")


def test_a_plan_has_arrows_reasons_and_is_carried_out(table: Table) -> None:
    """W asks; a plan says what it does and why, is drawn on the map, and one press carries it out (T-61)."""
    page = table.page
    before = table.ply
    page.keyboard.press("w")
    do = page.locator("plan-advice [data-advice=do]").first
    do.wait_for(timeout=PATIENT)
    expect(page.locator("plan-advice .told").first).to_be_visible()
    plan = page.evaluate(f"{TABLE}.considering.action")
    assert plan == "advice"
    do.click()
    table.wait_after(before)
    expect(page.locator("plan-advice")).to_be_hidden()
    assert not table.failures


def test_an_answer_that_comes_too_late_is_not_shown(table: Table) -> None:
    """Somebody who plays on meanwhile is not advised about the past."""
    page = table.page
    page.evaluate("""() => {
        const { fetch } = window;
        window.fetch = async (url, ...rest) => {
            const answer = await fetch(url, ...rest);
            if (String(url).includes("/advice")) await new Promise((done) => (window.answerNow = done));
            return answer;
        };
    }""")
    page.keyboard.press("w")
    page.wait_for_function("() => window.answerNow", timeout=PATIENT)
    before = table.ply
    table.play_by_mouse(table.legal[0])
    table.wait_after(before)
    page.evaluate("window.answerNow()")
    page.wait_for_timeout(300)
    expect(page.locator("plan-advice")).to_be_hidden()


def test_thinking_can_be_stopped_and_the_log_says_that_somebody_asked(table: Table) -> None:
    page = table.page
    page.keyboard.press("w")
    page.locator("plan-advice [data-advice=stop]").click(timeout=PATIENT)
    expect(page.locator("plan-advice")).to_be_hidden()
    before = table.ply
    table.play_by_mouse(table.legal[0])
    table.wait_after(before)
    expect(page.locator("game-log .hint")).to_have_count(1)
    assert not table.failures


@pytest.mark.parametrize("game_id", LESSONS)
def test_after_the_lesson_a_whole_turn_with_the_adviser(page: Page, server: Server, game_id: str) -> None:
    """The game begins anew on the lesson's side against the computer; the card says whose decision it is (T-59)."""
    page.goto(f"{server.url}/")
    script = """async (game) => {
        const { beginAdvised } = await import("/advised.js");
        const script = await (await fetch(`/lessons/${game}.json`)).json();
        location.hash = await beginAdvised(script, "bot:random");
        return script.side;
    }"""
    side = page.evaluate(script, game_id)
    page.wait_for_selector(".advised h2")
    page.wait_for_function(f"() => {TABLE}?.game?.choosing", timeout=PATIENT)
    expect(page.locator(".advised p")).to_contain_text("The decision is yours.")
    seats = page.evaluate(f"{TABLE}.game.snapshot.seats")
    assert {row["seat"] for row in seats if row["mine"]} == {side}
    expect(page.locator("plan-advice")).to_be_visible()
    game = page.evaluate(f"{TABLE}.game.id")
    assert api(server.url, f"games/{game}")["view"]["turn"] == 1
