"""People, their games and notifications, and the queue of the bots."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add them."""
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("who", sa.String(length=60), nullable=False),
        sa.Column("what", sa.String(length=40), nullable=False),
        sa.Column("whom", sa.String(length=60), nullable=False),
        sa.Column("details", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "persons",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("name_key", sa.String(length=40), nullable=False),
        sa.Column("password", sa.Text(), nullable=True),
        sa.Column("mail", sa.Text(), nullable=True),
        sa.Column("mail_confirmed", sa.Boolean(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("keeper_id", sa.String(length=16), nullable=True),
        sa.Column("admin", sa.Boolean(), nullable=False),
        sa.Column("suspended_until", sa.Float(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("last_seen", sa.Float(), nullable=False),
        sa.Column("lang", sa.String(length=2), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("wishes", sa.JSON(), nullable=False),
        sa.Column("moves_in_time", sa.Integer(), nullable=False),
        sa.Column("games_left", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name_key"),
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("by_id", sa.String(length=16), nullable=False),
        sa.Column("about_id", sa.String(length=16), nullable=False),
        sa.Column("game_id", sa.String(length=32), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("closed", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "shares",
        sa.Column("person", sa.String(length=64), nullable=False),
        sa.Column("served", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("person"),
    )
    op.create_table(
        "access_keys",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("scopes", sa.String(length=60), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_index("ix_access_keys_person_id", "access_keys", ["person_id"], unique=False)
    op.create_table(
        "bonds",
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("other_id", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.ForeignKeyConstraint(["other_id"], ["persons.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person_id", "other_id", "kind"),
    )
    op.create_table(
        "chat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=32), nullable=False),
        sa.Column("seat", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("author", sa.String(length=64), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_chat_game_id", "chat", ["game_id"], unique=False)
    op.create_table(
        "codes",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("purpose", sa.String(length=16), nullable=False),
        sa.Column("mail", sa.Text(), nullable=False),
        sa.Column("expires", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_index("ix_codes_person_id", "codes", ["person_id"], unique=False)
    op.create_table(
        "jobs",
        sa.Column("game_id", sa.String(length=32), nullable=False),
        sa.Column("person", sa.String(length=64), nullable=False),
        sa.Column("due", sa.Float(), nullable=False),
        sa.Column("taken_until", sa.Float(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id"),
    )
    op.create_table(
        "notices",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("game_id", sa.String(length=32), nullable=False),
        sa.Column("words", sa.JSON(), nullable=False),
        sa.Column("read", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_notices_person_id", "notices", ["person_id"], unique=False)
    op.create_table(
        "open_tables",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("invited_id", sa.String(length=16), nullable=True),
        sa.Column("game", sa.String(length=64), nullable=False),
        sa.Column("scenario", sa.String(length=64), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("seat", sa.String(length=32), nullable=False),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("lowest", sa.Float(), nullable=False),
        sa.Column("highest", sa.Float(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_open_tables_person_id", "open_tables", ["person_id"], unique=False)
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("channel", sa.String(length=8), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("due", sa.Float(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("taken_until", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_outbox_person_id", "outbox", ["person_id"], unique=False)
    op.create_table(
        "players",
        sa.Column("game_id", sa.String(length=32), nullable=False),
        sa.Column("seat", sa.String(length=32), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "seat"),
    )
    op.create_index("ix_players_person_id", "players", ["person_id"], unique=False)
    op.create_table(
        "pushes",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("p256dh", sa.Text(), nullable=False),
        sa.Column("auth", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_index("ix_pushes_person_id", "pushes", ["person_id"], unique=False)
    op.create_table(
        "ratings",
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("game", sa.String(length=64), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person_id", "game"),
    )
    op.create_table(
        "results",
        sa.Column("game_id", sa.String(length=32), nullable=False),
        sa.Column("seat", sa.String(length=32), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("game", sa.String(length=64), nullable=False),
        sa.Column("points", sa.Float(), nullable=False),
        sa.Column("how", sa.String(length=24), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "seat"),
    )
    op.create_index("ix_results_person_id", "results", ["person_id"], unique=False)
    op.create_table(
        "sign_ins",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("expires", sa.Float(), nullable=False),
        sa.Column("agent", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_index("ix_sign_ins_person_id", "sign_ins", ["person_id"], unique=False)
    op.add_column("games", sa.Column("over", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("games", sa.Column("creator", sa.String(length=64), nullable=False, server_default=""))
    op.add_column("games", sa.Column("trouble", sa.String(length=16), nullable=False, server_default=""))
    op.add_column("games", sa.Column("terms", sa.JSON(), nullable=True))
    op.add_column("games", sa.Column("clock", sa.JSON(), nullable=True))
    op.add_column("games", sa.Column("deadline", sa.Float(), nullable=True))
    op.add_column("games", sa.Column("chains", sa.JSON(), nullable=True))
    op.create_index("ix_games_deadline", "games", ["deadline"], unique=False)
    op.create_index("ix_games_creator", "games", ["creator"], unique=False)
