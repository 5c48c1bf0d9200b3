"""Ardennes '44: chapter 7, bridges."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import (
    FAR,
    FAR_AWAY,
    GROUND,
    bridge,
    effects,
    in_every_order,
    marked,
    shifts_of,
    stage,
    unit,
    where,
)
from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44 import model
from salient.games.ardennes44.bridges import can_build, refuse_demolition, sappers


def test_7_1_bridges_are_blown_and_built_in_one_phase(bridging: Any) -> None:
    blown = bridge("2016/2115")
    table = bridging("german", "2016 2Pz/2\n2115 2Pz/304", blown=blown, held=GROUND.objectives)
    assert table.choices("build") == ["build 2016/2115"]
    assert table.refusal("select 2Pz/2") == ("7.1", "bridges-first")


def test_7_2_one_attempt_a_bridge_and_turn(bridging: Any) -> None:
    """A bridge that withstood the charge is not tried again in this player turn."""
    table = bridging("allied", "2016 2Pz/2\n2115 84/334\n1913 2Pz/304\n2013 84/335")
    table.play("blow 2016/2115", "roll 6")
    assert table.refusal("blow 2016/2115") == ("7.2", "tried-already")


def test_7_2_who_declines_to_blow_has_not_tried(fighting: Any) -> None:
    """A44-26: before a later attack over the same bridge he is asked again; a die that failed is the one attempt."""
    lines = f"4111 1/26\n4211 2Pz/3/1\n{FAR}"
    table = fighting("german", lines, turn=5).play("attack 4111", "join 2Pz/3/1", "resolve")
    assert not table.try_all("pass").state.bridges_tried
    assert table.try_all("blow 4111/4211", "roll 6").state.bridges_tried == bridge("4111/4211")


SAUER = "1105/1106"


def test_7_3_a_unit_next_to_a_bank_is_near() -> None:
    s = stage("allied", "1104 4/12/3\n1106 212VG/320")
    assert sappers(s, ALLIED, GROUND.bridge_ids[SAUER]) == (unit("4/12/3"),)


def test_7_3_not_through_an_enemy() -> None:
    """The only bank that the Americans touch is full of Germans."""
    s = stage("allied", "1104 4/12/3\n1105 212VG/320")
    assert sappers(s, ALLIED, GROUND.bridge_ids[SAUER]) == ()


def test_7_3_not_into_a_bond() -> None:
    """Germans in 1006 and 1205 close Echternach between them."""
    s = stage("allied", "1104 4/12/3\n1106 212VG/320")
    assert refuse_demolition(s, ALLIED, GROUND.bridge_ids[SAUER]) is None
    closed = stage("allied", "1104 4/12/3\n1006 212VG/320\n1205 212VG/316")
    found = refuse_demolition(closed, ALLIED, GROUND.bridge_ids[SAUER])
    assert found is not None
    assert found.rule == "7.3"


def test_7_3_demolition_needs_an_enemy_and_a_unit_near(bridging: Any) -> None:
    i = GROUND.bridge_ids["2020/2119"]
    assert refuse_demolition(stage("allied", "2119 28/112/2", turn=5), ALLIED, i).key == "no-enemy-near"  # type: ignore[union-attr]
    table = bridging("allied", "2119 28/112/2\n2020 116Pz/60", turn=5)
    table.play("blow 2020/2119", "roll 4")
    assert table.state.blown & bridge("2020/2119")


def test_7_4_a_neighbour_blows_the_bridge_when_the_defenders_are_routed(fighting: Any) -> None:
    """The unit that blows it must stand within a hex and not be routed; it need not be attacked."""
    table = fighting("german", "1106 212VG/320\n1105 4/12/3 routed\n1104 4/12/2")
    table.play("attack 1105", "join 212VG/320", "resolve")
    assert table.choices("blow") == [f"blow {SAUER}"]


def test_7_4_the_defender_blows_the_bridge_before_the_attack(fighting: Any) -> None:
    a, b = GROUND.board.labels[GROUND.bridges[0][0]], GROUND.board.labels[GROUND.bridges[0][1]]
    table = fighting("german", f"{a} 84/334\n{b} 2Pz/2", turn=9)
    table.play(f"attack {a}", "join 2Pz/2", "resolve")
    name = GROUND.bridge_names[0]
    assert table.choices("blow") == [f"blow {name}"]
    table.play(f"blow {name}", "roll 3")
    assert table.state.blown & 1
    table.play("cancel")
    assert where(table, "84/334") == a


def test_7_4_no_charge_twice(fighting: Any) -> None:
    table = fighting("german", "4111 1/26\n4211 2Pz/3/1", turn=5, bridges_tried=bridge("4111/4211"))
    assert table.play("attack 4111", "join 2Pz/3/1", "resolve").choices("blow") == []


def test_7_5_a_neighbour_in_good_order_blows_it_better(fighting: Any) -> None:
    """Engaged defenders add two, a neighbour in good order does not: 3 and 1 for the enemy's turn."""
    table = fighting("german", "1106 212VG/320\n1105 4/12/3 engaged\n1104 4/12/2")
    table.play("attack 1105", "join 212VG/320", "resolve", f"blow {SAUER}", "roll 3")
    assert table.state.blown & bridge(SAUER)
    alone = fighting("german", "1106 212VG/320\n1105 4/12/3 engaged")
    alone.play("attack 1105", "join 212VG/320", "resolve", f"blow {SAUER}", "roll 3")
    assert not alone.state.blown & bridge(SAUER)


