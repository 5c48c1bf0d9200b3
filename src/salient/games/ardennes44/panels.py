"""Ardennes '44: what lies beside the map: the turn track, the markers at hand, the weather, the boxes."""

from __future__ import annotations

from typing import Any

from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.stacks import away
from salient.games.ardennes44.marches import MARCH_MARKERS, markers_used
from salient.games.ardennes44.model import (
    IN_BOX,
    ROADBLOCKS,
    ArdennesState,
    clear_weather,
    frozen_ground,
    is_pm,
    turns_of,
)
from salient.games.ardennes44.night import NIGHT_GROUPS
from salient.games.ardennes44.reinforcements import arrived
from salient.games.ardennes44.traffic import FIRST_TURN, own_blocks, own_markers
from salient.hexes.masks import bits

Panel = dict[str, Any]
SOON = 4  # turns of the track that are shown


def panels(s: ArdennesState) -> list[Panel]:
    """Everything beside the map in the order in which a player needs it."""
    found = [weather(s), markers(s, GERMAN), markers(s, ALLIED), turn_track(s)]
    return [panel for panel in found if panel.get("chips") or panel.get("rows")]


def weather(s: ArdennesState) -> Panel:
    """Sky, ground, night, and the air support of this turn [28]."""
    chips: list[Panel] = [
        {"key": "sky-clear" if clear_weather(s) else "sky-overcast"},
        {"key": "ground-frozen" if frozen_ground(s) else "ground-mud"},
    ]
    if s.night:
        chips.append({"key": "night-turn", "now": True})
    if s.air:
        chips.append({"key": "air-markers", "n": s.air, "side": SEATS[ALLIED]})
    return {"kind": "chips", "key": "weather", "chips": chips}


def markers(s: ArdennesState, side: int) -> Panel:
    """Markers that a side still has at hand: strategic movement, traffic, roadblocks, night."""
    seat = SEATS[side]
    counts = {"march-markers": MARCH_MARKERS[side] - markers_used(s, side)}
    if s.turn >= FIRST_TURN[side]:
        counts["traffic-markers"] = sum(s.traffic[i] == IN_BOX for i in own_markers(side))
    if s.rules & ROADBLOCKS and s.turn >= FIRST_TURN[side]:
        counts["roadblock-markers"] = sum(s.blocks[i] == IN_BOX for i in own_blocks(side))
    if is_pm(s) and s.player == side and not s.night:
        counts["night-markers"] = NIGHT_GROUPS - s.used
    chips = [{"key": key, "n": n, "side": seat} for key, n in counts.items() if n > 0]
    return {"kind": "chips", "key": f"{seat}-markers", "chips": chips}


def turn_track(s: ArdennesState) -> Panel:
    """What arrives now and in the next turns, and the replacements of the nights."""
    rows = [_turn(s, turn) for turn in range(s.turn, min(s.turn + SOON, turns_of(s)) + 1)]
    return {"kind": "chart", "key": "turn-track", "rows": [row for row in rows if row["cells"]]}


def _turn(s: ArdennesState, turn: int) -> Panel:
    cells = [_arrivals(s, side, turn) for side in (GERMAN, ALLIED)]
    return {"key": f"turn-{turn}", "now": turn == s.turn, "cells": [c for c in cells if c["units"] or c["chips"]]}


def _arrivals(s: ArdennesState, side: int, turn: int) -> Panel:
    seat = SEATS[side]
    coming = (
        arrived(s.units, s.scenario, turn)
        if turn == s.turn
        else arrived(s.units, s.scenario, turn) & ~arrived(s.units, s.scenario, turn - 1)
    )
    units = [s.units.ids[u] for u in bits(away(s).get(s.ground.track, 0) & s.units.side_mask[side] & coming)]
    points = s.tables.replacements[turn - 1][side]
    chips = [{"key": "replacement-points", "n": points, "side": seat}] if points else []
    return {"key": seat, "side": seat, "n": turn, "units": units, "chips": chips}
