"""Plants mistakes into positions of captains' games and counts those that the analysis names as mistakes.

    python tools/blunders.py target-arnhem            20 positions of each kind
    python tools/blunders.py deadly-woods attack 10   so many, of a scenario
    python tools/blunders.py target-arnhem "" 20 road one kind only

A *garrison* walks out of a place that it holds alone, though an enemy stands within two hexes and nobody else can step
in; an *attack* is made by the weakest unit alone at the worst odds, though another could be made at odds at least four
times as good. A *road* is left open by a unit that walks off so that one step of the enemy cuts off more than before,
though nobody else can mend it, in games whose judge counts that. *As good* is no mistake: what a captain finds second
best, a tenth of a point worse at most.
"""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from collections.abc import Iterator
from math import inf

from salient import bots, load
from salient.bots.analysis import judged
from salient.bots.captain import Captain
from salient.bots.value import win_probability
from salient.common.boards import board_of
from salient.kernel import (
    CHANCE,
    OVER,
    Action,
    AnyGame,
    Seat,
    SeededDice,
    Session,
    State,
    Unreadable,
    actor,
    legal,
    step,
)

EVERY = 7  # decisions from one position to the next
OPEN = (0.08, 0.92)  # chances between which a game is not decided
NEAR = 2  # hexes
TIMES = 4.0
HARDLY = 0.1  # in the unit of the evaluation
AT_RISK = "supply-line"  # the feature that tells what a step of the enemy would cut off
LEAST_AT_RISK = 3.0  # more than before, in points of strength

Deed = tuple[Action, ...]


def positions(game: AnyGame, scenario: str) -> Iterator[State]:
    """Decisions of captains' games that are still open, one in so many."""
    for number in range(100):
        session = Session(game, SeededDice(f"blunders {number}"), scenario, {}, {}, "blunders")
        minds = {seat: bots.make("captain", game, seat, number) for seat in game.seats}
        count = 0
        while session.actor != OVER:
            if session.actor == CHANCE:
                session.roll()
                continue
            count += 1
            if count % EVERY == 0 and OPEN[0] < win_probability(game, session.state, session.actor) < OPEN[1]:
                yield session.state
            session.play(session.actor, minds[session.actor].choose(session.state).action)


def held(game: AnyGame, state: State, seat: Seat) -> set[int]:
    """The places that units of a seat stand in and could be ordered to hold."""
    orders = {
        order.place
        for formation in game.plans.formations(state, seat)
        for order in game.plans.orders(state, seat, formation)
        if order.kind == "hold"
    }
    return orders & set(standing(game, state, seat))


def standing(game: AnyGame, state: State, side: Seat) -> list[int]:
    """Where the units of a side stand on the map."""
    sides = {unit: about["side"] for unit, about in game.components()["units"].items()}
    hexes = game.notation.kinds["hex"]
    found = []
    for unit, seen in game.view.observe(state, side)["units"].items():
        if sides[unit] == side:
            with contextlib.suppress(Unreadable):
                found.append(int(hexes.read(str(seen.get("where", "")))))
    return found


def deeds(game: AnyGame, state: State) -> Iterator[Deed]:
    """The decisions that can be made here: actions, or what is done with what they take in hand."""
    for action in legal(state):
        after = step(state, action, trusted=True)
        if action[0] in ("select", "activate") and actor(after) == actor(state):
            yield from ((action, then) for then in legal(after) if then[0] == "move")
        elif action[0] == "move":
            yield (action,)


def walking_out(game: AnyGame, state: State) -> Deed | None:
    """A garrison that leaves, if there is one that should not."""
    seat = actor(state)
    enemy = next(each for each in game.seats if each != seat)
    own = held(game, state, seat)
    for deed in deeds(game, state):
        after = done(state, deed)
        if actor(after) != seat:
            continue
        left = own - held(game, after, seat)
        if any(_is_near(game, after, enemy, place) for place in left) and not _can_be_filled(game, after, left):
            return deed
    return None


def _can_be_filled(game: AnyGame, state: State, places: set[int]) -> bool:
    """Whether another unit can still step into one of these places."""
    return any(deed[-1][-1] in places for deed in deeds(game, state))


