"""Control facts: each check holds where it should, fails where it should, and is refused where it cannot be asked."""

import pytest

from salient.hexes.check import check_board
from salient.hexes.control_facts import CHECKS
from salient.hexes.load import load_board
from salient.hexes.rows import DataError

from .maps import river_row, write_map

HEADER = "at,check,value,fact,source\n"
HOLDING = [
    ("0203", "place", "Dasburg"),
    ("0203", "terrain", "clear"),
    ("0203", "feature", "town"),
    ("0103", "no-feature", "town"),
    ("0203", "zone", "victory"),
    ("0103", "no-zone", "victory"),
    ("0203", "on-road", ""),
    ("0203", "on-water", "Our"),
    ("0103", "beside", "town"),
    ("0101", "edge", ""),
    ("0103", "road-to", "0203 1"),
    ("0201/0301", "water", "Our"),
    ("0101/0102", "dry", ""),
    ("0103/0203", "road", "primary"),
    ("0203/0303", "bridge", "Our"),
    ("0202/0302", "blown-bridge", "Our"),
    ("0202/0303", "unbuilt-bridge", "Our"),
    ("map", "count", "victory 1"),
    ("map", "sum", "victory victory 2"),
    ("map", "area", "A"),
]
FAILING = [
    ("0103", "place", "Dasburg"),
    ("0203", "terrain", "lake"),
    ("0103", "feature", "town"),
    ("0203", "no-feature", "town"),
    ("0103", "zone", "victory"),
    ("0203", "no-zone", "victory"),
    ("0101", "on-road", ""),
    ("0103", "on-water", "Our"),
    ("0203", "beside", "town"),
    ("0203", "edge", ""),
    ("0103", "road-to", "0303 1"),
    ("0201/0301", "water", "Sauer"),
    ("0201/0301", "dry", ""),
    ("0102/0202", "road", ""),
    ("0202/0302", "bridge", "Our"),
    ("0203/0303", "blown-bridge", "Our"),
    ("0203/0303", "unbuilt-bridge", "Our"),
    ("map", "count", "victory 2+"),
    ("map", "sum", "victory victory 4"),
    ("map", "area", "Z"),
]


@pytest.fixture
def folder(tmp_path):
    write_map(tmp_path)
    sides = (tmp_path / "hexsides.csv").read_text()
    for pair, state in (("0202/0302", "blown"), ("0202/0303", "unbuilt")):
        sides = sides.replace(river_row(pair), river_row(pair, state))
    (tmp_path / "hexsides.csv").write_text(sides)
    return tmp_path


def state(folder, *facts):
    (folder / "control.csv").write_text(HEADER + "".join(f"{','.join(fact)},as it is,rulebook\n" for fact in facts))


def test_the_lists_above_know_every_check():
    assert [check for _, check, _ in HOLDING] == [check for _, check, _ in FAILING] == list(CHECKS)


def test_facts_that_hold_are_counted_and_leave_no_finding(folder):
    state(folder, *HOLDING)
    report = check_board(load_board(folder))
    assert report.findings == ()
    assert report.counts.control_facts == {"stated": len(HOLDING), "met": len(HOLDING)}


@pytest.mark.parametrize("fact", FAILING, ids=lambda fact: fact[1])
def test_a_fact_that_fails_is_found_with_its_line_and_words(folder, fact):
    state(folder, HOLDING[0], fact)
    report = check_board(load_board(folder))
    asked = " ".join(filter(None, fact))
    assert [str(finding) for finding in report.findings] == [
        f"control.csv, line 3: the map misses a control fact: as it is ({asked})."
    ]
    assert report.counts.control_facts == {"stated": 2, "met": 1}


@pytest.mark.parametrize(
    ("fact", "cause"),
    [
        (("0909", "place", "Dasburg"), "hex 0909 is not on the map"),
        (("0203", "smell", ""), "unknown check “smell”: give one of place, terrain"),
        (("0203/0303", "place", "Dasburg"), "0203/0303 does not suit “place”: it asks about a hex."),
        (("0203", "bridge", "Our"), "0203 does not suit “bridge”: it asks about a hexside such as 2016/2115."),
        (("0203", "count", "victory 1"), "0203 does not suit “count”: it asks about the whole map."),
        (("0101/0104", "water", "Our"), "hexes 0101 and 0104 do not touch."),
    ],
)
def test_a_fact_that_cannot_be_asked_is_refused(folder, fact, cause):
    state(folder, fact)
    with pytest.raises(DataError, match=r"control\.csv, line 2: ") as error:
        load_board(folder)
    assert cause in str(error.value)


def test_a_fact_does_not_change_the_data_hash_of_records(folder):
    before = load_board(folder).data_hash
    state(folder, HOLDING[0])
    assert load_board(folder).data_hash == before
