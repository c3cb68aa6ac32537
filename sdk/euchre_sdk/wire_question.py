"""Questions between the rules and `euchre.v1`: a seat's view with what it is asked.

This is the hot path. docs/adr/ says what building a message costs and why it is flat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import lru_cache
from typing import Any

from euchre.v1 import play_pb2, types_pb2
from euchre_sdk.game import (
    CARDS,
    SUITS,
    Action,
    Card,
    Format,
    Kind,
    MakerPlay,
    Public,
    RuleSet,
    Seat,
    Session,
    Suit,
    TurnUp,
    View,
)
from euchre_sdk.game.cards import cards_of
from euchre_sdk.game.choices import KeepChoices, Legal
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
    many questions share (a deal, the calls) is encoded once and kept; only cards are always new.
    """
    public = view.public
    played = public.format
    kind = view.kind
    legal: Any = view.legal
    pieces = [
        _game_piece(
            slot, view.seat, public.rules.target, played.hands if isinstance(played, Session) else 0
        ),
        _seq_piece(seq),
        _deal_piece(public.hand_number, public.dealer, public.turn_up, public.score),
        _state_piece(
            kind,
            public.turn_up_state,
            public.trump,
            public.maker,
            public.maker_plays,
            public.lone_defender,
            view.discard,
        ),
        _calls_piece(tuple(public.calls)),
        _HAND(cards_of(view.hand_mask)),
        _time_piece(view.bank, view.limit),
    ]
    if view.dummy_mask:
        pieces += _DUMMY(cards_of(view.dummy_mask)), _BURIED(cards_of(view.buried_mask))
    if kind is _ASK_PLAY:
        pieces += _PLAYS(public.plays), _leaders_piece(tuple(public.leaders)), _PLAY, _LEGAL(legal)
    elif kind is _ASK_KEEP_FIVE:
        pieces += _KEEP, _LEGAL(cards_of(legal.mask))
    else:
        pieces.append(_choices_piece(legal))
    return b"".join(pieces)


def _cards_field(name: str) -> Callable[[Sequence[Card]], bytes]:
    """Return what encodes a repeated field of cards, the hands of most questions being new.

    A packed field is its tag, its length in bytes and its numbers, each of one byte below 128.
    """
    message = _QUESTION()
    getattr(message, name).append(1)
    tag = message.SerializeToString()[:-2]
    heads = [tag + bytes((length,)) if length else b"" for length in range(len(CARDS) + 1)]

    def encode(cards: Sequence[Card]) -> bytes:
        return heads[len(cards)] + bytes(cards).translate(_NEXT)

    return encode


_NEXT = bytes((*range(1, 256), 0))
"""A card's number on the wire is the one after its own."""
_HAND, _DUMMY, _BURIED = map(_cards_field, ("hand", "dummy", "buried"))
_PLAYS, _LEGAL = map(_cards_field, ("plays", "legal_cards"))
_PLAY = _QUESTION(legal_kinds=(types_pb2.ACTION_KIND_PLAY,)).SerializeToString()
_KEEP = _QUESTION(legal_kinds=(_KEEP_FIVE,)).SerializeToString()

_kept = lru_cache(maxsize=1 << 14)
"""More than the games and deals in play; some megabytes at most."""


@_kept
def _game_piece(slot: int, seat: Seat, target: int, hands: int) -> bytes:
    if hands:
        return _QUESTION(slot=slot, seat=seat, hands=hands).SerializeToString()
    return _QUESTION(slot=slot, seat=seat, target=target).SerializeToString()


@_kept
def _seq_piece(seq: int) -> bytes:
    return _QUESTION(seq=seq).SerializeToString()


@_kept
def _deal_piece(hand_number: int, dealer: Seat, turn_up: Any, score: tuple[int, int, int]) -> bytes:
    return _QUESTION(
        hand_number=hand_number, dealer=dealer, turn_up=turn_up + 1, score=score
    ).SerializeToString()


