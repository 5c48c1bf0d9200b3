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
from salient.games.bulge.model import (
    AXIS_START,
    BASES,
    BOARD,
    CARGO,
    FIGHTER,
    FORMATION_SIDE,
    GAME_ID,
    HEXES,
    KINDS,
    PLACE_COUNT,
    PLACES,
    SEATS,
    SIDES,
    TRUCK,
    UNITS,
    BulgeState,
    kind_of,
    side_of,
    size,
    unit_id,
)
from salient.games.bulge.setup import FREE, HISTORICAL, empty_state
from salient.kernel import AnyFrame, Names, Notation, Numbers, OneOf, Unreadable, Words

TITLES = (*hex_titles(BOARD), *PLACES[HEXES:])
HEX_NAMES = Names("hex", PLACES[:HEXES], titles=TITLES[:HEXES])
PLACE_NAMES = Names("hex or chart", PLACES, titles=TITLES)
UNIT_NAMES = Names(
    "unit",
    UNITS,
    titles=[(KINDS[kind_of(u)], TITLES[u % PLACE_COUNT]) for u in range(len(UNITS))],
)

OPTIONS = {"aircraft": (RETURN, FLAK, LOST), "preset": (HISTORICAL, FREE)}
NUMBERS = ("games", "game", "parked")
HEX_SETS = ("attacked", "activated")


# ---- writing -----------------------------------------------------------------------------------------


def write_position(s: BulgeState) -> str:
    """The canonical text of a position."""
    return "\n".join(_lines(s)) + "\n"


def _lines(s: BulgeState) -> Iterator[str]:
    usual = empty_state()
    yield f"position {GAME_ID}"
    yield f"turn {s.turn}"
    for name in (*OPTIONS, *NUMBERS):
        if getattr(s, name) != getattr(usual, name):
            yield f"{name} {getattr(s, name)}"
    if any(s.held):
        yield "held " + " ".join(str(n) for n in s.held)
    if any(s.totals):
        yield "totals " + " ".join(str(n) for n in s.totals)
    if s.control != AXIS_START:
        yield set_line("front", PLACES, s.control)
    for name in HEX_SETS:
        if getattr(s, name):
            yield set_line(name, PLACES, getattr(s, name))
    for place, name in enumerate(PLACES):
        piles = [f"{UNITS[u]} {n}".replace(f"-{name} ", " ") for u in _units_in(place) if (n := size(s, u))]
        if piles:
            yield f"{name} {', '.join(piles)}"
    yield from _marks("moved", s.moved, range(TRUCK + 1))
    yield from _marks("aboard", s.aboard, CARGO)
    if s.winner:
        yield f"winner {s.winner}"
    yield f"stack {write_stack(s.stack)}"


def _units_in(place: int) -> Iterator[int]:
    return (unit_id(side, kind, place) for side in SIDES for kind in range(len(KINDS)))


def _marks(word: str, column: bytearray, kinds: range | tuple[int, ...]) -> Iterator[str]:
    for h in range(HEXES):
        marks = [f"{KINDS[kind]}={n}" for i, kind in enumerate(kinds) if (n := column[i * HEXES + h])]
        if marks:
            yield f"{word} {PLACES[h]} {' '.join(marks)}"


# ---- reading -------------------------------------------------------------------------------------------


def read_position(text: str, frames: dict[str, type[AnyFrame]]) -> BulgeState:
    """The position of a text; Unreadable names the line. Pieces that are not named are out of the game."""
    return read_lines(text, GAME_ID, empty_state(), lambda state, line: _read_line(state, line, frames))


def _read_line(s: BulgeState, line: str, frames: dict[str, type[AnyFrame]]) -> None:
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
        setattr(s, "control" if word == "front" else word, read_set(HEX_NAMES, words))
    elif word == "moved":
        _read_marks(s.moved, words, range(TRUCK + 1))
    elif word == "aboard":
        _read_marks(s.aboard, words, CARGO)
    elif word == "winner":
        s.winner = rest
    elif word == "stack":
        s.stack = read_stack(rest, frames)
    else:
        place = PLACE_NAMES.read(word)
        for pile in rest.split(","):
            name, number = pile.split()
            _read_pile(s, UNIT_NAMES.read(f"{name}-{PLACES[place]}"), place, int(number))


def _read_marks(column: bytearray, words: list[str], kinds: range | tuple[int, ...]) -> None:
    h = HEX_NAMES.read(words[0])
    for mark in words[1:]:
        name, _, number = mark.partition("=")
        column[list(kinds).index(KINDS.index(name)) * HEXES + h] = int(number)


def _read_pile(s: BulgeState, unit: int, place: int, n: int) -> None:
    side, kind = side_of(unit), kind_of(unit)
    if place < HEXES:
        if kind >= FIGHTER:
            s.planes[(side * 2 + kind - FIGHTER) * HEXES + place] = n
        else:
            s.ground[(side * 5 + kind) * HEXES + place] = n
    elif place < BASES[0] and kind < TRUCK and FORMATION_SIDE[place - HEXES] == side:
        s.charts[(place - HEXES) * 3 + kind] = n
    elif place == BASES[side] and kind >= TRUCK:
        s.base[side * 4 + kind - TRUCK] = n
    else:
        raise Unreadable("cannot-be-there", text=UNITS[unit])


# ---- the notation of the game ---------------------------------------------------------------------------

NOTATION = Notation(
    {
        "hex": HEX_NAMES,
        "place": PLACE_NAMES,
        "unit": UNIT_NAMES,
        "piece": OneOf("piece", {"unit": UNIT_NAMES, "hex": HEX_NAMES}),
        "seat": Words("side", SEATS),
        "n": Numbers(),
    },
    {
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
    },
    write_position,
    read_position,
)
