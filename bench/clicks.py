"""How many inputs a sensible player needs in the browser: every click, drag and key counts, looking around does not."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Page, sync_playwright

from bench.frames import FLAGS
from bench.serving import ServerProcess

TABLE = "document.querySelector('salient-table')"
RESTS = f"() => {{ const g = {TABLE}?.game; return g?.snapshot && !g.busy && !g.playing }}"
QUICK = "localStorage.setItem('salient', JSON.stringify({ lang: 'en', pace: 0, hoverFan: false }))"
WEST = 6
MOST_ATTACKS = 3
PATIENCE = 180_000


class Hand:
    """A hand at the table that counts what it does."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.inputs = 0

    def rest(self) -> None:
        """Wait until the table rests; what others do takes its time."""
        self.page.wait_for_function(RESTS)

    def look(self, expression: str, *args: Any) -> Any:
        """Something that the player sees."""
        return self.page.evaluate(expression, *args)

    def point_of(self, place: str) -> tuple[float, float]:
        """Where a place lies in the window, after moving the map there."""
        script = f"""(place) => {{
            const {{ board, sight }} = {TABLE};
            board.reveal(place);
            const at = sight.inWindow(place);
            if (board.viewport.contains(document.elementFromPoint(at.x, at.y))) return [at.x, at.y];
            board.goTo(place);
            return Object.values(sight.inWindow(place));
        }}"""
        x, y = self.look(script, place)
        return x, y

    def click(self, place: str) -> None:
        """Click a place or the counter that lies on it."""
        self.page.mouse.click(*self.point_of(place))
        self.inputs += 1
        self.rest()

    def key(self, key: str) -> None:
        """Press a key."""
        self.page.keyboard.press(key)
        self.inputs += 1
        self.rest()

    def press(self, selector: str) -> None:
        """Press a button."""
        self.page.locator(selector).first.click()
        self.inputs += 1
        self.rest()

    def box(self, places: list[str]) -> None:
        """Draw a box around places with the right button."""
        self.look(f"(place) => {TABLE}.board.goTo(place)", places[0])
        points = [self.look(f"(place) => Object.values({TABLE}.sight.inWindow(place))", place) for place in places]
        reach = 0.5 * self.look(f"{TABLE}.sight.hexOnScreen()")
        left, right = min(x for x, _ in points) - reach, max(x for x, _ in points) + reach
        top, bottom = min(y for _, y in points) - reach, max(y for _, y in points) + reach
        self.page.mouse.move(left, top)
        self.page.mouse.down(button="right")
        self.page.mouse.move(right, bottom, steps=4)
        self.page.mouse.up(button="right")
        self.inputs += 1
        self.rest()


# ---- what a sensible player does ---------------------------------------------------------------------

FORMATIONS = f"""() => {{
    const {{ game, choice, board }} = {TABLE};
    const tops = [...board.pieces.stacks.values()].map((ids) => ids.at(-1)).filter((id) => choice.allUnits().has(id));
    const found = {{}};
    for (const id of tops) (found[game.components.units[id].formation ?? id] ??= []).push(game.shown.units[id].where);
    return found;
}}"""


def order_formation(hand: Hand, place: str, goal: str) -> None:
    """Take up a unit, gather its formation, show it the goal, confirm."""
    hand.click(place)
    hand.key("g")
    hand.page.wait_for_function(f"() => {TABLE}.group.size > 0")
    hand.page.mouse.click(*hand.point_of(goal))
    hand.inputs += 1
    hand.page.wait_for_function(f"() => {TABLE}.group.plan")
    hand.key("Enter" if hand.look(f"{TABLE}.group.plan.actions.length") else "Escape")


def westward(hand: Hand, place: str) -> str:
    """A hex some columns to the west of a place, where the map has one without own units."""
    column, row = int(place[:2]), place[2:]
    wanted = [f"{column + away:02}{row}" for away in range(WEST, 0, -1)]
    script = f"""(wanted) => {{
        const {{ board, input }} = {TABLE};
        const free = (hex) => !(board.pieces.stacks.get(hex) ?? []).some((id) => input.able().has(id));
        return wanted.find((hex) => board.geometry.has(hex) && free(hex));
    }}"""
    return str(hand.look(script, wanted))


def move_all(hand: Hand, least: int) -> None:
    """Every formation of some size goes west; then the movement ends."""
    done: set[str] = set()
    while True:
        found = hand.look(FORMATIONS)
        sizes = hand.look(SIZES)
        name = next((f for f in found if f not in done and sizes.get(f, 0) >= least), None)
        if name is None:
            break
        done.add(name)
        order_formation(hand, found[name][0], westward(hand, found[name][0]))
    end(hand)


SIZES = f"""() => {{
    const {{ game, choice }} = {TABLE};
    const sizes = {{}};
    for (const id of choice.allUnits()) {{
        const name = game.components.units[id].formation ?? id;
        sizes[name] = (sizes[name] ?? 0) + 1;
    }}
    return sizes;
}}"""


def end(hand: Hand) -> None:
    """Press what ends the decision, twice if it asks."""
    before = hand.look(f"{TABLE}.game.snapshot.seen")
    hand.press(".foot .action")
    if hand.look(f"{TABLE}.game.snapshot.seen") == before:
        hand.press(".foot .action")


