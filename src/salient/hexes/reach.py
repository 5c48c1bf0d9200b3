"""How far a piece can go: cheapest paths with integer costs, and plain distances."""

from collections.abc import Container, Iterable, Mapping, Sequence

Steps = Sequence[Sequence[tuple[int, int]]]

NOWHERE: frozenset[int] = frozenset()


def reach(
    start: int,
    budget: int,
    steps: Steps,
    blocked: Container[int] = NOWHERE,
    stops: Container[int] = NOWHERE,
) -> tuple[dict[int, int], dict[int, int]]:
    """Return the cheapest cost to every hex within the budget, and the hex before it on that path.

    `steps[hex]` holds `(neighbour, cost)` pairs with costs of zero or more. A blocked hex cannot be entered; a hex of
    `stops` can be entered but not left, unless the piece starts there. Of equally cheap paths the one whose previous
    hex is cheaper to reach wins, then the one whose previous hex has the lower index; between hexes joined by steps
    that cost nothing, the one found first.
    """
    costs = {start: 0}
    parents: dict[int, int] = {}
    buckets: list[list[int]] = [[] for _ in range(budget + 1)]
    buckets[0].append(start)
    unreached = budget + 1
    for cost, bucket in enumerate(buckets):
        bucket.sort()
        for here in bucket:
            if costs[here] != cost or (here in stops and here != start):
                continue
            for there, step in steps[here]:
                total = cost + step
                if total < costs.get(there, unreached) and there not in blocked:
                    costs[there] = total
                    parents[there] = here
                    buckets[total].append(there)
    return costs, parents


def path(parents: Mapping[int, int], end: int) -> list[int]:
    """Return the hexes from the start to `end`, both included."""
    hexes = [end]
    while hexes[-1] in parents:
        hexes.append(parents[hexes[-1]])
    hexes.reverse()
    return hexes


def distances(
    starts: Iterable[int], adjacent: Sequence[Sequence[int]], passable: Container[int] | None = None
) -> list[int]:
    """Return each hex's distance in hexes from the nearest start through passable hexes, -1 where there is no way.

    The starts themselves count 0 whether passable or not.
    """
    found = [-1] * len(adjacent)
    frontier = sorted(set(starts))
    for start in frontier:
        found[start] = 0
    steps = 0
    while frontier:
        steps += 1
        ring = []
        for here in frontier:
            for there in adjacent[here]:
                if found[there] < 0 and (passable is None or there in passable):
                    found[there] = steps
                    ring.append(there)
        frontier = ring
    return found
