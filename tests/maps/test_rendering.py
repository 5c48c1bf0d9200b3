"""The renderer: every look, every layer, names that keep apart, and geometry that fits the picture."""

import re
import struct
import tomllib
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

import salient
from salient import maps
from salient.hexes.load import load_board
from salient.kernel import Unreadable
from salient.maps import gorges, locator, style
from salient.maps.around import read_around
from salient.maps.canvas import UNIT, Canvas, distance_to_segment, mix
from salient.maps.fonts import text_width
from salient.maps.natural import bend
from salient.maps.sheet import Drawing, Options
from salient.maps.symbols import DOTS, dot_radius
from salient.maps.water import bridge_frame
from salient.maps.zones import border_lines
from salient.text import LANGUAGES

GAMES_FOLDER = Path(salient.__file__).parent / "games"
GAMES = sorted(path.parent for path in GAMES_FOLDER.glob("*/data/hexes.csv"))
TEXT = "{http://www.w3.org/2000/svg}text"


def overlap(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    """Return the common area of two rectangles."""
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


def words_of(svg: str) -> list[str]:
    return ["".join(node.itertext()) for node in ElementTree.fromstring(svg).iter(TEXT)]


@pytest.fixture(scope="module")
def arnhem():
    return load_board(Path(salient.__file__).parent / "games" / "target_arnhem" / "data")


# ---- a map with everything -------------------------------------------------------


def entry(section: str, key: str, look: str) -> str:
    return f'[{section}.{key}]\nname.en = "{key} {look}"\nlook = "{look}"\nsource = "house"\n'


def zone_looks() -> list[str]:
    coloured = [f"{shape}-{colour}" for shape, colour in zip(style.ZONE_SHAPES, style.COLOURS, strict=False)]
    return [*coloured, *style.ZONE_SYMBOLS]


def write_sampler(folder: Path, orientation: str) -> Path:
    """Write a map of ten by ten hexes that uses every look of the style."""
    towards, number = ("south", "CCRR") if orientation == "flat" else ("east", "RRCC")
    (folder / "grid.toml").write_text(
        f'orientation = "{orientation}"\nnumber = "{number}"\ncolumns_grow = "east"\nrows_grow = "south"\n'
        f'shifted = "even"\nshift_towards = "{towards}"\nkm = 2.0\n'
    )
    hexsides = [look for look in style.HEXSIDES if look != "hidden"]
    sections = {
        "terrain": list(style.GROUNDS),
        "feature": list(style.FEATURES),
        "hexside": hexsides,
        "road": list(style.ROADS),
        "zone": zone_looks(),
    }
    toml = [entry(section, f"k{i}", look) for section, looks in sections.items() for i, look in enumerate(looks)]
    (folder / "terrain.toml").write_text("\n".join(toml))
    labels = [f"{a:02d}{b:02d}" for a in range(1, 11) for b in range(1, 11)]
    grounds, features = len(style.GROUNDS), len(style.FEATURES)
    rows = [
        f"{label},k{i % grounds},{f'k{i // 3 % features}' if i % 3 == 0 else ''},house"
        for i, label in enumerate(labels)
    ]
    (folder / "hexes.csv").write_text("hex,terrain,features,source\n" + "\n".join(rows) + "\n")
    steps = [(a, b) for a, b in pairwise(labels) if a[:2] == b[:2]]
    roads = [f"{a},{b},k{i % len(style.ROADS)},,house" for i, (a, b) in enumerate(steps) if i % 4]
    (folder / "roads.csv").write_text("a,b,class,name,source\n" + "\n".join(roads) + "\n")
    sides = [f"{a},{b},k{i // 4 % len(hexsides)},Name {i},,house" for i, (a, b) in enumerate(steps) if i % 4 == 0]
    (folder / "hexsides.csv").write_text("a,b,kind,name,bridge,source\n" + "\n".join(sides) + "\n")
    places = [f"Place {i},{label},{list(style.PLACES)[i % 5]},house" for i, label in enumerate(labels[::7])]
    (folder / "places.csv").write_text("name,hex,size,source\n" + "\n".join(places) + "\n")
    zones = [
        f"k{i},{label},{j},house"
        for i in range(len(zone_looks()))
        for j, label in enumerate(labels[i * 9 : i * 9 + 12])
    ]
    (folder / "zones.csv").write_text("zone,hex,value,source\n" + "\n".join(zones) + "\n")
    (folder / "areas.csv").write_text(
        "area,kind,name,hexes,areas,roads,label_at,source\n"
        "A,entry,,0101 0102 0103,B,,,house\nB,entry,,1008 1009 1010,A,,,house\n"
    )
    return folder


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_every_look_can_be_drawn_and_stands_in_the_legend(tmp_path, orientation):
    board = load_board(write_sampler(tmp_path, orientation))
    words = words_of(maps.render_svg(board, Options(layers=maps.LAYERS)))
    for section in ("terrain", "feature", "hexside", "road", "zone"):
        for key, value in board.legend[section].items():
            if value["look"] != "hidden":
                assert f"{key} {value['look']}" in words, f"{section}.{key}"
    assert maps.render_png(board, Options(scale=8, layers=maps.LAYERS)).startswith(b"\x89PNG")


def test_an_unknown_look_is_refused_with_those_there_are(tmp_path):
    folder = write_sampler(tmp_path, "flat")
    terrain = folder / "terrain.toml"
    terrain.write_text(terrain.read_text().replace('look = "heath"', 'look = "purple"'))
    board = load_board(folder)
    with pytest.raises(style.UnknownLook, match=r"terrain\.k2.*'purple'.*forest"):
        maps.render_svg(board)


@pytest.mark.parametrize("look", ["tint", "tint-pink", "blob-red"])
def test_an_unknown_zone_look_is_refused(look):
    with pytest.raises(style.UnknownLook, match="boundary-COLOUR"):
        style.split_zone_look(look)


# ---- layers, languages, files ------------------------------------------------------


def test_layers_are_left_out_when_not_asked_for(arnhem):
    assert "1504" in words_of(maps.render_svg(arnhem, Options(layers=["numbers"])))
    assert "ARNHEM" in words_of(maps.render_svg(arnhem, Options(layers=["places"])))
    assert "Waal" in words_of(maps.render_svg(arnhem, Options(layers=["water"])))
    assert "Apeldoorn" in words_of(maps.render_svg(arnhem, Options(layers=["areas"])))
    assert "Target Arnhem" in words_of(maps.render_svg(arnhem, Options(layers=["frame"])))
    assert set(words_of(maps.render_svg(arnhem, Options(layers=["roads"])))) == {"Hell's Highway"}
    assert words_of(maps.render_svg(arnhem, Options(layers=["terrain", "relief", "grid"]))) == []


def test_every_layer_draws_something(arnhem):
    empty = maps.render_svg(arnhem, Options(layers=[]))
    for layer in maps.LAYERS:
        assert len(maps.render_svg(arnhem, Options(layers=[layer]))) > len(empty), layer


@pytest.mark.parametrize(("language", "word"), [("en", "Forest"), ("it", "Foresta"), ("fr", "Forêt"), ("de", "Wald")])
def test_the_legend_speaks_every_language(arnhem, language, word):
    assert word in words_of(maps.render_svg(arnhem, Options(language=language)))


@pytest.mark.parametrize(
    ("wrong", "cause"),
    [({"layers": ["trees"]}, "trees.*terrain"), ({"scale": 0}, "draws nothing")],
)
def test_wrong_options_are_refused_with_a_way_out(wrong, cause):
    with pytest.raises(Unreadable, match=cause):
        Options(**wrong)


def test_a_language_that_nobody_speaks_is_refused():
    with pytest.raises(Unreadable, match=r"xx.*fr"):
        Options(language="xx")


def test_the_same_board_gives_the_same_picture(arnhem):
    assert maps.render_svg(arnhem) == maps.render_svg(arnhem)


def test_render_writes_by_the_ending_of_the_file(arnhem, tmp_path):
    maps.render(arnhem, tmp_path / "map.svg", Options(scale=10))
    maps.render(arnhem, tmp_path / "map.png", Options(scale=10))
    assert (tmp_path / "map.svg").read_text(encoding="utf-8").startswith("<svg")
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")
    maps.render(arnhem, tmp_path / "map.pdf")
    assert (tmp_path / "map.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(ValueError, match=r"\.svg, \.png or \.pdf"):
        maps.render(arnhem, tmp_path / "map.gif")


def test_a_printed_map_is_of_its_paper_and_embeds_its_fonts(arnhem):
    """A1 is one upright sheet of 594 by 841 mm; every face is a subset inside the file."""
    pdf = maps.render_pdf(arnhem, "A1")
    assert [
        round(float(side) * 25.4 / 72) for side in re.search(rb"/MediaBox\s*\[0 0 (\S+) (\S+)\]", pdf).groups()
    ] == [594, 841]
    for face in (b"Alegreya-Bold", b"Alegreya-Regular", b"Alegreya-MediumItalic", b"AlegreyaSans-Medium"):
        assert re.search(rb"/BaseFont\s*/[A-Z]{6}\+" + face, pdf), face
    assert pdf.count(b"/FontFile") >= 4


def test_tiles_of_a3_make_up_the_sheet(arnhem):
    """A board as large as A1 takes six sheets of A3."""
    pdf = maps.render_pdf(arnhem, "A3")
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 6
    with pytest.raises(Unreadable, match="A1"):
        maps.render_pdf(arnhem, "letter")


def test_the_sheet_carries_the_turns_and_the_tables_of_the_game():
    """Ardennes '44: thirty dated turns, terrain effects and combat results in the reader's language."""
    folder = GAMES_FOLDER / "ardennes44" / "data"
    around = read_around(folder)
    assert (len(around.turns), around.turns[0], [table.kind for table in around.tables]) == (
        30,
        ("1", "16 am"),
        ["terrain", "combat"],
    )
    words = words_of(maps.render_svg(load_board(folder), Options(10, "fr", ["frame"], around=around)))
    assert {"Effets du terrain", "Résultats des combats", "Piste des tours", "Position retranchée", "FF+1"} <= set(
        words
    )


def test_a_game_without_dates_has_a_track_of_its_turns():
    assert [turn for turn, _ in read_around(GAMES_FOLDER / "target_arnhem" / "data").turns] == list("123456789")


# ---- lines and numbers -------------------------------------------------------------


def test_a_front_line_leaves_the_river_along_it_free():
    """On The Deadly Woods the front follows the Our and the Sûre: it runs on the German bank."""
    canvas = Canvas(load_board(GAMES_FOLDER / "deadly_woods" / "data"))
    rivers = [
        (canvas.side(canvas.board.index[row["a"]], direction), style.WATERS[row["kind"]].casing_width * UNIT / 2)
        for row in canvas.board.rows["hexsides.csv"]
        if (direction := canvas.board.direction(canvas.board.index[row["a"]], canvas.board.index[row["b"]])) is not None
    ]
    for line in border_lines(canvas, "german-start", 0.05):
        for a, b in pairwise(line):
            point = mix(a, b)
            assert all(distance_to_segment(point, *side) > half for side, half in rivers), point


def test_hexes_cut_by_the_edge_have_no_number():
    board = load_board(GAMES_FOLDER / "bulge" / "data")
    words = words_of(maps.render_svg(board, Options(layers=["numbers"])))
    assert "0201" in words
    assert not {"0200", "0210", "1000", "1010"} & set(words)


def test_only_a_map_of_two_sheets_has_a_seam(arnhem):
    two_sheets = load_board(GAMES_FOLDER / "ardennes44" / "data")
    assert "stroke-dasharray" in maps.render_svg(two_sheets, Options(layers=["grid"]))
    assert "stroke-dasharray" not in maps.render_svg(arnhem, Options(layers=["grid"]))


def test_rivers_widen_from_their_springs():
    """The Enz rises on the map: its first reaches are narrower than its last."""
    waters = Drawing(load_board(GAMES_FOLDER / "ardennes44" / "data"), Options()).waters
    shares = [share for course in waters.courses if course.name == "Enz" for share, _ in waters.pieces(course)]
    assert min(shares) < 0.6
    assert max(shares) > 0.8
    meuse = [share for course in waters.courses if course.name == "Meuse" for share, _ in waters.pieces(course)]
    assert min(meuse) == 1.0


def test_every_hex_keeps_its_centre_inside_its_own_ground():
    """Natural edges may bend, but no farther than that a hex's middle stays what it is."""
    canvas = Canvas(load_board(GAMES_FOLDER / "ardennes44" / "data"))
    for here, (x, y) in enumerate(canvas.centres):
        dx, dy = bend((x, y))
        assert canvas.hex_at(x - dx, y - dy) == here


def test_entry_hexes_show_their_letters():
    board = load_board(GAMES_FOLDER / "ardennes44" / "data")
    words = words_of(maps.render_svg(board, Options(layers=["zones"])))
    assert set("ABCDEFGHJ") <= set(words)


def test_boxes_that_hold_counters_and_blocking_positions_have_panels():
    board = load_board(GAMES_FOLDER / "ardennes44" / "data")
    assert set(maps.geometry(board)["areas"]) == set(board.areas)


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.parent.name)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_on_a_map_is_in_every_language(folder, language):
    """Titles, terrain, zones, areas: no entry of terrain.toml lacks a language."""
    tables = tomllib.loads((folder / "terrain.toml").read_text(encoding="utf-8"))

    def named(table):
        for value in table.values():
            if isinstance(value, dict):
                yield from [value] if isinstance(value.get("en"), str) else named(value)

    assert all(value.get(language) for value in named(tables))


@pytest.mark.parametrize(
    ("language", "words"),
    [("it", ["Anversa", "Nord-Ovest"]), ("fr", ["Anvers", "Sud-Est"]), ("de", ["Antwerpen", "Nordost"])],
)
def test_boxes_beside_the_map_are_named_in_the_readers_language(language, words):
    board = load_board(GAMES_FOLDER / "ardennes44" / "data")
    written = words_of(maps.render_svg(board, Options(language=language, layers=["areas"])))
    assert set(words) <= set(written)
    assert "Northwest" not in written


def test_regions_and_dates_are_in_the_readers_language():
    folder = GAMES_FOLDER / "deadly_woods" / "data"
    board, around = load_board(folder), read_around(folder)
    layers = ["places", "frame"]
    written = words_of(maps.render_svg(board, Options(40.0, "it", layers, around=around)))
    assert {"Ardenne", "francesi"} <= set(" ".join(written).split())
    assert "30-31 dic." in written


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.parent.name)
def test_the_sheet_has_a_locator_map(folder):
    """Western Europe with the map's own extent in it, named in the reader's language."""
    board = load_board(folder)
    sheet = words_of(maps.render_svg(board, Options(language="de", layers=["frame"])))
    assert {"Brüssel", "Köln", "Paris"} <= set(sheet)
    west, south, east, north = locator.europe()["window"]
    corners = board.legend["map"]["extent"]["corners"]
    assert len(corners) == 4
    assert all(west < lon < east and south < lat < north for lon, lat in corners)


