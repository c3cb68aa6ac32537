"""From results to numbers with intervals: pure functions of columns (docs/ratings.md).

    columns = SessionColumns.of(results, entries=field, not_started=counts)
    ranking = rank_sessions(columns, anchor="heuristic@1")
    for row in ranking.standings: ...  # row.rank, row.entry, row.elo, row.elo_error, ...
    ranking.neighbours()  # how sure each neighbouring pair is
"""

from arena.ratings.columns import GameColumns, SessionColumns
from arena.ratings.errors import RatingsError
from arena.ratings.ranking import Comparison, Forfeits, Model, Ranking, Standing
from arena.ratings.results import GameResult, SessionResult

__all__ = [
    "Comparison",
    "Forfeits",
    "GameColumns",
    "GameResult",
    "Model",
    "Ranking",
    "RatingsError",
    "SessionColumns",
    "SessionResult",
    "Standing",
]
