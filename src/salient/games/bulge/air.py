"""Battle of the Bulge: phase 1, air combat. Chapter 5."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from salient.games.bulge.combat import InitiativeRoll, roll_battle
from salient.games.bulge.components import (
    ALLIED,
    AXIS,
    BOMBER,
    FIGHTER,
    KINDS,
    PLANES,
    SEATS,
    SIDES,
    Ground,
)
from salient.games.bulge.model import BulgeState, based, change_base, counts, fly, flying, hexes_with, present, seat_of
from salient.games.bulge.strips import aircraft_effect, aircraft_odds, throw
from salient.hexes.masks import bits
from salient.hexes.sets import HexId, HexSet, UnitId
from salient.kernel import Action, AutoFrame, ChanceFrame, Frame, Prompt, Refusal, Roller, Seat
from salient.kernel.messages import Sink

RETURN, FLAK, LOST = "return", "flak", "lost"
LOSSES = {RETURN: (), FLAK: ("5.6",), LOST: ("5.5", "5.6")}  # by option: the rules by which aircraft are lost for good

# ---- 5.1, 5.2 Weather and initiative --------------------------------------------------------------------


def begin_air_combat(s: BulgeState, out: Sink) -> None:
    """Aircraft fly from turn 5 on."""
    if s.turn >= s.tables.first_air_turn and any(based(s, side, kind) for side in SIDES for kind in PLANES):
        s.push(AirInitiative())


@dataclass(frozen=True, slots=True)
class AirInitiative(InitiativeRoll):
    """Who says which side places its aircraft first."""

    def purpose(self, s: BulgeState) -> str:
        return "air-initiative"

    def prompt(self, s: BulgeState) -> Prompt:
        return Prompt("5.2", "roll-air-initiative")

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        out("5.2", "air-initiative-won", word_side=str(action[1]))
        s.swap(ChooseFirst(SEATS.index(str(action[1]))))


@dataclass(frozen=True, slots=True)
class ChooseFirst(Frame[BulgeState]):
    """The winner of the initiative chooses who places aircraft first."""

    side: int

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, self.side)

    def legal(self, s: BulgeState) -> list[Action]:
        return [("first", seat) for seat in sorted(SEATS)]

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        first = SEATS.index(str(action[1]))
        out("5.2", "places-first", word_side=str(action[1]))
        s.pop()
        s.push(AirRound(first, 0))
        offer_flight(s, 1 - first)
        offer_flight(s, first)

    def prompt(self, s: BulgeState) -> Prompt:
        return Prompt("5.2", "choose-first", word_side=SEATS[self.side])

    def refusals(self, s: BulgeState, action: Action) -> list[Refusal]:
        return [Refusal("5.2", "choose-first-first")]


# ---- 5.3 Placing aircraft ----------------------------------------------------------------------------------


def offer_flight(s: BulgeState, side: int) -> None:
    """Ask a side to place its aircraft, if it has any."""
    if any(based(s, side, kind) for kind in PLANES):
        s.push(Fly(side))


@lru_cache(maxsize=1 << 6)
def _flights(ground: Ground, unit: UnitId) -> tuple[Action, ...]:
    """The flights of aircraft from home to every hex, ready-made."""
    return tuple([("fly", unit, h) for h in bits(ground.whole)])


@dataclass(frozen=True, slots=True)
class Fly(Frame[BulgeState]):
    """A side sends aircraft over any whole hexes, one by one in any order; those not sent stay at home [4.5, 4.6]."""

    side: int

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, self.side)

    def legal(self, s: BulgeState) -> list[Action]:
        return [*self.candidates(s), *(("drop", pile) for pile, _ in self._sent(s))]

    def candidates(self, s: BulgeState) -> list[Action]:
        actions: list[Action] = [("done",)]
        for unit in self._at_home(s):
            actions += _flights(s.ground, unit)
        return actions

    def _at_home(self, s: BulgeState) -> list[UnitId]:
        home, piles = s.ground.bases[self.side], s.units.piles
        return [piles[self.side][kind][home] for kind in PLANES if based(s, self.side, kind)]

    def draft(self, s: BulgeState) -> tuple[Action, ...]:
        units, home = s.units, s.ground.bases[self.side]
        return tuple(
            ("fly", units.piles[self.side][units.kind[pile]][home], units.place[pile])
            for pile, n in self._sent(s)
            for _ in range(n)
        )

    def _sent(self, s: BulgeState) -> list[tuple[UnitId, int]]:
        """The piles of aircraft over the board and how many each holds, ascending."""
        found = []
        for kind in PLANES:
            row = fliers(s, self.side, kind)
            found += [(s.units.piles[self.side][kind][h], row[h]) for h in bits(hexes_with(row))]
        return found

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        match action:
            case ("fly", UnitId(unit), HexId(h)):
                self._send(s, s.units.kind[unit], h, 1)
            case ("drop", UnitId(pile)):
                self._send(s, s.units.kind[pile], s.units.place[pile], -1)
            case _:
                s.pop()
                for pile, n in self._sent(s):
                    kind, place = KINDS[s.units.kind[pile]], s.units.place[pile]
                    out("5.3", "flies", word_side=SEATS[self.side], word_kind=kind, n=n, hex=place)

    def _send(self, s: BulgeState, kind: int, h: int, n: int) -> None:
        change_base(s, self.side, kind, -n)
        fly(s, self.side, kind, h, n)

    def prompt(self, s: BulgeState) -> Prompt:
        return Prompt("5.3", "place-aircraft", word_side=SEATS[self.side], units=tuple(self._at_home(s)))

    def refusals(self, s: BulgeState, action: Action) -> list[Refusal]:
        match action:
            case ("fly", UnitId(unit), HexId(h)) if s.units.side[unit] == self.side and s.units.kind[unit] in PLANES:
                if not s.ground.whole >> h & 1:
                    return [Refusal("7.15", "partial-hex", hex=h)]
                return [Refusal("5.3", "no-aircraft-at-home", unit=unit)]
            case ("drop", UnitId(unit)):
                return [Refusal("5.3", "not-named", piece=unit)]
        return [Refusal("5.3", "place-aircraft-first")]


# ---- 5.4 Battles in turn -------------------------------------------------------------------------------------


def fliers(s: BulgeState, side: int, kind: int) -> bytearray:
    """By hex: the aircraft of a kind."""
    hexes = s.ground.hexes
    row = (side * 2 + kind - FIGHTER) * hexes
    return s.planes[row : row + hexes]


def over(s: BulgeState, side: int) -> HexSet:
    """The hexes with aircraft of a side, as bits."""
    return hexes_with(fliers(s, side, FIGHTER)) | hexes_with(fliers(s, side, BOMBER))


def air_battles(s: BulgeState) -> HexSet:
    """The hexes where aircraft meet aircraft or enemy ground pieces, as bits."""
    axis, allied = over(s, AXIS), over(s, ALLIED)
    return axis & allied | axis & present(s, ALLIED) | allied & present(s, AXIS)


@dataclass(frozen=True, slots=True)
class AirRound(AutoFrame[BulgeState]):
    """Goes on to the next choice of a hex, or past the last; a single hex needs no choice."""

    side: int
    done: int  # hexes already fought over, as bits

    def run(self, s: BulgeState, out: Sink) -> None:
        left = bits(air_battles(s) & ~self.done)
        s.pop()
        if len(left) > 1:
            s.push(AirBattles(self.side, self.done))
        elif left:
            s.push(AirRound(1 - self.side, self.done | 1 << left[0]), AirBattle(left[0], 0))


@dataclass(frozen=True, slots=True)
class AirBattles(Frame[BulgeState]):
    """The sides choose in turn which hex is fought over next; the one that placed first begins."""

    side: int
    done: int  # hexes already fought over, as bits

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, self.side)

    def legal(self, s: BulgeState) -> list[Action]:
        return [("fight", h) for h in bits(air_battles(s) & ~self.done)]

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        h = HexId(action[1])
        s.swap(AirRound(1 - self.side, self.done | 1 << h), AirBattle(h, 0))

    def prompt(self, s: BulgeState) -> Prompt:
        return Prompt("5.4", "choose-air-battle", hexes=tuple(bits(air_battles(s) & ~self.done)))

    def refusals(self, s: BulgeState, action: Action) -> list[Refusal]:
        match action:
            case ("fight", HexId(h)):
                return [Refusal("5.4", "no-battle-there", hex=h)]
        return [Refusal("5.4", "choose-battle-first")]


@dataclass(frozen=True, slots=True)
class AirBattle(AutoFrame[BulgeState]):
    """Dogfights, then anti-aircraft fire, then the air attack over one hex."""

    hex: HexId
    step: int

    def run(self, s: BulgeState, out: Sink) -> None:
        fliers = [side for side in SIDES if any(flying(s, side, kind, self.hex) for kind in PLANES)]
        if len(fliers) == 2:
            s.push(Dogfight(self.hex))
            return
        s.pop()
        if not fliers or not any(counts(s, 1 - fliers[0], self.hex)):
            return
        if self.step == 0:
            s.push(AirBattle(self.hex, 1), AntiAircraft(1 - fliers[0], self.hex))
        else:
            strike(s, fliers[0], self.hex, out)


# ---- 5.5, 5.9 Dogfights ---------------------------------------------------------------------------------------


def squadron(s: BulgeState, side: int, h: HexId) -> tuple[int, int]:
    """A side's fighters and bombers over a hex."""
    return flying(s, side, FIGHTER, h), flying(s, side, BOMBER, h)


