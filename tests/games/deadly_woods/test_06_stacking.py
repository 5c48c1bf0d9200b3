"""The Deadly Woods: chapter 6, stacking."""

from __future__ import annotations

import random
from itertools import combinations

from games.deadly_woods.positions import (
    OPEN,
    UNITS,
    hexagon,
    reach,
    units,
    way_of,
    where,
)
from salient.common.sides import ALLIED
from salient.games.deadly_woods.stacking import excesses, refuse_mixing, refuse_stack


def test_6_a_division_and_one_more():
    """The examples: all of the 99th and one of the 106th; 12th VG and one of the 12th SS."""
    assert refuse_stack(UNITS, units("99/393", "99/394", "99/395", "2/9")) is None
    assert refuse_stack(UNITS, units("12VG/27", "12VG/48", "12SS/Kuhlmann")) is None
    assert refuse_stack(UNITS, units("12VG/27", "12VG/48", "12SS/Kuhlmann", "12SS/Muller")).rule == "6"
    assert refuse_stack(UNITS, units("12VG/27", "26VG/39", "18VG/293")).rule == "6"


def together(*names):
    refusal = refuse_stack(UNITS, tuple(UNITS.index[name] for name in names))
    return refusal and (refusal.rule, refusal.key)


def test_6_the_examples_of_the_book():
    """All of the 99th and one unit of the 106th would fit but for their corps; 12th VG and a unit of 12th SS do fit."""
    assert together("99/393", "99/394", "99/395", "106/422") == ("6.1", "two-corps")
    assert together("99/393", "99/394", "99/395", "2/9") is None
    assert together("12VG/27", "12VG/48", "12SS/Muller") is None
    assert together("12VG/27", "12VG/48", "12SS/Muller", "12SS/Kuhlmann") == ("6", "division-and-one")


def test_6_a_third_independent_unit_is_too_much():
    """Two brigades may stack, three may not."""
    assert together("FB", "FG") is None
    assert together("FB", "FG", "150Bde") == ("6", "division-and-one")


def test_6_1_nations_and_corps_do_not_mix():
    """British with US, V with VIII Corps: no; airborne units go with any corps, engineers only with their own."""
    assert refuse_stack(UNITS, units("29Bde", "99/393")).key == "british-and-us"
    assert refuse_stack(UNITS, units("99/393", "106/422")).key == "two-corps"
    assert refuse_stack(UNITS, units("82/504", "99/393")) is None
    assert refuse_stack(UNITS, units("99/393"), "VIII").key == "two-corps"


def test_6_1_units_without_corps_join_any_us_corps_but_not_the_british():
    """517th stacks with VII Corps, not with 29th Brigade."""
    assert together("517", "84/333") is None
    assert together("517", "29Bde") == ("6.1", "british-and-us")


def test_6_1_no_move_ends_with_engineers_of_another_corps(moving):
    """V Corps infantry passes VIII Corps engineers in Bastogne and does not stop there; VIII Corps infantry may."""
    table = moving("allied", "2518 99/393\n2519 VIII-Eng\n1408 106/422").play("select 99/393")
    assert "move 99/393 2520" in table.choices()
    assert table.refusal("move 99/393 2519") == ("6.1", "two-corps")
    assert "move 106/422 2519" in moving("allied", "2518 106/422\n2519 VIII-Eng").play("select 106/422").choices()


def test_6_1_a_unit_is_led_past_engineers_of_another_corps(moving):
    """Hex by hex: it goes on from their hex and does not end there; where it could not go on it is not led there."""
    table = moving("allied", "2518 99/393\n2519 VIII-Eng\n1408 106/422").play("select 99/393", "via 99/393 2519")
    assert table.refusal("move 99/393 2519") == ("6.1", "two-corps")
    assert "move 99/393 2520" in table.choices()
    assert where(table.play("via 99/393 2520", "move 99/393 2520"), "99/393") == "2520"
    spent = moving("allied", "1422 99/393\n2519 VIII-Eng\n1408 106/422").play("select 99/393")
    assert spent.refusal("via 99/393 2519") == ("6.1", "two-corps")
    assert "via 106/422 2519" in moving("allied", "1422 106/422\n2519 VIII-Eng").play("select 106/422").choices()


def test_6_2_corps_do_not_mix_in_a_retreat_even_where_the_hex_is_full(fighting):
    """Two divisions of VIII Corps in 2417 fill it; a regiment of V Corps may not even pass."""
    table = fighting("german", f"{OPEN} 99/393\n2417 106/422, 28/110\n2616 12VG/27")
    refusal = refuse_mixing(table.state, UNITS.index["99/393"], hexagon("2417"))
    assert (refusal.rule, refusal.key) == ("6.1", "two-corps")


def test_6_2_the_owner_eliminates_the_excess_after_a_movement_round(moving):
    """Three units of three divisions in a hex: one must go when the movement ends."""
    table = moving("german", "2517 12VG/27\n2516 26VG/39\n2616 18VG/293")
    table.play("select 26VG/39", "move 26VG/39 2517", "select 18VG/293", "move 18VG/293 2517", "pass")
    assert table.choices() == ["remove 12VG/27", "remove 18VG/293", "remove 26VG/39"]
    assert where(table.play("remove 18VG/293", "done"), "18VG/293") == "eliminated"


