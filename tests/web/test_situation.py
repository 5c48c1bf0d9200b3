"""The situation: what the game is about, who is ahead, what just happened, and places to jump to (T-56)."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from salient import load
from web.browsing import Server
from web.table import TABLE, Table, api

RECORDS = Path(__file__).parents[1] / "records"
PATIENT = 300_000  # an analysis looks at every decision


def open_record(page: Page, server: Server, name: str) -> Table:
    """A finished game of the records, with the situation in sight."""
    table = Table(page, server.url)
    record = RECORDS / f"{name}-{load(name).rules_version}.salient"
    table.open(api(server.url, "games/import", {"record": record.read_text()})["id"])
    page.get_by_role("tab", name="Situation").click()
    return table


def test_the_goals_of_target_arnhem_and_their_state_are_in_sight(table: Table) -> None:
    """At the start no Allied unit is in Arnhem and six hexes of the red road are held."""
    table.page.get_by_role("tab", name="Situation").click()
    goals = table.page.locator(".goal")
    expect(goals.first).to_contain_text("1504 Arnhem")
    expect(goals.nth(1)).to_contain_text("6 hexes are held now")
    expect(table.page.locator(".goal.open")).to_have_count(2)


def test_a_goal_leads_to_its_place(table: Table) -> None:
    table.page.get_by_role("tab", name="Situation").click()
    table.page.evaluate(f"() => {TABLE}.board.goTo('0103')")
    assert not table.page.evaluate(f"() => {TABLE}.board.sees('1504')")
    table.page.locator(".goal button.small").first.click()
    expect(table.page.locator(".spots .spot")).to_have_count(1)
    assert table.page.evaluate(f"() => {TABLE}.board.sees('1504')")


@pytest.mark.parametrize("name", ["target-arnhem", "bulge"])
def test_the_curve_news_and_forces_of_a_played_game(page: Page, server: Server, name: str) -> None:
    """A press on the curve looks back; the news have sentences; both sides' forces are counted."""
    table = open_record(page, server, name)
    expect(page.locator(".curve-line")).to_be_visible()
    expect(page.locator(".news li").first).to_contain_text(" ")
    expect(page.locator("[data-part=forces] thead th")).to_have_count(2)
    page.locator(".curve-picture svg").click(position={"x": 20, "y": 4})
    page.wait_for_function(f"() => {TABLE}.game.back !== null")
    expect(page.locator(".curve-now")).to_have_count(1)
    assert table.failures == []


def test_points_of_the_bulge_are_told_with_what_is_needed(page: Page, server: Server) -> None:
    """Now, and of how many: as the server counts them."""
    table = open_record(page, server, "bulge")
    now = api(server.url, f"games/{table.game}/situation")["score"]["now"]
    expect(page.locator(".standing-score b")).to_have_text(f"{now} / 24")
    expect(page.locator(".prize.side-axis").first).to_be_visible()


# ---- the end (T-57) ---------------------------------------------------------------------------------------


def test_the_end_tells_why_and_lights_it_on_the_map(page: Page, server: Server) -> None:
    """No Allied unit is in Arnhem: the sentence, a ring on Arnhem, luck of both sides, three moments at most."""
    open_record(page, server, "target-arnhem")
    expect(page.locator(".verdict")).to_have_text("Victory: Germans")
    expect(page.locator(".spots .spot")).not_to_have_count(0)
    page.wait_for_function(f"() => {TABLE}.board.sees('1504')")
    expect(page.locator(".luck li")).to_have_count(2)
    assert 1 <= page.locator(".moments li").count() <= 3


def test_a_moment_looks_back(page: Page, server: Server) -> None:
    open_record(page, server, "target-arnhem")
    page.locator(".moments .listed").first.click()
    page.wait_for_function(f"() => {TABLE}.game.back !== null")


def test_a_rematch_with_the_sides_exchanged(page: Page, server: Server) -> None:
    """The same game begins anew; swapped, the computer has the other side."""
    table = open_record(page, server, "target-arnhem")
    page.evaluate(f"() => {{ {TABLE}.game.snapshot.seats[1].player = 'bot:greedy' }}")
    page.locator("[data-end=swap]").click()
    page.wait_for_function(f"(old) => {TABLE}?.game?.snapshot && {TABLE}.game.id !== old", arg=table.game)
    assert [seat["player"] for seat in table.state("snapshot.seats")] == ["bot:greedy", "human"]
    assert table.state("snapshot.result") is None


