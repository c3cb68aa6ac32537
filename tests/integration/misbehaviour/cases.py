"""What bots do wrong, when, and what the arena has to make of it: one table.

A row is a misdeed and its verdict, with the moments of a hand at which it holds. The usual run
plays so many cases that every two values of any two factors meet (moment, misdeed, clock, format,
seat), which has every misdeed at every moment; the whole product is played on demand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import Enum, unique
from itertools import combinations, product
from typing import Any, TypeAlias

from arena.referee import Conduct, FaultKind, Termination, TimeControl
from euchre_sdk.game import SEATS, STANDARD, Format, RuleSet, Seat, Session, ToTarget
from euchre_sdk.testing.misdeeds import Moment, read_misdeed
from euchre_sdk.testing.wrong_answers import Style

Moments: TypeAlias = frozenset[Moment]
Pair: TypeAlias = tuple[tuple[str, str], tuple[str, str]]


@unique
class Ending(Enum):
    """How a game ends for who misbehaves."""

    PLAYS_ON = "plays on"
    """As if nothing had been."""
    FAULTS = "faults"
    """It forfeits by the faults its row names."""
    TIME = "time"
    """It forfeits by time: it has a stream, and says nothing."""
    VANISHED = "vanished"
    """It has no stream: it forfeits by whatever comes first, its clock or the patience."""
    NEVER_BEGAN = "never began"
    """The game does not start, for nobody."""


@unique
class Clock(Enum):
    """What comes first when a bot is gone."""

    TIME_FIRST = "time-first"
    LOST_FIRST = "lost-first"

    @property
    def control(self) -> TimeControl:
        """Times that a busy machine keeps, and that nobody waits long for."""
        limit = timedelta(seconds=1.5 if self is Clock.TIME_FIRST else 2.2)
        return TimeControl(
            ready=timedelta(seconds=2),
            bank=timedelta(seconds=1.2),
            increment=limit * 0.6,  # whoever takes longer uses the bank
            limit=limit,
        )

    @property
    def conduct(self) -> Conduct:
        """The defaults, but for how long an absent bot is waited for."""
        lost = timedelta(seconds=60 if self is Clock.TIME_FIRST else 1)
        return Conduct(lost=lost)


@unique
class Game(Enum):
    """What is played."""

    SESSION = "session"
    TO_TARGET = "to-target"

    @property
    def format(self) -> Format:
        """Four hands: each seat comes to every moment of a hand in the first three."""
        return Session(4) if self is Game.SESSION else ToTarget()

    @property
    def rules(self) -> RuleSet:
        """The standard rules, for a target that is not reached before the moment comes."""
        return STANDARD if self is Game.SESSION else replace(STANDARD, target=8)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A misdeed, and what becomes of it."""

    deed: str
    """As it is typed after `--do`."""
    ending: Ending
    kind: FaultKind | None = None
    """Of the faults it is charged with, those of an ending by time left out."""
    faults: int = 0
    """How many those are, if it plays on."""
    told: frozenset[str] = frozenset()
    """What the offender must have been told, and nothing else of that sort."""
    times: str = "1"
    away: bool = False
    """Whether it never comes back."""
    thaw: bool = False
    """Whether its process is continued as soon as it is stopped."""
    moments: frozenset[Moment]

    @property
    def name(self) -> str:
        """Names the misdeed."""
        deed = self.deed.replace("=", "").replace("%", "pc")
        times = "" if self.times == "1" else f"-{self.times}"
        return f"{deed}{times}" + ("-away" if self.away else "") + ("-thaw" if self.thaw else "")

    @property
    def clocks(self) -> tuple[Clock, ...]:
        """The clocks under which it is played: who has a stream only ever loses by time."""
        return (Clock.TIME_FIRST,) if self.ending is Ending.TIME else tuple(Clock)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One game in which one bot misbehaves."""

    moment: Moment
    row: Row
    clock: Clock
    game: Game
    seat: Seat

    @property
    def name(self) -> str:
        """Names the case, and the bot that misbehaves in it."""
        row = self.row
        return f"{self.moment.value}-{row.name}-{self.game.value}-{self.clock.value}-{self.seat}"

    @property
    def style(self) -> Style:
        """How the table must play so that the moment comes."""
        return Style.WAITING if self.moment is Moment.NAME else Style.BOLD

    @property
    def has_own_process(self) -> bool:
        """Whether the bot cannot share its process."""
        return read_misdeed(self.moment.value, self.row.deed).deed.ends_process

    @property
    def options(self) -> list[str]:
        """The bot's options on its command line."""
        row = self.row
        return [
            *("--token", self.name, "--label", self.name, "--play", self.style.value),
            *("--when", self.moment.value, "--do", row.deed, "--times", row.times),
            *("--leave-after", "1", "--seed", "1"),
            *(["--stay-away"] if row.away else []),
        ]

    @property
    def terminations(self) -> frozenset[Termination]:
        """How the game may end for the offender."""
        match self.row.ending:
            case Ending.PLAYS_ON:
                return frozenset({Termination.NORMAL})
            case Ending.FAULTS:
                assert self.row.kind is not None
                return frozenset({Termination[self.row.kind.name]})
            case Ending.TIME:
                return frozenset({Termination.TIME})
            case Ending.NEVER_BEGAN:
                return frozenset({Termination.NOT_STARTED})
            case Ending.VANISHED:
                lost = self.clock is Clock.LOST_FIRST
                return frozenset({Termination.LOST if lost else Termination.TIME})