def _is_near(game: AnyGame, state: State, side: Seat, place: int) -> bool:
    """Whether a unit of a side stands near a place."""
    distance = board_of(game).distance
    return any(distance(where, place) <= NEAR for where in standing(game, state, side))


def opening_road(game: AnyGame, state: State) -> Deed | None:
    """A unit that leaves the road behind its side open, if nobody can step in."""
    seat, now = actor(state), at_risk(game, state, actor(state))
    opened = {deed: done(state, deed) for deed in deeds(game, state)}
    risks = {deed: at_risk(game, after, seat) - now for deed, after in opened.items() if actor(after) == seat}
    for deed in sorted(risks, key=lambda deed: -risks[deed]):
        if risks[deed] < LEAST_AT_RISK:
            return None
        mended = (at_risk(game, done(opened[deed], other), seat) for other in deeds(game, opened[deed]))
        if min(mended, default=inf) > now + risks[deed] / 2:
            return deed
    return None


def at_risk(game: AnyGame, state: State, seat: Seat) -> float:
    """What one step of the enemy would cut off."""
    return max(0.0, -game.judge.features(state, seat).get(AT_RISK, 0.0))


def done(state: State, deed: Deed) -> State:
    """The position after a decision."""
    for action in deed:
        state = step(state, action, trusted=True)
    return state


def weak_attack(game: AnyGame, state: State) -> Deed | None:
    """The worst attack of one unit, if another is so much better."""
    found: list[tuple[float, Deed]] = []
    for action in legal(state):
        if action[0] != "attack":
            continue
        after = step(state, action, trusted=True)
        joining = [each for each in legal(after) if each[0] == "join"]
        alone = [(action, each) for each in joining]
        together: Deed = (action, *joining)
        for deed in (*alone, together):
            ratio = _ratio(game, state, deed)
            if ratio is not None:
                found.append((ratio, (*deed, ("resolve",))))
    best, worst = max(found, default=(0.0, ())), min(found, default=(inf, ()))
    return worst[1] if best[0] >= 2.0 and worst[0] <= 0.75 and best[0] >= TIMES * worst[0] else None


def _ratio(game: AnyGame, state: State, deed: Deed) -> float | None:
    """The odds of an attack as its preview tells them: attackers for each defender."""
    for action in deed:
        if action not in legal(state):
            return None
        state = step(state, action, trusted=True)
    if ("resolve",) not in legal(state):
        return None
    odds = game.view.preview(state, ("resolve",)).get("odds") or {}
    attack, defence = (odds.get(key) for key in ("attack", "defence"))
    if not isinstance(attack, (int, float)) or not isinstance(defence, (int, float)) or not defence:
        return None
    return attack / defence


def as_good(game: AnyGame, state: State) -> Deed | None:
    """What a captain finds second best and hardly worse: no mistake, to see what is blamed without reason."""
    captain = Captain(game, actor(state), "blunders")
    chosen = captain.choose(state).action
    gains = captain.memory.ranked(state)
    others = [each for each in gains if each != chosen and chosen in gains and gains[chosen] - gains[each] < HARDLY]
    return (others[0],) if others else None


KINDS = {"garrison": walking_out, "attack": weak_attack, "road": opening_road, "as-good": as_good}


def main(name: str, scenario: str = "", most: int = 20, only: str = "") -> None:
    """Print each planted mistake with what the analysis makes of it, and the counts so far."""
    game = load(name)
    kinds = [only] if only else list(KINDS)
    named, planted = Counter[str](), Counter[str]()
    for state in positions(game, scenario):
        for kind in [kind for kind in kinds if planted[kind] < most]:
            deed = KINDS[kind](game, state)
            if not deed:
                continue
            mistake = judged(game, state, *deed)
            planted[kind] += 1
            named[kind] += mistake is not None
            said = f"cost {mistake.cost:.3f}, better {game.write(mistake.better)}" if mistake else "not named"
            print(f"{game.view.heading(state)}: {', '.join(map(game.write, deed))}: {said}")
            print(f"  {name} {kind}: {named[kind]} of {planted[kind]} named", flush=True)
        if all(planted[kind] >= most for kind in kinds):
            return


if __name__ == "__main__":
    main(*sys.argv[1:3], *map(int, sys.argv[3:4]), *sys.argv[4:5])
