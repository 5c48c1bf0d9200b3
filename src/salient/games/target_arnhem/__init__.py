"""Target Arnhem: Across Six Bridges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from salient.common.sides import SEATS
from salient.games.target_arnhem import check, judge, notation, setup, view
from salient.games.target_arnhem.combat import Advance, Attack, CombatRoll, Flip, Lose
from salient.games.target_arnhem.model import DATA_HASH, GAME_ID, SCENARIO, TURNS, ArnhemState
from salient.games.target_arnhem.movement import Underway
from salient.games.target_arnhem.reinforcements import Reinforce
from salient.games.target_arnhem.sequence import EndOfImpulse, Impulse, Overstack, SupplyRoll, Turn
from salient.games.target_arnhem.setup import SUPPLY_ZONES, PlaceZones
from salient.games.target_arnhem.victory import result
from salient.kernel import Action, Frame, Game, GameOver, Result, Roller, Scenario, Seat, State, settle

FRAMES: tuple[type[Frame], ...] = (
    PlaceZones, Turn, SupplyRoll, Reinforce, Impulse, Underway, Attack, CombatRoll, Flip, Lose, Advance,
    EndOfImpulse, Overstack, GameOver,
)  # fmt: skip


class TargetArnhem(Game):
    """The game by its rulebook."""

    id = GAME_ID
    title = "Target Arnhem"
    seats = SEATS
    rules_version = 2
    scenarios = (Scenario("historical", TURNS, str(SCENARIO["rule"])),)
    options = (SUPPLY_ZONES,)
    state_type = ArnhemState
    frames = {frame.__name__: frame for frame in FRAMES}  # noqa: RUF012
    notation = notation.NOTATION
    data_hash = DATA_HASH

    def new(self, scenario: str = "", options: Mapping[str, str] | None = None) -> State:
        self.scenario(scenario)
        s = setup.new_state(self.chosen_options(options)[SUPPLY_ZONES.id])
        settle(s)
        return s

    def observe(self, s: State, seat: Seat) -> dict[str, Any]:
        return view.observe(cast(ArnhemState, s), seat)

    def resample(self, s: State, seat: Seat, roller: Roller) -> State:
        return s.clone()

    def result(self, s: State) -> Result | None:
        return result(cast(ArnhemState, s))

    def check(self, s: State) -> list[str]:
        return list(check.broken_invariants(cast(ArnhemState, s)))

    def heading(self, s: State) -> str:
        s = cast(ArnhemState, s)
        phase = view.SEQUENCE[view.phase(s)]
        if isinstance(s.stack[-1], PlaceZones):
            return "Set-up"
        if phase["key"] == "reorganisation":
            return f"Turn {s.turn}, reorganisation"
        return f"Turn {s.turn}, {phase['side']} impulse {phase['n']}"

    def write_position(self, s: State) -> str:
        return notation.write_position(cast(ArnhemState, s))

    def read_position(self, text: str) -> State:
        return notation.read_position(text, self.frames)

    def components(self) -> dict[str, Any]:
        return view.components()

    def preview(self, s: State, action: Action) -> dict[str, Any]:
        return view.preview(cast(ArnhemState, s), action)

    def overlay(self, s: State, seat: Seat, name: str) -> dict[str, Any]:
        return view.overlay(cast(ArnhemState, s), seat, name)

    def features(self, s: State, seat: Seat) -> dict[str, float]:
        return judge.features(cast(ArnhemState, s), seat)


GAME = TargetArnhem()