def shoot_down(s: BulgeState, side: int, h: HexId, lost: tuple[int, int], rule: str, out: Sink) -> None:
    """Take aircraft out of the sky: back to the off-board area, or by the option out of the game."""
    for kind, n in zip(PLANES, lost, strict=True):
        if n:
            fly(s, side, kind, h, -n)
            if rule not in LOSSES[s.aircraft]:
                change_base(s, side, kind, n)
            out(rule, "shot-down", word_side=SEATS[side], word_kind=KINDS[kind], n=n, hex=h)


@lru_cache(maxsize=1 << 10)
def dogfight_odds(axis: tuple[int, int], allied: tuple[int, int]) -> tuple[tuple[Action, Fraction], ...]:
    """Aircraft shot down on both sides in the first round that hits anybody."""
    found: list[tuple[Action, Fraction]] = []
    nothing = Fraction(0)
    for axis_lost, p in aircraft_odds(sum(allied), *axis):
        for allied_lost, q in aircraft_odds(sum(axis), *allied):
            if any(axis_lost) or any(allied_lost):
                found.append((("roll", *axis_lost, *allied_lost), p * q))
            else:
                nothing = p * q
    return tuple((action, share / (1 - nothing)) for action, share in found)


@dataclass(frozen=True, slots=True)
class Dogfight(ChanceFrame[BulgeState]):
    """Both sides roll a die for each aircraft, round after round until somebody is hit."""

    hex: HexId

    def outcomes(self, s: BulgeState) -> list[tuple[Action, Fraction]]:
        return list(dogfight_odds(squadron(s, AXIS, self.hex), squadron(s, ALLIED, self.hex)))

    def sample(self, s: BulgeState, roller: Roller) -> Action:
        axis, allied = squadron(s, AXIS, self.hex), squadron(s, ALLIED, self.hex)
        while True:
            allied_lost = aircraft_effect(*allied, throw(sum(axis), sum(allied), roller))
            axis_lost = aircraft_effect(*axis, throw(sum(allied), sum(axis), roller))
            if any(axis_lost) or any(allied_lost):
                return ("roll", *axis_lost, *allied_lost)

    def purpose(self, s: BulgeState) -> str:
        return "dogfight"

    def prompt(self, s: BulgeState) -> Prompt:
        return Prompt("5.5", "roll-dogfight", hex=self.hex)

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        s.pop()
        axis_f, axis_b, allied_f, allied_b = (int(n) for n in action[1:])
        shoot_down(s, AXIS, self.hex, (axis_f, axis_b), "5.5", out)
        shoot_down(s, ALLIED, self.hex, (allied_f, allied_b), "5.5", out)


