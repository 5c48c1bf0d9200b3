"""Random games to the end with every invariant checked; a failure is kept as a record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from salient.games import load
from salient.lab.batch import batch
from salient.lab.playouts import BrokenGame, checked_game


@dataclass(frozen=True)
class FuzzedGame:
    """One fuzzed game: its length, and the cause and the record if it broke."""

    index: int
    plies: int
    cause: str = ""
    record: str = ""


def fuzz(game_id: str, games: int, seed: int, jobs: int = 1, scenario: str = "") -> Iterator[FuzzedGame]:
    """Play `games` random games, each by its own seed, through all scenarios in turn unless one is named."""
    return batch(partial(fuzz_one, game_id, seed, scenario), games, jobs)


def fuzz_one(game_id: str, seed: int, scenario: str, index: int) -> FuzzedGame:
    """Play one random game; what breaks is told, not raised."""
    game = load(game_id)
    chosen = scenario or game.scenarios[index % len(game.scenarios)].id
    try:
        session = checked_game(game, f"{seed}/{index}", chosen)
    except BrokenGame as broken:
        return FuzzedGame(index, len(broken.session.actions), broken.cause, broken.session.record().text())
    return FuzzedGame(index, len(session.actions))


def save_failure(game_id: str, failure: FuzzedGame, folder: Path) -> Path:
    """Write the record of a broken game, with its cause as a comment; the file written."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"fuzz-{game_id}-{failure.index}.salient"
    cause = " ".join(failure.cause.split())
    path.write_text(f"{failure.record}; after move {failure.plies}: {cause}\n", encoding="utf-8")
    return path
