"""What a duel asks, as an organiser says it: two bots by name, a lead, how sure it shall be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from arena.scheduling import EntryId, ScheduleError
from arena.scheduling.duel import Duel
from arena.store.tournaments import StoredEntry
from euchre_sdk.duel.gsprt import SequentialTest, SprtError
from euchre_sdk.game import Format, Session

CAP = 1000
"""Blocks of a duel at most, if nothing is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelTerms:
    """Of whom is asked what. Whoever else is entered is third, by turns of blocks."""

    first: str
    """Name of the bot of which is asked whether it is stronger."""
    second: str
    points0: float = 0.0
    """Lead under H0, in points a hand."""
    points1: float = 0.1
    """Lead under H1: the smallest that matters."""
    alpha: float = 0.05
    beta: float = 0.05
    cap: int = CAP
    """Blocks after which it ends undecided."""

    def test(self, format: Format) -> SequentialTest:
        """Return the test of blocks of this format. Raises `ScheduleError`."""
        if not isinstance(format, Session):
            raise ScheduleError(
                ["a duel is decided by points a hand; accepted are sessions, not games"]
            )
        try:
            return SequentialTest(
                points0=self.points0,
                points1=self.points1,
                alpha=self.alpha,
                beta=self.beta,
                cap=self.cap,
                block_hands=2 * format.hands,
            )
        except SprtError as error:
            raise ScheduleError([str(error).removesuffix(".")]) from error

    def duel(self, entries: Sequence[StoredEntry], format: Format) -> Duel:
        """Return the duel among these entries. Raises `ScheduleError` with all that is wrong."""
        by_name = {entry.name: EntryId(entry.entry_id) for entry in entries}
        absent = [name for name in (self.first, self.second) if name not in by_name]
        if absent:
            raise ScheduleError([f"{' and '.join(absent)} must be entered to play a duel"])
        first, second = by_name[self.first], by_name[self.second]
        thirds = sorted(set(by_name.values()) - {first, second})
        return Duel(first=first, second=second, thirds=tuple(thirds), test=self.test(format))

    def to_fields(self) -> dict[str, Any]:
        """Return it as values for JSON; `terms_from_fields` gives it back."""
        return asdict(self)


def terms_from_fields(fields: Mapping[str, Any]) -> DuelTerms:
    """Return the terms that `DuelTerms.to_fields` wrote."""
    return DuelTerms(**fields)
