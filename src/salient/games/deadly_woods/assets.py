"""The Deadly Woods: chapter 12, assets, and the asset phase of 4.1."""

from __future__ import annotations

from dataclasses import dataclass, replace

from salient.common.naming import with_piece, without_piece
from salient.common.sides import ALLIED, GERMAN, SEATS, SideFrame
from salient.common.stacks import occupied, on_map, put, units_at
from salient.games.deadly_woods.components import INFANTRY, LAST_TRACK_TURN
from salient.games.deadly_woods.entering import watch_motor
from salient.games.deadly_woods.model import WoodsState, asset_piece, kind_of, take_off
from salient.games.deadly_woods.stacking import engineers_on_map, refuse_stack
from salient.games.deadly_woods.supply import is_supplied, traces, us_supplied_hexes
from salient.games.deadly_woods.zones import next_to, zone
from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import NOBODY, HexSet, UnitId
from salient.kernel import Action, Frame, Prompt, Refusal, Seat
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink

GREIF_TURNS, TRAFFIC_TURNS, BONUS_TURNS, ALARM_TURNS = 4, 3, 2, 2  # the last turn of each
RECALLED_FOR = 1  # turn [12.4.1]

# ---- 4.1, 12.9 Arrivals -----------------------------------------------------------------------------


def assets_arrive(s: WoodsState, out: Sink) -> None:
    """What stands on this turn of the track goes to its box [4.1, 12.9]."""
    due = tuple(a for a in range(s.assets.count) if s.asset[a] == s.ground.track_turn(s.turn))
    for a in due:
        s.asset[a] = s.ground.box
    if due:
        out("12.9", "assets-arrive", assets=due)


# ---- 12.4 US engineers -----------------------------------------------------------------------------------


def engineer_hexes(s: WoodsState, a: int) -> HexSet:
    """Where engineers may be deployed if no others are there: own settlements in supply, near a supplied unit of their
    corps [12.4.1]."""
    near = 0
    for u in s.units.of_corps.get(s.assets.force[a], ()):
        if on_map(s, u) and is_supplied(s, u):
            near |= s.ground.within[s.where[u]][3]
    hexes = s.ground.settled & ~s.german_held & us_supplied_hexes(s) & near & ~occupied(s, GERMAN)
    for h in bits(hexes):
        if refuse_stack(s.units, units_at(s, h), s.assets.force[a]):
            hexes &= ~(1 << h)
    return hexes


