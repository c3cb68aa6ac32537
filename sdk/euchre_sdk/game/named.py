"""Integers with names: interned, printed as their notation, kept apart by the type checker.

At run time `Suit(1) == Seat(1)` holds: never put two of these kinds into one mapping or set.
Compare with `is` or `==`; both work within one kind.
"""

from __future__ import annotations

import sys
from typing import Any, ClassVar, Self

from euchre_sdk.errors import EuchreError


class NotationError(EuchreError, ValueError):
    """A text is not the notation of a card, an action or a game."""


class Interned(int):
    """An integer of which there is one object a value, which has a notation."""

    _text: str

    @classmethod
    def _make(cls, number: int, text: str) -> Self:
        member = int.__new__(cls, number)
        member._text = sys.intern(text)
        return member

    def __bool__(self) -> bool:
        """Number 0 is as good as any other: `if view.trump` asks whether there is one."""
        return True

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


class Named(Interned):
    """One of a fixed row of members, numbered from 0; looked up, never made anew."""

    _members: ClassVar[tuple[Any, ...]]

    def __new__(cls, number: int) -> Self:
        """Return the member of a number."""
        if 0 <= number < len(cls._members):
            member: Self = cls._members[number]
            return member
        msg = f"a {cls.__name__.lower()} is 0 to {len(cls._members) - 1}, not {number}"
        raise ValueError(msg)

    def __reduce__(self) -> tuple[type[Self], tuple[int]]:
        return type(self), (int(self),)
