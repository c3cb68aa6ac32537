"""Tokens and invitations: how they are made, known again in any text, and kept as hashes.

A token is `euchre_`, whose it is, 43 random letters and digits (256 bits), and six that are the
CRC-32 of all before, as GitHub's are: a scanner for lost secrets finds one by `PATTERN`, and the
sum tells it from what only looks like one. Older tokens without all that are as good as before.
"""

from __future__ import annotations

import os
import re
import secrets
import string
from enum import Enum, unique
from hashlib import sha256
from zlib import crc32


@unique
class TokenKind(Enum):
    """What a token is good for; the value is the part of it that says so."""

    BOT = "bot"
    AUTHOR = "author"
    ORGANISER = "organiser"
    INVITATION = "invitation"


PATTERN = re.compile(r"euchre_(?:bot|author|organiser|invitation)_[0-9A-Za-z]{49}")
"""What every token looks like."""

_DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase
_RANDOM = 43
"""Digits that hold 256 bits."""
_SUM = 6
"""Digits that hold 32 bits."""


def new_token(kind: TokenKind) -> str:
    """Return a fresh token."""
    text = f"euchre_{kind.value}_" + "".join(secrets.choice(_DIGITS) for _ in range(_RANDOM))
    return text + _sum_of(text)


def is_token(text: str) -> bool:
    """Return whether a text is a token by its look and its sum; whether it is good is not told."""
    return PATTERN.fullmatch(text) is not None and text.endswith(_sum_of(text[:-_SUM]))


def bot_environment(token: str) -> dict[str, str]:
    """Return the environment of a bot's process: with its own token, and nothing of the arena's.

    All settings of the arena stay out, the organiser's token (`ARENA_TOKEN`) among them.
    """
    known = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    return {**known, "EUCHRE_TOKEN": token}


def hash_token(token: str) -> bytes:
    """Return what is kept of a token. Tokens are random, so a plain SHA-256 is enough."""
    return sha256(token.encode(errors="surrogatepass")).digest()


def without_tokens(text: str) -> str:
    """Return a text in which of every token only its kind is left.

    >>> without_tokens("said euchre_bot_" + 49 * "x")
    'said euchre_bot_...'
    """
    return PATTERN.sub(_without_secret, text)


def _without_secret(found: re.Match[str]) -> str:
    return found[0][: -(_RANDOM + _SUM)] + "..."


def _sum_of(text: str) -> str:
    rest = crc32(text.encode())
    digits = ""
    for _ in range(_SUM):
        rest, digit = divmod(rest, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits
