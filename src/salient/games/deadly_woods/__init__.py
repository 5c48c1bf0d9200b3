"""The Deadly Woods: the Battle of the Bulge, 16 December 1944 to 15 January 1945."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from salient.common.sides import GERMAN, SEATS
from salient.games.deadly_woods import check, plans, setup, view
from salient.games.deadly_woods.assets import Deploy, DropRoll, Engineers, Motorize, PlaceMarker
from salient.games.deadly_woods.chits import (
    ChooseArmy,
    ChooseFormation,
    Draw,
    FirstChit,
    Held,
    Mode,
    React,
    Rounds,
    army_is_secret,
)
from salient.games.deadly_woods.combat import Attack, CombatRoll, Fight, Fighting, Support
from salient.games.deadly_woods.components import GAME_ID, Data
from salient.games.deadly_woods.judge import WoodsJudge
from salient.games.deadly_woods.losses import BoundaryLoss, Lose
from salient.games.deadly_woods.model import PZ5, PZ6, WoodsState
from salient.games.deadly_woods.move_unit import HoldDoor, MoveUnit, UnderWay
from salient.games.deadly_woods.movement_phase import Movement, Select
from salient.games.deadly_woods.notation import WoodsNotation
from salient.games.deadly_woods.reinforcements import Arrivals, Arrive, Arrived, PlaceAir
from salient.games.deadly_woods.replacements import Replace
from salient.games.deadly_woods.results import Advance, Aftermath, BlowHeld, Convert
from salient.games.deadly_woods.retreats import BeginRetreat, BlowBehind, BlowRoll, Retreat, Retreats, Stand
from salient.games.deadly_woods.rounds import EndRound
from salient.games.deadly_woods.sequence import PHASES, Opening, Turn
from salient.games.deadly_woods.setup import COMBAT_BONUS
from salient.games.deadly_woods.situation import NEWS
from salient.games.deadly_woods.stacking import Overstack, Stacking
from salient.games.deadly_woods.victory import Withdrawal, result
from salient.kernel import AnyFrame, Game, GameOver, Result, Roller, Scenario, Seat, settle
from salient.kernel.sequence import Stage

FRAMES: tuple[type[AnyFrame], ...] = (
    Turn, Opening, Engineers, PlaceMarker, Motorize, Deploy, DropRoll, Withdrawal, Replace, ChooseArmy, FirstChit,
    Rounds, Draw, Held, Mode, ChooseFormation, React, Arrivals, Arrive, Arrived, PlaceAir, EndRound, Movement, Select,
    MoveUnit, UnderWay, HoldDoor, Stacking, Overstack, Fighting, Fight, Attack, Support, CombatRoll, Convert, Lose,
    BoundaryLoss,
    BeginRetreat, Stand, Retreats, Retreat, BlowBehind, BlowRoll, Aftermath, BlowHeld, Advance, GameOver,
)  # fmt: skip


class DeadlyWoods(Game[WoodsState]):
    """The game by its rulebook."""

    id = GAME_ID
    title = "The Deadly Woods"
    seats = SEATS
    rules_version = 5
    options = (COMBAT_BONUS,)
    state_type = WoodsState
    secret_verbs = frozenset({"choose"})
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
        self.notation = WoodsNotation(data)
        self.judge = WoodsJudge(data)

    def new(self, scenario: str = "", options: Mapping[str, str] | None = None) -> WoodsState:
        s = setup.new_state(self.data, self.scenario(scenario).id, self.chosen_options(options)[COMBAT_BONUS.id])
        settle(s)
        return s

    def resample(self, s: WoodsState, seat: Seat, roller: Roller) -> WoodsState:
        other = s.clone()
        if seat != SEATS[GERMAN] and army_is_secret(other) and roller.die(2) == 1:
            other.cup[PZ5], other.cup[PZ6] = other.cup[PZ6], other.cup[PZ5]
        return other

    def stage(self, s: WoodsState) -> Stage:
        return PHASES.stage(s, s.turn)

    def result(self, s: WoodsState) -> Result | None:
        return result(s)

    def check(self, s: WoodsState) -> list[str]:
        return list(check.broken_invariants(s))


def open_game(own: Path | None = None) -> DeadlyWoods:
    """The game, with a player's own rows laid over its data; DataError if they are not sound."""
    return DeadlyWoods(Data.read(own))
