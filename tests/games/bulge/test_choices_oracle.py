"""Choices as the rulebook gives them, read a second time: whatever it allows can be carried out in any order."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from games.bulge.positions import GROUND, UNITS
from salient import legal, load, step
from salient.games.bulge import model
from salient.games.bulge.air import Fly
from salient.games.bulge.combat import Battles, Combat
from salient.games.bulge.components import ALLIED, AXIS, COMBAT_KINDS, SUPPLY
from salient.games.bulge.model import count, counts
from salient.games.bulge.movement import TruckReturn
from salient.games.bulge.retreats import Retreat
from salient.games.bulge.trucks import Trucks
from salient.games.bulge.upkeep import Capture
from salient.kernel import candidates

SEEDS = range(8)


def positions(seed: int, often: float, *kinds: type) -> Iterator[tuple]:
    """Positions of a random game in which one of these decisions begins."""
    rng, state = random.Random(seed), load("bulge").new()
    while actions := candidates(state):
        frame = state.stack[-1]
        if isinstance(frame, kinds) and not frame.draft(state) and rng.random() < often:
            yield state, frame, rng
        state = step(state, rng.choice(actions), trusted=True)


def carried_out(state, actions: list, rng: random.Random):
    """The actions in any order that is open, now and then with all thrown over and begun anew."""
    start, left = state, list(actions)
    while left:
        open_now = [action for action in left if action in legal(state)]
        assert open_now, f"none of {left} can be named"
        action = rng.choice(open_now)
        state = step(state, action)
        left.remove(action)
        if rng.random() < 0.05 and ("cancel",) in legal(state):
            state, left = step(state, ("cancel",)), list(actions)
            assert state.key() == start.key()
    return state


def assert_any_order(state, actions: list, rng: random.Random):
    """Two random orders and the draft lead to one position; returns it."""
    named = carried_out(state, actions, rng)
    assert named.key() == carried_out(state, actions, rng).key()
    draft = list(named.stack[-1].draft(named))
    assert Counter(draft) == Counter(actions)
    for action in draft:
        state = step(state, action)
    assert state.key() == named.key()
    return named


# ---- 6.4, 6.5, 6.7 Attacks ------------------------------------------------------------------------------


def tokens_for(state, side: int, h: int) -> list[int]:
    """Every token that can pay for a hex: there, or next to it behind the own front and without enemies."""
    own = state.control if side == AXIS else GROUND.whole & ~state.control
    near = [n for n in GROUND.board.adjacent[h] if own >> n & 1 and not any(counts(state, 1 - side, n))]
    return [payer for payer in (h, *near) for _ in range(count(state, side, SUPPLY, payer))]


@pytest.mark.parametrize("seed", SEEDS)
def test_6_4_any_plan_of_attack_in_any_order(seed):
    """Several targets, tokens from several hexes, units spread over them or held back."""
    for state, frame, rng in positions(seed, 0.5, Combat):
        side = frame.side
        hexes = [h for h in range(GROUND.hexes) if any(counts(state, side, h)[:3]) and not state.attacked >> h & 1]
        for h in rng.sample(hexes, min(3, len(hexes))):
            enemies = [n for n in GROUND.board.adjacent[h] if any(counts(state, 1 - side, n))]
            tokens = tokens_for(state, side, h)
            units = [kind for kind in COMBAT_KINDS for _ in range(counts(state, side, h)[kind])]
            most = min(len(enemies), len(tokens), len(units))
            if most == 0 or (side == ALLIED and state.turn == 1):
                assert not any(action[:2] == ("attack", h) for action in legal(state))
                continue
            targets = sorted(rng.sample(enemies, rng.randint(1, most)))
            rng.shuffle(units)
            plan = {t: Counter([units.pop()]) for t in targets}
            held: Counter[int] = Counter()
            for kind in units:
                rng.choice([*plan.values(), held])[kind] += 1
            named = assert_any_order(state, declared(side, h, plan, held, tokens, rng), rng)
            assert step(named, ("cancel",)).key() == state.key()
            assert fought(step(named, ("resolve",))) == {t: dice(sent) for t, sent in plan.items()}


def declared(side: int, h: int, plan: dict, held: Counter, tokens: list[int], rng: random.Random) -> list:
    """The actions that say a plan."""
    actions = [("attack", h, target) for target in plan]
    if len(set(tokens)) > 1:
        actions += [("pay", payer) for payer in rng.sample(tokens, len(plan))]
    for target in sorted(plan)[1:]:
        actions += [("send", UNITS.piles[side][kind][h], target, n) for kind, n in plan[target].items()]
    return actions + [("hold", UNITS.piles[side][kind][h], n) for kind, n in held.items()]


def dice(sent: Counter) -> int:
    return sum((kind + 1) * n for kind, n in sent.items())


def fought(state) -> dict[int, int]:
    """The dice against each target once the attack is resolved."""
    frame = state.stack[-1]
    if isinstance(frame, Battles):
        return {row[0]: row[1] + 2 * row[2] + 3 * row[3] for row in frame.plan}
    return {frame.target: frame.dice}


# ---- 4.7 Loads ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_4_7_2_any_loads_in_any_order(seed):
    """Up to four piles of all that the truck passes, six pieces at the most."""
    for state, frame, rng in positions(seed, 0.3, Trucks):
        drives = [action for action in legal(state) if action[0] == "drive"]
        if not drives:
            continue
        drive = rng.choice(drives)
        actions, room, after = [drive], model.TRUCK_SPACES, step(state, drive)
        for _ in range(4):
            loads = [a for a in legal(after) if a[0] == "load"]
            if loads:
                load_action = rng.choice(loads)
                actions.append(load_action)
                room -= load_action[2]
                after = step(after, load_action)
        assert room >= 0
        named = assert_any_order(state, actions, rng)
        assert step(named, ("cancel",)).key() == state.key()
        assert any(action[0] == "stop" for action in legal(named))
        assert frame.side == named.stack[-1].side


# ---- 5.3, 6.11, 7.1, 9.5 Sets ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_5_3_and_6_11_and_7_1_and_9_5_any_set_in_any_order(seed):
    """Aircraft, retreats, returning trucks and captures: named, taken back to nothing, and named again."""
    for state, _, rng in positions(seed, 1.0, Fly, Retreat, TruckReturn, Capture):
        actions, after = [], state
        for _ in range(rng.randint(1, 6)):
            more = [action for action in legal(after) if action[0] in ("fly", "retreat", "return", "capture")]
            if more:
                actions.append(rng.choice(more))
                after = step(after, actions[-1])
        named = assert_any_order(state, actions, rng)
        while drops := [action for action in legal(named) if action[0] == "drop"]:
            named = step(named, rng.choice(drops))
        assert named.key() == state.key()
