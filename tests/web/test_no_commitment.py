"""No single click on a counter rolls or commits, in any phase of any game: tried over random positions."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page

from salient import load
from salient.kernel import CHANCE, OVER, SeededDice, Session, legal
from web.browsing import Server
from web.table import TABLE, Table, api

pytestmark = pytest.mark.browser
POSITIONS = 4
CLICKS = 5
ON_MAP = f"""() => {{
    const {{ board, input, choice }} = {TABLE};
    const able = input.able();
    const lit = choice.places();
    return [...board.pieces.stacks].flatMap(([place, ids]) => ids.filter((id) => able.has(id) || lit.has(place)));
}}"""


def random_record(game_id: str, seed: int, plies: int) -> str:
    """The record of a random game up to a decision of a person after some actions."""
    session, chosen = Session(load(game_id), SeededDice(seed)), random.Random(seed)
    while session.actor != OVER and (len(session.actions) < plies or session.actor == CHANCE):
        if session.actor == CHANCE:
            session.roll()
        else:
            session.play(session.actor, chosen.choice(legal(session.state)))
    return session.record().text()


@pytest.mark.parametrize("game_id", ["target-arnhem", "bulge", "deadly-woods", "ardennes44"])
def test_a_click_on_a_counter_only_names_or_takes_up(page: Page, server: Server, game_id: str) -> None:
    """On a unit that can be chosen or in a lit place: what is played is a naming that an action takes back (T-29)."""
    tried = 0
    for seed in range(POSITIONS):
        made = api(server.url, "games/import", {"record": random_record(game_id, seed, 25 + 40 * seed), "name": "x"})
        table = Table(page, server.url)
        table.open(made["id"])
        lit = page.evaluate(ON_MAP)
        units = random.Random(seed).sample(lit, k=min(CLICKS, len(lit)))
        for unit in units:
            offered = {action["text"]: action for action in table.legal}
            before = table.ply
            table.click_unit(unit)
            page.wait_for_function(f"() => !{TABLE}.game.busy && !{TABLE}.game.playing")
            new = table.state("entries")[before:]
            assert not any(entry.get("roll") for entry in new), (unit, new)
            assert all(is_revocable(offered.get(entry["action"])) for entry in new), (unit, new)
            tried += 1
            if new:
                page.keyboard.press("u")
                page.wait_for_function(f"(before) => {TABLE}.game.snapshot.ply === before", arg=before)
    assert tried


def is_revocable(action: dict[str, object] | None) -> bool:
    """Whether an action only names something or takes a unit up."""
    return action is not None and bool(action["names"] or action["verb"] in ("select", "drop", "cancel"))
