"""By which rules engine and protocol a game is played."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the change; what was played before was played by the first of each."""
    op.add_column(
        "games", sa.Column("engine_version", sa.String(), server_default="1", nullable=False)
    )
    op.add_column(
        "games", sa.Column("protocol_revision", sa.Integer(), server_default="1", nullable=False)
    )
