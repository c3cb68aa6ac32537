"""What a series of local games has shown, per bot, with error bars by block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from euchre_sdk.faults import Fault
from euchre_sdk.game import RuleSet, Session
from euchre_sdk.game.rules import OPTIONS, Format

JSON_SCHEMA = "euchre-play/1"
"""Name and version of the JSON form; fields may be added within a version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotReport:
    """What one of the three bots did."""

    name: str
    spec: str
    """How it was named by the caller; empty for one given as an object."""
    points: int
    points_per_hand: float | None
    """Points a hand; `None` before the first block is complete."""
    points_per_hand_error: float | None
    """Half-width of its 95 % interval over blocks; `None` with fewer than two blocks."""
    wins: float
    """Games or sessions won; a shared first place counts as its share."""
    win_rate: float | None
    """Share of finished games won."""
    win_rate_error: float | None
    """Half-width of its 95 % interval over blocks."""
    places: tuple[int, int, int]
    """First, second and third places; equal scores share the better one."""
    made: int
    """Hands in which it made trump."""
    marches: int
    """Of these, with all five tricks."""
    euchred: int
    """Of these, with fewer than three."""
    alone: int
    """Of these, played without the dummy."""
    defended_alone: int
    """Hands in which it was the lone defender."""
    faults: int
    """Exceptions and illegal actions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The outcome of a series. Only complete blocks of six games, one a seating, are in it."""

    rules: RuleSet
    format: Format
    seed: int
    blocks: int
    blocks_planned: int
    """More than `blocks` if the series was ended early."""
    games: int
    unfinished: int
    """Games ended by a guard against endless play: they have no places. A hundred hands passed out
    one after the other (A19), or a thousand hands."""
    hands: int
    passed_out: int
    """Hands in which everybody passed twice."""
    bots: tuple[BotReport, BotReport, BotReport]
    """In the order in which they were named."""
    superiority: tuple[tuple[float | None, ...], ...]
    """`superiority[i][j]`: likelihood that bot i is better than bot j, by points a hand in sessions
    and by games won in games; `None` on the diagonal and where the data do not say."""
    faults: tuple[Fault, ...]
    """The first faults of each bot, in the order of games."""

    @property
    def ranking(self) -> tuple[int, ...]:
        """The bots' numbers, best first: by points a hand in sessions, by games won in games."""
        by_points = isinstance(self.format, Session)

        def strength(number: int) -> float:
            bot = self.bots[number]
            return bot.points if by_points else bot.wins

        return tuple(sorted(range(3), key=strength, reverse=True))

    def to_json(self) -> dict[str, Any]:
        """Return the report as values for `json.dumps`. The same series gives the same values."""
        in_sessions = isinstance(self.format, Session)
        return {
            "schema": JSON_SCHEMA,
            "rules": {o.name: _plain(getattr(self.rules, o.name)) for o in OPTIONS},
            "format": {"session_hands": self.format.hands}
            if isinstance(self.format, Session)
            else {"to_target": self.rules.target},
            "seed": self.seed,
            "blocks": self.blocks,
            "blocks_planned": self.blocks_planned,
            "games": self.games,
            "unfinished": self.unfinished,
            "hands": self.hands,
            "passed_out": self.passed_out,
            "bots": [_bot_json(bot, self.hands) for bot in self.bots],
            "ranking": list(self.ranking),
            "ranked_by": "points_per_hand" if in_sessions else "win_rate",
            "superiority": [list(row) for row in self.superiority],
            "faults": [_fault_json(fault) for fault in self.faults],
        }


def _plain(value: Any) -> Any:
    return getattr(value, "value", value)


def _bot_json(bot: BotReport, hands: int) -> dict[str, Any]:
    return {
        "name": bot.name,
        "spec": bot.spec,
        "points": bot.points,
        "points_per_hand": bot.points_per_hand,
        "points_per_hand_error95": bot.points_per_hand_error,
        "wins": bot.wins,
        "win_rate": bot.win_rate,
        "win_rate_error95": bot.win_rate_error,
        "places": list(bot.places),
        "hands": hands,
        "made": bot.made,
        "marches": bot.marches,
        "euchred": bot.euchred,
        "alone": bot.alone,
        "defended_alone": bot.defended_alone,
        "faults": bot.faults,
    }


def _fault_json(fault: Fault) -> dict[str, Any]:
    return {
        "bot": fault.name,
        "kind": fault.kind.value,
        "game": fault.game,
        "hand": fault.hand_number,
        "seat": None if fault.seat is None else int(fault.seat),
        "method": fault.method,
        "message": fault.sentence,
        "traceback": fault.traceback,
        "table": fault.table,
        "forced": fault.forced,
    }


def separation(report: Report, better: int, worse: int) -> str:
    """Return a sentence about two bots in the words of the ranking.

    Bots are called separated from a likelihood of superiority of 97.5 % on, as a two-sided test at
    5 % would have it.
    """
    names = report.bots[better].name, report.bots[worse].name
    likelihood = report.superiority[better][worse]
    if likelihood is None or likelihood < SEPARATED:
        known = "" if likelihood is None else f" (superiority {show_likelihood(likelihood)})"
        return f"{names[0]} and {names[1]} are not separated{known}."
    return f"{names[0]} is ahead of {names[1]} (superiority {show_likelihood(likelihood)})."


SEPARATED = 0.975
"""Likelihood of superiority from which two bots are called separated."""


def show_likelihood(likelihood: float) -> str:
    """Return a likelihood in per cent, never rounded up to certainty."""
    if likelihood > 0.999:
        return "> 99.9 %"
    return f"{100 * likelihood:.1f} %"


def neighbours(ranking: Sequence[int]) -> list[tuple[int, int]]:
    """Return the pairs of bots that stand next to each other."""
    return list(pairwise(ranking))
