"""Cards, kinds, rule sets and times between the rules and `euchre.v1`, by tables, both ways.

Reading is total: whatever a peer sends either becomes a value of the rules or is refused with a
`MalformedMessageError`. The names `read_…` and `write_…` are from the SDK's point of view.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from enum import Enum, unique
from typing import Any, TypeVar

from google.protobuf.duration_pb2 import Duration

from euchre.v1 import types_pb2 as pb
from euchre_sdk.errors import EuchreError
from euchre_sdk.game import (
    CARDS,
    SEATS,
    SUITS,
    Action,
    Card,
    Format,
    Kind,
    MakerPlay,
    RuleSet,
    RuleSetError,
    Seat,
    Session,
    Suit,
    ToTarget,
    TurnUp,
)
from euchre_sdk.game.rules import (
    OPTIONS,
    AloneTiming,
    DealPattern,
    Exchange,
    FirstDealer,
    JokerTurnedUp,
    LeadRule,
    TieRule,
)


@unique
class Malformed(Enum):
    """What is wrong with a message that means nothing."""

    UNKNOWN_VALUE = "unknown_value"
    """An enum value or a number that this revision does not know, or none at all."""
    MISSING = "missing"
    """Something that must be there is not."""
    WRONG_LENGTH = "wrong_length"
    """A list or bytes of a length that cannot be."""
    REPEATED_CARD = "repeated_card"
    """A card twice where a pack holds it once."""
    NOT_TAKEN = "not_taken"
    """Something is there that this kind of message does not take."""
    IMPOSSIBLE = "impossible"
    """The parts contradict each other."""


class MalformedMessageError(EuchreError, ValueError):
    """A message of the protocol that means nothing. Its sender's fault; nothing has happened."""

    def __init__(self, reason: Malformed, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


T = TypeVar("T")


def read_value(table: Mapping[int, T], number: int, what: str) -> T:
    """Return the value a number of the wire stands for. Raises `MalformedMessageError`."""
    value = table.get(number)
    if value is None:
        sentence = f"no {what} has the number {number}"
        raise MalformedMessageError(Malformed.UNKNOWN_VALUE, sentence)
    return value


def reverse(table: Mapping[T, int]) -> dict[int, T]:
    """Return a table for the other direction; both directions must be unambiguous."""
    turned = {number: value for value, number in table.items()}
    assert len(turned) == len(table)  # two values would share a number
    assert pb.CARD_UNSPECIFIED not in turned  # zero means "not set" in every enum
    return turned


CARD_BY_NUMBER = {card + 1: card for card in CARDS}
SUIT_BY_NUMBER = {suit + 1: suit for suit in SUITS}
SEAT_BY_NUMBER = {int(seat): seat for seat in SEATS}

KIND_NUMBER: dict[Kind, pb.QuestionKind.ValueType] = {
    Kind.ORDER_UP: pb.QUESTION_KIND_ORDER_UP,
    Kind.NAME_TRUMP: pb.QUESTION_KIND_NAME_TRUMP,
    Kind.EXCHANGE: pb.QUESTION_KIND_EXCHANGE,
    Kind.MAKER_ALONE: pb.QUESTION_KIND_MAKER_ALONE,
    Kind.KEEP_FIVE: pb.QUESTION_KIND_KEEP_FIVE,
    Kind.DEFEND_ALONE: pb.QUESTION_KIND_DEFEND_ALONE,
    Kind.PLAY: pb.QUESTION_KIND_PLAY,
}
KIND_BY_NUMBER = reverse(KIND_NUMBER)

TURN_UP_NUMBER: dict[TurnUp, pb.TurnUpState.ValueType] = {
    TurnUp.UP: pb.TURN_UP_STATE_UP,
    TurnUp.ORDERED: pb.TURN_UP_STATE_ORDERED,
    TurnUp.TAKEN: pb.TURN_UP_STATE_TAKEN,
    TurnUp.DECLINED: pb.TURN_UP_STATE_DECLINED,
    TurnUp.TURNED_DOWN: pb.TURN_UP_STATE_TURNED_DOWN,
}
TURN_UP_BY_NUMBER = reverse(TURN_UP_NUMBER)

MAKER_PLAY_NUMBER: dict[MakerPlay, pb.MakerPlay.ValueType] = {
    MakerPlay.ALONE: pb.MAKER_PLAY_ALONE,
    MakerPlay.WITH_DUMMY: pb.MAKER_PLAY_WITH_DUMMY,
}
MAKER_PLAY_BY_NUMBER = reverse(MAKER_PLAY_NUMBER)

# What is said and shown in public before the play, without its suit: a name's suit is trump.
CALL_NUMBER: dict[Action, pb.ActionKind.ValueType] = {
    Action.PASS: pb.ACTION_KIND_PASS,
    Action.ORDER_UP: pb.ACTION_KIND_ORDER_UP,
    Action.ORDER_UP_ALONE: pb.ACTION_KIND_ORDER_UP_ALONE,
    **{Action.name_trump(suit): pb.ACTION_KIND_NAME_TRUMP for suit in SUITS},
    **{Action.name_trump_alone(suit): pb.ACTION_KIND_NAME_TRUMP_ALONE for suit in SUITS},
    Action.DECLINE: pb.ACTION_KIND_DECLINE,
    Action.TAKE: pb.ACTION_KIND_EXCHANGE,
    Action.ALONE: pb.ACTION_KIND_ALONE,
    Action.WITH_DUMMY: pb.ACTION_KIND_WITH_DUMMY,
    Action.COMBINE: pb.ACTION_KIND_KEEP_FIVE,
    Action.TOGETHER: pb.ACTION_KIND_TOGETHER,
}

SIMPLE_ACTION: dict[int, Action] = {
    pb.ACTION_KIND_PASS: Action.PASS,
    pb.ACTION_KIND_ORDER_UP: Action.ORDER_UP,
    pb.ACTION_KIND_ORDER_UP_ALONE: Action.ORDER_UP_ALONE,
    pb.ACTION_KIND_DECLINE: Action.DECLINE,
    pb.ACTION_KIND_ALONE: Action.ALONE,
    pb.ACTION_KIND_WITH_DUMMY: Action.WITH_DUMMY,
    pb.ACTION_KIND_TOGETHER: Action.TOGETHER,
}
"""Actions that are their kind alone."""
SUIT_ACTION: dict[int, tuple[Action, ...]] = {
    pb.ACTION_KIND_NAME_TRUMP: tuple(Action.name_trump(suit) for suit in SUITS),
    pb.ACTION_KIND_NAME_TRUMP_ALONE: tuple(Action.name_trump_alone(suit) for suit in SUITS),
}
"""Actions that are a kind and a suit."""
PUBLIC_FACE: dict[int, Action] = {
    pb.ACTION_KIND_EXCHANGE: Action.TAKE,
    pb.ACTION_KIND_KEEP_FIVE: Action.COMBINE,
}
"""What the others see of actions with hidden cards."""

_OPTION_NUMBERS: dict[type[Enum], dict[Any, int]] = {
    FirstDealer: {
        FirstDealer.RANDOM: pb.FIRST_DEALER_RANDOM,
        FirstDealer.DRAW_LOW: pb.FIRST_DEALER_DRAW_LOW,
    },
    DealPattern: {
        DealPattern.P32: pb.DEAL_PATTERN_P32,
        DealPattern.P23: pb.DEAL_PATTERN_P23,
        DealPattern.ALT32: pb.DEAL_PATTERN_ALT32,
        DealPattern.ALT23: pb.DEAL_PATTERN_ALT23,
        DealPattern.SINGLES: pb.DEAL_PATTERN_SINGLES,
    },
    JokerTurnedUp: {
        JokerTurnedUp.BLIND: pb.JOKER_TURNED_UP_BLIND,
        JokerTurnedUp.SEEN: pb.JOKER_TURNED_UP_SEEN,
    },
    Exchange: {
        Exchange.OPTIONAL: pb.EXCHANGE_OPTIONAL,
        Exchange.REQUIRED: pb.EXCHANGE_REQUIRED,
    },
    AloneTiming: {
        AloneTiming.AFTER_EXCHANGE: pb.ALONE_TIMING_AFTER_EXCHANGE,
        AloneTiming.WITH_BID: pb.ALONE_TIMING_WITH_BID,
    },
    LeadRule: {
        LeadRule.LEFT_OF_LONER: pb.LEAD_RULE_LEFT_OF_LONER,
        LeadRule.LEFT_OF_DEALER: pb.LEAD_RULE_LEFT_OF_DEALER,
    },
    TieRule: {
        TieRule.PLAY_ON: pb.TIE_RULE_PLAY_ON,
        TieRule.SHARED: pb.TIE_RULE_SHARED,
    },
}
_OPTION_VALUES = {kind: reverse(table) for kind, table in _OPTION_NUMBERS.items()}


def write_rules(rules: RuleSet) -> pb.RuleSet:
    """Return a rule set as a message."""
    message = pb.RuleSet()
    for option in OPTIONS:
        value = getattr(rules, option.name)
        numbers = _OPTION_NUMBERS.get(type(value))
        setattr(message, option.name, value if numbers is None else numbers[value])
    return message


def read_rules(message: pb.RuleSet) -> RuleSet:
    """Return the rule set of a message. Raises `MalformedMessageError`."""
    options: dict[str, Any] = {}
    for option in OPTIONS:
        number = getattr(message, option.name)
        values = _OPTION_VALUES.get(type(option.default))
        options[option.name] = number if values is None else read_value(values, number, option.name)
    try:
        return RuleSet(**options)
    except RuleSetError as error:
        raise MalformedMessageError(Malformed.IMPOSSIBLE, f"rule set: {error}") from error


def write_format(format: Format) -> pb.Format:
    """Return a format as a message."""
    if isinstance(format, Session):
        return pb.Format(session=pb.Session(hands=format.hands))
    return pb.Format(to_target=pb.ToTarget())


def read_format(message: pb.Format) -> Format:
    """Return the format of a message. Raises `MalformedMessageError`."""
    match message.WhichOneof("kind"):
        case "to_target":
            return ToTarget()
        case "session":
            return read_session(message.session.hands)
        case _:
            sentence = "a format is a game to the target or a session; neither is set"
            raise MalformedMessageError(Malformed.MISSING, sentence)


def read_session(hands: int) -> Session:
    """Return a session of so many hands. Raises `MalformedMessageError`."""
    try:
        return Session(hands)
    except RuleSetError as error:
        raise MalformedMessageError(Malformed.IMPOSSIBLE, str(error)) from error


def write_duration(time: timedelta) -> Duration:
    """Return a time as a message."""
    # the arithmetic of `Duration.FromTimedelta`, which takes five times as long
    return (
        Duration(seconds=time.days * 86_400 + time.seconds, nanos=time.microseconds * 1_000)
        if time.days >= 0
        else _write_negative(time)
    )


def _write_negative(time: timedelta) -> Duration:
    message = Duration()
    message.FromTimedelta(time)
    return message


def read_duration(message: Duration) -> timedelta:
    """Return the time of a message, to the microsecond. Raises `MalformedMessageError`."""
    try:
        return timedelta(0, message.seconds, message.nanos // 1_000)
    except OverflowError as error:
        sentence = f"no time is {message.seconds} s"
        raise MalformedMessageError(Malformed.UNKNOWN_VALUE, sentence) from error


def read_card(number: int) -> Card:
    """Return a card. Raises `MalformedMessageError`."""
    return read_value(CARD_BY_NUMBER, number, "card")


def read_cards(numbers: Iterable[int]) -> tuple[Card, ...]:
    """Return cards in the order sent. Raises `MalformedMessageError`, also for a card twice."""
    try:
        cards = tuple([CARD_BY_NUMBER[number] for number in numbers])
    except KeyError as error:
        sentence = f"no card has the number {error.args[0]}"
        raise MalformedMessageError(Malformed.UNKNOWN_VALUE, sentence) from None
    if len(set(cards)) != len(cards):
        sentence = f"a card twice in {' '.join(map(str, cards))}"
        raise MalformedMessageError(Malformed.REPEATED_CARD, sentence)
    return cards


def read_seat(number: int) -> Seat:
    """Return a seat. Raises `MalformedMessageError`."""
    if number < len(SEATS):
        return SEATS[number]
    raise MalformedMessageError(Malformed.UNKNOWN_VALUE, f"no seat is {number}: 0, 1 or 2")


def read_suit(number: int) -> Suit:
    """Return a suit. Raises `MalformedMessageError`."""
    return read_value(SUIT_BY_NUMBER, number, "suit")


def read_triple(numbers: Iterable[int], what: str) -> tuple[int, int, int]:
    """Return one number for each seat. Raises `MalformedMessageError`."""
    listed = tuple(numbers)
    if len(listed) != len(SEATS):
        sentence = f"{what} takes one number for each of three seats, not {len(listed)}"
        raise MalformedMessageError(Malformed.WRONG_LENGTH, sentence)
    first, second, third = listed
    return first, second, third
