"""The way that a unit went: what its preview had shown, if it went there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salient.kernel import CHANCE, Action, AnyGame, State, actor

Units = Mapping[str, Mapping[str, Any] | None]


def way_of(game: AnyGame, state: State, action: Action, before: Units, changed: Units) -> list[str]:
    """By way of which places the unit that an action names went where it is; nothing if straight, or if none did."""
    if actor(state) == CHANCE:
        return []
    ends = [
        seen["where"]
        for unit in game.write(action).split()
        if (seen := changed.get(unit)) and (was := before.get(unit)) and seen["where"] != was["where"]
    ]
    if not ends:
        return []
    path: list[str] = game.view.preview(state, action).get("path", [])
    return path if len(path) > 2 and path[-1] == ends[0] else []
