"""No odds that do not add up: what each side counts is the sum of the strengths and additions that are named (T-30)."""

from __future__ import annotations

import random
from typing import Any

from contract.conftest import Walk
from salient.kernel import CHANCE, AnyGame, actor, legal

TRIED = 12  # actions of each position


def test_every_strength_is_the_sum_of_what_is_named(game: AnyGame, walk: Walk) -> None:
    rng = random.Random(11)
    for state in walk.positions:
        if actor(state) == CHANCE:
            continue
        actions = legal(state)
        for action in rng.sample(actions, k=min(TRIED, len(actions))):
            odds = game.view.preview(state, action).get("odds") or {}
            if odds.get("defence") is not None and "dice" not in odds:
                said = f"{game.write(action)}: {odds}"
                limited = bool(odds.get("attack_notes"))  # the only note of attackers is a limit [34]
                attack = named(odds["attackers"], [])
                assert attack > odds["attack"] if limited else attack == odds["attack"], said
                assert named(odds["defenders"], odds.get("defence_notes", [])) == odds["defence"], said


def test_one_more_is_one_who_has_not_been_named(game: AnyGame, walk: Walk) -> None:
    """Both brigades of an attack were offered as "one more" that would shift the column (T-86)."""
    told = 0
    for state in walk.positions:
        if actor(state) == CHANCE or "resolve" not in {action[0] for action in legal(state)}:
            continue
        odds = game.view.preview(state, game.read("resolve")).get("odds") or {}
        others = {one["unit"] for one in odds.get("one_more", [])}
        told += len(others)
        assert not others & {unit["unit"] for unit in odds.get("attackers", [])}, others
    assert told or game.id in ("bulge", "tiny")  # where a whole hex attacks, and where nobody does


def named(units: list[dict[str, Any]], notes: list[dict[str, Any]]) -> float:
    """The strengths of units as they count, and what notes add."""
    strengths = sum(float(unit.get("final", unit["strength"])) for unit in units)
    return strengths + sum(float(note["args"]["n"]) for note in notes)
