"""Parts of `Game.situation`: what a game is about and how it stands, as JSON values (docs/VIEW.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from salient.kernel import Seat
from salient.kernel.messages import Message

Json = dict[str, Any]
Arrival = tuple[int, Seat, Sequence[str], str]  # turn, side, where it comes in, unit


def objective(side: Seat, message: Message, met: bool, places: Iterable[str] = ()) -> Json:
    """A condition that a side wants, whether it holds now, and where to look."""
    return {"side": side, **message.as_json(), "met": met, "places": list(places)}


def prize(place: str, worth: int, side: Seat, counts: bool = True) -> Json:
    """A hex that scores, who holds it, and whether it would score now."""
    return {"place": place, "worth": worth, "side": side, "counts": counts}


def force(on_map: int, cut_off: Sequence[str], lost_units: int, lost_steps: int) -> Json:
    """A side in figures: units on the map, those out of supply by name, and what it has lost."""
    return {"on_map": on_map, "cut_off": list(cut_off), "lost_units": lost_units, "lost_steps": lost_steps}


def calendar(arrivals: Iterable[Arrival]) -> list[Json]:
    """Arrivals by turn, side and place of entry."""
    groups: dict[tuple[int, Seat, tuple[str, ...]], list[str]] = {}
    for turn, side, places, unit in arrivals:
        groups.setdefault((turn, side, tuple(places)), []).append(unit)
    return [
        {"turn": turn, "side": side, "places": list(places), "units": units}
        for (turn, side, places), units in sorted(groups.items())
    ]
