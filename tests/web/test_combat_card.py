"""The panel in a combat: a card that adds up, the odds of what is decided, nothing that moves under the pointer."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from web.browsing import Server
from web.table import TABLE, Table

pytestmark = pytest.mark.browser
ATTACK = ("attack 3712", "join 18VG/293", "join 18VG/294", "join 62VG/164")


@pytest.fixture
def woods(page: Page, server: Server) -> Table:
    """The Deadly Woods at one screen, in the middle of an attack on the Schnee Eifel."""
    table = Table.start(page, server.url, game="deadly-woods", options={})
    command(table, *ATTACK)
    return table


def command(table: Table, *texts: str) -> None:
    for text in texts:
        before = table.ply
        table.page.evaluate(f"(text) => {{ {TABLE}.command(text) }}", text)
        table.wait_after(before)


def column(table: Table) -> str:
    return table.page.locator("odds-panel .column strong").inner_text()


def test_the_card_of_a_combat_shows_the_column_on_which_the_die_fell(woods: Table) -> None:
    """The defender fires after the attacker's last look; the card says what the log says, and stays (T-30)."""
    command(woods, "resolve", "resolve")
    command(woods, next(action["text"] for action in woods.legal if action["verb"] == "support"), "resolve")
    card = woods.page.locator("odds-panel .outcome-told")
    expect(card).to_contain_text("die")
    said = " ".join(event["text"] for entry in woods.state("entries") for event in entry["events"])
    found = re.search(r"(\d+) against (\d+) is (\S+?)(, shifted by \S+?)?: column (\S+)\.", said)
    assert found
    assert column(woods) == found[5]
    expect(woods.page.locator("dice-tray")).to_contain_text("3712: die")
    card.get_by_role("button", name="Close").click()
    expect(woods.page.locator("odds-panel")).to_be_hidden()


def test_a_button_under_a_resting_pointer_changes_no_odds(woods: Table) -> None:
    """Guns come under the pointer that has just declared: the odds stay those of the attack until it moves (T-33)."""
    page = woods.page
    page.locator("[data-action='resolve']").click()
    woods.wait_for_ply(5)
    expect(page.locator(".action[data-action^='double']").first).to_be_visible()
    page.wait_for_timeout(400)
    expect(page.locator("odds-panel .about")).to_have_count(0)
    page.locator(".action[data-action^='double']").first.hover()
    expect(page.locator("odds-panel .about")).to_contain_text("Double strength")


def test_a_double_click_spends_nothing_that_has_come_under_the_pointer(woods: Table) -> None:
    """ "Declare the attack" is replaced by guns at once: the second half of a double click names none (T-33)."""
    page = woods.page
    page.locator("[data-action='resolve']").dblclick(delay=60)
    woods.wait_for_ply(5)
    page.wait_for_timeout(400)
    assert [entry["action"] for entry in woods.state("entries")][4:] == ["resolve"]


def test_units_that_are_named_look_so(woods: Table) -> None:
    named = woods.page.locator(".counter.selected").evaluate_all("(all) => all.map((each) => each.dataset.unit)")
    assert set(named) == {"18VG/293", "18VG/294", "62VG/164"}


@pytest.mark.parametrize(
    "body",
    [{}, {"game": "ardennes44", "scenario": "six-turns", "options": {}}],
    ids=["target-arnhem", "ardennes44"],
)
def test_nothing_moves_in_the_column_when_a_unit_is_picked(page: Page, server: Server, body: dict[str, object]) -> None:
    """The tabs stay where they are: what lies under them is not pushed from under the pointer (T-38)."""
    table = Table.start(page, server.url, **body)
    if not body:
        command(table, "zone 82abn 1104", "done", "done")
    bar = page.locator(".tab-bar")
    before = bar.bounding_box()
    unit = page.evaluate(f"() => [...{TABLE}.choice.units()][0]")
    table.click_unit(unit)
    page.wait_for_function(f"(unit) => {TABLE}.input.selected().includes(unit)", arg=unit)
    page.wait_for_timeout(300)
    assert bar.bounding_box() == before


def test_tabs_stay_where_they_are_when_odds_appear(page: Page, server: Server) -> None:
    """However many buttons and odds there are, no tab slides from under the pointer (T-38)."""
    table = Table.start(page, server.url, game="deadly-woods", options={})
    bar = page.locator(".tab-bar")
    before = bar.bounding_box()
    table.click_place("3710")
    for unit in ("3FJ/8", "1SS/Peiper"):
        table.click_unit(unit)
    expect(page.locator("odds-panel .column strong")).to_be_visible()
    assert bar.bounding_box() == before
    page.locator(".action[data-action=resolve]").first.click()
    expect(page.locator(".action[data-action='support 6Pz-Art1']")).to_contain_text("strength 4")  # T-24
    assert bar.bounding_box() == before
