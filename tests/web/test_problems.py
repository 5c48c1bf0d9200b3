"""The laboratory in the client: a problem is chosen, answered and told; openings stand beside a position."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from salient.lab.puzzles import puzzles
from salient.lab.trial import Task, play
from web.browsing import Server
from web.table import Table, api

pytestmark = pytest.mark.browser


def test_a_problem_is_chosen_answered_and_told(page: Page, server: Server) -> None:
    """From the lobby to the problems; a wrong answer, then the right one, with what each choice achieves."""
    problem = puzzles("target-arnhem")[0]
    page.goto(server.url)
    page.locator("[data-puzzles]").click()
    page.locator(f"[data-puzzle={problem.name}]").click()
    page.wait_for_url(f"**/#puzzle/{problem.name}")
    expect(page.locator(f"[data-puzzle={problem.name}]")).to_have_attribute("aria-current", "")
    page.wait_for_function("() => document.querySelector('.puzzle-board')?.naturalWidth > 100")
    offered = [each.get_attribute("data-answer") for each in page.locator("[data-answer]").all()]
    wrong = next(text for text in offered if text not in problem.best)
    page.locator(f'[data-answer="{wrong}"]').click()
    expect(page.locator(".puzzle-verdict")).to_have_text("There is something better.")
    expect(page.locator(".puzzle-told.best")).to_have_count(len(problem.best))
    page.reload()
    page.locator(f'[data-answer="{problem.best[0]}"]').click()
    expect(page.locator(".puzzle-verdict")).to_have_text("Right: nothing is better.")


def test_openings_stand_beside_a_position(page: Page, server: Server) -> None:
    """A finished game is imported; a new one with the same start shows what was tried there, and who won."""
    players = (("allied", "random"), ("german", "random"))
    row = play(Task(0, 0, "target-arnhem", "historical", (("supply-zones", "historical"),), players, "1", luck=False))
    api(server.url, "games/import", {"record": row["record"]})
    Table.start(page, server.url)
    page.locator("[data-tab=charts]").click()
    expect(page.locator("table.openings tbody tr").first).to_contain_text("100 %")
    assert row["winner"] in ("allied", "german")
