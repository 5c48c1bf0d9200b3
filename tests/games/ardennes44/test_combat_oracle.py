"""A second reading of combat: totals added up anew, and every set that the book allows named in any order.

Written from the rulebook's chapters 14, 15, 18, 20, 21 and 22 and from the data files, not from the engine's modules.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from games.ardennes44.positions import GROUND, UNITS
from salient import load
from salient.games.ardennes44.artillery import Ready
from salient.games.ardennes44.combat import Attack, Fight
from salient.games.ardennes44.disengagement import Disengaging
from salient.games.ardennes44.strengths import Battle, odds
from salient.games.ardennes44.support import Support
from salient.kernel import Action, State, candidates, legal, step

SCENARIOS = ("six-turns", "patton", "campaign")
PLIES, LEAST = 2500, 9
BONUS = {"clear": 0, "light-woods": 1, "forest": 1, "rough-woods": 1, "village": 2, "town": 3, "city": 4}


@cache
def positions(scenario: str) -> tuple[State, ...]:
    """Positions of a random game, without optional rules, in which a set of pieces is to be named."""
    rng, state = random.Random(scenario), load("ardennes44").new(scenario)
    found = []
    for _ in range(PLIES):
        actions = candidates(state)
        if not actions:
            break
        if isinstance(state.stack[-1], (Fight, Attack, Support, Ready, Disengaging)):
            found.append(state)
            actions = [action for action in actions if action[0] != "pass"] or actions
        state = step(state, rng.choice(actions), trusted=True)
    return tuple(found)


def attacks(scenario: str) -> Iterator[tuple[Any, Any]]:
    for state in positions(scenario):
        if isinstance(state.stack[-1], Attack) and state.stack[-1].joined:
            yield state, state.stack[-1]


# ---- totals -------------------------------------------------------------------------------------------------


def units_in(s: Any, h: int) -> list[int]:
    return [u for u in range(UNITS.count) if s.where[u] == h]


def side_of(a: int, b: int) -> tuple[str, bool]:
    """What lies on a hexside: its river, if any, and whether a bridge that the map shows stands there."""
    found = GROUND.board.side(a, b)
    return (found.kind, bool(found.bridge)) if found else ("", False)


def attack_total(s: Any, units: tuple[int, ...], h: int) -> int:
    """15.2 to 15.5, 23.4, 27.4: each unit halved once, fractions up."""
    return sum(one_attacker(s, u, h) for u in units)


def one_attacker(s: Any, u: int, h: int) -> int:
    strength = UNITS.values[u][s.lost[u]][0]
    here = s.where[u]
    if UNITS.type[u] == "heavy" and {"village", "town", "city"} & set(GROUND.board.features[h]):
        strength *= 2
    halved = bool((s.oos | s.short) >> u & 1)
    if here < GROUND.hexes:
        halved |= side_of(here, h)[0] in ("river", "meuse") or GROUND.board.terrain[here] == "rough-woods"
        halved |= is_vehicle(u) and not vehicle_passes(s, here, h)
    return -(-strength // 2) if halved else strength


def is_vehicle(u: int) -> bool:
    return UNITS.type[u] not in ("infantry", "parachute", "engineer", "pzgren")


def vehicle_passes(s: Any, a: int, b: int) -> bool:
    """11.4 to 11.6: bridges over rivers, roads into and out of forest, Westwall and valleys."""
    kind, _ = side_of(a, b)
    bridge = GROUND.bridge.get((a, b))
    stands = bridge is not None and not s.blown >> bridge & 1
    if kind == "lake" or (kind in ("river", "meuse") and not stands):
        return False
    closed = any(
        GROUND.board.terrain[h] in ("forest", "rough-woods") or "westwall" in GROUND.board.features[h] for h in (a, b)
    )
    return not closed or GROUND.board.road(a, b) is not None


def defence_total(s: Any, h: int, attacker: int) -> int:
    """15.1: one bonus, no more than the defence of those who can use it, one for silhouettes alone."""
    units = units_in(s, h)
    standing = [u for u in units if not s.retreated >> u & 1] or units
    values = {u: defence(s, u) for u in standing}
    able = [u for u in standing if UNITS.type[u] not in ("artillery", "werfer") and not s.march >> u & 1]
    cover = [BONUS[GROUND.board.terrain[h]], *(BONUS[name] for name in GROUND.board.features[h] if name in BONUS)]
    cover += [2] if s.ip >> h & 1 else []
    cover += [3] if attacker == 0 and "westwall" in GROUND.board.features[h] else []
    bonus = min(max(cover), sum(values[u] for u in able))
    if able and all(UNITS.type[u] in ("tank", "gun", "heavy", "flak") for u in able):
        bonus = min(bonus, 1)
    return sum(values.values()) + bonus


def defence(s: Any, u: int) -> int:
    printed = UNITS.values[u][1 if UNITS.artillery[u] and s.fired >> u & 1 and len(UNITS.values[u]) > 1 else s.lost[u]][
        1
    ]
    return -(-printed // 2) if s.march >> u & 1 else printed


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_14_4_totals_added_up_anew(scenario: str) -> None:
    """Every attack of random games: the engine's sums are those of the second reading."""
    tried = 0
    for s, frame in attacks(scenario):
        o = odds(s, Battle(frame.side, frame.hex, frame.joined))
        expected = attack_total(s, frame.joined, frame.hex), defence_total(s, frame.hex, frame.side)
        assert (o.attack, o.defence) == expected, GROUND.board.labels[frame.hex]
        tried += 1
    assert tried > LEAST


