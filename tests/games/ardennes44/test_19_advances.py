"""Ardennes '44: chapter 19, advances."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import (
    ELSEWHERE,
    FAR,
    GROUND,
    assault,
    bridge,
    flee,
    hexagon,
    places,
    stage,
    unit,
    way_of,
    where,
)
from salient.games.ardennes44.advances import (
    BONUS,
    BREAKTHROUGH,
    LIMITED,
    REGULAR,
    advance_options,
    breakthrough_groups,
    refuse_mixed,
)
from table import Table


def test_19_1_1_units_over_the_limit_may_follow(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2, Lehr/Rec, 244StG\n6636 116Pz/60")
    table.play("attack 6637", "join 244StG", "join 116Pz/60", "join 2Pz/2")
    assert table.choices("follow") == ["follow Lehr/Rec"] or table.choices("join") == ["join Lehr/Rec"]


THREE_FORMATIONS = "6637 84/334\n6638 2Pz/2, Lehr/Rec, 244StG\n6636 116Pz/60"


def test_19_1_1_who_follows_stays_only_as_long_as_the_others(fighting: Any) -> None:
    """Those over the limit follow after any attacker is named; without him they are one formation and may join."""
    table = fighting("german", THREE_FORMATIONS).play("attack 6637", "join 116Pz/60", "join 2Pz/2", "join 244StG")
    assert table.choices("follow") == ["follow Lehr/Rec"]
    table.play("follow Lehr/Rec")
    assert table.refusal("follow Lehr/Rec") == ("14.4", "joined-already")
    back = table.try_all("drop 116Pz/60")
    assert "join Lehr/Rec" in back.choices()
    assert table.try_all("drop Lehr/Rec").choices("follow") == ["follow Lehr/Rec"]


def test_19_1_1_the_last_advance_is_ended_by_its_owner(fighting: Any) -> None:
    """The only attacker has advanced; the phase goes on when he says so."""
    table = fighting("german", "6637 28/110/1 disrupted\n6636 2SS/3").play("attack 6637", "join 2SS/3", "resolve")
    table.play("roll 2", "advance 2SS/3 6637")
    assert (table.actor, table.choices()) == ("german", ["pass"])


def test_19_1_1_only_attackers_advance(fighting: Any) -> None:
    table = flee(assault(fighting, "84/334", 3, "6536 9SS/Rec"))
    assert not table.choices("advance 9SS/Rec")
    assert table.choices("advance 9SS/19")


def test_19_1_2_an_advance_is_led_by_waypoints(fighting: Any) -> None:
    """Two ways of two hexes to 6736: a unit under way goes on or stops, and no other moves in between."""
    table = fighting("german", f"6637 99/394/1\n6638 9SS/19, 9SS/9/1\n6630 84/334\n{FAR}")
    table.play("attack 6637", "join 9SS/9/1", "join 9SS/19", "resolve", "roll 1")
    assert {"via 9SS/19 6637", "via 9SS/19 6737"} <= set(table.choices("via"))
    led = table.try_all("via 9SS/19 6737")
    assert where(led, "9SS/19") == "6737"
    assert led.refusal("advance 9SS/9/1 6637") == ("19.1.1", "finish-move-first")
    assert led.refusal("via 9SS/19 6630") == ("19.2", "no-advance-there")
    assert {"advance 9SS/19 6737", "advance 9SS/19 6736"} <= set(led.choices())
    for way in ("6637", "6737"):
        assert where(table.try_all(f"via 9SS/19 {way}", "advance 9SS/19 6736"), "9SS/19") == "6736"
    assert dict(table.try_all("via 9SS/19 6737", "advance 9SS/19 6736").state.stack[-1].gone) == {unit("9SS/19"): 2}


@pytest.mark.parametrize("blocked", ["6637", "6737"])
def test_19_1_2_the_way_of_an_advance_counts(fighting: Any, blocked: str) -> None:
    """Of two ways to 6736 one overruns a roadblock (33.3): led through it a unit does, by itself it spares it."""
    table = fighting("german", f"6637 99/394/1\n6638 9SS/19, 9SS/9/1\nroadblock 0 {blocked}\n6630 84/334\n{FAR}")
    table.play("attack 6637", "join 9SS/9/1", "join 9SS/19", "resolve", "roll 1")
    assert blocked not in way_of(table, "advance 9SS/19 6736")
    assert not table.try_all("advance 9SS/19 6736").state.overrun
    effects = table.game.view.preview(table.state, table.game.read(f"via 9SS/19 {blocked}"))["effects"]
    assert "33.3" in [effect["rule"] for effect in effects]
    assert table.try_all(f"via 9SS/19 {blocked}", "advance 9SS/19 6736").state.overrun


def advances(lines: str, name: str, kind: str, target: str = "6637", turn: int = 9) -> set[str]:
    s = stage("german", lines, turn)
    return {GROUND.board.labels[h] for h in advance_options(s, unit(name), hexagon(target), kind)}


def test_19_1_2_limited_regular_and_bonus_advances() -> None:
    assert advances("6638 26VG/39", "26VG/39", LIMITED) == {"6637"}
    assert len(advances("6638 26VG/39", "26VG/39", REGULAR)) == 6
    assert len(advances("6638 26VG/39", "26VG/39", BONUS)) == 18


def advance(s: Any, name: str, kind: str, target: str = "6637") -> set[str]:
    return places(advance_options(s, unit(name), hexagon(target), kind))


def test_19_1_2_one_hex_in_any_direction_two_with_a_bonus() -> None:
    s = stage("german", "6638 12VG/27")
    assert len(advance(s, "12VG/27", REGULAR)) == 6
    assert len(advance(s, "12VG/27", BONUS)) == 18
    assert advance(s, "12VG/27", LIMITED) == {"6637"}


def test_19_1_3_motors_go_further_along_roads() -> None:
    """From Marnach along the primary road."""
    near = advances("2216 2Pz/2", "2Pz/2", REGULAR, "2217", turn=5)
    assert "2218" in near
    assert "2218" not in advances("2216 26VG/39", "26VG/39", REGULAR, "2217", turn=5)


def test_19_1_3_a_road_gives_motors_one_hex_more() -> None:
    """The primary road from Bastogne runs 3313 - 3413 - 3512 and on."""
    s = stage("german", "3313 2Pz/2", turn=9)
    assert {"3413", "3512", "3513"} <= advance(s, "2Pz/2", REGULAR, "3413")
    assert "3412" in advance(s, "2Pz/2", REGULAR, "3413")  # a secondary road
    assert "3512" not in advance(stage("german", "3313 12VG/27"), "12VG/27", REGULAR, "3413")


def test_19_1_3_forest_roads_count_on_frozen_ground_only() -> None:
    """From 0217 the road runs through the woods 0316, 0417."""
    for turn, far in ((10, False), (11, True)):
        s = stage("german", "0217 2Pz/2", turn=turn)
        assert ("0417" in advance(s, "2Pz/2", REGULAR, "0316")) is far


def test_19_1_3_rough_woods_have_forest_roads_too() -> None:
    """11.8: 2013 - 2113 - 2214 lies in the valleys of the Our."""
    muddy, frozen = (stage("german", "2214 2Pz/2", turn=turn) for turn in (9, 12))
    assert "2013" not in advance(muddy, "2Pz/2", REGULAR, "2113")
    assert "2013" in advance(frozen, "2Pz/2", REGULAR, "2113")


def test_19_2_forest_only_in_the_first_step() -> None:
    """From 0206 into the forest 0207 and out of it again, but not on into the forests 0107 and 0307."""
    found = advances("0206 12VG/89", "12VG/89", BONUS, "0207")
    assert found & {"0207", "0107", "0307", "0208"} == {"0207", "0208"}
    assert advances("0206 12VG/89", "12VG/89", REGULAR, "0207") & {"0207", "0208"} == {"0207"}


def test_19_2_a_road_leads_on_through_the_forest() -> None:
    """A road runs from 1331 through the forests 1431 and 1430; none leads into 1432 or from there into 1532."""
    assert {"1431", "1430", "1432"} <= advances("1331 12VG/89", "12VG/89", BONUS, "1431")
    assert advances("1331 2Pz/3/1", "2Pz/3/1", BONUS, "1431") & {"1431", "1430", "1432"} == {"1431", "1430"}
    assert "0207" not in advances("0206 2Pz/3/1", "2Pz/3/1", BONUS, "0207")


def test_19_2_rivers_only_in_the_first_step() -> None:
    """The river between 1928 and 1929 is crossed from its bank; from 1927 it would be the second hex."""
    s = stage("german", "1928 12VG/27\n1927 12VG/48", turn=9, blown=(1 << len(GROUND.bridges)) - 1)
    assert "1929" in advance(s, "12VG/27", REGULAR, "1929")
    alone = stage("german", "1927 12VG/48", turn=9, blown=(1 << len(GROUND.bridges)) - 1)
    assert advance(alone, "12VG/48", BONUS, "1928") & {"1928", "1929"} == {"1928"}


def test_19_2_rough_woods_only_in_the_first_step() -> None:
    """No road leads into the valley 2116: from 2216 it is the first hex, from 2316 the second."""
    assert "2116" in advance(stage("german", "2216 12VG/27"), "12VG/27", BONUS, "2116")
    found = advance(stage("german", "2316 12VG/27"), "12VG/27", BONUS, "2216")
    assert found & {"2216", "2116"} == {"2216"}
    assert "2116" not in advance(stage("german", "2216 2Pz/3/1"), "2Pz/3/1", BONUS, "2116")


def test_19_2_vehicles_never_cross_without_a_bridge() -> None:
    s = stage("german", "4212 2Pz/3/1\n4211 9SS/9/1", turn=9)
    assert "4111" not in advance(s, "2Pz/3/1", REGULAR, "4111")
    assert "4111" in advance(s, "9SS/9/1", REGULAR, "4111")
    s.blown = bridge("4111/4211")
    assert "4111" not in advance(s, "9SS/9/1", REGULAR, "4111")


def test_19_3_1_bonds_are_not_entered_but_at_the_defenders_hex() -> None:
    """6638 and 6636 are American: their bond runs through 6637."""
    s = stage("german", "6638 84/334\n6636 84/335\n6536 2Pz/2\n6736 2Pz/304")
    assert "6637" not in advance(s, "2Pz/2", REGULAR, "6537")
    assert "6637" in advance(s, "2Pz/2", REGULAR, "6637")


def test_19_3_1_nor_in_the_second_step_except_the_defenders_hex() -> None:
    s = stage("german", "6638 84/334\n6636 84/335\n6436 12VG/27")
    assert "6637" not in advance(s, "12VG/27", BONUS, "6536")


def test_19_3_2_not_from_zone_to_zone_of_one_unit() -> None:
    """Past the enemy in 6635 only by hexes that he does not both control."""
    found = advances("6638 26VG/39\n6635 84/334", "26VG/39", BONUS)
    assert "6637" in found
    assert "6636" in found


@pytest.mark.parametrize(("other", "open_hex"), [("6536 84/335", False), ("6630 84/335", True)])
def test_19_3_2_no_second_hex_in_the_zone_of_one_enemy(fighting: Any, other: str, open_hex: bool) -> None:
    """6637 and 6636 both lie in the zone of 6536: who has advanced into the first does not go on into the second."""
    table = fighting("german", f"6637 99/394/1\n6638 9SS/19, 9SS/9/1\n{other}\n0129 2SS/3")
    table.play("attack 6637", "join 9SS/9/1", "join 9SS/19", "resolve", "roll 1")
    assert ("advance 9SS/19 6636" in table.choices("advance")) is open_hex
    assert "advance 9SS/19 6637" in table.choices("advance")


def test_19_3_2_zones_do_not_stop_an_advance() -> None:
    s = stage("german", "6638 12VG/27\n6639 84/334")
    assert "6637" in advance(s, "12VG/27", BONUS, "6637")
    assert "6636" in advance(s, "12VG/27", BONUS, "6637")


def test_19_4_1_breakthrough_after_a_collapse(fighting: Any) -> None:
    """DS: the tanks advance and attack again."""
    table = fighting("german", "6637 99Norw\n6635 740\n6638 2Pz/2, 2Pz/3/1\n6737 Lehr/901")
    table.play("attack 6637", "join 2Pz/2", "join 2Pz/3/1", "join Lehr/901", "resolve", "roll 1")
    table.play("advance 2Pz/3/1 6636" if "advance 2Pz/3/1 6636" in table.choices("advance") else "advance 2Pz/3/1 6637")
    table.play("pass")
    assert any(text.endswith("6635") for text in table.choices("breakthrough")) or where(table, "2Pz/3/1") == "6637"


def test_19_4_1_infantry_breaks_through_after_one_hex_only() -> None:
    s = stage("german", "6637 12VG/27, 2Pz/3/1\n6536 2Pz/2")
    groups = breakthrough_groups(s, ((unit("12VG/27"), 1), (unit("2Pz/3/1"), 1), (unit("2Pz/2"), 3)))
    assert groups[hexagon("6637")] == tuple(sorted((unit("12VG/27"), unit("2Pz/3/1"))))
    assert groups[hexagon("6536")] == (unit("2Pz/2"),)
    far = breakthrough_groups(s, ((unit("12VG/27"), 2), (unit("2Pz/3/1"), 1)))
    assert far[hexagon("6637")] == (unit("2Pz/3/1"),)
    assert refuse_mixed(s, (unit("12VG/27"), unit("2Pz/3/1")), ()) is None


def test_19_4_1_infantry_alone_beside_tanks_that_went_further(fighting: Any) -> None:
    """In one hex tanks after two hexes and infantry after one: each kind may attack again, but not both together."""
    table = fighting("german", f"6637 99/394/1\n6638 9SS/19, 9SS/9/1\n6537 12VG/27\n6436 99/394/2\n{ELSEWHERE}")
    table.play("attack 6637", "join 12VG/27", "join 9SS/9/1", "join 9SS/19", "resolve", "roll 1")
    table.play("advance 12VG/27 6536", "advance 9SS/9/1 6536", "pass")
    assert dict(table.state.stack[-1].gone)[unit("9SS/9/1")] == 2
    table.play("breakthrough 6536 6436")
    assert {text.split()[1] for text in table.choices("join")} == {"12VG/27", "9SS/9/1"}
    assert table.try_all("join 12VG/27").refusal("join 9SS/9/1") == ("19.4.1", "went-too-far")
    assert table.try_all("join 12VG/27").choices() == ["drop 12VG/27", "cancel", "resolve"]
    assert table.try_all("join 9SS/9/1").choices() == ["drop 9SS/9/1", "cancel", "resolve"]


def test_19_4_1_breakthrough_kind_is_a_bonus_advance() -> None:
    s = stage("german", "6638 12VG/27")
    assert advance(s, "12VG/27", BREAKTHROUGH) == advance(s, "12VG/27", BONUS)


def broken_through(fighting: Any) -> Table:
    """9th SS has broken a battalion at 6637 and stands there; another one holds 6535."""
    table = assault(fighting, "99/394/1", 1, "6535 99/394/2")
    return table.play("advance 9SS/19 6536", "advance 9SS/9/1 6536", "pass")


def test_19_4_2_it_comes_before_the_next_combat_with_one_group(fighting: Any) -> None:
    table = broken_through(fighting)
    assert table.choices("breakthrough") == ["breakthrough 6536 6535"]
    table.play("breakthrough 6536 6535")
    assert {text.split()[1] for text in table.choices("join")} == {"9SS/9/1", "9SS/19"}


def test_19_4_3_others_do_not_add_to_it(fighting: Any) -> None:
    table = broken_through(fighting).play("breakthrough 6536 6535", "join 9SS/9/1")
    assert table.refusal("join 9SS/20")[0] in ("14.1", "14.4")


def test_19_4_4_again_and_again(fighting: Any) -> None:
    table = broken_through(fighting).play("breakthrough 6536 6535", "join 9SS/9/1", "join 9SS/19", "resolve", "roll 1")
    assert table.said("combat-result")[-1].args["word_result"] in ("DS", "DR4", "DR3")


def test_19_5_no_road_bonus_out_of_supply() -> None:
    assert "2218" not in advances("2216 2Pz/2 oos", "2Pz/2", REGULAR, "2217", turn=5)


def test_19_5_no_breakthrough_out_of_supply() -> None:
    s = stage("german", "6637 2Pz/2 oos")
    assert breakthrough_groups(s, ((unit("2Pz/2"), 1),)) == {}


def test_19_6_not_with_marching_friends_nor_over_the_limit() -> None:
    s = stage("german", "6638 2Pz/2\n6537 2Pz/Rec march\n6536 9SS/19\n6636 12VG/27")
    assert "6537" not in advance(s, "2Pz/2", REGULAR)
    full = stage("german", "6638 9SS/19\n6537 9SS/20")
    assert "6537" not in advance(full, "9SS/19", REGULAR)
