"""Studies: run one from its file, and make its report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from salient.cli.shared import GameName, Jobs, Json, SentenceGroup, err, out, print_json
from salient.lab.trial import Row

app = typer.Typer(cls=SentenceGroup, help="Studies from a file (docs/LAB.md).", no_args_is_help=True)

StudyFile = Annotated[Path, typer.Argument(metavar="FILE", help="The study, a TOML file.")]
Where = Annotated[
    str, typer.Option("--on", help="Where to play: this machine, dask, dask://HOST:PORT, ray or ray://HOST:PORT.")
]


@app.callback()
def study() -> None:
    """Studies from a file: games by the hundred, tables, a report."""


@app.command("run")
def run(
    file: StudyFile,
    jobs: Jobs = 1,
    where: Where = "",
    fresh: Annotated[bool, typer.Option("--fresh", help="Throw away what was played, and begin again.")] = False,
    as_json: Json = False,
) -> None:
    """Play a study, or go on with it; the tables of games and turns lie beside the file."""
    from salient.lab.executors import executor
    from salient.lab.report import figures
    from salient.lab.runner import open_journal, run_study
    from salient.lab.study import read_study

    read = read_study(file)
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
                    err.print(f"Game {row['cell']}/{row['index']}: {row['fault']}", style="red", markup=False)

            rows = run_study(read, place, journal, tell)
    finally:
        place.close()
        journal.close()
    told = figures(read, rows)
    if as_json:
        print_json(told)
    else:
        _print(told)
        out.print(f"Tables: {read.folder}", markup=False, soft_wrap=True)


def _print(told: dict[str, Any]) -> None:
    for cell in told["cells"]:
        shares = ", ".join(
            f"{seat} {rate['rate']:.0%} ({rate['low']:.0%} to {rate['high']:.0%})"
            for seat, rate in cell["wins"].items()
        )
        faults = f"; {cell['faults']} faults" if cell["faults"] else ""
        out.print(f"{cell['title']}: {cell['games']} games; {shares}{faults}", markup=False, soft_wrap=True)


@app.command("report")
def report(
    file: StudyFile,
    target: Annotated[
        Path | None, typer.Option("--out", help="The page to write; beside the study if not given.")
    ] = None,
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
    with err.status("Drawing the report"):
        write_report(read, rows, page)
    out.print(f"{page}: {len(rows)} games.", markup=False, soft_wrap=True)


@app.command("export")
def export(
    game: GameName,
    sources: Annotated[list[Path], typer.Argument(help="Results of studies, records, or folders of records.")],
    target: Annotated[Path, typer.Option("--out", help="The Parquet file to write.")],
    every: Annotated[int, typer.Option("--every", min=1, help="Only every so many actions.")] = 1,
) -> None:
    """Export every decision of recorded games: position, action, evaluation, features, result."""
    from salient.lab.dataset import export as write
    from salient.lab.explore import records_in

    with err.status(f"Writing {target.name}"):
        count = write(records_in(sources, game), target, every)
    out.print(f"{target}: {count} decisions.", markup=False, soft_wrap=True)
