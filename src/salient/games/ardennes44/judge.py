"""Ardennes '44: what makes a position good, for bots and for their reasons.

All features are counted for the Germans and turned over for the Allies. Their unit is about one step.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import accumulate

from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.stacks import occupied, units_at
from salient.games.ardennes44.advances import Advance
from salient.games.ardennes44.bridges import SendCommando
from salient.games.ardennes44.combat import Attack, Fight
from salient.games.ardennes44.components import Data, Ground, around
from salient.games.ardennes44.footing import footing, open_ground
from salient.games.ardennes44.model import TRAFFIC_MARKERS, ArdennesState, east_only, turns_of
from salient.games.ardennes44.move_unit import MoveUnit
from salient.games.ardennes44.movement_phase import Movement, Select
from salient.games.ardennes44.retreats import Retreat
from salient.games.ardennes44.strengths import Battle, odds_now, result_of
from salient.games.ardennes44.support import CombatRoll, Support
from salient.games.ardennes44.survey import (
    HELD,
    THOUSANDTH,
    UNIT,
    WESTERN,
    Aims,
    Massed,
    Survey,
    aims,
    survey,
    unpacked,
)
from salient.games.ardennes44.traffic import PlaceTraffic
from salient.games.ardennes44.victory import POINTS_NEEDED, exited_factors
from salient.games.ardennes44.zones import next_to, zone
from salient.hexes.masks import bits, mask_of
from salient.hexes.reach import distances
from salient.hexes.sets import HexSet, UnitId
from salient.kernel import Action, Seat, engine
from salient.kernel.judge import Judge

UNFED = 0.25  # of that without supply
DECISIVE = 5.0  # the points that decide a short scenario
STEP = 0.125  # a factor on the map
DISORDER, ENGAGED = 0.5, 0.2
GERMAN_THREAT, ALLIED_THREAT, DANGER = 0.5, 0.3, 0.3
MARKER, NIGHT = 0.2, 0.002
EXITED = 0.6  # a factor on its way to Antwerp
MOST_NEARER, MOST_BESIDE, MOST_ADVANCES, MOST_RETREATS, MOST_GUN_MOVES, MOST_PLUGS = 4, 5, 2, 3, 3, 3
PRESSED = 700  # thousandths of what the enemy could do, from which troops give way
LAST_ATTACKS = 12  # until then Germans attack rather than dig
DIE = range(1, 7)


def _german_features(s: ArdennesState) -> dict[str, float]:
    if s.winner:
        return {"victory": 1.0 if s.winner == SEATS[GERMAN] else -1.0 if s.winner == SEATS[ALLIED] else 0.0}
    found = survey(s)
    key = (s.held, s.blown, s.digging, s.turn, s.exits, tuple(s.blocks))
    if s.judged is None or s.judged[0] is not found or s.judged[1] != key:
        s.judged = found, key, _board_features(s, found)
    return {
        **s.judged[2],
        "order": _order(s, found),
        "massing": _massing(s, found),
        "markers": _markers(s),
        "readiness": _readiness(s),
    }


def _board_features(s: ArdennesState, found: Survey) -> dict[str, float]:
    """The features that depend on pieces, control, works and bridges alone."""
    stands = footing(s)
    germans, allies = occupied(s, GERMAN), occupied(s, ALLIED)
    return {
        "objectives": _objectives(s, stands.supplied),
        "approach": _approach(aims(s.data), found.massed, _contested_now(s)),
        "breakthrough": stands.breakthrough,
        "strength": STEP * (found.strength[GERMAN] - found.strength[ALLIED]),
        "cut-off": stands.cut_off,
        "cohesion": stands.cohesion,
        "guns": _guns(s.data, found, germans, allies),
        "positions": _works(s, germans) - _works(s, allies),
        "bridges": -float(s.blown.bit_count()),
    }


# ---- the board ----------------------------------------------------------------------------------------


def _objectives(s: ArdennesState, supplied: int) -> float:
    """Victory hexes in German hands, those in supply in full, the number that decides, factors gone to Antwerp."""
    held, west = s.held & s.ground.victory, s.ground.west_map
    fed = held & supplied
    total = 0.0
    for mask, share in ((fed, 1.0), (held & ~fed, UNFED)):
        total += share * (HELD * (mask & ~west).bit_count() + WESTERN * (mask & west).bit_count())
    if s.scenario in POINTS_NEEDED:
        missing = POINTS_NEEDED[s.scenario] - (fed & ~west).bit_count()
        late = s.turn / turns_of(s)
        total += late * (DECISIVE if missing <= 0 else 0.5 * DECISIVE / (1 + missing))
    return total + EXITED * exited_factors(s) if s.exits else total


def targets_of(s: ArdennesState) -> tuple[int, ...]:
    """The victory hexes that count in the scenario, by their place among the targets."""
    return aims(s.data).eastern if east_only(s) else aims(s.data).every


Contested = tuple[tuple[int, float, bool], ...]


@lru_cache(maxsize=1 << 6)
def _contested(known: Aims, held: int, targets: tuple[int, ...]) -> Contested:
    """Victory hexes, each with its weight and whether Germans hold it."""
    return tuple((i, known.weight[i], bool(held >> known.targets[i] & 1)) for i in targets)


def _contested_now(s: ArdennesState) -> Contested:
    return _contested(aims(s.data), s.held & s.ground.victory, targets_of(s))


KEPT, EVEN, FORTIFIED = 3 * UNIT, 6 * UNIT, 8 * UNIT  # strength that a victory hex is taken to have of itself


@lru_cache(maxsize=1 << 12)
def _approach(known: Aims, massed: Massed, contested: Contested) -> float:
    """For each victory hex the German share of the strength around it."""
    attacks, guards, returns, holds = [unpacked(sums, known.count) for sums in massed]
    total = 0.0
    for i, weight, german in contested:
        if german:
            total += weight * ((hold := holds[i]) + KEPT) / (hold + returns[i] + EVEN)
        else:
            total += weight * (attack := attacks[i]) / (attack + guards[i] + FORTIFIED)
    return total


def _slopes(known: Aims, massed: Massed, contested: Contested, side: int) -> list[float]:
    """By victory hex: how much more strength of a side near it changes the approach."""
    attacks, guards, returns, holds = [unpacked(sums, known.count) for sums in massed]
    slopes = [0.0] * known.count
    for i, weight, german in contested:
        if german:
            back, hold = returns[i] / UNIT, holds[i] / UNIT
            slopes[i] = weight * (back + 3.0 if side == GERMAN else hold + 3.0) / (hold + back + 6.0) ** 2
        else:
            attack, guard = attacks[i] / UNIT, guards[i] / UNIT
            slopes[i] = weight * (guard + 8.0 if side == GERMAN else attack) / (attack + guard + 8.0) ** 2
    return slopes


Draws = tuple[tuple[int, float], ...]  # victory hexes, each with its pull


@lru_cache(maxsize=1 << 13)
def _drawn(known: Aims, h: int, wanted: int) -> tuple[Draws, Draws]:
    """Which victory hexes draw troops to a hex, each with its pull: those to be taken, and those to be kept."""
    taken = tuple((i, pull) for i, pull in known.far_pulls[h] if wanted >> known.targets[i] & 1)
    kept = tuple((i, pull) for i, pull in known.near_pulls[h] if not wanted >> known.targets[i] & 1)
    return taken, kept


class Pull(dict[int, float]):
    """By hex, looked at when first asked for: how strongly the victory hexes draw a side's troops there."""

    def __init__(self, known: Aims, slopes: list[float], wanted: HexSet) -> None:
        self.known, self.slopes, self.wanted = known, slopes, wanted

    def __missing__(self, h: int) -> float:
        slopes = self.slopes
        taken, kept = _drawn(self.known, h, self.wanted)
        pull = sum([slopes[i] * share for i, share in taken]) + sum([slopes[i] * share for i, share in kept])
        self[h] = pull
        return pull


