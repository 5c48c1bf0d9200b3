"""The dataset of decisions, and the worked notebook that learns from it, executed on a small sample."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pyarrow.parquet as pq
import pytest
from nbclient import NotebookClient
from tests.lab.late import SHORT

from salient.games import game_ids, load
from salient.kernel import CHANCE, Record, SeededDice, Session
from salient.lab.dataset import export
from salient.lab.playouts import play_session

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebooks" / "evaluation.ipynb"


@pytest.mark.parametrize("game_id", game_ids())
def test_every_decision_is_a_row_that_can_be_played_on(game_id: str, tmp_path: Path) -> None:
    game = load(game_id)
    session = Session(game, SeededDice(5), SHORT.get(game_id, ""))
    play_session(session, 5)
    record = session.record()
    unfinished = Record(record.header, record.moves[:5])
    count = export([unfinished, record], tmp_path / "d.parquet", every=40)
    rows = pq.read_table(tmp_path / "d.parquet").to_pylist()
    moves = [move for ply, move in enumerate(record.moves) if ply % 40 == 0 and move.seat != CHANCE]
    assert count == len(rows) == len(moves) > 5
    assert [row["action"] for row in rows] == [move.text for move in moves]
    assert {row["number"] for row in rows} == {1}
    row = rows[-1]
    state = game.read_position(row["position"])
    assert row["evaluation"] == pytest.approx(game.judge.evaluate(state, game.seats[0]), rel=1e-4)
    weights = game.judge.weights(game.seats[0])
    weighted = sum(weights[part["name"]] * part["value"] for part in row["features"])
    assert row["evaluation"] == pytest.approx(weighted, abs=0.01)
    assert row["result"] in (-1, 0, 1)


def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SALIENT_GAMES", "1")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    told = "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", ()))
    assert "2 games;" in told
    assert "Result(winner=" in told
    pictures = [output.get("data", {}) for output in notebook.cells[-1]["outputs"]]
    assert any("image/svg+xml" in data for data in pictures)
