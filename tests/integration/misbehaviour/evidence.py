"""What is known of a case once its game is over."""

from __future__ import annotations

from dataclasses import dataclass, field

from arena.referee import GameOutcome
from euchre.v1 import play_pb2
from euchre_sdk.game import Seat
from tests.integration.misbehaviour.book import Kept
from tests.integration.misbehaviour.cases import Case


@dataclass(slots=True)
class Seen:
    """What one bot was told of one game."""

    offers: int = 0
    questions: list[play_pb2.Question] = field(default_factory=list)
    snapshots: list[play_pb2.SnapshotGame] = field(default_factory=list)
    notices: list[play_pb2.Notice] = field(default_factory=list)

    def of(self, event: str) -> list:
        """Return the notices of one kind."""
        return [getattr(n, event) for n in self.notices if n.WhichOneof("event") == event]


def seen_by_game(responses: list[play_pb2.PlayResponse]) -> dict[str, Seen]:
    """Return what a bot was told, by the id of the game."""
    games: dict[str, Seen] = {}
    slots: dict[int, Seen] = {}
    for response in responses:
        for saved in response.snapshot.games:
            slots[saved.offer.slot] = seen = games.setdefault(saved.offer.game_id, Seen())
            seen.snapshots.append(saved)
            if saved.HasField("question"):
                seen.questions.append(saved.question)
        for offer in response.offers:
            slots[offer.slot] = seen = games.setdefault(offer.game_id, Seen())
            seen.offers += 1
        for notice in response.notices:
            if notice.slot in slots:
                slots[notice.slot].notices.append(notice)
        for question in response.questions:
            slots[question.slot].questions.append(question)
    return games


@dataclass(slots=True, kw_only=True)
class Evidence:
    """One case, and what came of it."""

    case: Case
    outcome: GameOutcome
    kept: Kept
    said: list[str]
    """What the offender printed."""
    responses: list[play_pb2.PlayResponse]
    """What the offender received, for all games."""
    own: Seen
    others: dict[Seat, Seen]
    left_over: tuple[str, ...]
    """Parts of the game that the arena still keeps in memory."""
    exit_code: int | None
    """Of the offender's own process, if it has one and it has ended by itself."""
