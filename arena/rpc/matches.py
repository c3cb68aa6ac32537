"""`MatchService`: games and sessions as they are played and were played."""

from __future__ import annotations

from arena.rpc.calls import Call
from arena.rpc.match_values import NO_HANDS, as_running, write_match
from arena.rpc.paging import page_size, read_offset, write_token
from arena.rpc.spectators import Send, Spectator
from arena.store import Store, games, hand_records, tournaments
from arena.store.games import StoredGame
from arena.store.tournaments import StoredTournament
from arena.tournaments import seeds
from arena.tournaments.errors import Refusal, RefusedRequestError
from arena.tournaments.names import shown
from arena.tournaments.organiser import Organiser
from arena.tournaments.pseudonyms import is_veiled
from arena.tournaments.records import record_of
from euchre.v1 import matches_pb2 as pb
from euchre_sdk.game.dealing import commitment
from euchre_sdk.game.record import write_record


class MatchServicer:
    """The methods of `MatchService`."""

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
            if is_veiled(tournament):
                fault = (
                    f"{tournament.name} is blind: until it is over nobody is told who plays where; "
                    "accepted is a request for all matches"
                )
                raise RefusedRequestError(Refusal.NOT_NOW, [fault])
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
        ids = tuple(game.game_id for game in page[:size] if game.state.over)
        scores = await self._store.read(hand_records.scores, ids)
        for game in page[:size]:
            if game.state.over:
                score = scores.get(game.game_id, NO_HANDS)
                response.matches.append(write_match(game, tournament, entries, score))
            else:  # no more is told of it than those see who watch it
                seen = self._organiser.fleet.gallery.released(game.game_id, over=False)
                score = await self._store.read(hand_records.score_after, game.game_id, seen.hands)
                response.matches.append(write_match(as_running(game), tournament, entries, score))
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
        hands = await self._store.read(hand_records.hands_of_game, game.game_id)
        faults = await self._store.read(hand_records.open_faults, game.game_id)
        scores = await self._store.read(hand_records.scores, (game.game_id,))
        record = record_of(game, tournament, entries, hands, faults)
        return pb.GetMatchRecordResponse(
            match=write_match(game, tournament, entries, scores.get(game.game_id, NO_HANDS)),
            record=write_record(record).encode(),
        )

    async def WatchMatch(  # noqa: N802
        self, request: pb.WatchMatchRequest, call: Call, send: Send
    ) -> None:
        """Show a match from its first hand on, each hand when it is old enough."""
        game, tournament = await self._begun(request.game_id)
        entries = {each.entry_id: each for each in await self._organiser.entries(tournament)}
        spectator = Spectator(
            game,
            tournament,
            entries,
            store=self._store,
            gallery=self._organiser.fleet.gallery,
            send=send,
        )
        await spectator.watch()

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