@dataclass(frozen=True, slots=True)
class Engineers(Frame[WoodsState]):
    """The Allies name the engineers that they recall and those that they deploy, in any order [12.4.1]."""

    recalled: tuple[int, ...]  # ascending
    placed: tuple[tuple[int, int], ...]  # assets with their hexes, ascending

    def actor(self, s: WoodsState) -> Seat:
        return SEATS[ALLIED]

    def taken(self, s: WoodsState) -> int:
        """The hexes in which engineers stay or come, as bits: one per hex [6.3]."""
        stay = [s.asset[a] for a in s.assets.engineers if s.asset[a] < s.ground.hexes and a not in self.recalled]
        return mask_of((*stay, *(h for _, h in self.placed)))

    def choices(self, s: WoodsState, first_placed: int = 0, first_recalled: int = 0) -> list[Action]:
        """What may still be named, from some assets on."""
        known = [*self.recalled, *(a for a, _ in self.placed)]
        engineers = s.assets.engineers
        waiting = [a for a in engineers if s.asset[a] == s.ground.box and a >= first_placed and a not in known]
        taken = self.taken(s)
        place: list[Action] = [("place", a, h) for a in waiting for h in bits(engineer_hexes(s, a) & ~taken)]
        there = [a for a in engineers if s.asset[a] < s.ground.hexes and a >= first_recalled and a not in known]
        return [*place, *(("recall", a) for a in there)]

    def legal(self, s: WoodsState) -> list[Action]:
        free = [a for a in self.recalled if not any(h == s.asset[a] for _, h in self.placed)]
        drops: list[Action] = [("drop", asset_piece(s, a)) for a in sorted((*free, *(a for a, _ in self.placed)))]
        return [("done",), *drops, *self.choices(s)]

    def candidates(self, s: WoodsState) -> list[Action]:
        if self.placed:
            return [("done",), *self.choices(s, self.placed[-1][0], s.assets.count)]
        return [("done",), *self.choices(s, 0, max(self.recalled, default=0))]

    def draft(self, s: WoodsState) -> tuple[Action, ...]:
        return (*(("recall", a) for a in self.recalled), *(("place", a, h) for a, h in self.placed))

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        match action:
            case ("recall", int(a)):
                s.swap(replace(self, recalled=with_piece(self.recalled, a)))
            case ("place", int(a), int(h)):
                s.swap(replace(self, placed=tuple(sorted((*self.placed, (a, h))))))
            case ("drop", int(piece)):
                a = piece - asset_piece(s, 0)
                placed = tuple(pair for pair in self.placed if pair[0] != a)
                s.swap(Engineers(without_piece(self.recalled, a), placed))
            case _:
                s.pop()
                self._carry_out(s, out)

    def _carry_out(self, s: WoodsState, out: Sink) -> None:
        for a in self.recalled:
            s.asset[a] = s.ground.track_turn(min(s.turn + RECALLED_FOR, LAST_TRACK_TURN))
            out("12.4.1", "engineers-recalled", asset=a)
        for a, h in self.placed:
            s.asset[a] = h
            out("12.4.1", "asset-placed", asset=a, hex=h)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("12.4.1", "engineers")

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        match action:
            case ("place", int(a), int(h)):
                return [self._refuse_placing(s, a, h)]
            case ("recall", int(a)):
                key = "recalled-already" if a in self.recalled else "engineers-not-there"
                return [Refusal("12.4.1", key, asset=a)]
            case ("drop", int(piece)):
                key = "place-taken-over" if piece - asset_piece(s, 0) in self.recalled else "not-named"
                return [Refusal("12.4.1", key, piece=piece)]
        return [Refusal("4.1", "engineers-first")]

    def _refuse_placing(self, s: WoodsState, a: int, h: int) -> Refusal:
        """Why engineers cannot be deployed in a hex."""
        if s.assets.kind[a] != "engineer":
            return Refusal("12.4.1", "engineers-only", asset=a)
        if any(a == known for known, _ in self.placed):
            return Refusal("12.4.1", "deployed-already", asset=a)
        if s.asset[a] != s.ground.box:
            return Refusal("12.4.1", "not-available", asset=a)
        if self.taken(s) >> h & 1:
            return Refusal("6.3", "one-engineer-a-hex", asset=a, hex=h)
        return Refusal("12.4.1", "no-place-for-engineers", asset=a, hex=h)


def offer_engineers(s: WoodsState) -> None:
    """Ask the Allies if there is anything to do."""
    frame = Engineers((), ())
    if frame.choices(s):
        s.push(frame)


# ---- 12.5, 12.8 Greif and traffic ---------------------------------------------------------------------------


def greif_hexes(s: WoodsState) -> HexSet:
    """Road hexes away from Allied units and engineers, on turn 2 in the zone of 6th Panzer Army [12.5]."""
    near = occupied(s, ALLIED) | engineers_on_map(s)
    hexes = s.ground.road_hexes & ~(near | next_to(s.ground, near))
    return hexes & s.ground.army_zone["6"] if s.turn == 2 else hexes


def marker_hexes(s: WoodsState, a: int) -> HexSet:
    """Where a marker may be placed, as bits."""
    return greif_hexes(s) if a == s.assets.greif else HexSet(s.ground.road_hexes)


