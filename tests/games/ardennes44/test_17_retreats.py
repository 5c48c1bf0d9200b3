"""Ardennes '44: chapter 17, retreats."""

from __future__ import annotations

from typing import Any

from games.ardennes44.positions import (
    DUEL,
    ELSEWHERE,
    FAR,
    GROUND,
    JOINS,
    NINTH,
    UNITS,
    assault,
    flee,
    hexagon,
    lost,
    marked,
    order,
    places,
    stage,
    unit,
    way_of,
    where,
)
from salient.common.sides import ALLIED
from salient.games.ardennes44.retreats import edge_boxes, passable, refuse_survival, retreat_options, surroundings
from salient.games.ardennes44.stacking import Overstack
from table import Table

BLOCKED = "6635"


RETREAT = f"6637 28/110/1\n6638 9SS/19\nroadblock 2 {BLOCKED}\n{FAR}"


def test_17_1_the_owner_leads_a_retreat_where_the_way_matters(fighting: Any) -> None:
    """Through a town that Germans have passed he takes it back; by itself the unit avoids it."""
    s = fighting("german", RETREAT).play("attack 6637", "join 9SS/19", "resolve", "roll 1")
    assert s.actor == "allied"
    towns = {text.split()[2] for text in s.choices("via")}
    assert BLOCKED in towns
    assert s.refusal("via 28/110/1 6630") == ("17.1", "no-retreat-there")
    led = s.try_all(f"via 28/110/1 {BLOCKED}")
    assert led.try_all("cancel").state.key() == s.state.key()
    end = led.choices("retreat")[0]
    assert BLOCKED in way_of(led, end)
    assert led.play(end).state.overrun
    plain = s.try_all(end) if end in s.choices("retreat") else None
    assert plain is None or not plain.state.overrun


def test_17_1_a_retreat_ends_at_full_distance_out_of_zones() -> None:
    s = stage("german", DUEL)
    options, further = retreat_options(s, unit("84/334"), (unit("84/334"),), 2)
    assert options
    assert not further
    assert all(GROUND.board.distance(hexagon("6637"), h) == 2 for h in options)


def test_17_1_no_retreat_goes_in_a_bow_where_it_can_go_away() -> None:
    """Without enemies around, three hexes end three hexes away."""
    options, _ = retreat_options(stage("german", "6637 84/334"), unit("84/334"), (unit("84/334"),), 3)
    assert {GROUND.board.distance(hexagon("6637"), h) for h in options} == {3}


def test_17_1_a_distance_that_cannot_be_had_does_not_matter() -> None:
    """Guns close the third ring around 6637: three hexes lead nowhere that far away, so any end will do."""
    guns = "6236 VAK405\n6238 Werfer17\n6434 VAK388\n6440 VAK402\n6733 Werfer4\n6740 Werfer9\n6934 Werfer16"
    s = stage("german", f"6637 84/334\n{guns}\n6939 VAK401\n7037 Werfer7")
    options, _ = retreat_options(s, unit("84/334"), (unit("84/334"),), 3)
    assert {GROUND.board.distance(hexagon("6637"), h) for h in options} == {1, 2}


def test_17_1_units_may_go_different_ways(fighting: Any) -> None:
    table = assault(fighting, "84/334, 84/771", 1)  # 24 to 9 and better tanks: 3-1, DR3
    assert {text.split()[1] for text in table.choices("retreat")} == {"84/334"}
    first = table.choices("retreat")
    table.play(first[0])
    assert len(table.choices("retreat 84/771")) > 1


def test_17_1_the_first_hex_may_lie_in_a_zone_if_there_is_no_other() -> None:
    """Guns on three sides have zones over all six neighbours but no bonds; the second hex must be free."""
    s = stage("german", "6637 84/334\n6538 VAK766\n6535 VAK401\n6837 Werfer15")
    options, _ = retreat_options(s, unit("84/334"), (unit("84/334"),), 2)
    assert places(options)
    assert places(options) <= {"6437", "6735", "6738"}  # the priorities choose among these


def test_17_1_a_friend_lifts_the_zone() -> None:
    """The hex of a friend is free, unless the friend flees from the same combat."""
    s = stage("german", "6637 99/394/1\n6636 99/394/2\n6635 2Pz/2")
    around = surroundings(s, unit("99/394/1"), (unit("99/394/1"),))
    assert not around.zone >> hexagon("6636") & 1
    assert surroundings(s, unit("99/394/1"), (unit("99/394/1"), unit("99/394/2"))).zone >> hexagon("6636") & 1


def test_17_1_vehicles_keep_to_roads() -> None:
    s = stage("german", "3413 84/771\n3414 2Pz/2")
    for way in retreat_options(s, unit("84/771"), (unit("84/771"),), 2)[0].values():
        assert GROUND.board.road(way[0], way[1])
        assert GROUND.board.road(way[1], way[2])


GERMAN_RING = "6638 2Pz/2\n6737 2Pz/304\n6736 116Pz/60\n6537 Lehr/901\n6536 Lehr/902\n6636 84/335"


