"""The Deadly Woods: chapter 11 up to the die, with the guns of 12.2 and 12.3."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from salient.common.naming import above, with_piece, without_piece
from salient.common.odds import Odds
from salient.common.sides import ALLIED, GERMAN, SEATS, SideFrame
from salient.common.stacks import occupied, on_map, present, units_at
from salient.games.deadly_woods.components import ARMOR, INFANTRY, LAST_TRACK_TURN, Tables
from salient.games.deadly_woods.model import WoodsState, asset_piece, is_motorized, kind_of
from salient.games.deadly_woods.results import apply_result
from salient.games.deadly_woods.supply import is_supplied, traces
from salient.games.deadly_woods.zones import may_support, next_to
from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import Group, UnitId
from salient.kernel import Action, AutoFrame, Frame, Prompt, Refusal, Seat
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink

INTEGRITY = SUPPORT_RANGE = 3  # hexes [11.2.1, 12.3, 12.4.2]
AUTOMATIC_LOSS = "AL1"  # 11.3.2
NEBELWERFER_ABSENT = 2  # turns [12.2]
BONUS_TURNS = 2  # 16.1
UNSUPPORTED_ON_TURN_1 = ("99/393", "99/394")  # 12.3

# ---- 11.1, 11.2 Who may attack whom -----------------------------------------------------------


def refuse_fighter(s: WoodsState, u: UnitId) -> Refusal | None:
    """Why a unit cannot attack at all in this round."""
    if not on_map(s, u):
        return Refusal("11.1", "not-on-map", unit=u)
    if not s.fighters >> u & 1:
        return Refusal("14.1", "may-not-attack-now", unit=u)
    if s.fought >> u & 1:
        return Refusal("11.2", "attacked-already", unit=u)
    if s.left == 0:
        return Refusal("14.3.1", "no-activation-left", unit=u)
    if s.units.values[u][s.lost[u]][0] == 0:
        return Refusal("11.2", "no-attack-strength", unit=u)
    if not is_supplied(s, u):
        return Refusal("11.2", "attack-needs-supply", unit=u)
    return None


def refuse_attacker(s: WoodsState, u: UnitId, h: int) -> Refusal | None:
    """Why a unit that may attack cannot attack a hex."""
    if not s.ground.touching[h] >> s.where[u] & 1:
        return Refusal("11.1", "not-adjacent", unit=u, hex=h)
    if is_motorized(s, u) and (s.where[u], h) in s.ground.unbridged:
        return Refusal("11.1", "river-without-bridge", unit=u, hex=h)
    return None


def refuse_target(s: WoodsState, side: int, h: int) -> Refusal | None:
    """Why a hex cannot be attacked by anyone of a side."""
    if not occupied(s, 1 - side) >> h & 1:
        return Refusal("11.1", "no-enemy-there", hex=h)
    if any(s.attacked >> u & 1 for u in units_at(s, h)):
        return Refusal("11.2", "was-attacked", hex=h)
    return None


def fighters(s: WoodsState, side: int) -> list[UnitId]:
    """The units next to the enemy that may attack now, ascending."""
    near, able = next_to(s.ground, occupied(s, 1 - side)), present(s) & s.units.side_mask[side] & s.fighters
    return [u for u in bits(able) if near >> s.where[u] & 1 and refuse_fighter(s, u) is None]


def targets(s: WoodsState, side: int) -> dict[int, Group]:
    """The hexes that may be attacked now, ascending, each with the units that may attack it."""
    found: dict[int, Group] = {}
    enemies = occupied(s, 1 - side)
    for u in fighters(s, side):
        for h in bits(s.ground.touching[s.where[u]] & enemies):
            if refuse_attacker(s, u, h) is None:
                found[h] = (*found.get(h, ()), u)
    return {h: found[h] for h in sorted(found) if refuse_target(s, side, h) is None}


def attackers(s: WoodsState, side: int, h: int) -> Group:
    """The units that may attack a hex now, ascending."""
    near = sorted([u for n in bits(s.ground.touching[h] & occupied(s, side)) for u in units_at(s, n)])
    return tuple([u for u in near if refuse_fighter(s, u) is None and refuse_attacker(s, u, h) is None])


# ---- 12.2, 12.3 Guns --------------------------------------------------------------------------------


def guns_for(s: WoodsState, side: int, attacking: bool, h: int, units: Group) -> Guns:
    """The artillery, Nebelwerfer and the asset of 16.1 that may support units in a combat, ascending."""
    asset, box, bonus = s.asset, s.ground.box, s.assets.bonus
    guns = [a for a in s.assets.guns[side] if asset[a] == box and refuse_gun(s, a, attacking, h, units) is None]
    if side == GERMAN and attacking and asset[bonus] == box and s.turn <= BONUS_TURNS:
        guns.append(bonus)
    return tuple(guns)


def refuse_gun(s: WoodsState, a: int, attacking: bool, h: int, units: Group) -> Refusal | None:
    """Why guns cannot support units in a combat over a hex."""
    if s.units.side[units[0]] == ALLIED:
        return _refuse_allied_gun(s, a, attacking, h, units)
    if s.assets.kind[a] == "nebelwerfer" and not attacking:
        return Refusal("12.2", "nebelwerfer-attack-only", asset=a)
    if not may_support(s, s.assets.force[a], h):
        return Refusal("9.2.2" if s.turn > 3 else "12.2", "gun-out-of-zone", asset=a, hex=h)
    if not any(is_supplied(s, u) and u != s.units.von_der_heydte for u in units):
        return Refusal("8.3", "no-guns-out-of-supply", hex=h)
    return None


def _refuse_allied_gun(s: WoodsState, a: int, attacking: bool, h: int, units: Group) -> Refusal | None:
    corps = s.assets.force[a]
    zone = s.ground.british_zone
    if corps == "XXX" and not (zone | next_to(s.ground, zone)) >> h & 1:
        return Refusal("9.3", "british-guns", asset=a, hex=h)
    if any(_has_guns_of(s, u, corps, attacking) for u in units):
        return None
    return Refusal("12.3", "guns-of-other-corps", asset=a, hex=h)


def _has_guns_of(s: WoodsState, u: UnitId, corps: str, attacking: bool) -> bool:
    if s.turn == 1 and s.units.ids[u] in UNSUPPORTED_ON_TURN_1:
        return False
    if s.units.corps[u] == corps and traces(s, u):
        return True
    if s.units.us_airborne[u] or (s.units.corps[u] == corps and not attacking):
        return _corps_is_near(s, s.where[u], corps)
    return False


def _corps_is_near(s: WoodsState, h: int, corps: str) -> bool:
    """Whether a supplied unit of a corps stands within three hexes [8.3, 12.3]."""
    near = s.ground.within[h][SUPPORT_RANGE]
    return any(on_map(s, u) and near >> s.where[u] & 1 and traces(s, u) for u in s.units.of_corps.get(corps, ()))


def most_guns(side: int, kind: str) -> int:
    """How many guns of a kind may take part in a combat [12.2, 12.3]."""
    return 2 if side == ALLIED and kind == "artillery" else 1


def nebelwerfer_strength(s: WoodsState, a: int, h: int, doubled: bool) -> int:
    """A Nebelwerfer's strength against a hex: the worst terrain counts, then perhaps doubled [12.2]."""
    ground = s.ground
    if (ground.rough | ground.town) >> h & 1:
        change = -2
    elif (ground.village | ground.forest) >> h & 1:
        change = -1
    else:
        change = 1 if ground.clear >> h & 1 else 0
    return max(0, s.assets.strength[a] + change) * (2 if doubled else 1)


