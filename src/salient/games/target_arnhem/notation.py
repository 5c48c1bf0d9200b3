"""Target Arnhem: actions and positions as text.

A position is a few readable lines; a line that says nothing unusual is left out:

    position target-arnhem
    turn 3 impulse 1
    points wehrmacht=5 ss=1
    zone 1abn 1503
    1504 9SS/Spindler damage=1, Kussin
    waiting PP, 325
    stack Turn(allied-impulse-1) EndOfImpulse(0) Impulse(0)
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
from salient.games.target_arnhem.components import GAME_ID, POOLS, Data
from salient.games.target_arnhem.model import XXX, ArnhemState
from salient.games.target_arnhem.setup import FREE, HISTORICAL, new_state
from salient.hexes.sets import HexSet, UnitId
from salient.kernel import AnyFrame, Names, Notation, Numbers
from salient.kernel.notation import Kind
from salient.kernel.state import fields_of

FLAGS = fields_of(ArnhemState, "units")


# ---- writing -----------------------------------------------------------------------------------------


def write_position(s: ArnhemState) -> str:
    """The canonical text of a position."""
    return "\n".join(_lines(s)) + "\n"


def _lines(s: ArnhemState) -> Iterator[str]:
    yield f"position {GAME_ID}"
    yield number_line(s, ArnhemState(s.data))
    yield "points " + " ".join(f"{pool}={s.pools[i]}" for i, pool in enumerate(POOLS) if i != XXX)
    if s.preset != FREE:
        yield f"zones {s.preset}"
    for i, pool in enumerate(POOLS):
        if s.zones[i] >= 0:
            yield f"zone {pool} {s.ground.places[s.zones[i]]}"
    if s.attacked:
        yield set_line("attacked", s.ground.places, s.attacked)
    yield from piece_lines(
        s.ground.places, ((s.where[u], _unit_text(s, u)) for u in s.units.all if s.where[u] != s.ground.eliminated)
    )
    if s.winner:
        yield f"winner {s.winner}"
    yield "stack " + write_stack(s.stack)


def _unit_text(s: ArnhemState, u: UnitId) -> str:
    marks = [s.units.ids[u]]
    if s.damage[u]:
        marks.append(f"damage={s.damage[u]}")
    if s.fortified[u]:
        marks.append("fortified")
    marks += [flag for flag in FLAGS if getattr(s, flag) >> u & 1]
    return " ".join(marks)


# ---- the verbs, and reading ------------------------------------------------------------------------------

VERBS = {
    "zone": "pool hex",
    "arrive": "unit",
    "land": "unit hex",
    "move": "unit place",
    "via": "unit hex",
    "attack": "hex",
    "join": "unit",
    "bombard": "pool",
    "drop": "unit",
    "cancel": "",
    "resolve": "",
    "flip": "unit",
    "lose": "unit",
    "advance": "unit",
    "recover": "unit pool",
    "remove": "unit",
    "done": "",
    "pass": "",
    "roll": "n",
}


class ArnhemNotation(Notation[ArnhemState]):
    """Actions and positions with the names that units and places have in the game's data."""

    def __init__(self, data: Data) -> None:
        self.data = data
        ground = data.ground
        areas = [f"{row['area']} ({row['name']})" for row in ground.board.rows["areas.csv"]]
        titles = (*hex_titles(ground.board), *areas, *ground.places[ground.waiting :])
        self.hexes = Names("hex", ground.places[: ground.hexes], titles=titles[: ground.hexes])
        self.places = Names("hex or area", ground.places, titles=titles)
        self.units = Names("unit", data.units.ids)
        self.pools = Names("supply pool", POOLS)
        kinds: dict[str, Kind] = {
            "hex": self.hexes,
            "place": self.places,
            "unit": self.units,
            "pool": self.pools,
            "n": Numbers(),
        }
        super().__init__(kinds, VERBS, write_position, self._read_position)

    def _read_position(self, text: str, frames: dict[str, type[AnyFrame]]) -> ArnhemState:
        """The position of a text; Unreadable names the line. Units not named are eliminated, pools not named empty."""
        s = new_state(self.data, FREE)
        s.where = [s.ground.eliminated] * s.units.count
        s.fortified = [0] * s.units.count
        s.pools = [0] * len(POOLS)
        return read_lines(text, GAME_ID, s, lambda state, line: self._read_line(state, line, frames))

    def _read_line(self, s: ArnhemState, line: str, frames: dict[str, type[AnyFrame]]) -> None:
        word, _, rest = line.partition(" ")
        words = rest.split()
        match word:
            case "turn":
                read_numbers(s, [word, *words])
            case "points":
                for pair in words:
                    pool, _, points = pair.partition("=")
                    s.pools[self.pools.read(pool)] = int(points)
            case "zones":
                if rest not in (FREE, HISTORICAL):
                    raise one_of(word, (FREE, HISTORICAL), rest)
                s.preset = rest
            case "zone":
                s.zones[self.pools.read(words[0])] = self.hexes.read(words[1])
            case "attacked":
                s.attacked = HexSet(read_set(self.hexes, words))
            case "winner":
                s.winner = rest
            case "stack":
                s.stack = read_stack(rest, frames)
            case _:
                place = self.places.read(word)
                for unit in rest.split(","):
                    self._read_unit(s, unit.split(), place)

    def _read_unit(self, s: ArnhemState, words: list[str], place: int) -> None:
        u = self.units.read(words[0])
        if s.where[u] != s.ground.eliminated:
            raise in_two_places(s.units.ids[u])
        s.where[u] = place
        for mark in words[1:]:
            name, _, value = mark.partition("=")
            if name == "damage" and 0 < int(value) < s.units.resistance[u]:
                s.damage[u] = int(value)
            elif name == "fortified" and s.units.starts_fortified[u]:
                s.fortified[u] = 1
            elif name in FLAGS:
                setattr(s, name, getattr(s, name) | 1 << u)
            else:
                raise cannot_be(s.units.ids[u], mark)
