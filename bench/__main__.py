"""Measure everything and print it beside its goal."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bench import adapters, executors, latency, matches, playouts, states
from salient.games import game_ids, load
from salient.text import languages, phrase

SMALL = ("target-arnhem", "bulge")


@dataclass(frozen=True)
class Figure:
    """One measured figure with its goal: at least, or at most."""

    measure: str
    game: str
    value: float
    goal: float
    at_most: bool = False
    unit: str = ""

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
    found = [Figure("playouts / python-chess", g, paces[g].ratio, 0.5 if g in SMALL else 0.15) for g in game_ids]
    found += scale_figure(game_ids, paces)
    for g, worst in playouts.slowest_steps(game_ids, rounds, tick).items():
        found.append(Figure("p99 step / median of python-chess", g, worst, 15 if g in SMALL else 100, at_most=True))
    return found


def scale_figure(game_ids: tuple[str, ...], paces: dict[str, playouts.Pace]) -> list[Figure]:
    """The rate with the most counters in ratio to the rate with the fewest, if the games differ in size."""
    counters = {g: len(load(g).components()["units"]) for g in game_ids}
    most, fewest = max(counters, key=counters.__getitem__), min(counters, key=counters.__getitem__)
    if counters[most] < 5 * counters[fewest]:
        return []
    what = f"rate at {counters[most]} counters / at {counters[fewest]}"
    return [Figure(what, f"{most} / {fewest}", paces[most].rate / paces[fewest].rate, 0.5)]


def position_figures(game_ids: tuple[str, ...], rounds: int, tick: Tick) -> list[Figure]:
    """Copying, size and movement range."""
    found = []
    for g in game_ids:
        found += [
            Figure("clones for one deepcopy", g, states.clone_against_deepcopy(g), 500),
            Figure("largest position", g, states.json_bytes(g) / 1000, 15, at_most=True, unit="kB"),
            Figure("movement range / bare search", g, states.range_against_search(g), 1.5, at_most=True),
        ]
        tick()
    return found


def process_figures(game_ids: tuple[str, ...], rounds: int, tick: Tick) -> list[Figure]:
    """Batches of games on two processes."""
    found = []
    for g in game_ids:
        found.append(Figure("two processes / one", g, matches.two_processes_against_one(g), 1.95))
        tick()
    return found


def executor_figures(game_ids: tuple[str, ...], rounds: int, tick: Tick) -> list[Figure]:
    """Studies on two workers: processes, Dask, Ray."""
    found = []
    for g in game_ids:
        for name, ratio in executors.two_workers_against_one(g).items():
            found.append(Figure(f"study on two workers ({name}) / one", g, ratio, 1.95 if name == "processes" else 1.3))
        tick()
    return found


def adapter_figures(game_ids: tuple[str, ...], rounds: int, tick: Tick) -> list[Figure]:
    """What the researchers' environment adds to the engine."""
    found = []
    for g in game_ids:
        ratio = adapters.pettingzoo_against_engine(g)
        found.append(Figure("PettingZoo step / bare engine", g, ratio, 2, at_most=True))
        tick()
    return found


def thinking_figures(game_ids: tuple[str, ...], rounds: int, tick: Tick) -> list[Figure]:
    """The computer players' time for one player-turn."""
    found = []
    for g in game_ids:
        goal = 0.3 if g in SMALL else 1.5
        for level in matches.levels():
            seconds = matches.thinking(g, level)
            found.append(Figure(f"{level}, one player-turn", g, seconds, goal, at_most=True, unit="s"))
        tick()
    return found


def server_figures(game_ids: tuple[str, ...], rounds: int, tick: Tick) -> list[Figure]:
    """How soon the server answers while many games are open."""
    if latency.GAME not in game_ids:
        return []
    milliseconds = latency.percentiles()[94]
    return [Figure("server's answer, 50 games open, p95", latency.GAME, milliseconds, latency.GOAL_MS, True, "ms")]


MEASURES = {
    "playouts": playout_figures,
    "positions": position_figures,
    "processes": process_figures,
    "executors": executor_figures,
    "adapters": adapter_figures,
    "thinking": thinking_figures,
    "server": server_figures,
}


def table(found: list[Figure], lang: str) -> Table:
    """The figures beside their goals."""
    shown = Table(title=phrase("bench-title", lang), header_style="bold")
    for column in ("measure", "game", "figure", "goal"):
        shown.add_column(phrase(f"bench-{column}", lang), justify="right" if column in ("figure", "goal") else "left")
    shown.add_column("")
    for figure in sorted(found, key=lambda each: each.game):
        bound = phrase("bench-at-most" if figure.at_most else "bench-at-least", lang)
        shown.add_row(
            figure.measure,
            figure.game,
            f"{figure.value:.3g} {figure.unit}".rstrip(),
            f"{bound} {figure.goal:g} {figure.unit}".rstrip(),
            f"[green]{phrase('bench-met', lang)}[/]" if figure.met else f"[yellow]{phrase('bench-missed', lang)}[/]",
        )
    return shown


def main() -> None:
    """Run all benchmarks."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure the engine against python-chess.")
    parser.add_argument("--game", action="append", choices=game_ids(), help="only this game; may be repeated")
    parser.add_argument("--measure", action="append", choices=MEASURES, help="only this; may be repeated")
    parser.add_argument("--rounds", type=int, default=5, help="interleaved rounds of playouts (5)")
    parser.add_argument("--json", action="store_true", help="write JSON for programs")
    parser.add_argument("--lang", choices=languages(), default="en", help="language of the table (en)")
    arguments = parser.parse_args()
    chosen = tuple(arguments.game or game_ids())
    measures = tuple(arguments.measure or MEASURES)
    rounds_of_play = arguments.rounds * (2 * len(chosen) + 1) if "playouts" in measures else 0
    ticks = rounds_of_play + len(chosen) * len(
        {"positions", "processes", "executors", "adapters", "thinking"}.intersection(measures)
    )
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("Measuring", total=ticks)
        found = figures(chosen, arguments.rounds, measures, lambda: progress.advance(task))
    if arguments.json:
        print(json.dumps([asdict(figure) | {"met": figure.met} for figure in found], indent=2))
    else:
        Console(width=110).print(table(found, arguments.lang))


if __name__ == "__main__":
    main()
