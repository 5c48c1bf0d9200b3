"""The Deadly Woods: 3.2, set-up."""

from __future__ import annotations

from salient.games.deadly_woods.components import Data
from salient.games.deadly_woods.model import WoodsState
from salient.games.deadly_woods.rounds import clear_round
from salient.games.deadly_woods.sequence import Turn
from salient.hexes.sets import HexSet, UnitId
from salient.kernel import Option
from salient.kernel.sequence import SETTING_UP

STANDARD, BONUS_CHOICE = "standard", "plus-two"
COMBAT_BONUS = Option("combat-bonus", (STANDARD, BONUS_CHOICE), "16.1")


def _start_of(data: Data, u: UnitId) -> int:
    units, ground = data.units, data.ground
    if units.start[u] >= 0:
        return units.start[u]
    return ground.box if u == units.delay and units.arrival[u] == (0, 0) else ground.track


def _asset_start(data: Data, a: int, option: str) -> int:
    assets, ground = data.assets, data.ground
    if a == assets.bonus:
        return ground.box if option == BONUS_CHOICE else ground.gone
    if assets.start[a] in ground.board.index:
        return ground.board.index[assets.start[a]]
    return ground.track_turn(assets.turn[a]) if assets.turn[a] else ground.box


def new_state(data: Data, scenario: str, option: str) -> WoodsState:
    """The set-up: units, assets, the four blown bridges, the fuel depot, control west of the Westwall [3.2, 3.5]."""
    s = WoodsState(data)
    s.scenario, s.option = scenario, option
    s.where = [_start_of(data, u) for u in data.units.all]
    s.asset = [_asset_start(data, a, option) for a in range(data.assets.count)]
    s.german_held = HexSet(data.ground.german_start & data.ground.controlled)
    s.blown = data.ground.blown_at_start
    clear_round(s)
    s.stack = (Turn(SETTING_UP),)
    return s
