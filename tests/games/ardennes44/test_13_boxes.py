"""Rules of chapters 7 to 13 and of the scenarios that had no test of their own."""

from __future__ import annotations

from typing import Any

from tests.games.ardennes44.conftest import bridge, hexagon, stage, unit, where

from salient import load
from salient.games.ardennes44 import model
from salient.games.ardennes44.odds import halvings
from salient.games.ardennes44.reinforcements import is_threatened
from salient.games.ardennes44.retreats import retreat_options
from salient.kernel import candidates, legal, step

GAME = load("ardennes44")


def test_7_1_bridges_are_blown_and_built_in_one_phase(bridging: Any) -> None:
    blown = bridge("2016/2115")
    table = bridging("german", "2016 2Pz/2\n2115 2Pz/304", blown=blown, held=model.OBJECTIVES)
    assert table.choices("build") == ["build 2016/2115"]
    assert table.refusal("select 2Pz/2") == ("7.1", "bridges-first")


def test_11_4_2_no_retreat_across_the_meuse() -> None:
    a, b = next((a, b) for a, b in sorted(model.MEUSE) if not model.WEST_OF_MEUSE >> a & 1)
    s = stage("german", f"{model.BOARD.labels[a]} 84/334")
    options = retreat_options(s, unit("84/334"), (unit("84/334"),), 1)[0]
    assert b not in options


def test_11_9_4_who_retreated_off_the_map_recovers_first(moving: Any) -> None:
    """A disrupted unit in a box cannot enter, nor go to another box."""
    table = moving("allied", "southeast 84/334 disrupted\n6637 84/335").play("select 84/334")
    assert table.choices("enter") + table.choices("station") == []


def test_12_4_4_trucks_go_twelve_points(moving: Any) -> None:
    """Twice twelve hexes of a main road; a regiment in trucks does not double them."""
    table = moving("allied", "3413 84/334 march\n6637 2Pz/2").play("select 84/334")
    costs = [table.game.preview(table.state, table.game.read(text))["cost"] for text in table.choices("march 84/334")]
    assert max(costs) == 12


def test_13_7_boxes_have_no_limits(moving: Any) -> None:
    """Any number of units waits in a box, and Germans beside it do not bind them."""
    table = moving("allied", "southeast 84/334, 84/335, 1/26, 1/16\n6637 84/771")
    assert {"select 84/334", "select 1/26"} <= set(table.choices("select"))
    assert GAME.check(table.state) == []


def test_13_8_2_only_if_the_sector_is_blocked(fighting: Any) -> None:
    """Six factors stand against one German; the other one in the sector is not blocked."""
    free = fighting("allied", "1501 26VG/39\nblock-1501 10Arm/CCA\n6637 84/334\n6638 2Pz/2")
    assert "attack 1501" in free.choices("attack")
    bound = fighting("allied", "1501 26VG/39\n1001 212VG/320\nblock-1501 10Arm/CCA\n6637 84/334\n6638 2Pz/2")
    assert "attack 1501" not in bound.choices("attack")


def onto_the_map(fighting: Any, die: int) -> Any:
    table = fighting("allied", "1501 26VG/39 lost=1\nblock-1501 10Arm/CCA\n6637 84/334\n6638 2Pz/2")
    table.play("attack 1501", "join 10Arm/CCA", "resolve")
    while table.actor != "chance":
        table.play(next(text for text in ("resolve", "done", "pass") if text in table.choices()))
    return table.play(f"roll {die}")


def test_13_8_3_if_it_fails_they_stay(fighting: Any) -> None:
    assert where(onto_the_map(fighting, 6), "10Arm/CCA") == "block-1501"


def test_13_8_4_the_first_hex_is_the_entry_hex(fighting: Any) -> None:
    for die in range(1, 7):
        table = onto_the_map(fighting, die)
        advances = table.choices("advance 10Arm/CCA")
        if advances:
            table.play("advance 10Arm/CCA 1501")
            assert where(table, "10Arm/CCA") == "1501"
            return
    raise AssertionError("no roll clears the entry hex")


def test_s2_six_turns_on_the_east_map() -> None:
    s: Any = GAME.new("six-turns")
    assert model.turns_of(s) == 6
    assert all(s.where[u] == model.GONE for u in range(model.COUNT) if model.FORMATION[u] in ("82", "101"))


def test_s1_the_campaign_is_played_by_its_candidates() -> None:
    """From the first position on there is always something that leads on."""
    s: Any = GAME.new()
    for _ in range(50):
        s = step(s, candidates(s)[0], trusted=True)
    assert halvings(s, unit("26VG/39"), hexagon("2212")) is not None


def test_13_4_five_factors_do_not_block() -> None:
    """Six are needed: a unit of five leaves the sector threatened, one of six does not."""

    def threatened(factors: int) -> bool:
        name = next(model.UNITS[u] for u in model.SIDE_UNITS[0] if model.VALUES[u][0][1] == factors)
        return is_threatened(stage("allied", f"1001 212VG/320\nblock-1001 {name}", turn=4), "southeast")

    assert threatened(5)
    assert not threatened(6)


def test_26_4_not_from_another_hex(moving: Any) -> None:
    """A battalion rejoins its regiment where it stands, not from afar."""
    table = moving("allied", "6637 84/334 lost=1\n6630 Bn1 parent=84/334")
    assert table.refusal("merge Bn1") == ("26.4", "parent-elsewhere")


def test_30_1_2_a_plain_move_takes_the_towns_on_its_way(moving: Any) -> None:
    """A victory hex in the middle of a way changes hands, not only the one at its end."""
    s: Any = moving("german", "3514 2Pz/Rec\n0129 2SS/3").play("select 2Pz/Rec").state
    ways = [GAME.preview(s, action)["path"] for action in legal(s) if action[0] == "move"]
    mine = [h for h in range(model.HEXES) if model.OBJECTIVES >> h & ~s.held >> h & 1]
    towns = {h: way for way in ways for h in way[1:-1] if hexagon(h) in mine}
    town, way = next(iter(towns.items()))
    after: Any = step(s, GAME.read(f"move 2Pz/Rec {way[-1]}"))
    assert after.held >> hexagon(town) & 1
