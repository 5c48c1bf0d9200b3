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
from functools import partial

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
from salient.games.deadly_woods.components import CHITS, GAME_ID, UNKNOWN_ARMY, Assets, Data
from salient.games.deadly_woods.model import WoodsState
from salient.games.deadly_woods.setup import BONUS_CHOICE, STANDARD, new_state
from salient.hexes.sets import HexSet, UnitId
from salient.kernel import AnyFrame, Names, Notation, Numbers, OneOf, Words
from salient.kernel.notation import Kind
from salient.kernel.state import fields_of

UNIT_SETS = fields_of(WoodsState, "units")
OPTION_NAMES = (STANDARD, BONUS_CHOICE)


# ---- writing ----------------------------------------------------------------------------------------


def empty_state(data: Data) -> WoodsState:
    """A position without any piece: what a text leaves out."""
    s = new_state(data, "campaign", STANDARD)
    s.where = [data.ground.eliminated] * data.units.count
    s.asset = [data.ground.gone] * data.assets.count
    s.blown = 0
    s.stack = ()
    return s


def write_position(s: WoodsState) -> str:
    """The canonical text of a position."""
    return "\n".join(_lines(s)) + "\n"


def _lines(s: WoodsState) -> Iterator[str]:
    usual = empty_state(s.data)
    yield f"position {GAME_ID}"
    for name in ("scenario", "option"):
        if getattr(s, name) != getattr(usual, name):
            yield f"{name} {getattr(s, name)}"
    yield number_line(s, usual)
    yield from _chit_lines(s)
    if s.german_held != usual.german_held:
        yield set_line("held", s.ground.board.labels, s.german_held)
    if s.blown:
        yield set_line("blown", s.ground.bridge_names, s.blown)
    if s.built:
        yield f"built {s.built}"
    if s.demolished:
        yield set_line("demolished", s.assets.ids, s.demolished)
    if s.motor >= 0:
        yield f"motor {s.units.ids[s.motor]}"
    units = (
        (place, _unit_text(s, u)) for u, place in zip(s.units.all, s.where, strict=True) if place != s.ground.eliminated
    )
    assets = ((place, s.assets.ids[a]) for a, place in enumerate(s.asset) if place != s.ground.gone)
    yield from piece_lines(s.ground.places, (*units, *assets))
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


def _unit_text(s: WoodsState, u: UnitId) -> str:
    marks = [s.units.ids[u]]
    if s.lost[u]:
        marks.append(f"lost={s.lost[u]}")
    marks += [name for name in UNIT_SETS if getattr(s, name) >> u & 1]
    return " ".join(marks)


# ---- the verbs, and reading ----------------------------------------------------------------------------

VERBS = {
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
}


class WoodsNotation(Notation[WoodsState]):
    """Actions and positions with the names that pieces and places have in the game's data."""

    def __init__(self, data: Data) -> None:
        self.data = data
        ground, assets = data.ground, data.assets
        hexes = hex_titles(ground.board)
        self.hexes = Names("hex", ground.board.labels, titles=hexes)
        self.places = Names("place", ground.places, titles=(*hexes, *ground.places[ground.hexes :]))
        self.units = Names("unit", data.units.ids)
        self.assets = Names("asset", assets.ids, titles=[_asset_title(assets, a) for a in range(assets.count)])
        self.bridges = Names("bridge", ground.bridge_names)
        self.chits = Names("chit", CHITS)
        kinds: dict[str, Kind] = {
            "hex": self.hexes,
            "place": self.places,
            "unit": self.units,
            "piece": OneOf("piece", {"unit": self.units, "asset": self.assets, "bridge": self.bridges}),
            "asset": self.assets,
            "bridge": self.bridges,
            "chit": Names("chit", (*CHITS, UNKNOWN_ARMY)),
            "formation": Names("formation", data.units.formations),
            "mode": Words("way to play the chit", sorted({mode for modes in MODES.values() for mode in modes})),
            "n": Numbers(),
        }
        super().__init__(kinds, VERBS, write_position, self._read_position)

    def _read_position(self, text: str, frames: dict[str, type[AnyFrame]]) -> WoodsState:
        """The position of a text; Unreadable names the line. Units that are not named are eliminated, assets gone."""
        read_line = partial(self._read_line, frames=frames)
        return read_lines(text, GAME_ID, empty_state(self.data), read_line)

    def _read_line(self, s: WoodsState, line: str, frames: dict[str, type[AnyFrame]]) -> None:
        word, _, rest = line.partition(" ")
        words = rest.split()
        match word:
            case "scenario":
                s.scenario = _one_of(word, tuple(s.tables.scenarios), rest)
            case "option":
                s.option = _one_of(word, OPTION_NAMES, rest)
            case "turn":
                read_numbers(s, [word, *words])
            case "cup":
                for pair in words:
                    chit, _, count = pair.partition("=")
                    s.cup[self.chits.read(chit)] = int(count)
            case "hand":
                s.hand = self.chits.read(rest)
            case "played":
                s.track = tuple(self.chits.read(name) for name in words)
            case "reinforcements":
                s.reinforcements = [int(words[0]), int(words[1])]
            case "winner":
                s.winner, s.result_key = words
            case "stack":
                s.stack = read_stack(rest, frames)
            case _:
                self._read_marks(s, word, words, rest)

    def _read_marks(self, s: WoodsState, word: str, words: list[str], rest: str) -> None:
        match word:
            case "held":
                s.german_held = HexSet(read_set(self.hexes, words))
            case "blown":
                s.blown = read_set(self.bridges, words)
            case "built":
                s.built = int(rest)
            case "demolished":
                s.demolished = read_set(self.assets, words)
            case "motor":
                s.motor = UnitId(self.units.read(rest))
            case _:
                place = self.places.read(word)
                for piece in rest.split(","):
                    self._read_piece(s, piece.split(), place)

    def _read_piece(self, s: WoodsState, words: list[str], place: int) -> None:
        if words[0].casefold() in self.assets.index:
            s.asset[self.assets.read(words[0])] = place
            return
        u = self.units.read(words[0])
        if s.where[u] != s.ground.eliminated:
            raise in_two_places(s.units.ids[u])
        s.where[u] = place
        for mark in words[1:]:
            name, _, value = mark.partition("=")
            if name == "lost" and 0 < int(value) < s.units.steps[u]:
                s.lost[u] = int(value)
            elif name in UNIT_SETS and not value:
                setattr(s, name, getattr(s, name) | 1 << u)
            else:
                raise cannot_be(s.units.ids[u], mark)


def _asset_title(assets: Assets, a: int) -> str:
    """The name of an asset, with its number if there are several of them."""
    number = assets.ids[a][-1]
    return f"{assets.names[a]} ({number})" if number.isdigit() else assets.names[a]


def _one_of(what: str, known: tuple[str, ...], found: str) -> str:
    if found not in known:
        raise one_of(what, known, found)
    return found