def test_6_2_units_pass_through_full_hexes(moving):
    """Infantry walks through a hex that could not take it."""
    table = moving("german", "2519 12VG/27, 12VG/48, 26VG/39\n2518 18VG/293\n4519 62VG/164")
    assert "2520" in reach(table, "18VG/293")
    assert hexagon("2519") in way_of(table, "18VG/293", "2520")


def test_6_2_the_owner_chooses_until_the_hex_is_within_the_limit(moving):
    """Four units of three divisions: two must go, one after the other, by the owner's choice."""
    table = moving("german", "2519 12VG/27, 26VG/39\n2518 18VG/293\n2418 62VG/164\n4519 9VG/36")
    for unit in ("18VG/293", "62VG/164"):
        table.play(f"select {unit}", f"move {unit} 2519")
    table.play("pass")
    assert table.actor == "german"
    one = table.try_all("remove 62VG/164", "remove 12VG/27")
    assert one.state.key() == table.try_all("remove 12VG/27", "remove 62VG/164").state.key()
    assert one.choices() == ["done", "drop 12VG/27", "drop 62VG/164"]
    assert one.try_all("drop 62VG/164", "drop 12VG/27").state.key() == table.state.key()
    assert len(table.try_all("remove 12VG/27").choices("remove")) == 3
    assert one.refusal("remove 12VG/27") == ("6.2", "excess-named-already")
    assert one.refusal("remove 26VG/39") == ("6.2", "excess-is-named")
    assert table.refusal("done") == ("6.2", "remove-first")
    assert not one.play("done").choices("remove")


def test_6_2_nobody_is_eliminated_without_need(moving):
    """Two of one division and two others: one other goes, or the division and nobody else."""
    table = moving("german", "2519 12VG/27, 12VG/48, 26VG/39\n2518 18VG/293\n4519 9VG/36")
    table.play("select 18VG/293", "move 18VG/293 2519", "pass")
    assert table.choices("remove") == [f"remove {name}" for name in ("12VG/27", "12VG/48", "18VG/293", "26VG/39")]
    regiment = table.try_all("remove 12VG/27")
    assert regiment.choices() == ["remove 12VG/48", "drop 12VG/27"]
    assert regiment.refusal("remove 26VG/39") == ("6.2", "may-stay")
    assert table.try_all("remove 26VG/39").choices() == ["done", "drop 26VG/39"]


def test_6_2_the_excess_by_brute_force():
    """Of every set of units that may go: those of which no part would do."""
    rng = random.Random(1)
    for _ in range(300):
        side = rng.randrange(2)
        units = tuple(sorted(rng.sample([u for u in UNITS.of_side[side] if u != UNITS.delay], rng.randint(2, 6))))
        corps = rng.choice(("", "", "VIII", "V")) if side == ALLIED else ""
        found: list[frozenset[int]] = []
        for gone in (frozenset(some) for n in range(len(units) + 1) for some in combinations(units, n)):
            left = tuple(u for u in units if u not in gone)
            if refuse_stack(UNITS, left, corps) is None and not any(fewer <= gone for fewer in found):
                found.append(gone)
        assert set(excesses(UNITS, units, corps)) == set(found)


def test_6_2_an_advance_respects_the_limits(fighting):
    """Attackers of three divisions clear a hex: a division and one more may enter."""
    table = fighting("german", "2517 99/393\n2518 12VG/27, 26VG/39\n2617 18VG/293")
    table.play("attack 2517", "join 12VG/27", "join 18VG/293", "join 26VG/39", "resolve", "roll 3")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    table.play("advance 12VG/27", "advance 18VG/293")
    assert not table.choices("advance")


def test_6_3_one_engineer_a_hex(phase):
    """Where V Corps engineers are, none of another corps are offered."""
    table = phase("engineers", "2519 V-Eng\n2518 106/422\nbox VIII-Eng")
    assert "place VIII-Eng 2519" not in table.choices()


def test_6_3_engineers_do_not_count(moving):
    """A full hex with engineers of its corps is in order."""
    table = moving("allied", "2519 28/109, 28/110, 28/112, 106/422\n2519 VIII-Eng\n1408 99/393").play("pass")
    assert not table.choices("remove")


def test_6_3_1_a_plain_move_spares_the_delay(moving):
    """From 2218 to 2418 the way by 2319 costs as much as that through the Delay in 2318."""
    table = moving("allied", "2218 4/8\n2318 Delay\n0120 4/12\n4012 12VG/27").play("select 4/8")
    assert where(table.try_all("move 4/8 2418"), "Delay") == "2318"
    assert where(table.try_all("via 4/8 2318", "move 4/8 2418"), "Delay") == "box"


def test_6_3_1_the_delay_gives_way(moving):
    """An Allied unit that enters its hex sends the Delay back to its box."""
    table = moving("allied", "2519 Delay\n2418 99/393").play("select 99/393", "move 99/393 2519")
    assert where(table, "Delay") == "box"
