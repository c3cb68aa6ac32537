"""The options of a rule set, their defaults and presets (rules §3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from enum import Enum, unique
from typing import Any

from euchre_sdk.errors import EuchreError
from euchre_sdk.game.cards import CARDS, JOKER, Card
from euchre_sdk.game.suits import Rank
from euchre_sdk.text import LONGEST_SHOWN, cut, one_line, shown


class RuleSetError(EuchreError, ValueError):
    """A rule set that cannot be played; `faults` lists everything that is wrong with it."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults) + ".")
        self.faults = tuple(faults)


@unique
class FirstDealer(Enum):
    """How the first dealer of a game is chosen (A05)."""

    RANDOM = "random"
    DRAW_LOW = "draw_low"


@unique
class DealPattern(Enum):
    """The packets of a deal (A11); the value lists the sizes in the two rounds, E M X D."""

    P32 = "3-2"
    P23 = "2-3"
    ALT32 = "3-2-3-2"
    ALT23 = "2-3-2-3"
    SINGLES = "singles"


@unique
class JokerTurnedUp(Enum):
    """Whether the dealer names trump before or after he sees his hand (A12)."""

    BLIND = "blind"
    SEEN = "seen"


@unique
class Exchange(Enum):
    """Whether the dealer may leave the turn-up (A13)."""

    OPTIONAL = "optional"
    REQUIRED = "required"


@unique
class AloneTiming(Enum):
    """When the maker says that he plays alone (A23)."""

    AFTER_EXCHANGE = "after_exchange"
    WITH_BID = "with_bid"


@unique
class LeadRule(Enum):
    """Who leads when somebody plays alone (A29)."""

    LEFT_OF_LONER = "left_of_loner"
    LEFT_OF_DEALER = "left_of_dealer"


@unique
class TieRule(Enum):
    """What happens when the top scorers are level at or above the target (A31)."""

    PLAY_ON = "play_on"
    SHARED = "shared"


LOWEST_RANKS = (9, 8, 7)
MAX_VALUE = 1_000_000
"""The largest target and award accepted: sums stay far inside the wire's integers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """One way to play, checked when it is made: `RuleSetError` lists all faults of an invalid one.

    The fields bear the names of rules §3; the defaults are its rulings.
    """

    lowest_rank: int = 9
    """The lowest rank in the deck: 9 (24 cards), 8 (28) or 7 (32); A01."""
    joker: bool = False
    """Whether the joker is in the deck; A01."""
    first_dealer: FirstDealer = FirstDealer.RANDOM
    deal_pattern: DealPattern = DealPattern.P32
    joker_turned_up: JokerTurnedUp = JokerTurnedUp.BLIND
    exchange_on_order: Exchange = Exchange.OPTIONAL
    """The dealer's pick-up when another seat made it trump; A13."""
    exchange_on_accept: Exchange = Exchange.REQUIRED
    """The dealer's pick-up when he accepted it himself; A13."""
    turned_down_suit_allowed: bool = False
    """Whether the turned-down suit may be named in the second round; A15."""
    stick_the_dealer: bool = False
    """Whether the dealer must name a suit in the second round; A18."""
    alone_timing: AloneTiming = AloneTiming.AFTER_EXCHANGE
    maker_alone_allowed: bool = True
    defender_alone_allowed: bool = True
    """Whether a defender may play alone; without it he is not asked; A27."""
    lead_rule: LeadRule = LeadRule.LEFT_OF_LONER
    target: int = 10
    """Points that end a game, at least 1; A38."""
    tie_rule: TieRule = TieRule.PLAY_ON
    points_make: int = 1
    """To the maker for three or four tricks, alone or not; A37."""
    points_march: int = 3
    """To the maker for five tricks with the dummy; A37."""
    points_euchred: int = 2
    """To each defender when the maker with the dummy takes fewer than three; A37."""
    points_alone_march: int = 3
    """To the maker alone for five tricks; A32."""
    points_alone_euchred: int = 2
    """To each defender when two of them euchre a maker alone; A33."""
    points_lone_defender: int = 2
    """To each defender when a lone defender takes three or four tricks; A34."""
    points_lone_defender_march: int = 4
    """To each defender when a lone defender takes all five; A34."""
    deck: tuple[Card, ...] = field(init=False, repr=False, compare=False)
    """The cards of the deck in deck order (derived)."""
    tables: object = field(init=False, repr=False, compare=False, default=None)
    """The engine's tables for these rules, once it has made them (`compiled`)."""

    def __post_init__(self) -> None:
        faults = _faults(self)
        if faults:
            raise RuleSetError(faults)
        lowest = Rank(self.lowest_rank - 7)
        cards = [c for c in CARDS if c.rank is not None and c.rank >= lowest]
        object.__setattr__(self, "deck", (*cards, JOKER) if self.joker else tuple(cards))

    def __reduce__(self) -> tuple[Callable[..., RuleSet], tuple[dict[str, Any]]]:
        return _remake, ({f.name: getattr(self, f.name) for f in OPTIONS},)


