"""Starting games: new ones, and those of records."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, insert

from salient.bots import is_level, no_such_level
from salient.games import load
from salient.kernel import OVER, AnyGame, Record, SalientError, Unreadable, actor
from salient.kernel.game import no_such_seat
from salient.server.between import clocks
from salient.server.live import LiveGame, is_bot
from salient.server.models import Import, NewGame
from salient.server.pages import Pages
from salient.server.problems import Cause, RequestProblem
from salient.server.queue import queue_bot
from salient.server.security import new_token, token_hash
from salient.server.store import NOTE, Entry, GameRow
from salient.server.table import GameTable
from salient.server.tables import PLAYERS
from salient.server.thinker import levels


@dataclass(frozen=True)
class People:
    """Who sits where in a game between people, what they agreed on, and what is written with its beginning."""

    seats: dict[str, str]
    names: dict[str, str]
    terms: dict[str, Any]
    after: Callable[[Connection, LiveGame], None]

    def players(self) -> dict[str, str]:
        """The seats as the game's row has them."""
        return {seat: f"person:{person_id}" for seat, person_id in self.seats.items()}


WATCHING_PACE = 1.0
SECRET_DIGITS = 64


def new_id() -> str:
    """The id of a new game, which no command line takes for an option."""
    return secrets.token_hex(9)


def start(table: GameTable, order: NewGame, creator: str = "", people: People | None = None) -> tuple[str, str]:
    """Start a game; its id and its owner's token. Between people it has no owner, but terms."""
    game = load(order.game)
    game_id = new_id()
    seats = players(game, order.seats) | (people.players() if people else {})
    if order.dice == "typed" and all(is_bot(player) for player in seats.values()):
        raise Unreadable("nobody-rolls")
    row = GameRow(
        id=game_id,
        name=order.name or game.title,
        game=game.id,
        scenario=game.scenario(order.scenario).id,
        options=game.chosen_options(order.options),
        seats=seats,
        dice="shared" if people and people.terms.get("dice") == "shared" else order.dice,
        dice_name=game_id,
        secret=secrets.token_hex(32) if order.dice != "typed" else None,
        pace=pace_for(seats) if order.pace is None else order.pace,
        paused=False,
        summary={},
        creator=creator,
        terms=people.terms | {"names": people.names} if people else None,
    )
    return _keep(table, row, [], people)


def import_record(table: GameTable, order: Import, creator: str = "") -> tuple[str, str]:
    """Take up the game of a record; Unreadable or Divergence if it does not replay or its dice are not as promised."""
    record = Record.parse(order.record)
    record.seats()
    game = load(record.header["game"])
    try:
        over = actor(record.verify(game)) == OVER
    except SalientError as error:
        raise RequestProblem(422, "unreadable", "said", text=Cause(game, error)) from error
    ended = over or bool(record.header.get("ended"))
    revealed = ended and record.header["dice"] == "verified" and len(record.header.get("secret", "")) == SECRET_DIGITS
    game_id = new_id()
    seats = players(game, dict.fromkeys(game.seats, "human") if order.seats is None else order.seats)
    row = GameRow(
        id=game_id,
        name=order.name or game.title,
        game=game.id,
        scenario=record.header["scenario"],
        options=record.options(),
        seats=seats,
        dice=_imported_dice(record, revealed),
        dice_name=record.header.get("name", "") if revealed else game_id,
        secret=record.header["secret"] if revealed else None,
        pace=pace_for(seats),
        paused=False,
        summary={},
        creator=creator,
    )
    return _keep(table, row, list(_journal(record)))


def _journal(record: Record) -> Iterator[Entry]:
    for ply, move in enumerate(record.moves, start=1):
        if move.comment:
            yield Entry(NOTE, ply - 1, move.seat, move.comment)
        yield Entry("act", ply, move.seat, move.text)


def _imported_dice(record: Record, revealed: bool) -> str:
    """Verified dice stay so only with their secret; otherwise the server rolls on."""
    if record.header["dice"] == "typed":
        return "typed"
    return "verified" if revealed else "seeded"


def _keep(table: GameTable, row: GameRow, moves: list[Entry], people: People | None = None) -> tuple[str, str]:
    live = LiveGame(replace(row, seen=len(moves)), moves, Pages(table.store, row.id, load(row.game)))
    entries = [*moves, *live.roll()]
    token = new_token()
    kept = replace(row, summary=live.summary(), over=live.actor == OVER)
    chains = live.chains_json()
    if chains is not None:
        kept = replace(kept, chains=chains)
    if row.terms is not None:
        clock = clocks.new_clock(row.terms, list(row.seats), live.waits_for, live.actor)
        kept = replace(kept, clock=clock, deadline=clocks.deadline(clock))
    table.store.create(kept, entries, token_hash(token), lambda db: _with_the_game(db, live, people))
    table.adopt(live, len(entries) - len(moves))
    return row.id, token


def _with_the_game(db: Connection, live: LiveGame, people: People | None) -> None:
    queue_bot(db, live.row, live.actor)
    for seat, person_id in (people.seats if people else {}).items():
        values = {"game_id": live.row.id, "seat": seat, "person_id": person_id, "hidden": False, "note": ""}
        db.execute(insert(PLAYERS).values(values))
    if people:
        people.after(db, live)


def players(game: AnyGame, given: Mapping[str, str]) -> dict[str, str]:
    """Every seat with its player, human unless another is given; Unreadable for unknown seats and levels."""
    for seat, player in given.items():
        if seat not in game.seats:
            raise no_such_seat(game, seat)
        if is_bot(player) and not is_level(player.removeprefix("bot:")):
            raise no_such_level(player.removeprefix("bot:"), levels())
    return {seat: given.get(seat, "human") for seat in game.seats}


def pace_for(seats: Mapping[str, str]) -> float:
    """How fast bots act by default: at once against a person, at a pace one can follow among themselves."""
    return WATCHING_PACE if all(is_bot(player) for player in seats.values()) else 0.0
