"""Orientation: the camera goes to the decision, arrows lead to the rest, and nothing that matters is out of sight."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from web.browsing import Server
from web.table import TABLE, Table

LIT_IN_SIGHT = f"""() => {{
    const table = {TABLE};
    return table.choosable().filter((place) => table.board.sees(place)).length;
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


def test_units_that_must_be_chosen_come_first_beside_the_map(table: Table) -> None:
    """The eight units of the first lift are the first of all that are to arrive, and in sight (T-42)."""
    landing(table)
    first = table.page.locator(".tray-unit").first
    expect(first).to_be_visible()
    expect(first).to_have_class("tray-unit selectable ")


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
    ending = "{ text: 'pass', verb: 'pass', args: [], label: 'Pass' }"
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
