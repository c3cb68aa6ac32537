"""Pages of lists: their size, and tokens that say where the next one begins."""

from __future__ import annotations

import base64
import binascii

from arena.rpc.errors import invalid

DEFAULT_SIZE = 50
LARGEST_SIZE = 100


def page_size(asked: int | None) -> int:
    """Return how many items a page has. A page may be shorter than asked for, as AIP-158 has it."""
    if asked is None:
        return DEFAULT_SIZE
    if asked < 1:
        raise invalid([f"page_size must be 1 or more, not {asked}"])
    return min(asked, LARGEST_SIZE)


def write_token(kind: str, place: str) -> str:
    """Return the token of the page that begins after a place."""
    return base64.urlsafe_b64encode(f"{kind}:{place}".encode()).decode().rstrip("=")


def read_token(kind: str, token: str | None, *, first: str) -> str:
    """Return the place after which a page begins; `first` where there is no token.

    Raises `RefusedRequestError` for anything that is no token of such a list.
    """
    if not token:
        return first
    try:
        text = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode()
    except (binascii.Error, ValueError):
        text = ""
    found, _, place = text.partition(":")
    if found != kind:
        raise invalid(["page_token must be the next_page_token of the page before"])
    return place


def read_offset(kind: str, token: str | None) -> int:
    """Return how many items come before a page.

    Raises `RefusedRequestError`.
    """
    place = read_token(kind, token, first="0")
    if not (place.isascii() and place.isdigit() and len(place) <= 12):
        raise invalid(["page_token must be the next_page_token of the page before"])
    return int(place)
