"""Axis & Allies: Battle of the Bulge."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from salient.games.bulge import check, plans, setup, view
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
from salient.games.bulge.components import GAME_ID, SEATS, Data
from salient.games.bulge.judge import BulgeJudge
from salient.games.bulge.model import BulgeState
from salient.games.bulge.movement import Activate, Move, Movement, Pay, TruckReturn
from salient.games.bulge.notation import BulgeNotation
from salient.games.bulge.reinforcements import Arrive
from salient.games.bulge.retreats import Retreat
from salient.games.bulge.sequence import PHASES, Turn
from salient.games.bulge.setup import AIRCRAFT, CAMPAIGN, GAMES, SET_UP, Deploy
from salient.games.bulge.situation import NEWS
from salient.games.bulge.trucks import Convoys, Trucks
from salient.games.bulge.upkeep import Capture, EnforceStacking, OfferCapture, Overstack
from salient.games.bulge.victory import result
from salient.kernel import AnyFrame, Game, GameOver, Result, Roller, Scenario, Seat, settle
from salient.kernel.sequence import SETTING_UP, Stage

FRAMES: tuple[type[AnyFrame], ...] = (
    Deploy, Turn, AirInitiative, ChooseFirst, Fly, AirRound, AirBattles, AirBattle, Dogfight, AntiAircraft,
    GroundInitiative, Initiative, Combat, Pay, Battles, LastBattle, BattleRoll, Retreat, PassInitiative,
    TruckReturn, Movement, Activate, Move, Convoys, Trucks, Arrive, OfferCapture, Capture, EnforceStacking, Overstack,
    GameOver,
)  # fmt: skip


class BattleOfTheBulge(Game[BulgeState]):
    """The game by its rulebook."""

    id = GAME_ID
    title = "Axis & Allies: Battle of the Bulge"
    seats = SEATS
    rules_version = 3
    options = (AIRCRAFT, SET_UP, CAMPAIGN)
    state_type = BulgeState
    news = NEWS
    frames = {frame.__name__: frame for frame in FRAMES}  # noqa: RUF012
    view = view
    plans = plans

    def __init__(self, data: Data) -> None:
        super().__init__(data)
        self.board = data.ground.board
        self.data_hash = data.data_hash
        self.scenarios = (Scenario("historical", data.tables.turns, str(data.tables.scenario["rule"])),)
        self.notation = BulgeNotation(data)
        self.judge = BulgeJudge(data)

    def new(self, scenario: str = "", options: Mapping[str, str] | None = None) -> BulgeState:
        self.scenario(scenario)
        chosen = self.chosen_options(options)
        games = GAMES[chosen[CAMPAIGN.id]]
        s = setup.new_state(self.data, chosen[AIRCRAFT.id], chosen[SET_UP.id], games, Turn(SETTING_UP))
        settle(s)
        return s

    def resample(self, s: BulgeState, seat: Seat, roller: Roller) -> BulgeState:
        return s.clone()

    def stage(self, s: BulgeState) -> Stage:
        return PHASES.stage(s, s.turn)

    def result(self, s: BulgeState) -> Result | None:
        return result(s)

    def check(self, s: BulgeState) -> list[str]:
        return list(check.broken_invariants(s))


def open_game(own: Path | None = None) -> BattleOfTheBulge:
    """The game, with a player's own rows laid over its data; DataError if they are not sound."""
    return BattleOfTheBulge(Data.read(own))