def two_battalions(fighting: Any, behind: str) -> Table:
    """DR2 against two battalions in 6637, which do not stand; the only way leads to 6635."""
    table: Table = fighting("german", f"6637 99/394/1, 99/394/2\n{GERMAN_RING}\n6635 {behind}\n{ELSEWHERE}")
    table.play("attack 6637", "join 2Pz/304", "join Lehr/901", "join Lehr/902", "resolve", "roll 2")
    assert table.said("combat-result")[0].args["word_result"] == "DR2"
    return table.play("pass")


def test_17_1_the_owner_chooses_who_retreats_first_where_room_is_short(fighting: Any) -> None:
    """In 6635 there is room for one point: the battalion that goes second must go further and is routed."""
    for first, second in (("99/394/1", "99/394/2"), ("99/394/2", "99/394/1")):
        table = two_battalions(fighting, "99/395-")
        assert table.choices("retreat") == ["retreat 99/394/1 6635", "retreat 99/394/2 6635"]
        flee(table.play(f"retreat {first} 6635"))
        assert (where(table, first), order(table, first), order(table, second)) == ("6635", 1, 2)


def test_17_1_nobody_is_asked_for_the_order_where_there_is_room(fighting: Any) -> None:
    table = two_battalions(fighting, "99/393/1")
    assert not table.choices("retreat")
    assert (where(table, "99/394/1"), where(table, "99/394/2")) == ("6635", "6635")


def test_17_2_surrounded_units_are_lost(fighting: Any) -> None:
    ring = "\n".join(f"{h} {u}" for h, u in zip(
        ("6638", "6636", "6737", "6736", "6537", "6536"),
        ("2Pz/2", "2Pz/304", "Lehr/901", "Lehr/902", "116Pz/60", "116Pz/156"), strict=True))  # fmt: skip
    s = stage("german", f"6637 84/334\n{ring}")
    assert retreat_options(s, unit("84/334"), (unit("84/334"),), 2) == ({}, False)


def test_17_2_bonds_bar_the_first_hex_too() -> None:
    """Three regiments in the place of the guns: bonds between them leave no way."""
    s = stage("german", "6637 84/334\n6638 9SS/20\n6536 9SS/19\n6736 2SS/3")
    assert retreat_options(s, unit("84/334"), (unit("84/334"),), 2)[0] == {}


def test_17_2_nobody_flees_across_the_meuse_without_a_bridge() -> None:
    s = stage("german", "")
    a, b = next((a, b) for a, b in sorted(GROUND.meuse) if (a, b) not in GROUND.bridge)
    assert not passable(s, unit("84/334"), a) >> b & 1


def test_17_2_vehicles_do_not_flee_over_rivers_or_into_woods() -> None:
    s = stage("german", "")
    assert not passable(s, unit("84/771"), hexagon("1928")) >> hexagon("1929") & 1
    assert passable(s, unit("84/334"), hexagon("1928")) >> hexagon("1929") & 1
    assert not passable(s, unit("84/771"), hexagon("1532")) >> hexagon("1432") & 1


def test_17_3_the_advance_stands_if_the_defender_dies(fighting: Any) -> None:
    table = assault(fighting, "84/334 routed", 4)
    if table.choices("stand"):
        table.play("pass")
    assert where(table, "84/334") == "eliminated"
    assert table.choices("advance")


def test_17_4_an_overstacked_end_is_avoided() -> None:
    """Everything two hexes away is full: the unit goes further and routs."""
    s = stage("german", "6637 84/334\n6638 2Pz/2")
    ends, _ = retreat_options(s, unit("84/334"), (unit("84/334"),), 2)
    names = ("84/335", "84/333", "75/289", "75/290", "75/291", "26/101", "26/104", "26/328", "5/10", "5/2", "5/11")
    full = "\n".join(f"{GROUND.board.labels[h]} {name}" for h, name in zip(ends, names, strict=False))
    t = stage("german", f"6637 84/334\n6638 2Pz/2\n{full}")
    _, further = retreat_options(t, unit("84/334"), (unit("84/334"),), 2)
    assert further == (len(ends) <= len(names))


FUNNEL = "6637 84/334\n6638 2Pz/2\n6737 2Pz/304\n6736 116Pz/60\n6537 Lehr/901\n6536 Lehr/902\n6636 84/335\n6635 84/333"


def test_17_4_as_far_as_it_takes() -> None:
    """Between Germans only 6636 and 6635 are open: hex after hex behind them fills up, and the regiment goes on."""
    names = iter(UNITS.ids[u] for u in UNITS.of_side[ALLIED] if UNITS.stack[u][0] == 3 and not UNITS.british[u])
    spare = (name for name in names if name not in FUNNEL)
    lines, hexes = FUNNEL, []
    while not hexes or hexes[-1] < 5:
        options, further = retreat_options(stage("german", lines), unit("84/334"), (unit("84/334"),), 2)
        assert further
        hexes.append(min(len(way) - 1 for way in options.values()))
        lines += "".join(f"\n{GROUND.board.labels[h]} {next(spare)}" for h in options)
    assert hexes == sorted(hexes)
    assert set(hexes) == {3, 4, 5}


