"""Battle of the Bulge: what lies beside the board: the battle strips with their dice, and the reinforcement charts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from salient.games.bulge.air import AntiAircraft, Dogfight, squadron
from salient.games.bulge.combat import NOWHERE, BattleRoll, Combat, dice_of
from salient.games.bulge.components import (
    ALLIED,
    AXIS,
    COMBAT_KINDS,
    FIGHTER,
    SEATS,
    SUPPLY,
    TRUCK,
)
from salient.games.bulge.model import BulgeState, counts, waiting
from salient.games.bulge.strips import FEW, SIDES_OF_DIE, land, square_count
from salient.hexes.sets import HexId, UnitId
from salient.kernel.dice import ScriptedDice

Panel = dict[str, Any]
Dice = tuple[list[list[int]], list[int]]  # what lies on each square, and what missed


def panels(s: BulgeState) -> list[Panel]:
    """The strips that are pulled out now, and the charts."""
    pulled = strips(s)
    return [*([pulled] if pulled else []), charts(s)]


# ---- 6.6, 5.9 The battle strips ----------------------------------------------------------------------


def strips(s: BulgeState) -> Panel | None:
    """The strips of the battle under way, before its dice are rolled."""
    frame = s.stack[-1]
    if isinstance(frame, Combat) and frame.hex != NOWHERE:
        target, *units = frame.plan(s)[0]
        return _panel(s, "battle", target, _row(s, 1 - frame.side, target, dice_of(s.units, tuple(units))))
    if isinstance(frame, BattleRoll):
        return _panel(s, "battle", frame.target, _row(s, 1 - frame.side, frame.target, frame.dice))
    if isinstance(frame, AntiAircraft):
        return _panel(s, "anti-aircraft", frame.hex, _air_row(s, 1 - frame.side, frame.hex, frame.dice(s)))
    if isinstance(frame, Dogfight):
        planes = [sum(squadron(s, side, frame.hex)) for side in (AXIS, ALLIED)]
        rows = [_air_row(s, side, frame.hex, planes[1 - side]) for side in (ALLIED, AXIS)]
        return _panel(s, "dogfight", frame.hex, *rows)
    return None


def rolled_strips(s: BulgeState, faces: Sequence[int]) -> Panel | None:
    """The strips with the dice of the coming roll where they land [6.8, 6.15]."""
    frame = s.stack[-1]
    roller = ScriptedDice(faces)
    if isinstance(frame, BattleRoll):
        total = square_count(counts(s, 1 - frame.side, frame.target))
        lying = land(frame.dice, total, roller)
        return _panel(s, "battle", frame.target, _row(s, 1 - frame.side, frame.target, frame.dice, lying))
    if isinstance(frame, AntiAircraft):
        side, dice = 1 - frame.side, frame.dice(s)
        lying = land(dice, sum(squadron(s, side, frame.hex)), roller)
        return _panel(s, "anti-aircraft", frame.hex, _air_row(s, side, frame.hex, dice, lying))
    if isinstance(frame, Dogfight):
        return _panel(s, "dogfight", frame.hex, *_dogfight_rows(s, frame.hex, roller))
    return None


def _dogfight_rows(s: BulgeState, h: HexId, roller: ScriptedDice) -> list[Panel]:
    """The last round, the one that hit somebody: first the dice of the Axis, then those of the Allies [5.5]."""
    planes = [sum(squadron(s, side, h)) for side in (AXIS, ALLIED)]
    rows: list[Panel] = []
    while roller.faces:
        lying = [land(planes[1 - side], planes[side], roller) for side in (ALLIED, AXIS)]
        rows = [_air_row(s, side, h, planes[1 - side], dice) for side, dice in zip((ALLIED, AXIS), lying, strict=True)]
    return rows


def _panel(s: BulgeState, key: str, h: HexId, *rows: Panel) -> Panel:
    return {"kind": "strips", "key": key, "where": s.ground.board.labels[h], "rows": list(rows)}


def _row(s: BulgeState, side: int, h: HexId, dice: int, lying: Dice | None = None) -> Panel:
    """The strips of a side's pieces in a hex: one square a piece, one for all supply tokens."""
    numbers = counts(s, side, h)
    squares: list[tuple[int, int]] = [(kind, 1) for kind, n in enumerate(numbers[:SUPPLY]) for _ in range(n)]
    squares += [(SUPPLY, numbers[SUPPLY])] if numbers[SUPPLY] else []
    return _squares(s, side, h, dice, squares, lying)


def _air_row(s: BulgeState, side: int, h: HexId, dice: int, lying: Dice | None = None) -> Panel:
    squares = [(FIGHTER + i, 1) for i, n in enumerate(squadron(s, side, h)) for _ in range(n)]
    return _squares(s, side, h, dice, squares, lying)


def _squares(
    s: BulgeState, side: int, h: HexId, dice: int, squares: list[tuple[int, int]], lying: Dice | None
) -> Panel:
    total = len(squares)
    faces = range(FEW if total <= FEW else SIDES_OF_DIE)
    on, missed = lying or ([[] for _ in squares], [])
    results = _results([kind for kind, _ in squares], [len(dice) for dice in on])
    return {
        "side": SEATS[side],
        "dice": dice,
        "rolled": lying is not None,
        "missed": missed,
        "squares": [
            {
                "unit": s.units.ids[s.units.piles[side][kind][h]],
                "n": n,
                "numbers": [face + 1 for face in faces if face % total == i],
                "dice": on[i],
                "result": results[i],
            }
            for i, (kind, n) in enumerate(squares)
        ],
    }


def _results(kinds: list[int], hits: list[int]) -> list[str]:
    """What becomes of each square; a second hit on a truck's square is another truck's end [6.9]."""
    results = [_result(kind, n) for kind, n in zip(kinds, hits, strict=True)]
    spare = sum(n - 1 for kind, n in zip(kinds, hits, strict=True) if kind == TRUCK and n)
    safe = [i for i, kind in enumerate(kinds) if kind == TRUCK and not hits[i]]
    for i in safe[:spare]:
        results[i] = "square-destroyed"
    return results


def _result(kind: int, hits: int) -> str:
    if not hits:
        return ""
    return "square-retreats" if kind in COMBAT_KINDS and hits == 1 else "square-destroyed"


# ---- 8.1 The reinforcement charts ------------------------------------------------------------------------


def charts(s: BulgeState) -> Panel:
    """Every formation that has not entered wholly, chart by chart, by the turn of its arrival."""
    rows = [
        {"key": chart, "side": SEATS[side], "cells": [_cell(s, f) for f in _waiting(s, chart)]}
        for chart, side in s.ground.chart_side.items()
    ]
    return {"kind": "chart", "key": "reinforcements", "rows": [row for row in rows if row["cells"]]}


def _waiting(s: BulgeState, chart: str) -> list[int]:
    found = [f for f, owner in enumerate(s.formations.chart) if owner == chart and _piles(s, f)]
    return sorted(found, key=lambda f: s.formations.turn[f])


def _cell(s: BulgeState, f: int) -> Panel:
    return {
        "key": s.formations.ids[f],
        "n": s.formations.turn[f],
        "now": s.formations.turn[f] <= s.turn,
        "units": [s.units.ids[u] for u in _piles(s, f)],
    }


def _piles(s: BulgeState, f: int) -> list[UnitId]:
    side, place = s.formations.side[f], s.ground.boxes[f]
    return [s.units.piles[side][kind][place] for kind in COMBAT_KINDS if waiting(s, f, kind)]
