"""Random play: the fastest whole game, and the most suspicious one."""

from __future__ import annotations

import random
from collections.abc import Iterator

from salient.kernel import CHANCE, OVER, Game, SeededDice, Session, State, actor, legal, step
from salient.kernel.messages import SalientError

LONGEST = 100_000


class BrokenGame(SalientError):
    """A game that broke its own rules; `session` holds the moves that led there."""

    def __init__(self, session: Session, cause: str) -> None:
        self.session = session
        self.cause = cause
        super().__init__(f"After move {len(session.actions)}: {cause}")


def random_playout(state: State, rng: random.Random) -> tuple[State, int]:
    """Play random legal actions to the end; the last position and the number of actions."""
    plies = 0
    while actions := legal(state):
        state = step(state, actions[int(rng.random() * len(actions))], trusted=True)
        plies += 1
    return state, plies


def play_session(session: Session, seed: int | str, plies: int = LONGEST) -> None:
    """Go on with a session by random actions, its own dice rolling, for a number of actions or to the end."""
    rng = random.Random(f"choices {seed}")
    for _ in range(plies):
        if session.actor == OVER:
            return
        if session.actor == CHANCE:
            session.roll()
        else:
            session.play(session.actor, rng.choice(legal(session.state)))


def random_states(game: Game, seed: int | str, scenario: str = "", plies: int = LONGEST) -> Iterator[State]:
    """Every position of one random game, the last one included."""
    rng = random.Random(f"{game.id} {seed}")
    state = game.new(scenario, random_options(game, rng))
    yield state
    for _ in range(plies):
        actions = legal(state)
        if not actions:
            return
        state = step(state, rng.choice(actions), trusted=True)
        yield state


def random_options(game: Game, rng: random.Random) -> dict[str, str]:
    """One choice of every option."""
    return {option.id: rng.choice(option.choices) for option in game.options}


def checked_game(game: Game, seed: int | str, scenario: str = "") -> Session:
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
    if game.result(session.state) is None:
        raise BrokenGame(session, "the game is over without a result")
    return session


def _checked_step(session: Session, rng: random.Random) -> None:
    if len(session.actions) > LONGEST:
        raise BrokenGame(session, f"no end after {LONGEST} actions")
    actions = legal(session.state)
    if not actions:
        raise BrokenGame(session, f"a dead end: {actor(session.state)} has no legal action")
    if session.actor == CHANCE:
        session.roll()
    else:
        session.play(session.actor, rng.choice(actions))
    broken = session.game.check(session.state)
    if broken:
        raise BrokenGame(session, "; ".join(broken))
