"""Legible at the opening zoom: no letter on a counter or on the map has fewer than nine pixels on the screen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from salient import game_ids, load
from salient.maps import CLIENT_LAYERS, Options, render_svg
from salient.maps.canvas import UNIT
from web.browsing import Server
from web.table import TABLE, Table

LEAST = 9
ON_COUNTERS = """() => [...document.querySelectorAll('.counter:not(.culled) text')]
    .filter((text) => text.getBoundingClientRect().width > 0)
    .map((text) => ({ text: text.textContent, em: getComputedStyle(text).fontSize, by: text.getScreenCTM().a }))
    .map(({ text, em, by }) => ({ text, size: parseFloat(em) * by }))"""
PICTURE = f"""() => {{
    const {{ images, camera, imageUrl }} = {TABLE}.board;
    return {{ scale: camera.scale, ratio: images.find(({{ url }}) => url === imageUrl).ratio }};
}}"""
USUAL = 48.0


@pytest.mark.parametrize("game_id", game_ids())
def test_no_letter_is_smaller_than_nine_pixels(page: Page, server: Server, game_id: str) -> None:
    """Designations, values, hex numbers and names of the map, in a window of 1280 by 800 (T-5, T-82, T-83)."""
    table = Table.start(page, server.url, game=game_id, options={})
    table.wait_until_counters_lie_still()
    page.wait_for_function(f"() => {TABLE}.board.imageUrl")
    page.wait_for_function(f"() => ({ON_COUNTERS})().length")
    texts = page.evaluate(ON_COUNTERS)
    assert [text for text in texts if text["size"] < LEAST] == []
    shown = page.evaluate(PICTURE)
    drawn = USUAL * shown["ratio"]
    board = load(game_id).board
    assert board is not None
    svg = render_svg(board, Options(drawn, "en", CLIENT_LAYERS))
    on_screen = drawn / UNIT * shown["scale"] / shown["ratio"]
    letters = re.findall(r'<text[^>]*font-size="([\d.]+)"[^>]*>([^<]*)', svg)
    assert [(size, text) for size, text in letters if float(size) * on_screen < LEAST] == []
