"""Places and points of games that did not end by the score alone (docs/protocol.md, Conduct)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from euchre_sdk.game.game import places

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arena.referee.outcome import HandRecord, Triple

Offended: TypeAlias = tuple[bool, bool, bool]


def forfeit_places(score: Triple, offended: Offended) -> Triple:
    """Return the places when some seats forfeited: they share the last place, the others by score.

    >>> forfeit_places((9, 4, 4), (True, False, False))
    (3, 1, 1)
    >>> forfeit_places((9, 4, 2), (True, True, False))
    (2, 2, 1)
    """
    worst = min(score) - 1
    a, b, c = (worst if gone else own for own, gone in zip(score, offended, strict=True))
    return places((a, b, c))


def session_points(hands: Iterable[HandRecord], offended: Offended) -> Triple:
    """Return the points of a forfeited session: of complete hands, and none for who forfeited."""
    counted = [hand.points for hand in hands if hand.void is None and not hand.in_forfeit]
    a, b, c = (0 if gone else _total(counted, seat) for seat, gone in enumerate(offended))
    return a, b, c


def _total(points: Sequence[Triple], seat: int) -> int:
    return sum(triple[seat] for triple in points)
