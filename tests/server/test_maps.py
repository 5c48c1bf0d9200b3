"""Map images and geometry of a real game."""

from __future__ import annotations

import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from html import escape
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from salient.server.report import drawn_together
from server.tabletop import eventually


def test_the_image_has_the_size_of_its_geometry_and_is_rendered_once(client: TestClient, tmp_path: Path) -> None:
    """The PNG of the smallest scale measures what the geometry says; it is kept on the disk and by the browser."""
    answer = client.get("/api/library/target-arnhem/map?scale=24").json()
    image = client.get(answer["images"]["24"])
    assert image.headers["content-type"] == "image/png"
    assert "immutable" in image.headers["cache-control"]
    width, height = struct.unpack(">II", image.content[16:24])
    assert (width, height) == (answer["geometry"]["width"], answer["geometry"]["height"])
    kept = list((tmp_path / "maps").glob("target-arnhem-*.png"))
    assert len(kept) == 1
    again = client.get(answer["images"]["24"], headers={"If-None-Match": image.headers["etag"]})
    assert again.status_code == 304
    assert client.get("/api/library/target-arnhem/map?scale=5").status_code == 422


def test_languages_that_nobody_speaks_draw_no_maps(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stranger who makes up languages neither fills the disk nor keeps the drawing process busy."""
    drawn: list[str] = []
    monkeypatch.setattr("salient.server.mapfiles._in_other_process", lambda *asked: drawn.append(asked[2]) or b"png")
    for lang in ("zz", "xx", "tlh", "en", "de"):
        assert client.get(f"/api/library/target-arnhem/map.png?scale=24&lang={lang}").status_code == 200
    assert drawn == ["en", "de"]


def test_drawing_takes_one_thread_of_who_asks_for_much_of_it(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty maps at once: one is drawn, the others wait without a thread, and the rest of the server answers (R-4)."""
    drawing, enough = [], threading.Event()

    def draw(*asked: object) -> bytes:
        drawing.append(asked)
        enough.wait(60)
        return b"png"

    monkeypatch.setattr("salient.server.routes_library.map_png", draw)
    addresses = [
        f"/api/library/{game}/map.png?scale={scale}&lang={lang}"
        for game in ("target-arnhem", "bulge")
        for scale in (12, 17, 24)
        for lang in ("en", "it", "fr")
    ]
    asking = [threading.Thread(target=client.get, args=(address,)) for address in addresses]
    for each in asking:
        each.start()
    eventually(lambda: drawing)
    assert client.get("/api/about").status_code == 200
    assert len(drawing) == 1
    enough.set()
    for each in asking:
        each.join()
    assert len(drawing) == len(addresses)


def test_every_hex_tells_its_terrain_and_source(client: TestClient) -> None:
    """The provenance of each hex can be shown, and the geometry has the same hexes."""
    hexes = client.get("/api/library/target-arnhem/hexes").json()
    centres = client.get("/api/library/target-arnhem/map").json()["geometry"]["centres"]
    assert hexes.keys() == centres.keys()
    assert all(fact["source"] and fact["terrain"] for fact in hexes.values())


def test_a_hex_is_called_by_its_village_rather_than_by_its_region(client: TestClient) -> None:
    """As sentences and buttons call it: Hosingen lies in the Oesling."""
    assert client.get("/api/library/bulge/hexes").json()["0707"]["place"] == "Hosingen"


def test_the_report_tells_the_game_with_pictures(client: TestClient) -> None:
    """One HTML file: every event with its rule, the map once, a picture with the units at the start and at the end."""
    answer = client.post("/api/games", json={"game": "target-arnhem", "name": "<Market> & Garden"}).json()
    snapshot, texts = answer["snapshot"], []
    for _ in range(12):
        body = {"seen": snapshot["seen"], "action": snapshot["legal"][-1]["text"]}
        update = client.post(f"/api/games/{answer['id']}/actions", json=body).json()
        texts += [event["text"] for entry in update["entries"] for event in entry["events"]]
        snapshot = update["snapshot"]
    response = client.get(f"/api/games/{answer['id']}/report?lang=en")
    assert "attachment" in response.headers["content-disposition"]
    page = response.text
    assert "&lt;Market&gt; &amp; Garden" in page
    assert "<Market>" not in page
    assert all(escape(text) in page for text in texts)
    assert page.count("data:image/png;base64") == 1
    assert page.count("<figure>") >= 2
    assert "5th Guards Armoured Brigade" in page


def test_sentences_of_a_report_that_begin_alike_become_one() -> None:
    """What ends in a place is listed, once each; what begins with a unit stays as it is (T-58)."""
    taken = [
        {"key": "controls", "args": {"hex": hex}, "text": f"The Germans now control {hex} {place}."}
        for hex, place in (("3217", "Marnach"), ("3710", "Manderfeld"), ("3217", "Marnach"))
    ]
    lost = [{"key": "eliminated", "args": {"unit": unit}, "text": f"{unit} is eliminated."} for unit in ("14Cav", "9A")]
    assert drawn_together([*taken, *lost], "and") == [
        "The Germans now control 3217 Marnach and 3710 Manderfeld.",
        "14Cav is eliminated.",
        "9A is eliminated.",
    ]


def test_overlays_have_a_legend_in_words(client: TestClient) -> None:
    """Every overlay that the components name can be asked for, now and at an earlier ply, and is explained."""
    game_id = client.post("/api/games", json={"game": "target-arnhem"}).json()["id"]
    overlays = client.get("/api/library/target-arnhem/components").json()["overlays"]
    assert overlays
    for overlay in overlays:
        answer = client.get(f"/api/games/{game_id}/overlay/{overlay}?ply=0&lang=fr")
        assert answer.status_code == 200
        assert all(line["text"] != line["key"] for line in answer.json()["legend"])


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for the drawing process under /proc")
def test_a_server_that_is_killed_leaves_no_drawing_process_behind() -> None:
    program = "from salient.server.mapfiles import _in_other_process; _in_other_process('ardennes44', 2.0, 'en')"
    server = subprocess.Popen([sys.executable, "-c", f"if __name__ == '__main__': {program}"])
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children")
    until(lambda: len(children.read_text().split()) == 2)  # the drawing process, and that which tracks resources
    left = children.read_text().split()
    time.sleep(1.0)  # the drawing process begins to watch once it has started
    server.kill()
    server.wait()
    until(lambda: not any(lives(process) for process in left))


def lives(process: str) -> bool:
    """Whether a process is there and not just waiting to be buried."""
    try:
        return Path("/proc", process, "stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


def until(holds: Callable[[], bool]) -> None:
    for _ in range(200):
        if holds():
            return
        time.sleep(0.1)
    raise AssertionError("it never held")
