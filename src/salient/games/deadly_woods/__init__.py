"""The Deadly Woods: the Battle of the Bulge, 16 December 1944 to 15 January 1945."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from salient.common.sides import GERMAN, SEATS
from salient.games.deadly_woods import check, judge, notation, setup, view
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
from salient.games.deadly_woods.combat import Attack, CombatRoll, Support
from salient.games.deadly_woods.losses import BoundaryLoss, Lose
from salient.games.deadly_woods.model import DATA_HASH, GAME_ID, PZ5, PZ6, SCENARIOS, WoodsState
from salient.games.deadly_woods.reinforcements import Arrivals, Arrive, PlaceAir
from salient.games.deadly_woods.replacements import Replace
from salient.games.deadly_woods.results import Advance, Aftermath, BlowHeld, Convert
from salient.games.deadly_woods.retreats import BeginRetreat, BlowBehind, BlowRoll, Retreat, Retreats, Stand
from salient.games.deadly_woods.rounds import EndRound, Fight, Fighting, HoldDoor, Movement, MoveUnit, Select, UnderWay
from salient.games.deadly_woods.sequence import Opening, Turn
from salient.games.deadly_woods.setup import COMBAT_BONUS
from salient.games.deadly_woods.stacking import Overstack, Stacking
from salient.games.deadly_woods.victory import Withdrawal, result
from salient.kernel import Action, Frame, Game, GameOver, Result, Roller, Scenario, Seat, State, settle

FRAMES: tuple[type[Frame], ...] = (
    Turn, Opening, Engineers, PlaceMarker, Motorize, Deploy, DropRoll, Withdrawal, Replace, ChooseArmy, FirstChit,
    Rounds, Draw, Held, Mode, ChooseFormation, React, Arrivals, Arrive, PlaceAir, EndRound, Movement, Select, MoveUnit,
    UnderWay, HoldDoor, Stacking, Overstack, Fighting, Fight, Attack, Support, CombatRoll, Convert, Lose, BoundaryLoss,
    BeginRetreat, Stand, Retreats, Retreat, BlowBehind, BlowRoll, Aftermath, BlowHeld, Advance, GameOver,
)  # fmt: skip


class DeadlyWoods(Game):
    """The game by its rulebook."""

    id = GAME_ID
    title = "The Deadly Woods"
    seats = SEATS
    rules_version = 3
    scenarios = tuple(Scenario(name, int(entry["turns"]), str(entry["rule"])) for name, entry in SCENARIOS.items())
    options = (COMBAT_BONUS,)
    state_type = WoodsState
    secret_verbs = frozenset({"choose"})
    weighs_rolls = True
    piece_worth = 0.01  # a unit attacks once a round and seldom has another target
    frames = {frame.__name__: frame for frame in FRAMES}  # noqa: RUF012
    notation = notation.NOTATION
    data_hash = DATA_HASH

    def new(self, scenario: str = "", options: Mapping[str, str] | None = None) -> State:
        s = setup.new_state(self.scenario(scenario).id, self.chosen_options(options)[COMBAT_BONUS.id])
        settle(s)
        return s

    def observe(self, s: State, seat: Seat) -> dict[str, Any]:
        return view.observe(cast(WoodsState, s), seat)

    def resample(self, s: State, seat: Seat, roller: Roller) -> State:
        other = cast(WoodsState, s.clone())
        if seat != SEATS[GERMAN] and army_is_secret(other) and roller.die(2) == 1:
            other.cup[PZ5], other.cup[PZ6] = other.cup[PZ6], other.cup[PZ5]
        return other

    def result(self, s: State) -> Result | None:
        return result(cast(WoodsState, s))

    def check(self, s: State) -> list[str]:
        return list(check.broken_invariants(cast(WoodsState, s)))

    def heading(self, s: State) -> str:
        s = cast(WoodsState, s)
        phase = view.SEQUENCE[view.phase(s)]["key"]
        return f"Turn {s.turn}, round {len(s.track)}" if phase == "rounds" else f"Turn {s.turn}, {phase}"

    def write_position(self, s: State) -> str:
        return notation.write_position(cast(WoodsState, s))

    def read_position(self, text: str) -> State:
        return notation.read_position(text, self.frames)

    def components(self) -> dict[str, Any]:
        return view.components()

    def preview(self, s: State, action: Action) -> dict[str, Any]:
        return view.preview(cast(WoodsState, s), action)

    def overlay(self, s: State, seat: Seat, name: str) -> dict[str, Any]:
        return view.overlay(cast(WoodsState, s), seat, name)

    def candidates(self, s: State) -> list[Action]:
        return judge.candidates(cast(WoodsState, s))

    def pending(self, s: State, seat: Seat) -> float:
        return judge.pending(cast(WoodsState, s), seat)

    def features(self, s: State, seat: Seat) -> dict[str, float]:
        return judge.features(cast(WoodsState, s), seat)


GAME = DeadlyWoods()
