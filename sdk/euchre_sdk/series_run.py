"""A series as it is played, in one process or several, and its report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from euchre_sdk.bot import BotFactory
from euchre_sdk.faults import BotFaultError
from euchre_sdk.game import STANDARD, RuleSet, Session, ToTarget
from euchre_sdk.local import PlayedGame
from euchre_sdk.report import Report
from euchre_sdk.series import SESSION_HANDS, Series, blocks_for
from euchre_sdk.series_player import Player, RecordDirectoryError
from euchre_sdk.tally import Tally


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

            games = play_in_processes(partial(Player, self.series), numbers, jobs)
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
