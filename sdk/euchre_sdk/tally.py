"""Adds up a series game by game in memory that does not grow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import permutations

from euchre_sdk.faults import Fault
from euchre_sdk.game import Format, RuleSet, Session
from euchre_sdk.intervals import BlockSums
from euchre_sdk.local import PlayedGame
from euchre_sdk.report import BotReport, Report

SEATINGS: tuple[tuple[int, int, int], ...] = tuple((a, b, c) for a, b, c in permutations(range(3)))
"""The six seatings of a block: which bot sits at seats 0, 1, 2."""
BLOCK = len(SEATINGS)
"""Games in a block."""
DESCRIBED = 3
"""Faults of each bot that a report describes."""
_WIN = 6
"""A win in parts, so that one shared by two or three is a whole number of them."""


@dataclass(slots=True)
class _BotSums:
    places: list[int] = field(default_factory=lambda: [0, 0, 0])
    made: int = 0
    marches: int = 0
    euchred: int = 0
    alone: int = 0
    defended_alone: int = 0
    faults: int = 0


class Tally:
    """Running sums of a series. Games are added in order; a block counts once it is complete."""

    def __init__(self) -> None:
        self.points = BlockSums()
        """Points over hands."""
        self.wins = BlockSums()
        """Wins, in sixths, over finished games, in sixths."""
        self.bots = (_BotSums(), _BotSums(), _BotSums())
        self.games = 0
        self.unfinished = 0
        self.passed_out = 0
        self.faults: list[Fault] = []
        self._described = [0, 0, 0]
        self._block: list[PlayedGame] = []

    def add(self, played: PlayedGame) -> None:
        """Add the next game: its seating follows from its place in the block."""
        self._block.append(played)
        self._keep_faults(played, SEATINGS[len(self._block) - 1])
        if len(self._block) == BLOCK:
            self._add_block(self._block)
            self._block.clear()

    def _keep_faults(self, played: PlayedGame, seating: tuple[int, int, int]) -> None:
        for fault in played.faults:
            assert fault.seat is not None  # a bot that cannot be made plays no game
            bot = seating[fault.seat]
            if self._described[bot] < DESCRIBED:
                self._described[bot] += 1
                self.faults.append(fault)

    def _add_block(self, games: Sequence[PlayedGame]) -> None:
        points, wins = [0, 0, 0], [0, 0, 0]
        hands = finished = 0
        for played, seating in zip(games, SEATINGS, strict=True):
            result = played.result
            hands += result.hands
            self.passed_out += played.passed_out
            places = result.places
            if places is None:
                self.unfinished += 1
            else:
                finished += _WIN
            for seat, bot in enumerate(seating):
                points[bot] += result.score[seat]
                sums, count = self.bots[bot], played.counts[seat]
                sums.made += count.made
                sums.marches += count.marches
                sums.euchred += count.euchred
                sums.alone += count.alone
                sums.defended_alone += count.defended_alone
                sums.faults += played.fault_counts[seat]
                if places is not None:
                    sums.places[places[seat] - 1] += 1
                    if places[seat] == 1:
                        wins[bot] += _WIN // places.count(1)
        self.games += len(games)
        self.points.add(points, hands)
        self.wins.add(wins, finished)

    def report(
        self,
        *,
        rules: RuleSet,
        format: Format,
        blocks: int,
        seed: int,
        names: Sequence[str],
        specs: Sequence[str],
    ) -> Report:
        """Return what the complete blocks have shown."""
        judged = self.points if isinstance(format, Session) else self.wins
        a, b, c = (self._bot_report(n, names[n], specs[n]) for n in range(3))
        return Report(
            rules=rules,
            format=format,
            seed=seed,
            blocks=self.points.blocks,
            blocks_planned=blocks,
            games=self.games,
            unfinished=self.unfinished,
            hands=self.points.size,
            passed_out=self.passed_out,
            bots=(a, b, c),
            superiority=tuple(
                tuple(None if i == j else judged.superiority(i, j) for j in range(3))
                for i in range(3)
            ),
            faults=tuple(self.faults),
        )

    def _bot_report(self, bot: int, name: str, spec: str) -> BotReport:
        sums = self.bots[bot]
        first, second, third = sums.places
        return BotReport(
            name=name,
            spec=spec,
            points=self.points.amounts[bot],
            points_per_hand=self.points.mean(bot),
            points_per_hand_error=self.points.error(bot),
            wins=self.wins.amounts[bot] / _WIN,
            win_rate=self.wins.mean(bot),
            win_rate_error=self.wins.error(bot),
            places=(first, second, third),
            made=sums.made,
            marches=sums.marches,
            euchred=sums.euchred,
            alone=sums.alone,
            defended_alone=sums.defended_alone,
            faults=sums.faults,
        )
