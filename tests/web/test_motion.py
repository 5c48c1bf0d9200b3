"""What happens to counters is seen: they go along their way, a hit flashes; nothing moves for who wants no motion."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, Page

from web.browsing import Server, quick_context
from web.table import TABLE, Table, api, record_until

ANIMATED = f"""() => {TABLE}.board.counterLayer.getAnimations({{ subtree: true }})
    .filter((each) => !(each instanceof CSSTransition))
    .map(({{ id, effect }}) => ({{ id, unit: effect.target.dataset.unit, steps: effect.getKeyframes().length }}))"""
LONG_WAY = f"""async () => {{
    const {{ game }} = {TABLE};
    for (const {{ text, args }} of game.snapshot.legal.slice(0, 60)) {{
        const {{ path = [] }} = await game.preview(text);
        if (path.length > 3) return {{ text, path, unit: game.snapshot.prompt.args.unit ?? args[0].value }};
    }}
}}"""


def unit_in_hand(page: Page, server: Server) -> Table:
    """Ardennes '44 with the first unit of a list taken up."""
    table = Table.start(page, server.url, game="ardennes44", scenario="six-turns", options={})
    taken = next(action["text"] for action in table.legal if action["text"].startswith("select 2Pz"))
    page.evaluate(f"(text) => {TABLE}.game.play(text)", taken)
    table.wait_for_ply(1)
    return table


def play_long_way(page: Page, table: Table) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Play a move of several hexes; it, and what moves on the board right after it."""
    way = page.evaluate(LONG_WAY)
    moved = page.evaluate(f"async (text) => {{ await {TABLE}.game.play(text); return ({ANIMATED})() }}", way["text"])
    return way, moved


def test_a_counter_goes_along_its_way(page: Page, server: Server) -> None:
    """Not straight over woods and rivers, and the log tells the way (T-102)."""
    table = unit_in_hand(page, server)
    way, moved = play_long_way(page, table)
    assert moved == [{"id": "way", "unit": way["unit"], "steps": len(way["path"])}]
    assert table.state("entries.at(-1).way") == way["path"]
    assert page.locator(".marks .moved polyline").first.get_attribute("points") == page.evaluate(
        f"(path) => {TABLE}.board.geometry.line(path)", way["path"]
    )


def test_nothing_moves_for_who_wants_no_motion(browser: Browser, server: Server) -> None:
    """A system set to less motion is respected (T-102)."""
    context = quick_context(browser, reduced_motion="reduce")
    page = context.new_page()
    _, moved = play_long_way(page, unit_in_hand(page, server))
    context.close()
    assert moved == []


def test_a_hit_is_seen_on_its_counter(page: Page, server: Server) -> None:
    """A unit that loses a step flashes; one that is eliminated falls (T-102)."""
    record = record_until("deadly-woods", "lose")
    table = Table(page, server.url)
    table.open(api(server.url, "games/import", {"record": record})["snapshot"]["id"])
    loss = next(action for action in table.legal if action["verb"] == "lose")
    page.evaluate(
        f"(place) => {TABLE}.board.goTo(place)", table.state(f"shown.units['{loss['args'][0]['value']}'].where")
    )
    page.evaluate(
        f"async (text) => {{ window.seen = []; const {{ motion }} = {TABLE};"
        "for (const what of ['flash', 'fall']) { const run = motion[what].bind(motion);"
        "motion[what] = (whom) => { window.seen.push(what); run(whom) } }"
        f"await {TABLE}.game.play(text) }}",
        loss["text"],
    )
    assert page.evaluate("window.seen")
