"""Ardennes '44: chapter 4, the sequence of play, by day and by night (25.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.stacks import on_map
from salient.games.ardennes44.air import BodenplatteRoll
from salient.games.ardennes44.artillery import artillery_supply
from salient.games.ardennes44.bridges import begin_bridges
from salient.games.ardennes44.combat import begin_combat
from salient.games.ardennes44.entering import CAPTURED, NO_DEPOT
from salient.games.ardennes44.fuel import fuel_phase
from salient.games.ardennes44.model import BODENPLATTE, ArdennesState, is_pm, turns_of
from salient.games.ardennes44.movement import is_peiper_at_night
from salient.games.ardennes44.movement_phase import begin_movement
from salient.games.ardennes44.night import night_groups
from salient.games.ardennes44.recovery import recovery
from salient.games.ardennes44.replacements import begin_replacements
from salient.games.ardennes44.supply import supply_phase
from salient.games.ardennes44.traffic import begin_traffic
from salient.games.ardennes44.victory import defend_antwerp, victory_phase
from salient.hexes.masks import bits
from salient.kernel.messages import Sink
from salient.kernel.sequence import Phase, PhaseFrame, Phases

LAST_DEPOT_TURN = 6  # 32.3
BODENPLATTE_TURN = 15  # 35


# ---- A, B Player turns ----------------------------------------------------------------------------------


def german_turn(s: ArdennesState, out: Sink) -> None:
    """The turn begins with the German player [4]."""
    s.player, s.night = GERMAN, 0
    out("4", "turn-begins", n_turn=s.turn)
    if s.rules & BODENPLATTE and s.turn == BODENPLATTE_TURN:
        s.push(BodenplatteRoll())


def german_end(s: ArdennesState, out: Sink) -> None:
    """Antwerp is defended; a disguise that was used is gone [27.3.4, 27.8.1]."""
    if s.exposed == 1:
        s.exposed = 2
    defend_antwerp(s, out)


def allied_turn(s: ArdennesState, out: Sink) -> None:
    """The Allied player turn begins."""
    s.player = ALLIED


# ---- 25.1 The night turn ----------------------------------------------------------------------------------------


def _by_night(s: ArdennesState) -> bool:
    return is_pm(s) and s.turn < turns_of(s)


def night_replacements(s: ArdennesState, side: int, out: Sink) -> None:
    """Night A and D."""
    if _by_night(s):
        s.player, s.night = side, 1
        s.bridges_tried = 0
        begin_replacements(s, side)


def night_movement(s: ArdennesState, side: int, out: Sink) -> None:
    """Night B and E."""
    if _by_night(s):
        s.player = side
        s.used = len(night_groups(s, side))
        begin_movement(s, side, out)


def night_combat(s: ArdennesState, side: int, out: Sink) -> None:
    """Night C and F. A side without a group skips the phase, and its engaged markers stay on [20.5, 25.3.3, 27.5]."""
    peiper = side == GERMAN and any(is_peiper_at_night(s, u) and on_map(s, u) for u in bits(s.units.peiper))
    if _by_night(s) and (s.planned >> side & 1 or peiper):
        begin_combat(s, side, out)


# ---- C The end of the turn -----------------------------------------------------------------------------------------


def end_turn(s: ArdennesState, out: Sink) -> None:
    """The marker moves on; depots are gone after turn 6 [4, 32.3]."""
    if s.turn == LAST_DEPOT_TURN and s.depots:
        s.depots = tuple(depot if depot == CAPTURED else NO_DEPOT for depot in s.depots)
    if s.exposed == 1:
        s.exposed = 2  # a disguise used by night [27.8.1]
    s.planned = 0
    s.turn += 1
    s.night = 0


# ---- The sequence of play [4, 25.1] ----------------------------------------------------------------------------


def _phase(shown: str, side: int, begin: Callable[[ArdennesState, int, Sink], None]) -> Phase[ArdennesState]:
    """A phase that both sides have, for one of them."""
    return Phase(f"{SEATS[side]}-{shown}", lambda s, out: begin(s, side, out), shown, SEATS[side])


PHASES = Phases(
    Phase("german-turn", german_turn, "artillery", "german"),
    _phase("artillery", GERMAN, artillery_supply),
    Phase("german-fuel", fuel_phase, "fuel", "german"),
    _phase("bridges", GERMAN, begin_bridges),
    _phase("movement", GERMAN, begin_movement),
    _phase("recovery", GERMAN, recovery),
    _phase("combat", GERMAN, begin_combat),
    _phase("traffic", GERMAN, begin_traffic),
    _phase("supply", GERMAN, supply_phase),
    Phase("german-end", german_end, "supply", "german"),
    Phase("allied-turn", allied_turn, "artillery", "allied"),
    _phase("artillery", ALLIED, artillery_supply),
    _phase("bridges", ALLIED, begin_bridges),
    _phase("movement", ALLIED, begin_movement),
    _phase("recovery", ALLIED, recovery),
    _phase("combat", ALLIED, begin_combat),
    _phase("traffic", ALLIED, begin_traffic),
    _phase("supply", ALLIED, supply_phase),
    Phase("victory", victory_phase, "victory", "allied"),
    _phase("night-replacements", ALLIED, night_replacements),
    _phase("night-movement", ALLIED, night_movement),
    _phase("night-combat", ALLIED, night_combat),
    _phase("night-replacements", GERMAN, night_replacements),
    _phase("night-movement", GERMAN, night_movement),
    _phase("night-combat", GERMAN, night_combat),
    Phase("end-turn", end_turn, "night-combat", "german"),
    over="victory",
)


@dataclass(frozen=True, slots=True)
class Turn(PhaseFrame[ArdennesState]):
    """Runs the phases of a turn."""

    phases = PHASES