READY, BETWEEN = frozenset({Moment.READY}), frozenset({Moment.BETWEEN_HANDS})
QUESTIONS = frozenset(each for each in Moment if each.is_question) - {Moment.ANY}
IN_GAME = QUESTIONS | BETWEEN
ALWAYS = IN_GAME | READY
YES_OR_NO = frozenset({Moment.BID, Moment.ALONE, Moment.DEFEND_ALONE})
ONE_CARD = frozenset({Moment.EXCHANGE, Moment.LEAD, Moment.FOLLOW})
ILLEGAL, MALFORMED, TIME = FaultKind.ILLEGAL, FaultKind.MALFORMED, FaultKind.TIME


def only(*moments: Moment) -> Moments:
    """Return these moments."""
    return frozenset(moments)


def plays_on(deed: str, *told: str, moments: Moments = ALWAYS, **more: Any) -> Row:
    """Return the row of a misdeed that costs at most a fault."""
    return Row(deed=deed, ending=Ending.PLAYS_ON, told=frozenset(told), moments=moments, **more)


def ends(deed: str, ending: Ending, *told: str, moments: Moments = IN_GAME, **more: Any) -> Row:
    """Return the row of a misdeed that ends the game."""
    return Row(deed=deed, ending=ending, told=frozenset(told), moments=moments, **more)


def gone(deed: str, **more: Any) -> Iterator[Row]:
    """Yield the rows of a bot that is gone: in a game, and before one."""
    yield ends(deed, Ending.VANISHED, **more)
    yield ends(deed, Ending.NEVER_BEGAN, moments=READY, **more)


def refused(
    deed: str, kind: FaultKind, reason: str, *, moments: Moments = QUESTIONS
) -> Iterator[Row]:
    """Yield the rows of an answer that is refused: put right, and given again and again."""
    refusal = f"refused {reason}"
    yield plays_on(deed, refusal, kind=kind, faults=1, moments=moments)
    yield ends(deed, Ending.FAULTS, refusal, kind=kind, times="always", moments=moments)


