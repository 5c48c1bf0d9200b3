"""The map of Ardennes '44: what the rulebook states, and what one who knows the campaign would check on sight."""

import itertools
from collections import deque
from collections.abc import Iterable
from pathlib import Path

import pytest

import salient
from salient.hexes.board import Board
from salient.hexes.check import check_board
from salient.hexes.load import load_board

DATA = Path(salient.__file__).parent / "games" / "ardennes44" / "data"
ALL_ROADS = ("primary", "secondary", "forest")


@pytest.fixture(scope="module")
def board() -> Board:
    return load_board(DATA)


# ---- speaking about the map by names -----------------------------------------------


def hexes_of(board: Board, place: str) -> tuple[int, ...]:
    """Return the hexes of a place or of a hex number."""
    if place in board.index:
        return (board.index[place],)
    return next(known.hexes for known in board.places if known.name == place)


def at(board: Board, place: str) -> int:
    return hexes_of(board, place)[0]


def side(board: Board, text: str):
    a, b = text.split("/")
    return board.side(board.index[a], board.index[b])


def line(board: Board, a: str, b: str) -> list[int]:
    """Return the hexes on the straight line between two places."""
    labels = board.grid.line(board.labels[at(board, a)], board.labels[at(board, b)])
    return [board.index[label] for label in labels if label is not None]


def waters_between(board: Board, a: str, b: str) -> set[str]:
    """Return the names of the rivers that the straight line between two places crosses along hexsides."""
    sides = [board.side(here, there) for here, there in itertools.pairwise(line(board, a, b))]
    return {found.name for found in sides if found is not None}


def rivers_at(board: Board, place: str) -> set[str]:
    """Return the names of the rivers along the hexes of a place, or ending at them where one runs through."""
    hexes = hexes_of(board, place)
    along = {found.name for here in hexes for found in board.sides[here] if found is not None}
    wet = [board.labels[here] for here in hexes if "river-through" in board.features[here]]
    corners = {board.grid.corner(label, i) for label in wet for i in range(6)}
    ends = {
        row["name"]
        for row in board.rows["hexsides.csv"]
        if corners & set(board.grid.hexside_corners(row["a"], row["b"]))
    }
    return along | ends


def reach(board: Board, starts: Iterable[int], classes: tuple[str, ...] = ALL_ROADS) -> dict[int, int]:
    """Return the distance by roads of some classes of every hex they join to the starts."""
    found = dict.fromkeys(starts, 0)
    queue = deque(found)
    while queue:
        here = queue.popleft()
        for there in board.adjacent[here]:
            if there not in found and board.road(here, there) in classes:
                found[there] = found[here] + 1
                queue.append(there)
    return found


def detour(board: Board, a: str, b: str, classes: tuple[str, ...] = ALL_ROADS) -> int:
    """Return by how many hexes the road between two places is longer than the straight line."""
    start, end = at(board, a), at(board, b)
    return reach(board, [start], classes)[end] - board.distance(start, end)


def road_hexes(board: Board, name: str) -> set[str]:
    """Return the hexes of a named road."""
    rows = [row for row in board.rows["roads.csv"] if row["name"] == name]
    return {row[end] for row in rows for end in ("a", "b")}


def is_west_of(board: Board, a: str, b: str) -> bool:
    """Columns grow to the west."""
    return board.grid.parse(board.labels[at(board, a)])[0] > board.grid.parse(board.labels[at(board, b)])[0]


def is_north_of(board: Board, a: str, b: str) -> bool:
    return board.grid.parse(board.labels[at(board, a)])[1] > board.grid.parse(board.labels[at(board, b)])[1]


# ---- the whole map -------------------------------------------------------------------


def test_the_map_has_no_findings(board: Board) -> None:
    """Rivers run on, roads connect, every road across a river has a bridge, no hex is missing."""
    assert check_board(board).findings == ()
    assert len(board) == 70 * 40


