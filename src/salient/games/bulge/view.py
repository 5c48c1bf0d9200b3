"""Battle of the Bulge: what a seat sees, and what an action would do. Nothing is hidden in this game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from salient.common.odds import CLEARED, HOLDS
from salient.common.views import where_it_is
from salient.games.bulge import cautions
from salient.games.bulge.combat import Combat, dice_of
from salient.games.bulge.components import (
    ALLIED,
    AXIS,
    CARGO,
    COMBAT_KINDS,
    KINDS,
    SEATS,
    SIDES,
    SUPPLY,
    TRUCK,
    Data,
    Formations,
    Ground,
)
from salient.games.bulge.model import (
    BulgeState,
    count,
    counts,
    fighting,
    owned,
    piles,
    present,
    side_at,
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
from salient.hexes.sets import HexId, HexSet, UnitId
from salient.kernel import Action, Refusal, Seat, actor
from salient.kernel.sequence import SETTING_UP

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
def components(data: Data) -> dict[str, Any]:
    """Piles, charts, tracks and phases."""
    ground, formations, units = data.ground, data.formations, data.units
    return {
        "units": {units.ids[u]: _counter(data, u) for u in _possible_units(data)},
        "places": [
            *(
                {"id": f, "kind": "box", "side": SEATS[side], "hexes": []}
                for f, side in zip(formations.ids, formations.side, strict=True)
            ),
            *(
                {"id": ground.places[ground.bases[side]], "kind": "box", "side": SEATS[side], "hexes": []}
                for side in SIDES
            ),
        ],
        "charts": [
            {
                "id": chart,
                "side": SEATS[side],
                "hexes": [ground.board.labels[h] for h in ground.board.areas[chart].hexes],
                "formations": [
                    _formation(formations, f) for f in range(formations.count) if formations.chart[f] == chart
                ],
            }
            for chart, side in ground.chart_side.items()
        ],
        "tracks": [
            {
                "id": "victory-points",
                "side": "axis",
                "max": sum(ground.points.values()),
                "goal": data.tables.victory_points,
            },
            *({"id": f"supply-{SEATS[side]}", "side": SEATS[side], "max": 99} for side in SIDES),
        ],
        "markers": ["city-points"],
        "stacks": "spread",
        "overlays": list(OVERLAYS),
        "sequence": PHASES.shown,
    }


def _possible_units(data: Data) -> list[UnitId]:
    ground, formations, piles = data.ground, data.formations, data.units.piles
    found = []
    for side in SIDES:
        for kind in range(len(KINDS)):
            places: list[int] = bits(ground.whole)
            if kind in COMBAT_KINDS:
                places += [ground.boxes[f] for f in formations.of_side[side]]
            found += [piles[side][kind][place] for place in (*places, ground.bases[side])]
    return found


def _counter(data: Data, u: UnitId) -> dict[str, Any]:
    units, formations, ground = data.units, data.formations, data.ground
    side, kind, place = units.side[u], units.kind[u], units.place[u]
    f = place - ground.hexes if place in ground.boxes else -1
    nation = ("axis", "us")[side] if f < 0 else formations.nation[f]
    return {
        "side": SEATS[side],
        "name": units.names[side][kind],
        "symbol": units.symbol[kind],
        "size": "",
        "colour": COLOURS[nation],
        "values": "",
        "kind": KINDS[kind],
        "formation": "" if f < 0 else formations.ids[f],
        "source": units.source[kind] if f < 0 else formations.source[f],
    }


def _formation(formations: Formations, f: int) -> dict[str, Any]:
    return {
        "id": formations.ids[f],
        "name": formations.names[f],
        "nation": formations.nation[f],
        "turn": formations.turn[f],
        "source": formations.source[f],
    }


# ---- what a seat sees ------------------------------------------------------------------------------------


def observe(s: BulgeState, seat: Seat) -> dict[str, Any]:
    """Everything: both players see the whole table."""
    ids, labels = s.units.ids, s.ground.board.labels
    front = front_sides(s.ground, s.control)
    return {
        **where_it_is(s, PHASES.stage(s, s.turn), s.tables.turns, result(s)),
        "units": {ids[u]: _pile(s, u, n) for u, n in piles(s)} | _to_deploy(s),
        "markers": [
            {"key": "city-points", "where": labels[h], "label": str(value), "side": "axis"}
            for h, value in s.ground.points.items()
            if s.control >> h & 1
        ],
        "tracks": {
            "victory-points": points(s.ground, s.control),
            **{f"supply-{SEATS[side]}": _tokens(s, side) for side in SIDES},
        },
        "edges": [{"key": "front-line", "look": "line", "between": ["axis", "allied"], "sides": front}],
        "panels": panels(s),
        "command": {each: SEATS[side_at(s, each)] for each in SEATS},
        "campaign": {"games": s.games, "game": s.game + 1, "totals": dict(zip(SEATS, s.totals, strict=True))},
    }


def _pile(s: BulgeState, u: UnitId, n: int) -> dict[str, Any]:
    kind, place = s.units.kind[u], s.units.place[u]
    badges: list[dict[str, Any]] = []
    load = _load(s, u) if kind == TRUCK else 0
    if load:
        badges.append({"key": "load", "n": load})
    seen: dict[str, Any] = {"where": s.ground.places[place], "values": f"×{n}", "badges": badges}
    hexes = s.ground.hexes
    if place < hexes and kind <= TRUCK and s.moved[kind * hexes + place] >= n:
        seen["done"] = True
    return seen


def _load(s: BulgeState, u: UnitId) -> int:
    """What trucks in a place carry: those that have driven, and the one that is loading."""
    place, frame, hexes = s.units.place[u], s.stack[-1], s.ground.hexes
    loading = isinstance(frame, Trucks) and (frame.side, frame.start) == (s.units.side[u], place)
    load = sum(frame.cargo(s)) if isinstance(frame, Trucks) and loading else 0
    if place < hexes and s.moved[TRUCK * hexes + place]:
        load += sum(s.aboard[i * hexes + place] for i in range(len(CARGO)))
    return load


def _to_deploy(s: BulgeState) -> dict[str, Any]:
    """Pieces that a free set-up has yet to place stand off the board [11.2]."""
    frame = s.stack[-1]
    if not isinstance(frame, Deploy):
        return {}
    units, base = s.units, s.ground.bases[frame.side]
    where = s.ground.places[base]
    return {
        units.ids[units.piles[frame.side][kind][base]]: {"where": where, "values": f"×{n}", "badges": []}
        for kind, n in enumerate(frame.left)
        if n
    }


def _tokens(s: BulgeState, side: int) -> int:
    hexes = s.ground.hexes
    row = (side * 5 + SUPPLY) * hexes
    return sum(s.pieces[row : row + hexes]) + s.base[side * 4 + SUPPLY - TRUCK]


def front_sides(ground: Ground, control: HexSet) -> list[list[str]]:
    """The hexsides of the front line, each by the Axis hex and the Allied hex beside it [9.1]."""
    board = ground.board
    return [
        [board.labels[h], board.labels[n]]
        for h in bits(control)
        for n in sorted(board.adjacent[h])
        if ground.whole >> n & 1 and not control >> n & 1
    ]


# ---- preview ---------------------------------------------------------------------------------------------------


def preview(s: BulgeState, action: Action) -> dict[str, Any]:
    """The path of a move or drive, or the odds of an attack as it stands."""
    frame, places, hexes = s.stack[-1], s.ground.places, s.ground.hexes
    match action:
        case ("move", UnitId(u), HexId(to), _) if isinstance(frame, Move):
            way = path(routes(s, frame.side, s.units.kind[u], frame.hex, bool(frame.blitz)), frame.hex, to)
            found = cautions.of_move(s, frame.side, frame.hex, to, int(action[3]))
            return {"path": [places[p] for p in way], "effects": [caution.as_json() for caution in found]}
        case ("pass",) if isinstance(frame, Activate):
            return {"effects": [caution.as_json() for caution in cautions.of_ending(s, frame.side)]}
        case ("stop", int(to)) if isinstance(frame, Trucks):
            return {"path": [places[p] for p in frame.way(s, to) if p < hexes]}
        case ("retreat", UnitId(u), int(to)):
            return {"path": [places[s.units.place[u]], places[to]]}
        case ("attack", HexId(h), HexId(target)):
            side = side_at(s, actor(s))
            return {"odds": battle_odds(s, side, target, counts(s, side, h)[:3], h)}
        case ("pay", HexId(h)) if h < hexes:
            tokens = count(s, side_at(s, actor(s)), SUPPLY, h)
            return {"note": Refusal("6.5", "tokens-there", hex=h, n=tokens).as_json()}
        case ("resolve",) if isinstance(frame, Combat):
            target, *units = frame.plan(s)[0]
            return {"odds": battle_odds(s, frame.side, target, tuple(units), frame.hex)}
    return {}


def battle_odds(s: BulgeState, side: int, target: HexId, pool: tuple[int, ...], h: HexId) -> dict[str, Any]:
    """An attack in full: dice, squares, and the chances of each loss."""
    squares: Squares = counts(s, 1 - side, target)
    dice, attack, ids, piles = dice_of(s.units, pool), s.units.attack, s.units.ids, s.units.piles
    more = COMBAT_KINDS if pool != counts(s, side, h)[:3] else ()
    return {
        "target": s.ground.board.labels[target],
        "attackers": [
            {"unit": ids[piles[side][kind][h]], "strength": n, "final": n * attack[kind], "modifiers": []}
            for kind, n in enumerate(pool)
            if n
        ],
        "defenders": [
            {"unit": ids[piles[1 - side][kind][target]], "strength": n, "final": n, "modifiers": []}
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
            _one_more(ids[piles[side][kind][h]], dice + attack[kind], squares) for kind in more if s.held[kind]
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


# ---- overlays ----------------------------------------------------------------------------------------------------


def _front_line(s: BulgeState) -> dict[str, int]:
    """What the Axis has and keeps, what it gains, and what it loses in the upkeep [9.1 to 9.4]."""
    now = s.control
    after = front_line(s.ground, now, fighting(s, AXIS), fighting(s, ALLIED), present(s, ALLIED))
    return _valued(s, now & after, 1) | _valued(s, after & ~now, 2) | _valued(s, now & ~after, 3)


def _supplied(s: BulgeState, side: int) -> dict[str, int]:
    """Whether a token can pay for the combat units of a side [6.5]."""
    return {s.ground.board.labels[h]: 1 if payers(s, side, h) else 2 for h in bits(fighting(s, side))}


def _truck_home(s: BulgeState, seat: Seat) -> dict[str, int]:
    """From where trucks may return [7.1]."""
    side = side_at(s, seat)
    return _valued(s, returning(s.ground, side, fighting(s, 1 - side), owned(s, 1 - side)), 1)


def _points(s: BulgeState) -> dict[str, int]:
    return {s.ground.board.labels[h]: value for h, value in s.ground.points.items()}


def _valued(s: BulgeState, mask: HexSet | int, value: int) -> dict[str, int]:
    return dict.fromkeys(s.ground.board.labels_of(mask), value)


OVERLAYS: dict[str, Callable[[BulgeState, Seat], dict[str, int]]] = {
    "front-line": lambda s, seat: _front_line(s),
    "axis-zone": lambda s, seat: _valued(s, zone_of_control(s, AXIS), 1),
    "allied-zone": lambda s, seat: _valued(s, zone_of_control(s, ALLIED), 1),
    "axis-payers": lambda s, seat: _supplied(s, AXIS),
    "allied-payers": lambda s, seat: _supplied(s, ALLIED),
    "truck-home": _truck_home,
    "victory-points": lambda s, seat: _points(s),
}


def overlay(s: BulgeState, seat: Seat, name: str) -> dict[str, Any]:
    """Values by hex for one overlay."""
    hexes = OVERLAYS[name](s, seat)
    legend = [{"value": value, "key": f"{name}-{value}"} for value in sorted(set(hexes.values()))]
    return {"hexes": hexes, "lines": [], "legend": [] if name == "victory-points" else legend}


def show_roll(s: BulgeState, faces: Sequence[int]) -> dict[str, Any]:
    """How the dice of the coming roll lie on the table."""
    return rolled_strips(s, faces) or {}
