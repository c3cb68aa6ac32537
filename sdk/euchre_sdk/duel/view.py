"""A duel as people look at it, wherever it is played, and its verdict in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, assert_never

from euchre_sdk.duel.effect import Effect, elo_of_points
from euchre_sdk.duel.gsprt import Decision, SequentialTest

JSON_SCHEMA = "euchre-duel/1"
"""Name and version of the JSON form; fields may be added within a version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelView:
    """How a duel stands."""

    first: str
    second: str
    thirds: tuple[str, ...]
    """Names of the other bots that sit at the table."""
    test: SequentialTest
    decision: Decision
    llr: float
    effect: Effect
    hands: int
    """Hands of the blocks that count."""
    faults: tuple[int, int, int] = (0, 0, 0)
    """Of the first, of the second, of all others."""
    forfeits: tuple[int, int, int] = (0, 0, 0)
    """Sessions that each forfeited; their unplayed hands count as level."""
    same_deals: bool = False
    """Whether all seatings of a block have the same deals."""
    deals: str = ""
    """Which deals are played, and why; a clause."""
    is_running: bool = True
    """Whether more blocks are to come."""

    def to_json(self) -> dict[str, Any]:
        """Return it as values for `json.dumps`."""
        test, effect = self.test, self.effect
        return {
            "schema": JSON_SCHEMA,
            "first": self.first,
            "second": self.second,
            "thirds": list(self.thirds),
            "decision": self.decision.value,
            "verdict": verdict(self),
            "running": self.is_running,
            "llr": self.llr,
            "lower": test.lower,
            "upper": test.upper,
            "alpha": test.alpha,
            "beta": test.beta,
            "points0": test.points0,
            "points1": test.points1,
            "elo0": elo_of_points(test.points0),
            "elo1": elo_of_points(test.points1),
            "blocks": effect.blocks,
            "cap": test.cap,
            "hands": self.hands,
            "lead_points": effect.points,
            "lead_points_error95": effect.points_error,
            "lead_elo": effect.elo,
            "lead_elo_error95": effect.elo_error,
            "lead_block_deviations": effect.deviations,
            "faults": list(self.faults),
            "forfeits": list(self.forfeits),
            "same_deals": self.same_deals,
            "deals": self.deals,
        }


def verdict(view: DuelView) -> str:
    """Return in a sentence or two what a duel has shown."""
    test, blocks = view.test, f"{view.effect.blocks:,} blocks"
    asked = f"{test.points1:.3g} points a hand ({elo_of_points(test.points1):.0f} Elo)"
    between = f"a lead of {test.points1:.3g} points a hand rather than {test.points0:.3g}"
    match view.decision:
        case Decision.STRONGER if test.points0 == 0:
            return f"{view.first} is stronger than {view.second}, shown by {blocks}."
        case Decision.STRONGER:
            return f"{view.first} has {between} over {view.second}, shown by {blocks}."
        case Decision.NOT_STRONGER if test.points0 == 0:
            return (
                f"{view.first} is not stronger than {view.second}: a lead of {asked} would have "
                f"shown in {blocks}."
            )
        case Decision.NOT_STRONGER:
            return f"{view.first} has not {between} over {view.second}, shown by {blocks}."
        case Decision.CAP:
            return (
                f"Not decided by the {blocks} that were allowed: whether {view.first} is stronger "
                f"than {view.second} by {asked} stays open."
            )
        case Decision.OPEN:
            end = "so far" if view.is_running else "that were played"
            return (
                f"Not decided by the {blocks} {end}: whether {view.first} is stronger than "
                f"{view.second}."
            )
        case _:
            assert_never(view.decision)


def lead(view: DuelView) -> str:
    """Return the lead with its intervals, in points a hand and as Elo."""
    effect = view.effect
    if effect.points_error is None or effect.elo_error is None:
        return "no lead can be told yet"
    return (
        f"lead {effect.points:+.3f} ± {effect.points_error:.3f} points a hand, "
        f"{effect.elo:+.0f} ± {effect.elo_error:.0f} Elo"
    )
