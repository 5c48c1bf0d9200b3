"""When each entry of a journal was kept: spectators may be shown it later."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Entries of earlier versions count as old."""
    op.add_column("entries", sa.Column("at", sa.Float(), nullable=False, server_default="0"))
