"""Target Arnhem: what the rulebook names and what anyone who knows the ground would look for."""

from collections import deque
from itertools import pairwise
from pathlib import Path

import pytest

import salient
from salient.hexes.board import Board
from salient.hexes.check import check_board
from salient.hexes.load import load_board

RED_ROAD = [
    "0103",
    "0203",
    "0303",
    "0403",
    "0503",
    "0603",
    "0702",
    "0803",
    "0903",
    "1004",
    "1104",
    "1205",
    "1304",
    "1404",
    "1504",
]
ISLAND = ["1201", "1301", "1302", "1303", "1304", "1305", "1404", "1405"]


@pytest.fixture(scope="module")
def board() -> Board:
    return load_board(Path(salient.__file__).parent / "games" / "target_arnhem" / "data")


def at(board: Board, name: str) -> str:
    return next(board.labels[place.hexes[0]] for place in board.places if place.name == name)


def side(board: Board, hexside: str):
    a, b = hexside.split("/")
    return board.side(board.index[a], board.index[b])


def water_between(board: Board, a: str, b: str) -> str:
    found = board.side(board.index[a], board.index[b])
    return found.name if found else ""


def dry_reach(board: Board, start: str, barriers: set[str]) -> set[str]:
    """Every hex that can be reached without crossing one of the named waters, bridges or not."""
    seen, waiting = {board.index[start]}, deque([board.index[start]])
    while waiting:
        here = waiting.popleft()
        for near in board.adjacent[here]:
            water = board.side(here, near)
            if near not in seen and not (water and water.name in barriers):
                seen.add(near)
                waiting.append(near)
    return {board.labels[here] for here in seen}


def test_the_map_has_no_findings(board):
    assert check_board(board).findings == ()


def test_2_1_the_map_has_88_hexes_between_0101_and_1606(board):
    assert len(board) == 88
    assert board.labels[0] == "0101"
    assert board.labels[-1] == "1606"
    assert [len([label for label in board.labels if label[:2] == f"{row:02d}"]) for row in range(1, 17)] == [5, 6] * 8


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("Neerpelt", "0103"),
        ("Valkenswaard", "0303"),
        ("Eindhoven", "0503"),
        ("Best", "0602"),
        ("Son", "0603"),
        ("Helmond", "0604"),
        ("Sint-Oedenrode", "0702"),
        ("Boxtel", "0701"),
        ("Veghel", "0803"),
        ("Uden", "0903"),
        ("Gennep", "1006"),
        ("Grave", "1004"),
        ("Heumen", "1104"),
        ("Groesbeek", "1105"),
        ("Nijmegen", "1205"),
        ("Elst", "1404"),
        ("Driel", "1404"),
        ("Wageningen", "1402"),
        ("Ede", "1502"),
        ("Oosterbeek", "1503"),
        ("Arnhem", "1504"),
    ],
)
def test_places_lie_in_their_hexes(board, name, number):
    assert at(board, name) == number


@pytest.mark.parametrize(
    ("hexside", "water", "kind"),
    [
        ("0503/0603", "Wilhelminakanaal", "canal"),
        ("0803/0903", "Zuid-Willemsvaart", "canal"),
        ("1004/1104", "Maas", "river"),
        ("1104/1205", "Maas-Waalkanaal", "canal"),
        ("1205/1304", "Waal", "river"),
        ("1404/1504", "Neder Rijn", "river"),
    ],
)
def test_the_six_bridges(board, hexside, water, kind):
    found = side(board, hexside)
    assert (found.name, found.kind, found.bridge) == (water, kind, "bridge")


def test_9_1_the_red_road_runs_unbroken_from_0103_to_arnhem(board):
    values = board.zone_values["red-road"]
    ordered = [board.labels[here] for here in sorted(values, key=lambda here: int(values[here]))]
    assert ordered == RED_ROAD
    for a, b in pairwise(ordered):
        assert board.road(board.index[a], board.index[b]) == "highway"


def test_the_red_road_crosses_exactly_six_bridges(board):
    waters = [water_between(board, a, b) for a, b in pairwise(RED_ROAD)]
    assert [water for water in waters if water] == [
        "Wilhelminakanaal",
        "Zuid-Willemsvaart",
        "Maas",
        "Maas-Waalkanaal",
        "Waal",
        "Neder Rijn",
    ]


def test_only_the_red_road_is_a_highway(board):
    steps = [row for row in board.rows["roads.csv"] if row["class"] == "highway"]
    assert {(row["a"], row["b"]) for row in steps} == {tuple(sorted(step)) for step in pairwise(RED_ROAD)}


@pytest.mark.parametrize("name", ["Maas", "Waal", "Neder Rijn"])
def test_the_great_rivers_run_from_edge_to_edge(board, name):
    ends: dict[tuple[int, int], int] = {}
    for row in board.rows["hexsides.csv"]:
        if row["name"] == name:
            for corner in board.grid.hexside_corners(row["a"], row["b"]):
                ends[corner] = ends.get(corner, 0) + 1
    loose = [corner for corner, count in ends.items() if count == 1]
    assert len(loose) == 2
    corners = [board.grid.corner(label, i) for label in board.labels for i in range(6)]
    assert all(corners.count(corner) < 3 for corner in loose)


