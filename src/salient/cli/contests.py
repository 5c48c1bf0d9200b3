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
    Language,
    Options,
    ScenarioName,
    chosen_options,
    err,
    out,
    print_json,
    with_progress,
)
from salient.cli.studies import Where, fault_line, interval
from salient.games import load
from salient.kernel import State, step
from salient.text import name, phrase

if TYPE_CHECKING:
    from salient.lab.explore import Book, Tried
    from salient.lab.tournament import Standing


def tournament(
    game: GameName,
    players: Annotated[str, typer.Option("--players")],
    games: Annotated[int, typer.Option("--games", min=1)] = 10,
    folder: Annotated[Path, typer.Option("--out")] = Path("tournament"),
    scenario: ScenarioName = "",
    option: Options = None,
    seed: Annotated[int, typer.Option("--seed")] = 1,
    seconds: Annotated[float, typer.Option("--seconds", min=0.05)] = 10.0,
    jobs: Jobs = 1,
    where: Where = "",
    lang: Language = "en",
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
        with err.status(phrase("games-in", lang, file=study.title, n=len(study.cells) * games)):
            rows = run_study(study, place, journal)
    finally:
        place.close()
        journal.close()
    table = standing(study, rows)
    if as_json:
        print_json(asdict(table))
    else:
        _print_standing(table, game, lang)
        for row in rows:
            if row["fault"]:
                err.print(fault_line(row, lang), style="red", markup=False)


def _print_standing(table: Standing, game_id: str, lang: str) -> None:
    shown = Table(box=None, header_style="bold")
    heads = [phrase(f"standing-{what}", lang) for what in ("rating", "error", "games", "score")]
    columns = ["", *heads, *(str(i) for i in range(1, len(table.ratings) + 1))]
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
    side = name(load(game_id), table.seat, lang)
    worth = phrase("standing-edge", lang, text=side, text_edge=f"{table.edge:+.0f} ± {table.edge_error:.0f}")
    out.print(worth, markup=False)


def explore(
    game: GameName,
    sources: Annotated[list[Path], typer.Argument()],
    moves: Annotated[str, typer.Option("--moves")] = "",
    depth: Annotated[int, typer.Option("--depth", min=1, max=40)] = 1,
    least: Annotated[int, typer.Option("--least", min=1)] = 1,
    scenario: ScenarioName = "",
    option: Options = None,
    lang: Language = "en",
    as_json: Json = False,
) -> None:
    """Show openings as a tree: what was tried, how often, with what result."""
    from salient.lab.explore import Book, records_in

    played = load(game)
    texts = [text for text in moves.split(";") if text.strip()]
    book = Book(played, max(60, len(texts) + depth))
    found = list(records_in(sources, game))
    for record in with_progress(found, len(found), phrase("reading-records", lang)):
        book.add(record)
    state = played.new(scenario, chosen_options(option))
    for text in texts:
        state = step(state, played.read(text))
    if as_json:
        print_json([_as_json(book, level, text, tried) for level, _, text, tried in book.lines(state, depth, least)])
        return
    _print_tree(book, state, depth, least, lang)
    for fault in book.faults:
        err.print(fault, style="yellow", markup=False)


def _as_json(book: Book, level: int, text: str, tried: Tried) -> dict[str, object]:
    return {"level": level, "action": text, "games": tried.games} | {
        seat: asdict(tried.rate(seat)) for seat in book.game.seats
    }


def _print_tree(book: Book, state: State, depth: int, least: int, lang: str) -> None:
    from salient.lab.explore import is_roll

    shown = Table(box=None, header_style="bold")
    won = [phrase("explore-won", lang, text=name(book.game, seat, lang)) for seat in book.game.seats]
    for i, column in enumerate((phrase("explore-action", lang), phrase("standing-games", lang), *won)):
        shown.add_column(column, justify="left" if i == 0 else "right")
    for level, where, text, tried in book.lines(state, depth, least):
        rates = [interval(rate.rate, rate.low, rate.high, lang) for rate in map(tried.rate, book.game.seats)]
        shown.add_row("  " * level + text, str(tried.games), *rates, style="dim" if is_roll(where) else "")
    out.print(shown)
    out.print(phrase("games-count", lang, n=book.games))
