"""Write, test and enter bots for three-handed Euchre."""

from importlib import import_module

TYPE_CHECKING = False  # as `typing` has it, which takes longer to import than all the rest here
if TYPE_CHECKING:
    from euchre_sdk.bot import Bot, BotBase, GameEnd, GameStart, HandResult
    from euchre_sdk.client import run
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


_HOMES = {
    "bot": ("Bot", "BotBase", "GameEnd", "GameStart", "HandResult"),
    "client": ("run",),
    "errors": ("EuchreError",),
    "local": ("PlayedGame", "play_game"),
    "report": ("BotReport", "Report"),
    "series_run": ("play_series",),
}
"""Public names by their modules, imported on first use; those that are not here are in `game`.

A bot needs neither gRPC nor reports, and a command is there at once, to be stopped as well.
"""
_HOME = dict.fromkeys(__all__, "game") | {
    name: home for home, names in _HOMES.items() for name in names
}


def __getattr__(name: str) -> object:
    """Import a public name."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
