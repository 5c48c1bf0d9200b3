"""Battle of the Bulge: chapter 11, options."""

from __future__ import annotations

import random

import pytest

from games.bulge.positions import CITIES_24, GROUND, position
from salient import load, step
from salient.games.bulge import model
from salient.games.bulge.components import GROUND_KINDS, SIDES
from salient.games.bulge.setup import Deploy
from salient.hexes.masks import bits
from salient.kernel import candidates
from table import Table


def test_11_1_sides_are_exchanged(upkeep):
    """After the first game the Allied player commands the Axis, and the points are kept."""
    table = upkeep(f"games 2\n{CITIES_24}", turn=3)
    state = table.state
    assert (state.game, state.turn, state.totals) == (1, 1, [24, 0])
    assert table.actor == "allied"
    assert table.choices("attack")
    assert table.game.result(state) is None
    assert [event.rule for event in table.said("game-won")] == ["10.1"]


@pytest.mark.parametrize(
    ("first", "second", "winner", "key"),
    [
        (20, CITIES_24, "allied", "campaign-won"),
        (24, CITIES_24, None, "campaign-drawn"),
        (24, "front 0105", "axis", "campaign-won"),
    ],
)
def test_11_1_who_took_more_points_as_the_axis_wins(upkeep, first, second, winner, key):
    """In the last game the seats are exchanged; equal totals are a draw."""
    table = upkeep(f"games 2\ngame 1\ntotals {first} 0\n{second}", turn=8)
    result = table.game.result(table.state)
    assert (result.winner, result.rule, result.key) == (winner, "11.1", key)


@pytest.mark.parametrize(("choice", "games"), [("one", 1), ("two", 2), ("four", 4)])
def test_11_1_length_of_a_campaign(choice, games):
    """An option."""
    assert load("bulge").new("", {"campaign": choice}).games == games


def free_game() -> Table:
    game = load("bulge")
    return Table(game, game.new("", {"set-up": "free"}))


def test_11_2_the_allies_set_up_first_on_their_side():
    """Any kind first; only hexes west of the line, none of them partial."""
    table = free_game()
    assert table.actor == "allied"
    places = {text.split()[2] for text in table.choices("deploy")}
    assert places == {GROUND.board.labels[h] for h in bits(GROUND.whole & ~GROUND.axis_start)}
    assert table.refusal("deploy allied-infantry-allied-base 0209") == ("11.2", "outside-own-area")
    assert table.refusal("done") == ("11.2", "deploy-first")
    one = table.try_all("deploy allied-tank-allied-base 0105", "deploy allied-infantry-allied-base 0107")
    other = table.try_all("deploy allied-infantry-allied-base 0107", "deploy allied-tank-allied-base 0105")
    assert one.state.key() == other.state.key()
    assert one.try_all("drop allied-tank-0105", "drop allied-infantry-0107").state.key() == table.state.key()


@pytest.mark.parametrize("seed", [1, 2])
def test_11_2_every_hex_of_the_enemys_line_is_watched(seed):
    """Whatever the players do: all pieces of the set-up stand, and each side controls the other's line."""
    rng = random.Random(seed)
    state = free_game().state
    historical = load("bulge").new()
    order = []
    while isinstance(state.stack[-1], Deploy):
        order.append(state.stack[-1].group)
        state = step(state, rng.choice(candidates(state)))
    assert order == sorted(order)
    assert load("bulge").check(state) == []
    for side in SIDES:
        enemy = model.owned(state, 1 - side)
        line = model.around(GROUND, model.owned(state, side)) & enemy
        assert not line & ~model.zone_of_control(state, side)
        for kind in GROUND_KINDS:
            row = slice((side * 5 + kind) * GROUND.hexes, (side * 5 + kind + 1) * GROUND.hexes)
            assert sum(state.pieces[row]) == sum(historical.pieces[row])


def test_11_2_armies_stay_in_their_areas():
    """Pieces of the 6th Panzer Army are set up in its hexes only."""
    table = position("preset free\n0105 allied-infantry 1", "Turn(set-up) Deploy(1,[3,2,1,1,2])", 1)
    places = {text.split()[2] for text in table.choices("deploy")}
    assert places <= {GROUND.board.labels[h] for h in GROUND.board.zones["army-6-panzer"]}
    assert table.refusal("deploy axis-infantry-axis-base 0509") == ("11.2", "outside-own-area")


def test_11_2_a_set_up_with_a_gap_cannot_be_done():
    """The last infantry far from the line: it must be taken back; computer players do not set it up there."""
    table = position("preset free", "Turn(set-up) Deploy(1,[1,0,0,0,0])", 1)
    table.play("deploy axis-infantry-axis-base 0110")
    assert table.refusal("done") == ("11.2", "line-must-be-watched")
    assert table.refusal("deploy axis-infantry-axis-base 0110") == ("11.2", "all-deployed")
    assert table.choices() == ["drop axis-infantry-0110"]


def test_11_2_no_hex_above_the_limits():
    """Six infantry fill a hex."""
    table = position("preset free\n0105 allied-infantry 6", "Turn(set-up) Deploy(0,[20,2,1,1,2])", 1)
    assert table.refusal("deploy allied-infantry-allied-base 0105") == ("7.11", "hex-full")


def test_11_2_tokens_count_one_unit():
    """They join tokens in a full hex, but do not make a thirteenth unit."""
    lines = "preset free\n0105 allied-infantry 6, allied-tank 6\n0106 allied-infantry 6, allied-tank 5, allied-supply 1"
    table = position(lines, "Turn(set-up) Deploy(0,[0,0,0,0,2])", 1)
    assert table.refusal("deploy allied-supply-allied-base 0105") == ("7.11", "hex-full")
    assert "deploy allied-supply-allied-base 0106" in table.choices()
