"""The counter symbols: every kind and size of unit that a game uses is drawn and has a name in every language."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import salient
from salient.games import game_ids, load

WEB = Path(salient.__file__).parent / "web"
TABLE = Path(__file__).parents[2] / "tools" / "symbols" / "table.json"
DRAWN = {group.get("id"): group for group in ET.parse(WEB / "symbols.svg").getroot()}


def test_the_sprite_has_every_row_of_the_table() -> None:
    table = json.loads(TABLE.read_text())
    assert set(DRAWN) == {f"unit-{key}" for key in table["units"]} | {f"size-{key}" for key in table["sizes"]}


def test_no_symbol_is_empty_or_needs_a_transform() -> None:
    assert all(len(group) for group in DRAWN.values())
    assert "transform" not in (WEB / "symbols.svg").read_text()


def test_the_sprite_keeps_the_notice() -> None:
    assert "The MIT License" in (WEB / "symbols.svg").read_text()


@pytest.mark.parametrize("game_id", game_ids())
def test_every_unit_of_every_game_has_its_symbol(game_id: str) -> None:
    for unit in load(game_id).components()["units"].values():
        assert f"unit-{unit['symbol']}" in DRAWN
        assert not unit.get("size") or f"size-{unit['size']}" in DRAWN


@pytest.mark.parametrize("lang", ["en", "it", "fr", "de"])
def test_symbols_and_sizes_have_names(lang: str) -> None:
    words = json.loads((WEB / "i18n" / f"{lang}.json").read_text())
    for name in DRAWN:
        kind, _, key = name.partition("-")
        assert f"{'symbol' if kind == 'unit' else 'size'}.{key}" in words
