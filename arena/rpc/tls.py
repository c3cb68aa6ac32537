"""The certificate and key an arena listens with, tried on each other before anybody dials.

gRPC takes almost any two files and fails later, at each call, without saying why. So the pair first
serves a client in memory, which finds what a real one would: another's key, an expired certificate.
"""

from __future__ import annotations

import ssl
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import grpc

from arena.errors import ArenaError

_PEM_CERTIFICATE = b"-----BEGIN CERTIFICATE-----"
_PEM_KEY = b"PRIVATE KEY-----"
_ROUNDS = 10
"""Turns of two sides that greet each other, more than they need."""


class CertificateError(ArenaError):
    """A certificate or key that cannot be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerTls:
    """What an arena encrypts with."""

    credentials: grpc.ServerCredentials
    expires: datetime
    """When the certificate does."""
    names: tuple[str, ...]
    """Hosts and addresses that the certificate is for."""


def server_tls(certificate: Path, key: Path) -> ServerTls:
    """Return what to listen with.

    Raises `CertificateError` for files that cannot be read or used, or not together, or not now.
    """
    chain = _read("certificate", certificate)
    private = _read("key", key)
    if _PEM_CERTIFICATE not in chain:
        raise CertificateError(
            f"the certificate {certificate} is not PEM: expected a file with "
            f"{_PEM_CERTIFICATE.decode()}{_swapped(_PEM_KEY in chain)}."
        )
    if _PEM_KEY not in private:
        raise CertificateError(
            f"the key {key} is not PEM: expected a file with -----BEGIN PRIVATE KEY-----"
            f"{_swapped(_PEM_CERTIFICATE in private)}."
        )
    dialling = _dialling(certificate, chain)
    described = _served(_listening(certificate, key), dialling, certificate)
    return ServerTls(
        credentials=grpc.ssl_server_credentials([(private, chain)]),
        expires=datetime.fromtimestamp(ssl.cert_time_to_seconds(described["notAfter"]), UTC),
        names=tuple(name for _, name in described.get("subjectAltName", ())),
    )


def _read(what: str, path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CertificateError(f"the {what} {path} cannot be read: {error.strerror}.") from error


def _swapped(swapped: bool) -> str:  # noqa: FBT001 - of two files
    return " (are tls_certificate and tls_key swapped?)" if swapped else ""


def _dialling(certificate: Path, chain: bytes) -> ssl.SSLContext:
    """Return the side of a client that trusts this very certificate."""
    dialling = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    dialling.check_hostname = False
    dialling.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    try:
        dialling.load_verify_locations(cadata=chain.decode("ascii", errors="replace"))
    except (ssl.SSLError, ValueError) as error:
        raise CertificateError(f"the certificate {certificate} is damaged{_why(error)}.") from error
    return dialling


def _listening(certificate: Path, key: Path) -> ssl.SSLContext:
    """Return the side of the arena."""

    def no_password() -> str:
        raise CertificateError(
            f"the key {key} is encrypted, and nobody is there to type its password: decrypt it, "
            "and let only the arena's user read it."
        )

    listening = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        listening.load_cert_chain(certificate, key, password=no_password)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise CertificateError(
                f"the key {key} is not the one of the certificate {certificate}: "
                "give the two that were made together."
            ) from error
        raise CertificateError(
            f"the key {key} of the certificate {certificate} cannot be used{_why(error)}: "
            "it is damaged, or of a kind that TLS does not know."
        ) from error
    return listening


def _served(listening: ssl.SSLContext, dialling: ssl.SSLContext, certificate: Path) -> Any:
    """Let the two sides greet each other, and return what the client is shown."""
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    server = listening.wrap_bio(there, back, server_side=True)
    client = dialling.wrap_bio(back, there)
    try:
        for _ in range(_ROUNDS):
            for side in (client, server):
                with suppress(ssl.SSLWantReadError):
                    side.do_handshake()
        return client.getpeercert()
    except ssl.SSLCertVerificationError as error:
        raise CertificateError(
            f"no client would accept the certificate {certificate}: {error.verify_message}."
        ) from error
    except (ssl.SSLError, ValueError) as error:
        raise CertificateError(
            f"no client could talk to an arena with the certificate {certificate}{_why(error)}."
        ) from error


def _why(error: Exception) -> str:
    reason = getattr(error, "reason", None)
    return f" ({str(reason).replace('_', ' ').lower()})" if reason else ""
