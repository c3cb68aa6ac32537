"""Records as files: which of them a command line means, and what they hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from glob import glob, has_magic
from pathlib import Path

from euchre_sdk.errors import EuchreError
from euchre_sdk.game.record import GameRecord, RecordError
from euchre_sdk.game.record_reading import read_record

SUFFIX = ".jsonl"
_LONGEST_LINE = 1_000_000
"""Bytes; far more than the first line of a record has."""


class RecordFileError(EuchreError):
    """A file that was named is not there or cannot be read."""


def record_files(named: Iterable[str]) -> Iterator[Path]:
    """Yield the files that were named: themselves, by a pattern, or by their directory.

    Raises `RecordFileError` for a name that stands for none.
    """
    for name in named:
        path = Path(name)
        if path.is_dir():
            found = sorted(path.rglob(f"*{SUFFIX}"))
            why = f"the directory {path} holds no *{SUFFIX}."
        elif has_magic(name) and not path.exists():
            found = sorted(map(Path, glob(name, recursive=True)))  # noqa: PTH207 - any pattern
            why = f"no file matches {name}."
        else:
            found = [path] if path.exists() else []
            why = f"there is no file {path}."
        if not found:
            raise RecordFileError(why)
        yield from found


def load_record(path: Path) -> GameRecord:
    """Return the record that a file holds, of a large one only if its first line begins a record.

    Raises `RecordFileError` and `RecordError`.
    """
    try:
        with path.open("rb") as file:
            first = file.readline(_LONGEST_LINE)
            read_record(first)
            return read_record(first + file.read())
    except OSError as error:
        raise RecordFileError(f"cannot read {path}: {error.strerror}.") from error


__all__ = ["RecordError", "RecordFileError", "load_record", "record_files"]
