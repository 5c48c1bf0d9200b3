"""Changes: what is new for a viewer who holds an earlier snapshot, and how it is applied (docs/API.md).

A change is made of two snapshots that were both made for this viewer, so it tells nothing that they do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import groupby
from typing import Any

Json = dict[str, Any]
SAME = ("verb", "names", "role", "ends", "left")  # what the actions of a group have in common besides their words
PLACE = "{}"  # where the last value of an action stands in its label


def view_change(before: Mapping[str, Any], after: Mapping[str, Any]) -> Json:
    """What is new in a view: units one by one (null for one that is gone), other keys whole."""
    old, new = before["units"], after["units"]
    units = {unit: seen for unit, seen in new.items() if old.get(unit) != seen}
    units |= {unit: None for unit in old if unit not in new}
    rest = {key: value for key, value in after.items() if key != "units" and before.get(key) != value}
    return {"units": units, **rest}


def changed_view(view: Mapping[str, Any], change: Mapping[str, Any]) -> Json:
    """A view with a change applied."""
    units = {**view["units"], **change["units"]}
    return {**view, **change, "units": {unit: seen for unit, seen in units.items() if seen is not None}}


def snapshot_change(before: Json, after: Json, told: bool) -> Json:
    """What is new in a snapshot; nothing of the view if the entries that come with it tell (`told`)."""
    parts = {"view", "legal", "between"}
    change = {key: value for key, value in after.items() if key not in parts and before[key] != value}
    if after["legal"] != before["legal"]:
        change["legal"] = packed(after["legal"])
    if not told:
        change["view"] = view_change(before["view"], after["view"])
    return {"from": before["mark"], "between": after["between"], **change}


def changed_snapshot(held: Json, update: Json) -> Json:
    """The snapshot after an update, for who holds the one that it is a change of."""
    change = {key: value for key, value in update["change"].items() if key != "from"}
    told = [change["view"]] if "view" in change else [entry["change"] for entry in update.get("entries", ())]
    legal = list(unpacked(change["legal"])) if "legal" in change else held["legal"]
    return {**held, **change, "view": reduce(changed_view, told, held["view"]), "legal": legal}


# ---- the legal list ----------------------------------------------------------------


def packed(legal: Sequence[Json]) -> list[Json]:
    """Legal actions in groups that differ in the last value only, in their order."""
    return [_group(list(run)) for _, run in groupby(legal, key=_shared)]


def _shared(action: Json) -> tuple[Any, ...]:
    kinds = tuple(arg["kind"] for arg in action["args"])
    given = tuple(arg["value"] for arg in action["args"][:-1])
    return action["verb"], kinds, given, action["names"], action.get("role"), action.get("left")


def _group(run: Sequence[Json]) -> Json:
    """A label for all, and the last value of each action, with a label of its own where it differs."""
    args = run[0]["args"]
    group: Json = {key: run[0][key] for key in SAME if key in run[0]}
    group |= {"kinds": [arg["kind"] for arg in args], "given": [arg["value"] for arg in args[:-1]]}
    if not args:
        return group | {"label": run[0]["label"], "last": []}
    said = [(action["args"][-1]["value"], action["label"]) for action in run]
    label = Counter(label.replace(value, PLACE) for value, label in said).most_common(1)[0][0]
    return group | {
        "label": label,
        "last": [value if label.replace(PLACE, value) == own else [value, own] for value, own in said],
    }


def unpacked(groups: Sequence[Json]) -> Iterator[Json]:
    """The legal actions of groups, one by one."""
    for group in groups:
        same: Json = {key: group[key] for key in SAME if key in group}
        for last in group["last"] or [None]:
            value, label = last if isinstance(last, (list, tuple)) else (last, None)
            values = [*group["given"], *([] if value is None else [value])]
            said = group["label"].replace(PLACE, value or "") if label is None else label
            args = [{"kind": kind, "value": each} for kind, each in zip(group["kinds"], values, strict=True)]
            yield {"text": " ".join([group["verb"], *values]), "args": args, "label": said, **same}
