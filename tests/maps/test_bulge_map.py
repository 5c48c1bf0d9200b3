"""The map of Battle of the Bulge: what rulebook and rulings state, and what one who knows the Ardennes would check."""

import csv
import itertools
import tomllib
from pathlib import Path

import pytest

import salient
from salient.hexes.board import Board
from salient.hexes.check import check_board
from salient.hexes.load import load_board

DATA = Path(salient.__file__).parent / "games" / "bulge" / "data"


@pytest.fixture(scope="module")
def board() -> Board:
    return load_board(DATA)


# ---- speaking about the map by names -----------------------------------------------


def hex_of(board: Board, name: str) -> int:
    """Return the hex of a named place."""
    return next(place.hexes[0] for place in board.places if place.name == name)


def named(board: Board, here: int) -> str:
    """Return the name of the town or village in a hex."""
    return next(place.name for place in board.places if place.size != "region" and here in place.hexes)


def neighbour(board: Board, name: str, direction: str) -> str:
    """Return the name of the neighbour of a place in a direction such as NW."""
    there = board.neighbours[hex_of(board, name)][board.grid.directions.index(direction)]
    return named(board, there)


def is_city(board: Board, name: str) -> bool:
    return "city" in board.features[hex_of(board, name)]


def is_whole(board: Board, here: int) -> bool:
    return "partial" not in board.features[here]


def whole_hexes(board: Board) -> set[int]:
    return {here for here in range(len(board)) if is_whole(board, here)}


def runs_through(board: Board, *names: str) -> bool:
    """Say whether a road leads from each named place straight to the next."""
    hexes = [hex_of(board, name) for name in names]
    return all(board.road(a, b) for a, b in itertools.pairwise(hexes))


def water_between(board: Board, a: str, b: str) -> str:
    side = board.side(hex_of(board, a), hex_of(board, b))
    return "" if side is None else side.name


def barred(board: Board, a: int, b: int) -> bool:
    """Say whether tanks, artillery and trucks cannot pass a hexside: shaded water without a road over it."""
    side = board.side(a, b)
    return side is not None and side.kind == "river" and not board.road(a, b)


def zone_of_control(board: Board, *names: str) -> set[int]:
    return {near for name in names for near in board.adjacent[hex_of(board, name)]}


def road_reach(board: Board, start: int, closed: set[int]) -> set[int]:
    """Return every hex that the road net joins to a hex without entering closed hexes."""
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        for near in board.adjacent[here]:
            if near not in seen and near not in closed and board.road(here, near):
                seen.add(near)
                waiting.append(near)
    return seen


def bridges(board: Board, river: str) -> set[frozenset[str]]:
    return {
        frozenset({named(board, board.index[row["a"]]), named(board, board.index[row["b"]])})
        for row in board.rows["hexsides.csv"]
        if row["name"] == river and row["bridge"]
    }


def area_roads(board: Board, area: str) -> set[int]:
    row = next(row for row in board.rows["areas.csv"] if row["area"] == area)
    return {board.index[label] for label in row["roads"].split()}


# ---- the data as a whole -----------------------------------------------------------


def test_the_map_check_finds_nothing(board: Board) -> None:
    assert [str(finding) for finding in check_board(board).findings] == []


def test_the_board_has_ten_rows_of_ten_or_nine_whole_hexes(board: Board) -> None:
    rows = [[here for here in whole_hexes(board) if board.labels[here][:2] == f"{row:02d}"] for row in range(1, 11)]
    assert [len(row) for row in rows] == [10, 9] * 5


def test_partial_hexes_are_the_halves_at_both_ends_of_even_rows_and_hold_nothing(board: Board) -> None:
    partial = set(range(len(board))) - whole_hexes(board)
    assert {board.labels[here] for here in partial} == {
        f"{row:02d}{end}" for row in (2, 4, 6, 8, 10) for end in ("00", "10")
    }
    assert not any(board.roads[here][d] for here in partial for d in range(6))
    assert not any(partial & zone for zone in board.zones.values())
    assert not any(partial & set(area.hexes) for area in board.areas.values())


def test_every_whole_hex_has_exactly_one_named_place(board: Board) -> None:
    hexes = [here for place in board.places if place.size != "region" for here in place.hexes]
    assert sorted(hexes) == sorted(whole_hexes(board))


