"""A player's own data, changed at random: the game goes on with them, or says in sentences what is wrong."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path

import pytest

from salient.common.data import data_folder
from salient.games import PACKAGES, game_ids, open_afresh
from salient.hexes.rows import DataError
from salient.kernel import candidates, step

CHANGES = 40
ACTIONS = 25
ODD = ("", "x", "-1", "0", "9999", "²", "0101", "A B", "1.5")


def changed_row(text: str, rnd: random.Random) -> str:
    """A file with one row: a cell changed, the row taken away or given a new name, or the header misspelt."""
    head, *rows = csv.reader(io.StringIO(text))
    row, at = list(rnd.choice(rows)), rnd.randrange(len(head))
    match rnd.randrange(5):
        case 0:
            row[head.index("source")] = "removed"
        case 1:
            row[0] = "new"
        case 2:
            head[at] += "x"
        case _:
            row[at] = rnd.choice([*ODD, *(other[at] for other in rows)])
    out = io.StringIO()
    csv.writer(out).writerows([head, row])
    return out.getvalue()


def changed_value(text: str, rnd: random.Random) -> str:
    """A file with one value changed."""
    name = rnd.choice([line for line in text.splitlines() if "=" in line and not line.startswith("#")]).split("=")[0]
    return f"{name}= {rnd.choice(['-1', '0', '3', '100', 'true', '[]', '{}', chr(34) * 2, '1.5'])}\n"


@pytest.mark.parametrize("game_id", game_ids())
def test_changed_data_are_played_or_refused_in_sentences(game_id: str, tmp_path: Path) -> None:
    """Nothing but DataError is raised, whatever file is changed; a game that opens can be played."""
    ours = Path(str(data_folder(PACKAGES[game_id])))
    files = [file for file in sorted(ours.rglob("*")) if file.suffix in (".csv", ".toml")]
    played, refused = 0, []
    for seed in range(CHANGES):
        rnd = random.Random(f"{game_id} {seed}")
        file = files[seed % len(files)]
        change = changed_row if file.suffix == ".csv" else changed_value
        own = tmp_path / str(seed) / file.relative_to(ours)
        own.parent.mkdir(parents=True)
        own.write_text(change(file.read_text(encoding="utf-8"), rnd), encoding="utf-8")
        try:
            game = open_afresh(game_id, tmp_path / str(seed))
        except DataError as error:
            refused.append(str(error))
            continue
        s = game.new(rnd.choice(game.scenarios).id)
        for _ in range(ACTIONS):
            choices = candidates(s)
            if not choices:
                break
            s = step(s, rnd.choice(choices))
        assert not game.check(s)
        played += 1
    assert played
    assert refused
    assert all(".csv" in told or ".toml" in told for told in refused)
