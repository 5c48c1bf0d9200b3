"""Openings: what was tried in a position, how often, and how it ended; from studies and from records of people."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from salient.kernel import CHANCE, OVER, AnyGame, Record, State, actor, step
from salient.kernel.messages import SalientError
from salient.lab.journal import JOURNAL
from salient.lab.simulate import Rate, wilson

DEPTH = 60  # actions from the first one, dice included
WATCHER = "spectator"


@dataclass
class Tried:
    """What became of the games in which an action was chosen: how many, and who won them."""

    games: int = 0
    wins: dict[str, int] = field(default_factory=dict)

    def add(self, winner: str | None) -> None:
        """Count one more game."""
        self.games += 1
        if winner:
            self.wins[winner] = self.wins.get(winner, 0) + 1

    def rate(self, seat: str) -> Rate:
        """The share that a seat won."""
        return wilson(self.wins.get(seat, 0), self.games)


Keys = Callable[[AnyGame, State], tuple[str, ...]]


class Book:
    """Positions by what they are, however they were reached, each with the actions that were tried in it.

    `keys` names a position: by all of it, or by what each seat sees of it.
    """

    def __init__(self, game: AnyGame, depth: int = DEPTH, keys: Keys | None = None) -> None:
        self.game = game
        self.depth = depth
        self.keys = keys or whole
        self.games = 0
        self.faults: list[str] = []
        self.positions: dict[str, dict[str, Tried]] = {}

    def add(self, record: Record) -> None:
        """Take up a finished game; a game without an end, or that does not replay, is noted and left out."""
        try:
            states = list(record.replay(self.game))
        except SalientError as error:
            self.faults.append(f"{record.header.get('name', 'a record')}: {error}")
            return
        if actor(states[-1]) != OVER:
            self.faults.append(f"{record.header.get('name', 'a record')}: not finished")
            return
        result = self.game.result(states[-1])
        self.games += 1
        for state, move in zip(states, record.moves[: self.depth], strict=False):
            for key in self.keys(self.game, state):
                tried = self.positions.setdefault(key, {})
                tried.setdefault(move.text, Tried()).add(result.winner if result else None)

    def at(self, state: State) -> dict[str, Tried]:
        """What was tried in a position, the most frequent first."""
        return self.tried(self.keys(self.game, state)[0])

    def tried(self, key: str) -> dict[str, Tried]:
        """What was tried in the positions of a name, the most frequent first."""
        found = self.positions.get(key, {})
        return dict(sorted(found.items(), key=lambda item: (-item[1].games, item[0])))

    def lines(self, state: State, depth: int, least: int) -> Iterator[tuple[int, State, str, Tried]]:
        """The tree from a position: depth, position, action and what became of it, as far as `least` games went."""
        for text, tried in self.at(state).items():
            if tried.games < least:
                continue
            yield 0, state, text, tried
            if depth > 1:
                after = step(state, self.game.read(text))
                yield from ((level + 1, *rest) for level, *rest in self.lines(after, depth - 1, least))  # type: ignore[misc]


def whole(game: AnyGame, state: State) -> tuple[str, ...]:
    """The name of a position by all that is in it, the same in every process."""
    return (_digest(state.as_json()),)


def as_seen(game: AnyGame, state: State) -> tuple[str, ...]:
    """The names of a position by what each seat, and who only watches, sees of it."""
    return tuple(seen_key(game, state, seat) for seat in (*game.seats, WATCHER))


def seen_key(game: AnyGame, state: State, seat: str) -> str:
    """The name of a position by what a seat sees of it and who decides."""
    return _digest([seat, actor(state), game.view.observe(state, seat)])


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True).encode()
    return hashlib.blake2b(text, digest_size=12).hexdigest()


def records_in(sources: Iterable[Path], game_id: str) -> Iterator[Record]:
    """The records of a game in files, and in folders with records or results of studies at any depth."""
    for source in sources:
        if source.is_dir():
            for journal in sorted(source.rglob(JOURNAL)):
                yield from _of_journal(journal, game_id)
            yield from records_in(sorted(source.rglob("*.salient")), game_id)
        else:
            record = Record.parse(source.read_text(encoding="utf-8"))
            if record.header["game"] == game_id:
                yield record


def _of_journal(file: Path, game_id: str) -> Iterator[Record]:
    with file.open(encoding="utf-8") as stream:
        next(stream)
        for line in stream:
            text = json.loads(line).get("record", "") if line.endswith("\n") else ""
            if text:
                record = Record.parse(text)
                if record.header["game"] == game_id:
                    yield record


def is_roll(state: State) -> bool:
    """Whether the dice decide here: nobody chose what was rolled."""
    return actor(state) == CHANCE
