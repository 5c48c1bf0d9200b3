"""Pictures of positions: counters where the units stand, sections, arrows, overlays, films, and what is refused."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

import salient
import salient.svg
from salient.kernel import Record, State, Unreadable, candidates, step
from salient.lab.playouts import checked_game
from salient.svg import film
from salient.svg.counters import counter, symbols


@pytest.fixture(scope="module")
def arnhem() -> State:
    return salient.load("target-arnhem").new()


@pytest.fixture(scope="module")
def record() -> Record:
    return checked_game(salient.load("target-arnhem"), 3).record()


def titles(picture: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}title")]


def test_every_unit_on_the_map_is_drawn_with_its_name(arnhem: State) -> None:
    game = salient.load("target-arnhem")
    shown = titles(salient.svg.board(arnhem))
    view = game.view.observe(arnhem, "allied")
    on_map = [unit for unit, seen in view["units"].items() if seen.get("where", "").isdigit()]
    assert on_map
    assert all(any(f"({unit})" in title for title in shown) for unit in on_map)


def test_a_section_is_smaller_and_arrows_and_fills_are_drawn(arnhem: State) -> None:
    whole = salient.svg.board(arnhem, scale=12)
    part = salient.svg.board(
        arnhem,
        scale=12,
        section="1503+2",
        arrows=[("1403", "1503", "#123456")],
        fill={"1503": "#654321"},
        caption="Oosterbeek",
    )
    assert len(part) < len(whole)
    assert "#123456" in part
    assert "#654321" in part
    assert "Oosterbeek" in titles(part)
    width, height = Image.open(io.BytesIO(salient.svg.png(part))).size
    assert width < Image.open(io.BytesIO(salient.svg.png(whole))).size[0]
    assert height > 40


def test_an_overlay_colours_hexes(arnhem: State) -> None:
    plain = salient.svg.board(arnhem, scale=12)
    assert salient.svg.board(arnhem, scale=12, overlay="german-supply").count("<polygon") > plain.count("<polygon")


@pytest.mark.parametrize("settings", [{"section": "9999+2"}, {"fill": {"9999": "red"}}, {"arrows": [("1503", "9999")]}])
def test_a_hex_that_is_not_there_is_named(arnhem: State, settings: dict[str, object]) -> None:
    with pytest.raises(Unreadable, match="There is no hex called “9999”"):
        salient.svg.board(arnhem, scale=12, **settings)


def test_an_overlay_that_is_not_there_is_named_with_all_there_are(arnhem: State) -> None:
    with pytest.raises(Unreadable, match=r"“weather” is not a valid overlay. Choose allied-supply"):
        salient.svg.board(arnhem, overlay="weather")


def test_positions_and_records_show_themselves_in_a_notebook(arnhem: State, record: Record) -> None:
    assert arnhem._repr_svg_().startswith("<svg")  # type: ignore[attr-defined]
    assert record._repr_svg_() == salient.svg.record(record, len(record.moves))  # type: ignore[attr-defined]
    with pytest.raises(Unreadable, match="The record has"):
        salient.svg.record(record, 99_999)


def test_a_move_changes_the_picture(arnhem: State) -> None:
    moved = step(arnhem, candidates(arnhem)[0])
    assert salient.svg.pieces(moved, scale=12) != salient.svg.pieces(arnhem, scale=12)


def test_counters_have_the_symbols_of_the_sprite_sheet() -> None:
    about = salient.load("target-arnhem").components()["units"]["5Gds"]
    drawn = counter("5Gds", about, {"badges": [{"key": "damage", "n": 2}]})
    assert symbols()["unit-armor"] in drawn
    assert ">9-4<" in drawn
    assert ">2<" in drawn


def test_a_film_has_a_frame_for_every_turn(record: Record, tmp_path: Path) -> None:
    count = film.save_gif(record, tmp_path / "game.gif", every="turn", scale=12)
    turns = {heading.split(",")[0] for heading in record.headings.values()}
    assert count >= len(turns) > 1
    with Image.open(tmp_path / "game.gif") as gif:
        assert gif.n_frames == count
    with pytest.raises(Unreadable, match="not “hour”"):
        list(film.frames(record, every="hour"))
