"""Control facts: what rulebooks state of a map, one row of control.csv each, checked against the rest of the map.

`at` is a hex, a hexside (`2016/2115`) or the whole `map`, `check` one of CHECKS, `value` what it asks for, `fact` the
fact in words.
"""

from collections.abc import Callable, Iterator

from salient.hexes.board import Board, Side
from salient.hexes.grid import Grid
from salient.hexes.rows import Fault, Problem, Row

Check = Callable[[Board, str, str], bool]
MAP = "map"


def missed_facts(board: Board) -> Iterator[Problem]:
    """Yield a problem for each control fact that the map does not meet."""
    for row in board.rows["control.csv"]:
        if not CHECKS[row["check"]](board, row["at"], row["value"]):
            wanted = " ".join(filter(None, (row["at"], row["check"], row["value"])))
            yield Problem(row.file, row.line, Fault("fault-fact", text=row["fact"], text_wanted=wanted))


def fact_faults(row: Row, grid: Grid, known: set[str]) -> Iterator[Fault]:
    """Yield each fault of a control fact itself."""
    at, check = row["at"], row["check"]
    if check not in CHECKS:
        known_checks = ", ".join(CHECKS)
        yield Fault("fault-check", text=check, text_known=known_checks)
        return
    if check in MAP_CHECKS:
        if at != MAP:
            yield Fault("fault-check-map", text=at, text_check=check)
        return
    labels = at.split("/")
    for label in labels:
        if label not in known:
            yield Fault("fault-hex", text=label)
            return
    if check in SIDE_CHECKS and len(labels) != 2:
        yield Fault("fault-check-side", text=at, text_check=check)
    elif check not in SIDE_CHECKS and len(labels) != 1:
        yield Fault("fault-check-hex", text=at, text_check=check)
    elif len(labels) == 2 and not grid.adjacent(*labels):
        a, b = labels
        yield Fault("fault-touch", text=a, text_b=b)


# ---- hexes -----------------------------------------------------------------------


def _is_place(board: Board, at: str, value: str) -> bool:
    return any(place.name == value and board.index[at] in place.hexes for place in board.places)


def _has_terrain(board: Board, at: str, value: str) -> bool:
    return board.terrain[board.index[at]] == value


def _has_feature(board: Board, at: str, value: str) -> bool:
    return value in board.features[board.index[at]]


def _lacks_feature(board: Board, at: str, value: str) -> bool:
    return not _has_feature(board, at, value)


def _is_in_zone(board: Board, at: str, value: str) -> bool:
    """`victory`, or with the value that the zone has there: `allied-entry H`."""
    zone, _, mark = value.partition(" ")
    values = board.zone_values.get(zone, {})
    return board.index[at] in values and mark in ("", values[board.index[at]])


def _is_outside_zone(board: Board, at: str, value: str) -> bool:
    return not _is_in_zone(board, at, value)


def _is_on_road(board: Board, at: str, value: str) -> bool:
    return any(road is not None and value in ("", road.kind) for road in board.roads[board.index[at]])


def _is_on_water(board: Board, at: str, value: str) -> bool:
    return any(side is not None and side.name == value for side in board.sides[board.index[at]])


def _is_beside(board: Board, at: str, value: str) -> bool:
    """A neighbour is of the terrain, has the feature or lies in the zone."""
    return any(
        value in (board.terrain[near], *board.features[near]) or near in board.zones.get(value, ())
        for near in board.adjacent[board.index[at]]
    )


def _is_at_edge(board: Board, at: str, value: str) -> bool:
    return any(near < 0 for near in board.neighbours[board.index[at]])


def _has_road_to(board: Board, at: str, value: str) -> bool:
    """`2519` or `2519 24`: roads lead to a hex, in at most so many steps."""
    label, _, most = value.partition(" ")
    found, edge, steps = {board.index[at]}, [board.index[at]], 0
    while edge and board.index[label] not in found:
        edge = [b for a in edge for b in board.adjacent[a] if b not in found and board.road(a, b)]
        found.update(edge)
        steps += 1
    return board.index[label] in found and (not most or steps <= int(most))


# ---- hexsides --------------------------------------------------------------------


def _side(board: Board, at: str) -> Side | None:
    a, b = at.split("/")
    return board.side(board.index[a], board.index[b])


def _is_water(board: Board, at: str, value: str) -> bool:
    side = _side(board, at)
    return side is not None and board.is_water(side.kind) and side.name == value


def _is_dry(board: Board, at: str, value: str) -> bool:
    side = _side(board, at)
    return side is None or not board.is_water(side.kind)


def _is_road(board: Board, at: str, value: str) -> bool:
    a, b = at.split("/")
    kind = board.road(board.index[a], board.index[b])
    return kind is not None and value in ("", kind)


def _bridge_in_state(state: str) -> Check:
    def holds(board: Board, at: str, value: str) -> bool:
        side = _side(board, at)
        return side is not None and side.bridge == state and side.name == value

    return holds


# ---- the whole map ---------------------------------------------------------------


def _counts(board: Board, at: str, value: str) -> bool:
    """`st-vith-bottleneck 3`: a zone has just so many hexes; `victory 14+`: at least so many."""
    zone, number = value.split()
    found = len(board.zones.get(zone, ()))
    return found >= int(number[:-1]) if number.endswith("+") else found == int(number)


def _adds_up(board: Board, at: str, value: str) -> bool:
    """`victory historical-bulge 23`: the values of the first zone within the second add up to a number."""
    zone, within, total = value.split()
    points = board.zone_values.get(zone, {})
    return sum(int(mark) for here, mark in points.items() if here in board.zones.get(within, ())) == int(total)


def _has_area(board: Board, at: str, value: str) -> bool:
    return value in board.areas


HEX_CHECKS: dict[str, Check] = {
    "place": _is_place,
    "terrain": _has_terrain,
    "feature": _has_feature,
    "no-feature": _lacks_feature,
    "zone": _is_in_zone,
    "no-zone": _is_outside_zone,
    "on-road": _is_on_road,
    "on-water": _is_on_water,
    "beside": _is_beside,
    "edge": _is_at_edge,
    "road-to": _has_road_to,
}
SIDE_CHECKS: dict[str, Check] = {
    "water": _is_water,
    "dry": _is_dry,
    "road": _is_road,
    "bridge": _bridge_in_state("bridge"),
    "blown-bridge": _bridge_in_state("blown"),
    "unbuilt-bridge": _bridge_in_state("unbuilt"),
}
MAP_CHECKS: dict[str, Check] = {"count": _counts, "sum": _adds_up, "area": _has_area}
CHECKS: dict[str, Check] = {**HEX_CHECKS, **SIDE_CHECKS, **MAP_CHECKS}
