"""The schema as it is now. How it came to be is in `migrations`; a test holds the two together.

Instants are microseconds since 1970 (UTC). Columns that end in 0, 1, 2 belong to the seats.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def by_seat(name: str, kind: type, *, nullable: bool = False) -> list[Column[object]]:
    """Return one column for each seat."""
    return [Column(f"{name}{seat}", kind, nullable=nullable) for seat in range(3)]


arena = Table(
    "arena",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("incarnation", Integer, nullable=False),
)
"""One row. `incarnation` counts the starts of the arena."""

authors = Table(
    "authors",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False, unique=True),
    Column("created", BigInteger, nullable=False),
)

bots = Table(
    "bots",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False, unique=True),
    Column("author_id", String, ForeignKey("authors.id")),
    Column("house", Boolean, nullable=False),
    Column("state", String, nullable=False),
    Column("created", BigInteger, nullable=False),
)
"""House bots have no author."""

versions = Table(
    "versions",
    metadata,
    Column("bot_id", String, ForeignKey("bots.id"), primary_key=True),
    Column("label", String, primary_key=True),
    Column("first_seen", BigInteger, nullable=False),
    Column("last_seen", BigInteger, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("author_id", String, ForeignKey("authors.id"), index=True),
    Column("bot_id", String, ForeignKey("bots.id"), index=True),
    Column("created", BigInteger, nullable=False),
    Column("revoked", BigInteger),
)
"""An author's token or a bot's; only its SHA-256 is kept. The organiser's is in a file."""

links = Table(
    "links",
    metadata,
    Column("id", String, primary_key=True),
    Column("bot_id", String, ForeignKey("bots.id"), nullable=False, index=True),
    Column("secret_hash", LargeBinary, nullable=False),
    Column("version_label", String, nullable=False),
    Column("games_at_once", Integer, nullable=False),
)
"""Bots' connections that have not ended; of the resume secret only the SHA-256 is kept."""

invitations = Table(
    "invitations",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Column("used", BigInteger),
)
"""With each of them one author may register."""

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False, unique=True),
    Column("state", String, nullable=False),
    Column("spec", Text, nullable=False),
    Column("public_seed", String, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("started", BigInteger),
    Column("ended", BigInteger),
)
"""`spec` is JSON (see `arena.tournaments.spec`); all seeds of its games come from `secret`."""

entries = Table(
    "entries",
    metadata,
    Column("tournament_id", String, ForeignKey("tournaments.id"), primary_key=True),
    Column("id", String, primary_key=True),
    Column("bot_id", String, ForeignKey("bots.id"), nullable=False),
    Column("version", String),
    Column("state", String, nullable=False),
    Column("created", BigInteger, nullable=False),
)
"""`version` is empty until it is fixed: by the organiser, or when the bot first plays."""

blocks = Table(
    "blocks",
    metadata,
    Column("tournament_id", String, ForeignKey("tournaments.id"), primary_key=True),
    Column("block_id", String, primary_key=True),
    Column("attempt", Integer, primary_key=True),
    Column("state", String, nullable=False),
    Column("reason", Text, nullable=False),
    Column("ended", BigInteger),
)
"""The blocks that were begun; the schedule says what remains."""

