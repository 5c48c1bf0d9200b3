"""Studies: run one from its file, and make its report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from salient.cli.shared import GameName, Jobs, Json, Language, err, out, print_json, spoken
from salient.cli.speaking import SpokenCommand, SpokenGroup
from salient.games import load
from salient.lab.trial import Row
from salient.text import name, phrase

if TYPE_CHECKING:
    from salient.lab.study import Study

app = typer.Typer(cls=SpokenGroup, no_args_is_help=True)
app.callback()(spoken)

StudyFile = Annotated[Path, typer.Argument(metavar="FILE")]
Where = Annotated[str, typer.Option("--on")]


@app.command("run", cls=SpokenCommand)
def run(
    file: StudyFile,
    jobs: Jobs = 1,
    where: Where = "",
    fresh: Annotated[bool, typer.Option("--fresh")] = False,
    lang: Language = "en",
    as_json: Json = False,
) -> None:
    """Play a study, or go on with it; the tables of games and turns lie beside the file."""
    from salient.lab.report import figures, titled
    from salient.lab.study import read_study

    read = read_study(file)
    told = figures(read, _played(read, fresh, where, jobs, lang))
    if as_json:
        print_json(told)
    else:
        _print(titled(told, lang), lang)
        out.print(phrase("study-tables", lang, text=read.folder), markup=False, soft_wrap=True)


def _played(read: Study, fresh: bool, where: str, jobs: int, lang: str) -> list[Row]:
    """All rows of a study, those played now included."""
    from salient.lab.executors import executor
    from salient.lab.runner import open_journal, run_study

    journal = open_journal(read, fresh)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    place = executor(where, jobs)
    try:
        with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
            bar = progress.add_task(read.title, total=read.most * len(read.cells), completed=len(journal.rows))

            def tell(row: Row) -> None:
                progress.advance(bar)
                if row["fault"]:
                    err.print(fault_line(row, lang), style="red", markup=False)

            return run_study(read, place, journal, tell)
    finally:
        place.close()
        journal.close()


def fault_line(row: Row, lang: str) -> str:
    """A game of a study that broke off."""
    return phrase("study-fault", lang, text=f"{row['cell']}/{row['index']}", text_fault=row["fault"])


def _print(told: dict[str, Any], lang: str) -> None:
    game = load(told["game"])
    for cell in told["cells"]:
        shares = ", ".join(
            f"{name(game, seat, lang)} {interval(rate['rate'], rate['low'], rate['high'], lang)}"
            for seat, rate in cell["wins"].items()
        )
        told_of = phrase("study-cell", lang, text=cell["title"], n=cell["games"], text_shares=shares)
        faults = f"; {phrase('study-faults', lang, n=cell['faults'])}" if cell["faults"] else ""
        out.print(told_of + faults, markup=False, soft_wrap=True)


def interval(rate: float, low: float, high: float, lang: str) -> str:
    """A share with its confidence interval."""
    return phrase("interval", lang, text=f"{rate:.0%}", text_low=f"{low:.0%}", text_high=f"{high:.0%}")


@app.command("report", cls=SpokenCommand)
def report(
    file: StudyFile,
    target: Annotated[Path | None, typer.Option("--out")] = None,
    lang: Language = "en",
) -> None:
    """Make one page of a study's results, with plots and maps."""
    from salient.lab.report import write_report
    from salient.lab.runner import open_journal
    from salient.lab.study import read_study

    read = read_study(file, check_data=False)
    journal = open_journal(read)
    journal.close()
    rows = journal.counted()
    page = target or read.file.with_suffix(".html")
    with err.status(phrase("drawing", lang, text=page.name)):
        write_report(read, rows, page, lang)
    out.print(phrase("games-in", lang, file=page, n=len(rows)), markup=False, soft_wrap=True)


@app.command("export", cls=SpokenCommand)
def export(
    game: GameName,
    sources: Annotated[list[Path], typer.Argument()],
    target: Annotated[Path, typer.Option("--out")],
    every: Annotated[int, typer.Option("--every", min=1)] = 1,
    lang: Language = "en",
) -> None:
    """Export every decision of recorded games: position, action, evaluation, features, result."""
    from salient.lab.dataset import export as write
    from salient.lab.explore import records_in

    with err.status(phrase("writing", lang, text=target.name)):
        count = write(records_in(sources, game), target, every)
    out.print(phrase("decisions-in", lang, file=target, n=count), markup=False, soft_wrap=True)
