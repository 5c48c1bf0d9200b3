"""The look ahead carries what a decision sets off to its end, and not beyond."""

from __future__ import annotations

import pytest

from salient import load
from salient.bots.clock import Clock
from salient.bots.lookahead import Lookahead, Node, Numbers, Outlook
from salient.bots.opinion import Opinion
from salient.games import game_ids
from salient.games.deadly_woods.combat import Attack
from salient.kernel import CHANCE, OVER, State, actor, candidates, legal, step
from salient.lab.playouts import random_states


class Quiet(Lookahead):
    """Keeps the quiet positions that it judges, and counts each as one."""

    def __init__(self, opinion: Opinion, root: State) -> None:
        super().__init__(opinion, root)
        self.seen: list[State] = []

    def judge(self, node: Node) -> Outlook:
        if self.is_quiet(node):
            self.seen.append(node.state)
        return super().judge(node)._replace(parts={"one": 1.0})


class Forgetful(Lookahead):
    """Looks at every position as if for the first time."""

    def outlook(self, node: Node, number: int | None = None) -> Outlook:
        self.known.clear()
        return super().outlook(node, number)


def first_attack() -> State:
    """The opening of The Deadly Woods, once the Germans have named the hex of their first attack."""
    state = load("deadly-woods").new("attack", {})
    while not isinstance(state.stack[-1], Attack):
        state = step(state, legal(state)[0], trusted=True)
    return state


def test_one_attack_ends_before_the_next_is_declared():
    """Whatever the die, no unit has fought in the leaves but those that joined this attack."""
    game, state = load("deadly-woods"), first_attack()
    frame = state.stack[-1]
    look = Quiet(Opinion(game, "german"), state)
    for action in candidates(state):
        after = look.after(state, action)
        if isinstance(after.state.stack[-1], Attack):
            after = look.after(after.state, ("resolve",))
        ahead = look.outlook(after)
        assert ahead.parts["one"] == pytest.approx(1.0)
    assert look.seen
    for leaf in look.seen:
        fought = [u for u in frame.ready if leaf.fought >> u & 1]
        assert len(fought) == leaf.fought.bit_count() == 1


def test_what_is_known_is_what_a_second_look_would_find():
    """Actions that are weighed twice are looked at once, and every outlook is the same."""
    game, state = load("deadly-woods"), first_attack()
    looks = [each(Opinion(game, "german"), state) for each in (Lookahead, Forgetful)]
    for action in candidates(state) * 2:
        known, anew = (look.outlook(look.after(state, action)) for look in looks)
        assert known == anew
        assert looks[0].judged == looks[1].judged
    assert looks[0].opinion.asked < looks[1].opinion.asked


@pytest.mark.parametrize("name", game_ids())
def test_positions_have_one_number_if_they_are_equal(name):
    game = load(name)
    for root in [*random_states(game, 2, plies=60)][::20]:
        numbers = Numbers(root)
        ahead = [step(root, action, trusted=True) for action in candidates(root)[:8]]
        ahead += [step(state, action, trusted=True) for state in ahead for action in candidates(state)[:3]]
        for one in ahead:
            for other in ahead:
                assert (numbers.number(one) == numbers.number(other)) == (one.key() == other.key())


@pytest.mark.parametrize("name", ["target-arnhem", "bulge", "deadly-woods"])
def test_what_is_over_lies_no_higher_than_what_was_beneath(name):
    game = load(name)
    for state in random_states(game, 3, plies=150):
        if actor(state) in (CHANCE, OVER):
            continue
        look = Lookahead(Opinion(game, actor(state)), state)
        for action in legal(state)[:5]:
            node = look.after(state, action)
            assert node.over == (len(node.state.stack) < len(state.stack))
            assert node.over or actor(node.state)


DAMAGE = """position target-arnhem
turn 3 impulse 1
0203 5Gds, 32Gds
0103 8Armd
0904 406
stack Turn(allied-impulse-1) EndOfImpulse(0) Impulse(0) Lose(0,[{units}],2,[0,0])"""


def test_points_that_are_shared_out_are_no_set():
    """A unit can take both points: every unit is looked at as the first to take them, not all units at once."""
    game = load("target-arnhem")
    units = ",".join(str(game.read(f"lose {name}")[1]) for name in ("5Gds", "32Gds"))
    state = game.read_position(DAMAGE.format(units=units))
    look = Quiet(Opinion(game, "allied"), state)
    assert look.best_set(state, 0.15, Clock()) is None
    for action in candidates(state):
        look.seen.clear()
        look.outlook(look.after(state, action))
        assert {sum(leaf.damage) for leaf in look.seen} == {2}
