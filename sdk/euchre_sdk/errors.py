"""The root of every error this package raises."""

from __future__ import annotations


class EuchreError(Exception):
    """Anything the SDK or the arena refuses. Its text is one sentence for people."""
