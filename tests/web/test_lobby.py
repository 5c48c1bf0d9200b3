"""The lobby: start, resume, rename, delete, import, export, join by link."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from web.browsing import Server, quick_context
from web.table import Table, api

pytestmark = pytest.mark.browser


def open_lobby(page: Page, server: Server) -> None:
    page.goto(server.url)
    page.wait_for_selector("[data-start]")


def test_the_covers_are_ready_made_pictures(page: Page, server: Server) -> None:
    """No map is drawn by the server before a game is opened."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_lobby(page, server)
    covers = "() => [...document.querySelectorAll('.cover img')].every((image) => image.naturalWidth === 320)"
    page.wait_for_function(covers)
    assert not [url for url in asked if "map.png" in url]


@pytest.mark.parametrize(("mode", "players"), [("two", ["human", "human"]), ("bot", ["bot:random", "human"])])
def test_starting_a_game_by_the_form(page: Page, server: Server, mode: str, players: list[str]) -> None:
    open_lobby(page, server)
    page.locator(f".mode:has([value={mode}])").click()
    if mode == "bot":
        page.locator("[name=level]").select_option("random")
        page.locator("[name=side]").select_option("german")
    page.locator("[data-start]").click()
    page.wait_for_selector("action-panel .prompt")
    game = page.url.split("/")[-1]
    assert [seat["player"] for seat in api(server.url, f"games/{game}")["seats"]] == players


def test_renaming_and_deleting(page: Page, server: Server) -> None:
    game = api(server.url, "games", {"game": "target-arnhem", "name": "Before"})["id"]
    open_lobby(page, server)
    row = page.locator(f"[data-game='{game}']")
    row.locator("[data-tool=rename]").click()
    page.locator("dialog input").fill("A bridge too far")
    page.locator("dialog [type=submit]").click()
    expect(row.locator("strong")).to_have_text("A bridge too far")
    row.locator("[data-tool=delete]").click()
    page.locator("dialog .danger").click()
    expect(row).to_have_count(0)


def test_a_long_list_of_games_comes_page_by_page(browser: Browser, tmp_path: Path) -> None:
    """Thirty games, then those before them: each once, the latest first, until no more are left."""
    server = Server(tmp_path)
    context = quick_context(browser)
    try:
        games = [api(server.url, "games", {"game": "target-arnhem"})["id"] for _ in range(65)]
        page = context.new_page()
        open_lobby(page, server)
        rows, more = page.locator("[data-game]"), page.locator("[data-more-games]")
        for shown in (30, 60, 65):
            expect(rows).to_have_count(shown)
            more.click() if shown < len(games) else expect(more).to_be_hidden()
        listed = rows.evaluate_all("(rows) => rows.map((row) => row.dataset.game)")
        assert listed == games[::-1]
    finally:
        context.close()
        server.kill()


def test_a_game_that_cannot_be_replayed_is_listed_with_a_sentence(browser: Browser, tmp_path: Path) -> None:
    """It has no link, its record can be saved, and it can be deleted."""
    server = Server(tmp_path)
    context = quick_context(browser, "it")
    try:
        table = Table.start(context.new_page(), server.url)
        table.play_by_mouse(table.legal[0])
        server.kill()
        with closing(sqlite3.connect(tmp_path / "games.sqlite")) as db, db:
            db.execute("UPDATE entries SET action = 'fly away'")
            db.execute("UPDATE games SET summary = json_set(summary, '$.program', 'an older one')")
        server.start()
        page = context.new_page()
        open_lobby(page, server)
        row = page.locator(f"[data-game='{table.game}']")
        expect(row.locator(".trouble")).to_contain_text("La partita salvata è danneggiata.")
        assert row.locator("a").count() == 0
        with page.expect_download() as download:
            row.locator("[data-tool=export]").click()
        assert "fly away" in Path(download.value.path()).read_text()
        row.locator("[data-tool=delete]").click()
        page.locator("dialog .danger").click()
        expect(row).to_have_count(0)
    finally:
        context.close()
        server.kill()


def test_an_exported_record_imports_as_the_same_game(page: Page, server: Server) -> None:
    table = Table.start(page, server.url)
    table.play_by_mouse(table.legal[0])
    open_lobby(page, server)
    with page.expect_download() as download:
        page.locator(f"[data-game='{table.game}'] [data-tool=export]").click()
    page.locator("[data-import]").click()
    page.locator("dialog [type=file]").set_input_files(download.value.path())
    page.locator("dialog textarea").wait_for()
    page.wait_for_function("() => document.querySelector('dialog textarea').value.startsWith('salient-record')")
    page.locator("dialog .primary").click()
    page.wait_for_selector("action-panel .prompt")
    assert page.evaluate("document.querySelector('salient-table').game.snapshot.ply") == 1


