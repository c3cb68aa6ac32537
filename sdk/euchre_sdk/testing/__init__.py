"""The testing kit: a scripted referee for bots and clients, and a bot that misbehaves for arenas.

`ScriptedReferee` plays the arena's part by a script. `python -m euchre_sdk.testing.misbehave` is a
bot that plays by the rules until a moment of your choice, and then does what no bot should.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from euchre_sdk.testing.scripted_referee import (
        PATIENCE,
        Part,
        ScriptedReferee,
        game_start,
        goodbye,
        offer,
        question,
    )

__all__ = ["PATIENCE", "Part", "ScriptedReferee", "game_start", "goodbye", "offer", "question"]


def __getattr__(name: str) -> object:
    """Import the scripted referee on first use: a bot that misbehaves has no need of it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.scripted_referee"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
