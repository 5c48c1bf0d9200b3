"""The Deadly Woods: what makes a position good, for bots and for their reasons.

All features are counted for the Germans and turned over for the Allies. Their unit is about one step.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from itertools import pairwise

from salient.games.deadly_woods.chits import FirstChit
from salient.games.deadly_woods.combat import INTEGRITY, Attack, Battle, CombatRoll, Support, odds, result_of
from salient.games.deadly_woods.model import (
    ALL_GERMAN,
    ALLIED,
    ALLIED_MC,
    ALLIED_REINFORCEMENTS,
    ASSET_STRENGTH,
    BOARD,
    COUNT,
    DIVISION_UNITS,
    ELIMINATED,
    FOREST,
    FORMATION_CHIT,
    GERMAN,
    GERMAN_MC,
    GERMAN_REINFORCEMENTS,
    GERMAN_START,
    HEXES,
    ONE_ARMY,
    PATTON_MONTY,
    PZ5,
    PZ6,
    REACTION,
    RIVER_TOUCHING,
    ROUGH,
    SEATS,
    SIDE,
    STEPS,
    TABLE,
    TOWN,
    TRACK,
    VALUES,
    VDH,
    VICTORY,
    VILLAGE,
    WESTWALL,
    WITHIN,
    WOODS,
    WoodsState,
    occupied,
    units_at,
)
from salient.games.deadly_woods.rounds import MoveUnit
from salient.games.deadly_woods.stacking import refuse_stack
from salient.games.deadly_woods.supply import supplied_hexes
from salient.games.deadly_woods.victory import points_needed
from salient.games.deadly_woods.zones import next_to, zone
from salient.hexes.masks import bits, mask_of
from salient.hexes.reach import distances
from salient.kernel import Action, Seat, legal

TARGETS = tuple(bits(VICTORY))
RANGE, GUARD_RANGE = 14, 6  # hexes from which troops threaten a victory hex, and from which they guard it
_STEPS_TO = tuple(tuple(distances([t], BOARD.adjacent)) for t in TARGETS)


def _pulls(reach: int) -> tuple[tuple[tuple[int, float], ...], ...]:
    """By hex: the victory hexes within a distance, each with its pull, the nearer the more."""
    return tuple(
        tuple((i, (1 - far[h] / reach) ** 2) for i, far in enumerate(_STEPS_TO) if far[h] < reach) for h in range(HEXES)
    )


PULL, GUARD_PULL = _pulls(RANGE), _pulls(GUARD_RANGE)
# The same by hex as one number, a field for each victory hex, so that strength is added for all of them at once.
FIELD_BITS = 24
FIELD = (1 << FIELD_BITS) - 1
SCALE = 256
PACKED, GUARD_PACKED = (
    tuple(sum(int(SCALE * pull) << FIELD_BITS * i for i, pull in pulls[h]) for h in range(HEXES))
    for pulls in (PULL, GUARD_PULL)
)
FREE_STEPS = 5  # hexes beyond its units that lie open to a side
FARTHEST = 24
COHESION = 0.3  # what it costs a unit to stand alone
DIVISIONS = tuple(
    (1 if SIDE[units[0]] == ALLIED else -1, units[0], units[-1] + 1) for units in DIVISION_UNITS.values()
)  # sign, first unit, end: the counters of a division follow one another
SETTLEMENT = 0.4  # what a village or town that has been taken is worth
GROUND = 0.05  # what a hex of open ground is worth
ENTERABLE = 2.0  # what a victory hex is worth that the enemy could walk into
OPENNESS = tuple(4.0 * (1 - d / FARTHEST) ** 2 + ENTERABLE * (d == 0) for d in range(FARTHEST + 1))  # by distance
CIRCLES = tuple(
    tuple(mask_of(h for h in range(HEXES) if far[h] <= d) for d in range(FARTHEST + 1)) for far in _STEPS_TO
)
HELD, GARRISON, WON = 12.0, 2.5, 1000.0
DIE = range(1, 7)
IN_WESTWALL = frozenset(bits(WESTWALL))
FIRST_CHITS = (
    ALL_GERMAN, ONE_ARMY, PZ5, PZ6, GERMAN_MC, FORMATION_CHIT, GERMAN_REINFORCEMENTS,
    ALLIED_MC, PATTON_MONTY, ALLIED_REINFORCEMENTS, REACTION,
)  # the best first  # fmt: skip
MOST_NEARER, MOST_BESIDE = 4, 5  # moves worth weighing: those that pull most, and those next to enemies


def _worth(u: int, lost: int) -> float:
    attack, defence = VALUES[u][lost][:2]
    return (attack + defence) * 0.12 + (STEPS[u] - lost) * 0.25


WORTH = tuple(tuple(_worth(u, lost) for lost in range(STEPS[u])) for u in range(COUNT))  # by unit and steps lost
FORCE = tuple(
    tuple((*values[:2], worth[0] - left) for values, left in zip(VALUES[u], worth, strict=True))
    for u, worth in enumerate(WORTH)
)  # by unit and steps lost: attack, defence, what is lost
Strengths = dict[int, tuple[int, int]]  # by hex: attack, defence
ABSENT = 0.3  # what a unit that waits to come in costs its side
GERMAN_STEP = 0.7  # German steps are many and their time is short

# ---- what odds promise: units massed against a hex are worth more than the sum of them ---------------------

TYPICAL = {"AL1": -0.5, "BL1": 0.1, "DR": 0.5, "DR*": 1.3}  # to the attacker
FINENESS = 10  # parts of a column
COVER = tuple(
    bool((WOODS | FOREST | TOWN) >> h & 1) + bool(ROUGH >> h & 1) for h in range(HEXES)
)  # columns that the ground takes from an attack
EXTRA = tuple(2 + bool(VILLAGE >> h & 1) for h in range(HEXES))  # defence of the village, and of some guns
STAKES = tuple(1.0 + 1.0 * max((1 - far[h] / 4 for far in _STEPS_TO if far[h] < 4), default=0.0) for h in range(HEXES))


def _promises() -> tuple[float, ...]:
    """What an attack promises by the place on the table in parts of a column; never less than to let it be."""
    columns = [0.0, *(max(0.0, sum(TYPICAL[result] for result in faces) / len(faces)) for faces in TABLE)]
    fine = [left + (right - left) * i / FINENESS for left, right in pairwise(columns) for i in range(FINENESS)]
    return (*fine, columns[-1])


PROMISE = _promises()  # begins one column left of the table


def _place(attack: int, defence: int) -> int:
    """Where odds lie on the table, in parts of a column from one column left of it."""
    ratio = attack / defence
    column = min(ratio + 1, 7.0) if ratio >= 1 else 2 * ratio if ratio >= 0.5 else 6 * ratio - 2
    return int(FINENESS * (column + 1))


@lru_cache(maxsize=1 << 12)
def _promise(attack: int, defence: int, shifts: int) -> float:
    """What massed strength promises against a defence."""
    place = _place(attack, defence) - FINENESS * shifts
    return PROMISE[max(0, min(place, len(PROMISE) - 1))]


def features(s: WoodsState, seat: Seat) -> dict[str, float]:
    """Named and weighted reasons, positive when good for `seat`."""
    german = _german_features(s)
    return german if seat == SEATS[GERMAN] else {name: -value for name, value in german.items()}


def _german_features(s: WoodsState) -> dict[str, float]:
    if s.winner:
        return {"victory": WON if s.winner == SEATS[GERMAN] else -WON}
    key = (s.german_held, s.blown, s.oos, s.turn, s.withdrawal)
    if s.judged is None or s.judged[0] != key:
        s.judged = key, _board_features(s)
    return {**s.judged[1], "readiness": _readiness(s), "attack-under-way": _pending(s)}


def _board_features(s: WoodsState) -> dict[str, float]:
    """The features that depend on pieces, control and bridges alone."""
    supplied = supplied_hexes(s, GERMAN)
    allies, germans, losses, absent = _survey(s)
    return {
        "victory-hexes": _victory_hexes(s, supplied),
        "ground": SETTLEMENT * (s.german_held & ~GERMAN_START).bit_count(),
        "approach": _approach(s, germans, allies),
        "breakthrough": _breakthrough(s, supplied),
        "strength": _strength(s, losses, absent),
        "supply": _supply(s, supplied),
        "stacking": _stacking(s),
        "cohesion": _cohesion(s),
        "threats": 0.5 * _threats(s, GERMAN, germans, allies) - 0.3 * _threats(s, ALLIED, allies, germans),
    }


def _survey(s: WoodsState) -> tuple[Strengths, Strengths, list[float], int]:
    """The strengths by hex of both sides, what each has lost, and how many more Allies than Germans are to come."""
    sides: tuple[Strengths, Strengths] = ({}, {})
    losses, absent = [0.0, 0.0], [0, 0]
    for side, force, worth, lost, h in zip(SIDE, FORCE, WORTH, s.lost, s.where, strict=True):
        if h < HEXES:
            attack, defence, loss = force[lost]
            found = sides[side]
            if h in found:
                more = found[h]
                found[h] = (attack + more[0], defence + more[1])
            else:
                found[h] = (attack, defence)
            losses[side] += loss
        elif h == TRACK:
            absent[side] += 1
        elif h == ELIMINATED:
            losses[side] += worth[0]
    allies, germans = sides
    for h in germans.keys() & IN_WESTWALL:
        germans[h] = (germans[h][0], 2 * germans[h][1])
    return allies, germans, losses, absent[ALLIED] - absent[GERMAN]


def _strength(s: WoodsState, losses: list[float], absent: int) -> float:
    """Losses of both sides and units to come: at first the Allies are few, and every step of theirs holds the line."""
    allied_step = max(0.8, 1.7 - 0.15 * s.turn)
    return allied_step * losses[ALLIED] - GERMAN_STEP * losses[GERMAN] + ABSENT * absent


def _victory_hexes(s: WoodsState, supplied: int) -> float:
    """Points, garrisons, and more for the number that decides."""
    held = s.german_held & VICTORY
    count = (held & supplied).bit_count()
    decisive = 6.0 if count >= points_needed(s) else 0.0
    garrisons = (held & occupied(s, GERMAN)).bit_count()
    return HELD * count + 0.4 * HELD * (held & ~supplied).bit_count() + GARRISON * garrisons + decisive


def _around(strengths: Strengths, index: int, pulls: tuple[int, ...]) -> list[float]:
    """The strength in attack (0) or defence (1) around each victory hex, the nearer the more."""
    packed = 0
    for h, strength in strengths.items():
        packed += strength[index] * pulls[h]
    return [(packed >> FIELD_BITS * i & FIELD) / SCALE for i in range(len(TARGETS))]


def _shares(germans: Strengths, allies: Strengths) -> tuple[list[float], list[float], list[float]]:
    """By victory hex: German troops that threaten it, Allied troops that guard it, and those that could come back."""
    return _around(germans, 0, PACKED), _around(allies, 1, GUARD_PACKED), _around(allies, 0, PACKED)


def _approach(s: WoodsState, germans: Strengths, allies: Strengths) -> float:
    """For each victory hex the German share of the strength around it."""
    attacks, defences, returns = _shares(germans, allies)
    total = 0.0
    for target, attack, defence, back in zip(TARGETS, attacks, defences, returns, strict=True):
        if s.german_held >> target & 1:
            total += 8.0 * (attack + 3.0) / (attack + back + 6.0)
        else:
            total += 8.0 * attack / (attack + defence + 8.0)
    return total


@lru_cache(maxsize=1 << 13)
def _open_ground(units: int, enemies: int, zone: int) -> int:
    """The hexes that units reach in a few steps without a fight, as bits."""
    reached = frontier = units
    for _ in range(FREE_STEPS):
        frontier = next_to(frontier & ~zone) & ~enemies & ~reached
        reached |= frontier
    return reached


def _breakthrough(s: WoodsState, supplied: int) -> float:
    """The ground that lies open to supplied Germans, how near to victory hexes, and what they hold open to Allies."""
    germans, allies = occupied(s, GERMAN), occupied(s, ALLIED)
    ground = _open_ground(germans & supplied & ~(1 << s.where[VDH]), allies, zone(s, ALLIED))
    total = GROUND * ground.bit_count() + sum(
        OPENNESS[bisect_left(circles, True, key=lambda circle: bool(circle & ground), hi=FARTHEST)]
        for circles in CIRCLES
    )
    held = s.german_held & VICTORY
    if held:
        total -= ENTERABLE * (held & _open_ground(allies, germans, zone(s, GERMAN))).bit_count()
    return total


def _supply(s: WoodsState, supplied: int) -> float:
    """Hexes with units that cannot trace supply; an enemy cut off is good only as long as he can be destroyed."""
    germans = (occupied(s, GERMAN) & ~supplied).bit_count() + 0.3 * s.oos.bit_count()
    allies = (occupied(s, ALLIED) & ~supplied_hexes(s, ALLIED)).bit_count()
    return 0.5 * allies - 1.2 * germans


@lru_cache(maxsize=1 << 14)
def _too_many(units: tuple[int, ...]) -> float:
    """What a hex with too many units will cost its owner at the end of the round [6.2]."""
    if refuse_stack(units) is None:
        return 0.0
    cheapest = min(units, key=lambda u: WORTH[u][0])
    loss = 1.0 + WORTH[cheapest][0] + abs(_too_many(tuple(u for u in units if u != cheapest)))
    return loss if SIDE[units[0]] == ALLIED else -loss


def _stacking(s: WoodsState) -> float:
    """Units that will have to be given up because their hex holds too many."""
    occupied(s, GERMAN)
    stacks = s.stacks or {}
    return sum(_too_many(units) for units in stacks.values() if len(units) > 1)


@lru_cache(maxsize=1 << 14)
def _alone(places: tuple[int, ...]) -> int:
    """How many units of a division, by their places, stand too far from all its others [11.2.1]."""
    hexes = [h for h in places if h < HEXES]
    spots = sum(1 << h for h in set(hexes))
    return sum(hexes.count(h) == 1 and not WITHIN[h][INTEGRITY] & spots & ~(1 << h) for h in hexes)


def _cohesion(s: WoodsState) -> float:
    """Allied units that stand alone, less German ones."""
    return COHESION * sum(sign * _alone(tuple(s.where[first:end])) for sign, first, end in DIVISIONS)


def _threats(s: WoodsState, side: int, attackers: Strengths, defenders: Strengths) -> float:
    """What the attackers could do to the hexes next to them: more than double with double odds."""
    pressure: dict[int, int] = {}
    dry = 0
    for h in bits(occupied(s, side) & next_to(occupied(s, 1 - side))):
        attack, rivers = attackers[h][0], RIVER_TOUCHING[h]
        for near in BOARD.adjacent[h]:
            if near in defenders:
                pressure[near] = pressure.get(near, 0) + attack
                if not rivers >> near & 1:
                    dry |= 1 << near
    return sum(
        STAKES[h] * _promise(attack, defenders[h][1] + EXTRA[h], COVER[h] + (not dry >> h & 1))
        for h, attack in pressure.items()
    )


# ---- attacks under way ------------------------------------------------------------------------------------


def _pending(s: WoodsState) -> float:
    """What a declared combat promises the Germans, by exact odds."""
    frame = s.stack[-1]
    if isinstance(frame, Attack):
        battle = Battle(frame.side, frame.hex, frame.joined or frame.ready)
    elif isinstance(frame, Support):
        battle = frame.battle
    elif isinstance(frame, CombatRoll):
        battle = Battle(frame.side, frame.hex, frame.units, frame.guns, frame.doubled, frame.answer)
    else:
        return 0.0
    column = odds(s, battle).column
    results = [result_of(s, battle, column, die) for die in DIE]
    values = _results(s, battle)
    promise = sum(values[result] for result in results) / len(results)
    return promise if battle.side == GERMAN else -promise


def _results(s: WoodsState, b: Battle) -> dict[str, float]:
    """By result: what it is worth to the attacker."""
    defenders = units_at(s, b.hex)
    pain, harm = min(_step(s, u) for u in b.units), min(_step(s, u) for u in defenders)
    changes_hands = VICTORY >> b.hex & 1 and bool(s.german_held >> b.hex & 1) != (b.side == GERMAN)
    ground = 1.0 + 0.2 * len(defenders) + (HELD if changes_hands else 0.0)
    return {"AL1": -pain, "BL1": harm - pain, "DR": ground, "DR*": ground + harm}


def _step(s: WoodsState, u: int) -> float:
    """What the loss of its next step costs the owner of a unit."""
    lost = s.lost[u]
    return abs(WORTH[u][lost] - (WORTH[u][lost + 1] if lost + 1 < STEPS[u] else 0.0))


# ---- what is worth weighing ----------------------------------------------------------------------------


def candidates(s: WoodsState) -> list[Action]:
    """The legal actions; of a unit's moves only those towards the goals, beside enemies, and onto what can be taken."""
    actions = legal(s)
    frame = s.stack[-1]
    if isinstance(frame, FirstChit):
        return _first_chits(actions)
    if isinstance(frame, Support):
        return _best_guns(s, frame, actions)
    if not isinstance(frame, MoveUnit) or len(actions) <= MOST_NEARER + MOST_BESIDE:
        return actions
    side = frame.side
    weights = _weights(s, side)
    pull = {h: sum(weights[i] * share for i, share in PULL[h]) for h in {int(a[-1]) for a in actions if len(a) > 1}}
    moves = sorted((a for a in actions if len(a) > 1), key=lambda a: -pull[int(a[-1])])
    beside = next_to(occupied(s, 1 - side))
    taken = (VICTORY | TOWN) & (~s.german_held if side == GERMAN else s.german_held)
    chosen = set(moves[:MOST_NEARER])
    chosen.update([a for a in moves if beside >> int(a[-1]) & 1][:MOST_BESIDE])
    chosen.update(a for a in moves if a[0] == "move" and taken >> int(a[-1]) & 1)
    chosen.add(("pass",))
    return [a for a in actions if a in chosen]