@pytest.mark.parametrize("file", ["hexes", "hexsides", "roads", "zones", "areas"])
def test_rows_are_sorted_so_that_a_correction_is_one_line(file: str) -> None:
    with (DATA / f"{file}.csv").open(encoding="utf-8") as stream:
        rows = list(csv.reader(stream))[1:]
    keys = [row[:1] if file in ("hexes", "areas") else row[:2] for row in rows]
    assert keys == sorted(keys)


# ---- rulebook and rulings: places and neighbours ------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "Prüm",
        "Martelange",
        "Bastogne",
        "Ortheuville",
        "Vielsalm",
        "Eupen",
        "Verviers",
        "Liège",
        "Huy",
        "Werbomont",
        "La Roche",
    ],
)
def test_every_place_that_rulebook_and_rulings_name_is_on_the_map(board: Board, name: str) -> None:
    assert is_whole(board, hex_of(board, name))


def test_pointy_top_hexes_have_neighbours_due_east_and_due_west(board: Board) -> None:
    assert board.grid.directions == ("NE", "E", "SE", "SW", "W", "NW")


def test_antwerp_is_not_on_the_board(board: Board) -> None:
    assert "Antwerp" not in {place.name for place in board.places}


def test_bastogne_has_a_road_from_the_east_and_one_on_to_ortheuville_its_north_western_neighbour(board: Board) -> None:
    assert neighbour(board, "Bastogne", "NW") == "Ortheuville"
    assert runs_through(board, neighbour(board, "Bastogne", "E"), "Bastogne", "Ortheuville")


def test_bastognes_north_eastern_neighbour_is_a_city_and_the_south_eastern_is_not(board: Board) -> None:
    assert neighbour(board, "Bastogne", "NE") == "Houffalize"
    assert is_city(board, neighbour(board, "Bastogne", "NE"))
    assert not is_city(board, neighbour(board, "Bastogne", "SE"))


def test_huy_lies_due_west_of_the_city_of_werbomont_with_a_road(board: Board) -> None:
    assert is_city(board, "Werbomont")
    between = neighbour(board, "Werbomont", "W")
    assert neighbour(board, between, "W") == "Huy"
    assert runs_through(board, "Werbomont", between, "Huy")


def test_pruem_is_german_at_the_start(board: Board) -> None:
    assert hex_of(board, "Prüm") in board.zones["axis-start"]


def test_eupen_verviers_and_liege_are_cities_with_points_to_be_denied_to_the_germans(board: Board) -> None:
    for name in ("Eupen", "Verviers", "Liège"):
        assert int(board.zone_values["victory"][hex_of(board, name)]) > 0
        assert hex_of(board, name) not in board.zones["axis-start"]


def test_la_roche_lies_in_the_centre(board: Board) -> None:
    row, column = int(board.labels[hex_of(board, "La Roche")][:2]), int(board.labels[hex_of(board, "La Roche")][2:])
    assert (row, column) == (5, 5)


# ---- the rulebook's examples can be played ------------------------------------------


def test_example_attack_on_martelange_from_the_hex_to_its_east_and_also_to_the_north_west(board: Board) -> None:
    """The Germans east of Martelange attack it to their west; they could have attacked to their north-west as well."""
    attackers = neighbour(board, "Martelange", "E")
    assert neighbour(board, attackers, "W") == "Martelange"
    assert is_whole(board, hex_of(board, neighbour(board, attackers, "NW")))


def test_example_the_infantry_of_martelange_can_retreat(board: Board) -> None:
    """One infantry must retreat: hexes west of Martelange lie outside the attackers' zone of control."""
    attackers = neighbour(board, "Martelange", "E")
    zone = zone_of_control(board, attackers)
    open_hexes = {named(board, near) for near in board.adjacent[hex_of(board, "Martelange")] if near not in zone}
    assert open_hexes - {attackers} == {"Bastogne", "Neufchâteau", "Habay"}


def test_example_nine_german_units_with_a_truck_east_of_martelange(board: Board) -> None:
    """The truck needs a road there, and the artillery that must retreat needs a way that no river bars."""
    hex_east = hex_of(board, neighbour(board, "Martelange", "E"))
    assert any(board.roads[hex_east])
    zone = zone_of_control(board, "Martelange")
    ways = [near for near in board.adjacent[hex_east] if near not in zone and not barred(board, hex_east, near)]
    assert hex_of(board, "Diekirch") in ways


