"""What goes over the wire: snapshots, updates, entries and messages, for one viewer."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from salient.kernel import CHANCE, OVER, Action, Game, State, VerifiedDice, actor, legal, step
from salient.kernel.messages import Message
from salient.kernel.shared_dice import SharedDice
from salient.server import orders
from salient.server.access import Asker, Viewer
from salient.server.between import clocks
from salient.server.live import LiveGame, is_bot, stage_of
from salient.server.pages import Told
from salient.server.problems import Cause, sentence
from salient.server.store import GameRow
from salient.server.table import Table
from salient.text import describe_action, describe_faces, name, say, stage_text
from salient.text.say import kind_of

Json = dict[str, Any]
MOST_ENTRIES = 200


def message_json(game: Game, message: Message | Mapping[str, Any], lang: str) -> Json:
    """A message with its sentence; units, hexes and the like by their names."""
    values = message.as_json() if isinstance(message, Message) else dict(message)
    args = {key: _argument(game, key, value) for key, value in values.get("args", {}).items()}
    text = say(game, {"key": values["key"], "args": values.get("args", {})}, lang)
    return {**values, "args": args, "text": text}


def _argument(game: Game, key: str, value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [_argument(game, key, item) for item in value]
    kind = kind_of(game, key)
    return game.notation.kinds[kind].write(value) if kind != "n" and kind in game.notation.kinds else value


def with_text(game: Game, values: Any, lang: str) -> Any:
    """Nested JSON values in which every message (something with rule and key) has its sentence."""
    if isinstance(values, Message):
        return message_json(game, values, lang)
    if isinstance(values, Mapping):
        if "key" in values and "rule" in values:
            return message_json(game, values, lang)
        return {key: with_text(game, value, lang) for key, value in values.items()}
    if isinstance(values, (list, tuple)):
        return [with_text(game, value, lang) for value in values]
    return values


@lru_cache(maxsize=50_000)
def action_json(game: Game, action: Action, lang: str) -> Json:
    """A legal action: its text, its parts, and what it does in words; the same in every position, so it is kept."""
    verb, *values = game.write(action).split()
    kinds = game.notation.kinds_of(action)
    args = [{"kind": kind, "value": value} for kind, value in zip(kinds, values, strict=True)]
    return {"text": game.write(action), "verb": verb, "args": args, "label": describe_action(game, action, lang)}


def legal_json(game: Game, state: State, lang: str) -> list[Json]:
    """Every legal action; `names` tells those that only name something, which an action can take back."""
    actions = legal(state)
    naming = _naming_verbs(state, actions)
    return [action_json(game, action, lang) | {"names": action[0] in naming} for action in actions]


def sets_json(game: Game, state: State) -> dict[str, int]:
    """By verb that names units: how many it could name now, one after the other."""
    naming = _naming_verbs(state, legal(state)) - {orders.TAKING_UP}
    units = [verb for verb, kinds in game.notation.verbs.items() if verb in naming and kinds == ("unit",)]
    able = [verb for verb in units if orders.can_name(state, verb)]
    return {verb: len(orders.all_that_can(game, state, verb).actions) for verb in able}


def _naming_verbs(state: State, actions: list[Action]) -> set[str | int]:
    """The verbs after which there is something to take back: one example of each is tried."""
    if actor(state) == CHANCE:
        return set()
    drafted = len(state.stack[-1].draft(state))
    examples = {action[0]: action for action in reversed(actions)}
    after = {verb: step(state, action, trusted=True) for verb, action in examples.items()}
    return {verb for verb, then in after.items() if len(then.stack[-1].draft(then)) > drafted}


def result_json(game: Game, result: Mapping[str, Any] | None, lang: str) -> Json | None:
    """A result with its sentence."""
    return None if result is None else message_json(game, {**result, "args": {}}, lang)


def entry_json(live: LiveGame, viewer: Viewer, ply: int, told: Told, change: Json | None) -> Json:
    """The entry that led to a ply. A secret action of another seat has no text and no label."""
    session, game = live.session, live.game
    action, seat = session.actions[ply - 1], session.actors[ply - 1]
    readable = viewer.may_read(live, seat, str(action[0]))
    entry = {
        "ply": ply,
        "seat": seat,
        "action": game.write(action) if readable else None,
        "label": describe_action(game, action, viewer.lang) if readable else None,
        "events": [message_json(game, event, viewer.lang) for event in told.events],
        "reasons": bool(live.reasons(ply)) and readable,
    }
    if ply - 1 in live.stages:
        entry["heading"] = stage_text(game, live.stages[ply - 1], viewer.lang)
    if told.roll:
        entry["roll"] = told.roll.as_json()
        if game.notation.verbs["roll"][-1].endswith("*"):
            entry["label"] = describe_faces(game, told.roll.faces, viewer.lang)
    if change is not None:
        entry["change"] = change
    return entry


def entries_json(live: LiveGame, viewer: Viewer, start: int, end: int, changes: bool = True) -> list[Json]:
    """The entries after ply `start`, up to ply `end`."""
    plies = range(start + 1, end + 1)
    known = live.changes_for(viewer.seat, start, end) if changes else [None] * len(plies)
    told = live.tellings(start, end)
    return [entry_json(live, viewer, *each) for each in zip(plies, told, known, strict=True)]


def snapshot_json(table: Table, live: LiveGame, viewer: Viewer) -> Json:
    """The present position for a viewer."""
    row, game, state = live.row, live.game, live.session.state
    hands, yours = viewer.hands(live), viewer.decides(live)
    dice = live.session.dice
    return {
        "id": row.id,
        "name": row.name,
        "game": game.id,
        "title": name(game, game.id, viewer.lang),
        "scenario": live.session.scenario,
        "options": live.session.options,
        "created": row.created,
        "changed": row.changed,
        "seen": live.seen,
        "ply": live.ply,
        "owner": viewer.owner,
        "seats": [
            {"seat": seat, "name": name(game, seat, viewer.lang), "mine": seat in viewer.seats}
            | _player_json(row, seat, player)
            for seat, player in row.seats.items()
        ],
        "seat": viewer.seat,
        "actor": live.actor,
        "yours": yours,
        "thinking": is_bot(row.seats.get(live.actor, "")) and not row.paused and not row.trouble,
        "trouble": sentence(row.trouble, viewer.lang) if row.trouble else None,
        "heading": stage_text(game, stage_of(game, state), viewer.lang),
        "prompt": message_json(game, state.stack[-1].prompt(state), viewer.lang) if yours else None,
        "view": game.observe(state, viewer.seat),
        "legal": legal_json(game, state, viewer.lang) if yours else [],
        "sets": sets_json(game, state) if yours else {},
        "undo_to": live.lowest_undo(hands),
        "can_redo": bool(live.redo) and live.redo[0][0] in hands,
        "dice": {
            "kind": dice.kind,
            "commitment": dice.commitment if isinstance(dice, (VerifiedDice, SharedDice)) else None,
            "needed": list(live.dice_needed),
            **({"shares": _shares_json(live, dice, viewer)} if isinstance(dice, SharedDice) else {}),
        },
        "result": outcome_json(row, game, live.summary()["result"], viewer.lang),
        "between": _between_json(live, viewer),
        "pace": row.pace,
        "paused": row.paused,
    }


def _player_json(row: GameRow, seat: str, player: str) -> Json:
    """Who sits at a seat: `human`, `link`, `bot:LEVEL`, or a `person` with a name."""
    if not player.startswith("person:"):
        return {"player": player}
    return {"player": "person", "person": (row.terms or {}).get("names", {}).get(seat, "")}


def _shares_json(live: LiveGame, dice: SharedDice, viewer: Viewer) -> Json:
    """What a player's program must know to give its share of the dice: docs/DICE.md."""
    mine = {
        seat: {
            role: {"last": chain.last, "head": chain.segments[-1].head.hex() if chain.segments else None}
            for role, chain in dice.chains[seat].items()
        }
        for seat in sorted(viewer.seats)
    }
    return {
        "binding": dice.binding,
        "mine": mine,
        "used": dice.used,
        "due": live.missing_shares(),
        "caster": live.decider,
    }


