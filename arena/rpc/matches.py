"""`MatchService`: games and sessions as they are played and were played."""

from __future__ import annotations

import grpc

from arena.referee import Triple
from arena.rpc.calls import Call
from arena.rpc.paging import page_size, read_offset, write_token
from arena.rpc.play_messages import TERMINATION
from arena.rpc.refusal import RefusedError
from arena.rpc.values import write_time
from arena.store import Store, games, tournaments
from arena.store.games import StoredGame
from arena.store.states import GameState
from arena.store.tournaments import StoredEntry, StoredTournament
from arena.tournaments import seeds
from arena.tournaments.errors import Refusal, RefusedRequestError
from arena.tournaments.names import shown
from arena.tournaments.organiser import Organiser
from arena.tournaments.records import record_of
from euchre.v1 import matches_pb2 as pb
from euchre_sdk.game.dealing import commitment
from euchre_sdk.game.record import write_record

MATCH_STATE = {
    GameState.RUNNING: pb.MATCH_STATE_RUNNING,
    GameState.FINISHED: pb.MATCH_STATE_FINISHED,
    GameState.VOID: pb.MATCH_STATE_VOID,
}
"""Games that were never begun are no matches."""


NO_HANDS = (0, (0, 0, 0))
"""Hands and points of a game that has none yet."""


class MatchServicer:
    """The methods of `MatchService`. Watching live is refused: it is not offered yet."""

    def __init__(self, store: Store, organiser: Organiser) -> None:
        self._store = store
        self._organiser = organiser

    async def ListMatches(  # noqa: N802 - named by the contract
        self, request: pb.ListMatchesRequest, call: Call
    ) -> pb.ListMatchesResponse:
        """List the matches of a tournament, newest first."""
        size = page_size(request.page_size if request.HasField("page_size") else None)
        skip = read_offset("matches", request.page_token)
        tournament = await self._organiser.named(request.tournament)
        entries = {each.entry_id: each for each in await self._organiser.entries(tournament)}
        wanted = None
        if request.HasField("bot"):
            wanted = frozenset(
                each.entry_id for each in entries.values() if each.name == request.bot
            )
            if not wanted:
                fault = f"{shown(request.bot)} is not entered in {tournament.name}"
                raise RefusedRequestError(Refusal.NOT_FOUND, [fault])
        page = await self._store.read(
            games.page_of_games, tournament.tournament_id, entries=wanted, skip=skip, limit=size + 1
        )
        response = pb.ListMatchesResponse()
        ids = tuple(game.game_id for game in page[:size])
        scores = await self._store.read(games.scores, ids)
        for game in page[:size]:
            score = scores.get(game.game_id, NO_HANDS)
            response.matches.append(_match(game, tournament, entries, score))
        if len(page) > size:
            response.next_page_token = write_token("matches", str(skip + size))
        return response

    async def GetMatchRecord(  # noqa: N802
        self, request: pb.GetMatchRecordRequest, call: Call
    ) -> pb.GetMatchRecordResponse:
        """Give the whole record of a match that is over."""
        game, tournament = await self._begun(request.game_id)
        if not game.state.over:
            fault = f"{game.game_id} is being played; its record opens when it is over"
            raise RefusedRequestError(Refusal.NOT_NOW, [fault])
        entries = {each.entry_id: each for each in await self._organiser.entries(tournament)}
        hands = await self._store.read(games.hands_of_game, game.game_id)
        faults = await self._store.read(games.open_faults, game.game_id)
        scores = await self._store.read(games.scores, (game.game_id,))
        record = record_of(game, tournament, entries, hands, faults)
        return pb.GetMatchRecordResponse(
            match=_match(game, tournament, entries, scores.get(game.game_id, NO_HANDS)),
            record=write_record(record).encode(),
        )

    async def WatchMatch(  # noqa: N802
        self, request: pb.WatchMatchRequest, call: Call, send: object
    ) -> None:
        """Refuse: nobody can look at a running match yet."""
        raise RefusedError(
            grpc.StatusCode.UNIMPLEMENTED,
            "WATCHING_NOT_OFFERED",
            "This arena does not offer watching a match while it is played. "
            "Its record can be read when it is over: GetMatchRecord.",
        )

    async def GetVerification(  # noqa: N802
        self, request: pb.GetVerificationRequest, call: Call
    ) -> pb.GetVerificationResponse:
        """Give what proves the deals of a match; the seed only when it can be played no more."""
        game, tournament = await self._begun(request.game_id)
        entries = {each.entry_id: each for each in await self._organiser.entries(tournament)}
        seed = seeds.deal_seed(tournament.secret, game.deal_set)
        response = pb.GetVerificationResponse(
            deal_set_id=game.deal_set,
            commitment=commitment(game.deal_set, seed),
            nonces=game.nonces or (),
            nonces_derived=[entries[entry].house for entry in game.entries],
        )
        if game.state.over:
            response.seed = seed
        return response

    async def _begun(self, game_id: str) -> tuple[StoredGame, StoredTournament]:
        game = await self._store.read(games.game_with_id, game_id)
        if game is None or game.nonces is None:
            fault = f"there is no match {shown(game_id)}"
            raise RefusedRequestError(Refusal.NOT_FOUND, [fault])
        found = await self._store.read(tournaments.all_tournaments)
        return game, next(each for each in found if each.tournament_id == game.tournament_id)


def _match(
    game: StoredGame,
    tournament: StoredTournament,
    entries: dict[str, StoredEntry],
    score: tuple[int, Triple],
) -> pb.Match:
    hands, points = score
    points = game.points or points
    message = pb.Match(
        game_id=game.game_id,
        tournament=tournament.name,
        block=int(game.block_id.partition("b")[2]),
        block_id=game.block_id,
        state=MATCH_STATE[game.state],
        hands=hands,
        start_time=write_time(game.created),
    )
    if game.ended is not None:
        message.end_time.CopyFrom(write_time(game.ended))
    for seat in range(3):
        entry = message.seats.add(name=entries[game.entries[seat]].name, points=points[seat])
        if game.terminations is not None:
            entry.termination = TERMINATION[game.terminations[seat]]
        if game.places is not None and game.state is GameState.FINISHED and not game.unfinished:
            entry.place = game.places[seat]
    return message