def test_example_the_truck_in_ortheuville_stays_and_the_other_returns(board: Board) -> None:
    """With Germans in Bastogne, Ortheuville is in their zone of control; from Marche a road leads off the board."""
    zone = zone_of_control(board, "Bastogne")
    assert hex_of(board, "Ortheuville") in zone
    assert any(board.roads[hex_of(board, "Ortheuville")])
    other = hex_of(board, "Marche")
    assert other not in zone
    assert road_reach(board, other, zone | {hex_of(board, "Bastogne")}) & area_roads(board, "west")


def test_example_a_german_tank_rolls_west_and_must_stop_in_bastogne(board: Board) -> None:
    """An Allied unit at Ortheuville controls Bastogne but none of the road hexes before it."""
    zone = zone_of_control(board, "Ortheuville")
    road = ["Prüm", "Waxweiler", "Dasburg", "Clervaux", "Wiltz", "Bastogne"]
    assert runs_through(board, *road)
    assert [hex_of(board, name) in zone for name in road] == [False] * 5 + [True]


def test_example_front_line_bastogne_pulls_its_south_eastern_neighbour_but_no_city(board: Board) -> None:
    """Of the three eastern neighbours only Martelange can be pulled: the others are cities that must be occupied."""
    eastern = [neighbour(board, "Bastogne", direction) for direction in ("NE", "E", "SE")]
    assert [name for name in eastern if not is_city(board, name)] == ["Martelange"]
    assert not {hex_of(board, name) for name in eastern} & board.zones["axis-start"]


def test_example_front_line_two_tanks_take_vielsalm(board: Board) -> None:
    """Vielsalm is a city that German tanks reach by road from Prüm through Saint Vith."""
    assert is_city(board, "Vielsalm")
    assert runs_through(board, "Prüm", "Bleialf", "St. Vith", "Vielsalm")


# ---- cities and victory points --------------------------------------------------------


def test_the_cities_are_exactly_the_hexes_with_victory_points(board: Board) -> None:
    cities = {here for here in range(len(board)) if "city" in board.features[here]}
    assert cities == board.zones["victory"]
    assert all(int(value) > 0 for value in board.zone_values["victory"].values())


def test_the_historical_bulge_is_worth_23_points(board: Board) -> None:
    values = board.zone_values["victory"]
    assert sum(int(values[here]) for here in board.zones["historical-bulge"] if here in values) == 23


def test_the_germans_start_with_no_points(board: Board) -> None:
    assert not board.zones["axis-start"] & board.zones["victory"]


def test_any_city_beyond_the_historical_bulge_wins(board: Board) -> None:
    """24 points win, so 23 and any one further city must be enough."""
    further = board.zones["victory"] - board.zones["historical-bulge"]
    assert hex_of(board, "Bastogne") in further
    assert all(23 + int(board.zone_values["victory"][here]) >= 24 for here in further)


def test_the_historical_bulge_hangs_together_with_the_german_start(board: Board) -> None:
    ground = set(board.zones["historical-bulge"] | board.zones["axis-start"])
    seen, waiting = set(), [min(ground)]
    while waiting:
        here = waiting.pop()
        if here not in seen:
            seen.add(here)
            waiting += [near for near in board.adjacent[here] if near in ground]
    assert seen == ground


@pytest.mark.parametrize(
    "name",
    ["St. Vith", "Vielsalm", "Clervaux", "Wiltz", "Houffalize", "La Roche", "Rochefort", "Saint-Hubert", "Celles"],
)
def test_history_taken_by_christmas(board: Board, name: str) -> None:
    assert hex_of(board, name) in board.zones["historical-bulge"]


@pytest.mark.parametrize(
    "name",
    ["Bastogne", "Malmedy", "Stavelot", "Marche", "Hotton", "Dinant", "Ciney", "Werbomont", "Eupen", "Luxembourg"],
)
def test_history_held_by_the_allies(board: Board, name: str) -> None:
    assert hex_of(board, name) not in board.zones["historical-bulge"] | board.zones["axis-start"]


# ---- armies and edges --------------------------------------------------------------------


