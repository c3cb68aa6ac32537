"""Whether the decks of a record are of the attempts that bots were told of while they were dealt.

The attempt of a hand, (incarnation, retry), enters its deck. The first incarnation is in the offer;
that it is another one, or that a deal was void, is told when it happens. So what a bot wrote down
determines the attempt of every hand that it was told the end of (docs/fair-dealing.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias, TypeGuard

from euchre_sdk.game.dealing import FIRST_INCARNATION
from euchre_sdk.game.record import GameRecord, VerifiableSource
from euchre_sdk.text import shown
from euchre_sdk.verify_problem import Problem

Event: TypeAlias = Mapping[str, Any]
"""One line of receipts."""


class Attempts:
    """Which attempt each seat was told of, line by line of its receipts."""

    def __init__(self) -> None:
        self._told: dict[int, tuple[int, int]] = {}
        """Incarnation and retry by seat; a seat whose receipts do not tell them is not in it."""

    def problems(self, record: GameRecord, event: Event) -> Iterator[Problem]:
        """Take note of a line, and yield where the record has another attempt."""
        seat = event.get("seat")
        if type(seat) is not int:
            return
        told = self._told.get(seat)
        match event["event"]:
            case "start":
                self._told.pop(seat, None)
                incarnation = event.get("incarnation")
                if _is_number(incarnation):
                    self._told[seat] = (incarnation, 0)
                    if incarnation != FIRST_INCARNATION:
                        what = "incarnation that the offer fixed"
                        first = str(FIRST_INCARNATION)
                        yield Problem(
                            line=1,
                            where="first line",
                            what=f"{what}: the bot was told {incarnation}, not {first}",
                            found=str(incarnation),
                            expected=first,
                        )
            case "resumed" if told is not None:
                incarnation, retry = event.get("incarnation"), event.get("retry")
                if _is_number(incarnation) and _is_number(retry):
                    self._told[seat] = (incarnation, retry)
            case "voided" if told is not None:
                self._told[seat] = (told[0], told[1] + 1)
            case "hand" if told is not None:
                self._told[seat] = (told[0], 0)
                yield from _differing(record, event.get("hand"), told)


def _differing(record: GameRecord, number: object, told: tuple[int, int]) -> Iterator[Problem]:
    for line, entry in enumerate(record.hands, 2):
        if entry.void is None and entry.hand_number == number and entry.attempt != told:
            found, right = ("{}.{}".format(*each) for each in (entry.attempt, told))
            yield Problem.disagreement(
                line, f"hand {shown(number)}", "attempt", found, right, gives="the bot"
            )


def receipt_gaps(record: GameRecord, told: Iterable[Event]) -> Iterator[str]:
    """Yield what receipts cannot show: those of an older package or arena tell of no attempts.

    Where every hand was dealt at its first attempt there was nothing to choose.
    """
    if not isinstance(record.source, VerifiableSource):
        return
    if any(event["event"] == "start" and _is_number(event.get("incarnation")) for event in told):
        return
    free = [entry for entry in record.hands if entry.attempt != (FIRST_INCARNATION, 0)]
    if free:
        first = free[0]
        yield (
            f"the receipts do not tell of incarnations and void deals, so nothing shows that hand "
            f"{first.hand_number} had to be dealt as {first.attempt[0]:,}.{first.attempt[1]:,}"
        )


def told_attempts(told: Iterable[Event]) -> Iterator[str]:
    """Yield how often bots were told that a deal would be another one than expected."""
    restarts: set[int] = set()
    voids: dict[object, int] = {}
    for event in told:
        incarnation, seat = event.get("incarnation"), event.get("seat")
        if event["event"] == "resumed" and _is_number(incarnation):
            restarts.add(incarnation)
        elif event["event"] == "voided" and type(seat) is int:
            voids[seat] = voids.get(seat, 0) + 1
    last = max(restarts, default=FIRST_INCARNATION)
    if last > FIRST_INCARNATION:
        yield f"bots were told that the arena was stopped, up to incarnation {last:,}"
    if voids:
        yield f"bots were told of {max(voids.values()):,} void deals"


def _is_number(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value < 2**48