def driven_out(table: Table) -> Table:
    """DR2 against the regiment in 6637, which does not stand."""
    table.play("attack 6637", "join 2Pz/304", "join Lehr/901", "join Lehr/902", "resolve", "roll 1")
    assert table.said("combat-result")[0].args["word_result"] == "DR2"
    return table.play("pass")


def test_17_4_who_goes_further_is_routed(fighting: Any) -> None:
    table = flee(driven_out(fighting("german", FUNNEL)))
    assert (order(table, "84/334"), where(table, "84/334") in {"6634", "6534", "6734"}) == (2, True)


def test_17_4_without_room_the_steps_are_lost(fighting: Any) -> None:
    """Behind 6635 there are Germans too: the regiment ends there, has no room, and is worn down to nothing."""
    table = fighting("german", f"{FUNNEL}\n6634 9SS/19\n6534 9SS/20\n6734 12VG/27\n{ELSEWHERE}")
    options, further = retreat_options(table.state, unit("84/334"), (unit("84/334"),), 2)  # type: ignore[arg-type]
    assert (places(options), further) == ({"6635"}, False)
    driven_out(table)
    while table.choices("lose"):
        assert "84/333" not in {text.split()[1] for text in table.choices("lose")}
        table.play(table.choices("lose")[0])
    assert where(table, "84/334") == "eliminated"
    assert (where(table, "84/333"), lost(table, "84/333")) == ("6635", 0)


def test_17_4_who_is_out_of_supply_does_not_go_on_past_two_hexes(fighting: Any) -> None:
    """A third hex would eliminate it [23.4]: it ends where it is too many and loses the steps over the limit."""
    unsupplied = 1 << unit("84/334")
    options, further = retreat_options(stage("german", FUNNEL, oos=unsupplied), unit("84/334"), (unit("84/334"),), 2)
    assert (places(options), further) == ({"6635"}, False)
    table = driven_out(fighting("german", f"{FUNNEL}\n{ELSEWHERE}", oos=unsupplied))
    while table.choices("lose"):
        table.play(table.choices("lose")[0])
    assert (where(table, "84/334"), lost(table, "84/333")) == ("eliminated", 0)


def test_17_4_steps_come_from_those_who_retreated(phase: Any) -> None:
    s = stage("german", "6637 84/334, 84/335", turn=9, retreated=1 << unit("84/335"))
    assert Overstack(ALLIED, hexagon("6637")).legal(s) == [("lose", unit("84/335"))]


def test_17_5_who_fled_to_others_adds_nothing_and_is_lost(fighting: Any) -> None:
    table = fighting("german", f"6637 99/395-, 99/394/1 disrupted\n{NINTH}")
    table.state.retreated |= 1 << unit("99/394/1")
    table.state.attacked |= 1 << unit("99/394/1")
    table.play("attack 6637", *JOINS)
    assert table.game.view.preview(table.state, table.game.read("roll 1"))["odds"]["defence"] == 4
    table.play("roll 5")  # 6-1 with columns for tanks and disorder: DR3
    flee(table)
    assert where(table, "99/394/1") == "eliminated"
    assert where(table, "99/395-") not in ("6637", "eliminated")


def test_17_5_alone_it_fights_on_and_is_routed(fighting: Any) -> None:
    """A breakthrough meets a unit that has retreated alone: it defends, and may retreat once more (18.2)."""
    table = fighting("german", f"6637 84/334 disrupted\n{NINTH}")
    table.state.retreated |= 1 << unit("84/334")
    table.play("attack 6637", *JOINS, "roll 5")
    while not table.choices("retreat") and not table.choices("advance"):
        table.play(table.choices()[0])
    flee(table)
    assert (order(table, "84/334"), where(table, "84/334") != "eliminated") == (2, True)


def test_17_6_allies_leave_the_map_into_boxes_germans_do_not() -> None:
    s = stage("german", "")
    assert edge_boxes(s, unit("84/334"), hexagon("6601")) != []
    assert edge_boxes(s, unit("2Pz/2"), hexagon("6601")) == []
    assert edge_boxes(s, unit("84/334"), hexagon("0115")) == []


def test_17_7_german_guns_without_a_tractor_are_lost() -> None:
    s = stage("allied", "6637 VAK766\n6635 VAK401 tractor")
    assert refuse_survival(s, unit("VAK766"), 2).rule == "17.7"  # type: ignore[union-attr]
    assert refuse_survival(s, unit("VAK401"), 2) is None


def test_17_7_guns_that_retreat_have_fired(fighting: Any) -> None:
    table = assault(fighting, "84/334, VII/18", 2)
    flee(table)
    assert marked(table, "fired", "VII/18")
    assert order(table, "VII/18") == 2


def test_17_7_a_tractor_saves_german_guns() -> None:
    s = stage("allied", "6637 VAK766 tractor")
    assert refuse_survival(s, unit("VAK766"), 2) is None


def test_17_8_the_engaged_marker_comes_off(fighting: Any) -> None:
    table = flee(assault(fighting, "84/334 engaged", 3))
    assert not marked(table, "engaged", "84/334")
