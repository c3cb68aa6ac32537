"""The tables of all running games: what they say goes to the links, what is due is seen to.

Nobody is told anything that his seat may not know: questions and refusals go to their seat alone,
results to all three when they are stored.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count
from time import monotonic_ns

import structlog

from arena.errors import ArenaBugError
from arena.logs import where
from arena.metrics import Metrics
from arena.referee import GameOutcome, VoidCause
from arena.referee.clock import NEVER
from arena.referee.outputs import (
    Dropped,
    GameEnded,
    HandDealt,
    HouseLate,
    MoveForced,
    Offered,
    Output,
    Outputs,
    Question,
    Refused,
    Started,
    StoreFault,
    StoreForfeit,
    StoreHand,
    StoreOutcome,
    StoreReady,
    StoreVoid,
    Withdrawn,
)
from arena.rpc.play import messages as write
from arena.rpc.play.account import tell_deal, tell_start
from arena.rpc.play.flights import ToOneSeat, put_down
from arena.rpc.play.link import Link, PlayedGame
from arena.rpc.play.voids import Voids
from euchre.v1 import play_pb2
from euchre_sdk.game import SEATS, Seat

log = structlog.get_logger()


class Tables:
    """All games in play, by id, and the queue of their deadlines."""

    def __init__(
        self,
        *,
        misbehaved: Callable[[Link], None],
        late_house: Callable[[PlayedGame, Question], None],
        woken: Callable[[], None],
        metrics: Metrics,
    ) -> None:
        """Make it.

        `misbehaved` counts a bad answer of a link, `late_house` has a house bot's answer computed,
        `woken` has messages sent soon.
        """
        self.games: dict[str, PlayedGame] = {}
        self._metrics = metrics
        self._misbehaved = misbehaved
        self._late_house = late_house
        self._woken = woken
        self._due: list[tuple[int, int, str]] = []
        """By its id, so that a game that is over need not be kept until its last deadline."""
        self._tie = count()
        self._voids = Voids()

    def tell(self, game: PlayedGame, call: Callable[[int], Outputs]) -> None:
        """Tell a table something at the present instant, and carry out what it says."""
        try:
            self._carry_out(game, call(monotonic_ns()))
        except Exception as error:  # noqa: BLE001 - one game's failure ends a hand of that game
            self._failed(game, error)
        self._woken()

    @property
    def next_due(self) -> int:
        """When `overdue` has something to give next, in nanoseconds."""
        return self._due[0][0] if self._due else NEVER

    def overdue(self, now: int) -> PlayedGame | None:
        """Take a game from the queue whose deadline has come, if there is one."""
        while self._due and self._due[0][0] <= now:
            due, _, game_id = heapq.heappop(self._due)
            game = self.games.get(game_id)  # None: it is over
            if game is not None and due == game.due:  # else an earlier entry took its place
                game.due = NEVER
                if game.table.deadline <= now:
                    return game
                self.schedule(game)
        return None

    def expire(self, game: PlayedGame) -> None:
        """Let a table do what is due."""
        if game.table.deadline <= monotonic_ns():
            self.tell(game, game.table.expire)
        self.schedule(game)

    def give_back(self, since: int, until: int) -> None:
        """Count no time of any game from `since` to `until`; both in nanoseconds."""
        for game in self.games.values():
            game.table.give_back(since, until)
            self.schedule(game)

    def schedule(self, game: PlayedGame) -> None:
        """See to it that the game stands in the queue no later than its deadline."""
        deadline = game.table.deadline
        if deadline < game.due:
            game.due = deadline
            heapq.heappush(self._due, (deadline, next(self._tie), game.order.game_id))

    def _failed(self, game: PlayedGame, error: Exception) -> None:
        """Deal the hand anew after a failure of the arena, or give the game up."""
        self._metrics.table_failures += 1
        # without the error's own words: those of the rules name cards
        log.error("table_failed", game_id=game.order.game_id, where=where(error))
        try:
            outputs = game.table.void(VoidCause.ARENA_FAULT)
            if not outputs:
                raise error  # noqa: TRY301 - there is no hand to deal anew
            self._voids.note(game.order)
            self._carry_out(game, outputs)
        except Exception as again:  # noqa: BLE001 - the game ends, the arena goes on
            bug = ArenaBugError("A game could not go on.")
            bug.__cause__ = again
            game.fail(bug)

    def _carry_out(self, game: PlayedGame, outputs: Outputs) -> None:
        for output in outputs:
            if type(output) is Question:
                game.flights[output.seat].asked = output
                chair = game.chairs[output.seat]
                if chair is not None and chair.link.stream is not None:
                    chair.link.pending()
                    chair.link.ask(chair.slot, output)
            else:
                self._carry_out_rare(game, output)
        if game.table.question is not None:
            self._tell_followers(game)
        self.schedule(game)

    def _tell_followers(self, game: PlayedGame) -> None:
        """Tell those that want to know it at once what has been done in public."""
        for seat in SEATS:
            chair = game.chairs[seat]
            if chair is None or not chair.link.follows:
                continue
            public = game.table.public
            if public is not None:
                calls, plays = game.told[seat]
                now = len(public.calls), len(public.plays)
                if now != (calls, plays):
                    game.told[seat] = now
                    self._notify(game, seat, write.write_actions(public, calls, plays))

    def _carry_out_rare(self, game: PlayedGame, output: Output) -> None:
        match output:
            case (
                StoreReady()
                | StoreFault()
                | StoreForfeit()
                | StoreVoid()
                | StoreHand()
                | StoreOutcome()
            ):
                game.store(output)
            case Offered(seat):
                chair = game.chairs[seat]
                if chair is not None and chair.link.stream is not None:
                    chair.link.pending().offers.append(chair.offer)
            case Withdrawn():
                self._tell(game, output, write.write_withdrawn(output))
                game.wake()
            case Started():
                tell_start(game.order, self._metrics)
                start = write.write_start(game.order, output)
                self._notify_all(game, play_pb2.Notice(game_start=start))
            case Refused():
                self._tell(game, output, write.write_refused(output))
                self._count_bad(game, output.seat)
            case Dropped():
                self._metrics.dropped[output.reason] += 1
                self._tell(game, output, write.write_dropped(output))
                self._count_bad(game, output.seat)
            case MoveForced():
                self._tell(game, output, write.write_forced(output))
            case HouseLate(question):
                self._late_house(game, question)
            case HandDealt():
                game.told = [(0, 0), (0, 0), (0, 0)]
                tell_deal(game.order, output)
                self._notify_followers(game, write.write_dealt(output))
            case GameEnded(outcome):  # which is stored: no deal of it is ever played again
                revealed = write.write_revealed(game.order)
                self._notify_all(game, revealed)
                over = write.write_game_over(output)
                self._notify_all(game, over, outcome)
                self._keep_for_absent(game, revealed, over)
                game.wake()
            case _:
                self._notify_all(game, write.PUBLIC[type(output)](output))

    def _tell(self, game: PlayedGame, told: ToOneSeat, notice: play_pb2.Notice) -> None:
        """Tell one seat what the referee made of it, and put that down."""
        sent = self._notify(game, told.seat, notice)
        put_down(game.flights[told.seat], told, sent, monotonic_ns())

    @staticmethod
    def _notify(game: PlayedGame, seat: Seat, notice: play_pb2.Notice) -> bytes:
        """Tell one seat, if it has a stream, and return what was sent."""
        chair = game.chairs[seat]
        if chair is None or chair.link.stream is None:
            return b""
        notice.slot = chair.slot
        chair.link.pending().notices.append(notice)  # which copies it
        return notice.SerializeToString()

    def _notify_all(
        self, game: PlayedGame, notice: play_pb2.Notice, outcome: GameOutcome | None = None
    ) -> None:
        """Tell all three; `outcome` is how the game ended, if that is what they are told."""
        now = monotonic_ns()
        for seat in SEATS:
            sent, flight = self._notify(game, seat, notice), game.flights[seat]
            if outcome is not None and outcome.terminations[seat].is_forfeit:
                flight.ended(outcome.terminations[seat].name, sent, now)
            elif sent:
                flight.told(sent, now)

    def _notify_followers(self, game: PlayedGame, notice: play_pb2.Notice) -> None:
        """Tell those that want to know it at once; the next question tells it to everybody."""
        for seat in SEATS:
            chair = game.chairs[seat]
            if chair is not None and chair.link.follows:
                self._notify(game, seat, notice)

    @staticmethod
    def _keep_for_absent(game: PlayedGame, *ending: play_pb2.Notice) -> None:
        """Keep the end of a game for those who may come back to hear of it."""
        for chair in game.chairs:
            if chair is not None and chair.link.stream is None:
                standing = game.table.standing(chair.seat)
                stands = write.write_snapshot_game(game.order, chair.offer, standing)
                told = play_pb2.PlayResponse(notices=ending)  # which copies them
                for notice in told.notices:
                    notice.slot = chair.slot
                chair.link.farewells.append((stands, told.notices))

    def _count_bad(self, game: PlayedGame, seat: Seat) -> None:
        chair = game.chairs[seat]
        if chair is not None and chair.link.stream is not None:
            self._misbehaved(chair.link)