def test_a_bad_record_is_refused_with_its_line_and_nothing_is_lost(page: Page, server: Server) -> None:
    open_lobby(page, server)
    games = len(api(server.url, "games"))
    page.locator("[data-import]").click()
    bad = "salient-record 1\ngame: target-arnhem\nnonsense\n"
    page.locator("dialog textarea").fill(bad)
    page.locator("dialog .primary").click()
    expect(page.locator("dialog .trouble")).to_contain_text("3")
    assert page.locator("dialog textarea").input_value() == bad
    assert len(api(server.url, "games")) == games


def test_a_second_browser_joins_by_link_and_sees_the_moves(browser: Browser, page: Page, server: Server) -> None:
    """Who invites from this computer's own name is told that nobody else can reach it, and what to do (T-70)."""
    table = Table.start(page, server.url)
    page.locator("[data-tool=menu]").click()
    page.locator("[data-menu=link]").nth(1).click()
    link = page.locator("dialog.invite input").input_value()
    expect(page.locator("dialog.invite .hindrance")).to_contain_text("--allow-host")
    page.keyboard.press("Escape")
    guest = quick_context(browser).new_page()
    guest.goto(link)
    guest.wait_for_selector("action-panel .prompt")
    table.play_by_mouse(table.legal[0])
    guest.wait_for_function("() => document.querySelector('salient-table').game.snapshot.ply === 1")
    guest.context.close()


def test_the_lobby_tells_what_a_game_is_about_and_chooses_for_a_beginner(page: Page, server: Server) -> None:
    """Story, time and weight (T-66); historical zones (T-65); the short scenario and Start in sight (T-64)."""
    page.goto(server.url)
    expect(page.locator(".story")).to_contain_text("17 September 1944")
    expect(page.locator("[name=option-supply-zones]")).to_have_value("historical")
    page.locator("input[value=ardennes44]").check(force=True)
    expect(page.locator("[name=scenario]")).to_have_value("six-turns")
    expect(page.locator("[name=side]")).to_have_value("german")
    expect(page.locator(".options > .fields")).to_be_hidden()
    page.locator(".options > summary").click()
    expect(page.locator(".options .option")).to_have_count(7)
    page.locator(".options > summary").click()
    box = page.locator("[data-start]").bounding_box()
    assert box
    assert box["y"] + box["height"] <= 800


@pytest.mark.parametrize("width", [1280, 1000, 820, 390])
def test_the_boxes_of_the_games_stand_in_full_rows(page: Page, server: Server, width: int) -> None:
    """Four in a row or two, never three and one (T-68)."""
    page.set_viewport_size({"width": width, "height": 800})
    open_lobby(page, server)
    tops = [box.bounding_box() for box in page.locator(".shelf .box").all()]
    rows = Counter(round(box["y"]) for box in tops if box)
    assert len(set(rows.values())) == 1


def test_nobody_is_invited_to_the_own_seat_against_the_computer(page: Page, server: Server) -> None:
    """The only person at that table is the player (T-74)."""
    Table.start(page, server.url, seats={"allied": "human", "german": "bot:random"})
    page.locator("[data-tool=menu]").click()
    expect(page.locator("[data-menu=back]")).to_be_visible()
    expect(page.locator("[data-menu=link]")).to_have_count(0)


def test_the_pace_of_the_showing_is_told_in_its_own_words(page: Page, server: Server) -> None:
    """Quick and slow, not the hours of a game between people."""
    open_lobby(page, server)
    page.get_by_role("button", name="Settings").click()
    pace = page.locator("select[name='settings.pace'] option")
    assert pace.all_inner_texts() == ["At once", "Quick", "Normal", "Slow"]


def test_a_game_to_go_on_with_says_whose_move_it_is(page: Page, server: Server) -> None:
    """A card with a picture, the side and "your move" (T-63)."""
    order = {"game": "target-arnhem", "seats": {"allied": "human", "german": "bot:greedy"}}
    game = api(server.url, "games", order)["id"]
    page.goto(server.url)
    card = page.locator(f"[data-game='{game}']")
    expect(card.locator(".your-move")).to_be_visible()
    expect(card).to_contain_text("You: Allies")
    expect(card.locator(".thumb img")).to_be_visible()
