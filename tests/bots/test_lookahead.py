"""The look ahead carries what a decision sets off to its end, and not beyond."""

from __future__ import annotations

import pytest

from salient import load
from salient.bots.lookahead import Lookahead
from salient.games.deadly_woods.combat import Attack
from salient.kernel import CHANCE, OVER, State, actor, candidates, legal, step
from salient.lab.playouts import random_states


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
    look = Lookahead(game, "german", state)
    for action in candidates(state):
        after = look.after(state, action)
        if isinstance(after.state.stack[-1], Attack):
            after = look.after(after.state, ("resolve",))
        ahead = look.outlook(after)
        assert sum(share for share, _ in ahead.leaves) == pytest.approx(1.0)
        for _, leaf in ahead.leaves:
            fought = [u for u in frame.ready if leaf.fought >> u & 1]
            assert len(fought) == leaf.fought.bit_count() == 1


@pytest.mark.parametrize("name", ["target-arnhem", "bulge", "deadly-woods"])
def test_what_is_over_lies_no_higher_than_what_was_beneath(name):
    game = load(name)
    for state in random_states(game, 3, plies=150):
        if actor(state) in (CHANCE, OVER):
            continue
        look = Lookahead(game, actor(state), state)
        for action in legal(state)[:5]:
            node = look.after(state, action)
            assert node.over == (len(node.state.stack) < len(state.stack))
            assert node.over or actor(node.state)


DAMAGE = """position target-arnhem
turn 3 impulse 1
0203 5Gds, 32Gds
0103 8Armd
0904 406
stack Turn(6) EndOfImpulse(0) Impulse(0) Lose(0,[{units}],2,[0,0])"""


def test_points_that_are_shared_out_are_no_set():
    """A unit can take both points: every unit is looked at as the first to take them, not all units at once."""
    game = load("target-arnhem")
    units = ",".join(str(game.read(f"lose {name}")[1]) for name in ("5Gds", "32Gds"))
    state = game.read_position(DAMAGE.format(units=units))
    look = Lookahead(game, "allied", state)
    assert look.best_set(state, 0.15) is None
    for action in candidates(state):
        (leaf,) = [leaf for _, leaf in look.outlook(look.after(state, action)).leaves]
        assert sum(leaf.damage) == 2
