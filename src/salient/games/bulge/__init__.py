"""Axis & Allies: Battle of the Bulge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from salient.games.bulge import check, judge, notation, panels, setup, view
from salient.games.bulge.air import (
    AirBattle,
    AirBattles,
    AirInitiative,
    AirRound,
    AntiAircraft,
    ChooseFirst,
    Dogfight,
    Fly,
)
from salient.games.bulge.combat import (
    BattleRoll,
    Battles,
    Combat,
    GroundInitiative,
    Initiative,
    LastBattle,
    PassInitiative,
)
from salient.games.bulge.model import DATA_HASH, GAME_ID, SCENARIO, SEATS, TURNS, BulgeState
from salient.games.bulge.movement import Activate, Move, Movement, TruckReturn
from salient.games.bulge.reinforcements import Arrive
from salient.games.bulge.retreats import Retreat
from salient.games.bulge.sequence import Turn
from salient.games.bulge.setup import AIRCRAFT, CAMPAIGN, GAMES, SET_UP, Deploy
from salient.games.bulge.supply import Pay
from salient.games.bulge.trucks import Convoys, Trucks
from salient.games.bulge.upkeep import Capture, EnforceStacking, OfferCapture, Overstack
from salient.games.bulge.victory import result
from salient.kernel import Action, Frame, Game, GameOver, Result, Roller, Scenario, Seat, State, settle

FRAMES: tuple[type[Frame], ...] = (
    Deploy, Turn, AirInitiative, ChooseFirst, Fly, AirRound, AirBattles, AirBattle, Dogfight, AntiAircraft,
    GroundInitiative, Initiative, Combat, Pay, Battles, LastBattle, BattleRoll, Retreat, PassInitiative,
    TruckReturn, Movement, Activate, Move, Convoys, Trucks, Arrive, OfferCapture, Capture, EnforceStacking, Overstack,
    GameOver,
)  # fmt: skip


class BattleOfTheBulge(Game):
    """The game by its rulebook."""

    id = GAME_ID
    title = "Axis & Allies: Battle of the Bulge"
    seats = SEATS
    rules_version = 2
    scenarios = (Scenario("historical", TURNS, str(SCENARIO["rule"])),)
    options = (AIRCRAFT, SET_UP, CAMPAIGN)
    state_type = BulgeState
    weighs_rolls = True
    frames = {frame.__name__: frame for frame in FRAMES}  # noqa: RUF012
    notation = notation.NOTATION
    data_hash = DATA_HASH

    def new(self, scenario: str = "", options: Mapping[str, str] | None = None) -> State:
        self.scenario(scenario)
        chosen = self.chosen_options(options)
        s = setup.new_state(chosen[AIRCRAFT.id], chosen[SET_UP.id], GAMES[chosen[CAMPAIGN.id]], Turn(0))
        settle(s)
        return s

    def observe(self, s: State, seat: Seat) -> dict[str, Any]:
        return view.observe(cast(BulgeState, s), seat)

    def resample(self, s: State, seat: Seat, roller: Roller) -> State:
        return s.clone()

    def result(self, s: State) -> Result | None:
        return result(cast(BulgeState, s))

    def check(self, s: State) -> list[str]:
        return list(check.broken_invariants(cast(BulgeState, s)))

    def heading(self, s: State) -> str:
        s = cast(BulgeState, s)
        phase = view.SEQUENCE[view.phase(s)]
        game = f"Game {s.game + 1}, " if s.games > 1 else ""
        if isinstance(s.stack[-1], Deploy):
            return f"{game}Set-up"
        side = f"{phase['side']} " if "side" in phase else ""
        return f"{game}Turn {s.turn}, {side}{phase['key'].replace('-', ' ')}"

    def write_position(self, s: State) -> str:
        return notation.write_position(cast(BulgeState, s))

    def read_position(self, text: str) -> State:
        return notation.read_position(text, self.frames)

    def components(self) -> dict[str, Any]:
        return view.components()

    def preview(self, s: State, action: Action) -> dict[str, Any]:
        return view.preview(cast(BulgeState, s), action)

    def show_roll(self, s: State, faces: Sequence[int]) -> dict[str, Any]:
        return panels.rolled_strips(cast(BulgeState, s), faces) or {}

    def overlay(self, s: State, seat: Seat, name: str) -> dict[str, Any]:
        return view.overlay(cast(BulgeState, s), seat, name)

    def features(self, s: State, seat: Seat) -> dict[str, float]:
        return judge.features(cast(BulgeState, s), seat)


GAME = BattleOfTheBulge()
