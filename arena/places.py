"""Where an arena is and keeps its things unless it is told otherwise: its commands look there."""

from __future__ import annotations

from pathlib import Path

DEFAULT_ADDRESS = "127.0.0.1:50051"
DEFAULT_DATA = Path("arena-data")
"""Directory of the database and the organiser's token."""
TOKEN_FILE = "organiser-token"  # noqa: S105 - a file's name
"""In the data directory."""
