"""Every game as a Gymnasium environment: one seat to learn, the other one played by a level of ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, SupportsFloat

import gymnasium
import numpy as np

from salient import bots
from salient.games import load
from salient.kernel import CHANCE, OVER, Action, ChanceFrame, SeededDice, State, actor, candidates, step
from salient.kernel.game import no_such_seat
from salient.lab.actions import most_offered
from salient.lab.observation import Observer
from salient.lab.pettingzoo import Observation, space


class SalientGym(gymnasium.Env[Any, Any]):
    """One seat of a game against a computer player; actions are indices into `offers`, what can be chosen now.

    An index beyond `offers` loses the game at once: reward -1 and `illegal` in the info.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        seat: str = "",
        opponent: str = "greedy",
        scenario: str = "",
        options: Mapping[str, str] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.game = load(game)
        self.seat = seat or self.game.seats[0]
        if self.seat not in self.game.seats:
            raise no_such_seat(self.game, seat)
        self.opponent = opponent
        self.scenario, self.options = self.game.scenario(scenario).id, self.game.chosen_options(options)
        self.render_mode = render_mode
        self.observer = Observer(self.game)
        self.offers: list[Action] = []
        self.observation_space = space(self.observer, most_offered(self.game))
        self.action_space = gymnasium.spaces.Discrete(most_offered(self.game))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin again; the seed gives the dice and the opponent's own."""
        super().reset(seed=seed)
        name = int(self.np_random.integers(2**32))
        self.dice = SeededDice(f"dice {name}")
        others = [seat for seat in self.game.seats if seat != self.seat]
        self.minds = {seat: bots.make(self.opponent, self.game, seat, f"bot {name}") for seat in others}
        self._go_on(self.game.new(self.scenario, self.options))
        return self._observe(), {}

    def step(self, action: int) -> tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]:
        if not 0 <= action < len(self.offers):
            self.offers = []
            return self._observe(), -1.0, True, False, {"illegal": True}
        self._go_on(step(self.state, self.offers[action], trusted=True))
        return self._observe(), self._reward(), actor(self.state) == OVER, False, {}

    def _go_on(self, state: State) -> None:
        """Let the dice and the opponent act until the learner decides or the game is over."""
        while (who := actor(state)) not in (self.seat, OVER):
            frame = state.stack[-1]
            if who == CHANCE:
                assert isinstance(frame, ChanceFrame)
                action = frame.sample(state, self.dice)
            else:
                action = self.minds[who].choose(state).action
            state = step(state, action, trusted=True)
        self.state = state
        self.offers = candidates(state)[: most_offered(self.game)]

    def _reward(self) -> float:
        result = self.game.result(self.state)
        if result is None or result.winner is None:
            return 0.0
        return 1.0 if result.winner == self.seat else -1.0

    def _observe(self) -> Observation:
        mask = np.zeros(most_offered(self.game), dtype=np.int8)
        mask[: len(self.offers)] = 1
        arrays = self.observer.arrays(self.game.view.observe(self.state, self.seat), self.seat)
        return {"action_mask": mask, **arrays}

    def render(self) -> Any:
        """The position as text, if `render_mode` is "ansi"."""
        return self.game.write_position(self.state) if self.render_mode == "ansi" else None
