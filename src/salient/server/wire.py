"""What goes over the wire: snapshots, updates, entries and messages, for one viewer."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from salient.kernel import OVER, AnyGame, State, VerifiedDice
from salient.kernel.messages import Message
from salient.kernel.record import has_hint
from salient.kernel.shared_dice import SharedDice
from salient.server.access import Requester, Viewer
from salient.server.between import clocks
from salient.server.changes import snapshot_change
from salient.server.legal import NOTHING, choices_json, unpacked
from salient.server.live import LiveGame, is_bot, stage_of
from salient.server.pages import Told
from salient.server.problems import Cause, sentence
from salient.server.store import GameRow
from salient.text import (
    describe_action,
    describe_ending,
    describe_faces,
    name,
    say,
    stage_text,
)
from salient.text.say import kind_of

Json = dict[str, Any]
MOST_ENTRIES = 200


def message_json(game: AnyGame, message: Message | Mapping[str, Any], lang: str) -> Json:
    """A message with its sentence; units, hexes and the like by their names."""
    values = message.as_json() if isinstance(message, Message) else dict(message)
    args = {key: _argument(game, key, value) for key, value in values.get("args", {}).items()}
    text = say(game, {"key": values["key"], "args": values.get("args", {})}, lang)
    return {**values, "args": args, "text": text}


def _argument(game: AnyGame, key: str, value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [_argument(game, key, item) for item in value]
    kind = kind_of(game, key)
    return game.notation.kinds[kind].write(value) if kind != "n" and kind in game.notation.kinds else value


def with_text(game: AnyGame, values: Any, lang: str) -> Any:
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


def hindrance_json(game: AnyGame, state: State, lang: str) -> Json | None:
    """Why the decision cannot end yet, if it cannot."""
    hindrance = state.stack[-1].hindrance(state)
    return None if hindrance is None else message_json(game, hindrance, lang)


def result_json(game: AnyGame, result: Mapping[str, Any] | None, lang: str) -> Json | None:
    """A result with its sentence."""
    return None if result is None else message_json(game, {**result, "args": {}}, lang)


def entry_json(live: LiveGame, viewer: Viewer, ply: int, told: Told, change: Json | None) -> Json:
    """The entry that led to a ply. A secret action of another seat has no text and no label."""
    session, game = live.session, live.game
    action, seat = session.actions[ply - 1], session.actors[ply - 1]
    readable = viewer.may_read(live, seat, str(action[0]))
    asked = told.asked
    label = describe_ending(game, asked, action, viewer.lang) if asked else describe_action(game, action, viewer.lang)
    entry = {
        "ply": ply,
        "seat": seat,
        "action": game.write(action) if readable else None,
        "label": label if readable else None,
        "events": [_event_json(game, event, viewer.lang) for event in told.events],
        "reasons": bool(live.reasons(ply)) and readable,
    }
    if asked and readable:
        entry["ends"] = True
    if has_hint(session.comments.get(ply - 1, "")):
        entry["hint"] = True
    if ply - 1 in live.stages:
        entry["heading"] = stage_text(game, live.stages[ply - 1], viewer.lang)
    if told.roll:
        entry["roll"] = told.roll.as_json()
        if game.notation.verbs[str(action[0])][-1].endswith("*"):
            entry["label"] = describe_faces(game, told.roll.faces, viewer.lang)
    if change is not None:
        entry["change"] = change
        if readable and ply in live.ways:
            entry["way"] = live.ways[ply]
    return entry


def _event_json(game: AnyGame, event: Json, lang: str) -> Json:
    """An event; `news` if it changes how the game stands."""
    return message_json(game, event, lang) | ({"news": True} if event["key"] in game.news else {})


def entries_json(live: LiveGame, viewer: Viewer, start: int, end: int, changes: bool = True) -> list[Json]:
    """The entries after ply `start`, up to ply `end`."""
    plies = range(start + 1, end + 1)
    known = live.changes_for(viewer.seat, start, end) if changes else [None] * len(plies)
    told = live.tellings(start, end)
    return [entry_json(live, viewer, *each) for each in zip(plies, told, known, strict=True)]


def snapshot_json(live: LiveGame, viewer: Viewer) -> Json:
    """The present position for a viewer."""
    return _whole(_kept_snapshot(live, viewer))


def _whole(kept: Json) -> Json:
    return kept | {"legal": list(unpacked(kept["legal"]))}


def _kept_snapshot(live: LiveGame, viewer: Viewer) -> Json:
    """The present position for a viewer, its legal list packed; it is kept, to tell later what is new."""
    key = live.row.version, live.seen, live.ply, viewer
    if key not in live.snapshots:
        live.keep_snapshot(key, _snapshot_json(live, viewer))
    return live.snapshots[key] | {"between": _between_json(live, viewer)}


def mark_of(live: LiveGame, viewer: Viewer) -> str:
    """What names the present snapshot of a viewer."""
    return f"{live.row.version}.{live.seen}.{live.ply}.{viewer.seat}.{viewer.lang}"


def held_snapshot(live: LiveGame, viewer: Viewer, mark: str) -> Json | None:
    """The kept snapshot with a mark, if there is one that was made for somebody with the same rights."""
    match mark.split("."):
        case [*numbers, seat, lang] if all(number.isdecimal() for number in numbers):
            return live.snapshots.get((*map(int, numbers), replace(viewer, seat=seat, lang=lang)))
    return None


def _snapshot_json(live: LiveGame, viewer: Viewer) -> Json:
    row = live.row
    return {
        "mark": mark_of(live, viewer),
        "id": row.id,
        "name": row.name,
        "game": live.game.id,
        "title": name(live.game, live.game.id, viewer.lang),
        "scenario": live.session.scenario,
        "options": live.session.options,
        "created": row.created,
        "changed": row.changed,
        "seen": live.seen,
        "ply": live.ply,
        "owner": viewer.owner,
        "seats": [
            {"seat": seat, "name": name(live.game, seat, viewer.lang), "mine": seat in viewer.seats}
            | _player_json(row, seat, player)
            for seat, player in row.seats.items()
        ],
        "seat": viewer.seat,
        "thinking": is_bot(row.seats.get(live.actor, "")) and not row.paused and not row.trouble,
        "trouble": sentence(row.trouble, viewer.lang) if row.trouble else None,
        "view": live.view(live.session.state, viewer.seat),
        **_decision_json(live, viewer),
        "dice": _dice_json(live, viewer),
        "result": outcome_json(row, live.game, live.summary()["result"], viewer.lang),
        "pace": row.pace,
        "paused": row.paused,
    }


def _decision_json(live: LiveGame, viewer: Viewer) -> Json:
    """What is decided now, and what the viewer may do about it."""
    game, state, lang = live.game, live.session.state, viewer.lang
    yours = viewer.decides(live)
    return {
        "actor": live.actor,
        "yours": yours,
        "heading": stage_text(game, stage_of(game, state), lang),
        "prompt": message_json(game, state.stack[-1].prompt(state), lang) if yours else None,
        **(choices_json(game, state, lang) if yours else {"legal": NOTHING, "sets": {}}),
        "hindrance": hindrance_json(game, state, lang) if yours else None,
        "undo_to": live.lowest_undo(viewer.seats),
        "can_redo": bool(live.redo) and yours,
    }


def _dice_json(live: LiveGame, viewer: Viewer) -> Json:
    dice = live.session.dice
    return {
        "kind": dice.kind,
        "commitment": dice.commitment if isinstance(dice, (VerifiedDice, SharedDice)) else None,
        "needed": list(live.dice_needed),
        "typists": sorted(live.typists(live.ply)) if live.dice_needed else [],
        **({"shares": _shares_json(live, dice, viewer)} if isinstance(dice, SharedDice) and viewer.seats else {}),
    }


def _player_json(row: GameRow, seat: str, player: str) -> Json:
    """Who sits at a seat: `human`, `link`, `bot:LEVEL`, or a `person` with a name."""
    if not player.startswith("person:"):
        return {"player": player}
    return {"player": "person", "person": (row.terms or {}).get("names", {}).get(seat, "")}


def _shares_json(live: LiveGame, dice: SharedDice, viewer: Viewer) -> Json:
    """What a player's program must know to give its share of the dice: docs/DICE.md."""
    chains = {
        seat: {
            role: {"first": chain.first, "last": chain.last, "head": chain.head.hex() if chain.head else None}
            for role, chain in roles.items()
        }
        for seat, roles in dice.chains.items()
    }
    return {
        "binding": dice.binding,
        "mine": {seat: chains[seat] for seat in sorted(viewer.seats)},
        "theirs": {seat: roles for seat, roles in chains.items() if seat not in viewer.seats},
        "next": {seat: dice.next_number(seat) for seat in dice.chains},
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


def outcome_json(row: GameRow, game: AnyGame, result: Mapping[str, Any] | None, lang: str) -> Json | None:
    """How a game ended: by its rules, or because somebody resigned, ran out of time, agreed to a draw."""
    ended = (row.clock or {}).get("ended")
    if ended is None:
        return result_json(game, result, lang)
    winner = ended["winner"]
    text = sentence(f"ended-{ended['how']}", lang, winner=name(game, winner, lang) if winner else "")
    return {"winner": winner, "rule": "", "key": f"ended-{ended['how']}", "args": {}, "text": text}


def update_json(live: LiveGame, viewer: Viewer, since: int | None, held: str | None = None) -> Json:
    """What has happened since a viewer saw `since`, and what is new in the snapshot with the mark `held`.

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
        **position_json(live, viewer, held, None if gap else since),
    }


def position_json(live: LiveGame, viewer: Viewer, held: str | None, since: int | None = None) -> Json:
    """What is new for who holds the snapshot with the mark `held`; the whole snapshot if that is not known here.

    `since` is what the entries that come with it begin from, as they tell it for the seat that looks now.
    """
    before = held_snapshot(live, viewer, held) if held else None
    after = _kept_snapshot(live, viewer)
    if before is None:
        return {"snapshot": _whole(after)}
    begins = before["seen"] == since and before["ply"] == live.cut_since(since)
    told = live.changes_for(viewer.seat, before["ply"], live.ply) if begins else None
    return {"change": snapshot_change(before, after, told)}


def summary_json(
    row: GameRow, game: AnyGame | None, requester: Requester, lang: str, broken: Cause | None = None
) -> Json:
    """A line of the list of games; `broken` says why one cannot be opened any more."""
    summary = row.summary if _is_summary(row.summary, game) else {}
    mine = requester.seats(row)
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
        "seats": [
            {"seat": seat, "mine": seat in mine} | _player_json(row, seat, player) for seat, player in row.seats.items()
        ],
        "owner": requester.owns(row),
        "yours": awaits(row, requester),
        "result": outcome_json(row, game, summary["result"], lang) if game and summary else None,
        "deadline": row.deadline,
        "broken": sentence("does-not-replay", lang, cause=cause) if cause else None,
    }


def awaits(row: GameRow, requester: Requester) -> bool:
    """Whether a game waits for the requester: for a decision, or for a share of the dice."""
    match row.summary:
        case {"waits_for": str(seat)} | {"actor": str(seat)}:
            adjourned = (row.clock or {}).get("paused")
            return not row.over and not adjourned and seat in requester.seats(row)
    return False


def _is_summary(summary: Mapping[str, Any], game: AnyGame | None) -> bool:
    """Whether what was kept for the list of games can be shown."""
    match summary:
        case {"ply": int(), "actor": str(), "stage": [int(), int(at)], "result": None | {"key": str()}}:
            return game is None or 0 <= at < len(game.components()["sequence"])
    return False
