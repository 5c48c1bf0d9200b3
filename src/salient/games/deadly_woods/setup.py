"""The Deadly Woods: 3.2, set-up."""

from __future__ import annotations

from salient.common.sides import GERMAN
from salient.games.deadly_woods.model import (
    ARRIVAL,
    ASSET_START,
    ASSET_TURN,
    ASSETS,
    BLOWN_AT_START,
    BOARD,
    BONUS,
    BOX,
    CHITS,
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
from salient.kernel import Option

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
    s.lost = [0] * COUNT
    s.asset = [_asset_start(a, option) for a in range(len(ASSETS))]
    s.cup = [0] * len(CHITS)
    s.reinforcements = [0, 0]
    s.turn, s.initiative, s.hand, s.track, s.mc_played = 1, GERMAN, -1, (), 0
    s.german_held = GERMAN_START & (SETTLED | VICTORY)
    s.blown = BLOWN_AT_START
    s.built = s.oos = s.detour = s.st_vith = s.fuel = s.infiltrated = s.meuse_crossed = s.fifth_free = 0
    s.withdrawal = s.infantry_points = s.armor_points = s.rebuilt = 0
    s.motor = -1
    s.winner = s.result_key = ""
    clear_round(s)
    s.clear_caches()
    s.stack = (Turn(0),)
    return s
