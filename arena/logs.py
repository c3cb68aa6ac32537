"""Logging, configured here and nowhere else: for people in a terminal, JSON lines otherwise."""

from __future__ import annotations

import logging
import sys
from typing import TextIO

import structlog


def configure_logs(level: str, *, stream: TextIO = sys.stderr) -> None:
    """Let structlog write to a stream from that level on (`debug`, `info`, `warning`, `error`).

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
        logger_factory=structlog.WriteLoggerFactory(stream),
        cache_logger_on_first_use=False,
    )