def test_rivers_through_rough_ground_run_in_gorges(arnhem):
    """Hachures on both banks of the Our at Dasburg; none in the Low Countries, which have no rough ground."""
    board = load_board(GAMES_FOLDER / "deadly_woods" / "data")
    assert gorges.INK in maps.render_svg(board, Options(layers=["water"]))
    assert gorges.INK not in maps.render_svg(arnhem, Options(layers=["water"]))


# ---- geometry ----------------------------------------------------------------------


@pytest.mark.parametrize("scale", [12.0, 33.3])
def test_geometry_fits_the_client_picture(arnhem, scale):
    found = maps.geometry(arnhem, scale)
    png = maps.render_png(arnhem, Options(scale=scale, layers=maps.CLIENT_LAYERS))
    assert struct.unpack(">II", png[16:24]) == (found["width"], found["height"])


def test_geometry_says_where_hexes_and_areas_lie(arnhem):
    found = maps.geometry(arnhem, 40.0)
    (ax, ay), (bx, by) = found["centres"]["0503"], found["centres"]["0504"]
    assert (bx - ax, by - ay) == pytest.approx((40 * 3**0.5, 0), abs=0.02)
    assert found["centres"]["1504"][1] < found["centres"]["0103"][1]
    for x, y in found["corners"]["0503"]:
        assert ((x - ax) ** 2 + (y - ay) ** 2) ** 0.5 == pytest.approx(40, abs=0.02)
    assert set(found["areas"]) == set(arnhem.areas)
    for area in found["areas"].values():
        assert 0 <= area["x"] <= area["x"] + area["width"] <= found["width"]
        assert 0 <= area["y"] <= area["y"] + area["height"] <= found["height"]


