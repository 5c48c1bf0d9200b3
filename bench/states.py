"""Positions: copying, size, and a unit's movement range against a bare search of the same map."""

from __future__ import annotations

import copy
import json
import statistics
from collections.abc import Callable, Iterable
from importlib import import_module
from time import process_time
from typing import Any

from salient.games import PACKAGES, load
from salient.hexes.reach import reach
from salient.kernel import State
from salient.lab.playouts import random_states

SAMPLES = 25


def positions(game_id: str) -> list[State]:
    """Positions spread over one random game."""
    states = list(random_states(load(game_id), seed=1))
    return states[:: max(1, len(states) // SAMPLES)]


def per_call(call: Callable[[], Any], least: float = 0.1) -> float:
    """Seconds of one call: the best of three measurements of at least `least` seconds."""
    best = float("inf")
    for _ in range(3):
        count, begin = 0, process_time()
        while (spent := process_time() - begin) < least / 3:
            call()
            count += 1
        best = min(best, spent / count)
    return best


def clone_against_deepcopy(game_id: str) -> float:
    """How many clones one deep copy costs."""
    state = positions(game_id)[SAMPLES // 2]
    return per_call(lambda: copy.deepcopy(state)) / per_call(state.clone)


def json_bytes(game_id: str) -> int:
    """The largest position of a random game as compact JSON."""
    return max(len(json.dumps(state.as_json(), separators=(",", ":"))) for state in positions(game_id))


def range_against_search(game_id: str) -> float | None:
    """A unit's movement range in ratio to a bare bucket-queue search over as many hexes; None without hex movement.

    By the games' convention the range is `movement.reach(state, unit)` and the map `model.BOARD`; caches are emptied.
    """
    movement, model = (import_module(f"{PACKAGES[game_id]}.{name}") for name in ("movement", "model"))
    if not hasattr(movement, "reach"):
        return None
    steps = [[(there, 1) for there in near] for near in model.BOARD.adjacent]
    ratios = []
    for state in positions(game_id)[:: SAMPLES // 5]:
        for unit, where in enumerate(state.where):
            if where < len(steps):
                ratios.append(_range_ratio(movement, state, unit, where, steps))
    return statistics.median(ratios) if ratios else None


def _range_ratio(movement: Any, state: State, unit: int, where: int, steps: list[list[tuple[int, int]]]) -> float:
    caches = [value for value in vars(movement).values() if hasattr(value, "cache_clear")]

    def own() -> Iterable[int]:
        for cached in caches:
            cached.cache_clear()
        found: Iterable[int] = movement.reach(state, unit)
        return found

    count = len(list(own()))
    budget = next(b for b in range(len(steps)) if b == len(steps) - 1 or len(reach(where, b, steps)[0]) > count)
    clearing = per_call(lambda: [cached.cache_clear() for cached in caches], 0.006)
    return (per_call(own, 0.006) - clearing) / per_call(lambda: reach(where, budget, steps), 0.006)
