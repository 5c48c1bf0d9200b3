"""How cost grows: with the pieces on the map, and with the plies of a game. Processor times."""

from __future__ import annotations

import random
import statistics
from time import process_time

from salient.games import load
from salient.games.bulge.components import AXIS, SIDES
from salient.games.bulge.model import BulgeState, count, put
from salient.hexes.masks import bits, mask_of
from salient.kernel import SeededDice, Session, State, candidates, step
from salient.lab.playouts import play_session

GAME = "bulge"
PIECES = (24, 150, 300, 600)
STEPS = 1500  # random steps in each round
PLIES_A_GAME = 300  # from a position, before it is taken up again
SESSION = "ardennes44"
PLIES = (100, 1_000, 10_000)
WINDOW = 200  # actions whose cost is taken at each of them
DETOURS = 0.2


def position_with(pieces: int) -> State:
    """The first position with a number of infantry and tanks on the map, as many of each side on its half."""
    state = load(GAME).new()
    assert isinstance(state, BulgeState)
    hexes = bits(state.ground.whole)
    halves = hexes[: len(hexes) // 2], hexes[len(hexes) // 2 :]
    state.control = mask_of(halves[AXIS])
    for side in SIDES:
        for kind in range(5):
            for h in range(state.ground.hexes):
                put(state, side, kind, h, -count(state, side, kind, h))
        for i in range(pieces // 2):
            round_, at = divmod(i, len(halves[side]))
            put(state, side, round_ % 2, halves[side][at], 1)
    assert not load(GAME).check(state)
    return state


def rates_by_pieces(rounds: int) -> dict[int, float]:
    """By number of pieces: steps a second of random play, interleaved, medians."""
    positions = {n: position_with(n) for n in PIECES}
    measured: dict[int, list[float]] = {n: [] for n in PIECES}
    for seed in range(rounds):
        for n, state in positions.items():
            measured[n].append(_rate(state, random.Random(seed)))
    return {n: statistics.median(rates) for n, rates in measured.items()}


def _rate(start: State, rng: random.Random) -> float:
    begin = process_time()
    state, plies = start, 0
    for _ in range(STEPS):
        actions = candidates(state)
        if not actions or plies == PLIES_A_GAME:
            state, plies = start, 0
            continue
        state, plies = step(state, actions[int(rng.random() * len(actions))], trusted=True), plies + 1
    return STEPS / (process_time() - begin)


def session_by_plies() -> dict[int, float]:
    """By plies of a game: what an action costs in a session, in ratio to the bare engine."""
    session = Session(load(SESSION), SeededDice(1), "extended")
    found = {}
    for at in PLIES:
        play_session(session, at, at - len(session.actions), DETOURS)
        found[at] = _session_against_engine(session)
    return found


def _session_against_engine(session: Session) -> float:
    """The next actions in a session, and the same in the engine alone."""
    begin, first, state = process_time(), len(session.actions), session.state
    play_session(session, "window", WINDOW)
    kept = process_time() - begin
    begin = process_time()
    for action in session.actions[first:]:
        candidates(state)
        state = step(state, action)
    return kept / (process_time() - begin)
