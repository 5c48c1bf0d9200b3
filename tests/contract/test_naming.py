"""What every game promises to people who name pieces in any order, take them back, and change their minds."""

from __future__ import annotations

import random
from functools import cache

import pytest

from salient.kernel import AnyGame, Record, SeededDice, Session, State, VerifiedDice, candidates, legal, step
from salient.kernel.notation import Action
from salient.kernel.record import has_hint
from salient.lab.playouts import play_session

PLIES = 1500


@cache
def wavering(game: AnyGame) -> Session:
    """Part of a game whose players often take back and name in odd orders."""
    session = Session(game, VerifiedDice("naming", bytes(32)), name="naming")
    play_session(session, seed=5, plies=PLIES, detours=0.7)
    return session


def test_a_record_tells_the_game_without_its_detours(game: AnyGame) -> None:
    session = wavering(game)
    record = Record.parse(session.record().text())
    again = Session.from_record(record, game, SeededDice(0))
    assert again.state.key() == session.state.key()
    assert again.record().moves == record.moves
    assert len(record.moves) <= len(session.actions)


def test_hints_are_kept_with_what_was_decided_at_last(game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked in the middle of naming, a hint stands at the first action of the chain that came of it."""
    session = wavering(game)
    monkeypatch.setattr(session, "comments", dict.fromkeys(range(0, PLIES, 7), "hint"))
    record = Record.parse(session.record().text())
    hinted = [number for number, move in enumerate(record.moves) if has_hint(move.comment)]
    assert hinted
    assert Session.from_record(record, game, SeededDice(0)).record().moves == record.moves


def test_what_is_named_does_not_depend_on_the_order(game: AnyGame) -> None:
    """From where nothing was named, the same pieces in any order that is open lead to the same position."""
    session, rng = wavering(game), random.Random(1)
    for ply, draft in enumerate(session.drafts, start=1):
        if draft and len(draft) > 1:
            start = ply - 1
            while start and session.drafts[start - 1] is not None:
                start -= 1
            assert named(session.state_at(start), list(draft), rng).key() == session.state_at(ply).key()


def test_programs_never_come_back_to_what_they_named_before(game: AnyGame) -> None:
    """Candidates only go on: from any draft of a random game no line of them meets a position twice."""
    rng, session = random.Random(2), wavering(game)
    drafts = [ply for ply, draft in enumerate(session.drafts, start=1) if draft]
    for ply in drafts[:: 1 + len(drafts) // 25]:
        state, met = session.state_at(ply), set()
        while state.stack[-1].draft(state):
            assert state.key() not in met
            met.add(state.key())
            state = step(state, rng.choice(candidates(state)))


def named(state: State, actions: list[Action], rng: random.Random) -> State:
    while actions:
        open_now = [action for action in actions if action in legal(state)]
        action = rng.choice(open_now)
        state = step(state, action)
        actions.remove(action)
    return state
