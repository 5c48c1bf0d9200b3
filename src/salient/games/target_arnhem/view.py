"""Target Arnhem: what a seat sees, and what an action would do. Nothing is hidden in this game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from salient.common.odds import ADVANCE, CLEARED, HOLDS, Face, Way, by_share, die_outcomes, to_the_end
from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.views import counter, where_it_is
from salient.games.target_arnhem import cautions
from salient.games.target_arnhem.combat import (
    Attack,
    CombatRoll,
    Lose,
    attack_strength,
    attackers,
    basic_column,
    bombardment_pools,
    defence_strength,
    final_column,
    terrain_shift,
)
from salient.games.target_arnhem.components import POOLS, Data, Ground, Units
from salient.games.target_arnhem.model import (
    DIVISIONS,
    XXX,
    ArnhemState,
    has_acted,
    may_act_again,
    occupied,
    units_at,
)
from salient.games.target_arnhem.movement import (
    NORMAL_MOVE,
    Underway,
    area_p_open,
    moves_by_road,
    next_to,
    path,
    places_in_reach,
    shortest_way,
    way_to_waypoint,
    zones_to_capture,
)
from salient.games.target_arnhem.sequence import PHASES, Impulse
from salient.games.target_arnhem.situation import situation as situation
from salient.games.target_arnhem.supply import (
    corps_supply,
    german_supply,
    is_supplied,
    supply_cuts,
    supply_routes,
    zone_supply,
)
from salient.games.target_arnhem.victory import result
from salient.hexes.sets import HexId, UnitId
from salient.kernel import Action, Refusal, Seat
from salient.kernel.sequence import SETTING_UP

COLOURS = {
    "wehrmacht": "german",
    "ss": "ss",
    "1abn": "british-airborne",
    "82abn": "us-82",
    "101abn": "us-101",
    "xxx": "british",
}


def heading(s: ArnhemState) -> str:
    """Turn and phase in a few plain words."""
    stage = PHASES.stage(s, s.turn)
    if stage.phase == SETTING_UP:
        return "Set-up"
    shown = PHASES.shown[stage.at]
    if shown["key"] == "reorganisation":
        return f"Turn {s.turn}, reorganisation"
    return f"Turn {s.turn}, {shown['side']} impulse {shown['n']}"


@cache
def components(data: Data) -> dict[str, Any]:
    """Counters, areas, tracks and phases: what never changes."""
    ground, units = data.ground, data.units
    return {
        "values": ["value-strength", "value-resistance"],
        "units": {units.ids[u]: _counter(units, u) for u in units.all},
        "places": [
            *(
                {"id": ground.places[area], "kind": "area", "side": "german", "hexes": ground.board.labels_of(hexes)}
                for area, hexes in ground.area_hexes.items()
            ),
            *(
                {"id": ground.places[box], "kind": "box", "side": "", "hexes": []}
                for box in (ground.waiting, ground.eliminated)
            ),
        ],
        "tracks": [
            {"id": pool, "side": "german" if i < 2 else "allied", "max": 30} for i, pool in enumerate(POOLS) if i != XXX
        ],
        "markers": ["supply-zone"],
        "overlays": list(OVERLAYS),
        "sequence": PHASES.shown,
    }


def _counter(units: Units, u: UnitId) -> dict[str, Any]:
    pool = POOLS[units.pool[u]]
    printed = f"{units.strength[u]}-{units.resistance[u]}"
    return counter(units, u, COLOURS[pool], printed, pool) | {"vehicle": units.vehicle[u]}


def observe(s: ArnhemState, seat: Seat) -> dict[str, Any]:
    """Everything: both players see the whole table."""
    return {
        **where_it_is(s, PHASES.stage(s, s.turn), s.tables.turns, result(s)),
        "units": {s.units.ids[u]: _unit(s, u) for u in s.units.all},
        "markers": [
            {
                "key": "supply-zone",
                "where": s.ground.board.labels[s.zones[d]],
                "label": POOLS[d].removesuffix("abn"),
                "side": "allied",
            }
            for d in DIVISIONS
            if s.zones[d] >= 0
        ],
        "tracks": {pool: s.pools[i] for i, pool in enumerate(POOLS) if i != XXX},
    }


def _unit(s: ArnhemState, u: UnitId) -> dict[str, Any]:
    badges: list[dict[str, Any]] = []
    frame = s.stack[-1]
    damage = s.damage[u] + (frame.share_of(u) if isinstance(frame, Lose) else 0)
    if damage:
        badges.append({"key": "damage", "n": damage})
    if s.fortified[u]:
        badges.append({"key": "fortified"})
    if s.where[u] < s.ground.waiting and not is_supplied(s, u):
        badges.append({"key": "out-of-supply"})
    seen: dict[str, Any] = {"where": s.ground.places[s.where[u]], "badges": badges}
    if has_acted(s, u) and not may_act_again(s, u):
        seen["done"] = True
    return seen


# ---- preview ------------------------------------------------------------------------------------------


def preview(s: ArnhemState, action: Action) -> dict[str, Any]:
    """The path of a move, or the odds of an attack as it stands."""
    frame = s.stack[-1]
    match action:
        case ("move", UnitId(u), int(to)) if isinstance(frame, Underway):
            return _way(s, u, shortest_way(s, u, to, frame.steps, frame.by_road))
        case ("move", UnitId(u), int(to)):
            return _way(s, u, path(s, u, to))
        case ("via", UnitId(u), HexId(h)) if isinstance(frame, Underway):
            return _way(s, u, way_to_waypoint(s, u, h, frame.steps, frame.by_road))
        case ("via", UnitId(u), HexId(h)):
            return _way(s, u, way_to_waypoint(s, u, h, NORMAL_MOVE, moves_by_road(s, u)))
        case ("land", UnitId(u), int(to)):
            return {"effects": [caution.as_json() for caution in cautions.of_move(s, u, to)]}
        case ("pass",) if isinstance(frame, Impulse):
            return {"effects": [caution.as_json() for caution in cautions.of_ending(s, frame.side)]}
        case ("attack", HexId(h)) if isinstance(frame, Impulse):
            return {"odds": odds(s, attackers(s, frame.ready(s), h), h, False)}
        case ("resolve",) | ("bombard", _) if isinstance(frame, Attack):
            return {"odds": odds(s, frame.joined, frame.hex, action[0] == "bombard", frame.others(s))}
        case ("join", UnitId(u)) if isinstance(frame, Attack):
            return {"odds": odds(s, (*frame.joined, u), frame.hex, False)}
        case ("roll", _) if isinstance(frame, CombatRoll):
            bombarded = frame.column != final_column(s, frame.units, frame.hex, False)
            return {"odds": odds(s, frame.units, frame.hex, bombarded)}
    return {}


def _way(s: ArnhemState, u: UnitId, way: list[int]) -> dict[str, Any]:
    """A way, and what cannot be taken back on it: zones captured, a fortification left [5.4, 7.3]."""
    zones = zones_to_capture(s, u)
    effects = [Refusal("7.3", "would-capture-zone", hex=h) for h in way[1:] if h < s.ground.hexes and zones >> h & 1]
    effects += cautions.of_move(s, u, way[-1])
    if s.fortified[u]:
        effects.append(Refusal("5.4", "would-leave-fortification", unit=u))
    return {"path": [s.ground.places[p] for p in way], "effects": [effect.as_json() for effect in effects]}


def odds(
    s: ArnhemState, units: tuple[UnitId, ...], h: HexId, bombardment: bool, spare: tuple[UnitId, ...] = ()
) -> dict[str, Any]:
    """An attack in full: every halving and shift with its rule, the column, every outcome, and one more unit."""
    defenders = units_at(s, h, 1 - s.units.side[units[0]])
    attack = sum(attack_strength(s, u, h) for u in units)
    defence = sum(defence_strength(s, u) for u in defenders)
    column = final_column(s, units, h, bombardment)
    return {
        "target": s.ground.board.labels[h],
        "attackers": [_contribution(s, u, attack_strength(s, u, h), h) for u in units],
        "defenders": [_contribution(s, u, defence_strength(s, u), None) for u in defenders],
        "attack": attack / 4,
        "defence": defence / 4,
        "ratio": s.tables.columns[basic_column(s.tables, attack, defence)],
        "shifts": [shift.as_json() for shift in _shifts(s.ground, h, bombardment)],
        "column": s.tables.columns[column],
        "bombardment": [POOLS[pool] for pool in bombardment_pools(s, units)],
        **_outcomes(s, column, units, defenders),
        **_support(s, units, h, bombardment, defenders),
        "one_more": [_one_more(s, u, (*units, u), h, bombardment) for u in spare],
    }


def _one_more(s: ArnhemState, u: UnitId, units: tuple[UnitId, ...], h: HexId, bombardment: bool) -> dict[str, Any]:
    """What one more unit makes of an attack: the column, and the chance to clear the hex."""
    column = final_column(s, units, h, bombardment)
    cleared = _outcomes(s, column, units, units_at(s, h, 1 - s.units.side[u]))["cleared"]
    return {"unit": s.units.ids[u], "column": s.tables.columns[column], "cleared": cleared}


def _support(
    s: ArnhemState, units: tuple[UnitId, ...], h: HexId, bombardment: bool, defenders: list[UnitId]
) -> dict[str, Any]:
    """What a bombardment would make of the attack [5.3b]."""
    pools = [POOLS[pool] for pool in bombardment_pools(s, units)]
    if bombardment or not pools:
        return {}
    column = final_column(s, units, h, True)
    outcomes = _outcomes(s, column, units, defenders)
    return {"support": {"units": [], "words": pools[:1], "column": s.tables.columns[column], **outcomes}}


def _contribution(s: ArnhemState, u: UnitId, quarters: int, target: HexId | None) -> dict[str, Any]:
    modifiers = []
    if target is not None and s.ground.halving[target] >> s.where[u] & 1:
        modifiers.append(Refusal("5.3", "halved-over-water").as_json())
    if not is_supplied(s, u):
        modifiers.append(Refusal("7.5", "halved-out-of-supply").as_json())
    return {"unit": s.units.ids[u], "strength": s.units.strength[u], "final": quarters / 4, "modifiers": modifiers}


def _shifts(ground: Ground, h: HexId, bombardment: bool) -> list[Refusal]:
    shifts = []
    if terrain_shift(ground, h):
        shifts.append(Refusal("5.3", "shift-forest" if ground.forest >> h & 1 else "shift-town", n=-1))
    if bombardment:
        shifts.append(Refusal("5.3b", "shift-bombardment", n=1))
    return shifts


def _outcomes(s: ArnhemState, column: int, units: tuple[UnitId, ...], defenders: list[UnitId]) -> dict[str, Any]:
    rooms = [sum(s.units.resistance[u] - s.damage[u] for u in group) for group in (units, defenders)]
    rooms[1] += any(s.fortified[u] for u in defenders)  # 5.4: a fortification absorbs a point
    faces = [
        Face(f"{own}/{enemy}", min(own, rooms[0]), min(enemy, rooms[1]), enemy >= rooms[1])
        for own, enemy in s.tables.combat[column]
    ]
    ways = by_share([Way(face.result, face.attacker_loss, face.defender_loss, _end(face, rooms[0])) for face in faces])
    return {**die_outcomes(faces), **to_the_end(ways)}


def _end(face: Face, room: int) -> str:
    """How a result ends: attackers that live may enter a cleared hex [5.2]."""
    if not face.cleared:
        return HOLDS
    return ADVANCE if face.attacker_loss < room else CLEARED


# ---- overlays --------------------------------------------------------------------------------------------


def _allied_supply(s: ArnhemState) -> dict[str, int]:
    """1 where XXX Corps is in supply, 2 where only an airborne division is."""
    german = occupied(s, GERMAN)
    corps = dict.fromkeys(s.ground.board.labels_of(corps_supply(s.ground, german)), 1)
    zones = [zone_supply(s.ground, s.zones[d], german) for d in DIVISIONS if s.zones[d] >= 0]
    return corps | {label: 2 for zone in zones for label in s.ground.board.labels_of(zone) if label not in corps}


def _german_supply(s: ArnhemState) -> dict[str, int]:
    return dict.fromkeys(s.ground.board.labels_of(german_supply(s.ground, occupied(s, ALLIED), area_p_open(s))), 1)


def _cut_off(s: ArnhemState, side: int) -> dict[str, list[str]]:
    """By hex: the units of a side that one enemy there would cut off."""
    cuts = supply_cuts(s, side)
    return {s.ground.board.labels[h]: [s.units.ids[u] for u in cut] for h, cut in cuts.items()}


def _reach_counts(s: ArnhemState, side: int) -> dict[str, int]:
    """How many units of a side could move to each hex in an impulse."""
    counts: dict[str, int] = {}
    for u in s.units.of_side[side]:
        if s.where[u] < s.ground.waiting:
            reached = places_in_reach(s.ground, s.where[u], occupied(s, 1 - side), side, True, area_p_open(s))
            for label in s.ground.board.labels_of(reached & s.ground.all_hexes):
                counts[label] = counts.get(label, 0) + 1
    return counts


def _enemy_contact(s: ArnhemState, seat: Seat) -> dict[str, int]:
    return dict.fromkeys(s.ground.board.labels_of(next_to(s.ground, occupied(s, 1 - SEATS.index(seat)))), 1)


def _red_road(s: ArnhemState) -> dict[str, str]:
    """Whether Germans stand on it."""
    ground = s.ground
    taken = ground.board.labels_of(ground.red_road & occupied(s, GERMAN))
    return dict.fromkeys(ground.board.labels_of(ground.red_road), "free") | dict.fromkeys(taken, SEATS[GERMAN])


OVERLAYS: dict[str, Callable[[ArnhemState, Seat], dict[str, Any]]] = {
    "allied-supply": lambda s, seat: _allied_supply(s),
    "german-supply": lambda s, seat: _german_supply(s),
    "allied-cuts": lambda s, seat: _cut_off(s, ALLIED),
    "german-cuts": lambda s, seat: _cut_off(s, GERMAN),
    "allied-reach": lambda s, seat: _reach_counts(s, ALLIED),
    "german-reach": lambda s, seat: _reach_counts(s, GERMAN),
    "enemy-contact": _enemy_contact,
    "red-road": lambda s, seat: _red_road(s),
}


def overlay(s: ArnhemState, seat: Seat, name: str) -> dict[str, Any]:
    """Values by hex for one overlay, and the units that it speaks of."""
    found = OVERLAYS[name](s, seat)
    cuts = name.endswith("cuts")
    hexes, units = (dict.fromkeys(found, "cut"), found) if cuts else (found, {})
    legend = [{"value": value, "key": f"{name}-{value}"} for value in sorted(set(hexes.values()))]
    ways = supply_routes(s, SEATS.index(name.removesuffix("-supply"))) if name.endswith("-supply") else {}
    routes = {s.units.ids[u]: [s.ground.board.labels[h] for h in way] for u, way in ways.items()}
    legend = [] if name.endswith("reach") else legend
    return {"hexes": hexes, "lines": [], "legend": legend, "units": units, "routes": routes}


def show_roll(s: ArnhemState, faces: Sequence[int]) -> dict[str, Any]:
    """Faces say it all."""
    return {}
