"""A hand or a whole record told as text: cards, bids, tricks, who won what and why, points.

Cards stand in their notation, so that whoever prints the text can colour them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from euchre_sdk.game.cards import Action, Card, show_cards
from euchre_sdk.game.compiled import deal_places
from euchre_sdk.game.game import is_at_the_bridge
from euchre_sdk.game.hand import Hand
from euchre_sdk.game.notation import show_hand, show_triple
from euchre_sdk.game.public import Kind, MakerPlay, Trick
from euchre_sdk.game.record import GameRecord, HandEntry, Names
from euchre_sdk.game.replay import replay_record
from euchre_sdk.game.rubber import score_marker
from euchre_sdk.game.rules import OPTIONS, PRESETS, RuleSet, Session
from euchre_sdk.game.rules_file import rules_to_fields
from euchre_sdk.game.suits import SEATS, Rank, Seat, Suit
from euchre_sdk.text import one_line

NO_NAMES: Names = ("", "", "")
_ORDINARY: Mapping[int, str] = {}


def tell_record(record: GameRecord, hand_number: int | None = None) -> str:
    """Return the story of a game, or of one hand of it, void deals included.

    Raises `RecordError` for a record that does not replay, `ValueError` for a hand it lacks.
    """
    replayed = replay_record(record)
    lines = [*_tell_game(record), ""]
    told = False
    for entry, hand in zip(record.hands, replayed.hands, strict=True):
        if hand_number in (None, entry.hand_number):
            lines += [*tell_entry(entry, hand, record.names), ""]
            told = True
    if hand_number is not None and not told:
        played = replayed.hands[-1].public.hand_number if replayed.hands else 0
        msg = f"the record has no hand {hand_number}: it has hands 1 to {played}"
        raise ValueError(msg)
    if hand_number is None:
        lines += _tell_result(record)
    return "\n".join(lines).rstrip() + "\n"


def _tell_game(record: GameRecord) -> Iterator[str]:
    aim = (
        f"session of {record.format.hands} hands"
        if isinstance(record.format, Session)
        else f"game to {record.rules.target}"
    )
    yield f"{aim} · {_rules(record.rules)}"
    yield " · ".join(_who(seat, record.names) for seat in SEATS)
    if record.draws:
        drawn = ", ".join(f"seat {seat} {card}" for seat, card in record.draws)
        yield f"drawn for the first deal: {drawn}"
    yield f"first dealer: {_who(record.first_dealer, record.names)}"


def _rules(rules: RuleSet) -> str:
    """Return the name of a rule set, or what differs from the standard one."""
    for name, preset in PRESETS.items():
        if preset == rules:
            return f"{name} rules"
    fields = rules_to_fields(rules)
    changed = [f"{o.name} {fields[o.name]}" for o in OPTIONS if getattr(rules, o.name) != o.default]
    return f"standard rules but {', '.join(changed)}".replace("True", "yes").replace("False", "no")


def _tell_result(record: GameRecord) -> Iterator[str]:
    result = record.result
    if result is None:
        yield "the game goes on"
        return
    yield f"result after {result.hands} hands: {show_triple(result.score)}"
    to_target = not isinstance(record.format, Session)
    for seat in SEATS:
        points, target = result.score[seat], record.rules.target
        marker = f"{score_marker(points, target)}  " if to_target else ""
        place = "no place" if result.places is None else f"place {result.places[seat]}"
        how = one_line(result.terminations[seat])
        why = "" if how == "normal" else f" ({how})"
        yield f"  {marker}{_who(seat, record.names)}: {place}{why}"


def tell_entry(entry: HandEntry, hand: Hand, names: Names = NO_NAMES) -> list[str]:
    """Return the lines that tell a hand of a record."""
    forced = {move.decision: move.cause for move in entry.forced}
    lines = tell_hand(hand, names, forced)
    lines += [
        f"  fault of {_who(f.seat, names)}: {one_line(f.kind)}, {one_line(f.reason)}"
        for f in entry.faults
    ]
    if entry.void is not None:
        lines.append(f"  void, it does not count: {one_line(entry.void)}")
    else:
        lines.append(f"  score {show_triple(entry.score)}{_at_the_bridge(entry, hand, names)}")
    return lines


def _at_the_bridge(entry: HandEntry, hand: Hand, names: Names) -> str:
    """Return who is one point short of the target and well ahead (rules §3, match layer)."""
    if isinstance(hand.public.format, Session):
        return ""
    there = [seat for seat in SEATS if is_at_the_bridge(hand.rules, entry.score, seat)]
    return "".join(f" · {_who(seat, names)} is at the bridge" for seat in there)


def tell_hand(
    hand: Hand, names: Names = NO_NAMES, forced: Mapping[int, str] = _ORDINARY
) -> list[str]:
    """Return the lines that tell a hand, or as much of it as has been played.

    `forced` says by index which decisions were made for a seat, and why.
    """
    public, trump = hand.public, hand.public.trump
    dealer, score = _who(hand.dealer, names), show_triple(public.score)
    lines = [f"hand {public.hand_number} · dealer {dealer} · score {score}"]
    eldest = hand.dealer.left
    holders = [_who(eldest, names), _who(eldest.left, names), "dummy", dealer]
    for holder, places in zip(holders, deal_places(hand.rules.deal_pattern), strict=True):
        cards = [hand.deck[place] for place in places]
        lines.append(f"  {holder:<20} {show_hand(cards, trump)}")
    lines.append(f"  {'turn-up and stock':<20} {public.turn_up} | {show_cards(hand.stock)}")
    return [*lines, *_decided(hand, names, forced), *_ended(hand, names)]


def _decided(hand: Hand, names: Names, forced: Mapping[int, str]) -> Iterator[str]:
    """Yield what was said and played, in the order of the decisions."""
    public = hand.public
    decisions = hand.decisions
    for index, (seat, _) in enumerate(public.calls):
        cause = _cause(forced, [index])
        yield f"  {_who(seat, names)} {_said(hand, decisions[index])}{cause}"
    if public.trump is None:
        return
    first = len(public.calls)
    for number, trick in enumerate(public.tricks, 1):
        size = len(trick.cards)
        cause = _cause(forced, range(first, first + size))
        first += size
        won = _won(trick, public.trump, names)
        yield f"  trick {number}: {_cards(trick.seats, trick.cards)} — {won}{cause}"
    if public.trick:
        seats = [seat for seat, _ in public.seated_plays()[-len(public.trick) :]]
        yield f"  trick {len(public.tricks) + 1}: {_cards(seats, public.trick)} …"


def _cause(forced: Mapping[int, str], indexes: Sequence[int]) -> str:
    causes = [forced[index] for index in indexes if index in forced]
    return f" [forced: {one_line(', '.join(causes))}]" if causes else ""


def _said(hand: Hand, action: Action) -> str:
    """Return what a seat did before the play, in words."""
    if action.is_keep:
        return f"keeps {show_hand(action.cards, hand.public.trump)}"
    if isinstance(action, Card):
        return f"takes {hand.public.turn_up} and lays down {action}"
    words = {
        Action.PASS: "passes",
        Action.ORDER_UP: f"orders {hand.public.turn_up} up",
        Action.ORDER_UP_ALONE: f"orders {hand.public.turn_up} up, alone",
        Action.DECLINE: f"leaves {hand.public.turn_up}",
        Action.ALONE: "plays alone",
        Action.WITH_DUMMY: "plays with the dummy",
        Action.TOGETHER: "defends together with the other",
    }
    return words.get(action) or f"names {action.suit.word}{', alone' if action.is_alone else ''}"


def _cards(seats: Sequence[Seat], cards: Sequence[Card]) -> str:
    return ", ".join(f"{seat} {card}" for seat, card in zip(seats, cards, strict=True))


def _won(trick: Trick, trump: Suit, names: Names) -> str:
    """Return who won a trick and why."""
    card = trick.cards[trick.seats.index(trick.winner)]
    return f"{_who(trick.winner, names)} with {card}, {why(card, trick.cards[0], trump)}"


def why(card: Card, led: Card, trump: Suit) -> str:
    """Return why `card` won a trick to which `led` was led (rules 1.2, 2.10)."""
    if card.is_joker:
        return "the joker"
    if card.rank is Rank.JACK and card.suit is trump:
        return "the right bower"
    if card.rank is Rank.JACK and card.suit is trump.same_colour:
        return "the left bower"
    suit = led.effective_suit(trump)
    if card.effective_suit(trump) is not trump:
        return f"the highest of {suit.word}"
    return "the highest trump" if suit is trump else "a trump"


def _ended(hand: Hand, names: Names) -> Iterator[str]:
    public = hand.public
    if hand.points is None:
        asked = hand.view
        if asked is not None:
            yield f"  next: {_who(asked.seat, names)}, {_NEXT[asked.kind]}"
    elif public.maker is None:
        yield "  everybody passed: no score"
    else:
        tricks = public.tricks_won[public.maker]
        alone = "alone" if public.maker_plays is MakerPlay.ALONE else "with the dummy"
        how = "march" if tricks == 5 else "made" if tricks >= 3 else "euchred"
        yield (
            f"  maker {_who(public.maker, names)} {alone}: {tricks} of 5 tricks, {how} · "
            f"points {show_triple(hand.points)}"
        )


_NEXT = {
    Kind.ORDER_UP: "to order up or pass",
    Kind.NAME_TRUMP: "to name trump",
    Kind.EXCHANGE: "to take the turn-up or leave it",
    Kind.MAKER_ALONE: "to play alone or with the dummy",
    Kind.KEEP_FIVE: "to keep five of ten cards",
    Kind.DEFEND_ALONE: "to defend alone or together",
    Kind.PLAY: "to play a card",
}


def _who(seat: Seat, names: Names) -> str:
    return f"seat {seat} {one_line(names[seat])}".rstrip()
