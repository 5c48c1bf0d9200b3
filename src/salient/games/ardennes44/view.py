"""Ardennes '44: what a seat sees, and what an action would do. Only the depots of 32 are ever hidden."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any

from salient.common.naming import with_piece
from salient.common.odds import ADVANCE, CLEARED, Odds, chance_of, die_outcomes, to_the_end
from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.stacks import on_map, units_at
from salient.common.views import bridge_edges, counter, held_markers, where_it_is
from salient.games.ardennes44 import cautions
from salient.games.ardennes44.advances import Advance
from salient.games.ardennes44.combat import Attack, Fight, targets
from salient.games.ardennes44.components import Data, Ground, Units
from salient.games.ardennes44.disengagement import Disengage, DisengageRoll, Disengaging
from salient.games.ardennes44.entering import CAPTURED, DUMMY, HIDDEN, SHOWN, effects, shown_depot
from salient.games.ardennes44.gambles import Forecast, disengagement_view, firefight_view, result_face, stand_view
from salient.games.ardennes44.model import TRAFFIC_MARKERS, ArdennesState, reduced, shaken, turns_of, values
from salient.games.ardennes44.move_unit import MoveUnit, way_to
from salient.games.ardennes44.movement_phase import Select
from salient.games.ardennes44.panels import panels
from salient.games.ardennes44.results import Determined, Firefight, FirefightRoll, StandRoll
from salient.games.ardennes44.retreats import Retreat
from salient.games.ardennes44.sequence import PHASES
from salient.games.ardennes44.situation import situation as situation
from salient.games.ardennes44.strengths import (
    DEPOT_DEFENCE,
    MOST_GUNS,
    Battle,
    attack_of,
    best_cover,
    bonus,
    column_name,
    defence_of,
    defenders_of,
    guns_for,
    halvings,
    odds,
    result_of,
)
from salient.games.ardennes44.supply import is_supplied, supplied_hexes, supply_routes
from salient.games.ardennes44.support import CombatRoll, Support
from salient.games.ardennes44.victory import exited_factors, german_victory_hexes, result
from salient.games.ardennes44.zones import bonds, zone
from salient.hexes.masks import bits
from salient.hexes.sets import Group, UnitId
from salient.kernel import Action, Frame, Refusal, Seat

OVERLAYS = ("allied-supply", "german-supply", "allied-zones", "german-zones", "allied-bonds", "german-bonds", "control",
            "armies")  # fmt: skip
MARKERS = (  # 2.12
    "victory-hex-held", "improved-position", "digging", "traffic", "roadblock", "depot", "depot-hidden",
    "depot-captured", "advantage",
)  # fmt: skip


def heading(s: ArdennesState) -> str:
    """Turn and phase in a few plain words."""
    shown = PHASES.shown[PHASES.stage(s, s.turn).at]
    return f"Turn {s.turn}, {shown['side']} {shown['key']}"


@cache
def components(data: Data) -> dict[str, Any]:
    """Counters, boxes, tracks and phases: what never changes."""
    ground, units = data.ground, data.units
    areas = [
        {
            "id": name,
            "kind": "area",
            "side": "allied",
            "hexes": [ground.board.labels[h] for h in area.hexes],
        }
        for name, area in sorted(ground.board.areas.items())
        if name != "antwerp"
    ]
    boxes = [
        {"id": place, "kind": "box", "side": "", "hexes": []}
        for place in ground.places[ground.hexes : ground.hexes + 5]
    ]
    return {
        "values": ["value-attack", "value-defence", "value-movement"],
        "units": {units.ids[u]: _counter(units, u) for u in units.all},
        "places": [*areas, *boxes],
        "tracks": [
            {"id": "victory-hexes", "side": "german", "max": ground.victory.bit_count()},
            {"id": "exited-factors", "side": "german", "max": 24},
        ],
        "markers": list(MARKERS),
        "overlays": list(OVERLAYS),
        "sequence": PHASES.shown,
    }


def _colour(units: Units, u: UnitId) -> str:
    """The colour of a nation, of the SS and of parachutists [2.10]."""
    if units.side[u] == GERMAN and units.symbol[u] == "parachute":
        return "luftwaffe"
    return units.nation[u]


def _counter(units: Units, u: UnitId) -> dict[str, Any]:
    return counter(units, u, _colour(units, u), units.printed[u][0], units.formation[u])


BADGED = ("engaged", "march", "tractor", "night_marks", "fresh")  # each with a badge of its name


def observe(s: ArdennesState, seat: Seat) -> dict[str, Any]:
    """Everything on the table; of the depots only the Allies know which is the real one."""
    return {
        **where_it_is(s, PHASES.stage(s, s.turn), turns_of(s), result(s)),
        "units": _units(s),
        "markers": [*_hex_markers(s), *_roads(s), *_depots(s, seat), *_advantages(s)],
        "tracks": {"victory-hexes": german_victory_hexes(s).bit_count(), "exited-factors": min(24, exited_factors(s))},
        "panels": panels(s),
        "edges": _bridges(s),
    }


def _units(s: ArdennesState) -> dict[str, dict[str, Any]]:
    """Every unit; most of them bear no mark, and what is seen of those depends on their place alone."""
    marked = shaken(s) | reduced(s) | s.oos | s.short | s.fired | s.done | s.fought
    for name in BADGED:
        marked |= getattr(s, name)
    data, ids, where, points = s.data, s.units.ids, s.where, s.points
    return {
        name: _unit(s, u) if marked >> u & 1 or points[u] else _unmarked(data, u, where[u])
        for u, name in zip(s.units.all, ids, strict=True)
    }


@lru_cache(maxsize=1 << 14)
def _unmarked(data: Data, u: UnitId, where: int) -> dict[str, Any]:
    return {"where": data.ground.places[where], "values": data.units.printed[u][0], "badges": []}


def _unit(s: ArdennesState, u: UnitId) -> dict[str, Any]:
    badges: list[dict[str, Any]] = []
    if s.lost[u]:
        badges.append({"key": "step", "n": s.lost[u]})
    if s.order[u]:
        badges.append({"key": "disrupted" if s.order[u] == 1 else "routed"})
    if on_map(s, u) and not is_supplied(s, u):
        badges.append({"key": "out-of-fuel" if s.short >> u & 1 else "out-of-supply"})
    if s.points[u]:
        badges.append({"key": "surrender-mark", "n": s.points[u]})
    for name in BADGED:
        if getattr(s, name) >> u & 1:
            badges.append({"key": f"mark-{name.replace('_', '-')}"})
    if s.units.artillery[u] and s.fired >> u & 1:
        badges.append({"key": "mark-fired"})
    side = int(bool(s.fired >> u & 1)) if s.units.artillery[u] else s.lost[u]
    printed = s.units.printed[u]
    value = printed[min(side, len(printed) - 1)]
    seen = _unmarked(s.data, u, s.where[u]) | {"values": value, "badges": badges}
    if (s.done | s.fought) >> u & 1:
        seen["done"] = True
    return seen


def _bridges(s: ArdennesState) -> list[dict[str, Any]]:
    """Bridges that are not as the map shows them."""
    at_start = s.ground.blown_at_start | s.ground.unbuilt_at_start
    found = [
        ("bridge-blown", "cut", s.blown & ~s.building),
        ("bridge-building", "cut", s.building),
        ("bridge-built", "bridge", at_start & ~s.blown),
        ("bridge-commando", "bridge", 1 << s.greif if s.greif >= 0 else 0),
    ]
    return bridge_edges(s.ground.board.labels, s.ground.bridges, found)


def _hex_markers(s: ArdennesState) -> list[dict[str, Any]]:
    labels = s.ground.board.labels
    held = held_markers(labels, s.ground.victory & s.held)
    positions = [{"key": "improved-position", "where": labels[h], "label": "IP"} for h in bits(s.ip)]
    return held + positions + [{"key": "digging", "where": labels[h], "label": "ip"} for h in bits(s.digging)]


def _roads(s: ArdennesState) -> list[dict[str, Any]]:
    labels = s.ground.board.labels
    traffic = [
        {
            "key": "traffic",
            "where": labels[h],
            "label": str(i % TRAFFIC_MARKERS + 1),
            "side": SEATS[i // TRAFFIC_MARKERS],
        }
        for i, h in enumerate(s.traffic)
        if h >= 0
    ]
    blocks = [{"key": "roadblock", "where": labels[h], "side": SEATS[i // 2]} for i, h in enumerate(s.blocks) if h >= 0]
    return traffic + blocks


def _depots(s: ArdennesState, seat: Seat) -> list[dict[str, Any]]:
    labels = s.ground.board.labels
    found = []
    for h, depot in zip(s.ground.depot_hexes, s.depots, strict=False):
        known = depot == SHOWN or (depot == HIDDEN and seat == SEATS[ALLIED])
        if depot in (DUMMY, HIDDEN, SHOWN):
            found.append({"key": "depot" if known else "depot-hidden", "where": labels[h], "side": "allied"})
        elif depot == CAPTURED:
            found.append({"key": "depot-captured", "where": labels[h], "side": "german"})
    return found


def _advantages(s: ArdennesState) -> list[dict[str, Any]]:
    labels = s.ground.board.labels
    return [{"key": "advantage", "where": labels[origin], "label": labels[target]} for origin, target, _ in s.advantage]


# ---- preview ----------------------------------------------------------------------------------------


def preview(s: ArdennesState, action: Action) -> dict[str, Any]:
    """What a legal action would do: the way of a move, the odds of an attack."""
    frame = s.stack[-1]
    match action:
        case (str(), UnitId(u), int(to)) if isinstance(frame, MoveUnit):
            return _way_of(s, frame, str(action[0]), u, to)
        case ("retreat", UnitId(u), int(to)) if isinstance(frame, (Retreat, Disengage)):
            return _way_seen(s, frame.side, frame.options(s, u)[to])
        case ("advance" | "leave", UnitId(u), int(to)) if isinstance(frame, Advance):
            return _way_seen(s, frame.side, frame.options(s, u)[to])
        case ("via", UnitId(u), int(to)) if isinstance(frame, Advance):
            return _way_seen(s, frame.side, frame.leads(s, u)[to])
        case ("pass",) if isinstance(frame, Select):
            return {"effects": [caution.as_json() for caution in cautions.of_moves_ended(s, frame.side)]}
        case ("pass",) if isinstance(frame, Fight):
            return {"effects": [caution.as_json() for caution in cautions.of_fights_ended(s, frame.side)]}
    return _combat_preview(s, action)


def _combat_preview(s: ArdennesState, action: Action) -> dict[str, Any]:
    """The odds of what an action begins or goes on with."""
    frame = s.stack[-1]
    match action:
        case ("attack", int(h)) if isinstance(frame, Fight):
            return _attack_seen(s, Battle(frame.side, h, targets(s, frame.side)[h]))
        case ("join", UnitId(u)) if isinstance(frame, Attack):
            return {"odds": odds_view(s, Battle(frame.side, frame.hex, with_piece(frame.joined, u)))}
        case ("resolve",) if isinstance(frame, Attack):
            return _attack_seen(s, Battle(frame.side, frame.hex, frame.joined), tuple(frame.ready(s)))
        case _ if isinstance(frame, Support):
            return _support_seen(s, frame, action)
        case ("lead", UnitId(u)) if isinstance(frame, Firefight):
            return {"odds": firefight_view(s, frame.battle, u, frame.added)}
        case ("stand", UnitId(u)) if isinstance(frame, Determined):
            return {"odds": stand_view(s, frame.battle, u)}
        case ("disengage", UnitId(u)):
            return {"odds": disengagement_view(s, u)}
        case ("resolve",) if isinstance(frame, Disengaging) and len(frame.named) == 1:
            return {"odds": disengagement_view(s, frame.named[0])}
        case ("roll", _):
            return _die_seen(s, frame)
    return {}


def _die_seen(s: ArdennesState, frame: Frame[ArdennesState]) -> dict[str, Any]:
    """The odds of a die that is about to fall."""
    match frame:
        case CombatRoll():
            return {"odds": odds_view(s, frame.battle)}
        case FirefightRoll():
            return {"odds": firefight_view(s, frame.battle, frame.lead, frame.added)}
        case StandRoll():
            return {"odds": stand_view(s, frame.battle, frame.lead)}
        case DisengageRoll():
            return {"odds": disengagement_view(s, frame.unit)}
    return {}


def _attack_seen(s: ArdennesState, b: Battle, spare: Group = ()) -> dict[str, Any]:
    """The odds of an attack, and what it may cost before the die."""
    found = cautions.of_attack(s, b)
    effects = {"effects": [caution.as_json() for caution in found]} if found else {}
    return {"odds": odds_view(s, b, spare), **effects}


def _support_seen(s: ArdennesState, frame: Support, action: Action) -> dict[str, Any]:
    """The odds with the guns named; those on which the defender decides, whose gun is a die of its own [22.7, 22.8]."""
    if frame.attacking:
        return {"odds": odds_view(s, frame.naming(action).battle)}
    seen = {key: value for key, value in odds_view(s, frame.battle).items() if key not in ("support", "one_more")}
    note = {"note": Refusal("22.8", "barrage-may-shift").as_json()} if action[0] == "support" else {}
    return {"odds": seen, **note}


def _way_seen(s: ArdennesState, side: int, way: tuple[int, ...]) -> dict[str, Any]:
    """The way of a retreat or an advance, and all that it sets off."""
    hexes = [h for h in way if h < s.ground.hexes]
    found = effects(s, side, hexes)
    return {"path": _path(s.ground, hexes), **({"effects": [effect.as_json() for effect in found]} if found else {})}


def _way_of(s: ArdennesState, frame: MoveUnit, verb: str, u: UnitId, to: int) -> dict[str, Any]:
    """The way of a move, its cost, what the manner of moving means, and all that it sets off."""
    if verb in ("deploy", "land", "station"):
        return {}
    reach, way = way_to(s, u, frame.walk, verb, to)
    seen: dict[str, Any] = {"path": _path(s.ground, way)}
    if not reach.by_hexes:
        seen["cost"] = reach.cost(way[-1]) / 2
    if s.units.artillery[u] and s.units.side[u] == ALLIED and frame.walk.hexes + len(way) > 2:
        seen["note"] = Refusal("22.1", "way-fired", unit=u).as_json()
    elif reach.mode in MANNERS and verb == "move":
        seen["note"] = Refusal(MANNERS[reach.mode], f"way-{reach.mode}", unit=u).as_json()
    if found := [*effects(s, frame.side, way), *cautions.of_move(s, u, way[-1])]:
        seen["effects"] = [effect.as_json() for effect in found]
    return seen


MANNERS = {"tactical": "11.3", "extended": "11.2", "sauer": "29.3"}


def _path(ground: Ground, way: Iterable[int]) -> list[str]:
    return [ground.board.labels[h] for h in way if h < ground.hexes]


def odds_view(s: ArdennesState, b: Battle, spare: Group = ()) -> dict[str, Any]:
    """An attack in full: every strength and shift with its rule, the column, every outcome, and one more unit."""
    o = odds(s, b)
    defenders = defenders_of(s, b.hex)
    forecast = Forecast(s, b)
    return {
        "target": s.ground.board.labels[b.hex],
        "attackers": [_attacker(s, u, b.hex) for u in b.units],
        "attack_notes": [note.as_json() for note in _attack_notes(s, b, o)],
        "defenders": [_defender(s, u, u in defenders) for u in units_at(s, b.hex)],
        "defence_notes": [note.as_json() for note in _defence_notes(s, b)],
        "attack": o.attack,
        "defence": o.defence,
        "ratio": column_name(s.tables, o.plain),
        "shifts": [shift.as_json() for shift in o.shifts],
        "column": column_name(s.tables, o.column),
        **_outcomes(s, b, o, forecast),
        **_support(s, b, forecast),
        "one_more": [*_more_units(s, b, spare), *_more_guns(s, b, forecast)],
    }


def _more_units(s: ArdennesState, b: Battle, spare: Group) -> list[dict[str, Any]]:
    """What one more unit would make of an attack."""
    with_one = {u: b._replace(units=with_piece(b.units, u)) for u in spare}
    return [_one_more(s, u, more, Forecast(s, more)) for u, more in with_one.items()]


def _more_guns(s: ArdennesState, b: Battle, forecast: Forecast) -> list[dict[str, Any]]:
    """What one more gun in range would make of it [22.7]."""
    guns = [u for u in guns_for(s, b, True) if u not in b.guns] if len(b.guns) < MOST_GUNS else []
    return [_one_more(s, u, b._replace(guns=with_piece(b.guns, u)), forecast) for u in guns]


def _one_more(s: ArdennesState, u: UnitId, b: Battle, forecast: Forecast) -> dict[str, Any]:
    """The column with one more, and the chance to clear the hex in the end."""
    column = odds(s, b).column
    cleared = chance_of(forecast.ways(result_of(s.tables, column, die) for die in range(1, 7)), ADVANCE, CLEARED)
    return {"unit": s.units.ids[u], "column": column_name(s.tables, column), "cleared": str(cleared)}


def _attacker(s: ArdennesState, u: UnitId, h: int) -> dict[str, Any]:
    final = attack_of(s, u, h)
    modifiers: list[Refusal] = halvings(s, u, h)[:1]
    if final > values(s, u)[0]:
        modifiers.append(Refusal("27.4", "doubled-mortars"))
    return {
        "unit": s.units.ids[u],
        "strength": values(s, u)[0],
        "final": final,
        "modifiers": [modifier.as_json() for modifier in modifiers],
    }


def _defender(s: ArdennesState, u: UnitId, counts: bool) -> dict[str, Any]:
    modifiers = []
    if not counts:
        modifiers.append(Refusal("17.5", "fled-here"))
    elif s.march >> u & 1:
        modifiers.append(Refusal("12.5", "halved-march"))
    return {
        "unit": s.units.ids[u],
        "strength": values(s, u)[1],
        "final": defence_of(s, u) if counts else 0,
        "modifiers": [modifier.as_json() for modifier in modifiers],
    }


def _attack_notes(s: ArdennesState, b: Battle, o: Odds) -> list[Refusal]:
    """What limits the attackers' sum [34]."""
    limited = o.attack < sum(attack_of(s, u, b.hex) for u in b.units)
    return [Refusal("34", "attack-limit", n=o.attack)] if limited else []


