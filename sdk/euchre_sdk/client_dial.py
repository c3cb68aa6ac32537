"""Dialling an arena: its address, plaintext or TLS, and what a failed call means."""

from __future__ import annotations

import os
import re
import ssl
from dataclasses import dataclass
from enum import Enum, unique
from pathlib import Path

import grpc
import grpc.aio
from google.protobuf.message import DecodeError

from euchre.v1 import errors_pb2
from euchre_sdk.client_errors import ConnectError, NoEntry
from euchre_sdk.text import LONGEST_SAID, cut, one_line

CA_VARIABLE = "EUCHRE_CA"
"""Names a file with certificates to trust wherever a channel is encrypted."""

OPTIONS: tuple[tuple[str, int], ...] = (
    # A frozen arena is noticed in seconds: it is the ping's time-out that counts.
    ("grpc.keepalive_time_ms", 2_000),
    ("grpc.keepalive_timeout_ms", 3_000),
    ("grpc.http2.ping_timeout_ms", 3_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    # Every dial is a fresh one: the library's own back-off would only add to ours.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.enable_retries", 0),
)


@unique
class Security(Enum):
    """How to talk to an arena."""

    AUTOMATIC = "automatic"
    """Plaintext to this machine, TLS to any other."""
    TLS = "tls"
    PLAINTEXT = "plaintext"
    """Asked for explicitly: anybody on the way can read the token."""


_HOST_PORT = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]]+):(?P<port>\d{1,5})")
_LOOPBACK = re.compile(r"localhost|127(\.\d{1,3}){3}|\[::1\]")


@dataclass(frozen=True, slots=True)
class Address:
    """Where an arena answers. Raises `ConnectError` for what is no address."""

    text: str
    """`HOST:PORT` or `unix:PATH`."""

    def __post_init__(self) -> None:
        match = _HOST_PORT.fullmatch(self.text)
        path = self.text.removeprefix("unix:")
        if match is None and (path == self.text or not path):
            raise ConnectError(
                NoEntry.BAD_ADDRESS,
                f"{self.text!r} is no address of an arena: "
                "expected HOST:PORT, such as localhost:50051, or unix:PATH.",
            )
        if match is not None and not 1 <= int(match["port"]) <= 65_535:
            raise ConnectError(
                NoEntry.BAD_ADDRESS,
                f"{self.text!r} has the port {match['port']}: expected 1 to 65535.",
            )

    @property
    def is_local(self) -> bool:
        """Whether it is on this machine, so that nobody can listen on the way."""
        match = _HOST_PORT.fullmatch(self.text)
        return match is None or _LOOPBACK.fullmatch(match["host"]) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dial:
    """Whom to call, and how."""

    address: Address
    security: Security = Security.AUTOMATIC
    ca_file: Path | None = None
    """Certificates to trust, PEM; `None` for those in the file that the variable EUCHRE_CA names,
    else those that gRPC trusts by itself."""
    how_to_change: str = "HOST:PORT"
    """What to type for another address, as told to whom nobody answers."""

    @property
    def with_tls(self) -> bool:
        """Whether the channel is encrypted."""
        if self.security is Security.AUTOMATIC:
            return self.ca_file is not None or not self.address.is_local
        return self.security is Security.TLS

    def credentials(self) -> grpc.ChannelCredentials | None:
        """Return what encrypts a channel, `None` for a plain one.

        Raises `ConnectError` if the certificates cannot be read.
        """
        if not self.with_tls:
            return None
        named = os.environ.get(CA_VARIABLE)
        file = Path(named) if named and self.ca_file is None else self.ca_file
        return grpc.ssl_channel_credentials(None if file is None else _authorities(file))

    @property
    def options(self) -> tuple[tuple[str, int], ...]:
        """How to open a channel.

        What goes in the clear takes no way over a proxy, whatever `http_proxy` says: the token to
        an arena on this machine would leave it.
        """
        if self.with_tls and not self.address.is_local:
            return OPTIONS
        return (*OPTIONS, ("grpc.enable_http_proxy", 0))

    def channel(self) -> grpc.aio.Channel:
        """Return a fresh channel. Raises `ConnectError` if the certificates cannot be read."""
        credentials = self.credentials()
        if credentials is None:
            return grpc.aio.insecure_channel(self.address.text, options=self.options)
        return grpc.aio.secure_channel(self.address.text, credentials, options=self.options)


def _authorities(file: Path) -> bytes:
    """Return the certificates of a file. Raises `ConnectError` if it has none."""
    try:
        found = file.read_bytes()
    except OSError as error:
        sentence = f"cannot read the certificates in {file}: {error.strerror}."
        raise ConnectError(NoEntry.CERTIFICATE, sentence) from error
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=found.decode("ascii"))
    except (ssl.SSLError, ValueError) as error:
        sentence = f"{file} holds no certificate: expected PEM, -----BEGIN CERTIFICATE-----."
        raise ConnectError(NoEntry.CERTIFICATE, sentence) from error
    return found


