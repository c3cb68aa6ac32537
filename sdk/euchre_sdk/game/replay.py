"""Hands and games played again from their decks and decisions, checked by the engine itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from euchre_sdk.game.cards import Action, Card, show_cards
from euchre_sdk.game.dealing import lowest_of
from euchre_sdk.game.game import Draw, Game, GameResult
from euchre_sdk.game.hand import Hand
from euchre_sdk.game.hand_state import Points
from euchre_sdk.game.illegal import IllegalActionError
from euchre_sdk.game.notation import show_triple
from euchre_sdk.game.record import GameRecord, HandEntry, RecordError
from euchre_sdk.game.rules import FirstDealer, Format, RuleSet, ToTarget
from euchre_sdk.game.suits import SEATS, Seat


def replay_hand(
    rules: RuleSet,
    dealer: Seat,
    deck: Sequence[Card],
    decisions: Iterable[Action],
    *,
    score: Points = (0, 0, 0),
    hand_number: int = 1,
    format: Format = ToTarget(),  # noqa: B008 - the default is a frozen value
) -> Hand:
    """Return the hand dealt from `deck`, the cut deck, after `decisions`, the hidden ones too.

    Stop the decisions early to get a hand in the middle of play. Raises `ValueError` for cards that
    are not the deck of these rules, `IllegalActionError` for a decision that is not legal.
    """
    if len(deck) != len(rules.deck) or set(deck) != set(rules.deck):
        msg = f"not the {len(rules.deck)} cards of this rule set's deck: {show_cards(deck)}"
        raise ValueError(msg)
    hand = Hand(rules, dealer, deck, score=score, hand_number=hand_number, format=format)
    for action in decisions:
        hand.apply(action)
    return hand


@dataclass(frozen=True, slots=True)
class Replayed:
    """A record played again: every hand as it ended, void ones too, and the result."""

    hands: tuple[Hand, ...]
    result: GameResult | None
    """As the rules give it; `None` for a game that is not over."""


def replay_record(record: GameRecord) -> Replayed:
    """Play a record again by its decisions alone and compare everything else with it.

    Raises `RecordError` at the first decision, dealer, score or place that disagrees.
    """
    _check_draws(record)
    game = Game(record.rules, RecordedDeals(record), record.format)
    hands = []
    for line, entry in enumerate(record.hands, 2):
        if game.result is not None:
            raise RecordError(line, "the game was over before this hand")
        hands.append(_replay_entry(game, entry, line))
    _check_result(record, game, len(record.hands) + 2)
    return Replayed(tuple(hands), game.result)


class RecordedDeals:
    """The deals of a record, whatever source they came from."""

    def __init__(self, record: GameRecord) -> None:
        """Raise `RecordError` if a hand's cards are no deck, or two deals are one attempt."""
        self._first = record.first_dealer, record.draws
        self._decks: dict[tuple[int, int], tuple[Card, ...]] = {}
        for line, entry in enumerate(record.hands, 2):
            check_deck(record.rules, entry.deck, line)
            deal = entry.hand_number, attempt_number(entry)
            if deal in self._decks:
                raise RecordError(line, "another deal of this hand has the same attempt")
            self._decks[deal] = entry.deck

    def first_dealer(self, rules: RuleSet) -> tuple[Seat, Sequence[Draw]]:
        """Return who dealt first and what was drawn for it."""
        return self._first

    def deck(self, rules: RuleSet, hand_number: int, attempt: int) -> Sequence[Card]:
        """Return the recorded cut deck. Raises `KeyError` for one that the record lacks."""
        return self._decks[hand_number, attempt]


def attempt_number(entry: HandEntry) -> int:
    """Return the attempt of a hand as the one number that a source of deals is asked by."""
    incarnation, retry = entry.attempt
    return incarnation << 16 | retry


def check_deck(rules: RuleSet, deck: Sequence[Card], line: int) -> None:
    """Raise `RecordError` unless the cards are those of the rule set, each once."""
    if len(deck) != len(rules.deck) or set(deck) != set(rules.deck):
        raise RecordError(line, f"the deck is not the {len(rules.deck)} cards of the rule set")


def _replay_entry(game: Game, entry: HandEntry, line: int) -> Hand:
    """Play one hand of a record and check what it says of itself."""
    _agree(line, "hand number", entry.hand_number, game.hand_number)
    _agree(line, "dealer", entry.dealer, game.dealer)
    hand = game.start_hand(attempt_number(entry))
    for number, action in enumerate(entry.decisions, 1):
        try:
            hand.apply(action)
        except IllegalActionError as error:
            reason = f"decision {number}: {str(error).rstrip('.')}"
            raise RecordError(line, reason, found=str(action)) from None
    points: Points = (0, 0, 0)
    if entry.void is not None:
        game.void_hand()
    elif hand.view is not None:
        raise RecordError(line, f"the hand is not over after {len(entry.decisions)} decisions")
    else:
        points = game.finish_hand()
    _agree(line, "points of the hand", entry.points, points)
    _agree(line, "score after the hand", entry.score, game.score)
    return hand


def _check_draws(record: GameRecord) -> None:
    """Check that the draws give the first dealer (A05, A06)."""
    if record.rules.first_dealer is FirstDealer.RANDOM:
        if record.draws:
            raise RecordError(1, "nobody draws for the first deal under these rules")
        return
    spread = {card for card in record.rules.deck if not card.is_joker}
    pack = set(spread)
    tied: Sequence[Seat] = SEATS
    left = record.draws
    while len(tied) > 1:
        if len(pack) < len(tied):
            pack = set(spread)
        round_, left = left[: len(tied)], left[len(tied) :]
        cards = {card for _, card in round_}
        if [seat for seat, _ in round_] != list(tied) or len(cards) != len(tied) or cards - pack:
            seats = ", ".join(map(str, tied))
            raise RecordError(1, f"the draws are wrong: one card each of seats {seats} comes next")
        pack -= cards
        tied = lowest_of(round_)
    if left:
        raise RecordError(1, "there are more draws than the first deal needs")
    _agree(1, "first dealer", record.first_dealer, tied[0])


def _check_result(record: GameRecord, game: Game, line: int) -> None:
    """Check the result of a game that all three played to its end."""
    result = record.result
    if result is None or not result.is_normal:
        return
    if game.result is None:
        raise RecordError(line, "the game is not over after its last hand")
    _agree(line, "score", result.score, game.result.score)
    _agree(line, "places", result.places, game.result.places)
    _agree(line, "number of hands", result.hands, game.result.hands)


def _agree(line: int, what: str, said: object, expected: object) -> None:
    if said != expected:
        found, right = _text(said), _text(expected)
        reason = f"{what}: the record says {found}, not {right}"
        raise RecordError(line, reason, found=found, expected=right)


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return show_triple(value)
    return "nothing" if value is None else str(value)
