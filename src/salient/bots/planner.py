"""`planner`: tries plans by playing them out, and follows the best one with a captain's hand.

A plan is an order for each formation (`Game.orders`), a stance (`personas`), and perhaps a whim: all weights shifted at
random. Where it can afford to play captains against each other to the end of the next turn, the planner does so at the
beginning of a turn: it tries its last plan and others against having none, on the same dice, and follows for that turn
the one whose probability of winning is higher beyond the doubt that the dice leave. What is promised after one reply
only does not last.

Where that is too dear, it takes a step from its last plan at the beginning of each part of a turn, and compares plans
after the enemy's quick reply, at the end of the part, or after its first decisions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import exp, inf, sqrt
from random import Random
from statistics import fmean, stdev

from salient.bots.captain import Captain
from salient.bots.clock import Clock
from salient.bots.memory import stage_of
from salient.bots.opinion import Opinion
from salient.bots.personas import PLAIN, personas, weights_of
from salient.bots.player import FULL, Choice, Player
from salient.bots.playout import FAR, REPLY, Horizon, Played, Rehearsal
from salient.kernel import AnyGame, Order, Plan, Prompt, Seat, State

LEAST_ROWS = 3  # of dice, on which two plans are compared
FINALISTS = 2
LEAST_GAIN = 0.08  # of a change of plan, in the logarithm of the odds
PLANNING = 0.6  # of the time that a clock gives; the rest is the captain's
AFFORDED = 8  # playouts: two plans on three rows, and something to spare
FAR_AFFORDED = 20  # playouts, so that looking far is worth it
SETTLED = 0.03  # a chance beyond which nothing is planned that looks far: all plans win, or none
WHIM = 0.6  # of the logarithm of a weight
WHIMS = 3
LEAST_DECISIONS = 4  # of a part that is worth trying plans for
LEAST_CHOICES = 4  # a decision with fewer is no beginning of anything


@dataclass(frozen=True)
class Intent:
    """A stance, an order for each formation that has one, and by what number weights are shifted at random; 0: not."""

    stance: str = PLAIN
    orders: Plan = ()
    whim: int = 0

    def with_order(self, order: Order) -> Intent:
        """The same, with another order for one formation."""
        others = tuple(each for each in self.orders if each.formation != order.formation)
        return replace(self, orders=tuple(sorted((*others, order), key=lambda each: each.formation)))

    def without(self, formation: str) -> Intent:
        """The same, with no order for a formation."""
        return replace(self, orders=tuple(each for each in self.orders if each.formation != formation))


class Planner(Player):
    """Plays as a captain by the plan that promises most; `plan` is what it follows, `considered` what it tried."""

    tries = 8  # other plans than the one that they are compared with
    rows = 6  # of dice: all plans are tried on the first, the better half of them on the next, and so on
    budget = 16_000  # evaluations a part of a turn, so that a choice repeats itself whatever the machine
    far_budget = 100_000  # evaluations a turn, if the playouts look far

    def __init__(
        self, game: AnyGame, seat: Seat, seed: int | str = 0, weights: Mapping[str, float] | None = None
    ) -> None:
        super().__init__(game, seat, seed, weights)
        self.captain = Captain(game, seat, seed, weights)
        self.stage: tuple[object, ...] = ()
        self.turn: int | None = None  # that is planned as a whole
        self.plan = Intent()
        self.considered: dict[Intent, float] = {}
        self.near: set[str] = set()  # phases from which it cannot look far
        self.dear: set[str] = set()  # phases in which too few plans can be tried
        self._begin(REPLY)

    def decide(self, state: State, clock: Clock) -> Choice:
        self.captain.strength = self.strength
        if not clock.is_over and self._is_due(state) and self._is_worth_a_plan(state):
            self.stage = stage_of(self.game, state)
            self._plan(self.imagine(state), clock.part(PLANNING))
        return self.captain.decide(state, clock)

    def _is_due(self, state: State) -> bool:
        """Whether something begins that is not planned yet: a turn, or a part of it."""
        if self.game.stage(state).turn == self.turn:
            return False
        return not self.stage or stage_of(self.game, state)[: len(self.stage)] != self.stage

    def _is_worth_a_plan(self, state: State) -> bool:
        """Whether there is something to order and something to choose, and plans can be tried."""
        if self.game.stage(state).phase in self.dear:
            return False
        ordered = bool(self.game.plans.formations(state, self.seat))
        return ordered and len(self.game.judge.candidates(state)) >= LEAST_CHOICES

    def told(self) -> list[Prompt]:
        stance = Prompt("", "stance", word_stance="stance-whim" if self.plan.whim else f"stance-{self.plan.stance}")
        return [*(order.said() for order in self.plan.orders), stance]

    # ---- climbing -----------------------------------------------------------------

    @property
    def means(self) -> int:
        """The evaluations that it may spend on a part of a turn, or on a turn: fewer for a weaker player."""
        return (self.far_budget if self.wanted == FAR else self.budget) * self.strength // FULL

    def _plan(self, seen: State, clock: Clock) -> None:
        """Follow the best of some plans, if it is better than the one that they are compared with beyond doubt."""
        base, promises = self._first_look(seen, clock)
        is_far = self.horizon == FAR
        self.turn = self.game.stage(seen).turn if is_far else None
        if is_far and promises and not SETTLED < promises[0] < 1 - SETTLED:
            values = {base: promises}
        else:
            values = self._race(seen, base, promises, clock)
        self.considered = {plan: fmean(rows) for plan, rows in values.items() if rows}
        self.plan = max(values, key=lambda plan: _gain(values[plan], values[base], self.rolled))
        self.captain.follow(self.opinion_of(self.plan))

    def _first_look(self, seen: State, clock: Clock) -> tuple[Intent, list[float]]:
        """What others are compared with, and what it promises on the first row: no plan, as far as one can look.

        If that is not far, the last plan.
        """
        phase = self.game.stage(seen).phase
        if phase not in self.near:
            self._begin(FAR)
            promises = self._promises(seen, [Intent()], 0, clock)
            if self.horizon == FAR:
                return Intent(), promises
            self.near.add(phase)
        self._begin(REPLY)
        last = self._possible(seen, self.plan)
        return last, self._promises(seen, [last], 0, clock)

    def _race(self, seen: State, base: Intent, promises: list[float], clock: Clock) -> dict[Intent, list[float]]:
        """What plans promise on rows of dice, the base first: after each row, or each second, the worse half drops out.

        Plans that are played as the base drop out at once.
        """
        values = {base: promises}
        racing = self._racing(seen, base)
        values |= {plan: [] for plan in racing}
        for row in range((self.rows if self.rolled else 1) if racing else 0):
            due = racing if row == 0 else [base, *racing]
            found = self._promises(seen, due, row, clock)
            for plan, promise in zip(due, found, strict=False):
                values[plan].append(promise)
            if len(found) < len(due) or self.spent >= self.means:
                break
            if row == 0:
                racing = [plan for plan in racing if values[plan] != values[base]]
            if row % 2 or self.wanted != FAR:
                racing = sorted(racing, key=lambda plan: -fmean(values[plan]))[: max(FINALISTS, len(racing) // 2)]
            if not racing:
                break
        return values

    def _racing(self, seen: State, base: Intent) -> list[Intent]:
        """The plans to be tried: as many as can be afforded."""
        if self.wanted == FAR:
            return self.far_plans(seen)[: self.means // max(1, self.spent) // LEAST_ROWS - 1]
        least = LEAST_ROWS if self.rolled else 1
        racing = self.plans(seen, base)[: max(0, self.means // max(1, self.spent) // least - 1)]
        if self.decisions < LEAST_DECISIONS and self.horizon.decisions == inf:
            return []
        if not racing:
            self.dear.add(self.game.stage(seen).phase)
        return racing

    def _begin(self, wanted: Horizon) -> None:
        """Nothing has been played out yet: how far playouts can go and whether dice fall, the first one tells."""
        self.spent = self.decisions = 0
        self.rehearsals: dict[Intent, Rehearsal] = {}
        self.wanted = self.horizon = wanted
        self.rolled = False

    @property
    def most(self) -> float:
        """How much the first playout may cost before it is shortened: plans must be comparable."""
        return self.means / (FAR_AFFORDED if self.wanted == FAR else AFFORDED) if self.spent == 0 else inf

    def _promises(self, seen: State, plans: list[Intent], row: int, clock: Clock) -> list[float]:
        """How likely each plan wins on a row of dice; of the first of them only, if time runs out."""
        found: list[float] = []
        for plan in plans:
            if plan not in self.rehearsals:
                self.rehearsals[plan] = Rehearsal(seen, self.opinion_of(plan), quick=self.wanted != FAR)
            played = self.rehearsals[plan].on(row, horizon=self.horizon, most=self.most, clock=clock)
            if clock.is_over:
                break
            self._note(played, clock)
            found.append(played.promise)
        return found

    def _note(self, played: Played, clock: Clock) -> None:
        """Count what a playout cost, learn from it how far the others can go, and tell how far the planning is."""
        if self.spent == 0:
            self.horizon, self.rolled, self.decisions = played.horizon, played.rolled, played.decisions
        self.spent += played.asked
        clock.tell(min(self.spent, self.means), self.means)

    def far_plans(self, seen: State) -> list[Intent]:
        """Plans for a whole turn: the last one, every stance, whims, and orders."""
        tries = max(1, self.tries * self.strength // FULL)
        last = self._possible(seen, self.plan)
        stances = [Intent(stance) for stance in personas()]
        whims = [Intent(whim=self.random.randrange(1, 1 << 32)) for _ in range(WHIMS)]
        orders = [self._neighbour(seen, replace(last, whim=0)) for _ in range(tries)]
        others = dict.fromkeys([last, *stances, *whims, *orders])
        return [plan for plan in others if plan != Intent()][:tries]

    def plans(self, seen: State, last: Intent) -> list[Intent]:
        """Other plans to try: none at all, every stance, and neighbours of the last one."""
        tries = max(1, self.tries * self.strength // FULL)
        stances = [replace(last, stance=stance) for stance in personas()]
        others = dict.fromkeys([Intent(), *stances, *(self._neighbour(seen, last) for _ in range(tries))])
        return [plan for plan in others if plan != last][:tries]

    def _possible(self, seen: State, plan: Intent) -> Intent:
        """The plan without the orders that can no longer be given; what was taken is held."""
        kept = []
        for order in plan.orders:
            now = {each.place: each for each in self.game.plans.orders(seen, self.seat, order.formation)}
            if order.formation in self.game.plans.formations(seen, self.seat) and order.place in now:
                kept.append(now[order.place])
        return replace(plan, orders=tuple(kept))

    def _neighbour(self, seen: State, plan: Intent) -> Intent:
        """The plan with one thing changed, at random: an order, no order for a formation, or the stance."""
        formations = self.game.plans.formations(seen, self.seat)
        if not formations or self.random.random() < 0.25:
            return replace(plan, stance=self.random.choice([each for each in personas() if each != plan.stance]))
        formation = self.random.choice(formations)
        choices = self.game.plans.orders(seen, self.seat, formation)
        fresh = [order for order in choices if order not in plan.orders]
        told = any(order.formation == formation for order in plan.orders)
        if not fresh or (told and self.random.random() < 0.2):
            return plan.without(formation)
        return plan.with_order(self.random.choice(fresh))

    def opinion_of(self, plan: Intent) -> Opinion:
        """What a captain that follows a plan thinks of positions."""
        weights = self.opinion.weights
        if weights is None and (plan.stance != PLAIN or plan.whim):
            weights = weights_of(plan.stance, self.game, self.seat)
        if weights is not None and plan.whim:
            weights = _shifted(weights, plan.whim)
        return Opinion(self.game, self.seat, weights, plan.orders)


def _shifted(weights: Mapping[str, float], whim: int) -> dict[str, float]:
    """All weights, each made larger or smaller at random."""
    random = Random(whim)
    return {name: weight * exp(random.gauss(0, WHIM)) for name, weight in weights.items()}


def _gain(rows: list[float], before: list[float], rolled: bool) -> float:
    """By how much a plan promises more than the last one; 0 if that may be the luck of the dice.

    If dice fall, the first row does not count: by that row the plans were picked.
    """
    gains = [row - other for row, other in zip(rows, before, strict=False)][1 if rolled else 0 :]
    if len(gains) < (LEAST_ROWS - 1 if rolled else 1):
        return 0.0
    share = min(0.99, max(0.01, fmean(before)))
    doubt = stdev(gains) / sqrt(len(gains)) if len(gains) > 1 else 0.0
    doubt = max(doubt, LEAST_GAIN * share * (1 - share))
    return fmean(gains) if fmean(gains) > doubt else 0.0
