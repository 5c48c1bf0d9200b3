"""A dataset: every decision of recorded games with its position, action, evaluation, features and the result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from salient.games import load
from salient.kernel import CHANCE, Record, actor, candidates, step
from salient.kernel.messages import SalientError

BATCH = 2_000


def decisions(record: Record, game_number: int, every: int = 1) -> Iterator[dict[str, Any]]:
    """The decisions of a finished record, each as a row; nothing if it has no end or does not replay."""
    game = load(record.header["game"])
    try:
        last = record.verify(game)
    except SalientError:
        return
    result = game.result(last)
    if result is None:
        return
    first = game.seats[0]
    outcome = 0 if result.winner is None else 1 if result.winner == first else -1
    state = record.start(game)
    for ply, move in enumerate(record.moves):
        if actor(state) != CHANCE and ply % every == 0:
            features = game.judge.features(state, first)
            yield {
                "game": game.id,
                "number": game_number,
                "ply": ply,
                "seat": move.seat,
                "position": game.write_position(state),
                "action": move.text,
                "choices": len(candidates(state)),
                "evaluation": game.judge.evaluate(state, first),
                "result": outcome,
                "features": [{"name": name, "value": float(value)} for name, value in features.items()],
            }
        state = step(state, game.read(move.text), trusted=True)


def export(records: Iterable[Record], file: Path, every: int = 1) -> int:
    """Write the decisions of records as one Parquet table; how many. Values are the first seat's."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema(
        [
            ("game", pa.string()),
            ("number", pa.int32()),
            ("ply", pa.int32()),
            ("seat", pa.string()),
            ("position", pa.string()),
            ("action", pa.string()),
            ("choices", pa.int32()),
            ("evaluation", pa.float32()),
            ("result", pa.int8()),
            ("features", pa.list_(pa.struct([("name", pa.string()), ("value", pa.float32())]))),
        ]
    )
    count = 0
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        batch: list[dict[str, Any]] = []
        for number, record in enumerate(records):
            batch += decisions(record, number, every)
            if len(batch) >= BATCH:
                writer.write_table(pa.Table.from_pylist(batch, schema))
                count, batch = count + len(batch), []
        writer.write_table(pa.Table.from_pylist(batch, schema))
    return count + len(batch)
