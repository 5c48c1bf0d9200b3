"""Measure everything and print it beside its goal."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bench import (
    adapters,
    clicking,
    clicks,
    executors,
    growth,
    judging,
    latency,
    matches,
    playouts,
    reaction,
    showing,
    states,
)
from salient.games import game_ids, load
from salient.text import languages, phrase

SMALL = ("target-arnhem", "bulge")
PLAYOUTS = {"target-arnhem": 0.9, "bulge": 0.8, "deadly-woods": 0.4, "ardennes44": 0.2}
THINKING = {"target-arnhem": 0.15, "bulge": 0.5, "deadly-woods": 0.5, "ardennes44": 1.5}  # seconds a player-turn


@dataclass(frozen=True)
class Figure:
    """One measured figure with its goal: at least, or at most; `of` is what the measure is of, such as a bot."""

    measure: str
    game: str
    value: float
    goal: float
    at_most: bool = False
    unit: str = ""
    of: str = ""
    peer: float | None = None  # what the best comparable program reaches

    @property
    def met(self) -> bool:
        """Whether the goal is reached."""
        return self.value <= self.goal if self.at_most else self.value >= self.goal


Tick = Callable[[], None]


def figures(game_ids: tuple[str, ...], rounds: int, measures: tuple[str, ...], tick: Tick) -> list[Figure]:
    """The figures of the measures named, in the order of MEASURES."""
    return [
        figure for name, measure in MEASURES.items() if name in measures for figure in measure(game_ids, rounds, tick)
    ]


def playout_figures(game_ids: tuple[str, ...], rounds: int, tick: Tick) -> list[Figure]:
    """Random games, as a whole and by their slowest steps."""
    paces = playouts.rates(game_ids, rounds, tick)
    found = [Figure("playouts", g, paces[g].ratio, PLAYOUTS[g], peer=0.49 if g in SMALL else 0.14) for g in game_ids]
    found += scale_figure(game_ids, paces)
    for g, worst in playouts.slowest_steps(game_ids, rounds, tick).items():
        small = g in SMALL
        found.append(Figure("slowest", g, worst, 15 if small else 60, at_most=True, peer=15 if small else 26))
    return found


def scale_figure(game_ids: tuple[str, ...], paces: dict[str, playouts.Pace]) -> list[Figure]:
    """The rate with the most counters in ratio to the rate with the fewest, if the games differ in size."""
    counters = {g: len(load(g).components()["units"]) for g in game_ids}
    most, fewest = max(counters, key=counters.__getitem__), min(counters, key=counters.__getitem__)
    if counters[most] < 5 * counters[fewest]:
        return []
    ratio = paces[most].rate / paces[fewest].rate
    return [Figure("scale", f"{most} / {fewest}", ratio, 0.5, of=f"{counters[most]} / {counters[fewest]}")]


def position_figures(game_ids: tuple[str, ...], rounds: int, tick: Tick) -> list[Figure]:
    """Copying, size and movement range."""
    found = []
    for g in game_ids:
        found += [
            Figure("clones", g, states.clone_against_deepcopy(g), 500),
            Figure("largest", g, states.json_bytes(g) / 1000, 15, at_most=True, unit="kB"),
            Figure("range", g, states.range_against_search(g), 1.5, at_most=True),
        ]
        tick()
    return found


def loading_figures(game_ids: tuple[str, ...], rounds: int, tick: Tick) -> list[Figure]:
    """How long it takes to load a game, and to see its map."""
    found = []
    for g in game_ids:
        found.append(Figure("loading", g, states.seconds_to_load(g, rounds), 0.25, at_most=True, unit="s"))
        found.append(Figure("look", g, clicking.seconds_to_first_look(g, rounds), 1, at_most=True, unit="s"))
        tick()
    return found


def process_figures(game_ids: tuple[str, ...], rounds: int, tick: Tick) -> list[Figure]:
    """Batches of games on two processes."""
    found = []
    for g in game_ids:
        found.append(Figure("processes", g, matches.two_processes_against_one(g), 1.95, peer=1.98))
        tick()
    return found


def executor_figures(game_ids: tuple[str, ...], rounds: int, tick: Tick) -> list[Figure]:
    """Studies on two workers: processes, Dask, Ray."""
    found = []
    for g in game_ids:
        for name, ratio in executors.two_workers_against_one(g).items():
            found.append(Figure("executor", g, ratio, 1.95 if name == "processes" else 1.3, of=name))
        tick()
    return found


def adapter_figures(game_ids: tuple[str, ...], rounds: int, tick: Tick) -> list[Figure]:
    """What the researchers' environment adds to the engine."""
    found = []
    for g in game_ids:
        ratio = adapters.pettingzoo_against_engine(g)
        found.append(Figure("pettingzoo", g, ratio, 2, at_most=True, peer=28))
        tick()
    return found


def judging_figures(game_ids: tuple[str, ...], rounds: int, tick: Tick) -> list[Figure]:
    """What an evaluation costs."""
    times = judging.microseconds(game_ids, rounds)
    return [Figure("judging", g, times[g], 50, at_most=True, unit="µs") for g in game_ids]


def growth_figures(game_ids: tuple[str, ...], rounds: int, tick: Tick) -> list[Figure]:
    """How cost grows with pieces and with plies, whatever games are chosen."""
    rates = growth.rates_by_pieces(rounds)
    fewest = growth.PIECES[0]
    found = [
        Figure("pieces", growth.GAME, rates[n] / rates[fewest], 0.5, of=f"{n} / {fewest}") for n in growth.PIECES[1:]
    ]
    costs = growth.session_by_plies()
    first = growth.PLIES[0]
    for n in growth.PLIES[1:]:
        ratio = costs[n] / costs[first]
        found.append(Figure("plies", growth.SESSION, ratio, 1.5, at_most=True, of=f"{n} / {first}"))
    return found


