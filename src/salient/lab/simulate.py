"""Matches of computer players: win rates with confidence intervals, lengths, timing."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any, Protocol

from salient import bots
from salient.games import load
from salient.kernel import CHANCE, OVER, Action, AnyGame, SeededDice, Session, Unreadable
from salient.lab.batch import batch

Z95 = 1.959964


class Player(Protocol):
    """A computer player, as `salient.bots.seated` gives it."""

    def choose(self, state: Any) -> tuple[Action, Any]:
        """The action to take, and its reasons."""
        ...

    def close(self) -> None:
        """Let go of what the player holds open."""
        ...


@dataclass(frozen=True)
class Match:
    """What is played: a game, its scenario and options, and a bot for each seat."""

    game: str
    bots: tuple[str, ...]
    scenario: str = ""
    options: tuple[tuple[str, str], ...] = ()
    swap: bool = False
    seed: int = 1

    def players(self, index: int) -> dict[str, str]:
        """The bot of each seat in game `index`: seats change hands from game to game if `swap` is set."""
        seats = load(self.game).seats
        if len(self.bots) != len(seats):
            raise Unreadable("name-bots", n=len(seats), texts=seats)
        order = self.bots[::-1] if self.swap and index % 2 else self.bots
        return dict(zip(seats, order, strict=True))


@dataclass(frozen=True)
class Played:
    """One finished game."""

    index: int
    players: dict[str, str]
    winner: str | None
    key: str
    plies: int
    turns: int
    seconds: float
    thinking: dict[str, float]
    record: str = field(repr=False, compare=False, default="")


def simulate(match: Match, games: int, jobs: int = 1) -> Iterator[Played]:
    """Play `games` games of a match; game `i` depends on the seed and on `i` only."""
    match.players(0)
    return batch(partial(play_one, match), games, jobs)


def play_one(match: Match, index: int) -> Played:
    """Play game `index` of a match to its end."""
    game = load(match.game)
    players = match.players(index)
    name = f"{match.seed}/{index}"
    session = Session(game, SeededDice(f"dice {name}"), match.scenario, dict(match.options), players, f"sim {name}")
    minds = {seat: bots.seated(level, game, seat, f"bot {name} {seat}") for seat, level in players.items()}
    thinking = dict.fromkeys(players, 0.0)
    begin = time.perf_counter()
    try:
        while session.actor != OVER:
            if session.actor == CHANCE:
                session.roll()
            else:
                _think(session, minds, thinking)
    finally:
        for mind in minds.values():
            mind.close()
    return _played(game, session, index, time.perf_counter() - begin, thinking)


def _think(session: Session, minds: Mapping[str, Player], thinking: dict[str, float]) -> None:
    seat = session.actor
    begin = time.perf_counter()
    action, _ = minds[seat].choose(session.state)
    thinking[seat] += time.perf_counter() - begin
    session.play(seat, action)


def _played(game: AnyGame, session: Session, index: int, seconds: float, thinking: dict[str, float]) -> Played:
    result = game.result(session.state)
    assert result is not None, "a finished game has a result"
    return Played(
        index=index,
        players=session.seats,
        winner=result.winner,
        key=result.key,
        plies=len(session.actions),
        turns=game.stage(session.state).turn,
        seconds=seconds,
        thinking=thinking,
        record=session.record().text(),
    )


# ---- figures ---------------------------------------------------------------------


@dataclass(frozen=True)
class Rate:
    """A share of games with its 95 per cent confidence interval."""

    wins: int
    games: int
    rate: float
    low: float
    high: float


def wilson(wins: int, games: int, z: float = Z95) -> Rate:
    """The Wilson score interval of a share."""
    if games == 0:
        return Rate(0, 0, 0.0, 0.0, 1.0)
    share = wins / games
    scale = 1 + z * z / games
    centre = (share + z * z / (2 * games)) / scale
    half = z / scale * (share * (1 - share) / games + z * z / (4 * games * games)) ** 0.5
    return Rate(wins, games, share, max(0.0, centre - half), min(1.0, centre + half))


@dataclass(frozen=True)
class Summary:
    """The figures of a match."""

    games: int
    seats: dict[str, Rate]
    bots: dict[str, Rate]
    draws: int
    results: dict[str, int]
    plies: dict[str, float]
    turns: dict[str, float]
    seconds_per_game: float
    seconds_per_turn: dict[str, float]

    def as_json(self) -> dict[str, Any]:
        """The figures as plain JSON values."""
        return asdict(self)


def summarise(played: Sequence[Played]) -> Summary:
    """The figures of finished games; a bot that plays both seats against itself is not counted as a bot."""
    seats = list(played[0].players)
    names = sorted({bot for game in played for bot in game.players.values()})
    count = len(played)
    return Summary(
        games=count,
        seats={seat: wilson(sum(game.winner == seat for game in played), count) for seat in seats},
        bots={bot: wilson(_wins_of(bot, played), count) for bot in names} if len(names) > 1 else {},
        draws=sum(game.winner is None for game in played),
        results=_counts(game.key for game in played),
        plies=_spread([game.plies for game in played]),
        turns=_spread([game.turns for game in played]),
        seconds_per_game=statistics.fmean(game.seconds for game in played),
        seconds_per_turn={bot: _pace(bot, played) for bot in names},
    )


def _wins_of(bot: str, played: Sequence[Played]) -> int:
    return sum(game.winner is not None and game.players[game.winner] == bot for game in played)


def _counts(keys: Iterator[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for key in keys:
        found[key] = found.get(key, 0) + 1
    return dict(sorted(found.items()))


def _spread(values: Sequence[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {"median": statistics.median(ordered), "least": ordered[0], "most": ordered[-1]}


def _pace(bot: str, played: Sequence[Played]) -> float:
    spent = [(game.thinking[seat], game.turns) for game in played for seat, name in game.players.items() if name == bot]
    return sum(seconds for seconds, _ in spent) / max(1, sum(turns for _, turns in spent))
