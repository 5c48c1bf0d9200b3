"""Crossing: a tiny game for the tests. Blue hides a trap on a field; red walks two units along five fields.

1 blue hides the trap on field 2, 3 or 4 · 2 red moves each unit at most one field a turn, then ends its turn ·
3 once a game red may probe a field and see whether the trap is there · 4 units that end a turn on the trap are rolled
for: 1-3 lost · 5 red wins with a unit on field 5, blue when the turns or red's units run out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from salient.kernel import Game, Notation, Numbers, Option, Result, Roller, Scenario, Seat, State, Unreadable
from salient.kernel.engine import actor, settle
from salient.kernel.frames import GameOver
from salient.kernel.notation import Action, Names, Words
from tiny.model import FIELDS, HIDING_PLACES, LOST, UNITS, Ambush, Crossing, EndOfTurn, Hide, Probe, RedTurn, winner

__all__ = ["GAME"]


class Tiny(Game):
    id = "tiny"
    title = "Crossing"
    seats = ("red", "blue")
    rules_version = 1
    scenarios = (Scenario("standard", 5, "5"), Scenario("long", 8, "5"))
    options = (Option("probe", ("yes", "no"), "3"),)
    state_type = Crossing
    frames = {frame.__name__: frame for frame in (Hide, RedTurn, Probe, Ambush, EndOfTurn, GameOver)}  # noqa: RUF012
    data_hash = "none"
    reveals = frozenset({"probed"})
    secret_verbs = frozenset({"hide"})

    def __init__(self) -> None:
        self.notation = Notation(
            {"unit": Names("unit", UNITS), "field": Words("field", FIELDS), "n": Numbers()},
            {"hide": "field", "move": "unit field", "probe": "field", "end": "", "roll": "n"},
        )

    def new(self, scenario: str = "", options: Mapping[str, str] | None = None) -> State:
        chosen = self.chosen_options(options)
        return Crossing.start(self.scenario(scenario).turns, probes=int(chosen["probe"] == "yes"))

    def observe(self, s: State, seat: Seat) -> dict[str, Any]:
        assert isinstance(s, Crossing)
        result = self.result(s)
        return {
            "turn": s.turn,
            "turns": s.turns,
            "at": 0,
            "actor": actor(s),
            "units": {unit: {"where": str(s.at[i]), "badges": []} for i, unit in enumerate(UNITS) if s.at[i] != LOST},
            "markers": [{"key": "trap", "where": s.trap}] if s.trap and (seat == "blue" or s.found) else [],
            "tracks": {"probes": s.probes},
            "result": result and {"winner": result.winner, "rule": result.rule, "key": result.key},
        }

    def resample(self, s: State, seat: Seat, roller: Roller) -> State:
        assert isinstance(s, Crossing)
        other = s.clone()
        if seat == "red" and s.trap and not s.found:
            places = [place for place in HIDING_PLACES if place not in s.clear]
            other.trap = places[roller.die(len(places)) - 1]
        return other

    def result(self, s: State) -> Result | None:
        assert isinstance(s, Crossing)
        if actor(s) != "over":
            return None
        side = winner(s)
        return Result(side, "5", f"{side}-wins")

    def check(self, s: State) -> list[str]:
        assert isinstance(s, Crossing)
        broken = [f"{UNITS[i]} stands on field {at}" for i, at in enumerate(s.at) if not 0 <= at <= 5]
        if s.trap in s.clear:
            broken.append("the trap lies where red saw none")
        return broken

    def heading(self, s: State) -> str:
        assert isinstance(s, Crossing)
        return f"Turn {s.turn}"

    def write_position(self, s: State) -> str:
        return "\n".join(f"{key}: {json.dumps(value)}" for key, value in s.as_json().items()) + "\n"

    def read_position(self, text: str) -> State:
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
        state = self.state_from_json(values)
        settle(state)
        return state

    def components(self) -> dict[str, Any]:
        unit = {"side": "red", "symbol": "infantry", "values": [1], "source": "house"}
        return {
            "units": {name: {"name": name, **unit} for name in UNITS},
            "places": [{"id": field, "kind": "area"} for field in FIELDS],
            "tracks": [{"id": "probes", "side": "red", "max": 1}],
            "markers": ["trap"],
            "overlays": [],
            "sequence": [{"key": "crossing"}],
        }

    def preview(self, s: State, action: Action) -> dict[str, Any]:
        return {"path": [action[2]]} if action[0] == "move" else {}

    def overlay(self, s: State, seat: Seat, name: str) -> dict[str, Any]:
        raise Unreadable(f"Crossing has no overlay {name!r}.")

    def features(self, s: State, seat: Seat) -> dict[str, float]:
        assert isinstance(s, Crossing)
        return {"advance": float(sum(s.at)) * (1 if seat == "red" else -1)}


GAME = Tiny()