@lru_cache(maxsize=1 << 6)
def _pull_of(known: Aims, massed: Massed, contested: Contested, side: int, wanted: HexSet) -> Pull:
    return Pull(known, _slopes(known, massed, contested, side), wanted)


def _pull(s: ArdennesState, side: int) -> Pull:
    """How strongly the victory hexes draw a side's troops, the same for all units that are weighed in a position."""
    return _pull_of(aims(s.data), survey(s).massed, _contested_now(s), side, _wanted(s, side))


def _order(s: ArdennesState, found: Survey) -> float:
    """Disrupted, routed and engaged units are a burden."""
    engaged = (s.engaged & s.units.side_mask[ALLIED]).bit_count() - (s.engaged & s.units.side_mask[GERMAN]).bit_count()
    return DISORDER * (found.disorder[ALLIED] - found.disorder[GERMAN]) + ENGAGED * engaged


def _massing(s: ArdennesState, found: Survey) -> float:
    """What the side whose turn it is could do to the enemies it touches, while it moves, less what they could do."""
    moving = Movement in map(type, s.stack)
    germans, allies = THOUSANDTH * found.menace[GERMAN], THOUSANDTH * found.menace[ALLIED]
    if s.player == GERMAN:
        return (GERMAN_THREAT * germans if moving else 0.0) - DANGER * allies
    return DANGER * germans - (ALLIED_THREAT * allies if moving else 0.0)


