"""A player's own data, changed at random: the game goes on with them, or says in sentences what is wrong."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from salient import bots
from salient.common.data import data_folder
from salient.games import PACKAGES, game_ids, open_afresh
from salient.hexes.rows import DataError
from salient.kernel import AnyGame, actor, candidates, legal, step

CHANGES = 40
ACTIONS = 25
DECISIONS = 15
GONE = {  # by game: rows taken away, so that units and piles have other numbers and ways are longer
    "target-arnhem": {"units.csv": ["9SS/Spindler"], "roads.csv": ["0303", "0404"]},
    "bulge": {"reinforcements.csv": ["12SS"], "roads.csv": ["0309", "0310"]},
    "deadly-woods": {"units.csv": ["12VG/27"], "roads.csv": ["2517", "2518"]},
    "ardennes44": {"units.csv": ["28/630"], "roads.csv": ["0224", "0323"]},
}
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


@pytest.mark.parametrize("game_id", game_ids())
def test_games_with_other_data_take_nothing_from_each_other(game_id: str, tmp_path: Path) -> None:
    """Two games played in turn, decision by decision, are what each of them is when it is played alone."""
    for file, names in GONE[game_id].items():
        ours = Path(str(data_folder(PACKAGES[game_id]))) / file
        head, *rows = csv.reader(io.StringIO(ours.read_text(encoding="utf-8")))
        source = head.index("source")
        gone = [[*row[:source], "removed", *row[source + 1 :]] for row in rows if row[0] in names]
        with (tmp_path / file).open("w", encoding="utf-8", newline="") as written:
            csv.writer(written).writerows([head, *gone])
    folders = (None, tmp_path)
    alone = [list(told(open_afresh(game_id, folder))) for folder in folders]
    in_turn = list(zip(*(told(open_afresh(game_id, folder)) for folder in folders), strict=True))
    assert alone[0] != alone[1]
    assert [list(one) for one in zip(*in_turn, strict=True)] == alone


def told(game: AnyGame) -> Iterator[str]:
    """What a game of greedy players tells of each position: the choice, what is legal, seen and thought of it."""
    s, players = game.new(), {seat: bots.make("greedy", game, seat, 7) for seat in game.seats}
    rnd = random.Random(3)
    for _ in range(DECISIONS):
        side = actor(s)
        action = players[side].choose(s).action if side in players else rnd.choice(candidates(s))
        views = [game.view.observe(s, seat) for seat in game.seats]
        worth = game.judge.features(s, game.seats[0])
        yield repr((game.write(action), len(legal(s)), views, worth, game.write_position(s)))
        s = step(s, action)
