"""How a game ended: by its score, by a forfeit, or by the arena (docs/protocol.md, Conduct)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from arena.referee.outcome import GameOutcome
from arena.referee.termination import Termination
from euchre_sdk.game import Session
from euchre_sdk.game.game import places

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arena.referee.outcome import HandRecord, Nonces, Triple
    from arena.referee.seating import Sitter
    from euchre_sdk.game import Format, Game

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


def make_outcome(
    game: Game | None,
    format: Format,
    sitters: Sequence[Sitter],
    hands: tuple[HandRecord, ...],
    nonces: Nonces | None,
) -> GameOutcome:
    """Return how a game ended; `game` is None if it never began."""
    score: Triple = (0, 0, 0) if game is None else game.score
    result = None if game is None else game.result
    first, second, third = (s.forfeit for s in sitters)
    offended = (first is not None, second is not None, third is not None)
    placed: Triple = places(score)
    otherwise = Termination.NORMAL
    if any(offended):
        if isinstance(format, Session):
            score = session_points(hands, offended)
        placed = forfeit_places(score, offended)
    elif result is None:
        otherwise = Termination.VOID
    elif result.is_unfinished:
        placed = (1, 1, 1)
    one, two, three = (s.faults for s in sitters)
    return GameOutcome(
        terminations=(first or otherwise, second or otherwise, third or otherwise),
        points=score,
        places=placed,
        hands=hands,
        nonces=nonces,
        unfinished=result is not None and result.is_unfinished,
        faults=(one, two, three),
    )
