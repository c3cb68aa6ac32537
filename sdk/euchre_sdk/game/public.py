"""What everybody at the table knows of a hand."""

from __future__ import annotations

from enum import Enum, unique
from typing import NamedTuple

from euchre_sdk.game.cards import Action, Card
from euchre_sdk.game.rules import Format, RuleSet
from euchre_sdk.game.suits import SEATS, Seat, Suit


@unique
class Kind(Enum):
    """What the table waits for (rules §4)."""

    ORDER_UP = "order_up"
    """Order the turn-up up, or pass."""
    NAME_TRUMP = "name_trump"
    """Name a suit in the second round or after a joker was turned up, or pass."""
    EXCHANGE = "exchange"
    """The dealer takes the turn-up and lays one of his five down, or declines."""
    MAKER_ALONE = "maker_alone"
    """The maker plays alone or with the dummy."""
    KEEP_FIVE = "keep_five"
    """The maker keeps five of his ten cards."""
    DEFEND_ALONE = "defend_alone"
    """A defender plays alone or together with the other."""
    PLAY = "play"
    """Play a card."""

    __hash__ = object.__hash__  # an enum's own hash is Python code, and tables ask for it often


@unique
class TurnUp(Enum):
    """Where the turn-up is."""

    UP = "up"
    """Face up on the stock; the first round of bidding."""
    ORDERED = "ordered"
    """It made trump, and the dealer has yet to take or leave it."""
    TAKEN = "taken"
    """In the dealer's hand, until he plays it or, as maker with the dummy, may have dropped it."""
    DECLINED = "declined"
    """Left by the dealer: dead, and known to all."""
    TURNED_DOWN = "turned_down"
    """Nobody ordered it up: dead, and known to all."""

    __hash__ = object.__hash__  # as above


@unique
class MakerPlay(Enum):
    """How the maker plays."""

    UNDECIDED = "undecided"
    ALONE = "alone"
    WITH_DUMMY = "with_dummy"

    __hash__ = object.__hash__  # as above


# An attribute of a class costs several times a global's look-up, and every hand asks for these.
_UP, _ORDER_UP, _UNDECIDED = TurnUp.UP, Kind.ORDER_UP, MakerPlay.UNDECIDED


class Trick(NamedTuple):
    """One finished trick."""

    leader: Seat
    cards: tuple[Card, ...]
    """In order of play: clockwise from the leader, without whoever sits out."""
    winner: Seat
    seats: tuple[Seat, ...]
    """Who played each card."""


