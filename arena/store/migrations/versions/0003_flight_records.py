"""What went in and out of the seats of games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the change."""
    op.create_table(
        "flights",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("incarnation", sa.Integer(), nullable=False),
        sa.Column("bot_id", sa.String(), nullable=False),
        sa.Column("refused", sa.Integer(), nullable=False),
        sa.Column("forced", sa.Integer(), nullable=False),
        sa.Column("remarkable", sa.Boolean(), nullable=False),
        sa.Column("thinned", sa.Boolean(), nullable=False),
        sa.Column("stored", sa.BigInteger(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("record", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_flights_bot_id")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_flights_game_id")),
        sa.PrimaryKeyConstraint("game_id", "seat", "incarnation", name=op.f("pk_flights")),
    )
    op.create_index(op.f("ix_flights_bot_id"), "flights", ["bot_id"])
    op.create_index(op.f("ix_flights_stored"), "flights", ["stored"])
