"""The protocol for computer players in any language: does a program keep it?"""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from salient.cli.shared import Json, Language, out, print_json, spoken
from salient.cli.speaking import SpokenCommand, SpokenGroup
from salient.games import load
from salient.lab.conformance import Finding, examine

app = typer.Typer(cls=SpokenGroup, no_args_is_help=True)
app.callback()(spoken)


@app.command("test", cls=SpokenCommand)
def try_out(
    command: Annotated[str, typer.Argument()],
    game: Annotated[list[str] | None, typer.Option("--game")] = None,
    lang: Language = "en",
    as_json: Json = False,
) -> None:
    """Try a program: does it play legally and in time, stop and quit? Exit code 1 if it does not."""
    for game_id in game or ():
        load(game_id)
    found = []
    for finding in examine(command.removeprefix("cmd:"), tuple(game or ())):
        found.append(finding)
        if not as_json:
            _print(finding)
    if as_json:
        print_json([asdict(finding) for finding in found])
    if any(finding.fault for finding in found):
        raise typer.Exit(1)


def _print(finding: Finding) -> None:
    style, mark = ("red", "no ") if finding.fault else ("green", "yes")
    out.print(f"{mark}  {finding.what}{': ' + finding.fault if finding.fault else ''}", style=style, markup=False)
