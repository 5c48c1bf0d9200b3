"""Which key the secrets are sealed with: another one is refused."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """The key of the first start from here on counts."""
    op.create_table(
        "server",
        sa.Column("what", sa.String(16), primary_key=True),
        sa.Column("said", sa.String(64), nullable=False),
    )
