"""The match layer around games: markers for the score, the rubber (rules §3).

For display and for friendly matches; nothing here enters a ranking. Who is *at the bridge* is for
`game.is_at_the_bridge` to say.
"""

from __future__ import annotations

from euchre_sdk.game.game import Deals, Game, GameResult
from euchre_sdk.game.hand_state import Points
from euchre_sdk.game.rules import RuleSet
from euchre_sdk.game.suits import SEATS, Seat

GAMES_TO_WIN = 2
WINNER_BONUS = 2
"""Rubber points for winning the rubber."""
MOST_PIPS = 20
"""A larger target is marked in digits: no two low cards have so many pips."""


def score_marker(points: int, target: int) -> str:
    """Return a score as the pips shown on two low cards, for ten points a six and a four.

    >>> score_marker(7, target=10)
    '●●●●●● ●○○○'
    """
    if target > MOST_PIPS:
        return f"{points}/{target}"
    first = -(-target * 3 // 5)
    pips = "●" * min(points, target) + "○" * (target - points)
    return f"{pips[:first]} {pips[first:]}".rstrip()


def game_value(result: GameResult, target: int) -> int:
    """Return the rubber points of a won game: 3 if both losers have none, 2 up to 0.4 · target."""
    best_loser = sorted(result.score)[-2]
    if best_loser == 0:
        return 3
    return 2 if 5 * best_loser <= 2 * target else 1


class Rubber:
    """Games until somebody has won two; the deal rotates on from game to game (A08).

    A game that is unfinished, or whose win is shared, counts for nobody.
    """

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.games_won: Points = (0, 0, 0)
        self.points: Points = (0, 0, 0)
        """Rubber points."""
        self.winner: Seat | None = None
        """Who won the rubber, once somebody has."""
        self.game: Game | None = None
        """The game in progress, `None` between games."""
        self._next_dealer: Seat | None = None

    def start_game(self, deals: Deals) -> Game:
        """Start the next game with decks from `deals`.

        Raises `ValueError` when the rubber is over or a game is in progress.
        """
        if self.winner is not None or self.game is not None:
            why = "a game is going on" if self.winner is None else "the rubber is over"
            raise ValueError(f"no game can start: {why}")
        self.game = Game(self.rules, deals, first_dealer=self._next_dealer)
        return self.game

    def finish_game(self) -> None:
        """Count the finished game. Raises `ValueError` while there is none."""
        game = self.game
        if game is None or game.result is None:
            raise ValueError("no finished game to count")
        self.game, self._next_dealer, result = None, game.dealer, game.result
        if result.places is None or result.places.count(1) != 1:
            return
        seat = SEATS[result.places.index(1)]
        self.games_won = _plus(self.games_won, seat, 1)
        self.points = _plus(self.points, seat, game_value(result, self.rules.target))
        if self.games_won[seat] == GAMES_TO_WIN:
            self.winner = seat
            self.points = _plus(self.points, seat, WINNER_BONUS)


def _plus(numbers: Points, seat: Seat, more: int) -> Points:
    a, b, c = (n + more * (place == seat) for place, n in enumerate(numbers))
    return a, b, c
