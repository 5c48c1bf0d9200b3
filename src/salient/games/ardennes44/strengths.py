"""Ardennes '44: chapters 15, 21 and 22, strengths, column shifts, artillery, and the odds of a combat (14.4, 14.5)."""

from __future__ import annotations

from typing import NamedTuple

from salient.common.odds import Odds
from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import units_at
from salient.games.ardennes44.components import VEHICLE, Ground, Tables, within
from salient.games.ardennes44.entering import shown_depot
from salient.games.ardennes44.model import FACTOR_LIMIT, ArdennesState, noted, values
from salient.games.ardennes44.supply import is_supplied
from salient.games.ardennes44.ways import tactical_steps
from salient.hexes.sets import Group, UnitId
from salient.kernel import Refusal

MOST_GUNS = 2  # 22.7
MOST_FACTORS = 18  # 34
DEPOT_DEFENCE = 2  # 32.2
FIRING_ON_TURN_1 = frozenset({"V/187", "V/406"})  # 29.2.1


class Battle(NamedTuple):
    """A combat as declared so far."""

    side: int
    hex: int
    units: Group
    followers: Group = ()  # take part without adding factors [19.1.1]
    guns: Group = ()
    air: int = 0
    surprise: int = 0  # 27.8.3
    left: int = 0  # columns won by the defender's guns and by fighter-bombers
    breakthrough: int = 0
    armor: Group = ()  # the attackers that gave the column for armour when the die was rolled [16.3]


# ---- 15.2 to 15.5 Attack strength ------------------------------------------------------------------


def can_cross(s: ArdennesState, u: UnitId, h: int) -> bool:
    """Whether a unit could move from where it is into a hex next to it [15.4, 21.3]."""
    here = s.where[u]
    if here >= s.ground.hexes:
        return True
    plain, hard = tactical_steps(s.ground, s.units.mobility[u], s.blown, here)
    return bool((plain | hard) >> h & 1)


def halvings(s: ArdennesState, u: UnitId, h: int) -> list[Refusal]:
    """Every reason to halve a unit's attack; it is halved once, and not into a valley [15.2, 15.5.2]."""
    here = s.where[u]
    found = []
    if here < s.ground.hexes:
        if (here, h) in s.ground.river:
            found.append(Refusal("15.3", "halved-river"))
        if s.ground.rough >> here & 1:
            found.append(Refusal("15.5.1", "halved-rough-woods"))
        if s.units.mobility[u] == VEHICLE and not can_cross(s, u, h):
            found.append(Refusal("15.4", "halved-vehicle"))
    if not is_supplied(s, u):
        found.append(Refusal("23.4", "halved-supply"))
    return found


def attack_of(s: ArdennesState, u: UnitId, h: int) -> int:
    """A unit's attack factors against a hex: assault mortars count double against settlements [15.2, 27.4]."""
    strength = values(s, u)[0]
    if s.units.type[u] == "heavy" and s.ground.settled >> h & 1:
        strength *= 2
    return (strength + 1) // 2 if halvings(s, u, h) else strength


# ---- 15.1 Defence --------------------------------------------------------------------------------------


def defenders_of(s: ArdennesState, h: int) -> Group:
    """The units whose strength counts in a hex: not those that have just fled to others [17.5]."""
    units = units_at(s, h)
    standing = tuple(u for u in units if not s.retreated >> u & 1)
    return standing or units


def defence_of(s: ArdennesState, u: UnitId) -> int:
    """A unit's defence factors: half under a strategic movement marker [12.5]."""
    strength = values(s, u)[1]
    return (strength + 1) // 2 if s.march >> u & 1 else strength


def best_cover(s: ArdennesState, h: int, side: int) -> tuple[str, int]:
    """What gives a side the best defensive bonus of a hex, and the bonus [15.1, 15.7, 15.8.1]."""
    ground = s.ground
    settled = ("village", ground.village), ("town", ground.town), ("city", ground.city)
    names = [ground.board.terrain[h], *(name for name, mask in settled if mask >> h & 1)]
    if side == GERMAN and ground.westwall >> h & 1:
        names.append("westwall")
    if s.ip >> h & 1:
        names.append("improved-position")
    cover = max(names, key=lambda name: int(ground.effects[name]["dcb"]))
    return cover, int(ground.effects[cover]["dcb"])


