"""The laboratory: fuzzing finds what is broken, perft counts, matches do not depend on the number of processes."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace

import pytest

import tiny
from salient import bots
from salient.kernel import OVER, AnyGame, Record, Result, Unreadable, actor, legal, step
from salient.lab.fuzz import fuzz, save_failure
from salient.lab.perft import divide, perft
from salient.lab.playouts import BrokenGame, checked_game, random_playout
from salient.lab.simulate import Match, Played, simulate, summarise, wilson
from tiny.model import Crossing, RedTurn

# ---- random play -------------------------------------------------------------------


def test_a_playout_ends_the_game(crossing: AnyGame) -> None:
    state, plies = random_playout(crossing.new(), random.Random(1))
    assert actor(state) == OVER
    assert plies >= 6


def test_checked_games_repeat_by_seed(crossing: AnyGame) -> None:
    assert checked_game(crossing, 4).actions == checked_game(crossing, 4).actions
    assert checked_game(crossing, 4).actions != checked_game(crossing, 5).actions


def test_fuzzing_is_the_same_in_two_processes(registered_tiny: str) -> None:
    alone = list(fuzz(registered_tiny, 12, seed=3))
    assert list(fuzz(registered_tiny, 12, seed=3, jobs=2)) == alone
    assert [game.cause for game in alone] == [""] * 12


def test_a_broken_invariant_is_found_and_saved(
    registered_tiny: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tiny.Tiny, "check", lambda self, s: ["r1 has gone astray"] if s.at[0] == 3 else [])
    broken = [game for game in fuzz(registered_tiny, 20, seed=1) if game.cause]
    assert broken
    assert broken[0].cause == "r1 has gone astray"
    path = save_failure(registered_tiny, broken[0], tmp_path / "failures")
    states = list(Record.parse(path.read_text()).replay(tiny.GAME))
    assert len(states) == broken[0].plies + 1
    assert states[-1].at[0] == 3
    assert "r1 has gone astray" in path.read_text()


def test_a_dead_end_is_found(crossing: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RedTurn, "legal", lambda self, s: [])
    with pytest.raises(BrokenGame, match="After move 1: a dead end: red has no legal action"):
        checked_game(crossing, 1)


def test_an_exception_is_found(crossing: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: RedTurn, s: Crossing, action: object, out: object) -> None:
        raise KeyError("r3")

    monkeypatch.setattr(RedTurn, "apply", fail)
    with pytest.raises(BrokenGame, match="After move 1: KeyError: 'r3'"):
        checked_game(crossing, 1)


def test_a_legal_list_out_of_order_is_found(crossing: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = RedTurn.legal
    monkeypatch.setattr(RedTurn, "legal", lambda self, s: usual(self, s)[::-1])
    with pytest.raises(BrokenGame, match="After move 1: the legal actions are not unique or not in order"):
        checked_game(crossing, 1)


@pytest.mark.parametrize(
    ("result", "cause"),
    [
        (Result("red", "7", "red-won"), "After move 0: there is a result before the end"),
        (None, "the game is over without a result"),
    ],
)
def test_a_result_out_of_place_is_found(
    crossing: AnyGame, monkeypatch: pytest.MonkeyPatch, result: Result | None, cause: str
) -> None:
    monkeypatch.setattr(tiny.Tiny, "result", lambda self, s: result)
    with pytest.raises(BrokenGame, match=cause):
        checked_game(crossing, 1)


def test_a_result_of_nobody_is_found(crossing: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    green = Result("green", "7", "green-won")
    monkeypatch.setattr(tiny.Tiny, "result", lambda self, s: green if actor(s) == OVER else None)
    with pytest.raises(BrokenGame, match="the result is of nobody or of no rule"):
        checked_game(crossing, 1)


# ---- perft -------------------------------------------------------------------------


def test_perft_counts_lines(crossing: AnyGame) -> None:
    """3 hiding places; 2 moves, 3 probes, 1 end; then 5 after a move, 3 after a probe, 6 after the end."""
    start = crossing.new()
    assert [perft(start, depth) for depth in range(4)] == [1, 3, 3 * (2 + 3 + 1), 3 * (2 * 5 + 3 * 3 + 6)]


def test_perft_of_a_finished_line_counts_once(crossing: AnyGame) -> None:
    state = step(crossing.new(), ("hide", "2"))
    for _ in range(4):
        state = step(state, ("end",))
    assert perft(state, 1) == len(legal(state))
    assert perft(step(state, ("end",)), 3) == 1


def test_divide_splits_perft(crossing: AnyGame) -> None:
    start = crossing.new()
    parts = divide(start, 4)
    assert [action for action, _ in parts] == legal(start)
    assert sum(count for _, count in parts) == perft(start, 4)


# ---- matches -----------------------------------------------------------------------


@pytest.fixture
def lone_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots of the test's own: `first` takes the first legal action, `wild` any."""

    def make(level: str, game: AnyGame, seat: str, seed: int | str) -> SimpleNamespace:
        rng = random.Random(seed)
        pick = {"first": lambda actions: actions[0], "wild": rng.choice}[level]
        return SimpleNamespace(choose=lambda state: (pick(legal(state)), []), close=lambda: None)

    monkeypatch.setattr(bots, "make", make, raising=False)


def results(played: list[Played]) -> list[tuple[object, ...]]:
    return [(game.index, game.players, game.winner, game.plies, game.record) for game in played]


@pytest.mark.usefixtures("lone_bots")
def test_matches_do_not_depend_on_the_number_of_processes(registered_tiny: str) -> None:
    match = Match(registered_tiny, ("first", "wild"), seed=7)
    alone = results(list(simulate(match, 10)))
    assert results(list(simulate(match, 10, jobs=2))) == alone
    assert results(list(simulate(Match(registered_tiny, ("first", "wild"), seed=8), 10))) != alone


@pytest.mark.usefixtures("lone_bots")
def test_swapped_seats_change_hands(registered_tiny: str) -> None:
    played = list(simulate(Match(registered_tiny, ("first", "wild"), swap=True), 4))
    assert [game.players["red"] for game in played] == ["first", "wild", "first", "wild"]


@pytest.mark.usefixtures("lone_bots")
def test_a_summary_adds_up(registered_tiny: str) -> None:
    played = list(simulate(Match(registered_tiny, ("first", "wild")), 20))
    summary = summarise(played)
    assert sum(rate.wins for rate in summary.seats.values()) + summary.draws == 20
    assert sum(summary.results.values()) == 20
    assert summary.bots["first"].wins == summary.seats["red"].wins
    assert summary.plies["least"] <= summary.plies["median"] <= summary.plies["most"]


@pytest.mark.usefixtures("lone_bots")
def test_records_of_a_match_verify(registered_tiny: str) -> None:
    for game in simulate(Match(registered_tiny, ("first", "wild"), "long"), 3):
        Record.parse(game.record).verify(tiny.GAME)


def test_the_wrong_number_of_bots_is_refused(registered_tiny: str) -> None:
    with pytest.raises(Unreadable, match="Name 2 computer players, for red and blue"):
        list(simulate(Match(registered_tiny, ("greedy",)), 1))


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (0, 0, 0.0, 1.0)],
)
def test_wilson_interval(wins: int, games: int, low: float, high: float) -> None:
    rate = wilson(wins, games)
    assert (round(rate.low, 4), round(rate.high, 4)) == (low, high)
