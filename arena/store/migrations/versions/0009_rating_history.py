"""What ratings were while a tournament was played."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the change."""
    op.create_table(
        "rating_moments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.String(), nullable=False),
        sa.Column("blocks", sa.Integer(), nullable=False),
        sa.Column("time", sa.BigInteger(), nullable=False),
        sa.Column("anchored", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_rating_moments_tournament_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rating_moments")),
        sa.UniqueConstraint(
            "tournament_id", "blocks", name=op.f("uq_rating_moments_tournament_id_blocks")
        ),
    )
    op.create_table(
        "rating_points",
        sa.Column("moment_id", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.String(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("elo", sa.Float(), nullable=False),
        sa.Column("elo_error", sa.Float()),
        sa.Column("points", sa.Float()),
        sa.Column("points_error", sa.Float()),
        sa.ForeignKeyConstraint(
            ["moment_id"], ["rating_moments.id"], name=op.f("fk_rating_points_moment_id")
        ),
        sa.PrimaryKeyConstraint("moment_id", "entry_id", name=op.f("pk_rating_points")),
    )
