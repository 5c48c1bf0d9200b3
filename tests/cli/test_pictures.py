"""Pictures and positions from the command line."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

import salient
from cli.conftest import Run
from salient.lab.playouts import checked_game


def test_the_command_line_draws_and_shows(run: Run, tmp_path: Path) -> None:
    record = checked_game(salient.load("target-arnhem"), 3).record()
    game = tmp_path / "game.salient"
    game.write_text(record.text())
    result = run("picture", game, "--ply", 40, "--out", tmp_path / "p.png", "--scale", 12, "--section", "1503+2")
    assert result.exit_code == 0, result.output
    with Image.open(tmp_path / "p.png") as image:
        assert image.size[0] > 40
    result = run("picture", game, "--out", tmp_path / "frames", "--every", "turn", "--scale", 12)
    assert result.exit_code == 0, result.output
    assert (tmp_path / "frames" / "frame-00001.png").is_file()
    result = run("show", game, "--ply", 40, "--around", "1503", "--units")
    assert result.exit_code == 0
    assert "Turn 1" in result.output
    assert "1503" in result.output
    assert "5Gds" in result.output
    assert run("picture", game, "--out", tmp_path / "p.bmp").exit_code == 2
    assert run("show", game, "--ply", 99_999).exit_code == 2
    assert run("show", game, "--around", "9999").exit_code == 2