@_kept
def _state_piece(
    kind: Kind,
    turn_up_state: TurnUp,
    trump: Any,
    maker: Seat | None,
    maker_plays: MakerPlay,
    lone_defender: Seat | None,
    discard: Any,
) -> bytes:
    return _QUESTION(
        kind=KIND_NUMBER[kind],
        turn_up_state=TURN_UP_NUMBER[turn_up_state],
        trump=None if trump is None else trump + 1,
        maker=maker,
        maker_play=None if maker is None else MAKER_PLAY_NUMBER.get(maker_plays),
        lone_defender=lone_defender,
        discard=None if discard is None else discard + 1,
    ).SerializeToString()


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
def _time_piece(bank: timedelta | None, limit: timedelta | None) -> bytes:
    message = _QUESTION()
    if bank is not None:
        message.bank_duration.CopyFrom(write_duration(bank))
    if limit is not None:
        message.answer_duration.CopyFrom(write_duration(limit))
    return message.SerializeToString()


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
    view = View(SEAT_BY_NUMBER[message.seat], public, _read_mask(message.hand[:], _HAND_SIZES))
    dummy = message.dummy[:]
    if dummy:
        view.dummy_mask = _read_mask(dummy, _FIVE)
        view.buried_mask = _read_mask(message.buried[:], _NONE_OR_FIVE)
    discard = message.discard
    if discard:
        view.discard = CARD_BY_NUMBER[discard]
    if kind is _ASK_PLAY:
        view.legal = cards = read_cards(message.legal_cards[:])
        if not cards:
            raise MalformedMessageError(Malformed.MISSING, _NO_LEGAL_ANSWER)
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


_NO_LEGAL_ANSWER = "a question has a legal answer"
_HAND_SIZES = (0, 1, 2, 3, 4, 5)
_NONE_OR_FIVE = (0, 5)
_FIVE = (5,)
_POOL_SIZES = (10,)


@_kept
def _read_score(score: _Numbers) -> tuple[int, int, int]:
    return read_triple(score, "a score")


@_kept
def _read_calls(
    seats: _Numbers, kinds: _Numbers, trump: Suit | None
) -> tuple[tuple[Seat, Action], ...]:
    if len(seats) != len(kinds):
        sentence = "the lists of who called and what was called differ in length"
        raise MalformedMessageError(Malformed.WRONG_LENGTH, sentence)
    names = _CALLS[trump]
    return tuple((SEAT_BY_NUMBER[s], names[k]) for s, k in zip(seats, kinds, strict=True))


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


_BIT_BY_NUMBER = {number: card.mask for number, card in CARD_BY_NUMBER.items()}
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


def _read_mask(numbers: Sequence[int], sizes: tuple[int, ...]) -> int:
    mask = 0
    for number in numbers:
        mask |= _BIT_BY_NUMBER[number]
    if mask.bit_count() not in sizes or mask.bit_count() != len(numbers):
        if len(numbers) not in sizes:
            sentence = f"{len(numbers)} cards cannot be there"
            raise MalformedMessageError(Malformed.WRONG_LENGTH, sentence)
        raise MalformedMessageError(Malformed.REPEATED_CARD, "a hand holds a card twice")
    return mask


def _read_choices(message: play_pb2.Question, kind: Kind) -> Legal:
    if kind is _ASK_KEEP_FIVE:
        return KeepChoices(_read_mask(message.legal_cards[:], _POOL_SIZES))
    actions: list[Action] = []
    for number in message.legal_kinds:
        if number in SUIT_ACTION:
            actions += [SUIT_ACTION[number][SUIT_BY_NUMBER[s]] for s in message.legal_suits]
        elif number == _EXCHANGE:
            actions += read_cards(message.legal_cards)
        else:
            actions.append(SIMPLE_ACTION[number])
    if not actions:
        raise MalformedMessageError(Malformed.MISSING, _NO_LEGAL_ANSWER)
    return tuple(actions)
