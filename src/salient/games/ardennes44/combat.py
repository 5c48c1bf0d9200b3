"""Ardennes '44: chapter 14, the combat phase up to the die, with bridges (7.4), air (15.6) and guns (22)."""

from __future__ import annotations

from dataclasses import dataclass, replace

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
from salient.games.ardennes44.disengagement import begin_disengagement, refuse_disengagement
from salient.games.ardennes44.entering import OurenRoll, clear_overrun, depot_hexes, needs_ouren
from salient.games.ardennes44.losses import forget_remnants
from salient.games.ardennes44.model import (
    BRIGADE_150,
    ROUTED,
    SIDE,
    SIDE_MASK,
    TOUCHING,
    ArdennesState,
    clear_weather,
    roll,
)
from salient.games.ardennes44.moving import luftwaffe_strikes
from salient.games.ardennes44.odds import (
    MOST_GUNS,
    Battle,
    bridges_attacked,
    can_be_led,
    column_name,
    guns_for,
    odds,
    peiper_stacks,
    refuse_attacker,
    refuse_fighter,
    refuse_gun,
    refuse_target,
    refuse_together,
    result_of,
    shifting_armor,
    shown_depot,
    targets,
    unled,
)
from salient.games.ardennes44.results import BattleFrame, apply_result
from salient.games.ardennes44.works import drop_empty_positions, refuse_split, split_off, splits
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
    s.fought = s.attacked = s.retreated = 0
    s.led = peiper_stacks(s) if side == GERMAN else 0
    s.spearhead = ()
    enemies = occupied(s, 1 - side)
    mine = occupied(s, side)
    s.advantage = tuple(x for x in s.advantage if enemies >> x[1] & 1 or not mine >> x[0] & 1)
    s.push(EndCombat(side), Fighting(side))


