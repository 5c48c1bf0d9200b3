"""One game of a study: played to its end with everything measured, whatever the players do."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from salient import bots
from salient.kernel import CHANCE, OVER, Action, AnyGame, ChanceFrame, SeededDice, Session, State, actor, step
from salient.kernel.game import everything
from salient.lab.variations import game_with

MOST_OUTCOMES = 36  # rolls with more outcomes are not weighed for luck
LONGEST = 100_000
NUMBER = re.compile(r"\d+")

Row = dict[str, Any]


@dataclass(frozen=True)
class Task:
    """What is played, and with which data: all that another process on another machine must know."""

    cell: int
    index: int
    game: str
    scenario: str
    options: tuple[tuple[str, str], ...]
    players: tuple[tuple[str, str], ...]
    seed: str
    seconds: float = bots.SECONDS
    luck: bool = True
    data: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> tuple[int, int]:
        """What tells the games of a study apart."""
        return self.cell, self.index


def play(task: Task) -> Row:
    """Play the game of a task; a player that fails loses, a rule that fails ends the game: told, not raised."""
    return Trial(task).play()


class Trial:
    """A game in progress and its measures."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.game: AnyGame = game_with(task.game, task.data)
        players = dict(task.players)
        dice = SeededDice(f"dice {task.seed}")
        self.session = Session(self.game, dice, task.scenario, dict(task.options), players, f"study {task.seed}")
        self.minds: dict[str, bots.Player] = {}
        self.thinking = dict.fromkeys(self.game.seats, 0.0)
        self.turns: list[Row] = []
        self.odds: list[str] = []
        self.luck = 0.0
        self.fault = self.failed = ""

    def play(self) -> Row:
        begin = time.perf_counter()
        try:
            for seat, who in self.task.players:
                self.failed = seat
                self.minds[seat] = bots.seated(who, self.game, seat, f"bot {self.task.seed} {seat}", self.task.seconds)
            self.failed = ""
            self._play_on()
        except Exception as error:
            self.fault = str(error) if isinstance(error, bots.BotFault) else f"{type(error).__name__}: {error}"
        finally:
            for mind in self.minds.values():
                mind.close()
        return self._row(time.perf_counter() - begin)

    def _play_on(self) -> None:
        turn = 0
        while self.session.actor != OVER:
            if len(self.session.actions) > LONGEST:
                raise RuntimeError(f"no end after {LONGEST} actions")
            now = self.game.stage(self.session.state).turn
            if now != turn:
                turn = now
                self._note_turn()
            if self.session.actor == CHANCE:
                self._roll()
            else:
                self._decide()
        self._note_turn()

    def _decide(self) -> None:
        seat, state = self.session.actor, self.session.state
        begin = time.perf_counter()
        self.failed = seat
        action = self.minds[seat].choose(state).action
        self.thinking[seat] += time.perf_counter() - begin
        self.session.play(seat, action)
        self.failed = ""
        if self.session.actor == CHANCE:
            self._note_odds(state, action)

    def _roll(self) -> None:
        state = self.session.state
        frame = state.stack[-1]
        assert isinstance(frame, ChanceFrame)
        expected = self._expected(frame, state)
        self.session.roll()
        if expected is not None and self.session.actor != OVER:
            self.luck += self._worth(self.session.state) - expected

    # ---- measures -----------------------------------------------------------------------

    def _worth(self, state: State) -> float:
        return self.game.judge.evaluate(state, self.game.seats[0])

    def _expected(self, frame: ChanceFrame[Any], state: State) -> float | None:
        """What the roll promises the first seat on average; None if it is not weighed."""
        outcomes = frame.outcomes(state) if self.task.luck else []
        if not 1 < len(outcomes) <= MOST_OUTCOMES:
            return None
        ahead = [(step(state, action, trusted=True), float(share)) for action, share in outcomes]
        if any(actor(after) == OVER for after, _ in ahead):
            return None
        return sum(share * self._worth(after) for after, share in ahead)

    def _note_odds(self, state: State, action: Action) -> None:
        odds = self.game.view.preview(state, action).get("odds")
        if odds:
            self.odds.append(str(odds.get("column") or odds.get("ratio") or f"{odds.get('dice', '?')} dice"))

    def _note_turn(self) -> None:
        view = everything(self.game, self.session.state)
        sides = {unit: about["side"] for unit, about in self.game.components()["units"].items()}
        row: Row = {"turn": view["turn"], "worth": round(self._worth(self.session.state), 3)}
        row |= {f"track_{track}": value for track, value in view["tracks"].items()}
        for side in dict.fromkeys(sides.values()):
            here = {u: seen for u, seen in view["units"].items() if sides[u] == side and "where" in seen}
            row |= _standing(side, here, self.game)
        self.turns.append(row)

    def _row(self, seconds: float) -> Row:
        result = self.game.result(self.session.state)
        winner = result.winner if result else None
        if self.failed:
            winner = next(seat for seat in self.game.seats if seat != self.failed)
        row: Row = {
            "cell": self.task.cell,
            "index": self.task.index,
            "seed": self.task.seed,
            "winner": winner,
            "ending": result.key if result else "fault",
            "rule": result.rule if result else "",
            "plies": len(self.session.actions),
            "turns": self.turns[-1]["turn"] if self.turns else 0,
            "luck": round(self.luck, 3),
            "odds": self.odds,
            "fault": self.fault,
            "failed": self.failed,
            "rules": self.game.rules_version,
            "data": self.game.data_hash,
            "record": self.session.record().text(),
            "by_turn": self.turns,
            "seconds": round(seconds, 3),
        }
        return row | {f"thinking_{seat}": round(spent, 3) for seat, spent in self.thinking.items()}


def _standing(side: str, here: Mapping[str, Mapping[str, Any]], game: AnyGame) -> Row:
    """How many pieces of a side stand on the map, how strong, and where."""
    printed = game.components()["units"]
    pieces = strength = 0
    hexes: list[str] = []
    boxes = {place["id"] for place in game.components()["places"]}
    for unit, seen in here.items():
        if seen["where"] in boxes:
            continue
        text = str(seen.get("values", printed[unit]["values"]))
        found = NUMBER.search(text)
        number = int(found.group()) if found else 0
        pieces += number if text.startswith("×") else 1
        strength += number
        hexes.append(seen["where"])
    return {f"pieces_{side}": pieces, f"strength_{side}": strength, f"hexes_{side}": sorted(hexes)}
