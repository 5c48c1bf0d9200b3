"""Random play: the fastest whole game, and the most suspicious one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise

from salient.kernel import CHANCE, OVER, Action, AnyGame, SeededDice, Session, State, candidates, legal, step
from salient.kernel.messages import SalientError

LONGEST = 100_000
DETOURS = 0.3  # how often a fuzzed game chooses among all legal actions, take-backs included


class BrokenGame(SalientError):
    """A game that broke its own rules; `session` holds the moves that led there."""

    def __init__(self, session: Session, cause: str) -> None:
        self.session = session
        self.cause = cause
        super().__init__(f"After move {len(session.actions)}: {cause}")


def random_playout(state: State, rng: random.Random) -> tuple[State, int]:
    """Play random candidates to the end; the last position and the number of actions."""
    plies = 0
    while actions := candidates(state):
        state = step(state, actions[int(rng.random() * len(actions))], trusted=True)
        plies += 1
    return state, plies


def play_session(session: Session, seed: int | str, plies: int = LONGEST, detours: float = 0.0) -> None:
    """Go on with a session by random actions, its own dice rolling, for a number of actions or to the end.

    `detours` is how often any legal action is chosen instead of a candidate.
    """
    rng = random.Random(f"choices {seed}")
    for _ in range(plies):
        if session.actor == OVER:
            return
        if session.actor == CHANCE:
            session.roll()
        else:
            session.play(session.actor, _any_action(session, rng, detours))


def _any_action(session: Session, rng: random.Random, detours: float) -> Action:
    choices = legal if rng.random() < detours else candidates
    return rng.choice(choices(session.state))


def random_states(game: AnyGame, seed: int | str, scenario: str = "", plies: int = LONGEST) -> Iterator[State]:
    """Every position of one random game, the last one included."""
    rng = random.Random(f"{game.id} {seed}")
    state = game.new(scenario, random_options(game, rng))
    yield state
    for _ in range(plies):
        actions = candidates(state)
        if not actions:
            return
        state = step(state, rng.choice(actions), trusted=True)
        yield state


def random_options(game: AnyGame, rng: random.Random) -> dict[str, str]:
    """One choice of every option."""
    return {option.id: rng.choice(option.choices) for option in game.options}


def checked_game(game: AnyGame, seed: int | str, scenario: str = "") -> Session:
    """One random game with every invariant checked after every action; BrokenGame at the first fault."""
    rng = random.Random(f"options {seed}")
    session = Session(game, SeededDice(seed), scenario, random_options(game, rng), name=f"fuzz {seed}")
    try:
        while session.actor != OVER:
            _checked_step(session, rng)
    except BrokenGame:
        raise
    except Exception as error:
        raise BrokenGame(session, f"{type(error).__name__}: {error}") from error
    if fault := _faulty_end(session):
        raise BrokenGame(session, fault)
    return session


def _faulty_end(session: Session) -> str:
    result = session.game.result(session.state)
    if result is None:
        return "the game is over without a result"
    if result.winner not in (*session.game.seats, None) or not result.rule:
        return f"the result is of nobody or of no rule: {result}"
    if legal(session.state):
        return "an action is offered after the end"
    *_, replayed = session.record().replay(session.game)
    return "" if replayed.key() == session.state.key() else "the record leads to another position"


def _checked_step(session: Session, rng: random.Random) -> None:
    if len(session.actions) > LONGEST:
        raise BrokenGame(session, f"no end after {LONGEST} actions")
    actions, chosen = legal(session.state), candidates(session.state)
    if fault := _faulty_list(session, actions) or _faulty_candidates(chosen, actions):
        raise BrokenGame(session, fault)
    if session.actor == CHANCE:
        session.roll()
    else:
        session.play(session.actor, rng.choice(actions if rng.random() < DETOURS else chosen))
    broken = session.game.check(session.state)
    if broken:
        raise BrokenGame(session, "; ".join(broken))


def _faulty_list(session: Session, actions: list[Action]) -> str:
    """What is wrong with a legal list: all actions of a verb stand together; within a verb, arguments ascend."""
    if session.actor not in (*session.game.seats, CHANCE):
        return f"{session.actor} is nobody who could decide"
    if session.game.result(session.state) is not None:
        return "there is a result before the end"
    if not actions:
        return f"a dead end: {session.actor} has no legal action"
    rank = {verb: n for n, verb in enumerate(dict.fromkeys(action[0] for action in actions))}
    places = [(rank[action[0]], action[1:]) for action in actions]
    if any(place >= after for place, after in pairwise(places)):
        return "the legal actions are not unique or not in order"
    return ""


def _faulty_candidates(chosen: list[Action], actions: list[Action]) -> str:
    """What is wrong with the candidates: they are legal actions in the same order, and at least one."""
    offered = iter(actions)
    if not chosen:
        return "no candidate among the legal actions"
    return "" if all(action in offered for action in chosen) else "the candidates are not legal, or not in order"
