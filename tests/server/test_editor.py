"""The editor: a change is kept as the player's own row, or refused with the reason and nothing lost."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from salient.cli import app as commands
from salient.server.editor.app import build_editor
from salient.server.editor.near import facts
from salient.server.editor.own import OwnData, Refused

ROOT = Path(__file__).parents[2]


@pytest.fixture
def own(tmp_path: Path) -> OwnData:
    return OwnData("ardennes44", tmp_path / "ardennes44")


@pytest.fixture
def client(own: OwnData) -> TestClient:
    return TestClient(build_editor(own), base_url="http://127.0.0.1")


def test_a_change_is_kept_and_drawn_into_the_board(own: OwnData) -> None:
    verdict = own.change("hexes.csv", {"hex": "3316", "terrain": "forest"})
    assert verdict.conflicts == ()
    board = own.board()
    assert board.terrain[board.index["3316"]] == "forest"
    assert (own.folder / "hexes.csv").read_text() == "hex,terrain,features,source\n3316,forest,,geography\n"


@pytest.mark.parametrize(
    ("file", "row", "reason"),
    [
        ("hexsides.csv", {"a": "3316", "b": "3317", "bridge": "bridge"}, "no river between 3316 and 3317"),
        ("hexsides.csv", {"a": "3316", "b": "3317", "kind": "valley-river", "bridge": "bridge"}, "no water under it"),
        ("roads.csv", {"a": "3316", "b": "3319", "class": "primary"}, "do not touch"),
        ("hexes.csv", {"hex": "3316", "terrain": "swamp"}, "unknown terrain “swamp”"),
        ("places.csv", {"name": "Atlantis", "hex": "9999", "size": "town"}, "hex 9999 is not on the map"),
        ("units.csv", {"unit": "106/424/1", "start": "9999"}, "106/424/1 would start off the map"),
        ("units.csv", {"unit": "106/424/1", "full": "strong"}, "not written like"),
        ("hexes.csv", {"hex": "3316", "colour": "red"}, "no column colour"),
        ("secrets.csv", {"a": "b"}, "no file “secrets.csv”"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason_and_nothing_is_lost(
    own: OwnData, file: str, row: dict[str, str], reason: str
) -> None:
    own.change("hexes.csv", {"hex": "3217", "terrain": "forest", "source": "rulebook"})
    before = {path.name: path.read_text() for path in own.folder.iterdir()}
    with pytest.raises(Refused, match=reason):
        own.change(file, row)
    assert {path.name: path.read_text() for path in own.folder.iterdir()} == before


def test_a_road_over_a_river_needs_its_bridge_and_no_road_runs_into_a_lake(own: OwnData) -> None:
    """The Salm parts 2827 and 2926; the lake of Bütgenbach parts 1831 and 1832."""
    lake = next(row for row in own.rows("hexsides.csv").values() if row["kind"] == "lake")
    for a, b in (("2827", "2926"), (lake["a"], lake["b"])):
        with pytest.raises(Refused, match="no bridge there"):
            own.change("roads.csv", {"a": a, "b": b, "class": "secondary"})


def test_no_road_runs_into_a_hex_of_water(own: OwnData) -> None:
    """Our maps have no lake as large as a hex: the player's own terrain makes one, and a road there is refused."""
    own.folder.mkdir(parents=True)
    terrain = '[terrain.lake]\nname = { en = "Lake" }\nlook = "lake"\nsource = "house"\n'
    (own.folder / "terrain.toml").write_text(terrain, encoding="utf-8")
    own.change("hexes.csv", {"hex": "3317", "terrain": "lake", "features": ""})
    before = {path.name: path.read_text() for path in own.folder.iterdir()}
    with pytest.raises(Refused, match="runs into lake in 3317"):
        own.change("roads.csv", {"a": "3316", "b": "3317", "class": "secondary"})
    assert {path.name: path.read_text() for path in own.folder.iterdir()} == before


def test_a_conflict_with_a_stated_fact_is_said(own: OwnData) -> None:
    """The change is the player's right; the program says what it contradicts."""
    verdict = own.change("hexes.csv", {"hex": "1433", "terrain": "clear"})
    assert any("1433 is forest" in str(conflict) for conflict in verdict.conflicts)


def test_removed_and_reverted_rows(own: OwnData) -> None:
    own.remove("places.csv", ("Wanne", "2828"))
    assert all(place.name != "Wanne" for place in own.board().places)
    own.revert("places.csv", ("Wanne", "2828"))
    assert not (own.folder / "places.csv").exists()
    with pytest.raises(Refused, match="ours already"):
        own.revert("places.csv", ("Wanne", "2828"))


