"""Ardennes '44: chapter 4, the sequence of play, by day and by night (25.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import on_map
from salient.games.ardennes44.bridges import begin_bridges
from salient.games.ardennes44.combat import begin_combat
from salient.games.ardennes44.entering import CAPTURED, NO_DEPOT
from salient.games.ardennes44.model import BODENPLATTE, PEIPER, SIDE_MASK, ArdennesState, is_pm, roll, turns_of
from salient.games.ardennes44.movement import is_peiper_at_night
from salient.games.ardennes44.moving import begin_movement
from salient.games.ardennes44.phases import artillery_supply, fuel_phase, recovery, supply_phase
from salient.games.ardennes44.replacements import begin_replacements
from salient.games.ardennes44.traffic import begin_traffic
from salient.games.ardennes44.victory import defend_antwerp, victory_phase
from salient.hexes.masks import bits
from salient.kernel import Action, AutoFrame, Prompt
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink

LAST_DEPOT_TURN = 6  # 32.3
BODENPLATTE_TURN = 15  # 35


@dataclass(frozen=True, slots=True)
class Turn(AutoFrame):
    """The program counter of a turn: runs one phase after the other."""

    step: int

    def run(self, s: ArdennesState, out: Sink) -> None:
        s.swap(Turn((self.step + 1) % len(PHASES)))
        PHASES[self.step](s, out)


Phase = Callable[[ArdennesState, Sink], None]

# ---- A, B Player turns ----------------------------------------------------------------------------------


def german_turn(s: ArdennesState, out: Sink) -> None:
    """The turn begins with the German player [4]."""
    s.player, s.night = GERMAN, 0
    out("4", "turn-begins", n_turn=s.turn)
    if s.rules & BODENPLATTE and s.turn == BODENPLATTE_TURN:
        s.push(BodenplatteRoll())


def german_artillery(s: ArdennesState, out: Sink) -> None:
    """Phase 1."""
    artillery_supply(s, GERMAN, out)


def german_fuel(s: ArdennesState, out: Sink) -> None:
    """Phase 2, for the German only."""
    fuel_phase(s, out)


def german_bridges(s: ArdennesState, out: Sink) -> None:
    """Phase 3."""
    begin_bridges(s, GERMAN, out)


def german_movement(s: ArdennesState, out: Sink) -> None:
    """Phase 4."""
    begin_movement(s, GERMAN)


def german_recovery(s: ArdennesState, out: Sink) -> None:
    """Phase 5."""
    recovery(s, GERMAN, out)


def german_combat(s: ArdennesState, out: Sink) -> None:
    """Phase 6."""
    begin_combat(s, GERMAN)


def german_traffic(s: ArdennesState, out: Sink) -> None:
    """Phase 7."""
    begin_traffic(s, GERMAN, out)


def german_supply(s: ArdennesState, out: Sink) -> None:
    """Phase 8."""
    supply_phase(s, GERMAN, out)


def german_end(s: ArdennesState, out: Sink) -> None:
    """Antwerp is defended; a disguise that was used is gone [27.3.4, 27.8.1]."""
    if s.exposed == 1:
        s.exposed = 2
    defend_antwerp(s, out)


def allied_turn(s: ArdennesState, out: Sink) -> None:
    """The Allied player turn begins."""
    s.player = ALLIED
    artillery_supply(s, ALLIED, out)


def allied_bridges(s: ArdennesState, out: Sink) -> None:
    """Phase 3."""
    begin_bridges(s, ALLIED, out)


def allied_movement(s: ArdennesState, out: Sink) -> None:
    """Phase 4."""
    begin_movement(s, ALLIED)


def allied_recovery(s: ArdennesState, out: Sink) -> None:
    """Phase 5."""
    recovery(s, ALLIED, out)


def allied_combat(s: ArdennesState, out: Sink) -> None:
    """Phase 6."""
    begin_combat(s, ALLIED)


def allied_traffic(s: ArdennesState, out: Sink) -> None:
    """Phase 7."""
    begin_traffic(s, ALLIED, out)


def allied_supply(s: ArdennesState, out: Sink) -> None:
    """Phase 8."""
    supply_phase(s, ALLIED, out)


def victory(s: ArdennesState, out: Sink) -> None:
    """Phase 9, in the Allied player turn only."""
    victory_phase(s, out)


# ---- 25.1 The night turn ----------------------------------------------------------------------------------------


def _by_night(s: ArdennesState) -> bool:
    return is_pm(s) and s.turn < turns_of(s)


def night_allied_replacements(s: ArdennesState, out: Sink) -> None:
    """Night A."""
    if _by_night(s):
        s.night = 1
        s.bridges_tried = 0
        begin_replacements(s, ALLIED)


def night_allied_movement(s: ArdennesState, out: Sink) -> None:
    """Night B."""
    _night_movement(s, ALLIED)


def night_allied_combat(s: ArdennesState, out: Sink) -> None:
    """Night C."""
    _night_combat(s, ALLIED)


def night_german_replacements(s: ArdennesState, out: Sink) -> None:
    """Night D."""
    if _by_night(s):
        s.player = GERMAN
        s.bridges_tried = 0
        begin_replacements(s, GERMAN)


def night_german_movement(s: ArdennesState, out: Sink) -> None:
    """Night E."""
    _night_movement(s, GERMAN)


def night_german_combat(s: ArdennesState, out: Sink) -> None:
    """Night F."""
    _night_combat(s, GERMAN)


def _night_movement(s: ArdennesState, side: int) -> None:
    if _by_night(s):
        s.player = side
        s.used = night_groups(s, side)
        begin_movement(s, side)


def _night_combat(s: ArdennesState, side: int) -> None:
    """A side without a group for the night skips the phase, and its engaged markers stay on [20.5, 25.3.3, 27.5]."""
    peiper = side == GERMAN and any(is_peiper_at_night(s, u) and on_map(s, u) for u in bits(PEIPER))
    if _by_night(s) and (s.planned >> side & 1 or peiper):
        begin_combat(s, side)


def night_groups(s: ArdennesState, side: int) -> int:
    """How many night markers a side has on the map, one a hex [25.3.1, 31]."""
    return len({s.where[u] for u in bits(s.night_marks & SIDE_MASK[side])})


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


PHASES: tuple[Phase, ...] = (
    german_turn, german_artillery, german_fuel, german_bridges, german_movement, german_recovery, german_combat,
    german_traffic, german_supply, german_end,
    allied_turn, allied_bridges, allied_movement, allied_recovery, allied_combat, allied_traffic, allied_supply,
    victory,
    night_allied_replacements, night_allied_movement, night_allied_combat,
    night_german_replacements, night_german_movement, night_german_combat,
    end_turn,
)  # fmt: skip
PHASE_NAMES = tuple(phase.__name__ for phase in PHASES)


@dataclass(frozen=True, slots=True)
class BodenplatteRoll(DieFrame):
    """When does the Luftwaffe strike, if at all [35]?"""

    def purpose(self, s: ArdennesState) -> str:
        return "bodenplatte"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("35", "roll-bodenplatte")

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        s.bodenplatte = int(roll("bodenplatte", int(action[1])))
        out("35", "bodenplatte-on" if s.bodenplatte else "bodenplatte-off", n_die=int(action[1]), n=s.bodenplatte)
