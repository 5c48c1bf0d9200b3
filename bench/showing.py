"""How long a computer's turn is shown at the default pace, without thinking and own rolls: the goal is 20 seconds.

python -m bench showing
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

from bench.clicks import TABLE, open_game, windows

GOAL = 20.0
LEVEL = "captain"
DEFAULT_PACE = "localStorage.setItem('salient', JSON.stringify({ lang: 'en', confirmEnd: false }))"
# The person sits on the side that moves second, and the whole first turn is watched.
GAMES: dict[str, dict[str, Any]] = {
    "target-arnhem": {"person": "german", "options": {"supply-zones": "historical"}},
    "bulge": {"person": "allied", "options": {}},
    "deadly-woods": {"person": "allied", "options": {}},
    "ardennes44": {"person": "allied", "options": {}, "scenario": "six-turns"},
}
WATCH = f"""() => {{
    window.stretches = [0];
    let last = performance.now();
    setInterval(() => {{
        const {{ game }} = {TABLE};
        const now = performance.now();
        const own = game.showtime.step && !game.showtime.step.part;
        if (game.playing && !own) window.stretches[window.stretches.length - 1] += now - last;
        else if (game.choosing && window.stretches.at(-1)) window.stretches.push(0);
        last = now;
    }}, 10);
}}"""
# What ends the decision, else the first thing that can be done and takes nothing back.
PLAY_ON = f"""() => {{
    const {{ game }} = {TABLE};
    const {{ legal }} = game.snapshot;
    const onward = legal.find(({{ role }}) => role !== "take-back");
    return game.play((legal.find(({{ ends }}) => ends === "decision") ?? onward).text);
}}"""


@dataclass(frozen=True)
class Shown:
    """Seconds of showing in a turn: in all, and between two decisions of the person at most."""

    whole: float
    longest: float
    actions: int


def first_turn(page: Page, url: str, game: str, person: str, **body: Any) -> Shown:
    """Watch the computer's first turn, and hold up nothing."""
    other = {"allied": "axis" if game == "bulge" else "german", "german": "allied"}[person]
    seats = {person: "human", other: f"bot:{LEVEL}"}
    open_game(page, url, game=game, seats=seats, rests=False, **body)
    page.evaluate(WATCH)
    while page.evaluate(f"{TABLE}.game.snapshot.view.turn") == 1:
        page.wait_for_function(f"() => {TABLE}.game.choosing || {TABLE}.game.snapshot.view.turn > 1")
        if page.evaluate(f"{TABLE}.game.choosing"):
            page.evaluate(PLAY_ON)
    page.wait_for_function(f"() => !{TABLE}.game.playing")
    seconds = [each / 1000 for each in page.evaluate("window.stretches")]
    actions = page.evaluate(f"(seat) => {TABLE}.game.entries.filter((entry) => entry.seat === seat).length", other)
    return Shown(sum(seconds), max(seconds), actions)


def main(only: str = "") -> int:
    """Print the seconds of each game."""
    with windows(DEFAULT_PACE) as (new_page, url):
        for game, body in GAMES.items():
            if only not in game:
                continue
            page = new_page()
            shown = first_turn(page, url, game, **body)
            page.context.close()
            print(
                f"{game}: {shown.whole:.1f} s shown in turn 1 ({shown.actions} actions of the {LEVEL}), at most "
                f"{shown.longest:.1f} s between two decisions; goal {GOAL:g} s",
                flush=True,
            )
    return 0
