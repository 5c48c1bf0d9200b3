"""Running a study: what is missing is played, every finished game is kept at once, and the tables are written."""

from __future__ import annotations

import shutil
from collections.abc import Callable

from salient.games import load
from salient.lab.executors import Executor
from salient.lab.journal import Journal, write_tables
from salient.lab.study import Study
from salient.lab.trial import Row


def open_journal(study: Study, fresh: bool = False) -> Journal:
    """The results so far; none if it begins anew."""
    if fresh and study.folder.exists():
        shutil.rmtree(study.folder)
    game = load(study.game)
    return Journal(study, game.rules_version, game.data_hash)


def run_study(
    study: Study, where: Executor, journal: Journal, tell: Callable[[Row], None] = lambda row: None
) -> list[Row]:
    """Play what is missing; the games that count. Interrupted or killed, it goes on where it was when called again."""
    try:
        for row in where.run(study.tasks(journal.rows)):
            journal.add(row)
            tell(row)
    finally:
        rows = journal.counted()
        if rows:
            write_tables(study, rows)
    return rows
