"""What would differ by chance and must not: clock, ids, the order of tasks. And all log lines."""

from __future__ import annotations

import json
import logging
import secrets
import sys
from collections.abc import Iterator, MutableSequence
from contextlib import contextmanager
from itertools import count
from random import Random
from typing import Any

import pytest
import structlog
import trio
from trio._core import _run as trio_run


def instant() -> int:
    """Return the time on the stage, in nanoseconds."""
    return 10**9 + round(trio.current_time() * 1e9)


class InOrder(Random):
    """Takes the place of trio's random numbers, by which it shuffles the tasks that are ready."""

    def shuffle(self, x: MutableSequence[Any]) -> None:
        pass


@contextmanager
def injected(*, in_order: bool = True) -> Iterator[None]:
    """Let the arena read the stage's clock and draw ids that are the same in every world.

    `in_order`: let it run tasks that are ready in order, too.
    """
    ids = count(1)

    def token_bytes(size: int = 32) -> bytes:
        return next(ids).to_bytes(size, "big")

    with pytest.MonkeyPatch.context() as patch:
        for name, module in list(sys.modules.items()):
            if name.startswith("arena.") and hasattr(module, "monotonic_ns"):
                patch.setattr(module, "monotonic_ns", instant)
        patch.setattr(secrets, "token_bytes", token_bytes)
        patch.setattr(secrets, "token_hex", lambda size=8: token_bytes(size).hex())
        # Trio runs what is ready in random order, on purpose; here it is the same in every run.
        patch.setattr(trio_run, "_ALLOW_DETERMINISTIC_SCHEDULING", True)
        patch.setattr(trio_run, "_r", InOrder(1) if in_order else Random(1))
        yield


class _Handler(logging.Handler):
    def __init__(self, lines: list[str]) -> None:
        super().__init__(logging.DEBUG)
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(f"{record.name} {record.levelname} {record.getMessage()}")


def _written_to(lines: list[str]) -> structlog.typing.Processor:
    def write(_logger: object, _method: str, event: structlog.typing.EventDict) -> str:
        lines.append(json.dumps(event, default=repr))
        return ""

    return write


@contextmanager
def logged(lines: list[str]) -> Iterator[None]:
    """Put every log line of any level into a list, as it would be written, without its time."""
    handler, root = _Handler(lines), logging.getLogger()
    level = root.level
    old = structlog.get_config()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.format_exc_info,
            _written_to(lines),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.NOTSET),
        logger_factory=structlog.ReturnLoggerFactory(),
        cache_logger_on_first_use=False,
    )
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
        structlog.configure(**old)
