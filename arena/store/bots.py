"""Queries about authors, their bots, versions and tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from arena.errors import ArenaError
from arena.store.likeness import taken_by
from arena.store.links import forget_links_of
from arena.store.states import BotState
from arena.store.tables import authors, bots, invitations, tokens, versions
from arena.store.times import from_stored, to_stored

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection, Row


class NameTakenError(ArenaError):
    """A name that must be unique is in use, or one that looks like it."""

    def __init__(self, what: str, name: str, *, taken: str) -> None:
        like = "" if taken == name else f", for which {name} would be taken"
        super().__init__(f"there is already {what} named {taken}{like}: choose another name.")
        self.name = name
        self.taken = taken
        """The name in use: the same, or one that looks like it."""


class InvitationError(ArenaError):
    """An invitation that is unknown, used or expired."""

    def __init__(self) -> None:
        super().__init__(
            "the invitation is unknown, already used or expired: ask the organiser for a new one."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """Somebody who owns bots."""

    author_id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisteredBot:
    """A bot the arena knows, in all its versions."""

    bot_id: str
    name: str
    author: Author | None
    """None for a house bot."""
    state: BotState
    created: datetime
    version: str | None
    """The label it stated last; None if it never connected."""

    @property
    def house(self) -> bool:
        """Whether the arena runs it itself."""
        return self.author is None


@dataclass(frozen=True, slots=True)
class Credential:
    """What a valid token stands for: a bot, or an author."""

    hash: bytes
    """SHA-256 of the token."""
    bot_id: str | None
    author_id: str | None


def house_bot_id(name: str) -> str:
    """Return the id of a house bot.

    >>> house_bot_id("heuristic@1")
    'house-heuristic-1'
    """
    return f"house-{name.replace('@', '-')}"


def add_invitation(c: Connection, hashed: bytes, *, now: datetime, expires: datetime) -> None:
    """Keep an invitation by its hash."""
    row = {"hash": hashed, "created": to_stored(now), "expires": to_stored(expires)}
    c.execute(insert(invitations).values(row))


def use_invitation(c: Connection, hashed: bytes, *, now: datetime) -> None:
    """Use up an invitation.

    Raises `InvitationError`.
    """
    fresh = (
        (invitations.c.hash == hashed)
        & invitations.c.used.is_(None)
        & (invitations.c.expires > to_stored(now))
    )
    used = c.execute(update(invitations).where(fresh).values(used=to_stored(now)))
    if used.rowcount != 1:
        raise InvitationError


def add_author(
    c: Connection,
    author: Author,
    *,
    now: datetime,
    token_hash: bytes | None = None,
    invitation: bytes | None = None,
) -> None:
    """Keep a new author, using up the invitation (its hash) if there is one.

    Raises `NameTakenError`, `InvitationError`.
    """
    if (taken := taken_by(c, authors.c.name, author.name)) is not None:
        raise NameTakenError("an author", author.name, taken=taken)
    if invitation is not None:
        use_invitation(c, invitation, now=now)
    row = {"id": author.author_id, "name": author.name, "created": to_stored(now)}
    c.execute(insert(authors).values(row))
    if token_hash is not None:
        row = {"hash": token_hash, "author_id": author.author_id, "created": to_stored(now)}
        c.execute(insert(tokens).values(row))


def author_named(c: Connection, name: str) -> Author | None:
    """Return the author of that name."""
    row = c.execute(select(authors.c.id, authors.c.name).where(authors.c.name == name)).first()
    return None if row is None else Author(author_id=row.id, name=row.name)


def author_with_id(c: Connection, author_id: str) -> Author:
    """Return the author with that id, who must exist."""
    row = c.execute(select(authors.c.id, authors.c.name).where(authors.c.id == author_id)).one()
    return Author(author_id=row.id, name=row.name)


def add_bot(c: Connection, bot: RegisteredBot, *, token_hash: bytes | None = None) -> None:
    """Keep a new bot, and its author if he is new; house bots have no token.

    Raises `NameTakenError`.
    """
    if (taken := taken_by(c, bots.c.name, bot.name)) is not None:
        raise NameTakenError("a bot", bot.name, taken=taken)
    author = None
    if bot.author is not None:
        author = author_named(c, bot.author.name)
        if author is None:
            add_author(c, bot.author, now=bot.created)
            author = bot.author
    c.execute(
        insert(bots).values(
            id=bot.bot_id,
            name=bot.name,
            author_id=None if author is None else author.author_id,
            house=bot.house,
            state=bot.state.value,
            created=to_stored(bot.created),
        )
    )
    if token_hash is not None:
        add_token(c, bot.bot_id, token_hash, now=bot.created)


def add_token(c: Connection, bot_id: str, hashed: bytes, *, now: datetime) -> None:
    """Keep a bot's new token by its hash; its others stop being good."""
    others = (tokens.c.bot_id == bot_id) & tokens.c.revoked.is_(None)
    c.execute(update(tokens).where(others).values(revoked=to_stored(now)))
    c.execute(insert(tokens).values(hash=hashed, bot_id=bot_id, created=to_stored(now)))
    forget_links_of(c, bot_id)