# ---- 5.6 Anti-aircraft fire --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AntiAircraft(ChanceFrame[BulgeState]):
    """A die for each kind of ground piece in the hex."""

    side: int  # on the ground
    hex: HexId

    def dice(self, s: BulgeState) -> int:
        """How many kinds of pieces fire."""
        return sum(n > 0 for n in counts(s, self.side, self.hex))

    def outcomes(self, s: BulgeState) -> list[tuple[Action, Fraction]]:
        squares = squadron(s, 1 - self.side, self.hex)
        return [(("roll", *lost), share) for lost, share in aircraft_odds(self.dice(s), *squares)]

    def sample(self, s: BulgeState, roller: Roller) -> Action:
        squares = squadron(s, 1 - self.side, self.hex)
        return ("roll", *aircraft_effect(*squares, throw(self.dice(s), sum(squares), roller)))

    def purpose(self, s: BulgeState) -> str:
        return "anti-aircraft"

    def prompt(self, s: BulgeState) -> Prompt:
        return Prompt("5.6", "roll-anti-aircraft", hex=self.hex, n_dice=self.dice(s))

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        s.pop()
        shoot_down(s, 1 - self.side, self.hex, (int(action[1]), int(action[2])), "5.6", out)


# ---- 5.7, 5.8 Air attack and return ----------------------------------------------------------------------------------


def strike(s: BulgeState, side: int, h: HexId, out: Sink) -> None:
    """The aircraft that are left attack the pieces below, without supply."""
    dice = sum(flying(s, side, kind, h) * s.units.air_attack[kind] for kind in PLANES)
    out("5.7", "air-attack", word_side=SEATS[side], hex=h, n_dice=dice)
    roll_battle(s, side, h, dice)


def return_aircraft(s: BulgeState, out: Sink) -> None:
    """All aircraft return to their off-board areas."""
    for side in SIDES:
        for kind in PLANES:
            if home := sum(fliers(s, side, kind)):
                change_base(s, side, kind, home)
    s.planes = bytearray(len(s.planes))
