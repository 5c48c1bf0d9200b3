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
from salient.kernel import AnyGame, candidates, step

CHANGES = 40
ACTIONS = 25
ODD = ("", "x", "-1", "0", "9999", "²", "0101", "A B", "1.5")


def changed_row(text: str, rnd: random.Random) -> str:
    """A file with a row: a cell changed, the row taken away or given a new name, or the header misspelt.

    Or rows that say the same in a column, all of them taken away: a whole zone, all units of a kind.
    """
    head, *rows = csv.reader(io.StringIO(text))
    row, at = list(rnd.choice(rows)), rnd.randrange(len(head))
    source, alike = head.index("source"), [row]
    match rnd.randrange(6):
        case 0:
            row[source] = "removed"
        case 5:
            alike = [[*other[:source], "removed", *other[source + 1 :]] for other in rows if other[at] == row[at]]
        case 1:
            row[0] = "new"
        case 2:
            head[at] += "x"
        case _:
            row[at] = rnd.choice([*ODD, *(other[at] for other in rows)])
    out = io.StringIO()
    csv.writer(out).writerows([head, *alike])
    return out.getvalue()


def changed_value(text: str, rnd: random.Random) -> str:
    """A file with one value changed, in the table that it stands in."""
    lines = text.splitlines()
    at = rnd.choice([i for i, line in enumerate(lines) if "=" in line and line[0] not in "# "])
    table = next((line for line in reversed(lines[:at]) if line.startswith("[")), "")
    value = rnd.choice(["-1", "0", "3", "100", "true", "[]", "{}", '""', "1.5", '"x"'])
    return f"{table}\n{lines[at].split('=')[0]}= {value}\n"


def played(game: AnyGame, rnd: random.Random) -> None:
    """A few actions of a scenario, looked at from all sides."""
    s = game.new(rnd.choice(game.scenarios).id)
    game.components()
    for _ in range(ACTIONS):
        choices = candidates(s)
        if not choices:
            break
        s = step(s, rnd.choice(choices))
    assert not game.check(s)
    assert game.read_position(game.write_position(s)).key() == s.key()
    for seat in game.seats:
        game.view.observe(s, seat)
        game.judge.evaluate(s, seat)


@pytest.mark.parametrize("game_id", game_ids())
def test_changed_data_are_played_or_refused_in_sentences(game_id: str, tmp_path: Path) -> None:
    """Nothing but DataError is raised, whatever file is changed; a game that opens can be played."""
    ours = Path(str(data_folder(PACKAGES[game_id])))
    files = [file for file in sorted(ours.rglob("*")) if file.suffix in (".csv", ".toml")]
    games, refused = 0, []
    for seed in range(CHANGES):
        rnd = random.Random(f"{game_id} {seed}")
        for file in dict.fromkeys((files[seed % len(files)], rnd.choice(files))):
            change = changed_row if file.suffix == ".csv" else changed_value
            own = tmp_path / str(seed) / file.relative_to(ours)
            own.parent.mkdir(parents=True, exist_ok=True)
            own.write_text(change(file.read_text(encoding="utf-8"), rnd), encoding="utf-8")
        try:
            game = open_afresh(game_id, tmp_path / str(seed))
        except DataError as error:
            refused.append(str(error))
            continue
        played(game, rnd)
        games += 1
    assert games
    assert refused
    assert all(".csv" in told or ".toml" in told for told in refused)
