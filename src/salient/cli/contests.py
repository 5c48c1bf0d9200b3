"""Tournaments of computer players, and the explorer of openings."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from salient.cli.shared import (
    GameName,
    Jobs,
    Json,
    Options,
    ScenarioName,
    chosen_options,
    err,
    out,
    print_json,
    with_progress,
)
from salient.cli.studies import Where
from salient.games import load
from salient.kernel import State, step

if TYPE_CHECKING:
    from salient.lab.explore import Book, Tried
    from salient.lab.tournament import Standing


def tournament(
    game: GameName,
    players: Annotated[str, typer.Option("--players", help="Two or more, separated by commas: levels or cmd:./mybot.")],
    games: Annotated[
        int, typer.Option("--games", min=1, help="Games of each pair and seating, with the same dice.")
    ] = 10,
    folder: Annotated[Path, typer.Option("--out", help="Where results are kept; called again, it goes on.")] = Path(
        "tournament"
    ),
    scenario: ScenarioName = "",
    option: Options = None,
    seed: Annotated[int, typer.Option("--seed", help="Games repeat by their seed.")] = 1,
    seconds: Annotated[float, typer.Option("--seconds", min=0.05, help="For each decision of a program.")] = 10.0,
    jobs: Jobs = 1,
    where: Where = "",
    as_json: Json = False,
) -> None:
    """Let everybody meet everybody on both sides: ratings with error bars and a crosstable."""
    from salient.lab.executors import executor
    from salient.lab.runner import open_journal, run_study
    from salient.lab.tournament import standing
    from salient.lab.tournament import tournament as drawn_up

    options = tuple(chosen_options(option).items())
    study = drawn_up(game, players.split(","), games, folder, scenario, options, seed, seconds)
    journal = open_journal(study)
    place = executor(where, jobs)
    try:
        with err.status(f"{study.title}, {len(study.cells) * games} games"):
            rows = run_study(study, place, journal)
    finally:
        place.close()
        journal.close()
    table = standing(study, rows)
    if as_json:
        print_json(asdict(table))
    else:
        _print_standing(table)
        for row in rows:
            if row["fault"]:
                err.print(f"Game {row['cell']}/{row['index']}: {row['fault']}", style="red", markup=False)


def _print_standing(table: Standing) -> None:
    shown = Table(box=None, header_style="bold")
    columns = ["", "rating", "±", "games", "score", *(str(i) for i in range(1, len(table.ratings) + 1))]
    for i, column in enumerate(columns):
        shown.add_column(column, justify="left" if i == 0 else "right")
    for i, rating in enumerate(table.ratings, start=1):
        against = []
        for other in table.ratings:
            points, count = table.cross[rating.player].get(other.player, (0.0, 0))
            against.append(f"{points:g}/{count}" if other is not rating else "-")
        figures = (f"{rating.rating:+.0f}", f"{rating.error:.0f}", str(rating.games), f"{rating.score:.0%}")
        shown.add_row(f"{i} {rating.player}", *figures, *against)
    out.print(shown)
    out.print(f"The side {table.seat} is worth {table.edge:+.0f} ± {table.edge_error:.0f}.", markup=False)


def explore(
    game: GameName,
    sources: Annotated[list[Path], typer.Argument(help="Records, folders of records, or results of studies.")],
    moves: Annotated[str, typer.Option("--moves", help="Actions from the start, separated by ';'.")] = "",
    depth: Annotated[int, typer.Option("--depth", min=1, max=40, help="How many actions of the tree to show.")] = 1,
    least: Annotated[int, typer.Option("--least", min=1, help="Only what was tried in so many games.")] = 1,
    scenario: ScenarioName = "",
    option: Options = None,
    as_json: Json = False,
) -> None:
    """Show openings as a tree: what was tried, how often, with what result."""
    from salient.lab.explore import Book, records_in

    played = load(game)
    texts = [text for text in moves.split(";") if text.strip()]
    book = Book(played, max(60, len(texts) + depth))
    found = list(records_in(sources, game))
    for record in with_progress(found, len(found), "records"):
        book.add(record)
    state = played.new(scenario, chosen_options(option))
    for text in texts:
        state = step(state, played.read(text))
    if as_json:
        print_json([_as_json(book, level, text, tried) for level, _, text, tried in book.lines(state, depth, least)])
        return
    _print_tree(book, state, depth, least)
    for fault in book.faults:
        err.print(fault, style="yellow", markup=False)


def _as_json(book: Book, level: int, text: str, tried: Tried) -> dict[str, object]:
    return {"level": level, "action": text, "games": tried.games} | {
        seat: asdict(tried.rate(seat)) for seat in book.game.seats
    }


def _print_tree(book: Book, state: State, depth: int, least: int) -> None:
    from salient.lab.explore import is_roll

    shown = Table(box=None, header_style="bold")
    for column in ("action", "games", *(f"won by {seat}" for seat in book.game.seats)):
        shown.add_column(column, justify="left" if column == "action" else "right")
    for level, where, text, tried in book.lines(state, depth, least):
        rates = [f"{rate.rate:.0%} ({rate.low:.0%} to {rate.high:.0%})" for rate in map(tried.rate, book.game.seats)]
        shown.add_row("  " * level + text, str(tried.games), *rates, style="dim" if is_roll(where) else "")
    out.print(shown)
    out.print(f"{book.games} games.")
