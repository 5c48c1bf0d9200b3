"""Ardennes '44: chapter 36, greif."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import (
    GROUND,
    bridge,
    stage,
    unit,
)
from salient.games.ardennes44 import model
from salient.games.ardennes44.bridges import demolition_modifier


def test_36_a_commando_protects_a_bridge(bridging: Any) -> None:
    table = bridging("german", "2020 116Pz/60", turn=5, rules=model.COMMANDO)
    table.play("commando 2020/2119")
    assert table.state.greif == GROUND.bridge_ids["2020/2119"]


def test_36_once_before_turn_7(bridging: Any) -> None:
    table = bridging("german", "6637 2Pz/2", turn=5, rules=model.COMMANDO).play("commando 4111/4211")
    assert table.choices("commando") == []
    assert not bridging("german", "6637 2Pz/2", turn=7, rules=model.COMMANDO).choices("commando")


def test_36_two_on_the_demolition_and_then_gone(bridging: Any) -> None:
    index = GROUND.bridge_ids["4111/4211"]
    s = stage("allied", "4111 1/26", turn=5, greif=index)
    assert demolition_modifier(s, (unit("1/26"),), index, False) == 2
    table = bridging("allied", "4111 1/26\n4211 2Pz/2", turn=5, rules=model.COMMANDO, greif=index)
    table.play("blow 4111/4211", "roll 3")
    assert (table.state.blown & bridge("4111/4211"), table.state.greif) == (0, -2)


@pytest.mark.parametrize("night", [0, 1])
def test_36_at_any_time_in_the_german_movement_and_combat_phases(moving: Any, fighting: Any, night: int) -> None:
    lines = "6637 84/334\n6638 2Pz/2 night_marks" if night else "6637 84/334\n6638 2Pz/2"
    for position in (moving, fighting):
        table = position("german", lines, turn=6, night=night, rules=model.COMMANDO).play("commando 4111/4211")
        assert table.state.greif == GROUND.bridge_ids["4111/4211"]
        assert table.choices("commando") == []
        assert table.refusal("commando 2020/2119")[0] == "36"
        assert not position("german", lines, turn=7, night=0, rules=model.COMMANDO).choices("commando")
        assert not position("allied", lines.replace(" night_marks", ""), turn=6, rules=model.COMMANDO).choices(
            "commando"
        )


@pytest.mark.parametrize(("answer", "stands", "greif"), [("commando 4111/4211", True, -2), ("pass", False, -1)])
def test_36_before_the_die_of_a_demolition(bridging: Any, answer: str, stands: bool, greif: int) -> None:
    """The fuses burn: a commando placed now adds two to the 3."""
    table = bridging("allied", "4111 1/26\n4211 2Pz/2", turn=5, rules=model.COMMANDO).play("blow 4111/4211")
    assert (table.actor, table.choices()) == ("german", ["commando 4111/4211", "pass"])
    table.play(answer, "roll 3")
    assert (not table.state.blown & bridge("4111/4211"), table.state.greif) == (stands, greif)


@pytest.mark.parametrize(("answer", "stands"), [("commando 4111/4211", True), ("pass", False)])
def test_36_before_the_die_of_a_bridge_that_is_attacked(fighting: Any, answer: str, stands: bool) -> None:
    """In the German combat phase 3 and 1 blow it, two more do not."""
    table = fighting("german", "4111 1/26\n4211 2Pz/2", turn=5, rules=model.COMMANDO)
    table.play("attack 4111", "join 2Pz/2", "resolve", "blow 4111/4211")
    assert (table.actor, table.choices()) == ("german", ["commando 4111/4211", "pass"])
    table.play(answer, "roll 3")
    assert (not table.state.blown & bridge("4111/4211")) is stands


def test_36_nobody_is_asked_before_german_demolitions_nor_without_the_rule(bridging: Any) -> None:
    german = bridging("german", "4211 2Pz/2\n4111 1/26", turn=5, rules=model.COMMANDO).play("blow 4111/4211")
    assert german.actor == "chance"
    plain = bridging("allied", "4111 1/26\n4211 2Pz/2", turn=5).play("blow 4111/4211")
    assert plain.actor == "chance"
    late = bridging("allied", "4111 1/26\n4211 2Pz/2", turn=7, rules=model.COMMANDO).play("blow 4111/4211")
    assert late.actor == "chance"


def test_36_the_commando_is_seen(bridging: Any) -> None:
    table = bridging("german", "6637 2Pz/2", turn=5, rules=model.COMMANDO).play("commando 4111/4211")
    edges = {edge["key"]: edge["sides"] for edge in table.game.view.observe(table.state, "allied")["edges"]}
    assert edges["bridge-commando"] == [["4111", "4211"]]
