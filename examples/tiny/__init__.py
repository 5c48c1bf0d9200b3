"""Crossing: a tiny game for the tests. Blue hides a trap on a field; red walks two units along five fields.

1 blue hides the trap on field 2, 3 or 4 · 2 red moves each unit at most one field a turn, then ends its turn ·
3 once a game red may probe a field and see whether the trap is there · 4 units that end a turn on the trap are rolled
for: 1-3 lost · 5 red wins with a unit on field 5, blue when the turns or red's units run out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from salient.kernel import AnyFrame, Game, Notation, Numbers, Option, Result, Roller, Scenario, Seat, Unreadable
from salient.kernel.engine import settle
from salient.kernel.frames import GameOver
from salient.kernel.judge import Judge
from salient.kernel.notation import Names, Words
from salient.kernel.sequence import Stage
from tiny import view
from tiny.model import FIELDS, HIDING_PLACES, UNITS, Ambush, Crossing, EndOfTurn, Hide, Probe, RedTurn, result

__all__ = ["GAME", "open_game"]


def write_position(s: Crossing) -> str:
    """A line of JSON for every field."""
    return "\n".join(f"{key}: {json.dumps(value)}" for key, value in s.as_json().items()) + "\n"


def read_position(text: str, frames: dict[str, type[AnyFrame]]) -> Crossing:
    """The position of a text."""
    values = {}
    for number, line in enumerate(text.splitlines(), start=1):
        key, _, value = line.partition(": ")
        try:
            values[key] = json.loads(value)
        except ValueError:
            raise Unreadable(f"Line {number}: 'name: value' expected, not {line!r}.") from None
    missing = {*Crossing.FIELDS, "stack"} - set(values)
    if missing:
        raise Unreadable(f"The position has no line '{min(missing)}: ...'.")
    state = Crossing.from_json(values, frames)
    settle(state)
    return state


class TinyJudge(Judge[Crossing]):
    """Red wants to be far ahead, blue wants it far behind."""

    def features(self, s: Crossing, seat: Seat) -> dict[str, float]:
        return {"advance": float(sum(s.at)) * (1 if seat == "red" else -1)}

    def weights(self, side: Seat) -> Mapping[str, float]:
        return {"advance": 1.0}

    def elapsed(self, s: Crossing) -> float:
        return (s.turn - 1) / s.turns


class Tiny(Game[Crossing]):
    id = "tiny"
    title = "Crossing"
    seats = ("red", "blue")
    rules_version = 1
    scenarios = (Scenario("standard", 5, "5"), Scenario("long", 8, "5"))
    options = (Option("probe", ("yes", "no"), "3"),)
    state_type = Crossing
    frames = {frame.__name__: frame for frame in (Hide, RedTurn, Probe, Ambush, EndOfTurn, GameOver)}  # noqa: RUF012
    notation = Notation(
        {"unit": Names("unit", UNITS), "field": Words("field", FIELDS), "n": Numbers()},
        {"hide": "field", "move": "unit field", "probe": "field", "end": "", "roll": "n"},
        write_position,
        read_position,
    )
    view = view
    judge = TinyJudge()
    data_hash = "none"
    reveals = frozenset({"probed"})
    secret_verbs = frozenset({"hide"})

    def new(self, scenario: str = "", options: Mapping[str, str] | None = None) -> Crossing:
        chosen = self.chosen_options(options)
        return Crossing.start(self.scenario(scenario).turns, probes=int(chosen["probe"] == "yes"))

    def resample(self, s: Crossing, seat: Seat, roller: Roller) -> Crossing:
        other = s.clone()
        if seat == "red" and s.trap and not s.found:
            places = [place for place in HIDING_PLACES if place not in s.clear]
            other.trap = places[roller.die(len(places)) - 1]
        return other

    def stage(self, s: Crossing) -> Stage:
        return Stage(s.turn, "crossing", 0)

    def result(self, s: Crossing) -> Result | None:
        return result(s)

    def check(self, s: Crossing) -> list[str]:
        broken = [f"{UNITS[i]} stands on field {at}" for i, at in enumerate(s.at) if not 0 <= at <= 5]
        if s.trap in s.clear:
            broken.append("the trap lies where red saw none")
        return broken


GAME = Tiny()


def open_game(own: Path | None = None) -> Tiny:
    """The game; it has no data that anybody could correct."""
    return GAME
