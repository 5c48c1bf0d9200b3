"""Games with other data: the rows of a variation, in the form of a player's own corrections, laid over ours."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import lru_cache
from pathlib import Path

from salient.common.data import own_folder
from salient.games import load, open_afresh
from salient.kernel import AnyGame

Data = tuple[tuple[str, str], ...]  # files by name, each with its text
KEPT = 8  # variations of a study that one process plays at the same time


class BadData(Exception):
    """Data with which the game cannot begin, in the game's own words."""


@lru_cache(KEPT)
def game_with(game_id: str, data: Data) -> AnyGame:
    """The game with these rows over a player's own and ours; DataError if they are not sound."""
    if not data:
        return load(game_id)
    root = Path(tempfile.mkdtemp(prefix="salient-data-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    folder, own = root / game_id, own_folder(game_id)
    if own:
        shutil.copytree(own, folder)
    for name, text in data:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return open_afresh(game_id, folder)


def check(game_id: str, scenario: str, data: Data) -> None:
    """Whether the game accepts these data; DataError or BadData, in its own words, if it does not."""
    game = game_with(game_id, data)
    faults = game.check(game.new(scenario))
    if faults:
        raise BadData("; ".join(faults))
