"""Target Arnhem: Across Six Bridges."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from salient.common.sides import SEATS
from salient.games.target_arnhem import check, plans, setup, view
from salient.games.target_arnhem.combat import Advance, Attack, CombatRoll, Flip, Lose
from salient.games.target_arnhem.components import GAME_ID, Data
from salient.games.target_arnhem.judge import ArnhemJudge
from salient.games.target_arnhem.model import ArnhemState
from salient.games.target_arnhem.movement import Underway
from salient.games.target_arnhem.notation import ArnhemNotation
from salient.games.target_arnhem.reinforcements import Reinforce
from salient.games.target_arnhem.sequence import PHASES, EndOfImpulse, Impulse, Overstack, SupplyRoll, Turn
from salient.games.target_arnhem.setup import SUPPLY_ZONES, PlaceZones
from salient.games.target_arnhem.situation import NEWS
from salient.games.target_arnhem.victory import result
from salient.kernel import AnyFrame, Game, GameOver, Result, Roller, Scenario, Seat, settle
from salient.kernel.sequence import Stage

FRAMES: tuple[type[AnyFrame], ...] = (
    PlaceZones, Turn, SupplyRoll, Reinforce, Impulse, Underway, Attack, CombatRoll, Flip, Lose, Advance,
    EndOfImpulse, Overstack, GameOver,
)  # fmt: skip


class TargetArnhem(Game[ArnhemState]):
    """The game by its rulebook."""

    id = GAME_ID
    title = "Target Arnhem"
    seats = SEATS
    rules_version = 3
    options = (SUPPLY_ZONES,)
    state_type = ArnhemState
    news = NEWS
    frames = {frame.__name__: frame for frame in FRAMES}  # noqa: RUF012
    view = view
    plans = plans

    def __init__(self, data: Data) -> None:
        super().__init__(data)
        self.board = data.ground.board
        self.data_hash = data.data_hash
        self.scenarios = (Scenario("historical", data.tables.turns, str(data.tables.scenario["rule"])),)
        self.notation = ArnhemNotation(data)
        self.judge = ArnhemJudge(data)

    def new(self, scenario: str = "", options: Mapping[str, str] | None = None) -> ArnhemState:
        self.scenario(scenario)
        s = setup.new_state(self.data, self.chosen_options(options)[SUPPLY_ZONES.id])
        settle(s)
        return s

    def resample(self, s: ArnhemState, seat: Seat, roller: Roller) -> ArnhemState:
        return s.clone()

    def stage(self, s: ArnhemState) -> Stage:
        return PHASES.stage(s, s.turn)

    def result(self, s: ArnhemState) -> Result | None:
        return result(s)

    def check(self, s: ArnhemState) -> list[str]:
        return list(check.broken_invariants(s))


def open_game(own: Path | None = None) -> TargetArnhem:
    """The game, with a player's own rows laid over its data; DataError if they are not sound."""
    return TargetArnhem(Data.read(own))
