"""The Deadly Woods: 3.2, set-up."""

from __future__ import annotations

from salient.games.deadly_woods.model import (
    ARRIVAL,
    ASSET_START,
    ASSET_TURN,
    ASSETS,
    BLOWN_AT_START,
    BOARD,
    BONUS,
    BOX,
    COUNT,
    DELAY,
    GERMAN_START,
    GONE,
    SETTLED,
    START,
    TRACK,
    VICTORY,
    WoodsState,
    track_turn,
)
from salient.games.deadly_woods.rounds import clear_round
from salient.games.deadly_woods.sequence import Turn
from salient.hexes.sets import HexSet
from salient.kernel import Option
from salient.kernel.sequence import SETTING_UP

STANDARD, BONUS_CHOICE = "standard", "plus-two"
COMBAT_BONUS = Option("combat-bonus", (STANDARD, BONUS_CHOICE), "16.1")


def _start_of(u: int) -> int:
    if START[u] >= 0:
        return START[u]
    return TRACK if ARRIVAL[u] > (0, 0) else BOX if u == DELAY else TRACK


def _asset_start(a: int, option: str) -> int:
    if a == BONUS:
        return BOX if option == BONUS_CHOICE else GONE
    if ASSET_START[a] in BOARD.index:
        return BOARD.index[ASSET_START[a]]
    if ASSET_TURN[a]:
        return track_turn(ASSET_TURN[a])
    return BOX


def new_state(scenario: str, option: str) -> WoodsState:
    """The set-up: units, assets, the four blown bridges, the fuel depot, control west of the Westwall [3.2, 3.5]."""
    s = WoodsState()
    s.scenario, s.option = scenario, option
    s.where = [_start_of(u) for u in range(COUNT)]
    s.asset = [_asset_start(a, option) for a in range(len(ASSETS))]
    s.german_held = HexSet(GERMAN_START & (SETTLED | VICTORY))
    s.blown = BLOWN_AT_START
    clear_round(s)
    s.stack = (Turn(SETTING_UP),)
    return s
