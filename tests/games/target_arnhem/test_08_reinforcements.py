"""Target Arnhem: chapter 8, reinforcements."""

from __future__ import annotations

from games.target_arnhem.positions import GROUND, UNITS, where
from salient.games.target_arnhem import model


def test_8_reinforcements_may_be_delayed(before):
    """A unit not named on its turn arrives on a later one."""
    table = before("waiting 129\n0103 5Gds\n1504 9SS/Aufkl", turn=3).play("roll 1", "done")
    assert where(table, "129") == "waiting"
    later = before("waiting 129\n0103 5Gds\n1504 9SS/Aufkl", turn=6).play("roll 1", "arrive 129", "done")
    assert where(later, "129") == "0103"


def test_8_reinforcements_are_named_in_any_order_and_taken_back(before):
    """Two orders, one position; what is taken back is delayed."""
    table = before("waiting 231, 8Armd, 129\n0103 5Gds\n1504 9SS/Aufkl", turn=3).play("roll 1")
    one, other = table.try_all("arrive 8Armd", "arrive 129"), table.try_all("arrive 129", "arrive 8Armd")
    assert one.state.key() == other.state.key()
    assert one.try_all("drop 129", "drop 8Armd").state.key() == table.state.key()
    one.play("drop 129", "done")
    assert (where(one, "8Armd"), where(one, "129")) == ("0103", "waiting")


def test_8_a_unit_does_not_arrive_before_its_turn(before):
    """151 is due after turn 3."""
    table = before("waiting 129, 151\n0103 5Gds\n1504 9SS/Aufkl", turn=3).play("roll 1")
    assert table.refusal("arrive 151") == ("8", "not-due")


def test_8_airborne_units_land_in_an_impulse_not_in_the_reorganisation_phase(before):
    """The reorganisation phase offers arrival at 0103 only."""
    table = before("zone 101abn 0603\nwaiting 327\n0103 5Gds\n1504 9SS/Aufkl", turn=3).play("roll 1")
    assert table.refusal("land 327 0603") == ("3.2", "reinforcements-first")


def test_8_1_germans_are_placed_in_their_areas(before):
    """The unit's area is the one on its back."""
    u = UNITS.ids.index("107Pz")
    table = before("waiting 107Pz\n0103 5Gds", turn=max(2, UNITS.arrival_turn[u])).play(
        "roll 1", "arrive 107Pz", "done"
    )
    assert where(table, "107Pz") == GROUND.places[UNITS.start[u]]
    assert GROUND.hexes <= table.state.where[u] < GROUND.waiting


def test_8_1_no_arrival_in_area_p_once_it_is_closed(before):
    """A unit delayed past turn 4 has lost its way in; nobody is asked."""
    table = before("waiting 245, 59/A\n0103 5Gds\nA 180", turn=5).play("roll 1")
    assert table.refusal("arrive 245") == ("4.2b", "area-p-closed")


def test_8_2_no_ground_reinforcement_of_xxx_corps_before_turn_3():
    """All of them are due on turn 3 or later, at 0103."""
    corps = [u for u in range(len(UNITS.ids)) if model.POOLS[UNITS.pool[u]] == "xxx" and UNITS.arrival_turn[u] > 0]
    assert corps
    assert all(UNITS.arrival_turn[u] >= 3 and UNITS.start[u] == GROUND.entry for u in corps)


def test_8_2_germans_in_0103_block_it(before):
    """Nothing enters while they are there."""
    table = before("waiting 129, 59/A\n0103 Hoffmann\n0503 5Gds\nA 180", turn=3).play("roll 1")
    assert table.actor == "german"
    assert where(table, "129") == "waiting"


def test_8_3_landing_within_two_hexes_of_the_zone_counts_as_the_action(impulse):
    """327 lands near Son and cannot act again."""
    table = impulse("allied", 1, "zone 101abn 0603\nwaiting 327\n1504 9SS/Aufkl", turn=3)
    assert {c.split()[2] for c in table.choices("land 327")} >= {"0603", "0703", "0702", "0604"}
    assert table.refusal("land 327 0903") == ("8.3", "landing-too-far")
    table.play("land 327 0703")
    assert table.refusal("move 327 0603") == ("3.3", "acted-already")


def test_8_3_no_landing_on_enemies(impulse):
    """A German in 0703 keeps them off it."""
    table = impulse("allied", 1, "zone 101abn 0603\nwaiting 327\n0703 406", turn=3)
    assert table.refusal("land 327 0703") == ("8.3", "enemy-in-hex")


def test_8_3_no_landing_in_the_third_impulse(impulse):
    """Only the first and the second."""
    table = impulse("allied", 3, "zone 101abn 0603\nwaiting 327\n0103 5Gds", turn=3)
    assert table.refusal("land 327 0703") == ("8.3", "no-landing-in-third-impulse")
    assert impulse("allied", 2, "zone 101abn 0603\nwaiting 327", turn=3).choices("land 327")


def test_8_3_no_landing_across_a_river_whose_bridge_is_far(impulse):
    """From a zone at 1002 the north bank of the Maas is closed; from 1004, at the Grave bridge, it is open."""
    far = impulse("allied", 1, "zone 101abn 1002\nwaiting 327", turn=3)
    assert far.refusal("land 327 1102") == ("8.3", "landing-across-river")
    near = impulse("allied", 1, "zone 101abn 1004\nwaiting 327", turn=3)
    assert "land 327 1104" in near.choices("land 327")
    assert "land 327 1103" in near.choices("land 327")


def test_8_3_the_poles_land_anywhere_free_of_enemies(impulse):
    """87 hexes when one is held by Germans; no zone is needed."""
    table = impulse("allied", 1, "waiting PP\n1504 406", turn=5)
    assert len(table.choices("land PP")) == 87


def test_8_3_ground_units_do_not_parachute(impulse):
    """129 is infantry."""
    table = impulse("allied", 1, "zone 101abn 0603\nwaiting 129\n0103 5Gds", turn=3)
    assert table.refusal("land 129 0603") == ("8.3", "not-airborne")


def test_8_3_airborne_units_may_come_by_0103_and_must_without_a_zone(before):
    """By choice on its turn; when the zone is lost, there is no landing."""
    table = before("zone 101abn 0603\nwaiting 327\n0103 5Gds\n1504 9SS/Aufkl", turn=3).play("roll 1")
    assert table.choices() == ["arrive 327", "done"]
    lost = before("waiting 327\n0103 5Gds\n1504 9SS/Aufkl", turn=3).play("roll 1", "done")
    assert not lost.choices("land")
    assert lost.refusal("land 327 0603") == ("8.3", "zone-lost")
