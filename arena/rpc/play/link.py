"""Who sits where: games, links and the chairs between them, which know each other.

A link is one bot's connection, which survives lost streams, and what is on its way to it.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass

from arena.metrics import Histogram
from arena.referee.clock import NEVER, Departure
from arena.referee.outputs import Question
from arena.referee.setup import Setup
from arena.rpc.bucket import Bucket
from arena.rpc.play.game import GameInPlay
from arena.rpc.stream import Stream
from arena.store.links import StoredLink
from arena.tournaments.playroom import GameOrder, SeatOrder
from euchre.v1 import play_pb2
from euchre_sdk.game import Seat
from euchre_sdk.wire_question import question_bytes

_QUESTION = bytes((play_pb2.PlayResponse.QUESTIONS_FIELD_NUMBER << 3 | 2,))
"""The tag of a question in its message; its length follows, at most two bytes long."""


class PlayedGame(GameInPlay):
    """A game and its three chairs."""

    def __init__(self, order: GameOrder, setup: Setup, commitment: bytes) -> None:
        super().__init__(order, setup, commitment)
        self.chairs: list[Chair | None] = [None, None, None]
        """None: nobody sits there (yet)."""


@dataclass(slots=True, eq=False)
class Chair:
    """One seat of one game, on the link of the bot that sits there."""

    game: PlayedGame
    seat: Seat
    link: Link
    slot: int
    offer: play_pb2.GameOffer


class Link:
    """One bot's connection to the arena."""

    def __init__(
        self,
        stored: StoredLink,
        *,
        bad_answers: Bucket,
        dirty: dict[Link, None],
        own_delay: Histogram,
    ) -> None:
        self.link_id = stored.link_id
        self.bot_id = stored.bot_id
        self.version_label = stored.version_label
        self.games_at_once = stored.games_at_once
        """Games it plays at once, its own wish and the arena's limit both kept."""
        self.follows = False
        """Whether it wants to be told of public actions as they happen."""
        self.leaving = False
        """Whether it wants no further games."""
        self.moving = False
        """Whether its games wait for the bot's next link."""
        self.stream: Stream | None = None
        self.lost_since: int | None = None
        """Since when it has no stream, in nanoseconds; None if it has one, or never had any."""
        self.farewells: list[tuple[play_pb2.SnapshotGame, Sequence[play_pb2.Notice]]] = []
        """Games that ended while it had no stream, each with what is to be told of it."""
        self.chairs: dict[int, Chair] = {}
        """Seats of offered and running games, by slot."""
        self.bad_answers = bad_answers
        self.response: play_pb2.PlayResponse | None = None
        """What waits to be sent; None if nothing does."""
        self._departing: list[Question] = []
        self._asked: list[bytes] = []
        self._dirty = dirty
        self._own_delay = own_delay
        self._sent: tuple[Departure, int, int] | None = None
        """The last message with questions: its departure, what it answers, how many they are."""
        self._secret_hash = stored.secret_hash
        self._last_slot = 0
        self._unready: set[int] = set()

    @property
    def stored(self) -> StoredLink:
        """What is kept of it."""
        return StoredLink(
            link_id=self.link_id,
            bot_id=self.bot_id,
            secret_hash=self._secret_hash,
            version_label=self.version_label,
            games_at_once=self.games_at_once,
        )

    def is_opened_by(self, secret_hash: bytes) -> bool:
        """Return whether this is the SHA-256 of the link's resume secret."""
        return hmac.compare_digest(self._secret_hash, secret_hash)

    def may_play(self, order: SeatOrder) -> bool:
        """Return whether a seat is this bot's, and for this version of it."""
        return order.bot_id == self.bot_id and order.version in (None, self.version_label)

    @property
    def is_done(self) -> bool:
        """Whether it has lost its stream and plays nothing: it only waits to say farewell."""
        return self.lost_since is not None and not self.chairs

    @property
    def is_replaceable(self) -> bool:
        """Whether it has no stream and is a house bot, which comes back as a new process."""
        return self.stream is None and any(
            chair.game.order.seats[chair.seat].house for chair in self.chairs.values()
        )

    def take_farewells(self) -> list[tuple[play_pb2.SnapshotGame, Sequence[play_pb2.Notice]]]:
        """Return what is to be told of games that ended meanwhile, once."""
        farewells, self.farewells = self.farewells, []
        return farewells

    @property
    def free(self) -> int:
        """How many more games it takes now."""
        if self.stream is None or self.leaving:
            return 0
        return max(0, self.games_at_once - len(self.chairs))

    def new_slot(self) -> int:
        """Return a number that no game of this link has had."""
        self._last_slot += 1
        return self._last_slot

    def leave_seat(self, chair: Chair) -> bool:
        """Take a seat from it: its game is over. Return whether it had it."""
        if self.chairs.pop(chair.slot, None) is None:
            return False
        if not chair.game.table.sitters[chair.seat].ready:
            self._unready.add(chair.slot)
        return True

    def forgives(self, slot: int) -> bool:
        """Return whether a Ready comes late for an offer that is withdrawn; it may do so once."""
        if slot not in self._unready:
            return False
        self._unready.discard(slot)
        return True

    def pending(self) -> play_pb2.PlayResponse:
        """Return the message that is being filled; it will be sent."""
        if self.response is None:
            self.response = play_pb2.PlayResponse()
            self._dirty[self] = None
        return self.response

    def ask(self, slot: int, question: Question) -> None:
        """Put a question into the message being filled."""
        encoded = question.sent = question_bytes(slot, question.seq, question.view)
        size = len(encoded)
        low, high = size & 0x7F, size >> 7
        self._asked.append(_QUESTION + (bytes((low | 0x80, high)) if high else bytes((low,))))
        self._asked.append(encoded)
        self._departing.append(question)

    def forget_unsent(self) -> None:
        """Drop the message being filled: there is no stream to send it by."""
        self.response = None
        self._asked.clear()
        self._departing.clear()

    def send(self, since: int = NEVER) -> bool:
        """Hand the message that was filled to the stream; return whether it asks something.

        `since` is when the oldest answer arrived that it may follow from; the time from then to its
        departure is the arena's own. It is counted with the next message, when it has left.
        """
        response, stream = self.response, self.stream
        if response is None or stream is None:
            self.forget_unsent()
            return False
        departure: Departure | None = None
        if self._departing:
            departure = Departure()
            for question in self._departing:
                question.departure = departure
            if self._sent is not None:
                left, caused, questions = self._sent
                if left.at is not None:
                    self._own_delay.add(left.at - caused, questions)
            self._sent = None if since == NEVER else (departure, since, len(self._departing))
            self._departing.clear()
        self.response = None
        # Encoded messages put end to end are one message: questions need no copy of their own.
        message = b"".join((response.SerializeToString(), *self._asked))
        self._asked.clear()
        stream.send(message, departure)
        return departure is not None
