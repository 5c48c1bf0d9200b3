"""The Deadly Woods: chapter 17, armies in the cup."""

from __future__ import annotations

import pytest

from games.deadly_woods.positions import (
    chits,
    cup_of,
)
from salient.games.deadly_woods.chits import army_is_secret
from salient.games.deadly_woods.components import CHITS
from salient.kernel import SeededDice


def seen_cup(table, seat):
    panels = table.game.view.observe(table.state, seat)["panels"]
    return [chip["key"] for panel in panels if panel["key"] == "cup" for chip in panel["chips"]]


@pytest.mark.parametrize("army", ["5pz", "6pz"])
def test_17_the_choice_of_an_army_is_the_germans_secret(phase, army):
    """On turn 4 the Allies see that a panzer army is in the cup, not which, until it is drawn."""
    table = phase("cup", "4019 12VG/27\n2519 99/393", turn=4).play(f"choose {army}")
    assert all("chit" not in event.args for event in table.said("army-chosen"))
    assert "choose" in table.game.secret_verbs
    assert army in seen_cup(table, "german")
    assert "panzer-army" in seen_cup(table, "allied")
    assert not {"5pz", "6pz"} & set(seen_cup(table, "allied"))


@pytest.mark.parametrize("army", ["5pz", "6pz"])
def test_17_the_draw_does_not_name_the_secret_army(phase, army):
    """Whoever holds the dice sees the same draws whichever army the German chose; drawn, it is known."""
    table = phase("cup", "4019 12VG/27\n2519 99/393", turn=4).play(
        f"choose {army}", "first german-mc", "play move", "pass"
    )
    draws = ["draw german-mc", "draw formations", "draw german-reinforcements", "draw supply", "draw allied-mc"]
    assert table.choices("draw") == [*draws, "draw allied-reinforcements", "draw panzer-army"]
    assert table.refusal(f"draw {army}") == ("14.1", "roll-first")
    table.play("draw panzer-army")
    assert table.state.track[-1:] == chits(army)


def test_17_resampling_for_the_allies_redraws_the_army(phase):
    """Both armies come up in redrawn positions for the Allies, one only for the German."""
    table = phase("cup", "4019 12VG/27\n2519 99/393", turn=4).play("choose 5pz")
    dice = SeededDice(7)

    def armies(seat):
        states = [table.game.resample(table.state, seat, dice) for _ in range(20)]
        return {tuple(s.cup[c] for c in chits("5pz", "6pz")) for s in states}

    assert armies("allied") == {(1, 0), (0, 1)}
    assert armies("german") == {(1, 0)}


def test_17_a_drawn_army_and_two_known_armies_are_no_secret(drawing):
    """With both chits known to be in the game nothing is hidden."""
    assert army_is_secret(drawing({"5pz": 1, "supply": 1}, turn=5).state)
    assert not army_is_secret(drawing({"5pz": 1, "6pz": 1}, turn=4).state)
    assert not army_is_secret(drawing({"6pz": 1}, turn=4, track=chits("5pz")).state)
    assert not army_is_secret(drawing({"6pz": 1}, turn=3).state)


def test_17_an_army_chosen_may_open_the_turn(phase):
    """The German chooses 6th Panzer Army and plays it first: the Allies see it on the round track."""
    table = phase("cup", "3607 2Pz/3\n2519 99/393", turn=4).play("choose 6pz", "first 6pz")
    assert table.state.track == chits("6pz")
    assert table.choices("select") == ["select 2Pz/3"]


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        (2, {"all-german": 1, "formations": 1, "german-reinforcements": 2, "german-mc": 2, "supply": 2, "5pz": 1,
             "6pz": 1, "allied-mc": 2, "allied-reinforcements": 1}),
        (3, {"one-army": 1, "formations": 1, "german-reinforcements": 2, "german-mc": 2, "supply": 2, "5pz": 1,
             "6pz": 1, "allied-mc": 2, "allied-reinforcements": 1}),
        (5, {"formations": 1, "german-reinforcements": 2, "german-mc": 2, "supply": 2, "allied-mc": 2,
             "allied-reinforcements": 1}),
        (7, {"formations": 1, "german-mc": 2, "supply": 2, "patton-monty": 1, "allied-mc": 2}),
        (10, {"german-mc": 2, "supply": 2, "patton-monty": 1, "allied-mc": 2, "allied-reinforcements": 1}),
        (12, {"german-mc": 2, "supply": 2, "patton-monty": 1, "allied-mc": 2}),
    ],
)  # fmt: skip
def test_17_the_cup_of_each_turn(phase, turn, expected):
    """As the table lists them; on turns 2 to 7 the Allies hold a reinforcement chit as well."""
    table = phase("cup", "4019 12VG/27\n2519 99/393", turn=turn)
    assert cup_of(table) == expected
    assert (table.state.hand == CHITS.index("allied-reinforcements")) is (turn <= 7)


def test_17_the_choice_of_a_panzer_army(phase):
    """Turn 4: one of the two, both with St. Vith and Bastogne; turn 5: one, with both towns."""
    both = "3211 12VG/27\n2519 26VG/39"
    four = phase("cup", "4019 12VG/27", turn=4)
    assert four.choices() == ["choose 5pz", "choose 6pz"]
    assert "6pz" in cup_of(four.play("choose 6pz"))
    assert {"5pz", "6pz"} <= set(cup_of(phase("cup", both, turn=4)))
    assert phase("cup", both, turn=5).choices() == ["choose 5pz", "choose 6pz"]
