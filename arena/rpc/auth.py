"""Who is calling, and the gate that lets them through or not. What they may do is in `roles`."""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any, assert_never

import grpc
import structlog

from arena.rpc.calls import Call
from arena.rpc.limits import Allowance, CallLimits, key_of
from arena.rpc.refusal import RefusedError
from arena.rpc.roles import RULES, ABot, AnAuthor, Caller, Role, Rule, Stranger, TheOrganiser
from arena.store.bots import Credential, InvitationError, RegisteredBot
from arena.tokens import hash_token
from arena.tournaments.errors import Refusal, RefusedRequestError
from arena.tournaments.names import shown

PLAY = "/euchre.v1.PlayService/Play"
_NOBODY = Rule(Role.ORGANISER)
"""What holds for a method that the table does not name; a test demands that it names all."""


class Doorkeeper:
    """Knows all good tokens by their hashes."""

    def __init__(self, *, organiser: bytes, credentials: tuple[Credential, ...] = ()) -> None:
        """`organiser` is the hash of the organiser's token."""
        self._organiser = organiser
        self._credentials = {each.hash: each for each in credentials}

    def add(self, credential: Credential) -> None:
        """Accept a token from now on; others of that bot or author are no good any more."""
        if credential.bot_id is not None:
            self.forget_bot(credential.bot_id)
        else:
            self._keep(lambda each: each.author_id != credential.author_id)
        self._credentials[credential.hash] = credential

    def forget_bot(self, bot_id: str) -> None:
        """Accept no token of that bot any more."""
        self._keep(lambda each: each.bot_id != bot_id)

    def _keep(self, good: Callable[[Credential], bool]) -> None:
        self._credentials = {
            hashed: each for hashed, each in self._credentials.items() if good(each)
        }

    def whose(self, token: str) -> Caller | None:
        """Return who has this token; None if nobody has it.

        What is looked up is a hash, so the time that takes tells nothing of the tokens there are.
        """
        hashed = hash_token(token)
        if hmac.compare_digest(hashed, self._organiser):
            return TheOrganiser()
        credential = self._credentials.get(hashed)
        if credential is None:
            return None
        if credential.bot_id is not None:
            return ABot(credential.bot_id)
        return None if credential.author_id is None else AnAuthor(credential.author_id)


class Gate:
    """Every call passes here before its method runs: the one place where roles are checked."""

    def __init__(
        self,
        doorkeeper: Doorkeeper,
        bot_named: Callable[[str], Awaitable[RegisteredBot | None]],
        *,
        bot_with_id: Callable[[str], Awaitable[RegisteredBot | None]] | None = None,
        limits: CallLimits | None = None,
    ) -> None:
        """`bot_named` and `bot_with_id` give the bot of that name or id, if there is one."""
        self._doorkeeper = doorkeeper
        self._bot_named = bot_named
        self._bot_with_id = bot_with_id
        self._allowance = Allowance(limits)

    @asynccontextmanager
    async def admitted(self, call: Call, request: Any, *, streams: bool) -> AsyncIterator[Call]:
        """Give the call with its caller, and with the bot he acts for where there is one.

        Raises `RefusedError` for whom `RULES` do not let in, and for who asks too much.
        """
        caller = await self._caller(call)
        structlog.contextvars.bind_contextvars(caller=_known_as(caller))
        key = key_of(caller, call.peer)
        async with self._counted(key, streams=streams):
            most = self._allowance.limits.request_bytes
            if request.ByteSize() > most:
                raise _too_large(request.ByteSize(), most)
            rule = RULES.get(call.method, _NOBODY)
            if not _may(caller, rule.role):
                raise _refused(caller, call.method, rule.role)
            if rule.scarce:
                self._allowance.scarce(key)
            bot = None
            if rule.bot:
                bot = await self._bot(caller, request, rule, call.method)
            try:
                yield replace(call, caller=caller, bot=bot)
            except InvitationError:  # as good as a token, and tried like one
                await self.slow_down(call.peer)
                raise

    @asynccontextmanager
    async def _counted(self, key: str, *, streams: bool) -> AsyncIterator[None]:
        """Count a call while it is answered; keep one too many from coming again at once."""
        with ExitStack() as counted:
            try:
                counted.enter_context(self._allowance.call(key, streams=streams))
            except RefusedError:
                await self._allowance.hold(key)
                raise
            yield

    async def slow_down(self, peer: str) -> None:
        """Let somebody wait whose token is wrong.

        Raises `RefusedError` if too many wait at that address.
        """
        await self._allowance.wrong(peer)

    def admit_player(self, token: str) -> str | None:
        """Return the id of the bot that may play with this token; None if nobody has it.

        Raises `RefusedError` for the token of somebody who is no bot.
        """
        caller = self._doorkeeper.whose(token)
        if caller is None:
            return None
        if not isinstance(caller, ABot) or not _may(caller, RULES[PLAY].role):
            raise _refused(caller, PLAY, RULES[PLAY].role)
        return caller.bot_id

    async def _caller(self, call: Call) -> Caller:
        if call.token is None:
            return Stranger()
        caller = self._doorkeeper.whose(call.token)
        if caller is None:
            await self.slow_down(call.peer)
            raise RefusedError(
                grpc.StatusCode.UNAUTHENTICATED,
                "WRONG_TOKEN",
                "the token is not known here: it may have been rotated or mistyped, or belong to "
                "another arena.",
            )
        return caller

    async def _bot(
        self, caller: Caller, request: Any, rule: Rule, method: str
    ) -> RegisteredBot | None:
        """Return the bot that a request is about, if the caller owns it."""
        name = _field(request, rule.bot)
        find = self._bot_with_id if rule.may_be_empty and not name else None
        if find is not None and isinstance(caller, ABot):
            return await find(caller.bot_id)
        return await self._owned(caller, name, method)

    async def _owned(self, caller: Caller, name: str, method: str) -> RegisteredBot:
        bot = await self._bot_named(name)
        if bot is None:
            raise RefusedRequestError(Refusal.NOT_FOUND, [f"there is no bot named {shown(name)}"])
        if not owns(caller, bot):
            raise _refused(caller, method, Role.OWNER)
        return bot


