"""Target Arnhem: chapter 5, combat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from salient.common.naming import NamingFrame, above, with_piece, without_piece
from salient.common.sides import ALLIED, SideFrame
from salient.games.target_arnhem.components import Ground, Tables
from salient.games.target_arnhem.model import (
    SS,
    WEHRMACHT,
    XXX,
    ArnhemState,
    has_acted,
    mark_acted,
    occupied,
    put,
    refuse_unit,
    unfortify,
    units_at,
)
from salient.games.target_arnhem.movement import capture_zone, next_to
from salient.games.target_arnhem.supply import hurt, is_supplied, spend
from salient.hexes.masks import bit, bits
from salient.hexes.sets import HexId, UnitId
from salient.kernel import Action, Prompt, Refusal
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink

# ---- 5 Who may attack whom ------------------------------------------------------------------


def refuse_target(s: ArnhemState, side: int, h: HexId) -> Refusal | None:
    """Why a hex cannot be attacked by anyone of a side."""
    if h >= s.ground.hexes:
        return Refusal("5", "no-combat-off-map", place=h)
    if not occupied(s, 1 - side) >> h & 1:
        return Refusal("5", "no-enemy-there", hex=h)
    if s.attacked >> h & 1:
        return Refusal("5", "attacked-already", hex=h)
    return None


def refuse_attacker(s: ArnhemState, u: UnitId, h: HexId) -> Refusal | None:
    """Why a unit that may act cannot attack a hex."""
    if s.where[u] >= s.ground.hexes:
        return Refusal("5", "attacks-from-map-only", unit=u)
    if not s.ground.touching[h] >> s.where[u] & 1:
        return Refusal("5", "not-adjacent", unit=u, hex=h)
    return None


def refuse_extra(s: ArnhemState, joined: tuple[UnitId, ...], u: UnitId) -> Refusal | None:
    """Why a unit cannot join these attackers: so many as the extra actions left have landed in this impulse [9.3]."""
    if has_acted(s, u) and sum(has_acted(s, x) for x in joined) >= s.extra:
        return Refusal("9.3", "no-extra-action-left", unit=u)
    return None


# ---- 5.1, 5.3 Strength and column --------------------------------------------------------------


def attack_strength(s: ArnhemState, u: UnitId, h: HexId) -> int:
    """A unit's strength in attack, in quarters: halved over a canal or bridge, and halved out of supply [5.3]."""
    strength = defence_strength(s, u)
    return strength // 2 if s.ground.halving[h] >> s.where[u] & 1 else strength


def defence_strength(s: ArnhemState, u: UnitId) -> int:
    """A unit's strength in defence, in quarters: halved out of supply [7.5]."""
    return s.units.strength[u] * 4 if is_supplied(s, u) else s.units.strength[u] * 2


def basic_column(tables: Tables, attack: int, defence: int) -> int:
    """The column of the odds, fractions in favour of the defender [5.1]."""
    column = 0
    for i, (a, d) in enumerate(tables.ratios):
        if a * defence <= attack * d:
            column = i
    return column


def terrain_shift(ground: Ground, h: HexId) -> int:
    """One column to the left for a defender in forest or town [5.3]."""
    return -1 if (ground.forest | ground.town) >> h & 1 else 0


def final_column(s: ArnhemState, units: tuple[UnitId, ...], h: HexId, bombardment: bool) -> int:
    """The column of an attack after its shifts, no further than the ends of the table."""
    attack = sum(attack_strength(s, u, h) for u in units)
    defence = sum(defence_strength(s, u) for u in units_at(s, h, 1 - s.units.side[units[0]]))
    column = basic_column(s.tables, attack, defence) + terrain_shift(s.ground, h) + bombardment
    return max(0, min(len(s.tables.columns) - 1, column))


# ---- 5.3b Concentrated bombardment ------------------------------------------------------------------