def _remake(options: dict[str, Any]) -> RuleSet:
    return RuleSet(**options)


OPTIONS = tuple(f for f in fields(RuleSet) if f.init)
"""The fields of a rule set that are chosen, in the order of rules §3."""


def _faults(rules: RuleSet) -> list[str]:
    faults = []
    for option in OPTIONS:
        value: Any = getattr(rules, option.name)
        kind: type[Any] = type(option.default)
        if type(value) is not kind:
            faults.append(f"{option.name} must be {_accepted(kind)}, not {_shown(value)}")
        elif option.name == "lowest_rank":
            if value not in LOWEST_RANKS:
                why = f"{_shown(value)}{_no_dummy(value)}"
                faults.append(f"lowest_rank must be 9, 8 or 7, not {why}")
        elif option.name == "target":
            if not 1 <= value <= MAX_VALUE:
                faults.append(f"target must be 1 to {MAX_VALUE}, not {_shown(value)}")
        elif option.name.startswith("points_") and not 0 <= value <= MAX_VALUE:
            faults.append(f"{option.name} must be 0 to {MAX_VALUE}, not {_shown(value)}")
    if type(rules.points_make) is int and rules.points_make == 0:
        faults.append("points_make must be at least 1: nobody could win a game otherwise")
    return faults


def _no_dummy(lowest: int) -> str:
    return " (20 cards leave nothing to turn up beside a dummy)" if lowest == 10 else ""


def _accepted(kind: type[Any]) -> str:
    if kind is bool:
        return "true or false"
    if kind is int:
        return "a whole number"
    return "one of " + ", ".join(str(member.value) for member in kind)


def _shown(value: object) -> str:
    if isinstance(value, str):
        return f'"{one_line(cut(value, LONGEST_SHOWN))}"'
    return shown(value)


STANDARD = RuleSet()
PRESETS: dict[str, RuleSet] = {
    "standard": STANDARD,
    "lone-bonus": RuleSet(points_alone_march=4),
    "pub": RuleSet(
        stick_the_dealer=True,
        exchange_on_order=Exchange.REQUIRED,
        exchange_on_accept=Exchange.REQUIRED,
        points_alone_march=4,
        points_lone_defender=4,
        lead_rule=LeadRule.LEFT_OF_DEALER,
    ),
    "british": RuleSet(joker=True),
    "short": RuleSet(target=5),
}


@dataclass(frozen=True, slots=True)
class ToTarget:
    """A game: hands until one player alone leads with at least the target (rules 2.12)."""


@dataclass(frozen=True, slots=True)
class Session:
    """A fixed number of hands; points add up, places are by total (rules 2.12)."""

    hands: int

    def __post_init__(self) -> None:
        if type(self.hands) is not int or not 1 <= self.hands <= MAX_VALUE:
            msg = f"a session has 1 to {MAX_VALUE} hands, not {_shown(self.hands)}"
            raise RuleSetError([msg])


Format = ToTarget | Session
