"""Results of a study: a line for each finished game, safe on the disk before the next; tables made from them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import IO, Any

from salient.kernel import Unreadable
from salient.lab.study import Study, StudyError
from salient.lab.trial import Row

JOURNAL = "journal.jsonl"
GAMES = "games.parquet"
TURNS = "turns.parquet"


class OtherStudy(Unreadable):
    """Results of another study, other rules or other data lie where these would go."""


class Journal:
    """The finished games of a study. A line that a kill cut short is taken away; a game that is there is not added."""

    def __init__(self, study: Study, rules: int, data: str) -> None:
        self.study = study
        self.file = study.folder / JOURNAL
        self.head = {"salient-study": 1, "study": study.fingerprint, "rules": rules, "data": data}
        self.rows: dict[tuple[int, int], Row] = {}
        study.folder.mkdir(parents=True, exist_ok=True)
        self._read()
        self.stream: IO[str] = self.file.open("a", encoding="utf-8")
        if not self.file.stat().st_size:
            self._write(self.head)

    def _read(self) -> None:
        if not self.file.exists():
            return
        text = self.file.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        if len(whole) < len(text):
            with self.file.open("r+b") as stream:
                stream.truncate(len(whole))
        lines = whole.decode().splitlines()
        if not lines:
            return
        self._check(self._parsed(1, lines[0]))
        for number, line in enumerate(lines[1:], start=2):
            row = self._parsed(number, line)
            self.rows[row["cell"], row["index"]] = row

    def _parsed(self, number: int, line: str) -> dict[str, Any]:
        try:
            values: dict[str, Any] = json.loads(line)
            if number == 1 or {"cell", "index"} <= set(values):
                return values
        except (ValueError, TypeError):
            pass
        raise StudyError(self.file, number, Unreadable("study-damaged"))

    def _check(self, head: dict[str, Any]) -> None:
        folder = self.file.parent.name
        for key in ("study", "rules", "data"):
            if head.get(key) != self.head[key]:
                raise OtherStudy(f"study-other-{key}", text=folder)

    def add(self, row: Row) -> None:
        """Keep a finished game, once."""
        key = (row["cell"], row["index"])
        if key not in self.rows:
            self._write(row)
            self.rows[key] = row

    def _write(self, values: dict[str, Any]) -> None:
        self.stream.write(json.dumps(values, ensure_ascii=False) + "\n")
        self.stream.flush()
        os.fsync(self.stream.fileno())

    def close(self) -> None:
        """Let go of the file."""
        self.stream.close()

    def counted(self) -> list[Row]:
        """The games that count, by cell and index, with the names of their cell."""
        found = []
        for cell in self.study.cells:
            about = {"variation": cell.variation, "scenario": cell.scenario}
            about |= {f"player_{seat}": who for seat, who in cell.players}
            found += [about | row for row in self.study.counted(cell, self.rows)]
        return found


def write_tables(study: Study, rows: list[Row]) -> tuple[Path, Path]:
    """Write the table of games and the table of turns; where they are."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    games = [{key: value for key, value in row.items() if key != "by_turn"} for row in rows]
    told = ("cell", "index", "variation", "scenario")
    turns = [{key: row[key] for key in told} | turn for row in rows for turn in row["by_turn"]]
    written = []
    for name, table in ((GAMES, games), (TURNS, turns)):
        file = study.folder / name
        unfinished = file.with_suffix(".part")
        pq.write_table(pa.Table.from_pylist(table), unfinished, compression="zstd")
        unfinished.replace(file)
        written.append(file)
    return written[0], written[1]