# ---- choices ------------------------------------------------------------------------------------------------------


def allowed_together(s: Any, units: tuple[int, ...]) -> bool:
    """14.3: two formations, each with at most one unit attached that is stacked with it; nations apart (27.3.3)."""
    if len({UNITS.nation[u] == "british" for u in units}) > 1:
        return False
    names = sorted({UNITS.formation[u] for u in units})
    for bases in (pair for n in (1, 2) for pair in combinations(names, min(n, len(names)))):
        others = [u for u in units if UNITS.formation[u] not in bases]
        if len(others) <= len(bases) and attachable(s, others, list(bases)):
            return True
    return False


def attachable(s: Any, others: list[int], bases: list[str]) -> bool:
    if not others:
        return True
    hosts = {UNITS.formation[x] for x in units_in(s, s.where[others[0]])}
    return any(base in hosts and attachable(s, others[1:], [b for b in bases if b != base]) for base in bases)


def named(state: State, actions: list[Action], rng: random.Random) -> State:
    """Name the pieces in a random order, taking some back and naming them again."""
    todo = list(actions)
    rng.shuffle(todo)
    while todo:
        action = todo.pop()
        assert action in legal(state), action
        state = step(state, action)
        if rng.random() < 0.2:
            state = step(state, ("drop", action[1]))
            todo.insert(rng.randrange(len(todo) + 1), action)
    return state


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_14_2_every_set_of_attackers_in_any_order(scenario: str) -> None:
    rng = random.Random(scenario)
    tried = 0
    for state in positions(scenario):
        s: Any = state
        frame = s.stack[-1]
        if not isinstance(frame, Attack) or frame.joined or s.led or frame.gone:
            continue
        units = tuple(sorted(rng.sample(frame.pool, rng.randint(1, min(5, len(frame.pool))))))
        blocked = any(s.where[u] >= GROUND.hexes for u in units)
        actions: list[Action] = [("join", u) for u in units]
        if blocked or not allowed_together(s, units):
            continue
        one, other = (named(state, actions, rng) for _ in range(2))
        assert one.key() == other.key()
        assert ("resolve",) in legal(one)
        assert step(one, ("cancel",)).stack[-1] == Fight(frame.side)
        tried += 1
    assert tried > LEAST


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_14_3_1_no_set_of_attackers_beyond_the_limit(scenario: str) -> None:
    """What may join is what the second reading allows, whoever was named before."""
    for s, frame in attacks(scenario):
        if s.led or frame.gone or any(s.where[u] >= GROUND.hexes for u in frame.pool):
            continue
        offered = {int(action[1]) for action in legal(s) if action[0] == "join"}
        free = [u for u in frame.pool if u not in frame.joined and u not in frame.followers]
        assert offered == {u for u in free if allowed_together(s, (*frame.joined, u))}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_22_7_every_set_of_guns_in_any_order(scenario: str) -> None:
    """Guns of a combat, guns to be readied and disengaging units: any set up to the limit, in any order."""
    rng = random.Random(scenario)
    tried = 0
    for state in positions(scenario):
        frame: Any = state.stack[-1]
        if isinstance(frame, Attack | Fight) or frame.named[int(isinstance(frame, Disengaging)) :]:
            continue
        verb = {Support: "support", Ready: "ready", Disengaging: "disengage"}[type(frame)]
        pieces = [action for action in legal(state) if action[0] == verb]
        most = {Support: 2 if getattr(frame, "attacking", 0) else 1, Ready: getattr(frame, "most", 0)}.get(
            type(frame), 9
        )
        chosen = rng.sample(pieces, min(len(pieces), most, rng.randint(1, 6))) if pieces else []
        if not chosen:
            continue
        one, other = (named(state, chosen, rng) for _ in range(2))
        assert one.key() == other.key()
        assert candidates(one)[-1] in (("resolve",), ("done",))
        tried += 1
    assert tried > LEAST
