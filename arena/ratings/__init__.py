"""From results to numbers with intervals: pure functions of columns (docs/ratings.md).

`SessionColumns.of(results)` or `GameColumns.of(results)` gathers what was played;
`rank_sessions(columns, anchor="heuristic@1")` or `rank_games(...)` fits it and returns a `Ranking`:
its `standings` are the table, its `neighbours()` say how sure the order is.
"""

from arena.ratings.columns import GameColumns, SessionColumns
from arena.ratings.elo import ANCHOR_ELO, VALID_ELO, expected_score
from arena.ratings.errors import RatingsError
from arena.ratings.rank import (
    FittedGames,
    FittedSessions,
    Meetings,
    fit_games,
    fit_sessions,
    rank_games,
    rank_sessions,
)
from arena.ratings.ranking import Comparison, Forfeits, Model, Ranking, Standing
from arena.ratings.results import GameResult, SessionResult

__all__ = [
    "ANCHOR_ELO",
    "VALID_ELO",
    "Comparison",
    "FittedGames",
    "FittedSessions",
    "Forfeits",
    "GameColumns",
    "GameResult",
    "Meetings",
    "Model",
    "Ranking",
    "RatingsError",
    "SessionColumns",
    "SessionResult",
    "Standing",
    "expected_score",
    "fit_games",
    "fit_sessions",
    "rank_games",
    "rank_sessions",
]
