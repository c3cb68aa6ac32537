"""Who has forfeited a game that is running."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the change; a game that is being forfeited in this moment is played on."""
    op.create_table(
        "forfeits",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("how", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_forfeits_game_id")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_forfeits")),
    )
