"""Questions between the rules and `euchre.v1`: a seat's view with what it is asked.

This is the hot path. docs/adr/ says what building a message costs and why it is flat.
"""

from __future__ import annotations

from collections.abc import Iterable

from euchre.v1 import play_pb2, types_pb2
from euchre_sdk.game import (
    SUITS,
    Action,
    Format,
    Kind,
    Public,
    RuleSet,
    Session,
    Suit,
    View,
)
from euchre_sdk.game.cards import HIGH_CARDS, LOW_BITS, LOW_CARDS, LOW_SIZE, cards_of
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
_KEEP = (types_pb2.ACTION_KIND_KEEP_FIVE,)
_PLAY = (types_pb2.ACTION_KIND_PLAY,)
_EXCHANGE = (types_pb2.ACTION_KIND_EXCHANGE,)
_DECLINE_OR_EXCHANGE = (types_pb2.ACTION_KIND_DECLINE, types_pb2.ACTION_KIND_EXCHANGE)
_NO_CARDS: list[int] = []
# Looking a member up on an enum's class takes as long as building a short list.
_ASK_PLAY, _ASK_EXCHANGE, _ASK_KEEP_FIVE = Kind.PLAY, Kind.EXCHANGE, Kind.KEEP_FIVE
_DECLINES = Action.DECLINE


def write_question(slot: int, seq: int, view: View) -> play_pb2.Question:
    """Return the question that `view` asks its seat, number `seq` of the game in `slot`."""
    public = view.public
    trump, maker, lone = public.trump, public.maker, public.lone_defender
    calls = public.calls
    discard, bank, limit = view.discard, view.bank, view.limit
    legal = view.legal
    suits: _Numbers = ()
    if isinstance(legal, KeepChoices):
        kinds: _Numbers = _KEEP
        cards = [card + 1 for card in cards_of(legal.mask)]
    elif view.kind is _ASK_PLAY:
        kinds = _PLAY
        cards = [card + 1 for card in legal]
    elif view.kind is _ASK_EXCHANGE:
        declines = legal[0] is _DECLINES
        kinds = _DECLINE_OR_EXCHANGE if declines else _EXCHANGE
        cards = [card + 1 for card in (legal[1:] if declines else legal)]
    else:
        kinds, suits = _CHOICES.get(legal) or _add_choices(legal)
        cards = _NO_CARDS
    hand, dummy, buried = view.hand_mask, view.dummy_mask, view.buried_mask
    session = public.format
    return play_pb2.Question(
        slot=slot,
        seq=seq,
        kind=KIND_NUMBER[view.kind],
        seat=view.seat,
        hand_number=public.hand_number,
        score=public.score,
        target=public.rules.target if not isinstance(session, Session) else None,
        hands=session.hands if isinstance(session, Session) else None,
        dealer=public.dealer,
        turn_up=public.turn_up + 1,
        turn_up_state=TURN_UP_NUMBER[public.turn_up_state],
        hand=[c + 1 for c in LOW_CARDS[hand & LOW_BITS] + HIGH_CARDS[hand >> LOW_SIZE]],
        discard=None if discard is None else discard + 1,
        dummy=[c + 1 for c in LOW_CARDS[dummy & LOW_BITS] + HIGH_CARDS[dummy >> LOW_SIZE]],
        buried=[c + 1 for c in LOW_CARDS[buried & LOW_BITS] + HIGH_CARDS[buried >> LOW_SIZE]],
        trump=None if trump is None else trump + 1,
        maker=maker,
        maker_play=MAKER_PLAY_NUMBER.get(public.maker_plays) if maker is not None else None,
        lone_defender=lone,
        call_seats=[seat for seat, _ in calls],
        call_kinds=[CALL_NUMBER[call] for _, call in calls],
        plays=[card + 1 for card in public.plays],
        leaders=public.leaders,
        legal_kinds=kinds,
        legal_suits=suits,
        legal_cards=cards,
        bank_duration=None if bank is None else write_duration(bank),
        answer_duration=None if limit is None else write_duration(limit),
    )


_CHOICES: dict[Legal, tuple[_Numbers, _Numbers]] = {}
"""Kinds and suits by legal actions without cards: a few dozen in all, made as they are met."""


def _add_choices(legal: tuple[Action, ...]) -> tuple[_Numbers, _Numbers]:
    kinds: dict[int, None] = {}
    suits: dict[int, None] = {}
    for action in legal:
        number = CALL_NUMBER[action]
        kinds[number] = None
        if number in SUIT_ACTION:
            suits[action.suit + 1] = None
    choices = tuple(kinds), tuple(suits)
    _CHOICES[legal] = choices
    return choices


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
        read_triple(message.score, "a score"),
    )
    public.kind = kind = KIND_BY_NUMBER[message.kind]
    public.turn_up_state = TURN_UP_BY_NUMBER[message.turn_up_state]
    if has("trump"):
        public.trump = SUIT_BY_NUMBER[message.trump]
        public.maker = maker = SEAT_BY_NUMBER[message.maker]
        if not maker and not has("maker"):
            raise MalformedMessageError(Malformed.MISSING, "trump is made but nobody made it")
        if has("maker_play"):
            public.maker_plays = MAKER_PLAY_BY_NUMBER[message.maker_play]
        if has("lone_defender"):
            public.lone_defender = SEAT_BY_NUMBER[message.lone_defender]
    read_history(message, public)
    view = View(SEAT_BY_NUMBER[message.seat], public, _read_mask(message.hand, _HAND_SIZES))
    view.dummy_mask = _read_mask(message.dummy, _NONE_OR_FIVE)
    view.buried_mask = _read_mask(message.buried, _NONE_OR_FIVE)
    if has("discard"):
        view.discard = CARD_BY_NUMBER[message.discard]
    view.legal = _read_legal(message, kind)
    if has("bank_duration"):
        view.bank = read_duration(message.bank_duration)
    if has("answer_duration"):
        view.limit = read_duration(message.answer_duration)
    return view


_HAND_SIZES = (0, 1, 2, 3, 4, 5)
_NONE_OR_FIVE = (0, 5)
_POOL_SIZES = (10,)


def read_history(message: play_pb2.Question | play_pb2.HandEnd, public: Public) -> None:
    """Put the calls and plays of a message into `public`, whose other fields are set."""
    trump = public.trump
    seats, kinds = message.call_seats[:], message.call_kinds[:]
    if len(seats) != len(kinds):
        sentence = "the lists of who called and what was called differ in length"
        raise MalformedMessageError(Malformed.WRONG_LENGTH, sentence)
    names = _CALLS[trump]
    public.calls = [(SEAT_BY_NUMBER[s], names[k]) for s, k in zip(seats, kinds, strict=True)]
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


def _read_legal(message: play_pb2.Question, kind: Kind) -> Legal:
    if kind is _ASK_PLAY:
        legal: Legal = read_cards(message.legal_cards)
    elif kind is _ASK_KEEP_FIVE:
        return KeepChoices(_read_mask(message.legal_cards, _POOL_SIZES))
    else:
        actions: list[Action] = []
        for number in message.legal_kinds:
            if number in SUIT_ACTION:
                actions += [SUIT_ACTION[number][SUIT_BY_NUMBER[s]] for s in message.legal_suits]
            elif number == types_pb2.ACTION_KIND_EXCHANGE:
                actions += read_cards(message.legal_cards)
            else:
                actions.append(SIMPLE_ACTION[number])
        legal = tuple(actions)
    if not legal:
        raise MalformedMessageError(Malformed.MISSING, "a question has a legal answer")
    return legal
