"""Battle of the Bulge: the sequence of play. Rules 2.1, 7.2, 8.8 and 9.8."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from salient.games.bulge.air import begin_air_combat, return_aircraft
from salient.games.bulge.combat import begin_ground_combat
from salient.games.bulge.model import ALLIED, AXIS, HEXES, SEATS, TURN_COLOURS, BulgeState
from salient.games.bulge.movement import Movement, offer_return
from salient.games.bulge.reinforcements import offer_arrivals, receive_trucks
from salient.games.bulge.setup import begin_game
from salient.games.bulge.supply import receive
from salient.games.bulge.trucks import Convoys, unload
from salient.games.bulge.upkeep import EnforceStacking, capture, move_front_line, points
from salient.games.bulge.victory import decide_winner, is_decided, score_game
from salient.kernel import AutoFrame, GameOver
from salient.kernel.messages import Sink

# ---- 2.1 A turn ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Turn(AutoFrame):
    """The program counter of a turn: runs one phase after the other."""

    step: int

    def run(self, s: BulgeState, out: Sink) -> None:
        s.swap(Turn((self.step + 1) % len(PHASES)))
        PHASES[self.step](s, out)


def begin_turn(s: BulgeState, out: Sink) -> None:
    """Announce the turn."""
    out("2.1", "turn-begins", n_turn=s.turn, word_colour=TURN_COLOURS[s.turn - 1])


# ---- 7, 8 Movement and reinforcement: the Axis first, then the Allies ------------------------------------


def truck_returns(s: BulgeState, out: Sink) -> None:
    """Before anybody moves, both sides may take trucks home [7.1]."""
    offer_return(s, ALLIED)
    offer_return(s, AXIS)


Phase = Callable[[BulgeState, Sink], None]


def movement(side: int) -> Phase:
    """The phase in which a side activates and moves its hexes."""

    def begin(s: BulgeState, out: Sink) -> None:
        out("7.2", "movement-begins", word_side=SEATS[side])
        s.push(Movement(side, 0))

    return begin


def reinforcement(side: int) -> Phase:
    """The phase in which a side receives supply and drives its trucks."""

    def begin(s: BulgeState, out: Sink) -> None:
        receive(s, side, out)
        receive_trucks(s, side, out)
        s.push(Convoys(side, 0))

    return begin


def arrivals(side: int) -> Phase:
    """The phase in which a side places pieces from its charts."""

    def begin(s: BulgeState, out: Sink) -> None:
        offer_arrivals(s, side)

    return begin


def end_of_movement(side: int) -> Phase:
    """Trucks unload, and everything may move again next turn [4.7.4, 8.8]."""

    def finish(s: BulgeState, out: Sink) -> None:
        unload(s, side, out)
        s.moved = [0] * (4 * HEXES)
        s.activated = s.parked = 0

    return finish


# ---- 9 Board upkeep ------------------------------------------------------------------------------------------


def enforce_stacking(s: BulgeState, out: Sink) -> None:
    """Stacks above the limits are reduced by the opponent [9.6]."""
    s.push(EnforceStacking())


def end_turn(s: BulgeState, out: Sink) -> None:
    """Count the points; the game goes on unless it is decided [9.7, 9.8, 10]."""
    out("9.7", "points-counted", n_points=points(s.control))
    s.attacked = 0
    if not is_decided(s):
        s.turn += 1
        return
    score_game(s, out)
    if s.game + 1 < s.games:
        s.game += 1
        begin_game(s, out)
    else:
        decide_winner(s, out)
        s.stack = (GameOver(),)


PHASES: tuple[Phase, ...] = (
    begin_turn,
    begin_air_combat,
    return_aircraft,
    begin_ground_combat,
    truck_returns,
    *(phase(side) for side in (AXIS, ALLIED) for phase in (movement, reinforcement, arrivals, end_of_movement)),
    move_front_line,
    capture,
    enforce_stacking,
    end_turn,
)
