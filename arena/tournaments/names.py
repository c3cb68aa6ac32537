"""Which names people may give: harmless in a terminal, a page, a shell, a log and a file name.

There is one alphabet for authors, bots, tournaments and version labels. It has no letter that could
be taken for one of another script, nothing that is invisible or turns the writing round, and no
sign with a meaning for HTML, a shell, a terminal or rich's markup. So nothing need be escaped.
"""

from __future__ import annotations

import re
import unicodedata

from arena.tokens import without_tokens

LONGEST = 32
"""Signs of a name."""
LONGEST_LABEL = 64
"""Signs of a version label."""
ACCEPTED = f"1 to {LONGEST} letters, digits, '_', '-' or '.', beginning with a letter or digit"
ACCEPTED_LABEL = (
    f"1 to {LONGEST_LABEL} letters, digits, '_', '-', '.', '+' or '@', beginning with a letter or "
    "digit"
)
_FOREIGN = re.compile(r"[^A-Za-z0-9_.-]")
_FOREIGN_TO_LABELS = re.compile(r"[^A-Za-z0-9_.+@-]")
_SHOWN = 40
"""Signs of a text that are shown."""


def name_faults(field: str, name: str) -> list[str]:
    """List what is wrong with the name of an author, a bot or a tournament.

    The sign @ is left to house bots, whose names end in their version.

    >>> name_faults("name", "lynx-2")
    []
    """
    return _faults(field, name, ACCEPTED, _FOREIGN, LONGEST)


def label_faults(field: str, label: str) -> list[str]:
    """List what is wrong with a version label.

    >>> label_faults("label", "v1.2+g2414721")
    []
    """
    return _faults(field, label, ACCEPTED_LABEL, _FOREIGN_TO_LABELS, LONGEST_LABEL)


def shown(text: str) -> str:
    r"""Return what somebody sent so that it can be shown anywhere: short, in ASCII, quoted.

    >>> shown("a\x1b[31m")
    "'a\\x1b[31m'"
    """
    told = without_tokens(text[: 10 * _SHOWN])
    return ascii(told if len(told) <= _SHOWN else told[: _SHOWN - 3] + "...")


def _faults(
    field: str, text: str, accepted: str, foreign: re.Pattern[str], longest: int
) -> list[str]:
    """List every fault of a text, each as one sentence without a full stop."""
    if not text:
        return [f"{field} must be {accepted}, but is empty"]
    faults = []
    if len(text) > longest:
        faults.append(f"has {len(text):,} signs")
    if found := foreign.search(text):
        faults.append(f"holds {_called(found[0])}")
    elif not text[0].isalnum():
        faults.append(f"begins with {text[0]!r}")
    return [f"{field} must be {accepted}, but {shown(text)} {fault}" for fault in faults]


def _called(sign: str) -> str:
    r"""Return what a sign is called, so that also an invisible one is told.

    >>> _called("\u202e"), _called("<")
    ('U+202E RIGHT-TO-LEFT OVERRIDE', "'<'")
    """
    if sign == " ":
        return "a space"
    if sign.isascii() and sign.isprintable():
        return f"'{sign}'"
    return f"U+{ord(sign):04X} {unicodedata.name(sign, '')}".rstrip()
