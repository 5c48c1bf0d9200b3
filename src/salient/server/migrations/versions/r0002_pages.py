"""Pages of positions, digests of journals, and secrets of dice sealed."""

import sqlalchemy as sa
from alembic import context, op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add them, and seal every secret."""
    op.create_table(
        "pages",
        sa.Column("game_id", sa.String(32), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("last", sa.Integer, primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("notes", sa.JSON, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
        sa.Column("told", sa.LargeBinary, nullable=False),
    )
    op.add_column("games", sa.Column("sealed", sa.String(64)))
    op.add_column("games", sa.Column("version", sa.Integer, nullable=False, server_default="0"))
    op.add_column("games", sa.Column("head", sa.String(64), nullable=False, server_default=""))
    _seal_secrets()
    op.drop_column("games", "secret")


def _seal_secrets() -> None:
    seal = context.config.attributes["seal"]
    connection = op.get_bind()
    games = sa.table("games", sa.column("id"), sa.column("secret"), sa.column("sealed"))
    for game_id, secret in connection.execute(sa.select(games.c.id, games.c.secret)).all():
        if secret:
            sealed = seal(game_id, secret)
            connection.execute(games.update().where(games.c.id == game_id).values(sealed=sealed))
