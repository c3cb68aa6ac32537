"""What a bot does wrong in a local game: counted always, described in full for the first few."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, unique
from typing import NamedTuple

from euchre_sdk.author_traceback import author_traceback
from euchre_sdk.errors import EuchreError
from euchre_sdk.game import Action, Seat, View
from euchre_sdk.text import said_by


@unique
class FaultKind(Enum):
    """What a bot did wrong."""

    RAISED = "raised"
    """It raised an exception."""
    ILLEGAL_ACTION = "illegal_action"
    """It returned something that is not a legal action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing a bot did wrong, with all that is needed to look at it."""

    kind: FaultKind
    name: str
    """Name of the bot."""
    seat: Seat | None
    """Where it sat; `None` for a bot that could not be made."""
    hand_number: int
    """The hand of the game, from 1; 0 before the first one."""
    method: str
    """Where it happened: `act` or a hook."""
    sentence: str
    """What was wrong: the exception, or why the action was refused and what is legal."""
    traceback: str
    """The author's own frames; empty for an illegal action."""
    table: str
    """The position as its seat saw it; empty outside `act`."""
    forced: str
    """The action played in its place; empty outside `act`."""
    game: int = 0
    """Number of the game in its series, from 1; 0 for a game on its own."""


class BotFaultError(EuchreError):
    """A bot did wrong where that ends the play."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(f"{fault.name}: {fault.sentence}")
        self.fault = fault

    def __reduce__(self) -> tuple[type[BotFaultError], tuple[Fault]]:
        return type(self), (self.fault,)


class Misstep(NamedTuple):
    """A fault at a decision, as a record notes it."""

    seat: Seat
    decision: int
    """Index into the hand's decisions."""
    kind: FaultKind
    sentence: str


class NotLegalError(Exception):
    """A refused action, told apart from an `IllegalActionError` that a bot raised by itself."""


class FaultBook:
    """Counts the faults of one game and describes the first ones, which is what costs time."""

    def __init__(self, names: Sequence[str], budget: Sequence[int], *, strict: bool) -> None:
        self.names = names
        self.budget = list(budget)
        """How many more faults of each seat to describe."""
        self.strict = strict
        self.counts = [0, 0, 0]
        self.described: list[Fault] = []
        self.missteps: list[Misstep] = []
        """Faults at decisions of the current hand; whoever starts a hand clears them."""

    def add(
        self,
        seat: Seat,
        hand_number: int,
        method: str,
        error: BaseException,
        *,
        view: View | None = None,
        forced: Action | None = None,
    ) -> None:
        """Count a fault of `seat`. Raises `BotFaultError` if that ends the game."""
        self.counts[seat] += 1
        illegal = isinstance(error, NotLegalError)
        kind = FaultKind.ILLEGAL_ACTION if illegal else FaultKind.RAISED
        sentence = str(error) if illegal else _sentence(method, error)
        if view is not None:
            decision = len(view.public.calls) + len(view.public.plays)
            self.missteps.append(Misstep(seat, decision, kind, sentence))
        if not self.budget[seat] and not self.strict:
            return
        self.budget[seat] -= 1
        fault = Fault(
            kind=kind,
            name=self.names[seat],
            seat=seat,
            hand_number=hand_number,
            method=method,
            sentence=sentence,
            traceback="" if illegal else author_traceback(error),
            table="" if view is None else str(view),
            forced="" if forced is None else str(forced),
        )
        if self.strict:
            raise BotFaultError(fault) from error
        self.described.append(fault)


def _sentence(method: str, error: BaseException) -> str:
    text = said_by(error)
    return f"{method} raised {type(error).__name__}" + (f": {text}" if text else "")


def constructor_fault(name: str, error: BaseException) -> Fault:
    """Return the fault of a bot that could not be made for a game."""
    return Fault(
        kind=FaultKind.RAISED,
        name=name,
        seat=None,
        hand_number=0,
        method="__init__",
        sentence=_sentence("making it", error),
        traceback=author_traceback(error),
        table="",
        forced="",
    )
