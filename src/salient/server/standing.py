"""How a game stands, and how it came to that: the situation, the advantage over time, the luck of the dice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from salient.bots.value import win_probability
from salient.kernel import CHANCE, OVER, Action, AnyGame, SeededDice, State, actor, step
from salient.server.access import Viewer
from salient.server.dicestats import numbers
from salient.server.live import LiveGame, stage_of
from salient.server.wire import with_text
from salient.text import name, stage_text

Json = dict[str, Any]


def situation_json(live: LiveGame, viewer: Viewer, state: State) -> Json:
    """The situation with its sentences, as far as the viewer may know it."""
    told = with_text(live.game, live.game.view.situation(state), viewer.lang)
    for chip in told.get("conditions", ()):
        chip["text"] = name(live.game, chip["key"], viewer.lang)
    return dict(told)


# ---- the advantage over time ----------------------------------------------------------------------------


def curve_json(live: LiveGame, viewer: Viewer, since: int) -> Json:
    """The first seat's chance to win, as the viewer sees it, where each phase after ply `since` begins, and now."""
    plies = [ply for ply in sorted({*live.stages, live.ply}) if ply >= since]
    return {
        "seen": live.seen,
        "seat": live.game.seats[0],
        "points": [_point(live, viewer, ply, state) for ply, state in _states(live, plies)],
    }


def _states(live: LiveGame, plies: list[int]) -> Iterator[tuple[int, State]]:
    """The positions at some plies, ascending, each from the one before."""
    if not plies:
        return
    at = plies[0]
    state = live.session.state_at(at)
    for ply in plies:
        for action in live.session.actions[at:ply]:
            state = step(state, action, trusted=True)
        at = ply
        yield ply, state


def _point(live: LiveGame, viewer: Viewer, ply: int, state: State) -> Json:
    game, stage = live.game, live.stages.get(ply) or stage_of(live.game, state)
    seen = game.resample(state, viewer.seat, SeededDice(0))
    share = round(win_probability(game, seen, game.seats[0]), 3)
    return {"ply": ply, "turn": stage[0], "share": share, "heading": stage_text(game, stage, viewer.lang)}


# ---- luck ----------------------------------------------------------------------------------------------------


def luck_json(live: LiveGame) -> list[Json]:
    """Every combat: who attacked, what each side was to expect to lose by its odds, and what the die said."""
    session, game = live.session, live.game
    found = []
    state, odds, seat = session.state_at(0), None, ""
    for ply, (who, action) in enumerate(zip(session.actors, session.actions, strict=True), start=1):
        after = step(state, action, trusted=True)
        if who != CHANCE:
            seat = who
            odds = _combat_odds(game, state, action) if actor(after) == CHANCE else None
        elif odds and (lost := _losses(game, odds, action, state, after)):
            found.append({"ply": ply, "seat": seat, "target": odds["target"], **_expected(odds), **lost})
            odds = None
        state = after
        if actor(state) == OVER:
            break
    return found


def _combat_odds(game: AnyGame, state: State, action: Action) -> Json | None:
    """The odds of an action that leads to a fight; a disengagement has odds, but none of losses."""
    odds: Json | None = game.view.preview(state, action).get("odds")
    return odds if odds and "expected" in odds else None


def _expected(odds: Mapping[str, Any]) -> Json:
    return {f"expected_{side}": float(odds["expected"][side]) for side in ("attacker", "defender")}


def _losses(game: AnyGame, odds: Mapping[str, Any], action: Action, state: State, after: State) -> Json | None:
    """What a roll costs each side: by the line of the table it hit or, where dice decide by themselves, as happened."""
    faces = numbers(action)
    for outcome in odds["outcomes"]:
        if len(faces) == 1 and faces[0] in outcome.get("rolls", ()):
            return {"attacker": outcome["attacker_loss"], "defender": outcome["defender_loss"]}
    if any("rolls" in outcome for outcome in odds["outcomes"]):
        return None
    before, then = (game.view.situation(each)["forces"] for each in (state, after))
    lost = [then[side]["lost_steps"] - before[side]["lost_steps"] for side in game.seats]
    return {"attacker": 0, "defender": max(lost)}


def luck_of(fights: list[Json], seat: str) -> Json:
    """A side's fights in sum: how many it began, and how much more it lost than was to be expected."""
    more = 0.0
    for fight in fights:
        role = "attacker" if fight["seat"] == seat else "defender"
        more += fight[role] - fight[f"expected_{role}"]
    return {"seat": seat, "fights": sum(fight["seat"] == seat for fight in fights), "more_lost": round(more, 1)}
