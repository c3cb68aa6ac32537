"""The revision of `euchre.v1` that this package speaks."""

from __future__ import annotations

REVISION = 1
"""Raised when a bot could misunderstand an arena of a newer one."""
