"""The tables of the database. `migrations/` brings a database of any earlier version to this form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Dialect,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
)

META = MetaData()


class Kept(TypeDecorator[Any]):
    """JSON; None if what is stored cannot be read, so that one damaged row does not spoil the others."""

    impl = JSON
    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any]:
        """Read, or give None."""
        read = super().result_processor(dialect, coltype)

        def process(value: Any) -> Any:
            try:
                return read(value) if read else value
            except (ValueError, TypeError):
                return None

        return process


def _of_game(**more: Any) -> Column[Any]:
    return Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), **more)


SERVER = Table(
    "server",  # what the processes and machines on one database have in common
    META,
    Column("what", String(16), primary_key=True),
    Column("said", String(64), nullable=False),
)

# ---- games ---------------------------------------------------------------------

GAMES = Table(
    "games",
    META,
    Column("id", String(32), primary_key=True),
    Column("name", Text, nullable=False),
    Column("game", String(64), nullable=False),
    Column("scenario", String(64), nullable=False),
    Column("options", Kept, nullable=False),
    Column("seats", Kept, nullable=False),
    Column("dice", String(16), nullable=False),
    Column("dice_name", Text, nullable=False),
    Column("sealed", String(64)),  # the secret of the dice, sealed with a key that is kept elsewhere
    Column("pace", Float, nullable=False),
    Column("paused", Boolean, nullable=False),
    Column("created", Float, nullable=False),
    Column("changed", Float, nullable=False, index=True),
    Column("seen", Integer, nullable=False),
    Column("version", Integer, nullable=False),  # counts every change of the row, the journal's included
    Column("head", String(64), nullable=False),  # the digest of the whole journal
    Column("summary", Kept, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("creator", String(64), nullable=False, index=True),  # whose share of the server the game takes
    Column("trouble", String(16), nullable=False),  # why the bots have stopped
    Column("terms", Kept),  # what people have agreed on: pace, time-outs, rated, dice
    Column("clock", Kept),  # time left, whose runs since when, what is offered, how it ended
    Column("deadline", Float, index=True),  # when a clock runs out
    Column("chains", Kept),  # the players' shares of the dice
)

ENTRIES = Table(
    "entries",
    META,
    _of_game(primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("kind", String(4), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("seat", String(32), nullable=False),
    Column("action", Text, nullable=False),
    Column("reasons", Kept),
    Column("faces", Kept),
    Column("at", Float, nullable=False),  # when it was kept, for spectators who see it later
)

PAGES = Table(
    "pages",
    META,
    _of_game(primary_key=True),
    Column("last", Integer, primary_key=True),
    Column("digest", String(64), nullable=False),
    Column("notes", Kept, nullable=False),
    Column("state", LargeBinary, nullable=False),
    Column("told", LargeBinary, nullable=False),
)

TOKENS = Table(
    "tokens",
    META,
    Column("hash", String(64), primary_key=True),
    _of_game(nullable=False, index=True),
    Column("role", String(16), nullable=False),
    Column("seat", String(32), nullable=False),
)

# ---- bots ----------------------------------------------------------------------

JOBS = Table(
    "jobs",  # the games in which a bot is to move, for whoever has time to think
    META,
    _of_game(primary_key=True),
    Column("person", String(64), nullable=False),  # whose share of the thinking it takes
    Column("due", Float, nullable=False),
    Column("taken_until", Float, nullable=False),
    Column("failures", Integer, nullable=False),
)

SHARES = Table(
    "shares",  # when a bot last thought for a person
    META,
    Column("person", String(64), primary_key=True),
    Column("served", Float, nullable=False),
)

# ---- people --------------------------------------------------------------------


def _of_person(name: str = "person_id", **more: Any) -> Column[Any]:
    return Column(name, ForeignKey("persons.id", ondelete="CASCADE"), **more)


PERSONS = Table(
    "persons",
    META,
    Column("id", String(16), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("name_key", String(40), nullable=False, unique=True),  # names that look alike have one key
    Column("password", Text),
    Column("mail", Text),
    Column("mail_confirmed", Boolean, nullable=False),
    Column("kind", String(8), nullable=False),  # person, bot, gone
    Column("keeper_id", String(16)),  # who answers for a bot
    Column("admin", Boolean, nullable=False),
    Column("suspended_until", Float, nullable=False),
    Column("created", Float, nullable=False),
    Column("last_seen", Float, nullable=False),
    Column("lang", String(2), nullable=False),
    Column("about", Text, nullable=False),
    Column("wishes", Kept, nullable=False),  # how to be notified
    Column("moves_in_time", Integer, nullable=False),
    Column("games_left", Integer, nullable=False),
)

SIGN_INS = Table(
    "sign_ins",
    META,
    Column("hash", String(64), primary_key=True),
    _of_person(nullable=False, index=True),
    Column("created", Float, nullable=False),
    Column("expires", Float, nullable=False),
    Column("agent", String(200), nullable=False),
)

ACCESS_KEYS = Table(
    "access_keys",
    META,
    Column("hash", String(64), primary_key=True),
    _of_person(nullable=False, index=True),
    Column("name", String(60), nullable=False),
    Column("scopes", String(60), nullable=False),
    Column("created", Float, nullable=False),
)

CODES = Table(
    "codes",  # what a letter asks to be shown again, once
    META,
    Column("hash", String(64), primary_key=True),
    _of_person(nullable=False, index=True),
    Column("purpose", String(16), nullable=False),
    Column("mail", Text, nullable=False),
    Column("expires", Float, nullable=False),
)

BONDS = Table(
    "bonds",  # whom a person has blocked or muted
    META,
    _of_person(primary_key=True),
    _of_person("other_id", primary_key=True),
    Column("kind", String(8), primary_key=True),
)

REPORTS = Table(
    "reports",
    META,
    Column("id", Integer, primary_key=True),
    Column("by_id", String(16), nullable=False),
    Column("about_id", String(16), nullable=False),
    Column("game_id", String(32), nullable=False),
    Column("text", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("closed", Text),
)

AUDIT = Table(
    "audit",
    META,
    Column("id", Integer, primary_key=True),
    Column("at", Float, nullable=False),
    Column("who", String(60), nullable=False),
    Column("what", String(40), nullable=False),
    Column("whom", String(60), nullable=False),
    Column("details", Text, nullable=False),
)

# ---- people at games -----------------------------------------------------------

PLAYERS = Table(
    "players",
    META,
    _of_game(primary_key=True),
    Column("seat", String(32), primary_key=True),
    _of_person(nullable=False, index=True),
    Column("hidden", Boolean, nullable=False),
    Column("note", Text, nullable=False),
)

RESULTS = Table(
    "results",
    META,
    Column("game_id", String(32), primary_key=True),
    Column("seat", String(32), primary_key=True),
    _of_person(nullable=False, index=True),
    Column("game", String(64), nullable=False),
    Column("points", Float, nullable=False),  # 1 won, 0.5 drawn, 0 lost
    Column("how", String(24), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("at", Float, nullable=False),
)

RATINGS = Table(
    "ratings",
    META,
    _of_person(primary_key=True),
    Column("game", String(64), primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False),
)

OPEN_TABLES = Table(
    "open_tables",  # the waiting room: games that look for an opponent, and tickets of the match maker
    META,
    Column("id", String(16), primary_key=True),
    _of_person(nullable=False, index=True),
    Column("kind", String(8), nullable=False),  # table, ticket, invite
    Column("invited_id", String(16)),
    Column("game", String(64), nullable=False),
    Column("scenario", String(64), nullable=False),
    Column("options", Kept, nullable=False),
    Column("seat", String(32), nullable=False),
    Column("terms", Kept, nullable=False),
    Column("lowest", Float, nullable=False),
    Column("highest", Float, nullable=False),
    Column("note", Text, nullable=False),
    Column("created", Float, nullable=False),
)

CHAT = Table(
    "chat",
    META,
    Column("id", Integer, primary_key=True),
    _of_game(nullable=False, index=True),
    Column("seat", String(32), nullable=False),
    Column("name", String(60), nullable=False),
    Column("author", String(64), nullable=False),
    Column("at", Float, nullable=False),
    Column("text", Text, nullable=False),
)

# ---- notifications -------------------------------------------------------------

NOTICES = Table(
    "notices",
    META,
    Column("id", Integer, primary_key=True),
    _of_person(nullable=False, index=True),
    Column("at", Float, nullable=False),
    Column("kind", String(24), nullable=False),
    Column("game_id", String(32), nullable=False),
    Column("words", Kept, nullable=False),
    Column("read", Boolean, nullable=False),
)

OUTBOX = Table(
    "outbox",
    META,
    Column("id", Integer, primary_key=True),
    _of_person(nullable=False, index=True),
    Column("channel", String(8), nullable=False),  # mail, push, hook
    Column("content", Kept, nullable=False),
    Column("due", Float, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("taken_until", Float, nullable=False),
)

PUSHES = Table(
    "pushes",
    META,
    Column("hash", String(64), primary_key=True),
    _of_person(nullable=False, index=True),
    Column("endpoint", Text, nullable=False),
    Column("p256dh", Text, nullable=False),
    Column("auth", Text, nullable=False),
)
