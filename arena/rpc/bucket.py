"""How often something may happen: so often on average, so often at once."""

from __future__ import annotations


class Bucket:
    """A token bucket: so many a second on average, so many at once."""

    __slots__ = ("_left", "_per_ns", "_since")

    def __init__(self, per_second: float, *, full: float, now: int) -> None:
        self._per_ns = per_second / 1e9
        self._left = full
        self._since = now

    def take(self, *, capacity: float, now: int) -> bool:
        """Take one token if there is one. Instants are nanoseconds."""
        self._left = min(capacity, self._left + (now - self._since) * self._per_ns)
        self._since = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def spend(self, tokens: float) -> None:
        """Take so many tokens, those that are still to come too."""
        self._left -= tokens

    def wait_ns(self) -> int:
        """Return how long it takes until there is a token again, after `take` found none."""
        return max(0, int((1 - self._left) / self._per_ns))
