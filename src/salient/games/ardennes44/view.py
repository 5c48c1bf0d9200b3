"""Ardennes '44: what a seat sees, and what an action would do. Only the depots of 32 are ever hidden."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from salient.common.naming import with_piece, without_piece
from salient.common.odds import Face, Odds, die_outcomes
from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.stacks import on_map, units_at
from salient.games.ardennes44.advances import Advance
from salient.games.ardennes44.combat import Attack, Fight
from salient.games.ardennes44.disengagement import Disengage
from salient.games.ardennes44.entering import CAPTURED, DUMMY, HIDDEN, SHOWN, effects
from salient.games.ardennes44.losses import total_steps
from salient.games.ardennes44.model import (
    ARMY_ZONE,
    ARTILLERY,
    BLOWN_AT_START,
    BOARD,
    BRIDGES,
    COUNT,
    DEPOT_HEXES,
    FORMATION,
    HEXES,
    NAMES,
    NATION,
    OBJECTIVES,
    PLACES,
    PRINTED,
    SIDE,
    SIZE,
    SOURCE,
    SYMBOL,
    TRAFFIC_MARKERS,
    UNBUILT_AT_START,
    UNITS,
    VICTORY,
    ArdennesState,
    turns_of,
    values,
)
from salient.games.ardennes44.odds import (
    DEPOT_DEFENCE,
    Battle,
    attack_of,
    best_cover,
    bonus,
    column_name,
    defence_of,
    defenders_of,
    halvings,
    odds,
    result_of,
    shown_depot,
    targets,
)
from salient.games.ardennes44.panels import panels
from salient.games.ardennes44.retreats import Retreat
from salient.games.ardennes44.sequence import PHASE_NAMES, Turn
from salient.games.ardennes44.supply import is_supplied, supplied_hexes
from salient.games.ardennes44.support import CombatRoll, Support
from salient.games.ardennes44.victory import exited_factors, german_victory_hexes, result
from salient.games.ardennes44.walking import MoveUnit, way_to
from salient.games.ardennes44.zones import bonds, zone
from salient.hexes.masks import bits
from salient.kernel import Action, Refusal, Seat, actor

SEQUENCE: list[dict[str, Any]] = [
    {"key": key, "side": seat}
    for seat, keys in (
        ("german", ("artillery", "fuel", "bridges", "movement", "recovery", "combat", "traffic", "supply")),
        ("allied", ("artillery", "bridges", "movement", "recovery", "combat", "traffic", "supply", "victory")),
        ("allied", ("night-replacements", "night-movement", "night-combat")),
        ("german", ("night-replacements", "night-movement", "night-combat")),
    )
    for key in keys
]
_ORDER = [name for name in PHASE_NAMES if name not in ("german_turn", "german_end", "end_turn")]
OVERLAYS = ("allied-supply", "german-supply", "allied-zones", "german-zones", "allied-bonds", "german-bonds", "control",
            "armies")  # fmt: skip
MARKERS = (  # 2.12
    "victory-hex-held", "improved-position", "digging", "traffic", "roadblock", "depot", "depot-hidden",
    "depot-captured", "advantage",
)  # fmt: skip


def heading(s: ArdennesState) -> str:
    """Turn and phase in a few plain words."""
    step = SEQUENCE[phase(s)]
    return f"Turn {s.turn}, {step['side']} {step['key']}"


def components() -> dict[str, Any]:
    """Counters, boxes, tracks and phases: what never changes."""
    areas = [
        {
            "id": name,
            "kind": "area",
            "side": "allied",
            "hexes": [BOARD.labels[h] for h in area.hexes],
        }
        for name, area in sorted(BOARD.areas.items())
        if name != "antwerp"
    ]
    boxes = [{"id": place, "kind": "box", "side": "", "hexes": []} for place in PLACES[HEXES : HEXES + 5]]
    return {
        "units": {UNITS[u]: _counter(u) for u in range(COUNT)},
        "places": [*areas, *boxes],
        "tracks": [
            {"id": "victory-hexes", "side": "german", "max": VICTORY.bit_count()},
            {"id": "exited-factors", "side": "german", "max": 24},
        ],
        "markers": list(MARKERS),
        "overlays": list(OVERLAYS),
        "sequence": SEQUENCE,
    }


def _colour(u: int) -> str:
    """The colour of a nation, of the SS and of parachutists [2.10]."""
    if SIDE[u] == GERMAN and SYMBOL[u] == "parachute":
        return "luftwaffe"
    return NATION[u]


def _counter(u: int) -> dict[str, Any]:
    return {
        "side": SEATS[SIDE[u]],
        "name": NAMES[u],
        "symbol": SYMBOL[u],
        "size": SIZE[u],
        "colour": _colour(u),
        "values": PRINTED[u][0],
        "formation": FORMATION[u],
        "source": SOURCE[u],
    }


def observe(s: ArdennesState, seat: Seat) -> dict[str, Any]:
    """Everything on the table; of the depots only the Allies know which is the real one."""
    over = result(s)
    return {
        "turn": s.turn,
        "turns": turns_of(s),
        "at": phase(s),
        "actor": actor(s),
        "units": {UNITS[u]: _unit(s, u) for u in range(COUNT)},
        "markers": [*_hex_markers(s), *_roads(s), *_depots(s, seat), *_advantages(s)],
        "tracks": {"victory-hexes": german_victory_hexes(s).bit_count(), "exited-factors": min(24, exited_factors(s))},
        "panels": panels(s),
        "edges": _bridges(s),
        "result": over and {"winner": over.winner, "rule": over.rule, "key": over.key},
    }


def phase(s: ArdennesState) -> int:
    """The index into SEQUENCE."""
    if not isinstance(s.stack[0], Turn):
        return _ORDER.index("victory")
    name = PHASE_NAMES[(s.stack[0].step - 1) % len(PHASE_NAMES)]
    if name not in _ORDER:
        return {"german_end": _ORDER.index("german_supply")}.get(name, 0)
    return _ORDER.index(name)


def _unit(s: ArdennesState, u: int) -> dict[str, Any]:
    badges: list[dict[str, Any]] = []
    if s.lost[u]:
        badges.append({"key": "step", "n": s.lost[u]})
    if s.order[u]:
        badges.append({"key": "disrupted" if s.order[u] == 1 else "routed"})
    if on_map(s, u) and not is_supplied(s, u):
        badges.append({"key": "out-of-fuel" if s.short >> u & 1 else "out-of-supply"})
    if s.points[u]:
        badges.append({"key": "surrender-mark", "n": s.points[u]})
    for name in ("engaged", "march", "tractor", "night_marks", "fresh"):
        if getattr(s, name) >> u & 1:
            badges.append({"key": f"mark-{name.replace('_', '-')}"})
    if ARTILLERY[u] and s.fired >> u & 1:
        badges.append({"key": "mark-fired"})
    side = int(bool(s.fired >> u & 1)) if ARTILLERY[u] else s.lost[u]
    seen: dict[str, Any] = {
        "where": PLACES[s.where[u]],
        "values": PRINTED[u][min(side, len(PRINTED[u]) - 1)],
        "badges": badges,
    }
    if (s.done | s.fought) >> u & 1:
        seen["done"] = True
    return seen


def _bridges(s: ArdennesState) -> list[dict[str, Any]]:
    """Bridges that are not as the map shows them."""
    at_start = BLOWN_AT_START | UNBUILT_AT_START
    found = [
        ("bridge-blown", "cut", s.blown & ~s.building),
        ("bridge-building", "cut", s.building),
        ("bridge-built", "bridge", at_start & ~s.blown),
        ("bridge-commando", "bridge", 1 << s.greif if s.greif >= 0 else 0),
    ]
    return [
        {"key": key, "look": look, "sides": [[BOARD.labels[h] for h in BRIDGES[b]] for b in bits(mask)]}
        for key, look, mask in found
        if mask
    ]


def _hex_markers(s: ArdennesState) -> list[dict[str, Any]]:
    held = [
        {"key": "victory-hex-held", "where": BOARD.labels[h], "label": "★", "side": "german"}
        for h in bits(VICTORY & s.held)
    ]
    positions = [{"key": "improved-position", "where": BOARD.labels[h], "label": "IP"} for h in bits(s.ip)]
    return held + positions + [{"key": "digging", "where": BOARD.labels[h], "label": "ip"} for h in bits(s.digging)]


def _roads(s: ArdennesState) -> list[dict[str, Any]]:
    traffic = [
        {
            "key": "traffic",
            "where": BOARD.labels[h],
            "label": str(i % TRAFFIC_MARKERS + 1),
            "side": SEATS[i // TRAFFIC_MARKERS],
        }
        for i, h in enumerate(s.traffic)
        if h >= 0
    ]
    blocks = [
        {"key": "roadblock", "where": BOARD.labels[h], "side": SEATS[i // 2]} for i, h in enumerate(s.blocks) if h >= 0
    ]
    return traffic + blocks


def _depots(s: ArdennesState, seat: Seat) -> list[dict[str, Any]]:
    found = []
    for h, depot in zip(DEPOT_HEXES, s.depots, strict=False):
        known = depot == SHOWN or (depot == HIDDEN and seat == SEATS[ALLIED])
        if depot in (DUMMY, HIDDEN, SHOWN):
            found.append({"key": "depot" if known else "depot-hidden", "where": BOARD.labels[h], "side": "allied"})
        elif depot == CAPTURED:
            found.append({"key": "depot-captured", "where": BOARD.labels[h], "side": "german"})
    return found


def _advantages(s: ArdennesState) -> list[dict[str, Any]]:
    return [
        {"key": "advantage", "where": BOARD.labels[origin], "label": BOARD.labels[target]}
        for origin, target, _ in s.advantage
    ]


# ---- preview ----------------------------------------------------------------------------------------


def preview(s: ArdennesState, action: Action) -> dict[str, Any]:
    """What a legal action would do: the way of a move, the odds of an attack."""
    frame = s.stack[-1]
    match action:
        case (str(), int(u), int(to)) if isinstance(frame, MoveUnit):
            return _way_of(s, frame, str(action[0]), u, to)
        case ("retreat", int(u), int(to)) if isinstance(frame, (Retreat, Disengage)):
            return _way_seen(s, frame.side, frame.options(s, u)[to])
        case ("advance" | "leave", int(u), int(to)) if isinstance(frame, Advance):
            return _way_seen(s, frame.side, frame.options(s, u)[to])
        case ("via", int(u), int(to)) if isinstance(frame, Advance):
            return _way_seen(s, frame.side, frame.leads(s, u)[to])
        case ("attack", int(h)) if isinstance(frame, Fight):
            return {"odds": odds_view(s, Battle(frame.side, h, targets(s, frame.side)[h]))}
        case ("join", int(u)) if isinstance(frame, Attack):
            return {"odds": odds_view(s, Battle(frame.side, frame.hex, with_piece(frame.joined, u)))}
        case ("resolve",) if isinstance(frame, Attack):
            return {"odds": odds_view(s, Battle(frame.side, frame.hex, frame.joined), tuple(frame.ready(s)))}
        case (str(), *rest) if isinstance(frame, Support) and frame.attacking:
            return {"odds": odds_view(s, _supported(frame, str(action[0]), rest))}
        case ("roll", _) if isinstance(frame, CombatRoll):
            return {"odds": odds_view(s, frame.battle)}
    return {}


def _way_seen(s: ArdennesState, side: int, way: tuple[int, ...]) -> dict[str, Any]:
    """The way of a retreat or an advance, and all that it sets off."""
    hexes = [h for h in way if h < HEXES]
    found = effects(s, side, hexes)
    return {"path": _path(hexes), **({"effects": [effect.as_json() for effect in found]} if found else {})}


def _way_of(s: ArdennesState, frame: MoveUnit, verb: str, u: int, to: int) -> dict[str, Any]:
    """The way of a move, its cost, what the manner of moving means, and all that it sets off."""
    if verb in ("deploy", "land", "station"):
        return {}
    reach, way = way_to(s, u, frame.walk, verb, to)
    seen: dict[str, Any] = {"path": _path(way)}
    if not reach.by_hexes:
        seen["cost"] = reach.costs[way[-1]] / 2
    if ARTILLERY[u] and SIDE[u] == ALLIED and frame.walk.hexes + len(way) > 2:
        seen["note"] = Refusal("22.1", "way-fired", unit=u).as_json()
    elif reach.mode in MANNERS and verb == "move":
        seen["note"] = Refusal(MANNERS[reach.mode], f"way-{reach.mode}", unit=u).as_json()
    if found := effects(s, frame.side, way):
        seen["effects"] = [effect.as_json() for effect in found]
    return seen


MANNERS = {"tactical": "11.3", "extended": "11.2", "sauer": "29.3"}


def _path(way: Iterable[int]) -> list[str]:
    return [BOARD.labels[h] for h in way if h < HEXES]


def _supported(frame: Support, verb: str, rest: list[str | int]) -> Battle:
    b = frame.battle
    if verb == "support":
        return b._replace(guns=with_piece(b.guns, int(rest[0])))
    if verb == "drop":
        return b._replace(guns=without_piece(b.guns, int(rest[0])))
    return b._replace(air=1) if verb == "air" else b._replace(guns=(), air=0) if verb == "cancel" else b


def odds_view(s: ArdennesState, b: Battle, spare: tuple[int, ...] = ()) -> dict[str, Any]:
    """An attack in full: every strength and shift with its rule, the column, every outcome, and one more unit."""
    o = odds(s, b)
    defenders = defenders_of(s, b.hex)
    return {
        "target": BOARD.labels[b.hex],
        "attackers": [_attacker(s, u, b.hex) for u in b.units],
        "attack_notes": [note.as_json() for note in _attack_notes(s, b, o)],
        "defenders": [_defender(s, u, u in defenders) for u in units_at(s, b.hex)],
        "defence_notes": [note.as_json() for note in _defence_notes(s, b)],
        "attack": o.attack,
        "defence": o.defence,
        "ratio": column_name(o.plain),
        "shifts": [shift.as_json() for shift in o.shifts],
        "column": column_name(o.column),
        **_outcomes(s, b, o),
        "one_more": [
            {"unit": UNITS[u], "column": column_name(odds(s, b._replace(units=(*b.units, u))).column)} for u in spare
        ],
    }


def _attacker(s: ArdennesState, u: int, h: int) -> dict[str, Any]:
    final = attack_of(s, u, h)
    modifiers: list[Refusal] = halvings(s, u, h)[:1]
    if final > values(s, u)[0]:
        modifiers.append(Refusal("27.4", "doubled-mortars"))
    return {
        "unit": UNITS[u],
        "strength": values(s, u)[0],
        "final": final,
        "modifiers": [modifier.as_json() for modifier in modifiers],
    }


def _defender(s: ArdennesState, u: int, counts: bool) -> dict[str, Any]:
    modifiers = []
    if not counts:
        modifiers.append(Refusal("17.5", "fled-here"))
    elif s.march >> u & 1:
        modifiers.append(Refusal("12.5", "halved-march"))
    return {
        "unit": UNITS[u],
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
LOSSES = {"A1": (1, 0), "A1/ENG": (1, 0), "EX": (1, 1), "DS": (0, 1)}


def _outcomes(s: ArdennesState, b: Battle, o: Odds) -> dict[str, Any]:
    last_step = total_steps(s, units_at(s, b.hex)) == 1
    faces = []
    for die in range(1, 7):
        name = result_of(o.column, die)
        own, enemy = LOSSES.get(name, (0, 0))
        faces.append(Face(name, own, enemy, name.startswith("D") or bool(last_step and enemy)))
    return die_outcomes(faces)


# ---- overlays ---------------------------------------------------------------------------------------------


def overlay(s: ArdennesState, seat: Seat, name: str) -> dict[str, Any]:
    """Values by hex for one overlay."""
    side = ALLIED if name.startswith("allied") else GERMAN
    hexes: dict[str, Any] = {}
    lines: list[list[str]] = []
    if name.endswith("-supply"):
        hexes = dict.fromkeys(BOARD.labels_of(supplied_hexes(s, side)), 1)
    elif name.endswith("-zones"):
        hexes = dict.fromkeys(BOARD.labels_of(zone(s, side)), 1)
    elif name.endswith("-bonds"):
        found = bonds(s, side)
        hexes = dict.fromkeys(BOARD.labels_of(found.hexes), 1)
        lines = [[BOARD.labels[a], BOARD.labels[b]] for a, b in sorted(found.sides) if a < b]
    elif name == "control":
        hexes = {BOARD.labels[h]: SEATS[GERMAN if s.held >> h & 1 else ALLIED] for h in bits(OBJECTIVES)}
    elif name == "armies":
        for value, army in enumerate(ARMY_ZONE, start=1):
            hexes |= dict.fromkeys(BOARD.labels_of(ARMY_ZONE[army]), value)
    legend = [{"value": value, "key": f"{name}-{value}"} for value in sorted(set(hexes.values()))]
    return {"hexes": dict(sorted(hexes.items())), "lines": lines, "legend": legend}
