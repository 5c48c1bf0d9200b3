"""What people see of Crossing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from salient.kernel import Seat, Unreadable
from salient.kernel.engine import actor
from salient.kernel.notation import Action
from tiny.model import FIELDS, LOST, UNITS, Crossing, result


def observe(s: Crossing, seat: Seat) -> dict[str, Any]:
    """The units, and the trap as far as the seat knows it."""
    end = result(s)
    return {
        "turn": s.turn,
        "turns": s.turns,
        "at": 0,
        "actor": actor(s),
        "units": {unit: {"where": str(s.at[i]), "badges": []} for i, unit in enumerate(UNITS) if s.at[i] != LOST},
        "markers": [{"key": "trap", "where": s.trap}] if s.trap and (seat == "blue" or s.found) else [],
        "tracks": {"probes": s.probes},
        "result": end and end.as_json(),
    }


def heading(s: Crossing) -> str:
    """The turn."""
    return f"Turn {s.turn}"


def components(data: None) -> dict[str, Any]:
    """Two counters, five fields, one track."""
    unit = {"side": "red", "symbol": "infantry", "values": "1", "source": "house"}
    return {
        "units": {name: {"name": name, **unit} for name in UNITS},
        "places": [{"id": field, "kind": "area"} for field in FIELDS],
        "tracks": [{"id": "probes", "side": "red", "max": 1}],
        "markers": ["trap"],
        "overlays": [],
        "sequence": [{"key": "crossing"}],
    }


def preview(s: Crossing, action: Action) -> dict[str, Any]:
    """The way of a move."""
    return {"path": [action[2]]} if action[0] == "move" else {}


def overlay(s: Crossing, seat: Seat, name: str) -> dict[str, Any]:
    """There is none."""
    raise Unreadable(f"Crossing has no overlay {name!r}.")


def situation(s: Crossing) -> dict[str, Any]:
    """Not told."""
    return {}


def show_roll(s: Crossing, faces: Sequence[int]) -> dict[str, Any]:
    """Faces say it all."""
    return {}
