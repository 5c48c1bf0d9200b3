"""The enemy's turn is shown in at most twenty seconds, however much happens."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from web.browsing import Server
from web.table import Table

pytestmark = pytest.mark.browser
LONGEST = 20.0
MEASURED = """async ([many, pace, rolls]) => {
    const [{ Showtime }, { change }] = await Promise.all([import('/showtime.js'), import('/settings.js')]);
    change({ pace, combatsOnly: false });
    const mine = { seats: [{ seat: 'allied', mine: true }], yours: true, view: {} };
    const game = { components: { units: {} }, tell: () => {}, playing: true };
    const show = new Showtime(game);
    const move = { seat: 'german', events: [{}], change: { units: {} } };
    const entries = Array.from({ length: many }, (_, i) => (i % rolls ? move : { ...move, seat: 'chance', roll: {} }));
    show.others = { before: {}, entries: [], spent: 1 };
    show.add(entries, { ...mine, yours: false });
    return show.queue.reduce((sum, { wait }) => sum + wait, 0) / 1000;
}"""


INTERRUPTED = """async (sequence) => {
    const [{ Showtime }, { change }] = await Promise.all([import('/showtime.js'), import('/settings.js')]);
    change({ pace: 0.9, combatsOnly: false });
    const game = { components: { units: {}, sequence }, tell: () => {}, playing: true };
    const before = { seats: [{ seat: 'allied', mine: true }], yours: true, view: { at: 0 } };
    const show = new Showtime(game);
    const move = { seat: 'german', events: [{}], change: { units: {} } };
    const combat = [{ ...move, seat: 'allied' }, move, move, { ...move, seat: 'chance', roll: {} }, move];
    show.add(Array.from({ length: 100 }, () => move), { ...before, yours: false });
    for (let n = 0; n < 15; n++) show.add(combat, before);
    return show.queue.reduce((sum, { wait }) => sum + wait, 0) / 1000;
}"""


@pytest.mark.parametrize("sequence", [[{"key": "combat", "side": "german"}], [{"key": "rounds"}]])
def test_a_turn_that_asks_for_answers_is_no_longer(page: Page, server: Server, sequence: list[dict[str, str]]) -> None:
    """A hundred moves, then fifteen combats with a decision of the defender in each (T-46)."""
    Table.start(page, server.url)
    assert page.evaluate(INTERRUPTED, sequence) <= LONGEST


@pytest.mark.parametrize(("many", "rolls"), [(40, 8), (400, 10), (2400, 30)])
def test_however_much_happens_the_showing_is_short(page: Page, server: Server, many: int, rolls: int) -> None:
    """As many actions as a turn of each game has, at the default pace (T-46)."""
    Table.start(page, server.url)
    assert page.evaluate(MEASURED, [many, 0.9, rolls]) <= LONGEST
