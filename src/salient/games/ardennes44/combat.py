"""Ardennes '44: chapter 14, the combat phase with its attacks, bridges and depots (7.4, 7.7, 32.3), breakthroughs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from salient.common.naming import above, with_piece, without_piece
from salient.common.sides import ALLIED, GERMAN, SEATS, SideFrame
from salient.common.stacks import occupied, on_map, units_at
from salient.games.ardennes44.advances import Gone, breakthrough_groups, refuse_mixed
from salient.games.ardennes44.bridges import (
    burn_depot,
    commandos,
    demolish,
    place_commando,
    refuse_charge,
    refuse_commando,
    sappers,
    warn_commando,
)
from salient.games.ardennes44.disengagement import Disengaging, refuse_disengagement
from salient.games.ardennes44.entering import clear_overrun, depot_hexes, look_at_ouren, needs_ouren
from salient.games.ardennes44.losses import forget_remnants
from salient.games.ardennes44.model import (
    OUREN,
    ROUTED,
    SIDE,
    SIDE_MASK,
    TOUCHING,
    ArdennesState,
)
from salient.games.ardennes44.odds import (
    Battle,
    bridges_attacked,
    can_be_led,
    peiper_stacks,
    refuse_attacker,
    refuse_fighter,
    refuse_target,
    refuse_together,
    shown_depot,
    targets,
    unled,
)
from salient.games.ardennes44.results import BattleFrame
from salient.games.ardennes44.support import ask_support
from salient.games.ardennes44.works import refuse_split, split_off, splits
from salient.games.ardennes44.zones import next_to
from salient.hexes.masks import bits, mask_of
from salient.kernel import Action, AutoFrame, Prompt, Refusal, Seat
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink

Units = tuple[int, ...]
DEPOT_CHARGE = 2  # added in a German combat phase, so that 1 and 2 destroy it [32.3]

# ---- 14.1 The phase ---------------------------------------------------------------------------


def begin_combat(s: ArdennesState, side: int) -> None:
    """Start a combat phase; advantages over empty hexes are gone, Peiper takes his neighbours along [16.6, 27.5]."""
    s.fought = s.attacked = s.retreated = s.stayed = 0
    s.led = peiper_stacks(s) if side == GERMAN else 0
    s.spearhead = ()
    enemies = occupied(s, 1 - side)
    mine = occupied(s, side)
    s.advantage = tuple(x for x in s.advantage if enemies >> x[1] & 1 or not mine >> x[0] & 1)
    s.push(EndCombat(side), Fighting(side))


@dataclass(frozen=True, slots=True)
class EndCombat(AutoFrame):
    """The phasing side's engaged and replacement markers come off [20.5, 25.2.4]."""

    side: int

    def run(self, s: ArdennesState, out: Sink) -> None:
        s.pop()
        s.engaged &= ~SIDE_MASK[self.side]
        if not s.night:
            s.fresh &= ~SIDE_MASK[self.side]
        else:
            s.night_marks &= ~SIDE_MASK[self.side]
        s.retreated = s.led = s.stayed = 0
        forget_remnants(s)
        clear_overrun(s, out)


@dataclass(frozen=True, slots=True)
class Fighting(AutoFrame):
    """Asks for one combat or disengagement after another; a breakthrough comes before them [19.4.2]."""

    side: int

    def run(self, s: ArdennesState, out: Sink) -> None:
        if s.spearhead:
            frame = Breakthrough(self.side, s.spearhead)
            s.spearhead = ()
            if len(frame.legal(s)) > 1:
                s.push(frame)
                return
        if Fight(self.side).has_choice(s):
            s.push(Fight(self.side))
        else:
            s.pop()


