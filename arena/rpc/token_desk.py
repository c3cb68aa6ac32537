"""Tokens given out and taken back: what is stored, what the doorkeeper knows, and who did it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, assert_never

import structlog
import trio

from arena.rpc.auth import Doorkeeper
from arena.rpc.errors import invalid
from arena.rpc.roles import ABot, AnAuthor, Caller, Stranger, TheOrganiser
from arena.store import Store, audit, author_tokens, bots
from arena.store.bots import Author, Credential, RegisteredBot
from arena.store.states import BotState
from arena.tokens import TokenKind, hash_token, new_token
from arena.tournaments.errors import Refusal, RefusedRequestError

if TYPE_CHECKING:
    from sqlalchemy import Connection

log = structlog.get_logger(__name__)


class TokenDesk:
    """Gives authors and bots new tokens in the place of their old ones.

    One change at a time: else the doorkeeper could remember another token than the database.
    """

    def __init__(
        self,
        store: Store,
        doorkeeper: Doorkeeper,
        *,
        now: Callable[[], datetime],
        revoked: Callable[[str], None],
    ) -> None:
        """`revoked` is told of each bot whose token is no good any more."""
        self._store = store
        self._door = doorkeeper
        self._now = now
        self._revoked = revoked
        self._changing = trio.Lock()

    async def rotate_for_bot(self, bot: RegisteredBot, by: Caller) -> str:
        """Return a bot's new token; links opened with the old one end.

        Raises `RefusedRequestError` for a bot that has, and gets, no token.
        """
        if bot.house:
            raise invalid([f"{bot.name} is a house bot and has no token"])
        token = new_token(TokenKind.BOT)
        async with self._changing:
            await self._check_active(bot)
            line = await self._line("rotated_token", bot.name, by)
            await self._store.write(_rotate_for_bot, bot.bot_id, hash_token(token), line)
            self._door.add(Credential(hash_token(token), bot.bot_id, None))
        self._revoked(bot.bot_id)
        return token

    async def rotate_for_author(self, author: Author, by: Caller) -> str:
        """Return an author's new token. His bots keep theirs."""
        token = new_token(TokenKind.AUTHOR)
        async with self._changing:
            line = await self._line("rotated_token", author.name, by)
            await self._store.write(_rotate_for_author, author.author_id, hash_token(token), line)
            self._door.add(Credential(hash_token(token), None, author.author_id))
        return token

    async def deactivate(self, bot: RegisteredBot, by: Caller) -> None:
        """Take a bot's token and links from it, for good.

        Raises `RefusedRequestError` for a house bot.
        """
        if bot.house:
            raise invalid([f"{bot.name} is a house bot and stays"])
        async with self._changing:
            line = await self._line("deactivated", bot.name, by)
            await self._store.write(_deactivate, bot.bot_id, line)
            self._door.forget_bot(bot.bot_id)
        self._revoked(bot.bot_id)

    async def _check_active(self, bot: RegisteredBot) -> None:
        stands = await self._store.read(bots.bot_named, bot.name)
        if stands is None or stands.state is BotState.DEACTIVATED:
            fault = f"{bot.name} is deactivated for good; register another bot"
            raise RefusedRequestError(Refusal.NOT_NOW, [fault])

    async def _line(self, action: str, subject: str, by: Caller) -> audit.AuditLine:
        """Return what the audit log keeps of a change."""
        actor = await name_of(self._store, by)
        log.info("token_changed", change=action, subject=subject, actor=actor)
        return audit.AuditLine(time=self._now(), actor=actor, action=action, subject=subject)


async def name_of(store: Store, caller: Caller) -> str:
    """Return a caller's name as the audit log has it."""
    match caller:
        case TheOrganiser():
            return "organiser"
        case AnAuthor(author_id):
            return f"author {(await store.read(bots.author_with_id, author_id)).name}"
        case ABot(bot_id):
            known = await store.read(bots.bot_with_id, bot_id)
            return f"bot {bot_id if known is None else known.name}"
        case Stranger():
            return "stranger"
        case _:
            assert_never(caller)


def _rotate_for_bot(c: Connection, bot_id: str, hashed: bytes, line: audit.AuditLine) -> None:
    bots.add_token(c, bot_id, hashed, now=line.time)
    audit.add_line(c, line)


def _rotate_for_author(c: Connection, author_id: str, hashed: bytes, line: audit.AuditLine) -> None:
    author_tokens.add_author_token(c, author_id, hashed, now=line.time)
    audit.add_line(c, line)


def _deactivate(c: Connection, bot_id: str, line: audit.AuditLine) -> None:
    bots.deactivate(c, bot_id, now=line.time)
    audit.add_line(c, line)
