"""Second reading of chapters 5 to 7: artillery supply, fuel and bridges."""

from __future__ import annotations

from typing import Any

from tests.games.ardennes44.conftest import bridge, stage, unit, where

from salient.common.sides import ALLIED
from salient.games.ardennes44 import model
from salient.games.ardennes44.bridges import refuse_demolition, sappers

SAUER = "1105/1106"

# ---- 7.3, 7.4 Demolition -------------------------------------------------------------------------------


def test_7_3_a_unit_next_to_a_bank_is_near() -> None:
    s = stage("allied", "1104 4/12/3\n1106 212VG/320")
    assert sappers(s, ALLIED, model.BRIDGE_IDS[SAUER]) == (unit("4/12/3"),)


def test_7_3_not_through_an_enemy() -> None:
    """The only bank that the Americans touch is full of Germans."""
    s = stage("allied", "1104 4/12/3\n1105 212VG/320")
    assert sappers(s, ALLIED, model.BRIDGE_IDS[SAUER]) == ()


def test_7_3_not_into_a_bond() -> None:
    """Germans in 1006 and 1205 close Echternach between them."""
    s = stage("allied", "1104 4/12/3\n1106 212VG/320")
    assert refuse_demolition(s, ALLIED, model.BRIDGE_IDS[SAUER]) is None
    closed = stage("allied", "1104 4/12/3\n1006 212VG/320\n1205 212VG/316")
    found = refuse_demolition(closed, ALLIED, model.BRIDGE_IDS[SAUER])
    assert found is not None
    assert found.rule == "7.3"


def test_7_4_a_neighbour_blows_the_bridge_when_the_defenders_are_routed(fighting: Any) -> None:
    """The unit that blows it must stand within a hex and not be routed; it need not be attacked."""
    table = fighting("german", "1106 212VG/320\n1105 4/12/3 routed\n1104 4/12/2")
    table.play("attack 1105", "join 212VG/320", "resolve")
    assert table.choices("blow") == [f"blow {SAUER}"]


def test_7_5_a_neighbour_in_good_order_blows_it_better(fighting: Any) -> None:
    """Engaged defenders add two, a neighbour in good order does not: 3 and 1 for the enemy's turn."""
    table = fighting("german", "1106 212VG/320\n1105 4/12/3 engaged\n1104 4/12/2")
    table.play("attack 1105", "join 212VG/320", "resolve", f"blow {SAUER}", "roll 3")
    assert table.state.blown & bridge(SAUER)
    alone = fighting("german", "1106 212VG/320\n1105 4/12/3 engaged")
    alone.play("attack 1105", "join 212VG/320", "resolve", f"blow {SAUER}", "roll 3")
    assert not alone.state.blown & bridge(SAUER)


# ---- 7.7 Ouren --------------------------------------------------------------------------------------------

OUREN = "2020/2119"


def test_7_7_reinforcements_on_the_march_look_at_the_bridge(moving: Any) -> None:
    table = moving("german", "track 2SS/Rec", turn=8, ouren=0, held=model.OBJECTIVES)
    table.play("select 2SS/Rec", "ride 2SS/Rec 2119", "roll 1", "select 2SS/Rec")
    assert table.state.blown & bridge(OUREN)
    assert "ride 2SS/Rec 2119" not in table.choices("ride")
    strong = moving("german", "track 2SS/Rec", turn=8, ouren=0, held=model.OBJECTIVES)
    strong.play("select 2SS/Rec", "ride 2SS/Rec 2119", "roll 5", "select 2SS/Rec", "ride 2SS/Rec 2119")
    assert where(strong, "2SS/Rec") == "2119"


def test_7_7_infiltrators_by_night_look_at_the_bridge(moving: Any) -> None:
    table = moving("german", "2020 116Pz/16/1", turn=8, night=1, ouren=0, rules=model.INFILTRATION)
    table.play("sneak 116Pz/16/1 2119", "roll 2")
    assert table.state.blown & bridge(OUREN)
    assert where(table, "116Pz/16/1") == "2020"
    assert "sneak 116Pz/16/1 2119" not in table.choices("sneak")


def test_7_7_a_bridge_that_was_blown_up_is_looked_at_no_more(bridging: Any) -> None:
    """Troops who then ford the river do not look for the bridge, and what is built there later is sound."""
    table = bridging("allied", "2119 28/112/2\n2020 116Pz/60", turn=3, ouren=0)
    table.play(f"blow {OUREN}", "roll 4")
    assert table.state.ouren == 1


def test_7_2_one_attempt_a_bridge_and_turn(bridging: Any) -> None:
    """A bridge that withstood the charge is not tried again in this player turn."""
    table = bridging("allied", "2016 2Pz/2\n2115 84/334\n1913 2Pz/304\n2013 84/335")
    table.play("blow 2016/2115", "roll 6")
    assert table.refusal("blow 2016/2115") == ("7.2", "tried-already")
