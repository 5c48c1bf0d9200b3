"""The engine: whose decision, what is legal, and the next position."""

from __future__ import annotations

from typing import TypeVar

from salient.kernel.frames import AutoFrame, Seat
from salient.kernel.messages import Illegal, NotYourTurn, Refusal, Sink, ignore_events
from salient.kernel.notation import Action
from salient.kernel.state import State

S = TypeVar("S", bound=State)


def actor(s: State) -> Seat:
    """The seat that decides now: a named seat, CHANCE, or OVER."""
    return s.stack[-1].actor(s)


def legal(s: State) -> list[Action]:
    """Every legal action now, in canonical order; empty only when the game is over."""
    return s.stack[-1].legal(s)


def candidates(s: State) -> list[Action]:
    """What search and random play choose from: the legal actions without take-backs and other orders of naming."""
    return s.stack[-1].candidates(s)


def why_not(s: State, action: Action) -> list[Refusal]:
    """Why `action` is not legal now, each reason with its rule; empty if it is legal."""
    frame = s.stack[-1]
    return [] if action in frame.legal(s) else frame.refusals(s, action)


def step(s: S, action: Action, out: Sink = ignore_events, trusted: bool = False, seat: Seat | None = None) -> S:
    """The position after `action`; `s` itself never changes.

    Raises NotYourTurn if `seat` is given and is not the actor, and Illegal if the action is not legal.
    `trusted` skips the second check for actions just taken from `legal(s)`.
    """
    frame = s.stack[-1]
    if seat is not None and seat != frame.actor(s):
        raise NotYourTurn(seat, frame.actor(s))
    if not trusted and action not in frame.legal(s):
        raise Illegal(action, frame.refusals(s, action))
    after = s.clone()
    frame.apply(after, action, out)
    settle(after, out)
    return after


def settle(s: State, out: Sink = ignore_events, floor: int = 0) -> None:
    """Run automatic frames in place until a decision is on top, or no more than `floor` frames are left."""
    while len(s.stack) > floor and s.stack[-1].automatic:
        frame = s.stack[-1]
        assert isinstance(frame, AutoFrame)
        frame.run(s, out)