def _defence_notes(s: ArdennesState, b: Battle) -> list[Refusal]:
    """What adds to the defenders' sum: the ground, improved positions, a depot [15.1, 15.7, 15.8.1, 32.2]."""
    notes = []
    cover, printed = best_cover(s, b.hex, 1 - b.side)
    used = bonus(s, b.hex)
    if 0 < used < printed:
        notes.append(Refusal("15.1", "defence-bonus-limited", word_cover=cover, n=used, n_printed=printed))
    elif used:
        notes.append(Refusal(COVER_RULES.get(cover, "15.1"), "defence-bonus", word_cover=cover, n=used))
    if b.side == GERMAN and shown_depot(s, b.hex):
        notes.append(Refusal("32.2", "defence-depot", n=DEPOT_DEFENCE))
    return notes


COVER_RULES = {"westwall": "15.7", "improved-position": "15.8.1"}


def _outcomes(s: ArdennesState, b: Battle, o: Odds, forecast: Forecast) -> dict[str, Any]:
    results = [result_of(s.tables, o.column, die) for die in range(1, 7)]
    return {**die_outcomes([result_face(s, b.hex, result) for result in results]), **to_the_end(forecast.ways(results))}


def _support(s: ArdennesState, b: Battle, forecast: Forecast) -> dict[str, Any]:
    """What guns and aircraft in range would make of the attack [15.6, 22.7]."""
    guns = tuple(sorted({*b.guns, *guns_for(s, b, True)})[:MOST_GUNS])
    flies = int(b.side == ALLIED and bool(s.air) and not s.night)
    full = b._replace(guns=guns, air=flies)
    if full == b:
        return {}
    o = odds(s, full)
    words = ["air-support"] if flies else []
    return {
        "support": {
            "units": [s.units.ids[u] for u in guns],
            "words": words,
            "column": column_name(s.tables, o.column),
            **_outcomes(s, full, o, forecast),
        }
    }


