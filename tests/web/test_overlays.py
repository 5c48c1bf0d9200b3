"""Overlays: a closed hexside is drawn along the side, and each side has its colours and strokes in all overlays."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from web.browsing import Server
from web.table import TABLE, Table

DRAW = f"(names) => {{ const o = {TABLE}.overlays; for (const n of names) o.chosen.add(n); return o.draw(); }}"
COLOURS = "(shapes) => [...new Set(shapes.map((shape) => shape.getAttribute('fill')))]"
COSINE = f"""() => {{
    const board = {TABLE}.board;
    const wall = document.querySelector('.overlay-wall');
    const [a, b] = wall.dataset.wall.split('/').map((hex) => board.geometry.centre(hex));
    const ends = wall.querySelector('polyline').getAttribute('points').split(' ');
    const [p, q] = ends.map((xy) => xy.split(',').map(Number));
    const step = [b.x - a.x, b.y - a.y];
    const bar = [q[0] - p[0], q[1] - p[1]];
    return (step[0] * bar[0] + step[1] * bar[1]) / (Math.hypot(...step) * Math.hypot(...bar));
}}"""


def test_a_bond_is_a_bar_along_the_closed_hexside(page: Page, server: Server) -> None:
    """The bar is at right angles to the forbidden step, and no line runs along that step (T-75)."""
    Table.start(page, server.url, game="ardennes44", options={})
    page.evaluate(DRAW, ["allied-bonds"])
    expect(page.locator(".overlay-wall")).not_to_have_count(0)
    expect(page.locator(".overlay-line")).to_have_count(0)
    assert abs(page.evaluate(COSINE)) < 0.01


def test_a_side_has_one_family_of_colours(table: Table) -> None:
    """Allied supply and Allied reach share no colour with the German ones; strokes tell them apart (T-77)."""
    found = {}
    for side in ("allied", "german"):
        table.page.evaluate(f"() => {TABLE}.overlays.chosen.clear()")
        table.page.evaluate(DRAW, [f"{side}-supply", f"{side}-reach"])
        found[side] = set(table.page.locator(".overlay-hex > :first-child").evaluate_all(COLOURS))
        expect(table.page.locator(".overlay-hatch")).not_to_have_count(0)
    assert found["allied"].isdisjoint(found["german"])


def test_a_unit_beside_the_map_that_is_not_lit_floods_nothing(table: Table) -> None:
    """The column stays where it is, and the reason appears (T-35)."""
    table.page.get_by_role("tab", name="Forces").click()
    box = table.page.locator("[data-box]").first
    if box.get_attribute("open") is None:
        box.locator("summary").click()
    table.page.locator(".tray-unit:not(.selectable)").first.click()
    expect(table.page.locator("#page-forces")).to_be_visible()
    expect(table.page.locator(".unit-row:visible")).to_have_count(0)


def test_supply_shows_the_way_of_the_unit_pointed_at(page: Page, server: Server) -> None:
    """Its line on the map, where it comes from and how far; without the overlay nothing is said (T-77)."""
    table = Table.start(page, server.url, game="ardennes44", scenario="six-turns", options={})
    page.evaluate(f"{TABLE}.overlays.choose('german-supply', true)")
    page.wait_for_function(f"() => {TABLE}.overlays.routes.size > 50")
    page.mouse.move(*table.point_of(table.state("shown.units['12VG/27'].where")))
    expect(page.locator(".overlay-route .core")).to_have_count(1)
    expect(page.get_by_text("27th Grenadier Regiment, 12th Volksgrenadier Division: supplied from")).to_be_visible()
    page.evaluate(f"{TABLE}.overlays.choose('german-supply', false)")
    expect(page.locator(".overlay-route .core")).to_have_count(0)
