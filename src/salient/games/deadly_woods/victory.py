"""The Deadly Woods: 3.4, 5.2, 12.10 and 15, points, initiative and victory."""

from __future__ import annotations

from dataclasses import dataclass

from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.stacks import on_map
from salient.games.deadly_woods.components import INFANTRY
from salient.games.deadly_woods.model import WoodsState, steps_left, take_off
from salient.games.deadly_woods.supply import is_supplied, supplied_hexes
from salient.hexes.sets import UnitId
from salient.kernel import Action, Frame, GameOver, Prompt, Refusal, Result, Seat
from salient.kernel.messages import Sink

SUDDEN_DEATH_POINTS = 5
SUDDEN_DEATH_STEPS = 9
ATTACK_POINTS = 4
CAMPAIGN_POINTS, CAMPAIGN_POINTS_WITHOUT_WITHDRAWAL = 2, 3
INITIATIVE_POINTS = 3
WITHDRAWAL_TURN = 11
WITHDRAWAL_STEPS = 12
WITHDRAWING = frozenset({"1SS", "2SS", "9SS", "12SS", "FB"})

# ---- 3.4 Points -----------------------------------------------------------------------------------


def points(s: WoodsState) -> int:
    """German victory points: victory hexes that Germans control and supply [3.4, 15]."""
    return (s.german_held & s.ground.victory & supplied_hexes(s, GERMAN)).bit_count()


def steps_over_meuse(s: WoodsState) -> int:
    """Supplied German motorized steps west of the Meuse in the British zone [3.4]."""
    there = s.ground.west_of_meuse & s.ground.british_zone
    return sum(
        steps_left(s, u)
        for u in s.units.of_side[GERMAN]
        if on_map(s, u) and there >> s.where[u] & 1 and s.units.kind[u][s.lost[u]] != INFANTRY and is_supplied(s, u)
    )


# ---- 5.2 Initiative ---------------------------------------------------------------------------------


def initiative_of(s: WoodsState) -> int:
    """Germans to turn 5 and, with three points, on turn 6; then the Allies."""
    if s.turn <= 5 or (s.turn == 6 and points(s) >= INITIATIVE_POINTS):
        return GERMAN
    return ALLIED


# ---- the end ------------------------------------------------------------------------------------------


def turns_of(s: WoodsState) -> int:
    """How many turns the scenario lasts [3.1, 3.3]."""
    return int(s.tables.scenarios[s.scenario]["turns"])


def win(s: WoodsState, side: int, key: str, out: Sink) -> None:
    """End the game."""
    s.winner, s.result_key = SEATS[side], key
    out("3.4", "game-won", seat=s.winner)
    s.stack = (GameOver(),)


def check_victory(s: WoodsState, out: Sink) -> None:
    """Sudden death, then the conditions of the scenario at its end [3.4, 15]."""
    held = points(s)
    out("15", "points-counted", n_points=held)
    if held >= SUDDEN_DEATH_POINTS:
        win(s, GERMAN, "sudden-death-points", out)
    elif steps_over_meuse(s) >= SUDDEN_DEATH_STEPS:
        win(s, GERMAN, "sudden-death-meuse", out)
    elif s.turn == turns_of(s):
        needed = points_needed(s)
        win(s, GERMAN if held >= needed else ALLIED, "enough-points" if held >= needed else "too-few-points", out)


def points_needed(s: WoodsState) -> int:
    """What the Germans need at the end [3.4]."""
    if s.scenario == "attack":
        return ATTACK_POINTS
    return CAMPAIGN_POINTS_WITHOUT_WITHDRAWAL if s.withdrawal == 2 else CAMPAIGN_POINTS


def result(s: WoodsState) -> Result | None:
    """The result once the game is over."""
    return Result(s.winner, "3.4", s.result_key) if s.winner else None


# ---- 12.10 The SS withdraw ---------------------------------------------------------------------------------


def withdrawing_units(s: WoodsState) -> list[UnitId]:
    """The units on the map that are called away on turn 11, ascending."""
    formation = s.units.formation
    return [u for u in s.units.of_side[GERMAN] if on_map(s, u) and formation[u] in WITHDRAWING]


def withdrawing_guns(s: WoodsState) -> list[int]:
    """The guns of 6th Panzer Army that are still in the game, ascending."""
    return [a for a in s.assets.guns[GERMAN] if s.assets.force[a] == "6" and s.asset[a] != s.ground.gone]


def withdraw_ss(s: WoodsState, out: Sink) -> None:
    """Turn 11: with twelve steps they go, unless three points allow the German to keep them; with fewer, three points
    are needed at once."""
    if s.turn != WITHDRAWAL_TURN:
        return
    steps = sum(steps_left(s, u) for u in withdrawing_units(s)) + len(withdrawing_guns(s))
    enough = points(s) >= CAMPAIGN_POINTS_WITHOUT_WITHDRAWAL
    if steps >= WITHDRAWAL_STEPS:
        if enough:
            s.push(Withdrawal())
        else:
            carry_out_withdrawal(s, out)
    elif enough:
        s.withdrawal = 2
        out("12.10", "withdrawal-too-late", n_steps=steps)
    else:
        win(s, ALLIED, "ss-worn-out", out)


def carry_out_withdrawal(s: WoodsState, out: Sink) -> None:
    """Take the supplied units and the guns out of the game."""
    s.withdrawal = 1
    units = tuple(u for u in withdrawing_units(s) if is_supplied(s, u))
    for u in units:
        take_off(s, u, s.ground.gone)
    for a in withdrawing_guns(s):
        s.asset[a] = s.ground.gone
    out("12.10", "ss-withdrawn", units=units)


@dataclass(frozen=True, slots=True)
class Withdrawal(Frame[WoodsState]):
    """With three points the German may cancel the withdrawal; he then needs three at the end."""

    def actor(self, s: WoodsState) -> Seat:
        return SEATS[GERMAN]

    def legal(self, s: WoodsState) -> list[Action]:
        return [("keep",), ("pass",)]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "keep":
            s.withdrawal = 2
            out("12.10", "withdrawal-cancelled")
        else:
            carry_out_withdrawal(s, out)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("12.10", "withdraw-or-keep", units=tuple(withdrawing_units(s)))

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        return [Refusal("12.10", "keep-or-pass")]
