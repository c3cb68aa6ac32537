"""Is A stronger than B? A sequential test over blocks, and duels here (docs/duels.md)."""

from euchre_sdk.duel.effect import Effect, elo_of_points, points_of_elo
from euchre_sdk.duel.gsprt import Decision, Evidence, SequentialTest, SprtError, SprtState

__all__ = [
    "Decision",
    "Effect",
    "Evidence",
    "SequentialTest",
    "SprtError",
    "SprtState",
    "elo_of_points",
    "points_of_elo",
]
