"""Which names people may give: harmless in a terminal, a page, a shell and a file name."""

from __future__ import annotations

import re

LONGEST = 32
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*")
ACCEPTED = f"1 to {LONGEST} letters, digits, '_', '-' or '.', beginning with a letter or digit"


def name_faults(field: str, name: str) -> list[str]:
    """List what is wrong with the name of an author, a bot or a tournament.

    The sign @ is left to house bots, whose names end in their version.

    >>> name_faults("name", "lynx-2")
    []
    """
    if len(name) <= LONGEST and _NAME.fullmatch(name):
        return []
    return [f"{field} must be {ACCEPTED}, not {shown(name)}"]


def label_faults(field: str, label: str) -> list[str]:
    """List what is wrong with a version label."""
    if len(label) <= LONGEST and _LABEL.fullmatch(label):
        return []
    return [f"{field} must be {ACCEPTED} (also '+'), not {shown(label)}"]


def shown(text: str) -> str:
    r"""Return what somebody sent so that it can be shown anywhere: short, in ASCII, quoted.

    >>> shown("a\x1b[31m")
    "'a\\x1b[31m'"
    """
    cut = text if len(text) <= 40 else text[:37] + "..."
    return ascii(cut)