def bombardment_pools(s: ArnhemState, units: tuple[UnitId, ...]) -> list[int]:
    """The pools that can pay for a bombardment by these attackers, ascending [5.3b, 7.4]."""
    if not units:
        return []
    if s.units.side[units[0]] == ALLIED:
        return [XXX] if any(s.units.vehicle[u] and is_supplied(s, u) for u in units) else []
    pools = [WEHRMACHT, SS] if any(s.units.pool[u] == SS for u in units) else [WEHRMACHT]
    return [pool for pool in pools if s.pools[pool]]


def refuse_bombardment(s: ArnhemState, units: tuple[UnitId, ...], pool: int) -> Refusal | None:
    """Why these attackers cannot bombard at the cost of a pool."""
    if pool in bombardment_pools(s, units):
        return None
    if s.units.side[units[0]] == ALLIED and pool == XXX:
        return Refusal("5.3b", "bombardment-needs-mechanized")
    if any(pool in (s.units.pool[u], WEHRMACHT) for u in units) and s.units.side[units[0]] != ALLIED:
        return Refusal("7.4", "pool-empty", pool=pool)
    return Refusal("7.4", "pool-not-usable", pool=pool)


# ---- 3.3, 5 The attack -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attack(SideFrame[ArnhemState]):
    """The attacker names his units, in any order, and commits them with or without a bombardment."""

    hex: HexId
    ready: tuple[UnitId, ...]  # the units that may attack the hex
    joined: tuple[UnitId, ...]  # ascending

    def legal(self, s: ArnhemState) -> list[Action]:
        drop: list[Action] = [("drop", u) for u in self.joined]
        return [*self._bombard(s), *self._join(s, self.ready), *self._resolve(), *drop, ("cancel",)]

    def candidates(self, s: ArnhemState) -> list[Action]:
        return [*self._bombard(s), *self._join(s, above(self.ready, self.joined)), *self._resolve()]

    def draft(self, s: ArnhemState) -> tuple[Action, ...]:
        return (("attack", self.hex), *(("join", u) for u in self.joined))

    def _bombard(self, s: ArnhemState) -> list[Action]:
        return [("bombard", pool) for pool in bombardment_pools(s, self.joined)]

    def _join(self, s: ArnhemState, units: Iterable[UnitId]) -> list[Action]:
        return [("join", u) for u in units if u not in self.joined and refuse_extra(s, self.joined, u) is None]

    def others(self, s: ArnhemState) -> tuple[UnitId, ...]:
        """The units that could still be named."""
        joining = self._join(s, self.ready)
        return tuple(u for u in self.ready if ("join", u) in joining)

    def _resolve(self) -> list[Action]:
        return [("resolve",)] if self.joined else []

    def apply(self, s: ArnhemState, action: Action, out: Sink) -> None:
        match action:
            case ("cancel",):
                s.pop()
            case ("drop", UnitId(u)):
                s.swap(replace(self, joined=without_piece(self.joined, u)))
            case ("join", UnitId(u)):
                s.swap(replace(self, joined=with_piece(self.joined, u)))
            case ("bombard", int(pool)):
                spend(s, pool)
                out("5.3b", "bombards", hex=self.hex, pool=pool)
                self._commit(s, True, out)
            case _:
                self._commit(s, False, out)

    def _commit(self, s: ArnhemState, bombardment: bool, out: Sink) -> None:
        column = final_column(s, self.joined, self.hex, bombardment)
        for u in self.joined:
            mark_acted(s, u)
        s.attacked |= bit(self.hex)
        out("5.1", "attacks", units=self.joined, hex=self.hex, word_column=s.tables.columns[column])
        s.swap(CombatRoll(self.side, self.hex, self.joined, column))

    def prompt(self, s: ArnhemState) -> Prompt:
        if not self.joined:
            return Prompt("5.1", "name-attackers", hex=self.hex, units=self.ready)
        column = s.tables.columns[final_column(s, self.joined, self.hex, bombardment=False)]
        return Prompt("5.1", "resolve-or-join", hex=self.hex, units=self.joined, word_column=column)

    def refusals(self, s: ArnhemState, action: Action) -> list[Refusal]:
        match action:
            case ("bombard" | "resolve", *_) if not self.joined:
                return [Refusal("5.1", "join-first", hex=self.hex)]
            case ("bombard", int(pool)):
                refusal = refuse_bombardment(s, self.joined, pool)
                return [refusal] if refusal else []
            case ("drop", UnitId(u)):
                return [Refusal("5.1", "not-named", unit=u)]
            case ("join", UnitId(u)):
                refusal = self._refuse_join(s, u)
                return [refusal] if refusal else []
        return [Refusal("5.1", "finish-attack-first", hex=self.hex)]

    def _refuse_join(self, s: ArnhemState, u: UnitId) -> Refusal | None:
        if s.units.side[u] != self.side:
            return Refusal("3.1", "not-your-unit", unit=u)
        if u in self.joined:
            return Refusal("5", "joined-already", unit=u)
        return refuse_unit(s, u) or refuse_attacker(s, u, self.hex) or refuse_extra(s, self.joined, u)


