"""What would you do? Two plans for whoever is to decide, each with its chances, its first action and the reasons."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from salient.bots.captain import Captain
from salient.bots.clock import Clock, Tell, unheard
from salient.bots.lookahead import declares
from salient.bots.opinion import Reasons
from salient.bots.personas import PLAIN, personas
from salient.bots.planner import Intent, Planner
from salient.bots.player import Choice, leaves_phase
from salient.kernel import Action, AnyGame, Prompt, Seat, State, actor, candidates, step

PLANS = 2
PLANNING = 0.7  # of the time, for the better plan; the rest is for the other one
LONGEST_BEGINNING = 20  # actions


@dataclass(frozen=True)
class Advice:
    """A plan in sentences, how likely it wins as far as that was tried, and what it begins with."""

    told: tuple[Prompt, ...]
    share: float | None
    actions: tuple[Action, ...]  # until dice fall, somebody else decides or the same question is asked again
    reasons: Reasons

    @property
    def action(self) -> Action:
        """The first of them."""
        return self.actions[0]


def advise(
    game: AnyGame, state: State, seat: Seat, seed: int | str = 0, deadline: float = inf, tell: Tell = unheard
) -> list[Advice]:
    """At most two plans for a seat, the better one first; one if there is nothing to choose, or no time left."""
    planner, clock = Planner(game, seat, seed), Clock(deadline, tell)
    choice = planner.decide(state, clock.part(PLANNING))
    found = [_advice(planner, planner.captain, state, choice, clock)]
    ranked = sorted(planner.considered, key=lambda plan: -planner.considered[plan])
    others = [Intent(stance) for stance in personas() if stance != PLAIN]
    for plan in [each for each in [*ranked, *others] if each != planner.plan]:
        if len(found) == PLANS or clock.is_over or len(candidates(state)) == 1:
            break
        captain = Captain(game, seat, seed)
        captain.follow(planner.opinion_of(plan))
        choice = captain.decide(state, clock)
        if choice.action != found[0].action and not clock.is_over:
            planner.plan = plan
            found.append(_advice(planner, captain, state, choice, clock))
    return found


def _advice(planner: Planner, captain: Captain, state: State, choice: Choice, clock: Clock) -> Advice:
    """The planner's plan, and how a captain that follows it begins."""
    actions = (choice.action, *carried_on(captain, state, choice.action, clock))
    return Advice(tuple(planner.told()), planner.considered.get(planner.plan), actions, choice.reasons)


def next_best(game: AnyGame, state: State, seat: Seat, played: Action, deadline: float = inf) -> list[Action]:
    """What a captain would have done instead of an action, carried through; nothing if there was no choice."""
    captain, clock = Captain(game, seat), Clock(deadline)
    ranked = [captain.decide(state, clock).action, *captain.memory.ranked(state)]
    second = next((action for action in ranked if action != played), None)
    if second is None or clock.is_over:
        return []
    if second != ranked[0]:
        captain.plan = []
    return [second, *carried_on(captain, state, second, clock)]


def carried_on(captain: Captain, root: State, action: Action, clock: Clock) -> list[Action]:
    """What carries an action through that only began something: the unit in hand moves, the attackers are named."""
    actions: list[Action] = []
    state = step(root, action, trusted=True)
    while len(actions) < LONGEST_BEGINNING and actor(state) == captain.seat and not leaves_phase(root, state):
        same = type(state.stack[-1]) is type(root.stack[-1])
        if (same and not declares(root, state)) or (not captain.plan and clock.is_over):
            break
        actions.append(captain.decide(state, clock).action)
        state = step(state, actions[-1], trusted=True)
    return actions
