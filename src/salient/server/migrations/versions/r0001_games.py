"""Games, journals and tokens, as the first edition kept them."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create what is missing; a database of the first edition has most of it and no schema version."""
    connection = op.get_bind()
    known = set(sa.inspect(connection).get_table_names())
    if "games" not in known:
        _create()
        return
    columns = {column["name"] for column in sa.inspect(connection).get_columns("entries")}
    for name in ("reasons", "faces"):
        if name not in columns:
            op.add_column("entries", sa.Column(name, sa.JSON))


def _create() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("scenario", sa.String(64), nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("seats", sa.JSON, nullable=False),
        sa.Column("dice", sa.String(16), nullable=False),
        sa.Column("dice_name", sa.Text, nullable=False),
        sa.Column("secret", sa.String(64)),
        sa.Column("pace", sa.Float, nullable=False),
        sa.Column("paused", sa.Boolean, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("changed", sa.Float, nullable=False, index=True),
        sa.Column("seen", sa.Integer, nullable=False),
        sa.Column("summary", sa.JSON, nullable=False),
    )
    op.create_table(
        "entries",
        sa.Column("game_id", sa.String(32), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(4), nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("seat", sa.String(32), nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("reasons", sa.JSON),
        sa.Column("faces", sa.JSON),
    )
    op.create_table(
        "tokens",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("game_id", sa.String(32), sa.ForeignKey("games.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("seat", sa.String(32), nullable=False),
    )