games = Table(
    "games",
    metadata,
    Column("id", String, primary_key=True),
    Column("tournament_id", String, ForeignKey("tournaments.id"), nullable=False),
    Column("block_id", String, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("offer", Integer, nullable=False),
    Column("deal_set", String, nullable=False, unique=True),
    Column("state", String, nullable=False),
    *by_seat("entry", String),
    *by_seat("nonce", LargeBinary, nullable=True),
    *by_seat("termination", String, nullable=True),
    *by_seat("points", Integer, nullable=True),
    *by_seat("place", SmallInteger, nullable=True),
    Column("unfinished", Boolean, nullable=False),
    Column("not_ready", String, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("ended", BigInteger),
    Column("engine_version", String, nullable=False, server_default="1"),
    Column("protocol_revision", Integer, nullable=False, server_default="1"),
    Column("incarnation", Integer),
    UniqueConstraint("tournament_id", "block_id", "attempt", "number", "offer"),
)
"""Every game offered. `number` counts from 1 in its block, `offer` from 1 for that number, and
`incarnation` is the one that it is in: how often it was begun or taken up again."""

hands = Table(
    "hands",
    metadata,
    Column("game_id", String, ForeignKey("games.id"), primary_key=True),
    Column("hand", Integer, primary_key=True),
    Column("incarnation", Integer, primary_key=True),
    Column("retry", Integer, primary_key=True),
    Column("dealer", SmallInteger, nullable=False),
    *by_seat("points", Integer),
    Column("void", String),
    Column("in_forfeit", Boolean, nullable=False),
    Column("faulty", Boolean, nullable=False),
    Column("record", Text, nullable=False),
)
"""Every hand, void ones too. `record` is JSON with all cards: closed until the deal set is open."""

faults = Table(
    "faults",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game_id", String, ForeignKey("games.id"), nullable=False, index=True),
    Column("hand", Integer, nullable=False),
    Column("incarnation", Integer, nullable=False),
    Column("seat", SmallInteger, nullable=False),
    Column("kind", String, nullable=False),
    Column("decision", Integer, nullable=False),
    Column("reason", String, nullable=False),
)
"""Faults in hands not yet stored; those of a stored hand are in its record."""

flights = Table(
    "flights",
    metadata,
    Column("game_id", String, ForeignKey("games.id"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("incarnation", Integer, primary_key=True),
    Column("bot_id", String, ForeignKey("bots.id"), nullable=False, index=True),
    Column("refused", Integer, nullable=False),
    Column("forced", Integer, nullable=False),
    Column("remarkable", Boolean, nullable=False),
    Column("thinned", Boolean, nullable=False),
    Column("stored", BigInteger, nullable=False, index=True),
    Column("size", Integer, nullable=False),
    Column("record", LargeBinary, nullable=False),
)
"""What went in and out of a seat, for its owner. `record` has that seat's cards and no other's.

`remarkable`: there is more in it than ordinary play. `thinned`: only refusals are left of it.
"""

forfeits = Table(
    "forfeits",
    metadata,
    Column("game_id", String, ForeignKey("games.id"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("how", String, nullable=False),
)
"""Who has forfeited a running game, and how: no restart takes that back."""

annulments = Table(
    "annulments",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("tournament_id", String, ForeignKey("tournaments.id"), nullable=False),
    Column("block_id", String, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("game_id", String, ForeignKey("games.id")),
    Column("reason", Text, nullable=False),
    Column("actor", String, nullable=False),
    Column("time", BigInteger, nullable=False),
    Column("replayed", Boolean, nullable=False),
    Index(None, "tournament_id", "block_id"),
)
"""Games, or whole attempts of blocks (then without a game), that do not count any more."""

audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("time", BigInteger, nullable=False),
    Column("actor", String, nullable=False),
    Column("action", String, nullable=False),
    Column("subject", String, nullable=False),
    Column("reason", Text, nullable=False),
)
"""Who decided what, for ever."""

bot_events = Table(
    "bot_events",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("bot_id", String, ForeignKey("bots.id"), nullable=False, index=True),
    Column("time", BigInteger, nullable=False),
    Column("kind", String, nullable=False),
    Column("actor", String, nullable=False),
    Column("message", Text, nullable=False),
)
"""What was decided about a bot: what its owner is told, and what later decisions depend on."""

rating_moments = Table(
    "rating_moments",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("tournament_id", String, ForeignKey("tournaments.id"), nullable=False),
    Column("blocks", Integer, nullable=False),
    Column("time", BigInteger, nullable=False),
    Column("anchored", Boolean, nullable=False),
    UniqueConstraint("tournament_id", "blocks"),
)
"""Moments of a tournament, by blocks complete, of which the ratings are kept."""

rating_points = Table(
    "rating_points",
    metadata,
    Column("moment_id", Integer, ForeignKey("rating_moments.id"), primary_key=True),
    Column("entry_id", String, primary_key=True),
    Column("rank", Integer, nullable=False),
    Column("elo", Float, nullable=False),
    Column("elo_error", Float),
    Column("points", Float),
    Column("points_error", Float),
)
"""What the rating of an entry was at a moment. What could not be told is null."""

luck_baselines = Table(
    "luck_baselines",
    metadata,
    Column("game_id", String, ForeignKey("games.id"), primary_key=True),
    Column("kind", String, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("hands", Integer, nullable=False),
    Column("terms", LargeBinary, nullable=False),
)
"""What the cards of finished games were worth (`arena.luck`), for the hands that count, in order.

Made from the deals, so it can be made again; `version` is that of the value model."""

Index("ix_games_tournament_id_state", games.c.tournament_id, games.c.state)
Index("ix_entries_bot_id", entries.c.bot_id)
