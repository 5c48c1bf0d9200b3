"""From the click to the board that shows what it did, in Ardennes '44: median 50 ms and p95 120 ms are the goals.

python -m bench reaction
"""

from __future__ import annotations

import os
import statistics

from playwright.sync_api import Page, TimeoutError

from bench.clicks import QUICK, TABLE, Hand, open_game, windows

UNITS = 60
LONGEST = 5000
PAUSE = 250  # between two clicks of a quick player, in milliseconds
MEDIAN, SLOW = 50.0, 120.0
# Between looks, in milliseconds: looking at every frame would make the browser draw frames that nobody needs.
POLLING = 20
# The time of the event, not of its handler: what the click waits for in the browser counts, too. A reaction is
# there once the frame that shows it has been made: the first change of the board, and all that the answer did to it.
LISTEN = f"""() => {{
    const table = {TABLE};
    window.reactions = [];
    window.signs = [];
    let signless = null;
    const drawn = (event, times) =>
        requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - event.timeStamp)));
    addEventListener("click", (event) => {{
        window.clicked = signless = event;
        const before = table.choiceKey;
        const look = () => {{
            if (window.clicked !== event || table.choiceKey === before || table.game.busy) return;
            table.game.removeEventListener("shown", look);
            drawn(event, window.reactions);
        }};
        table.game.addEventListener("shown", look);
    }}, true);
    new MutationObserver(() => {{
        if (signless) drawn(signless, window.signs);
        signless = null;
    }}).observe(table.board, {{ subtree: true, childList: true, attributes: true }});
}}"""
ALONE = f"""() => {{
    const {{ board, choice }} = {TABLE};
    const alone = [...board.pieces.stacks].filter(([place, ids]) => ids.length === 1 && board.geometry.has(place));
    return alone.filter(([, [id]]) => choice.allUnits().has(id)).map(([place]) => place);
}}"""
NEAR = f"""() => {{
    const {{ board, choice, sight }} = {TABLE};
    const free = [...choice.places()].filter((place) => !board.pieces.stacks.has(place) && board.sees(place));
    return free.find((place) => {{
        const {{ x, y }} = sight.inWindow(place);
        const top = document.elementFromPoint(x, y);
        return board.viewport.contains(top) && !top.closest(".counter");
    }}) ?? null;
}}"""


def clicks(page: Page, url: str) -> tuple[list[float], list[float]]:
    """Milliseconds of every click to its first sign and to all it did: a unit is taken up, then moves to a lit hex."""
    hand = open_game(page, url, game="ardennes44", scenario="six-turns", options={})
    page.wait_for_timeout(3000)  # the map sharpens
    page.evaluate(LISTEN)
    for n in range(UNITS):
        places = hand.look(ALONE)
        if not places:
            break
        react(hand, places[n % len(places)])
        goal = hand.look(NEAR)
        if goal:
            react(hand, goal)
        else:
            hand.key("Escape")
    return page.evaluate("window.signs"), page.evaluate("window.reactions")


def react(hand: Hand, place: str) -> None:
    """Click a place and wait until its reaction was seen; a click that asks for another one is not counted."""
    before = hand.look("window.reactions.length")
    hand.page.mouse.click(*hand.point_of(place))
    try:
        reacted = "(before) => window.reactions.length > before"
        hand.page.wait_for_function(reacted, arg=before, timeout=LONGEST, polling=POLLING)
    except TimeoutError:
        hand.look("window.clicked = null")
        hand.key("Escape")
    hand.page.wait_for_timeout(PAUSE)


def main() -> int:
    """Print median and p95, and how busy the machine was; 1 if a goal is missed."""
    with windows(QUICK) as (new_page, url):
        signs, times = clicks(new_page(), url)
    median, slow = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    print(
        f"{len(times)} clicks: median {median:.0f} ms (goal {MEDIAN:g}), p95 {slow:.0f} ms (goal {SLOW:g}); first sign "
        f"after {statistics.median(signs):.0f} ms; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"
    )
    return int(median > MEDIAN or slow > SLOW)
