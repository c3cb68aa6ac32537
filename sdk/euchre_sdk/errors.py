"""The root of every error this package raises, grouped by whose fault it is (docs/architecture.md)."""

from __future__ import annotations


class EuchreError(Exception):
    """Anything the SDK or the arena refuses. Its text is one sentence for people."""
