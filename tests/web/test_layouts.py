"""Layouts: on a portrait tablet the map has the whole width, on a wide screen decision and tabs stand side by side."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from salient.games import game_ids
from web.browsing import Server
from web.table import TABLE, Table

SITUATION = {"en": "Situation", "it": "Situazione", "fr": "Situation", "de": "Lage"}
BOXES = """() => Object.fromEntries(['.map-area', 'action-panel', '.tab-page:not([hidden])'].map((part) => {
    const { left, top, width, height } = document.querySelector(part).getBoundingClientRect();
    return [part, { left, top, width, height }];
}))"""


SCREENS = [(1280, 800), (1920, 1080), (820, 1180), (390, 844)]
# What must be seen of a decision, and what sticks out of the window at its side.
UNSEEN = """() => [...document.querySelectorAll('.question, .foot .action, [data-key=undo], .viewport')]
    .filter((part) => {
        const { left, right, top, bottom } = part.getBoundingClientRect();
        return left < 0 || right > innerWidth || top < 0 || bottom > innerHeight || right - left < 8;
    })
    .map((part) => part.outerHTML.slice(0, 80))
    .concat(document.documentElement.scrollWidth > innerWidth ? ['sideways'] : [])"""


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_on_every_screen_in_every_language(page: Page, server: Server, game_id: str) -> None:
    """Question, ending, undo and map are whole in the window, and nothing is wider than it."""
    table = Table.start(page, server.url, game=game_id, options={})
    for lang, said in SITUATION.items():
        page.evaluate("(lang) => import('/i18n.js').then((words) => words.chooseLanguage(lang))", lang)
        page.wait_for_function(f"(said) => {TABLE}.querySelector('.tab').textContent === said", arg=said)
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(UNSEEN) == [], (lang, width)
            expect(page.locator(".question")).to_be_visible()
    assert not table.failures


@pytest.mark.parametrize(("width", "height"), [(820, 1180), (1920, 1080)])
def test_decision_and_tabs_stand_side_by_side(page: Page, server: Server, width: int, height: int) -> None:
    """Nothing is pushed out of the window, and the map keeps the most of it (T-97, T-98)."""
    page.set_viewport_size({"width": width, "height": height})
    Table.start(page, server.url)
    boxes = page.evaluate(BOXES)
    panel, tabs = boxes["action-panel"], boxes[".tab-page:not([hidden])"]
    assert tabs["left"] >= panel["left"] + panel["width"] - 1
    assert tabs["top"] + tabs["height"] <= height + 1
    assert boxes[".map-area"]["width"] >= (width if width < height else width / 2)
    assert boxes[".map-area"]["height"] >= height / 2


def test_on_a_tablet_the_title_is_there_and_the_overview_can_be_folded(page: Page, server: Server) -> None:
    """It covers less than a quarter of the width, goes by one press, and stays so after a reload (T-97)."""
    page.set_viewport_size({"width": 820, "height": 1180})
    table = Table.start(page, server.url, game="ardennes44", options={})
    expect(page.locator(".game-title")).to_be_visible()
    assert page.evaluate("document.querySelector('mini-map').offsetWidth") < 820 / 4
    page.locator(".minimap-fold").click()
    expect(page.locator("mini-map canvas")).to_be_hidden()
    page.reload()
    table.page.wait_for_selector("action-panel .prompt")
    expect(page.locator("mini-map canvas")).to_be_hidden()
    page.locator(".minimap-fold").click()
    expect(page.locator("mini-map canvas")).to_be_visible()


@pytest.mark.parametrize(("width", "size"), [(820, 200), (1280, 200), (390, 100), (390, 200)])
def test_nothing_of_the_bar_lies_on_anything_else(page: Page, server: Server, width: int, size: int) -> None:
    """However large the letters: the title goes before whose decision it is runs into the help (T-97)."""
    page.set_viewport_size({"width": width, "height": 1180})
    Table.start(page, server.url, game="deadly-woods", options={})
    page.evaluate(f"() => import('/settings.js').then(({{ change }}) => change({{ textSize: {size} }}))")
    decision, help_ = page.locator(".decision").bounding_box(), page.locator("[data-tool=help]").bounding_box()
    assert decision
    assert help_
    assert decision["x"] + decision["width"] <= help_["x"] + 1
    assert help_["x"] + help_["width"] <= width
    for part in page.locator("replay-bar button:visible, replay-bar b").all():
        box = part.bounding_box()
        assert box
        assert box["x"] + box["width"] <= width
    assert page.locator(".decision").evaluate("(part) => part.scrollWidth <= part.clientWidth + 1")


@pytest.mark.parametrize("width", [390, 820, 1280])
def test_phases_have_their_names_at_every_width(page: Page, server: Server, width: int) -> None:
    """The bar shows names only, the present one always; all 22 stand in the list that the turn opens (T-3)."""
    page.set_viewport_size({"width": width, "height": 844})
    Table.start(page, server.url, game="ardennes44", options={})
    shown = page.locator(".phases li:visible")
    assert all(text.strip() for text in shown.all_inner_texts())
    now = page.locator(".phase.now").bounding_box()
    assert now
    assert now["width"] > 40
    page.locator("button.turn").click()
    expect(page.locator("dialog.sequence .phase")).to_have_count(22)
    expect(page.locator("dialog.sequence .phase.now")).to_have_count(1)


def test_the_buttons_below_the_decision_lie_in_one_line(table: Table) -> None:
    """Undo, redo, restart and the question for advice, in the narrow column of a window of 1280."""
    tops = {box["y"] for button in table.page.locator(".turn-back button").all() if (box := button.bounding_box())}
    assert len(tops) == 1


def test_the_icon_of_the_tab_tells_when_it_is_your_move_and_sound_is_one_press_away(table: Table) -> None:
    """The icon has a mark while the player decides; one press silences, and it stays so (T-71, T-103)."""
    icon = table.page.locator("link[rel=icon]")
    expect(icon).to_have_attribute("href", "icon-move.svg")
    table.page.evaluate(f"() => {{ {TABLE}.game.snapshot.yours = false; {TABLE}.game.tell('shown') }}")
    expect(icon).to_have_attribute("href", "icon.svg")
    sound = table.page.locator("[data-tool=sound]")
    expect(sound).to_have_attribute("aria-pressed", "true")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "false")
    assert table.page.evaluate("() => JSON.parse(localStorage.getItem('salient')).sound") is False


def test_faces_of_a_real_die_lie_in_their_order_with_their_keys(page: Page, server: Server) -> None:
    """One line each, and the key of a face is its number (T-34)."""
    table = Table.start(page, server.url, dice="typed")
    while table.state("snapshot.actor") != "chance":
        before = table.ply
        page.evaluate(f"(text) => {{ {TABLE}.command(text) }}", table.legal[0]["text"])
        table.wait_after(before)
    faces = page.locator(".actions.dice .action")
    assert faces.evaluate_all("(all) => all.map((each) => each.dataset.action)") == [f"roll {n}" for n in range(1, 7)]
    assert faces.locator("kbd").all_inner_texts() == [str(n) for n in range(1, 7)]
    assert all(box["height"] < 60 for face in faces.all() if (box := face.bounding_box()))
    before = table.ply
    page.keyboard.press("4")
    table.wait_after(before)
    assert table.state("entries.at(-1).action") == "roll 4"


def test_the_tabs_lie_in_one_line_in_every_language(table: Table) -> None:
    """In the narrow column of a window of 1280 a second line would take its room from the odds."""
    for lang in ("it", "fr", "de", "en"):
        table.page.evaluate("(lang) => import('/i18n.js').then((words) => words.chooseLanguage(lang))", lang)
        expect(table.page.locator("html")).to_have_attribute("lang", lang)
        table.page.wait_for_function(
            f"(said) => {TABLE}.querySelector('.tab').textContent === said", arg=SITUATION[lang]
        )
        tops = table.page.locator(".tab").evaluate_all("(all) => all.map((each) => each.offsetTop)")
        assert len(set(tops)) == 1, lang


EDGES = """() => Object.fromEntries(['.side', 'action-panel', 'side-tabs'].map((part) => {
    const { width, height } = document.querySelector(part).getBoundingClientRect();
    return [part, { width, height }];
}))"""


def test_the_decision_leaves_more_than_half_of_the_column(table: Table) -> None:
    """At 1280x800 what tells the odds and the situation has more room than the decision."""
    sizes = table.page.evaluate(EDGES)
    assert sizes["side-tabs"]["height"] > sizes["action-panel"]["height"]


def test_decision_odds_and_a_page_are_in_sight_together(page: Page, server: Server) -> None:
    """At 1280x800, in an attack of The Deadly Woods: nothing scrolls sideways, the page has ten lines."""
    table = Table.start(page, server.url, game="deadly-woods", scenario="attack", options={})
    attack = next(action for action in table.legal if action["verb"] == "attack")
    table.click_place(attack["args"][0]["value"])
    expect(page.locator("odds-panel .outcome").first).to_be_visible()
    odds = page.locator("odds-panel")
    assert odds.evaluate("(panel) => panel.scrollWidth <= panel.clientWidth")
    top = odds.bounding_box()
    page_ = page.locator(".tab-page:not([hidden])").bounding_box()
    bar = page.locator("odds-panel .outcome-bar").first.bounding_box()
    assert top
    assert page_
    assert bar
    assert bar["y"] + bar["height"] <= top["y"] + top["height"]
    assert page_["height"] >= 160
    assert page_["y"] + page_["height"] <= 800


def test_what_can_be_chosen_beside_the_map_comes_first(page: Page, server: Server) -> None:
    """Target Arnhem asks to land the first lift: its units stand above calendar and supply points (T-42)."""
    table = Table.start(page, server.url)
    while not any(action["verb"] == "land" for action in table.legal):
        before = table.ply
        page.evaluate(f"(text) => {TABLE}.command(text)", table.legal[0]["text"])
        table.wait_after(before)
    first = page.locator(".tray-unit.selectable").first.bounding_box()
    panel = page.locator("#page-forces").bounding_box()
    assert first
    assert panel
    assert first["y"] - panel["y"] < 80


def test_column_and_decision_are_sized_by_their_edges_and_stay_so(table: Table) -> None:
    """By dragging, by arrow keys; after a reload they are as they were left, and a double click puts them back."""
    page = table.page
    before = page.evaluate(EDGES)
    drag(page, "column", -100, 0)
    drag(page, "decision", 0, 60)
    page.locator("pane-divider[data-size=decision]").press("ArrowDown")
    letter = 16
    dragged = page.evaluate(EDGES)
    assert dragged[".side"]["width"] == pytest.approx(before[".side"]["width"] + 100, abs=2)
    assert dragged["action-panel"]["height"] == pytest.approx(before["action-panel"]["height"] + 60 + letter, abs=3)
    page.reload()
    page.wait_for_selector("action-panel .prompt")
    assert page.evaluate(EDGES) == dragged
    for size in ("column", "decision"):
        page.locator(f"pane-divider[data-size={size}]").dblclick()
    assert page.evaluate(EDGES) == before


def test_what_lies_below_the_map_is_sized_by_its_edge(page: Page, server: Server) -> None:
    """On a portrait tablet the column lies below the map: its edge gives the map more of the window."""
    page.set_viewport_size({"width": 820, "height": 1180})
    Table.start(page, server.url)
    height = page.evaluate(EDGES)[".side"]["height"]
    drag(page, "shelf", 0, 120)
    assert page.evaluate(EDGES)[".side"]["height"] == pytest.approx(height - 120, abs=2)
    expect(page.locator("pane-divider[data-size=column]")).to_be_hidden()


def drag(page: Page, size: str, dx: int, dy: int) -> None:
    """Drag the edge of a part of the table."""
    box = page.locator(f"pane-divider[data-size={size}]").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=4)
    page.mouse.up()