def test_7_5_disorder_makes_it_harder(bridging: Any) -> None:
    table = bridging("allied", "2119 28/112/2 disrupted\n2020 116Pz/60", turn=5).play("blow 2020/2119", "roll 3")
    assert not table.state.blown & bridge("2020/2119")


def test_7_6_no_demolition_on_the_first_day() -> None:
    name = "2020/2119"
    s = stage("allied", "2119 28/112/2\n2020 116Pz/60", turn=2)
    refusal = refuse_demolition(s, ALLIED, GROUND.bridge_ids[name])
    assert refusal is not None
    assert refusal.rule == "7.6"


OUREN = "2020/2119"


def test_7_7_reinforcements_on_the_march_look_at_the_bridge(moving: Any) -> None:
    table = moving("german", "track 2SS/Rec", turn=8, ouren=0, held=GROUND.objectives)
    table.play("select 2SS/Rec", "ride 2SS/Rec 2119", "roll 1", "select 2SS/Rec")
    assert table.state.blown & bridge(OUREN)
    assert "ride 2SS/Rec 2119" not in table.choices("ride")
    strong = moving("german", "track 2SS/Rec", turn=8, ouren=0, held=GROUND.objectives)
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


def test_7_7_the_bridge_of_ouren_is_looked_at_once(moving: Any) -> None:
    table = moving("german", "2020 116Pz/60", turn=5)
    table.play("select 116Pz/60", "move 116Pz/60 2119")
    assert table.choices("roll") != []
    table.play("roll 6")
    assert table.state.ouren == 1
    table.play("select 116Pz/60", "move 116Pz/60 2119")
    assert where(table, "116Pz/60") == "2119"


def test_7_7_a_weak_bridge_stops_tanks(moving: Any) -> None:
    table = moving("german", "2020 116Pz/16/1", turn=5)
    table.play("select 116Pz/16/1", "move 116Pz/16/1 2119", "roll 4", "select 116Pz/16/1")
    assert "2119" not in table.destinations("116Pz/16/1")


def test_7_7_ouren_is_spared_if_another_way_costs_the_same(moving: Any) -> None:
    table = moving("german", f"1924 2Pz/Rec\n{FAR_AWAY}", ouren=0).play("select 2Pz/Rec")
    preview = table.game.view.preview(table.state, table.game.read("move 2Pz/Rec 2119"))
    assert not {"2020", "2119"} <= set(preview["path"]) or preview["path"][-2] != "2020"
    assert "way-tests-ouren" not in effects(table, "move 2Pz/Rec 2119")


