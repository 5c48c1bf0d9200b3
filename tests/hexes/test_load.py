"""Loading a map: what a sound one becomes, and what each editor's error says."""

import pytest

from salient.hexes.board import Area, Place, Side
from salient.hexes.load import data_hash, load_board
from salient.hexes.rows import DataError

from .maps import Told, append, replace, told, write_map


@pytest.fixture
def folder(tmp_path):
    return write_map(tmp_path)


def problems_of(folder, overlay=None):
    with pytest.raises(DataError) as caught:
        load_board(folder, overlay)
    for problem in caught.value.problems:
        assert str(problem) in str(caught.value)
    return told(caught.value.problems)


def test_a_sound_map_is_compiled(folder):
    board = load_board(folder)
    town, east = board.index["0203"], board.index["0303"]
    assert board.labels == tuple(sorted(board.labels))
    assert len(board) == 16
    assert board.features[town] == {"town"}
    assert board.terrain[town] == "clear"
    assert board.sources[town] == "house"
    assert board.side(town, east) == board.side(east, town) == Side("river", "Our", "bridge", "house")
    assert board.sides[town][board.direction(town, east)] == board.side(town, east)
    assert board.road(town, east) == board.road(east, town) == "primary"
    assert board.road(town, board.index["0202"]) is None
    assert board.side(town, board.index["0404"]) is None
    assert board.places == (Place("Dasburg", "town", (town,), "house"),)
    assert board.areas["A"] == Area("A", "entry", (board.index["0101"], board.index["0102"]), ("B",), "", "house")
    assert board.zones == {"victory": {town}}
    assert board.zone_values["victory"][town] == "2"
    assert [row.line for row in board.rows["roads.csv"]] == [2, 3]


def test_neighbours_off_the_map_are_minus_one(folder):
    board = load_board(folder)
    corner = board.index["0101"]
    assert [board.labels[near] if near >= 0 else "-" for near in board.neighbours[corner]] == [
        "-", "-", "0201", "0102", "-", "-",
    ]  # fmt: skip
    assert board.adjacent[corner] == (board.index["0201"], board.index["0102"])


def test_a_place_with_several_hexes_is_one_place(folder):
    append(folder, "places.csv", "Dasburg,0202,town,house\n")
    board = load_board(folder)
    assert board.places[0].hexes == (board.index["0203"], board.index["0202"])


def test_within_stays_on_the_map(folder):
    board = load_board(folder)
    assert {board.labels[near] for near in board.within(board.index["0101"], 1)} == {"0101", "0102", "0201"}


BAD_LINES = [
    ("hexes.csv", "0203,clear,,house\n", "0203 is already on line 8: keep one of the two rows."),
    ("hexes.csv", "5x01,clear,,house\n", "“5x01” is not a hex number: write four digits, such as 0307."),
    ("hexes.csv", "0501,bog,,house\n", "unknown terrain “bog”: terrain.toml has no [terrain.bog]."),
    ("hexes.csv", "0502,clear,town mill,house\n", "unknown feature “mill”: terrain.toml has no [feature.mill]."),
    (
        "hexes.csv",
        "0503,clear,,hearsay\n",
        "unknown source “hearsay”: give one of rulebook, derived, geography, history, house.",
    ),
    ("hexes.csv", "0504,clear,house\n", "the row has 3 fields, the header 4: check the commas."),
    ("hexsides.csv", "0101,0103,river,,,house\n", "hexes 0101 and 0103 do not touch."),
    ("hexsides.csv", "0102,0101,river,,,house\n", "0102 must come before 0101: write the smaller number as a."),
    ("hexsides.csv", "0101,0102,moat,,,house\n", "unknown hexside “moat”: terrain.toml has no [hexside.moat]."),
    (
        "hexsides.csv",
        "0101,0201,river,,,\n",
        "unknown source “”: give one of rulebook, derived, geography, history, house.",
    ),
    ("hexsides.csv", "0201,0301,river,,,house\n", "0201 0301 is already on line 2: keep one of the two rows."),
    ("hexsides.csv", "0404,0405,river,,,house\n", "hex 0405 is not on the map: hexes.csv has no such row."),
    (
        "hexsides.csv",
        "0102,0103,cliff,,blown,house\n",
        "there is a bridge (blown) but no water under it: “cliff” is not a water hexside.",
    ),
    ("roads.csv", "0101,0102,track,,house\n", "unknown road “track”: terrain.toml has no [road.track]."),
    ("roads.csv", "0101,0303,primary,,house\n", "hexes 0101 and 0303 do not touch."),
    ("roads.csv", "0103,0203,primary,,house\n", "0103 0203 is already on line 2: keep one of the two rows."),
    (
        "places.csv",
        "Ouren,0204,castle,house\n",
        "unknown size “castle”: give one of city, town, village, hamlet, region.",
    ),
    ("places.csv", "Ouren,0999,town,house\n", "hex 0999 is not on the map: hexes.csv has no such row."),
    ("places.csv", ",0204,town,house\n", "the place has no name."),
    ("areas.csv", "C,entry,,0101,D,,,house\n", "unknown area “D”: areas.csv has no such row."),
    ("areas.csv", "E,entry,,0909,A,,,house\n", "hex 0909 is not on the map: hexes.csv has no such row."),
    ("areas.csv", "F,entry,,0101,A,0908,,house\n", "hex 0908 is not on the map: hexes.csv has no such row."),
    ("areas.csv", "0101,entry,,,,,,house\n", "“0101” is a hex: an area needs a name of its own."),
    ("zones.csv", "front,0101,,house\n", "unknown zone “front”: terrain.toml has no [zone.front]."),
    ("zones.csv", "victory,0909,,house\n", "hex 0909 is not on the map: hexes.csv has no such row."),
]