def thinking_figures(game_ids: tuple[str, ...], rounds: int, tick: Tick) -> list[Figure]:
    """The computer players' processor time for one player-turn."""
    found = []
    for g in game_ids:
        peer = 0.56 if g in SMALL else 3.1
        for level in matches.LEVELS:
            seconds = matches.thinking(g, level)
            found.append(Figure("thinking", g, seconds, THINKING[g], at_most=True, unit="s", of=level, peer=peer))
        tick()
    return found


def server_figures(game_ids: tuple[str, ...], rounds: int, tick: Tick) -> list[Figure]:
    """How soon the server answers while many games are open."""
    if latency.GAME not in game_ids:
        return []
    milliseconds = latency.percentiles()[94]
    return [Figure("server", latency.GAME, milliseconds, latency.GOAL_MS, True, "ms")]


def clicking_figures(game_ids: tuple[str, ...], rounds: int, tick: Tick) -> list[Figure]:
    """What a click costs the server, and how long its answer is."""
    found = []
    for g in game_ids:
        costs = clicking.costs(g)
        found += [
            Figure("click", g, costs.click, 5, at_most=True, unit="ms"),
            Figure("message", g, costs.message, 10, at_most=True, unit="kB"),
            Figure("pick", g, costs.pick, 30, at_most=True, unit="ms"),
        ]
        tick()
    return found


def starting_figures(game_ids: tuple[str, ...], rounds: int, tick: Tick) -> list[Figure]:
    """How soon the list of games is there, on the command line and from the server."""
    started, listed = clicking.seconds_to_start(rounds)
    return [
        Figure("games", "", clicking.seconds_to_list_games(rounds), 0.3, at_most=True, unit="s"),
        Figure("start", "", started, 1, at_most=True, unit="s"),
        Figure("library", "", listed, 0.3, at_most=True, unit="s"),
    ]


BROWSER = {"clicks": clicks.main, "showing": showing.main, "reaction": reaction.main}
MEASURES = {
    "playouts": playout_figures,
    "positions": position_figures,
    "loading": loading_figures,
    "processes": process_figures,
    "executors": executor_figures,
    "adapters": adapter_figures,
    "judging": judging_figures,
    "growth": growth_figures,
    "thinking": thinking_figures,
    "server": server_figures,
    "clicking": clicking_figures,
    "starting": starting_figures,
}


Earlier = dict[tuple[str, str, str], float]  # figures of an earlier version, by measure, game and what it is of


def read_earlier(file: Path) -> Earlier:
    """The figures that `--json` wrote."""
    return {(each["measure"], each["game"], each["of"]): each["value"] for each in json.loads(file.read_text("utf-8"))}


def table(found: list[Figure], lang: str, earlier: Earlier) -> Table:
    """The figures beside those of an earlier version, their goals and what others reach."""
    shown = Table(title=phrase("bench-title", lang), header_style="bold")
    for column in ("measure", "game", "earlier", "figure", "goal", "peer"):
        shown.add_column(phrase(f"bench-{column}", lang), justify="left" if column in ("measure", "game") else "right")
    shown.add_column("")
    for figure in sorted(found, key=lambda each: each.game):
        bound = phrase("bench-at-most" if figure.at_most else "bench-at-least", lang)
        before = earlier.get((figure.measure, figure.game, figure.of))
        shown.add_row(
            phrase(f"bench-{figure.measure}", lang, text=figure.of),
            figure.game,
            "" if before is None else f"{before:.3g} {figure.unit}".rstrip(),
            f"{figure.value:.3g} {figure.unit}".rstrip(),
            f"{bound} {figure.goal:g} {figure.unit}".rstrip(),
            "" if figure.peer is None else f"{figure.peer:g} {figure.unit}".rstrip(),
            f"[green]{phrase('bench-met', lang)}[/]" if figure.met else f"[yellow]{phrase('bench-missed', lang)}[/]",
        )
    return shown


def main() -> None:
    """Run all benchmarks."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure the engine against python-chess.")
    parser.add_argument("what", nargs="?", choices=BROWSER, help="in the browser: inputs, showing of turns, reaction")
    parser.add_argument("--game", action="append", choices=game_ids(), help="only this game; may be repeated")
    parser.add_argument("--measure", action="append", choices=MEASURES, help="only this; may be repeated")
    parser.add_argument("--rounds", type=int, default=5, help="interleaved rounds of playouts (5)")
    parser.add_argument("--earlier", type=Path, help="figures of an earlier version, as --json wrote them")
    parser.add_argument("--json", action="store_true", help="write JSON for programs")
    parser.add_argument("--lang", choices=languages(), default="en", help="language of the table (en)")
    arguments = parser.parse_args()
    if arguments.what:
        sys.exit(BROWSER[arguments.what]())
    chosen = tuple(arguments.game or game_ids())
    measures = tuple(arguments.measure or MEASURES)
    rounds_of_play = arguments.rounds * (2 * len(chosen) + 1) if "playouts" in measures else 0
    ticks = rounds_of_play + len(chosen) * len(
        {"positions", "loading", "processes", "executors", "adapters", "thinking", "clicking"}.intersection(measures)
    )
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("Measuring", total=ticks)
        found = figures(chosen, arguments.rounds, measures, lambda: progress.advance(task))
    if arguments.json:
        print(json.dumps([asdict(figure) | {"met": figure.met} for figure in found], indent=2))
    else:
        earlier = read_earlier(arguments.earlier) if arguments.earlier else {}
        Console(width=120).print(table(found, arguments.lang, earlier))


if __name__ == "__main__":
    main()
