"""Ardennes '44: chapter 28, weather."""

from __future__ import annotations

from games.ardennes44.positions import (
    GROUND,
    hexagon,
    stage,
)
from salient.games.ardennes44 import components, model
from salient.games.ardennes44.ways import steps_from


def test_28_1_frozen_ground_from_turn_11() -> None:
    assert not model.frozen_ground(stage("german", "", turn=10))
    assert model.frozen_ground(stage("german", "", turn=11))
    a, b = hexagon("1533"), hexagon("1532")
    costs = [dict(steps_from(GROUND, a, components.MOTOR, frozen, False, 0)).get(b) for frozen in (False, True)]
    assert costs == [6, 4]  # light woods: three points, then two


def test_28_2_clear_weather_from_turn_15_to_22() -> None:
    clear = [turn for turn in range(1, 31) if model.clear_weather(stage("german", "", turn=turn, scenario="extended"))]
    assert clear == list(range(15, 23))
