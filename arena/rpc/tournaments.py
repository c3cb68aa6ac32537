"""`TournamentService`: tournaments, their entries, and their rankings."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import trio

from arena.ratings import Forfeits
from arena.rpc.audit_values import write_annulment, write_line
from arena.rpc.boards import Board, Shown
from arena.rpc.calls import Call
from arena.rpc.entry_values import write_entry, write_progress
from arena.rpc.errors import invalid
from arena.rpc.history_values import write_history
from arena.rpc.paging import page_size, read_offset, write_token
from arena.rpc.ranking_values import write_rankings
from arena.rpc.report_values import write_report
from arena.rpc.token_desk import name_of
from arena.rpc.values import TOURNAMENT_STATE, read_plan, write_plan, write_time
from arena.store import Store, audit, history, tournaments
from arena.store.annulments import annulments_of
from arena.store.tournaments import StoredEntry, StoredTournament
from arena.tournaments.annulling import OneBlock, OneGame, Target
from arena.tournaments.lookup import bot_named
from arena.tournaments.organiser import Organiser
from arena.tournaments.playroom import Playroom
from arena.tournaments.pseudonyms import is_veiled
from arena.tournaments.reporting import report_on
from arena.tournaments.spec import decode_spec
from arena.tournaments.standings import Rankings
from euchre.v1 import tournaments_pb2 as pb

Send = Callable[[pb.WatchRankingsResponse], Awaitable[None]]


class TournamentServicer:
    """The methods of `TournamentService`."""

    def __init__(self, store: Store, organiser: Organiser, playroom: Playroom) -> None:
        self._store = store
        self._organiser = organiser
        self._playroom = playroom
        self._boards: dict[tuple[str, Forfeits], Board] = {}

    async def CreateTournament(  # noqa: N802 - named by the contract
        self, request: pb.CreateTournamentRequest, call: Call
    ) -> pb.CreateTournamentResponse:
        """Make a tournament that has not started."""
        spec = read_plan(request.plan)
        seed = str(request.plan.schedule_seed) if request.plan.HasField("schedule_seed") else None
        made = await self._organiser.create(request.name, spec, tuple(request.bots), seed=seed)
        return pb.CreateTournamentResponse(tournament=await self._tournament(made, entries=True))

    async def StartTournament(  # noqa: N802
        self, request: pb.StartTournamentRequest, call: Call
    ) -> pb.StartTournamentResponse:
        """Start a tournament, or go on after a pause."""
        started = await self._organiser.start(request.name)
        return pb.StartTournamentResponse(tournament=await self._tournament(started))

    async def PauseTournament(  # noqa: N802
        self, request: pb.PauseTournamentRequest, call: Call
    ) -> pb.PauseTournamentResponse:
        """Begin no new blocks."""
        paused = await self._organiser.pause(request.name)
        return pb.PauseTournamentResponse(tournament=await self._tournament(paused))

    async def CancelTournament(  # noqa: N802
        self, request: pb.CancelTournamentRequest, call: Call
    ) -> pb.CancelTournamentResponse:
        """Stop a tournament for good."""
        cancelled = await self._organiser.cancel(request.name)
        return pb.CancelTournamentResponse(tournament=await self._tournament(cancelled))

    async def AnnulResults(  # noqa: N802
        self, request: pb.AnnulResultsRequest, call: Call
    ) -> pb.AnnulResultsResponse:
        """Strike a game or a block from the results."""
        target: Target
        match request.WhichOneof("target"):
            case "game_id":
                target = OneGame(request.game_id)
            case "block_id":
                target = OneBlock(request.block_id)
            case _:
                raise invalid(["target is missing: give a game_id or a block_id"])
        annulment = await self._organiser.annul(
            request.name, target, reason=request.reason, replay=request.replay
        )
        return pb.AnnulResultsResponse(annulment=write_annulment(annulment))

    async def ListAuditLines(  # noqa: N802
        self, request: pb.ListAuditLinesRequest, call: Call
    ) -> pb.ListAuditLinesResponse:
        """List who decided what, newest first."""
        size = page_size(request.page_size if request.HasField("page_size") else None)
        skip = read_offset("audit", request.page_token)
        subject = request.subject if request.HasField("subject") else None
        page = await self._store.read(
            audit.page_of_lines, subject=subject, skip=skip, limit=size + 1
        )
        response = pb.ListAuditLinesResponse(lines=map(write_line, page[:size]))
        if len(page) > size:
            response.next_page_token = write_token("audit", str(skip + size))
        return response

    async def GetReport(  # noqa: N802
        self, request: pb.GetReportRequest, call: Call
    ) -> pb.GetReportResponse:
        """Tell what rankings do not."""
        tournament = await self._organiser.named(request.name)
        return write_report(await report_on(self._store, tournament))

    async def EnterTournament(  # noqa: N802
        self, request: pb.EnterTournamentRequest, call: Call
    ) -> pb.EnterTournamentResponse:
        """Enter a bot."""
        label = request.version_label if request.HasField("version_label") else None
        actor = await name_of(self._store, call.caller)
        entry = await self._organiser.enter(request.name, request.bot, label, actor=actor)
        return pb.EnterTournamentResponse(entry=write_entry(entry))

    async def WithdrawEntry(  # noqa: N802
        self, request: pb.WithdrawEntryRequest, call: Call
    ) -> pb.WithdrawEntryResponse:
        """Take a bot out."""
        actor = await name_of(self._store, call.caller)
        entry = await self._organiser.withdraw(request.name, request.bot, actor=actor)
        return pb.WithdrawEntryResponse(entry=write_entry(entry))

    async def ListTournaments(  # noqa: N802
        self, request: pb.ListTournamentsRequest, call: Call
    ) -> pb.ListTournamentsResponse:
        """List tournaments, newest first."""
        size = page_size(request.page_size if request.HasField("page_size") else None)
        skip = read_offset("tournaments", request.page_token)
        page = await self._store.read(tournaments.page_of_tournaments, skip=skip, limit=size + 1)
        response = pb.ListTournamentsResponse()
        for tournament in page[:size]:
            response.tournaments.append(await self._tournament(tournament))
        if len(page) > size:
            response.next_page_token = write_token("tournaments", str(skip + size))
        return response

    async def GetTournament(  # noqa: N802
        self, request: pb.GetTournamentRequest, call: Call
    ) -> pb.GetTournamentResponse:
        """Give one tournament with its entries."""
        found = await self._organiser.named(request.name)
        return pb.GetTournamentResponse(tournament=await self._tournament(found, entries=True))

    async def GetRankings(  # noqa: N802
        self, request: pb.GetRankingsRequest, call: Call
    ) -> pb.GetRankingsResponse:
        """Give the ranking as it is now."""
        rankings = await self._organiser.scoreboard.rankings(
            request.name, forfeits=_forfeits(request), matrix=request.matrix
        )
        return pb.GetRankingsResponse(rankings=self._rankings(rankings))

    async def WatchRankings(  # noqa: N802
        self, request: pb.WatchRankingsRequest, call: Call, send: Send
    ) -> None:
        """Give the ranking now and whenever it has changed, until the tournament is over.

        A watcher that does not read gets the newest table when it reads again, none in between.
        """
        await self._organiser.named(request.name)  # nothing is remembered of what is not there
        key = (request.name, _forfeits(request))
        board = self._boards.setdefault(key, self._board(*key))
        shown = await board.newest()
        await send(shown.response)
        while not shown.is_last:
            shown = await board.after(shown)
            await send(shown.response)

    async def ListRatingHistory(  # noqa: N802
        self, request: pb.ListRatingHistoryRequest, call: Call
    ) -> pb.ListRatingHistoryResponse:
        """List what the ratings of a bot were, tournament by tournament."""
        size = page_size(request.page_size if request.HasField("page_size") else None)
        skip = read_offset("history", request.page_token)
        bot = await bot_named(self._store, request.bot)
        page = await self._store.read(history.history_of_bot, bot.bot_id, skip=skip, limit=size + 1)
        told = [each for each in page[:size] if not is_veiled(each.tournament)]
        response = pb.ListRatingHistoryResponse(tournaments=map(write_history, told))
        if len(page) > size:
            response.next_page_token = write_token("history", str(skip + size))
        return response

    def _board(self, name: str, forfeits: Forfeits) -> Board:
        async def make() -> Shown:
            made = trio.current_time()
            rankings = await self._organiser.scoreboard.rankings(name, forfeits=forfeits, live=True)
            response = pb.WatchRankingsResponse(rankings=self._rankings(rankings))
            took = trio.current_time() - made
            return Shown(rankings=rankings, response=response, made=made, took=took)

        async def wait_change(seen: Rankings) -> None:
            await self._organiser.wait_change(seen.tournament, seen.revision)

        return Board(make, wait_change)

    async def _tournament(
        self, tournament: StoredTournament, *, entries: bool = False
    ) -> pb.Tournament:
        spec = decode_spec(tournament.spec)
        message = pb.Tournament(
            tournament_id=tournament.tournament_id,
            name=tournament.name,
            plan=write_plan(spec, seed=None if is_veiled(tournament) else tournament.public_seed),
            state=TOURNAMENT_STATE[tournament.state],
            create_time=write_time(tournament.created),
            progress=write_progress(await self._organiser.scoreboard.progress(tournament)),
        )
        if tournament.started is not None:
            message.start_time.CopyFrom(write_time(tournament.started))
        if tournament.ended is not None:
            message.end_time.CopyFrom(write_time(tournament.ended))
        if entries:
            found = await self._organiser.entries(tournament)
            message.entries.extend(
                write_entry(each) for each in sorted(found, key=lambda e: e.name)
            )
            struck = await self._store.read(annulments_of, tournament.tournament_id)
            message.annulments.extend(map(write_annulment, struck))
        return message

    def _rankings(self, rankings: Rankings) -> pb.Rankings:
        return write_rankings(rankings, online=self._is_online)

    def _is_online(self, entry: StoredEntry) -> bool:
        return self._playroom.version(entry.bot_id) is not None


def _forfeits(request: pb.GetRankingsRequest | pb.WatchRankingsRequest) -> Forfeits:
    return Forfeits.LEFT_OUT if request.leave_out_forfeits else Forfeits.COUNTED
