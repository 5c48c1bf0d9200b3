"""A player's own data of a game: the editor, and the difference from ours."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from platformdirs import user_data_path
from rich.table import Table

from salient.cli.library import map_of
from salient.cli.shared import GameName, Json, Language, out, print_json, spoken
from salient.cli.speaking import SpokenCommand, SpokenGroup
from salient.common.data import OWN_DATA
from salient.text import phrase

app = typer.Typer(cls=SpokenGroup, no_args_is_help=True)
app.callback()(spoken)

Folder = Annotated[Path | None, typer.Option("--folder")]


def own_data(folder: Path | None) -> Path:
    """The folder of a player's own data: as named, else as the environment has it, else among the user's files."""
    named = folder or os.environ.get(OWN_DATA)
    return Path(named) if named else user_data_path("salient") / "own"


def edit(
    game: GameName,
    folder: Folder = None,
    port: Annotated[int, typer.Option("--port", min=1, max=65535)] = 8045,
    open_browser: Annotated[bool, typer.Option("--open")] = False,
    lang: Language = "en",
) -> None:
    """Correct a map and its counters in the browser; what you change is kept as your own data."""
    map_of(game)
    from salient.server.editor.app import run_editor
    from salient.server.editor.own import OwnData

    root = own_data(folder)
    out.print(phrase("editor-at", lang, text=f"http://127.0.0.1:{port}/edit.html"), soft_wrap=True)
    out.print(phrase("play-with-own", lang, text=f"{OWN_DATA}={root} salient serve"), soft_wrap=True)
    run_editor(OwnData(game, root / game), port, open_browser)


@app.command("diff", cls=SpokenCommand)
def diff(
    game: GameName,
    folder: Folder = None,
    patch: Annotated[Path | None, typer.Option("--patch")] = None,
    lang: Language = "en",
    as_json: Json = False,
) -> None:
    """Show your own data of a game against ours, row by row."""
    map_of(game)
    from salient.server.editor.own import OwnData

    own = OwnData(game, own_data(folder) / game)
    found = list(own.differences())
    if patch is not None:
        patch.write_text(own.patch(), encoding="utf-8")
    if as_json:
        print_json([{"file": d.file, "key": d.key, "ours": d.ours, "own": d.own} for d in found])
        return
    table = Table(*(phrase(f"diff-{column}", lang) for column in ("file", "row", "ours", "own")))
    for d in found:
        columns = [name for name in (d.own or d.ours or {}) if (d.own or {}).get(name) != (d.ours or {}).get(name)]
        ours = ", ".join(f"{name}={d.ours[name]}" for name in columns) if d.ours else "-"
        mine = ", ".join(f"{name}={d.own[name]}" for name in columns) if d.own else phrase("diff-removed", lang)
        table.add_row(d.file, " ".join(d.key), ours if d.own else phrase("diff-there", lang), mine)
    out.print(table if found else phrase("diff-none", lang, text=game), soft_wrap=True)
