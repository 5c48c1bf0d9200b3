"""Parts of `View.observe` that games share, as JSON values (docs/VIEW.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from salient.common.sides import SEATS
from salient.hexes.masks import bits
from salient.hexes.sets import HexSet, UnitId
from salient.kernel import Result, State, actor
from salient.kernel.sequence import Stage

Json = dict[str, Any]


def where_it_is(s: State, stage: Stage, turns: int, over: Result | None) -> Json:
    """Turn and phase, the seat that decides, and the result once the game is over."""
    return {
        "turn": stage.turn,
        "turns": turns,
        "at": stage.at,
        "actor": actor(s),
        "result": over and over.as_json(),
    }


class Counters(Protocol):
    """What the units of a game have printed on them: by unit."""

    names: tuple[str, ...]
    side: tuple[int, ...]
    symbol: tuple[str, ...]
    size: tuple[str, ...]
    source: tuple[str, ...]


def counter(units: Counters, u: UnitId, colour: str, values: str, formation: str) -> Json:
    """A counter as it is printed."""
    return {
        "side": SEATS[units.side[u]],
        "name": units.names[u],
        "symbol": units.symbol[u],
        "size": units.size[u],
        "colour": colour,
        "values": values,
        "formation": formation,
        "source": units.source[u],
    }


def bridge_edges(
    labels: Sequence[str], bridges: Sequence[tuple[int, int]], kinds: Iterable[tuple[str, str, int]]
) -> list[Json]:
    """Bridges that are not as the map shows them: each kind by its key, its look, and its bridges as bits."""
    return [
        {"key": key, "look": look, "sides": [[labels[h] for h in bridges[i]] for i in bits(those)]}
        for key, look, those in kinds
        if those
    ]


def held_markers(labels: Sequence[str], hexes: HexSet) -> list[Json]:
    """The victory hexes in German hands."""
    return [{"key": "victory-hex-held", "where": labels[h], "label": "★", "side": "german"} for h in bits(hexes)]
