"""How long a computer's turns are shown at the default pace, without thinking and own rolls: the goal is 20 seconds.

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
TURNS = 2
# Whoever the person does not play is the computer. Ardennes '44 is watched from both sides.
GAMES: list[tuple[str, str, dict[str, Any]]] = [
    ("target-arnhem", "german", {"options": {"supply-zones": "historical"}}),
    ("bulge", "allied", {"options": {}}),
    ("deadly-woods", "allied", {"options": {}}),
    ("ardennes44", "allied", {"options": {}, "scenario": "six-turns"}),
    ("ardennes44", "german", {"options": {}, "scenario": "six-turns"}),
]
# By turn, how long each stretch between two decisions of the person was; own rolls are not counted.
WATCH = f"""() => {{
    window.stretches = {{}};
    let last = performance.now();
    setInterval(() => {{
        const {{ game }} = {TABLE};
        const now = performance.now();
        const own = game.showtime.step && !game.showtime.step.part;
        const turn = (window.stretches[game.shown.turn] ??= [0]);
        if (game.playing && !own) turn[turn.length - 1] += now - last;
        else if (game.choosing && turn.at(-1)) turn.push(0);
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

    turn: int
    whole: float
    longest: float


def first_turns(page: Page, url: str, game: str, person: str, **body: Any) -> list[Shown]:
    """Watch the computer's first turns, and hold up nothing."""
    other = {"allied": "axis" if game == "bulge" else "german", "german": "allied"}[person]
    seats = {person: "human", other: f"bot:{LEVEL}"}
    open_game(page, url, game=game, seats=seats, rests=False, **body)
    page.evaluate(WATCH)
    ended = f"({TABLE}.game.over || {TABLE}.game.snapshot.view.turn > {TURNS})"
    while not page.evaluate(ended):
        page.wait_for_function(f"() => {TABLE}.game.choosing || {ended}")
        if page.evaluate(f"{TABLE}.game.choosing"):
            page.evaluate(PLAY_ON)
    page.wait_for_function(f"() => !{TABLE}.game.playing")
    stretches = page.evaluate("window.stretches")
    turns = [(int(turn), each) for turn, each in stretches.items() if int(turn) <= TURNS]
    return [Shown(turn, sum(each) / 1000, max(each) / 1000) for turn, each in turns]


def main(only: str = "") -> int:
    """Print the seconds of each game; 1 if a turn is shown for longer than the goal."""
    missed = 0
    with windows(DEFAULT_PACE) as (new_page, url):
        for game, person, body in GAMES:
            if only not in game:
                continue
            page = new_page()
            for shown in first_turns(page, url, game, person, **body):
                missed += shown.whole > GOAL
                print(
                    f"{game}, seen by the {person}: {shown.whole:.1f} s shown in turn {shown.turn}, at most "
                    f"{shown.longest:.1f} s between two decisions; goal {GOAL:g} s",
                    flush=True,
                )
            page.context.close()
    return int(bool(missed))
