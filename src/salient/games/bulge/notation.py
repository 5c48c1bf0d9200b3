"""Battle of the Bulge: actions and positions as text.

A unit of this game is a pile: all pieces of a side and kind in a place, such as `axis-tank-0806`. A position counts
them:

    position bulge
    turn 3
    front 0109 0110 0208 0209 ...
    0806 axis-infantry 1, axis-tank 2, axis-supply 3
    0805 allied-infantry 2, allied-truck 1
    4Arm allied-infantry 1, allied-tank 2
    allied-base allied-truck 5, allied-supply 11
    stack Turn(ground-combat) Combat(0,0)
"""

from __future__ import annotations

from collections.abc import Iterator

from salient.common.places import hex_titles
from salient.common.positions import one_of, read_lines, read_set, read_stack, set_line, write_stack
from salient.games.bulge.air import FLAK, LOST, RETURN
from salient.games.bulge.components import CARGO, FIGHTER, GAME_ID, KINDS, SEATS, SIDES, TRUCK, Data
from salient.games.bulge.model import BulgeState, size
from salient.games.bulge.setup import FREE, HISTORICAL, empty_state
from salient.hexes.sets import UnitId
from salient.kernel import AnyFrame, Names, Notation, Numbers, OneOf, Unreadable, Words
from salient.kernel.notation import Kind

OPTIONS = {"aircraft": (RETURN, FLAK, LOST), "preset": (HISTORICAL, FREE)}
NUMBERS = ("games", "game", "parked")
HEX_SETS = ("attacked", "activated")


# ---- writing -----------------------------------------------------------------------------------------


def write_position(s: BulgeState) -> str:
    """The canonical text of a position."""
    return "\n".join(_lines(s)) + "\n"


def _lines(s: BulgeState) -> Iterator[str]:
    usual, places, names = empty_state(s.data), s.ground.places, s.units.ids
    yield f"position {GAME_ID}"
    yield f"turn {s.turn}"
    for name in (*OPTIONS, *NUMBERS):
        if getattr(s, name) != getattr(usual, name):
            yield f"{name} {getattr(s, name)}"
    if any(s.held):
        yield "held " + " ".join(str(n) for n in s.held)
    if any(s.totals):
        yield "totals " + " ".join(str(n) for n in s.totals)
    if s.control != s.ground.axis_start:
        yield set_line("front", places, s.control)
    for name in HEX_SETS:
        if getattr(s, name):
            yield set_line(name, places, getattr(s, name))
    for place, name in enumerate(places):
        piles = [f"{names[u]} {n}".replace(f"-{name} ", " ") for u in _units_in(s, place) if (n := size(s, u))]
        if piles:
            yield f"{name} {', '.join(piles)}"
    yield from _marks(s, "moved", s.moved, range(TRUCK + 1))
    yield from _marks(s, "aboard", s.aboard, CARGO)
    if s.winner:
        yield f"winner {s.winner}"
    yield f"stack {write_stack(s.stack)}"


def _units_in(s: BulgeState, place: int) -> Iterator[UnitId]:
    return (s.units.piles[side][kind][place] for side in SIDES for kind in range(len(KINDS)))


def _marks(s: BulgeState, word: str, column: bytearray, kinds: range | tuple[int, ...]) -> Iterator[str]:
    for h, label in enumerate(s.ground.board.labels):
        marks = [f"{KINDS[kind]}={n}" for i, kind in enumerate(kinds) if (n := column[i * s.ground.hexes + h])]
        if marks:
            yield f"{word} {label} {' '.join(marks)}"


# ---- the verbs, and reading ------------------------------------------------------------------------------

VERBS = {
    "deploy": "unit hex",
    "initiative": "seat",
    "first": "seat",
    "fly": "unit hex",
    "fight": "hex",
    "attack": "hex hex",
    "pay": "hex",
    "hold": "unit n",
    "send": "unit hex n",
    "drop": "piece",
    "cancel": "",
    "resolve": "",
    "roll": "n*",
    "retreat": "unit hex",
    "return": "unit n",
    "activate": "hex",
    "blitz": "place",
    "move": "unit hex n",
    "drive": "unit",
    "load": "unit n",
    "stop": "hex",
    "leave": "unit",
    "arrive": "unit hex n",
    "capture": "unit n",
    "remove": "unit",
    "done": "",
    "pass": "",
}