def test_every_road_leads_somewhere(board: Board) -> None:
    """A road ends at a place or at the map edge."""
    places = {here for place in board.places for here in place.hexes}
    for here in range(len(board)):
        steps = sum(road is not None for road in board.roads[here])
        assert steps != 1 or here in places or -1 in board.neighbours[here], board.labels[here]


def test_west_map_hexes_are_printed_with_a_w(board: Board) -> None:
    """W column = E column - 40."""
    assert board.grid.printed("4103") == "W0103"
    assert board.grid.printed("4040") == "4040"
    assert board.grid.unprinted("W0103") == "4103"
    assert board.grid.unprinted("E2016") == "2016"


def test_even_columns_stand_half_a_hex_lower(board: Board) -> None:
    """Columns grow westward, rows northward: only so do the rulebook's bridges join neighbours."""
    assert board.grid.neighbours("2214") == ("2215", "2114", "2113", "2213", "2313", "2314")


# ---- the rulebook's hexes --------------------------------------------------------------


@pytest.mark.parametrize(
    ("hexside", "water", "state", "what"),
    [
        ("2016/2115", "Our", "unbuilt", "7.9 Dasburg"),
        ("1913/2013", "Our", "unbuilt", "7.9 Gemünd"),
        ("2020/2119", "Our", "bridge", "7.7 Ouren"),
        ("2928/3029", "Salm", "bridge", "S4.3 Trois-Ponts over the Salm"),
        ("2929/3029", "Amblève", "bridge", "S4.3 Trois-Ponts over the Amblève"),
        ("3618/3718", "Ourthe", "bridge", "S4.3 Ortho"),
        ("3821/3920", "Ourthe", "bridge", "S4.3 La Roche (the rulebook's 3921/3820 do not touch)"),
    ],
)
def test_bridge_stated_by_the_rulebook(board: Board, hexside: str, water: str, state: str, what: str) -> None:
    found = side(board, hexside)
    assert found is not None, what
    assert (found.name, found.bridge, found.source) == (water, state, "rulebook"), what


@pytest.mark.parametrize(
    ("place", "hexes"),
    [
        ("Marnach", ["2216"]),
        ("Hosingen", ["2214"]),
        ("Trois-Ponts", ["3029"]),
        ("Ortho", ["3718"]),
        ("Echternach", ["1105"]),
        ("Bastogne", ["3413", "3313"]),
        ("Liège", ["4040", "4140", "4039", "4139"]),
    ],
)
def test_place_stated_by_the_rulebook(board: Board, place: str, hexes: list[str]) -> None:
    assert [board.labels[here] for here in hexes_of(board, place)] == hexes


def test_s1_4_four_bridges_are_blown_between_echternach_and_vianden(board: Board) -> None:
    blown = [row for row in board.rows["hexsides.csv"] if row["bridge"] == "blown"]
    assert [(row["a"], row["b"]) for row in blown] == [
        ("1105", "1106"),
        ("1306", "1307"),
        ("1508", "1608"),
        ("1710", "1811"),
    ]
    assert {row["name"] for row in blown} == {"Sauer", "Our"}


def test_29_3_the_sauer_lies_between_1006_and_1005_below_echternach(board: Board) -> None:
    assert side(board, "1005/1006").name == "Sauer"
    assert side(board, "1006/1105").name == "Sauer"


@pytest.mark.parametrize("label", ["1129", "1328", "1527", "2113", "1913", "2216"])
def test_traffic_hexes_of_the_example_are_road_hexes(board: Board, label: str) -> None:
    assert any(board.roads[board.index[label]])


def test_2113_is_a_forest_road_between_gemund_and_hosingen(board: Board) -> None:
    chain = ["1913", "2013", "2113", "2214"]
    for a, b in itertools.pairwise(chain):
        assert board.road(board.index[a], board.index[b]) is not None
    assert board.road(board.index["2013"], board.index["2113"]) == "forest"


