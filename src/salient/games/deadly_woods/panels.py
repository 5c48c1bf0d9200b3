"""The Deadly Woods: what lies beside the map: the cup, the rounds played, the assets and the turn track."""

from __future__ import annotations

from typing import Any

from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.games.deadly_woods.chits import army_is_secret, drawable
from salient.games.deadly_woods.components import CHITS, Assets
from salient.games.deadly_woods.model import CHIT_SIDE, PZ5, PZ6, WoodsState
from salient.games.deadly_woods.victory import turns_of
from salient.kernel import Seat

Panel = dict[str, Any]
Due = dict[tuple[int, int], list[str]]  # units by turn and chit


def panels(s: WoodsState, seat: Seat) -> list[Panel]:
    """Everything beside the map as far as a seat may see it, in the order in which a player needs it."""
    found = [cup(s, seat), held(s), rounds(s), assets(s, GERMAN), assets(s, ALLIED), turn_track(s)]
    return [panel for panel in found if panel.get("chips") or panel.get("rows")]


# ---- 14.1, 14.2 The cup and the rounds -------------------------------------------------------------------


def cup(s: WoodsState, seat: Seat) -> Panel:
    """The chits that are still in the cup; those that cannot be drawn next are dim. A chosen army is the German's
    secret [17]."""
    next_ones = set(drawable(s))
    chips = [_chit(c) | {"n": n, "dim": c not in next_ones} for c, n in enumerate(s.cup) if n]
    if army_is_secret(s) and seat != SEATS[GERMAN]:
        armies = (CHITS[PZ5], CHITS[PZ6])
        chips = [chip | {"key": "panzer-army"} if chip["key"] in armies else chip for chip in chips]
    return {"kind": "chips", "key": "cup", "chips": chips}


def held(s: WoodsState) -> Panel:
    """The chit that the Allies keep in hand."""
    return {"kind": "chips", "key": "held-chit", "chips": [_chit(s.hand)] if s.hand >= 0 else []}


def rounds(s: WoodsState) -> Panel:
    """The rounds of this turn in order, the last one first in the eye."""
    last = len(s.track) - 1
    return {
        "kind": "chips",
        "key": "round-track",
        "chips": [_chit(c) | {"now": i == last} for i, c in enumerate(s.track)],
    }


def _chit(c: int) -> Panel:
    return {"key": CHITS[c], "side": SEATS[CHIT_SIDE[c]] if CHIT_SIDE[c] >= 0 else ""}


# ---- 12 Assets -------------------------------------------------------------------------------------------------


def assets(s: WoodsState, side: int) -> Panel:
    """The assets that a side has at hand; those used this turn are dim. A drop that holds leaves its marker idle."""
    here = [(a, s.ground.places[p]) for a, p in enumerate(s.asset) if s.assets.side[a] == side and a != s.assets.alarm]
    chips = [_asset(s.assets, a) | {"dim": place == "used"} for a, place in here if place in ("box", "used")]
    return {"kind": "chips", "key": f"{SEATS[side]}-assets", "chips": chips}


def _asset(known: Assets, a: int) -> Panel:
    name, strength = known.ids[a], known.strength[a]
    chip: Panel = {"key": name, "label": name, "hint": known.names[a], "side": SEATS[known.side[a]]}
    return chip | ({"n": strength} if strength else {})


# ---- 13, 17 The turn track ----------------------------------------------------------------------------------------


def turn_track(s: WoodsState) -> Panel:
    """What arrives on this turn and later: units by side, assets, replacements."""
    due = {side: _units_due(s, side) for side in (GERMAN, ALLIED)}
    rows = [_turn(s, turn, due) for turn in range(s.turn, turns_of(s) + 1)]
    return {"kind": "chart", "key": "turn-track", "rows": [row for row in rows if row["cells"]]}


def _turn(s: WoodsState, turn: int, due: dict[int, Due]) -> Panel:
    cells = [cell for side in (GERMAN, ALLIED) for cell in _arrivals(s, side, turn, due[side])]
    found = [cell for cell in cells if cell["units"] or cell["chips"]]
    return {"key": f"turn-{turn}", "now": turn == s.turn, "cells": found}


def _arrivals(s: WoodsState, side: int, turn: int, due: Due) -> list[Panel]:
    """The units of a side with the chit that brings them, and what comes without a chit."""
    seat, box = SEATS[side], f"turn-{turn}"
    chips = [
        _asset(s.assets, a) for a, p in enumerate(s.asset) if s.assets.side[a] == side and s.ground.places[p] == box
    ]
    if turn > s.turn:
        points = zip(("infantry", "armor"), s.tables.replacements[turn - 1][side], strict=True)
        chips += [{"key": f"replacements-{kind}", "n": n, "side": seat} for kind, n in points if n]
    by_chit = [
        {"key": f"{seat}-{name}", "side": seat, "units": due.get((turn, chit), []), "chips": []}
        for chit, name in enumerate(("first", "second"), start=1)
    ]
    return [*by_chit, {"key": seat, "side": seat, "units": [], "chips": chips}]


def _units_due(s: WoodsState, side: int) -> Due:
    """The units that wait, by turn and chit; an overdue unit comes with the next chit of this turn."""
    soonest = (s.turn, min(s.reinforcements[side] + 1, 2))
    due: Due = {}
    for u in s.units.of_side[side]:
        if s.where[u] == s.ground.track and s.units.arrival[u][0]:
            due.setdefault(max(s.units.arrival[u], soonest), []).append(s.units.ids[u])
    return due
