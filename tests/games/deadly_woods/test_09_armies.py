"""The Deadly Woods: chapter 9, armies."""

from __future__ import annotations

from games.deadly_woods.positions import (
    GROUND,
    fight,
    hexagon,
    lost,
    reach,
    where,
)


def test_9_1_army_chits_activate_by_zone(playing):
    """6th Panzer Army's chit activates a division that stands in its zone, whatever army it came with."""
    assert playing("6pz", "3607 2Pz/3\n2416 12SS/Muller").choices("select") == ["select 2Pz/3"]


def test_9_2_no_german_crosses_an_army_boundary_on_turns_1_to_3(moving):
    """Near Schönberg and Manderfeld the line keeps units of 6th Panzer Army out of the zone of the 5th."""
    inside = moving("german", "3710 12VG/27", turn=2)
    zone5 = GROUND.army_zone["5"]
    assert all(not zone5 >> hexagon(label) & 1 for label in reach(inside, "12VG/27"))
    outside = moving("german", "3710 12VG/27", turn=4)
    assert any(zone5 >> hexagon(label) & 1 for label in reach(outside, "12VG/27"))
    inside.play("select 12VG/27")
    assert inside.refusal("move 12VG/27 3711") == ("9.2", "army-boundary")


def test_9_2_a_retreat_stopped_by_an_army_boundary_costs_two_steps(fighting):
    """Enemies north of 3810: on turn 2 only the zone of 5th Panzer Army lies open, and the unit loses both steps."""
    lines = "3810 12VG/27\n3809 2/9\n3710 2/23\n3910 2/38"
    attackers = ("2/9", "2/23", "2/38")
    table = fight(fighting("allied", lines, turn=2), "3810", *attackers).play("roll 3")
    assert where(table, "12VG/27") == "eliminated"
    later = fight(fighting("allied", lines, turn=5), "3810", *attackers).play("roll 3")
    assert later.choices("retreat") == ["retreat 12VG/27 3812", "retreat 12VG/27 3912"]


def test_9_2_a_stack_stopped_by_an_army_boundary_loses_two_steps_in_all(fighting):
    """Two regiments that may not leave their army's zone lose two steps together, as their owner chooses."""
    lines = "3411 4/8\n3312 4/12\n3211 4/22\n3311 18VG/293, 18VG/294"
    table = fight(fighting("allied", lines, turn=2), "3311", "4/8", "4/12").play("roll 3")
    assert table.actor == "german"
    assert table.choices() == ["lose 18VG/293", "lose 18VG/294"]
    each = table.try_all("lose 18VG/293", "lose 18VG/294")
    assert (lost(each, "18VG/293"), lost(each, "18VG/294")) == (1, 1)
    one = table.try_all("lose 18VG/294", "lose 18VG/294")
    assert (lost(one, "18VG/293"), where(one, "18VG/294")) == (0, "eliminated")


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


def test_9_2_1_the_inner_boundary_goes_a_turn_after_st_vith_is_entered(moving):
    """St. Vith entered on turn 2: on turn 3 the line between 5th and 6th Panzer Army is gone, not on turn 2."""
    zone5 = GROUND.army_zone["5"]
    for turn, lifted in ((2, False), (3, True)):
        table = moving("german", "3710 12VG/27", turn=turn, st_vith=2)
        assert any(zone5 >> hexagon(label) & 1 for label in reach(table, "12VG/27")) is lifted


def test_9_2_1_entering_st_vith_is_noted(moving):
    """A German who moves through St. Vith on turn 2 starts the clock."""
    table = moving("german", "3212 18VG/293", turn=2, st_vith=0).play("select 18VG/293", "move 18VG/293 3211")
    assert table.state.st_vith == 2


def test_9_2_1_the_line_to_7th_army_stays_until_turn_4(moving):
    """St. Vith opens only the inner line: from 2420 nobody goes south on turn 3."""
    south = GROUND.army_zone["7"]
    for turn, opened in ((3, False), (4, True)):
        table = moving("german", "2420 26VG/39", turn=turn, st_vith=1)
        assert any(south >> hexagon(label) & 1 for label in reach(table, "26VG/39")) is opened


def test_9_2_2_guns_of_6th_panzer_army_never_fire_for_the_7th(fighting):
    """Even on turn 8."""
    south = "3526"
    assert GROUND.army_zone["7"] >> hexagon(south) & 1
    table = fighting("german", f"{south} 4/12\n3525 12VG/27\nbox 6Pz-Art1, 5Pz-Art1", turn=8)
    table.play(f"attack {south}", "join 12VG/27", "resolve")
    assert table.choices("support") == ["support 5Pz-Art1"]
    assert table.refusal("support 6Pz-Art1") == ("9.2.2", "gun-out-of-zone")


def test_9_3_the_british_stay_in_their_zone(moving):
    """29th Armoured Brigade at the edge of the zone does not leave it."""
    edge = next(
        h for h in range(GROUND.hexes) if GROUND.british_zone >> h & 1 and GROUND.touching[h] & ~GROUND.british_zone
        and not GROUND.west_of_meuse >> h & 1 and GROUND.clear >> h & 1
    )  # fmt: skip
    table = moving("allied", f"{GROUND.board.labels[edge]} 29Bde", turn=6)
    assert all(GROUND.british_zone >> hexagon(label) & 1 for label in reach(table, "29Bde"))


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


def test_9_4_the_14th_parachute_regiment_passes_the_line(moving):
    """On turn 1 it may go from 3319 into the zone of 7th Army, but not deep into that of 5th Panzer Army."""
    table = moving("german", "3319 5FJ/14\n3318 26VG/39", turn=1)
    assert any(GROUND.army_zone["7"] >> hexagon(label) & 1 for label in reach(table, "5FJ/14"))
    far = moving("german", "3418 5FJ/14", turn=1)
    near = [hexagon(label) for label in reach(far, "5FJ/14") if GROUND.army_zone["5"] >> hexagon(label) & 1]
    assert all(GROUND.within[h][2] & GROUND.army_zone["7"] for h in near)


def test_9_4_the_14th_parachute_regiment_is_activated_by_its_zone(playing):
    """5th Panzer Army's chit moves it in 3319, not in 3419."""
    assert playing("5pz", "3319 5FJ/14\n3318 26VG/39", turn=2).choices("select") == ["select 26VG/39", "select 5FJ/14"]
    assert playing("5pz", "3419 5FJ/14\n3318 26VG/39", turn=2).choices("select") == ["select 26VG/39"]


def test_9_4_it_may_stay_only_two_hexes_from_the_line(moving):
    """On turn 3 it walks in the zone of 5th Panzer Army no farther than two hexes from that of the 7th."""
    table = moving("german", "2420 5FJ/14", turn=3)
    north = [h for h in map(hexagon, reach(table, "5FJ/14")) if GROUND.army_zone["5"] >> h & 1]
    seventh = [h for h in range(GROUND.hexes) if GROUND.army_zone["7"] >> h & 1]
    assert {min(GROUND.board.distance(h, x) for x in seventh) for h in north} == {1, 2}
    free = moving("german", "2420 5FJ/14", turn=4)
    assert "2417" in reach(free, "5FJ/14")
    assert "2417" not in reach(table, "5FJ/14")
