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
