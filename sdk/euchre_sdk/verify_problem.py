"""One thing that is wrong with a record: where it stands, what was found, what was expected."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something that a record says and that is not so."""

    line: int
    """From 1; the first line says what was played, the last one how it ended."""
    where: str
    """For people: `hand 3`, `first line`, `result`."""
    what: str
    """What is wrong, in words."""
    found: str = ""
    """What the record says, empty if `what` alone tells it."""
    expected: str = ""
    """What it should say."""

    @property
    def sentence(self) -> str:
        """Where it stands and what is wrong."""
        return f"{self.where}: {self.what}"

    @staticmethod
    def disagreement(
        line: int, where: str, subject: str, found: str, expected: str, *, gives: str = ""
    ) -> Problem:
        """Return that a value is not the expected one; `gives` says what gives that."""
        right = f"{gives} gives {expected}" if gives else f"not {expected}"
        what = f"{subject}: the record says {found}, {right}"
        return Problem(line=line, where=where, what=what, found=found, expected=expected)
