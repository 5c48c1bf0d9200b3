"""The Deadly Woods: chapters 4 and 15, the sequence of play, and the opening of turn 1 (14.3)."""

from __future__ import annotations

from dataclasses import dataclass

from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import on_map
from salient.games.deadly_woods.assets import (
    Deploy,
    Motorize,
    PlaceMarker,
    assets_arrive,
    greif_hexes,
    offer_engineers,
    return_assets,
)
from salient.games.deadly_woods.chits import (
    FirstChit,
    Rounds,
    begin_mc,
    fill_cup,
    first_reaction,
    offer_army,
)
from salient.games.deadly_woods.components import CHITS
from salient.games.deadly_woods.model import GERMAN_MC, WoodsState, take_off
from salient.games.deadly_woods.replacements import offer_replacements
from salient.games.deadly_woods.rounds import clear_round
from salient.games.deadly_woods.supply import is_supplied, settle_fuel
from salient.games.deadly_woods.victory import check_victory, initiative_of, withdraw_ss
from salient.kernel import AutoFrame
from salient.kernel.messages import Sink
from salient.kernel.sequence import Phase, PhaseFrame, Phases

SURRENDER_TURN = 2  # 8.3

# ---- 4 The turn -------------------------------------------------------------------------------------------


def begin_turn(s: WoodsState, out: Sink) -> None:
    """The initiative is settled and what is due comes from the track [4.1, 5.2]."""
    out("4", "turn-begins", n_turn=s.turn)
    s.initiative = initiative_of(s)
    assets_arrive(s, out)


# ---- 4.1 Assets and special reinforcements ------------------------------------------------------------------


def engineers(s: WoodsState, out: Sink) -> None:
    """Engineers are recalled and deployed, not on turn 1."""
    if s.turn > 1:
        offer_engineers(s)


def greif(s: WoodsState, out: Sink) -> None:
    """Operation Greif on turns 2 to 4."""
    if s.asset[s.assets.greif] == s.ground.box and greif_hexes(s):
        s.push(PlaceMarker(GERMAN, s.assets.greif))


def motorize(s: WoodsState, out: Sink) -> None:
    """The German motorized marker, from turn 2."""
    if s.asset[s.assets.motor] == s.ground.box and len(Motorize().legal(s)) > 1:
        s.push(Motorize())


def traffic(s: WoodsState, out: Sink) -> None:
    """Allied traffic on turns 2 and 3; on turn 1 it waits for the German movement [12.8]."""
    if s.turn > 1 and s.asset[s.assets.traffic] == s.ground.box:
        s.push(PlaceMarker(ALLIED, s.assets.traffic))


def delay(s: WoodsState, out: Sink) -> None:
    """The US Delay, from turn 2 while the Germans have the initiative [12.9.1]."""
    if s.turn > 1 and s.initiative == GERMAN and s.where[s.units.delay] == s.ground.box:
        s.push(Deploy(s.units.delay))


# ---- 4.2 Replacements ---------------------------------------------------------------------------------------------


def first_replacements(s: WoodsState, out: Sink) -> None:
    """The player without the initiative first [13.2]."""
    offer_replacements(s, 1 - s.initiative)


def second_replacements(s: WoodsState, out: Sink) -> None:
    """Then the player with the initiative."""
    offer_replacements(s, s.initiative)


# ---- 4.3 Action rounds -----------------------------------------------------------------------------------------------


def cup(s: WoodsState, out: Sink) -> None:
    """Fill the cup, with a choice of armies on turns 4 to 6."""
    fill_cup(s)
    offer_army(s)


def rounds(s: WoodsState, out: Sink) -> None:
    """The first chit of the initiative, or the opening of turn 1; then the cup."""
    s.push(Rounds(), Opening(0) if s.turn == 1 else FirstChit(s.initiative))


@dataclass(frozen=True, slots=True)
class Opening(AutoFrame[WoodsState]):
    """The five fixed steps of turn 1: German combat, German movement, traffic, reaction, von der Heydte [14.3]."""

    step: int

    def run(self, s: WoodsState, out: Sink) -> None:
        s.swap(*([Opening(self.step + 1)] if self.step < 4 else []))
        if self.step in (0, 1):
            s.track = (*s.track, GERMAN_MC)
            clear_round(s)
            begin_mc(s, GERMAN, "combat" if self.step == 0 else "move", out)
        elif self.step == 2:
            settle_fuel(s, out)
            s.push(PlaceMarker(ALLIED, s.assets.traffic))
        elif self.step == 3:
            first_reaction(s, out)
        else:
            s.push(Deploy(s.units.von_der_heydte))


# ---- 4.4, 15 Victory check and clean-up -------------------------------------------------------------------


def end_turn(s: WoodsState, out: Sink) -> None:
    """Count, look for a winner, surrender, clean up, go on."""
    check_victory(s, out)
    if s.winner:
        return
    if s.turn == SURRENDER_TURN:
        surrender(s, out)
    return_assets(s)
    s.built = s.mc_played = 0
    s.track = ()
    s.reinforcements = [0, 0]
    s.hand = -1
    s.cup = [0] * len(CHITS)
    s.turn += 1


def surrender(s: WoodsState, out: Sink) -> None:
    """At the end of turn 2 the units of 106th Division that are out of supply give up [8.3]."""
    units = tuple(u for u in s.units.of_division.get("106", ()) if on_map(s, u) and not is_supplied(s, u))
    for u in units:
        take_off(s, u, s.ground.gone)
    if units:
        out("8.3", "surrender", units=units)


# ---- the table [4] ----------------------------------------------------------------------------------------


PHASES = Phases(
    Phase("begin-turn", begin_turn, "assets"),
    Phase("engineers", engineers, "assets"),
    Phase("greif", greif, "assets"),
    Phase("motorized", motorize, "assets"),
    Phase("traffic", traffic, "assets"),
    Phase("delay", delay, "assets"),
    Phase("withdrawal", withdraw_ss, "assets"),
    Phase("first-replacements", first_replacements, "replacements"),
    Phase("second-replacements", second_replacements, "replacements"),
    Phase("cup", cup, "rounds"),
    Phase("rounds", rounds, "rounds"),
    Phase("end-turn", end_turn, "victory"),
    over="end-turn",
)


@dataclass(frozen=True, slots=True)
class Turn(PhaseFrame[WoodsState]):
    """Runs the phases of a turn."""

    phases = PHASES