# ---- 11.3.2 Odds and shifts ---------------------------------------------------------------------------


Guns = tuple[int, ...]  # some assets, ascending


class Battle(NamedTuple):
    """A combat as declared so far."""

    side: int
    hex: int
    units: Group
    guns: Guns = ()
    doubled: int = -1
    answer: Guns = ()


def gun_strength(s: WoodsState, b: Battle, a: int) -> int:
    """What a gun adds to an attack."""
    if s.assets.kind[a] == "nebelwerfer":
        return nebelwerfer_strength(s, a, b.hex, b.doubled == a)
    return s.assets.strength[a] if s.assets.kind[a] == "artillery" else 0


def defence_of(s: WoodsState, u: UnitId, h: int) -> int:
    """A unit's defence: German infantry counts twice in the Westwall [11.3.2]."""
    strength = s.units.values[u][s.lost[u]][1]
    doubled = s.units.side[u] == GERMAN and s.ground.westwall >> h & 1 and kind_of(s, u) == INFANTRY
    return strength * 2 if doubled else strength


def plain_column(tables: Tables, attack: int, defence: int) -> int:
    """The column of the odds in favour of the defender; -1 below the table [11.3.2]."""
    column = -1
    for i, (a, d) in enumerate(tables.ratios):
        if a * defence <= attack * d:
            column = i
    return column