@pytest.mark.parametrize("label", ["2313", "2314", "2414"])
def test_hexes_west_of_hosingen_can_be_retreated_through(board: Board, label: str) -> None:
    """The battalion at Hosingen may go to 2313, 2314 or on to 2414: no river bars the way."""
    assert waters_between(board, "Hosingen", label) == set()


def test_s1_3_rough_woods_in_two_set_up_areas(board: Board) -> None:
    """Three such hexes in the area of the 26th Volksgrenadier, two in that of the 5th Fallschirmjäger."""
    rough = {here for here, terrain in enumerate(board.terrain) if terrain == "rough-woods"}
    assert len(rough & board.zones["setup-26vg"]) == 3
    assert len(rough & board.zones["setup-5fj"]) == 2


def test_example_attacks_that_no_river_halves(board: Board) -> None:
    """The 99th Division's hexes 1430 to 1433, Sevenig, Lützkampen and Bleialf are attacked at full strength."""
    for label, area in [("1430", "12vg"), ("1432", "277vg"), ("1433", "277vg"), ("Lützkampen", "116pz")]:
        here = at(board, label)
        germans = [there for there in board.adjacent[here] if there in board.zones[f"setup-{area}"]]
        assert germans, label
        assert not any(board.side(here, there) for there in germans), label


def test_example_fouhren_can_only_be_attacked_across_the_our(board: Board) -> None:
    here = at(board, "Fouhren")
    east = [there for there in board.adjacent[here] if board.side(here, there)]
    assert len(east) >= 2
    assert {board.side(here, there).name for there in east} == {"Our"}


def test_example_the_ernz_noire_parts_berdorf_from_beaufort(board: Board) -> None:
    """A rough-woods hex lies between the two American units (276/986 enters it)."""
    assert any(board.terrain[here] == "rough-woods" for here in line(board, "Berdorf", "Beaufort"))


def test_3_3_rivers_run_through_towns_and_rough_woods(board: Board) -> None:
    """Malmédy (3.3), Clervaux and Houffalize (7.6) have the river in the town."""
    for town in ("Malmédy", "Clervaux", "Houffalize"):
        assert "river-through" in board.features[at(board, town)]
    for here, features in enumerate(board.features):
        if "river-through" in features:
            assert board.terrain[here] == "rough-woods" or "town" in features, board.labels[here]


def test_11_8_secondary_roads_in_forest_are_forest_roads(board: Board) -> None:
    for here, terrain in enumerate(board.terrain):
        kinds = {road.kind for road in board.roads[here] if road}
        if terrain in ("forest", "rough-woods") and "primary" not in kinds:
            assert "secondary" not in kinds, board.labels[here]


def test_6_4_1_the_ourthe_line(board: Board) -> None:
    """From the south edge past W0103 to the West Ourthe, and along the Ourthe to the Meuse."""
    west = board.zones["west-of-ourthe"]
    for place in ("Marche-en-Famenne", "St-Hubert", "Dinant", "Ortho", "Champlon", "4203", "Neufchâteau"):
        assert at(board, place) in west, place
    for place in ("Bastogne", "La Roche-en-Ardenne", "Hotton", "Bertogne", "Amberloup", "4103", "Manhay"):
        assert at(board, place) not in west, place


def test_24_7_three_bottlenecks_one_next_to_marnach(board: Board) -> None:
    assert len(board.zones["st-vith-bottleneck"]) == 3
    assert any(there in board.zones["st-vith-bottleneck"] for there in board.adjacent[at(board, "Marnach")])


def test_32_1_three_fuel_depots_on_roads_one_outside_francorchamps(board: Board) -> None:
    depots = board.zones["fuel-depot"]
    assert len(depots) == 3
    assert all(any(board.roads[here]) for here in depots)
    assert any(board.distance(here, at(board, "Francorchamps")) <= 2 for here in depots)


