"""The commands by their words; a command's module is imported when somebody calls it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import typer

from salient.cli.speaking import SpokenCommand, SpokenGroup

PANELS = {
    "Play": {"games": "library.games", "play": "play.play", "serve": "play.serve", "enlist": "enlist.enlist"},
    "Keep": {
        "bots": "enlist.bots",
        "backup": "keeping.backup",
        "restore": "keeping.restore",
        "admin": "admin.app",
    },
    "Records": {
        "replay": "records.replay",
        "verify": "records.verify",
        "picture": "pictures.picture",
        "show": "pictures.show",
        "analyse": "analyse.analyse_game",
    },
    "Study": {
        "sim": "study.sim",
        "odds": "study.odds",
        "perft": "study.perft",
        "fuzz": "study.fuzz",
        "tournament": "contests.tournament",
        "explore": "contests.explore",
        "puzzle": "puzzles.puzzle",
        "bench": "study.bench",
        "study": "studies.app",
        "protocol": "protocol.app",
        "tune": "tune.app",
    },
    "Library": {"rules": "library.rules", "map": "library.draw_map", "edit": "own.edit", "data": "own.app"},
}
PASSES_ON = ("bench",)  # commands that hand unknown options to another program


def made(word: str, panel: str, where: str) -> Any:
    """A command or a group of commands, from `module.name` in this package."""
    module, _, name = where.partition(".")
    found = getattr(import_module(f"{__package__}.{module}"), name)
    if isinstance(found, typer.Typer):
        command = typer.main.get_group(found)
        command.rich_help_panel = panel
        return command
    alone = typer.Typer(add_completion=False)
    settings = {"ignore_unknown_options": word in PASSES_ON}
    alone.command(word, cls=SpokenCommand, rich_help_panel=panel, context_settings=settings)(found)
    return typer.main.get_command(alone)


class Commands(Mapping[str, Any]):
    """Every command, made when it is asked for."""

    def __init__(self) -> None:
        self.wheres = {word: (panel, where) for panel, words in PANELS.items() for word, where in words.items()}
        self.made: dict[str, Any] = {}

    def __getitem__(self, word: str) -> Any:
        if word not in self.made:
            self.made[word] = made(word, *self.wheres[word])
        return self.made[word]

    def __contains__(self, word: object) -> bool:
        return word in self.wheres

    def __iter__(self) -> Iterator[str]:
        return iter(self.wheres)

    def __len__(self) -> int:
        return len(self.wheres)


class Program(SpokenGroup):
    """The program itself: the group of all commands."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands: Any = Commands()
