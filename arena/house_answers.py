"""What house bots would have answered, computed in the arena when they themselves are late."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.house_bots import HOUSE_BOTS
from arena.store.bots import house_bot_id
from euchre_sdk.bots import make_bot

if TYPE_CHECKING:
    from arena.tournaments.playroom import SeatOrder
    from euchre_sdk import Bot
    from euchre_sdk.game import Action, View


class HouseAnswers:
    """The house bots, made when they are first needed. Called by one thread at a time."""

    def __init__(self) -> None:
        self._names = {house_bot_id(name): name for name in HOUSE_BOTS}
        self._bots: dict[str, Bot] = {}

    def __call__(self, seat: SeatOrder, view: View) -> Action:
        """Decide as the house bot on a seat would: what it thinks about is the same view.

        It is told of no clock, so that it tries a fixed number of deals and not for a fixed time:
        this machine has enough to do. It does not know how the game began.
        """
        bot = self._bots.get(seat.bot_id)
        if bot is None:
            bot = self._bots[seat.bot_id] = make_bot(self._names[seat.bot_id])
        view.bank = view.limit = None
        return bot.act(view)