def odds(s: WoodsState, b: Battle) -> Odds:
    """The odds of a combat with all its shifts."""
    defenders = units_at(s, b.hex)
    attack = sum(s.units.values[u][s.lost[u]][0] for u in b.units) + sum(gun_strength(s, b, a) for a in b.guns)
    defence = sum(defence_of(s, u, b.hex) for u in defenders) + sum(s.assets.strength[a] for a in b.answer)
    if s.ground.village >> b.hex & 1:
        defence += 1
    plain = plain_column(s.tables, attack, defence)
    shifts = (*terrain_shifts(s, b, defenders), *armor_shifts(s, b, defenders), *other_shifts(s, b, defenders))
    if plain < 0:
        return Odds(attack, defence, plain, shifts, -1)
    column = plain + sum(int(str(shift.args["n"])) for shift in shifts)
    return Odds(attack, defence, plain, shifts, max(-1, min(column, len(s.tables.columns) - 1)))


def terrain_shifts(s: WoodsState, b: Battle, defenders: Group) -> list[Refusal]:
    """Infantry in town, woods or forest; anyone in rough; all attackers across a river [11.3.2]."""
    shifts = []
    if any(kind_of(s, u) == INFANTRY for u in defenders):
        if s.ground.town >> b.hex & 1:
            shifts.append(Refusal("11.3.2", "shift-town", n=-1))
        if (s.ground.woods | s.ground.forest) >> b.hex & 1:
            shifts.append(Refusal("11.3.2", "shift-woods", n=-1))
    if s.ground.rough >> b.hex & 1:
        shifts.append(Refusal("11.3.2", "shift-rough", n=-1))
    if all(s.ground.river_touching[b.hex] >> s.where[u] & 1 for u in b.units):
        shifts.append(Refusal("11.3.2", "shift-river", n=-1))
    return shifts


def armor_shifts(s: WoodsState, b: Battle, defenders: Group) -> list[Refusal]:
    """Armour alone in the clear: one column for its side [8.3, 11.3.2]."""
    if not s.ground.clear >> b.hex & 1 or s.ground.town >> b.hex & 1:
        return []
    attacking = [u for u in b.units if kind_of(s, u) == ARMOR]
    defending = [u for u in defenders if kind_of(s, u) == ARMOR]
    if defending and not attacking and any(is_supplied(s, u) for u in defending):
        return [Refusal("11.3.2", "shift-armor-defends", n=-1)]
    if not defending and any(not s.ground.river_touching[b.hex] >> s.where[u] & 1 for u in attacking):
        return [Refusal("11.3.2", "shift-armor-attacks", n=1)]
    return []


def other_shifts(s: WoodsState, b: Battle, defenders: Group) -> list[Refusal]:
    """Lack of supply, divisional integrity, engineers [11.2.1, 11.3.2, 12.4.2]."""
    shifts = []
    if any(not is_supplied(s, u) for u in defenders):
        shifts.append(Refusal("11.3.2", "shift-unsupplied", n=1))
    if any(s.units.side[u] == ALLIED and not keeps_integrity(s, u) for u in defenders):
        shifts.append(Refusal("11.2.1", "shift-defender-scattered", n=1))
    if any(not keeps_integrity(s, u) for u in b.units):
        shifts.append(Refusal("11.2.1", "shift-attacker-scattered", n=-1))
    engineers = s.assets.engineers if s.units.side[defenders[0]] == ALLIED else ()
    if any(engineer_helps(s, a, b.hex, defenders) for a in engineers):
        shifts.append(Refusal("12.4.2", "shift-engineers", n=-1))
    return shifts


def keeps_integrity(s: WoodsState, u: UnitId) -> bool:
    """Whether a unit has no division, or another unit of it stands within three hexes [11.2.1]."""
    division = s.units.division[u]
    if not division:
        return True
    near, where, hexes = s.ground.within[s.where[u]][INTEGRITY], s.where, s.ground.hexes
    return any(x != u and where[x] < hexes and near >> where[x] & 1 for x in s.units.of_division[division])


