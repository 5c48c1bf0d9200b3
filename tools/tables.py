"""Take the pictures of the table for the README: `python -m tools.tables [GAME ...]`.

docs/pictures/table-<game>.png, as a player sees it at 1280 by 800. Run it after a change of the client.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import httpx
from bench.frames import FLAGS
from bench.serving import ServerProcess
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parent.parent
TABLE = "document.querySelector('salient-table')"
SETTINGS = "localStorage.setItem('salient', JSON.stringify({ lang: 'en', pace: 0, hoverFan: false }))"
SHARP = f"""() => {{
    const {{ board, game }} = {TABLE};
    const {{ image, imageUrl }} = board;
    return !game.busy && !game.playing && imageUrl && image.complete && image.src.endsWith(imageUrl);
}}"""
PATIENCE = 300_000
Scene = Callable[[Page], None]


def attack_at_arnhem(page: Page) -> None:
    """The first battle of the lesson, with its odds."""
    lesson = json.loads((ROOT / "src/salient/web/lessons/target-arnhem.json").read_text())
    for step in lesson["steps"]:
        for action in [*step.get("auto", []), *step.get("do", [])]:
            if action == "resolve":
                return
            play(page, action)


def battle_with_strips(page: Page) -> None:
    """Fourteen dice against Büllingen."""
    for action in ("attack 0309 0308", "pay 0309", "resolve"):
        play(page, action)
    page.evaluate(f"(faces) => {TABLE}.game.roll(faces)", [12, 1, 1, 2, 8, 9, 10, 11, 12, 8, 9, 10, 11, 7])


def best_attack(page: Page) -> None:
    """The hand rests on a target: what could be brought to bear, and the whole tree of what may come."""
    page.wait_for_function(f"() => {TABLE}.plans.known.size > 0", timeout=PATIENCE)
    script = f"""() => {{
        const {{ plans, board, sight }} = {TABLE};
        const [target] = [...plans.known].sort(([, a], [, b]) => b.units.size - a.units.size)[0];
        board.goTo(target);
        return Object.values(sight.inWindow(target));
    }}"""
    page.mouse.move(*page.evaluate(script))


def ordered_division(page: Page) -> None:
    """1st SS Panzer Division closes up: where each unit would end, before it is carried out."""
    page.evaluate(f"{TABLE}.group.replace({TABLE}.group.formationOf('1SS/1', {TABLE}.input.able()))")
    page.evaluate(f"{TABLE}.board.goTo('0930')")
    page.evaluate(f"{TABLE}.group.go('1029')")
    page.wait_for_selector("[data-key=order]", timeout=PATIENCE)


def play(page: Page, action: str) -> None:
    """Play an action and wait until the table rests."""
    page.evaluate(f"(action) => {TABLE}.game.play(action)", action)
    page.wait_for_function(f"() => !{TABLE}.game.busy && !{TABLE}.game.playing", timeout=PATIENCE)


SCENES: dict[str, tuple[dict[str, object], Scene]] = {
    "target-arnhem": ({"options": {"supply-zones": "historical"}}, attack_at_arnhem),
    "bulge": ({"options": {}}, battle_with_strips),
    "deadly-woods": ({"options": {}}, best_attack),
    "ardennes44": ({"scenario": "six-turns", "options": {}}, ordered_division),
}


def main(games: list[str]) -> None:
    """Take the pictures of some games, or of all."""
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = ServerProcess(Path(data))
        server.start()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        try:
            for game in games or SCENES:
                body, scene = SCENES[game]
                made = httpx.post(f"{server.url}/api/games", json={"game": game, "dice": "typed", **body}, timeout=60)
                page = browser.new_page(viewport={"width": 1280, "height": 800}, locale="en-GB")
                page.add_init_script(SETTINGS)
                page.goto(f"{server.url}/#game/{made.raise_for_status().json()['id']}")
                page.wait_for_selector("action-panel .prompt", timeout=PATIENCE)
                page.wait_for_function(SHARP, timeout=PATIENCE)
                scene(page)
                page.wait_for_timeout(1500)  # counters slide, previews come
                page.screenshot(path=ROOT / "docs" / "pictures" / f"table-{game}.png")
                page.close()
        finally:
            browser.close()
            server.kill()


if __name__ == "__main__":
    main(sys.argv[1:])
