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
from salient.games.ardennes44.components import GAME_ID, Data, Ground
from salient.games.ardennes44.model import IN_BOX, OPTIONAL, OUT_OF_PLAY, ArdennesState
from salient.games.ardennes44.setup import new_state
from salient.hexes.masks import bits
from salient.hexes.sets import NO_HEXES, UnitId
from salient.kernel import AnyFrame, Names, Notation, Numbers
from salient.kernel.notation import Kind
from salient.kernel.state import fields_of

HEX_SETS = fields_of(ArdennesState, "hexes")
BRIDGE_SETS = fields_of(ArdennesState, "bridges")
UNIT_SETS = fields_of(ArdennesState, "units")
ORDER_WORDS = ("", "disrupted", "routed")

# ---- writing ----------------------------------------------------------------------------------------


def _unnamed(data: Data, u: UnitId) -> int:
    return data.ground.pool if data.units.split[u] or data.units.remnant[u] else data.ground.eliminated


def empty_state(data: Data) -> ArdennesState:
    """A position without any piece: what a text leaves out."""
    s = new_state(data, "campaign", {})
    s.where = [_unnamed(s.data, u) for u in s.units.all]
    s.ip = NO_HEXES
    s.blown = s.building = s.builders = 0
    s.stack = ()
    s.clear_caches()
    return s


def write_position(s: ArdennesState) -> str:
    """The canonical text of a position."""
    return "\n".join(_lines(s)) + "\n"


def _lines(s: ArdennesState) -> Iterator[str]:
    usual = empty_state(s.data)
    yield f"position {GAME_ID}"
    if s.scenario != usual.scenario:
        yield f"scenario {s.scenario}"
    if s.rules:
        yield "rules " + " ".join(name for name, (bit, _) in OPTIONAL.items() if s.rules & bit)
    yield number_line(s, usual)
    for name in HEX_SETS:
        if getattr(s, name) != getattr(usual, name):
            yield set_line(name, s.ground.board.labels, getattr(s, name))
    for name in BRIDGE_SETS:
        if getattr(s, name):
            yield set_line(name, s.ground.bridge_names, getattr(s, name))
    yield from _marker_lines(s)
    yield from piece_lines(
        s.ground.places, ((s.where[u], _unit_text(s, u)) for u in s.units.all if s.where[u] != _unnamed(s.data, u))
    )
    if s.winner:
        yield f"winner {s.winner} {s.result_key}"
    yield "stack " + write_stack(s.stack)


def _marker_lines(s: ArdennesState) -> Iterator[str]:
    for i, h in enumerate(s.traffic):
        if h != IN_BOX:
            yield f"traffic {i} {_marker_place(s.ground, h)}"
    for i, h in enumerate(s.blocks):
        if h != IN_BOX:
            yield f"roadblock {i} {_marker_place(s.ground, h)}"
    if s.depots:
        yield "depots " + " ".join(str(depot) for depot in s.depots)
    for origin, target, mask in s.advantage:
        units = " ".join(s.units.ids[u] for u in bits(mask))
        yield f"advantage {s.ground.board.labels[origin]} {s.ground.board.labels[target]} {units}"
    if s.spearhead:
        yield "spearhead " + " ".join(f"{s.units.ids[u]}={n}" for u, n in s.spearhead)


def _marker_place(ground: Ground, h: int) -> str:
    return "gone" if h == OUT_OF_PLAY else ground.board.labels[h]


def _unit_text(s: ArdennesState, u: UnitId) -> str:
    marks = [s.units.ids[u]]
    if s.lost[u]:
        marks.append(f"lost={s.lost[u]}")
    if s.order[u]:
        marks.append(ORDER_WORDS[s.order[u]])
    if s.points[u]:
        marks.append(f"points={s.points[u]}")
    if s.parent[u] >= 0:
        marks.append(f"parent={s.units.ids[s.parent[u]]}")
    marks += [name for name in UNIT_SETS if getattr(s, name) >> u & 1]
    return " ".join(marks)


# ---- the verbs, and reading ------------------------------------------------------------------------------

VERBS = {
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
}


class ArdennesNotation(Notation[ArdennesState]):
    """Actions and positions with the names that units, places and bridges have in the game's data."""

    def __init__(self, data: Data) -> None:
        self.data = data
        ground = data.ground
        titles = hex_titles(ground.board)
        self.hexes = Names("hex", ground.board.labels, titles=titles)
        self.places = Names("place", ground.places, titles=(*titles, *ground.places[ground.hexes :]))
        self.units = Names("unit", data.units.ids)
        self.bridges = Names("bridge", ground.bridge_names)
        kinds: dict[str, Kind] = {
            "hex": self.hexes,
            "place": self.places,
            "unit": self.units,
            "bridge": self.bridges,
            "division": Names("division", data.units.divisions),
            "n": Numbers(),
        }
        super().__init__(kinds, VERBS, write_position, self._read_position)

    def _read_position(self, text: str, frames: dict[str, type[AnyFrame]]) -> ArdennesState:
        """The position of a text; Unreadable names the line. Units that are not named are out of play."""
        return read_lines(
            text, GAME_ID, empty_state(self.data), lambda state, line: self._read_line(state, line, frames)
        )

    def _read_line(self, s: ArdennesState, line: str, frames: dict[str, type[AnyFrame]]) -> None:
        word, _, rest = line.partition(" ")
        words = rest.split()
        match word:
            case "scenario":
                if rest not in s.tables.scenarios:
                    raise one_of(word, tuple(s.tables.scenarios), rest)
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
                setattr(s, word, read_set(self.hexes, words))
            case _ if word in BRIDGE_SETS:
                setattr(s, word, read_set(self.bridges, words))
            case _:
                self._read_marks(s, word, words, rest)

    def _read_marks(self, s: ArdennesState, word: str, words: list[str], rest: str) -> None:
        match word:
            case "traffic":
                s.traffic[int(words[0])] = OUT_OF_PLAY if words[1] == "gone" else self.hexes.read(words[1])
            case "roadblock":
                s.blocks[int(words[0])] = OUT_OF_PLAY if words[1] == "gone" else self.hexes.read(words[1])
            case "depots":
                s.depots = tuple(int(depot) for depot in words)
            case "advantage":
                units = sum(1 << self.units.read(name) for name in words[2:])
                s.advantage = (*s.advantage, (self.hexes.read(words[0]), self.hexes.read(words[1]), units))
            case "spearhead":
                pairs = [pair.partition("=") for pair in words]
                s.spearhead = tuple((UnitId(self.units.read(name)), int(n)) for name, _, n in pairs)
            case _:
                place = self.places.read(word)
                for piece in rest.split(","):
                    self._read_piece(s, piece.split(), place)

    def _read_piece(self, s: ArdennesState, words: list[str], place: int) -> None:
        u = UnitId(self.units.read(words[0]))
        if s.where[u] != _unnamed(s.data, u):
            raise in_two_places(s.units.ids[u])
        s.where[u] = place
        for mark in words[1:]:
            name, _, value = mark.partition("=")
            if name == "lost" and 0 < int(value) < len(s.units.values[u]):
                s.lost[u] = int(value)
            elif name == "points" and int(value) > 0:
                s.points[u] = int(value)
            elif name == "parent":
                s.parent[u] = UnitId(self.units.read(value))
            elif name in ORDER_WORDS[1:] and not value:
                s.order[u] = ORDER_WORDS.index(name)
            elif name in UNIT_SETS and not value:
                setattr(s, name, getattr(s, name) | 1 << u)
            else:
                raise cannot_be(s.units.ids[u], mark)