def bonus(s: ArdennesState, h: int) -> int:
    """The defensive bonus as far as the defenders can use it [15.1]."""
    artillery = s.units.artillery
    able = [u for u in defenders_of(s, h) if not artillery[u] and not s.march >> u & 1]
    if not able:
        return 0
    most = sum(defence_of(s, u) for u in able)
    if all(s.units.profile[u] for u in able):
        most = min(most, 1)
    return min(best_cover(s, h, s.units.side[able[0]])[1], most)


# ---- 21.1, 21.3 Armour ----------------------------------------------------------------------------------


def armor_matters(ground: Ground, h: int) -> bool:
    """Whether armour counts against a hex: not in forest, rough-woods, Westwall or city [21.3]."""
    return not (ground.forest | ground.rough | ground.westwall | ground.city) >> h & 1


def best_tq(s: ArdennesState, units: Group) -> int:
    """The best tank quality among defenders, disrupted ones and flak included; -1 if there is none [18.4, 21.2]."""
    tq = s.units.tq
    return max((tq[u] for u in units if tq[u]), default=-1)


def shifting_armor(s: ArdennesState, b: Battle) -> Group:
    """The attackers that give the column for armour [21.1, 21.3]."""
    armor, quality = s.units.armor, s.units.attack_tq
    if not armor_matters(s.ground, b.hex):
        return ()
    best = best_tq(s, defenders_of(s, b.hex))
    return tuple(u for u in b.units if armor[u] and quality[u] > best and can_cross(s, u, b.hex))


def defending_armor(s: ArdennesState, b: Battle) -> Group:
    """The defenders that take a column from attackers without armour: infantry and armour together [21.1]."""
    known = s.units
    units = defenders_of(s, b.hex)
    if not armor_matters(s.ground, b.hex) or any(known.armor[u] for u in b.units):
        return ()
    infantry = any(known.mixed[u] or (known.mobility[u] != VEHICLE and not known.artillery[u]) for u in units)
    return tuple(u for u in units if known.armor[u]) if infantry else ()


# ---- 14.4, 14.5 Odds ------------------------------------------------------------------------------------------


