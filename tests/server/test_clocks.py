"""Clocks: what is charged, what is earned, and that nobody makes time by passing the decision to and fro."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from salient.kernel.shared_dice import PARTNER, new_chain
from salient.server.between import clocks
from server.people import Browser, meet, public

TERMS = {"pace": "live", "base": 100.0, "increment": 10.0}
SLOW = TERMS | {"pace": "slow"}
NEW: clocks.Clock = {"left": {"a": 100.0, "b": 100.0}, "running": None, "since": 0.0}


@pytest.fixture
def two(tmp_path: Path, registered_tiny: str) -> Iterator[tuple[Browser, Browser]]:
    with public(tmp_path) as server:
        yield Browser(server, "Ann"), Browser(server, "Ben")


def test_a_live_clock_is_charged_and_gets_its_increment() -> None:
    """Time runs for who decides; what is left stays when it passes on."""
    clock = clocks.run(TERMS, NEW, "a", "a", now=1000.0)
    assert clocks.deadline(clock) == 1100.0
    clock = clocks.run(TERMS, clock, "a", "a", now=1030.0)
    assert (clock["left"]["a"], clocks.deadline(clock)) == (70.0, 1100.0)
    clock = clocks.run(TERMS, clock, "b", "b", now=1050.0)
    assert clock["left"] == {"a": 60.0, "b": 100.0}
    assert clocks.deadline(clock) == 1150.0
    assert clocks.deadline(clocks.run(TERMS, clock, "over", "over", now=1060.0)) is None


def test_days_a_move_begin_anew_with_each_move() -> None:
    """What the other did not use is not added."""
    clock = clocks.run(SLOW, NEW, "a", "a", now=0.0)
    clock = clocks.run(SLOW, clock, "b", "b", now=90.0)
    clock = clocks.run(SLOW, clock, "a", "a", now=120.0)
    assert (clock["left"]["a"], clocks.deadline(clock)) == (100.0, 220.0)


def test_to_wait_for_a_share_of_the_dice_is_no_turn() -> None:
    """Time is charged to who must show it; it earns nothing, and days a move go on where they were."""
    clock = clocks.run(TERMS, NEW, "a", "a", now=0.0)
    clock = clocks.run(TERMS, clock, "b", "chance", now=20.0)
    clock = clocks.run(TERMS, clock, "a", "a", now=23.0)
    assert clock["left"] == {"a": 80.0, "b": 97.0}
    clock = clocks.run(SLOW, NEW | {"left": {"a": 100.0, "b": 1.0}}, "a", "a", now=0.0)
    clock = clocks.run(SLOW, clock, "b", "chance", now=90.0)
    assert clocks.deadline(clock) == 190.0  # b, who asleep had 1 second left, has time to wake up
    clock = clocks.run(SLOW, clock, "b", "chance", now=150.0)
    assert clocks.deadline(clock) == 190.0  # a new commitment is no new time
    clock = clocks.run(SLOW, clock, "a", "a", now=160.0)
    assert clocks.deadline(clock) == 170.0


def test_to_go_back_by_consent_earns_no_increment() -> None:
    """Who consents has not decided; the other, who decides anew, has a whole time again where it is by the move."""
    for terms, left in ((TERMS, {"a": 60.0, "b": 95.0}), (SLOW, {"a": 100.0, "b": 95.0})):
        clock = clocks.run(terms, NEW, "a", "a", now=0.0)
        clock = clocks.run(terms, clock, "b", "b", now=50.0)
        assert clocks.run(terms, clock, "a", "a", back=True, now=55.0)["left"] == left


@pytest.mark.parametrize("pace", ["live", "slow", "none"])
def test_what_has_been_passed_on_is_taken_back_by_consent_only(two: tuple[Browser, Browser], pace: str) -> None:
    """Who passes and takes back would have new time, count as reliable, and call the other, again and again."""
    ann, ben = two
    path = f"/api/games/{meet(ann, ben, pace=pace, increment=10 if pace == 'live' else 0)}"
    ann.play(path.rsplit("/", 1)[1], "hide 2")
    after = ann.get(path).json()
    assert (after["actor"], after["undo_to"]) == ("red", None)
    for what in ("undo", "reset"):
        assert ann.post(f"{path}/{what}", {"seen": after["seen"]}).status_code == 409
    assert ann.post(f"{path}/offers", {"kind": "undo", "to": 0}).status_code == 200
    back = ben.post(f"{path}/answers", {"kind": "undo", "yes": True}).json()
    assert (back["actor"], back["ply"]) == ("blue", 0)
    assert ann.get("/api/people/Ann").json()["moves_in_time"] == (0 if pace == "none" else 1)
    assert ann.get("/api/people/Ben").json()["moves_in_time"] == 0


def test_dice_of_both_in_live_play_earn_nobody_time(two: tuple[Browser, Browser]) -> None:
    """The programs show their shares in a moment: no increment, no reliable move, and no call for who is there."""
    game_id = meet(*two, dice="shared", pace="live", base=600, increment=10)
    path = f"/api/games/{game_id}"
    links = {each.name: {role: new_chain(secrets.token_bytes(32), 9) for role in PARTNER} for each in two}
    ann, ben = two
    for each in two:
        each.post(f"{path}/shares", {"commit": {role: chain[0].hex() for role, chain in links[each.name].items()}})
    for each, action in ((ann, "hide 2"), (ben, "move r1 2"), (ben, "end")):
        assert each.play(game_id, action).status_code == 200
    before = ben.get(path).json()
    assert before["dice"]["shares"]["due"] == ["red"]
    for each, role in ((ben, "active"), (ann, "passive")):
        against = links[(ann if each is ben else ben).name][PARTNER[role]][0].hex()
        shown = {"number": 1, "link": links[each.name][role][1].hex(), "against": against}
        after = each.post(f"{path}/shares", {"show": {role: shown}}).json()
    assert after["actor"] != "chance"
    turns = 1 if after["actor"] == "red" else 2
    left = after["between"]["clock"]["left"]
    assert left["blue"] <= 610
    assert left["red"] <= 600 + 10 * (turns - 1)
    assert _moves(ann) + _moves(ben) == turns


def _moves(person: Browser) -> int:
    profile: dict[str, Any] = person.get(f"/api/people/{person.name}").json()
    return int(profile["moves_in_time"])