def engineer_helps(s: WoodsState, a: int, h: int, defenders: Group) -> bool:
    """Whether engineers on the map help the defenders of a hex [12.4.2]."""
    if s.asset[a] >= s.ground.hexes or not s.ground.within[h][SUPPORT_RANGE] >> s.asset[a] & 1:
        return False
    return any(s.units.corps[u] == s.assets.force[a] or s.units.airborne[u] or u == s.units.delay for u in defenders)


def die_modifier(s: WoodsState, b: Battle) -> int:
    """What is added to the die: Peiper on turn 1, or the asset of 16.1 [11.3.2, 16.1]."""
    peiper = 1 if s.turn == 1 and s.units.peiper in b.units and s.option == "standard" else 0
    return peiper + (s.assets.strength[s.assets.bonus] if s.assets.bonus in b.guns else 0)


def result_of(s: WoodsState, b: Battle, column: int, die: int) -> str:
    """The result of a die, no further than the ends of the table [11.3.3]."""
    if column < 0:
        return AUTOMATIC_LOSS
    faces = s.tables.combat[column]
    return faces[max(1, min(len(faces), die + die_modifier(s, b))) - 1]


# ---- 11.3.1 Declaring a combat --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attack(SideFrame[WoodsState]):
    """The attacker names his units, in any order, until he resolves the attack or cancels it."""

    hex: int
    ready: Group  # all units that may take part, ascending
    joined: Group  # those that do, ascending

    def able(self, s: WoodsState) -> Group:
        """The units that can still join: no more than are activated [14.3.1]."""
        if len(self.joined) == s.left:
            return ()
        return tuple(u for u in self.ready if u not in self.joined)

    def legal(self, s: WoodsState) -> list[Action]:
        drops: list[Action] = [("drop", u) for u in self.joined]
        resolve: list[Action] = [("resolve",)] if self.joined else []
        return [("cancel",), *drops, *(("join", u) for u in self.able(s)), *resolve]

    def candidates(self, s: WoodsState) -> list[Action]:
        join: list[Action] = [("join", u) for u in above(self.able(s), self.joined)]
        return [*join, ("resolve",)] if self.joined else join

    def draft(self, s: WoodsState) -> tuple[Action, ...]:
        return (("attack", self.hex), *(("join", u) for u in self.joined))

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        match action:
            case ("join", UnitId(u)):
                s.swap(replace(self, joined=with_piece(self.joined, u)))
            case ("drop", UnitId(u)):
                s.swap(replace(self, joined=without_piece(self.joined, u)))
            case ("cancel",):
                s.pop()  # the combats beneath ask again
            case _:
                self._declare(s, out)

    def _declare(self, s: WoodsState, out: Sink) -> None:
        s.fought |= mask_of(self.joined)
        s.attacked |= mask_of(units_at(s, self.hex))
        if s.left > 0:
            s.left -= len(self.joined)
        if self.side == GERMAN and any((s.where[u], self.hex) in s.ground.meuse for u in self.joined):
            s.meuse_crossed = 1
        out("11.3.1", "attacks", units=self.joined, hex=self.hex)
        s.pop()
        ask_support(s, Battle(self.side, self.hex, self.joined), True, out)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("11.3.1", "name-attackers", hex=self.hex, units=self.joined or self.ready)

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        match action:
            case ("join", UnitId(u)):
                return [self._refuse_joining(s, u)]
            case ("drop", int(piece)):
                return [Refusal("11.3.1", "not-named", piece=piece)]
            case ("resolve",):
                return [Refusal("11.3.1", "no-attackers", hex=self.hex)]
        return [Refusal("11.3.1", "finish-attack-first", hex=self.hex)]

    def _refuse_joining(self, s: WoodsState, u: UnitId) -> Refusal:
        if u in self.joined:
            return Refusal("11.2", "joined-already", unit=u)
        if s.units.side[u] != self.side:
            return Refusal("11.1", "not-your-unit", unit=u)
        refusal = refuse_fighter(s, u) or refuse_attacker(s, u, self.hex)
        return refusal or Refusal("14.3.1", "no-activation-left", unit=u)


def ask_support(s: WoodsState, b: Battle, attacking: bool, out: Sink) -> None:
    """Ask a side for its guns if it has any to offer; then the defender; then roll."""
    frame = Support(b, attacking)
    if frame.choices(s):
        s.push(frame)
    elif attacking:
        ask_support(s, b, False, out)
    else:
        resolve(s, b, out)


