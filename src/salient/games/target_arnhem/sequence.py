"""Target Arnhem: chapter 3, the sequence of play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from salient.common.naming import NamingFrame, above
from salient.common.sides import ALLIED, GERMAN, SEATS, SideFrame
from salient.games.target_arnhem.combat import Attack, attackers, refuse_attacker, refuse_target, targets
from salient.games.target_arnhem.model import (
    AREA_P_CLOSES,
    DIVISIONS,
    SS,
    STACKING_LIMIT,
    WEHRMACHT,
    ArnhemState,
    eliminate,
    mark_acted,
    may_act_again,
    occupied,
    ready_units,
    refuse_unit,
    units_at,
)
from salient.games.target_arnhem.movement import (
    NORMAL_MOVE,
    lead,
    move,
    moves,
    moves_by_road,
    refuse_move,
    refuse_waypoint,
    waypoints,
)
from salient.games.target_arnhem.reinforcements import (
    land,
    landing,
    landing_hexes,
    landings,
    must_land,
    offer_reinforcements,
    refuse_landing,
    refuse_landing_at,
)
from salient.games.target_arnhem.supply import recover, recovery_pools, refuse_pool, refuse_recovery, starve
from salient.games.target_arnhem.victory import decide_winner
from salient.hexes.masks import bits
from salient.hexes.sets import NO_HEXES, NO_UNITS, HexId, UnitId
from salient.kernel import Action, AutoFrame, GameOver, Prompt, Refusal, Seat
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink
from salient.kernel.sequence import Phase, PhaseFrame, Phases

# ---- 3.1 Sequence of play -----------------------------------------------------------------------


def begin_turn(s: ArnhemState, out: Sink) -> None:
    """At the start of turn 4 area P is given up with all that is in it [4.2b]."""
    out("3.1", "turn-begins", n_turn=s.turn)
    if s.turn == AREA_P_CLOSES:
        for u in units_at(s, s.ground.area_p, GERMAN):
            out("4.2b", "eliminated", unit=u, place=s.ground.area_p)
            eliminate(s, u)


# ---- 3.2 Reorganisation phase ---------------------------------------------------------------------


def receive_supply(s: ArnhemState, out: Sink) -> None:
    """A point for the SS and each airborne division, and a roll for the Wehrmacht."""
    for pool in (SS, *(division for division in DIVISIONS if s.zones[division] >= 0)):
        s.pools[pool] += 1
    s.push(SupplyRoll())


@dataclass(frozen=True, slots=True)
class SupplyRoll(DieFrame[ArnhemState]):
    """The Wehrmacht receives a die roll times one and a half, rounded up."""

    def purpose(self, s: ArnhemState) -> str:
        return "supply"

    def roller(self, s: ArnhemState) -> Seat:
        return SEATS[GERMAN]

    def apply(self, s: ArnhemState, action: Action, out: Sink) -> None:
        points = (3 * int(action[1]) + 1) // 2
        s.pools[WEHRMACHT] += points
        out("3.2", "wehrmacht-supply", n_die=int(action[1]), n_points=points)
        s.pop()

    def prompt(self, s: ArnhemState) -> Prompt:
        return Prompt("3.2", "roll-supply")


def allied_reinforcements(s: ArnhemState, out: Sink) -> None:
    """Place ground reinforcements last."""
    offer_reinforcements(s, ALLIED)


def german_reinforcements(s: ArnhemState, out: Sink) -> None:
    """Place ground reinforcements last."""
    offer_reinforcements(s, GERMAN)


# ---- 3.3 Tactical impulses ---------------------------------------------------------------------------


def impulse_phase(side: int, number: int) -> Callable[[ArnhemState, Sink], None]:
    """The phase that plays one impulse; it is passed over if the side has no unit that may act."""

    def begin(s: ArnhemState, out: Sink) -> None:
        s.impulse = number
        first = (s.turn, side, number) == (1, ALLIED, 1)
        s.extra = s.tables.first_extra_actions if first else 0
        s.push(EndOfImpulse(side))
        if ready_units(s, side) or (side == ALLIED and landing(s)):
            out("3.3", "impulse-begins", seat=SEATS[side], n_impulse=number)
            s.push(Impulse(side))

    return begin


@dataclass(frozen=True, slots=True)
class Impulse(SideFrame[ArnhemState]):
    """A side's units act in any order, each once: move, fight, recover, or land."""

    def ready(self, s: ArnhemState) -> list[UnitId]:
        """The units on the map or in areas that may act."""
        return ready_units(s, self.side)

    def legal(self, s: ArnhemState) -> list[Action]:
        return [*self.candidates(s), *self._waypoints(s)]

    def candidates(self, s: ArnhemState) -> list[Action]:
        ready = self.ready(s)
        actions: list[Action] = [("attack", h) for h in targets(s, self.side, ready)]
        if self.side == ALLIED:
            for u in landing(s):
                actions += landings(u, landing_hexes(s, u))
        actions += moves(s, self.side, ready)
        if not must_land(s):
            actions.append(("pass",))
        for u in ready:
            if s.damage[u]:
                actions += [("recover", u, pool) for pool in recovery_pools(s, u)]
        return actions

    def _waypoints(self, s: ArnhemState) -> list[Action]:
        enemies = occupied(s, 1 - self.side)
        return [
            ("via", u, h)
            for u in self.ready(s)
            for h in bits(waypoints(s.ground, s.where[u], enemies, moves_by_road(s, u)))
        ]

    def apply(self, s: ArnhemState, action: Action, out: Sink) -> None:
        match action:
            case ("move", UnitId(u), int(to)):
                move(s, u, to, out)
            case ("attack", HexId(h)):
                s.push(Attack(self.side, h, attackers(s, self.ready(s), h), ()))
            case ("land", UnitId(u), HexId(h)):
                land(s, u, h, out)
            case ("recover", UnitId(u), int(pool)):
                recover(s, u, pool, out)
            case ("via", UnitId(u), HexId(h)):
                by_road = moves_by_road(s, u)
                mark_acted(s, u)
                s.push(lead(s, u, h, NORMAL_MOVE, by_road, out))
            case _:
                s.pop()

    def prompt(self, s: ArnhemState) -> Prompt:
        if must_land(s):
            return Prompt("9.3", "land-first-lift", units=tuple(must_land(s)))
        if any(may_act_again(s, u) for u in self.ready(s)):
            return Prompt("9.3", "act-again", n_impulse=s.impulse, n_again=s.extra, units=tuple(self.ready(s)))
        key = "act-vehicles" if s.impulse == 3 else "act"
        return Prompt("3.3", key, n_impulse=s.impulse, units=tuple(self.ready(s)))

    def refusals(self, s: ArnhemState, action: Action) -> list[Refusal]:
        match action:
            case ("attack", HexId(h)):
                return [refuse_target(s, self.side, h) or self._nobody_attacks(s, h)]
            case ("join" | "resolve" | "bombard", *_):
                return [Refusal("5", "name-target-first")]
            case ("arrive", *_):
                return [Refusal("3.2", "arrivals-in-reorganisation")]
            case ("pass",):
                return [Refusal("9.3", "must-land", units=tuple(must_land(s)))]
            case ("land" | "move" | "recover" | "via" as verb, UnitId(u), int(to)):
                return [self._refuse(s, str(verb), u, to)]
        return [Refusal("3.3", "not-an-impulse-action")]

    def _refuse(self, s: ArnhemState, verb: str, u: UnitId, to: int) -> Refusal:
        if s.units.side[u] != self.side:
            return Refusal("3.1", "not-your-unit", unit=u)
        if verb == "land":
            refusal = refuse_landing(s, u) or refuse_landing_at(s, u, HexId(to))
        elif verb == "recover":
            refusal = refuse_unit(s, u) or refuse_recovery(s, u) or refuse_pool(s, u, to)
        elif verb == "via":
            refusal = refuse_unit(s, u) or refuse_waypoint(s, u, HexId(to))
        else:
            refusal = refuse_unit(s, u) or refuse_move(s, u, to)
        assert refusal is not None, "what is not offered has a reason"
        return refusal

    def _nobody_attacks(self, s: ArnhemState, h: HexId) -> Refusal:
        able = [u for u in s.units.of_side[self.side] if refuse_attacker(s, u, h) is None]
        spent = [refuse_unit(s, u) for u in able]
        across = [u for u in s.units.of_side[self.side] if s.where[u] in s.ground.board.adjacent[h]]
        if not able and across:
            return Refusal("5", "river-without-bridge", hex_from=s.where[across[0]], hex=h)
        return next((refusal for refusal in spent if refusal), Refusal("5", "nobody-adjacent", hex=h))


