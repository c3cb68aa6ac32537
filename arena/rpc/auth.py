"""Who is calling, and what they may do: one table for all methods, one place for all checks."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from enum import Enum, unique
from hashlib import sha256
from typing import TypeAlias, assert_never

import grpc

from arena.rpc.calls import Call
from arena.rpc.refusal import RefusedError
from arena.store.bots import Credential, RegisteredBot


@unique
class Role(Enum):
    """Who may call a method."""

    ANYBODY = "anybody"
    AUTHOR = "an author"
    """Whoever has an author's token; an organiser may too."""
    OWNER = "the bot's owner"
    """The bot's own token or its author's; an organiser may too."""
    ORGANISER = "an organiser"


ROLES: dict[str, Role] = {
    "/euchre.v1.BotService/InviteAuthor": Role.ORGANISER,
    "/euchre.v1.BotService/RegisterAuthor": Role.ANYBODY,
    "/euchre.v1.BotService/RegisterBot": Role.AUTHOR,
    "/euchre.v1.BotService/ListBots": Role.ANYBODY,
    "/euchre.v1.BotService/GetBot": Role.ANYBODY,
    "/euchre.v1.BotService/RotateToken": Role.OWNER,
    "/euchre.v1.BotService/DeactivateBot": Role.OWNER,
    "/euchre.v1.TournamentService/CreateTournament": Role.ORGANISER,
    "/euchre.v1.TournamentService/StartTournament": Role.ORGANISER,
    "/euchre.v1.TournamentService/PauseTournament": Role.ORGANISER,
    "/euchre.v1.TournamentService/CancelTournament": Role.ORGANISER,
    "/euchre.v1.TournamentService/EnterTournament": Role.OWNER,
    "/euchre.v1.TournamentService/WithdrawEntry": Role.OWNER,
    "/euchre.v1.TournamentService/ListTournaments": Role.ANYBODY,
    "/euchre.v1.TournamentService/GetTournament": Role.ANYBODY,
    "/euchre.v1.TournamentService/GetRankings": Role.ANYBODY,
    "/euchre.v1.TournamentService/WatchRankings": Role.ANYBODY,
    "/euchre.v1.MatchService/ListMatches": Role.ANYBODY,
    "/euchre.v1.MatchService/GetMatchRecord": Role.ANYBODY,
    "/euchre.v1.MatchService/WatchMatch": Role.ANYBODY,
    "/euchre.v1.MatchService/GetVerification": Role.ANYBODY,
}
"""The methods this arena offers. The play stream admits bots by `Doorkeeper.bot_of`."""


@dataclass(frozen=True, slots=True)
class TheOrganiser:
    """A caller with the organiser's token."""


@dataclass(frozen=True, slots=True)
class AnAuthor:
    """A caller with an author's token."""

    author_id: str


@dataclass(frozen=True, slots=True)
class ABot:
    """A caller with a bot's token."""

    bot_id: str


@dataclass(frozen=True, slots=True)
class Stranger:
    """A caller without a token."""


Caller: TypeAlias = TheOrganiser | AnAuthor | ABot | Stranger


def new_token() -> str:
    """Return a fresh token or invitation: 256 bits."""
    return secrets.token_urlsafe(32)


def hash_token(token: str) -> bytes:
    """Return what is kept of a token. Tokens are random, so a plain hash is enough."""
    return sha256(token.encode()).digest()


class Doorkeeper:
    """Knows all good tokens by their hashes."""

    def __init__(self, *, organiser: bytes, credentials: tuple[Credential, ...] = ()) -> None:
        """`organiser` is the hash of the organiser's token."""
        self._organiser = organiser
        self._credentials = {each.hash: each for each in credentials}

    def add(self, credential: Credential) -> None:
        """Accept a token from now on; a bot's other tokens are no good any more."""
        if credential.bot_id is not None:
            self.forget_bot(credential.bot_id)
        self._credentials[credential.hash] = credential

    def forget_bot(self, bot_id: str) -> None:
        """Accept no token of that bot any more."""
        self._credentials = {
            hashed: each for hashed, each in self._credentials.items() if each.bot_id != bot_id
        }

    def bot_of(self, token: str | None) -> str | None:
        """Return the id of the bot whose token this is, or None."""
        if token is None:
            return None
        credential = self._credentials.get(hash_token(token))
        return None if credential is None else credential.bot_id

    def caller(self, token: str | None) -> Caller:
        """Return who has this token.

        Raises `RefusedError` for a token that nobody has.
        """
        if token is None:
            return Stranger()
        hashed = hash_token(token)
        if hmac.compare_digest(hashed, self._organiser):
            return TheOrganiser()
        credential = self._credentials.get(hashed)
        if credential is not None and credential.bot_id is not None:
            return ABot(credential.bot_id)
        if credential is not None and credential.author_id is not None:
            return AnAuthor(credential.author_id)
        raise RefusedError(
            grpc.StatusCode.UNAUTHENTICATED,
            "WRONG_TOKEN",
            "the token is not known here: it may have been rotated, or belong to another arena.",
        )

    def admit(self, call: Call) -> Caller:
        """Return who calls, if they may call this method at all.

        Raises `RefusedError`. Who may act for which bot is for `admit_owner` to say.
        """
        caller = self.caller(call.token)
        role = ROLES[call.method]
        match role:
            case Role.ANYBODY:
                allowed = True
            case Role.AUTHOR:
                allowed = isinstance(caller, TheOrganiser | AnAuthor)
            case Role.OWNER:
                allowed = not isinstance(caller, Stranger)
            case Role.ORGANISER:
                allowed = isinstance(caller, TheOrganiser)
            case _:
                assert_never(role)
        if not allowed:
            raise _refused(caller, call.method, role)
        return caller

    def admit_owner(self, caller: Caller, bot: RegisteredBot, call: Call) -> None:
        """Let a caller act for a bot only if it is theirs.

        Raises `RefusedError`.
        """
        match caller:
            case TheOrganiser():
                allowed = True
            case AnAuthor(author_id):
                allowed = bot.author is not None and bot.author.author_id == author_id
            case ABot(bot_id):
                allowed = bot.bot_id == bot_id
            case Stranger():
                allowed = False
            case _:
                assert_never(caller)
        if not allowed:
            raise _refused(caller, call.method, Role.OWNER)


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
