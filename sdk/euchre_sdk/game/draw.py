"""A view as a few lines of text, for people who look over a bot's shoulder."""

from __future__ import annotations

from euchre_sdk.game.cards import Action, Card
from euchre_sdk.game.notation import show_hand, show_triple, sorted_hand
from euchre_sdk.game.public import Kind, MakerPlay, TurnUp
from euchre_sdk.game.rules import Session
from euchre_sdk.game.seat_view import SeatView
from euchre_sdk.game.suits import Seat, Suit


def draw_view(view: SeatView) -> str:
    """Return the table as the seat sees it; its legal cards bear a star.

    Three lines: the score, how trump was made, what is asked. In the middle of a hand:

        hand 7 · you are seat 1 · dealer 0 · target 10 · score 6-8-3
        turn-up QH (ordered up by 2) · trump H · maker 2 alone · dealer took QH · tricks 0-0-1
        trick 2: seat 2 leads JH, seat 0 QH, you: 9H* AD TS 9S        (* = legal)
    """
    return "\n".join((_headline(view), " · ".join(_bidding(view)), _asked(view)))


def _headline(view: SeatView) -> str:
    aim = (
        f"session of {view.format.hands} hands"
        if isinstance(view.format, Session)
        else f"target {view.rules.target}"
    )
    return (
        f"hand {view.hand_number} · you are seat {view.seat} · dealer {view.dealer} · {aim} · "
        f"score {show_triple(view.score)}"
    )


def _bidding(view: SeatView) -> list[str]:
    maker, trump = view.maker, view.trump
    if maker is None or trump is None:
        down = " (turned down)" if view.turn_up_state is TurnUp.TURNED_DOWN else ""
        passes = [str(seat) for seat, action in view.history if action is Action.PASS]
        said = [f"passed: {', '.join(passes)}"] if passes else []
        return [f"turn-up {view.turn_up}{down}", *said]
    how = f"ordered up by {maker}"
    if view.turn_up_state is TurnUp.TURNED_DOWN:
        how = "turned down"
    elif view.turn_up.is_joker:
        how = f"suit named by {maker}"
    parts = [f"turn-up {view.turn_up} ({how})", f"trump {trump}", f"maker {maker}{_with(view)}"]
    if view.turn_up_state is TurnUp.TAKEN:
        parts.append(f"dealer took {view.turn_up}")
    elif view.turn_up_state is TurnUp.DECLINED:
        parts.append(f"dealer left {view.turn_up}")
    if view.lone_defender is not None:
        parts.append(f"seat {view.lone_defender} defends alone")
    if view.leader is not None:
        parts.append(f"tricks {show_triple(view.tricks_won)}")
    return parts


def _with(view: SeatView) -> str:
    return {
        MakerPlay.UNDECIDED: "",
        MakerPlay.ALONE: " alone",
        MakerPlay.WITH_DUMMY: " with the dummy",
    }[view.maker_plays]


def _asked(view: SeatView) -> str:
    if view.kind is Kind.PLAY:
        return _trick(view)
    hand = show_hand(view.hand, view.trump) or "not shown yet"
    if not view.legal:
        return f"your hand: {hand}"
    if view.kind is Kind.KEEP_FIVE:
        return f"your ten: {show_hand(view.pool, view.trump)} · keep five"
    if view.kind is Kind.EXCHANGE:
        decline = " or decline" if Action.DECLINE in view.legal else ""
        return f"your hand: {hand} · lay one down for {view.turn_up}{decline}"
    return f"your hand: {hand} · {' | '.join(map(str, view.legal))}"


def _trick(view: SeatView) -> str:
    number = len(view.tricks) + 1
    if number > 5:
        return "the hand is over"
    leader = view.leader
    assert leader is not None  # the first trick has begun
    seats = [seat for seat in (leader, leader.left, leader.right) if seat is not view.sitting_out]
    parts = [
        f"{_name(view, seat)}{' leads' if seat is leader else ''} {card}"
        for seat, card in zip(seats, view.trick, strict=False)
    ]
    if view.seat is view.sitting_out:
        parts.append(f"you sit out: {show_hand(view.hand, view.trump)}")
    elif view.legal:
        leads = " to lead" if view.seat is leader else ""
        parts.append(f"you{leads}: {_starred(view)}        (* = legal)")
    else:
        parts.append(f"you hold: {show_hand(view.hand, view.trump)}")
    return f"trick {number}: {', '.join(parts)}"


def _name(view: SeatView, seat: Seat) -> str:
    return "you" if seat is view.seat else f"seat {seat}"


def _starred(view: SeatView) -> str:
    legal: tuple[Card, ...] = view.legal_cards
    trump: Suit | None = view.trump
    return " ".join(
        f"{card}*" if card in legal else str(card) for card in sorted_hand(view.hand, trump)
    )
