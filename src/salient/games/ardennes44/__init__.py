"""Ardennes '44, third edition: the German offensive of 16 to 30 December 1944."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from salient.common.sides import GERMAN, SEATS
from salient.games.ardennes44 import check, judge, notation, setup, view
from salient.games.ardennes44.advances import Advance
from salient.games.ardennes44.bridges import BridgePhase, Bridging, DemolitionRoll, DepotRoll, SendCommando
from salient.games.ardennes44.combat import (
    Attack,
    BlowBridge,
    BlowDepot,
    Breakthrough,
    BurnRoll,
    CallOff,
    ChargeRoll,
    EndCombat,
    Fight,
    Fighting,
    OurenAttack,
)
from salient.games.ardennes44.disengagement import Disengage, DisengageRoll, Disengaging
from salient.games.ardennes44.entering import DUMMY, HIDDEN, OurenRoll
from salient.games.ardennes44.losses import Lose
from salient.games.ardennes44.model import DATA_HASH, GAME_ID, SCENARIOS, ArdennesState
from salient.games.ardennes44.moving import AirRoll, EndMovement, Movement, Select
from salient.games.ardennes44.phases import (
    ChooseDivision,
    FuelRoll,
    Ready,
    Recovery,
    RecoveryRoll,
    SurrenderRoll,
)
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
from salient.games.ardennes44.sequence import BodenplatteRoll, Turn
from salient.games.ardennes44.setup import HideDepot, SetUp
from salient.games.ardennes44.stacking import Overstack, Stacking
from salient.games.ardennes44.support import BarrageRoll, CombatRoll, JaboRoll, Support, SurpriseRoll
from salient.games.ardennes44.traffic import Blocking, PlaceTraffic, Placing, Roadblocks, TrafficRoll
from salient.games.ardennes44.victory import Antwerp, result
from salient.games.ardennes44.walking import DisguiseRoll, MoveUnit
from salient.kernel import Action, Frame, Game, GameOver, Result, Roller, Scenario, Seat, State, settle

FRAMES: tuple[type[Frame], ...] = (
    Turn, SetUp, HideDepot, BodenplatteRoll, Ready, FuelRoll, ChooseDivision, BridgePhase, Bridging,
    DemolitionRoll, SendCommando, DepotRoll, Movement, Select, MoveUnit, EndMovement, AirRoll, JagdtigerRoll,
    DisguiseRoll, DropRoll, OurenRoll, Stacking, Overstack, Recovery, RecoveryRoll, Fighting, Fight, EndCombat, Attack,
    OurenAttack, BlowBridge, ChargeRoll, CallOff, BlowDepot, BurnRoll, Support, SurpriseRoll, BarrageRoll, JaboRoll,
    CombatRoll, Evade, Firefight, FirefightRoll, TakeAdvantage, HoldStage, RetreatStage, AdvanceStage, EndBattle,
    Determined, StandRoll, Lose, Retreats, Retreat, Advance, Breakthrough, Disengaging, DisengageRoll, Disengage,
    Placing, PlaceTraffic, TrafficRoll, Blocking, Roadblocks, SurrenderRoll, Antwerp, Replace, GameOver,
)  # fmt: skip


class Ardennes44(Game):
    """The game by its rulebook."""

    id = GAME_ID
    title = "Ardennes '44"
    seats = SEATS
    rules_version = 2
    scenarios = tuple(Scenario(name, int(entry["turns"]), str(entry["rule"])) for name, entry in SCENARIOS.items())
    options = setup.OPTIONS
    state_type = ArdennesState
    secret_verbs = frozenset({"hide"})
    weighs_rolls = True
    piece_worth = 0.02
    frames = {frame.__name__: frame for frame in FRAMES}  # noqa: RUF012
    notation = notation.NOTATION
    data_hash = DATA_HASH

    def new(self, scenario: str = "", options: Mapping[str, str] | None = None) -> State:
        s = setup.new_state(self.scenario(scenario).id, self.chosen_options(options))
        settle(s)
        return s

    def observe(self, s: State, seat: Seat) -> dict[str, Any]:
        return view.observe(cast(ArdennesState, s), seat)

    def resample(self, s: State, seat: Seat, roller: Roller) -> State:
        other = cast(ArdennesState, s.clone())
        hidden = [i for i, depot in enumerate(other.depots) if depot in (DUMMY, HIDDEN)]
        if seat == SEATS[GERMAN] and HIDDEN in other.depots:
            real = hidden[roller.die(len(hidden)) - 1]
            other.depots = tuple(
                (HIDDEN if i == real else DUMMY) if i in hidden else depot for i, depot in enumerate(other.depots)
            )
        return other

    def result(self, s: State) -> Result | None:
        return result(cast(ArdennesState, s))

    def check(self, s: State) -> list[str]:
        return list(check.broken_invariants(cast(ArdennesState, s)))

    def heading(self, s: State) -> str:
        return view.heading(cast(ArdennesState, s))

    def write_position(self, s: State) -> str:
        return notation.write_position(cast(ArdennesState, s))

    def read_position(self, text: str) -> State:
        return notation.read_position(text, self.frames)

    def components(self) -> dict[str, Any]:
        return view.components()

    def preview(self, s: State, action: Action) -> dict[str, Any]:
        return view.preview(cast(ArdennesState, s), action)

    def overlay(self, s: State, seat: Seat, name: str) -> dict[str, Any]:
        return view.overlay(cast(ArdennesState, s), seat, name)

    def candidates(self, s: State) -> list[Action]:
        return judge.candidates(cast(ArdennesState, s))

    def pending(self, s: State, seat: Seat) -> float:
        return judge.pending(cast(ArdennesState, s), seat)

    def features(self, s: State, seat: Seat) -> dict[str, float]:
        return judge.features(cast(ArdennesState, s), seat)


GAME = Ardennes44()
