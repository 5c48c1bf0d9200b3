"""Searches against slow, obvious versions of themselves."""

import heapq
import itertools

from hypothesis import given
from hypothesis import strategies as st

from salient.hexes.flood import Floods, compile_masks, flood, shut_of, spread, without
from salient.hexes.masks import bit, bits, mask_of
from salient.hexes.reach import distances, path, reach

from .strategies import boards


@st.composite
def problems(draw):
    """Draw a board with step costs, a start, a budget, blocked hexes and stops."""
    board = draw(boards())
    pool = draw(st.lists(st.integers(0, 6), min_size=1, max_size=30))
    ticket = iter(range(10_000))
    steps = [tuple((near, pool[next(ticket) % len(pool)]) for near in around) for around in board.adjacent]
    hexes = st.integers(0, len(board) - 1)
    return draw(hexes), draw(st.integers(0, 20)), steps, draw(st.frozensets(hexes)), draw(st.frozensets(hexes))


def naive_costs(start, budget, steps, blocked, stops):
    costs, queue = {}, [(0, start)]
    while queue:
        cost, here = heapq.heappop(queue)
        if here in costs:
            continue
        costs[here] = cost
        if here in stops and here != start:
            continue
        for there, step in steps[here]:
            if there not in blocked and there not in costs and cost + step <= budget:
                heapq.heappush(queue, (cost + step, there))
    return costs


@given(problems())
def test_reach_equals_dijkstra(problem):
    costs, _ = reach(*problem)
    assert costs == naive_costs(*problem)


@given(problems())
def test_paths_cost_what_reach_says(problem):
    start, _, steps, blocked, stops = problem
    costs, parents = reach(*problem)
    for end, cost in costs.items():
        hexes = path(parents, end)
        assert hexes[0] == start
        assert hexes[-1] == end
        assert sum(dict(steps[a])[b] for a, b in itertools.pairwise(hexes)) == cost
        assert not blocked.intersection(hexes[1:])
        assert not stops.intersection(hexes[1:-1])


@given(problems())
def test_reach_does_not_depend_on_the_order_of_steps(problem):
    """With costs above zero the documented tie-break alone decides the paths."""
    start, budget, steps, blocked, stops = problem
    positive = [tuple((near, cost + 1) for near, cost in around) for around in steps]
    turned = [around[::-1] for around in positive]
    assert reach(start, budget, positive, blocked, stops)[1] == reach(start, budget, turned, blocked, stops)[1]


def test_equal_paths_come_from_the_cheaper_then_lower_hex():
    steps = [((2, 2), (1, 2), (3, 1)), ((4, 2),), ((4, 2),), ((4, 3),), ()]
    assert reach(0, 9, steps)[1][4] == 3
    assert reach(0, 9, [steps[0][:2], *steps[1:]])[1][4] == 1


def test_a_piece_may_leave_a_stop_it_starts_in():
    assert reach(0, 2, [((1, 1),), ((0, 1), (2, 1)), ()], stops={0, 1})[0] == {0: 0, 1: 1}


@given(boards(), st.data())
def test_distances_from_several_starts_take_the_nearest(board, data):
    hexes = st.integers(0, len(board) - 1)
    starts = data.draw(st.sets(hexes, min_size=1, max_size=4))
    passable = data.draw(st.frozensets(hexes, min_size=10))
    alone = [distances([start], board.adjacent, passable) for start in starts]
    nearest = [min((d for d in column if d >= 0), default=-1) for column in zip(*alone, strict=True)]
    assert distances(starts, board.adjacent, passable) == nearest


@given(st.sets(st.integers(0, 3000)))
def test_masks_round_trip(hexes):
    assert bits(mask_of(hexes)) == sorted(hexes)
    assert mask_of(hexes) == sum(bit(index) for index in hexes)


@st.composite
def floods(draw):
    """Draw a board with closed hexsides (one way), sources and a passable part."""
    board = draw(boards())
    crossings = [(a, b) for a, around in enumerate(board.adjacent) for b in around]
    closed = draw(st.sets(st.sampled_from(crossings), max_size=60))
    hexes = st.integers(0, len(board) - 1)
    return board, closed, draw(st.sets(hexes, max_size=4)), draw(st.sets(hexes, min_size=len(board) // 2))


@given(floods())
def test_flood_equals_breadth_first_search(case):
    board, closed, sources, within = case
    masks = compile_masks(board, lambda a, b: (a, b) not in closed)
    seen, waiting = set(), [source for source in sources if source in within]
    while waiting:
        here = waiting.pop()
        if here not in seen:
            seen.add(here)
            waiting += [there for there in board.adjacent[here] if there in within and (here, there) not in closed]
    assert set(bits(flood(mask_of(sources), masks, mask_of(within)))) == seen


@given(floods(), st.lists(st.sets(st.integers(0, 60), max_size=8), max_size=6))
def test_floods_go_on_from_the_one_before(case, changes):
    """Whatever hexes open and close between them, each flood is as one made afresh."""
    board, closed, sources, within = case
    masks, hexes = compile_masks(board, lambda a, b: (a, b) not in closed), mask_of(within)
    again = Floods(mask_of(sources), masks)
    for change in [set(), *changes]:
        hexes ^= mask_of(change)
        assert again.within(hexes) == flood(mask_of(sources), masks, hexes)


@given(floods())
def test_spread_is_one_step(case):
    board, closed, sources, _ = case
    masks = compile_masks(board, lambda a, b: (a, b) not in closed)
    expected = {there for here in sources for there in board.adjacent[here] if (here, there) not in closed}
    assert set(bits(spread(mask_of(sources), masks))) == expected


@given(floods())
def test_hexsides_are_closed_in_both_directions(case):
    """Named in either direction, from masks that are open both ways."""
    board, closed, sources, _ = case
    masks = without(compile_masks(board, lambda a, b: True), shut_of(closed))
    both = closed | {(b, a) for a, b in closed}
    expected = {there for here in sources for there in board.adjacent[here] if (here, there) not in both}
    assert set(bits(spread(mask_of(sources), masks))) == expected