def _guns(data: Data, found: Survey, germans: HexSet, allies: HexSet) -> float:
    """Guns within range of the front, out of reach of the enemy's infantry."""
    front = next_to(data.ground, germans) & allies, next_to(data.ground, allies) & germans
    return _posted(data, GERMAN, found.posts[GERMAN], front[0]) - _posted(data, ALLIED, found.posts[ALLIED], front[1])


@lru_cache(maxsize=1 << 12)
def _posted(data: Data, side: int, places: tuple[int, ...], front: int) -> float:
    reach = min((data.units.range[u] for u in data.units.guns[side]), default=0) if side == GERMAN else 5
    near = around(data.ground, front, reach)
    behind = around(data.ground, near, 3)
    afar = around(data.ground, behind, 4)
    total = 0.0
    for h in places:
        if near & data.ground.bit[h]:
            total += 1.0 - 0.5 * bool(data.ground.touching[h] & front)
        elif behind & data.ground.bit[h]:
            total += 0.6
        elif afar & data.ground.bit[h]:
            total += 0.3
    return total


def _works(s: ArdennesState, units: HexSet) -> float:
    """Improved positions with troops in them, those begun by half."""
    return (s.ip & units).bit_count() + 0.5 * (s.digging & units).bit_count()


def _markers(s: ArdennesState) -> float:
    """Traffic and roadblocks on the map, and units kept for the night."""
    german = sum([h >= 0 for h in s.traffic[TRAFFIC_MARKERS:] + s.blocks[2:]])
    allied = sum([h >= 0 for h in s.traffic[:TRAFFIC_MARKERS] + s.blocks[:2]])
    awake = s.night_marks & ~s.units.artillery_mask
    night = (awake & s.units.side_mask[GERMAN]).bit_count() - (awake & s.units.side_mask[ALLIED]).bit_count()
    march = (s.march & s.units.side_mask[ALLIED]).bit_count() - (s.march & s.units.side_mask[GERMAN]).bit_count()
    return MARKER * (german - allied) + NIGHT * (night + march)


# ---- attacks under way ------------------------------------------------------------------------------------


def pending(s: ArdennesState, seat: Seat) -> float:
    """What a declared combat promises to `seat`, by the odds of the combat table."""
    frame = s.stack[-1]
    if isinstance(frame, Attack):
        battle = Battle(frame.side, frame.hex, frame.joined or frame.pool)
    elif isinstance(frame, (Support, CombatRoll)):
        battle = frame.battle
    else:
        return 0.0
    column = odds_now(s, battle).column
    worth = _results(s, battle)
    promise = sum(worth[result_of(s.tables, column, die)] for die in DIE) / len(DIE)
    return promise if SEATS[battle.side] == seat else -promise


def _results(s: ArdennesState, b: Battle) -> dict[str, float]:
    """By result: what it is worth to the attacker."""
    defenders = units_at(s, b.hex)
    pain = min(_step(s, u) for u in b.units)
    harm = min((_step(s, u) for u in defenders), default=1.0)
    takes = s.ground.objectives >> b.hex & 1 and bool(s.held >> b.hex & 1) != (b.side == GERMAN)
    ground = 0.5 + 0.4 * len(defenders) + (HELD * 0.5 if takes else 0.0)
    push = (4 * ground + 2 * harm - 3 * pain + 0.6) / 6
    return {
        "DS": ground + harm + 1.2, "DR4": ground + 0.9, "DR3": ground + 0.6, "DR2": 0.8 * ground,
        "FF": max(0.3, push), "FF+1": max(0.3, push - 0.2), "EX": harm - pain + 0.2, "ENG": 0.2,
        "A1/ENG": 0.2 - pain, "A1": -pain,
    }  # fmt: skip


