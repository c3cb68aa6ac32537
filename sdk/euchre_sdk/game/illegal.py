"""Why an action was refused: a reason for machines, a sentence for people."""

from __future__ import annotations

from enum import Enum, unique

from euchre_sdk.errors import EuchreError
from euchre_sdk.game.cards import Action, Card, show_cards
from euchre_sdk.game.compiled import SUIT_MASK
from euchre_sdk.game.public import Kind
from euchre_sdk.game.seat_view import SeatView
from euchre_sdk.game.suits import Seat
from euchre_sdk.text import shown


@unique
class Reason(Enum):
    """What was wrong with a refused action (A42)."""

    NOT_YOUR_TURN = "not_your_turn"
    HAND_OVER = "hand_over"
    NOT_AN_ACTION = "not_an_action"
    WRONG_KIND = "wrong_kind"
    CARD_NOT_HELD = "card_not_held"
    MUST_FOLLOW_SUIT = "must_follow_suit"
    MUST_NAME_A_SUIT = "must_name_a_suit"
    SUIT_TURNED_DOWN = "suit_turned_down"
    MUST_TAKE_TURN_UP = "must_take_turn_up"
    TURN_UP_NOT_DISCARDABLE = "turn_up_not_discardable"
    NOT_FIVE_OF_THE_TEN = "not_five_of_the_ten"


class IllegalActionError(EuchreError, ValueError):
    """A well-formed action that is not legal now. The state is unchanged (A42)."""

    def __init__(self, reason: Reason, seat: Seat | None, action: object, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.seat = seat
        """Who tried it, `None` when nobody was to act."""
        self.action = action


_ASKED = {
    Kind.ORDER_UP: "to order up or pass",
    Kind.NAME_TRUMP: "to name trump",
    Kind.EXCHANGE: "about the turn-up",
    Kind.MAKER_ALONE: "to play alone or with the dummy",
    Kind.KEEP_FIVE: "to keep five of ten cards",
    Kind.DEFEND_ALONE: "to defend alone or together",
    Kind.PLAY: "to play a card",
}


def refusal(view: SeatView, action: object) -> IllegalActionError:
    """Return the error for an action that is not in `view.legal`, in the words of the game.

    It is written from what the seat itself knows, so its text may be sent to that seat.
    """
    reason, why = _reason(view, action)
    public = view.public
    where = f"hand {public.hand_number}"
    if view.kind is Kind.PLAY:
        where += f", trick {len(public.tricks) + 1}"
    what = f"{action}" if isinstance(action, Action) else shown(action)
    sentence = f"illegal action {what} in {where}: {why} Legal: {_legal(view)}."
    return IllegalActionError(reason, view.seat, action, sentence)


def _legal(view: SeatView) -> str:
    if view.kind is Kind.KEEP_FIVE:
        return f"any five of {show_cards(view.pool)}"
    return ", ".join(map(str, view.legal))


def _reason(view: SeatView, action: object) -> tuple[Reason, str]:
    seat, kind = view.seat, view.kind
    if not isinstance(action, Action):
        return Reason.NOT_AN_ACTION, "it is not an Action."
    asked = f"seat {seat} is asked {_ASKED[kind]}."
    if kind is Kind.PLAY and isinstance(action, Card):
        return _reason_for_card(view, action)
    if kind is Kind.EXCHANGE and isinstance(action, Card):
        if action is view.public.turn_up:  # A13
            return (
                Reason.TURN_UP_NOT_DISCARDABLE,
                "the turn-up itself cannot be laid down.",
            )
        return Reason.CARD_NOT_HELD, f"seat {seat} does not hold {action}."
    if kind is Kind.EXCHANGE and action is Action.DECLINE:
        return Reason.MUST_TAKE_TURN_UP, "the dealer must take the turn-up."
    if kind is Kind.KEEP_FIVE and action.is_keep:
        return Reason.NOT_FIVE_OF_THE_TEN, "not all of them are among the ten."
    if kind is Kind.NAME_TRUMP and action is Action.PASS:
        return Reason.MUST_NAME_A_SUIT, "the dealer must name a suit."  # A12, A18
    if kind is Kind.NAME_TRUMP and str(action).startswith("name"):
        if not view.public.turn_up.is_joker and action.suit is view.public.turn_up.suit:
            return (
                Reason.SUIT_TURNED_DOWN,
                f"{action.suit.word} was turned down.",
            )  # A15
        return Reason.WRONG_KIND, "alone is not said with the bid."
    return Reason.WRONG_KIND, asked


def _reason_for_card(view: SeatView, card: Card) -> tuple[Reason, str]:
    public = view.public
    if not view.hand_mask & card.mask:
        return Reason.CARD_NOT_HELD, f"seat {view.seat} does not hold {card}."
    assert public.trump is not None  # a card is played only once trump is known
    led = public.trick[0].effective_suit(public.trump)
    held = view.hand_mask & SUIT_MASK[public.trump][led]
    follows = [c for c in view.hand if c.mask & held]
    why = f"seat {view.seat} holds {show_cards(follows)} and must follow {led.word}."
    return Reason.MUST_FOLLOW_SUIT, why
