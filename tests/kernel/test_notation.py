"""Actions as text, both ways, and every refusal of text that names none."""

from __future__ import annotations

import pytest

from salient.kernel import Names, Notation, Numbers, State, Unreadable, Words

NOTATION = Notation(
    {
        "unit": Names("unit", ["1Pz/2", "GdsArm"], also={"guards": 1}),
        "hex": Names("hex", ["0101", "0102"]),
        "way": Words("way", ["road", "open"]),
        "n": Numbers(),
    },
    {"pass": "", "move": "unit hex way", "attack": "hex unit*", "roll": "n"},
    write_position=lambda s: "",
    read_position=lambda text, frames: State(),
)


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (("pass",), "pass"),
        (("move", 0, 1, "road"), "move 1Pz/2 0102 road"),
        (("attack", 0, 0, 1), "attack 0101 1Pz/2 GdsArm"),
        (("attack", 0), "attack 0101"),
        (("roll", 6), "roll 6"),
    ],
)
def test_actions_both_ways(action: tuple[str | int, ...], text: str) -> None:
    assert NOTATION.write(action) == text
    assert NOTATION.read(text) == action


def test_reading_forgives_case_spaces_and_spare_names() -> None:
    assert NOTATION.read("  MOVE guards   0102 Road ") == ("move", 1, 1, "road")


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "begins with a verb"),
        ("fly GdsArm 0101", r"“fly” is not an action in this game\. Actions: pass, move, attack and roll"),
        ("move GdsArm", "Write it like this: move UNIT HEX WAY"),
        ("pass now", "Write it like this: pass"),
        ("attack", "Write it like this: attack HEX UNIT"),
        ("move 9SS 0101 road", "“9SS” is not a valid unit"),
        ("move GdsArm 9999 road", "“9999” is not a valid hex"),
        ("move GdsArm 0101 canal", "“canal” is not a valid way. Choose road or open"),
        ("roll six", "“six” is not a whole number"),
    ],
)
def test_unreadable_text_names_its_cause(text: str, cause: str) -> None:
    with pytest.raises(Unreadable, match=cause):
        NOTATION.read(text)


def test_two_things_cannot_share_a_name() -> None:
    with pytest.raises(AssertionError, match="two units have one name"):
        Names("unit", ["A", "a"])


@pytest.mark.parametrize("name", ["two words", "semi;colon"])
def test_a_name_is_one_word(name: str) -> None:
    with pytest.raises(AssertionError, match="one word"):
        Names("unit", [name])