def owns(caller: Caller, bot: RegisteredBot) -> bool:
    """Return whether a caller may act for a bot."""
    match caller:
        case TheOrganiser():
            return True
        case AnAuthor(author_id):
            return bot.author is not None and bot.author.author_id == author_id
        case ABot(bot_id):
            return bot.bot_id == bot_id
        case Stranger():
            return False
        case _:
            assert_never(caller)


def _known_as(caller: Caller) -> str:
    """Return what the log calls a caller."""
    match caller:
        case TheOrganiser():
            return "organiser"
        case AnAuthor(author_id):
            return author_id
        case ABot(bot_id):
            return bot_id
        case Stranger():
            return "anybody"
        case _:
            assert_never(caller)


def _may(caller: Caller, role: Role) -> bool:
    """Return whether a caller has a role. Whose bot it is comes after that."""
    match role:
        case Role.ANYBODY:
            return True
        case Role.AUTHOR:
            return isinstance(caller, TheOrganiser | AnAuthor)
        case Role.OWNER:
            return not isinstance(caller, Stranger)
        case Role.BOT:
            return isinstance(caller, ABot)
        case Role.ORGANISER:
            return isinstance(caller, TheOrganiser)
        case _:
            assert_never(role)


def _too_large(size: int, most: int) -> RefusedError:
    return RefusedError(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        "REQUEST_TOO_LARGE",
        f"The request has {size:,} bytes; at most {most:,} are accepted.",
        bytes=size,
        maximum=most,
    )


def _field(request: Any, path: str) -> str:
    """Return a text of a request by the names of the fields that lead to it."""
    for name in path.split("."):
        request = getattr(request, name)
    return str(request)


def _refused(caller: Caller, method: str, role: Role) -> RefusedError:
    name = method.rpartition("/")[2]
    if isinstance(caller, Stranger):
        return RefusedError(
            grpc.StatusCode.UNAUTHENTICATED,
            "TOKEN_MISSING",
            f"{name} is for {role.value} and needs a token: "
            "send it as metadata, authorization: Bearer TOKEN.",
            method=name,
            role=role.value,
        )
    return RefusedError(
        grpc.StatusCode.PERMISSION_DENIED,
        "NOT_ALLOWED",
        f"{name} is for {role.value}; the token given is another's.",
        method=name,
        role=role.value,
    )