@dataclass(frozen=True, slots=True)
class BattleFrame(Frame[WoodsState]):
    """A decision or a roll in a combat."""

    battle: Battle

    @property
    def side(self) -> int:
        """The side that attacks."""
        return self.battle.side

    @property
    def hex(self) -> int:
        """The hex that is attacked."""
        return self.battle.hex


@dataclass(frozen=True, slots=True)
class Support(BattleFrame):
    """A side names the guns that support a combat, in any order: first the attacker, then the defender."""

    attacking: bool

    @property
    def owner(self) -> int:
        """The side that is asked."""
        return self.side if self.attacking else 1 - self.side

    @property
    def named(self) -> Guns:
        """The guns named so far, ascending."""
        return self.battle.guns if self.attacking else self.battle.answer

    def actor(self, s: WoodsState) -> Seat:
        return SEATS[self.owner]

    def choices(self, s: WoodsState) -> list[int]:
        """The guns that may still be named, ascending."""
        supported = self.battle.units if self.attacking else units_at(s, self.hex)
        used = [s.assets.kind[a] for a in self.named]
        return [
            a
            for a in guns_for(s, self.owner, self.attacking, self.hex, supported)
            if a not in self.named and used.count(s.assets.kind[a]) < most_guns(self.owner, s.assets.kind[a])
        ]

    def legal(self, s: WoodsState) -> list[Action]:
        drops: list[Action] = [("drop", asset_piece(s, a)) for a in self.named]
        return [*drops, *_uses(s, self.choices(s))]

    def candidates(self, s: WoodsState) -> list[Action]:
        return _uses(s, above(self.choices(s), self.named))

    def draft(self, s: WoodsState) -> tuple[Action, ...]:
        return tuple(("double" if a == self.battle.doubled else "support", a) for a in self.named)

    def with_gun(self, a: int, twice: bool) -> Support:
        """The same question with one more gun."""
        return self._naming(with_piece(self.named, a), a if twice else self.battle.doubled)

    def _without_gun(self, a: int) -> Support:
        doubled = self.battle.doubled
        return self._naming(without_piece(self.named, a), -1 if a == doubled else doubled)

    def _naming(self, guns: Guns, doubled: int) -> Support:
        b = self.battle
        named = b._replace(guns=guns, doubled=doubled) if self.attacking else b._replace(answer=guns)
        return replace(self, battle=named)

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        match action:
            case ("resolve",):
                s.pop()
                self._commit(s, out)
            case ("drop", int(piece)):
                s.swap(self._without_gun(piece - asset_piece(s, 0)))
            case (verb, int(a)):
                s.swap(self.with_gun(a, verb == "double"))

    def _commit(self, s: WoodsState, out: Sink) -> None:
        for a in self.named:
            twice = a == self.battle.doubled
            back = s.ground.track_turn(min(s.turn + NEBELWERFER_ABSENT, LAST_TRACK_TURN))
            s.asset[a] = back if twice else s.ground.used
            rule = "16.1" if a == s.assets.bonus else "12.2" if self.owner == GERMAN else "12.3"
            out(rule, "supports-twice" if twice else "supports", asset=a, hex=self.hex)
        if self.attacking:
            ask_support(s, self.battle, False, out)
        else:
            resolve(s, self.battle, out)

    def prompt(self, s: WoodsState) -> Prompt:
        key = "support-attack" if self.attacking else "support-defence"
        return Prompt("11.3.1", key, hex=self.hex, assets=tuple(self.choices(s)))

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        match action:
            case ("support" | "double", int(a)):
                return [self._refuse_gun(s, a, action[0] == "double")]
            case ("drop", int(piece)):
                return [Refusal("11.3.1", "not-named", piece=piece)]
        return [Refusal("11.3.1", "guns-first", hex=self.hex)]

    def _refuse_gun(self, s: WoodsState, a: int, twice: bool) -> Refusal:
        if a in self.named:
            return Refusal("12.2", "gun-named-already", asset=a)
        if a not in s.assets.guns[self.owner] and not (a == s.assets.bonus and self.owner == GERMAN):
            return Refusal("12.1", "not-your-guns", asset=a)
        if s.asset[a] != s.ground.box:
            return Refusal("12.2", "guns-used", asset=a)
        if a == s.assets.bonus and (not self.attacking or s.turn > BONUS_TURNS):
            return Refusal("16.1", "bonus-in-attacks", asset=a)
        if twice and s.assets.kind[a] != "nebelwerfer":
            return Refusal("12.2", "nebelwerfer-only", asset=a)
        supported = self.battle.units if self.attacking else units_at(s, self.hex)
        refusal = None if a == s.assets.bonus else refuse_gun(s, a, self.attacking, self.hex, supported)
        return refusal or Refusal("12.2", "enough-guns", asset=a)


