"""Logging, configured here and nowhere else: for people in a terminal, JSON lines otherwise."""

from __future__ import annotations

import logging
import sys
import traceback
from collections import Counter
from collections.abc import MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO, cast

import structlog
from structlog.typing import Processor

from arena.tokens import without_tokens
from euchre_sdk.text import printable

log = structlog.get_logger(__name__)


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


Event = MutableMapping[str, Any]


_PAUSE = 10.0
"""Seconds in which one kind of warning of a library is written once: some of them others can bring
about as often as they like."""
_MOST_KINDS = 256


class Adopted(logging.Handler):
    """Writes what libraries warn of as events of ours.

    Of gRPC's warnings the values are left out: they are what a stranger sent, a spoiled token too.
    """

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._last: dict[tuple[str, str], float] = {}
        self._unwritten: Counter[tuple[str, str]] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record, unless its like has just been written; never raises."""
        kind = (record.name, str(record.msg))
        if 0 <= record.created - self._last.get(kind, -_PAUSE) < _PAUSE:
            self._unwritten[kind] += 1
            return
        if len(self._last) >= _MOST_KINDS:
            self._last.clear()
            self._unwritten.clear()
        self._last[kind] = record.created
        said = kind[1]
        if record.name.partition(".")[0] != "grpc":
            with suppress(Exception):  # a library's mistake in its own warning
                said = record.getMessage()
        log.warning(
            "library_warned",
            library=record.name,
            said=said,
            unwritten=self._unwritten.pop(kind, 0),
            exc_info=record.exc_info,
        )


def where(error: BaseException) -> list[str]:
    """Return what an error is and where it came from, innermost last, without its own words.

    For errors at a table: their words name cards, and the log is read while the hand is played.
    """
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
    return [type(error).__name__, *places]


def configure_logs(level: str, *, stream: TextIO = sys.stderr) -> None:
    """Let structlog write to a stream from that level on (`debug`, `info`, `warning`, `error`).

    A stream that cannot be written, such as a file on a full disk, loses lines and does no harm.
    Tracebacks are written without the values of variables: those may be cards and seeds. Whatever
    looks like a token is cut, and what a terminal would obey is escaped, whoever logged it.
    """
    for_people = stream.isatty()
    render: Processor = (
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        if for_people
        else structlog.processors.JSONRenderer()
    )
    processors: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(
            fmt="%H:%M:%S" if for_people else "iso", utc=not for_people
        ),
    ]
    if not for_people:
        processors.append(structlog.processors.format_exc_info)
    structlog.configure(
        processors=[*processors, _printable_values, _without_tokens(render)],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[level.upper()]
        ),
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", Forgiving(stream))),
        cache_logger_on_first_use=False,
    )
    root = logging.getLogger()
    root.handlers = [handler for handler in root.handlers if not isinstance(handler, Adopted)]
    root.addHandler(Adopted())


def _printable_values(_logger: Any, _method: str, event: Event) -> Event:
    """Escape what a terminal would obey; a traceback keeps its lines."""
    for key, value in event.items():
        if isinstance(value, str) and not value.isprintable():
            event[key] = printable(value)
    return event


def _without_tokens(render: Processor) -> Processor:
    """Return what renders a line and cuts the tokens in it."""

    def rendered(logger: Any, method: str, event: Event) -> str:
        return without_tokens(str(render(logger, method, event)))

    return rendered
