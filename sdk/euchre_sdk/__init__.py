"""Write, test and enter bots for three-handed Euchre."""

from typing import TYPE_CHECKING

from euchre_sdk.bot import Bot, BotBase, GameEnd, GameStart, HandResult
from euchre_sdk.errors import EuchreError
from euchre_sdk.game import (
    CARDS,
    JOKER,
    PRESETS,
    RANKS,
    SEATS,
    STANDARD,
    SUITS,
    Action,
    Card,
    Kind,
    MakerPlay,
    Rank,
    RuleSet,
    Seat,
    Session,
    Suit,
    ToTarget,
    Trick,
    TurnUp,
    View,
    fallback,
    parse_cards,
    show_cards,
)

if TYPE_CHECKING:
    from euchre_sdk.client import run

__all__ = [
    "CARDS",
    "JOKER",
    "PRESETS",
    "RANKS",
    "SEATS",
    "STANDARD",
    "SUITS",
    "Action",
    "Bot",
    "BotBase",
    "Card",
    "EuchreError",
    "GameEnd",
    "GameStart",
    "HandResult",
    "Kind",
    "MakerPlay",
    "Rank",
    "RuleSet",
    "Seat",
    "Session",
    "Suit",
    "ToTarget",
    "Trick",
    "TurnUp",
    "View",
    "fallback",
    "parse_cards",
    "run",
    "show_cards",
]


def __getattr__(name: str) -> object:
    """Import `run` on first use: who only plays here need not wait for gRPC."""
    if name == "run":
        from euchre_sdk.client import run  # noqa: PLC0415 - see above

        return run
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