def _between_json(live: LiveGame, viewer: Viewer) -> Json | None:
    """What the referee keeps of a game between people: terms, clock, offers."""
    row = live.row
    if row.terms is None or row.clock is None:
        return None
    terms = {key: value for key, value in row.terms.items() if key != "names"}
    clock = clocks.stopped(row.terms, row.clock, time.time()) if not live.session.ended else row.clock
    shown = {name: clock.get(name) for name in ("left", "running", "paused")}
    return {"terms": terms, "clock": shown, "deadline": row.deadline, "offers": clock.get("offers") or {}}


def outcome_json(row: GameRow, game: Game, result: Mapping[str, Any] | None, lang: str) -> Json | None:
    """How a game ended: by its rules, or because somebody resigned, ran out of time, agreed to a draw."""
    ended = (row.clock or {}).get("ended")
    if ended is None:
        return result_json(game, result, lang)
    winner = ended["winner"]
    text = sentence(f"ended-{ended['how']}", lang, winner=name(game, winner, lang) if winner else "")
    return {"winner": winner, "rule": "", "key": f"ended-{ended['how']}", "args": {}, "text": text}


def update_json(table: Table, live: LiveGame, viewer: Viewer, since: int | None) -> Json:
    """What has happened since a viewer saw `since`, and the present position.

    `gap`: so much has happened that it is not told here; the log has it, page by page.
    """
    cut = live.cut_since(since)
    gap = live.ply - cut > MOST_ENTRIES
    return {
        "seen": live.seen,
        "ply": live.ply,
        "cut": cut,
        "gap": gap,
        "entries": [] if gap else entries_json(live, viewer, cut, live.ply),
        "snapshot": snapshot_json(table, live, viewer),
    }


def summary_json(row: GameRow, game: Game | None, asker: Asker, lang: str, broken: Cause | None = None) -> Json:
    """A line of the list of games; `broken` says why one cannot be opened any more."""
    summary = row.summary if _is_summary(row.summary, game) else {}
    cause = broken.text(lang) if broken else "" if summary and game else sentence("row-unknown", lang)
    return {
        "id": row.id,
        "name": row.name,
        "game": row.game,
        "title": name(game, game.id, lang) if game else row.game,
        "scenario": row.scenario,
        "created": row.created,
        "changed": row.changed,
        "ply": summary.get("ply", 0),
        "actor": OVER if row.over else summary.get("actor", ""),
        "heading": stage_text(game, summary["stage"], lang) if game and summary else "",
        "seats": [{"seat": seat} | _player_json(row, seat, player) for seat, player in row.seats.items()],
        "owner": asker.owns(row),
        "result": outcome_json(row, game, summary["result"], lang) if game and summary else None,
        "deadline": row.deadline,
        "broken": sentence("does-not-replay", lang, cause=cause) if cause else None,
    }


def _is_summary(summary: Mapping[str, Any], game: Game | None) -> bool:
    """Whether what was kept for the list of games can be shown."""
    match summary:
        case {"ply": int(), "actor": str(), "stage": [int(), int(at)], "result": None | {"key": str()}}:
            return game is None or 0 <= at < len(game.components()["sequence"])
    return False
