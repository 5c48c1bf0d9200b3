"""Ardennes '44 in a real browser: an attack, a march, a bridge, the overlays, and a turn with its night."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from salient import load
from salient.kernel import CHANCE, SeededDice, Session, State, legal
from web.browsing import Server
from web.table import Table, api

pytestmark = pytest.mark.browser

BY_MOUSE = 10  # seconds of a turn, and as long as a kind is missing; the rest goes by the list of actions
ONWARD = {"pass", "resolve", "done"}
KINDS = {"select", "move", "attack", "join", "pass"}
MARCHER = "1SS/1Pz"
HURRY = """async (turn) => {
    const { game } = document.querySelector("salient-table");
    const rest = () => new Promise((done) => setTimeout(done, 5));
    const buttons = () => [...document.querySelectorAll("action-panel [data-action]")];
    const list = () => document.querySelector("action-panel details.all");
    let clicks = 0;
    while (!game.over && game.shown.turn < turn) {
        const { ply, legal } = game.snapshot;
        const texts = legal.filter(({ verb }) => verb !== "drop" && verb !== "cancel").map((action) => action.text);
        const text = ["pass", "done"].find((word) => texts.includes(word)) ?? texts[(clicks * 7) % texts.length];
        const button = buttons().find((each) => each.dataset.action === text);
        if (button && !game.busy && !game.playing) {
            if (list()?.open) list().querySelector("summary").click();
            button.click();
            clicks += 1;
            while (game.snapshot.ply === ply) await rest();
        } else {
            if (list() && !list().open && !button) list().querySelector("summary").click();
            await rest();
        }
    }
    return clicks;
}"""


def passing_until(found: Callable[[State], bool]) -> Session:
    """Six turns in which nobody does more than he must, up to a position."""
    session = Session(load("ardennes44"), SeededDice(1), "six-turns")
    while not found(session.state):
        if session.actor == CHANCE:
            session.roll()
        else:
            session.play(session.actor, legal(session.state)[-1])  # to pass comes last
    return session


@cache
def second_turn() -> Session:
    """Six turns at the beginning of the second, which has a night."""
    return passing_until(lambda s: getattr(s, "turn", 0) == 2)


def opened(page: Page, server: Server, session: Session) -> Table:
    """A game that goes on from a session."""
    table = Table(page, server.url)
    table.open(api(server.url, "games/import", {"record": session.record().text()})["id"])
    return table


def offers(*verbs: str) -> Callable[[State], bool]:
    return lambda s: any(action[0] in verbs for action in legal(s))


def first(actions: Iterable[dict[str, Any]], verb: str) -> dict[str, Any]:
    """The first action with a verb."""
    return next(action for action in actions if action["verb"] == verb)


def test_an_attack_with_its_odds(page: Page, server: Server) -> None:
    """Echternach from both banks: target, attackers and a gun are clicked; every number of the odds has its rule."""
    table = Table.start(page, server.url, game="ardennes44", scenario="six-turns", options={})
    page.locator("[data-tab=forces]").click()
    for panel in ("weather", "german-markers", "allied-markers", "turn-track"):
        expect(page.locator(f"[data-panel='{panel}']")).to_be_visible()
    table.play_by_mouse(first(table.legal, "pass"))
    table.play_by_mouse(next(action for action in table.legal if action["text"] == "attack 1105"))
    while any(action["verb"] == "join" for action in table.legal):
        table.play_by_mouse(first(table.legal, "join"))
    odds = page.locator("odds-panel")
    expect(odds.locator("h2")).to_contain_text("Echternach 1105")
    expect(odds.locator(".tree > li").first).to_contain_text("firefight (FF)")
    expect(odds.locator(".tree .tree > li").first).to_be_visible()
    expect(odds.locator(".expected").first).to_contain_text("In the end: advance: ")
    expect(odds.locator(".addition")).to_contain_text("Town: 2 of 3")
    expect(odds.locator(".addition .rule")).to_have_text("[15.1]")
    expect(odds.locator("small .rule").first).to_have_text("[15.3]")
    table.play_by_mouse(first(table.legal, "resolve"))
    gun = first(table.legal, "support")
    page.locator(f".action[data-action='{gun['text']}']").hover()
    expect(odds.locator(".shifts .rule")).to_have_text("[22.7]")
    table.play_by_mouse(gun)
    while not any("combat-result" in str(entry["events"]) for entry in table.state("entries")):
        table.play_by_mouse(table.legal[-1])
    assert not table.failures


def test_a_click_takes_up_and_one_destination_is_lit(page: Page, server: Server) -> None:
    """Infantry could dig in, too: a click takes it up to move. Where only one hex is left, that one is lit (T-11)."""
    table = Table.start(page, server.url, game="ardennes44", scenario="six-turns", options={})
    before = table.ply
    table.click_unit("18VG/293")
    table.wait_after(before)
    assert [action["text"] for action in table.legal if action["verb"] == "move"] == ["move 18VG/293 1423"]
    expect(page.locator(".marks .legal[data-place='1423']")).to_have_count(1)
    page.mouse.click(*table.point_of("1624"))
    expect(page.locator(".note.why")).to_contain_text("[11.1]")
    table.click_place("1423")
    table.wait_for_ply(before + 2)
    assert table.state("shown.units['18VG/293'].where") == "1423"
    assert not table.failures


def test_a_march(page: Page, server: Server) -> None:
    """A hex that can be reached either way offers a move and a march; who has marched bears its marker."""
    table = opened(page, server, second_turn())
    while not any(action["verb"] == "select" for action in table.legal):
        table.play_by_mouse(table.legal[-1])
    table.play_by_mouse(next(a for a in table.legal if a["text"] == f"select {MARCHER}"))
    moves = {action["args"][1]["value"] for action in table.legal if action["verb"] == "move"}
    march = next(a for a in table.legal if a["verb"] == "march" and a["args"][1]["value"] in moves)
    table.click_place(march["args"][1]["value"])
    for verb in ("move", "march", "via"):
        expect(page.locator(f"action-panel .action[data-action^='{verb} ']")).to_have_count(1)
    table.play_by_mouse(march)
    assert table.state(f"shown.units['{MARCHER}'].where") == march["args"][1]["value"]
    assert "mark-march" in str(table.state(f"shown.units['{MARCHER}'].badges"))
    assert not table.failures


def test_a_bridge_is_blown_by_a_click(page: Page, server: Server) -> None:
    table = opened(page, server, passing_until(offers("blow")))
    action = first(table.legal, "blow")
    bridge = action["args"][0]["value"]
    expect(page.locator(f".marks .legal.hexside[data-place='{bridge}']")).to_have_count(1)
    before = table.ply
    table.click_place(bridge)
    if table.happens(before, f".action[data-action='{action['text']}']") == "button":
        page.locator(f".action[data-action='{action['text']}']").click()
    table.wait_for_ply(before + 2)  # and the die
    assert table.state("entries")[before]["action"] == action["text"]
    assert table.state("entries")[before + 1]["events"][0]["key"] in ("bridge-blown", "bridge-stands")
    assert not table.failures


def test_every_overlay_has_its_legend(page: Page, server: Server) -> None:
    table = Table.start(page, server.url, game="ardennes44", scenario="six-turns", options={})
    names = table.state("components.overlays")
    assert len(names) == 8
    page.locator("[data-tool='overlays']").click()
    for name in names:
        page.locator(f"dialog [name='{name}']").check()
    page.keyboard.press("Escape")
    sections = page.locator(".legend section")
    expect(sections).to_have_count(len(names))
    for section in sections.all():
        expect(section.locator("h3")).not_to_be_empty()
        expect(section.locator("li").first).not_to_be_empty()
        assert "-" not in section.locator("li").first.inner_text()  # a key that has no words
    expect(page.locator(".overlay-hex").first).to_be_attached()
    assert not table.failures


def chosen(legal: list[dict[str, Any]], played: Counter[str]) -> dict[str, Any]:
    """Every kind of action once, the commonest first, then the quickest way on."""
    fresh = [action for action in legal if action["verb"] not in ONWARD and not played[action["verb"]]]
    ways_on = [action for action in legal if action["verb"] in ONWARD]
    return min(fresh or ways_on or legal, key=lambda action: action["verb"] not in KINDS)


def test_a_whole_turn_with_its_night(page: Page, server: Server) -> None:
    """Turn 2 of both sides by clicking, as far as the time allows; the rest of it by the list of actions."""
    table = opened(page, server, second_turn())
    played: Counter[str] = Counter()
    until = time.monotonic() + BY_MOUSE
    while table.state("shown.turn") == 2 and (time.monotonic() < until or not set(played) >= KINDS):
        action = chosen(table.legal, played)
        played[action["verb"]] += 1
        table.play_by_mouse(action)
    assert set(played) >= KINDS
    page.evaluate(HURRY, 3)
    assert table.state("shown.turn") == 3
    headings = " ".join(str(entry.get("heading")) for entry in table.state("entries"))
    assert "Night" in headings
    assert not table.failures