def _step(s: ArdennesState, u: UnitId) -> float:
    """What the loss of its next step costs the owner of a unit."""
    factors, lost = aims(s.data).factors[u], s.lost[u]
    after = factors[lost + 1] if s.units.steps[u] > lost + 1 else 0
    return max(0.2, STEP * (factors[lost] - after))


# ---- what is worth weighing ----------------------------------------------------------------------------


def candidates(s: ArdennesState) -> list[Action]:
    """The actions that matter: of a unit's moves those to the goals, the front, the gaps and what can be taken."""
    actions = engine.candidates(s)
    frame = s.stack[-1]
    if isinstance(frame, PlaceTraffic):
        return _best_traffic(s, frame, actions)
    if isinstance(frame, Advance):
        return _best_advances(s, frame.side, actions)
    if isinstance(frame, Retreat):
        return _homeward(s.ground, frame.side, actions)[:MOST_RETREATS]
    if not isinstance(frame, SendCommando):  # the commando waits for the fuses, units stay whole
        actions = [a for a in actions if a[0] not in ("commando", "split")]
    if isinstance(frame, Select) and frame.side == GERMAN and s.turn <= LAST_ATTACKS:
        return [a for a in actions if a[0] != "dig"]
    if isinstance(frame, Fight):
        pressed = _pressed(s, frame.side)
        return [a for a in actions if a[0] != "disengage" or pressed >> s.where[int(a[1])] & 1]
    if not isinstance(frame, MoveUnit) or len(actions) <= MOST_NEARER + MOST_BESIDE:
        return actions
    onto: list[Action] = [a for a in actions if len(a) == 3 and int(a[2]) < s.ground.hexes]
    chosen = set(_gun_moves(s, frame, onto) if s.units.artillery[frame.unit] else _moves(s, frame.side, onto))
    left_out = set(onto) - chosen
    return [a for a in actions if a not in left_out]


def _pressed(s: ArdennesState, side: int) -> int:
    """The hexes from which it may be wise to slip away, as bits: those that the enemy would attack at good odds."""
    if side == GERMAN and s.turn <= LAST_ATTACKS:
        return 0
    return mask_of(h for h, threat in survey(s).threats[1 - side].items() if threat >= PRESSED)


def _moves(s: ArdennesState, side: int, onto: list[Action]) -> list[Action]:
    """Towards the goals, beside enemies, into the gaps of the line, and onto what can be taken or must be kept."""
    moves = _towards_goals(s, side, onto)
    enemies = occupied(s, 1 - side)
    beside, wanted = next_to(s.ground, enemies), _wanted(s, side)
    chosen = moves[:MOST_NEARER]
    chosen += [a for a in moves if beside >> int(a[2]) & 1][:MOST_BESIDE]
    chosen += [a for a in moves if wanted >> int(a[2]) & 1]
    if side == ALLIED:
        friends = occupied(s, ALLIED)
        bare = s.ground.victory & ~s.held & ~friends
        chosen += [a for a in moves if bare >> int(a[2]) & 1]
        gaps = open_ground(s.ground, enemies, friends, zone(s, ALLIED), s.blown) & s.ground.road_hexes & ~beside
        chosen += [a for a in moves if gaps >> int(a[2]) & 1][:MOST_PLUGS]
    return chosen


@lru_cache(maxsize=1 << 4)
def _fronts(ground: Ground, front: int) -> tuple[int, ...]:
    """The hexes within one, two and up to fifteen hexes of a front, as bits."""
    return tuple(accumulate(range(2, 16), lambda near, _: around(ground, near, 1), initial=around(ground, front, 1)))