def _first_chits(actions: list[Action]) -> list[Action]:
    """The chit that lets most units move and fight: no look ahead sees a whole round."""
    best = min(FIRST_CHITS.index(int(action[1])) for action in actions)
    return [action for action in actions if FIRST_CHITS.index(int(action[1])) == best]


def _best_guns(s: WoodsState, frame: Support, actions: list[Action]) -> list[Action]:
    """The use of guns that changes the odds most, the least guns that do so; or none."""
    sign = 1 if frame.attacking else -1

    def effect(action: Action) -> tuple[int, bool, int]:
        a, b = int(action[1]), frame.battle
        if frame.attacking:
            b = b._replace(guns=(*b.guns, a), doubled=a if action[0] == "double" else b.doubled)
        else:
            b = b._replace(answer=(*b.answer, a))
        return sign * odds(s, b).column, action[0] == "support", -ASSET_STRENGTH[a]

    return [max(actions[:-1], key=effect), actions[-1]]


def _weights(s: WoodsState, side: int) -> list[float]:
    """By victory hex: how much more strength of a side near it changes what the judge calls approach."""
    allies, germans, *_ = _survey(s)
    attacks, defences, returns = _shares(germans, allies)
    weights = []
    for target, attack, defence, back in zip(TARGETS, attacks, defences, returns, strict=True):
        if s.german_held >> target & 1:
            weights.append((back + 3.0 if side == GERMAN else attack + 3.0) / (attack + back + 6.0) ** 2)
        else:
            weights.append((defence + 8.0 if side == GERMAN else attack) / (attack + defence + 8.0) ** 2)
    return weights


def _readiness(s: WoodsState) -> float:
    """A unit that has been selected to move, and those that still may, are worth a little to their side."""
    frame = s.stack[-1]
    selected = isinstance(frame, MoveUnit)
    waiting = s.active & ~s.done
    if not waiting and not selected:
        return 0.0
    german = frame.side == GERMAN if isinstance(frame, MoveUnit) else SIDE[waiting.bit_length() - 1] == GERMAN
    worth = 0.002 * waiting.bit_count() + (0.01 if selected else 0.0)
    return worth if german else -worth
