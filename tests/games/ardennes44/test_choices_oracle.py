"""Ways (11.1) by a second reading of the book: every way that it allows can be gone, hex by hex or by waypoints."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest
from tests.games.ardennes44.test_movement_oracle import (
    creep,
    is_open,
    is_stuck,
    may_fit,
    next_to_enemy,
    price,
    strewn,
    surroundings,
    there,
)

from games.ardennes44.positions import GROUND, UNITS
from salient import load
from salient.common.sides import SEATS
from salient.games.ardennes44.movement_phase import EndMovement, Movement, Select
from salient.games.ardennes44.sequence import Turn
from salient.kernel import legal, step
from salient.kernel.messages import EventList
from table import Table as SoundTable

FOOT = {"infantry", "parachute", "engineer"}
GUNS = {"artillery", "werfer"}
SEEDS = range(20, 32)


class Table(SoundTable):
    """Strewn positions keep no invariants but those of movement."""

    def play(self, *texts: str) -> SoundTable:
        for text in texts:
            events = EventList()
            self.state = step(self.state, self.game.read(text), events)
            self.events += events
        return self

    def try_all(self, *texts: str) -> SoundTable:
        return Table(self.game, self.state).play(*texts)


def begun(seed: int, side: int) -> Any:
    """A strewn position in the movement phase of a side; the bridge of Ouren has been looked at."""
    s = strewn(seed)
    s.player, s.ouren, s.done, s.moved = side, 1, 0, 0
    s.stack = (Turn(f"{SEATS[side]}-movement"), EndMovement(side), Movement(side, 1), Select(side))
    return s


def able(s: Any, side: int) -> list[int]:
    """The units that move by points."""
    slow = s.oos | s.short | s.fresh | s.engaged
    return [
        u
        for u in there(s, side)
        if UNITS.type[u] not in GUNS
        and not s.order[u]
        and not slow >> u & 1
        and not is_stuck(s, u)
        and not (s.turn == 2 and "rrd" in UNITS.marks[u])
    ]


def budget(s: Any, u: int) -> int:
    return UNITS.values[u][s.lost[u]][2]


def way_of_the_book(s: Any, u: int, chance: random.Random) -> list[int]:
    """Some way within the points of a unit, step by step; it may turn back, and stops where it must."""
    enemies, zones, hexes, sides = surroundings(s, UNITS.side[u])
    path, spent = [s.where[u]], 0.0
    while len(path) < 7 and not (path[-1] in zones and len(path) > 1):
        here = path[-1]
        steps = []
        for b in GROUND.board.adjacent[here]:
            cost = price(s, u, here, b)
            if cost is None or b in enemies | hexes or (here, b) in sides or not is_open(s, u, here, b):
                continue
            total = spent + cost + (1 if here in zones else 0)
            if total <= budget(s, u) and may_fit(s, u, b):
                steps.append((b, total))
        if not steps or (len(path) > 2 and chance.random() < 0.2):
            break
        b, spent = chance.choice(steps)
        path.append(b)
    return path


def played(s: Any, u: int, path: list[int]) -> SoundTable:
    """The way gone hex by hex: waypoints, and the last step as a move."""
    name, label = UNITS.ids[u], GROUND.board.labels
    table = Table(load("ardennes44"), s)
    steps = [f"via {name} {label[h]}" for h in path[1:-1]]
    return table.play(f"select {name}", *steps, f"via {name} {label[path[-1]]}", f"move {name} {label[path[-1]]}")


@pytest.mark.parametrize("seed", SEEDS)
def test_11_1_every_way_of_the_book_can_be_gone(seed: int) -> None:
    """Hex by hex, back and forth: the unit arrives, and every town on the way is its side's."""
    chance = random.Random(seed)
    for side in (0, 1):
        s = begun(seed, side)
        units = able(s, side)
        for u in chance.sample(units, min(5, len(units))):
            path = way_of_the_book(s, u, chance)
            if len(path) == 1 or GROUND.st_vith in path:  # St. Vith changes what the next hexes cost
                continue
            table = played(s, u, path)
            after: Any = table.state
            assert after.where[u] == path[-1], (UNITS.ids[u], [GROUND.board.labels[h] for h in path])
            for h in path[1:]:
                assert not GROUND.objectives >> h & 1 or bool(after.held >> h & 1) == bool(side)


@pytest.mark.parametrize("seed", SEEDS)
def test_11_1_in_one_stretch_or_in_many(seed: int) -> None:
    """The way of a plain move, gone hex by hex, leads to the same position."""
    chance, game = random.Random(seed), load("ardennes44")
    for side in (0, 1):
        s = begun(seed, side)
        units = able(s, side)
        for u in chance.sample(units, min(4, len(units))):
            table = Table(game, s).play(f"select {UNITS.ids[u]}")
            ends = table.choices(f"move {UNITS.ids[u]}")
            for text in chance.sample(ends, min(2, len(ends))):
                plain = table.try_all(text)
                path = plain.said("moves")[0].args["hexes"]
                if GROUND.st_vith not in path:
                    assert played(s, u, list(path)).state.key() == plain.state.key(), (text, path)


@pytest.mark.parametrize("seed", SEEDS)
def test_11_1_waypoints_never_lead_too_far_nor_into_a_dead_end(seed: int) -> None:
    """Up to three waypoints at random: there is always an end, and the whole way is one that the book allows."""
    chance, game = random.Random(seed), load("ardennes44")
    for side in (0, 1):
        s = begun(seed, side)
        units = able(s, side)
        for u in chance.sample(units, min(5, len(units))):
            table = Table(game, s).play(f"select {UNITS.ids[u]}")
            for _ in range(chance.randint(1, 3)):
                if onward := table.choices("via"):
                    table.play(chance.choice(onward))
            assert legal(table.state)
            if moves := table.choices("move"):
                table.play(chance.choice(moves))
                way = [s.where[u]]
                for event in table.said("moves"):
                    way += event.args["hexes"][1:]
                if GROUND.st_vith not in way:
                    assert is_allowed(s, u, way), (UNITS.ids[u], [GROUND.board.labels[h] for h in way])


def is_allowed(s: Any, u: int, way: list[int]) -> bool:
    """Whether a way can be gone by points, extended, or tactically."""
    zones = surroundings(s, UNITS.side[u])[1]
    costs = [price(s, u, a, b) for a, b in pairwise(way)]
    if len(way) <= 3 and set(way) <= creep(s, u, 2):
        return True
    if None in costs or any(h in zones for h in way[1:-1]):
        return False
    spent = sum(costs) + (1 if way[0] in zones else 0)  # type: ignore[arg-type]
    further = 2 if UNITS.type[u] in FOOT and not next_to_enemy(s, u, way[-1]) else 0
    return spent <= budget(s, u) + further