# ---- overlays ---------------------------------------------------------------------------------------------


def overlay(s: ArdennesState, seat: Seat, name: str) -> dict[str, Any]:
    """Values by hex for one overlay."""
    ground = s.ground
    side = ALLIED if name.startswith("allied") else GERMAN
    hexes: dict[str, Any] = {}
    walls: list[list[str]] = []
    routes: dict[str, list[str]] = {}
    if name.endswith("-supply"):
        hexes = dict.fromkeys(ground.board.labels_of(supplied_hexes(s, side)), 1)
        ways = supply_routes(s, side).items()
        routes = {s.units.ids[u]: [ground.board.labels[h] for h in way] for u, way in ways}
    elif name.endswith("-zones"):
        hexes = dict.fromkeys(ground.board.labels_of(zone(s, side)), 1)
    elif name.endswith("-bonds"):
        found = bonds(s, side)
        hexes = dict.fromkeys(ground.board.labels_of(found.hexes), 1)
        walls = [[ground.board.labels[a], ground.board.labels[b]] for a, b in sorted(found.sides) if a < b]
    elif name == "control":
        hexes = {ground.board.labels[h]: SEATS[GERMAN if s.held >> h & 1 else ALLIED] for h in bits(ground.objectives)}
    elif name == "armies":
        for value, army in enumerate(ground.army_zone, start=1):
            hexes |= dict.fromkeys(ground.board.labels_of(ground.army_zone[army]), value)
    legend = [{"value": value, "key": f"{name}-{value}"} for value in sorted(set(hexes.values()))]
    return {"hexes": dict(sorted(hexes.items())), "lines": [], "walls": walls, "legend": legend, "routes": routes}


def show_roll(s: ArdennesState, faces: Sequence[int]) -> dict[str, Any]:
    """Faces say it all."""
    return {}
