"""Battle of the Bulge: phase 2, ground combat. Chapter 6."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from salient.games.bulge.model import (
    AROUND,
    ATTACK,
    AXIS,
    COMBAT_KINDS,
    DRY,
    HEXES,
    INFANTRY,
    KINDS,
    SEATS,
    STACK_LIMIT,
    SUPPLY,
    SURPRISE_TURNS,
    TRUCK,
    WHOLE,
    BulgeState,
    counts,
    fighting,
    kind_of,
    present,
    put,
    room,
    seat_of,
    stack_size,
    unit_id,
    zone_of_control,
)
from salient.games.bulge.strips import SIDES_OF_DIE, Effect, effect_of, effects, odds, square_count, throw
from salient.games.bulge.supply import can_pay, charge
from salient.hexes.masks import bit, bits
from salient.kernel import Action, AutoFrame, ChanceFrame, Frame, Prompt, Refusal, Roller, Seat
from salient.kernel.messages import Sink

Pool = tuple[int, int, int]  # infantry, tanks, artillery
NOBODY: Pool = (0, 0, 0)
NOWHERE = -1

# ---- 6.1 Initiative ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class InitiativeRoll(ChanceFrame):
    """The higher of two dice wins, ties are rolled again: the sides are equally likely."""

    def outcomes(self, s: BulgeState) -> list[tuple[Action, Fraction]]:
        return [(("initiative", seat), Fraction(1, 2)) for seat in sorted(SEATS)]

    def sample(self, s: BulgeState, roller: Roller) -> Action:
        while True:
            axis, allied = roller.die(SIDES_OF_DIE), roller.die(SIDES_OF_DIE)
            if axis != allied:
                return ("initiative", SEATS[0 if axis > allied else 1])


@dataclass(frozen=True, slots=True)
class GroundInitiative(InitiativeRoll):
    """Who attacks first, from turn 2 on."""

    def purpose(self, s: BulgeState) -> str:
        return "ground-initiative"

    def prompt(self, s: BulgeState) -> Prompt:
        return Prompt("6.1", "roll-ground-initiative")

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        out("6.1", "ground-initiative-won", word_side=str(action[1]))
        s.swap(Initiative(SEATS.index(str(action[1])), 0))


def begin_ground_combat(s: BulgeState, out: Sink) -> None:
    """On the first turn the Axis has the initiative; later the dice decide [6.1, 6.2]."""
    s.attacked = 0
    if s.turn <= SURPRISE_TURNS:
        out("6.2", "surprise")
        s.push(Initiative(AXIS, 0))
    else:
        s.push(GroundInitiative())


# ---- 6.3, 6.4 From where, at whom ------------------------------------------------------------------


def refuse_attacker(s: BulgeState, side: int, h: int) -> Refusal | None:
    """Why a side cannot attack from a hex."""
    if side != AXIS and s.turn <= SURPRISE_TURNS:
        return Refusal("6.2", "surprised")
    if not fighting(s, side) >> h & 1:
        return Refusal("6.3", "nobody-to-attack-with", hex=h)
    if s.attacked >> h & 1:
        return Refusal("6.3", "has-attacked", hex=h)
    if not can_pay(s, side, h):
        return Refusal("6.5", "no-supply-to-attack", hex=h)
    return None


def refuse_target(s: BulgeState, side: int, h: int, target: int) -> Refusal | None:
    """Why a hex cannot be attacked from another."""
    if not AROUND[h] >> target & 1:
        return Refusal("6.4", "not-adjacent", hex=h, hex_target=target)
    if not present(s, 1 - side) >> target & 1:
        return Refusal("6.4", "no-enemy-there", hex=target)
    return None


def attacks(s: BulgeState, side: int) -> list[Action]:
    """Every attack that a side may begin, ascending."""
    if side != AXIS and s.turn <= SURPRISE_TURNS:
        return []
    enemies = present(s, 1 - side)
    return [
        ("attack", h, target)
        for h in bits(fighting(s, side) & ~s.attacked)
        if AROUND[h] & enemies and can_pay(s, side, h)
        for target in bits(AROUND[h] & enemies)
    ]


# ---- 6.12, 6.13 The initiative passes ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Initiative(AutoFrame):
    """Gives a side the initiative; a side that cannot attack passes, and two passes end the phase."""

    side: int
    passes: int  # how many sides have passed since the last attack
    number: int = 0  # how many hexes have attacked this turn

    def run(self, s: BulgeState, out: Sink) -> None:
        if self.passes == 2:
            s.pop()
        elif attacks(s, self.side):
            s.push(Combat(self.side))
        else:
            s.swap(Initiative(1 - self.side, self.passes + 1, self.number))


def passes(s: BulgeState) -> int:
    """How many sides have passed since the last attack."""
    return next(frame.passes for frame in reversed(s.stack) if isinstance(frame, Initiative))


@dataclass(frozen=True, slots=True)
class PassInitiative(AutoFrame):
    """After all attacks from a hex the initiative passes to the other side."""

    side: int

    def run(self, s: BulgeState, out: Sink) -> None:
        s.pop()
        s.swap(Initiative(self.side, 0, s.attacked.bit_count()))


# ---- 6.4, 6.5, 6.7 Declaring: targets, payment, units held back ---------------------------------------------

Declared = tuple[int, int, int, int]  # target, infantry, tanks, artillery


def aim(s: BulgeState, side: int, h: int, target: int, plan: tuple[Declared, ...], pool: Pool, out: Sink) -> None:
    """Declare one target of a hex, and pay for it."""
    out("6.4", "attacks", word_side=SEATS[side], hex=h, hex_target=target)
    s.push(Combat(side, h, target, plan, pool))
    charge(s, side, h, out)


def further_targets(s: BulgeState, side: int, h: int, plan: tuple[Declared, ...]) -> list[int]:
    """The targets that a hex with free units may attack as well, ascending and beyond those declared."""
    if not can_pay(s, side, h):
        return []
    return [target for target in bits(AROUND[h] & present(s, 1 - side)) if target > plan[-1][0]]


@dataclass(frozen=True, slots=True)
class Combat(Frame):
    """The side with the initiative attacks from a hex or passes, then says which units it holds back.

    Units that are not held back attack the target; those held back may be sent at a further target.
    """

    side: int
    hex: int = NOWHERE  # the attacking hex, once it is named
    target: int = NOWHERE
    plan: tuple[Declared, ...] = ()  # what is declared already
    pool: Pool = NOBODY  # units that are free
    least: int = INFANTRY  # kinds are held back in order

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, self.side)

    def legal(self, s: BulgeState) -> list[Action]:
        if self.hex == NOWHERE:
            return [*attacks(s, self.side), ("pass",)]
        free = sum(self.free(s))
        holding: list[Action] = [
            ("hold", unit_id(self.side, kind, self.hex), n)
            for kind in COMBAT_KINDS
            if kind >= self.least
            for n in range(1, min(self.pool[kind], free - 1) + 1)
        ]
        return [*holding, ("resolve",)]

    def free(self, s: BulgeState) -> Pool:
        """The units that are not held back."""
        return (self.pool[0] - s.held[0], self.pool[1] - s.held[1], self.pool[2] - s.held[2])

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        match action:
            case ("attack", int(h), int(target)):
                s.pop()
                s.attacked |= bit(h)
                aim(s, self.side, h, target, (), counts(s, self.side, h)[:3], out)
            case ("hold", int(unit), int(n)):
                kind = kind_of(unit)
                i, t, a = (n if k == kind else s.held[k] for k in COMBAT_KINDS)
                s.held = (i, t, a)
                s.swap(replace(self, least=kind + 1))
            case ("resolve",):
                self._commit(s, out)
            case _:
                out("6.12", "initiative-passed", word_side=SEATS[self.side])
                s.pop()
                s.swap(Initiative(1 - self.side, passes(s) + 1, s.attacked.bit_count()))

    def _commit(self, s: BulgeState, out: Sink) -> None:
        s.pop()
        free, held = self.free(s), s.held
        s.held = NOBODY
        plan = (*self.plan, (self.target, *free))
        out("6.7", "commits", hex=self.hex, hex_target=self.target, n_dice=dice_of(free))
        if any(held) and further_targets(s, self.side, self.hex, plan):
            s.swap(Resolve(self.side, plan), Further(self.side, self.hex, plan, held))
        elif self.plan:
            s.swap(Resolve(self.side, plan))
        else:
            s.push(PassInitiative(1 - self.side))
            begin_battles(s, self.side, plan)

    def prompt(self, s: BulgeState) -> Prompt:
        if self.hex == NOWHERE:
            return Prompt("6.3", "attack-or-pass", word_side=SEATS[self.side])
        dice = dice_of(self.free(s))
        return Prompt("6.7", "hold-or-resolve", hex=self.hex, hex_target=self.target, n_dice=dice)

    def why_not(self, s: BulgeState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        if self.hex != NOWHERE:
            if action[0] == "hold":
                return [Refusal("6.7", "cannot-hold", hex=self.hex)]
            return [Refusal("6.7", "finish-attack-first", hex=self.target)]
        match action:
            case ("attack", int(h), int(target)):
                refusal = refuse_attacker(s, self.side, h) or refuse_target(s, self.side, h, target)
                return [refusal] if refusal else []
        return [Refusal("6.3", "attack-first")]


@dataclass(frozen=True, slots=True)
class Further(Frame):
    """Units held back may attack further hexes, declared before any die is rolled [6.4]."""

    side: int
    hex: int
    plan: tuple[Declared, ...]
    pool: Pool

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, self.side)

    def legal(self, s: BulgeState) -> list[Action]:
        return [
            *(("attack", self.hex, target) for target in further_targets(s, self.side, self.hex, self.plan)),
            ("pass",),
        ]

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "attack":
            aim(s, self.side, self.hex, int(action[2]), self.plan, self.pool, out)

    def prompt(self, s: BulgeState) -> Prompt:
        return Prompt("6.4", "further-target", hex=self.hex)

    def why_not(self, s: BulgeState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        match action:
            case ("attack", self.hex, int(target)):
                refusal = refuse_target(s, self.side, self.hex, target)
                return [refusal or Refusal("6.4", "targets-in-order", hex=target)]
        return [Refusal("6.4", "finish-attack-first", hex=self.hex)]


def dice_of(pool: tuple[int, ...]) -> int:
    """The dice of infantry, tanks and artillery: one, two and three each [6.7]."""
    return sum(pool[kind] * ATTACK[kind] for kind in COMBAT_KINDS)


@dataclass(frozen=True, slots=True)
class Resolve(AutoFrame):
    """Waits beneath further declarations of a hex, then resolves them all; afterwards the initiative passes [6.12]."""

    side: int
    plan: tuple[Declared, ...]

    def run(self, s: BulgeState, out: Sink) -> None:
        s.swap(Initiative(1 - self.side, 0, s.attacked.bit_count()))
        begin_battles(s, self.side, self.plan)


def begin_battles(s: BulgeState, side: int, plan: tuple[Declared, ...]) -> None:
    """Resolve what is declared: the attacker chooses the order of several battles."""
    if len(plan) > 1:
        s.push(Battles(side, plan))
    else:
        s.push(LastBattle(side, plan[0]))


@dataclass(frozen=True, slots=True)
class LastBattle(AutoFrame):
    """The only battle, or the only one left."""

    side: int
    declared: Declared

    def run(self, s: BulgeState, out: Sink) -> None:
        s.pop()
        roll_battle(s, self.side, self.declared[0], dice_of(self.declared[1:]))


@dataclass(frozen=True, slots=True)
class Battles(Frame):
    """The attacks declared from a hex are resolved in the order that the attacker likes."""

    side: int
    plan: tuple[Declared, ...]

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, self.side)

    def legal(self, s: BulgeState) -> list[Action]:
        return [("fight", declared[0]) for declared in self.plan]

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        chosen = next(declared for declared in self.plan if declared[0] == action[1])
        s.pop()
        begin_battles(s, self.side, tuple(other for other in self.plan if other != chosen))
        roll_battle(s, self.side, chosen[0], dice_of(chosen[1:]))

    def prompt(self, s: BulgeState) -> Prompt:
        return Prompt("6.4", "choose-battle", hexes=tuple(declared[0] for declared in self.plan))

    def why_not(self, s: BulgeState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        match action:
            case ("fight", int(h)):
                return [Refusal("6.4", "no-battle-there", hex=h)]
        return [Refusal("6.4", "choose-battle-first")]


# ---- 6.6 to 6.9 The battle ---------------------------------------------------------------------------------


def roll_battle(s: BulgeState, side: int, target: int, dice: int) -> None:
    """Pull out the strips and roll, if there is anything to hit."""
    squares = counts(s, 1 - side, target)
    if dice and any(squares):
        s.push(BattleRoll(side, target, dice))


@dataclass(frozen=True, slots=True)
class BattleRoll(ChanceFrame):
    """Dice against the strips of a hex; the action says what becomes of the pieces."""

    side: int  # the attacker
    target: int
    dice: int

    def outcomes(self, s: BulgeState) -> list[tuple[Action, Fraction]]:
        return [(("roll", *effect), share) for effect, share in odds(self.dice, counts(s, 1 - self.side, self.target))]

    def legal(self, s: BulgeState) -> list[Action]:
        return [("roll", *effect) for effect in effects(self.dice, counts(s, 1 - self.side, self.target))]

    def sample(self, s: BulgeState, roller: Roller) -> Action:
        squares = counts(s, 1 - self.side, self.target)
        return ("roll", *effect_of(squares, throw(self.dice, square_count(squares), roller)))

    def purpose(self, s: BulgeState) -> str:
        return "battle"

    def prompt(self, s: BulgeState) -> Prompt:
        return Prompt("6.7", "roll-battle", hex=self.target, n_dice=self.dice)

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        s.pop()
        di, ri, dt, rt, da, ra, trucks, tokens = (int(n) for n in action[1:])
        effect: Effect = (di, ri, dt, rt, da, ra, trucks, tokens)
        take_hits(s, 1 - self.side, self.target, effect, out)


def take_hits(s: BulgeState, side: int, h: int, effect: Effect, out: Sink) -> None:
    """Destroy what was hit hard enough, then let the owner retreat the rest [6.9 to 6.11]."""
    di, ri, dt, rt, da, ra, trucks, tokens = effect
    if not any(effect):
        out("6.9", "no-effect", hex=h)
    for kind, lost in ((0, di), (1, dt), (2, da), (TRUCK, trucks), (SUPPLY, tokens)):
        if lost:
            destroy(s, side, kind, h, lost, "6.10", out)
    retreat_all(s, side, h, (ri, rt, ra), out)


def destroy(s: BulgeState, side: int, kind: int, h: int, n: int, rule: str, out: Sink) -> None:
    """Take pieces out of the game."""
    put(s, side, kind, h, -n)
    out(rule, "destroyed", word_side=SEATS[side], word_kind=KINDS[kind], n=n, hex=h)


# ---- 6.11 Retreats --------------------------------------------------------------------------------------------


def refuse_retreat(s: BulgeState, side: int, kind: int, h: int, to: int) -> Refusal | None:
    """Why a piece cannot retreat from a hex to another."""
    if not WHOLE >> to & 1:
        return Refusal("6.11", "partial-hex", hex=to)
    if not AROUND[h] >> to & 1:
        return Refusal("6.11", "retreat-one-hex", hex=to)
    if fighting(s, 1 - side) >> to & 1:
        return Refusal("6.11", "enemy-in-hex", hex=to)
    if zone_of_control(s, 1 - side) >> to & 1:
        return Refusal("6.11", "retreat-into-zone", hex=to)
    if kind != INFANTRY and not DRY[h] >> to & 1:
        return Refusal("6.11", "retreat-over-river", hex=to)
    if not room(s, side, kind, to):
        return Refusal("6.11", "retreat-hex-full", hex=to)
    return None


def retreat_hexes(s: BulgeState, side: int, kind: int, h: int) -> list[int]:
    """The hexes to which a piece can retreat, ascending."""
    enemies = fighting(s, 1 - side)
    open_hexes = (AROUND if kind == INFANTRY else DRY)[h] & ~enemies & ~zone_of_control(s, 1 - side)
    return [to for to in bits(open_hexes) if room(s, side, kind, to)]


def retreat_all(s: BulgeState, side: int, h: int, pool: Pool, out: Sink, least: int = 0) -> None:
    """Retreat pieces: at once where there is no choice, destroyed where there is no way."""
    for kind in COMBAT_KINDS:
        if pool[kind] and not retreat_hexes(s, side, kind, h):
            destroy(s, side, kind, h, pool[kind], "6.11", out)
            pool = without(pool, kind, pool[kind])
    frame = Retreat(side, h, pool, least)
    ways = frame.ways(s)
    if len(ways) > 1:
        s.push(frame)
    elif ways:
        kind, to = ways[0]
        is_only = len(retreat_hexes(s, side, kind, h)) == 1
        frame.move_back(s, kind, to, min(pool[kind], room(s, side, kind, to)) if is_only else 1, out)


def without(pool: Pool, kind: int, n: int) -> Pool:
    """A pool with fewer units of a kind."""
    infantry, tanks, guns = (left - n * (each == kind) for each, left in enumerate(pool))
    return infantry, tanks, guns


def retreat(s: BulgeState, side: int, kind: int, h: int, to: int, n: int, out: Sink) -> None:
    """Move pieces back one hex."""
    put(s, side, kind, h, -n)
    put(s, side, kind, to, n)
    out("6.11", "retreats", word_side=SEATS[side], word_kind=KINDS[kind], n=n, hex=h, hex_to=to)


@dataclass(frozen=True, slots=True)
class Retreat(Frame):
    """The owner retreats pieces one after the other.

    Where kinds want the same scarce room he chooses who gets it. Otherwise the order changes nothing: kinds go in the
    order of the strips, each to hexes in ascending order.
    """

    side: int
    hex: int
    pool: Pool  # who has yet to retreat
    least: int  # the lowest hex that the first kind may still name

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, self.side)

    def ways(self, s: BulgeState) -> list[tuple[int, int]]:
        """Who may retreat next, and to where."""
        hexes = {kind: retreat_hexes(s, self.side, kind, self.hex) for kind in COMBAT_KINDS if self.pool[kind]}
        if self.is_scarce(s):
            return [(kind, to) for kind, open_hexes in hexes.items() for to in open_hexes]
        for kind, open_hexes in hexes.items():
            ways = [to for to in open_hexes if to >= self.least]
            rooms = [room(s, self.side, kind, to) for to in ways]
            needed = min(self.pool[kind], sum(rooms))
            return [(kind, to) for i, to in enumerate(ways) if sum(rooms[i:]) >= needed]
        return []

    def is_scarce(self, s: BulgeState) -> bool:
        """Whether a hex open to several kinds cannot take all units that retreat."""
        hexes = [retreat_hexes(s, self.side, kind, self.hex) for kind in COMBAT_KINDS if self.pool[kind]]
        shared = {to for i, ways in enumerate(hexes) for to in ways if any(to in other for other in hexes[i + 1 :])}
        return any(STACK_LIMIT - stack_size(s, self.side, to) < sum(self.pool) for to in shared)

    def legal(self, s: BulgeState) -> list[Action]:
        return [("retreat", unit_id(self.side, kind, self.hex), to) for kind, to in self.ways(s)]

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        s.pop()
        self.move_back(s, kind_of(int(action[1])), int(action[2]), 1, out)

    def move_back(self, s: BulgeState, kind: int, to: int, n: int, out: Sink) -> None:
        """Retreat pieces of a kind to a hex, then go on with the others."""
        in_order = not self.is_scarce(s)
        retreat(s, self.side, kind, self.hex, to, n, out)
        left = without(self.pool, kind, n)
        same_kind = left[kind] and retreat_hexes(s, self.side, kind, self.hex)
        retreat_all(s, self.side, self.hex, left, out, to if in_order and same_kind else 0)

    def prompt(self, s: BulgeState) -> Prompt:
        hexes = tuple(sorted({to for _, to in self.ways(s)}))
        if self.is_scarce(s):
            return Prompt("6.11", "choose-who-retreats", hex=self.hex, hexes=hexes)
        return Prompt("6.11", "choose-retreat", hex=self.hex, word_kind=KINDS[self.ways(s)[0][0]], hexes=hexes)

    def why_not(self, s: BulgeState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        match action:
            case ("retreat", int(unit), int(to)) if self._is_pending(unit) and to < HEXES:
                refusal = refuse_retreat(s, self.side, kind_of(unit), self.hex, to)
                return [refusal or Refusal("6.11", "retreat-in-order", hex=to)]
        return [Refusal("6.11", "retreat-first", hex=self.hex)]

    def _is_pending(self, unit: int) -> bool:
        return any(n and unit == unit_id(self.side, kind, self.hex) for kind, n in enumerate(self.pool))
