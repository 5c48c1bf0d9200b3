"""Battle of the Bulge: what a seat sees, and what an action would do. Nothing is hidden in this game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from salient.common.odds import CLEARED, HOLDS
from salient.common.views import where_it_is
from salient.games.bulge import cautions
from salient.games.bulge.combat import Combat, dice_of
from salient.games.bulge.model import (
    ALLIED,
    AXIS,
    BASES,
    BOARD,
    CARGO,
    CHART_SIDE,
    CHARTS,
    COMBAT_KINDS,
    FORMATION_CHART,
    FORMATION_NAMES,
    FORMATION_NATION,
    FORMATION_SIDE,
    FORMATION_SOURCE,
    FORMATION_TURN,
    FORMATIONS,
    HEXES,
    KINDS,
    PIECE_NAMES,
    PIECE_SOURCE,
    PLACES,
    POINTS,
    SEATS,
    SIDES,
    SUPPLY,
    SYMBOLS,
    TRUCK,
    TURNS,
    UNITS,
    VICTORY_POINTS,
    WHOLE,
    BulgeState,
    count,
    counts,
    fighting,
    kind_of,
    owned,
    piles,
    place_of,
    present,
    side_at,
    side_of,
    unit_id,
    zone_of_control,
)
from salient.games.bulge.movement import Activate, Move, path, returning, routes
from salient.games.bulge.panels import panels, rolled_strips
from salient.games.bulge.sequence import PHASES
from salient.games.bulge.setup import Deploy
from salient.games.bulge.situation import situation as situation
from salient.games.bulge.strips import Squares, odds, square_count
from salient.games.bulge.supply import payers
from salient.games.bulge.trucks import Trucks
from salient.games.bulge.upkeep import front_line, points
from salient.games.bulge.victory import result
from salient.hexes.masks import bits
from salient.hexes.sets import HexSet
from salient.kernel import Action, Refusal, Seat, actor
from salient.kernel.sequence import SETTING_UP

OVERLAYS = ("front-line", "axis-zone", "allied-zone", "axis-payers", "allied-payers", "truck-home", "victory-points")
COLOURS = {"axis": "german", "us": "us", "uk": "british"}


# ---- what never changes ------------------------------------------------------------------------------


def heading(s: BulgeState) -> str:
    """Turn and phase in a few plain words."""
    stage = PHASES.stage(s, s.turn)
    game = f"Game {s.game + 1}, " if s.games > 1 else ""
    if stage.phase == SETTING_UP:
        return f"{game}Set-up"
    shown = PHASES.shown[stage.at]
    side = f"{shown['side']} " if "side" in shown else ""
    return f"{game}Turn {s.turn}, {side}{shown['key'].replace('-', ' ')}"


@cache
def components(data: None) -> dict[str, Any]:
    """Piles, charts, tracks and phases."""
    return {
        "units": {UNITS[u]: _counter(u) for u in _possible_units()},
        "places": [
            *(
                {"id": f, "kind": "box", "side": SEATS[FORMATION_SIDE[i]], "hexes": []}
                for i, f in enumerate(FORMATIONS)
            ),
            *({"id": PLACES[BASES[side]], "kind": "box", "side": SEATS[side], "hexes": []} for side in SIDES),
        ],
        "charts": [
            {
                "id": chart,
                "side": SEATS[CHART_SIDE[chart]],
                "hexes": [BOARD.labels[h] for h in BOARD.areas[chart].hexes],
                "formations": [_formation(f) for f, owner in enumerate(FORMATION_CHART) if owner == chart],
            }
            for chart in CHARTS
        ],
        "tracks": [
            {"id": "victory-points", "side": "axis", "max": sum(POINTS.values()), "goal": VICTORY_POINTS},
            *({"id": f"supply-{SEATS[side]}", "side": SEATS[side], "max": 99} for side in SIDES),
        ],
        "markers": ["city-points"],
        "stacks": "spread",
        "overlays": list(OVERLAYS),
        "sequence": PHASES.shown,
    }


def _possible_units() -> list[int]:
    found = []
    for side in SIDES:
        for kind in range(len(KINDS)):
            places = [h for h in range(HEXES) if WHOLE >> h & 1]
            if kind in COMBAT_KINDS:
                places += [HEXES + f for f, owner in enumerate(FORMATION_SIDE) if owner == side]
            found += [unit_id(side, kind, place) for place in (*places, BASES[side])]
    return found


def _counter(u: int) -> dict[str, Any]:
    side, kind, place = side_of(u), kind_of(u), place_of(u)
    is_chart = HEXES <= place < BASES[0]
    nation = FORMATION_NATION[place - HEXES] if is_chart else ("axis", "us")[side]
    return {
        "side": SEATS[side],
        "name": PIECE_NAMES[side][kind],
        "symbol": SYMBOLS[kind],
        "size": "",
        "colour": COLOURS[nation],
        "values": "",
        "kind": KINDS[kind],
        "formation": FORMATIONS[place - HEXES] if is_chart else "",
        "source": FORMATION_SOURCE[place - HEXES] if is_chart else PIECE_SOURCE[kind],
    }


def _formation(f: int) -> dict[str, Any]:
    return {
        "id": FORMATIONS[f],
        "name": FORMATION_NAMES[f],
        "nation": FORMATION_NATION[f],
        "turn": FORMATION_TURN[f],
        "source": FORMATION_SOURCE[f],
    }


# ---- what a seat sees ------------------------------------------------------------------------------------


def observe(s: BulgeState, seat: Seat) -> dict[str, Any]:
    """Everything: both players see the whole table."""
    return {
        **where_it_is(s, PHASES.stage(s, s.turn), TURNS, result(s)),
        "units": {UNITS[u]: _pile(s, u, n) for u, n in piles(s)} | _to_deploy(s),
        "markers": [
            {"key": "city-points", "where": BOARD.labels[h], "label": str(value), "side": "axis"}
            for h, value in POINTS.items()
            if s.control >> h & 1
        ],
        "tracks": {
            "victory-points": points(s.control),
            **{f"supply-{SEATS[side]}": _tokens(s, side) for side in SIDES},
        },
        "edges": [
            {"key": "front-line", "look": "line", "between": ["axis", "allied"], "sides": front_sides(s.control)}
        ],
        "panels": panels(s),
        "command": {each: SEATS[side_at(s, each)] for each in SEATS},
        "campaign": {"games": s.games, "game": s.game + 1, "totals": dict(zip(SEATS, s.totals, strict=True))},
    }


def _pile(s: BulgeState, u: int, n: int) -> dict[str, Any]:
    kind, place = kind_of(u), place_of(u)
    badges: list[dict[str, Any]] = []
    load = _load(s, u) if kind == TRUCK else 0
    if load:
        badges.append({"key": "load", "n": load})
    seen: dict[str, Any] = {"where": PLACES[place], "values": f"×{n}", "badges": badges}
    if place < HEXES and kind <= TRUCK and s.moved[kind * HEXES + place] >= n:
        seen["done"] = True
    return seen


def _load(s: BulgeState, u: int) -> int:
    """What trucks in a place carry: those that have driven, and the one that is loading."""
    place, frame = place_of(u), s.stack[-1]
    loading = isinstance(frame, Trucks) and (frame.side, frame.start) == (side_of(u), place)
    load = sum(frame.cargo()) if isinstance(frame, Trucks) and loading else 0
    if place < HEXES and s.moved[TRUCK * HEXES + place]:
        load += sum(s.aboard[i * HEXES + place] for i in range(len(CARGO)))
    return load


def _to_deploy(s: BulgeState) -> dict[str, Any]:
    """Pieces that a free set-up has yet to place stand off the board [11.2]."""
    frame = s.stack[-1]
    if not isinstance(frame, Deploy):
        return {}
    base = BASES[frame.side]
    return {
        UNITS[unit_id(frame.side, kind, base)]: {"where": PLACES[base], "values": f"×{n}", "badges": []}
        for kind, n in enumerate(frame.left)
        if n
    }


def _tokens(s: BulgeState, side: int) -> int:
    row = (side * 5 + SUPPLY) * HEXES
    return sum(s.ground[row : row + HEXES]) + s.base[side * 4 + SUPPLY - TRUCK]


def front_sides(control: HexSet) -> list[list[str]]:
    """The hexsides of the front line, each by the Axis hex and the Allied hex beside it [9.1]."""
    return [
        [BOARD.labels[h], BOARD.labels[n]]
        for h in bits(control)
        for n in sorted(BOARD.adjacent[h])
        if WHOLE >> n & 1 and not control >> n & 1
    ]


# ---- preview ---------------------------------------------------------------------------------------------------


def preview(s: BulgeState, action: Action) -> dict[str, Any]:
    """The path of a move or drive, or the odds of an attack as it stands."""
    frame = s.stack[-1]
    match action:
        case ("move", int(u), int(to), _) if isinstance(frame, Move):
            way = path(routes(s, frame.side, kind_of(u), frame.hex, bool(frame.blitz)), frame.hex, to)
            found = cautions.of_move(s, frame.side, frame.hex, to, int(action[3]))
            return {"path": [PLACES[p] for p in way], "effects": [caution.as_json() for caution in found]}
        case ("pass",) if isinstance(frame, Activate):
            return {"effects": [caution.as_json() for caution in cautions.of_ending(s, frame.side)]}
        case ("stop", int(to)) if isinstance(frame, Trucks):
            return {"path": [PLACES[p] for p in frame.way(s, to) if p < HEXES]}
        case ("retreat", int(u), int(to)):
            return {"path": [PLACES[place_of(u)], PLACES[to]]}
        case ("attack", int(h), int(target)):
            side = side_at(s, actor(s))
            return {"odds": battle_odds(s, side, target, counts(s, side, h)[:3], h)}
        case ("pay", int(h)) if h < HEXES:
            tokens = count(s, side_at(s, actor(s)), SUPPLY, h)
            return {"note": Refusal("6.5", "tokens-there", hex=h, n=tokens).as_json()}
        case ("resolve",) if isinstance(frame, Combat):
            target, *units = frame.plan(s)[0]
            return {"odds": battle_odds(s, frame.side, target, tuple(units), frame.hex)}
    return {}


def battle_odds(s: BulgeState, side: int, target: int, pool: tuple[int, ...], h: int) -> dict[str, Any]:
    """An attack in full: dice, squares, and the chances of each loss."""
    squares: Squares = counts(s, 1 - side, target)
    dice = dice_of(pool)
    more = COMBAT_KINDS if pool != counts(s, side, h)[:3] else ()
    return {
        "target": BOARD.labels[target],
        "attackers": [
            {"unit": UNITS[unit_id(side, kind, h)], "strength": n, "final": dice_of(_only(kind, n)), "modifiers": []}
            for kind, n in enumerate(pool)
            if n
        ],
        "defenders": [
            {"unit": UNITS[unit_id(1 - side, kind, target)], "strength": n, "final": n, "modifiers": []}
            for kind, n in enumerate(squares)
            if n
        ],
        "attack": dice,
        "defence": square_count(squares),
        "ratio": str(dice),
        "shifts": [],
        "column": str(dice),
        "dice": dice,
        **_chances(dice, squares),
        "one_more": [
            _one_more(UNITS[unit_id(side, kind, h)], dice_of(_only(kind, 1)) + dice, squares)
            for kind in more
            if s.held[kind]
        ],
    }


def _chances(dice: int, squares: Squares) -> dict[str, Any]:
    """What a number of dice does to squares: the chances of each loss, its mean, and how the battle ends."""
    lost = [0.0] * 8
    destroyed: dict[int, float] = {}
    for effect, share in odds(dice, squares):
        n_destroyed = effect[0] + effect[2] + effect[4]
        destroyed[n_destroyed] = destroyed.get(n_destroyed, 0.0) + float(share)
        for i, n in enumerate(effect):
            lost[i] += float(share) * n
    cleared = _cleared(dice, squares)
    mean = {"attacker": 0, "defender": round(lost[0] + lost[2] + lost[4], 2)}
    ends = ((CLEARED, cleared), (HOLDS, 1 - cleared))
    return {
        "outcomes": [
            {"probability": f"{share:.4f}", "result": f"{n}✕", "attacker_loss": 0, "defender_loss": n}
            for n, share in sorted(destroyed.items(), reverse=True)
        ],
        "expected": {
            **mean,
            **{f"{KINDS[k]}_destroyed": round(lost[2 * k], 2) for k in COMBAT_KINDS},
            **{f"{KINDS[k]}_retreating": round(lost[2 * k + 1], 2) for k in COMBAT_KINDS},
            "trucks": round(lost[6], 2),
            "supply": round(lost[7], 2),
        },
        "cleared": f"{cleared:.3f}",
        "whole": mean | {"ends": [{"end": end, "probability": f"{share:.4f}"} for end, share in ends if share]},
    }


def _cleared(dice: int, squares: Squares) -> float:
    """How likely no combat unit is left in a hex: destroyed, or gone in retreat."""
    return sum(float(share) for effect, share in odds(dice, squares) if sum(effect[:6]) == sum(squares[:3]))


def _one_more(unit: str, dice: int, squares: Squares) -> dict[str, Any]:
    """What one more piece makes of an attack: the dice, and the chance to clear the hex."""
    return {"unit": unit, "column": str(dice), "cleared": f"{_cleared(dice, squares):.3f}"}


def _only(kind: int, n: int) -> tuple[int, ...]:
    return tuple(n if each == kind else 0 for each in COMBAT_KINDS)


# ---- overlays ----------------------------------------------------------------------------------------------------


def overlay(s: BulgeState, seat: Seat, name: str) -> dict[str, Any]:
    """Values by hex for one overlay."""
    hexes: dict[str, Any] = {}
    if name == "front-line":
        after = front_line(s.control, fighting(s, AXIS), fighting(s, ALLIED), present(s, ALLIED))
        hexes = _valued(s.control & after, 1) | _valued(after & ~s.control, 2) | _valued(s.control & ~after, 3)
    elif name in ("axis-zone", "allied-zone"):
        hexes = _valued(zone_of_control(s, SEATS.index(name.partition("-")[0])), 1)
    elif name in ("axis-payers", "allied-payers"):
        side = SEATS.index(name.partition("-")[0])
        hexes = {BOARD.labels[h]: 1 if payers(s, side, h) else 2 for h in bits(fighting(s, side))}
    elif name == "truck-home":
        side = side_at(s, seat)
        hexes = _valued(returning(side, fighting(s, 1 - side), owned(s, 1 - side)), 1)
    elif name == "victory-points":
        hexes = {BOARD.labels[h]: value for h, value in POINTS.items()}
    legend = [{"value": value, "key": f"{name}-{value}"} for value in sorted(set(hexes.values()))]
    return {"hexes": hexes, "lines": [], "legend": [] if name == "victory-points" else legend}


def _valued(mask: HexSet | int, value: int) -> dict[str, int]:
    return dict.fromkeys((BOARD.labels[h] for h in bits(mask)), value)


def show_roll(s: BulgeState, faces: Sequence[int]) -> dict[str, Any]:
    """How the dice of the coming roll lie on the table."""
    return rolled_strips(s, faces) or {}
