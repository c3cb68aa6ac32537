"""The luck of the cards, and results without it: pure functions (docs/ratings.md, "Luck").

`model_baselines` says what dealt hands are worth and what the dummy added to what its maker could
expect; `playouts` what house policies make of them. All of these are *baselines*: numbers whose
mean nothing that the bots did can move. `correct` subtracts from the points of each hand their best
linear prediction from baselines, fitted on other blocks; `without_luck` does so for whole sessions.

Everything stands by position: 0 eldest, 1 middle, 2 dealer.
"""

from arena.luck.baselines import BaselineKind, model_baselines
from arena.luck.correction import CorrectedHands, HandsPlayed, correct
from arena.luck.deals import Deals, Looks
from arena.luck.errors import LuckError
from arena.luck.model import ValueModel, value_model
from arena.luck.playouts import playouts
from arena.luck.sessions import PlayedSession, WithoutLuck, without_luck

__all__ = [
    "BaselineKind",
    "CorrectedHands",
    "Deals",
    "HandsPlayed",
    "Looks",
    "LuckError",
    "PlayedSession",
    "ValueModel",
    "WithoutLuck",
    "correct",
    "model_baselines",
    "playouts",
    "value_model",
    "without_luck",
]