def error_info(error: grpc.aio.AioRpcError) -> tuple[str, dict[str, str]]:
    """Return the reason and the variables of a refusal, empty if it gives none."""
    for key, value in error.trailing_metadata() or ():
        if key != "grpc-status-details-bin":
            continue
        try:
            status = errors_pb2.Status.FromString(value if isinstance(value, bytes) else b"")
            info = errors_pb2.ErrorInfo.FromString(status.details[0].value)
        except (DecodeError, IndexError):
            break
        return info.reason, {item.key: item.value for item in info.metadata}
    return "", {}


def refusal(error: grpc.aio.AioRpcError, dial: Dial) -> ConnectError | None:
    """Return why dialling again would not help, `None` if it may."""
    address = dial.address.text
    said = _one_line(error.details())
    reason, variables = error_info(error)
    match error.code():
        case grpc.StatusCode.UNAUTHENTICATED:
            sentence = f"the arena at {address} does not know this token: {said}"
            return ConnectError(NoEntry.WRONG_TOKEN, sentence)
        case grpc.StatusCode.UNIMPLEMENTED:
            sentence = f"something answers at {address}, but it is no Euchre arena."
            return ConnectError(NoEntry.NO_ARENA, sentence)
        case grpc.StatusCode.FAILED_PRECONDITION if reason == "PROTOCOL_TOO_OLD":
            minimum = variables.get("minimum", "a newer one")
            sentence = (
                f"this euchre-sdk speaks too old a protocol for the arena at {address}, which "
                f"needs revision {minimum}: upgrade with pip install --upgrade euchre-sdk."
            )
            return ConnectError(NoEntry.PROTOCOL_TOO_OLD, sentence)
        case (
            grpc.StatusCode.FAILED_PRECONDITION
            | grpc.StatusCode.PERMISSION_DENIED
            | grpc.StatusCode.INVALID_ARGUMENT
            | grpc.StatusCode.NOT_FOUND
        ):
            sentence = f"the arena at {address} refuses: {said}"
            return ConnectError(NoEntry.REFUSED, sentence)
        case grpc.StatusCode.UNAVAILABLE if dial.with_tls and "WRONG_VERSION" in said:
            sentence = (
                f"the arena at {address} does not use TLS: "
                "connect with --plaintext if you trust the network."
            )
            return ConnectError(NoEntry.PLAINTEXT_EXPECTED, sentence)
        case grpc.StatusCode.UNAVAILABLE if dial.with_tls and (why := _distrust(said)):
            sentence = f"the certificate of the arena at {address} {why}."
            return ConnectError(NoEntry.CERTIFICATE, sentence)
        case _:
            return None


def _distrust(said: str) -> str:
    """Return what is wrong with a certificate and what to do, by what gRPC says; else nothing."""
    if "Hostname Verification" in said:
        return "is for another host: dial the arena by a name that is in it"
    if "has expired" in said:
        return "has expired: ask its organiser for a new one"
    if "not yet valid" in said:
        return "is not valid yet: look at the clock of this machine"
    if "CERTIFICATE_VERIFY_FAILED" in said:
        return f"is not trusted here: give the file with its authority with --ca or {CA_VARIABLE}"
    return ""


def nobody_there(error: grpc.aio.AioRpcError, dial: Dial) -> ConnectError:
    """Return what a first call that nobody took means."""
    address = dial.address.text
    said = _one_line(error.details())
    if not dial.with_tls and any(sign in said for sign in _CLOSED_AT_ONCE):
        sentence = (
            f"something answers at {address} and hangs up at once: if the arena there uses TLS, "
            "connect with --tls."
        )
        return ConnectError(NoEntry.TLS_EXPECTED, sentence)
    if error.code() not in _NO_ANSWER or error_info(error)[0]:
        return ConnectError(NoEntry.REFUSED, f"the arena at {address} ends the call: {said}")
    known = (why for sign, why in _WHY.items() if sign in said)
    why = next(known, said or "it does not answer")
    sentence = (
        f"no arena answers at {address} ({why}). Is `arena serve` running? "
        f"Another address: {dial.how_to_change}."
    )
    return ConnectError(NoEntry.NOBODY_THERE, sentence)


_NO_ANSWER = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}
_CLOSED_AT_ONCE = ("Socket closed", "Connection reset", "FRAME_SIZE_ERROR", "Endpoint closing")
_WHY = {
    "Connection refused": "connection refused",
    "Domain name not found": "no such host",
    "DNS resolution failed": "no such host",
    "No route to host": "no route to it",
    "Network is unreachable": "the network is unreachable",
    "No such file": "no such socket",
    "Deadline Exceeded": "no answer in time",
}


def _one_line(details: str | None) -> str:
    return one_line(cut(" ".join((details or "").split()), LONGEST_SAID))
