"""Many games between three bots, in one process or several, with the same result.

A series is made of blocks of six games or sessions, one for each seating; in a block the same seat
deals first, so that all three bots meet every position equally often. Every game has its own seeds,
derived from the series' seed and the game's number alone: whoever plays it, and in whatever order,
it goes the same way. That holds for bots that remember within one game only, and draw their lots
from the seed they are given (`GameStart.seed`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from euchre_sdk.bot import Bot, BotFactory
from euchre_sdk.errors import EuchreError
from euchre_sdk.faults import BotFaultError, constructor_fault
from euchre_sdk.game import SEATS, STANDARD, Format, RuleSet, SeededDeals, Session, ToTarget
from euchre_sdk.game.record import write_record
from euchre_sdk.game.rules import FirstDealer
from euchre_sdk.loading import bot_name, load_bot
from euchre_sdk.local import PlayedGame, play_game
from euchre_sdk.report import Report
from euchre_sdk.tally import BLOCK, DESCRIBED, SEATINGS, Tally
from euchre_sdk.text import one_line

SESSION_HANDS = 10
"""Hands of a session unless said otherwise: a block of six then has sixty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """What is to be played: a value that any process can carry out in part."""

    bots: tuple[str | BotFactory, ...]
    """Three bots, by what `load_bot` takes or as what makes them."""
    rules: RuleSet = STANDARD
    format: Format = ToTarget()
    blocks: int = 1
    """Blocks of six games."""
    seed: int = 1
    strict: bool = False
    """Whether the first fault ends the series."""
    record: Path | None = None
    """Directory for one record a game."""

    def __post_init__(self) -> None:
        if len(self.bots) != len(SEATS):
            raise ValueError(f"three bots play, not {len(self.bots)}")
        if self.blocks < 1:
            raise ValueError(f"a series has at least one block, not {self.blocks}")

    @property
    def games(self) -> int:
        """Games or sessions to play."""
        return self.blocks * BLOCK

    def record_file(self, number: int) -> Path:
        """Return the file for the record of the game of this number, from 0."""
        assert self.record is not None  # records are asked for
        return self.record / f"game-{number + 1:0{len(str(self.games))}}.jsonl"

    @property
    def specs(self) -> tuple[str, ...]:
        """How the bots were named; empty for one given as an object."""
        return tuple(bot if isinstance(bot, str) else "" for bot in self.bots)

    @property
    def names(self) -> tuple[str, ...]:
        """Different names to show the bots under."""
        names: list[str] = []
        for bot in self.bots:
            plain = one_line(bot_name(bot) if isinstance(bot, str) else _object_name(bot))
            again = sum(name == plain or name.startswith(f"{plain}#") for name in names)
            names.append(f"{plain}#{again + 1}" if again else plain)
        return tuple(names)


def blocks_for(amount: int, format: Format) -> int:
    """Return how many blocks hold at least so many hands (in sessions) or games (to the target).

    >>> blocks_for(600, Session(10)), blocks_for(601, Session(10)), blocks_for(7, ToTarget())
    (10, 11, 2)
    """
    block = BLOCK * format.hands if isinstance(format, Session) else BLOCK
    return -(-amount // block)


def _object_name(bot: BotFactory) -> str:
    name: str = getattr(bot, "__name__", type(bot).__name__)
    return name


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


class Run:
    """A series as it is played; `report` may be asked for at any time."""

    def __init__(self, series: Series) -> None:
        """Load the bots, so that what is wrong with one is said before anything is played.

        Raises `BotLoadError`, and `RecordDirectoryError` if records cannot be written.
        """
        self.series = series
        self.tally = Tally()
        self._player = Player(series)
        if series.record is not None:
            _make_record_directory(series.record)

    def play(self, *, jobs: int = 1) -> Iterator[PlayedGame]:
        """Play all games and yield each, in order, once it is counted.

        With more than one job, games go to that many new processes; the bots must then be given by
        name, or be classes and functions that other processes can import. Raises `BotFaultError` as
        `Player.play` does, always for the first fault in the order of games.
        """
        numbers = range(self.series.games)
        games: Iterator[PlayedGame] = map(self._player.play, numbers)
        if jobs > 1:
            from euchre_sdk.workers import play_in_processes  # noqa: PLC0415 - seldom needed

            games = play_in_processes(self.series, jobs)
        try:
            for played in games:
                self.tally.add(played)
                yield played
        except BotFaultError as error:
            self.tally.faults.append(error.fault)
            raise

    def report(self) -> Report:
        """Return what the complete blocks have shown so far."""
        series = self.series
        return self.tally.report(
            rules=series.rules,
            format=series.format,
            blocks=series.blocks,
            seed=series.seed,
            names=series.names,
            specs=series.specs,
        )


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        with suppress(OSError):  # half a record is none
            file.unlink()
        raise RecordDirectoryError(f"no record {file}: {error.strerror}.") from error


def _make_record_directory(directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        old = next(directory.glob("game-*.jsonl"), None)
    except OSError as error:
        raise RecordDirectoryError(f"no records in {directory}: {error.strerror}.") from error
    if old is not None:
        raise RecordDirectoryError(
            f"{directory} holds records of an earlier run ({old.name}): name another directory."
        )


def play_series(
    bots: Sequence[str | BotFactory],
    *,
    hands: int | None = None,
    games: int | None = None,
    session: int = SESSION_HANDS,
    rules: RuleSet = STANDARD,
    seed: int = 1,
    jobs: int = 1,
    strict: bool = False,
    record: Path | None = None,
) -> Report:
    """Play three bots against each other in all six seatings and return the report.

    Args:
        bots: Three bots, each as `load_bot` takes it or as what makes it: a class or a function.
        hands: Hands to play in sessions, rounded up to whole blocks.
        games: Games to the target to play instead, rounded up to whole blocks.
        session: Hands of one session.
        rules: The rule set.
        seed: The same seed gives the same report, however many jobs there are.
        jobs: Processes. For more than one, bots must be importable there (see `Run.play`), and a
            script that calls this needs the usual `if __name__ == "__main__":`.
        strict: Whether the first fault of a bot ends it all by `BotFaultError`.
        record: Directory for one record a game.
    """
    if (hands is None) == (games is None):
        raise ValueError("say how much to play: either hands or games")
    kind = Session(session) if games is None else ToTarget()
    run = Run(
        Series(
            bots=tuple(bots),
            rules=rules,
            format=kind,
            blocks=blocks_for(hands or games or 0, kind),
            seed=seed,
            strict=strict,
            record=record,
        )
    )
    for _ in run.play(jobs=jobs):
        pass
    return run.report()
