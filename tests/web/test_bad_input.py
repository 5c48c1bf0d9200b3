"""What goes wrong between the hand and the server: a clear word, nothing lost, nothing half done."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from web.browsing import Server
from web.table import TABLE, Table, api, random_record

pytestmark = pytest.mark.browser

SEED, PLIES, LEAVES = 0, 52, "move 9SS/Aufkl I"
CUT = """() => {
    const whole = window.fetch;
    const cut = () => Promise.reject(new TypeError("cut"));
    window.fetch = (url, more) => (String(url).includes("/orders") ? cut() : whole(url, more));
    window.mend = () => (window.fetch = whole);
}"""


@pytest.fixture
def ardennes(page: Page, server: Server) -> Table:
    """The German movement of 16 December, with a division that has been ordered and waits for the second click."""
    table = Table.start(page, server.url, game="ardennes44", scenario="six-turns", options={})
    page.evaluate(f"{TABLE}.group.replace({TABLE}.group.formationOf('1SS/1', {TABLE}.input.able()))")
    page.evaluate(f"{TABLE}.group.go('1029')")
    page.wait_for_selector("[data-key=order]")
    return table


def selected(table: Table) -> list[str]:
    """What is selected, alone or together."""
    return sorted(table.page.evaluate(f"{TABLE}.input.selected()"))


def elsewhere(table: Table, action: str) -> None:
    """Somebody else acts."""
    seen = api(table.url, f"games/{table.game}")["seen"]
    api(table.url, f"games/{table.game}/actions", {"seen": seen, "action": action})


def test_an_order_that_came_too_late_is_refused_whole(ardennes: Table) -> None:
    """The game has moved on while the order was under way: a sentence, and no unit of it has moved."""
    before = ardennes.ply
    ardennes.page.route("**/orders*", lambda route: (elsewhere(ardennes, "pass"), route.continue_()))
    ardennes.page.keyboard.press("Enter")
    expect(ardennes.page.locator(".notice.bad")).to_contain_text("already moved on")
    ardennes.wait_for_ply(before + 1)
    assert api(ardennes.url, f"games/{ardennes.game}")["ply"] == before + 1
    assert not ardennes.failures


def test_an_order_lost_on_its_way_can_be_given_again(ardennes: Table) -> None:
    """The connection is gone before the order arrives: it is said, the units stay selected, the next press counts."""
    before, units = ardennes.ply, selected(ardennes)
    ardennes.page.evaluate(CUT)
    ardennes.page.keyboard.press("Enter")
    expect(ardennes.page.locator(".notice.bad")).to_contain_text("cannot be reached")
    assert (ardennes.ply, selected(ardennes)) == (before, units)
    ardennes.page.evaluate("() => void window.mend()")
    ardennes.page.keyboard.press("Enter")
    ardennes.wait_after(before)
    assert not ardennes.failures


def test_an_order_whose_answer_is_lost_is_shown(ardennes: Table) -> None:
    """The order was carried out, its answer did not come: the table shows it, and nothing happens twice."""
    before = ardennes.ply

    def lose_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    ardennes.page.route("**/orders*", lose_answer)
    ardennes.page.keyboard.press("Enter")
    ardennes.page.wait_for_function(f"() => {TABLE}.game.choosing && !{TABLE}.group.size")
    assert ardennes.ply == api(ardennes.url, f"games/{ardennes.game}")["ply"] > before
    expect(ardennes.page.locator(".notice")).to_have_count(0)
    assert not ardennes.failures


def test_a_selected_unit_that_is_no_more(page: Page, server: Server) -> None:
    """Who has left the map is named; who can still act stays selected."""
    record = random_record("target-arnhem", SEED, PLIES)
    table = Table(page, server.url)
    table.open(api(server.url, "games/import", {"record": record, "name": "x"})["id"])
    leaves = LEAVES.split()[1]
    stays = next(a["args"][0]["value"] for a in table.legal if a["verb"] == "move" and leaves not in a["text"])
    page.evaluate(f"(units) => {TABLE}.group.replace(units)", [leaves, stays])
    elsewhere(table, LEAVES)
    expect(page.locator(".notice")).to_contain_text("No longer selected: 9th SS Reconnaissance")
    assert selected(table) == [stays]
    assert not table.failures


def hold_back(page: Page) -> None:
    """No answer to an action comes until `letGo` is called."""
    page.evaluate("""() => {
        const [send, held] = [window.fetch, new Promise((resolve) => (window.letGo = resolve))];
        window.fetch = async (url, ...more) => {
            const answer = await send(url, ...more);
            if (String(url).includes("/actions")) await held;
            return answer;
        };
    }""")


def test_a_quick_second_click_waits_for_the_answer_to_the_first(page: Page, server: Server) -> None:
    """A unit is taken up by one click and sent off by the next, before the server has answered the first."""
    table = Table.start(page, server.url, game="ardennes44", scenario="six-turns", options={})
    centre, ground = table.centre_of("1SS/1", "1031"), table.ground_of("1030")
    hold_back(page)
    page.mouse.click(*centre)
    page.mouse.click(*ground)
    assert table.ply == 0
    page.evaluate("window.letGo()")
    table.wait_for_ply(2)
    assert table.state("shown.units['1SS/1'].where") == "1030"
    assert not table.failures
