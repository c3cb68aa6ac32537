"""What the organiser struck from the results."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the change."""
    op.create_table(
        "annulments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.String(), nullable=False),
        sa.Column("block_id", sa.String(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String()),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("time", sa.BigInteger(), nullable=False),
        sa.Column("replayed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_annulments_game_id")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_annulments_tournament_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_annulments")),
    )
    op.create_index(
        op.f("ix_annulments_tournament_id_block_id"), "annulments", ["tournament_id", "block_id"]
    )