@dataclass(frozen=True, slots=True)
class CombatRoll(DieFrame[ArnhemState]):
    """One die against the column: low is good for the attacker [2.4, 5.2]."""

    side: int
    hex: HexId
    units: tuple[UnitId, ...]
    column: int

    def purpose(self, s: ArnhemState) -> str:
        return "combat"

    def prompt(self, s: ArnhemState) -> Prompt:
        return Prompt("5.2", "roll-combat", hex=self.hex, units=self.units, word_column=s.tables.columns[self.column])

    def effect(self, s: ArnhemState, action: Action) -> tuple[int, int]:
        return s.tables.combat[self.column][int(action[1]) - 1]

    def apply(self, s: ArnhemState, action: Action, out: Sink) -> None:
        own, enemy = self.effect(s, action)
        out("5.2", "combat-result", hex=self.hex, n_die=int(action[1]), n_attacker=own, n_defender=enemy)
        s.pop()
        # What remains is pushed before what comes first: the defender's loss, the attacker's loss, the advance.
        s.push(Advance(self.side, self.hex, self.units, ()))
        ask_losses(s, self.side, self.units, own, out)
        ask_defender(s, 1 - self.side, tuple(units_at(s, self.hex, 1 - self.side)), enemy, out)
        skip_empty_advance(s)


# ---- 5.4 Fortifications -----------------------------------------------------------------------------------


def ask_defender(s: ArnhemState, side: int, units: tuple[UnitId, ...], points: int, out: Sink) -> None:
    """Have the defender take his damage: the first point falls on a fortified unit."""
    fortified = [u for u in units if s.fortified[u]]
    if not points or not fortified:
        ask_losses(s, side, units, points, out)
    elif len(fortified) == 1:
        flip(s, fortified[0], out)
        ask_losses(s, side, units, points - 1, out)
    else:
        s.push(Flip(side, units, points))


def flip(s: ArnhemState, u: UnitId, out: Sink) -> None:
    """The fortification absorbs a point and is gone."""
    unfortify(s, u)
    out("5.4", "fortification-lost", unit=u)