def test_30_2_victory_hexes(board: Board) -> None:
    victory = board.zones["victory"]
    assert set(hexes_of(board, "Liège")) == board.zones["victory-liege"] <= victory
    meuse = {at(board, town) for town in ("Givet", "Dinant", "Namur", "Andenne", "Huy", "Amay")}
    assert meuse == board.zones["victory-meuse"] <= victory
    assert set(hexes_of(board, "Bastogne")) <= victory
    east = [here for here in victory if board.labels[here] < "4100"]
    assert len(east) >= 14  # S3.4 asks for fourteen points


def test_3_2_entry_hexes_lie_on_roads_at_the_edge(board: Board) -> None:
    for zone, letters in (("allied-entry", "ABCDEFGHJ"), ("german-entry", "KLMN")):
        assert set(board.zone_values[zone].values()) == set(letters)
        for here in board.zones[zone]:
            assert -1 in board.neighbours[here], board.labels[here]
            assert any(board.roads[here]), board.labels[here]


def test_3_2_every_allied_entry_hex_of_the_east_map_has_a_blocking_position(board: Board) -> None:
    blocking = [area for area in board.areas.values() if area.kind == "blocking-position"]
    east = {here for here in board.zones["allied-entry"] if board.labels[here] < "4100"}
    assert {here for area in blocking for here in area.hexes} == east
    assert all(len(area.hexes) == 1 and len(area.areas) == 1 for area in blocking)


def test_11_9_boxes_and_their_sectors(board: Board) -> None:
    """Southeast has A, B and C [13.4]; each box touches its neighbour along the edge."""
    entries = board.zone_values["allied-entry"]
    southeast = {entries[here] for here in board.areas["southeast"].hexes if here in entries}
    assert southeast == {"A", "B", "C"}
    for one, other in (
        ("southeast", "southwest"),
        ("southwest", "west"),
        ("west", "northwest"),
        ("northwest", "northeast"),
    ):
        assert other in board.areas[one].areas
        assert one in board.areas[other].areas
    assert "antwerp" in board.areas["west"].areas


def test_29_1_2_set_up_areas_do_not_overlap_and_the_rear_lies_behind(board: Board) -> None:
    areas = [hexes for zone, hexes in board.zones.items() if zone.startswith("setup-")]
    assert len(areas) == 17
    assert sum(map(len, areas)) == len(frozenset().union(*areas))
    assert not board.zones["rear-area"] & frozenset().union(*areas)
    for area in areas:
        joined, queue = {min(area)}, [min(area)]
        while queue:
            fresh = [there for there in board.adjacent[queue.pop()] if there in area and there not in joined]
            joined.update(fresh)
            queue += fresh
        assert joined == area


def test_29_1_2_no_american_hex_of_the_rulebook_is_in_a_german_area(board: Board) -> None:
    german = board.zones["rear-area"].union(
        *(hexes for zone, hexes in board.zones.items() if zone.startswith("setup-"))
    )
    stated = [
        "2216",
        "2214",
        "1430",
        "1431",
        "1432",
        "1433",
        "1535",
        "1636",
        "1105",
        "1005",
        "1807",
        "2313",
        "2314",
        "2414",
    ]
    assert not german & {board.index[label] for label in stated}


def test_11_10_army_boundaries(board: Board) -> None:
    """3rd Fallschirmjäger and 18th Volksgrenadier, 26th Volksgrenadier and 5th Fallschirmjäger stand on either side."""
    for division, army in (("3fj", "army-6pz"), ("18vg", "army-5pz"), ("26vg", "army-5pz"), ("5fj", "army-7")):
        assert board.zones[f"setup-{division}"] <= board.zones[army], division
    assert not board.zones["army-6pz"] & board.zones["army-5pz"]
    assert not board.zones["army-5pz"] & board.zones["army-7"]


# ---- geography that a wargamer checks on sight --------------------------------------------

