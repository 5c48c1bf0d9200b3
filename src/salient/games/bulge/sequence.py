"""Battle of the Bulge: the sequence of play. Rules 2.1, 7.2, 8.8 and 9.8."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from salient.games.bulge.air import begin_air_combat, return_aircraft
from salient.games.bulge.combat import begin_ground_combat
from salient.games.bulge.components import ALLIED, AXIS, SEATS
from salient.games.bulge.model import BulgeState
from salient.games.bulge.movement import Movement, offer_return
from salient.games.bulge.reinforcements import offer_arrivals, receive_trucks
from salient.games.bulge.setup import begin_game
from salient.games.bulge.supply import receive
from salient.games.bulge.trucks import Convoys, unload
from salient.games.bulge.upkeep import EnforceStacking, capture, move_front_line, points
from salient.games.bulge.victory import decide_winner, is_decided, score_game
from salient.hexes.sets import NO_HEXES
from salient.kernel import GameOver
from salient.kernel.messages import Sink
from salient.kernel.sequence import SETTING_UP, Phase, PhaseFrame, Phases

# ---- 2.1 A turn ---------------------------------------------------------------------------------------


def begin_turn(s: BulgeState, out: Sink) -> None:
    """Announce the turn."""
    out("2.1", "turn-begins", n_turn=s.turn, word_colour=s.tables.turn_colours[s.turn - 1])


# ---- 7, 8 Movement and reinforcement: the Axis first, then the Allies ------------------------------------


def truck_returns(s: BulgeState, out: Sink) -> None:
    """Before anybody moves, both sides may take trucks home [7.1]."""
    offer_return(s, ALLIED)
    offer_return(s, AXIS)


Begin = Callable[[BulgeState, Sink], None]


def movement(side: int) -> Begin:
    """The phase in which a side activates and moves its hexes."""

    def begin(s: BulgeState, out: Sink) -> None:
        out("7.2", "movement-begins", word_side=SEATS[side])
        s.push(Movement(side, 0))

    return begin


def reinforcement(side: int) -> Begin:
    """The phase in which a side receives supply and drives its trucks."""

    def begin(s: BulgeState, out: Sink) -> None:
        receive(s, side, out)
        receive_trucks(s, side, out)
        s.push(Convoys(side, 0))

    return begin


def arrivals(side: int) -> Begin:
    """The phase in which a side places pieces from its charts."""

    def begin(s: BulgeState, out: Sink) -> None:
        offer_arrivals(s, side)

    return begin


def end_of_movement(side: int) -> Begin:
    """Trucks unload, and everything may move again next turn [4.7.4, 8.8]."""

    def finish(s: BulgeState, out: Sink) -> None:
        unload(s, side, out)
        s.moved = bytearray(4 * s.ground.hexes)
        s.activated, s.parked = NO_HEXES, 0

    return finish


# ---- 9 Board upkeep ------------------------------------------------------------------------------------------


def enforce_stacking(s: BulgeState, out: Sink) -> None:
    """Stacks above the limits are reduced by the opponent [9.6]."""
    s.push(EnforceStacking())


def end_turn(s: BulgeState, out: Sink) -> None:
    """Count the points; the game goes on unless it is decided [9.7, 9.8, 10]."""
    out("9.7", "points-counted", n_points=points(s.ground, s.control))
    s.attacked = NO_HEXES
    if not is_decided(s):
        s.turn += 1
        return
    score_game(s, out)
    if s.game + 1 < s.games:
        s.game += 1
        s.swap(Turn(SETTING_UP))
        begin_game(s, out)
    else:
        decide_winner(s, out)
        s.stack = (GameOver(),)


# ---- the table [2.1] --------------------------------------------------------------------------------------


def _moving(side: int) -> tuple[Phase[BulgeState], ...]:
    """The phases in which a side moves and is reinforced."""
    seat = SEATS[side]
    return (
        Phase(f"{seat}-movement", movement(side), "movement", seat),
        Phase(f"{seat}-reinforcement", reinforcement(side), "reinforcement", seat),
        Phase(f"{seat}-arrivals", arrivals(side), "reinforcement", seat),
        Phase(f"{seat}-end-of-movement", end_of_movement(side), "reinforcement", seat),
    )


PHASES = Phases(
    Phase("begin-turn", begin_turn, "air-combat"),
    Phase("air-combat", begin_air_combat, "air-combat"),
    Phase("aircraft-return", return_aircraft, "air-combat"),
    Phase("ground-combat", begin_ground_combat, "ground-combat"),
    Phase("truck-return", truck_returns, "truck-return"),
    *_moving(AXIS),
    *_moving(ALLIED),
    Phase("front-line", move_front_line, "upkeep"),
    Phase("capture", capture, "upkeep"),
    Phase("stacking", enforce_stacking, "upkeep"),
    Phase("end-turn", end_turn, "upkeep"),
    over="end-turn",
)


@dataclass(frozen=True, slots=True)
class Turn(PhaseFrame[BulgeState]):
    """Runs the phases of a turn."""

    phases = PHASES
