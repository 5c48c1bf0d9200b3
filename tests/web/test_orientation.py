"""Orientation: the camera goes to the decision, arrows lead to the rest, and nothing that matters is out of sight."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from web.browsing import Server
from web.table import TABLE, Table, api, record_until

LIT_IN_SIGHT = f"""() => {{
    const table = {TABLE};
    return table.sight.choosable().filter((place) => table.board.sees(place)).length;
}}"""


def landing(table: Table) -> None:
    """Play to the first landing: the zones, the die, no German reinforcements."""
    while not any(action["verb"] == "land" for action in table.legal):
        ply = table.ply
        passing = any(action["text"] == "pass" for action in table.legal)
        table.page.evaluate(f"(text) => {TABLE}.command(text)", "pass" if passing else table.legal[0]["text"])
        table.wait_after(ply)


def test_picking_a_unit_beside_the_map_shows_where_it_may_land(table: Table) -> None:
    """1Para lands near Arnhem; with the view at the southern edge the camera goes there (T-1)."""
    landing(table)
    table.page.evaluate(f"() => {TABLE}.board.goTo('0103')")
    table.click_unit("1Para")
    assert table.page.evaluate(LIT_IN_SIGHT) > 0


def test_enter_after_a_pick_beside_the_map_finds_no_place_for_the_cursor(table: Table) -> None:
    """A box beside the map has no point in the window: the keyboard's cursor does not go there."""
    landing(table)
    table.click_unit("1Para")
    table.page.keyboard.press("Escape")
    table.page.keyboard.press("Enter")
    table.page.keyboard.press("n")
    assert not table.failures


def test_units_that_must_be_chosen_come_first_beside_the_map(table: Table) -> None:
    """The eight units of the first lift are the first of all that are to arrive, and in sight (T-42)."""
    landing(table)
    first = table.page.locator(".tray-unit").first
    expect(first).to_be_visible()
    expect(first).to_have_class("tray-unit selectable ")


def test_a_unit_that_has_not_arrived_says_when_and_where_it_does(table: Table) -> None:
    """Not only that it is not there: the 69th Brigade comes up the road on turn 4 (T-42)."""
    landing(table)
    table.page.locator(".tray-unit[data-unit='69']").click()
    expect(table.page.locator(".note.why")).to_contain_text("Arrives on turn 4: Neerpelt 0103.")


def test_a_stack_says_what_its_numbers_are_and_keeps_its_source_behind_a_mark(table: Table) -> None:
    """Strength and resistance in words, for eyes and ears; where the data comes from on demand (T-40, T-41)."""
    table.page.evaluate(f"() => {TABLE}.input.pick({{ unit: null, place: '0103', x: 0, y: 0 }})")
    table.page.locator("[data-tab=here]").click()
    row = table.page.locator("stack-panel .unit-row[data-unit='5Gds']")
    expect(row).to_contain_text("strength 9, resistance 4")
    expect(table.page.locator(".counter[data-unit='5Gds']")).to_have_attribute("aria-label", re.compile("strength 9"))
    source = table.page.locator("stack-panel .source")
    expect(source).not_to_have_attribute("open", "")
    source.locator("summary").click()
    expect(source).to_contain_text("geography")


def test_arrows_at_the_edge_lead_to_what_can_be_chosen(table: Table) -> None:
    landing(table)
    table.page.evaluate(f"() => {TABLE}.board.goTo('1604')")
    expect(table.page.locator(".beacon")).not_to_have_count(0)
    table.page.locator(".beacon").first.click()
    assert table.page.evaluate(LIT_IN_SIGHT) > 0


def test_the_way_out_is_always_among_the_buttons(page: Page, server: Server) -> None:
    """However many actions need no pointing, the one that ends the decision has a button (T-36)."""
    table = Table.start(page, server.url)
    many = "Array.from({ length: 30 }, (_, i) => ({ text: `form ${i}`, verb: 'form', args: [], label: `form ${i}` }))"
    ending = "{ text: 'pass', verb: 'pass', args: [], label: 'Pass', ends: 'decision' }"
    shown = table.page.evaluate(
        f"""() => {{
            const panel = {TABLE}.panel;
            const Choice = panel.choice.constructor;
            panel.choice = new Choice([...{many}, {ending}], () => false);
            return panel.shown().map(({{ text }}) => text);
        }}"""
    )
    assert "pass" in shown
    assert len(shown) < 31


def test_keys_work_after_a_click_on_the_slider(table: Table) -> None:
    """Esc returns to the present although the focus is on the slider (T-47)."""
    landing(table)
    table.page.locator(".scrubber").click(position={"x": 5, "y": 10})
    table.page.wait_for_function(f"() => {TABLE}.game.back !== null")
    table.page.keyboard.press("Escape")
    table.page.wait_for_function(f"() => {TABLE}.game.back === null")


