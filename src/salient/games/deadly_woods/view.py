"""The Deadly Woods: what a seat sees, and what an action would do. Only the panzer army of 17 is ever hidden."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from salient.common.naming import with_piece
from salient.common.odds import (
    ADVANCE,
    CLEARED,
    HOLDS,
    Face,
    Odds,
    Way,
    Ways,
    by_share,
    chance_of,
    die_outcomes,
    to_the_end,
)
from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.stacks import on_map, units_at
from salient.common.views import bridge_edges, counter, held_markers, where_it_is
from salient.games.deadly_woods import cautions
from salient.games.deadly_woods.combat import (
    Attack,
    Battle,
    CombatRoll,
    Fight,
    Support,
    defence_of,
    gun_strength,
    odds,
    result_of,
    targets,
)
from salient.games.deadly_woods.components import ARMIES, CHITS, Assets, Data, Ground, Units
from salient.games.deadly_woods.model import CHIT_SIDE, WoodsState
from salient.games.deadly_woods.move_unit import MoveUnit, UnderWay
from salient.games.deadly_woods.movement import cost, led, ways
from salient.games.deadly_woods.movement_phase import Select
from salient.games.deadly_woods.panels import panels
from salient.games.deadly_woods.results import first_german_combat, refuse_advance
from salient.games.deadly_woods.retreats import RETREAT, Retreat, is_held_by_boundary, refuse_stand, retreat_room
from salient.games.deadly_woods.sequence import PHASES
from salient.games.deadly_woods.situation import situation as situation
from salient.games.deadly_woods.supply import (
    air_supplied_hexes,
    is_supplied,
    supplied_hexes,
    supply_cuts,
    supply_routes,
)
from salient.games.deadly_woods.victory import points, result, turns_of
from salient.games.deadly_woods.zones import zone
from salient.hexes.masks import bits
from salient.hexes.sets import Group, UnitId
from salient.kernel import Action, Refusal, Seat
from salient.kernel.messages import EventList

OVERLAYS = (
    "allied-supply", "german-supply", "allied-cuts", "german-cuts", "allied-zones", "german-zones", "control", "armies",
)  # fmt: skip
MARKERS = ("victory-hex-held", "fuel", "asset")  # 2.6
SS_FORMATIONS = ("1SS", "2SS", "9SS", "10SS", "12SS")


def heading(s: WoodsState) -> str:
    """Turn and phase in a few plain words."""
    shown = PHASES.shown[PHASES.stage(s, s.turn).at]["key"]
    return f"Turn {s.turn}, round {len(s.track)}" if shown == "rounds" else f"Turn {s.turn}, {shown}"


@cache
def components(data: Data) -> dict[str, Any]:
    """Counters, boxes, tracks and phases: what never changes."""
    units, assets = data.units, data.assets
    areas = [
        {
            "id": name,
            "kind": "area",
            "side": area.kind.partition("-")[0],
            "hexes": _labels(data.ground, area.hexes),
        }
        for name, area in sorted(data.ground.board.areas.items())
    ]
    boxes = [{"id": place, "kind": "box", "side": "", "hexes": []} for place in data.ground.places[data.ground.hexes :]]
    return {
        "values": ["value-attack", "value-defence", "value-movement"],
        "units": {name: _counter(units, u) for u, name in zip(units.all, units.ids, strict=True)},
        "places": [*areas, *boxes],
        "tracks": [{"id": "victory-points", "side": "german", "max": 12}],
        "markers": list(MARKERS),
        "overlays": list(OVERLAYS),
        "sequence": PHASES.shown,
        "assets": {name: _asset(assets, a) for a, name in enumerate(assets.ids)},
        "chits": {name: {"side": SEATS[CHIT_SIDE[c]] if CHIT_SIDE[c] >= 0 else ""} for c, name in enumerate(CHITS)},
    }


def _colour(units: Units, u: UnitId) -> str:
    if units.side[u] == ALLIED:
        return units.nation[u]
    if units.formation[u] in SS_FORMATIONS:
        return "ss"
    return "luftwaffe" if units.symbol[u] == "parachute" else "german"


def _counter(units: Units, u: UnitId) -> dict[str, Any]:
    return counter(units, u, _colour(units, u), units.printed[u][0], units.formation[u])


def _asset(assets: Assets, a: int) -> dict[str, Any]:
    return {
        "side": SEATS[assets.side[a]],
        "name": assets.names[a],
        "kind": assets.kind[a],
        "strength": assets.strength[a],
    }


def observe(s: WoodsState, seat: Seat) -> dict[str, Any]:
    """Everything on the table; of the cup all but the panzer army that the German chose in secret."""
    return {
        **where_it_is(s, PHASES.stage(s, s.turn), turns_of(s), result(s)),
        "initiative": SEATS[s.initiative],
        "units": _units(s),
        "markers": [*_held_markers(s), *_asset_markers(s)],
        "tracks": {"victory-points": points(s)},
        "panels": panels(s, seat),
        "edges": _bridges(s),
    }


def _units(s: WoodsState) -> dict[str, dict[str, Any]]:
    """Every unit; most of them bear no mark, and what is seen of those depends on their place alone."""
    marked, where, lost = s.done | s.fought | s.detour, s.where, s.lost
    if s.motor >= 0:
        marked |= 1 << s.motor
    found = {}
    for u, name in zip(s.units.all, s.units.ids, strict=True):
        plain = not (lost[u] or marked >> u & 1) and (not on_map(s, u) or is_supplied(s, u))
        found[name] = _unmarked(s.data, u, where[u]) if plain else _unit(s, u)
    return found


@lru_cache(maxsize=1 << 14)
def _unmarked(data: Data, u: UnitId, where: int) -> dict[str, Any]:
    return {"where": data.ground.places[where], "values": data.units.printed[u][0], "badges": []}


def _unit(s: WoodsState, u: UnitId) -> dict[str, Any]:
    badges: list[dict[str, Any]] = []
    if s.lost[u]:
        badges.append({"key": "step", "n": s.lost[u]})
    if on_map(s, u) and not is_supplied(s, u):
        badges.append({"key": "out-of-supply"})
    if s.motor == u:
        badges.append({"key": "motorized"})
    if s.detour >> u & 1:
        badges.append({"key": "detour"})
    seen: dict[str, Any] = {
        "where": s.ground.places[s.where[u]],
        "values": s.units.printed[u][s.lost[u]],
        "badges": badges,
    }
    if (s.done | s.fought) >> u & 1:
        seen["done"] = True
    return seen


def _bridges(s: WoodsState) -> list[dict[str, Any]]:
    """Bridges that are not as the map shows them: blown ones, and ruins that have been rebuilt."""
    rebuilt = s.ground.blown_at_start & ~s.blown
    found = [("bridge-blown", "cut", s.blown), ("bridge-rebuilt", "bridge", rebuilt)]
    return bridge_edges(s.ground.board.labels, s.ground.bridges, found)


def _held_markers(s: WoodsState) -> list[dict[str, Any]]:
    """Victory hexes in German hands, and the fuel that Peiper has not reached."""
    held = held_markers(s.ground.board.labels, s.ground.victory & s.german_held)
    fuel = [{"key": "fuel", "where": s.ground.board.labels[s.ground.fuel], "side": "allied"}]
    return held + (fuel if s.fuel == 0 else [])


def _asset_markers(s: WoodsState) -> list[dict[str, Any]]:
    return [
        {"key": "asset", "where": s.ground.places[place], "label": s.assets.ids[a], "side": SEATS[s.assets.side[a]]}
        for a, place in enumerate(s.asset)
        if place < s.ground.hexes
    ]


# ---- preview ----------------------------------------------------------------------------------------


def preview(s: WoodsState, action: Action) -> dict[str, Any]:
    """The path, cost and effects of a move, or the odds of an attack as it stands."""
    frame = s.stack[-1]
    match action:
        case ("move" | "via" | "infiltrate", UnitId(u), int(to)) if isinstance(frame, (MoveUnit, UnderWay)):
            return _move(s, frame, action, u, to)
        case ("retreat", UnitId(u), int(to)) if isinstance(frame, Retreat):
            return {"path": _labels(s.ground, frame.path(s, u, to)), "effects": _effects(s, action)}
        case ("withdraw", UnitId(u), int(door), int(to)):
            return {"path": _labels(s.ground, [s.where[u], door, to]), "effects": _effects(s, action)}
        case ("attack", int(h)) if isinstance(frame, Fight):
            return _attack(s, Battle(frame.side, h, targets(s, frame.side)[h]))
        case ("join", UnitId(u)) if isinstance(frame, Attack):
            return {"odds": odds_view(s, Battle(frame.side, frame.hex, with_piece(frame.joined, u)))}
        case ("resolve",) if isinstance(frame, Attack):
            return _attack(s, Battle(frame.side, frame.hex, frame.joined), frame.able(s))
        case ("support" | "double", int(a)) if isinstance(frame, Support):
            return {"odds": odds_view(s, frame.with_gun(a, action[0] == "double").battle)}
        case ("resolve",) if isinstance(frame, Support):
            return {"odds": odds_view(s, frame.battle)}
        case ("roll", _) if isinstance(frame, CombatRoll):
            return {"odds": odds_view(s, frame.battle)}
        case ("pass",) if isinstance(frame, Select):
            return {"effects": [caution.as_json() for caution in cautions.of_ending(s, frame.side)]}
    return {}


def _move(s: WoodsState, frame: MoveUnit | UnderWay, action: Action, u: UnitId, to: int) -> dict[str, Any]:
    options = frame.options if isinstance(frame, UnderWay) else ways(s, u)
    if to == s.where[u]:
        return {"path": _labels(s.ground, [to]), "cost": 0.0, "effects": []}
    if action[0] == "move":
        seen = {"path": _labels(s.ground, frame.path_to(s, to)), "cost": cost(s, u, to, options)}
        after, effects = _outcome(s, action)
        return {**seen, "effects": [*(each.as_json() for each in cautions.of_move(s, u, to, after)), *effects]}
    return {"path": _labels(s.ground, led(s, u, to, options)), "effects": _effects(s, action)}


def _effects(s: WoodsState, action: Action) -> list[dict[str, Any]]:
    """What a way sets off: bridges, control, the fuel, the Meuse, engineers, the US Delay, trucks."""
    return _outcome(s, action)[1]


def _outcome(s: WoodsState, action: Action) -> tuple[WoodsState, list[dict[str, Any]]]:
    """The position that a way leads to, and what it sets off."""
    events = EventList()
    after = s.clone()
    after.stack[-1].apply(after, action, events)
    return after, [event.as_json() for event in events if event.key not in ("moves", "retreats")]


def _attack(s: WoodsState, b: Battle, spare: Group = ()) -> dict[str, Any]:
    """The odds of an attack, and what it may cost beside steps."""
    return {"odds": odds_view(s, b, spare), "effects": [caution.as_json() for caution in cautions.of_attack(s, b)]}


def _labels(ground: Ground, hexes: Iterable[int]) -> list[str]:
    return [ground.board.labels[h] for h in hexes]


def odds_view(s: WoodsState, b: Battle, spare: Group = ()) -> dict[str, Any]:
    """An attack in full: every strength and shift with its rule, the column, every outcome, and one more unit."""
    o = odds(s, b)
    defenders = units_at(s, b.hex)
    guns, units, assets = Support(b, True), s.units, s.assets
    values = {u: units.values[u][s.lost[u]] for u in (*b.units, *defenders)}
    return {
        "target": s.ground.board.labels[b.hex],
        "attackers": [
            *(_contribution(units.ids[u], values[u][0], values[u][0]) for u in b.units),
            *(_contribution(assets.ids[a], assets.strength[a], gun_strength(s, b, a)) for a in b.guns),
        ],
        "defenders": [
            *(_contribution(units.ids[u], values[u][1], defence_of(s, u, b.hex)) for u in defenders),
            *(_contribution(assets.ids[a], assets.strength[a], assets.strength[a]) for a in b.answer),
        ],
        "attack": o.attack,
        "defence": o.defence,
        "defence_notes": [Refusal("11.3.2", "village-adds", n=1).as_json()] if s.ground.village >> b.hex & 1 else [],
        "ratio": s.tables.columns[o.plain] if o.plain >= 0 else "-",
        "shifts": [shift.as_json() for shift in o.shifts],
        "column": s.tables.columns[o.column] if o.column >= 0 else "-",
        **_outcomes(s, b, o, defenders),
        **_support(s, b, defenders),
        **_choices(s, b, defenders),
        "one_more": [
            *(_one_more(s, units.ids[u], b._replace(units=with_piece(b.units, u)), defenders) for u in spare),
            *(_one_more(s, assets.ids[a], guns.with_gun(a, False).battle, defenders) for a in guns.choices(s)),
        ],
    }


def _one_more(s: WoodsState, name: str, b: Battle, defenders: Group) -> dict[str, Any]:
    """What one more unit or gun makes of an attack: the column, and the chance to clear the hex in the end."""
    ways = _ways(s, b, odds(s, b), defenders)
    return {"unit": name, "column": _column(s, b), "cleared": str(chance_of(ways, ADVANCE, CLEARED))}


def _choices(s: WoodsState, b: Battle, defenders: Group) -> dict[str, Any]:
    """What a side may make of a retreat: a loss on both sides, or a stand at the cost of a step [11.3.3, 11.4.1]."""
    said = [Refusal("11.3.3", "then-convert")] if first_german_combat(s, b.side) else []
    able = tuple(u for u in defenders if refuse_stand(s, u) is None)
    said += [Refusal("11.4.1", "then-stand", units=able)] if able else []
    return {"then": [message.as_json() for message in said]} if said else {}


def _support(s: WoodsState, b: Battle, defenders: Group) -> dict[str, Any]:
    """What all guns in range would make of the attack [11.2]."""
    frame = Support(b, True)
    while choices := frame.choices(s):
        frame = frame.with_gun(choices[0], False)
    if frame.battle == b:
        return {}
    guns = [s.assets.ids[a] for a in frame.battle.guns]
    outcomes = _outcomes(s, frame.battle, odds(s, frame.battle), defenders)
    return {"support": {"units": [], "words": guns, "column": _column(s, frame.battle), **outcomes}}


def _column(s: WoodsState, b: Battle) -> str:
    column = odds(s, b).column
    return s.tables.columns[column] if column >= 0 else "-"


def _contribution(name: str, strength: int, final: int) -> dict[str, Any]:
    modifiers = [Refusal("11.3.2", "changed-by-terrain").as_json()] if strength != final else []
    return {"unit": name, "strength": strength, "final": final, "modifiers": modifiers}


LOSSES = {"AL1": (1, 0), "BL1": (1, 1), "DR": (0, 0), "DR*": (0, 1), "NE": (0, 0)}


def _outcomes(s: WoodsState, b: Battle, o: Odds, defenders: Group) -> dict[str, Any]:
    last_step = sum(s.units.steps[u] - s.lost[u] for u in defenders) == 1
    faces = []
    for die in range(1, 7):
        name = result_of(s, b, o.column, die)
        own, enemy = LOSSES[name]
        faces.append(Face(name, own, enemy, name.startswith("DR") or bool(last_step and enemy)))
    return {**die_outcomes(faces), **to_the_end(_ways(s, b, o, defenders))}


def _ways(s: WoodsState, b: Battle, o: Odds, defenders: Group) -> Ways:
    """What a column leads to if every retreat is made [11.3.3, 11.4, 11.5]."""
    return by_share([forecast(s, b, result_of(s, b, o.column, die), defenders) for die in range(1, 7)])


def forecast(s: WoodsState, b: Battle, result: str, defenders: Group) -> Way:
    own, enemy = LOSSES[result]
    steps = {u: s.units.steps[u] - s.lost[u] for u in defenders}
    enemy = min(enemy, sum(steps.values()))
    own = min(own, sum(s.units.steps[u] - s.lost[u] for u in b.units))
    alive = own < sum(s.units.steps[u] - s.lost[u] for u in b.units)
    entered = ADVANCE if alive and any(refuse_advance(s, u, b.hex) is None for u in b.units) else CLEARED
    if enemy == sum(steps.values()):
        return Way(result, own, enemy, entered)
    if not result.startswith("DR"):
        return Way(result, own, enemy, HOLDS)
    if enemy:
        steps[max(steps, key=steps.__getitem__)] -= 1
    lost = _lost_in_retreat(s, {u: left for u, left in steps.items() if left})
    return Way(result, own, enemy + lost.steps, HOLDS if lost.holds else entered)


class Retreated(NamedTuple):
    """What a retreat costs, and whether somebody stays in the hex."""

    steps: int
    holds: bool


def _lost_in_retreat(s: WoodsState, steps: dict[UnitId, int]) -> Retreated:
    """The steps lost by units that cannot move at all, cannot go anywhere or go through a zone [7.3, 9.2, 11.4]."""
    still = [u for u in steps if s.units.values[u][s.units.steps[u] - steps[u]][2] == 0]  # 11.4.2
    rooms = {u: retreat_room(s, u) for u in steps if u not in still}
    stuck = [u for u, room in rooms.items() if not room.ends]
    bound = [u for u in stuck if is_held_by_boundary(s, u)]
    free = [u for u in stuck if u not in bound]
    of_bound = sum(steps[u] for u in bound)
    through = any(room.ends and room.through_zone for room in rooms.values())
    lost = sum(steps[u] for u in still) + len(free) + min(RETREAT, of_bound) + through
    return Retreated(lost, any(steps[u] > 1 for u in free) or of_bound > RETREAT)


# ---- overlays ---------------------------------------------------------------------------------------------


def overlay(s: WoodsState, seat: Seat, name: str) -> dict[str, Any]:
    """Values by hex for one overlay."""
    hexes: dict[str, Any] = {}
    if name in ("allied-cuts", "german-cuts"):
        return _cuts(s, ALLIED if name == "allied-cuts" else GERMAN, name)
    if name == "allied-supply":
        hexes = dict.fromkeys(s.ground.board.labels_of(air_supplied_hexes(s)), 2) | dict.fromkeys(
            s.ground.board.labels_of(supplied_hexes(s, ALLIED)), 1
        )
    elif name == "german-supply":
        hexes = dict.fromkeys(s.ground.board.labels_of(supplied_hexes(s, GERMAN)), 1)
    elif name in ("allied-zones", "german-zones"):
        hexes = dict.fromkeys(s.ground.board.labels_of(zone(s, ALLIED if name == "allied-zones" else GERMAN)), 1)
    elif name == "control":
        held = s.german_held
        hexes = {
            s.ground.board.labels[h]: SEATS[GERMAN if held >> h & 1 else ALLIED]
            for h in bits(s.ground.victory | s.ground.settled)
        }
    elif name == "armies":
        for value, army in enumerate(ARMIES, start=1):
            hexes |= dict.fromkeys(s.ground.board.labels_of(s.ground.army_zone[army]), value)
    legend = [{"value": value, "key": f"{name}-{value}"} for value in sorted(set(hexes.values()))]
    routes = supply_routes(s, SEATS.index(name.removesuffix("-supply"))) if name.endswith("-supply") else {}
    named = {s.units.ids[u]: [s.ground.board.labels[h] for h in way] for u, way in routes.items()}
    return {"hexes": dict(sorted(hexes.items())), "lines": [], "legend": legend, "routes": named}


def _cuts(s: WoodsState, side: int, name: str) -> dict[str, Any]:
    """The hexes and bridges whose loss would cut supply, each with the units that it would cut off."""
    hexes, bridges = supply_cuts(s, side)
    legend = (["cut"] if hexes else []) + (["bridge"] if bridges else [])
    return {
        "hexes": {s.ground.board.labels[h]: "cut" for h in hexes},
        "lines": [],
        "legend": [{"value": value, "key": f"{name}-{value}"} for value in legend],
        "units": {s.ground.board.labels[h]: [s.units.ids[u] for u in cut] for h, cut in hexes.items()},
        "sides": [
            {
                "between": [s.ground.board.labels[h] for h in s.ground.bridges[b]],
                "value": "bridge",
                "units": [s.units.ids[u] for u in cut],
            }
            for b, cut in bridges.items()
        ],
    }


def show_roll(s: WoodsState, faces: Sequence[int]) -> dict[str, Any]:
    """Faces say it all."""
    return {}
