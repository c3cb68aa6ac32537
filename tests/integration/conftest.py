"""Arenas in these tests run beside the commands that are tested: their log is not the output."""

from __future__ import annotations

import structlog


def _drop(*_line: object) -> str:
    raise structlog.DropEvent


structlog.configure(processors=[_drop])