PLANS = f"""(least) => [...{TABLE}.plans.known]
    .filter(([, {{ odds }}]) => odds.attackers.length >= least && odds.expected.defender > odds.expected.attacker)
    .map(([target, {{ odds, units }}]) => ({{ target, guns: odds.support?.units.length ?? 0,
        places: [...new Set([...units].map((id) => {TABLE}.game.shown.units[id].where))] }}))"""


def attack(hand: Hand, plan: dict[str, Any]) -> None:
    """Box the attackers and their guns, click the target, click it again: the die falls."""
    hand.box(plan["places"])
    hand.click(plan["target"])
    hand.click(plan["target"])


# ---- the measures --------------------------------------------------------------------------------------


def open_game(page: Page, url: str, rests: bool = True, **body: Any) -> Hand:
    """A new game, opened in the browser; `rests` waits until nothing is shown any more."""
    made = httpx.post(f"{url}/api/games", json=body, timeout=60).raise_for_status().json()
    page.goto(f"{url}/#game/{made['id']}")
    page.wait_for_selector("action-panel .prompt")
    hand = Hand(page)
    if rests:
        hand.rest()
    return hand


def ardennes_movement(page: Page, url: str) -> int:
    """The German movement of turn 1 in Ardennes '44: every division is given an order."""
    hand = open_game(page, url, game="ardennes44", scenario="six-turns", options={})
    move_all(hand, least=2)
    return hand.inputs


def big_attack(page: Page, url: str) -> int:
    """An attack with four units and a gun in Ardennes '44, to the roll."""
    hand = open_game(page, url, game="ardennes44", scenario="six-turns", options={})
    end(hand)
    page.wait_for_function(f"() => {TABLE}.plans.known.size > 0")
    before, ply = hand.inputs, hand.look(f"{TABLE}.game.snapshot.ply")
    plan = next(plan for plan in hand.look(PLANS, 4) if plan["guns"])
    attack(hand, plan)
    page.wait_for_function(
        f"(ply) => {TABLE}.game.entries.slice(ply).some(({{ roll }}) => roll)", arg=ply, timeout=PATIENCE
    )
    verbs = hand.look(f"(ply) => {TABLE}.game.entries.slice(ply).map(({{ action }}) => action.split(' ')[0])", ply)
    assert verbs.count("join") >= 4, verbs
    assert "support" in verbs, verbs
    return hand.inputs - before


def woods_turn(page: Page, url: str) -> int:
    """Turn 1 of The Deadly Woods as the German against a computer: formations move, the best attacks are made."""
    seats = {"german": "human", "allied": "bot:greedy"}
    hand = open_game(page, url, game="deadly-woods", options={}, seats=seats)
    attacks: dict[str, int] = {}
    while hand.look(f"{TABLE}.game.snapshot.view.turn") == 1 and not hand.look(f"{TABLE}.game.over"):
        page.wait_for_function(f"() => {TABLE}.game.choosing || {TABLE}.game.snapshot.view.turn > 1")
        if hand.look(f"{TABLE}.game.choosing"):
            decide(hand, attacks)
    assert attacks, "nobody was attacked"
    return hand.inputs


def decide(hand: Hand, attacks: dict[str, int]) -> None:
    """One decision of The Deadly Woods."""
    key, heading = hand.look(f"[{TABLE}.game.snapshot.prompt.key, {TABLE}.game.snapshot.heading]")
    if key == "select-mover":
        return move_all(hand, least=3)
    if key == "choose-combat":
        hand.page.wait_for_function(f"() => {TABLE}.plans.known.size || !{TABLE}.choice.openings().length")
        plans = hand.look(PLANS, 2)
        if plans and attacks.get(heading, 0) < MOST_ATTACKS:
            attacks[heading] = attacks.get(heading, 0) + 1
            return attack(hand, plans[0])
        return end(hand)
    return press_first(hand)


ONWARD = ".actions > .action"  # second thoughts lie in a box of their own


def press_first(hand: Hand) -> None:
    """The first button that is offered and takes nothing back; else the first lit place or unit."""
    if hand.page.locator(ONWARD).count():
        return hand.press(ONWARD)
    place = hand.look(f"{TABLE}.sight.choosable()[0]")
    return hand.click(place)


GOALS: dict[str, tuple[Callable[[Page, str], int], int]] = {
    "Ardennes '44, German movement of turn 1": (ardennes_movement, 80),
    "Ardennes '44, an attack with four units and a gun": (big_attack, 4),
    "The Deadly Woods, turn 1": (woods_turn, 60),
}


@contextmanager
def windows(settings: str) -> Iterator[tuple[Callable[[], Page], str]]:
    """A server and a browser: what opens a new window with its own settings, and the server's address."""
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = ServerProcess(Path(data))
        server.start()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)

        def new_page() -> Page:
            context = browser.new_context(viewport={"width": 1280, "height": 800})
            context.add_init_script(settings)
            context.set_default_timeout(PATIENCE)
            return context.new_page()

        try:
            yield new_page, server.url
        finally:
            browser.close()
            server.kill()


def main(only: str = "") -> int:
    """Measure all; 1 if a goal is missed."""
    missed = 0
    with windows(QUICK) as (new_page, url):
        for name, (measure, goal) in GOALS.items():
            if only not in name:
                continue
            page = new_page()
            inputs = measure(page, url)
            page.context.close()
            missed += inputs > goal
            print(f"{name}: {inputs} inputs, goal {goal}{'' if inputs <= goal else ': missed'}", flush=True)
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