ROADS_THROUGH = [
    ("N4", ["Namur", "Marche-en-Famenne", "Champlon", "Ortheuville", "Bastogne", "Martelange"]),
    ("N15", ["Liège", "Aywaille", "Werbomont", "Manhay", "Baraque de Fraiture", "Houffalize", "Noville", "Foy"]),
    ("N28", ["La Roche-en-Ardenne", "Samrée", "Baraque de Fraiture", "Salmchâteau", "Vielsalm"]),
    ("N89", ["La Roche-en-Ardenne", "Champlon", "St-Hubert", "Recogne"]),
    ("Skyline Drive", ["St. Vith", "Weiswampach", "Heinerscheid", "Marnach", "Hosingen", "Hoscheid", "Diekirch"]),
    ("N32", ["Baugnez", "Waimes", "Bütgenbach", "Dom Bütgenbach", "Büllingen", "Losheimergraben", "Losheim"]),
    ("Vielsalm - St. Vith", ["Vielsalm", "Poteau", "St. Vith"]),
    ("N23", ["Malmédy", "Baugnez", "Ligneuville", "Kaiserbaracke"]),
    ("St. Vith - Losheim", ["St. Vith", "Schönberg", "Andler", "Manderfeld", "Losheim"]),
    ("Schönberg - Prüm", ["Schönberg", "Bleialf", "Brandscheid", "Prüm"]),
    ("St. Vith - Prüm", ["St. Vith", "Steinebrück", "Winterspelt", "Pronsfeld", "Prüm"]),
    ("Dasburg - Bastogne", ["Dasburg", "Marnach", "Clervaux", "Antoniushaff", "Longvilly", "Mageret"]),
    ("N66", ["Huy", "Hamoir", "Werbomont", "Trois-Ponts"]),
    ("Spa road", ["Verviers", "Theux", "Spa", "Francorchamps", "Stavelot"]),
    ("Trois-Ponts - Malmédy", ["Trois-Ponts", "Stavelot", "Malmédy"]),
    ("Malmédy - Eupen", ["Malmédy", "Baraque Michel", "Eupen"]),
    ("Bastogne - Neufchâteau", ["Bastogne", "Sibret", "Vaux-sur-Sûre", "Neufchâteau"]),
    ("Marche - Manhay", ["Marche-en-Famenne", "Hotton", "Érezée", "Manhay"]),
    ("Meuse road", ["Liège", "Huy", "Andenne", "Namur", "Dinant", "Givet"]),
    ("Wahlerscheid road", ["Büllingen", "Rocherath-Krinkelt", "Wahlerscheid"]),
    ("Stoumont road", ["Coo", "La Gleize", "Stoumont"]),
    ("Meuse road south", ["Givet", "Fumay", "Revin", "Monthermé"]),
    ("Reichsstraße 51", ["Trier", "Bitburg", "Prüm", "Stadtkyll", "Blankenheim"]),
    ("Bitburg - Vianden", ["Bitburg", "Sinspelt", "Roth an der Our", "Vianden"]),
]


@pytest.mark.parametrize(("name", "places"), ROADS_THROUGH)
def test_road_runs_through_its_places(board: Board, name: str, places: list[str]) -> None:
    hexes = road_hexes(board, name)
    for place in places:
        assert any(board.labels[here] in hexes for here in hexes_of(board, place)), place


