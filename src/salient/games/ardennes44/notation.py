"""Ardennes '44: actions and positions as text.

A position is a few readable lines; a line that says nothing unusual is left out:

    position ardennes44
    turn 3 player 1
    held 2125 2416
    blown 2020/2119
    ip 1430 1431
    2416 28/707 lost=1, 28/110/1 disrupted engaged
    track 7Arm/CCA
    traffic 1 2113
    advantage 1106 1105 212VG/320
    stack Turn(german-movement) Movement(1,1) Select(1)
"""

from __future__ import annotations

from collections.abc import Iterator

from salient.common.places import hex_titles
from salient.common.positions import (
    cannot_be,
    in_two_places,
    number_line,
    one_of,
    piece_lines,
    read_lines,
    read_numbers,
    read_set,
    read_stack,
    set_line,
    write_stack,
)
from salient.games.ardennes44.model import (
    BOARD,
    BRIDGE_NAMES,
    COUNT,
    DIVISIONS,
    ELIMINATED,
    GAME_ID,
    IN_BOX,
    OPTIONAL,
    OUT_OF_PLAY,
    PLACES,
    POOL,
    REMNANT,
    SCENARIOS,
    SPLIT,
    UNITS,
    VALUES,
    ArdennesState,
)
from salient.games.ardennes44.setup import new_state
from salient.hexes.masks import bits
from salient.hexes.sets import NO_HEXES
from salient.kernel import AnyFrame, Names, Notation, Numbers
from salient.kernel.state import fields_of

HEX_NAMES = Names("hex", BOARD.labels, titles=hex_titles(BOARD))
PLACE_NAMES = Names("place", PLACES, titles=(*hex_titles(BOARD), *PLACES[len(BOARD) :]))
UNIT_NAMES = Names("unit", UNITS)
BRIDGE_KIND_NAMES = Names("bridge", BRIDGE_NAMES)
DIVISION_NAMES = Names("division", DIVISIONS)


HEX_SETS = fields_of(ArdennesState, "hexes")
BRIDGE_SETS = fields_of(ArdennesState, "bridges")
UNIT_SETS = fields_of(ArdennesState, "units")
ORDER_WORDS = ("", "disrupted", "routed")

# ---- writing ----------------------------------------------------------------------------------------


def _unnamed(u: int) -> int:
    return POOL if SPLIT[u] or REMNANT[u] else ELIMINATED


def empty_state() -> ArdennesState:
    """A position without any piece: what a text leaves out."""
    s = new_state("campaign", {})
    s.where = [_unnamed(u) for u in range(COUNT)]
    s.ip = NO_HEXES
    s.blown = s.building = s.builders = 0
    s.stack = ()
    s.clear_caches()
    return s


def write_position(s: ArdennesState) -> str:
    """The canonical text of a position."""
    return "\n".join(_lines(s)) + "\n"


def _lines(s: ArdennesState) -> Iterator[str]:
    usual = empty_state()
    yield f"position {GAME_ID}"
    if s.scenario != usual.scenario:
        yield f"scenario {s.scenario}"
    if s.rules:
        yield "rules " + " ".join(name for name, (bit, _) in OPTIONAL.items() if s.rules & bit)
    yield number_line(s, usual)
    for name in HEX_SETS:
        if getattr(s, name) != getattr(usual, name):
            yield set_line(name, BOARD.labels, getattr(s, name))
    for name in BRIDGE_SETS:
        if getattr(s, name):
            yield set_line(name, BRIDGE_NAMES, getattr(s, name))
    yield from _marker_lines(s)
    yield from piece_lines(PLACES, ((h, _unit_text(s, u)) for u, h in enumerate(s.where) if h != _unnamed(u)))
    if s.winner:
        yield f"winner {s.winner} {s.result_key}"
    yield "stack " + write_stack(s.stack)


def _marker_lines(s: ArdennesState) -> Iterator[str]:
    for i, h in enumerate(s.traffic):
        if h != IN_BOX:
            yield f"traffic {i} {_marker_place(h)}"
    for i, h in enumerate(s.blocks):
        if h != IN_BOX:
            yield f"roadblock {i} {_marker_place(h)}"
    if s.depots:
        yield "depots " + " ".join(str(depot) for depot in s.depots)
    for origin, target, mask in s.advantage:
        units = " ".join(UNITS[u] for u in bits(mask))
        yield f"advantage {BOARD.labels[origin]} {BOARD.labels[target]} {units}"
    if s.spearhead:
        yield "spearhead " + " ".join(f"{UNITS[u]}={n}" for u, n in s.spearhead)


def _marker_place(h: int) -> str:
    return "gone" if h == OUT_OF_PLAY else BOARD.labels[h]


def _unit_text(s: ArdennesState, u: int) -> str:
    marks = [UNITS[u]]
    if s.lost[u]:
        marks.append(f"lost={s.lost[u]}")
    if s.order[u]:
        marks.append(ORDER_WORDS[s.order[u]])
    if s.points[u]:
        marks.append(f"points={s.points[u]}")
    if s.parent[u] >= 0:
        marks.append(f"parent={UNITS[s.parent[u]]}")
    marks += [name for name in UNIT_SETS if getattr(s, name) >> u & 1]
    return " ".join(marks)


