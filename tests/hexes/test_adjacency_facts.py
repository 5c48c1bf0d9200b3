"""Which hexes touch in each game, as far as the rulebooks and what follows from them tell."""

import pytest

from salient.hexes.grid import Grid

ARDENNES44 = Grid("flat", "CCRR", "west", "north", "even", "south", 2.6)
DEADLY_WOODS = Grid("flat", "CCRR", "east", "south", "even", "south", 4.8)
TARGET_ARNHEM = Grid("pointy", "RRCC", "east", "north", "odd", "east", 7.0)


@pytest.mark.parametrize(
    "pair", ["2016/2115", "1913/2013", "2020/2119", "2928/3029", "2929/3029", "3618/3718", "3821/3920"]
)
def test_ardennes44_bridge_hexsides_exist(pair):
    """Every bridge named for Ardennes '44 lies between two neighbours."""
    assert ARDENNES44.hexside(*pair.split("/")) == pair


def test_ardennes44_hosingen_touches_both_retreat_hexes():
    """2214 touches 2313 and 2314."""
    assert {"2313", "2314"} <= set(ARDENNES44.neighbours("2214"))


def test_ardennes44_la_roche_slip_is_no_hexside():
    """3921 and 3820 do not touch; 3920 and 3821 do."""
    assert not ARDENNES44.adjacent("3921", "3820")
    assert ARDENNES44.adjacent("3920", "3821")


def test_ardennes44_numbers_grow_west_and_north():
    """From 2016 the row above is 2017 and the columns to the west are 21."""
    around = dict(zip(ARDENNES44.directions, ARDENNES44.neighbours("2016"), strict=True))
    assert around == {"N": "2017", "NE": "1916", "SE": "1915", "S": "2015", "SW": "2115", "NW": "2116"}


@pytest.mark.parametrize("pair", ["3926/4025", "3823/3923", "3622/3623", "3320/3419", "3215/3315"])
def test_deadly_woods_named_hexsides_exist(pair):
    """Every hexside named for The Deadly Woods lies between two neighbours."""
    assert DEADLY_WOODS.hexside(*pair.split("/")) == pair


def test_deadly_woods_even_columns_sit_lower():
    """An even column touches its own row and the next one, an odd column its own row and the one before."""
    assert DEADLY_WOODS.neighbours("2010") == ("2009", "2110", "2111", "2011", "1911", "1910")
    assert DEADLY_WOODS.neighbours("2110") == ("2109", "2209", "2210", "2111", "2010", "2009")


def test_target_arnhem_odd_and_even_rows():
    """Odd rows have five hexes and lie between the six of the even rows."""
    assert TARGET_ARNHEM.neighbours("0503") == ("0604", "0504", "0404", "0403", "0502", "0603")
    assert TARGET_ARNHEM.neighbours("0603") == ("0703", "0604", "0503", "0502", "0602", "0702")
