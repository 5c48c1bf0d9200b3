"""Averages over the dice of a game."""

from __future__ import annotations

from salient.kernel import CHANCE, ChanceFrame, State, actor, step

Leaves = list[tuple[float, State]]
MOST_OUTCOMES = 36  # of a roll that is opened; beyond that we fall back to the evaluator's estimate


def outcomes(state: State) -> Leaves:
    """The positions after the roll that is due, with their probabilities; the position itself if none is due."""
    frame = state.stack[-1]
    if actor(state) != CHANCE:
        return [(1.0, state)]
    assert isinstance(frame, ChanceFrame)
    return [(float(share), step(state, action, trusted=True)) for action, share in frame.outcomes(state)]