# ---- reading ----------------------------------------------------------------------------------------


def read_position(text: str, frames: dict[str, type[AnyFrame]]) -> ArdennesState:
    """The position of a text; Unreadable names the line. Units that are not named are out of play."""
    return read_lines(text, GAME_ID, empty_state(), lambda state, line: _read_line(state, line, frames))


def _read_line(s: ArdennesState, line: str, frames: dict[str, type[AnyFrame]]) -> None:
    word, _, rest = line.partition(" ")
    words = rest.split()
    match word:
        case "scenario":
            if rest not in SCENARIOS:
                raise one_of(word, tuple(SCENARIOS), rest)
            s.scenario = rest
        case "rules":
            for name in words:
                if name not in OPTIONAL:
                    raise one_of("rule", tuple(OPTIONAL), name)
                s.rules |= OPTIONAL[name][0]
        case "turn":
            read_numbers(s, [word, *words])
        case "winner":
            s.winner, s.result_key = words
        case "stack":
            s.stack = read_stack(rest, frames)
        case _ if word in HEX_SETS:
            setattr(s, word, read_set(HEX_NAMES, words))
        case _ if word in BRIDGE_SETS:
            setattr(s, word, read_set(BRIDGE_KIND_NAMES, words))
        case _:
            _read_marks(s, word, words, rest)


def _read_marks(s: ArdennesState, word: str, words: list[str], rest: str) -> None:
    match word:
        case "traffic":
            s.traffic[int(words[0])] = OUT_OF_PLAY if words[1] == "gone" else HEX_NAMES.read(words[1])
        case "roadblock":
            s.blocks[int(words[0])] = OUT_OF_PLAY if words[1] == "gone" else HEX_NAMES.read(words[1])
        case "depots":
            s.depots = tuple(int(depot) for depot in words)
        case "advantage":
            units = sum(1 << UNIT_NAMES.read(name) for name in words[2:])
            s.advantage = (*s.advantage, (HEX_NAMES.read(words[0]), HEX_NAMES.read(words[1]), units))
        case "spearhead":
            pairs = [pair.partition("=") for pair in words]
            s.spearhead = tuple((UNIT_NAMES.read(name), int(n)) for name, _, n in pairs)
        case _:
            place = PLACE_NAMES.read(word)
            for piece in rest.split(","):
                _read_piece(s, piece.split(), place)


def _read_piece(s: ArdennesState, words: list[str], place: int) -> None:
    u = UNIT_NAMES.read(words[0])
    if s.where[u] != _unnamed(u):
        raise in_two_places(UNITS[u])
    s.where[u] = place
    for mark in words[1:]:
        name, _, value = mark.partition("=")
        if name == "lost" and 0 < int(value) < len(VALUES[u]):
            s.lost[u] = int(value)
        elif name == "points" and int(value) > 0:
            s.points[u] = int(value)
        elif name == "parent":
            s.parent[u] = UNIT_NAMES.read(value)
        elif name in ORDER_WORDS[1:] and not value:
            s.order[u] = ORDER_WORDS.index(name)
        elif name in UNIT_SETS and not value:
            setattr(s, name, getattr(s, name) | 1 << u)
        else:
            raise cannot_be(UNITS[u], mark)


# ---- the notation of the game ---------------------------------------------------------------------------

NOTATION = Notation(
    {
        "hex": HEX_NAMES,
        "place": PLACE_NAMES,
        "unit": UNIT_NAMES,
        "bridge": BRIDGE_KIND_NAMES,
        "division": DIVISION_NAMES,
        "n": Numbers(),
    },
    {
        "select": "unit",
        "stay": "unit",
        "move": "unit hex",
        "march": "unit hex",
        "tow": "unit hex",
        "infiltrate": "unit hex",
        "sneak": "unit hex",
        "enter": "unit hex",
        "ride": "unit hex",
        "deploy": "unit hex",
        "land": "unit hex",
        "via": "unit hex",
        "station": "unit place",
        "leave": "unit place",
        "exit": "unit hex",
        "load": "unit",
        "unload": "unit",
        "dig": "unit",
        "split": "unit",
        "merge": "unit",
        "night": "hex",
        "blow": "bridge",
        "build": "bridge",
        "unbuild": "bridge",
        "burn": "hex",
        "commando": "bridge",
        "hide": "hex",
        "place": "unit hex",
        "ready": "unit",
        "division": "division",
        "attack": "hex",
        "join": "unit",
        "follow": "unit",
        "resolve": "",
        "drop": "unit",
        "cancel": "",
        "done": "",
        "air": "",
        "ground": "",
        "surprise": "",
        "support": "unit",
        "lead": "unit",
        "evade": "",
        "lose": "unit",
        "stand": "unit",
        "retreat": "unit place",
        "mark": "hex",
        "advance": "unit hex",
        "breakthrough": "hex hex",
        "disengage": "unit",
        "traffic": "hex",
        "lift": "hex",
        "marker": "n hex",
        "block": "hex",
        "unblock": "hex",
        "replace": "unit",
        "rebuild": "unit hex",
        "send": "unit",
        "pass": "",
        "roll": "n",
        "dice": "n n",
    },
    write_position,
    read_position,
)
