"""Ardennes '44: the scenarios."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import (
    GAME,
    GROUND,
    TABLES,
    UNITS,
    hexagon,
    stage,
    unit,
)
from salient import load
from salient.games.ardennes44 import model
from salient.games.ardennes44.reinforcements import entry_hexes
from salient.games.ardennes44.strengths import halvings
from salient.games.ardennes44.supply import sources
from salient.games.ardennes44.victory import german_holds_on
from salient.hexes.masks import bits
from salient.kernel import actor, candidates, step
from table import Table


@pytest.mark.parametrize("scenario", list(TABLES.scenarios))
def test_s_every_scenario_begins_soundly(scenario: str) -> None:
    game = load("ardennes44")
    assert game.check(game.new(scenario)) == []


def test_s1_1_the_campaign_ends_after_22_turns(phase: Any) -> None:
    assert phase("victory", "allied", "6637 84/334", turn=22).state.result_key == "allied-holds"


def test_s1_3_the_german_may_set_up_freely() -> None:
    game = load("ardennes44")
    s = game.new("", {"german-set-up": "free"})
    assert actor(s) == "german"
    assert type(s.stack[-1]).__name__ == "SetUp"


def test_s1_3_units_are_placed_in_any_order_and_taken_up_again() -> None:
    game = load("ardennes44")
    table = Table(game, game.new("", {"german-set-up": "free"}))
    before = table.state.key()
    last = table.choices("place")[-1]
    name = last.split()[1]
    assert table.try_all(last, f"drop {name}").state.key() == before
    assert table.try_all(last).refusal(last)[0] == "S1.3"
    assert table.refusal("done") == ("S1.3", "place-first")


def test_s1_the_campaign_is_played_by_its_candidates() -> None:
    """From the first position on there is always something that leads on."""
    s: Any = GAME.new()
    for _ in range(50):
        s = step(s, candidates(s)[0], trusted=True)
    assert halvings(s, unit("26VG/39"), hexagon("2212")) is not None


def test_s2_3_only_roads_that_go_on_bring_supply_from_the_west() -> None:
    """A road that ends before the edge leads to no source."""
    s = stage("allied", "3413 84/334", turn=5, scenario="six-turns")
    edge = sources(s, 0) & GROUND.east_west_edge
    for h in bits(edge):
        assert any(GROUND.column[b] > 40 and GROUND.board.road(h, b) for b in GROUND.board.adjacent[h])
    assert edge != GROUND.east_west_edge & GROUND.road_hexes


def test_s2_4_ten_points_in_six_turns(phase: Any) -> None:
    table = phase("victory", "allied", "3413 101/501", turn=6, scenario="six-turns")
    assert table.state.result_key == "allied-points"


def test_s2_six_turns_on_the_east_map() -> None:
    s: Any = GAME.new("six-turns")
    assert model.turns_of(s) == 6
    assert all(s.where[u] == GROUND.gone for u in range(UNITS.count) if UNITS.formation[u] in ("82", "101"))


def test_s3_airborne_divisions_enter_by_any_road_of_the_western_edge() -> None:
    s = stage("allied", "track 101/501\n3413 84/334", turn=6, scenario="eight-turns")
    roads = GROUND.east_west_edge & GROUND.road_hexes
    assert sum(1 << h for h in entry_hexes(s, unit("101/501"))) == roads


def test_s4_3_patton_begins_with_peiper_and_bastogne_cut_off() -> None:
    s: Any = load("ardennes44").new("patton")
    cut = {UNITS.ids[u] for u in bits(s.oos)}
    assert {"1SS/1Pz", "101/501"} <= cut
    assert (s.points[unit("1SS/1Pz")], s.points[unit("101/501")]) == (3, 1)
    assert s.blown.bit_count() == 4


def test_s4_2_what_gave_up_before_22_december_cannot_be_replaced() -> None:
    """The regiments in the Schnee Eifel have surrendered [25.2.5]; others were destroyed and may come back."""
    s: Any = load("ardennes44").new("patton")
    assert {s.where[unit(name)] for name in ("106/422", "106/423-", "106/423/2")} == {GROUND.gone}
    assert s.where[unit("28/110/3")] == GROUND.eliminated


def test_s4_4_bastogne_cut_off_is_a_draw() -> None:
    s = load("ardennes44").new("patton")
    assert s.turn == 13  # type: ignore[attr-defined]
    assert GROUND.bastogne & ~s.held == GROUND.bastogne  # type: ignore[attr-defined]


def test_s5_2_germans_hold_on() -> None:
    assert not german_holds_on(stage("german", "", turn=30, scenario="extended"))


def test_s5_patton_goes_on_to_turn_30() -> None:
    s: Any = load("ardennes44").new("patton-extended")
    short: Any = load("ardennes44").new("patton")
    assert (s.turn, s.where, model.turns_of(s)) == (13, short.where, 30)
