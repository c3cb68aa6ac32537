"""Questions between the rules and `euchre.v1`: a seat's view with what it is asked.

This is the hot path. docs/adr/ says what building a message costs and why it is flat.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from functools import lru_cache
from typing import Any

from euchre.v1 import play_pb2, types_pb2
from euchre_sdk.game import (
    SUITS,
    Action,
    Card,
    Format,
    Kind,
    Public,
    RuleSet,
    Seat,
    Session,
    Suit,
    View,
)
from euchre_sdk.game.cards import cards_of
from euchre_sdk.game.view import KeepChoices, Legal
from euchre_sdk.wire_values import (
    CALL_NUMBER,
    CARD_BY_NUMBER,
    KIND_BY_NUMBER,
    KIND_NUMBER,
    MAKER_PLAY_BY_NUMBER,
    MAKER_PLAY_NUMBER,
    PUBLIC_FACE,
    SEAT_BY_NUMBER,
    SIMPLE_ACTION,
    SUIT_ACTION,
    SUIT_BY_NUMBER,
    TURN_UP_BY_NUMBER,
    TURN_UP_NUMBER,
    Malformed,
    MalformedMessageError,
    read_cards,
    read_duration,
    read_triple,
    write_duration,
)

_Numbers = tuple[int, ...]
_QUESTION = play_pb2.Question
_KEEP_FIVE = types_pb2.ACTION_KIND_KEEP_FIVE
_EXCHANGE = types_pb2.ACTION_KIND_EXCHANGE
# Looking a member up on an enum's class takes as long as building a short list.
_ASK_PLAY, _ASK_KEEP_FIVE = Kind.PLAY, Kind.KEEP_FIVE


def write_question(slot: int, seq: int, view: View) -> play_pb2.Question:
    """Return the question that `view` asks its seat, number `seq` of the game in `slot`."""
    return _QUESTION.FromString(question_bytes(slot, seq, view))


def question_bytes(slot: int, seq: int, view: View) -> bytes:
    """Return the encoded question that `view` asks its seat.

    Encoded messages that are put end to end are one message with the fields of all of them. So what
    many questions share (a hand, the calls) is encoded once and kept; only the rest is new.
    """
    public = view.public
    maker, bank, played = public.maker, view.bank, public.format
    trump: Any = public.trump
    discard: Any = view.discard
    turn_up: Any = public.turn_up
    plays: list[Any] = public.plays
    message = _QUESTION(
        slot=slot,
        seq=seq,
        kind=KIND_NUMBER[view.kind],
        seat=view.seat,
        hand_number=public.hand_number,
        target=None if isinstance(played, Session) else public.rules.target,
        hands=played.hands if isinstance(played, Session) else None,
        dealer=public.dealer,
        turn_up=turn_up + 1,
        turn_up_state=TURN_UP_NUMBER[public.turn_up_state],
        discard=None if discard is None else discard + 1,
        trump=None if trump is None else trump + 1,
        maker=maker,
        maker_play=None if maker is None else MAKER_PLAY_NUMBER.get(public.maker_plays),
        lone_defender=public.lone_defender,
        plays=[card + 1 for card in plays],
    )
    if bank is not None:
        left = message.bank_duration
        left.seconds = bank.days * 86_400 + bank.seconds
        left.nanos = bank.microseconds * 1_000
    pieces = [
        message.SerializeToString(),
        _score_piece(public.score),
        _hand_piece(view.hand_mask),
        _calls_piece(tuple(public.calls)),
        _leaders_piece(tuple(public.leaders)),
        _limit_piece(view.limit),
    ]
    if view.dummy_mask:
        pieces.append(_maker_piece(view.dummy_mask, view.buried_mask))
    legal = view.legal
    if isinstance(legal, KeepChoices):
        pieces.append(_pool_piece(legal.mask))
    elif view.kind is _ASK_PLAY:
        pieces.append(_plays_piece(legal))
    else:
        pieces.append(_choices_piece(legal))
    return b"".join(pieces)


def _numbers(mask: int) -> list[Any]:
    """Return the cards of a mask as the wire writes them."""
    return [card + 1 for card in cards_of(mask)]


_kept = lru_cache(maxsize=1 << 16)
"""More than the hands of one deck that are met often; some megabytes at most."""


@_kept
def _score_piece(score: tuple[int, int, int]) -> bytes:
    return _QUESTION(score=score).SerializeToString()


@_kept
def _hand_piece(hand: int) -> bytes:
    return _QUESTION(hand=_numbers(hand)).SerializeToString()


@_kept
def _calls_piece(calls: tuple[tuple[Seat, Action], ...]) -> bytes:
    return _QUESTION(
        call_seats=[seat for seat, _ in calls],
        call_kinds=[CALL_NUMBER[call] for _, call in calls],
    ).SerializeToString()


@_kept
def _leaders_piece(leaders: tuple[Seat, ...]) -> bytes:
    return _QUESTION(leaders=leaders).SerializeToString()


@_kept
def _limit_piece(limit: timedelta | None) -> bytes:
    if limit is None:
        return b""
    return _QUESTION(answer_duration=write_duration(limit)).SerializeToString()


@_kept
def _maker_piece(dummy: int, buried: int) -> bytes:
    return _QUESTION(dummy=_numbers(dummy), buried=_numbers(buried)).SerializeToString()


@_kept
def _pool_piece(pool: int) -> bytes:
    return _QUESTION(legal_kinds=(_KEEP_FIVE,), legal_cards=_numbers(pool)).SerializeToString()


@_kept
def _plays_piece(legal: tuple[Card, ...]) -> bytes:
    cards: list[Any] = [card + 1 for card in legal]
    kinds = (types_pb2.ACTION_KIND_PLAY,)
    return _QUESTION(legal_kinds=kinds, legal_cards=cards).SerializeToString()


@_kept
def _choices_piece(legal: tuple[Action, ...]) -> bytes:
    """Write kinds and the suits and cards that go with them, each once and in order."""
    kinds: dict[Any, None] = {}
    suits: dict[Any, None] = {}
    cards: list[Any] = []
    for action in legal:
        if isinstance(action, Card):
            kinds[_EXCHANGE] = None
            cards.append(action + 1)
            continue
        number = CALL_NUMBER[action]
        kinds[number] = None
        if number in SUIT_ACTION:
            suits[action.suit + 1] = None
    return _QUESTION(legal_kinds=kinds, legal_suits=suits, legal_cards=cards).SerializeToString()


def read_question(message: play_pb2.Question, rules: RuleSet, format: Format) -> View:
    """Return the view that a question of a game with these rules asks.

    Raises `MalformedMessageError`, for an unknown kind of question as for anything else that this
    package does not understand.
    """
    try:
        return _read_question(message, rules, format)
    except KeyError as error:
        sentence = f"a question holds a value this revision does not know: {error.args[0]}"
        raise MalformedMessageError(Malformed.UNKNOWN_VALUE, sentence) from None


def _read_question(message: play_pb2.Question, rules: RuleSet, format: Format) -> View:
    has = message.HasField
    public = Public(
        rules,
        format,
        message.hand_number,
        SEAT_BY_NUMBER[message.dealer],
        CARD_BY_NUMBER[message.turn_up],
        _read_score(tuple(message.score)),
    )
    public.kind = kind = KIND_BY_NUMBER[message.kind]
    public.turn_up_state = TURN_UP_BY_NUMBER[message.turn_up_state]
    trump = message.trump
    if trump:
        public.trump = SUIT_BY_NUMBER[trump]
        public.maker = maker = SEAT_BY_NUMBER[message.maker]
        if not maker and not has("maker"):
            raise MalformedMessageError(Malformed.MISSING, "trump is made but nobody made it")
        maker_play = message.maker_play
        if maker_play:
            public.maker_plays = MAKER_PLAY_BY_NUMBER[maker_play]
        if has("lone_defender"):
            public.lone_defender = SEAT_BY_NUMBER[message.lone_defender]
    read_history(message, public)
    view = View(SEAT_BY_NUMBER[message.seat], public, _read_hand(tuple(message.hand)))
    dummy = tuple(message.dummy)
    if dummy:
        view.dummy_mask = _read_mask(dummy, _FIVE)
        view.buried_mask = _read_mask(tuple(message.buried), _NONE_OR_FIVE)
    discard = message.discard
    if discard:
        view.discard = CARD_BY_NUMBER[discard]
    if kind is _ASK_PLAY:
        view.legal = _read_plays(tuple(message.legal_cards))
    else:
        view.legal = _read_choices(message, kind)
    if kind not in _BEFORE_TRUMP:
        _check_is_possible(view, kind)
    if has("bank_duration"):
        view.bank = read_duration(message.bank_duration)
    if has("answer_duration"):
        view.limit = read_duration(message.answer_duration)
    return view


_BEFORE_TRUMP = (Kind.ORDER_UP, Kind.NAME_TRUMP)


def _check_is_possible(view: View, kind: Kind) -> None:
    """Refuse what the code that looks at a view of this kind of question builds upon."""
    public = view.public
    if public.trump is None:
        sentence = f"{kind.value} is not asked before trump is made"
    elif kind is _ASK_PLAY and not public.leaders:
        sentence = "a card is asked for but nobody leads"
    elif kind is _ASK_KEEP_FIVE and view.hand_mask.bit_count() != _FIVE[0]:
        sentence = "five of ten cards are asked for of a hand that has no five"
    else:
        return
    raise MalformedMessageError(Malformed.IMPOSSIBLE, sentence)


_HAND_SIZES = (0, 1, 2, 3, 4, 5)
_NONE_OR_FIVE = (0, 5)
_FIVE = (5,)
_POOL_SIZES = (10,)


@_kept
def _read_score(score: _Numbers) -> tuple[int, int, int]:
    return read_triple(score, "a score")


@_kept
def _read_hand(hand: _Numbers) -> int:
    return _read_mask(hand, _HAND_SIZES)


@_kept
def _read_calls(
    seats: _Numbers, kinds: _Numbers, trump: Suit | None
) -> tuple[tuple[Seat, Action], ...]:
    if len(seats) != len(kinds):
        sentence = "the lists of who called and what was called differ in length"
        raise MalformedMessageError(Malformed.WRONG_LENGTH, sentence)
    names = _CALLS[trump]
    return tuple((SEAT_BY_NUMBER[s], names[k]) for s, k in zip(seats, kinds, strict=True))


@_kept
def _read_plays(cards: _Numbers) -> tuple[Card, ...]:
    if not cards:
        raise MalformedMessageError(Malformed.MISSING, "a question has a legal answer")
    return read_cards(cards)


def read_history(message: play_pb2.Question | play_pb2.HandEnd, public: Public) -> None:
    """Put the calls and plays of a message into `public`, whose other fields are set.

    Raises `MalformedMessageError`, and `KeyError` for an unknown value.
    """
    trump = public.trump
    if public.lone_defender is not None and public.lone_defender is public.maker:
        raise MalformedMessageError(Malformed.IMPOSSIBLE, "the maker is no defender")
    calls = _read_calls(tuple(message.call_seats), tuple(message.call_kinds), trump)
    public.calls = list(calls)
    leaders, plays = message.leaders[:], message.plays[:]
    if not leaders and not plays:
        return
    if trump is None:
        raise MalformedMessageError(Malformed.IMPOSSIBLE, "no card is played before trump is made")
    public.leaders = [SEAT_BY_NUMBER[seat] for seat in leaders]
    public.plays = cards = [CARD_BY_NUMBER[card] for card in plays]
    size = 3 if public.lone_defender is None else 2
    if len(cards) // size != len(leaders) - 1 or len(leaders) > _MOST_LEADERS:
        sentence = f"{len(cards)} cards played cannot be led by {len(leaders)} leaders"
        raise MalformedMessageError(Malformed.WRONG_LENGTH, sentence)
    if len(set(cards)) != len(cards):
        raise MalformedMessageError(Malformed.REPEATED_CARD, "a card is played twice")


_MOST_LEADERS = 6  # of five tricks, and the winner of the last

_CALLS: dict[Suit | None, dict[int, Action]] = {
    trump: {
        **SIMPLE_ACTION,
        **PUBLIC_FACE,
        **({} if trump is None else {n: names[trump] for n, names in SUIT_ACTION.items()}),
    }
    for trump in (None, *SUITS)
}
"""Calls by trump and number: the suit of a name is trump."""


def _read_mask(numbers: Iterable[int], sizes: tuple[int, ...]) -> int:
    mask = 0
    count = 0
    for number in numbers:
        mask |= CARD_BY_NUMBER[number].mask
        count += 1
    if count not in sizes:
        raise MalformedMessageError(Malformed.WRONG_LENGTH, f"{count} cards cannot be there")
    if mask.bit_count() != count:
        raise MalformedMessageError(Malformed.REPEATED_CARD, "a hand holds a card twice")
    return mask


def _read_choices(message: play_pb2.Question, kind: Kind) -> Legal:
    if kind is _ASK_KEEP_FIVE:
        return KeepChoices(_read_mask(message.legal_cards, _POOL_SIZES))
    actions: list[Action] = []
    for number in message.legal_kinds:
        if number in SUIT_ACTION:
            actions += [SUIT_ACTION[number][SUIT_BY_NUMBER[s]] for s in message.legal_suits]
        elif number == _EXCHANGE:
            actions += read_cards(message.legal_cards)
        else:
            actions.append(SIMPLE_ACTION[number])
    if not actions:
        raise MalformedMessageError(Malformed.MISSING, "a question has a legal answer")
    return tuple(actions)
