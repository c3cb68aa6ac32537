"""Plays the games of a series by their numbers, in one process."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from euchre_sdk.bot import Bot, BotFactory
from euchre_sdk.errors import EuchreError
from euchre_sdk.faults import BotFaultError, constructor_fault
from euchre_sdk.game import SEATS, SeededDeals
from euchre_sdk.game.record import write_record
from euchre_sdk.game.rules import FirstDealer
from euchre_sdk.loading import load_bot
from euchre_sdk.local import PlayedGame, play_game
from euchre_sdk.series import Series
from euchre_sdk.tally import BLOCK, DESCRIBED, SEATINGS


class RecordDirectoryError(EuchreError):
    """Records cannot be written where they were asked for."""


class Player:
    """Plays the games of a series by their numbers, in one process."""

    def __init__(self, series: Series) -> None:
        """Load the bots. Raises `BotLoadError`."""
        self.series = series
        loaded: dict[str, BotFactory] = {}
        for bot in series.bots:
            if isinstance(bot, str) and bot not in loaded:
                loaded[bot] = load_bot(bot)
        self._factories = [loaded[bot] if isinstance(bot, str) else bot for bot in series.bots]
        self._names = series.names
        # Games come in rising order, so faults beyond these stand behind ones already described.
        self._to_describe = [DESCRIBED] * len(SEATS)

    def play(self, number: int) -> PlayedGame:
        """Play the game of this number, from 0.

        Raises `BotFaultError` for a bot that cannot be made, and with `strict` for any fault.
        """
        series = self.series
        block, place = divmod(number, BLOCK)
        seating = SEATINGS[place]
        numbers = _derived(series.seed, "game", number)
        dealer = None
        if series.rules.first_dealer is FirstDealer.RANDOM:
            dealer = SEATS[_derived(series.seed, "block", block)[0] % len(SEATS)]
        try:
            played = play_game(
                [self._make(bot) for bot in seating],
                rules=series.rules,
                format=series.format,
                deals=SeededDeals(numbers[0]),
                bot_seeds=numbers[1:],
                first_dealer=dealer,
                names=[self._names[bot] for bot in seating],
                strict=series.strict,
                describe=[self._to_describe[bot] for bot in seating],
                keep_record=series.record is not None,
            )
        except BotFaultError as error:
            raise BotFaultError(replace(error.fault, game=number + 1)) from error.__cause__
        if played.record is not None:
            _write(series.record_file(number), write_record(played.record))
            played = replace(played, record=None)
        if not played.faults:
            return played
        for fault in played.faults:
            assert fault.seat is not None  # the game was played
            self._to_describe[seating[fault.seat]] -= 1
        return replace(played, faults=tuple(replace(f, game=number + 1) for f in played.faults))

    def _make(self, bot: int) -> Bot:
        try:
            return self._factories[bot]()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise BotFaultError(constructor_fault(self._names[bot], error)) from error


def _derived(seed: int, what: str, number: int) -> tuple[int, int, int, int]:
    """Return four independent 64-bit numbers."""
    digest = sha256(f"euchre series {seed} {what} {number}".encode()).digest()
    a, b, c, d = (int.from_bytes(digest[at : at + 8]) for at in (0, 8, 16, 24))
    return a, b, c, d


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        with suppress(OSError):  # half a record is none
            file.unlink()
        raise RecordDirectoryError(f"no record {file}: {error.strerror}.") from error
