"""Positions: copying, size, and a unit's movement range against a bare search of the same map."""

from __future__ import annotations

import copy
import json
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any

from salient.games import PACKAGES, load
from salient.hexes.reach import reach
from salient.kernel import State
from salient.lab.playouts import random_states

SAMPLES = 25
MOST_RANGES = 100  # about so many pieces, spread over the positions, whose ranges are measured


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


LOADING = """
import sys, time
from salient.games import load
begin = time.process_time()
load(sys.argv[1])
print(time.process_time() - begin)
"""


def seconds_to_load(game_id: str, rounds: int) -> float:
    """Processor time of loading a game in a fresh process, but for the first one: median over the rounds."""
    command = [sys.executable, "-c", LOADING, game_id]
    times = [float(subprocess.check_output(command)) for _ in range(rounds + 1)]
    return statistics.median(times[1:])


Ranges = Iterator[tuple[int, Callable[[], Sequence[int]]]]  # where pieces stand, and the search of where they may go


def _ranges_of_units(find: str) -> Callable[[Any, Any, int], Ranges]:
    """The ranges of all units on the map by a function `find(state, unit)` of the movement chapter."""

    def ranges(movement: Any, state: Any, hexes: int) -> Ranges:
        for unit, where in enumerate(state.where):
            if where < hexes:
                yield where, partial(getattr(movement, find), state, unit)

    return ranges


def _ranges_of_tanks(movement: Any, state: Any, hexes: int) -> Ranges:
    """The ranges of tanks of both sides: the other pieces of Battle of the Bulge move a single hex."""
    for side in (0, 1):
        for where in range(hexes):
            if state.pieces[(side * 5 + 1) * hexes + where]:
                yield where, partial(movement.reach, state, side, 1, where, False)


CHAPTERS = ("movement", "ways")  # the modules of a game that search
STEP_TABLES = {"table", "_base_table", "_steps", "_steps_of_nodes", "_step", "_crossing", "_cost", "_tactical_steps"}
RANGES = {
    "target-arnhem": _ranges_of_units("reach"),
    "bulge": _ranges_of_tanks,
    "deadly-woods": _ranges_of_units("destinations"),
    "ardennes44": _ranges_of_units("destinations"),
}


def range_against_search(game_id: str) -> float:
    """A piece's movement range in ratio to a bare bucket-queue search over as many hexes of the same map."""
    movement = import_module(f"{PACKAGES[game_id]}.movement")
    board: Any = load(game_id).board
    steps = [[(there, 1) for there in near] for near in board.adjacent]
    clear = _forgetting(game_id)
    ranges = [
        pair for state in positions(game_id)[:: SAMPLES // 5] for pair in RANGES[game_id](movement, state, len(steps))
    ]
    some = ranges[:: max(1, len(ranges) // MOST_RANGES)]
    return statistics.median(_range_ratio(clear, own, where, steps) for where, own in some)


def _forgetting(game_id: str) -> Callable[[], None]:
    """Empties the caches of a game's searches, but not its tables of steps."""
    folder = Path(str(import_module(PACKAGES[game_id]).__file__)).parent
    modules = [import_module(f"{PACKAGES[game_id]}.{name}") for name in CHAPTERS if (folder / f"{name}.py").exists()]
    found = {name: value for module in modules for name, value in vars(module).items() if name not in STEP_TABLES}
    caches = [value for value in found.values() if hasattr(value, "cache_clear")]

    def clear() -> None:
        for cached in caches:
            cached.cache_clear()

    return clear


def _range_ratio(
    clear: Callable[[], None], own: Callable[[], Sequence[int]], where: int, steps: list[list[tuple[int, int]]]
) -> float:
    """One ratio, with the caches of the search emptied before every call; both have their step tables."""

    def afresh() -> None:
        clear()
        own()

    count = len(own())
    budget = next(b for b in range(len(steps)) if b == len(steps) - 1 or len(reach(where, b, steps)[0]) > count)
    return (per_call(afresh, 0.006) - per_call(clear, 0.006)) / per_call(lambda: reach(where, budget, steps), 0.006)
