"""Ardennes '44: chapter 32, depots."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import (
    GROUND,
    effects,
    reach,
    stage,
    unit,
)
from salient import load
from salient.common.sides import GERMAN
from salient.games.ardennes44 import model
from salient.games.ardennes44.bridges import burnable
from salient.games.ardennes44.combat import refuse_target
from salient.games.ardennes44.entering import CAPTURED, DUMMY, HIDDEN, NO_DEPOT, SHOWN
from salient.games.ardennes44.strengths import Battle, odds
from salient.games.ardennes44.supply import road_network
from salient.kernel import SeededDice, actor, step


def test_32_1_a_way_shows_a_depot_or_not(moving: Any) -> None:
    """Next to the marker it is turned over; the preview says so, but not what it is."""
    depots = (HIDDEN, DUMMY, DUMMY)
    table = moving("german", "2828 26VG/39\n6637 2Pz/2", turn=5, rules=model.DEPOTS, depots=depots)
    table.play("select 26VG/39")
    assert effects(table, "move 26VG/39 2829") == []
    assert effects(table, "move 26VG/39 2830")[0] == "way-shows-depot"
    dummy = moving("german", "2828 26VG/39\n6637 2Pz/2", turn=5, rules=model.DEPOTS, depots=(DUMMY, HIDDEN, DUMMY))
    assert effects(dummy.play("select 26VG/39"), "move 26VG/39 2830")[0] == "way-shows-depot"


def test_32_1_the_depots_are_laid_out_at_random() -> None:
    """Nobody chooses: three outcomes, each with the same chance."""
    game = load("ardennes44")
    s: Any = game.new("", {"fuel-depots": "on"})
    assert [(game.write(action), str(chance)) for action, chance in s.stack[-1].outcomes(s)] == [
        (f"hide {GROUND.board.labels[h]}", "1/3") for h in GROUND.depot_hexes
    ]


def test_32_1_the_depot_is_hidden_from_germans() -> None:
    game = load("ardennes44")
    s = game.new("", {"fuel-depots": "on"})
    assert actor(s) == "chance"
    s = step(s, game.read("hide 2831"))
    keys = [m["key"] for m in game.view.observe(s, "german")["markers"] if m["key"].startswith("depot")]
    assert keys == ["depot-hidden"] * 3
    other = game.resample(s, "german", SeededDice(3))
    assert sorted(other.depots) == sorted(s.depots)  # type: ignore[attr-defined]


@pytest.mark.parametrize(("marker", "becomes"), [(HIDDEN, SHOWN), (DUMMY, NO_DEPOT)])
def test_32_1_a_german_next_to_it_turns_it_over(moving: Any, marker: int, becomes: int) -> None:
    """The marker in 2831 stays hidden from two hexes away, is turned over from 2830, and must be attacked."""
    depots = (marker, DUMMY, DUMMY)
    table = moving("german", "2828 26VG/39\n6637 2Pz/2", turn=5, rules=model.DEPOTS, depots=depots)
    assert {"2829", "2830"} <= reach(table, "26VG/39")
    assert "2831" not in reach(moving("german", "2830 26VG/39", turn=5, rules=model.DEPOTS, depots=depots), "26VG/39")
    far = table.try_all("select 26VG/39", "move 26VG/39 2829")
    assert far.state.depots == depots  # type: ignore[attr-defined]
    near = table.try_all("select 26VG/39", "move 26VG/39 2830")
    assert near.state.depots == (becomes, DUMMY, DUMMY)  # type: ignore[attr-defined]
    assert [event.key for event in near.events if event.rule == "32.1"] == [
        "depot-found" if marker == HIDDEN else "depot-false"
    ]


def test_32_1_an_american_next_to_it_does_not(moving: Any) -> None:
    depots = (HIDDEN, DUMMY, DUMMY)
    table = moving("allied", "2828 84/334\n6637 84/335", turn=5, rules=model.DEPOTS, depots=depots)
    assert table.play("select 84/334", "move 84/334 2830").state.depots == depots


def test_32_2_captured_fuel_is_brought_home(phase: Any) -> None:
    h = GROUND.board.labels[GROUND.depot_hexes[0]]
    s = stage("german", f"{h} 2Pz/2", turn=7, depots=(CAPTURED, 0, 0))
    fed = bool(road_network(s, GERMAN) >> GROUND.depot_hexes[0] & 1)
    table = phase("german-fuel", "german", f"{h} 2Pz/2", turn=7, depots=(CAPTURED, 0, 0))
    assert bool(table.state.fuel_left) == fed


DEPOT = GROUND.depot_hexes[0]


def beside(h: int, count: int = 1) -> list[str]:
    """Hexes next to a hex from which it can be entered freely."""
    return [GROUND.board.labels[b] for b in GROUND.board.adjacent[h] if GROUND.board.side(h, b) is None][:count]


def test_32_2_a_depot_defends_with_two_and_no_bonus() -> None:
    (near,) = beside(DEPOT)
    s = stage("german", f"{near} 9SS/19", turn=5, rules=model.DEPOTS, depots=(SHOWN, NO_DEPOT, NO_DEPOT))
    assert refuse_target(s, GERMAN, DEPOT) is None
    assert odds(s, Battle(GERMAN, DEPOT, (unit("9SS/19"),))).defence == 2


DEPOT_LABEL = GROUND.board.labels[DEPOT]


HALF_OF_NINTH = "9SS/19, 9SS/9/1"


def at_the_depot(fighting: Any, garrison: str = "") -> Any:
    near, other = beside(DEPOT, 2)
    lines = f"{near} {HALF_OF_NINTH}\n{other} 9SS/20, 9SS/9/2\n" + (f"{DEPOT_LABEL} {garrison}" if garrison else "")
    table = fighting("german", lines, turn=5, rules=model.DEPOTS, depots=(SHOWN, NO_DEPOT, NO_DEPOT))
    table.play(f"attack {DEPOT_LABEL}", "join 9SS/9/1", "join 9SS/9/2", "join 9SS/19", "join 9SS/20", "resolve")
    assert table.choices("burn")
    return table


def test_32_2_capture(fighting: Any) -> None:
    table = at_the_depot(fighting).play("pass", "roll 6")
    assert table.state.depots[0] == CAPTURED
    assert table.choices("advance")


def test_32_2_it_falls_with_its_garrison(fighting: Any) -> None:
    table = at_the_depot(fighting, "99/394/1").play("pass", "roll 1")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert table.state.depots[0] == CAPTURED
    assert table.choices("advance")


def test_32_2_a_firefight_may_be_pressed(fighting: Any) -> None:
    near = beside(DEPOT)[0]
    table = fighting(
        "german", f"{near} 12VG/27\n6030 5/10\n6031 79VG/208", turn=5, rules=model.DEPOTS, depots=(SHOWN, 0, 0)
    )
    table.play(f"attack {DEPOT_LABEL}", "join 12VG/27", "resolve", "pass", "roll 2")
    assert table.choices("lead") == ["lead 12VG/27"]
    table.play("lead 12VG/27", "roll 2")
    assert table.state.depots[0] == CAPTURED


def test_32_2_two_turns_without_shortage(phase: Any) -> None:
    for turn, rolls in ((7, False), (8, False), (9, True)):
        table = phase("german-fuel", "german", "6637 2Pz/2", turn=turn, fuel_left=1)
        assert (getattr(table.state.stack[-1], "purpose", lambda s: "")(table.state) == "fuel") is rolls


@pytest.mark.parametrize(("die", "burnt"), [(1, True), (2, True), (3, False)])
def test_32_3_burnt_when_attacked(fighting: Any, die: int, burnt: bool) -> None:
    table = at_the_depot(fighting).play(f"burn {DEPOT_LABEL}", f"roll {die}")
    assert (table.state.depots[0] == NO_DEPOT) is burnt


@pytest.mark.parametrize(("die", "burnt"), [(4, True), (5, False)])
def test_32_3_burnt_in_the_bridge_phase(bridging: Any, die: int, burnt: bool) -> None:
    (near,) = beside(DEPOT)
    table = bridging("allied", f"{near} 9SS/19", turn=5, rules=model.DEPOTS, depots=(SHOWN, 0, 0))
    table.play(f"burn {DEPOT_LABEL}", f"roll {die}")
    assert (table.state.depots[0] == NO_DEPOT) is burnt


def test_32_3_only_with_a_german_beside_it() -> None:
    assert burnable(stage("allied", "", turn=5, rules=model.DEPOTS, depots=(SHOWN, 0, 0))) == []


def test_32_3_gone_after_turn_6(phase: Any) -> None:
    table = phase("end-turn", "german", "6637 2Pz/2", turn=6, rules=model.DEPOTS, depots=(HIDDEN, DUMMY, CAPTURED))
    assert table.state.depots[:2] == (NO_DEPOT, NO_DEPOT)
    assert table.state.fuel_left == 1  # what was captured is brought home on turn 7
