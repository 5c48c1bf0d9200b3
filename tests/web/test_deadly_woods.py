"""The Deadly Woods in a real browser: an attack with a gun, a bridge, and a whole attack scenario by mouse."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from web.browsing import Server
from web.table import TABLE, Table, api, record_until

pytestmark = pytest.mark.browser

OFTEN = 2
ONWARD = ("pass", "done", "resolve")
SECOND_THOUGHTS = ("cancel", "drop")
KINDS = "attack join resolve support select move via deploy place pass"
HURRY = """async () => {
    const { game } = document.querySelector("salient-table");
    const rest = () => new Promise((done) => setTimeout(done, 5));
    const buttons = () => [...document.querySelectorAll("action-panel [data-action]")];
    const list = () => document.querySelector("action-panel details.all");
    let clicks = 0;
    while (!game.over) {
        const { ply, legal } = game.snapshot;
        const texts = legal.filter(({ verb }) => verb !== "drop" && verb !== "cancel").map((action) => action.text);
        const onward = ["pass", "done", "resolve"].find((word) => texts.includes(word));
        const text = onward && clicks % 9 ? onward : texts[(clicks * 7) % texts.length];
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
}"""  # every ninth time not the quickest action but another one of the list, which is opened for it


@pytest.fixture
def woods(page: Page, server: Server) -> Table:
    """The attack scenario for two at one screen."""
    return Table.start(page, server.url, game="deadly-woods", scenario="attack", options={})


def first(table: Table, verb: str) -> dict[str, Any]:
    """The first legal action with a verb."""
    return next(action for action in table.legal if action["verb"] == verb)


def test_an_attack_with_an_asset(woods: Table) -> None:
    """Target, attackers and a gun are clicked, the gun is taken back; the panels lie beside the map."""
    page = woods.page
    page.locator("[data-tab=forces]").click()
    for panel in ("cup", "round-track", "german-assets", "allied-assets", "turn-track"):
        expect(page.locator(f"[data-panel='{panel}']")).to_be_visible()
    expect(page.locator(".edge-cut")).not_to_have_count(0)
    woods.play_by_mouse(first(woods, "attack"))
    while any(action["verb"] == "join" for action in woods.legal):
        woods.play_by_mouse(first(woods, "join"))
    expect(page.locator("odds-panel")).to_be_visible()
    woods.play_by_mouse(first(woods, "resolve"))
    gun = first(woods, "support")["args"][0]["value"]
    before = woods.ply
    page.locator(f"button[data-thing='{gun}']").click()
    button = f".action[data-action='support {gun}']"
    if woods.happens(before, button) == "button":
        page.locator(button).click()
    woods.wait_after(before)
    woods.play_by_mouse(next(action for action in woods.legal if action["text"] == f"drop {gun}"))
    assert any(action["text"] == f"support {gun}" for action in woods.legal)
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
        for _ in range(200):
            page.keyboard.press("n")
            if page.locator(f".marks .cursor[data-place='{bridge}']").count():
                break
        page.keyboard.press("Enter")
    button = f".action[data-action='{action['text']}']"
    if table.happens(before, button) == "button":  # who blows it is the only thing left to say
        page.locator(button).click()
    table.wait_after(before)
    assert bridge in table.state("entries")[before]["action"]
    assert not table.failures


def chosen(legal: list[dict[str, Any]], played: Counter[str]) -> dict[str, Any]:
    """Every kind of action a few times, then the quickest way on."""
    legal = [action for action in legal if action["verb"] not in SECOND_THOUGHTS]
    fresh = [action for action in legal if action["verb"] not in ONWARD and played[action["verb"]] < OFTEN]
    ways_on = [action for action in legal if action["verb"] in ONWARD]
    return min(fresh or ways_on or legal, key=lambda action: played[action["verb"]])


def test_a_whole_attack_by_mouse(woods: Table) -> None:
    """Turn 1 by clicking counters, hexes, chits and buttons; the other turns by the list of actions, to the verdict."""
    played: Counter[str] = Counter()
    while woods.state("shown.turn") == 1:
        action = chosen(woods.legal, played)
        played[action["verb"]] += 1
        woods.play_by_mouse(action)
    assert set(KINDS.split()) <= set(played)
    woods.page.evaluate(HURRY)
    assert woods.state("over")
    assert woods.state("shown.turn") == 6
    expect(woods.page.locator(".verdict")).to_be_visible()
    assert not woods.failures


def test_a_hex_too_full_bears_a_warning(page: Page, server: Server) -> None:
    """Units that stand too many in a hex are told at the ending and on the map before one is lost (T-12)."""
    woods = Table.start(page, server.url, game="deadly-woods", options={})
    crowd = ("277VG/989", "277VG/990", "12VG/27")  # to a regiment of the SS
    for text in ("pass", *(part for unit in crowd for part in (f"select {unit}", f"move {unit} 3806"))):
        ply = woods.ply
        page.evaluate(f"(text) => {{ {TABLE}.command(text) }}", text)
        woods.wait_after(ply)
    expect(page.locator(".foot .warnings")).to_contain_text("Too many units in 3806")
    expect(page.locator(".warning[data-place='3806']")).to_be_attached()
    page.locator("[data-key=undo]").click()
    expect(page.locator(".warning")).to_have_count(0)
