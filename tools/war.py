"""Tells the course of the war over many records of a game: which places fall when, and who loses how much.

    python tools/war.py FOLDER        all records beneath it, one game and scenario
    python tools/war.py FOLDER brief  the places only that change hands

Places are those that formations can be ordered to take or hold. A place is a side's from the moment that one of its
units ends a turn there until one of the enemy's does.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from pathlib import Path
from statistics import fmean, median

from salient import load
from salient.common.boards import board_of
from salient.kernel import OVER, AnyGame, Record, State, actor, step

GONE = ("eliminated", "gone")


class War:
    """What was seen at the end of each turn of one game."""

    def __init__(self, game: AnyGame, record: Record) -> None:
        self.game = game
        self.sides = {unit: about["side"] for unit, about in game.components()["units"].items()}
        self.holders: dict[str, str] = {}
        self.taken: dict[tuple[str, str], int] = {}  # by place and side: in which turn first
        self.changes = Counter[str]()
        self.strengths: dict[int, dict[str, int]] = {}  # by turn and side: units left, with those still to come
        state = record.start(game)
        for move in record.moves:
            before, state = state, step(state, game.read(move.text))
            if game.stage(state).turn != game.stage(before).turn or actor(state) == OVER:
                self._note(before if actor(state) != OVER else state, game.stage(before).turn)
        result = game.result(state)
        self.winner = result.winner if result else None
        self.ending = result.key if result else ""

    def _note(self, state: State, turn: int) -> None:
        counts: dict[str, int] = defaultdict(int)
        there: dict[str, str] = {}
        for unit, seen in self.game.view.observe(state, self.game.seats[0])["units"].items():
            side, values = self._side(unit), str(seen.get("values", ""))
            if seen.get("where") and seen["where"] not in GONE:
                counts[side] += int(values.removeprefix("×")) if values.startswith("×") else 1
                there[seen["where"]] = side
        self.strengths[turn] = dict(counts)
        for place, side in there.items():
            if self.holders.get(place, side) != side:
                self.changes[place] += 1
            self.holders[place] = side
            self.taken.setdefault((place, side), turn)

    def _side(self, unit: str) -> str:
        return str(self.sides.get(unit) or unit.partition("-")[0])


def places(game: AnyGame, record: Record) -> set[str]:
    """The places that formations are told to take or hold at the beginning."""
    state = record.start(game)
    kind = game.notation.kinds["place" if "place" in game.notation.kinds else "hex"]
    orders = [
        order
        for seat in game.seats
        for formation in game.plans.formations(state, seat)
        for order in game.plans.orders(state, seat, formation)
    ]
    return {kind.write(order.place) for order in orders}


def main(folder: str, length: str = "") -> None:
    """Print a line for each place and each turn."""
    records = [Record.parse(file.read_text(encoding="utf-8")) for file in sorted(Path(folder).rglob("*.salient"))]
    game = load(records[0].header["game"])
    wars = [War(game, record) for record in records]
    print(
        f"{len(wars)} games: {dict(Counter(war.winner for war in wars))}, {dict(Counter(war.ending for war in wars))}"
    )
    board = board_of(game)
    names = {board.labels[h]: place.name for place in reversed(board.places) for h in place.hexes}  # the largest last
    for place in sorted(places(game, records[0])):
        changes = fmean(war.changes[place] for war in wars)
        if length != "brief" or changes:
            seen = "; ".join(told(wars, place, side) for side in game.seats)
            print(f"{place} {names.get(place, '')}: {seen}; changes hands {changes:.1f} times")
    for turn in sorted({turn for war in wars for turn in war.strengths}):
        seen = [war.strengths[turn] for war in wars if turn in war.strengths]
        means = ", ".join(f"{side} {fmean(each.get(side, 0) for each in seen):.1f}" for side in game.seats)
        print(f"turn {turn}, {len(seen)} games: units that are left: {means}")


def told(wars: list[War], place: str, side: str) -> str:
    """How often and when a side comes to a place, and how often it is there last."""
    turns = [war.taken[place, side] for war in wars if (place, side) in war.taken]
    when = f" on turn {median(turns):g} ({min(turns)} to {max(turns)})" if turns else ""
    last = sum(war.holders.get(place) == side for war in wars)
    return f"{side} in {len(turns)}{when}, last in {last}"


if __name__ == "__main__":
    main(*sys.argv[1:])
