"""How much one caller may ask, so that nobody takes the arena's time from the games of others.

Whoever has a token is counted by what it stands for, a stranger by his address; the organiser is
not counted. A wrong token is answered more and more slowly, to the address it comes from; a good
one never waits, whatever its neighbours do.
"""

from __future__ import annotations

import ipaddress
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic_ns
from typing import assert_never
from urllib.parse import unquote

import grpc
import trio

from arena.rpc.bucket import Bucket
from arena.rpc.refusal import RefusedError
from arena.rpc.roles import ABot, AnAuthor, Caller, Stranger, TheOrganiser

ORGANISER = "organiser"
"""The key of whoever has the organiser's token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLimits:
    """Limits on calls, beside the streams on which bots play."""

    per_second: float = 50
    """Calls of one caller, on average."""
    burst: int = 200
    """Calls of one caller at a stroke."""
    long_ms: float = 5
    """A call that takes longer to answer counts once more for each time it takes that."""
    longest: int = 50
    """More calls than these no call counts for."""
    at_once: int = 8
    """Calls of one caller that are being answered."""
    at_once_in_all: int = 64
    scarce_per_second: float = 0.05
    """Calls of one caller that are scarce, such as registrations, on average."""
    scarce_burst: int = 30
    watchers: int = 500
    """Streams that are watched, in all."""
    watched_at_once: int = 50
    """Streams that one caller watches."""
    wrong_per_second: float = 0.5
    """Wrong tokens of one address that are answered, on average."""
    wrong_burst: int = 10
    """Wrong tokens of one address that are answered at once."""
    wrong_held: int = 4
    """Wrong tokens of one address that wait for their answer; more are turned away."""
    wrong_held_in_all: int = 64
    refused_for: float = 1.0
    """Seconds for which a refusal of who asks too much is held, so that he asks less."""
    refused_held: int = 64
    """Refusals of one caller that are held."""
    refused_held_in_all: int = 256
    remembered: int = 4096
    """Callers and addresses that are remembered, of each kind; the longest silent are forgotten."""
    request_bytes: int = 64 * 1024
    """Bytes of a request."""

    @classmethod
    def of(cls, *, calls_per_second: int, watchers: int) -> CallLimits:
        """Return limits in proportion to what an organiser chooses."""
        return cls(
            per_second=calls_per_second,
            burst=4 * calls_per_second,
            watchers=watchers,
            watched_at_once=max(1, watchers // 10),
        )


class Buckets:
    """A token bucket for each key. However many keys there are, they take a bounded room."""

    def __init__(
        self, per_second: float, *, burst: int, most: int, now: Callable[[], int] = monotonic_ns
    ) -> None:
        """Fill `burst` tokens into a new key's bucket; `now` gives nanoseconds."""
        self._per_second = per_second
        self._burst = burst
        self._most = most
        self._now = now
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, key: str) -> bool:
        """Take one token of a key if there is one."""
        return self._bucket(key).take(capacity=self._burst, now=self._now())

    def spend(self, key: str, tokens: float) -> None:
        """Take so many tokens of a key, those that are still to come too."""
        self._bucket(key).spend(tokens)

    def wait(self, key: str) -> float:
        """Return how many seconds pass until there is a token, after `take` found none."""
        return self._bucket(key).wait_ns() / 1e9

    def _bucket(self, key: str) -> Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = Bucket(self._per_second, full=self._burst, now=self._now())
            self._buckets[key] = bucket
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)  # silent for longest: fullest, as a rule
        self._buckets.move_to_end(key)
        return bucket


