"""Orders: several plain actions as one. The engine judges each; an order is carried out whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from salient.hexes.board import Board
from salient.kernel import Action, AnyGame, Illegal, Seat, State, Unreadable, actor, candidates, legal, step, why_not
from salient.kernel.frames import LEAD, SET, TAKE_BACK, TAKE_UP

MOST = 200  # actions of one order
OVERSTACKS = "would-overstack"  # what a preview says of a move that breaks the stacking limit


@dataclass
class Plan:
    """The actions of an order, where each unit ends, and those that fall short of the goal or cannot go at all.

    `after` is the position that an order leads to in which something was begun.
    """

    actions: list[Action] = field(default_factory=list)
    ends: dict[int, int] = field(default_factory=dict)
    stragglers: list[int] = field(default_factory=list)
    held: list[int] = field(default_factory=list)
    after: State | None = None


def listed(game: AnyGame, state: State, texts: Sequence[str]) -> Plan:
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
        raise Unreadable("order-interrupted")
    if refusals := why_not(state, action):
        raise Illegal(action, refusals)


def can_name(state: State, verb: str) -> bool:
    """Whether a verb can name a piece now."""
    return _next_named(state, verb) is not None


def _next_named(state: State, verb: str) -> Action | None:
    return next((action for action in legal(state) if action[0] == verb), None)


def all_that_can(game: AnyGame, state: State, verb: str) -> Plan:
    """One action of a verb for each piece that can still be named."""
    plan, seat = Plan(), actor(state)
    while len(plan.actions) < MOST and actor(state) == seat:
        named = _next_named(state, verb)
        if named is None:
            break
        plan.actions.append(named)
        state = step(state, named, trusted=True)
    if not plan.actions:
        raise Unreadable("nothing-to-name", text=verb)
    return plan


def begun_with(game: AnyGame, state: State, first: str, units: Sequence[int]) -> Plan:
    """An action that opens a decision, and each unit named in it; what cannot be named at once is named further on.

    An attack begins, its attackers join, and guns among the units support it once it is declared. Nothing is rolled.
    """
    plan, seat = listed(game, state, [first]), actor(state)
    state, waiting = step(state, plan.actions[0], trusted=True), list(units)
    while waiting:
        named = next((action for u in waiting if (action := _naming(state, u))), None)
        if named is None:
            named = _onward(state, seat, waiting)
            if named is None:
                break
        else:
            waiting.remove(int(named[1]))
        plan.actions.append(named)
        state = step(state, named, trusted=True)
    plan.held, plan.after = waiting, state
    if len(waiting) == len(units):
        raise Unreadable("nothing-to-name", text=first)
    return plan


def _naming(state: State, u: int) -> Action | None:
    """The action that names a unit now, if there is one."""
    frame = state.stack[-1]
    found = [action for action in legal(state) if action[1:] == (u,) and frame.role(action) not in (TAKE_BACK, LEAD)]
    drafted = len(frame.draft(state))
    after = {action: step(state, action, trusted=True) for action in found}
    return next((action for action, then in after.items() if len(then.stack[-1].draft(then)) > drafted), None)


def going_on(state: State) -> Action | None:
    """The action that carries out the set that has been named, if there is one."""
    return next((action for action in legal(state) if state.stack[-1].ending(action) == SET), None)


def _onward(state: State, seat: Seat, waiting: Sequence[int]) -> Action | None:
    """The action that goes on, if the same seat decides next and can name one of those who wait."""
    onward = going_on(state)
    if onward is None:
        return None
    then = step(state, onward, trusted=True)
    return onward if actor(then) == seat and any(_naming(then, u) for u in waiting) else None


def towards(game: AnyGame, board: Board, state: State, units: Sequence[int], verb: str, goal: int) -> Plan:
    """Lead each unit by a verb as near to a hex as it may go, the nearest first so that they make way."""
    plan, seat = Plan(), actor(state)
    now = _distances(game, board, state, seat, units, goal)
    for u in sorted(units, key=now.__getitem__):
        chain, end = _nearest(game, board, state, u, verb, goal)
        if end is None or _distance(board, end, goal) >= now[u]:
            plan.held.append(u)
            continue
        for action in chain:
            state = step(state, action, trusted=True)
        if actor(state) != seat:
            raise Unreadable("order-interrupted")
        plan.actions += chain
        plan.ends[u] = end
        if end != goal:
            plan.stragglers.append(u)
    return plan


def _distances(
    game: AnyGame, board: Board, state: State, seat: Seat, units: Sequence[int], goal: int
) -> dict[int, int]:
    """How far each unit stands from the goal, as its owner sees it; off the map it is very far."""
    seen, names, hexes = game.view.observe(state, seat)["units"], game.notation.kinds["unit"], board.index
    places = {u: hexes.get(seen.get(names.write(u), {}).get("where")) for u in units}
    return {u: _distance(board, place, goal) for u, place in places.items()}


def _distance(board: Board, place: int | None, goal: int) -> int:
    return len(board) if place is None or place >= len(board) else board.distance(place, goal)


def _nearest(
    game: AnyGame, board: Board, state: State, u: int, verb: str, goal: int
) -> tuple[list[Action], int | None]:
    """How a unit comes nearest to the goal within the stacking limit: the actions, and its last hex or None."""
    chain = [action for action in legal(state) if action[1:] == (u,) and state.stack[-1].role(action) == TAKE_UP]
    held = step(state, chain[0], trusted=True) if chain else state
    moves = [action for action in candidates(held) if action[:2] == (verb, u) and len(action) == 3]
    moves.sort(key=lambda action: _distance(board, int(action[2]), goal))
    best = next((action for action in moves if not _overstacks(game, held, action)), None)
    return ([*chain, best], int(best[2])) if best else ([], None)


def _overstacks(game: AnyGame, state: State, action: Action) -> bool:
    """Whether a move breaks the stacking limit, which would cost a unit later."""
    return any(effect["key"] == OVERSTACKS for effect in game.view.preview(state, action).get("effects", ()))
