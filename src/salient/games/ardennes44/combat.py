"""Ardennes '44: chapter 14, which units may attack, the combat phase with its attacks, and breakthroughs (19.4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

from salient.common.naming import above, with_piece, without_piece
from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import occupied, on_map, units_at
from salient.games.ardennes44.advances import Gone, breakthrough_groups, refuse_mixed
from salient.games.ardennes44.bridges import commandos, place_commando, refuse_commando
from salient.games.ardennes44.charges import OurenAttack, offer_charges
from salient.games.ardennes44.disengagement import Disengaging, refuse_disengagement
from salient.games.ardennes44.entering import clear_overrun, depot_hexes, needs_ouren, shown_depot
from salient.games.ardennes44.losses import forget_remnants
from salient.games.ardennes44.model import ROUTED, ArdennesState, steps_left, units_in, values
from salient.games.ardennes44.movement import is_peiper_at_night
from salient.games.ardennes44.reinforcements import is_threatened, sector_of
from salient.games.ardennes44.split_units import refuse_split, split, splits
from salient.games.ardennes44.strengths import Battle
from salient.games.ardennes44.zones import next_to
from salient.hexes.masks import bits, mask_of, units_of
from salient.hexes.sets import NO_UNITS, Group, UnitId, UnitSet
from salient.kernel import Action, AutoFrame, Prompt, Refusal
from salient.kernel.messages import Sink

MOST_FORMATIONS = 2  # 14.3.1
FROM_BLOCK = (6, 4)  # stacking points and steps with a silhouette [13.8.1]


# ---- 14.1 Who may attack ---------------------------------------------------------------------


def refuse_fighter(s: ArdennesState, u: UnitId) -> Refusal | None:
    """Why a unit cannot attack in this phase, adjacency apart."""
    if s.units.artillery[u] or values(s, u)[0] == 0:
        return Refusal("22.9", "guns-only-support", unit=u)
    if s.fought >> u & 1:
        return Refusal("14.1", "attacked-already", unit=u)
    if s.order[u]:
        return Refusal("18.3", "disrupted-cannot-attack", unit=u)
    if s.march >> u & 1:
        return Refusal("12.5", "marching-cannot-attack", unit=u)
    if s.fresh >> u & 1:
        return Refusal("25.2.4", "fresh-cannot-attack", unit=u)
    if s.dug >> u & 1:
        return Refusal("15.8.2", "digging-cannot-attack", unit=u)
    if not s.night and s.night_marks >> u & 1:
        return Refusal("25.3.5", "night-cannot-attack", unit=u)
    if s.night and not fights_at_night(s, u):
        return Refusal("25.3.2", "no-night-marker", unit=u)
    return None


def fights_at_night(s: ArdennesState, u: UnitId) -> bool:
    """Group under night markers, Peiper's in the first night, and those that he takes along [25.3.2, 27.5]."""
    return bool((s.night_marks | s.led) >> u & 1) or is_peiper_at_night(s, u)


# ---- 27.5 Whom Peiper takes along -----------------------------------------------------------------


def peiper_stacks(s: ArdennesState) -> UnitSet:
    """The units in hexes of Peiper's units in the first night, as bits."""
    hexes = {s.where[u] for u in s.units.of_side[GERMAN] if is_peiper_at_night(s, u) and on_map(s, u)}
    return units_of(u for h in hexes for u in units_at(s, h))


def unled(s: ArdennesState, units: Group) -> Group:
    """Those of some attackers that fight only under Peiper and have none of his units of their hex with them."""
    if not s.led:
        return ()
    leaders = {s.where[u] for u in units if is_peiper_at_night(s, u)}
    own = s.night_marks | mask_of(u for u in units if is_peiper_at_night(s, u))
    return tuple(u for u in units if (s.led & ~own) >> u & 1 and s.where[u] not in leaders)


def can_be_led(s: ArdennesState, units: Group, pool: Group) -> bool:
    """Whether attackers have Peiper's units with them or can still get them from those of the pool."""
    lost = unled(s, units)
    if not lost:
        return True
    here = s.where[lost[0]]
    leaders = [u for u in pool if u not in units and s.where[u] == here and is_peiper_at_night(s, u)]
    named = [(*units, u) for u in leaders if refuse_together(s, (*units, u)) is None]
    return any(can_be_led(s, more, pool) for more in named)


# ---- 14.1 Whom a unit may attack -----------------------------------------------------------------


