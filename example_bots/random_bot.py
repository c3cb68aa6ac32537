"""Plays anything it may: the smallest bot there is, and the one that yours should beat at once."""

from random import Random

from euchre_sdk import Action, GameStart, View


class RandomBot:
    """Chooses among the legal actions by lot.

    A bot is any class with a method `act` that takes a view and returns one of `view.legal`.
    There is nothing to inherit and nothing to register.
    """

    def game_started(self, start: GameStart) -> None:
        """Get ready for a game.

        Hooks like this one are optional. Each game makes a new bot, so what you keep in `self`
        concerns this game only. Draw your lots from `start.seed`: a run of `euchre play` with the
        same seed then goes the same way, and you can look at a hand again.
        """
        self.random = Random(start.seed)

    def act(self, view: View) -> Action:
        """Return any legal action."""
        return self.random.choice(view.legal)
