"""Ardennes '44: chapter 5, artillery supply."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import (
    FAR,
    key,
    marked,
)


def test_5_1_tractors_go_back(phase: Any) -> None:
    assert phase("german-artillery", "german", "6637 VAK766 tractor").state.tractor == 0


def test_5_2_guns_are_named_in_any_order_and_turned_by_done(phase: Any) -> None:
    """The last on the list first: two more may follow, one is taken back, nothing is ready before `done`."""
    lines = "2014 Werfer15 fired\n1915 VAK766 fired\n1719 Werfer7 fired\n1718 VAK401 fired\n1621 Werfer16 fired"
    start = phase("german-artillery", "german", lines)
    names = [text.split()[1] for text in start.choices("ready")]
    table = start.try_all(f"ready {names[4]}", f"ready {names[0]}", f"ready {names[2]}")
    assert table.refusal(f"ready {names[1]}") == ("5.2", "enough-shells")
    assert table.refusal(f"ready {names[0]}") == ("5.2", "named-already")
    assert table.refusal(f"drop {names[1]}") == ("5.2", "not-named")
    assert all(marked(table, "fired", name) for name in names)
    other = start.try_all(*(f"ready {names[i]}" for i in (2, 1, 4)), f"drop {names[1]}", f"ready {names[0]}")
    assert key(table) == key(other)
    table.play("done")
    assert [marked(table, "fired", name) for name in names] == [False, True, False, True, False]


GUNS = "6637 VAK766 fired\n6635 VAK401 fired\n6633 Werfer15 fired\n6631 Werfer7 fired"


def test_5_2_three_german_guns_a_turn(phase: Any) -> None:
    table = phase("german-artillery", "german", GUNS)
    table.play(*(table.choices("ready")[0:1]))
    table.play(*(table.choices("ready")[0:1]))
    table.play(*(table.choices("ready")[0:1]))
    assert table.choices("ready") == []
    assert table.play("done").state.fired.bit_count() == 1


def test_5_2_all_allied_guns(phase: Any) -> None:
    table = phase("allied-artillery", "allied", "6637 VII/18 fired\n6635 VII/142 fired disrupted")
    assert not marked(table, "fired", "VII/18")
    assert marked(table, "fired", "VII/142")


@pytest.mark.parametrize("mark", ["disrupted", "oos", "march"])
def test_5_3_guns_that_cannot_be_readied(phase: Any, mark: str) -> None:
    """Disrupted, out of supply, on the march (Allies only): no shells."""
    side, gun = ("allied", "VIII/333") if mark == "march" else ("german", "VAK766")
    table = phase(f"{side}-artillery", side, f"6637 {gun} fired {mark}\n2711 84/334\n{FAR}")
    assert marked(table, "fired", gun)


def test_5_3_guns_in_zones_and_engaged_are_readied(phase: Any) -> None:
    table = phase("german-artillery", "german", f"6637 VAK766 fired engaged\n6638 84/334\n{FAR}")
    assert not marked(table, "fired", "VAK766")


def test_5_4_six_on_turn_2(phase: Any) -> None:
    assert phase("german-artillery", "german", GUNS, turn=2).state.fired == 0
