"""Orders: several plain actions as one. The engine judges each; an order is carried out whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from salient.hexes.board import Board
from salient.kernel import Action, Game, Illegal, Seat, State, Unreadable, actor, candidates, legal, step

TAKING_UP = "select"
MOST = 200  # actions of one order


@dataclass
class Plan:
    """The actions of an order, where each unit ends, and those that fall short of the goal or cannot go at all."""

    actions: list[Action] = field(default_factory=list)
    ends: dict[int, int] = field(default_factory=dict)
    stragglers: list[int] = field(default_factory=list)
    held: list[int] = field(default_factory=list)


def listed(game: Game, state: State, texts: Sequence[str]) -> Plan:
    """The actions as they are named; Illegal at the first that may not be carried out."""
    plan, seat = Plan(), actor(state)
    for text in texts:
        action = game.read(text)
        _must_go_on(state, seat, action)
        state = step(state, action)
        plan.actions.append(action)
    return plan


def _must_go_on(state: State, seat: Seat, action: Action) -> None:
    if actor(state) != seat:
        raise Unreadable("The order goes on where somebody else decides, or dice.", "order-interrupted")
    if action not in legal(state):
        raise Illegal(action, state.stack[-1].why_not(state, action))


def can_name(state: State, verb: str) -> bool:
    """Whether there is a next piece in order for a verb."""
    return any(action[0] == verb for action in candidates(state))


def all_that_can(game: Game, state: State, verb: str) -> Plan:
    """One action of a verb for each piece that can still be named."""
    plan, seat = Plan(), actor(state)
    while len(plan.actions) < MOST and actor(state) == seat:
        named = next((action for action in candidates(state) if action[0] == verb), None)
        if named is None:
            break
        plan.actions.append(named)
        state = step(state, named, trusted=True)
    if not plan.actions:
        raise Unreadable(f"Nothing can be named by {verb!r} now.", "nothing-to-name", text=verb)
    return plan


def towards(game: Game, board: Board, state: State, units: Sequence[int], verb: str, goal: int) -> Plan:
    """Lead each unit by a verb as near to a hex as it may go, the nearest first so that they make way."""
    plan, seat = Plan(), actor(state)
    now = _distances(game, board, state, seat, units, goal)
    for u in sorted(units, key=now.__getitem__):
        chain, end = _nearest(board, state, u, verb, goal)
        if end is None or _distance(board, end, goal) >= now[u]:
            plan.held.append(u)
            continue
        for action in chain:
            state = step(state, action, trusted=True)
        if actor(state) != seat:
            raise Unreadable("The order goes on where somebody else decides, or dice.", "order-interrupted")
        plan.actions += chain
        plan.ends[u] = end
        if end != goal:
            plan.stragglers.append(u)
    return plan


def _distances(game: Game, board: Board, state: State, seat: Seat, units: Sequence[int], goal: int) -> dict[int, int]:
    """How far each unit stands from the goal, as its owner sees it; off the map it is very far."""
    seen, names, hexes = game.observe(state, seat)["units"], game.notation.kinds["unit"], board.index
    places = {u: hexes.get(seen.get(names.write(u), {}).get("where")) for u in units}
    return {u: _distance(board, place, goal) for u, place in places.items()}


def _distance(board: Board, place: int | None, goal: int) -> int:
    return len(board) if place is None or place >= len(board) else board.distance(place, goal)


def _nearest(board: Board, state: State, u: int, verb: str, goal: int) -> tuple[list[Action], int | None]:
    """How a unit comes nearest to the goal: the actions, and the hex where it ends; None if it cannot go."""
    take_up: Action = (TAKING_UP, u)
    chain = [take_up] if take_up in legal(state) else []
    held = step(state, take_up, trusted=True) if chain else state
    moves = [action for action in candidates(held) if action[:2] == (verb, u) and len(action) == 3]
    if not moves:
        return [], None
    best = min(moves, key=lambda action: _distance(board, int(action[2]), goal))
    return [*chain, best], int(best[2])
