"""What would you do? Two plans for whoever is to decide, each with its chances, its first action and the reasons."""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import inf

from salient.bots.captain import Captain
from salient.bots.lookahead import declares
from salient.bots.opinion import Reasons
from salient.bots.personas import PLAIN, personas
from salient.bots.planner import Intent, Planner
from salient.bots.player import leaves_phase
from salient.kernel import Action, AnyGame, Prompt, Seat, State, actor, candidates, step

PLANS = 2
PLANNING = 0.6  # of the time; the rest is for the first actions of the plans
LEAST_SECONDS = 4.0  # for the first actions of a plan, whatever the plans have taken
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


def advise(game: AnyGame, state: State, seat: Seat, seed: int | str = 0, deadline: float = inf) -> list[Advice]:
    """At most two plans for a seat, the better one first; one if there is nothing to choose."""
    planner = Planner(game, seat, seed)
    now = time.monotonic()
    planner.choose(state, now + PLANNING * (deadline - now))
    ranked = sorted(planner.considered, key=lambda plan: -planner.considered[plan])
    others = [Intent(stance) for stance in personas() if stance != PLAIN]
    found: list[Advice] = []
    for plan in [planner.plan, *(each for each in [*ranked, *others] if each != planner.plan)]:
        captain = Captain(game, seat, seed)
        captain.follow(planner.opinion_of(plan))
        enough = max(deadline, time.monotonic() + LEAST_SECONDS)
        choice = captain.choose(state, enough)
        if all(choice.action != known.action for known in found):
            planner.plan = plan
            actions = (choice.action, *_goes_on(captain, state, choice.action, enough))
            found.append(Advice(tuple(planner.told()), planner.considered.get(plan), actions, choice.reasons))
        if len(found) == PLANS or len(candidates(state)) == 1:
            break
    return found


def _goes_on(captain: Captain, root: State, action: Action, deadline: float) -> list[Action]:
    """What carries an action through that only began something: the unit in hand moves, the attackers are named."""
    actions: list[Action] = []
    state = step(root, action, trusted=True)
    while len(actions) < LONGEST_BEGINNING and actor(state) == captain.seat and not leaves_phase(root, state):
        same = type(state.stack[-1]) is type(root.stack[-1])
        if (same and not declares(root, state)) or (not captain.plan and time.monotonic() >= deadline):
            break
        actions.append(captain.choose(state, deadline).action)
        state = step(state, actions[-1], trusted=True)
    return actions