def test_each_german_start_hex_belongs_to_one_army(board: Board) -> None:
    armies = [board.zones[f"army-{army}"] for army in ("6-panzer", "5-panzer", "7")]
    assert frozenset().union(*armies) == board.zones["axis-start"]
    assert sum(map(len, armies)) == len(board.zones["axis-start"])


def test_the_eastern_edge_is_divided_among_the_three_armies(board: Board) -> None:
    last = {max(here for here in whole_hexes(board) if board.labels[here][:2] == f"{row:02d}") for row in range(1, 11)}
    edges = {army: set(board.areas[f"{army}-army"].hexes) for army in ("6-panzer", "5-panzer", "7")}
    assert set().union(*edges.values()) == last
    assert all(hexes <= board.zones[f"army-{army}"] for army, hexes in edges.items())
    assert max(edges["6-panzer"]) < min(edges["5-panzer"]) < max(edges["5-panzer"]) < min(edges["7"])


def test_the_allied_edges_are_the_outermost_whole_hexes(board: Board) -> None:
    labels = {board.labels[here] for here in whole_hexes(board)}
    edges = {name: {board.labels[here] for here in board.areas[name].hexes} for name in ("north", "west", "south")}
    assert edges["north"] == {label for label in labels if label[:2] == "01"}
    assert edges["south"] == {label for label in labels if label[:2] == "10"}
    assert edges["west"] == {label for label in labels if label[2:] == "01"}


def test_a_road_leaves_the_board_at_every_edge_hex_that_has_one(board: Board) -> None:
    for name, area in board.areas.items():
        assert area_roads(board, name) == {here for here in area.hexes if any(board.roads[here])}


@pytest.mark.parametrize(
    ("edge", "gate"), [("north", "Liège"), ("north", "Eupen"), ("west", "Namur"), ("south", "Luxembourg")]
)
def test_the_great_cities_at_the_edge_are_gates_for_trucks(board: Board, edge: str, gate: str) -> None:
    assert hex_of(board, gate) in area_roads(board, edge)


def test_german_and_allied_start_hexes_face_each_other_along_the_whole_front(board: Board) -> None:
    """In every row the first German hex has an Allied neighbour, from the northern to the southern edge."""
    axis = board.zones["axis-start"]
    for row in range(1, 11):
        first = min(here for here in axis if board.labels[here][:2] == f"{row:02d}")
        assert any(near not in axis for near in board.adjacent[first])


# ---- geography -----------------------------------------------------------------------------

N4 = ("Namur", "Assesse", "Ciney", "Somme-Leuze", "Marche", "Ortheuville", "Bastogne", "Martelange", "Arlon")
N15 = ("Bastogne", "Houffalize", "Cherain", "Manhay", "Werbomont", "Theux", "Liège")


@pytest.mark.parametrize(
    "road",
    [
        N4,
        N15,
        ("St. Vith", "Vielsalm"),
        ("Malmedy", "St. Vith"),
        ("Malmedy", "Stavelot", "Werbomont"),
        ("Eupen", "Monschau"),
        ("Liège", "Verviers", "Eupen"),
        ("Prüm", "Manderfeld", "St. Vith"),
        ("Dasburg", "Clervaux", "Wiltz", "Bastogne"),
        ("Houffalize", "La Roche", "Marche"),
        ("Marche", "Hotton", "Manhay"),
        ("Rochefort", "Celles", "Dinant"),
        ("Clervaux", "Houffalize"),
        ("Neufchâteau", "Bastogne"),
        ("Arlon", "Mamer", "Luxembourg"),
        ("Luxembourg", "Junglinster", "Echternach"),
        ("St. Vith", "Burg-Reuland", "Clervaux", "Hosingen", "Diekirch"),
        ("Bitburg", "Welschbillig", "Trier"),
    ],
    ids=" - ".join,
)
def test_roads_a_player_expects(board: Board, road: tuple[str, ...]) -> None:
    assert runs_through(board, *road)


