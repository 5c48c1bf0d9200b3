"""The first look at a game: the picture that comes with the client, before anything is drawn."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Route

from salient import game_ids
from web.browsing import Server, quick_context
from web.table import Table, api

pytestmark = pytest.mark.browser

SHOWN = """(name) => [...document.querySelectorAll("img")].some((image) =>
    image.src.endsWith(`/maps/${name}.webp`) && image.complete && image.naturalWidth > 300 && image.checkVisibility()
)"""


@pytest.mark.parametrize("game_id", game_ids())
def test_the_map_is_seen_while_no_drawing_has_come(browser: Browser, server: Server, game_id: str) -> None:
    """The drawn maps are held back for good: the map on the screen is the client's own file, and the game is ready."""
    context = quick_context(browser)
    held: list[Route] = []
    context.route("**/map.png*", lambda route: held.append(route))
    table = Table(context.new_page(), server.url)
    table.open(api(server.url, "games", {"game": game_id})["id"])
    table.page.wait_for_function(SHOWN, arg=game_id)
    assert held, "a sharp picture is asked for, and has not come"
    assert table.failures == []
    context.close()
