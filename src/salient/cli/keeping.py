"""Keeping a server's data: backup and restore, also while it serves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from salient.cli.shared import Language, out
from salient.text import phrase

Data = Annotated[str | None, typer.Option("--data")]
SettingsFile = Annotated[Path | None, typer.Option("--settings")]


def backup(
    file: Annotated[Path, typer.Argument()],
    data: Data = None,
    settings: SettingsFile = None,
    lang: Language = "en",
) -> None:
    """Write all games, people and the server's key into one file; the server may go on serving."""
    from salient.server.backup import backup as write
    from salient.server.settings import settings_for

    rows = write(settings_for(data, "127.0.0.1", file=settings), file)
    out.print(phrase("rows-kept", lang, file=file, n=rows), markup=False)


def restore(
    file: Annotated[Path, typer.Argument()], data: Data = None, settings: SettingsFile = None, lang: Language = "en"
) -> None:
    """Bring a backup back into an empty folder or database."""
    from salient.server.backup import restore as read
    from salient.server.settings import settings_for

    rows = read(settings_for(data, "127.0.0.1", file=settings), file)
    out.print(phrase("rows-kept", lang, file=file, n=rows), markup=False)