def test_the_patch_applies_to_the_project(own: OwnData, tmp_path: Path) -> None:
    """git itself takes the export: one changed row, one new, one gone."""
    own.change("hexes.csv", {"hex": "3316", "terrain": "forest", "source": "rulebook"})
    own.change("places.csv", {"name": "Recogne crossroads", "hex": "3316", "size": "hamlet"})
    own.remove("places.csv", ("Wanne", "2828"))
    patch = tmp_path / "own.patch"
    patch.write_text(own.patch(), encoding="utf-8")
    subprocess.run(["git", "apply", "--check", str(patch)], cwd=ROOT, check=True)
    lines = patch.read_text().splitlines()
    assert "+3316,forest,,rulebook" in lines
    assert "-Wanne,2828,hamlet,geography" in lines


def test_data_diff_shows_own_against_ours(own: OwnData, tmp_path: Path) -> None:
    own.change("hexes.csv", {"hex": "3316", "terrain": "forest", "source": "rulebook"})
    run = CliRunner().invoke(commands, ["data", "diff", "ardennes44", "--folder", str(tmp_path)])
    assert run.exit_code == 0
    assert "terrain=forest" in run.output
    empty = CliRunner().invoke(commands, ["data", "diff", "bulge", "--folder", str(tmp_path)])
    assert "Your data of bulge is the same as ours." in empty.output


def test_the_set_up_and_the_pieces_of_the_bulge(tmp_path: Path) -> None:
    """Pieces stand in their hex, arrivals at their edge; what the game cannot be read with is refused."""
    own = OwnData("bulge", tmp_path / "bulge")
    at_prum = {(fact["file"], *fact["key"]) for fact in facts(own, "0509")}
    assert {("setup.csv", "0509"), ("pieces.csv", "tank")} <= at_prum
    assert ("reinforcements.csv", "12SS") in {(fact["file"], *fact["key"]) for fact in facts(own, "0110")}
    own.change("setup.csv", {"hex": "0509", "infantry": "2"})
    own.change("reinforcements.csv", {"formation": "12SS", "turn": "2"})
    own.change("pieces.csv", {"piece": "tank", "allied_name": "Stuart"})
    assert {(d.file, d.key) for d in own.differences()} == {
        ("setup.csv", ("0509",)),
        ("reinforcements.csv", ("12SS",)),
        ("pieces.csv", ("tank",)),
    }
    for file, row, reason in (
        ("setup.csv", {"hex": "9999", "side": "axis"}, "off the map"),
        ("setup.csv", {"hex": "0509", "infantry": "many"}, "not a whole number"),
        ("reinforcements.csv", {"formation": "12SS", "turn": "soon"}, "not a whole number"),
    ):
        with pytest.raises(Refused, match=reason):
            own.change(file, row)
    with pytest.raises(Refused, match="cannot be taken away"):
        own.remove("setup.csv", ("0509",))
    own.revert("setup.csv", ("0509",))
    assert not (own.folder / "setup.csv").exists()


# ---- through HTTP --------------------------------------------------------------------


def test_a_hex_shows_every_row_and_whose_it_is(client: TestClient) -> None:
    assert client.post(
        "/api/edit/change", json={"file": "hexes.csv", "row": {"hex": "2830", "terrain": "clear"}}
    ).is_success
    facts = client.get("/api/edit/hex/2830").json()["facts"]
    files = {fact["file"] for fact in facts}
    assert {"hexes.csv", "hexsides.csv", "roads.csv", "places.csv"} <= files
    assert [fact["own"] for fact in facts if fact["file"] == "hexes.csv"] == [True]
    assert all(fact["row"]["source"] for fact in facts)
    assert client.get("/api/edit/hex/9999").status_code == 422


def test_refusals_come_as_reasons(client: TestClient) -> None:
    answer = client.post("/api/edit/change", json={"file": "hexes.csv", "row": {"hex": "2830", "terrain": "sea"}})
    assert answer.status_code == 422
    assert "unknown terrain" in answer.json()["reasons"][0]


def test_reasons_come_in_the_reader_s_language(client: TestClient) -> None:
    bridge = {"file": "hexsides.csv", "row": {"a": "3316", "b": "3317", "bridge": "bridge"}}
    answer = client.post("/api/edit/change?lang=de", json=bridge)
    assert answer.json()["reasons"] == ["zwischen 3316 und 3317 ist kein Fluss: eine Brücke braucht Wasser unter sich."]


def test_the_surroundings_are_drawn_small(client: TestClient) -> None:
    answer = client.get("/api/edit/near/2830").json()
    assert answer["picture"].startswith("data:image/png;base64,")
    assert 200 < answer["width"] < 700


def test_other_pages_cannot_use_the_editor(client: TestClient) -> None:
    """Neither another host's name nor a request that a foreign page sends."""
    assert client.get("/api/edit", headers={"Host": "evil.example"}).status_code == 403
    change = {"file": "hexes.csv", "row": {"hex": "2830", "terrain": "clear"}}
    foreign = client.post("/api/edit/change", json=change, headers={"Origin": "http://evil.example"})
    assert foreign.status_code == 403