def test_the_maas_waal_canal_joins_maas_and_waal(board):
    def corners(name):
        return {
            corner
            for row in board.rows["hexsides.csv"]
            if row["name"] == name
            for corner in board.grid.hexside_corners(row["a"], row["b"])
        }

    canal = corners("Maas-Waalkanaal")
    assert canal & corners("Maas")
    assert canal & corners("Waal")


def test_the_island_lies_between_waal_and_rhine(board):
    assert dry_reach(board, "1304", {"Waal", "Neder Rijn"}) == set(ISLAND)


def test_arnhem_oosterbeek_ede_and_wageningen_lie_north_of_the_rhine(board):
    north = dry_reach(board, "1504", {"Neder Rijn", "IJssel"})
    assert {"1503", "1502", "1402", "1401", "1604"} <= north
    assert not north & set(ISLAND)


def test_nijmegen_and_groesbeek_lie_east_of_the_maas_waal_canal(board):
    heights = dry_reach(board, "1205", {"Maas", "Waal", "Maas-Waalkanaal"})
    assert heights == {"1006", "1105", "1205", "1206"}


def test_grave_uden_and_oss_lie_between_zuid_willemsvaart_and_maas(board):
    south_of_maas = dry_reach(board, "1004", {"Maas", "Zuid-Willemsvaart"})
    assert {"0903", "1002", "1005", "0905"} <= south_of_maas
    assert not south_of_maas & {"0803", "1104", "0503"}


def test_son_and_best_lie_north_and_eindhoven_south_of_the_wilhelmina_canal(board):
    south = dry_reach(board, "0503", {"Wilhelminakanaal", "Zuid-Willemsvaart"})
    assert {"0103", "0303", "0604"} <= south
    assert not south & {"0602", "0603", "0702"}


def test_no_river_can_be_crossed_but_by_a_bridge(board):
    bridges = {
        f"{row['a']}/{row['b']}" for row in board.rows["hexsides.csv"] if row["kind"] == "river" and row["bridge"]
    }
    assert bridges == {"1004/1104", "1205/1304", "1404/1504", "1504/1505", "1605/1606"}


def test_7_3_historical_drop_zones(board):
    values = {board.labels[here]: value for here, value in board.zone_values["drop-zone-historical"].items()}
    assert values == {"1503": "1", "1104": "82", "1105": "82", "0603": "101"}


@pytest.mark.parametrize(
    ("number", "what"),
    [("1603", "Veluwe"), ("1604", "Veluwe"), ("1206", "Reichswald"), ("1006", "Reichswald"), ("0602", "Sonse bos")],
)
def test_forests(board, number, what):
    assert board.terrain[board.index[number]] == "forest", what


@pytest.mark.parametrize("name", ["Eindhoven", "Veghel", "Grave", "Nijmegen", "Elst", "Arnhem", "Helmond", "Oss"])
def test_towns(board, name):
    assert "town" in board.features[board.index[at(board, name)]]


def test_the_betuwe_and_the_land_of_maas_and_waal_are_open(board):
    assert {board.terrain[board.index[number]] for number in (*ISLAND, "1101", "1102", "1103", "1203")} == {"clear"}


# ---- off-map areas -------------------------------------------------------------


def test_4_2_areas_are_lettered_a_to_p(board):
    assert "".join(board.areas) == "ABCDEFGHIJKLMNOP"


def test_every_edge_hex_but_the_belgian_side_touches_an_area(board):
    touched = {here for area in board.areas.values() for here in area.hexes}
    edge = {here for here in range(len(board)) if -1 in board.neighbours[here]}
    assert touched <= edge
    assert {board.labels[here] for here in edge - touched} == {"0102", "0103", "0104"}


def test_areas_touch_each_other_both_ways_and_all_are_joined(board):
    for name, area in board.areas.items():
        assert all(name in board.areas[other].areas for other in area.areas)
    seen, waiting = {"A"}, ["A"]
    while waiting:
        for near in board.areas[waiting.pop()].areas:
            if near not in seen:
                seen.add(near)
                waiting.append(near)
    assert seen == set(board.areas)


def test_4_2_area_p_can_close_without_cutting_the_others_apart(board):
    assert board.areas["P"].areas == ("A",)


def test_each_area_meets_no_hex_of_another(board):
    hexes = [here for area in board.areas.values() for here in area.hexes]
    assert len(hexes) == len(set(hexes))


def test_every_area_is_left_by_a_road(board):
    on_road = {label for row in board.rows["roads.csv"] for label in (row["a"], row["b"])}
    for row in board.rows["areas.csv"]:
        exits = row["roads"].split()
        assert exits, row["area"]
        assert set(exits) <= set(row["hexes"].split()) & on_road
