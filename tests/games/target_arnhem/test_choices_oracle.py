"""Choices as the rulebook gives them, read a second time: whatever it allows can be carried out in any order."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from games.target_arnhem.positions import GROUND, UNITS
from salient import legal, load, step
from salient.common.sides import GERMAN
from salient.games.target_arnhem import model
from salient.games.target_arnhem.combat import Advance, Lose
from salient.games.target_arnhem.reinforcements import Reinforce
from salient.games.target_arnhem.sequence import Impulse, Overstack
from salient.kernel import candidates

from .test_oracle import BOARD, HEXES, crossing, enemies_of, touches

SEEDS = range(3)


def positions(seed: int, often: float, *kinds: type) -> Iterator[tuple]:
    """Positions of a random game in which one of these decisions begins, and where enemies stood at first."""
    rng, state, phase, first_enemies = random.Random(seed), load("target-arnhem").new(), None, set()
    while actions := candidates(state):
        frame = state.stack[-1]
        if isinstance(frame, Impulse) and phase != (phase := (state.turn, state.impulse, frame.side)):
            first_enemies = enemies_of(state, frame.side)
        if isinstance(frame, kinds) and not frame.draft(state) and rng.random() < often:
            yield state, frame, rng, first_enemies
        state = step(state, rng.choice(actions), trusted=True)


def wavering(state, naming: list, rng: random.Random):
    """Name the pieces in a random order, and now and then take one back and name it again."""
    order = rng.sample(naming, len(naming))
    for i, action in enumerate(order):
        state = step(state, action)
        if rng.random() < 0.4:
            again = rng.choice(order[: i + 1])
            state = step(step(state, ("drop", again[1])), again)
    return state


def in_order(state, naming: list):
    for action in sorted(naming, key=lambda a: a[1]):
        assert action in candidates(state), "a set is a line of candidates"
        state = step(state, action)
    return state


def assert_any_order(state, naming: list, rng: random.Random):
    """Two orders lead to one position, whose draft is the set; returns it."""
    named = wavering(state, naming, rng)
    assert named.key() == in_order(state, naming).key()
    assert list(named.stack[-1].draft(named))[-len(naming) :] == sorted(naming, key=lambda a: a[1])
    return named


# ---- sets ---------------------------------------------------------------------------------------


def may_attack(state, u: int, h: int) -> bool:
    """3.1, 3.3, 5: a unit next to the hex, not across an unbridged river, that has an action left."""
    if state.where[u] not in BOARD.adjacent[h] or crossing(h, state.where[u]) == "river":
        return False
    if state.impulse == 3 and not UNITS.vehicle[u]:
        return False
    return not state.acted >> u & 1 or bool(state.landed >> u & 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_5_any_set_of_attackers_in_any_order(seed):
    """9.3: of units that have landed no more than there are extra actions."""
    for state, frame, rng, _ in positions(seed, 0.3, Impulse):
        for h in enemies_of(state, frame.side):
            own = UNITS.of_side[frame.side]
            able = [u for u in own if state.where[u] < HEXES and may_attack(state, u, h)]
            fresh = [u for u in able if not state.acted >> u & 1]
            landed = [u for u in able if state.acted >> u & 1]
            if state.attacked >> h & 1 or not fresh + landed[: state.extra]:
                assert ("attack", h) not in legal(state)
                continue
            units = rng.sample(fresh, rng.randint(0, len(fresh)))
            units += rng.sample(landed, min(rng.randint(0, state.extra), len(landed)))
            if units:
                declared = step(state, ("attack", h))
                named = assert_any_order(declared, [("join", u) for u in units], rng)
                assert step(named, ("cancel",)).key() == state.key()
                assert step(named, ("resolve",)).stack[-1].units == tuple(sorted(units))


@pytest.mark.parametrize("seed", SEEDS)
def test_3_5_and_5_2_and_8_any_set_in_any_order(seed):
    """Arrivals, advances and units in excess: every subset that the book allows."""
    verbs = {Advance: "advance", Overstack: "remove", Reinforce: "arrive"}
    for state, frame, rng, _ in positions(seed, 1.0, *verbs):
        verb = verbs[type(frame)]
        pieces = [action for action in legal(state) if action[0] == verb]
        excess = isinstance(frame, Overstack)
        count = len(pieces) - model.STACKING_LIMIT if excess else rng.randint(1, len(pieces))
        named = assert_any_order(state, rng.sample(pieces, count), rng)
        assert ("done",) in legal(named)


@pytest.mark.parametrize("seed", SEEDS)
def test_5_2_any_share_of_the_damage_in_any_order(seed):
    """To nobody more than his resistance; what is shared out falls when the owner is done."""
    for state, frame, rng, _ in positions(seed, 1.0, Lose):
        room = [u for u in frame.units for _ in range(UNITS.resistance[u] - state.damage[u])]
        shares = rng.sample(room, frame.points)
        named = assert_any_order(state, [("lose", u) for u in shares], rng)
        after = step(named, ("done",))
        for u in set(shares):
            damage = state.damage[u] + shares.count(u)
            dead = damage == UNITS.resistance[u]
            assert (after.where[u] == GROUND.eliminated) is dead
            assert dead or after.damage[u] == damage


# ---- ways ---------------------------------------------------------------------------------------


def any_way(state, u: int, first_enemies: set[int], rng: random.Random) -> list[int]:
    """A way of up to four hexes, chosen hex by hex: two of a normal move, or along a road and perhaps off it."""
    enemies, way = enemies_of(state, UNITS.side[u]), [state.where[u]]
    drives = not touches(way[0], first_enemies) and not state.landed >> u & 1 and rng.random() < 0.7
    for _ in range(4 if drives else 2):
        here = way[-1]
        stops = touches(here, enemies) or (not drives and BOARD.terrain[here] == "forest")
        onward = [n for n in BOARD.adjacent[here] if n not in enemies and not crossing(here, n)]
        if (len(way) > 1 and stops) or not onward:
            break
        n = rng.choice(
            ([n for n in onward if BOARD.road(here, n)] or onward) if drives and rng.random() < 0.8 else onward
        )
        way.append(n)
        if drives and not BOARD.road(here, n):
            break
    return way


@pytest.mark.parametrize("seed", SEEDS)
def test_4_and_7_3_any_way_hex_by_hex(seed):
    """The unit comes to its end, and captures the zones on its way and no others."""
    for state, frame, rng, first_enemies in positions(seed, 0.5, Impulse):
        ready = [u for u in frame.ready(state) if state.where[u] < HEXES]
        for u in rng.sample(ready, min(2, len(ready))):
            way = any_way(state, u, first_enemies, rng)
            if len(way) == 1:
                continue
            after = state
            for h in way[1:-1]:
                after = step(after, ("via", u, h))
            after = step(after, ("move", u, way[-1]))
            taken = {zone for zone in state.zones if zone in way[1:]} if frame.side == GERMAN else set()
            assert after.where[u] == way[-1]
            assert {zone for zone in state.zones if zone not in after.zones} == taken
            assert sum(after.pools) == sum(state.pools) + len(taken)
            assert after.stack[-1] == frame
