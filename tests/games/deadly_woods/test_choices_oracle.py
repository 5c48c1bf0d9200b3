"""Choices against a plain second reading: every set and way that the book allows can be carried out, in any order.

Positions come from random games. What may be chosen is read here from the rulebook again; then it is named in a random
order, with pieces taken back and named once more, and must lead where the ascending order leads.
"""

from __future__ import annotations

import random
from functools import cache

import pytest
from tests.games.deadly_woods.test_movement_oracle import barred, in_bounds, manners, steps
from tests.games.deadly_woods.test_oracle import supplied, zone_of

from games.deadly_woods.positions import ASSETS, GROUND, PLAIN_GAME, UNITS
from salient.common.sides import ALLIED, GERMAN
from salient.games.deadly_woods.assets import Engineers
from salient.games.deadly_woods.chits import ChooseFormation
from salient.games.deadly_woods.combat import Fight, Support
from salient.games.deadly_woods.components import INFANTRY
from salient.games.deadly_woods.move_unit import MoveUnit, UnderWay
from salient.games.deadly_woods.replacements import Replace
from salient.games.deadly_woods.results import Advance
from salient.kernel import legal, step
from salient.lab.playouts import random_states

SEEDS = (1, 2, 3)
PLIES = 1500
EACH = 25  # positions of a kind


@cache
def positions(kind):
    """Positions of random games at one kind of decision."""
    game = PLAIN_GAME
    return tuple(
        state
        for seed in SEEDS
        for state in random_states(game, f"choices {seed}", ("campaign", "attack")[seed % 2], PLIES)
        if isinstance(state.stack[-1], kind)
    )


def some(kind, rng, wanted=lambda s: not s.stack[-1].draft(s)):
    """A few of them: where nothing has been named yet, or those that are wanted."""
    found = [state for state in positions(kind) if wanted(state)]
    assert found
    return rng.sample(found, min(EACH, len(found)))


def played(state, actions):
    """The position after actions that must be legal one after the other."""
    for action in actions:
        assert action in legal(state), PLAIN_GAME.write(action)
        state = step(state, action, trusted=True)
    return state


def named_at_random(state, actions, rng):
    """The pieces named in a random order; half of them are taken back at once and named again."""
    actions = list(actions)
    while actions:
        ready = [action for action in actions if action in legal(state)]
        assert ready, [PLAIN_GAME.write(action) for action in actions]
        action = rng.choice(ready)
        before = state
        state = step(state, action, trusted=True)
        if rng.random() < 0.5:
            back = [other for other in legal(state) if step(state, other, trusted=True).key() == before.key()]
            assert back, "nothing takes it back"
            state = played(state, [back[0], action])
        actions.remove(action)
    return state


def same_in_any_order(state, actions, rng):
    """The set as the ascending order names it, after checking that another order leads to the same position."""
    ascending = played(state, actions)
    assert named_at_random(state, actions, rng).key() == ascending.key()
    return ascending


def is_fed(s, u):
    """Whether a unit counts as supplied, air supply apart [8.1]."""
    return not s.oos >> u & 1 if UNITS.side[u] == GERMAN else s.where[u] in supplied(s, ALLIED)


# ---- 11.3.1, 11.5, 12.2, 12.3 Combat ----------------------------------------------------------------


def attackers(s, side, h):
    """Who may attack a hex: adjacent, active, fresh, with strength and supply, not across a river on wheels."""
    near = [
        u for u in UNITS.of_side[side] if s.where[u] in GROUND.board.adjacent[h] and s.fighters & ~s.fought & 1 << u
    ]
    able = [u for u in near if UNITS.values[u][s.lost[u]][0] and is_fed(s, u)]
    wheels = {u for u in able if UNITS.kind[u][s.lost[u]] != INFANTRY}
    return [u for u in able if u not in wheels or (s.where[u], h) not in GROUND.unbridged]


@pytest.mark.parametrize("seed", [1, 2])
def test_11_3_1_every_set_of_attackers_in_any_order(seed):
    """Any units beside a defender that may attack can be named, taken back and resolved; cancelled, nothing is left."""
    rng = random.Random(seed)
    for s in some(Fight, rng):
        side = s.stack[-1].side
        targets = [h for verb, *h in legal(s) if verb == "attack"]
        if not targets:
            continue  # the last combat is over
        (h,) = rng.choice(targets)
        able = attackers(s, side, h)
        most = len(able) if s.left < 0 else min(s.left, len(able))
        if not most:
            continue  # only air supply feeds them
        chosen = sorted(rng.sample(able, rng.randint(1, most)))
        begun = played(s, [("attack", h)])
        declared = same_in_any_order(begun, [("join", u) for u in chosen], rng)
        assert played(declared, [("cancel",)]).key() == s.key()
        after = played(declared, [("resolve",)])
        assert all(after.fought >> u & 1 or after.where[u] == GROUND.eliminated for u in chosen)  # AL1 at once


def test_12_2_and_12_3_every_set_of_guns_in_any_order():
    """One artillery and one Nebelwerfer for the Germans, two guns for the Allies; used when the combat is resolved."""
    rng = random.Random(3)
    for s in some(Support, rng):
        frame = s.stack[-1]
        guns = sorted({action[1] for action in legal(s) if action[0] == "support"})
        kinds = {kind: [a for a in guns if ASSETS.kind[a] == kind] for kind in {ASSETS.kind[a] for a in guns}}
        most = 2 if frame.owner == ALLIED else 1
        chosen = sorted(a for some_guns in kinds.values() for a in rng.sample(some_guns, min(most, len(some_guns))))
        twice = [a for a in chosen if ASSETS.kind[a] == "nebelwerfer" and rng.random() < 0.5]
        named = same_in_any_order(s, [("double" if a in twice else "support", a) for a in chosen], rng)
        assert all(named.asset[a] == GROUND.box for a in chosen)
        after = played(named, [("resolve",)])
        assert all(after.asset[a] != GROUND.box for a in chosen)