@dataclass(frozen=True, slots=True)
class PlaceMarker(SideFrame[WoodsState]):
    """A side names a hex for Greif or its traffic marker, or keeps it; another hex may be named until it is done."""

    asset: int
    hex: int = -1  # the one named

    def legal(self, s: WoodsState) -> list[Action]:
        places: list[Action] = [("place", self.asset, h) for h in bits(marker_hexes(s, self.asset)) if h != self.hex]
        return [*places, *([("drop", asset_piece(s, self.asset)), ("done",)] if self.hex >= 0 else [("pass",)])]

    def candidates(self, s: WoodsState) -> list[Action]:
        return [("done",)] if self.hex >= 0 else self.legal(s)

    def draft(self, s: WoodsState) -> tuple[Action, ...]:
        return (("place", self.asset, self.hex),) if self.hex >= 0 else ()

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        match action:
            case ("place", _, int(h)):
                s.swap(replace(self, hex=h))
            case ("drop", _):
                s.swap(replace(self, hex=-1))
            case ("done",):
                s.pop()
                s.asset[self.asset] = self.hex
                out(self.rule(s), "asset-placed", asset=self.asset, hex=self.hex)
            case _:
                s.pop()

    def rule(self, s: WoodsState) -> str:
        """The rule of the marker."""
        return "12.5" if self.asset == s.assets.greif else "12.8"

    def prompt(self, s: WoodsState) -> Prompt:
        if self.hex >= 0:
            return Prompt(self.rule(s), "marker-named", asset=self.asset, hex=self.hex)
        return Prompt(self.rule(s), "place-marker", asset=self.asset)

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        if action[0] == "place" and action[1] == self.asset:
            key = "hex-named-already" if action[2] == self.hex else "no-place-for-marker"
            return [Refusal(self.rule(s), key, asset=self.asset, hex=int(action[2]))]
        return [Refusal(self.rule(s), "place-marker-first", asset=self.asset)]


# ---- 12.6 The motorized marker ----------------------------------------------------------------------------------


def refuse_motor(s: WoodsState, u: UnitId) -> Refusal | None:
    """Why a German unit cannot be given trucks: supplied infantry on a road, not next to the enemy."""
    if u not in s.units.of_side[GERMAN] or not on_map(s, u) or kind_of(s, u) != INFANTRY:
        return Refusal("12.6", "motor-infantry-only", unit=u)
    if s.units.values[u][s.lost[u]][2] == 0:
        return Refusal("12.7", "never-motorized", unit=u)
    if s.oos >> u & 1 or not traces(s, u):
        return Refusal("12.6", "motor-needs-supply", unit=u)
    if not s.ground.road_hexes >> s.where[u] & 1:
        return Refusal("12.6", "motor-needs-road", unit=u)
    if next_to(s.ground, occupied(s, ALLIED)) >> s.where[u] & 1:
        return Refusal("12.6", "motor-near-enemy", unit=u)
    return None


@dataclass(frozen=True, slots=True)
class Motorize(Frame[WoodsState]):
    """The German names the unit that gets his motorized marker, or keeps it; another may be named until he is done."""

    unit: UnitId = NOBODY  # the one named

    def actor(self, s: WoodsState) -> Seat:
        return SEATS[GERMAN]

    def legal(self, s: WoodsState) -> list[Action]:
        able: list[Action] = [
            ("motorize", u) for u in s.units.of_side[GERMAN] if u != self.unit and refuse_motor(s, u) is None
        ]
        return [*able, *([("drop", self.unit), ("done",)] if self.unit >= 0 else [("pass",)])]

    def candidates(self, s: WoodsState) -> list[Action]:
        return [("done",)] if self.unit >= 0 else self.legal(s)

    def draft(self, s: WoodsState) -> tuple[Action, ...]:
        return (("motorize", self.unit),) if self.unit >= 0 else ()

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        match action:
            case ("motorize", UnitId(u)):
                s.swap(Motorize(u))
            case ("drop", _):
                s.swap(Motorize())
            case ("done",):
                s.pop()
                s.motor = self.unit
                s.asset[s.assets.motor] = s.ground.used
                out("12.6", "motorized", unit=s.motor)
            case _:
                s.pop()

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("12.6", "motor-named", unit=self.unit) if self.unit >= 0 else Prompt("12.6", "motorize-unit")

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        match action:
            case ("motorize", UnitId(u)) if u == self.unit:
                return [Refusal("12.6", "unit-named-already", unit=u)]
            case ("motorize", UnitId(u)):
                return [refuse_motor(s, u) or Refusal("12.6", "motorize-or-pass")]
        return [Refusal("12.6", "motorize-or-pass")]


# ---- 12.9.1 US Delay, 12.7 von der Heydte -----------------------------------------------------------------------


def deploy_hexes(s: WoodsState, u: UnitId) -> HexSet:
    """Where the US Delay or von der Heydte's men may be put, as bits [12.7, 12.9.1]."""
    if u == s.units.delay:
        own = s.ground.settled & ~s.german_held & us_supplied_hexes(s)
        return own & ~occupied(s, ALLIED) & ~occupied(s, GERMAN)
    held = occupied(s, ALLIED) | occupied(s, GERMAN) | zone(s, ALLIED)
    ground = s.ground
    return (ground.clear | ground.woods) & ~ground.settled & ground.army_zone["6"] & ~held