def refuse_attacker(s: ArdennesState, u: UnitId, h: int) -> Refusal | None:
    """Why a unit that may attack cannot attack a hex."""
    here = s.where[u]
    if here >= s.ground.hexes:
        return _refuse_from_block(s, u, h)
    if not s.ground.touching[h] >> here & 1:
        return Refusal("14.1", "not-adjacent", unit=u, hex=h)
    if (here, h) in s.ground.lake:
        return Refusal("3.4", "lake-between", unit=u, hex=h)
    if (
        s.units.formation[u] == "106"
        and s.ground.areas["18vg"] >> h & 1
        and s.ground.areas["18vg"] & occupied(s, GERMAN)
    ):
        return Refusal("29.4", "not-into-18vg", unit=u, hex=h)
    return None


def _refuse_from_block(s: ArdennesState, u: UnitId, h: int) -> Refusal | None:
    """Allies attack an entry hex from its blocking position if their flanks are covered [13.8]."""
    block = s.ground.places[s.where[u]]
    if s.ground.block_hex.get(block) != h:
        return Refusal("13.8.1", "not-adjacent", unit=u, hex=h)
    return Refusal("13.8.2", "sector-threatened", hex=h) if is_threatened(s, sector_of(s.ground, h)) else None


def refuse_target(s: ArdennesState, side: int, h: int) -> Refusal | None:
    """Why a hex cannot be attacked by anyone of a side [14.1, 17.5]."""
    units = units_at(s, h)
    if not units or s.units.side[units[0]] == side:
        if side == GERMAN and shown_depot(s, h):
            return None
        return Refusal("14.1", "no-enemy-there", hex=h)
    if any(s.attacked >> u & 1 and not s.retreated >> u & 1 for u in units) or all(s.attacked >> u & 1 for u in units):
        return Refusal("14.1", "was-attacked", hex=h)
    return None


def fighters(s: ArdennesState, side: int) -> list[UnitId]:
    """The units next to the enemy, or in blocking positions, that may attack now, ascending."""
    near = next_to(s.ground, occupied(s, 1 - side) | (depot_hexes(s) if side == GERMAN and s.depots else 0))
    beside = bits(near & occupied(s, side))
    found = [u for h in beside for u in units_at(s, h) if refuse_fighter(s, u) is None]
    if side == ALLIED and not s.night:
        found += [u for place in s.ground.block_places for u in units_in(s, place) if refuse_fighter(s, u) is None]
    return sorted(found)


def targets(s: ArdennesState, side: int) -> dict[int, Group]:
    """The hexes that may be attacked now, ascending, each with the units that may attack it."""
    ground = s.ground
    found: dict[int, Group] = {}
    enemies = occupied(s, 1 - side) | (depot_hexes(s) if side == GERMAN and s.depots else 0)
    for u in fighters(s, side):
        here = s.where[u]
        around = (
            bits(ground.touching[here] & enemies) if here < ground.hexes else [ground.block_hex[ground.places[here]]]
        )
        for h in around:
            if refuse_attacker(s, u, h) is None:
                found[h] = (*found.get(h, ()), u)
    if s.led:
        found = {h: tuple(u for u in units if u not in unled(s, units)) for h, units in found.items()}  # 27.5
    return {h: found[h] for h in sorted(found) if found[h] and refuse_target(s, side, h) is None}


# ---- 14.3 Command and control ----------------------------------------------------------------------


def refuse_together(s: ArdennesState, units: Group) -> Refusal | None:
    """Why units cannot attack together: nations, two formations, room in a blocking position [8.4, 13.8.1, 14.3]."""
    profile = s.units.profile
    if len({s.units.british[u] for u in units}) > 1:
        return Refusal("27.3.3", "british-and-us")
    if formations(s, units) > MOST_FORMATIONS:
        return Refusal("14.3.1", "two-formations")
    blocked = [u for u in units if s.where[u] >= s.ground.hexes]
    points = sum(s.units.stack[u][s.lost[u]] for u in blocked if not profile[u])
    steps = sum(steps_left(s, u) for u in blocked if profile[u])
    if points > FROM_BLOCK[0] or steps > FROM_BLOCK[1]:
        return Refusal("13.8.1", "too-many-from-block")
    return None


def formations(s: ArdennesState, units: Group) -> int:
    """How many formations some units are: each may have one unit attached that is stacked with it [14.3.2]."""
    formation = s.units.formation
    present = sorted({formation[u] for u in units})
    for count in range(1, len(present)):
        for bases in combinations(present, count):
            others = [u for u in units if formation[u] not in bases]
            if len(others) <= count and _attached(s, others, bases):
                return count
    return len(present)


