"""Chapter 6: stacking in its finer points."""

from __future__ import annotations

from tests.games.deadly_woods.conftest import hexagon, reach, way_of

from salient.games.deadly_woods.model import UNIT
from salient.games.deadly_woods.stacking import refuse_stack


def together(*names):
    refusal = refuse_stack(tuple(UNIT[name] for name in names))
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


def test_6_1_units_without_corps_join_any_us_corps_but_not_the_british():
    """517th stacks with VII Corps, not with 29th Brigade."""
    assert together("517", "84/333") is None
    assert together("517", "29Bde") == ("6.1", "british-and-us")


def test_6_1_no_move_ends_with_engineers_of_another_corps(moving):
    """V Corps infantry passes VIII Corps engineers in Bastogne and does not stop there; VIII Corps infantry may."""
    table = moving("allied", "2518 99/393\n2519 VIII-Eng\n1408 106/422").play("select 99/393")
    assert "move 99/393 2520" in table.choices()
    assert not {"move 99/393 2519", "via 99/393 2519"} & set(table.choices())
    assert table.refusal("move 99/393 2519") == ("6.1", "two-corps")
    assert "move 106/422 2519" in moving("allied", "2518 106/422\n2519 VIII-Eng").play("select 106/422").choices()


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
    table.play("remove 12VG/27")
    assert len(table.choices("remove")) == 3
    table.play("remove 62VG/164")
    assert not table.choices("remove")


def test_6_2_an_advance_respects_the_limits(fighting):
    """Attackers of three divisions clear a hex: a division and one more may enter."""
    table = fighting("german", "2517 99/393\n2518 12VG/27, 26VG/39\n2617 18VG/293")
    table.play("attack 2517", "join 12VG/27", "join 18VG/293", "join 26VG/39", "resolve", "roll 3")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    table.play("advance 12VG/27", "advance 18VG/293")
    assert not table.choices("advance")


def test_6_3_engineers_do_not_count(moving):
    """A full hex with engineers of its corps is in order."""
    table = moving("allied", "2519 28/109, 28/110, 28/112, 106/422\n2519 VIII-Eng\n1408 99/393").play("pass")
    assert not table.choices("remove")
