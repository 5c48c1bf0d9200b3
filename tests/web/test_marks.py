"""Marks by kind: what may move, be chosen, entered or attacked, and where a way leads, told apart without colour."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from web.browsing import Server
from web.table import TABLE, Table

DASHES = "(shape) => getComputedStyle(shape).strokeDasharray"
FRAME = "(counter) => getComputedStyle(counter, '::before').borderTopStyle"


@pytest.fixture
def ardennes(page: Page, server: Server) -> Table:
    return Table.start(page, server.url, game="ardennes44", options={})


def test_the_crosshair_means_an_attack_and_nothing_else(page: Page, server: Server) -> None:
    """A supply zone may lie under the enemy: that hex is to be chosen, not to be attacked (T-76)."""
    table = Table.start(page, server.url, options={})
    enemies = f"() => [...{TABLE}.choice.places()].filter((place) => {TABLE}.board.pieces.stacks.has(place))"
    assert table.page.evaluate(enemies)
    expect(table.page.locator(".crosshair, .legal.hostile")).to_have_count(0)
    expect(table.page.locator(".legal.choose").first).to_be_attached()


def test_moving_is_drawn_solid_and_choosing_dashed(ardennes: Table) -> None:
    """Frames and hexes say the same without colour, and every hex has a dark casing (T-76, T-79)."""
    page = ardennes.page
    assert page.locator(".counter[data-unit='116Pz/60']").evaluate(FRAME) == "solid"
    ardennes.click_unit("116Pz/60")
    page.locator(".legal.go").first.wait_for(state="attached")
    assert page.locator(".legal.go").first.evaluate(DASHES) == "none"
    expect(page.locator(".legal-casing")).to_have_count(1)
    page.keyboard.press("Escape")
    ardennes.wait_for_ply(0)
    frames = f"""() => {{
        const {{ pieces }} = {TABLE}.board;
        const [id] = pieces.pieces.keys();
        const [some, none] = [new Set([id]), new Set()];
        pieces.mark({{ selectable: some, selected: none, movers: none, focus: none, hindering: none }});
        return getComputedStyle(pieces.pieces.get(id).element, "::before").borderTopStyle;
    }}"""
    assert page.evaluate(frames) == "dashed"


def test_waypoints_are_numbered_and_the_way_ends_in_a_second_hexagon(ardennes: Table) -> None:
    """The places by way of which a unit was led carry their numbers (T-102)."""
    page = ardennes.page
    ardennes.click_unit("2Pz/304")
    page.wait_for_function(f"() => {TABLE}.choice.given.length")
    via = next(action for action in ardennes.legal if action["verb"] == "via")
    ply = ardennes.ply
    page.evaluate(f"(text) => {TABLE}.command(text)", via["text"])
    ardennes.wait_after(ply)
    mark = page.locator(f".waypoint[data-place='{via['args'][1]['value']}']")
    expect(mark).to_have_count(1)
    expect(mark.locator("text")).to_have_text("1")
    place = page.evaluate(f"() => [...{TABLE}.choice.places()].find((p) => !{TABLE}.board.pieces.stacks.has(p))")
    page.mouse.move(*ardennes.ground_of(place))
    expect(page.locator(f".destination[data-place='{place}']")).to_have_count(1)


def test_costs_lie_below_the_counters_edge(ardennes: Table) -> None:
    """The plate with the cost begins where the counter of its hex ends (T-83)."""
    ardennes.click_unit("116Pz/60")
    ardennes.page.locator(".cost").first.wait_for(state="attached")
    overlap = f"""() => {{
        const {{ pieces, geometry }} = {TABLE}.board;
        const plate = document.querySelector(".cost");
        const [x, y] = plate.getAttribute("transform").match(/[\\d.]+/g).map(Number);
        const centre = geometry.centre(geometry.placeAt({{ x, y }}));
        const top = y + Number(plate.querySelector("rect").getAttribute("y"));
        return (centre.y + pieces.side / 2 - top) / geometry.size;
    }}"""
    assert ardennes.page.evaluate(overlap) < 0.05


def test_the_help_has_a_legend_of_the_marks(table: Table) -> None:
    table.page.evaluate(f"() => {TABLE}.help({{ tab: 'reading' }})")
    expect(table.page.locator(".mark-legend li")).to_have_count(10)