def test_7_7_who_wants_to_leads_over_ouren(moving: Any) -> None:
    """The die comes before the step; the unit, which has not moved, is then free."""
    table = moving("german", f"2020 2Pz/Rec\n{FAR_AWAY}", ouren=0).play("select 2Pz/Rec")
    assert "way-tests-ouren" in effects(table, "via 2Pz/Rec 2119")
    table.play("via 2Pz/Rec 2119", "roll 6", "select 2Pz/Rec", "via 2Pz/Rec 2119")
    assert where(table, "2Pz/Rec") == "2119"
    broken = moving("german", f"2022 2Pz/Rec\n{FAR_AWAY}", ouren=0).play("select 2Pz/Rec")
    broken.play("via 2Pz/Rec 2020", "via 2Pz/Rec 2119", "roll 1")
    assert broken.refusal("cancel") == ("11.1", "finish-move-first")  # it is under way
    broken.play("move 2Pz/Rec 2020")


@pytest.mark.parametrize("die", [1, 4])
def test_7_7_an_attack_is_called_off_when_ouren_breaks(fighting: Any, die: int) -> None:
    """A44-4: as after a demolition the attack was none; it can be made again without the tanks."""
    table = fighting("german", f"2020 116Pz/60, 116Pz/16/1\n2119 28/112/2\n{FAR}", turn=2)
    table.play("attack 2119", "join 116Pz/60", "join 116Pz/16/1", "resolve", f"roll {die}")
    assert table.choices() == ["cancel", "pass"]
    table.play("cancel", "attack 2119", "join 116Pz/60", "resolve")
    assert not any(marked(table, "fought", name) for name in ("116Pz/16/1",))


def test_7_7_an_attack_goes_on_when_ouren_holds(fighting: Any) -> None:
    table = fighting("german", f"2020 116Pz/60, 116Pz/16/1\n2119 28/112/2\n{FAR}", turn=2)
    table.play("attack 2119", "join 116Pz/60", "join 116Pz/16/1", "resolve", "roll 5")
    assert shifts_of(table, "roll 1")["shift-armor"] == 1


def test_7_8_building_takes_two_phases(bridging: Any) -> None:
    table = bridging("german", "2016 2Pz/2\n2115 2Pz/304", turn=5, blown=bridge("2016/2115"))
    table.play("build 2016/2115")
    assert table.state.building == bridge("2016/2115")
    done = bridging("german", "2016 2Pz/2\n2115 2Pz/304", turn=6, blown=bridge("2016/2115"),
                    building=bridge("2016/2115"), builders=bridge("2016/2115"))  # fmt: skip
    assert done.state.blown == 0


def test_7_8_building_is_thought_over_until_the_phase_ends(bridging: Any) -> None:
    blown = bridge("2016/2115") | bridge("1913/2013")
    table = bridging("german", "2016 2Pz/2\n2115 2Pz/304\n1913 26VG/78\n2013 26VG/77", turn=5, blown=blown)
    before = table.state.key()
    assert len(set(in_every_order(table, ["build 2016/2115", "build 1913/2013"]))) == 1
    table.play("build 2016/2115", "build 1913/2013")
    assert table.candidates() == ["pass"]
    assert table.try_all("unbuild 2016/2115", "unbuild 1913/2013").state.key() == before
    table.play("unbuild 2016/2115")
    assert table.refusal("unbuild 2016/2115") == ("7.8", "bridge-not-just-begun")


def test_7_8_enemies_prevent_it() -> None:
    s = stage("german", "2016 2Pz/2\n2215 28/110/1", turn=5, blown=bridge("2016/2115"))
    assert not can_build(s, GERMAN, GROUND.bridge_ids["2016/2115"])


def test_7_9_dasburg_and_gemuend_are_ready_on_turn_2(phase: Any) -> None:
    both = bridge("2016/2115") | bridge("1913/2013")
    table = phase("german-bridges", "german", "2016 2Pz/2\n2115 2Pz/304\n1913 26VG/78\n2013 26VG/77", turn=2,
                  blown=both, building=both, builders=both)  # fmt: skip
    assert table.state.blown & both == 0


def test_7_4_an_attack_over_a_bridge_warns_that_it_may_be_blown(fighting: Any) -> None:
    """Before the attack is declared; not where no bridge lies between."""
    assert "may-lose-bridges" in fighting("german", "1106 212VG/320\n1105 4/12/3").warned("attack 1105")
    assert "may-lose-bridges" not in fighting("german", "6637 84/334\n6638 2Pz/2").warned("attack 6637")
