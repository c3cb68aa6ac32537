"""Names that people would take for one another: only one of them may be in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

if TYPE_CHECKING:
    from sqlalchemy import Column, Connection

_SAME = str.maketrans({"I": "l", "1": "l", "O": "o", "0": "o", "-": "_", ".": "_"})


def likeness(name: str) -> frozenset[str]:
    """Return two forms of a name; those of another that looks or sounds the same share one.

    >>> bool(likeness("Iynx_1") & likeness("lynx-l")), bool(likeness("lynx") & likeness("lynx2"))
    (True, False)
    """
    return frozenset((name.lower().translate(_SAME), name.translate(_SAME).lower()))


def taken_by(c: Connection, column: Column[str], name: str) -> str | None:
    """Return the name in use that a new one would be taken for, or None."""
    forms = likeness(name)
    names = (row[0] for row in c.execute(select(column)))
    return next((each for each in names if forms & likeness(each)), None)
