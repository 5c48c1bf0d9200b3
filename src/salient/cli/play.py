"""Playing: a complete game in the terminal, or the server for the web client."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from salient import bots
from salient.cli.saves import autosave_file, resumed
from salient.cli.shared import GameName, Language, Options, ScenarioName, chosen_options, out
from salient.cli.terminal import Terminal
from salient.games import load
from salient.kernel import AnyGame, Dice, SeededDice, Session, TypedDice, Unreadable, VerifiedDice
from salient.kernel.game import no_such_seat

GAME_NAME = "terminal game"


def play(
    game: GameName,
    seat: Annotated[str, typer.Option("--seat")] = "",
    bot: Annotated[str, typer.Option("--bot")] = "",
    dice: Annotated[str, typer.Option("--dice")] = "verified",
    seed: Annotated[int | None, typer.Option("--seed")] = None,
    scenario: ScenarioName = "",
    option: Options = None,
    file: Annotated[Path | None, typer.Option("--load")] = None,
    resume: Annotated[bool, typer.Option("--resume")] = False,
    lang: Language = "en",
) -> None:
    """Play a whole game in the terminal by typed notation; type `help` there."""
    played = load(game)
    chosen = _dice(dice, seed)
    if file is not None or resume:
        session, note = resumed(played, file or autosave_file(played), chosen, lang)
        if note:
            out.print(note, style="yellow", markup=False)
    else:
        session = Session(played, chosen, scenario, chosen_options(option), name=GAME_NAME)
    players = _players(played, seat, bot, session.seats)
    session.seats = players
    minds = {side: bots.seated(level, played, side, _seed(seed)) for side, level in players.items() if level != "human"}
    Terminal(session, minds, lang).run()


def _seed(seed: int | None) -> int:
    return seed if seed is not None else int.from_bytes(VerifiedDice("").secret[:4], "big")


def _dice(kind: str, seed: int | None) -> Dice:
    if seed is not None:
        return SeededDice(seed)
    if kind == "verified":
        return VerifiedDice(GAME_NAME)
    if kind == "typed":
        return TypedDice()
    raise Unreadable("no-such-dice", text=kind)


def _players(game: AnyGame, seat: str, bot: str, recorded: dict[str, str]) -> dict[str, str]:
    """Who plays which seat: `human`, or the level of a bot."""
    if not seat and not bot:
        return recorded
    own = seat or game.seats[0]
    if own not in game.seats:
        raise no_such_seat(game, own)
    return {side: "human" if side == own else bot or bots.DEFAULT for side in game.seats}


def serve(
    host: Annotated[str, typer.Option("--host")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535)] = 8044,
    data: Annotated[str | None, typer.Option("--data")] = None,
    open_browser: Annotated[bool, typer.Option("--open")] = False,
    allow_host: Annotated[list[str] | None, typer.Option("--allow-host")] = None,
    public: Annotated[bool, typer.Option("--public")] = False,
    settings: Annotated[Path | None, typer.Option("--settings")] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, max=64)] = 1,
    lang: Language = "en",
) -> None:
    """Serve the web client on this machine."""
    from salient.server import main

    main(host, port, data, open_browser, tuple(allow_host or ()), public, settings, workers)
