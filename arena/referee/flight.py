"""What went in and out of one seat of one game: evidence for the owner of its bot alone.

An ordinary answer costs one append: what is put down of it are numbers, and references to bytes
that are there anyhow. Which of them were an answer's own, in which order things happened, and what
is left out is worked out when somebody looks. Refusals, forced moves and what led to them are
always kept; of the rest there is only so much (docs/adr).

Holds nothing that the seat was not told or did not say. Instants are nanoseconds on the clock of
the table, those of entries microseconds since the recorder was made.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, replace
from enum import Enum, unique
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from arena.referee.outputs import Question
    from euchre_sdk.game import Action

ANSWERS = 32
"""Accepted answers that are remembered, the newest: four or five hands."""
NOTICES = 16
"""Ordinary notices that are remembered, the newest."""
ENDS = 32
"""Dropped answers and events of the connection: so many of the first and of the newest."""
MOST_ALWAYS = 1500
"""Entries that are kept whatever comes, far more than a usual limit of faults lets there be; beyond
them the first and the newest are, too."""
LONGEST = 512
"""Bytes that are kept of one message; an honest answer has some twenty."""
_LARGE = 1024
"""Bytes of a request from which on an answer is cut out of it at once."""
Pick: TypeAlias = "Callable[[bytes, int], tuple[bytes, int]]"
"""Cuts an answer, by its index, out of the request it came in: what may be kept, and its size."""
_Heard: TypeAlias = "tuple[bytes | None, int | None, int, bytes, int, int, Action | None]"
"""Question as sent and its departure, seq, request, index in it (if negative: the bytes are cut out
already, and this is their size), arrival, action."""


@unique
class FlightKind(Enum):
    """What an entry is."""

    QUESTION = "question"
    """Bytes of a Question, as sent."""
    ANSWER = "answer"
    """Bytes of an Answer, as received."""
    NOTICE = "notice"
    """Bytes of a Notice, as sent."""
    EVENT = "event"
    """Something about the connection; without bytes."""


@unique
class Weight(Enum):
    """How useful an entry is when there is too much."""

    ALWAYS = "always"
    """Refusals, forced moves, forfeits, and the questions they are about."""
    ODD = "odd"
    """Dropped answers, what happened to the connection, and moves made without a fault."""
    ORDINARY = "ordinary"


@dataclass(frozen=True, slots=True, kw_only=True)
class FlightEntry:
    """One thing that went in or out, and what the referee made of it."""

    at_us: int
    kind: FlightKind
    weight: Weight
    seq: int | None = None
    """The question asked or answered."""
    raw: bytes = b""
    """As it crossed the wire; of a longer one, the first `LONGEST` bytes."""
    size: int = 0
    """Bytes it had."""
    action: str | None = None
    """What was understood, or was played for the seat, in notation."""
    verdict: str | None = None
    """`accepted`, or the name of a reason; of an event, what happened."""
    why: str | None = None
    """The verdict for people, as they were told."""
    charged_us: int | None = None
    """Microseconds from the departure of the question to the arrival of the answer."""

    @property
    def is_refusal(self) -> bool:
        """Whether it is an answer that was refused: those are told why."""
        return self.kind is FlightKind.ANSWER and self.why is not None

    @property
    def is_forced_move(self) -> bool:
        """Whether it tells the bot of a move that was made for it."""
        return self.kind is FlightKind.NOTICE and self.action is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class FlightRecord:
    """What is known of one seat, oldest first, and how much is not."""

    entries: tuple[FlightEntry, ...]
    accepted_left_out: int = 0
    notices_left_out: int = 0
    odd_left_out: int = 0
    """Dropped answers and events of the connection that are missing."""

    def only_always(self) -> FlightRecord:
        """Return the record without what may go when there is too much of all records."""
        gone = Counter(entry.kind for entry in self.entries if entry.weight is Weight.ORDINARY)
        odd = sum(entry.weight is Weight.ODD for entry in self.entries)
        return replace(
            self,
            entries=tuple(entry for entry in self.entries if entry.weight is Weight.ALWAYS),
            accepted_left_out=self.accepted_left_out + gone[FlightKind.ANSWER],
            notices_left_out=self.notices_left_out + gone[FlightKind.NOTICE],
            odd_left_out=self.odd_left_out + odd,
        )


class _Ends:
    """The first and the newest of a row of things."""

    __slots__ = ("_first", "_last", "total")

    def __init__(self) -> None:
        self._first: list[FlightEntry] = []
        self._last: deque[FlightEntry] = deque(maxlen=ENDS)
        self.total = 0

    def add(self, entry: FlightEntry) -> None:
        self.total += 1
        (self._first if len(self._first) < ENDS else self._last).append(entry)

    def __iter__(self) -> Iterator[FlightEntry]:
        yield from self._first
        yield from self._last

    @property
    def left_out(self) -> int:
        return self.total - len(self._first) - len(self._last)


class Flight:
    """Records one seat in one run of the arena."""

    __slots__ = (
        "_always",
        "_answered",
        "_answers",
        "_began",
        "_notices",
        "_odd",
        "_pick",
        "_questioned",
        "_told",
        "asked",
        "revision",
        "urgent",
    )

    def __init__(self, *, began: int, pick: Pick) -> None:
        self.asked: Question | None = None
        """The last question that the table asked this seat; set by whoever sends it."""
        self.revision = 0
        """Counts what is not ordinary play: 0 as long as there is nothing to be kept."""
        self.urgent = 0
        """Counts what must outlive a crash; faults bound it, so that it may be stored at once."""
        self._began = began
        self._pick = pick
        self._answers: deque[_Heard] = deque(maxlen=ANSWERS)
        self._answered = 0
        self._notices: deque[tuple[bytes, int]] = deque(maxlen=NOTICES)
        self._told = 0
        self._always: list[FlightEntry] = []
        self._odd = _Ends()
        self._questioned = 0
        """The last question that is kept: an answer to it may be refused more than once."""

    # -- what happens

    def heard(
        self, question: Question, data: bytes, index: int, arrived: int, action: Action | None
    ) -> None:
        """Put down an answer before the table is told: number `index` of the request `data`."""
        if len(data) > _LARGE:
            data, index = self._cut(data, index)
        sent, departed = question.sent, question.departure.at
        self._answers.append((sent, departed, question.seq, data, index, arrived, action))
        self._answered += 1

    def strayed(self, seq: int, data: bytes, index: int, arrived: int) -> None:
        """Put down an answer that belongs to no open question, before the table is told."""
        if len(data) > _LARGE:
            data, index = self._cut(data, index)
        self._answers.append((None, None, seq, data, index, arrived, None))
        self._answered += 1

    def refused(self, reason: str, why: str, notice: bytes, now: int) -> None:
        """Judge the answer heard last: it was refused, and this is how it was told."""
        heard = self._take_back()
        self._keep_question(heard, Weight.ALWAYS)
        self._keep(
            self._answer(heard, Weight.ALWAYS, verdict=reason, why=why),
            self._notice(notice, now, Weight.ALWAYS, seq=heard[2], verdict=reason),
        )

    def dropped(self, reason: str, notice: bytes, now: int) -> None:
        """Judge the answer heard last: it was not looked at."""
        heard = self._take_back()
        self._keep(
            self._answer(heard, Weight.ODD, verdict=reason),
            self._notice(notice, now, Weight.ODD, seq=heard[2], verdict=reason),
        )

    def unsupported(self, reason: str) -> None:
        """Judge the answer heard last: the bot's software does not know the question."""
        heard = self._take_back()
        self._keep_question(heard, Weight.ODD)
        self._keep(self._answer(heard, Weight.ODD, verdict=reason))

    def forced(
        self,
        seq: int,
        cause: str,
        action: Action,
        notice: bytes,
        now: int,
        *,
        weight: Weight = Weight.ALWAYS,
    ) -> None:
        """Put down that the referee decided question `seq`; without a fault it is only odd."""
        question = self.asked
        if question is not None and question.seq == seq:
            departed = question.departure.at
            left = question.asked if departed is None else departed
            self._keep_question((question.sent, left, seq, b"", 0, now, None), weight)
        told = self._notice(notice, now, weight, seq=seq, verdict=cause)
        self._keep(replace(told, action=str(action)))

    def told(self, notice: bytes, now: int) -> None:
        """Put down a notice about ordinary play."""
        self._notices.append((notice, now))
        self._told += 1

    def ended(self, verdict: str, notice: bytes, now: int) -> None:
        """Put down that the game was ended, or not begun, on account of this seat."""
        self._keep(self._notice(notice, now, Weight.ALWAYS, verdict=verdict))

    def happened(
        self, what: str, now: int, *, why: str | None = None, weight: Weight = Weight.ODD
    ) -> None:
        """Put down what happened to the connection."""
        at = self._at(now)
        self._keep(
            FlightEntry(at_us=at, kind=FlightKind.EVENT, weight=weight, verdict=what, why=why)
        )

    def asked_again(self, seq: int, sent: bytes, now: int) -> None:
        """Put down that a question was sent again, to a bot that came back."""
        self._odd.add(self._sent(FlightKind.QUESTION, sent, now, Weight.ODD, seq=seq))

    # -- what there is

    def record(self) -> FlightRecord:
        """Return what is known so far."""
        entries = list(self._always)
        entries += [self._notice(sent, at, Weight.ORDINARY) for sent, at in self._notices]
        kept = (*self._always, *self._odd)
        shown = {entry.seq for entry in kept if entry.kind is FlightKind.QUESTION}
        for heard in self._answers:
            if heard[0] is not None and heard[2] not in shown:
                entries.append(self._question(heard, Weight.ORDINARY))
            entries.append(self._answer(heard, Weight.ORDINARY, verdict="accepted"))
            shown.add(heard[2])
        if (question := self.asked) is not None and question.sent and question.seq not in shown:
            left = question.departure.at or question.asked
            entries.append(
                self._sent(
                    FlightKind.QUESTION, question.sent, left, Weight.ORDINARY, seq=question.seq
                )
            )
        entries += self._odd  # after what came in the same request and was accepted
        entries.sort(key=lambda entry: entry.at_us)  # stable
        return FlightRecord(
            entries=tuple(entries),
            accepted_left_out=self._answered - len(self._answers),
            notices_left_out=self._told - len(self._notices),
            odd_left_out=self._odd.left_out,
        )

    # -- entries

    def _keep(self, *entries: FlightEntry) -> None:
        for entry in entries:
            if entry.weight is Weight.ALWAYS and len(self._always) < MOST_ALWAYS:
                self._always.append(entry)
                self.urgent += 1
            else:
                self._odd.add(entry)
            self.revision += entry.weight is not Weight.ORDINARY

    def _keep_question(self, heard: _Heard, weight: Weight) -> None:
        """Keep the question an answer was given to, unless it is kept already or never left."""
        if heard[0] is not None and heard[2] != self._questioned:
            self._questioned = heard[2]
            self._keep(self._question(heard, weight))

    def _cut(self, data: bytes, index: int) -> tuple[bytes, int]:
        """Return what is kept of an answer of a large request, and its size as a negative index."""
        raw, size = self._pick(data, index)
        return raw[:LONGEST], -size

    def _take_back(self) -> _Heard:
        self._answered -= 1
        return self._answers.pop()

    def _at(self, instant: int) -> int:
        return max(0, instant - self._began) // 1_000

    def _question(self, heard: _Heard, weight: Weight) -> FlightEntry:
        sent, departed, seq, _, _, arrived, _ = heard
        left = arrived if departed is None else departed
        return self._sent(FlightKind.QUESTION, sent or b"", left, weight, seq=seq)

    def _answer(
        self, heard: _Heard, weight: Weight, *, verdict: str, why: str | None = None
    ) -> FlightEntry:
        _, departed, seq, data, index, arrived, action = heard
        raw, size = (data, -index) if index < 0 else self._pick(data, index)
        return FlightEntry(
            at_us=self._at(arrived),
            kind=FlightKind.ANSWER,
            weight=weight,
            seq=seq,
            raw=raw[:LONGEST],
            size=size,
            action=None if action is None else str(action),
            verdict=verdict,
            why=why,
            charged_us=None if departed is None else max(0, arrived - departed) // 1_000,
        )

    def _notice(
        self,
        sent: bytes,
        now: int,
        weight: Weight,
        *,
        seq: int | None = None,
        verdict: str | None = None,
    ) -> FlightEntry:
        return self._sent(FlightKind.NOTICE, sent, now, weight, seq=seq, verdict=verdict)

    def _sent(
        self,
        kind: FlightKind,
        sent: bytes,
        now: int,
        weight: Weight,
        *,
        seq: int | None = None,
        verdict: str | None = None,
    ) -> FlightEntry:
        return FlightEntry(
            at_us=self._at(now),
            kind=kind,
            weight=weight,
            seq=seq,
            raw=sent[:LONGEST],
            size=len(sent),
            verdict=verdict,
        )
