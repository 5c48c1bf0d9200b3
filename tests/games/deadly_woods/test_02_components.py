"""The Deadly Woods: chapter 2, components."""

from __future__ import annotations

from games.deadly_woods.positions import (
    GROUND,
    TABLES,
    UNITS,
    asset,
    stage,
)
from salient.common.sides import ALLIED, GERMAN
from salient.games.deadly_woods.components import ARMOR, CHITS, INFANTRY, MECHANIZED
from salient.games.deadly_woods.supply import supplied_hexes


def test_2_1_the_pieces(start):
    """A map of 1,305 hexes, units of both sides, assets, one die."""
    assert GROUND.hexes == 1305
    assert {UNITS.side[u] for u in range(UNITS.count)} == {ALLIED, GERMAN}


def test_2_2_rivers_are_minor_and_major():
    """Both kinds of hexside count as a river."""
    kinds = {row["kind"] for row in GROUND.board.rows["hexsides.csv"]}
    assert kinds == {"minor-river", "major-river"}
    assert all(GROUND.river_touching[a] >> b & 1 for a, b in GROUND.bridges)


def test_2_2_1_entry_areas_are_supply_sources():
    """A to J for the Allies, K to M for the Germans, each in its own supply at the start."""
    s = stage("")
    for side in (ALLIED, GERMAN):
        assert GROUND.entries[side] & ~supplied_hexes(s, side) == 0
    assert set(GROUND.area_hexes) == set("ABCDEFGHIJKLM")


def test_2_2_2_boxes_and_tracks(start):
    """Clients are given boxes, the track of points and the round track."""
    parts = start.game.components()
    assert {"box", "eliminated", "track"} <= {place["id"] for place in parts["places"]}
    assert [track["id"] for track in parts["tracks"]] == ["victory-points"]
    assert start.game.view.observe(start.state, "german")["panels"]


def test_2_3_1_kinds_of_units():
    """Delay and von der Heydte are infantry; cavalry, armour and mechanized units are motorized."""
    assert (
        UNITS.kind[UNITS.index["Delay"]][0]
        == UNITS.kind[UNITS.index["VdH"]][0]
        == UNITS.kind[UNITS.index["82/504"]][0]
        == INFANTRY
    )
    assert UNITS.kind[UNITS.index["7A/CCB"]][0] == UNITS.kind[UNITS.index["2Pz/3"]][0] == ARMOR
    assert UNITS.kind[UNITS.index["FB"]][0] == MECHANIZED


def test_2_3_1_1_steps():
    """Armoured battle groups and mechanized units have three steps, the last without zone; others two or one."""
    for name in ("1SS/Peiper", "2Pz/3", "FB", "3PG/8", "150Bde"):
        assert UNITS.steps[UNITS.index[name]] == 3
        assert not UNITS.values[UNITS.index[name]][2][3]
    assert UNITS.kind[UNITS.index["2Pz/3"]][2] == MECHANIZED
    assert (
        UNITS.steps[UNITS.index["12VG/27"]]
        == UNITS.steps[UNITS.index["7A/CCB"]]
        == UNITS.steps[UNITS.index["506"]]
        == 2
    )
    assert UNITS.steps[UNITS.index["Delay"]] == UNITS.steps[UNITS.index["VdH"]] == 1


def test_2_4_assets_wait_in_their_box(start):
    """German guns and those of V and VIII Corps are available; later ones stand on the track."""
    assert asset(start, "6Pz-Art1") == asset(start, "V-Art1") == "box"
    assert asset(start, "VII-Art1").startswith("turn-")


def test_2_5_every_chit_of_the_table_exists():
    """The rows of the table name chits of the game, or the army to be chosen."""
    names = {chit for turn in range(1, 13) for where_ in ("cup", "hand") for chit, _ in TABLES.chits_of(turn, where_)}
    assert names <= {*CHITS, "panzer-army"}


def test_2_6_markers_are_shown(start, moving):
    """Blown bridges and the fuel depot are markers; a reduced unit without supply wears badges."""
    seen = start.game.view.observe(start.state, "allied")
    assert [len(edge["sides"]) for edge in seen["edges"] if edge["key"] == "bridge-blown"] == [4]
    assert "fuel" in [marker["key"] for marker in seen["markers"]]
    table = moving("german", "4019 12VG/27 lost=1 oos")
    badges = table.game.view.observe(table.state, "german")["units"]["12VG/27"]["badges"]
    assert [badge["key"] for badge in badges] == ["step", "out-of-supply"]


def test_2_7_the_table_uses_the_books_results():
    """Columns from 1-3 to 6-1, results AL1, BL1, DR, DR*; a higher roll is never worse for the attacker."""
    worth = {"AL1": 0, "NE": 1, "BL1": 2, "DR": 3, "DR*": 4}
    assert TABLES.columns[0] == "1-3"
    assert TABLES.columns[-1] == "6-1"
    for column in TABLES.combat:
        assert list(column) == sorted(column, key=worth.__getitem__)
