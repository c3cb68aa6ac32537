"""Blocks: what is played for one trio, the unit in which a schedule and its statistics count.

A trio is three entries in clockwise order. A block seats them so that nothing but strength is left
between them: within a session the deal rotates, so everybody has every position equally often, and
the mirror gives everybody each of the other two as left neighbour; games to a target take all six
seatings. Source: docs/ratings.md, "What a block is".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NewType, TypeAlias, assert_never

from arena.scheduling.errors import ScheduleError
from euchre_sdk.game import Format, Session, ToTarget

EntryId = NewType("EntryId", str)
"""One entry of a tournament: a bot with a version label, under the tournament's own id for it."""

OwnerId = NewType("OwnerId", str)
"""Who answers for a bot."""

BlockId = NewType("BlockId", str)
"""Names a block within its schedule: `c2b17` is number 17 of cycle 2. The same for all attempts."""

Trio: TypeAlias = tuple[EntryId, EntryId, EntryId]
"""Three different entries in clockwise order: seats 0, 1, 2."""

SESSION_HANDS = 30
"""Hands of one session where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry as the schedule sees it."""

    id: EntryId
    owner: OwnerId | None = None
    """None for a bot that answers to nobody, such as a house bot: it may meet everybody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """What is played for one trio. A failed attempt is played again under the same id."""

    id: BlockId
    trio: Trio
    cycle: int
    """1-based pass of the schedule the block belongs to."""
    attempt: int = 1
    """1-based; each attempt has deals of its own."""

    def again(self) -> Block:
        """Return the next attempt of the block, for one that failed through the arena."""
        return replace(self, attempt=self.attempt + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """One game or session of a block: who sits where, and what is played."""

    block_id: BlockId
    attempt: int
    number: int
    """1-based number within the block."""
    seats: Trio
    format: Format


def place_of(block_id: BlockId) -> tuple[int, int]:
    """Return where a block stands: its cycle and its number there.

    >>> place_of(BlockId("c2b17"))
    (2, 17)
    """
    cycle, _, number = block_id.removeprefix("c").partition("b")
    return int(cycle), int(number)


def mirror(trio: Trio) -> Trio:
    """Return the trio seated the other way round: every left neighbour becomes the right one.

    >>> mirror((EntryId("a"), EntryId("b"), EntryId("c")))
    ('c', 'b', 'a')
    """
    first, second, third = trio
    return third, second, first


def seatings(trio: Trio, format: Format) -> tuple[Trio, ...]:
    """Return who sits where in each game or session of a block, in playing order.

    Sessions: the trio and its mirror. Games to the target: all six seatings.
    """
    match format:
        case Session():
            return trio, mirror(trio)
        case ToTarget():
            first, second, third = trio
            rotations = (trio, (second, third, first), (third, first, second))
            return tuple(seats for turn in rotations for seats in (turn, mirror(turn)))
        case _:
            assert_never(format)


def unseated(seats: Trio, number: int) -> Trio:
    """Return the trio of which these are the seats of the game or session of a number.

    >>> unseated((EntryId("c"), EntryId("b"), EntryId("a")), 2)
    ('a', 'b', 'c')
    """
    turns, mirrored = divmod(number - 1, 2)
    first, second, third = mirror(seats) if mirrored else seats
    return ((first, second, third), (third, first, second), (second, third, first))[turns]


def sittings(block: Block, format: Format) -> tuple[Sitting, ...]:
    """Expand a block into what is played for it. Raises `ScheduleError` for an unfair format."""
    if faults := format_faults(format):
        raise ScheduleError(faults)
    return tuple(
        Sitting(block_id=block.id, attempt=block.attempt, number=number, seats=seats, format=format)
        for number, seats in enumerate(seatings(block.trio, format), start=1)
    )


def format_faults(format: object) -> list[str]:
    """List why something is no format that can be scheduled; nothing if it is one."""
    match format:
        case ToTarget():
            return []
        case Session(hands=hands) if hands % 3 == 0:
            return []
        case Session(hands=hands):
            uneven = f"a session of {hands} hands does not give everybody the deal equally often"
            return [f"{uneven}; accepted is a multiple of 3, such as {SESSION_HANDS}"]
        case _:
            return [f"{format!r} is no format; accepted are Session(hands) and ToTarget()"]
