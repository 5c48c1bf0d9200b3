"""Every game as a PettingZoo environment: agents take turns, illegal actions are masked, dice roll by the seed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv

from salient import svg
from salient.games import load
from salient.kernel import CHANCE, OVER, Action, ChanceFrame, Seat, SeededDice, State, actor, candidates, step
from salient.lab.actions import MOST_OUTCOMES, most_offered
from salient.lab.observation import FEATURES, Observer

Observation = dict[str, NDArray[Any]]


def env(game: str, **settings: Any) -> SalientAEC:
    """The environment of a game; the settings are those of `SalientAEC`."""
    return SalientAEC(game, **settings)


def space(observer: Observer, actions: int, arrays: bool = True) -> gymnasium.spaces.Dict:
    """The space of observations: what the seat may see, and the mask of what it may do."""
    spaces: dict[str, gymnasium.Space[Any]] = {"action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8)}
    if arrays:
        spaces["places"] = gymnasium.spaces.Box(0, np.inf, (observer.shape[0], len(FEATURES)), np.float32)
        spaces["vector"] = gymnasium.spaces.Box(-np.inf, np.inf, (observer.vector_size,), np.float32)
    return gymnasium.spaces.Dict(spaces)


class SalientAEC(AECEnv):  # type: ignore[misc]
    """A game for agents that take turns; the actions are indices into `offers`, the list of what can be chosen now.

    `observation`: "graph" for the arrays of `salient.lab.observation`, "none" for the mask alone.
    `chance`: "inside" rolls by the seed of `reset`; "agent" makes the dice an agent called `chance`, whose actions are
    the outcomes, with their probabilities in its info.
    """

    def __init__(
        self,
        game: str,
        scenario: str = "",
        options: Mapping[str, str] | None = None,
        observation: str = "graph",
        chance: str = "inside",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = load(game)
        self.scenario, self.options = self.game.scenario(scenario).id, self.game.chosen_options(options)
        self.arrays = {"graph": True, "none": False}[observation]
        self.rolls_inside = {"inside": True, "agent": False}[chance]
        self.render_mode = render_mode
        self.metadata = {"name": f"{game}_v{self.game.rules_version}", "render_modes": ["ansi", "svg"]}
        self.possible_agents: list[Seat] = [*self.game.seats, *(() if self.rolls_inside else (CHANCE,))]
        self.observer = Observer(self.game)
        self.room = {
            agent: MOST_OUTCOMES if agent == CHANCE else most_offered(self.game) for agent in self.possible_agents
        }
        self.observation_spaces = {agent: space(self.observer, room, self.arrays) for agent, room in self.room.items()}
        self.action_spaces = {agent: gymnasium.spaces.Discrete(room) for agent, room in self.room.items()}

    def observation_space(self, agent: Seat) -> gymnasium.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: Seat) -> gymnasium.Space[Any]:
        return self.action_spaces[agent]

    # ---- playing ----------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin again. `options` may name a `position`, as text, to begin with."""
        self.dice = SeededDice(int(np.random.default_rng().integers(2**32)) if seed is None else seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[Seat, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        position = (options or {}).get("position")
        begin = self.game.read_position(position) if position else self.game.new(self.scenario, self.options)
        self._arrive(begin)

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if not 0 <= action < len(self.offers):
            raise ValueError(f"{agent} chose action {action}; {len(self.offers)} are offered, counted from 0.")
        self._cumulative_rewards[agent] = 0.0
        self._arrive(step(self.state_now, self.offers[action], trusted=True))

    def _arrive(self, state: State) -> None:
        """Take a position as the present one; dice that roll inside roll first."""
        who = actor(state)
        while who == CHANCE and self.rolls_inside:
            frame = state.stack[-1]
            assert isinstance(frame, ChanceFrame)
            state = step(state, frame.sample(state, self.dice), trusted=True)
            who = actor(state)
        self.state_now = state
        if who == OVER:
            self._end()
            return
        self.offers: list[Action] = candidates(state)[: self.room[who]]
        self.agent_selection = who
        if who == CHANCE:
            frame = state.stack[-1]
            assert isinstance(frame, ChanceFrame)
            self.infos[CHANCE] = {"probabilities": np.array([float(share) for _, share in frame.outcomes(state)])}

    def _end(self) -> None:
        result = self.game.result(self.state_now)
        assert result is not None, "a finished game has a result"
        self.offers = []
        self.terminations = dict.fromkeys(self.agents, True)
        for seat in self.game.seats if result.winner else ():
            self.rewards[seat] = 1.0 if seat == result.winner else -1.0
        self._accumulate_rewards()

    # ---- looking ----------------------------------------------------------------------

    def observe(self, agent: Seat) -> Observation:
        """What an agent may see; its mask is empty while another one decides."""
        mask = np.zeros(self.room[agent], dtype=np.int8)
        if agent == self.agent_selection:
            mask[: len(self.offers)] = 1
        seen: Observation = {"action_mask": mask}
        if self.arrays:
            seat = self.game.seats[0] if agent == CHANCE else agent
            seen |= self.observer.arrays(self.game.view.observe(self.state_now, seat), seat)
        return seen

    def render(self) -> str | None:
        """The position as text, or drawn, by `render_mode`."""
        if self.render_mode == "ansi":
            return self.game.write_position(self.state_now)
        return svg.board(self.state_now) if self.render_mode == "svg" else None

    def close(self) -> None:
        """Nothing is held open."""
