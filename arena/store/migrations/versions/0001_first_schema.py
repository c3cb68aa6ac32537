"""The first schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the change."""
    op.create_table(
        "arena",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("incarnation", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_arena")),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("time", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_table(
        "authors",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_authors")),
        sa.UniqueConstraint("name", name=op.f("uq_authors_name")),
    )
    op.create_table(
        "invitations",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.Column("used", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_invitations")),
    )
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("spec", sa.Text(), nullable=False),
        sa.Column("public_seed", sa.String(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=True),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
        sa.UniqueConstraint("name", name=op.f("uq_tournaments_name")),
    )
    op.create_table(
        "blocks",
        sa.Column("tournament_id", sa.String(), nullable=False),
        sa.Column("block_id", sa.String(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_blocks_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "block_id", "attempt", name=op.f("pk_blocks")),
    )
    op.create_table(
        "bots",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("author_id", sa.String(), nullable=True),
        sa.Column("house", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["author_id"], ["authors.id"], name=op.f("fk_bots_author_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bots")),
        sa.UniqueConstraint("name", name=op.f("uq_bots_name")),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("tournament_id", sa.String(), nullable=False),
        sa.Column("block_id", sa.String(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("offer", sa.Integer(), nullable=False),
        sa.Column("deal_set", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("entry0", sa.String(), nullable=False),
        sa.Column("entry1", sa.String(), nullable=False),
        sa.Column("entry2", sa.String(), nullable=False),
        sa.Column("nonce0", sa.LargeBinary(), nullable=True),
        sa.Column("nonce1", sa.LargeBinary(), nullable=True),
        sa.Column("nonce2", sa.LargeBinary(), nullable=True),
        sa.Column("termination0", sa.String(), nullable=True),
        sa.Column("termination1", sa.String(), nullable=True),
        sa.Column("termination2", sa.String(), nullable=True),
        sa.Column("points0", sa.Integer(), nullable=True),
        sa.Column("points1", sa.Integer(), nullable=True),
        sa.Column("points2", sa.Integer(), nullable=True),
        sa.Column("place0", sa.SmallInteger(), nullable=True),
        sa.Column("place1", sa.SmallInteger(), nullable=True),
        sa.Column("place2", sa.SmallInteger(), nullable=True),
        sa.Column("unfinished", sa.Boolean(), nullable=False),
        sa.Column("not_ready", sa.String(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_games_tournament_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sa.UniqueConstraint("deal_set", name=op.f("uq_games_deal_set")),
        sa.UniqueConstraint(
            "tournament_id",
            "block_id",
            "attempt",
            "number",
            "offer",
            name=op.f("uq_games_tournament_id_block_id_attempt_number_offer"),
        ),
    )
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.create_index(
            "ix_games_tournament_id_state", ["tournament_id", "state"], unique=False
        )

    op.create_table(
        "entries",
        sa.Column("tournament_id", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("bot_id", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_entries_bot_id")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_entries_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "id", name=op.f("pk_entries")),
    )
    with op.batch_alter_table("entries", schema=None) as batch_op:
        batch_op.create_index("ix_entries_bot_id", ["bot_id"], unique=False)

    op.create_table(
        "faults",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("hand", sa.Integer(), nullable=False),
        sa.Column("incarnation", sa.Integer(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("decision", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_faults_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_faults")),
    )
    with op.batch_alter_table("faults", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_faults_game_id"), ["game_id"], unique=False)

    op.create_table(
        "hands",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("hand", sa.Integer(), nullable=False),
        sa.Column("incarnation", sa.Integer(), nullable=False),
        sa.Column("retry", sa.Integer(), nullable=False),
        sa.Column("dealer", sa.SmallInteger(), nullable=False),
        sa.Column("points0", sa.Integer(), nullable=False),
        sa.Column("points1", sa.Integer(), nullable=False),
        sa.Column("points2", sa.Integer(), nullable=False),
        sa.Column("void", sa.String(), nullable=True),
        sa.Column("in_forfeit", sa.Boolean(), nullable=False),
        sa.Column("faulty", sa.Boolean(), nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_hands_game_id")),
        sa.PrimaryKeyConstraint("game_id", "hand", "incarnation", "retry", name=op.f("pk_hands")),
    )
    op.create_table(
        "tokens",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("author_id", sa.String(), nullable=True),
        sa.Column("bot_id", sa.String(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("revoked", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["author_id"], ["authors.id"], name=op.f("fk_tokens_author_id")),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_tokens_bot_id")),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_tokens")),
    )
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_tokens_author_id"), ["author_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_tokens_bot_id"), ["bot_id"], unique=False)

    op.create_table(
        "versions",
        sa.Column("bot_id", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("first_seen", sa.BigInteger(), nullable=False),
        sa.Column("last_seen", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_versions_bot_id")),
        sa.PrimaryKeyConstraint("bot_id", "label", name=op.f("pk_versions")),
    )
