"""The games, one package each. No game imports another."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from salient.kernel import Game, State, Unreadable

PACKAGES = {
    "target-arnhem": "salient.games.target_arnhem",
    "bulge": "salient.games.bulge",
    "deadly-woods": "salient.games.deadly_woods",
    "ardennes44": "salient.games.ardennes44",
}


def game_ids() -> tuple[str, ...]:
    """The ids of all games."""
    return tuple(PACKAGES)


@cache
def load(game_id: str) -> Game:
    """A game by its id; Unreadable if there is none."""
    if game_id not in PACKAGES:
        sentence = f"There is no game {game_id!r}: {', '.join(PACKAGES)}."
        raise Unreadable(sentence, "no-such-game", text=game_id, texts_known=game_ids())
    game: Game = import_module(PACKAGES[game_id]).GAME
    return game


def game_of(state: State) -> Game:
    """The game of a position."""
    module = type(state).__module__
    for game_id, package in PACKAGES.items():
        if module == package or module.startswith(f"{package}."):
            return load(game_id)
    raise Unreadable(f"{module} is the package of no game.", "no-such-game", text=module, texts_known=game_ids())
