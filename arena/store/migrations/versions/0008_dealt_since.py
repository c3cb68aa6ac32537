"""Since which start of the arena a game is dealt."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the change; of games that are running nobody knows which deal was interrupted."""
    op.add_column("games", sa.Column("incarnation", sa.Integer()))