def credentials(c: Connection) -> tuple[Credential, ...]:
    """Return every token that is good."""
    columns = (tokens.c.hash, tokens.c.bot_id, tokens.c.author_id)
    rows = c.execute(select(*columns).where(tokens.c.revoked.is_(None)))
    return tuple(Credential(row.hash, row.bot_id, row.author_id) for row in rows)


def deactivate(c: Connection, bot_id: str, *, now: datetime) -> None:
    """Keep that a bot plays no more; its tokens stop being good."""
    state = BotState.DEACTIVATED.value
    c.execute(update(bots).where(bots.c.id == bot_id).values(state=state))
    good = (tokens.c.bot_id == bot_id) & tokens.c.revoked.is_(None)
    c.execute(update(tokens).where(good).values(revoked=to_stored(now)))
    forget_links_of(c, bot_id)


def see_version(c: Connection, bot_id: str, label: str, *, now: datetime) -> None:
    """Keep that a bot stated this version label."""
    row = {"bot_id": bot_id, "label": label, "first_seen": to_stored(now)}
    statement = upsert(versions).values(**row, last_seen=to_stored(now))
    c.execute(
        statement.on_conflict_do_update(
            index_elements=["bot_id", "label"], set_={"last_seen": to_stored(now)}
        )
    )


_latest = (
    select(versions.c.label)
    .where(versions.c.bot_id == bots.c.id)
    .order_by(versions.c.last_seen.desc())
    .limit(1)
    .scalar_subquery()
)
_bots = select(bots, authors.c.name.label("author"), _latest.label("version")).select_from(
    bots.outerjoin(authors)
)


def all_bots(c: Connection) -> tuple[RegisteredBot, ...]:
    """Return every bot, by name."""
    return tuple(_bot(row) for row in c.execute(_bots.order_by(bots.c.name)))


def page_of_bots(
    c: Connection, *, after: str, limit: int, author: str | None = None
) -> tuple[RegisteredBot, ...]:
    """Return the first `limit` bots, by name, whose names come after that one."""
    query = _bots.where(bots.c.name > after).order_by(bots.c.name).limit(limit)
    if author is not None:
        query = query.where(authors.c.name == author)
    return tuple(_bot(row) for row in c.execute(query))


def bot_named(c: Connection, name: str) -> RegisteredBot | None:
    """Return the bot of that name."""
    row = c.execute(_bots.where(bots.c.name == name)).first()
    return None if row is None else _bot(row)


def bot_with_id(c: Connection, bot_id: str) -> RegisteredBot | None:
    """Return the bot with that id."""
    row = c.execute(_bots.where(bots.c.id == bot_id)).first()
    return None if row is None else _bot(row)


def playing_bot(c: Connection, bot_id: str) -> RegisteredBot | None:
    """Return the bot with that id, if it may connect: to play, or to be checked."""
    may = (bots.c.id == bot_id) & (bots.c.state != BotState.DEACTIVATED.value)
    row = c.execute(_bots.where(may)).first()
    return None if row is None else _bot(row)


def _bot(row: Row[tuple[object, ...]]) -> RegisteredBot:
    author = Author(author_id=row.author_id, name=row.author) if row.author_id else None
    return RegisteredBot(
        bot_id=row.id,
        name=row.name,
        author=author,
        state=BotState(row.state),
        created=from_stored(row.created),
        version=row.version,
    )