def _attached(s: ArdennesState, others: list[UnitId], bases: tuple[str, ...]) -> bool:
    """Whether each of some units is stacked with a formation of its own; its host need not attack [14.3.2]."""
    if not others:
        return True
    here = s.where[others[0]]
    hosts = {s.units.formation[x] for x in (units_at(s, here) if here < s.ground.hexes else units_in(s, here))}
    for base in bases:
        if base in hosts:
            rest = tuple(b for b in bases if b != base)
            if _attached(s, others[1:], rest):
                return True
    return False


# ---- 14.1 The phase ---------------------------------------------------------------------------


def begin_combat(s: ArdennesState, side: int, out: Sink) -> None:
    """Start a combat phase; advantages over empty hexes are gone, Peiper takes his neighbours along [16.6, 27.5]."""
    s.fought = s.attacked = s.retreated = s.stayed = NO_UNITS
    s.led = peiper_stacks(s) if side == GERMAN else NO_UNITS
    s.spearhead = ()
    enemies = occupied(s, 1 - side)
    mine = occupied(s, side)
    s.advantage = tuple(x for x in s.advantage if enemies >> x[1] & 1 or not mine >> x[0] & 1)
    s.push(EndCombat(side), Fighting(side))


@dataclass(frozen=True, slots=True)
class EndCombat(AutoFrame[ArdennesState]):
    """The phasing side's engaged and replacement markers come off [20.5, 25.2.4]."""

    side: int

    def run(self, s: ArdennesState, out: Sink) -> None:
        s.pop()
        s.engaged &= ~s.units.side_mask[self.side]
        if not s.night:
            s.fresh &= ~s.units.side_mask[self.side]
        else:
            s.night_marks &= ~s.units.side_mask[self.side]
        s.retreated = s.led = s.stayed = NO_UNITS
        forget_remnants(s)
        clear_overrun(s, out)


@dataclass(frozen=True, slots=True)
class Fighting(AutoFrame[ArdennesState]):
    """Asks for one combat or disengagement after another; a breakthrough comes before them [19.4.2]."""

    side: int

    def run(self, s: ArdennesState, out: Sink) -> None:
        if s.spearhead:
            frame = Breakthrough(self.side, s.spearhead)
            s.spearhead = ()
            if len(frame.legal(s)) > 1:
                s.push(frame)
                return
        if s.fought & s.units.side_mask[self.side] or Fight(self.side).has_choice(s):
            s.push(Fight(self.side))
        else:
            s.pop()


@dataclass(frozen=True, slots=True)
class Fight(SideFrame[ArdennesState]):
    """A side names the hex that it attacks next, a unit that disengages or splits, or ends its combats."""

    def near(self, s: ArdennesState) -> UnitSet:
        """The side's units next to enemies, as bits."""
        beside = next_to(s.ground, occupied(s, 1 - self.side)) & occupied(s, self.side)
        return units_of(u for h in bits(beside) for u in units_at(s, h))

    def has_choice(self, s: ArdennesState) -> bool:
        """Whether anything can be done but to end the phase."""
        if targets(s, self.side):
            return True
        mine = self.near(s)
        return any(refuse_disengagement(s, u) is None for u in bits(mine)) or bool(splits(s, mine))

    def legal(self, s: ArdennesState) -> list[Action]:
        mine = self.near(s)
        return [
            *(("attack", h) for h in targets(s, self.side)),
            *commandos(s, self.side),
            *(("disengage", u) for u in bits(mine) if refuse_disengagement(s, u) is None),
            *(("split", u) for u in splits(s, mine)),
            ("pass",),
        ]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        match action:
            case ("attack", int(h)):
                s.push(Attack(self.side, h, targets(s, self.side)[h], (), (), ()))
            case ("commando", int(bridge)):
                place_commando(s, bridge, out)
            case ("disengage", UnitId(u)):
                s.push(Disengaging(self.side, (u,)))
            case ("split", UnitId(u)):
                split(s, u, out)
            case _:
                s.pop()  # the combats beneath

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("14.1", "choose-combat", hexes=tuple(targets(s, self.side)))

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        match action:
            case ("attack", int(h)):
                return [refuse_target(s, self.side, h) or self._nobody(s, h)]
            case ("commando", int(bridge)):
                return [refuse_commando(s, self.side, bridge) or Refusal("36", "no-commando", bridge=bridge)]
            case ("disengage" | "split", UnitId(u)) if s.units.side[u] != self.side:
                return [Refusal("14.1", "not-your-unit", unit=u)]
            case ("disengage", UnitId(u)):
                return [refuse_disengagement(s, u) or Refusal("20.1", "not-next-to-enemy", unit=u)]
            case ("split", UnitId(u)):
                return [refuse_split(s, u) or Refusal("26.1", "cannot-split", unit=u)]
        return [Refusal("14.1", "attack-or-pass")]

    def _nobody(self, s: ArdennesState, h: int) -> Refusal:
        around = s.ground.touching[h]
        near = [u for u in bits(s.units.side_mask[self.side]) if on_map(s, u) and around >> s.where[u] & 1]
        reasons = [refuse_fighter(s, u) or refuse_attacker(s, u, h) for u in near]
        return next((r for r in reasons if r), Refusal("14.1", "nobody-adjacent", hex=h))


