"""The command line: `salient COMMAND`. Each command is a function of one of these modules."""

from __future__ import annotations

import typer

from salient.cli.commands import Program
from salient.cli.shared import spoken

app = typer.Typer(
    cls=Program,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


app.callback()(spoken)
