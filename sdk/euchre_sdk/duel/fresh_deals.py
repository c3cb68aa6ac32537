"""Plays the blocks of a duel with new deals in every session: for bots that might remember."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from itertools import islice

from euchre_sdk.duel.local import BlockResult, LocalDuel
from euchre_sdk.local import PlayedGame
from euchre_sdk.series_player import Player
from euchre_sdk.tally import BLOCK, SEATINGS
from euchre_sdk.workers import play_in_processes


class DuelPlayer:
    """Plays the sessions of a duel by their numbers, in one process."""

    def __init__(self, duel: LocalDuel) -> None:
        """Load the bots. Raises `BotLoadError`."""
        self._players = [Player(duel.series_of(block)) for block in range(len(duel.thirds))]

    def play(self, number: int) -> PlayedGame:
        """Play the session of this number, from 0: six to a block."""
        return self._players[number // BLOCK % len(self._players)].play(number)


def play_fresh_deals(
    duel: LocalDuel, *, begin: int, jobs: int
) -> Generator[BlockResult, None, None]:
    """Yield the blocks from number `begin` up to the cap, in order, whoever plays them.

    Raises `BotLoadError`, `BotFaultError` for a bot that cannot be made, and `WorkerError`.
    """
    here = DuelPlayer(duel)  # what is wrong with a bot is said before anything is played
    numbers = range(begin * BLOCK, duel.test.cap * BLOCK)
    games = (
        map(here.play, numbers)
        if jobs == 1
        else play_in_processes(partial(DuelPlayer, duel), numbers, jobs)
    )
    while block := tuple(islice(games, BLOCK)):
        yield BlockResult.of(
            [_session(played, SEATINGS[place]) for place, played in enumerate(block)]
        )


def _session(played: PlayedGame, seating: tuple[int, int, int]) -> BlockResult:
    """Return what each bot did in one seating."""
    seat_of = [seating.index(bot) for bot in range(3)]
    a, b, c = (played.result.score[seat] for seat in seat_of)
    x, y, z = (played.fault_counts[seat] for seat in seat_of)
    return BlockResult(
        points=(a, b, c),
        hands=played.result.hands,
        faults=(x, y, z),
        described=tuple(f"{fault.name}: {fault.sentence}" for fault in played.faults),
    )