@dataclass(frozen=True, slots=True)
class Fight(SideFrame):
    """A side names the hex that it attacks next, a unit that disengages or splits, or ends its combats."""

    def near(self, s: ArdennesState) -> int:
        """The side's units next to enemies, as bits."""
        beside = next_to(occupied(s, 1 - self.side)) & occupied(s, self.side)
        return mask_of(u for h in bits(beside) for u in units_at(s, h))

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
            case ("disengage", int(u)):
                s.push(Disengaging(self.side, (u,)))
            case ("split", int(u)):
                out("26.1", "splits", unit=u, unit_new=split_off(s, u))
            case _:
                s.pop()  # the combats beneath

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("14.1", "choose-combat", hexes=tuple(targets(s, self.side)))

    def why_not(self, s: ArdennesState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        match action:
            case ("attack", int(h)):
                return [refuse_target(s, self.side, h) or self._nobody(s, h)]
            case ("commando", int(bridge)):
                return [refuse_commando(s, self.side, bridge) or Refusal("36", "no-commando", bridge=bridge)]
            case ("disengage" | "split", int(u)) if SIDE[u] != self.side:
                return [Refusal("14.1", "not-your-unit", unit=u)]
            case ("disengage", int(u)):
                return [refuse_disengagement(s, u) or Refusal("20.1", "not-next-to-enemy", unit=u)]
            case ("split", int(u)):
                return [refuse_split(s, u) or Refusal("26.1", "cannot-split", unit=u)]
        return [Refusal("14.1", "attack-or-pass")]

    def _nobody(self, s: ArdennesState, h: int) -> Refusal:
        near = [u for u in bits(SIDE_MASK[self.side]) if on_map(s, u) and TOUCHING[h] >> s.where[u] & 1]
        reasons = [refuse_fighter(s, u) or refuse_attacker(s, u, h) for u in near]
        return next((r for r in reasons if r), Refusal("14.1", "nobody-adjacent", hex=h))


# ---- 14.3, 14.4 Declaring a combat ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attack(SideFrame):
    """The attackers of one hex are named in any order; those over the limit may follow [14.2, 19.1.1]."""

    hex: int
    pool: Units
    joined: Units
    followers: Units
    gone: Gone  # of a breakthrough: those who have advanced, with the hexes they went [19.4.1]

    # ---- who may be named

    def refuse_joining(self, s: ArdennesState, u: int) -> Refusal | None:
        """Why a unit of the pool cannot be added to the attackers named so far [14.3, 19.4.1]."""
        return refuse_together(s, (*self.joined, u)) or self._refuse_mixed(u)

    def _refuse_mixed(self, u: int) -> Refusal | None:
        if not self.gone:
            return None
        far = tuple(x for x, hexes in self.gone if hexes > 1)
        return refuse_mixed((*self.joined, *self.followers, u), far)

    def _leadable(self, s: ArdennesState, u: int, leaders: Units) -> bool:
        """Whether the attackers with one more have Peiper's units with them or still to be named [27.5]."""
        return not s.led or bool(self.gone) or can_be_led(s, (*self.joined, u), leaders)

    def ready(self, s: ArdennesState) -> list[int]:
        """The units that may still join."""
        free = [u for u in self.pool if u not in self.joined and u not in self.followers]
        return [u for u in free if self.refuse_joining(s, u) is None and self._leadable(s, u, self.pool)]

    def next_ready(self, s: ArdennesState) -> list[int]:
        """Those that go on in canonical order; if Peiper's own were passed over, those of them that are missing."""
        onward = above(self.pool, self.joined)
        found = [
            u
            for u in onward
            if self.refuse_joining(s, u) is None and self._leadable(s, u, tuple(x for x in onward if x > u))
        ]
        return found or (self.ready(s) if self.leaderless(s) else [])

    def leaderless(self, s: ArdennesState) -> Units:
        """The attackers for whom one of Peiper's units must still be named [27.5]."""
        return () if self.gone else unled(s, self.joined)

    def is_complete(self, s: ArdennesState) -> bool:
        """Whether the attack can be made with those named."""
        return bool(self.joined) and not self.leaderless(s)

    def trailing(self, s: ArdennesState) -> list[int]:
        """The units that may come along although they add nothing."""
        free = [u for u in self.pool if u not in self.joined and u not in self.followers]
        return [u for u in free if self.is_complete(s) and self._may_follow(s, u) and self._refuse_mixed(u) is None]

    def _may_follow(self, s: ArdennesState, u: int) -> bool:
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
            case ("join", int(u)):
                s.swap(replace(self, joined=with_piece(self.joined, u)))
            case ("follow", int(u)):
                s.swap(replace(self, followers=with_piece(self.followers, u)))
            case ("drop", int(u)):
                s.swap(self._without(s, u))
            case ("cancel",):
                s.swap(Breakthrough(self.side, self.gone) if self.gone else Fight(self.side))
            case _:
                s.pop()
                self._begin(s, out)

    def _without(self, s: ArdennesState, u: int) -> Attack:
        """One piece taken back, and those who could follow only because of it."""
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
            s.push(OurenAttack(*b))
        else:
            offer_charges(s, b, -1, out)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("14.4", "name-attackers", hex=self.hex, units=self.joined or self.pool)

    def why_not(self, s: ArdennesState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        match action:
            case ("join" | "follow", int(u)):
                return [self._refuse_unit(s, u)]
            case ("drop", int(u)):
                return [Refusal("14.4", "not-named", unit=u)]
            case ("resolve",) if alone := self.leaderless(s):
                return [Refusal("27.5", "peiper-leads", unit=alone[0])]
        return [Refusal("14.4", "finish-attack-first", hex=self.hex)]

    def _refuse_unit(self, s: ArdennesState, u: int) -> Refusal:
        if u in self.joined or u in self.followers:
            return Refusal("14.4", "joined-already", unit=u)
        if SIDE[u] != self.side:
            return Refusal("14.1", "not-your-unit", unit=u)
        if u not in self.pool:
            return refuse_fighter(s, u) or refuse_attacker(s, u, self.hex) or Refusal("14.4", "cannot-join", unit=u)
        if refusal := self.refuse_joining(s, u):
            return refusal
        led = self._leadable(s, u, self.pool)
        return Refusal("14.4", "cannot-join", unit=u) if led else Refusal("27.5", "peiper-leads", unit=u)


def _over_limit(s: ArdennesState, units: Units) -> bool:
    refusal = refuse_together(s, units)
    return refusal is not None and refusal.rule == "14.3.1"


# ---- 7.4, 7.7, 32.3 Bridges and charges ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OurenAttack(BattleFrame, DieFrame):
    """An attack over the bridge of Ouren: is it strong enough [7.7]?"""

    def actor(self, s: ArdennesState) -> Seat:
        return "chance"

    def purpose(self, s: ArdennesState) -> str:
        return "ouren"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("7.7", "roll-ouren", bridge=OUREN)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        if look_at_ouren(s, int(action[1]), out):
            offer_charges(s, self.battle, -1, out)
        else:
            s.push(CallOff(*self.battle, -1))


def offer_charges(s: ArdennesState, b: Battle, after: int, out: Sink) -> None:
    """The defender may blow the bridges over which he is attacked, those after a number, and a depot [7.4, 32.3]."""
    bridges = [i for i in bridges_attacked(s, b) if i > after and refuse_charge(s, 1 - b.side, i) is None]
    if bridges:
        s.push(BlowBridge(*b, bridges[0]))
    elif b.side == GERMAN and shown_depot(s, b.hex) and not b.left:
        s.push(BlowDepot(*b))
    else:
        ask_support(s, b, True, out)


@dataclass(frozen=True, slots=True)
class BlowBridge(BattleFrame):
    """The defender may blow a bridge before the attack, by night too; to decline is no attempt [7.2, 7.4, 25.3.6]."""

    bridge: int

    def actor(self, s: ArdennesState) -> Seat:
        return SEATS[1 - self.side]

    def legal(self, s: ArdennesState) -> list[Action]:
        return [("blow", self.bridge), ("pass",)]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "blow":
            s.bridges_tried |= 1 << self.bridge
            s.push(ChargeRoll(*self.battle, self.bridge))
            warn_commando(s, 1 - self.side, self.bridge)
        else:
            offer_charges(s, self.battle, self.bridge, out)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("7.4", "blow-before-attack", bridge=self.bridge)

    def why_not(self, s: ArdennesState, action: Action) -> list[Refusal]:
        return [] if action in self.legal(s) else [Refusal("7.4", "blow-or-pass", bridge=self.bridge)]


@dataclass(frozen=True, slots=True)
class ChargeRoll(BattleFrame, DieFrame):
    """Does the bridge go up?"""

    bridge: int

    def actor(self, s: ArdennesState) -> Seat:
        return "chance"

    def purpose(self, s: ArdennesState) -> str:
        return "demolition"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("7.2", "roll-demolition", bridge=self.bridge)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        if demolish(s, sappers(s, 1 - self.side, self.bridge), self.bridge, int(action[1]), out, enemy_turn=True):
            s.push(CallOff(*self.battle, self.bridge))
        else:
            offer_charges(s, self.battle, self.bridge, out)


@dataclass(frozen=True, slots=True)
class CallOff(BattleFrame):
    """With the bridge gone the attacker may call his attack off [7.4, 7.7, 14.4]."""

    bridge: int  # the last one at which the defender was asked

    def legal(self, s: ArdennesState) -> list[Action]:
        return [("cancel",), ("pass",)]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "cancel":
            self._take_back(s)
            out("14.4", "attack-called-off", hex=self.hex)
        else:
            offer_charges(s, self.battle, self.bridge, out)

    def _take_back(self, s: ArdennesState) -> None:
        """An attack that was called off was none; those who broke through have attacked before."""
        if not self.breakthrough:
            s.fought &= ~mask_of((*self.units, *self.followers))
            s.attacked &= ~mask_of(u for u in units_at(s, self.hex) if not s.retreated >> u & 1)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("14.4", "call-off", hex=self.hex)

    def why_not(self, s: ArdennesState, action: Action) -> list[Refusal]:
        return [] if action in self.legal(s) else [Refusal("14.4", "cancel-or-pass", hex=self.hex)]


@dataclass(frozen=True, slots=True)
class BlowDepot(BattleFrame):
    """The Allies may set fire to a depot that is attacked [32.3]."""

    def actor(self, s: ArdennesState) -> Seat:
        return SEATS[ALLIED]

    def legal(self, s: ArdennesState) -> list[Action]:
        return [("burn", self.hex), ("pass",)]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "burn":
            s.push(BurnRoll(*self.battle))
        else:
            ask_support(s, self.battle, True, out)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("32.3", "burn-depot", hex=self.hex)

    def why_not(self, s: ArdennesState, action: Action) -> list[Refusal]:
        return [] if action in self.legal(s) else [Refusal("32.3", "burn-or-pass", hex=self.hex)]


@dataclass(frozen=True, slots=True)
class BurnRoll(BattleFrame, DieFrame):
    """Does the depot burn?"""

    def actor(self, s: ArdennesState) -> Seat:
        return "chance"

    def purpose(self, s: ArdennesState) -> str:
        return "depot"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("32.3", "roll-depot", hex=self.hex)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        burn_depot(s, self.hex, int(action[1]), DEPOT_CHARGE, out)
        if units_at(s, self.hex) or depot_hexes(s) >> self.hex & 1:
            ask_support(s, self.battle, True, out)


# ---- 19.4 Breakthrough ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Breakthrough(SideFrame):
    """One group of those who have advanced may attack again at once, as often as DS comes [19.4.1, 19.4.4]."""

    gone: Gone

    def groups(self, s: ArdennesState) -> dict[tuple[int, int], Units]:
        """By hex and target those who may attack; not targets that have just been routed [19.4.3]."""
        enemies = occupied(s, 1 - self.side)
        found = {}
        for h, group in breakthrough_groups(s, self.gone).items():
            for b in bits(TOUCHING[h] & enemies):
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

    def why_not(self, s: ArdennesState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        if action[0] == "breakthrough":
            return [Refusal("19.4.3", "no-breakthrough-there", hex=int(action[2]))]
        return [Refusal("19.4.1", "breakthrough-or-pass")]