def fits(units):
    """A division and one more; one nation and one corps [6, 6.1]."""
    formations = [UNITS.formation[u] for u in units]
    corps, nations = {UNITS.corps[u] for u in units} - {""}, {UNITS.nation[u] for u in units}
    return len(formations) - max(map(formations.count, formations)) <= 1 and len(corps) < 2 and len(nations) < 2


def test_11_5_every_set_that_fits_advances_in_any_order():
    """Of the attackers that may enter a cleared hex, any that may stack there do."""
    rng = random.Random(4)
    for s in some(Advance, rng):
        able = [action[1] for action in legal(s) if action[0] == "advance"]
        chosen = sorted(rng.sample(able, rng.randint(1, len(able))))
        while not fits(chosen):
            chosen.remove(rng.choice(chosen))
        named = same_in_any_order(s, [("advance", u) for u in chosen], rng)
        after = played(named, [("done",)])
        assert all(after.where[u] == s.stack[-1].hex for u in chosen)


# ---- 12.4.1, 13.2, 14.7 Other sets ------------------------------------------------------------------


def test_13_2_points_go_to_any_units_in_any_order():
    """Reduced units in supply regain a step for each point of their kind."""
    rng = random.Random(5)
    for s in some(Replace, rng):
        side = s.stack[-1].side
        points = list(s.tables.replacements[s.turn - 1][side])
        chosen = []
        fed = supplied(s, side)
        reduced = [u for u in UNITS.of_side[side] if s.lost[u] and s.where[u] in fed]
        for u in rng.sample(reduced, len(reduced)):
            kind = UNITS.kind[u][0] != INFANTRY
            if points[kind] and not (side == ALLIED and (UNITS.airborne[u] or UNITS.nation[u] == "british")):
                points[kind] -= 1
                chosen.append(u)
        after = played(same_in_any_order(s, [("replace", u) for u in sorted(chosen)], rng), [("done",)])
        assert all(after.lost[u] == s.lost[u] - 1 for u in chosen)


@pytest.mark.parametrize("kind", [Engineers, ChooseFormation])
def test_12_4_1_and_14_7_sets_in_any_order(kind):
    """Engineers recalled and deployed, formations of three kinds: what one order leads to, every order does."""
    rng = random.Random(6)
    for s in some(kind, rng):
        chain, state = [], s
        while more := [action for action in state.stack[-1].candidates(state) if action[0] != "done"]:
            chain.append(rng.choice(more))
            state = played(state, chain[-1:])
        if kind is ChooseFormation:
            assert named_only(s, chain, rng).key() == state.key()
        else:
            same_in_any_order(s, chain, rng)


def named_only(state, actions, rng):
    return played(state, rng.sample(actions, len(actions)))


# ---- 10.2 Ways --------------------------------------------------------------------------------------


def walk(s, u, rng, most):
    """A way of up to some hexes, each a step that the book lets the unit pay for, and whether it must stop there."""
    side, here = UNITS.side[u], s.where[u]
    zones = zone_of(s, 1 - side)
    enemies = {s.where[x] for x in UNITS.of_side[1 - side] if s.where[x] < GROUND.hexes}
    closed = enemies | ({s.asset[a] for a in ASSETS.engineers} if side == GERMAN else barred(s, u))
    way, left = [here], manners(s, u)
    while len(way) <= most:
        ahead = {}
        for b in GROUND.board.adjacent[way[-1]]:
            if b in closed or b in way or (way[-1] in zones and b in zones) or not in_bounds(s, u, b):
                continue
            prices = [(then, points - price) for how, points in left for then, price in steps(s, u, way[-1], b, how)
                      if price not in (None, "all") and price <= points]  # fmt: skip
            if prices:
                ahead[b] = prices
        if not ahead:
            break
        way.append(rng.choice(sorted(ahead)))
        left = ahead[way[-1]]
        if way[-1] in zones:
            return way[1:], True
    return way[1:], False


@pytest.mark.parametrize("seed", [7, 8, 9])
def test_10_2_every_way_can_be_walked(seed):
    """Three steps of any shape that the book allows are walked hex by hex; the unit may stop wherever it is."""
    rng = random.Random(seed)
    walked = 0
    for s in some(MoveUnit, rng, lambda s: not s.stack[-1].one_hex and s.motor != s.stack[-1].unit):
        u = s.stack[-1].unit
        way, must_stop = walk(s, u, rng, 3)
        state = s
        for h in way[:-1] if must_stop else way:
            state = played(state, [("via", u, h)])
            assert state.where[u] == h
            assert isinstance(state.stack[-1], UnderWay)
            taken = (GROUND.settled | GROUND.victory) >> h & 1
            assert not taken or bool(state.german_held >> h & 1) == (UNITS.side[u] == GERMAN)
            assert ("move", u, h) in legal(state)
        if way:
            assert played(state, [("move", u, way[-1])]).where[u] == way[-1]
            walked += 1
    assert walked > EACH // 2
