"""The games, one package each. No game imports another."""

from __future__ import annotations

import json
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path

from salient.common.data import own_folder
from salient.hexes.rows import DataError
from salient.kernel import AnyGame, GameListing, Option, Scenario, State, Unreadable
from salient.kernel.collector import collector_at_rest

PACKAGES = {
    "target-arnhem": "salient.games.target_arnhem",
    "bulge": "salient.games.bulge",
    "deadly-woods": "salient.games.deadly_woods",
    "ardennes44": "salient.games.ardennes44",
}


def game_ids() -> tuple[str, ...]:
    """The ids of all games."""
    return tuple(PACKAGES)


def load(game_id: str, own: Path | None = None) -> AnyGame:
    """A game by its id, with a player's own rows laid over its data: those in `own`, or in `$SALIENT_DATA/<game id>`.

    Games with different data can be played side by side. Unreadable if there is no such game, DataError if its data are
    not sound.
    """
    if game_id not in PACKAGES:
        raise Unreadable("no-such-game", text=game_id, texts_known=game_ids())
    return _opened(game_id, Path(own) if own else own_folder(game_id))


@cache
def _opened(game_id: str, own: Path | None) -> AnyGame:
    return open_afresh(game_id, own)


def open_afresh(game_id: str, own: Path | None) -> AnyGame:
    """The game read from its data now, whatever was read before."""
    with collector_at_rest:  # what is read stays
        game: AnyGame = import_module(PACKAGES[game_id]).open_game(own)
    return game


def listed_games() -> tuple[list[GameListing], list[DataError]]:
    """The games that can be played, and what is wrong with a player's own rows for the others.

    Only what is not shipped as it stands is loaded: a game with rows of the player's own, or one from elsewhere.
    """
    games, errors = [], []
    shipped = shipped_games()
    for game_id in PACKAGES:
        try:
            games.append(shipped[game_id] if game_id in shipped and not own_folder(game_id) else listed(load(game_id)))
        except DataError as error:
            errors.append(error)
    return games, errors


def listed(game: AnyGame) -> GameListing:
    """What a list of games tells of one that is loaded."""
    return GameListing(
        game.id, PACKAGES[game.id], game.title, game.seats, game.rules_version, game.scenarios, game.options
    )


@cache
def shipped_games() -> dict[str, GameListing]:
    """What library.json tells of the games of this package; `python tools/library.py` writes it."""
    games = json.loads((files(__name__) / "library.json").read_text(encoding="utf-8"))
    return {
        game["id"]: GameListing(
            game["id"],
            game["package"],
            game["title"],
            tuple(game["seats"]),
            game["rules_version"],
            tuple(Scenario(**each) for each in game["scenarios"]),
            tuple(Option(each["id"], tuple(each["choices"]), each["rule"]) for each in game["options"]),
        )
        for game in games
    }


def game_of(state: State) -> AnyGame:
    """The game of a position, with the data that it is played with."""
    module = type(state).__module__
    for game_id, package in PACKAGES.items():
        if module == package or module.startswith(f"{package}."):
            game = load(game_id)
            return game if game.data is state.data else type(game)(state.data)
    raise Unreadable("no-such-game", text=module, texts_known=game_ids())