@pytest.mark.parametrize(("name", "line", "cause"), BAD_LINES)
def test_a_bad_row_is_named_with_file_line_and_cause(folder, name, line, cause):
    number = append(folder, name, line)
    assert problems_of(folder) == (Told(name, number, cause),)


def test_all_problems_are_listed_at_once(folder):
    for name, line, _ in BAD_LINES:
        append(folder, name, line)
    expected = sorted((name, cause) for name, _, cause in BAD_LINES)
    assert sorted((problem.file, problem.cause) for problem in problems_of(folder)) == expected


def test_a_missing_column_is_named(folder):
    replace(folder, "roads.csv", "a,b,class,name,source", "a,b,class,source")
    assert problems_of(folder) == (Told("roads.csv", 1, "the header lacks the column name."),)


def test_a_missing_file_is_named(folder):
    (folder / "hexes.csv").unlink()
    assert Told("hexes.csv", 0, "the file is missing, and a map needs it.") in problems_of(folder)


@pytest.mark.parametrize("name", ["hexsides.csv", "roads.csv", "places.csv", "areas.csv", "zones.csv"])
def test_a_map_may_lack_what_the_game_lacks(folder, name):
    (folder / name).unlink()
    assert load_board(folder).rows[name] == ()


def test_a_bad_grid_key_is_named_with_its_line(folder):
    replace(folder, "grid.toml", '"even"', '"both"')
    assert problems_of(folder) == (Told("grid.toml", 5, "“shifted” is “both”: give one of even, odd."),)


def test_broken_toml_is_named_with_its_line(folder):
    replace(folder, "terrain.toml", "[feature.town]", "[feature.town")
    (problem,) = problems_of(folder)
    assert (problem.file, problem.line) == ("terrain.toml", 5)


def test_a_legend_entry_needs_a_source(folder):
    replace(folder, "terrain.toml", '[terrain.lake]\nsource = "rulebook"', "[terrain.lake]")
    (problem,) = problems_of(folder)
    assert (problem.file, problem.line) == ("terrain.toml", 3)
    assert problem.cause.startswith("unknown source “”")


def test_a_legend_section_must_hold_tables(folder):
    replace(folder, "terrain.toml", '[zone.victory]\nsource = "rulebook"', "[zone]\nvictory = 3")
    cause = "“zone” must hold tables, such as [zone.example]."
    assert problems_of(folder) == (Told("terrain.toml", 16, cause),)


def test_text_in_another_encoding_is_refused(folder):
    (folder / "places.csv").write_bytes("name,hex,size,source\nLi\u00e8ge,0203,town,house\n".encode("latin-1"))
    assert problems_of(folder) == (Told("places.csv", 0, "the file is not UTF-8 text (byte 23)."),)


def test_an_open_quote_is_refused(folder):
    append(folder, "places.csv", '"Ouren,0204,town,house\n')
    (problem,) = problems_of(folder)
    assert problem.file == "places.csv"
    assert problem.cause.startswith("the row cannot be read as CSV")


# ---- a player's own corrections -----------------------------------------------------


@pytest.fixture
def overlay(tmp_path):
    own = tmp_path / "own"
    own.mkdir()
    return own


def test_an_overlay_replaces_adds_and_removes_rows(folder, overlay):
    (overlay / "hexes.csv").write_text("hex,terrain,features,source\n0101,lake,,rulebook\n0501,clear,,rulebook\n")
    (overlay / "hexsides.csv").write_text("a,b,kind,name,bridge,source\n0201,0301,,,,removed\n")
    board = load_board(folder, overlay)
    assert board.terrain[board.index["0101"]] == "lake"
    assert "0501" in board.index
    assert board.side(board.index["0201"], board.index["0301"]) is None
    assert board.side(board.index["0201"], board.index["0302"]) is not None


def test_an_overlay_replaces_toml_keys_one_by_one(folder, overlay):
    (overlay / "terrain.toml").write_text('[terrain.clear]\nmove = 2\n[terrain.bog]\nsource = "rulebook"\n')
    (overlay / "hexes.csv").write_text("hex,terrain,features,source\n0101,bog,,rulebook\n")
    board = load_board(folder, overlay)
    assert board.legend["terrain"]["clear"] == {"source": "rulebook", "move": 2}
    assert board.terrain[0] == "bog"


def test_an_overlay_is_validated_under_its_own_name(folder, overlay):
    (overlay / "roads.csv").write_text("a,b,class,name,source\n0101,0404,primary,,house\n0101,0102,,,removed\n")
    assert problems_of(folder, overlay) == (
        Told("overlay/roads.csv", 2, "hexes 0101 and 0404 do not touch."),
        Told("overlay/roads.csv", 3, "there is no row 0101 0102 to remove."),
    )


def test_an_overlay_folder_must_exist(folder, tmp_path):
    cause = "there is no folder of corrections at the given place."
    assert problems_of(folder, tmp_path / "nowhere") == (Told("overlay", 0, cause),)


# ---- the data hash ------------------------------------------------------------------


def test_the_hash_follows_the_data_and_not_the_line_ends(folder):
    first = load_board(folder).data_hash
    assert first == data_hash(folder)
    text = (folder / "roads.csv").read_bytes()
    (folder / "roads.csv").write_bytes(text.replace(b"\n", b"\r\n"))
    (folder / "notes.txt").write_text("not map data")
    assert load_board(folder).data_hash == first
    append(folder, "roads.csv", "0102,0103,primary,,house\n")
    assert load_board(folder).data_hash != first


def test_an_overlay_changes_the_hash(folder, overlay):
    (overlay / "hexes.csv").write_text("hex,terrain,features,source\n0101,lake,,rulebook\n")
    assert load_board(folder, overlay).data_hash == data_hash(folder, overlay) != data_hash(folder)
