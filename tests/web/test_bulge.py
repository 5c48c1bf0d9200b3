"""Battle of the Bulge in a real browser: an attack with its strips, movement, and a whole game by mouse."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from web.browsing import Server
from web.table import TABLE, Table, api, random_record, record_until

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
    """Source and target are clicked, the strips lie on the table, and every die lands on a square or misses (T-32)."""
    page = bulge.page
    expect(page.locator(".edges path").first).to_be_attached()
    bulge.play_by_mouse(by_text(bulge, "attack 0309 0308"))
    bulge.play_by_mouse(by_text(bulge, "pay 0309"))
    strips = page.locator("battle-strips")
    expect(strips).to_be_visible()
    expect(strips.locator(".square")).to_have_count(5)
    expect(page.locator("odds-panel .bar-legend")).to_have_text("Pieces destroyed")
    expect(page.locator("odds-panel .forces section").first).to_contain_text("2 pieces, 3 dice each")  # T-89
    bulge.play_by_mouse(by_text(bulge, "hold axis-artillery-0309 1"))
    dice = bulge.state("shown.panels[0].rows[0].dice")
    bulge.play_by_mouse(by_text(bulge, "resolve"))
    expect(strips.locator(".twelve")).to_have_count(dice)
    rolled = next(entry for entry in bulge.state("entries") if entry.get("roll"))
    row = rolled["roll"]["panel"]["rows"][0]
    assert sorted(rolled["roll"]["faces"]) == sorted(
        [*row["missed"], *(f for square in row["squares"] for f in square["dice"])]
    )
    box = strips.bounding_box()
    assert box
    under = f"(at) => {TABLE}.board.viewport.contains(document.elementFromPoint(...at))"
    assert page.evaluate(under, [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])  # nothing lies in the way
    bulge.play_by_mouse(by_text(bulge, "attack 0208 0108"))
    expect(strips.locator(".twelve")).to_have_count(0)
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


def test_most_comes_first_and_tokens_are_counted(bulge: Table) -> None:
    """Of several numbers the whole is the first button (T-21); who pays is told how many tokens lie there (T-22)."""
    page = bulge.page
    bulge.play_by_mouse(by_text(bulge, "attack 0309 0308"))
    page.mouse.move(*bulge.ground_of("0310"))
    expect(page.locator(".note", has_text="3 supply tokens")).to_be_visible()
    bulge.click_unit("axis-infantry-0309")
    held = page.locator("[data-action^='hold axis-infantry-0309']").evaluate_all(
        "(all) => all.map((b) => b.dataset.action)"
    )
    assert [text.rsplit(" ", 1)[1] for text in held] == ["4", "3", "2", "1"]


def test_what_was_named_has_its_button_while_one_piece_is_left_to_name(page: Page, server: Server) -> None:
    """Only infantry could still be held back: tokens and guns that were named before can be taken back all the same."""
    table = Table(page, server.url)
    table.open(api(server.url, "games/import", {"record": random_record("bulge", 4, 17), "name": "x"})["id"])
    assert page.evaluate(f"{TABLE}.choice.given.length") == 1
    before = table.ply
    page.locator(".action[data-action='drop axis-supply-0809']").click()
    table.wait_after(before)
    assert any(action["text"] == "pay 0809" for action in table.legal)
    assert not table.failures


def test_what_can_be_chosen_beside_the_map_lights_its_tab(page: Page, server: Server) -> None:
    """Trucks lie on the map and off it: the tab of the forces says so, and one press leads to them (T-23)."""
    record = record_until("bulge", "drive")
    table = Table(page, server.url)
    table.open(api(server.url, "games/import", {"record": record, "name": "x"})["id"])
    away = next(a for a in table.legal if a["verb"] == "drive" and a["text"].endswith("-base"))
    assert any(a["verb"] == "drive" and a != away for a in table.legal)
    expect(page.locator("[data-tab=forces].lit")).to_be_visible()
    table.play_by_mouse(away)
    assert not table.failures
