"""Measure everything and print it beside its goal."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bench import latency, matches, playouts, states
from salient.games import games, load

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


def figures(game_ids: tuple[str, ...], rounds: int, tick: Callable[[], None]) -> list[Figure]:
    """Every figure, the fast ones first."""
    paces = playouts.rates(game_ids, rounds, tick)
    found = [Figure("playouts / python-chess", g, paces[g].ratio, 0.5 if g in SMALL else 0.15) for g in game_ids]
    found += scale_figure(game_ids, paces)
    for g, worst in playouts.slowest_steps(game_ids, rounds, tick).items():
        found.append(Figure("p99 step / median of python-chess", g, worst, 15 if g in SMALL else 100, at_most=True))
    for g in game_ids:
        found += position_figures(g)
        tick()
        found.append(Figure("two processes / one", g, matches.two_processes_against_one(g), 1.95))
        tick()
        found += thinking_figures(g)
        tick()
    if latency.GAME in game_ids:
        found.append(
            Figure(
                "server's answer, 50 games open, p95",
                latency.GAME,
                latency.percentiles()[94],
                latency.GOAL_MS,
                True,
                "ms",
            )
        )
    return found


def scale_figure(game_ids: tuple[str, ...], paces: dict[str, playouts.Pace]) -> list[Figure]:
    """The rate with the most counters in ratio to the rate with the fewest, if the games differ in size."""
    counters = {g: len(load(g).components()["units"]) for g in game_ids}
    most, fewest = max(counters, key=counters.__getitem__), min(counters, key=counters.__getitem__)
    if counters[most] < 5 * counters[fewest]:
        return []
    what = f"rate at {counters[most]} counters / at {counters[fewest]}"
    return [Figure(what, f"{most} / {fewest}", paces[most].rate / paces[fewest].rate, 0.5)]


def position_figures(game_id: str) -> list[Figure]:
    """Copying, size and movement range."""
    return [
        Figure("clones for one deepcopy", game_id, states.clone_against_deepcopy(game_id), 500),
        Figure("largest position", game_id, states.json_bytes(game_id) / 1000, 15, at_most=True, unit="kB"),
        Figure("movement range / bare search", game_id, states.range_against_search(game_id), 1.5, at_most=True),
    ]


def thinking_figures(game_id: str) -> list[Figure]:
    """The computer players' time for one player-turn."""
    goal = 0.3 if game_id in SMALL else 1.5
    return [
        Figure(f"{level}, one player-turn", game_id, matches.thinking(game_id, level), goal, at_most=True, unit="s")
        for level in matches.levels()
    ]


def table(found: list[Figure]) -> Table:
    """The figures beside their goals."""
    shown = Table(title="Salient, measured in one run", header_style="bold")
    for column in ("measure", "game", "figure", "goal", ""):
        shown.add_column(column, justify="right" if column in ("figure", "goal") else "left")
    for figure in sorted(found, key=lambda each: each.game):
        bound = "at most" if figure.at_most else "at least"
        shown.add_row(
            figure.measure,
            figure.game,
            f"{figure.value:.3g} {figure.unit}".rstrip(),
            f"{bound} {figure.goal:g} {figure.unit}".rstrip(),
            "[green]met[/]" if figure.met else "[yellow]not met[/]",
        )
    return shown


def main() -> None:
    """Run all benchmarks."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure the engine against python-chess.")
    parser.add_argument("--game", action="append", choices=games(), help="only this game; may be repeated")
    parser.add_argument("--rounds", type=int, default=5, help="interleaved rounds of playouts (5)")
    parser.add_argument("--json", action="store_true", help="write JSON for programs")
    arguments = parser.parse_args()
    game_ids = tuple(arguments.game or games())
    ticks = arguments.rounds * (2 * len(game_ids) + 1) + 3 * len(game_ids)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("Measuring", total=ticks)
        found = figures(game_ids, arguments.rounds, lambda: progress.advance(task))
    if arguments.json:
        print(json.dumps([asdict(figure) | {"met": figure.met} for figure in found], indent=2))
    else:
        Console(width=110).print(table(found))


if __name__ == "__main__":
    main()