# ---- charts, calendar, log (T-43, T-44, T-52) ---------------------------------------------------------------


def test_the_combat_table_is_at_hand_and_its_present_column_marked(table: Table) -> None:
    """The odds of an attack are in sight: the column that they name is marked in the table."""
    page = table.page
    for text in ("zone 82abn 1104", "done", "done"):
        move = next(action["text"] for action in table.legal if action["text"].startswith(text))
        ply = table.ply
        page.evaluate(f"(text) => {TABLE}.game.play(text)", move)
        table.wait_after(ply)
    ply = table.ply
    page.evaluate(f"() => {TABLE}.game.play('attack 0203')")
    table.wait_after(ply)
    expect(page.locator("odds-panel .column strong")).to_be_visible()
    page.locator("[data-tab=charts]").click()
    column = page.locator("odds-panel .column strong").inner_text()
    expect(page.locator("[data-table=combat] thead th.now")).to_have_text(column)
    expect(page.locator("[data-table=combat] tbody tr")).to_have_count(6)


def test_the_calendar_tells_turn_and_place_of_every_arrival(table: Table) -> None:
    page = table.page
    page.locator("[data-tab=forces]").click()
    page.locator(".calendar > summary").first.click()
    row = page.locator(".calendar[open] .arrival").first
    expect(row).to_contain_text("Turn 1")
    row.locator("button").first.click()
    expect(page.locator(".spots .spot")).not_to_have_count(0)


def test_the_log_shows_what_matters_with_small_counters(page: Page, server: Server) -> None:
    open_record(page, server, "target-arnhem")
    page.locator("[data-tab=log]").click()
    expect(page.locator(".log-counter").first).to_be_attached()
    page.locator("[data-log=news]").click()
    assert page.locator(".entry:visible").count() == page.locator(".entry.is-news:visible").count() > 0


def test_the_analysis_runs_and_leads_to_a_decision(page: Page, server: Server) -> None:
    """A bar tells how far it is; a decision that cost much is looked back at, with what was better (T-107)."""
    table = open_record(page, server, "target-arnhem")
    page.locator("[data-end=analysis]").click()
    expect(page.locator("game-analysis progress")).to_be_visible()
    mistake = page.locator("game-analysis [data-mistake]").first
    mistake.wait_for(timeout=PATIENT)
    assert page.locator("game-analysis [data-mistake]").count() <= 3
    expect(mistake).to_contain_text("Better: ")
    ply = int(mistake.get_attribute("data-mistake") or 0)
    mistake.click()
    page.wait_for_function(f"() => document.querySelector('salient-table').game.back === {ply}")
    assert not table.failures


def test_a_goal_that_is_reached_is_told_at_once(page: Page, server: Server) -> None:
    """Arnhem taken on turn 1: there was no reaction at all (T-56)."""
    script = json.loads((files("salient.web") / "lessons" / "target-arnhem.json").read_text("utf-8"))
    table = Table.start(page, server.url, options=script["options"], dice="typed")
    page.get_by_role("tab", name="Situation").click()
    expect(page.locator(".goal.open")).to_have_count(2)
    steps = script["steps"][: 1 + next(i for i, step in enumerate(script["steps"]) if step["key"] == "advance")]
    for action in [each for step in steps for each in (*step.get("auto", []), *step.get("do", []))]:
        call = "play" if isinstance(action, str) else "roll"
        page.evaluate(f"(action) => {TABLE}.game.{call}(action)", action)
    expect(page.locator("#notices")).to_contain_text("Reached. Allies: An Allied unit in 1504 Arnhem")
    assert table.failures == []


def test_whose_decision_it_is_leads_to_the_situation(table: Table) -> None:
    """The pill in the bar above did nothing when pressed (T-56)."""
    table.page.get_by_role("tab", name="Log").click()
    table.page.locator("button.decision").click()
    expect(table.page.locator("situation-panel")).to_be_visible()