def test_area_panels_do_not_overlap(arnhem):
    rects = [
        (area["x"], area["y"], area["x"] + area["width"], area["y"] + area["height"])
        for area in maps.geometry(arnhem)["areas"].values()
    ]
    assert all(overlap(a, b) == 0 for a, b in combinations(rects, 2))


# ---- names -------------------------------------------------------------------------


def test_bold_and_long_names_are_wider():
    assert (
        text_width("Nijmegen", "bold", 10) > text_width("Nijmegen", "regular", 10) > text_width("Elst", "regular", 10)
    )


ZOOMS = (12.0, 24.0, 48.0, 96.0)


@pytest.mark.parametrize("scale", ZOOMS)
@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.parent.name)
def test_no_name_touches_another_name_a_number_a_bridge_or_a_foreign_dot(folder, scale):
    """At four zooms; from the third on every place of the map has its name."""
    drawing = Drawing(load_board(folder), Options(scale))
    names = drawing.names
    assert not names.missing or scale < 40, names.missing
    taken = [names.number_rect(here) for here in range(len(drawing.canvas.board)) if names.has_numbers]
    for reach in drawing.waters.bridges:
        (x, y), _, _ = bridge_frame(drawing.canvas, reach)
        taken.append((x - 12, y - 12, x + 12, y + 12))
    spots = [(spot.wish.name, spot.rect) for spot in names.spots] + [(sign.number, sign.rect) for sign in names.signs]
    for (name, rect), (other, again) in combinations(spots, 2):
        assert overlap(rect, again) == 0, f"{name} over {other}"
    for name, rect in spots:
        assert all(overlap(rect, other) == 0 for other in taken), name
    air = 0.03 * UNIT
    dots = {place.name: dot_radius(drawing.canvas, place.size) + air for place in names.shown if place.size in DOTS}
    for place, half in dots.items():
        x, y = names.points[place]
        around = (x - half, y - half, x + half, y + half)
        assert all(overlap(rect, around) == 0 for name, rect in spots if name != place), place


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.parent.name)
def test_names_can_be_read_at_every_zoom(folder):
    """No place name is set in less than eight pixels, and the ranks stay apart: village, town, city."""
    for scale in ZOOMS:
        spots = Drawing(load_board(folder), Options(scale)).names.spots
        sizes = {spot.wish.name: spot.size * scale / UNIT for spot in spots if spot.wish.look in style.PLACES.values()}
        assert sizes
        assert min(sizes.values()) > 8
    looks = style.PLACES
    assert looks["town"].size / looks["village"].size == pytest.approx(1.5, abs=0.1)
    assert looks["city"].size / looks["village"].size == pytest.approx(2.4, abs=0.2)


def test_every_water_of_target_arnhem_is_named(arnhem):
    words = words_of(maps.render_svg(arnhem, Options(layers=["water", "places"])))
    assert {row["name"] for row in arnhem.rows["hexsides.csv"]} <= set(words)
