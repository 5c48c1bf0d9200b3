"""The command line: `salient COMMAND`. Each command is a function of one of these modules."""

from __future__ import annotations

from collections.abc import Callable

import typer

from salient.cli import (
    admin,
    analyse,
    contests,
    enlist,
    keeping,
    library,
    own,
    pictures,
    play,
    protocol,
    puzzles,
    records,
    studies,
    study,
    tune,
)
from salient.cli.shared import spoken
from salient.cli.speaking import SpokenCommand, SpokenGroup

app = typer.Typer(
    cls=SpokenGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


app.callback()(spoken)
PANELS: dict[str, dict[str, Callable[..., None]]] = {
    "Play": {"games": library.games, "play": play.play, "serve": play.serve, "enlist": enlist.enlist},
    "Keep": {"bots": enlist.bots, "backup": keeping.backup, "restore": keeping.restore},
    "Records": {
        "replay": records.replay,
        "verify": records.verify,
        "picture": pictures.picture,
        "show": pictures.show,
        "analyse": analyse.analyse_game,
    },
    "Study": {
        "sim": study.sim,
        "odds": study.odds,
        "perft": study.perft,
        "fuzz": study.fuzz,
        "tournament": contests.tournament,
        "explore": contests.explore,
        "puzzle": puzzles.puzzle,
        "bench": study.bench,
    },
    "Library": {"rules": library.rules, "map": library.draw_map, "edit": own.edit},
}
for panel, commands in PANELS.items():
    for name, command in commands.items():
        passes_on = {"ignore_unknown_options": command is study.bench}
        app.command(name, cls=SpokenCommand, rich_help_panel=panel, context_settings=passes_on)(command)
app.add_typer(admin.app, name="admin", rich_help_panel="Keep")
app.add_typer(own.app, name="data", rich_help_panel="Library")
app.add_typer(studies.app, name="study", rich_help_panel="Study")
app.add_typer(protocol.app, name="protocol", rich_help_panel="Study")
app.add_typer(tune.app, name="tune", rich_help_panel="Study")