@pytest.mark.parametrize(
    ("river", "a", "b"),
    [
        ("Our", "Dasburg", "Clervaux"),
        ("Our", "Bleialf", "Burg-Reuland"),
        ("Sauer", "Echternach", "Bitburg"),
        ("Meuse", "Namur", "Assesse"),
        ("Meuse", "Dinant", "Celles"),
        ("Meuse", "Huy", "Amay"),
        ("Meuse", "Liège", "Verviers"),
        ("Ourthe", "Marche", "Hotton"),
        ("Ourthe", "La Roche", "Ortheuville"),
        ("Ourthe", "Durbuy", "Werbomont"),
        ("Amblève", "Stavelot", "Vielsalm"),
        ("Salm", "Vielsalm", "Manhay"),
        ("Moselle", "Wasserbillig", "Trier"),
    ],
)
def test_rivers_a_player_expects(board: Board, river: str, a: str, b: str) -> None:
    assert water_between(board, a, b) == river


def test_the_our_is_crossed_only_at_schoenberg_steinebrueck_dasburg_and_vianden(board: Board) -> None:
    assert bridges(board, "Our") == {
        frozenset({"St. Vith", "Manderfeld"}),
        frozenset({"St. Vith", "Bleialf"}),
        frozenset({"Dasburg", "Clervaux"}),
        frozenset({"Neuerburg", "Hosingen"}),
    }


def test_the_sauer_is_crossed_only_at_echternach(board: Board) -> None:
    assert bridges(board, "Sauer") == {frozenset({"Echternach", "Bitburg"})}


def test_from_saint_vith_to_echternach_the_front_follows_our_and_sauer(board: Board) -> None:
    axis = board.zones["axis-start"]
    line = [
        (here, near)
        for here in axis
        for near in board.adjacent[here]
        if near not in axis and is_whole(board, near) and "0508" <= board.labels[here] <= "0710"
    ]
    south = [(here, near) for here, near in line if near != hex_of(board, "Manderfeld")]
    sides = [board.side(here, near) for here, near in south]
    assert {(side.kind, side.name) if side else None for side in sides} == {("river", "Our"), ("river", "Sauer")}


def test_namur_dinant_and_liege_lie_behind_the_meuse(board: Board) -> None:
    seen, waiting = set(), [hex_of(board, "Bastogne")]
    while waiting:
        here = waiting.pop()
        if here not in seen:
            seen.add(here)
            dry = [
                near for near in board.adjacent[here] if not ((side := board.side(here, near)) and side.name == "Meuse")
            ]
            waiting += [near for near in dry if is_whole(board, near)]
    assert not seen & {hex_of(board, name) for name in ("Namur", "Dinant", "Givet", "Liège", "Amay")}
    assert {hex_of(board, name) for name in ("Huy", "Ciney", "Celles", "Verviers")} <= seen


@pytest.mark.parametrize("name", ["Monschau", "Roetgen", "Manderfeld", "Saint-Hubert", "Martelange", "Bouillon"])
def test_forests_a_player_expects(board: Board, name: str) -> None:
    """Hautes Fagnes, Hürtgen, Schnee Eifel, Saint-Hubert, Anlier, the Semois."""
    assert board.terrain[hex_of(board, name)] == "forest"


@pytest.mark.parametrize(
    ("west", "east"),
    [
        ("Stavelot", "Malmedy"),
        ("Marche", "La Roche"),
        ("Clervaux", "Dasburg"),
        ("St. Vith", "Manderfeld"),
        ("Dinant", "Ciney"),
    ],
)
def test_neighbours_due_east(board: Board, west: str, east: str) -> None:
    assert neighbour(board, west, "E") == east


def test_places_lie_within_three_quarters_of_a_hex_of_their_true_position(board: Board) -> None:
    """The fit of grid.toml puts its control places into their hexes, Huy excepted by one hex."""
    table = tomllib.loads((DATA / "grid.toml").read_text(encoding="utf-8"))
    fit, km = table["fit"], table["km"]
    for label, (lon, lat) in fit["control"].items():
        x = fit["origin_x"] + (lon - fit["origin_lon"]) * fit["km_per_degree_lon"] / km
        y = fit["origin_y"] - (lat - fit["origin_lat"]) * fit["km_per_degree_lat"] / km
        row, column = int(label[:2]), int(label[2:])
        away = ((x - column - (0.5 if row % 2 == 0 else 0)) ** 2 + (y - row * 0.8660254) ** 2) ** 0.5
        assert away < (0.77 if label == "0303" else 0.52), label