@dataclass(frozen=True, slots=True)
class Damage(SideFrame[ArnhemState]):
    """A side has points of damage to share out among its units."""

    units: tuple[UnitId, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Flip(Damage):
    """A fortified unit absorbs the first point of damage and is turned over; the owner chooses among several."""

    def legal(self, s: ArnhemState) -> list[Action]:
        return [("flip", u) for u in self.units if s.fortified[u]]

    def apply(self, s: ArnhemState, action: Action, out: Sink) -> None:
        flip(s, UnitId(action[1]), out)
        s.pop()
        ask_losses(s, self.side, self.units, self.points - 1, out)
        skip_empty_advance(s)

    def prompt(self, s: ArnhemState) -> Prompt:
        return Prompt("5.4", "flip-fortified", units=tuple(u for u in self.units if s.fortified[u]))

    def refusals(self, s: ArnhemState, action: Action) -> list[Refusal]:
        match action:
            case ("flip", UnitId(u)) if u in self.units:
                return [Refusal("5.4", "not-fortified", unit=u)]
            case ("flip", UnitId(u)):
                return [Refusal("5.4", "not-under-attack", unit=u, units=self.units)]
        return [Refusal("5.4", "flip-fortified")]


# ---- 5.2 Results ---------------------------------------------------------------------------------------------


def ask_losses(s: ArnhemState, side: int, units: tuple[UnitId, ...], points: int, out: Sink) -> None:
    """Have a side share out its damage, at once where there is no choice."""
    able = tuple(u for u in units if s.where[u] < s.ground.hexes)
    room = sum(s.units.resistance[u] - s.damage[u] for u in able)
    points = min(points, room)  # what would go beyond the last unit is ignored
    if points == room or len(able) == 1:
        for u in able:
            lose(s, u, min(points, s.units.resistance[u] - s.damage[u]), out)
    elif points:
        s.push(Lose(side, able, points, (0,) * len(able)))


def lose(s: ArnhemState, u: UnitId, points: int, out: Sink) -> None:
    """Some points of combat damage."""
    for _ in range(points):
        out("5.2", "takes-damage", unit=u)
        hurt(s, u, out)


@dataclass(frozen=True, slots=True)
class Lose(Damage):
    """A side shares out damage among its units, point by point in any order, to none more than its resistance."""

    shares: tuple[int, ...]  # by unit: the points that it is to take

    def left(self) -> int:
        """The points that nobody takes yet."""
        return self.points - sum(self.shares)

    def share_of(self, u: UnitId) -> int:
        """The points that a unit is to take."""
        return self.shares[self.units.index(u)] if u in self.units else 0

    def rooms(self, s: ArnhemState) -> list[int]:
        """By unit: how many points more it could take."""
        return [s.units.resistance[u] - s.damage[u] - share for u, share in zip(self.units, self.shares, strict=True)]

    def legal(self, s: ArnhemState) -> list[Action]:
        drop: list[Action] = [("drop", u) for u, share in zip(self.units, self.shares, strict=True) if share]
        return [*(self._lose(s) if self.left() else [("done",)]), *drop]

    def candidates(self, s: ArnhemState) -> list[Action]:
        return (self._in_order(s) or self._lose(s)) if self.left() else [("done",)]

    def _lose(self, s: ArnhemState) -> list[Action]:
        return [("lose", u) for u, room in zip(self.units, self.rooms(s), strict=True) if room]

    def _in_order(self, s: ArnhemState) -> list[Action]:
        """The units from the last one named on, as far as they and those after them can take what is left."""
        left, rooms = self.left(), self.rooms(s)
        last = max((i for i, share in enumerate(self.shares) if share), default=0)
        return [("lose", self.units[i]) for i in range(last, len(rooms)) if rooms[i] and sum(rooms[i:]) >= left]

    def draft(self, s: ArnhemState) -> tuple[Action, ...]:
        return tuple(("lose", u) for u, share in zip(self.units, self.shares, strict=True) for _ in range(share))

    def apply(self, s: ArnhemState, action: Action, out: Sink) -> None:
        match action:
            case ("drop", UnitId(u)):
                s.swap(self._with(u, -1))
            case ("lose", UnitId(u)):
                s.swap(self._with(u, 1))
            case _:
                s.pop()
                for u, share in zip(self.units, self.shares, strict=True):
                    lose(s, u, share, out)
                skip_empty_advance(s)

    def _with(self, u: UnitId, point: int) -> Lose:
        shares = list(self.shares)
        shares[self.units.index(u)] += point
        return replace(self, shares=tuple(shares))

    def prompt(self, s: ArnhemState) -> Prompt:
        if not self.left():
            return Prompt("5.2", "damage-is-shared", units=self.units)
        return Prompt("5.2", "share-damage", units=self.units, n_points=self.left())

    def refusals(self, s: ArnhemState, action: Action) -> list[Refusal]:
        match action:
            case ("lose" | "drop", UnitId(u)) if s.where[u] == s.ground.eliminated:
                return [Refusal("3.4", "is-eliminated", unit=u)]
            case ("lose" | "drop", UnitId(u)) if s.units.side[u] != self.side:
                return [Refusal("5.2", "not-your-unit", unit=u)]
            case ("lose", UnitId(u)) if u not in self.units:
                return [Refusal("5.2", "takes-no-damage", unit=u, units=self.units)]
            case ("lose", UnitId(u)):
                return [Refusal("5.2", "takes-no-more" if self.left() else "no-damage-left", unit=u)]
            case ("drop", UnitId(u)):
                return [Refusal("5.2", "not-named", unit=u)]
        if not self.left():
            return [Refusal("5.2", "damage-is-shared")]
        return [Refusal("5.2", "share-damage", n_points=self.left())]


@dataclass(frozen=True, slots=True)
class Advance(NamingFrame[ArnhemState]):
    """Attackers may enter the hex that they have cleared: those that are named, all together [5.2]."""

    naming = "advance"
    hex: HexId
    units: tuple[UnitId, ...]  # the attackers
    named: tuple[UnitId, ...]  # ascending

    def able(self, s: ArnhemState) -> list[UnitId]:
        """The attackers that live."""
        return [u for u in self.units if s.where[u] < s.ground.hexes]

    def legal(self, s: ArnhemState) -> list[Action]:
        advance: list[Action] = [("advance", u) for u in self.able(s) if u not in self.named]
        return [*advance, ("done",), *(("drop", u) for u in self.named)]

    def candidates(self, s: ArnhemState) -> list[Action]:
        return [*(("advance", u) for u in above(self.able(s), self.named)), ("done",)]

    def commit(self, s: ArnhemState, out: Sink) -> None:
        for u in self.named:
            unfortify(s, u)
            put(s, u, self.hex)
            out("5.2", "advances", unit=u, hex=self.hex)
        capture_zone(s, self.named, self.hex, out)

    def prompt(self, s: ArnhemState) -> Prompt:
        return Prompt("5.2", "advance", hex=self.hex, units=tuple(self.able(s)))

    def refusals(self, s: ArnhemState, action: Action) -> list[Refusal]:
        match action:
            case ("advance" | "drop", UnitId(u)) if s.where[u] == s.ground.eliminated:
                return [Refusal("3.4", "is-eliminated", unit=u)]
            case ("advance" | "drop", UnitId(u)) if s.units.side[u] != self.side:
                return [Refusal("5.2", "not-your-unit", unit=u)]
            case ("advance", UnitId(u)) if u in self.named:
                return [Refusal("5.2", "advances-already", unit=u)]
            case ("advance", UnitId(u)):
                return [Refusal("5.2", "does-not-advance", unit=u, units=tuple(self.able(s)))]
            case ("drop", UnitId(u)):
                return [Refusal("5.2", "not-named", unit=u)]
        return [Refusal("5.2", "advance", hex=self.hex)]


def skip_empty_advance(s: ArnhemState) -> None:
    """Take an advance off the stack when the hex still holds enemies or nobody is left to advance."""
    frame = s.stack[-1]
    if isinstance(frame, Advance) and (occupied(s, 1 - frame.side) >> frame.hex & 1 or not frame.able(s)):
        s.pop()


# ---- what may be attacked ------------------------------------------------------------------------------------


def attackers(s: ArnhemState, ready: Sequence[UnitId], h: HexId) -> tuple[UnitId, ...]:
    """The ready units that may attack a hex."""
    return tuple(u for u in ready if refuse_attacker(s, u, h) is None)


def targets(s: ArnhemState, side: int, ready: Sequence[UnitId]) -> list[HexId]:
    """The enemy hexes that ready units may attack, ascending."""
    enemies = occupied(s, 1 - side) & ~s.attacked
    where, touched = s.where, 0
    in_contact = occupied(s, side) & next_to(s.ground, enemies)
    for u in ready if in_contact else ():
        if in_contact >> where[u] & 1:
            touched |= s.ground.touching[where[u]]
    return bits(touched & enemies)
