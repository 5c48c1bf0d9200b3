"""Battle of the Bulge: the battle strips. Rules 3.5, 5.9, 6.6 to 6.9, 6.14 and 6.15.

A die hits with 6 or less and lands on the square of its number, counted over the occupied squares again and again.
With more than six squares the hits are rolled again and land by their new number. Either way every die falls on a
square with a fixed chance, independent of the others, so that the effects of any number of dice have exact odds.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb

from salient.kernel import Action, Roller

SIDES_OF_DIE = 12
HIT = 6  # 6.7: this or less
FEW = 6  # 6.15: more squares than these need a second roll

Squares = tuple[int, int, int, int, int]  # infantry, tanks, artillery, trucks, supply tokens
# Destroyed and retreating infantry, tanks and artillery, then trucks and supply tokens lost.
Effect = tuple[int, int, int, int, int, int, int, int]
Ways = list[int]  # by number of dice: in how many ways so many dice fall so


def square_count(squares: Squares) -> int:
    """The squares that are pulled out: one per piece, one for all supply tokens [6.6]."""
    return sum(squares[:4]) + (1 if squares[4] else 0)


def weights(total: int) -> tuple[tuple[int, ...], int]:
    """The faces that lead to each of `total` squares, and those that miss, out of 12 or (with a second roll) 24."""
    faces = FEW if total <= FEW else SIDES_OF_DIE
    return tuple(sum(1 for face in range(faces) if face % total == i) for i in range(total)), faces


# ---- 6.7, 6.8 Rolling and allocating --------------------------------------------------------------


def land(dice: int, total: int, roller: Roller) -> tuple[list[list[int]], list[int]]:
    """Roll attack dice: the faces that come to lie on each square, and those that miss [6.7, 6.8, 6.15]."""
    squares: list[list[int]] = [[] for _ in range(total)]
    thrown = [roller.die(SIDES_OF_DIE) for _ in range(dice)]
    hits = [face for face in thrown if face <= HIT]
    if total > FEW:
        hits = [roller.die(SIDES_OF_DIE) for _ in hits]
    for face in hits:
        squares[(face - 1) % total].append(face)
    return squares, [face for face in thrown if face > HIT]


def throw(dice: int, total: int, roller: Roller) -> list[int]:
    """Roll attack dice: the hits on each square."""
    return [len(faces) for faces in land(dice, total, roller)[0]]


def effect_of(squares: Squares, hits: list[int]) -> Effect:
    """What hits on squares do [6.9].

    One makes a combat piece retreat, two destroy it. Each hit on the squares of trucks destroys a truck, each on that
    of supply a token, as long as there are any.
    """
    found = []
    at = 0
    for pieces in squares[:3]:
        strip = hits[at : at + pieces]
        found += [sum(n >= 2 for n in strip), sum(n == 1 for n in strip)]
        at += pieces
    trucks = min(squares[3], sum(hits[at : at + squares[3]]))
    tokens = min(squares[4], hits[-1]) if squares[4] else 0
    return (found[0], found[1], found[2], found[3], found[4], found[5], trucks, tokens)


# ---- effects and their odds -----------------------------------------------------------------------


@lru_cache(maxsize=1 << 12)
def effects(dice: int, squares: Squares) -> tuple[Effect, ...]:
    """Every effect that a number of dice can have, ascending."""
    infantry, tanks, guns = (_strip(pieces, dice) for pieces in squares[:3])
    found = []
    for di, ri, hits in infantry:
        left = dice - hits
        for dt, rt, more in tanks:
            if more <= left:
                for da, ra, most in guns:
                    if most <= left - more:
                        found += _lost(di, ri, dt, rt, da, ra, left - more - most, squares)
    return tuple(found)


def _lost(di: int, ri: int, dt: int, rt: int, da: int, ra: int, dice: int, squares: Squares) -> list[Effect]:
    """What the dice that are left can do to trucks and tokens."""
    return [
        (di, ri, dt, rt, da, ra, trucks, tokens)
        for trucks in range(min(squares[3], dice) + 1)
        for tokens in range(min(squares[4], dice - trucks) + 1)
    ]


@lru_cache(maxsize=1 << 10)
def _strip(pieces: int, dice: int) -> tuple[tuple[int, int, int], ...]:
    """The pieces destroyed and retreating on a strip, with the hits that it takes, ascending."""
    both = ((d, r) for d in range(pieces + 1) for r in range(pieces + 1 - d))
    return tuple([(d, r, 2 * d + r) for d, r in both if 2 * d + r <= dice])


@lru_cache(maxsize=1 << 12)
def rolls(dice: int, squares: Squares) -> tuple[Action, ...]:
    """Every effect as a roll, ascending."""
    return tuple([("roll", *effect) for effect in effects(dice, squares)])


@lru_cache(maxsize=1 << 12)
def odds(dice: int, squares: Squares) -> tuple[tuple[Effect, Fraction], ...]:
    """Every effect of a number of dice with its exact probability, ascending."""
    faces, misses = weights(square_count(squares))
    strips: list[dict[tuple[int, ...], Ways]] = []
    at = 0
    for pieces in squares[:3]:
        strips.append(_combat_strip(faces[at : at + pieces], dice))
        at += pieces
    strips.append(_hit_strip(sum(faces[at : at + squares[3]]), squares[3], dice))
    missing = _powers(misses, dice)
    tokens = _hit_strip(faces[-1] if squares[4] else 0, squares[4], dice)
    last = {lost: _both(ways, missing) for lost, ways in tokens.items()}
    combined: dict[tuple[int, ...], Ways] = {(): [1] + [0] * dice}
    for strip in strips:
        combined = (
            {a + b: _both(x, y) for a, x in combined.items() for b, y in strip.items()}
            if len(strip) > 1
            else {a + b: x for a, x in combined.items() for b in strip}
        )
    every = (2 * misses) ** dice
    found = {
        a + b: sum(comb(dice, n) * x[n] * y[dice - n] for n in range(dice + 1))
        for a, x in combined.items()
        for b, y in last.items()
    }
    return tuple((effect, Fraction(found[effect], every)) for effect in effects(dice, squares))


def _both(a: Ways, b: Ways) -> Ways:
    """The ways in which dice fall on two groups of squares."""
    return [sum(comb(n, k) * a[k] * b[n - k] for k in range(n + 1)) for n in range(len(a))]


def _powers(faces: int, dice: int) -> Ways:
    return [faces**n for n in range(dice + 1)]


def _combat_strip(faces: tuple[int, ...], dice: int) -> dict[tuple[int, ...], Ways]:
    """By destroyed and retreating pieces of a strip: the ways to it."""
    strip: dict[tuple[int, ...], Ways] = {(0, 0): [1] + [0] * dice}
    for face in faces:
        two_or_more = [0, 0, *_powers(face, dice)[2:]][: dice + 1]
        one = [0, face][: dice + 1] + [0] * (dice - 1)
        grown: dict[tuple[int, ...], Ways] = {}
        for (destroyed, retreating), ways in strip.items():
            for key, more in (
                ((destroyed, retreating), ways),
                ((destroyed, retreating + 1), _both(ways, one)),
                ((destroyed + 1, retreating), _both(ways, two_or_more)),
            ):
                known = grown.get(key)
                grown[key] = [x + y for x, y in zip(known, more, strict=True)] if known else more
        strip = grown
    return {key: ways for key, ways in strip.items() if any(ways)}


def _hit_strip(faces: int, pieces: int, dice: int) -> dict[tuple[int, ...], Ways]:
    """By trucks or tokens lost, one a hit as long as there are any: the ways to it."""
    if not pieces:
        return {(0,): [1] + [0] * dice}
    strip: dict[tuple[int, ...], Ways] = {}
    for lost in range(min(pieces, dice) + 1):
        powers = _powers(faces, dice)
        last = dice if lost == pieces else lost
        strip[(lost,)] = [power if lost <= n <= last else 0 for n, power in enumerate(powers)]
    return strip


# ---- 5.9 The aircraft strip ---------------------------------------------------------------------------


def aircraft_effect(fighters: int, bombers: int, hits: list[int]) -> tuple[int, int]:
    """Fighters and bombers shot down: one hit is enough."""
    return sum(n > 0 for n in hits[:fighters]), sum(n > 0 for n in hits[fighters : fighters + bombers])


def _aircraft_strip(faces: tuple[int, ...], dice: int) -> dict[tuple[int, ...], Ways]:
    """By aircraft shot down, one a square: the ways to it."""
    strip: dict[tuple[int, ...], Ways] = {(0,): [1] + [0] * dice}
    for face in faces:
        hit = [0, *_powers(face, dice)[1:]]
        grown: dict[tuple[int, ...], Ways] = {}
        for (lost,), ways in strip.items():
            for key, more in (((lost,), ways), ((lost + 1,), _both(ways, hit))):
                known = grown.get(key)
                grown[key] = [x + y for x, y in zip(known, more, strict=True)] if known else more
        strip = grown
    return {key: ways for key, ways in strip.items() if any(ways)}


@lru_cache(maxsize=1 << 10)
def aircraft_odds(dice: int, fighters: int, bombers: int) -> tuple[tuple[tuple[int, int], Fraction], ...]:
    """Fighters and bombers shot down by a number of dice, with exact probabilities, ascending."""
    faces, misses = weights(fighters + bombers)
    missing = _powers(misses, dice)
    every = (2 * misses) ** dice
    found = []
    for (f,), x in sorted(_aircraft_strip(faces[:fighters], dice).items()):
        for (b,), y in sorted(_aircraft_strip(faces[fighters:], dice).items()):
            ways = _both(_both(x, y), missing)[dice]
            if ways:
                found.append(((f, b), Fraction(ways, every)))
    return tuple(found)
