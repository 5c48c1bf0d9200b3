"""Battle of the Bulge: phase 2, ground combat. Chapter 6."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from salient.games.bulge.components import AXIS, COMBAT_KINDS, SEATS, SUPPLY, TRUCK, Units
from salient.games.bulge.model import BulgeState, around, count, counts, fighting, present, put, seat_of
from salient.games.bulge.retreats import Pool, changed, destroy, retreat_all
from salient.games.bulge.strips import SIDES_OF_DIE, Effect, effect_of, odds, rolls, square_count, throw
from salient.games.bulge.supply import can_pay, payable, payers, refuse_payer
from salient.hexes.masks import bit, bits
from salient.hexes.sets import NO_HEXES, HexId, HexSet, UnitId
from salient.kernel import Action, AutoFrame, ChanceFrame, Frame, Prompt, Refusal, Roller, Seat
from salient.kernel.messages import Sink

NOBODY: Pool = (0, 0, 0)
NOWHERE = HexId(-1)

# ---- 6.1 Initiative ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class InitiativeRoll(ChanceFrame[BulgeState]):
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
    s.attacked = NO_HEXES
    if s.turn <= s.tables.surprise_turns:
        out("6.2", "surprise")
        s.push(Initiative(AXIS, 0))
    else:
        s.push(GroundInitiative())


# ---- 6.3, 6.4 From where, at whom ------------------------------------------------------------------


def refuse_attacker(s: BulgeState, side: int, h: HexId) -> Refusal | None:
    """Why a side cannot attack from a hex."""
    if side != AXIS and s.turn <= s.tables.surprise_turns:
        return Refusal("6.2", "surprised")
    if not fighting(s, side) >> h & 1:
        return Refusal("6.3", "nobody-to-attack-with", hex=h)
    if s.attacked >> h & 1:
        return Refusal("6.3", "has-attacked", hex=h)
    if not can_pay(s, side, h):
        return Refusal("6.5", "no-supply-to-attack", hex=h)
    return None


def refuse_target(s: BulgeState, side: int, h: HexId, target: HexId) -> Refusal | None:
    """Why a hex cannot be attacked from another."""
    if not s.ground.around[h] >> target & 1:
        return Refusal("6.4", "not-adjacent", hex=h, hex_target=target)
    if not present(s, 1 - side) >> target & 1:
        return Refusal("6.4", "no-enemy-there", hex=target)
    return None


def attacking_hexes(s: BulgeState, side: int) -> HexSet:
    """The hexes from which a side may begin an attack, as bits."""
    if side != AXIS and s.turn <= s.tables.surprise_turns:
        return NO_HEXES
    return fighting(s, side) & ~s.attacked & around(s.ground, present(s, 1 - side)) & payable(s, side)


def attacks(s: BulgeState, side: int) -> list[Action]:
    """Every attack that a side may begin, ascending."""
    around_hex, enemies = s.ground.around, present(s, 1 - side)
    hexes = bits(attacking_hexes(s, side))
    return [("attack", h, target) for h in hexes for target in bits(around_hex[h] & enemies)]


# ---- 6.12, 6.13 The initiative passes ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Initiative(AutoFrame[BulgeState]):
    """Gives a side the initiative; a side that cannot attack passes, and two passes end the phase."""

    side: int
    passes: int  # how many sides have passed since the last attack
    number: int = 0  # how many hexes have attacked this turn

    def run(self, s: BulgeState, out: Sink) -> None:
        if self.passes == 2:
            s.pop()
        elif attacking_hexes(s, self.side):
            s.push(Combat(self.side))
        else:
            s.swap(Initiative(1 - self.side, self.passes + 1, self.number))


def passes(s: BulgeState) -> int:
    """How many sides have passed since the last attack."""
    return next(frame.passes for frame in reversed(s.stack) if isinstance(frame, Initiative))


@dataclass(frozen=True, slots=True)
class PassInitiative(AutoFrame[BulgeState]):
    """After all attacks from a hex the initiative passes to the other side."""

    side: int

    def run(self, s: BulgeState, out: Sink) -> None:
        s.pop()
        s.swap(Initiative(self.side, 0, s.attacked.bit_count()))


# ---- 6.4, 6.5, 6.7 Declaring: targets, payment, who attacks what, who is held back ---------------------------

Declared = tuple[HexId, int, int, int]  # target, infantry, tanks, artillery


def dice_of(units: Units, pool: tuple[int, ...]) -> int:
    """The dice of infantry, tanks and artillery: one, two and three each [6.7]."""
    return sum(pool[kind] * units.attack[kind] for kind in COMBAT_KINDS)


@dataclass(frozen=True, slots=True)
class Combat(Frame[BulgeState]):
    """The side with the initiative attacks from a hex or passes.

    An attack is declared piece by piece in any order, and each piece can be taken back until it is resolved: its
    targets, each paid with a token, the units sent at other targets than the first, and those held back. All others
    attack the first target, that of the lowest number.
    """

    side: int
    hex: HexId = NOWHERE  # the attacking hex, once it is named
    sent: tuple[Declared, ...] = ()  # by target, ascending: the units sent at it; none at the first
    paid: tuple[HexId, ...] = ()  # the hexes that have paid, ascending

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, self.side)

    # ---- what is declared

    def rest(self, s: BulgeState) -> Pool:
        """The units that attack the first target: neither sent elsewhere nor held back."""
        pool = counts(s, self.side, self.hex)
        infantry, tanks, guns = (
            pool[kind] - s.held[kind] - sum(declared[1 + kind] for declared in self.sent) for kind in COMBAT_KINDS
        )
        return infantry, tanks, guns

    def plan(self, s: BulgeState) -> tuple[Declared, ...]:
        """Every target with the units that attack it."""
        return ((self.sent[0][0], *self.rest(s)), *self.sent[1:])

    def empty(self) -> int:
        """How many targets beyond the first nobody attacks yet."""
        return sum(not any(declared[1:]) for declared in self.sent[1:])

    def spare(self, s: BulgeState) -> int:
        """How many units can be held back or sent on so that every target can still be attacked."""
        return sum(self.rest(s)) - 1 - self.empty()

    # ---- what can be declared

    def legal(self, s: BulgeState) -> list[Action]:
        if self.hex == NOWHERE:
            return [*attacks(s, self.side), ("pass",)]
        drop: list[Action] = [("drop", piece) for piece in self._named(s)]
        named = [*self._targets(s), *self._hold(s), *self._payments(s), *self._resolve(), *self._send(s)]
        return [*named, *drop, ("cancel",)]

    def candidates(self, s: BulgeState) -> list[Action]:
        """In order: the targets, units sent elsewhere, units held back.

        Where a target has been passed over, units that can be sent there come next.
        """
        if self.hex == NOWHERE:
            return self.legal(s)
        if self.owes():
            return self._payments(s)
        held = [kind for kind in COMBAT_KINDS if s.held[kind]]
        sent = [(kind, row[0]) for kind in COMBAT_KINDS for row in self.sent if row[1 + kind]]
        targets = [] if held or sent else [a for a in self._targets(s) if int(a[2]) > self.sent[-1][0]]
        kind_of, last = s.units.kind, sent[-1] if sent else (NOWHERE, NOWHERE)
        hold = [a for a in self._hold(s) if not held or kind_of[UnitId(a[1])] > held[-1]]
        send = [] if held else [a for a in self._send(s) if (kind_of[UnitId(a[1])], int(a[2])) > last]
        if send or not self.empty():
            return [*targets, *hold, *self._resolve(), *send]
        vacant = [declared[0] for declared in self.sent if not any(declared[1:])]
        return [a for a in self._send(s) if a[2] in vacant]

    def owes(self) -> int:
        """How many targets have yet to be paid."""
        return len(self.sent) - len(self.paid)

    def _payments(self, s: BulgeState) -> list[Action]:
        return [("pay", payer) for payer in payers(s, self.side, self.hex)] if self.owes() else []

    def can_pay_more(self, s: BulgeState) -> bool:
        """Whether there is a token for one more target than those named."""
        return sum(count(s, self.side, SUPPLY, h) for h in payers(s, self.side, self.hex)) > self.owes()

    def _targets(self, s: BulgeState) -> list[Action]:
        if self.spare(s) < 1 or not self.can_pay_more(s):
            return []
        named = [declared[0] for declared in self.sent]
        enemies = bits(s.ground.around[self.hex] & present(s, 1 - self.side))
        return [("attack", self.hex, target) for target in enemies if target not in named]

    def _hold(self, s: BulgeState) -> list[Action]:
        rest, spare, piles = self.rest(s), self.spare(s), s.units.piles
        return [
            ("hold", piles[self.side][kind][self.hex], n)
            for kind in COMBAT_KINDS
            for n in range(1, s.held[kind] + min(rest[kind], spare) + 1)
            if n != s.held[kind]
        ]

    def _send(self, s: BulgeState) -> list[Action]:
        rest, spare, piles = self.rest(s), self.spare(s), s.units.piles
        return [
            ("send", piles[self.side][kind][self.hex], declared[0], n)
            for kind in COMBAT_KINDS
            for declared in self.sent[1:]
            for n in range(1, declared[1 + kind] + min(rest[kind], spare + (not any(declared[1:]))) + 1)
            if n != declared[1 + kind]
        ]

    def _resolve(self) -> list[Action]:
        return [] if self.empty() or self.owes() else [("resolve",)]

    def _named(self, s: BulgeState) -> list[int]:
        """What can be taken back, ascending: piles held back or sent elsewhere, tokens chosen to pay, targets."""
        kinds = [kind for kind in COMBAT_KINDS if s.held[kind] or any(row[1 + kind] for row in self.sent)]
        tokens = sorted(set(self.paid)) if self.is_asked(s, self.hex) else []
        piles = [*((kind, self.hex) for kind in kinds), *((SUPPLY, payer) for payer in tokens)]
        targets = [row[0] for row in self.sent] if len(self.sent) > 1 else []
        units = s.units
        return [*(units.piles[self.side][kind][h] for kind, h in piles), *(units.hex_piece(h) for h in targets)]

    # ---- taking back

    def draft(self, s: BulgeState) -> tuple[Action, ...]:
        if self.hex == NOWHERE:
            return ()
        chain: list[Action] = []
        for i, declared in enumerate(self.sent):
            chain.append(("attack", self.hex, declared[0]))
            if i < len(self.paid) and self.is_asked(s, self.hex):
                chain.append(("pay", self.paid[i]))
        for kind in COMBAT_KINDS:
            unit = s.units.piles[self.side][kind][self.hex]
            chain += [("send", unit, row[0], row[1 + kind]) for row in self.sent if row[1 + kind]]
            if s.held[kind]:
                chain.append(("hold", unit, s.held[kind]))
        return tuple(chain)

    def is_asked(self, s: BulgeState, h: HexId) -> bool:
        """Whether tokens of several hexes could pay for this attack."""
        return len({*payers(s, self.side, h), *self.paid}) > 1

    # ---- carrying it out

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        match action:
            case ("attack", HexId(h), HexId(target)):
                s.attacked |= bit(h)
                named = replace(self, hex=h, sent=tuple(sorted((*self.sent, (target, 0, 0, 0)))))
                s.swap(named)
                if not self.is_asked(s, h):
                    named.pay(s, payers(s, self.side, h)[0])
            case ("pay", HexId(payer)):
                self.pay(s, payer)
            case ("hold", UnitId(unit), int(n)):
                s.held = changed(s.held, s.units.kind[unit], n)
            case ("send", UnitId(unit), HexId(target), int(n)):
                s.swap(replace(self, sent=self._sent(s.units.kind[unit], n, target)))
            case ("drop", int(piece)) if s.units.is_hex(piece):
                self._drop_target(s, s.units.piece_hex(piece))
            case ("drop", UnitId(pile)) if s.units.kind[pile] == SUPPLY:
                self._take_token_back(s, HexId(s.units.place[pile]))
            case ("drop", UnitId(unit)):
                s.held = changed(s.held, s.units.kind[unit], 0)
                s.swap(replace(self, sent=self._sent(s.units.kind[unit], 0)))
            case ("cancel",):
                self._cancel(s)
            case ("resolve",):
                self._commit(s, out)
            case _:
                out("6.12", "initiative-passed", word_side=SEATS[self.side])
                s.pop()
                s.swap(Initiative(1 - self.side, passes(s) + 1, s.attacked.bit_count()))

    def pay(self, s: BulgeState, payer: HexId) -> None:
        """Lay a token of a hex aside for a target."""
        put(s, self.side, SUPPLY, payer, -1)
        s.swap(replace(self, paid=tuple(sorted((*self.paid, payer)))))

    def _sent(self, kind: int, n: int, target: HexId = NOWHERE) -> tuple[Declared, ...]:
        """What is sent once a number of a kind goes at a target, or at all of them."""
        return tuple(
            (row[0], *changed((row[1], row[2], row[3]), kind, n)) if target in (row[0], NOWHERE) else row
            for row in self.sent
        )

    def _drop_target(self, s: BulgeState, target: HexId) -> None:
        """Its units join those at the first target; of tokens of several hexes that of the highest comes back."""
        left = [row for row in self.sent if row[0] != target]
        without = replace(self, sent=((left[0][0], 0, 0, 0), *left[1:]))
        s.swap(without)
        if without.owes() < 0:
            without._take_token_back(s, self.paid[-1])

    def _take_token_back(self, s: BulgeState, payer: HexId) -> None:
        paid = list(self.paid)
        paid.remove(payer)
        put(s, self.side, SUPPLY, payer, 1)
        s.swap(replace(self, paid=tuple(paid)))

    def _cancel(self, s: BulgeState) -> None:
        for payer in self.paid:
            put(s, self.side, SUPPLY, payer, 1)
        s.held = NOBODY
        s.attacked &= ~bit(self.hex)
        s.swap(Combat(self.side))

    def _commit(self, s: BulgeState, out: Sink) -> None:
        plan = self.plan(s)
        s.pop()
        s.held = NOBODY
        for payer in self.paid:
            out("6.5", "supply-paid", hex=payer)
        for target, *units in plan:
            out("6.4", "attacks", word_side=SEATS[self.side], hex=self.hex, hex_target=target)
            out("6.7", "commits", hex=self.hex, hex_target=target, n_dice=dice_of(s.units, tuple(units)))
        s.push(PassInitiative(1 - self.side))
        begin_battles(s, self.side, plan)

    # ---- what is asked, and why not

    def prompt(self, s: BulgeState) -> Prompt:
        if self.hex == NOWHERE:
            return Prompt("6.3", "attack-or-pass", word_side=SEATS[self.side])
        if self.owes():
            return Prompt("6.5", "choose-payer", hex=self.hex, hexes=tuple(payers(s, self.side, self.hex)))
        if len(self.sent) == 1:
            dice = dice_of(s.units, self.rest(s))
            return Prompt("6.7", "hold-or-resolve", hex=self.hex, hex_target=self.sent[0][0], n_dice=dice)
        return Prompt("6.7", "send-or-resolve", hex=self.hex, hexes=tuple(row[0] for row in self.sent))

    def refusals(self, s: BulgeState, action: Action) -> list[Refusal]:
        match action:
            case ("attack", HexId(h), HexId(target)) if self.hex == NOWHERE:
                refusal = refuse_attacker(s, self.side, h) or refuse_target(s, self.side, h, target)
                return [refusal] if refusal else []
            case _ if self.hex == NOWHERE:
                return [Refusal("6.3", "attack-first")]
            case ("pay", HexId(payer)):
                refusal = refuse_payer(s, self.side, self.hex, payer)
                return [refusal or Refusal("6.5", "all-is-paid", hex=self.hex)]
        return [self._refuse(s, action)]

    def _refuse(self, s: BulgeState, action: Action) -> Refusal:
        match action:
            case ("attack", self.hex, HexId(target)) if any(row[0] == target for row in self.sent):
                return Refusal("6.4", "target-already", hex=target)
            case ("attack", self.hex, HexId(target)):
                if not self.can_pay_more(s):
                    return Refusal("6.5", "no-supply-to-attack", hex=self.hex)
                refusal = refuse_target(s, self.side, self.hex, target)
                return refusal or Refusal("6.7", "nobody-left-to-send", hex=self.hex)
            case ("hold", *_):
                return Refusal("6.7", "cannot-hold", hex=self.hex)
            case ("send", _, HexId(target), _):
                if target not in [row[0] for row in self.sent[1:]]:
                    return Refusal("6.4", "no-target-to-send-at", hex=target, hex_first=self.sent[0][0])
                return Refusal("6.7", "cannot-send", hex=self.hex, hex_target=target)
            case ("drop", int(piece)) if piece == s.units.hex_piece(self.sent[0][0]):
                return Refusal("6.4", "only-target", hex=s.units.piece_hex(piece))
            case ("drop", int(piece)) if s.units.is_hex(piece):
                return Refusal("6.4", "not-named", piece=piece)
            case ("drop", UnitId(unit)):
                return Refusal("6.7", "not-named", piece=unit)
            case ("resolve",) if self.owes():
                return Refusal("6.5", "pay-first", hex=self.hex)
            case ("resolve",):
                return Refusal("6.4", "target-without-attackers", hex=self.hex)
        return Refusal("6.7", "finish-attack-first", hex=self.sent[0][0])


# ---- 6.4 Several battles ------------------------------------------------------------------------------------


def begin_battles(s: BulgeState, side: int, plan: tuple[Declared, ...]) -> None:
    """Resolve what is declared: the attacker chooses the order of several battles."""
    if len(plan) > 1:
        s.push(Battles(side, plan))
    else:
        s.push(LastBattle(side, plan[0]))


@dataclass(frozen=True, slots=True)
class LastBattle(AutoFrame[BulgeState]):
    """The only battle, or the only one left."""

    side: int
    declared: Declared

    def run(self, s: BulgeState, out: Sink) -> None:
        s.pop()
        roll_battle(s, self.side, self.declared[0], dice_of(s.units, self.declared[1:]))


@dataclass(frozen=True, slots=True)
class Battles(Frame[BulgeState]):
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
        roll_battle(s, self.side, chosen[0], dice_of(s.units, chosen[1:]))

    def prompt(self, s: BulgeState) -> Prompt:
        return Prompt("6.4", "choose-battle", hexes=tuple(declared[0] for declared in self.plan))

    def refusals(self, s: BulgeState, action: Action) -> list[Refusal]:
        match action:
            case ("fight", HexId(h)):
                return [Refusal("6.4", "no-battle-there", hex=h)]
        return [Refusal("6.4", "choose-battle-first")]


# ---- 6.6 to 6.9 The battle ---------------------------------------------------------------------------------


def roll_battle(s: BulgeState, side: int, target: HexId, dice: int) -> None:
    """Pull out the strips and roll, if there is anything to hit."""
    squares = counts(s, 1 - side, target)
    if dice and any(squares):
        s.push(BattleRoll(side, target, dice))


@dataclass(frozen=True, slots=True)
class BattleRoll(ChanceFrame[BulgeState]):
    """Dice against the strips of a hex; the action says what becomes of the pieces."""

    side: int  # the attacker
    target: HexId
    dice: int

    def outcomes(self, s: BulgeState) -> list[tuple[Action, Fraction]]:
        return [(("roll", *effect), share) for effect, share in odds(self.dice, counts(s, 1 - self.side, self.target))]

    def legal(self, s: BulgeState) -> list[Action]:
        return list(rolls(self.dice, counts(s, 1 - self.side, self.target)))

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


def take_hits(s: BulgeState, side: int, h: HexId, effect: Effect, out: Sink) -> None:
    """Destroy what was hit hard enough, then let the owner retreat the rest [6.9 to 6.11]."""
    di, ri, dt, rt, da, ra, trucks, tokens = effect
    if not any(effect):
        out("6.9", "no-effect", hex=h)
    for kind, lost in ((0, di), (1, dt), (2, da), (TRUCK, trucks), (SUPPLY, tokens)):
        if lost:
            destroy(s, side, kind, h, lost, "6.10", out)
    retreat_all(s, side, h, (ri, rt, ra), out)