@dataclass(frozen=True, slots=True)
class Deploy(Frame[WoodsState]):
    """The US Delay may be deployed; von der Heydte's battalion jumps: the hex may be changed until it is done."""

    unit: UnitId
    hex: int = -1  # the one named

    def actor(self, s: WoodsState) -> Seat:
        return SEATS[ALLIED if self.unit == s.units.delay else GERMAN]

    def legal(self, s: WoodsState) -> list[Action]:
        hexes = deploy_hexes(s, self.unit)
        places: list[Action] = [("deploy", self.unit, h) for h in bits(hexes) if h != self.hex]
        if self.hex >= 0:
            return [*places, ("drop", self.unit), ("done",)]
        return [*places, ("pass",)] if self.unit == s.units.delay or not places else places

    def candidates(self, s: WoodsState) -> list[Action]:
        return [("done",)] if self.hex >= 0 else self.legal(s)

    def draft(self, s: WoodsState) -> tuple[Action, ...]:
        return (("deploy", self.unit, self.hex),) if self.hex >= 0 else ()

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        match action:
            case ("deploy", _, int(h)):
                s.swap(replace(self, hex=h))
            case ("drop", _):
                s.swap(replace(self, hex=-1))
            case ("done",) if self.unit == s.units.von_der_heydte:
                s.swap(DropRoll(self.hex))
            case ("done",):
                s.pop()
                put(s, self.unit, self.hex)
                out("12.9.1", "deployed", unit=self.unit, hex=self.hex)
                watch_motor(s, out)
            case _:
                s.pop()

    def rule(self, s: WoodsState) -> str:
        """The rule of the unit."""
        return "12.9.1" if self.unit == s.units.delay else "12.7"

    def prompt(self, s: WoodsState) -> Prompt:
        if self.hex >= 0:
            return Prompt(self.rule(s), "place-named", unit=self.unit, hex=self.hex)
        return Prompt(self.rule(s), "deploy-unit", unit=self.unit)

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        if action[0] == "deploy" and action[1] == self.unit:
            key = "hex-named-already" if action[2] == self.hex else "no-place-to-deploy"
            return [Refusal(self.rule(s), key, unit=self.unit, hex=int(action[2]))]
        return [Refusal(self.rule(s), "deploy-first", unit=self.unit)]


@dataclass(frozen=True, slots=True)
class DropRoll(DieFrame[WoodsState]):
    """On 1 or 2 the battalion holds together; otherwise it is only a nuisance until the end of turn 2 [12.7]."""

    hex: int

    def purpose(self, s: WoodsState) -> str:
        return "drop"

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        die = int(action[1])
        battalion = s.units.von_der_heydte
        if die <= 2:
            put(s, battalion, self.hex)
        else:
            s.asset[s.assets.alarm] = self.hex
            put(s, battalion, s.ground.gone)
        out("12.7", "drop-holds" if die <= 2 else "drop-scattered", n_die=die, unit=battalion, hex=self.hex)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("12.7", "roll-drop", unit=s.units.von_der_heydte, hex=self.hex)


# ---- 15 Clean-up -------------------------------------------------------------------------------------------------


def return_assets(s: WoodsState) -> None:
    """All but engineers go back to their boxes; what has served its time is gone [12.1, 15]."""
    ground, assets = s.ground, s.assets
    last_turn = {assets.greif: GREIF_TURNS, assets.traffic: TRAFFIC_TURNS, assets.bonus: BONUS_TURNS}
    for a, place in enumerate(s.asset):
        if assets.kind[a] in ("artillery", "nebelwerfer", "motor") and place == ground.used:
            s.asset[a] = ground.box
        elif a in last_turn and (place < ground.hexes or place in (ground.box, ground.used)):
            s.asset[a] = ground.gone if s.turn >= last_turn[a] else ground.box
    if s.turn >= ALARM_TURNS and s.asset[assets.alarm] < ground.hexes:
        s.asset[assets.alarm] = ground.gone
    s.motor = NOBODY
    if on_map(s, s.units.delay):
        take_off(s, s.units.delay, ground.box)
