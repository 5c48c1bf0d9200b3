"""No click on a counter rolls or commits: every counter, in a random position of every decision of every game."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Page

from salient import load
from salient.kernel import CHANCE, OVER, Action, SeededDice, Session, State, actor, legal, step
from salient.kernel.frames import TAKE_BACK
from web.browsing import Server
from web.table import TABLE, Table, api

pytestmark = pytest.mark.browser
GAMES = ["target-arnhem", "bulge", "deadly-woods", "ardennes44"]
SEEDS, PLIES = 5, 1500
# Clicks each counter in turn, wherever counters lie, and its stack's number; what a click would send is kept instead of
# sent, what it has picked is forgotten before the next click, and nothing is drawn.
WALK = f"""async () => {{
    const table = {TABLE};
    const {{ game, board, group, panel, input }} = table;
    await Promise.all(table.choice.openings().map(({{ text }}) => game.preview(text))); // which units could attack
    const sent = [];
    let clicked = "";
    Object.assign(game, {{ submit: async (what, body) => void sent.push({{ clicked, what, ...body }}) }});
    const nothing = {{ actions: [], ends: {{}}, stragglers: [], held: [], preview: {{}} }};
    Object.assign(group, {{ attempt: async () => nothing }});
    Object.assign(table.why, {{ reasons: async () => [] }});
    Object.assign(table.showing, {{ choice: () => {{}}, marks: () => {{}} }});
    Object.assign(table.considering, {{ lookAtButtons: () => {{}}, loadCosts: () => {{}} }});
    const click = async (element, name, x = 0, y = 0) => {{
        clicked = name;
        element.dispatchEvent(new PointerEvent("click", {{ bubbles: true, detail: 1, clientX: x, clientY: y }}));
        for (let i = 0; i < 20; i++) await null; // what it does later
        Object.assign(panel, {{ armed: null }});
        input.begunAt = null;
        table.choice.clear();
        group.clear();
    }};
    const counters = [...board.pieces.pieces.values()];
    const {{ left, top }} = board.viewport.getBoundingClientRect();
    const side = board.pieces.side;
    for (const {{ id, element, x, y, scale }} of counters) {{
        const at = board.camera.toScreen({{ x: x + (side * scale) / 2, y: y + (side * scale) / 2 }});
        await click(element, id, at.x + left, at.y + top);
    }}
    for (const place of board.pieces.stacks.keys()) {{
        const element = board.pieces.pieces.get(board.pieces.stacks.get(place).at(-1)).element;
        if (!element.dataset.count) continue;
        board.reveal(place);
        const {{ right, bottom }} = element.getBoundingClientRect();
        await click(element, `number of ${{place}}`, right - 1, bottom - 1);
    }}
    const beside = "button.tray-unit, button.unit-row, table-charts button[data-unit]";
    for (const name of [...document.querySelectorAll(beside)].map((each) => each.dataset.unit)) {{
        const element = [...document.querySelectorAll(beside)].find((each) => each.dataset.unit === name);
        if (element) await click(element, name);
    }}
    return {{ sent, clicks: counters.length }};
}}"""


@pytest.mark.parametrize("game_id", GAMES)
def test_a_click_on_a_counter_only_names_or_takes_up(page: Page, server: Server, game_id: str) -> None:
    """Whatever one click sends is a naming or a taking up that an action takes back (T-29)."""
    game, clicks, sent = load(game_id), 0, 0
    table = Table(page, server.url)
    for asked, (record, before) in positions(game_id).items():
        table.open(api(server.url, "games/import", {"record": record, "name": "x"})["id"])
        walked = page.evaluate(WALK)
        clicks += walked["clicks"]
        for order in walked["sent"]:
            sent += 1
            actions = [game.read(text) for text in actions_of(table, order)]
            assert commits_nothing(before, actions), (asked, order)
        assert not table.failures, (asked, table.failures)
    assert clicks > 500
    assert sent > 20


def test_a_real_click_on_a_counter_of_a_stack(page: Page, server: Server) -> None:
    """By hand: the stack opens, the unit is taken up, and the key takes it back."""
    table = Table.start(page, server.url, game="ardennes44", scenario="six-turns", options={})
    unit = next(iter(sorted(page.evaluate(f"[...{TABLE}.choice.allUnits()]"))))
    table.click_unit(unit)
    table.wait_for_ply(1)
    assert [entry["action"] for entry in table.state("entries")] == [f"select {unit}"]
    page.keyboard.press("u")
    page.wait_for_function(f"() => {TABLE}.game.snapshot.ply === 0")


def actions_of(table: Table, order: dict[str, Any]) -> list[str]:
    """What an order that a click sends would do."""
    if order["what"] == "actions":
        return [order["action"]]
    assert order["what"] == "orders", order
    body = {key: order[key] for key in ("begin", "units")}
    body |= {"seen": table.state("snapshot.seen"), "commit": False}
    return list(api(table.url, f"games/{table.game}/orders", body)["actions"])


def commits_nothing(before: State, actions: list[Action]) -> bool:
    """Whether nothing is rolled, and all is as it was once what is in hand has been put down or lifted again."""
    after = before
    for action in actions:
        after = step(after, action)
        if actor(after) != actor(before):
            return False
    if put_down(after).key() == put_down(before).key():
        return True
    return any(step(after, action).key() == before.key() for action in legal(after))


def put_down(state: State) -> State:
    """The position after everything has been taken back that an action takes back."""
    role = state.stack[-1].role
    back = next((action for action in legal(state) if role(action) == TAKE_BACK), None)
    return put_down(step(state, back)) if back else state


def positions(game_id: str) -> dict[tuple[str, str], tuple[str, State]]:
    """For every decision that random games meet, who decides and what is asked, a record that ends there."""
    found: dict[tuple[str, str], tuple[str, State]] = {}
    for seed in range(SEEDS):
        chance = random.Random(seed)
        session, met = random_game(game_id, seed)
        plies = {asked: chance.choice(each) for asked, each in met.items() if asked not in found}
        for asked, ply in sorted(plies.items(), key=lambda each: -each[1]):
            session.go_back(ply)
            found[asked] = session.record().text(), session.state
    return found


def random_game(game_id: str, seed: int) -> tuple[Session, dict[tuple[str, str], list[int]]]:
    """A random game, and after how many actions each decision was met."""
    session, chosen = Session(load(game_id), SeededDice(seed)), random.Random(seed)
    met: dict[tuple[str, str], list[int]] = {}
    while session.actor != OVER and len(session.actions) < PLIES:
        if session.actor == CHANCE:
            session.roll()
            continue
        met.setdefault((session.actor, session.state.stack[-1].prompt(session.state).key), []).append(
            len(session.actions)
        )
        session.play(session.actor, chosen.choice(legal(session.state)))
    return session, met