# ---- 14.3, 14.4 Declaring a combat ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attack(SideFrame[ArdennesState]):
    """The attackers of one hex are named in any order; those over the limit may follow [14.2, 19.1.1]."""

    hex: int
    pool: Group
    joined: Group
    followers: Group
    gone: Gone  # of a breakthrough: units that have advanced, with the hexes they went [19.4.1]

    # ---- who may be named

    def refuse_joining(self, s: ArdennesState, u: UnitId) -> Refusal | None:
        """Why a unit of the pool cannot be added to the attackers named so far [14.3, 19.4.1]."""
        return refuse_together(s, (*self.joined, u)) or self._refuse_mixed(s, u)

    def _refuse_mixed(self, s: ArdennesState, u: UnitId) -> Refusal | None:
        if not self.gone:
            return None
        far = tuple(x for x, hexes in self.gone if hexes > 1)
        return refuse_mixed(s, (*self.joined, *self.followers, u), far)

    def _leadable(self, s: ArdennesState, u: UnitId, leaders: Group) -> bool:
        """Whether the attackers with one more have Peiper's units with them or still to be named [27.5]."""
        return not s.led or bool(self.gone) or can_be_led(s, (*self.joined, u), leaders)

    def ready(self, s: ArdennesState) -> list[UnitId]:
        """The units that may still join."""
        free = [u for u in self.pool if u not in self.joined and u not in self.followers]
        return [u for u in free if self.refuse_joining(s, u) is None and self._leadable(s, u, self.pool)]

    def next_ready(self, s: ArdennesState) -> list[UnitId]:
        """Those that go on in canonical order; if Peiper's own were passed over, those of them that are missing."""
        onward = above(self.pool, self.joined)
        found = [
            u
            for u in onward
            if self.refuse_joining(s, u) is None and self._leadable(s, u, tuple(x for x in onward if x > u))
        ]
        return found or (self.ready(s) if self.leaderless(s) else [])

    def leaderless(self, s: ArdennesState) -> Group:
        """The attackers that still need one of Peiper's units named [27.5]."""
        return () if self.gone else unled(s, self.joined)

    def is_complete(self, s: ArdennesState) -> bool:
        """Whether the attack can be made with those named."""
        return bool(self.joined) and not self.leaderless(s)

    def trailing(self, s: ArdennesState) -> list[UnitId]:
        """The units that may come along although they add nothing."""
        free = [u for u in self.pool if u not in self.joined and u not in self.followers]
        return [u for u in free if self.is_complete(s) and self._may_follow(s, u) and self._refuse_mixed(s, u) is None]

    def _may_follow(self, s: ArdennesState, u: UnitId) -> bool:
        """Whether a unit is stacked with attackers, and one formation too many [14.3.1, 19.1.1]."""
        beside = any(s.where[x] == s.where[u] for x in self.joined)
        return beside and _over_limit(s, (*self.joined, u)) and (bool(self.gone) or not unled(s, (*self.joined, u)))

    # ---- the decision

    def legal(self, s: ArdennesState) -> list[Action]:
        return [
            *(("follow", u) for u in self.trailing(s)),
            *(("join", u) for u in self.ready(s)),
            *(("drop", u) for u in sorted((*self.joined, *self.followers))),
            ("cancel",),
            *([("resolve",)] if self.is_complete(s) else []),
        ]

    def candidates(self, s: ArdennesState) -> list[Action]:
        return [
            *(("follow", u) for u in above(self.trailing(s), self.followers)),
            *(("join", u) for u in (self.next_ready(s) if not self.followers else [])),
            *([("resolve",)] if self.is_complete(s) else []),
        ]

    def draft(self, s: ArdennesState) -> tuple[Action, ...]:
        begun: Action = ("breakthrough", s.where[self.pool[0]], self.hex) if self.gone else ("attack", self.hex)
        return (begun, *(("join", u) for u in self.joined), *(("follow", u) for u in self.followers))

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        match action:
            case ("join", UnitId(u)):
                s.swap(replace(self, joined=with_piece(self.joined, u)))
            case ("follow", UnitId(u)):
                s.swap(replace(self, followers=with_piece(self.followers, u)))
            case ("drop", UnitId(u)):
                s.swap(self._without(s, u))
            case ("cancel",):
                s.swap(Breakthrough(self.side, self.gone) if self.gone else Fight(self.side))
            case _:
                s.pop()
                self._begin(s, out)

    def _without(self, s: ArdennesState, u: UnitId) -> Attack:
        """One piece taken back, and those that could follow only because of it."""
        fewer = replace(self, joined=without_piece(self.joined, u), followers=without_piece(self.followers, u))
        if not fewer.is_complete(s):
            return replace(fewer, followers=())
        return replace(fewer, followers=tuple(x for x in fewer.followers if fewer._may_follow(s, x)))

    def _begin(self, s: ArdennesState, out: Sink) -> None:
        """The attack is declared; the bridge of Ouren is looked at before anything else [7.7, 14.4]."""
        s.fought |= mask_of((*self.joined, *self.followers))
        s.attacked |= mask_of(units_at(s, self.hex))
        if self.gone:
            out("19.4.1", "breaks-through", hex_from=s.where[self.pool[0]], hex=self.hex)
        out("14.4", "attacks", units=self.joined, hex=self.hex)
        b = Battle(self.side, self.hex, self.joined, self.followers, breakthrough=int(bool(self.gone)))
        if any(needs_ouren(s, self.side, [s.where[u], self.hex]) for u in self.joined):
            s.push(OurenAttack(b))
        else:
            offer_charges(s, b, -1, out)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("14.4", "name-attackers", hex=self.hex, units=self.joined or self.pool)

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        match action:
            case ("join" | "follow", UnitId(u)):
                return [self._refuse_unit(s, u)]
            case ("drop", UnitId(u)):
                return [Refusal("14.4", "not-named", unit=u)]
            case ("resolve",) if alone := self.leaderless(s):
                return [Refusal("27.5", "peiper-leads", unit=alone[0])]
        return [Refusal("14.4", "finish-attack-first", hex=self.hex)]

    def _refuse_unit(self, s: ArdennesState, u: UnitId) -> Refusal:
        if u in self.joined or u in self.followers:
            return Refusal("14.4", "joined-already", unit=u)
        if s.units.side[u] != self.side:
            return Refusal("14.1", "not-your-unit", unit=u)
        if u not in self.pool:
            return refuse_fighter(s, u) or refuse_attacker(s, u, self.hex) or Refusal("14.4", "cannot-join", unit=u)
        if refusal := self.refuse_joining(s, u):
            return refusal
        led = self._leadable(s, u, self.pool)
        return Refusal("14.4", "cannot-join", unit=u) if led else Refusal("27.5", "peiper-leads", unit=u)


