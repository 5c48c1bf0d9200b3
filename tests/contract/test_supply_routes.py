"""Supply by unit: a route for those in supply, hex by hex to where it comes from, and none for the others (T-77)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from contract.conftest import Walk
from salient.games.ardennes44 import supply as ardennes
from salient.games.deadly_woods import supply as woods
from salient.games.target_arnhem import supply as arnhem
from salient.kernel import AnyGame
from salient.server.mapfiles import board_of

OVERLAYS = ("allied-supply", "german-supply")


def can_trace(game_id: str, s: Any, u: Any) -> bool:
    """Whether the rules of a game let a unit trace supply now."""
    if game_id == "target-arnhem":
        return arnhem.is_supplied(s, u)
    if game_id == "ardennes44":
        return ardennes.traces(s, u)
    by_air = s.units.nation[u] == "us" and bool(woods.air_supplied_hexes(s) >> s.where[u] & 1)
    return woods.traces(s, u) or by_air


def test_who_can_trace_supply_has_a_route_and_nobody_else(game: AnyGame, walk: Walk) -> None:
    if not set(OVERLAYS) <= set(game.components()["overlays"]):
        assert game.id in ("bulge", "tiny")  # supply there is tokens, or nothing
        return
    board = board_of(game)
    found: set[bool] = set()
    for state in walk.positions:
        s: Any = state
        for name in OVERLAYS:
            for unit, route in game.view.overlay(state, game.seats[0], name)["routes"].items():
                u = s.units.ids.index(unit)
                assert bool(route) == can_trace(game.id, s, u), (unit, route)
                found.add(bool(route))
                path = [board.index[label] for label in route]
                assert path[:1] in ([], [s.where[u]])
                assert len(set(path)) == len(path)
                assert all(b in board.adjacent[a] for a, b in pairwise(path)), (unit, route)
    assert found == {True, False}