def test_the_title_says_whose_move_it_is(table: Table) -> None:
    expect(table.page).to_have_title("● Your move · Target Arnhem · Salient")


def test_a_turn_of_the_computer_is_summed_up(page: Page, server: Server) -> None:
    """After the German impulse a card tells what happened, and closes with the next action (T-45)."""
    table = Table.start(page, server.url, seats={"allied": "human", "german": "bot:greedy"})
    while page.locator("turn-digest").is_hidden():
        if table.state("snapshot.yours") and not table.state("playing"):
            ply, texts = table.ply, [action["text"] for action in table.legal]
            land = [text for text in texts if text.startswith("land")]
            text = land[0] if land else "pass" if "pass" in texts else texts[0]
            page.evaluate(f"(text) => {TABLE}.command(text)", text)
            table.wait_after(ply)
        page.wait_for_timeout(50)
    expect(page.locator("turn-digest li")).not_to_have_count(0)
    page.locator("turn-digest header button").click()
    expect(page.locator("turn-digest")).to_be_hidden()


@pytest.mark.parametrize(
    "body",
    [{}, {"game": "ardennes44", "scenario": "six-turns", "options": {"german-set-up": "free"}}],
    ids=["target-arnhem", "free set-up"],
)
def test_a_game_opens_where_something_can_be_chosen(page: Page, server: Server, body: dict[str, Any]) -> None:
    """The first screen shows what the first decision is about, on the map or beside it (T-1, T-2)."""
    table = Table.start(page, server.url, **body)
    if not page.evaluate(LIT_IN_SIGHT):
        expect(page.locator(".tray-unit.selectable").first).to_be_in_viewport()
    assert not table.failures


def test_a_formation_is_framed_while_its_button_is_pointed_at(page: Page, server: Server) -> None:
    """Codes of formations mean counters: those on the map are framed (T-24)."""
    record = record_until("deadly-woods", "formation")
    table = Table(page, server.url)
    table.open(api(server.url, "games/import", {"record": record, "name": "x"})["id"])
    button = page.locator(".action[data-action^='formation ']").first
    name = str(button.get_attribute("data-action")).split()[1]
    button.hover()
    expect(page.locator(".counter.in-focus").first).to_be_attached()
    framed = page.locator(".counter.in-focus").evaluate_all("(all) => all.map((each) => each.dataset.unit)")
    assert framed
    assert all(table.state(f"components.units['{unit}'].formation") == name for unit in framed)


def test_markers_are_told_and_dice_do_not_lie_on_the_decision(table: Table) -> None:
    """Oosterbeek holds a supply zone (T-78); dice over the hex that is spoken of lie below (T-31)."""
    page = table.page
    page.evaluate(f"{TABLE}.input.pick({{ unit: null, place: '1503', x: 9, y: 9 }})")
    expect(page.locator("stack-panel")).to_contain_text("upply zone: 1")
    below = page.evaluate(
        f"""() => {{
            const {{ board, sight, diceTray, game }} = {TABLE};
            diceTray.throw({{ seat: 'chance', action: 'roll 4', events: [], label: 'four' }});
            game.snapshot.prompt.args = {{ hex: '1504' }};
            board.goTo('1504');
            const box = diceTray.getBoundingClientRect();
            board.camera.pan(box.x + box.width / 2 - sight.inWindow('1504').x, box.y + 20 - sight.inWindow('1504').y);
            sight.uncoverFromDice();
            return diceTray.classList.contains('below') && !sight.covered('1504', diceTray);
        }}"""
    )
    assert below


def test_a_marker_with_a_number_says_of_what(table: Table) -> None:
    """A bare "2" on the map looked like a turn (T-84)."""
    markers = table.page.locator(".marker").all_inner_texts()
    assert markers == ["Supply zone 1", "Supply zone 101"]


def test_what_is_brought_into_sight_does_not_lie_under_the_overview(page: Page, server: Server) -> None:
    """Nor under the tools: the map moves on (T-9)."""
    Table.start(page, server.url, game="ardennes44", options={})
    covered = page.evaluate(f"""() => ["mini-map", ".toolbar"].map((cover) => {{
        const {{ board, sight }} = {TABLE};
        const {{ x, y, width, height }} = document.querySelector(cover).getBoundingClientRect();
        const place = board.geometry.placeAt(board.camera.toMap(x + width / 2, y + height / 2));
        board.reveal(place);
        const at = sight.inWindow(place);
        return document.elementFromPoint(at.x, at.y).closest(cover) !== null;
    }})""")
    assert covered == [False, False]