@dataclass(frozen=True, slots=True)
class EndCombat(AutoFrame):
    """The phasing side's engaged and replacement markers come off, empty positions go [15.8.4, 20.5, 25.2.4]."""

    side: int

    def run(self, s: ArdennesState, out: Sink) -> None:
        s.pop()
        s.engaged &= ~SIDE_MASK[self.side]
        if not s.night:
            s.fresh &= ~SIDE_MASK[self.side]
        else:
            s.night_marks &= ~SIDE_MASK[self.side]
        s.retreated = s.led = 0
        forget_remnants(s)
        drop_empty_positions(s)
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
                s.push(Attack(self.side, h, targets(s, self.side)[h], (), (), 0, ()))
            case ("commando", int(bridge)):
                place_commando(s, bridge, out)
            case ("disengage", int(u)):
                begin_disengagement(s, u, out)
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
    """The attacker names his units, in ascending order; those over the limit of formations may follow [19.1.1]."""

    hex: int
    pool: Units
    joined: Units
    followers: Units
    breakthrough: int
    far: Units  # of a breakthrough: those who have advanced more than a hex [19.4.1]

    def ready(self, s: ArdennesState) -> list[int]:
        """The units that may still join."""
        last = self.joined[-1] if self.joined else -1
        return [u for u in self.pool if u > last and self._refuse_joining(s, u) is None]

    def _refuse_joining(self, s: ArdennesState, u: int) -> Refusal | None:
        """Why a unit of the pool cannot be added to the attackers named so far [14.3, 19.4.1, 27.5]."""
        units = (*self.joined, u)
        if refusal := refuse_together(s, units) or refuse_mixed(units, self.far):
            return refusal
        return None if self.breakthrough or can_be_led(s, units, self.pool) else Refusal("27.5", "peiper-leads", unit=u)

    def leaderless(self, s: ArdennesState) -> Units:
        """The attackers for whom one of Peiper's units must still be named [27.5]."""
        return () if self.breakthrough else unled(s, self.joined)

    def trailing(self, s: ArdennesState) -> list[int]:
        """The units that may come along although they add nothing."""
        last = self.followers[-1] if self.followers else -1
        beside = {s.where[u] for u in self.joined}
        return [
            u
            for u in self.pool
            if u > last and u not in self.joined and s.where[u] in beside and _over_limit(s, (*self.joined, u))
            if self.breakthrough or not unled(s, (*self.joined, u))
            if refuse_mixed((*self.joined, *self.followers, u), self.far) is None
        ]

    def legal(self, s: ArdennesState) -> list[Action]:
        complete = bool(self.joined) and not self.leaderless(s)
        follow = [("follow", u) for u in self.trailing(s)] if complete else []
        join = [("join", u) for u in self.ready(s)] if not self.followers else []
        return [*follow, *join, *([("resolve",)] if complete else [])]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        if action[0] == "join":
            s.swap(replace(self, joined=(*self.joined, int(action[1]))))
            return
        if action[0] == "follow":
            s.swap(replace(self, followers=(*self.followers, int(action[1]))))
            return
        if any(needs_ouren(s, self.side, [s.where[u], self.hex]) for u in self.joined):
            s.push(OurenRoll())
            return
        s.pop()
        s.fought |= mask_of((*self.joined, *self.followers))
        s.attacked |= mask_of(units_at(s, self.hex))
        out("14.4", "attacks", units=self.joined, hex=self.hex)
        b = Battle(self.side, self.hex, self.joined, self.followers, breakthrough=self.breakthrough)
        offer_charges(s, b, out)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("14.4", "name-attackers", hex=self.hex, units=self.joined or self.pool)

    def why_not(self, s: ArdennesState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        if action[0] in ("join", "follow"):
            return [self._refuse_unit(s, int(action[1]))]
        if action[0] == "resolve" and (alone := self.leaderless(s)):
            return [Refusal("27.5", "peiper-leads", unit=alone[0])]
        return [Refusal("14.4", "finish-attack-first", hex=self.hex)]

    def _refuse_unit(self, s: ArdennesState, u: int) -> Refusal:
        if u in self.joined or u in self.followers:
            return Refusal("14.4", "joined-already", unit=u)
        if SIDE[u] != self.side:
            return Refusal("14.1", "not-your-unit", unit=u)
        refusal = None if u in self.pool else refuse_fighter(s, u) or refuse_attacker(s, u, self.hex)
        return refusal or self._refuse_joining(s, u) or Refusal("14.4", "cannot-join", unit=u)


def _over_limit(s: ArdennesState, units: Units) -> bool:
    refusal = refuse_together(s, units)
    return refusal is not None and refusal.rule == "14.3.1"


# ---- 7.4, 32.3 Charges --------------------------------------------------------------------------------------


def offer_charges(s: ArdennesState, b: Battle, out: Sink) -> None:
    """The defender may blow the bridges over which he is attacked, and a depot [7.4, 32.3]."""
    bridges = [i for i in bridges_attacked(s, b) if refuse_charge(s, 1 - b.side, i) is None]
    if bridges:
        s.push(BlowBridge(*b, bridges[0]))
    elif b.side == GERMAN and shown_depot(s, b.hex) and not b.left:
        s.push(BlowDepot(*b))
    else:
        ask_support(s, b, True, out)


@dataclass(frozen=True, slots=True)
class BlowBridge(BattleFrame):
    """The defender tries to blow a bridge before the attack."""

    bridge: int

    def actor(self, s: ArdennesState) -> Seat:
        return SEATS[1 - self.side]

    def legal(self, s: ArdennesState) -> list[Action]:
        return [("blow", self.bridge), ("pass",)]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        s.bridges_tried |= 1 << self.bridge
        if action[0] == "blow":
            s.push(ChargeRoll(*self.battle, self.bridge))
            warn_commando(s, 1 - self.side, self.bridge)
        else:
            offer_charges(s, self.battle, out)

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
            s.push(CallOff(*self.battle))
        else:
            offer_charges(s, self.battle, out)


@dataclass(frozen=True, slots=True)
class CallOff(BattleFrame):
    """With the bridge gone the attacker may call his attack off [7.4, 14.4]."""

    def legal(self, s: ArdennesState) -> list[Action]:
        return [("cancel",), ("pass",)]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "cancel":
            self._take_back(s)
            out("14.4", "attack-called-off", hex=self.hex)
        else:
            offer_charges(s, self.battle, out)

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


# ---- 15.6, 22.7, 22.8, 27.8.3 Support -----------------------------------------------------------------------------


def ask_support(s: ArdennesState, b: Battle, attacking: bool, out: Sink) -> None:
    """Ask a side for its support if it has any to offer; then the defender; then fighter-bombers; then the die."""
    frame = Support(*b, int(attacking))
    if len(frame.legal(s)) > 1:
        s.push(frame)
    elif attacking:
        ask_support(s, b, False, out)
    else:
        call_jabos(s, b, out)


@dataclass(frozen=True, slots=True)
class Support(BattleFrame):
    """A side commits guns in ascending order, aircraft, or a ruse: first the attacker, then the defender."""

    attacking: int

    @property
    def owner(self) -> int:
        """The side that is asked."""
        return self.side if self.attacking else 1 - self.side

    def actor(self, s: ArdennesState) -> Seat:
        return SEATS[self.owner]

    def choices(self, s: ArdennesState) -> list[int]:
        """The guns that may still be committed."""
        if len(self.guns) >= MOST_GUNS and self.attacking:
            return []
        last = self.guns[-1] if self.guns and self.attacking else -1
        return [u for u in guns_for(s, self.battle, bool(self.attacking)) if u > last]

    def legal(self, s: ArdennesState) -> list[Action]:
        actions: list[Action] = []
        if self.attacking and self.side == ALLIED and s.air and not s.night and not self.air:
            actions.append(("air",))
        if self.attacking and BRIGADE_150 in self.units and s.exposed != 2 and not self.surprise:
            actions.append(("surprise",))
        return [*actions, *(("support", u) for u in self.choices(s)), ("pass",)]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        b = self.battle
        match action:
            case ("air",):
                s.air -= 1
                out("15.6.2", "air-strike", hex=self.hex)
                ask_support(s, b._replace(air=1), True, out)
            case ("surprise",):
                s.push(SurpriseRoll(*b))
            case ("support", int(u)):
                s.fired |= 1 << u
                out("22.7" if self.attacking else "22.8", "supports", unit=u, hex=self.hex)
                if self.attacking:
                    ask_support(s, b._replace(guns=(*b.guns, u)), True, out)
                else:
                    s.push(BarrageRoll(*b))
            case _ if self.attacking:
                ask_support(s, b, False, out)
            case _:
                call_jabos(s, b, out)

    def prompt(self, s: ArdennesState) -> Prompt:
        key = "support-attack" if self.attacking else "support-defence"
        return Prompt("22.6", key, hex=self.hex, units=tuple(self.choices(s)))

    def why_not(self, s: ArdennesState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        if action[0] == "support":
            u = int(action[1])
            return [refuse_gun(s, u, self.battle, bool(self.attacking)) or Refusal("22.7", "enough-guns", unit=u)]
        if action[0] == "air":
            return [Refusal("15.6.2", "no-air-support")]
        return [Refusal("22.6", "support-first", hex=self.hex)]


@dataclass(frozen=True, slots=True)
class SurpriseRoll(BattleFrame, DieFrame):
    """Are the defenders deceived by 150th Brigade [27.8.3]?"""

    def actor(self, s: ArdennesState) -> Seat:
        return "chance"

    def purpose(self, s: ArdennesState) -> str:
        return "surprise"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("27.8.3", "roll-surprise", hex=self.hex)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        s.exposed = 2
        success = roll("skorzeny", int(action[1])) == "success"
        out("27.8.3", "surprised" if success else "not-surprised", hex=self.hex, n_die=int(action[1]))
        ask_support(s, self.battle._replace(surprise=int(success)), True, out)


@dataclass(frozen=True, slots=True)
class BarrageRoll(BattleFrame, DieFrame):
    """What the defender's guns do [22.8]."""

    def actor(self, s: ArdennesState) -> Seat:
        return "chance"

    def purpose(self, s: ArdennesState) -> str:
        return "barrage"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("22.8", "roll-barrage", hex=self.hex)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        die = int(action[1])
        result = roll("allied-artillery" if self.side == GERMAN else "german-artillery", die)
        if result == "TOT":
            out("22.8", "time-on-target", hex=self.hex, n_die=die)
            apply_result(s, self.battle, "A1", out)
            return
        out("22.8", "barrage", hex=self.hex, n_die=die, n=int(result))
        call_jabos(s, self.battle._replace(left=self.left + int(result)), out)


def call_jabos(s: ArdennesState, b: Battle, out: Sink) -> None:
    """Fighter-bombers meet every German attack by day in clear weather [15.6.3]."""
    if b.side == GERMAN and clear_weather(s) and not s.night:
        s.push(JaboRoll(*b))
    else:
        s.push(CombatRoll(*b))


@dataclass(frozen=True, slots=True)
class JaboRoll(BattleFrame, DieFrame):
    """Columns that fighter-bombers take from a German attack [15.6.3, 35]."""

    def actor(self, s: ArdennesState) -> Seat:
        return "chance"

    def purpose(self, s: ArdennesState) -> str:
        return "fighter-bombers"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("15.6.3", "roll-jabos", hex=self.hex)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        shifts = int(roll("jabo", int(action[1]) + luftwaffe_strikes(s)))
        out("15.6.3", "jabos", hex=self.hex, n_die=int(action[1]), n=shifts)
        s.push(CombatRoll(*self.battle._replace(left=self.left + shifts)))


@dataclass(frozen=True, slots=True)
class CombatRoll(BattleFrame, DieFrame):
    """One die against the column: low is good for the attacker."""

    def actor(self, s: ArdennesState) -> Seat:
        return "chance"

    def purpose(self, s: ArdennesState) -> str:
        return "combat"

    def prompt(self, s: ArdennesState) -> Prompt:
        column = column_name(odds(s, self.battle).column)
        return Prompt("14.4", "roll-combat", hex=self.hex, units=self.units, word_column=column)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        b, die = self.battle, int(action[1])
        o = odds(s, b)
        result = result_of(o.column, die)
        word = column_name(o.column)
        out("14.4", "odds", hex=self.hex, n_attack=o.attack, n_defence=o.defence, word_column=word)
        out("16.1", "combat-result", hex=self.hex, n_die=die, word_result=result)
        apply_result(s, b._replace(armor=shifting_armor(s, b)), result, out)


# ---- 19.4 Breakthrough ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Breakthrough(SideFrame):
    """One group of those who have advanced may attack again at once."""

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
            out("19.4.1", "breaks-through", hex_from=h, hex=target)
            far = tuple(sorted(u for u, hexes in self.gone if hexes > 1))
            s.push(Attack(self.side, target, self.groups(s)[h, target], (), (), 1, far))

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("19.4.1", "breakthrough", units=tuple(u for u, _ in self.gone))

    def why_not(self, s: ArdennesState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        if action[0] == "breakthrough":
            return [Refusal("19.4.3", "no-breakthrough-there", hex=int(action[2]))]
        return [Refusal("19.4.1", "breakthrough-or-pass")]