# ---- 3.5 Stacking ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EndOfImpulse(AutoFrame[ArnhemState]):
    """No more than three units a hex; then the impulse is over."""

    side: int

    def run(self, s: ArnhemState, out: Sink) -> None:
        for h in bits(occupied(s, self.side)):
            if s.where.count(h) > STACKING_LIMIT:
                s.push(Overstack(self.side, h, tuple(units_at(s, h, self.side)), ()))
                return
        s.pop()
        s.acted = s.landed = NO_UNITS
        s.extra, s.attacked = 0, NO_HEXES


@dataclass(frozen=True, slots=True)
class Overstack(NamingFrame[ArnhemState]):
    """The owner names the units in excess that are eliminated."""

    naming = "remove"
    hex: HexId
    units: tuple[UnitId, ...]  # all that are in the hex
    named: tuple[UnitId, ...]  # ascending

    def left(self) -> int:
        """How many more must be named."""
        return len(self.units) - len(self.named) - STACKING_LIMIT

    def legal(self, s: ArnhemState) -> list[Action]:
        drop: list[Action] = [("drop", u) for u in self.named]
        remove: list[Action] = [("remove", u) for u in self.units if u not in self.named]
        return [*(remove if self.left() else [("done",)]), *drop]

    def candidates(self, s: ArnhemState) -> list[Action]:
        if not self.left():
            return [("done",)]
        onward = above(self.units, self.named)
        enough = onward[: len(onward) - self.left() + 1] if len(onward) >= self.left() else self.units
        return [("remove", u) for u in enough if u not in self.named]

    def commit(self, s: ArnhemState, out: Sink) -> None:
        for u in self.named:
            eliminate(s, u)
            out("3.5", "removed-overstacked", unit=u, hex=self.hex)

    def prompt(self, s: ArnhemState) -> Prompt:
        if not self.left():
            return Prompt("3.5", "excess-is-named", hex=self.hex, units=self.named)
        return Prompt("3.5", "remove-excess", hex=self.hex, n_units=self.left(), units=self.units)

    def refusals(self, s: ArnhemState, action: Action) -> list[Refusal]:
        match action:
            case ("remove", UnitId(u)) if s.where[u] != self.hex:
                return [Refusal("3.5", "not-in-hex", unit=u, hex=self.hex)]
            case ("remove", UnitId(u)) if u in self.named:
                return [Refusal("3.5", "removed-already", unit=u)]
            case ("drop", UnitId(u)):
                return [Refusal("3.5", "not-named", unit=u)]
        if not self.left():
            return [Refusal("3.5", "excess-is-named", hex=self.hex, units=self.named)]
        return [Refusal("3.5", "remove-excess", hex=self.hex, n_units=self.left())]


# ---- 9.1 The end ----------------------------------------------------------------------------------------


def end_turn(s: ArnhemState, out: Sink) -> None:
    """After nine turns the game is decided."""
    s.impulse = 0
    if s.turn == s.tables.turns:
        decide_winner(s, out)
        s.stack = (GameOver(),)
    else:
        s.turn += 1


# ---- the table [3.1] ------------------------------------------------------------------------------------


PHASES = Phases(
    Phase("begin-turn", begin_turn, "reorganisation"),
    Phase("starving", starve, "reorganisation"),
    Phase("supply", receive_supply, "reorganisation"),
    Phase("allied-reinforcements", allied_reinforcements, "reorganisation"),
    Phase("german-reinforcements", german_reinforcements, "reorganisation"),
    *(
        Phase(f"{SEATS[side]}-impulse-{number}", impulse_phase(side, number), "impulse", SEATS[side], number)
        for number in (1, 2, 3)
        for side in (ALLIED, GERMAN)
    ),
    Phase("end-turn", end_turn, "impulse", SEATS[GERMAN], 3),
    over="end-turn",
)


@dataclass(frozen=True, slots=True)
class Turn(PhaseFrame[ArnhemState]):
    """Runs the phases of a turn."""

    phases = PHASES
