"""What a misbehaving bot can do, and when: names, sentences, and what goes with what."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, unique

from euchre_sdk.errors import EuchreError


class MisdeedError(EuchreError, ValueError):
    """A misdeed that cannot be done as it was asked for."""


@unique
class Moment(Enum):
    """When a bot misbehaves."""

    CONNECT = "connect"
    """Before its Hello."""
    READY = "ready"
    """When it is offered a game."""
    BID = "bid"
    """When it may order the turn-up up."""
    NAME = "name"
    """When it may name trump, in the second round."""
    EXCHANGE = "exchange"
    """When it may take the turn-up, as dealer."""
    ALONE = "alone"
    """When it says, as maker, whether it plays alone."""
    KEEP_FIVE = "keep-five"
    """When it keeps five of ten cards."""
    DEFEND_ALONE = "defend-alone"
    """When it says, as defender, whether it plays alone."""
    LEAD = "lead"
    """When it leads to a trick."""
    FOLLOW = "follow"
    """When it follows in a trick."""
    BETWEEN_HANDS = "between-hands"
    """When it is told that a hand is over and the game is not."""
    ANY = "any"
    """At any question."""

    @property
    def is_question(self) -> bool:
        """Whether something is asked of it then."""
        return self not in {Moment.CONNECT, Moment.READY, Moment.BETWEEN_HANDS}


@unique
class Deed(Enum):
    """What a misbehaving bot does. A number after `=` says how much of it."""

    CRASH = "crash"
    """Its process ends at once, with an error."""
    EXIT = "exit"
    """It hangs up properly and its process ends with 0."""
    KILL = "kill"
    """Its process gets SIGKILL."""
    STOP = "stop"
    """Its process gets SIGSTOP; after a SIGCONT it goes on as if nothing had been."""
    HANG_UP = "hang-up"
    """It ends its connection and never comes back; its process goes on."""
    HALF_CLOSE = "half-close"
    """It ends its side of the stream and still listens."""
    DROP = "drop"
    """It cuts the stream and comes back to its link."""
    RECONNECT_STORM = "reconnect-storm"
    """It cuts the stream and comes back, so many times in a row (100)."""
    TWO_STREAMS = "two-streams"
    """It opens a second stream with the same token, and plays on by the first."""
    TAKE_OVER = "take-over"
    """It opens a second stream with the secret of the first, and plays on by the second."""
    CONNECT_ONLY = "connect-only"
    """It opens so many more streams (3) that say nothing, and plays on."""
    HUGE = "huge"
    """It sends one message of so many bytes (5 MiB)."""
    GARBAGE = "garbage"
    """It sends bytes that are no message."""
    HELLO_TWICE = "hello-twice"
    """It says Hello again on the same stream."""
    FLOOD = "flood"
    """It sends so many answers (1000) to questions of nobody, or Readies to offers of nobody."""
    LEAVE = "leave"
    """It says in the middle of a game that it wants no further one. That is allowed."""
    MUTE = "mute"
    """It says nothing from now on."""
    SLOW = "slow"
    """It answers after so many seconds, or after so many per cent of the time it has (90%)."""
    LATE = "late"
    """It answers when it is told that the arena has answered for it."""
    ANSWER_TWICE = "answer-twice"
    """It gives its answer, or its Ready, twice."""
    WRONG_SEQ = "wrong-seq"
    """It answers a question that was never asked."""
    OTHER_GAME = "other-game"
    """It answers in a game that it does not play."""
    UNASKED = "unasked"
    """It answers its last question once more when it is not asked."""
    EMPTY_ANSWER = "empty-answer"
    """It sends an answer, a Ready, or a first message in which nothing is set."""
    UNKNOWN_ENUM = "unknown-enum"
    """It answers with action 99."""
    UNKNOWN_CARD = "unknown-card"
    """It answers with card 99."""
    SAME_CARD_TWICE = "same-card-twice"
    """It keeps five cards, one of them twice."""
    KEEP_FOUR = "keep-four"
    """It keeps four cards."""
    KEEP_SIX = "keep-six"
    """It keeps six cards."""
    WRONG_KIND = "wrong-kind"
    """It answers another kind of question than it was asked."""
    ILLEGAL = "illegal"
    """It takes what the rules do not allow it: a card it does not hold, a suit turned down."""
    REVOKE = "revoke"
    """It plays a card it holds, and does not follow suit."""
    UNSUPPORTED = "unsupported"
    """It says that it does not know the kind of question. That is allowed."""
    SHORT_NONCE = "short-nonce"
    """It sends a Ready with 16 random bytes; 32 are asked for."""

    @property
    def ends_process(self) -> bool:
        """Whether it needs a process of its own."""
        return self in PROCESS


PROCESS = frozenset({Deed.CRASH, Deed.EXIT, Deed.KILL, Deed.STOP})
"""Done to the process."""
STREAM = frozenset(
    {
        Deed.HANG_UP,
        Deed.HALF_CLOSE,
        Deed.DROP,
        Deed.RECONNECT_STORM,
        Deed.TWO_STREAMS,
        Deed.TAKE_OVER,
        Deed.CONNECT_ONLY,
        Deed.HUGE,
        Deed.GARBAGE,
        Deed.HELLO_TWICE,
        Deed.FLOOD,
        Deed.LEAVE,
    }
)
"""Done to the stream."""
REFUSED = frozenset(
    {
        Deed.EMPTY_ANSWER,
        Deed.UNKNOWN_ENUM,
        Deed.UNKNOWN_CARD,
        Deed.SAME_CARD_TWICE,
        Deed.KEEP_FOUR,
        Deed.KEEP_SIX,
        Deed.WRONG_KIND,
        Deed.ILLEGAL,
        Deed.REVOKE,
    }
)
"""Wrong answers to the question that is open: each is refused and is a fault."""
ASTRAY = frozenset({Deed.WRONG_SEQ, Deed.OTHER_GAME})
"""Answers that belong to no open question: each is dropped."""

_CONNECT = frozenset({Deed.MUTE, Deed.HALF_CLOSE, Deed.HUGE, Deed.GARBAGE, Deed.EMPTY_ANSWER})
_READY = frozenset(
    {
        Deed.MUTE,
        Deed.LATE,
        Deed.ANSWER_TWICE,
        Deed.OTHER_GAME,
        Deed.EMPTY_ANSWER,
        Deed.SHORT_NONCE,
    }
)
_FITTING = {
    Moment.CONNECT: PROCESS | {Deed.HANG_UP} | _CONNECT,
    Moment.READY: PROCESS | STREAM | _READY,
    Moment.BETWEEN_HANDS: PROCESS | STREAM | {Deed.MUTE, Deed.UNASKED},
}
_AMOUNTS = {
    Deed.RECONNECT_STORM: 100,
    Deed.CONNECT_ONLY: 3,
    Deed.HUGE: 5 * 1024 * 1024,
    Deed.FLOOD: 1000,
}
_SLOW = "90%"
_TIME = re.compile(r"(?P<number>\d+(\.\d+)?)(?P<unit>%|s|ms)?")


def fits(deed: Deed, moment: Moment) -> bool:
    """Return whether a deed makes sense at a moment."""
    if not moment.is_question:
        return deed in _FITTING[moment]
    if deed is Deed.REVOKE:
        return moment in {Moment.FOLLOW, Moment.ANY}
    return deed not in {Deed.UNASKED, Deed.SHORT_NONCE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Misdeed:
    """One kind of misbehaviour of one bot."""

    moment: Moment
    deed: Deed
    amount: int = 1
    """How many streams, answers or bytes."""
    seconds: float | None = None
    """How slow, if that is so many seconds."""
    share: float = 0.9
    """How slow otherwise, as a share of the time there is."""
    times: int | None = 1
    """How many such moments are used; None for every one."""
    from_hand: int = 1
    """Before this hand it behaves."""

    def __post_init__(self) -> None:
        if not fits(self.deed, self.moment):
            fitting = " ".join(deed.value for deed in Deed if fits(deed, self.moment))
            raise MisdeedError(
                f"{self.deed.value} makes no sense at {self.moment.value}; what does: {fitting}"
            )


def read_misdeed(moment: str, deed: str, *, times: int | None = 1, from_hand: int = 1) -> Misdeed:
    """Return the misdeed of two words such as "lead" and "slow=110%".

    Raises `MisdeedError`.
    """
    name, equals, much = deed.partition("=")
    when = next((each for each in Moment if each.value == moment), None)
    what = next((each for each in Deed if each.value == name), None)
    if when is None:
        raise MisdeedError(f"no moment is called {moment!r}; there are {_names(Moment)}")
    if what is None:
        raise MisdeedError(f"no misdeed is called {name!r}; there are {_names(Deed)}")
    amount, seconds, share = _AMOUNTS.get(what, 1), None, 0.9
    if what is Deed.SLOW:
        seconds, share = _read_time(much or _SLOW)
    elif equals:
        if what not in _AMOUNTS:
            raise MisdeedError(f"{name} takes no amount, and {much!r} was given")
        if not (much.isascii() and much.isdigit() and 0 < int(much) <= 1 << 30):
            raise MisdeedError(f"{name} takes a whole number from 1, not {much!r}")
        amount = int(much)
    return Misdeed(
        moment=when,
        deed=what,
        amount=amount,
        seconds=seconds,
        share=share,
        times=times,
        from_hand=from_hand,
    )


def _read_time(text: str) -> tuple[float | None, float]:
    """Return seconds, or None and a share.

    >>> _read_time("1.5"), _read_time("20ms"), _read_time("110%")
    ((1.5, 0.0), (0.02, 0.0), (None, 1.1))
    """
    match = _TIME.fullmatch(text)
    if match is None:
        raise MisdeedError(f"slow takes a time such as 1.5s, 20ms or 110%, not {text!r}")
    number = float(match["number"])
    if match["unit"] == "%":
        return None, number / 100
    return number / (1000 if match["unit"] == "ms" else 1), 0.0


def _names(kind: type[Enum]) -> str:
    return " ".join(each.value for each in kind)
