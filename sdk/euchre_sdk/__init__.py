"""Write, test and enter bots for three-handed Euchre."""

from importlib import import_module
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
    Hand,
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
    from euchre_sdk.local import PlayedGame, play_game
    from euchre_sdk.report import BotReport, Report
    from euchre_sdk.series_run import play_series

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
    "BotReport",
    "Card",
    "EuchreError",
    "GameEnd",
    "GameStart",
    "Hand",
    "HandResult",
    "Kind",
    "MakerPlay",
    "PlayedGame",
    "Rank",
    "Report",
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
    "play_game",
    "play_series",
    "run",
    "show_cards",
]


_ON_FIRST_USE = {
    "BotReport": "report",
    "PlayedGame": "local",
    "Report": "report",
    "play_game": "local",
    "play_series": "series_run",
    "run": "client",
}
"""Public names and their modules, imported on first use: a bot needs neither gRPC nor reports."""


def __getattr__(name: str) -> object:
    """Import what is not needed for a bot to think."""
    if name not in _ON_FIRST_USE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_ON_FIRST_USE[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
