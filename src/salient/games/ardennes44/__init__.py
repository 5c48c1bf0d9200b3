"""Ardennes '44, third edition: the German offensive of 16 to 30 December 1944."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from salient.common.sides import GERMAN, SEATS
from salient.games.ardennes44 import check, plans, setup, view
from salient.games.ardennes44.advances import Advance
from salient.games.ardennes44.air import AirRoll, BodenplatteRoll
from salient.games.ardennes44.artillery import Ready
from salient.games.ardennes44.bridges import BridgePhase, Bridging, DemolitionRoll, DepotRoll, SendCommando
from salient.games.ardennes44.charges import BlowBridge, BlowDepot, BurnRoll, CallOff, ChargeRoll, OurenAttack
from salient.games.ardennes44.combat import Attack, Breakthrough, EndCombat, Fight, Fighting
from salient.games.ardennes44.components import GAME_ID, Data
from salient.games.ardennes44.disengagement import Disengage, DisengageRoll, Disengaging
from salient.games.ardennes44.entering import DUMMY, HIDDEN, OurenRoll
from salient.games.ardennes44.fuel import ChooseDivision, FuelRoll
from salient.games.ardennes44.judge import ArdennesJudge
from salient.games.ardennes44.losses import Lose
from salient.games.ardennes44.model import ArdennesState
from salient.games.ardennes44.move_unit import DisguiseRoll, MoveUnit
from salient.games.ardennes44.movement_phase import EndMovement, Movement, Select
from salient.games.ardennes44.notation import ArdennesNotation
from salient.games.ardennes44.recovery import Recovery, RecoveryRoll
from salient.games.ardennes44.reinforcements import DropRoll, JagdtigerRoll
from salient.games.ardennes44.replacements import Replace
from salient.games.ardennes44.results import (
    AdvanceStage,
    Determined,
    EndBattle,
    Evade,
    Firefight,
    FirefightRoll,
    HoldStage,
    RetreatStage,
    StandRoll,
    TakeAdvantage,
)
from salient.games.ardennes44.retreats import Retreat, Retreats
from salient.games.ardennes44.sequence import PHASES, Turn
from salient.games.ardennes44.setup import HideDepot, SetUp
from salient.games.ardennes44.situation import NEWS
from salient.games.ardennes44.stacking import Overstack, Stacking
from salient.games.ardennes44.supply import SurrenderRoll
from salient.games.ardennes44.support import BarrageRoll, CombatRoll, JaboRoll, Support, SurpriseRoll
from salient.games.ardennes44.traffic import Blocking, PlaceTraffic, Placing, Roadblocks, TrafficRoll
from salient.games.ardennes44.victory import Antwerp, result
from salient.kernel import AnyFrame, Game, GameOver, Result, Roller, Scenario, Seat, settle
from salient.kernel.sequence import Stage

FRAMES: tuple[type[AnyFrame], ...] = (
    Turn, SetUp, HideDepot, BodenplatteRoll, Ready, FuelRoll, ChooseDivision, BridgePhase, Bridging,
    DemolitionRoll, SendCommando, DepotRoll, Movement, Select, MoveUnit, EndMovement, AirRoll, JagdtigerRoll,
    DisguiseRoll, DropRoll, OurenRoll, Stacking, Overstack, Recovery, RecoveryRoll, Fighting, Fight, EndCombat, Attack,
    OurenAttack, BlowBridge, ChargeRoll, CallOff, BlowDepot, BurnRoll, Support, SurpriseRoll, BarrageRoll, JaboRoll,
    CombatRoll, Evade, Firefight, FirefightRoll, TakeAdvantage, HoldStage, RetreatStage, AdvanceStage, EndBattle,
    Determined, StandRoll, Lose, Retreats, Retreat, Advance, Breakthrough, Disengaging, DisengageRoll, Disengage,
    Placing, PlaceTraffic, TrafficRoll, Blocking, Roadblocks, SurrenderRoll, Antwerp, Replace, GameOver,
)  # fmt: skip


class Ardennes44(Game[ArdennesState]):
    """The game by its rulebook."""

    id = GAME_ID
    title = "Ardennes '44"
    seats = SEATS
    rules_version = 5
    options = setup.OPTIONS
    state_type = ArdennesState
    secret_verbs = frozenset({"hide"})
    news = NEWS
    frames = {frame.__name__: frame for frame in FRAMES}  # noqa: RUF012
    view = view
    plans = plans

    def __init__(self, data: Data) -> None:
        super().__init__(data)
        self.board = data.ground.board
        self.data_hash = data.data_hash
        self.scenarios = tuple(
            Scenario(name, int(entry["turns"]), str(entry["rule"])) for name, entry in data.tables.scenarios.items()
        )
        self.notation = ArdennesNotation(data)
        self.judge = ArdennesJudge(data)

    def new(self, scenario: str = "", options: Mapping[str, str] | None = None) -> ArdennesState:
        s = setup.new_state(self.data, self.scenario(scenario).id, self.chosen_options(options))
        settle(s)
        return s

    def resample(self, s: ArdennesState, seat: Seat, roller: Roller) -> ArdennesState:
        other = s.clone()
        hidden = [i for i, depot in enumerate(other.depots) if depot in (DUMMY, HIDDEN)]
        if seat == SEATS[GERMAN] and HIDDEN in other.depots:
            real = hidden[roller.die(len(hidden)) - 1]
            other.depots = tuple(
                (HIDDEN if i == real else DUMMY) if i in hidden else depot for i, depot in enumerate(other.depots)
            )
        return other

    def stage(self, s: ArdennesState) -> Stage:
        return PHASES.stage(s, s.turn)

    def result(self, s: ArdennesState) -> Result | None:
        return result(s)

    def check(self, s: ArdennesState) -> list[str]:
        return list(check.broken_invariants(s))


def open_game(own: Path | None = None) -> Ardennes44:
    """The game, with a player's own rows laid over its data; DataError if they are not sound."""
    return Ardennes44(Data.read(own))