class BulgeNotation(Notation[BulgeState]):
    """Actions and positions with the names that piles and places have in the game's data."""

    def __init__(self, data: Data) -> None:
        self.data = data
        ground, units = data.ground, data.units
        titles = (*hex_titles(ground.board), *ground.places[ground.hexes :])
        pile_titles = [(KINDS[units.kind[u]], titles[units.place[u]]) for u in range(units.count)]
        self.hexes = Names("hex", ground.places[: ground.hexes], titles=titles[: ground.hexes])
        self.places = Names("hex or chart", ground.places, titles=titles)
        self.units = Names("unit", units.ids, titles=pile_titles)
        kinds: dict[str, Kind] = {
            "hex": self.hexes,
            "place": self.places,
            "unit": self.units,
            "piece": OneOf("piece", {"unit": self.units, "hex": self.hexes}),
            "seat": Words("side", SEATS),
            "n": Numbers(),
        }
        super().__init__(kinds, VERBS, write_position, self._read_position)

    def _read_position(self, text: str, frames: dict[str, type[AnyFrame]]) -> BulgeState:
        """The position of a text; Unreadable names the line. Pieces that are not named are out of the game."""
        s = empty_state(self.data)
        return read_lines(text, GAME_ID, s, lambda state, line: self._read_line(state, line, frames))

    def _read_line(self, s: BulgeState, line: str, frames: dict[str, type[AnyFrame]]) -> None:
        word, _, rest = line.partition(" ")
        words = rest.split()
        if word in OPTIONS:
            if rest not in OPTIONS[word]:
                raise one_of(word, OPTIONS[word], rest)
            setattr(s, word, rest)
        elif word in ("turn", *NUMBERS):
            setattr(s, word, int(rest))
        elif word == "held":
            infantry, tanks, guns = (int(n) for n in words)
            s.held = (infantry, tanks, guns)
        elif word == "totals":
            s.totals = [int(n) for n in words]
        elif word in ("front", *HEX_SETS):
            setattr(s, "control" if word == "front" else word, read_set(self.hexes, words))
        elif word == "moved":
            self._read_marks(s.moved, words, range(TRUCK + 1))
        elif word == "aboard":
            self._read_marks(s.aboard, words, CARGO)
        elif word == "winner":
            s.winner = rest
        elif word == "stack":
            s.stack = read_stack(rest, frames)
        else:
            place = s.ground.places[self.places.read(word)]
            for pile in rest.split(","):
                name, number = pile.split()
                _read_pile(s, UnitId(self.units.read(f"{name}-{place}")), int(number))

    def _read_marks(self, column: bytearray, words: list[str], kinds: range | tuple[int, ...]) -> None:
        h, hexes = self.hexes.read(words[0]), self.data.ground.hexes
        for mark in words[1:]:
            name, _, number = mark.partition("=")
            column[list(kinds).index(KINDS.index(name)) * hexes + h] = int(number)


def _read_pile(s: BulgeState, unit: UnitId, n: int) -> None:
    ground, hexes = s.ground, s.ground.hexes
    side, kind, place = s.units.side[unit], s.units.kind[unit], s.units.place[unit]
    if place < hexes:
        if kind >= FIGHTER:
            s.planes[(side * 2 + kind - FIGHTER) * hexes + place] = n
        else:
            s.pieces[(side * 5 + kind) * hexes + place] = n
    elif place in ground.boxes and kind < TRUCK and s.formations.side[place - ground.hexes] == side:
        s.charts[(place - ground.hexes) * 3 + kind] = n
    elif place == ground.bases[side] and kind >= TRUCK:
        s.base[side * 4 + kind - TRUCK] = n
    else:
        raise Unreadable("cannot-be-there", text=s.units.ids[unit])
