"""Ways back to the sources of a flood, layer by layer: by which hexes a unit draws its supply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from salient.hexes.flood import OpenMasks, spread
from salient.hexes.masks import lowest
from salient.hexes.sets import HexId, HexSet

Hexes = HexSet | int
Layer = tuple[Any, OpenMasks]  # hexes as bits, and the open hexsides that lead from them to the layers before


def rings(sources: Hexes, ways: OpenMasks, within: Hexes) -> list[Layer]:
    """The sources, then ring by ring what they reach without leaving `within`."""
    back = _backwards(ways)
    known: Any = sources & within
    layers: list[Layer] = [(known, back)]
    while ring := spread(layers[-1][0], ways) & within & ~known:
        layers.append((ring, back))
        known |= ring
    return layers


def beyond(layers: Sequence[Layer], ways: OpenMasks, within: Hexes) -> list[Layer]:
    """The layers, and as one more what they reach in one step."""
    known: Any = 0
    for hexes, _ in layers:
        known |= hexes
    return [*layers, (spread(known, ways) & within & ~known, _backwards(ways))]


def way_in(h: HexId | int, layers: Sequence[Layer]) -> list[HexId]:
    """A way from a hex to a source, itself included; empty if no layer has the hex."""
    at = next((i for i, (hexes, _) in enumerate(layers) if hexes >> h & 1), -1)
    way = [HexId(h)] if at >= 0 else []
    while at > 0:
        near: Any = spread(1 << way[-1], layers[at][1])
        at = next(i for i, (hexes, _) in enumerate(layers[:at]) if hexes & near)
        way.append(lowest(near & layers[at][0]))
    return way


def _backwards(masks: OpenMasks) -> OpenMasks:
    """The same hexsides, crossed the other way."""
    return OpenMasks(
        up=tuple((shift, mask >> shift) for shift, mask in masks.down),
        down=tuple((shift, mask << shift) for shift, mask in masks.up),
    )