class Public:
    """What everybody at the table knows; kept current by the hand, read by everybody."""

    __slots__ = (
        "calls",
        "dealer",
        "format",
        "hand_number",
        "kind",
        "leaders",
        "lone_defender",
        "maker",
        "maker_plays",
        "plays",
        "rules",
        "score",
        "trump",
        "turn_up",
        "turn_up_state",
    )

    def __init__(
        self,
        rules: RuleSet,
        format: Format,
        hand_number: int,
        dealer: Seat,
        turn_up: Card,
        score: tuple[int, int, int],
    ) -> None:
        self.rules = rules
        self.format = format
        self.hand_number = hand_number
        """Counts the hands of this game from 1."""
        self.dealer = dealer
        self.turn_up = turn_up
        self.score = score
        """Points of the three seats before this hand."""
        self.turn_up_state = _UP
        self.kind = _ORDER_UP
        """The decision the table waits for; of the last one once the hand is over."""
        self.trump: Suit | None = None
        self.maker: Seat | None = None
        self.maker_plays = _UNDECIDED
        self.lone_defender: Seat | None = None
        self.calls: list[tuple[Seat, Action]] = []
        """Everything said before the play, as all heard it: a pick-up is `TAKE`, five cards
        kept are `COMBINE`."""
        self.plays: list[Card] = []
        """Every card played, in order."""
        self.leaders: list[Seat] = []
        """Who led to each trick; each but the first won the trick before. After the fifth trick its
        winner stands here, too."""

    def copy(self) -> Public:
        """Return a copy that stays as it is while this one goes on."""
        new: Public = Public.__new__(Public)
        new.rules = self.rules
        new.format = self.format
        new.hand_number = self.hand_number
        new.dealer = self.dealer
        new.turn_up = self.turn_up
        new.score = self.score
        new.turn_up_state = self.turn_up_state
        new.kind = self.kind
        new.trump = self.trump
        new.maker = self.maker
        new.maker_plays = self.maker_plays
        new.lone_defender = self.lone_defender
        new.calls = self.calls[:]
        new.plays = self.plays[:]
        new.leaders = self.leaders[:]
        return new

    def __eq__(self, other: object) -> bool:
        """Two are equal when everybody at the table knows the same."""
        if not isinstance(other, Public):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in Public.__slots__)

    __hash__ = None  # type: ignore[assignment]  # it changes

    @property
    def eldest(self) -> Seat:
        """The seat at the dealer's left, who speaks first."""
        return self.dealer.left

    @property
    def sitting_out(self) -> Seat | None:
        """The partner of a lone defender, who takes no part in the play (rules 2.8)."""
        if self.lone_defender is None or self.maker is None:
            return None
        return SEATS[3 - self.maker - self.lone_defender]

    @property
    def active(self) -> tuple[Seat, ...]:
        """The seats still in the hand."""
        return tuple(seat for seat in SEATS if seat is not self.sitting_out)

    @property
    def leader(self) -> Seat | None:
        """Who leads or led to the current trick."""
        return self.leaders[-1] if self.leaders else None

    @property
    def trick(self) -> list[Card]:
        """The cards of the current trick in order of play."""
        size = 3 if self.lone_defender is None else 2
        return self.plays[len(self.plays) // size * size :]

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The finished tricks, first to last."""
        size = len(self.active)
        return tuple(
            Trick(
                leader,
                tuple(self.plays[at : at + size]),
                winner,
                self._clockwise(leader),
            )
            for at, leader, winner in zip(
                range(0, 5 * size, size), self.leaders, self.leaders[1:], strict=False
            )
        )

    @property
    def tricks_won(self) -> tuple[int, int, int]:
        """Tricks of each seat."""
        winners = self.leaders[1:]
        return winners.count(SEATS[0]), winners.count(SEATS[1]), winners.count(SEATS[2])

    @property
    def history(self) -> tuple[tuple[Seat, Action], ...]:
        """Everything said and played in order, as all saw it."""
        return (*self.calls, *self.seated_plays())

    def seated_plays(self) -> list[tuple[Seat, Card]]:
        """Return every card played with the seat that played it."""
        size = len(self.active)
        plays: list[tuple[Seat, Card]] = []
        for number, leader in enumerate(self.leaders):
            trick = self.plays[number * size : (number + 1) * size]
            plays += zip(self._clockwise(leader), trick, strict=False)
        return plays

    def _clockwise(self, leader: Seat) -> tuple[Seat, ...]:
        out = self.sitting_out
        return tuple(s for s in (leader, leader.left, leader.right) if s is not out)

    @property
    def led_suit(self) -> Suit | None:
        """The effective suit led to the current trick, `None` before the lead."""
        trick = self.trick
        if self.trump is None or not trick:
            return None
        return trick[0].effective_suit(self.trump)

    def voids(self, seat: Seat) -> frozenset[Suit]:
        """Return the effective suits `seat` is known to be void in: it did not follow them."""
        trump = self.trump
        if trump is None:
            return frozenset()
        size = len(self.active)
        shown = set()
        for place, (who, card) in enumerate(self.seated_plays()):
            led = self.plays[place // size * size].effective_suit(trump)
            if who is seat and card.effective_suit(trump) is not led:
                shown.add(led)
        return frozenset(shown)
