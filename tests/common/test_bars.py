"""Rules said for a set of units and asked of one."""

from __future__ import annotations

from types import SimpleNamespace

from salient.common.bars import Bar, Bars, allowed, refusal
from salient.common.stacks import StackState, away, present, put, stale_caches, units_at
from salient.kernel.state import column, number


class Picket(StackState):
    """Four units of one side on three hexes."""

    SET_COUNT = 1
    ground, units = SimpleNamespace(hexes=3), SimpleNamespace(all=range(4), side=(0, 0, 0, 0))
    where: list[int] = column(4, 0)
    tired: int = number(0b0110)

    def add_to_sets(self, sets: list[int], u: int, here: int) -> None:
        """The hexes occupied."""
        sets[0] |= here


RESTING: Bars[Picket] = (
    Bar("1", "tired", lambda s, units: units & s.tired),
    Bar("2", "at-post", lambda s, units: units & 0b1100, ("unit", "hex")),
)


def test_the_list_holds_those_whom_nothing_bars() -> None:
    assert allowed(Picket(), 0b1111, RESTING) == 0b0001
    assert allowed(Picket(), 0, RESTING) == 0


def test_the_refusal_is_that_of_the_first_bar_that_holds() -> None:
    """A unit is in the list exactly if it has no refusal."""
    s = Picket()
    found = [refusal(s, u, RESTING) for u in range(4)]
    assert [r.key if r else None for r in found] == [None, "tired", "tired", "at-post"]
    assert found[3] is not None
    assert found[3].args == {"unit": 3, "hex": 0}


def test_units_on_and_off_the_map_are_kept_up_where_they_move() -> None:
    s = Picket()
    assert present(s) == 0b1111
    for u, place in ((1, 7), (2, 7), (1, 2), (3, 5), (2, 0), (3, 7)):
        put(s, u, place)
        assert stale_caches(s) == ()
    assert away(s) == {7: 0b1000}
    assert units_at(s, 2) == (1,)


def test_a_stale_cache_is_named() -> None:
    s = Picket()
    present(s)
    s.where[0] = 2
    assert set(stale_caches(s)) == {"stacks", "hex_sets"}