def _uses(s: WoodsState, guns: list[int]) -> list[Action]:
    """What may be done with guns, and that no more are named."""
    double: list[Action] = [("double", a) for a in guns if s.assets.kind[a] == "nebelwerfer"]
    return [*double, ("resolve",), *(("support", a) for a in guns)]


# ---- 11.3.3 The die ------------------------------------------------------------------------------------------


def bridges_attacked(s: WoodsState, b: Battle) -> int:
    """The intact bridges over which a combat is fought, as bits [10.6.1]."""
    pairs = [(s.where[u], b.hex) for u in b.units]
    bridge = s.ground.bridge
    bridges = mask_of(bridge[pair] for pair in pairs if pair in bridge)
    return bridges & ~s.blown


def resolve(s: WoodsState, b: Battle, out: Sink) -> None:
    """Roll, or lose at once below the table [11.3.2]."""
    o = odds(s, b)
    if o.column < 0:
        out("11.3.2", "odds-hopeless", hex=b.hex, n_attack=o.attack, n_defence=o.defence)
        apply_result(s, b.side, b.hex, b.units, bridges_attacked(s, b), AUTOMATIC_LOSS, out)
        return
    shift = {"n_shift": o.column - o.plain}
    words = {"word_plain": s.tables.columns[o.plain], "word_column": s.tables.columns[o.column]}
    out("11.3.2", "odds", hex=b.hex, n_attack=o.attack, n_defence=o.defence, **shift, **words)
    s.push(CombatRoll(b, o.column))


@dataclass(frozen=True, slots=True)
class CombatRoll(DieFrame[WoodsState], BattleFrame):
    """One die against the column: high is good for the attacker."""

    column: int

    def purpose(self, s: WoodsState) -> str:
        return "combat"

    def prompt(self, s: WoodsState) -> Prompt:
        column = s.tables.columns[self.column]
        return Prompt("11.3.3", "roll-combat", hex=self.hex, units=self.battle.units, word_column=column)

    def effect(self, s: WoodsState, action: Action) -> str:
        return result_of(s, self.battle, self.column, int(action[1]))

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        b, die = self.battle, int(action[1])
        result = result_of(s, b, self.column, die)
        out("11.3.3", "combat-result", hex=self.hex, n_die=die, n_added=die_modifier(s, b), word_result=result)
        s.pop()
        apply_result(s, self.side, self.hex, self.battle.units, bridges_attacked(s, b), result, out)


# ---- 11.1 Combat ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fighting(AutoFrame[WoodsState]):
    """Asks for one combat after another as long as any is possible."""

    side: int
    only_still: bool

    def run(self, s: WoodsState, out: Sink) -> None:
        if self.only_still:
            s.fighters &= ~s.moved
            s.swap(Fighting(self.side, False))
        if s.fought & s.units.side_mask[self.side] or targets(s, self.side):
            s.push(Fight(self.side))
        else:
            s.pop()


@dataclass(frozen=True, slots=True)
class Fight(SideFrame[WoodsState]):
    """A side names the hex that it attacks next, or ends its combats."""

    def legal(self, s: WoodsState) -> list[Action]:
        return [*(("attack", h) for h in targets(s, self.side)), ("pass",)]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "pass":
            s.pop()  # the combats beneath
            return
        h = int(action[1])
        s.push(Attack(self.side, h, attackers(s, self.side, h), ()))

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("11.1", "choose-combat", hexes=tuple(targets(s, self.side)))

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        if action[0] != "attack":
            return [Refusal("11.1", "attack-or-pass")]
        h = int(action[1])
        return [refuse_target(s, self.side, h) or self._nobody(s, h)]

    def _nobody(self, s: WoodsState, h: int) -> Refusal:
        near = [u for u in s.units.of_side[self.side] if on_map(s, u) and s.ground.touching[h] >> s.where[u] & 1]
        reasons = [refuse_fighter(s, u) or refuse_attacker(s, u, h) for u in near]
        return next((r for r in reasons if r), Refusal("11.1", "nobody-adjacent", hex=h))
