"""What the luck correction refuses."""

from __future__ import annotations

from arena.errors import ArenaError


class LuckError(ArenaError, ValueError):
    """Hands, baselines or a value model that cannot be used; the text says which and why."""