def plain_column(attack: int, defence: int) -> int:
    """The column of the odds, rounded in favour of the defender, without the table's ends [14.4, 14.5]."""
    if attack >= defence:
        return attack // defence + 1
    return 3 - -(-defence // attack)


def odds(s: ArdennesState, b: Battle) -> Odds:
    """The odds of a combat with all its shifts."""
    attack = sum(attack_of(s, u, b.hex) for u in b.units)
    if s.rules & FACTOR_LIMIT:
        attack = min(attack, MOST_FACTORS)
    defence = sum(defence_of(s, u) for u in defenders_of(s, b.hex)) + bonus(s, b.hex)
    if b.side == GERMAN and shown_depot(s, b.hex):
        defence += DEPOT_DEFENCE
    plain = plain_column(max(attack, 1), max(defence, 1))
    shifts = tuple(_shifts(s, b))
    column = plain + sum(int(str(shift.args["n"])) for shift in shifts)
    return Odds(attack, defence, plain, shifts, max(-1, min(column, len(s.tables.columns) - 1)))


def odds_now(s: ArdennesState, b: Battle) -> Odds:
    """The odds of the combat that the decision at hand is about: found once for all faces of its die."""
    asked, known = ("odds", b), noted(s)
    if asked not in known:
        known[asked] = odds(s, b)
    found: Odds = known[asked]
    return found


def _shifts(s: ArdennesState, b: Battle) -> list[Refusal]:
    """Every column shift with its rule [15.9]."""
    shifts = []
    if shifting_armor(s, b):
        shifts.append(Refusal("21.1", "shift-armor", n=1))
    if b.guns:
        shifts.append(Refusal("22.7", "shift-guns", n=len(b.guns)))
    if any(s.order[u] for u in units_at(s, b.hex)):
        shifts.append(Refusal("18.3", "shift-disrupted", n=1))
    if has_advantage(s, b):
        shifts.append(Refusal("16.6", "shift-advantage", n=1))
    if b.air:
        shifts.append(Refusal("15.6.2", "shift-air", n=1))
    if b.surprise:
        shifts.append(Refusal("27.8.3", "shift-surprise", n=1))
    if defending_armor(s, b):
        shifts.append(Refusal("21.1", "shift-defending-armor", n=-1))
    if b.left:
        shifts.append(Refusal("22.8", "shift-defence", n=-b.left))
    return shifts


def has_advantage(s: ArdennesState, b: Battle) -> bool:
    """Whether an attacker holds the advantage against this hex [16.6]."""
    return any(
        target == b.hex and any(mask >> u & 1 and s.where[u] == origin for u in b.units)
        for origin, target, mask in s.advantage
    )


def result_of(tables: Tables, column: int, die: int) -> str:
    """The result of a die in a column [14.5, 16.1]."""
    return "A1" if column < 0 else tables.combat[column][die - 1]


def column_name(tables: Tables, column: int) -> str:
    """How a column is called, the ends of the table included."""
    if column < 0:
        return "<1-3"
    return tables.columns[min(column, len(tables.columns) - 1)]


# ---- 22.6 to 22.8 Artillery --------------------------------------------------------------------------------


def refuse_gun(s: ArdennesState, u: UnitId, b: Battle, attacking: bool) -> Refusal | None:
    """Why artillery cannot support a combat."""
    if not s.units.artillery[u] or s.units.side[u] != (b.side if attacking else 1 - b.side):
        return Refusal("22.6", "not-your-guns", unit=u)
    if (s.fired | s.tractor | s.march) >> u & 1 or s.order[u]:
        return Refusal("22.6", "guns-not-ready", unit=u)
    if not attacking and s.engaged >> u & 1:
        return Refusal("22.6", "guns-engaged", unit=u)
    if not _in_range(s, u, b, attacking):
        return Refusal("22.4", "out-of-range", unit=u, hex=b.hex)
    supported = b.units if attacking else units_at(s, b.hex)
    if s.turn == 1 and (refusal := _refuse_first_shots(s, u, supported, attacking)):
        return refusal
    if not any(s.units.colour[x] == s.units.colour[u] and not s.units.artillery[x] for x in supported):
        return Refusal("22.6", "other-colour", unit=u)
    return None


def _refuse_first_shots(s: ArdennesState, u: UnitId, supported: Group, attacking: bool) -> Refusal | None:
    """On turn 1 few Allied guns answer, and German guns support attackers of their own corps only [29.2]."""
    if s.units.side[u] == ALLIED and not attacking and s.units.ids[u] not in FIRING_ON_TURN_1:
        return Refusal("29.2.1", "silent-on-turn-1", unit=u)
    if s.units.side[u] == GERMAN and attacking and all(s.units.corps[x] != s.units.corps[u] for x in supported):
        return Refusal("29.2.2", "other-corps", unit=u)
    return None


def _in_range(s: ArdennesState, u: UnitId, b: Battle, attacking: bool) -> bool:
    ground = s.ground
    here = s.where[u]
    if here < ground.hexes:
        return here != b.hex and bool(within(ground, b.hex, s.units.range[u]) >> here & 1)
    blocks = {ground.places[s.where[x]] for x in b.units if s.where[x] >= ground.hexes} if attacking else set()
    return any(here in (ground.place[block], ground.place[ground.block_box[block]]) for block in blocks)


def guns_for(s: ArdennesState, b: Battle, attacking: bool) -> list[UnitId]:
    """The artillery that may support a combat, ascending."""
    side = b.side if attacking else 1 - b.side
    return [u for u in s.units.guns[side] if not s.fired >> u & 1 and refuse_gun(s, u, b, attacking) is None]
