"""Answers between the rules and `euchre.v1`."""

from __future__ import annotations

from enum import Enum, unique

from euchre.v1 import play_pb2, types_pb2
from euchre_sdk.game import Action, Card, IllegalActionError, Kind, Reason, Seat
from euchre_sdk.wire_values import (
    CALL_NUMBER,
    SIMPLE_ACTION,
    SUIT_ACTION,
    Malformed,
    MalformedMessageError,
    read_card,
    read_cards,
    read_suit,
)

_KEEP = types_pb2.ACTION_KIND_KEEP_FIVE
_CARDS_TAKEN = {
    types_pb2.ACTION_KIND_EXCHANGE: 1,
    types_pb2.ACTION_KIND_PLAY: 1,
    _KEEP: 5,
}
_CARD_KIND = {
    types_pb2.ACTION_KIND_EXCHANGE: Kind.EXCHANGE,
    types_pb2.ACTION_KIND_PLAY: Kind.PLAY,
}


# The enums of the contract count from 1, after the value that is never sent.
_CARDS = types_pb2.Card.values()[1:]
_SUITS = types_pb2.Suit.values()[1:]


@unique
class Unsupported(Enum):
    """What a bot says whose software does not know a kind of question."""

    UNSUPPORTED = "unsupported"


def write_answer(slot: int, seq: int, asked: Kind, action: Action) -> play_pb2.Answer:
    """Return the answer to question `seq` of the game in `slot`, which asked for `asked`."""
    if isinstance(action, Card):
        kind = (
            types_pb2.ACTION_KIND_EXCHANGE if asked is Kind.EXCHANGE else types_pb2.ACTION_KIND_PLAY
        )
        return play_pb2.Answer(slot=slot, seq=seq, kind=kind, cards=(_CARDS[action],))
    if action.is_keep:
        cards = [_CARDS[card] for card in action.cards]
        return play_pb2.Answer(slot=slot, seq=seq, kind=_KEEP, cards=cards)
    number = CALL_NUMBER[action]
    if number in SUIT_ACTION:
        return play_pb2.Answer(slot=slot, seq=seq, kind=number, suit=_SUITS[action.suit])
    return play_pb2.Answer(slot=slot, seq=seq, kind=number)


def write_unsupported(slot: int, seq: int) -> play_pb2.Answer:
    """Return the answer of a bot whose software does not know the kind of question `seq`."""
    return play_pb2.Answer(slot=slot, seq=seq, kind=types_pb2.ACTION_KIND_UNSUPPORTED)


def read_answer(message: play_pb2.Answer, asked: Kind, seat: Seat) -> Action | Unsupported:
    """Return the action of an answer to a question of kind `asked`.

    Whether it is legal is not decided here, but for a card played where one is to be laid down
    for the turn-up, or the other way round: the rules know only the card.
    Raises `IllegalActionError` for that, and `MalformedMessageError`.
    """
    kind = message.kind
    numbers = message.cards[:]
    taken = _CARDS_TAKEN.get(kind, 0)
    if len(numbers) != taken:
        sentence = f"an answer of this kind takes {taken} cards, not {len(numbers)}"
        raise MalformedMessageError(Malformed.WRONG_LENGTH, sentence)
    names = SUIT_ACTION.get(kind)
    if (names is not None) is not message.HasField("suit"):
        if names is None:
            sentence = "an answer of this kind takes no suit"
            raise MalformedMessageError(Malformed.NOT_TAKEN, sentence)
        raise MalformedMessageError(Malformed.MISSING, "a name of trump takes a suit")
    if taken:
        if kind == _KEEP:
            return Action.keep(read_cards(numbers))
        card = read_card(numbers[0])
        if _CARD_KIND[kind] is not asked and asked in (Kind.EXCHANGE, Kind.PLAY):
            does = "lay down" if asked is Kind.EXCHANGE else "play"
            sentence = f"illegal action {card}: the question is which card to {does}."
            raise IllegalActionError(Reason.WRONG_KIND, seat, card, sentence)
        return card
    if names is not None:
        return names[read_suit(message.suit)]
    if kind == types_pb2.ACTION_KIND_UNSUPPORTED:
        return Unsupported.UNSUPPORTED
    action = SIMPLE_ACTION.get(kind)
    if action is None:
        sentence = f"no kind of action has the number {kind}"
        raise MalformedMessageError(Malformed.UNKNOWN_VALUE, sentence)
    return action