def _over_limit(s: ArdennesState, units: Group) -> bool:
    refusal = refuse_together(s, units)
    return refusal is not None and refusal.rule == "14.3.1"


# ---- 19.4 Breakthrough ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Breakthrough(SideFrame[ArdennesState]):
    """One group of units that have advanced may attack again at once, as often as DS comes [19.4.1, 19.4.4]."""

    gone: Gone

    def groups(self, s: ArdennesState) -> dict[tuple[int, int], Group]:
        """By hex and target the units that may attack; not targets that have just been routed [19.4.3]."""
        enemies = occupied(s, 1 - self.side)
        found: dict[tuple[int, int], Group] = {}
        for h, group in breakthrough_groups(s, self.gone).items():
            for b in bits(s.ground.touching[h] & enemies):
                able = tuple(u for u in group if refuse_attacker(s, u, b) is None)
                if able and not all(s.order[x] == ROUTED and s.retreated >> x & 1 for x in units_at(s, b)):
                    found[h, b] = able
        return found

    def legal(self, s: ArdennesState) -> list[Action]:
        return [*(("breakthrough", h, b) for h, b in self.groups(s)), ("pass",)]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "breakthrough":
            h, target = int(action[1]), int(action[2])
            s.push(Attack(self.side, target, self.groups(s)[h, target], (), (), self.gone))

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("19.4.1", "breakthrough", units=tuple(u for u, _ in self.gone))

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        if action[0] == "breakthrough":
            return [Refusal("19.4.3", "no-breakthrough-there", hex=int(action[2]))]
        return [Refusal("19.4.1", "breakthrough-or-pass")]
