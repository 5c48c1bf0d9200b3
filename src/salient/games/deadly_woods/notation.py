"""The Deadly Woods: actions and positions as text.

A position is a few readable lines; a line that says nothing unusual is left out:

    position deadly-woods
    turn 3 initiative 1
    cup german-mc=2 5pz=1 allied-mc=2
    track supply 5pz
    held 3211 3508
    bridge 3320/3419 3622/3623
    3211 7A/CCB lost=1, 106/424
    track-box 82/504
    3406 V-Eng
    stack Turn(rounds) Rounds() Draw()
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
from salient.games.deadly_woods.chits import MODES
from salient.games.deadly_woods.model import (
    ASSET_NAMES,
    ASSETS,
    BOARD,
    BRIDGE_NAMES,
    CHITS,
    COUNT,
    ELIMINATED,
    FORMATIONS,
    GAME_ID,
    GONE,
    PLACES,
    SCENARIOS,
    STEPS,
    UNITS,
    UNKNOWN_ARMY,
    WoodsState,
)
from salient.games.deadly_woods.setup import BONUS_CHOICE, STANDARD, new_state
from salient.hexes.sets import HexSet
from salient.kernel import AnyFrame, Names, Notation, Numbers, OneOf, Words
from salient.kernel.state import fields_of

HEX_NAMES = Names("hex", BOARD.labels, titles=hex_titles(BOARD))
PLACE_NAMES = Names("place", PLACES, titles=(*hex_titles(BOARD), *PLACES[len(BOARD) :]))
UNIT_NAMES = Names("unit", UNITS)
ASSET_TITLES = [f"{name} ({a[-1]})" if a[-1].isdigit() else name for a, name in zip(ASSETS, ASSET_NAMES, strict=True)]
ASSET_KIND_NAMES = Names("asset", ASSETS, titles=ASSET_TITLES)
BRIDGE_KIND_NAMES = Names("bridge", BRIDGE_NAMES)
CHIT_NAMES = Names("chit", CHITS)
FORMATION_NAMES = Names("formation", FORMATIONS)


UNIT_SETS = fields_of(WoodsState, "units")
OPTIONS = {"scenario": tuple(SCENARIOS), "option": (STANDARD, BONUS_CHOICE)}


# ---- writing ----------------------------------------------------------------------------------------


def empty_state() -> WoodsState:
    """A position without any piece: what a text leaves out."""
    s = new_state("campaign", STANDARD)
    s.where = [ELIMINATED] * COUNT
    s.asset = [GONE] * len(ASSETS)
    s.blown = 0
    s.stack = ()
    return s


def write_position(s: WoodsState) -> str:
    """The canonical text of a position."""
    return "\n".join(_lines(s)) + "\n"


def _lines(s: WoodsState) -> Iterator[str]:
    usual = empty_state()
    yield f"position {GAME_ID}"
    for name in OPTIONS:
        if getattr(s, name) != getattr(usual, name):
            yield f"{name} {getattr(s, name)}"
    yield number_line(s, usual)
    yield from _chit_lines(s)
    if s.german_held != usual.german_held:
        yield set_line("held", BOARD.labels, s.german_held)
    if s.blown:
        yield set_line("blown", BRIDGE_NAMES, s.blown)
    if s.built:
        yield f"built {s.built}"
    if s.demolished:
        yield set_line("demolished", ASSETS, s.demolished)
    if s.motor >= 0:
        yield f"motor {UNITS[s.motor]}"
    units = ((place, _unit_text(s, u)) for u, place in enumerate(s.where) if place != ELIMINATED)
    assets = ((place, ASSETS[a]) for a, place in enumerate(s.asset) if place != GONE)
    yield from piece_lines(PLACES, (*units, *assets))
    if s.winner:
        yield f"winner {s.winner} {s.result_key}"
    yield "stack " + write_stack(s.stack)


def _chit_lines(s: WoodsState) -> Iterator[str]:
    if any(s.cup):
        yield "cup " + " ".join(f"{CHITS[c]}={n}" for c, n in enumerate(s.cup) if n)
    if s.hand >= 0:
        yield f"hand {CHITS[s.hand]}"
    if s.track:
        yield "played " + " ".join(CHITS[c] for c in s.track)
    if any(s.reinforcements):
        yield "reinforcements " + " ".join(str(n) for n in s.reinforcements)


def _unit_text(s: WoodsState, u: int) -> str:
    marks = [UNITS[u]]
    if s.lost[u]:
        marks.append(f"lost={s.lost[u]}")
    marks += [name for name in UNIT_SETS if getattr(s, name) >> u & 1]
    return " ".join(marks)


# ---- reading ----------------------------------------------------------------------------------------


def read_position(text: str, frames: dict[str, type[AnyFrame]]) -> WoodsState:
    """The position of a text; Unreadable names the line. Units that are not named are eliminated, assets gone."""
    return read_lines(text, GAME_ID, empty_state(), lambda state, line: _read_line(state, line, frames))


def _read_line(s: WoodsState, line: str, frames: dict[str, type[AnyFrame]]) -> None:
    word, _, rest = line.partition(" ")
    words = rest.split()
    match word:
        case "scenario" | "option":
            if rest not in OPTIONS[word]:
                raise one_of(word, OPTIONS[word], rest)
            setattr(s, word, rest)
        case "turn":
            read_numbers(s, [word, *words])
        case "cup":
            for pair in words:
                chit, _, count = pair.partition("=")
                s.cup[CHIT_NAMES.read(chit)] = int(count)
        case "hand":
            s.hand = CHIT_NAMES.read(rest)
        case "played":
            s.track = tuple(CHIT_NAMES.read(name) for name in words)
        case "reinforcements":
            s.reinforcements = [int(words[0]), int(words[1])]
        case "winner":
            s.winner, s.result_key = words
        case "stack":
            s.stack = read_stack(rest, frames)
        case _:
            _read_marks(s, word, words, rest)


def _read_marks(s: WoodsState, word: str, words: list[str], rest: str) -> None:
    match word:
        case "held":
            s.german_held = HexSet(read_set(HEX_NAMES, words))
        case "blown":
            s.blown = read_set(BRIDGE_KIND_NAMES, words)
        case "built":
            s.built = int(rest)
        case "demolished":
            s.demolished = read_set(ASSET_KIND_NAMES, words)
        case "motor":
            s.motor = UNIT_NAMES.read(rest)
        case _:
            place = PLACE_NAMES.read(word)
            for piece in rest.split(","):
                _read_piece(s, piece.split(), place)


def _read_piece(s: WoodsState, words: list[str], place: int) -> None:
    if words[0].casefold() in ASSET_KIND_NAMES.index:
        s.asset[ASSET_KIND_NAMES.read(words[0])] = place
        return
    u = UNIT_NAMES.read(words[0])
    if s.where[u] != ELIMINATED:
        raise in_two_places(UNITS[u])
    s.where[u] = place
    for mark in words[1:]:
        name, _, value = mark.partition("=")
        if name == "lost" and 0 < int(value) < STEPS[u]:
            s.lost[u] = int(value)
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
        "piece": OneOf("piece", {"unit": UNIT_NAMES, "asset": ASSET_KIND_NAMES, "bridge": BRIDGE_KIND_NAMES}),
        "asset": ASSET_KIND_NAMES,
        "bridge": BRIDGE_KIND_NAMES,
        "chit": Names("chit", (*CHITS, UNKNOWN_ARMY)),
        "formation": FORMATION_NAMES,
        "mode": Words("way to play the chit", sorted({mode for modes in MODES.values() for mode in modes})),
        "n": Numbers(),
    },
    {
        "select": "unit",
        "move": "unit hex",
        "via": "unit hex",
        "withdraw": "unit hex hex",
        "hold": "unit",
        "infiltrate": "unit hex",
        "demolish": "asset bridge",
        "attack": "hex",
        "join": "unit",
        "resolve": "",
        "support": "asset",
        "double": "asset",
        "convert": "",
        "lose": "unit",
        "stand": "unit",
        "retreat": "unit hex",
        "blow": "bridge",
        "advance": "unit",
        "arrive": "unit hex",
        "detour": "unit",
        "deploy": "unit hex",
        "place": "asset hex",
        "recall": "asset",
        "motorize": "unit",
        "replace": "unit",
        "rebuild": "unit hex",
        "remove": "unit",
        "keep": "",
        "choose": "chit",
        "first": "chit",
        "draw": "chit",
        "swap": "",
        "react": "",
        "play": "mode",
        "formation": "formation",
        "dismiss": "formation",
        "drop": "piece",
        "cancel": "",
        "done": "",
        "pass": "",
        "roll": "n",
    },
    write_position,
    read_position,
)