@pytest.mark.parametrize(
    ("a", "b", "classes", "most"),
    [
        ("Bastogne", "Namur", ("primary",), 5),
        ("Bastogne", "Liège", ("primary",), 6),
        ("St. Vith", "Vielsalm", ("primary",), 2),
        ("Dasburg", "Bastogne", ("primary",), 3),
        ("Malmédy", "Stavelot", ("primary",), 1),
        ("Clervaux", "Bastogne", ("primary",), 3),
        ("Ettelbruck", "Bastogne", ("primary",), 3),
        ("Echternach", "Diekirch", ALL_ROADS, 3),
        ("Losheim", "Malmédy", ("primary",), 3),
        ("Houffalize", "St. Vith", ALL_ROADS, 4),
        ("La Roche-en-Ardenne", "Bastogne", ALL_ROADS, 4),
        ("Prüm", "St. Vith", ("primary",), 3),
        ("Marche-en-Famenne", "Dinant", ALL_ROADS, 4),
        ("Monschau", "Eupen", ("primary",), 2),
        ("Malmédy", "St. Vith", ("primary",), 2),
        ("Wahlerscheid", "Höfen", ALL_ROADS, 1),
        ("Stoumont", "Aywaille", ALL_ROADS, 3),
    ],
)
def test_road_is_direct(board: Board, a: str, b: str, classes: tuple[str, ...], most: int) -> None:
    assert detour(board, a, b, classes) <= most


def test_seven_roads_meet_at_bastogne(board: Board) -> None:
    town = set(hexes_of(board, "Bastogne"))
    spokes = {there for here in town for there in board.adjacent[here] if board.road(here, there)} - town
    assert len(spokes) >= 7


@pytest.mark.parametrize(
    "place", ["St. Vith", "Houffalize", "Marche-en-Famenne", "Malmédy", "Prüm", "Bitburg", "Manhay"]
)
def test_road_centre(board: Board, place: str) -> None:
    assert sum(road is not None for road in board.roads[at(board, place)]) >= 4


@pytest.mark.parametrize(
    ("place", "river"),
    [
        ("Stavelot", "Amblève"),
        ("Trois-Ponts", "Amblève"),
        ("Trois-Ponts", "Salm"),
        ("Vielsalm", "Salm"),
        ("Salmchâteau", "Salm"),
        ("La Gleize", "Amblève"),
        ("Stoumont", "Amblève"),
        ("Ligneuville", "Amblève"),
        ("Malmédy", "Warche"),
        ("Hotton", "Ourthe"),
        ("La Roche-en-Ardenne", "Ourthe"),
        ("Houffalize", "Ourthe"),
        ("Ortho", "Ourthe"),
        ("Durbuy", "Ourthe"),
        ("Ortheuville", "Ourthe Occidentale"),
        ("Diekirch", "Sauer"),
        ("Ettelbruck", "Alzette"),
        ("Wallendorf", "Sauer"),
        ("Wallendorf", "Our"),
        ("Bollendorf", "Sauer"),
        ("Echternach", "Sauer"),
        ("Martelange", "Sauer"),
        ("Esch-sur-Sûre", "Sauer"),
        ("Vianden", "Our"),
        ("Gemünd", "Our"),
        ("Dasburg", "Our"),
        ("Ouren", "Our"),
        ("Schönberg", "Our"),
        ("Clervaux", "Clerve"),
        ("Wiltz", "Wiltz"),
        ("Monschau", "Rur"),
        ("Verviers", "Vesdre"),
        ("Bütgenbach", "Warche"),
        ("Bitburg", "Nims"),
        ("Irrel", "Prüm"),
        ("Gerolstein", "Kyll"),
        ("Bouillon", "Semois"),
        ("Houyet", "Lesse"),
        ("Namur", "Meuse"),
        ("Namur", "Sambre"),
        ("Dinant", "Meuse"),
        ("Givet", "Meuse"),
        ("Huy", "Meuse"),
        ("Andenne", "Meuse"),
        ("Amay", "Meuse"),
        ("Liège", "Meuse"),
        ("Liège", "Ourthe"),
        ("Trier", "Mosel"),
        ("Hastière", "Meuse"),
        ("Fumay", "Meuse"),
    ],
)
def test_town_lies_on_its_river(board: Board, place: str, river: str) -> None:
    assert river in rivers_at(board, place)


