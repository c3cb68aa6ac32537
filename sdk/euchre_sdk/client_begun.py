"""Which bot plays a game: the one that was told of its start, also on another link."""

from __future__ import annotations

from dataclasses import dataclass, field

from euchre_sdk.bot import Bot, BotFactory

_MOST_KEPT = 1024
"""Bots kept; the oldest goes first, of a game that was never heard of again."""


@dataclass(slots=True)
class Begun:
    """The bots of the games that began and are not over, by the ids of the games."""

    _bots: dict[str, Bot] = field(default_factory=dict)

    def bot_for(self, game_id: str, factory: BotFactory) -> Bot:
        """Return the bot that is in this game, or a new one."""
        bot = self._bots.get(game_id)
        return factory() if bot is None else bot

    def begins(self, game_id: str, bot: Bot) -> bool:
        """Take note of a start; return whether the bot has not been told of this one."""
        if self._bots.get(game_id) is bot:
            return False
        self._bots[game_id] = bot
        if len(self._bots) > _MOST_KEPT:
            del self._bots[next(iter(self._bots))]
        return True

    def over(self, game_id: str) -> None:
        """Let go of the bot of a game that is over or does not take place."""
        self._bots.pop(game_id, None)
