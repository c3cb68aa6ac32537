"""`random@1`: any legal action, all alike."""

from __future__ import annotations

from random import Random

from euchre_sdk import Action, GameStart, View


class Random1:
    """Chooses uniformly among the legal actions: the least a bot can do, and a yardstick."""

    def __init__(self, seed: int = 0) -> None:
        self._choose = Random(seed).choice

    def game_started(self, start: GameStart) -> None:
        """Take the game's seed."""
        self._choose = Random(start.seed).choice

    def act(self, view: View) -> Action:
        """Return one of `view.legal`."""
        return self._choose(view.legal)
