"""Problems with known best play: a small position, a goal, and exhaustive search to the end of the matter.

Each file in `salient/lab/positions` has a position, the seat to play, a goal, and what the best play achieves, found by
`solve`: every action of both sides and every outcome of the dice, no pruning. The matter is over when the lowest
`until` decisions of the stack are no longer what they were, or nothing lies above them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from salient.bots import Player
from salient.games import load
from salient.kernel import (
    CHANCE,
    OVER,
    Action,
    AnyFrame,
    AnyGame,
    ChanceFrame,
    State,
    Unreadable,
    actor,
    candidates,
    step,
)

KINDS = ("attack", "defend", "encircle", "withdraw")
GOALS = ("take", "hold", "destroy", "cut", "save")


MOST = 200_000


class TooLarge(Exception):
    """A position that cannot be searched to the end within the limit."""


@dataclass(frozen=True)
class Goal:
    """What counts at the end: `take` and `hold` a hex; `destroy` or `cut` off enemies, `save` one's own, counted."""

    kind: str
    side: str
    hex: str = ""

    def score(self, game: AnyGame, state: State) -> float:
        """What a position is worth by this goal."""
        return self.score_of_view(game, game.view.observe(state, game.seats[0]))

    def score_of_view(self, game: AnyGame, view: Mapping[str, Any]) -> float:
        """What a position is worth by what is seen of it."""
        printed, boxes = _printed(game)
        own = enemies = held = cut = 0.0
        for unit, seen in view["units"].items():
            where = seen.get("where", "")
            if not where or where in boxes:
                continue
            if printed[unit]["side"] == self.side:
                own += _strength(seen, printed[unit])
                held = max(held, float(where == self.hex))
            else:
                enemies += _strength(seen, printed[unit])
                cut += any(badge["key"] == "out-of-supply" for badge in seen["badges"])
        return {"take": held, "hold": held, "destroy": -enemies, "cut": cut, "save": own}[self.kind]


@cache
def _printed(game: AnyGame) -> tuple[dict[str, Any], frozenset[str]]:
    """What never changes: the printed counters, and the places outside the map."""
    components = game.components()
    return components["units"], frozenset(place["id"] for place in components["places"])


def _strength(seen: dict[str, Any], printed: dict[str, Any]) -> float:
    """The pieces of a pile, or the first printed number of a counter, less what its damage says."""
    text = str(seen.get("values", printed["values"]))
    digits = "".join(letter if letter.isdigit() else " " for letter in text).split()
    damage = sum(int(badge.get("n", 1)) for badge in seen["badges"] if badge["key"] == "damage")
    return max(0.0, float(digits[0]) - damage) if digits else 1.0


@dataclass(frozen=True)
class Puzzle:
    """A problem: the position, who plays, the goal, how deep the matter lies on the stack, and the best play."""

    name: str
    game: str
    kind: str
    position: str
    seat: str
    goal: Goal
    until: int
    best: tuple[str, ...]
    value: float
    worst: float

    def state(self) -> State:
        """The position to play."""
        return load(self.game).read_position(self.position)


class Solver:
    """Exhaustive search: the seat plays for the goal, the other one against it, dice by their probabilities."""

    def __init__(self, game: AnyGame, beneath: tuple[AnyFrame, ...], seat: str, goal: Goal, most: int = MOST) -> None:
        self.game = game
        self.beneath = beneath
        self.seat = seat
        self.goal = goal
        self.most = most
        self.looked_at = 0
        self.known: dict[tuple[Any, ...], float] = {}

    def is_over(self, state: State) -> bool:
        """Whether the matter has been decided."""
        until = len(self.beneath)
        return actor(state) == OVER or len(state.stack) <= until or state.stack[:until] != self.beneath

    def value(self, state: State, policy: Player | None = None) -> float:
        """What the position is worth; with a policy, what that player makes of it."""
        key = state.key()
        if key not in self.known:
            self.looked_at += 1
            if self.looked_at > self.most:
                raise TooLarge
            self.known[key] = self.goal.score(self.game, state) if self.is_over(state) else self._weigh(state, policy)
        return self.known[key]

    def _weigh(self, state: State, policy: Player | None) -> float:
        def after(action: Action) -> float:
            return self.value(step(state, action, trusted=True), policy)

        if actor(state) == CHANCE:
            frame = state.stack[-1]
            assert isinstance(frame, ChanceFrame)
            return sum(float(share) * after(action) for action, share in frame.outcomes(state))
        if policy is not None and actor(state) == self.seat:
            return after(policy.choose(state).action)
        best: Callable[..., float] = max if actor(state) == self.seat else min
        return best(after(action) for action in candidates(state))


def solve(game: AnyGame, state: State, seat: str, goal: Goal, until: int, most: int = MOST) -> dict[str, float]:
    """What every action of the position achieves with best play by both sides afterwards; the best first."""
    solver = Solver(game, state.stack[:until], seat, goal, most)
    values = {game.write(a): solver.value(step(state, a, trusted=True)) for a in candidates(state)}
    return dict(sorted(values.items(), key=lambda item: (-item[1], item[0])))


def score_of(puzzle: Puzzle, player: Player) -> float:
    """What a player makes of a problem, from 0 (the worst first action) to 1 (the best play)."""
    state = puzzle.state()
    solver = Solver(load(puzzle.game), state.stack[: puzzle.until], puzzle.seat, puzzle.goal)
    value = solver.value(state, player)
    return max(0.0, (value - puzzle.worst) / (puzzle.value - puzzle.worst))


def puzzles(game_id: str = "") -> tuple[Puzzle, ...]:
    """All problems, or those of a game."""
    folder = resources.files("salient.lab") / "positions"
    found = [read(file.name.removesuffix(".toml"), file.read_text(encoding="utf-8")) for file in folder.iterdir()]
    return tuple(sorted((p for p in found if game_id in ("", p.game)), key=lambda p: (p.game, KINDS.index(p.kind))))


def puzzle(name: str) -> Puzzle:
    """A problem by its name."""
    for each in puzzles():
        if each.name == name:
            return each
    known = tuple(each.name for each in puzzles())
    raise Unreadable("unknown-word", word_what="problem", text=name, texts_known=known)


def read(name: str, text: str) -> Puzzle:
    """A problem from its file."""
    values = tomllib.loads(text)
    goal = Goal(values["goal"], values["side"], values.get("hex", ""))
    return Puzzle(
        name,
        values["game"],
        values["kind"],
        values["position"],
        values["seat"],
        goal,
        values["until"],
        tuple(values["best"]),
        values["value"],
        values["worst"],
    )