@pytest.mark.parametrize(
    ("a", "b", "river"),
    [
        ("Diekirch", "Larochette", "Sauer"),
        ("Vianden", "Roth an der Our", "Our"),
        ("Bitburg", "Diekirch", "Our"),
        ("Marnach", "Daleiden", "Our"),
        ("Weiswampach", "Lützkampen", "Our"),
        ("St. Vith", "Winterspelt", "Our"),
        ("Echternach", "Irrel", "Sauer"),
        ("Trier", "Bitburg", "Mosel"),
        ("Trier", "Wasserbillig", "Mosel"),
        ("Trois-Ponts", "La Gleize", "Amblève"),
        ("Werbomont", "Stoumont", "Amblève"),
        ("Vielsalm", "Lierneux", "Salm"),
        ("La Roche-en-Ardenne", "Champlon", "Ourthe"),
        ("Marche-en-Famenne", "Érezée", "Ourthe"),
        ("Bastogne", "Tenneville", "Ourthe Occidentale"),
        ("Ciney", "Mettet", "Meuse"),
        ("Celles", "Beauraing", "Lesse"),
        ("Bitburg", "Waxweiler", "Nims"),
        ("Monschau", "Höfen", "Rur"),
        ("Elsenborn", "Bütgenbach", "Warche"),
    ],
)
def test_river_lies_between(board: Board, a: str, b: str, river: str) -> None:
    assert river in waters_between(board, a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Diekirch", "Vianden"),  # the Our and the Sauer run round the corner of Fouhren, not between
        ("St. Vith", "Poteau"),
        ("Bastogne", "Noville"),
        ("Bastogne", "Longvilly"),
        ("Rocherath-Krinkelt", "Elsenborn"),
        ("Marche-en-Famenne", "Ciney"),
        ("Marnach", "Hosingen"),
        ("Schleiden", "Dreiborn"),
    ],
)
def test_no_river_lies_between(board: Board, a: str, b: str) -> None:
    assert waters_between(board, a, b) == set()


def test_the_our_is_an_unbroken_barrier_from_ouren_to_vianden(board: Board) -> None:
    """West and east bank are joined only across hexsides of the Our between Ouren and Vianden."""
    rows = {(row["a"], row["b"]) for row in board.rows["hexsides.csv"] if row["name"] == "Our"}
    west = {"2119", "2118", "2117", "2116", "2115", "2114", "2113", "2013", "2012", "1911", "1811"}
    east = {"2020", "2019", "2018", "2017", "2016", "2015", "2014", "1913", "1912", "1812", "1711", "1710"}
    for a in west:
        for b in east:
            if board.grid.adjacent(a, b):
                assert (min(a, b), max(a, b)) in rows, (a, b)


def test_the_our_can_be_crossed_only_by_three_bridges_from_ouren_to_vianden(board: Board) -> None:
    """Ouren, Dasburg and Gemünd, then the bridge of Vianden itself."""
    rows = [row for row in board.rows["hexsides.csv"] if row["name"] == "Our" and row["bridge"]]
    between = {f"{row['a']}/{row['b']}" for row in rows if 10 <= board.grid.parse(row["a"])[1] <= 20}
    assert between == {"2020/2119", "2016/2115", "1913/2013", "1710/1811"}


@pytest.mark.parametrize(
    ("label", "what"),
    [
        ("1325", "Schnee Eifel"),
        ("1326", "Schnee Eifel"),
        ("1424", "Schnee Eifel"),
        ("2337", "Hautes Fagnes"),
        ("2236", "Hautes Fagnes"),
        ("1431", "the forest before Rocherath"),
        ("1433", "the forest before Rocherath"),
        ("1535", "Wahlerscheid"),
        ("4415", "forest of St-Hubert"),
        ("3503", "forest of Anlier"),
        ("1204", "Müllerthal"),
        ("1208", "Ferschweiler plateau"),
        ("6410", "French Ardennes"),
        ("0419", "Kyllwald"),
    ],
)
def test_forest(board: Board, label: str, what: str) -> None:
    assert board.terrain[board.index[label]] == "forest", what