def _gun_moves(s: ArdennesState, frame: MoveUnit, onto: list[Action]) -> list[Action]:
    """To where a gun reaches the front and does not touch it, the nearest first."""
    side = frame.side
    friends, enemies = occupied(s, side), occupied(s, 1 - side)
    reach, circles = s.units.range[frame.unit], _fronts(s.ground, next_to(s.ground, friends) & enemies)

    def distance(action: Action) -> tuple[int, int]:
        here = s.ground.bit[int(action[2])]
        d = next((d for d, circle in enumerate(circles, 1) if circle & here), 16)
        return max(0, d - reach + 1) if d > 1 else 9, -d

    return sorted((a for a in onto if a[0] != "march"), key=distance)[:MOST_GUN_MOVES]


def _towards_goals(s: ArdennesState, side: int, actions: list[Action]) -> list[Action]:
    """Moves of units to hexes, those first to which the goals of a side draw them."""
    pull = _pull(s, side)
    return sorted(actions, key=lambda a: -pull[int(a[2])] if int(a[2]) < s.ground.hexes else 0.0)


@cache
def _home(ground: Ground, side: int) -> tuple[int, ...]:
    """By hex: how far it is to a side's own edge of the map."""
    return tuple(distances(bits(ground.entries[side]), ground.board.adjacent))


def _homeward(ground: Ground, side: int, actions: list[Action]) -> list[Action]:
    """Retreats, those first that lead to the own side."""
    home = _home(ground, side)
    return sorted(actions, key=lambda a: home[int(a[2])] if int(a[2]) < ground.hexes else 99)


def _wanted(s: ArdennesState, side: int) -> HexSet:
    """The victory hexes that a side would take by entering them, as bits."""
    return s.ground.victory & (~s.held if side == GERMAN else s.held)


def _best_advances(s: ArdennesState, side: int, actions: list[Action]) -> list[Action]:
    """The best hexes of the first unit and the best one of each other; those that win something first."""
    wanted = _wanted(s, side)
    moves = _towards_goals(s, side, [a for a in actions if a[0] == "advance"])
    moves.sort(key=lambda a: not wanted >> int(a[2]) & 1)
    best = {a[1]: a for a in reversed(moves)}
    first = [a for a in moves if moves and a[1] == min(best)][:MOST_ADVANCES]
    chosen = {*first, *list(best.values())[:MOST_ADVANCES], ("pass",)}
    return [a for a in actions if a in chosen] or actions


def _best_traffic(s: ArdennesState, frame: PlaceTraffic, actions: list[Action]) -> list[Action]:
    """Road hexes just in front of the enemy, those towards his goals first: the lowest of as many as are at hand."""
    enemies = occupied(s, 1 - frame.side)
    near = next_to(s.ground, next_to(s.ground, enemies)) & s.ground.road_hexes & ~occupied(s, frame.side)
    spots = [int(a[1]) for a in actions if a[0] == "traffic" and near >> int(a[1]) & 1]
    pull = _pull(s, 1 - frame.side)
    spots.sort(key=lambda h: -pull[h])
    plan: list[int] = []
    spare, touching = len(frame.box) - len(frame.placed), s.ground.touching
    for h in spots:
        if len(plan) < spare and not any(touching[h] >> other & 1 for other in plan):
            plan.append(h)
    return [("traffic", min(plan))] if plan else [("done",)]


def _readiness(s: ArdennesState) -> float:
    """A unit that has been selected to move is worth a little to its side, so that it is asked."""
    frame = s.stack[-1]
    if not isinstance(frame, MoveUnit):
        return 0.0
    return 1.0 if frame.side == GERMAN else -1.0


# ---- the part of the game ----------------------------------------------------------------------


class ArdennesJudge(Judge[ArdennesState]):
    """Features are positive when good for the seat; what each is worth stands in data/weights.toml."""

    weighs_rolls = True
    piece_worth = 0.02

    def __init__(self, data: Data) -> None:
        self.data = data

    def features(self, s: ArdennesState, seat: Seat) -> dict[str, float]:
        german = _german_features(s)
        return german if seat == SEATS[GERMAN] else {name: -value for name, value in german.items()}

    def weights(self, side: Seat) -> Mapping[str, float]:
        return self.data.weights[side]

    def elapsed(self, s: ArdennesState) -> float:
        return (s.turn - 1 + s.player / 2) / turns_of(s)

    def pending(self, s: ArdennesState, seat: Seat) -> float:
        return pending(s, seat)

    def candidates(self, s: ArdennesState) -> list[Action]:
        return candidates(s)
