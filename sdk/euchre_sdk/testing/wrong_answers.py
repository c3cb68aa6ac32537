"""Answers to a question as it stands on the wire: a right one, and every kind of wrong one."""

from __future__ import annotations

from enum import Enum, unique

from euchre.v1 import play_pb2, types_pb2
from euchre_sdk.testing.misdeeds import Deed, Moment

Kinds = types_pb2.ActionKind
_DECK = [
    number
    for name, number in types_pb2.Card.items()
    if number and name.removeprefix("CARD_")[0] in "9TJQKA"
]
_SUITS = types_pb2.Suit.values()[1:]
_UNKNOWN = 99
_FAR = 1_000
"""Added to a number, it makes one that was never given."""


@unique
class Style(Enum):
    """How a bot plays that means no harm. All styles play every hand to its end."""

    BOLD = "bold"
    """Orders up at once: in any three hands it is asked for everything but a name of trump."""
    WAITING = "waiting"
    """Passes until nobody has ordered up, and names trump then."""


def moment_of(question: play_pb2.Question) -> Moment:
    """Return which moment of a hand a question is."""
    asked = _MOMENTS.get(question.kind)
    if asked is not None:
        return asked
    return Moment.FOLLOW if _on_table(question) else Moment.LEAD


def right_answer(question: play_pb2.Question, style: Style = Style.BOLD) -> play_pb2.Answer:
    """Return a legal answer, the same one every time."""
    kinds = list(question.legal_kinds)
    chosen = next((kind for kind in kinds if kind != Kinds.ACTION_KIND_PASS), kinds[0])
    waits = style is Style.WAITING and question.kind == types_pb2.QUESTION_KIND_ORDER_UP
    if waits and Kinds.ACTION_KIND_PASS in kinds:
        chosen = Kinds.ACTION_KIND_PASS
    answer = play_pb2.Answer(slot=question.slot, seq=question.seq, kind=chosen)
    if chosen in (Kinds.ACTION_KIND_NAME_TRUMP, Kinds.ACTION_KIND_NAME_TRUMP_ALONE):
        answer.suit = question.legal_suits[0]
    elif chosen in (Kinds.ACTION_KIND_PLAY, Kinds.ACTION_KIND_EXCHANGE):
        answer.cards.append(question.legal_cards[0])
    elif chosen == Kinds.ACTION_KIND_KEEP_FIVE:
        answer.cards.extend(question.legal_cards[:5])
    return answer


def wrong_answer(deed: Deed, question: play_pb2.Question) -> play_pb2.Answer | None:
    """Return what a deed answers; None if the question gives no occasion for it."""
    answer = play_pb2.Answer(slot=question.slot, seq=question.seq)
    match deed:
        case Deed.EMPTY_ANSWER:
            pass
        case Deed.UNKNOWN_ENUM:
            answer.kind = _UNKNOWN  # type: ignore[assignment] # that is the point
        case Deed.UNKNOWN_CARD:
            answer.kind = Kinds.ACTION_KIND_PLAY
            answer.cards.append(_UNKNOWN)  # type: ignore[arg-type] # that is the point
        case Deed.KEEP_FOUR:
            answer.kind = Kinds.ACTION_KIND_KEEP_FIVE
            answer.cards.extend(_pool(question)[:4])
        case Deed.KEEP_SIX:
            answer.kind = Kinds.ACTION_KIND_KEEP_FIVE
            answer.cards.extend(_pool(question)[:6])
        case Deed.SAME_CARD_TWICE:
            answer.kind = Kinds.ACTION_KIND_KEEP_FIVE
            answer.cards.extend([*_pool(question)[:4], _pool(question)[0]])
        case Deed.UNSUPPORTED:
            answer.kind = Kinds.ACTION_KIND_UNSUPPORTED
        case Deed.WRONG_SEQ:
            answer = right_answer(question)
            answer.seq += _FAR
        case Deed.OTHER_GAME:
            answer = right_answer(question)
            answer.slot += _FAR
        case Deed.WRONG_KIND:
            return _wrong_kind(question, answer)
        case Deed.ILLEGAL:
            return _illegal(question, answer)
        case Deed.REVOKE:
            held = [card for card in question.hand if card not in question.legal_cards]
            if not held:
                return None
            answer.kind = Kinds.ACTION_KIND_PLAY
            answer.cards.append(held[0])
        case _:
            msg = f"{deed} is no answer"
            raise ValueError(msg)
    return answer


def _wrong_kind(question: play_pb2.Question, answer: play_pb2.Answer) -> play_pb2.Answer:
    """Answer whether somebody plays alone, or that question with a pass."""
    alone = types_pb2.QUESTION_KIND_DEFEND_ALONE
    is_alone = question.kind == alone
    answer.kind = Kinds.ACTION_KIND_PASS if is_alone else Kinds.ACTION_KIND_TOGETHER
    return answer


def _illegal(question: play_pb2.Question, answer: play_pb2.Answer) -> play_pb2.Answer:
    """Answer the question asked with what the rules do not allow, where there is such a thing."""
    known = (*question.hand, *question.dummy, question.turn_up)
    foreign = next(card for card in _DECK if card not in known)
    match moment_of(question):
        case Moment.NAME if len(question.legal_suits) < len(_SUITS):
            answer.kind = Kinds.ACTION_KIND_NAME_TRUMP
            answer.suit = next(suit for suit in _SUITS if suit not in question.legal_suits)
        case Moment.EXCHANGE:
            answer.kind = Kinds.ACTION_KIND_EXCHANGE
            answer.cards.append(foreign)
        case Moment.KEEP_FIVE:
            answer.kind = Kinds.ACTION_KIND_KEEP_FIVE
            answer.cards.extend([*question.legal_cards[:4], foreign])
        case Moment.LEAD | Moment.FOLLOW:
            answer.kind = Kinds.ACTION_KIND_PLAY
            answer.cards.append(foreign)
        case _:
            return _wrong_kind(question, answer)
    return answer


def _pool(question: play_pb2.Question) -> list[types_pb2.Card.ValueType]:
    held = [*question.hand, *question.dummy]
    return [*held, *(card for card in _DECK if card not in held)]


def _on_table(question: play_pb2.Question) -> int:
    """Return how many cards lie in the trick that is being played."""
    return len(question.plays) % (2 if question.HasField("lone_defender") else 3)


_MOMENTS: dict[types_pb2.QuestionKind.ValueType, Moment] = {
    types_pb2.QUESTION_KIND_ORDER_UP: Moment.BID,
    types_pb2.QUESTION_KIND_NAME_TRUMP: Moment.NAME,
    types_pb2.QUESTION_KIND_EXCHANGE: Moment.EXCHANGE,
    types_pb2.QUESTION_KIND_MAKER_ALONE: Moment.ALONE,
    types_pb2.QUESTION_KIND_KEEP_FIVE: Moment.KEEP_FIVE,
    types_pb2.QUESTION_KIND_DEFEND_ALONE: Moment.DEFEND_ALONE,
}
