"""The Deadly Woods: what makes a position good, for bots and for their reasons.

All features are counted for the Germans and turned over for the Allies. Their unit is about one step.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache

from salient.games.deadly_woods.combat import Attack, Battle, CombatRoll, Support, odds, result_of
from salient.games.deadly_woods.model import (
    ALLIED,
    BOARD,
    COUNT,
    FOREST,
    GERMAN,
    HEXES,
    ROUGH,
    SEATS,
    SETTLED,
    SIDE,
    SIDE_UNITS,
    STEPS,
    TOWN,
    TRACK,
    VALUES,
    VICTORY,
    WESTWALL,
    WOODS,
    WoodsState,
    occupied,
    units_at,
)
from salient.games.deadly_woods.rounds import MoveUnit
from salient.games.deadly_woods.stacking import refuse_stack
from salient.games.deadly_woods.supply import supplied_hexes
from salient.games.deadly_woods.victory import points_needed, turns_of
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
SHELTER = tuple(
    1.0 + 0.3 * bool((WOODS | FOREST | SETTLED) >> h & 1) + 0.3 * bool(ROUGH >> h & 1) for h in range(HEXES)
)
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
GROUND = 0.08  # what a hex of open ground is worth
OPENNESS = tuple(10.0 * (1 - d / FARTHEST) ** 2 for d in range(FARTHEST + 1))  # by distance of open ground
CIRCLES = tuple(
    tuple(mask_of(h for h in range(HEXES) if far[h] <= d) for d in range(FARTHEST + 1)) for far in _STEPS_TO
)
HELD, WON = 10.0, 1000.0
DIE = range(1, 7)
IN_WESTWALL = frozenset(bits(WESTWALL))
MOST_NEARER, MOST_BESIDE = 5, 4  # moves worth weighing: those that pull most, and those next to enemies


def _worth(u: int, lost: int) -> float:
    attack, defence = VALUES[u][lost][:2]
    worth = (attack + defence) * 0.12 + (STEPS[u] - lost) * 0.25
    return worth if SIDE[u] == GERMAN else -worth


WORTH = tuple(tuple(_worth(u, lost) for lost in range(STEPS[u])) for u in range(COUNT))  # by unit and steps lost
Strengths = dict[int, tuple[int, int]]  # by hex: attack, defence


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
    germans, allies = _strengths(s, GERMAN), _strengths(s, ALLIED)
    return {
        "victory-hexes": _victory_hexes(s, supplied),
        "approach": _approach(s, germans, allies),
        "breakthrough": _breakthrough(s, supplied),
        "strength": _strength(s),
        "supply": _supply(s, supplied),
        "stacking": _stacking(s),
        "threats": 0.15 * (_threats(s, GERMAN, germans, allies) - _threats(s, ALLIED, allies, germans)),
    }


def _strengths(s: WoodsState, side: int) -> Strengths:
    found: Strengths = {}
    where, lost = s.where, s.lost
    for u in SIDE_UNITS[side]:
        h = where[u]
        if h < HEXES:
            values = VALUES[u][lost[u]]
            if h in found:
                attack, defence = found[h]
                found[h] = (attack + values[0], defence + values[1])
            else:
                found[h] = (values[0], values[1])
    if side == GERMAN:
        for h in found.keys() & IN_WESTWALL:
            found[h] = (found[h][0], 2 * found[h][1])
    return found


def _victory_hexes(s: WoodsState, supplied: int) -> float:
    """Points, dearer towards the end and near the number that decides."""
    held = s.german_held & VICTORY
    count = (held & supplied).bit_count()
    urgency = 0.7 + s.turn / turns_of(s)
    decisive = 6.0 if count >= points_needed(s) else 0.0
    return urgency * (HELD * count + 4.0 * (held & ~supplied).bit_count() + decisive)


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
            total += 6.0 * (attack + 3.0) / (attack + back + 6.0)
        else:
            total += 6.0 * attack / (attack + defence + 8.0)
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
    """The ground that lies open to supplied Germans, and how near to each victory hex."""
    ground = _open_ground(occupied(s, GERMAN) & supplied, occupied(s, ALLIED), zone(s, ALLIED))
    return GROUND * ground.bit_count() + sum(
        OPENNESS[bisect_left(circles, True, key=lambda circle: bool(circle & ground), hi=FARTHEST)]
        for circles in CIRCLES
    )


def _strength(s: WoodsState) -> float:
    """What both sides have left, on the map and to come."""
    total = 0.0
    for worth, lost, place in zip(WORTH, s.lost, s.where, strict=True):
        if place < HEXES:
            total += worth[lost]
        elif place == TRACK:
            total += 0.8 * worth[lost]
    return total


def _supply(s: WoodsState, supplied: int) -> float:
    """Hexes with units that cannot trace supply."""
    germans = (occupied(s, GERMAN) & ~supplied).bit_count() + 0.5 * s.oos.bit_count()
    allies = (occupied(s, ALLIED) & ~supplied_hexes(s, ALLIED)).bit_count()
    return 1.5 * (allies - germans)


@lru_cache(maxsize=1 << 14)
def _too_many(units: tuple[int, ...]) -> float:
    """What a hex with too many units will cost its owner at the end of the round [6.2]."""
    if refuse_stack(units) is None:
        return 0.0
    cheapest = min(units, key=lambda u: abs(WORTH[u][0]))
    loss = 1.0 + abs(WORTH[cheapest][0]) + abs(_too_many(tuple(u for u in units if u != cheapest)))
    return loss if SIDE[units[0]] == ALLIED else -loss


def _stacking(s: WoodsState) -> float:
    """Units that will have to be given up because their hex holds too many."""
    occupied(s, GERMAN)
    stacks = s.stacks or {}
    return sum(_too_many(units) for units in stacks.values() if len(units) > 1)


def _threats(s: WoodsState, side: int, attackers: Strengths, defenders: Strengths) -> float:
    """What the attackers could do to the hexes next to them."""
    pressure: dict[int, int] = {}
    for h in bits(occupied(s, side) & next_to(occupied(s, 1 - side))):
        attack = attackers[h][0]
        for near in BOARD.adjacent[h]:
            if near in defenders:
                pressure[near] = pressure.get(near, 0) + attack
    return sum(min(4.0, attack / (defenders[h][1] * SHELTER[h] + 1)) for h, attack in pressure.items())


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


def _weights(s: WoodsState, side: int) -> list[float]:
    """By victory hex: how much more strength of a side near it changes what the judge calls approach."""
    germans, allies = _strengths(s, GERMAN), _strengths(s, ALLIED)
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
