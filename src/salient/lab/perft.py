"""Perft: the number of lines of play of a given length, every outcome of the dice counted as one."""

from __future__ import annotations

from salient.kernel import State, candidates, step
from salient.kernel.notation import Action


def perft(state: State, depth: int) -> int:
    """The number of lines of `depth` actions; a line that ends the game earlier counts once."""
    actions = candidates(state)
    if depth <= 0 or not actions:
        return 1
    if depth == 1:
        return len(actions)
    return sum(perft(step(state, action, trusted=True), depth - 1) for action in actions)


def divide(state: State, depth: int) -> list[tuple[Action, int]]:
    """The number of lines behind each first action: where two versions of the rules differ."""
    return [(action, perft(step(state, action, trusted=True), depth - 1)) for action in candidates(state)]
