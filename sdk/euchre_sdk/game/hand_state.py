"""The whole truth of one hand, and what its steps are: the ground the steps stand on.

The state is generic in the views it keeps, so that the steps need not know all that a view can do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeAlias, TypeVar

from euchre_sdk.game.cards import Action, Card
from euchre_sdk.game.choices import Legal
from euchre_sdk.game.compiled import Compiled
from euchre_sdk.game.public import Kind, Public
from euchre_sdk.game.seat_view import SeatView
from euchre_sdk.game.suits import Seat

V = TypeVar("V", bound=SeatView)
Points = tuple[int, int, int]
Step: TypeAlias = Callable[["HandState[V]", V, Action], "Question[V] | None"]
"""Carries out a legal action of the view's seat; `None` when the hand is over."""
Question: TypeAlias = tuple[V, Kind, Legal, "Step[V] | None"]
"""Who is asked next, what, the legal actions, and the step that takes the answer (`None`: play)."""
LEFT = (1, 2, 0)
"""The next seat clockwise, as a plain number."""


class HandState(Generic[V]):
    """Everything that is true of a hand at one decision. The steps change it, and `Hand.apply`."""

    __slots__ = (
        "_after",
        "_best",
        "_blind_mask",
        "_by_lead",
        "_compiled",
        "_follow",
        "_kept",
        "_plays",
        "_size",
        "_step",
        "_strength",
        "_to_follow",
        "_winner",
        "dealer",
        "deck",
        "points",
        "public",
        "view",
        "views",
    )

    dealer: Seat
    deck: Sequence[Card]
    """The cut deck, from which all was dealt."""
    public: Public
    """What everybody at the table knows."""
    views: tuple[V, V, V]
    """The three seats' views, kept current."""
    view: V | None
    """The view of the seat to decide, `None` once the hand is over."""
    points: Points | None
    """The awards of the three seats once the hand is over."""

    _compiled: Compiled
    _step: Step[V] | None
    """What takes the next decision; `None`: the play of a card."""
    _blind_mask: int
    """The hand of a dealer who has not been shown it (A12), as bits."""
    _kept: int
    """The five cards the maker kept, as bits."""

    # What the play of a card needs at hand; set when play starts, the last four at each lead.
    _after: tuple[V, V, V]
    _plays: list[Card]
    _size: int
    _by_lead: dict[Card, tuple[int, dict[Card, int]]]
    _to_follow: int
    _follow: int
    _strength: dict[Card, int]
    _best: int
    _winner: V
