"""Who may open a play stream: token, Hello, limits. Refusals are typed; nothing is trusted."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import grpc
import trio
from google.protobuf.message import DecodeError

from arena.rpc.calls import bearer_token
from arena.rpc.limits import address_of
from arena.rpc.refusal import RefusedError
from arena.tournaments.names import label_faults
from euchre.v1 import play_pb2
from euchre_sdk.wire import REVISION

if TYPE_CHECKING:
    from arena.rpc.stream import Stream

MINIMUM_REVISION = 1
_LABEL = 64
_SECRET = 32
_PRINTABLE = re.compile(r"[ -~]+")
_LOOPBACK = ("ipv4:127.", "ipv6:%5B::1%5D", "ipv6:[::1]", "unix:")


class Caller(Protocol):
    """What a valid token stands for."""

    @property
    def bot_id(self) -> str:
        """The bot's id."""
        ...

    @property
    def name(self) -> str:
        """The bot's name."""
        ...


Authenticate = Callable[[str], Awaitable[Caller | None]]
"""Gives the bot that a token belongs to, or None if it belongs to none that may play."""

WrongToken = Callable[[str], Awaitable[None]]
"""Told of the peer whose token is wrong. Waits before it is told so; may raise `RefusedError`."""


async def at_once(_peer: str) -> None:
    """Let nobody wait."""
    await trio.lowlevel.checkpoint()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """A Hello that can be answered."""

    revision: int
    version_label: str
    games_at_once: int
    resume_secret: bytes | None
    follows: bool


def token_of(stream: Stream) -> str:
    """Return the token a stream was opened with. Raises `RefusedError`."""
    token = bearer_token(stream.metadata)
    if token is None:
        raise RefusedError(
            grpc.StatusCode.UNAUTHENTICATED,
            "TOKEN_MISSING",
            "The call holds no token. Send the metadata authorization: Bearer TOKEN.",
        )
    return token


def known(caller: Caller | None) -> Caller:
    """Return the caller, if there is one. Raises `RefusedError`."""
    if caller is not None:
        return caller
    raise RefusedError(
        grpc.StatusCode.UNAUTHENTICATED,
        "WRONG_TOKEN",
        "The token belongs to no bot. It may have been rotated or mistyped.",
    )


def read_hello(data: bytes) -> Hello:
    """Return the Hello of a first message. Raises `RefusedError`."""
    try:
        request = play_pb2.PlayRequest.FromString(data)
    except DecodeError:
        raise _bad_hello("is no PlayRequest") from None
    if not request.HasField("hello"):
        raise _bad_hello("holds no Hello")
    hello = request.hello
    if hello.protocol_revision < MINIMUM_REVISION:
        raise RefusedError(
            grpc.StatusCode.FAILED_PRECONDITION,
            "PROTOCOL_TOO_OLD",
            f"The bot speaks revision {hello.protocol_revision} of the protocol;"
            f" this arena needs {MINIMUM_REVISION} or newer.",
            minimum=MINIMUM_REVISION,
        )
    if hello.games_at_once < 1:
        raise _bad_hello("asks for no game at once; at least 1 is accepted")
    for what, text in (("sdk_name", hello.sdk_name), ("sdk_version", hello.sdk_version)):
        if len(text) > _LABEL or (text and not _PRINTABLE.fullmatch(text)):
            raise _bad_hello(f"has a {what} that is not at most {_LABEL} printable ASCII signs")
    if faults := label_faults("version_label", hello.version_label):
        raise _bad_hello(f"is not accepted: {'; '.join(faults)}")
    secret = hello.resume_secret if hello.HasField("resume_secret") else None
    if secret is not None and len(secret) != _SECRET:
        raise _bad_hello(f"has a resume_secret of {len(secret)} bytes; {_SECRET} are accepted")
    if hello.HasField("ticket"):
        raise _bad_hello("holds a ticket, but this arena has given out none")
    return Hello(
        revision=min(hello.protocol_revision, REVISION),
        version_label=hello.version_label,
        games_at_once=hello.games_at_once,
        resume_secret=secret,
        follows=hello.follow_play,
    )


def _bad_hello(why: str) -> RefusedError:
    return RefusedError(
        grpc.StatusCode.INVALID_ARGUMENT, "BAD_HELLO", f"The first message {why}.", why=why
    )


def too_many_streams() -> RefusedError:
    """Return what a stream is told that waited when its bot opened another one."""
    return RefusedError(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        "TOO_MANY_STREAMS_OF_A_BOT",
        "The bot has connected too often in a minute, and only its newest stream waits to come in.",
    )


class Doorway:
    """Counts streams, and knows those that have not said Hello yet, by address."""

    def __init__(self, *, streams: int, silent: int, silent_locally: int) -> None:
        self._most = streams
        self._silent = silent
        self._silent_locally = silent_locally
        self._open = 0
        self._waiting: dict[str, dict[Stream, None]] = {}

    def enter(self, stream: Stream) -> None:
        """Count a new stream. Raises `RefusedError` when there are too many.

        Too many silent ones of its address cost the one that has been silent longest its place:
        whoever means to play says Hello at once, and none of his neighbours can keep him out.
        """
        if self._open >= self._most:
            raise RefusedError(
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                "TOO_MANY_STREAMS",
                f"The arena serves at most {self._most} streams. Try again later.",
                maximum=self._most,
            )
        address = address_of(stream.peer)
        local = stream.peer.startswith(_LOOPBACK)
        waiting = self._waiting.setdefault(address, {})
        if len(waiting) >= (self._silent_locally if local else self._silent):
            oldest = next(iter(waiting))
            del waiting[oldest]
            oldest.refuse(_too_many_silent_streams())
        self._open += 1
        waiting[stream] = None

    def greeted(self, stream: Stream) -> None:
        """Count a stream as one that has said Hello, or will not any more."""
        address = address_of(stream.peer)
        waiting = self._waiting.get(address, {})
        waiting.pop(stream, None)
        if not waiting:
            self._waiting.pop(address, None)

    def leave(self) -> None:
        """Count one stream less."""
        self._open -= 1


def _too_many_silent_streams() -> RefusedError:
    return RefusedError(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        "TOO_MANY_SILENT_STREAMS",
        "Too many streams from this address have not said Hello yet. Try again shortly.",
    )
