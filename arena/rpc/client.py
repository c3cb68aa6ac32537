"""Calls to an arena, for the commands: every failure is one sentence about what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import grpc
from google.protobuf.timestamp_pb2 import Timestamp
from grpc_health.v1 import health_pb2, health_pb2_grpc

from arena.errors import ArenaError
from arena.referee import Conduct, TimeControl
from arena.rpc.duel_values import write_terms
from arena.rpc.policies import SCHEDULE
from arena.rpc.serving import NEEDS
from arena.rpc.terms import write_conduct, write_time_control
from arena.tournaments.duel_terms import DuelTerms
from euchre.v1 import (
    arena_pb2,
    arena_pb2_grpc,
    bots_pb2,
    bots_pb2_grpc,
    matches_pb2_grpc,
    tournaments_pb2,
    tournaments_pb2_grpc,
)
from euchre_sdk.client_dial import Dial, error_info, nobody_there, refusal
from euchre_sdk.errors import EuchreError
from euchre_sdk.game import Format, RuleSet
from euchre_sdk.text import one_line
from euchre_sdk.wire import write_format, write_rules
from euchre_sdk.wire_text import make_printable

SERVING = health_pb2.HealthCheckResponse.SERVING
HEALTH_TIMEOUT = 5.0
STATUS_TIMEOUT = 5.0
TIMEOUT = 15.0
"""Seconds a call may take; streams have no limit."""
CHECK_TIMEOUT = 180.0
"""Seconds for a call in which a bot plays some hands, however slowly."""


class CallError(ArenaError):
    """The arena refused: its own sentence, and its own reason."""

    def __init__(self, sentence: str, *, reason: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class ArenaClient:
    """The services of an arena as it is dialled by `connect`.

    Its methods raise `CallError` for what the arena refuses, else `ConnectError`.
    """

    def __init__(self, channel: grpc.Channel, dial: Dial, token: str | None) -> None:
        self._dial = dial
        self._metadata = () if token is None else (("authorization", f"Bearer {token}"),)
        self._arena = arena_pb2_grpc.ArenaServiceStub(channel)
        self._health: Any = health_pb2_grpc.HealthStub(channel)
        self._bots = bots_pb2_grpc.BotServiceStub(channel)
        self._tournaments = tournaments_pb2_grpc.TournamentServiceStub(channel)
        self._matches = matches_pb2_grpc.MatchServiceStub(channel)

    def services_that_work(self) -> dict[str, bool]:
        """Return what the health service says of each service, by name; the arena is `arena`."""
        found = {}
        for name in NEEDS:
            request = health_pb2.HealthCheckRequest(service=name)
            try:
                answer = self._health.Check(request, timeout=HEALTH_TIMEOUT)
            except grpc.RpcError as error:
                raise self._failure(error) from error
            found[name.rpartition(".")[2] or "arena"] = answer.status == SERVING
        return found

    def get_status(self) -> Any:
        """Return how the arena is doing."""
        request = arena_pb2.GetArenaStatusRequest()
        return self._call(self._arena.GetArenaStatus, request, timeout=STATUS_TIMEOUT).status

    def invite_author(self) -> str:
        """Return a fresh invitation."""
        request = bots_pb2.InviteAuthorRequest()
        return str(self._call(self._bots.InviteAuthor, request).invitation)

    def register_author(self, name: str, invitation: str | None) -> Any:
        """Register an author; the response has the token."""
        request = bots_pb2.RegisterAuthorRequest(name=name, invitation=invitation)
        return self._call(self._bots.RegisterAuthor, request)

    def register_bot(self, name: str, author: str | None) -> Any:
        """Register a bot; the response has the token."""
        request = bots_pb2.RegisterBotRequest(name=name, author=author)
        return self._call(self._bots.RegisterBot, request)

    def list_bots(self, *, author: str | None = None, mine: bool = False) -> list[Any]:
        """Return all bots, those of one author, or the caller's own, by name."""
        request = bots_pb2.ListBotsRequest(author=author, mine=mine)
        return self._pages(self._bots.ListBots, request, "bots")

    def rotate_author_token(self, name: str | None) -> str:
        """Return a new token of the calling author, or of the one an organiser names."""
        request = bots_pb2.RotateAuthorTokenRequest(name=name)
        return str(self._call(self._bots.RotateAuthorToken, request).token)

    def rotate_token(self, name: str) -> str:
        """Return a bot's new token."""
        request = bots_pb2.RotateTokenRequest(name=name)
        return str(self._call(self._bots.RotateToken, request).token)

    def bot_events(self, name: str) -> list[Any]:
        """Return what was decided about a bot, newest first."""
        request = bots_pb2.ListBotEventsRequest(name=name)
        return self._pages(self._bots.ListBotEvents, request, "events")

    def take_over(self, name: str) -> Any:
        """End a bot's links; return how many, and how many games wait for the next one."""
        return self._call(self._bots.TakeOver, bots_pb2.TakeOverRequest(name=name))

    def lift_quarantine(self, name: str) -> Any:
        """Have a bot checked and let out of quarantine, and return it."""
        request = bots_pb2.LiftQuarantineRequest(name=name)
        return self._call(self._bots.LiftQuarantine, request, timeout=CHECK_TIMEOUT).bot

    def deactivate_bot(self, name: str) -> Any:
        """Deactivate a bot and return it."""
        request = bots_pb2.DeactivateBotRequest(name=name)
        return self._call(self._bots.DeactivateBot, request).bot

    def create_tournament(
        self,
        name: str,
        *,
        bots: tuple[str, ...],
        policy: str,
        cycles: int,
        rules: RuleSet,
        format: Format,
        owners_apart: bool,
        blind: bool = False,
        deadline: datetime | None = None,
        seed: int | None = None,
        newcomer: str | None = None,
        blocks: int | None = None,
        time_control: TimeControl | None = None,
        conduct: Conduct | None = None,
        duel: DuelTerms | None = None,
    ) -> Any:
        """Make a tournament and return it."""
        plan = tournaments_pb2.TournamentPlan(
            schedule=SCHEDULE[policy],
            cycles=cycles,
            rules=write_rules(rules),
            format=write_format(format),
            owners_apart=owners_apart,
            blind=blind,
            schedule_seed=seed,
            newcomer=newcomer,
            blocks=blocks,
        )
        if time_control is not None:
            plan.time_control.CopyFrom(write_time_control(time_control))
        if conduct is not None:
            plan.conduct.CopyFrom(write_conduct(conduct))
        if deadline is not None:
            plan.deadline_time.FromDatetime(deadline)
        if duel is not None:
            plan.duel.CopyFrom(write_terms(duel))
        request = tournaments_pb2.CreateTournamentRequest(name=name, plan=plan, bots=bots)
        return self._call(self._tournaments.CreateTournament, request).tournament

    def start_tournament(self, name: str) -> Any:
        """Start a tournament and return it."""
        request = tournaments_pb2.StartTournamentRequest(name=name)
        return self._call(self._tournaments.StartTournament, request).tournament

    def pause_tournament(self, name: str) -> Any:
        """Pause a tournament and return it."""
        request = tournaments_pb2.PauseTournamentRequest(name=name)
        return self._call(self._tournaments.PauseTournament, request).tournament

    def cancel_tournament(self, name: str) -> Any:
        """Cancel a tournament and return it."""
        request = tournaments_pb2.CancelTournamentRequest(name=name)
        return self._call(self._tournaments.CancelTournament, request).tournament

    def enter_tournament(self, name: str, bot: str, version: str | None) -> Any:
        """Enter a bot and return the entry."""
        request = tournaments_pb2.EnterTournamentRequest(name=name, bot=bot, version_label=version)
        return self._call(self._tournaments.EnterTournament, request).entry

    def withdraw_entry(self, name: str, bot: str) -> Any:
        """Withdraw a bot and return the entry."""
        request = tournaments_pb2.WithdrawEntryRequest(name=name, bot=bot)
        return self._call(self._tournaments.WithdrawEntry, request).entry

    def annul_results(
        self, name: str, *, game_id: str | None, block_id: str | None, reason: str, replay: bool
    ) -> Any:
        """Strike a game or a block from the results and return the annulment."""
        request = tournaments_pb2.AnnulResultsRequest(name=name, reason=reason, replay=replay)
        if game_id is not None:
            request.game_id = game_id
        if block_id is not None:
            request.block_id = block_id
        return self._call(self._tournaments.AnnulResults, request).annulment

    def audit_lines(self, subject: str | None) -> Iterator[Any]:
        """Yield who decided what, newest first, about a subject or about all."""
        request = tournaments_pb2.ListAuditLinesRequest(subject=subject)
        while True:
            page = self._call(self._tournaments.ListAuditLines, request)
            yield from page.lines
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def get_report(self, name: str) -> Any:
        """Return the report of a tournament."""
        request = tournaments_pb2.GetReportRequest(name=name)
        return self._call(self._tournaments.GetReport, request)

    def list_tournaments(self) -> list[Any]:
        """Return all tournaments, newest first."""
        request = tournaments_pb2.ListTournamentsRequest()
        return self._pages(self._tournaments.ListTournaments, request, "tournaments")

    def get_tournament(self, name: str) -> Any:
        """Return a tournament with its entries."""
        request = tournaments_pb2.GetTournamentRequest(name=name)
        return self._call(self._tournaments.GetTournament, request).tournament

    def get_rankings(
        self, name: str, *, leave_out_forfeits: bool = False, matrix: bool = False
    ) -> Any:
        """Return the ranking of a tournament as it is now, every pair compared if `matrix`."""
        request = tournaments_pb2.GetRankingsRequest(
            name=name, leave_out_forfeits=leave_out_forfeits, matrix=matrix
        )
        return self._call(self._tournaments.GetRankings, request).rankings

    def rating_history(self, bot: str) -> list[Any]:
        """Return what the ratings of a bot were in its tournaments, newest first."""
        request = tournaments_pb2.ListRatingHistoryRequest(bot=bot)
        return self._pages(self._tournaments.ListRatingHistory, request, "tournaments")

    def watch_rankings(self, name: str, *, leave_out_forfeits: bool = False) -> Iterator[Any]:
        """Yield the ranking now and whenever it has changed, until the tournament is over."""
        request = tournaments_pb2.WatchRankingsRequest(
            name=name, leave_out_forfeits=leave_out_forfeits
        )
        call = self._tournaments.WatchRankings(request, metadata=self._metadata)
        try:
            for response in call:
                yield make_printable(response.rankings)
        except grpc.RpcError as error:
            raise self._failure(error) from error
        finally:
            call.cancel()

    def _pages(self, method: Any, request: Any, field: str) -> list[Any]:
        items: list[Any] = []
        while True:
            page = self._call(method, request)
            items += getattr(page, field)
            if not page.next_page_token:
                return items
            request.page_token = page.next_page_token

    def _call(self, method: Any, request: Any, *, timeout: float = TIMEOUT) -> Any:
        try:
            return make_printable(method(request, metadata=self._metadata, timeout=timeout))
        except grpc.RpcError as error:
            raise self._failure(error) from error

    def _failure(self, error: Any) -> EuchreError:
        reason, _ = error_info(error)
        if reason:
            return CallError(one_line(error.details()), reason=reason)
        return refusal(error, self._dial) or nobody_there(error, self._dial)


@contextmanager
def connect(dial: Dial, *, token: str | None = None) -> Iterator[ArenaClient]:
    """Give the services of an arena. Raises `ConnectError` if certificates cannot be read."""
    credentials = dial.credentials()
    if credentials is None:
        channel = grpc.insecure_channel(dial.address.text, options=dial.options)
    else:
        channel = grpc.secure_channel(dial.address.text, credentials, options=dial.options)
    with channel:
        yield ArenaClient(channel, dial, token)


def policies() -> tuple[str, ...]:
    """Return the schedules there are, by the names people use."""
    return tuple(SCHEDULE)


def when(message: Timestamp) -> datetime:
    """Return the instant of a message, in this machine's time zone."""
    return message.ToDatetime().astimezone()
