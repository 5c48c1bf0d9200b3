"""Tournaments and openings: ratings that can be checked by hand, both sides with the same dice, trees that add up."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from salient.games import load
from salient.kernel import Record, Unreadable, step
from salient.lab.executors import Serial
from salient.lab.explore import Book, records_in, whole
from salient.lab.journal import JOURNAL
from salient.lab.playouts import checked_game
from salient.lab.runner import open_journal, run_study
from salient.lab.simulate import Match, play_one
from salient.lab.tournament import fit, standing, tournament
from salient.lab.trial import Row

FIRST = f"cmd:{sys.executable} {Path(__file__).parents[2] / 'examples' / 'bots' / 'first.py'}"


def rows_of(study, winners: dict[tuple[str, str], str]) -> list[Row]:  # type: ignore[no-untyped-def]
    """A finished tournament in which the stronger player of each pair always wins."""
    rows = []
    for cell in study.cells:
        seats = dict(cell.players)
        for index in range(study.games):
            winner = next(seat for seat, who in seats.items() if who == winners[tuple(sorted(seats.values()))])
            rows.append(
                {"cell": cell.number, "index": index, "winner": winner} | {f"player_{s}": w for s, w in seats.items()}
            )
    return rows


def test_ratings_stand_in_the_order_of_strength(tmp_path: Path) -> None:
    study = tournament("target-arnhem", ["random", "greedy", "captain"], 5, tmp_path)
    stronger = {("greedy", "random"): "greedy", ("captain", "random"): "captain", ("captain", "greedy"): "captain"}
    table = standing(study, rows_of(study, stronger))
    assert [rating.player for rating in table.ratings] == ["captain", "greedy", "random"]
    assert [rating.games for rating in table.ratings] == [20, 20, 20]
    assert [rating.score for rating in table.ratings] == [1.0, 0.5, 0.0]
    assert table.cross["captain"]["greedy"] == (10.0, 10)
    assert sum(rating.rating for rating in table.ratings) == pytest.approx(0)
    assert all(rating.error > 0 for rating in table.ratings)
    assert table.edge == pytest.approx(0, abs=1)


def test_three_wins_of_four_are_191_points_and_more_games_less_error() -> None:
    """400 log10(3) = 190.8 between the two; the prior hardly matters after 4,000 games."""
    eight = [(0, 1, 1.0)] * 3 + [(0, 1, 0.0)] + [(1, 0, 0.0)] * 3 + [(1, 0, 1.0)]
    values, errors = fit(2, eight * 500)
    assert values[0] - values[1] == pytest.approx(190.8, abs=2)
    few = fit(2, eight * 5)[1]
    assert errors[0] < few[0] / 8


def test_a_side_that_always_wins_has_the_edge_not_the_player() -> None:
    values, _ = fit(2, [(0, 1, 1.0), (1, 0, 1.0)] * 20)
    assert values[0] == pytest.approx(values[1])
    assert values[2] > 200


def test_pairs_meet_on_both_sides_with_the_same_dice(tmp_path: Path) -> None:
    study = tournament("target-arnhem", ["random", "greedy"], 2, tmp_path)
    tasks = list(study.tasks({}))
    assert [task.seed for task in tasks] == ["1/0", "1/0", "1/1", "1/1"]
    assert dict(tasks[0].players) == {"allied": "random", "german": "greedy"}
    assert dict(tasks[1].players) == {"allied": "greedy", "german": "random"}


def test_a_tournament_of_one_or_of_nobody_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="two players or more"):
        tournament("target-arnhem", ["random", "random"], 1, tmp_path)
    with pytest.raises(Unreadable, match="no computer player “rommel”"):
        tournament("target-arnhem", ["random", "rommel"], 1, tmp_path)


def test_a_tournament_is_played_and_kept(tmp_path: Path) -> None:
    study = tournament("bulge", ["random", FIRST], 1, tmp_path)
    journal = open_journal(study)
    rows = run_study(study, Serial(), journal)
    journal.close()
    assert len(rows) == 2
    assert standing(study, rows).ratings[0].games == 2
    again = open_journal(study)
    assert len(again.rows) == 2
    again.close()


def test_a_program_plays_in_a_match() -> None:
    played = play_one(Match("target-arnhem", (FIRST, "random")), 0)
    assert played.players == {"allied": FIRST, "german": "random"}
    assert played.plies > 100


# ---- openings ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return [checked_game(load("target-arnhem"), f"{seed}").record() for seed in range(6)]


def test_the_tree_counts_every_game_once(records: list[Record]) -> None:
    game = load("target-arnhem")
    same = [record for record in records if record.options() == records[0].options()]
    book = Book(game)
    for record in same:
        book.add(record)
    start = game.new("", records[0].options())
    assert book.games == len(same) > 1
    assert sum(tried.games for tried in book.at(start).values()) == len(same)
    text, tried = next(iter(book.at(start).items()))
    assert sum(each.games for each in book.at(step(start, game.read(text))).values()) >= tried.games
    assert sum(tried.wins.values()) <= tried.games
    told = list(book.lines(start, 3, 1))
    assert {level for level, *_ in told} == {0, 1, 2}


def test_records_are_found_in_files_folders_and_studies(records: list[Record], tmp_path: Path) -> None:
    for number, record in enumerate(records):
        (tmp_path / f"{number}.salient").write_text(record.text())
    (tmp_path / "other.salient").write_text(checked_game(load("bulge"), 1).record().text())
    assert len(list(records_in([tmp_path], "target-arnhem"))) == 6
    assert len(list(records_in([tmp_path / "0.salient", tmp_path / "1.salient"], "target-arnhem"))) == 2
    results = tmp_path / "contest" / "tournament.results"
    results.mkdir(parents=True)
    rows = [{"record": record.text()} for record in records[:2]]
    (results / JOURNAL).write_text("".join(f"{json.dumps(line)}\n" for line in ({}, *rows)) + '{"record": "cut')
    for source, count in ((results, 2), (tmp_path / "contest", 2), (tmp_path, 8)):
        assert len(list(records_in([source], "target-arnhem"))) == count


def test_a_game_without_an_end_is_noted(records: list[Record]) -> None:
    book = Book(load("target-arnhem"))
    book.add(Record(records[0].header, records[0].moves[:5]))
    assert book.games == 0
    assert "not finished" in book.faults[0]


def test_a_position_has_one_name_however_it_was_reached() -> None:
    game = load("target-arnhem")
    state = game.new()
    assert whole(game, state) == whole(game, game.read_position(game.write_position(state)))
