"""When spectators may see what: a hand when it is complete and old enough, and the end likewise.

Kept in memory, for this run of the arena. What was stored before it began counts as stored when it
began, so that a restart shows nothing too early.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

import trio

DELAY = 30.0
"""Seconds: the age at which something may be seen."""
ALL = 1 << 62
"""More hands than any game has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Released:
    """What may be seen of a game now."""

    hands: int
    """The first so many of its stored hands, void ones counted."""
    over: bool
    """Its end, too."""


@dataclass(slots=True)
class _Course:
    """When the hands of one game were stored, void ones too, in order; seconds on trio's clock."""

    stored: list[float] = field(default_factory=list)
    ended: float | None = None
    changed: trio.Event = field(default_factory=trio.Event)


class Gallery:
    """What may be seen of which game, and the wait for more."""

    def __init__(self) -> None:
        self._opened = trio.current_time()
        self._games: dict[str, _Course] = {}

    def begun(self, game_id: str, *, hands: int) -> None:
        """Note that a game is played on from so many stored hands."""
        course = self._course(game_id)
        course.stored[:] = [self._opened] * hands
        _tell(course)

    def hand_stored(self, game_id: str) -> None:
        """Note that one more hand is stored."""
        course = self._course(game_id)
        course.stored.append(trio.current_time())
        _tell(course)

    def ended(self, game_id: str) -> None:
        """Note that the end of a game is stored, and forget games that ended long ago."""
        course = self._course(game_id)
        course.ended = trio.current_time()
        _tell(course)
        for old in [each for each, its in self._games.items() if _is_old(its.ended)]:
            del self._games[old]

    def released(self, game_id: str, *, over: bool) -> Released:
        """Return what may be seen of a game; `over`: it is stored that it has ended."""
        course = self._games.get(game_id)
        if course is None:  # if it is over, it has been so since before this run, or for long
            seen = over and _is_old(self._opened)
            return Released(hands=ALL if seen else 0, over=seen)
        if _is_old(course.ended):
            return Released(hands=ALL, over=True)
        old = bisect_right(course.stored, trio.current_time() - DELAY)
        return Released(hands=old, over=False)

    async def wait(self, game_id: str, seen: Released, *, over: bool) -> None:
        """Return when there may be more to see of a game than `seen`."""
        course = None if over else self._course(game_id)
        course = self._games.get(game_id, course)
        if course is None:
            await trio.sleep_until(self._opened + DELAY)
            return
        following = course.stored[seen.hands] if seen.hands < len(course.stored) else course.ended
        if following is None:
            await course.changed.wait()
        else:
            await trio.sleep_until(following + DELAY)

    def _course(self, game_id: str) -> _Course:
        return self._games.setdefault(game_id, _Course())


def _tell(course: _Course) -> None:
    course.changed.set()
    course.changed = trio.Event()


def _is_old(instant: float | None) -> bool:
    return instant is not None and instant + DELAY <= trio.current_time()
