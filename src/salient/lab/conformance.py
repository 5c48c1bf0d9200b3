"""Whether a program keeps the protocol for computer players: one finding for each thing that it must do."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from salient.bots.outside import STOP_SECONDS, BotFault, Outside
from salient.games import game_ids, load
from salient.kernel import CHANCE, OVER, AnyGame, State, actor, candidates, step

DECISIONS = 25
QUICK = 2.0  # seconds for each decision of the test


@dataclass(frozen=True)
class Finding:
    """One thing that a program must do, and what it did instead, if anything."""

    what: str
    fault: str = ""


def examine(command: str, chosen: tuple[str, ...] = ()) -> Iterator[Finding]:
    """Try a program in each game, and its manners in one; a program that cannot start is told once."""
    for game_id in chosen or game_ids():
        yield _tried(f"plays {game_id}: {DECISIONS} decisions of each seat", lambda: _plays(command, load(game_id)))  # noqa: B023
    game = load((chosen or game_ids())[0])
    yield _tried("passes over lines that it does not know", lambda: _passes_over(command, game))
    yield _tried(f"answers `stop` within {STOP_SECONDS:g} seconds, once", lambda: _stops(command, game))
    yield _tried(f"ends within {STOP_SECONDS:g} seconds after `quit`", lambda: _quits(command, game))


def _tried(what: str, trial: Callable[[], str]) -> Finding:
    try:
        return Finding(what, trial())
    except BotFault as fault:
        return Finding(what, str(fault))


def _plays(command: str, game: AnyGame) -> str:
    for seat in game.seats:
        player = Outside(command, game, seat, 1, QUICK)
        try:
            _play_on(player, game)
        finally:
            player.close()
    return ""


def _play_on(player: Outside, game: AnyGame) -> None:
    """Let it decide for its seat in a game that is otherwise random, a stretch of random play between decisions."""
    rng, state, decisions = random.Random(f"{game.id} {player.seat}"), game.new(), 0
    while decisions < DECISIONS:
        if actor(state) == OVER:
            state = game.new()
        elif actor(state) == player.seat and rng.random() < 0.5:
            state = step(state, player.choose(state).action)
            decisions += 1
        else:
            state = step(state, rng.choice(candidates(state)), trusted=True)


def _first_decision(game: AnyGame, seat: str) -> State:
    rng, state = random.Random(1), game.new()
    while actor(state) != seat or actor(state) == CHANCE:
        state = step(state, rng.choice(candidates(state)), trusted=True)
    return state


def _passes_over(command: str, game: AnyGame) -> str:
    player = Outside(command, game, game.seats[0], 1, QUICK)
    try:
        player.program.write("what-is-this 1 2 3\n\n")
        player.choose(_first_decision(game, game.seats[0]))
    finally:
        player.close()
    return ""


def _stops(command: str, game: AnyGame) -> str:
    player = Outside(command, game, game.seats[0], 1, QUICK)
    state = _first_decision(game, game.seats[0])
    actions = candidates(state)
    try:
        player.ask(state, actions)
        player.program.write("go infinite\n")
        time.sleep(0.2)
        player.program.write("stop\n")
        player.answer(actions, STOP_SECONDS)
        try:
            again = player.program.line(time.monotonic() + 0.3, 0.3)
        except BotFault:
            return ""
        return f"wrote {again!r} after its answer." if again.startswith("best") else ""
    finally:
        player.close()


def _quits(command: str, game: AnyGame) -> str:
    player = Outside(command, game, game.seats[0], 1, QUICK)
    return "" if player.program.close() else "did not end."
