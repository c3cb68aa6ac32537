"""Logging, configured here and nowhere else: for people in a terminal, JSON lines otherwise."""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from typing import TextIO, cast

import structlog


class Forgiving:
    """A stream that loses what cannot be written: a full disk must not end games."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        """Write a text, if that can be done."""
        with suppress(OSError, ValueError):
            self._stream.write(text)

    def flush(self) -> None:
        """Bring what was written to where it belongs, if that can be done."""
        with suppress(OSError, ValueError):
            self._stream.flush()


def configure_logs(level: str, *, stream: TextIO = sys.stderr) -> None:
    """Let structlog write to a stream from that level on (`debug`, `info`, `warning`, `error`).

    A stream that cannot be written, such as a file on a full disk, loses lines and does no harm.
    Tracebacks are written without the values of variables: those may be cards and seeds.
    """
    for_people = stream.isatty()
    render: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        if for_people
        else structlog.processors.JSONRenderer()
    )
    processors: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(
            fmt="%H:%M:%S" if for_people else "iso", utc=not for_people
        ),
    ]
    if not for_people:
        processors.append(structlog.processors.format_exc_info)
    structlog.configure(
        processors=[*processors, render],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[level.upper()]
        ),
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", Forgiving(stream))),
        cache_logger_on_first_use=False,
    )
