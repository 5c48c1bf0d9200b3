"""Orders: several plain actions as one. The engine judges each; an order is carried out whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    places = {u: place for u in units if (place := _place_of(game, state, seat, u)) is not None}
    for u in sorted(units, key=lambda u: _distance(board, places.get(u), goal)):
        found = next(iter(_ways(board, state, u, verb, goal)), None)
        if found is None:
            plan.held.append(u)
            continue
        chain, end = found
        if _distance(board, places.get(u), goal) <= _distance(board, end, goal):
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


def _place_of(game: Game, state: State, seat: Seat, u: int) -> int | None:
    """The hex of a unit as its owner sees it; None off the map."""
    where = game.observe(state, seat)["units"].get(game.notation.kinds["unit"].write(u), {}).get("where")
    try:
        return int(game.notation.kinds["hex"].read(where or ""))
    except Unreadable:
        return None


def _distance(board: Board, place: int | None, goal: int) -> int:
    return len(board) if place is None or place >= len(board) else board.distance(place, goal)


def _ways(board: Board, state: State, u: int, verb: str, goal: int) -> Iterator[tuple[list[Action], int]]:
    """How a unit comes nearest to the goal: the actions and the hex, the best first."""
    take_up: Action = (TAKING_UP, u)
    chain = [take_up] if take_up in legal(state) else []
    held = step(state, take_up, trusted=True) if chain else state
    moves = [action for action in candidates(held) if action[:2] == (verb, u) and len(action) == 3]
    for action in sorted(moves, key=lambda action: _distance(board, int(action[2]), goal)):
        yield [*chain, action], int(action[2])