class Allowance:
    """Who is calling how much. For the trio thread."""

    def __init__(
        self, limits: CallLimits | None = None, *, now: Callable[[], int] = monotonic_ns
    ) -> None:
        self.limits = limits = limits or CallLimits()
        self._now = now
        most = limits.remembered
        self._calls = Buckets(limits.per_second, burst=limits.burst, most=most, now=now)
        self._wrong = Buckets(limits.wrong_per_second, burst=limits.wrong_burst, most=most, now=now)
        self._scarce = Buckets(
            limits.scarce_per_second, burst=limits.scarce_burst, most=most, now=now
        )
        self._answering: Counter[str] = Counter()
        self._watching: Counter[str] = Counter()
        self._held: Counter[str] = Counter()
        self._refused: Counter[str] = Counter()

    @contextmanager
    def call(self, key: str, *, streams: bool) -> Iterator[None]:
        """Count a call while it is answered. Raises `RefusedError` for one too many."""
        if key == ORGANISER:
            yield
            return
        limits = self.limits
        if not self._calls.take(key):
            raise _too_many_calls(limits.per_second, self._calls.wait(key))
        counted = self._watching if streams else self._answering
        mine, all_ = (
            (limits.watched_at_once, limits.watchers)
            if streams
            else (limits.at_once, limits.at_once_in_all)
        )
        if counted[key] >= mine:
            raise _too_many_at_once(mine, streams=streams, whose="of yours")
        if counted.total() >= all_:
            raise _too_many_at_once(all_, streams=streams, whose="in all")
        counted[key] += 1
        began = self._now()
        try:
            yield
        finally:
            _less(counted, key)
            if not streams:
                took_ms = (self._now() - began) / 1e6
                self._calls.spend(key, min(took_ms / limits.long_ms, limits.longest))

    async def hold(self, key: str) -> None:
        """Hold a refusal for a while, if not too many are held."""
        limits = self.limits
        if (
            self._refused[key] >= limits.refused_held
            or self._refused.total() >= limits.refused_held_in_all
        ):
            await trio.lowlevel.checkpoint()
            return
        self._refused[key] += 1
        try:
            await trio.sleep(limits.refused_for)
        finally:
            _less(self._refused, key)

    def scarce(self, key: str) -> None:
        """Count a call that may be made only now and then. Raises `RefusedError`."""
        if key != ORGANISER and not self._scarce.take(key):
            raise _too_many_calls(self.limits.scarce_per_second, self._scarce.wait(key))

    async def wrong(self, peer: str) -> None:
        """Hold the answer to a wrong token for as long as its address has deserved.

        Raises `RefusedError` if too many answers to that address are held.
        """
        limits, address = self.limits, address_of(peer)
        if self._wrong.take(address):
            await trio.lowlevel.checkpoint()
            return
        if (
            self._held[address] >= limits.wrong_held
            or self._held.total() >= limits.wrong_held_in_all
        ):
            await self.hold(f"wrong tokens of {address}")
            raise RefusedError(
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                "TOO_MANY_WRONG_TOKENS",
                "Too many wrong tokens came from this address. Try again later.",
            )
        self._held[address] += 1
        try:
            waits = True
            while waits:
                await trio.sleep(self._wrong.wait(address) + 0.001)
                waits = not self._wrong.take(address)
        finally:
            _less(self._held, address)


def key_of(caller: Caller, peer: str) -> str:
    """Return by what a caller is counted."""
    match caller:
        case TheOrganiser():
            return ORGANISER
        case AnAuthor(author_id):
            return f"author {author_id}"
        case ABot(bot_id):
            return f"bot {bot_id}"
        case Stranger():
            return f"address {address_of(peer)}"
        case _:
            assert_never(caller)


def address_of(peer: str) -> str:
    """Return the address of a peer as gRPC writes it, without its port.

    Of IPv6 it is the network of 64 bits that one subscriber has.

    >>> address_of("ipv4:192.0.2.7:50123"), address_of("unix:")
    ('192.0.2.7', 'unix:')
    >>> address_of("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:50123")
    '2001:db8:1:2::/64'
    """
    kind, _, rest = peer.partition(":")
    if kind not in {"ipv4", "ipv6"}:
        return peer
    text = unquote(rest).rpartition(":")[0].strip("[]").partition("%")[0]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


def _less(counted: Counter[str], key: str) -> None:
    counted[key] -= 1
    if not counted[key]:
        del counted[key]


def _too_many_calls(per_second: float, wait: float) -> RefusedError:
    return RefusedError(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        "TOO_MANY_CALLS",
        f"{_as_often(per_second)} is accepted. Try again in {wait:.1f} s.",
        maximum=f"{per_second:g}",
        retry_seconds=f"{wait:.1f}",
    )


def _as_often(per_second: float) -> str:
    if per_second < 1:
        return f"One such call in {1 / per_second:g} s"
    return f"{per_second:g} calls a second"


def _too_many_at_once(most: int, *, streams: bool, whose: str) -> RefusedError:
    what = "streams are watched" if streams else "calls are being answered"
    return RefusedError(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        "TOO_MANY_WATCHED" if streams else "TOO_MANY_CALLS_AT_ONCE",
        f"{most} {what} {whose} already, and no more can be. Try again when one has ended.",
        maximum=most,
    )
