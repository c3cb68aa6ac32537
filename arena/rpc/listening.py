"""Where an arena listens, and how it is dialled there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.rpc.binding import Listen
from arena.rpc.tls import ServerTls, server_tls
from arena.settings import Settings, is_local

INSIDE = "127.0.0.1:0"
"""Where house bots dial in when the arena's own address needs TLS or is another machine's."""
EVERYWHERE = frozenset({"0.0.0.0", "[::]"})  # noqa: S104 - what an organiser may choose


@dataclass(frozen=True, slots=True, kw_only=True)
class Listening:
    """The addresses of one arena."""

    address: str
    """As it is set."""
    listens: tuple[Listen, ...]
    """The last one is for house bots."""
    tls: ServerTls | None

    def dialled(self, ports: Sequence[int]) -> str:
        """Return where it can be dialled, given the ports it got; by name if it has one."""
        if self.address.startswith("unix:"):
            return self.address
        host = self.address.rpartition(":")[0]
        if host in EVERYWHERE:
            names = () if self.tls is None else self.tls.names
            host = next((name for name in names if not name.startswith("*")), "127.0.0.1")
        return f"{host}:{ports[0]}"

    def dialled_by_house_bots(self, ports: Sequence[int]) -> str:
        """Return where house bots dial it."""
        return self.dialled(ports) if len(ports) == 1 else f"127.0.0.1:{ports[-1]}"


def listening(settings: Settings) -> Listening:
    """Return where to listen.

    Raises `CertificateError`.
    """
    tls = None
    if settings.tls_certificate is not None and settings.tls_key is not None:
        tls = server_tls(settings.tls_certificate, settings.tls_key)
    outside = Listen(address=settings.address, credentials=None if tls is None else tls.credentials)
    alone = tls is None and is_local(settings.address)
    return Listening(
        address=settings.address,
        listens=(outside,) if alone else (outside, Listen(address=INSIDE)),
        tls=tls,
    )
