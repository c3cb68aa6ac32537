"""Text of unknown origin made fit for messages, files and terminals.

Bots, records, rule files and the names of files may hold anything: control characters that take a
terminal over, halves of characters that no file can hold, objects whose `repr` raises or is huge.
"""

from __future__ import annotations

import re
import reprlib

LONGEST_SHOWN = 200
"""Characters of a value in a message."""
LONGEST_SAID = 2_000
"""Characters of what an error says for itself."""
LONGEST_TOLD = 20_000
"""Characters of a traceback."""
_MOST_BITS = 128
"""Bits of the largest number that is written out."""


def printable(text: str) -> str:
    r"""Return a text in which everything but lines of visible characters is escaped.

    >>> printable("two\nlines, \x1b[2J and \ud800")
    'two\nlines, \\x1b[2J and \\ud800'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)


def one_line(text: str) -> str:
    r"""Return a text with the ends of its lines escaped, too.

    >>> one_line("two\nlines")
    'two\\nlines'
    """
    return printable(text.replace("\n", "\\n").replace("\t", "\\t"))


def cut(text: str, longest: int) -> str:
    """Return at most so many characters of a text, with its middle left out if it is longer.

    >>> cut("abcdefghij", 5)
    'ab…ij'
    """
    if len(text) <= longest:
        return text
    half = (longest - 1) // 2
    return f"{text[:half]}…{text[-half:]}"


def shown(value: object) -> str:
    """Return a short `repr` on one line without addresses, whatever the value is and does.

    >>> shown([1] * 1000), shown(10**5000)
    ('[1, 1, 1, 1, 1, 1, ...]', 'a number of 16610 bits')
    """
    if type(value) is int and value.bit_length() > _MOST_BITS:
        return f"a number of {value.bit_length()} bits"
    try:
        return one_line(cut(_ADDRESS.sub("", _REPR.repr(value)), LONGEST_SHOWN))
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - somebody else's `__repr__`
        return f"<{one_line(type(value).__name__)} whose repr fails>"


def said_by(error: BaseException) -> str:
    """Return the text of an error, cut and printable, even if its `__str__` fails."""
    try:
        return printable(cut(str(error), LONGEST_SAID))
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - somebody else's `__str__`
        return "<an error whose str fails>"


_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")  # other in every run, of no use to anybody


class _Repr(reprlib.Repr):
    """Looks at a few items of a container and at the ends of anything else."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = self.maxlong = LONGEST_SHOWN


_REPR = _Repr()
