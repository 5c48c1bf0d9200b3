"""Every game as an OpenSpiel game with explicit chance: `pyspiel.load_game("salient(game=target-arnhem)")`.

Parameters: `game`, `scenario`, `options` ("name=choice name=choice"), `position` (a file to begin with), and `actions`:
"index" counts what is offered now, "fixed" uses the codes of `salient.lab.actions.Encoding`. Chance outcomes are
counted by index.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel

from salient.games import load
from salient.kernel import CHANCE, OVER, Action, AnyGame, ChanceFrame, State, actor, candidates, step
from salient.kernel.record import read_pairs
from salient.lab.actions import MOST_OUTCOMES, Encoding, most_offered
from salient.lab.observation import Observer

NAME = "salient"
LONGEST = 100_000
EVEN = 40.0  # an evaluation of so much counts as a chance of winning of about 73 per cent

GAME_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Salient",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={
        "game": "target-arnhem",
        "scenario": "",
        "options": "",
        "position": "",
        "actions": "index",
    },
)


class SalientGame(pyspiel.Game):  # type: ignore[misc]
    """One of our games, with one of its scenarios."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        self.rules: AnyGame = load(given.get("game", "target-arnhem"))
        self.begin = self._first_position(given)
        self.encoding = Encoding(self.rules) if given.get("actions") == "fixed" else None
        self.observer = Observer(self.rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.size if self.encoding else most_offered(self.rules),
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(GAME_TYPE, info, given)

    def _first_position(self, given: dict[str, Any]) -> State:
        if given.get("position"):
            return self.rules.read_position(Path(given["position"]).read_text(encoding="utf-8"))
        return self.rules.new(given.get("scenario", ""), read_pairs(given.get("options", "")))

    def new_initial_state(self) -> SalientState:
        return SalientState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> PlaceObserver:
        return PlaceObserver(self)


class Position:
    """A position that copies share: none of ours ever changes."""

    def __init__(self, rules: AnyGame, state: State, encoding: Encoding | None) -> None:
        self.rules = rules
        self.state = state
        self.encoding = encoding
        self.actor = actor(state)
        self._offers: dict[int, Action] | None = None

    def __deepcopy__(self, memo: Any) -> Position:
        return self

    @property
    def offers(self) -> dict[int, Action]:
        """What can be chosen now, by number, ascending."""
        if self._offers is None:
            actions = candidates(self.state)
            if self.encoding and self.actor != CHANCE:
                self._offers = dict(sorted((self.encoding.encode(action), action) for action in actions))
            else:
                self._offers = dict(enumerate(actions))
        return self._offers

    def after(self, number: int) -> Position:
        """The position after an action."""
        return Position(self.rules, step(self.state, self.offers[number], trusted=True), self.encoding)


class SalientState(pyspiel.State):  # type: ignore[misc]
    """A position of the game as OpenSpiel asks for it."""

    def __init__(self, game: SalientGame) -> None:
        super().__init__(game)
        self.at = Position(game.rules, game.begin, game.encoding)

    def current_player(self) -> int:
        if self.at.actor == OVER:
            return int(pyspiel.PlayerId.TERMINAL)
        if self.at.actor == CHANCE:
            return int(pyspiel.PlayerId.CHANCE)
        return self.at.rules.seats.index(self.at.actor)

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.at.offers)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        frame = self.at.state.stack[-1]
        assert isinstance(frame, ChanceFrame)
        return [(i, float(share)) for i, (_, share) in enumerate(frame.outcomes(self.at.state))]

    def _apply_action(self, action: int) -> None:
        self.at = self.at.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.at.rules.write(self.at.offers[action])

    def is_terminal(self) -> bool:
        return self.at.actor == OVER

    def returns(self) -> list[float]:
        result = self.at.rules.result(self.at.state)
        if result is None or result.winner is None:
            return [0.0, 0.0]
        return [1.0 if seat == result.winner else -1.0 for seat in self.at.rules.seats]

    def __str__(self) -> str:
        return self.at.rules.write_position(self.at.state)


class PlaceObserver:
    """The observation of a player as a tensor: the rows of all places, then the vector."""

    def __init__(self, game: SalientGame) -> None:
        self.observer = game.observer
        rows, columns = game.observer.shape
        self.tensor = np.zeros(rows * columns + game.observer.vector_size, np.float32)
        self.dict = {
            "places": self.tensor[: rows * columns].reshape(rows, columns),
            "vector": self.tensor[rows * columns :],
        }

    def set_from(self, state: SalientState, player: int) -> None:
        """Fill the tensor with what a player may see."""
        seat = state.at.rules.seats[player]
        for name, values in self.observer.arrays(state.at.rules.view.observe(state.at.state, seat), seat).items():
            self.dict[name][:] = values

    def string_from(self, state: SalientState, player: int) -> str:
        """What a player may see, as text; equal for positions that it cannot tell apart."""
        return repr(state.at.rules.view.observe(state.at.state, state.at.rules.seats[player]))


class JudgeEvaluator:
    """For OpenSpiel's own tree search: our evaluation of the position instead of a game played out at random."""

    def evaluate(self, state: SalientState) -> list[float]:
        """What the position is worth to each player, from -1 to 1."""
        if state.is_terminal():
            return state.returns()
        rules, now = state.at.rules, state.at.state
        value = math.tanh(rules.judge.evaluate(now, rules.seats[0]) / EVEN)
        return [value, -value]

    def prior(self, state: SalientState) -> list[tuple[int, float]]:
        """All legal actions, each as likely; the outcomes of chance by their probabilities."""
        if state.is_chance_node():
            return state.chance_outcomes()
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


pyspiel.register_game(GAME_TYPE, SalientGame)