ROWS: tuple[Row, ...] = (
    # the process
    *gone("crash"),
    *gone("exit"),
    *gone("kill"),
    ends("stop", Ending.TIME),
    ends("stop", Ending.NEVER_BEGAN, moments=READY),
    plays_on("stop", thaw=True),
    # the stream, for good
    *gone("hang-up"),
    *gone("half-close", away=True),
    *gone("huge", away=True),
    *gone("flood", away=True),
    # the stream, and back again
    plays_on("half-close"),
    plays_on("drop"),
    plays_on("reconnect-storm=5"),
    plays_on("huge"),
    plays_on("huge=70000", "goodbye FLOOD"),
    plays_on("garbage", "goodbye BAD_HELLO"),
    plays_on("hello-twice", "goodbye BAD_HELLO"),
    plays_on("flood", "goodbye FLOOD", "dropped UNKNOWN", moments=IN_GAME),
    plays_on("flood", "goodbye FLOOD", moments=READY),
    # beside the game
    plays_on("two-streams"),
    plays_on("take-over", "goodbye TAKEN_OVER"),
    plays_on("connect-only=2"),
    plays_on("leave"),
    # time
    ends(
        "mute",
        Ending.TIME,
    ),
    ends("mute", Ending.NEVER_BEGAN, "withdrawn NOT_READY", moments=READY),
    ends("late", Ending.NEVER_BEGAN, "withdrawn NOT_READY", moments=READY),
    plays_on("slow=70%", moments=QUESTIONS),
    plays_on("slow=101%", "dropped LATE", kind=TIME, faults=1, moments=QUESTIONS),  # by a hair
    plays_on("slow=130%", "dropped LATE", kind=TIME, faults=1, moments=QUESTIONS),
    plays_on("late", "dropped LATE", kind=TIME, faults=1, moments=QUESTIONS),
    ends(
        "late",
        Ending.TIME,
        "dropped LATE",
        times="always",
        moments=only(Moment.FOLLOW),  # what it is asked often enough
    ),
    # answers that belong nowhere
    plays_on("answer-twice", "dropped DUPLICATE", moments=QUESTIONS),
    plays_on("answer-twice", moments=READY),
    plays_on("wrong-seq", "dropped UNKNOWN", moments=QUESTIONS),
    plays_on("other-game", "dropped UNKNOWN", moments=QUESTIONS),
    plays_on("other-game", moments=READY),
    plays_on("unasked", "dropped DUPLICATE", moments=BETWEEN),
    # answers that are refused
    *refused("empty-answer", MALFORMED, "MALFORMED"),
    *refused("unknown-enum", MALFORMED, "MALFORMED"),
    *refused("unknown-card", MALFORMED, "MALFORMED"),
    *refused("same-card-twice", MALFORMED, "MALFORMED"),
    *refused("keep-four", MALFORMED, "MALFORMED"),
    *refused("keep-six", MALFORMED, "MALFORMED"),
    *refused("wrong-kind", ILLEGAL, "WRONG_KIND"),
    *refused(
        "illegal",
        ILLEGAL,
        "WRONG_KIND",
        moments=YES_OR_NO,
    ),
    *refused("illegal", ILLEGAL, "SUIT_TURNED_DOWN", moments=only(Moment.NAME)),
    *refused("illegal", ILLEGAL, "NOT_FIVE_OF_THE_TEN", moments=only(Moment.KEEP_FIVE)),
    *refused(
        "illegal",
        ILLEGAL,
        "CARD_NOT_HELD",
        moments=ONE_CARD,
    ),
    *refused("revoke", ILLEGAL, "MUST_FOLLOW_SUIT", moments=only(Moment.FOLLOW)),
    # what is allowed, of READY and of answers
    plays_on("empty-answer", moments=READY),
    plays_on("short-nonce", moments=READY),
    plays_on("unsupported", moments=QUESTIONS),
)


def usual_cases() -> tuple[Case, ...]:
    """Return cases in which every two values of any two factors meet."""
    cases: list[Case] = []
    met: set[Pair] = set()
    todo = all_cases()
    wanted = {pair for case in todo for pair in pairs(case)}
    by_cell: dict[tuple[Moment, str], list[Case]] = {}
    for case in todo:
        by_cell.setdefault((case.moment, case.row.name), []).append(case)
    while met != wanted:
        for cell in by_cell.values():
            best = max(cell, key=lambda case: len(pairs(case) - met))
            if gained := pairs(best) - met:
                met |= gained
                cases.append(best)
    return tuple(cases)


def all_cases() -> tuple[Case, ...]:
    """Return the whole product."""
    return tuple(
        Case(moment=moment, row=row, clock=clock, game=game, seat=seat)
        for row in ROWS
        for moment in Moment
        if moment in row.moments
        for clock, game, seat in product(row.clocks, Game, SEATS)
    )


def pairs(case: Case) -> set[Pair]:
    """Return every two values that meet in a case."""
    factors = {
        "moment": case.moment.value,
        "misdeed": case.row.name,
        "clock": case.clock.value,
        "game": case.game.value,
        "seat": str(case.seat),
    }
    return set(combinations(factors.items(), 2))
