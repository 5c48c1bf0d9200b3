"""Battle of the Bulge in a real browser: an attack with its strips, movement, and a whole game by mouse."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from web.browsing import Server
from web.table import Table

pytestmark = pytest.mark.browser

OFTEN = 2
LONGEST = 400


@pytest.fixture
def bulge(page: Page, server: Server) -> Table:
    """A new game for two at one screen."""
    return Table.start(page, server.url, game="bulge", options={})


def by_text(table: Table, text: str) -> dict[str, Any]:
    """A legal action by its notation."""
    return next(action for action in table.legal if action["text"] == text)


def test_an_attack_with_its_strips(bulge: Table) -> None:
    """Source and target are clicked, the strips lie on the table, and every die lands on a square or misses."""
    page = bulge.page
    expect(page.locator(".edges path").first).to_be_attached()
    bulge.play_by_mouse(by_text(bulge, "attack 0309 0308"))
    bulge.play_by_mouse(by_text(bulge, "pay 0309"))
    strips = page.locator("battle-strips")
    expect(strips).to_be_visible()
    expect(strips.locator(".square")).to_have_count(5)
    expect(page.locator("odds-panel")).to_be_visible()
    bulge.play_by_mouse(by_text(bulge, "hold axis-artillery-0309 1"))
    dice = bulge.state("shown.panels[0].rows[0].dice")
    bulge.play_by_mouse(by_text(bulge, "resolve"))
    expect(strips.locator(".twelve")).to_have_count(dice)
    rolled = next(entry for entry in bulge.state("entries") if entry.get("roll"))
    row = rolled["roll"]["panel"]["rows"][0]
    assert sorted(rolled["roll"]["faces"]) == sorted(
        [*row["missed"], *(f for square in row["squares"] for f in square["dice"])]
    )
    assert not bulge.failures


def test_numbers_in_a_row_are_written_as_one(bulge: Table) -> None:
    script = "async (numbers) => (await import('/strips.js')).runs(numbers)"
    assert bulge.page.evaluate(script, [1, 2, 3, 4, 5, 6]) == ["1–6"]
    assert bulge.page.evaluate(script, [1, 5]) == ["1", "5"]
    assert bulge.page.evaluate(script, [1, 2, 7]) == ["1", "2", "7"]


def test_the_strips_do_not_lie_on_their_hex(bulge: Table) -> None:
    """An attack in the south: the strips move up."""
    bulge.play_by_mouse(
        next(a for a in bulge.legal if a["verb"] == "attack" and a["args"][0]["value"].startswith("08"))
    )
    if any(action["verb"] == "pay" for action in bulge.legal):
        bulge.play_by_mouse(next(action for action in bulge.legal if action["verb"] == "pay"))
    strips = bulge.page.locator("battle-strips")
    expect(strips).to_be_visible()
    x, y = bulge.point_of(bulge.state("shown.panels[0].where"))
    box = strips.bounding_box()
    assert box
    assert not (box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"])


def test_real_dice_are_typed_face_by_face(page: Page, server: Server) -> None:
    """Fourteen faces by taps and keys, none too many, and they lie on the strips as they fell."""
    table = Table.start(page, server.url, game="bulge", options={}, dice="typed")
    for text in ("attack 0309 0308", "pay 0309", "resolve"):
        table.play_by_mouse(by_text(table, text))
    send = page.locator("real-dice [type=submit]")
    expect(send).to_be_disabled()
    page.locator("real-dice .face").nth(11).click()
    faces = page.locator("real-dice [name=faces]")
    expect(faces).to_have_value("12")
    faces.fill("12 1 1 2 13")
    expect(page.locator("real-dice [role=status]")).to_contain_text("13")
    faces.fill("12 1 1 2 8 9 10 11 12 8 9 10 11 7")
    before = table.ply
    expect(send).to_be_enabled()
    faces.press("Enter")
    table.wait_after(before)
    rolled = next(entry for entry in table.state("entries") if entry.get("roll"))
    assert rolled["roll"]["faces"] == [12, 1, 1, 2, 8, 9, 10, 11, 12, 8, 9, 10, 11, 7]
    assert not table.failures


def test_moving_and_reinforcing(bulge: Table) -> None:
    """A hex is activated, part of a pile moves, and reinforcements come from their chart."""
    for text in ("pass", "done", "done"):
        bulge.play_by_mouse(by_text(bulge, text))
    bulge.play_by_mouse(by_text(bulge, "activate 0309"))
    bulge.play_by_mouse(by_text(bulge, "pay 0309"))
    move = next(a for a in bulge.legal if a["verb"] == "move" and a["args"][2]["value"] == "1")
    unit, hex_, _ = (arg["value"] for arg in move["args"])
    before = bulge.state(f"shown.units['{unit}'].values")
    bulge.play_by_mouse(move)
    assert bulge.state(f"shown.units['{unit}'].values") != before
    assert bulge.page.locator(f".counter[data-unit='{unit.rpartition('-')[0]}-{hex_}']").count() == 1
    while not any(action["verb"] == "arrive" for action in bulge.legal):
        bulge.play_by_mouse(by_text(bulge, "pass"))
    assert bulge.page.locator("[data-panel='reinforcements'][open] .tray-unit.selectable").count() > 0
    bulge.play_by_mouse(next(action for action in bulge.legal if action["verb"] == "arrive"))
    assert not bulge.failures


def chosen(legal: list[dict[str, Any]], played: Counter[str]) -> dict[str, Any]:
    """Every kind of action a few times, then the quickest way to the end."""
    ends = {"pass", "done"}
    fresh = [action for action in legal if action["verb"] not in ends and played[action["verb"]] < OFTEN]
    ways_on = [action for action in legal if action["verb"] in ends]
    return min(fresh or ways_on or legal, key=lambda action: played[action["verb"]])


def test_a_whole_game_by_mouse(bulge: Table) -> None:
    """Every decision is taken by clicking, to the last upkeep."""
    played: Counter[str] = Counter()
    for _ in range(LONGEST):
        if bulge.state("over"):
            break
        action = chosen(bulge.legal, played)
        played[action["verb"]] += 1
        bulge.play_by_mouse(action)
    assert bulge.state("over")
    assert {"attack", "resolve", "activate", "move", "drive", "arrive", "fly", "pass"} <= set(played)
    assert {"done", "drop", "cancel"} <= set(played)
    assert bulge.page.locator(".verdict").is_visible()
    assert not bulge.failures
