"""A bidirectional stream as the trio thread sees it: bytes with stamps in, bytes out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from time import monotonic_ns
from typing import Any

from arena.referee.clock import Departure
from arena.rpc.bridge import Bridge
from arena.rpc.refusal import RefusedError

Woken = Callable[["Stream"], None]

MOST_UNREAD = 64
"""Messages that may wait to be taken before the edge stops reading the stream."""


class Stream:
    """One call of the play method. All methods are for the trio thread."""

    __slots__ = (
        "_bridge",
        "_edge_kick",
        "bot_id",
        "closing",
        "ended",
        "inbox",
        "last_write",
        "message_bytes",
        "metadata",
        "notified",
        "opened",
        "outbox",
        "oversize",
        "owner",
        "peer",
        "put_bytes",
        "put_messages",
        "reading",
        "refusal",
        "taken_messages",
        "wake",
        "why",
        "writer",
        "writing",
        "written_bytes",
        "written_messages",
    )

    def __init__(
        self,
        peer: str,
        metadata: Mapping[str, str],
        message_bytes: int,
        bridge: Bridge,
        edge_kick: Callable[[Stream], None],
    ) -> None:
        self.peer = peer
        """The peer's address, as gRPC writes it."""
        self.metadata = metadata
        self.message_bytes = message_bytes
        """Largest message accepted."""
        self.inbox: deque[tuple[bytes, int]] = deque()
        """Messages and when they arrived, oldest first. Take them with `take`."""
        self.oversize = False
        """Whether the peer sent a message that is too large; nothing is read after it."""
        self.ended = False
        """Whether the stream is over; nothing sent now reaches anybody."""
        self.owner: Any = None
        """Whoever handles the stream; for its own use."""
        self.bot_id: str | None = None
        """Whose it is, once its Hello has been read."""
        self.why: str | None = None
        """Why the arena ends it, for the log; None if the peer does."""
        self.opened = monotonic_ns()
        self.taken_messages = 0
        """How many messages have been taken."""
        self._bridge = bridge
        self._edge_kick = edge_kick
        self.put_bytes = self.put_messages = 0
        # the edge's own, but for `outbox`, which trio appends to
        self.outbox: deque[tuple[bytes, Departure | None]] = deque()
        self.closing = False
        self.refusal: RefusedError | None = None
        self.notified = False
        self.reading: Any = None
        self.wake: Any = None
        self.writer: Any = None
        self.writing = False
        self.last_write = False
        self.written_bytes = self.written_messages = 0

    def take(self) -> tuple[bytes, int] | None:
        """Return the oldest message and its arrival, or None when there is none now."""
        if not self.inbox:
            return None
        message = self.inbox.popleft()
        self.taken_messages += 1
        if self.reading is not None and len(self.inbox) < MOST_UNREAD // 2:
            self._bridge.to_edge(self._edge_kick, self)
        return message

    def send(self, message: bytes, departure: Departure | None = None) -> None:
        """Send a message; `departure` is stamped when it is handed to the transport."""
        if self.closing or self.ended:
            return
        self.put_messages += 1
        self.put_bytes += len(message)
        self.outbox.append((message, departure))
        self._bridge.to_edge(self._edge_kick, self)

    @property
    def is_open(self) -> bool:
        """Whether it has neither ended nor is about to."""
        return not (self.ended or self.closing)

    @property
    def unsent_messages(self) -> int:
        """How many messages wait because the peer does not read, or are on their way."""
        return self.put_messages - self.written_messages

    @property
    def unsent_bytes(self) -> int:
        """How many bytes those are."""
        return self.put_bytes - self.written_bytes

    def close(self, last: bytes | None = None) -> None:
        """End the stream after what was sent and `last`; a peer that does not read is cut off."""
        if last is not None:
            self.send(last)
        self.closing = True
        self._bridge.to_edge(self._edge_kick, self)

    def refuse(self, refusal: RefusedError) -> None:
        """End the stream with a status instead of a message."""
        self.refusal = refusal
        self.why = refusal.reason
        self.close()
