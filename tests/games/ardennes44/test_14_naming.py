"""Sets named in any order and taken back: attackers, guns, disengagements; the ways of advances and retreats."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.ardennes44.conftest import bridge, hexagon, lost, marked, odds_of, order, shifts_of, stage, unit, where

from salient import load
from salient.games.ardennes44 import model
from salient.games.ardennes44.advances import refuse_entering
from salient.kernel import SeededDice, Session, legal, step

FAR = "0129 2SS/3"
TWO = "6637 28/110/1\n6636 2SS/3\n6638 12VG/27"
GUNS = "6637 28/110/1\n6636 2SS/3\n6632 VAK405\n6634 Werfer9\n6635 Werfer4"
THREE_FORMATIONS = "6637 84/334\n6638 2Pz/2, Lehr/Rec, 244StG\n6636 116Pz/60"


def key(table: Any) -> Any:
    return table.state.key()


# ---- 5.2, 14 Any order ----------------------------------------------------------------------------------


def test_5_2_guns_are_named_in_any_order_and_turned_by_done(phase: Any) -> None:
    """The last on the list first: two more may follow, one is taken back, nothing is ready before `done`."""
    lines = "2014 Werfer15 fired\n1915 VAK766 fired\n1719 Werfer7 fired\n1718 VAK401 fired\n1621 Werfer16 fired"
    start = phase("german_artillery", "german", lines)
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


@pytest.mark.parametrize("mark", ["disrupted", "oos", "march"])
def test_5_3_guns_that_cannot_be_readied(phase: Any, mark: str) -> None:
    """Disrupted, out of supply, on the march (Allies only): no shells."""
    side, gun = ("allied", "VIII/333") if mark == "march" else ("german", "VAK766")
    table = phase(
        f"{side}_artillery" if side == "german" else "allied_turn", side, f"6637 {gun} fired {mark}\n2711 84/334\n{FAR}"
    )
    assert marked(table, "fired", gun)


def test_5_3_guns_in_zones_and_engaged_are_readied(phase: Any) -> None:
    table = phase("german_artillery", "german", f"6637 VAK766 fired engaged\n6638 84/334\n{FAR}")
    assert not marked(table, "fired", "VAK766")


def test_14_2_attackers_join_in_any_order(fighting: Any) -> None:
    first = fighting("german", TWO).play("attack 6637", "join 2SS/3", "join 12VG/27")
    other = fighting("german", TWO).play("attack 6637", "join 12VG/27", "join 2SS/3")
    assert key(first) == key(other)
    assert odds_of(first, "resolve")["attack"] == odds_of(other, "resolve")["attack"]


def test_14_4_named_twice_or_never(fighting: Any) -> None:
    table = fighting("german", TWO).play("attack 6637", "join 2SS/3")
    assert table.refusal("join 2SS/3") == ("14.4", "joined-already")
    assert table.refusal("drop 12VG/27") == ("14.4", "not-named")
    assert table.refusal("pass") == ("14.4", "finish-attack-first")


def test_14_1_an_attack_can_be_taken_back(fighting: Any) -> None:
    """A44-28: `cancel` leads to the very position before it; nobody has attacked or been attacked."""
    start = fighting("german", TWO)
    assert key(start.try_all("attack 6637", "join 2SS/3", "join 12VG/27", "cancel")) == key(start)
    assert key(start.try_all("attack 6637", "cancel")) == key(start)
    assert key(start.try_all("attack 6637", "join 2SS/3", "drop 2SS/3")) == key(start.try_all("attack 6637"))


def test_14_4_a_record_tells_the_attack_without_its_detours() -> None:
    """Two orders of naming, one of them with take-backs, write one record."""
    records = []
    for detour in (False, True):
        session = at_the_first_combat()
        first, second = [action for action in legal(session.state) if action[0] == "join"][:2]
        back = ("drop", second[1])
        for action in (second, first, back, second) if detour else (first, second):
            session.play("german", action)
        session.play("german", ("resolve",))
        records.append(session.record().moves)
    assert records[0] == records[1]


def at_the_first_combat() -> Session:
    """An attack that two units may make has been begun in a new game."""
    session = Session(load("ardennes44"), SeededDice(1), "six-turns")
    while not any(action[0] == "attack" for action in legal(session.state)):
        session.play(session.actor, legal(session.state)[-1])
    for action in legal(session.state):
        after = step(session.state, action)
        if action[0] == "attack" and sum(choice[0] == "join" for choice in legal(after)) > 1:
            session.play(session.actor, action)
            return session
    raise AssertionError("no attack of two units")


def test_19_1_1_who_follows_stays_only_as_long_as_the_others(fighting: Any) -> None:
    """Those over the limit follow after any attacker is named; without him they are one formation and may join."""
    table = fighting("german", THREE_FORMATIONS).play("attack 6637", "join 116Pz/60", "join 2Pz/2", "join 244StG")
    assert table.choices("follow") == ["follow Lehr/Rec"]
    table.play("follow Lehr/Rec")
    assert table.refusal("follow Lehr/Rec") == ("14.4", "joined-already")
    back = table.try_all("drop 116Pz/60")
    assert "join Lehr/Rec" in back.choices()
    assert table.try_all("drop Lehr/Rec").choices("follow") == ["follow Lehr/Rec"]


# ---- 15.6.2, 22.7, 22.8 Support ---------------------------------------------------------------------------


def test_22_7_guns_are_named_in_any_order_and_fire_by_resolve(fighting: Any) -> None:
    start = fighting("german", GUNS).play("attack 6637", "join 2SS/3", "resolve")
    table = start.try_all("support Werfer9", "support VAK405")
    assert key(table) == key(start.try_all("support VAK405", "support Werfer4", "drop Werfer4", "support Werfer9"))
    assert not marked(table, "fired", "Werfer9")
    assert table.refusal("support Werfer4") == ("22.7", "enough-guns")
    assert table.refusal("support VAK405") == ("22.6", "named-already")
    assert table.refusal("drop Werfer4") == ("22.6", "not-named")
    assert key(table.try_all("cancel")) == key(start)
    table.play("resolve")
    assert shifts_of(table, "roll 1")["shift-guns"] == 2
    assert marked(table, "fired", "Werfer9")
    assert marked(table, "fired", "VAK405")


def test_22_8_naming_the_only_gun_does_not_fire_it(fighting: Any) -> None:
    start = fighting("german", "6637 84/334\n6636 VII/18\n6638 2Pz/2").play("attack 6637", "join 2Pz/2", "resolve")
    table = start.try_all("support VII/18")
    assert (table.actor, table.choices()) == ("allied", ["drop VII/18", "cancel", "resolve"])
    assert key(table.try_all("drop VII/18")) == key(start)
    assert table.play("resolve").actor == "chance"


def test_15_6_2_aircraft_are_called_with_the_guns_and_sent_back_by_cancel(fighting: Any) -> None:
    start = fighting("allied", "6637 2Pz/2\n6638 84/334\n6636 VII/18", turn=15, air=2)
    start.play("attack 6637", "join 84/334", "resolve")
    table = start.try_all("support VII/18", "air")
    assert key(table) == key(start.try_all("air", "support VII/18"))
    assert table.state.air == 2
    assert key(table.try_all("cancel")) == key(start)
    assert table.play("resolve").state.air == 1


def test_27_8_3_the_surprise_is_rolled_before_guns_are_named(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 150Pz\n6636 VAK388").play("attack 6637", "join 150Pz", "resolve")
    named = table.try_all("support VAK388")
    assert named.refusal("surprise") == ("27.8.3", "surprise-first")
    assert "surprise" in named.play("drop VAK388").choices()


# ---- 20.2 Disengagement ------------------------------------------------------------------------------------

STACK = "6637 28/110/2 engaged, 28/110/1 engaged, 28/109/1 engaged\n6636 2SS/3"


def test_20_2_a_stack_announces_together(fighting: Any) -> None:
    """A44-12: who is not named before the first die stays; his marker comes off, he may still attack."""
    start = fighting("allied", STACK)
    table = start.try_all("disengage 28/110/2", "disengage 28/110/1")
    assert key(table) == key(
        start.try_all("disengage 28/110/1", "disengage 28/109/1", "drop 28/109/1", "disengage 28/110/2")
    )
    assert key(table.try_all("cancel")) == key(start)
    assert key(start.try_all("disengage 28/110/1", "drop 28/110/1")) == key(start)
    assert table.refusal("disengage 28/110/2") == ("20.2", "named-already")
    assert table.refusal("drop 28/109/1") == ("20.2", "not-named")
    assert table.refusal("pass") == ("20.2", "finish-disengagement-first")
    table.play("resolve", "roll 5")
    assert table.actor == "chance"
    table.play("roll 5")
    assert table.refusal("disengage 28/109/1") == ("20.2", "stays")
    assert not marked(table, "engaged", "28/109/1")
    assert table.play("attack 6636").choices("join") == ["join 28/109/1"]


def test_20_2_only_of_one_stack(fighting: Any) -> None:
    table = fighting("allied", f"{STACK}\n6536 28/109/2 engaged").play("disengage 28/110/1")
    assert table.refusal("disengage 28/109/2") == ("20.2", "not-of-this-stack")


# ---- 7.2, 7.7 Bridges ----------------------------------------------------------------------------------------


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


def test_7_2_who_declines_to_blow_has_not_tried(fighting: Any) -> None:
    """A44-26: before a later attack over the same bridge he is asked again; a die that failed is the one attempt."""
    lines = f"4111 1/26\n4211 2Pz/3/1\n{FAR}"
    table = fighting("german", lines, turn=5).play("attack 4111", "join 2Pz/3/1", "resolve")
    assert not table.try_all("pass").state.bridges_tried
    assert table.try_all("blow 4111/4211", "roll 6").state.bridges_tried == bridge("4111/4211")


# ---- 15.8.4, 16.2.1, 16.7, 18.2 Results ------------------------------------------------------------------------


def test_15_8_4_a_position_left_by_an_advance_stays_until_a_movement_phase_ends(fighting: Any) -> None:
    """A44-32."""
    table = fighting("german", f"6637 28/110/1\n6636 26VG/39\nip 6636\n{FAR}")
    table.play("attack 6637", "join 26VG/39", "resolve", "roll 1")
    while not table.choices("advance"):
        table.play(table.choices("retreat")[0] if table.choices("retreat") else "pass")
    table.play("advance 26VG/39 6637")
    assert table.state.ip >> hexagon("6636") & 1


def test_15_8_4_a_position_goes_with_its_last_occupant(fighting: Any) -> None:
    """An attacker of one step who falls leaves nothing behind."""
    table = fighting("german", f"6637 84/334\n6636 12VG/Fus\nip 6636\n{FAR}")
    table.play("attack 6637", "join 12VG/Fus", "resolve", "roll 6")
    assert where(table, "12VG/Fus") == "eliminated"
    assert not table.state.ip >> hexagon("6636") & 1


def test_16_2_1_nobody_leads_over_an_army_boundary(fighting: Any) -> None:
    """A44-3: who may not advance into the hex may not lead either."""
    table = fighting("german", f"2212 28/110/1\n2213 26VG/39\n{FAR}", turn=2)
    table.play("attack 2212", "join 26VG/39", "resolve", "roll 1")
    assert not table.choices("lead")
    assert marked(table, "engaged", "28/110/1")
    s = stage("german", "2212 28/110/1\n2213 26VG/39", turn=2)
    assert refuse_entering(s, unit("26VG/39"), hexagon("2212")).rule == "11.10.2"  # type: ignore[union-attr]


@pytest.mark.parametrize(("marks", "gone", "after"), [("disrupted", True, 0), ("", False, 2)])
def test_18_2_a_disrupted_unit_does_not_survive_a_rout(fighting: Any, marks: str, gone: bool, after: int) -> None:
    """A44-2: DR3 eliminates it; in good order it is routed."""
    table = fighting("german", f"6637 28/110/1 {marks}\n6636 9SS/19\n{FAR}")
    table.play("attack 6637", "join 9SS/19", "resolve", "roll 2" if marks else "roll 1")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert (where(table, "28/110/1") == "eliminated", order(table, "28/110/1")) == (gone, after)


# ---- 25.3 The night ---------------------------------------------------------------------------------------------


def engaged_at_dusk(fighting: Any, marks: str = "", **changes: Any) -> Any:
    table = fighting("allied", f"6637 26VG/39{marks}\n6636 84/334\n3413 84/771\n{FAR}", turn=8, **changes)
    table.play("attack 6637", "join 84/334", "resolve", "roll 4")
    assert marked(table, "engaged", "26VG/39")
    return table


def test_25_3_3_without_a_group_the_night_is_skipped_and_markers_stay(fighting: Any) -> None:
    """A44-5: engaged in the Allied PM turn, still engaged in the AM turn, where it cannot move (16.5)."""
    table = engaged_at_dusk(fighting)
    while table.state.turn == 8 or not table.choices("select"):
        words = [text for text in table.choices() if text in ("pass", "done", "resolve")]
        table.play(words[-1] if words else table.choices()[-1])
    assert marked(table, "engaged", "26VG/39")
    assert "select 26VG/39" not in table.choices()


def test_25_3_3_with_a_group_the_phase_is_played_and_markers_come_off(phase: Any) -> None:
    lines = "6637 26VG/39 engaged\n6636 84/334\n6630 9SS/19 night_marks\n3413 84/771"
    table = phase("night_german_combat", "german", lines, turn=8, night=1, planned=2)
    assert "disengage 26VG/39" in table.choices()
    table.play("pass")
    assert not marked(table, "engaged", "26VG/39")


def test_25_3_2_everyone_next_to_the_enemy_may_disengage_by_night(fighting: Any) -> None:
    """A44-14: markers are needed to attack, not to get away."""
    lines = "6637 26VG/39 engaged\n6636 84/334\n6630 9SS/19 night_marks\n6631 84/335"
    table = fighting("german", lines, turn=8, night=1)
    assert "disengage 26VG/39" in table.choices()
    assert table.refusal("attack 6636") == ("25.3.2", "no-night-marker")


# ---- 26.1 Task forces ----------------------------------------------------------------------------------------------


def test_26_1_a_task_force_is_no_stronger_than_its_share(moving: Any) -> None:
    """A44-1: a tank battalion of 4-3-6 becomes 2-1-6 and 2-2-6."""
    table = moving("allied", f"6637 28/707\n2711 84/334\n{FAR}").play("split 28/707")
    assert [model.PRINTED[unit(name)][-1] for name in ("28/707", "TF1")] == ["2-1-6", "2-2-6"]
    assert lost(table, "28/707") == 1


# ---- 17.1, 19.1 Ways -------------------------------------------------------------------------------------------------


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
    effects = table.game.preview(table.state, table.game.read(f"via 9SS/19 {blocked}"))["effects"]
    assert "33.3" in [effect["rule"] for effect in effects]
    assert table.try_all(f"via 9SS/19 {blocked}", "advance 9SS/19 6736").state.overrun


def way_of(table: Any, text: str) -> list[str]:
    return list(table.game.preview(table.state, table.game.read(text))["path"])


def test_17_1_the_owner_leads_a_retreat_where_the_way_matters(fighting: Any) -> None:
    """Through a town that Germans have passed he takes it back; by itself the unit avoids it."""
    s = fighting("german", RETREAT).play("attack 6637", "join 9SS/19", "resolve", "roll 1")
    assert s.actor == "allied"
    towns = {text.split()[2] for text in s.choices("via")}
    assert BLOCKED in towns
    assert s.refusal("via 28/110/1 6630") == ("17.1", "no-retreat-there")
    led = s.try_all(f"via 28/110/1 {BLOCKED}")
    end = led.choices("retreat")[0]
    assert BLOCKED in way_of(led, end)
    assert led.play(end).state.overrun
    plain = s.try_all(end) if end in s.choices("retreat") else None
    assert plain is None or not plain.state.overrun


BLOCKED = "6635"
RETREAT = f"6637 28/110/1\n6638 9SS/19\nroadblock 2 {BLOCKED}\n{FAR}"
