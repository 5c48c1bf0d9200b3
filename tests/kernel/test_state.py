"""States: independent copies, JSON both ways, keys, caches."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import NamedTuple

import pytest

from salient.kernel import Frame, State
from salient.kernel.frames import decode_frame, encode_frame
from salient.kernel.messages import Event, Message, Prompt, Refusal
from salient.kernel.state import cache, column, fields_of, number, sequence, tally


@dataclass(frozen=True, slots=True)
class Choice(Frame):
    unit: int
    path: tuple[tuple[int, str], ...] = ()


class Fight(NamedTuple):
    hex: int
    units: tuple[int, ...]
    guns: int = 0


@dataclass(frozen=True, slots=True)
class Rolling(Frame):
    fight: Fight
    added: int = 0


class Sample(State):
    hexes: list[int] = column(2)
    steps: list[int] = column(2)
    losses: bytearray = tally(3)
    turn: int = number(1, "counted")
    zones: tuple[tuple[int, ...], ...] = sequence()
    cache: frozenset[int] | None = cache()


def sample() -> Sample:
    s = Sample()
    s.hexes, s.steps, s.turn, s.zones = [4, 5], [1, 2], 3, ((1, 2), (3,))
    s.losses[1] = 7
    s.cache = frozenset({9})
    s.stack = (Choice(1), Choice(2, ((1, "a"), (2, "b"))))
    return s


def test_a_state_begins_with_its_first_values() -> None:
    s, other = Sample(), Sample()
    assert (s.hexes, s.steps, s.turn, s.zones, s.cache, s.stack) == ([0, 0], [0, 0], 1, (), None, ())
    assert list(s.losses) == [0, 0, 0]
    s.hexes[0] = 5
    assert other.hexes == [0, 0]


def test_fields_are_found_by_kind_and_trait() -> None:
    assert fields_of(Sample, "column") == ("hexes", "steps", "losses")
    assert fields_of(Sample, trait="counted") == ("turn",)
    assert fields_of(Sample) == ("hexes", "steps", "losses", "turn", "zones", "cache")


def test_a_state_has_no_other_attributes() -> None:
    with pytest.raises(AttributeError):
        Sample().colour = "red"  # type: ignore[attr-defined]


def test_clone_is_independent() -> None:
    s = sample()
    copy = s.clone()
    copy.hexes[0] = 99
    copy.losses[1] = 8
    copy.turn = 8
    copy.pop()
    assert (s.hexes, list(s.losses), s.turn, len(s.stack)) == ([4, 5], [0, 7, 0], 3, 2)
    assert copy.cache is s.cache


def test_json_both_ways_at_every_depth() -> None:
    s = sample()
    values = json.loads(json.dumps(s.as_json()))
    back = Sample.from_json(values, {"Choice": Choice})
    assert back.key() == s.key()
    assert back.zones == ((1, 2), (3,))
    assert back.losses == bytearray((0, 7, 0))
    assert hash(back.key()) == hash(s.key())


def test_a_named_tuple_in_a_frame_is_written_in_its_place_and_read_back() -> None:
    frame = Rolling(Fight(4, (1, 2), 1), 3)
    values = json.loads(json.dumps(encode_frame(frame)))
    assert values == ["Rolling", 4, [1, 2], 1, 3]
    back = decode_frame(values, {"Rolling": Rolling})
    assert back == frame
    assert isinstance(back, Rolling)
    assert isinstance(back.fight, Fight)


def test_the_last_fields_of_a_frame_may_be_left_out() -> None:
    assert decode_frame(["Rolling", 4, [1, 2], 1], {"Rolling": Rolling}) == Rolling(Fight(4, (1, 2), 1))
    with pytest.raises(TypeError):
        decode_frame(["Rolling", 4, [1, 2], 1, 3, 0], {"Rolling": Rolling})


def test_caches_are_absent_from_json_and_key() -> None:
    s = sample()
    key = s.key()
    assert "cache" not in s.as_json()
    s.clear_caches()
    assert s.cache is None
    assert s.key() == key


@pytest.mark.parametrize("change", ["hexes", "losses", "turn", "stack"])
def test_key_tells_positions_apart(change: str) -> None:
    s, other = sample(), sample()
    if change == "hexes":
        other.hexes[1] = 6
    elif change == "losses":
        other.losses[2] = 1
    elif change == "turn":
        other.turn = 4
    else:
        other.swap(Choice(2))
    assert s.key() != other.key()


def test_stack_operations() -> None:
    s = sample()
    s.push(Choice(3), Choice(4))
    assert [frame.unit for frame in s.stack] == [1, 2, 3, 4]
    s.swap(Choice(5), Choice(6))
    assert [frame.unit for frame in s.stack] == [1, 2, 3, 5, 6]
    s.pop()
    assert [frame.unit for frame in s.stack] == [1, 2, 3, 5]


def test_messages_are_values() -> None:
    assert Event("1", "moved", unit=2) == Event("1", "moved", unit=2)
    assert Event("1", "moved", unit=2) != Event("1", "moved", unit=3)
    assert Event("1", "moved") != Refusal("1", "moved")
    assert len({Prompt("1", "x", units=(1, 2)), Prompt("1", "x", units=(1, 2))}) == 1
    assert Message("4.1", "lost", unit=3).as_json() == {"rule": "4.1", "key": "lost", "args": {"unit": 3}}
    assert repr(Event("1", "moved", unit=2)) == "Event('1', 'moved', unit=2)"
