"""Chapter 9: army boundaries in their finer points."""

from __future__ import annotations

from tests.games.deadly_woods.conftest import hexagon, reach, where

from salient.games.deadly_woods import model


def test_9_2_units_attack_across_a_boundary_but_do_not_advance(fighting):
    """From 3210 in the zone of 6th Panzer Army St. Vith may be attacked on turn 2, not entered; on turn 4 it may."""
    for turn, enters in ((2, False), (4, True)):
        table = fighting("german", "3211 106/422\n3210 2SS/3, 2SS/4", turn=turn)
        table.play("attack 3211", "join 2SS/3", "join 2SS/4", "resolve", "roll 3")
        while table.choices("retreat"):
            table.play(table.choices("retreat")[0])
        assert where(table, "106/422") != "3211"
        assert bool(table.choices("advance")) is enters


def test_9_2_guns_stay_in_their_zone_until_turn_4(fighting):
    """5th Panzer Army's guns fire into 6th Panzer Army's zone from turn 4, or once St. Vith has opened the line."""
    lines = "3210 106/422\n3209 2SS/3\nbox 5Pz-Art1"
    attack = ("attack 3210", "join 2SS/3", "resolve")
    assert not fighting("german", lines, turn=2).play(*attack).choices("support")
    assert fighting("german", lines, turn=2, st_vith=1).play(*attack).choices("support")
    assert fighting("german", lines, turn=4).play(*attack).choices("support")


def test_9_2_1_the_line_to_7th_army_stays_until_turn_4(moving):
    """St. Vith opens only the inner line: from 2420 nobody goes south on turn 3."""
    south = model.ARMY_ZONE["7"]
    for turn, opened in ((3, False), (4, True)):
        table = moving("german", "2420 26VG/39", turn=turn, st_vith=1)
        assert any(south >> hexagon(label) & 1 for label in reach(table, "26VG/39")) is opened


def test_9_3_british_units_attack_out_of_their_zone_but_stay(fighting):
    """29th Brigade at 2011 attacks 2111 beyond the line and does not advance."""
    table = fighting("allied", "2011 29Bde\n2111 12VG/27\n1408 53/71", turn=6)
    table.play("attack 2111", "join 29Bde", "resolve", "roll 3")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert where(table, "12VG/27") != "2111"
    assert not table.choices("advance")


def test_9_3_british_guns_reach_one_hex_beyond_the_line(fighting):
    """XXX Corps fires for an airborne regiment next to the zone, not for one two hexes away."""
    near = fighting("german", "2111 101/501\n2112 12VG/27\n2011 53/71\nbox XXX-Art1", turn=6)
    assert near.play("attack 2111", "join 12VG/27", "resolve").choices("support") == ["support XXX-Art1"]
    far = fighting("german", "2210 101/501\n2310 12VG/27\n2011 53/71\nbox XXX-Art1", turn=6)
    assert not far.play("attack 2210", "join 12VG/27", "resolve").choices("support")


def test_9_3_the_british_enter_in_their_zone_only(playing):
    """With F closed 6th Airborne goes to another entry hex within the zone."""
    lines = "track 6Abn/3Para\n0107 12VG/27\n0113 12VG/48"
    table = playing("allied-reinforcements", lines, turn=6, reinforcements=[1, 0])
    assert table.choices() == ["arrive 6Abn/3Para 0301", "arrive 6Abn/3Para 1301"]


def test_9_4_the_14th_parachute_regiment_is_activated_by_its_zone(playing):
    """5th Panzer Army's chit moves it in 3319, not in 3419."""
    assert playing("5pz", "3319 5FJ/14\n3318 26VG/39", turn=2).choices("select") == ["select 26VG/39", "select 5FJ/14"]
    assert playing("5pz", "3419 5FJ/14\n3318 26VG/39", turn=2).choices("select") == ["select 26VG/39"]


def test_9_4_it_may_stay_only_two_hexes_from_the_line(moving):
    """On turn 3 it walks in the zone of 5th Panzer Army no farther than two hexes from that of the 7th."""
    table = moving("german", "2420 5FJ/14", turn=3)
    north = [h for h in map(hexagon, reach(table, "5FJ/14")) if model.ARMY_ZONE["5"] >> h & 1]
    seventh = [h for h in range(model.HEXES) if model.ARMY_ZONE["7"] >> h & 1]
    assert {min(model.BOARD.distance(h, x) for x in seventh) for h in north} == {1, 2}
    free = moving("german", "2420 5FJ/14", turn=4)
    assert "2417" in reach(free, "5FJ/14")
    assert "2417" not in reach(table, "5FJ/14")
