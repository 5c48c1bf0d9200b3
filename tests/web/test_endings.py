"""Endings: every button says what it ends and what is left; what cannot end yet says why."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page, expect

from salient import load
from salient.kernel import CHANCE, SeededDice, Session, legal
from web.browsing import Server
from web.table import TABLE, Table, api

pytestmark = pytest.mark.browser
ONWARD = ("attack", "join", "resolve")


def hindered() -> str:
    """The record of a battle of Ardennes '44 up to a movement that disrupted units keep from ending."""
    for seed in range(20):
        session, chosen = Session(load("ardennes44"), SeededDice(seed)), random.Random(seed)
        for _ in range(900):
            if session.actor == CHANCE:
                session.roll()
                continue
            state, actions = session.state, legal(session.state)
            if (found := state.stack[-1].hindrance(state)) and found.rule == "18.3":
                return session.record().text()
            onward = next((action for action in actions if action[0] in ONWARD), None)
            ends = onward is None and ("pass",) in actions and chosen.random() < 0.3
            session.play(session.actor, onward or (("pass",) if ends else chosen.choice(actions)))
    raise AssertionError("nobody was disrupted in an enemy zone")


def test_an_ending_names_what_it_ends_and_what_is_left(page: Page, server: Server) -> None:
    """No bare "Pass" in button or log: the phase, and how many units have not moved (T-15)."""
    table = Table.start(page, server.url, game="ardennes44", scenario="six-turns", options={})
    button = page.locator(".foot [data-action='pass']")
    expect(button).to_contain_text("End the movement")
    expect(button.locator(".left")).to_have_text("84 units have not moved")
    page.evaluate("() => import('/settings.js').then(({ change }) => change({ confirmEnd: true }))")
    button.click()
    expect(button).to_contain_text("press again")
    page.keyboard.press("n")  # looking around is no second press (T-16)
    expect(button).not_to_contain_text("press again")
    button.click()
    expect(button).to_contain_text("press again")
    assert table.ply == 0
    button.click()
    table.wait_for_ply(1)
    assert table.state("entries")[0]["label"] == "End the movement"


def test_an_answer_is_not_asked_for_twice(page: Page, server: Server) -> None:
    """A choice between two things, such as to keep a result, ends nothing worthwhile: one press is enough (T-15)."""
    table = Table.start(page, server.url)
    script = f"(left) => {TABLE}.panel.leavesMuch({{ verb: 'pass', args: [], ends: 'decision', left }})"
    assert not table.page.evaluate(script, "")
    assert table.page.evaluate(script, "3 units have not acted")


def test_a_phase_that_cannot_end_says_why_and_lights_the_units(page: Page, server: Server) -> None:
    """Disrupted units in enemy zones must get away first: the rule, the units, and the way to them (T-14)."""
    made = api(server.url, "games/import", {"record": hindered(), "name": "disrupted"})
    table = Table(page, server.url)
    table.open(made["id"])
    reason = page.locator(".foot .hindrance")
    expect(reason).to_contain_text("must get away first")
    expect(reason).to_contain_text("[18.3]")
    assert page.locator(".foot [data-action='pass']").count() == 0
    page.locator("[data-key='hindrance']").click()
    units = page.evaluate(f"{TABLE}.sight.hindering()")
    assert units
    expect(page.locator(f".counter.hindering[data-unit='{units[0]}']")).to_be_visible()


def test_the_ending_never_leaves_the_window(page: Page, server: Server) -> None:
    """However much there is to choose, how the decision ends stays in sight at 1280 by 800 (T-36, T-37)."""
    table = Table.start(page, server.url, game="deadly-woods", options={})
    page.locator("details.all > summary").click()
    ending = page.locator(".foot [data-action='pass']")
    expect(ending).to_be_in_viewport(ratio=1)
    assert table.ply == 0


def test_an_impulse_is_ended_by_two_presses_and_always_in_sight(page: Page, server: Server) -> None:
    """Units that could be led by waypoints are no reason not to ask; a picked unit hides no ending (T-15)."""
    table = Table.start(page, server.url)
    for text in ("zone 82abn 1104", "done", "done"):
        ply = table.ply
        page.evaluate(f"(text) => {{ {TABLE}.command(text) }}", text)
        table.wait_after(ply)
    while any(action["verb"] == "land" for action in table.legal):
        ply, text = table.ply, next(action["text"] for action in table.legal if action["verb"] == "land")
        page.evaluate(f"(text) => {{ {TABLE}.command(text) }}", text)
        table.wait_after(ply)
    page.evaluate("() => import('/settings.js').then(({ change }) => change({ confirmEnd: true }))")
    before, ending = table.ply, page.locator(".foot [data-action='pass']")
    unit = next(action["args"][0]["value"] for action in table.legal if action["verb"] == "move")
    table.click_unit(unit)
    expect(ending).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    ending.click()
    expect(ending).to_contain_text("press again")
    assert table.ply == before
