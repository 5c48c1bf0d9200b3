"""Changes: what is new for a viewer who holds an earlier snapshot, and how it is applied (docs/API.md).

A change is made of two snapshots that were both made for this viewer, so it tells nothing that they do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from salient.server.legal import unpacked

Json = dict[str, Any]


def view_change(before: Mapping[str, Any], after: Mapping[str, Any]) -> Json:
    """What is new in a view: units one by one (null for one that is gone), panels by their keys, other keys whole."""
    old, new = before["units"], after["units"]
    units = {unit: seen for unit, seen in new.items() if old.get(unit) != seen}
    units |= {unit: None for unit in old if unit not in new}
    rest = {key: value for key, value in after.items() if key != "units" and before.get(key) != value}
    if "panels" in rest:
        known = _by_key(before.get("panels", ()))
        rest["panels"] = [_panel_change(known.get(panel["key"]), panel) for panel in rest["panels"]]
    return {"units": units, **rest}


def _by_key(items: Sequence[Json]) -> dict[str, Json]:
    return {item["key"]: item for item in items}


def _panel_change(before: Json | None, after: Json) -> Json | str:
    """A panel that is as it was by its key, and the rows of a chart that are as they were by theirs."""
    if before is None or after["kind"] != "chart":
        return after["key"] if before == after else after
    known = _by_key(before["rows"])
    rows = [row["key"] if known.get(row["key"]) == row else row for row in after["rows"]]
    return after["key"] if before == after else after | {"rows": rows}


def changed_view(view: Mapping[str, Any], change: Mapping[str, Any]) -> Json:
    """A view with a change applied; what it names and the view does not have is left out."""
    units = {**view["units"], **change["units"]}
    after = {**view, **change, "units": {unit: seen for unit, seen in units.items() if seen is not None}}
    if "panels" in change:
        known = _by_key(view.get("panels", ()))
        after["panels"] = [_changed_panel(known, panel) for panel in _named(known, change["panels"])]
    return after


def _changed_panel(known: Mapping[str, Json], panel: Json) -> Json:
    if panel["kind"] != "chart":
        return panel
    rows = _by_key(known[panel["key"]]["rows"]) if panel["key"] in known else {}
    return panel | {"rows": _named(rows, panel["rows"])}


def _named(known: Mapping[str, Json], items: Sequence[Json | str]) -> list[Json]:
    """Items, with those that come by their keys as they are known."""
    found = [known.get(item) if isinstance(item, str) else item for item in items]
    return [item for item in found if item is not None]


def snapshot_change(before: Json, after: Json, told: Sequence[Json] | None) -> Json:
    """What is new in a kept snapshot; `told` is what the entries tell of the view, if they begin with this one.

    They tell all that is new to the seat that looked before; for another seat `view` comes on top of them.
    """
    change = {key: value for key, value in after.items() if key not in ("view", "between") and before[key] != value}
    if told is None or before["seat"] != after["seat"]:
        change["view"] = view_change(reduce(changed_view, told or (), before["view"]), after["view"])
    return {"from": before["mark"], "between": after["between"], "told": told is not None, **change}


def changed_snapshot(held: Json, update: Json) -> Json:
    """The snapshot after an update, for who holds the one that it is a change of."""
    change = {key: value for key, value in update["change"].items() if key not in ("from", "told")}
    told = [entry["change"] for entry in update["entries"]] if update["change"]["told"] else []
    view = reduce(changed_view, [*told, change.get("view", {"units": {}})], held["view"])
    legal = list(unpacked(change["legal"])) if "legal" in change else held["legal"]
    return {**held, **change, "view": view, "legal": legal}