@pytest.mark.parametrize(
    "place", ["Bastogne", "Noville", "Marche-en-Famenne", "Ciney", "Bitburg", "Manderfeld", "Losheim"]
)
def test_open_country(board: Board, place: str) -> None:
    assert board.terrain[at(board, place)] == "clear"


@pytest.mark.parametrize("river", ["Clerve", "Wiltz", "Sauer", "Semois"])
def test_gorge_is_rough_woods(board: Board, river: str) -> None:
    """The Oesling valleys and the Semois below Bouillon."""
    rows = [row for row in board.rows["hexsides.csv"] if row["kind"] == "valley-river" and row["name"] == river]
    assert len(rows) >= 4
    rough = [row for row in rows if "rough-woods" in {board.terrain[board.index[row[end]]] for end in ("a", "b")}]
    assert rough == rows


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Elsenborn", "Rocherath-Krinkelt"),
        ("Elsenborn ridge", "Rocherath-Krinkelt"),
        ("St. Vith", "Schönberg"),
        ("Marnach", "Dasburg"),
        ("Clervaux", "Marnach"),
        ("Bastogne", "Wiltz"),
        ("Stavelot", "Malmédy"),
        ("Werbomont", "Trois-Ponts"),
        ("Dinant", "Ciney"),
        ("Berdorf", "Echternach"),
        ("Vielsalm", "St. Vith"),
        ("Auw", "Schnee Eifel"),
    ],
)
def test_lies_west_of(board: Board, a: str, b: str) -> None:
    assert is_west_of(board, a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Houffalize", "Bastogne"),
        ("Malmédy", "St. Vith"),
        ("Spa", "La Gleize"),
        ("Marnach", "Hosingen"),
        ("Vianden", "Diekirch"),
        ("Monschau", "Wahlerscheid"),
        ("Manhay", "Baraque de Fraiture"),
        ("Namur", "Dinant"),
        ("Losheim gap", "Schnee Eifel"),
    ],
)
def test_lies_north_of(board: Board, a: str, b: str) -> None:
    assert is_north_of(board, a, b)


def test_westwall_runs_along_the_frontier_from_monschau_to_echternach(board: Board) -> None:
    wall = {here for here, features in enumerate(board.features) if "westwall" in features}
    for place in ("Hollerath", "Udenbreth", "Brandscheid", "Großkampenberg", "Schnee Eifel", "Bollendorf"):
        assert at(board, place) in wall, place
    rows = [board.grid.parse(board.labels[here])[1] for here in wall]
    assert min(rows) <= 7
    assert max(rows) >= 36
    assert not wall & {at(board, place) for place in ("Lützkampen", "Sevenig", "Winterspelt", "Bleialf", "Manderfeld")}


def test_lakes_of_1944(board: Board) -> None:
    """Bütgenbach, Robertville, Gileppe and the Urft dam stood; Nisramont, Eupen and the upper Sauer did not."""
    rows = [row for row in board.rows["hexsides.csv"] if row["kind"] == "lake"]
    assert {row["name"] for row in rows} == {"Lac de Bütgenbach", "Lac de Robertville", "Lac de la Gileppe", "Urftsee"}


def test_27_3_1_the_british_bank_of_the_meuse(board: Board) -> None:
    west = board.zones["west-of-meuse"]
    for place in ("Namur", "Mettet", "Givet", "Florennes", "Amay", "Fumay", "Revin", "Hastière"):
        assert at(board, place) in west, place
    for place in ("Dinant", "Ciney", "Huy", "Andenne", "Marche-en-Famenne"):
        assert at(board, place) not in west, place


@pytest.mark.parametrize("town", ["Givet", "Dinant", "Namur", "Huy", "Liège"])
def test_meuse_bridge(board: Board, town: str) -> None:
    found = [near for here in hexes_of(board, town) for near in board.sides[here] if near and near.name == "Meuse"]
    assert any(near.bridge == "bridge" for near in found)
