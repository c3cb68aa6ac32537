"""The traceback of a bot's error, cut down to what its author wrote."""

from __future__ import annotations

from pathlib import Path
from traceback import FrameSummary, StackSummary, TracebackException

from euchre_sdk.text import LONGEST_TOLD, cut, printable

_OURS = str(Path(__file__).parent)
_BOTS = str(Path(__file__).parent / "bots")
_MACHINERY = ("<frozen importlib", "<frozen runpy")


def author_traceback(error: BaseException) -> str:
    """Return the traceback as Python prints it, without the frames of this package.

    The frames of the built-in bots stay: they are bots like any other. An error whose frames are
    all ours keeps them all.
    """
    return printable(cut(_told(error), LONGEST_TOLD))


def _told(error: BaseException) -> str:
    told = TracebackException.from_exception(error)
    if isinstance(error, SyntaxError) and not any(map(_is_the_authors, told.stack)):
        return "".join(told.format_exception_only()).rstrip()  # it names the place itself
    _trim(told, set())
    return "".join(told.format()).rstrip()


def _trim(told: TracebackException, seen: set[int]) -> None:
    if id(told) in seen:
        return
    seen.add(id(told))
    kept = [frame for frame in told.stack if _is_the_authors(frame)]
    if kept:
        told.stack = StackSummary.from_list(kept)
    for other in (told.__cause__, told.__context__, *(getattr(told, "exceptions", None) or ())):
        if other is not None:
            _trim(other, seen)


def _is_the_authors(frame: FrameSummary) -> bool:
    if frame.filename.startswith(_MACHINERY):
        return False
    return not frame.filename.startswith(_OURS) or frame.filename.startswith(_BOTS)
