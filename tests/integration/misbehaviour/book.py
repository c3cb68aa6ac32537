"""The store of the cases: tournaments they are games of, offers, and what is kept of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, func, select

from arena.referee import GameOutcome, HandRecord
from arena.store import Store, bots, games, hand_records, tournaments
from arena.store.bots import Author, RegisteredBot
from arena.store.games import StoredGame
from arena.store.states import BotState, GameState, TournamentState
from arena.store.tables import faults
from arena.store.tournaments import StoredEntry, StoredTournament
from arena.tournaments import seeds
from arena.tournaments.playroom import GameOrder, SeatOrder
from arena.tournaments.records import record_of
from arena.tournaments.spec import TournamentSpec, encode_spec
from euchre_sdk.game import SEATS, GameRecord
from euchre_sdk.testing.wrong_answers import Style
from tests.integration.misbehaviour.cases import Case, Clock, Game

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


GOOD = {style: (f"left-{style.value}", f"right-{style.value}") for style in Style}
"""The two that sit with every offender: they do nothing wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What the store has of a case."""

    game: StoredGame
    hands: tuple[HandRecord, ...]
    loose_faults: int
    """Faults that belong to no stored hand."""
    record: GameRecord | None
    """As it would be given out; None of a game that never began."""


class Book:
    """The tournaments that the cases are games of: one for each way to play."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tournaments: dict[tuple[Clock, Game], StoredTournament] = {}
        self._entries: dict[tuple[Clock, Game], dict[str, StoredEntry]] = {}

    async def open(self, cases: Iterable[Case]) -> None:
        """Keep bots, tournaments and entries."""
        everybody = {case.name: (case.clock, case.game) for case in cases}
        good = [name for names in GOOD.values() for name in names]
        for clock in Clock:
            for game in Game:
                spec = TournamentSpec(
                    rules=game.rules,
                    format=game.format,
                    time_control=clock.control,
                    conduct=clock.conduct,
                )
                self._tournaments[clock, game] = StoredTournament(
                    tournament_id=f"t-{clock.value}-{game.value}",
                    name=f"{clock.value} {game.value}",
                    state=TournamentState.RUNNING,
                    spec=encode_spec(spec),
                    public_seed="s",
                    secret=bytes(32),
                    created=NOW,
                )
                self._entries[clock, game] = {}

        def keep(c: Connection) -> None:
            for name in (*good, *everybody):
                bots.add_bot(
                    c,
                    RegisteredBot(
                        bot_id=name,
                        name=name,
                        author=Author(author_id="a", name="author"),
                        state=BotState.ACTIVE,
                        created=NOW,
                        version=None,
                    ),
                )
            for way, tournament in self._tournaments.items():
                tournaments.add_tournament(c, tournament)
                for name in (*good, *(bot for bot, its in everybody.items() if its == way)):
                    tid = tournament.tournament_id
                    tournaments.add_entry(c, tid, bot_id=name, version=None, now=NOW)
            for way, tournament in self._tournaments.items():
                found = tournaments.entries_of(c, tournament.tournament_id)
                self._entries[way] = {entry.bot_id: entry for entry in found}

        await self._store.write(keep)

    async def offer(self, case: Case) -> tuple[GameOrder, StoredGame]:
        """Keep the offer of a case's game, and return its order."""
        way = case.clock, case.game
        tournament, entries = self._tournaments[way], self._entries[way]
        left, right = GOOD[case.style]
        seated = {case.seat: case.name, case.seat.left: left, case.seat.left.left: right}
        first, second, third = (entries[seated[seat]] for seat in SEATS)
        deal_set = f"{tournament.tournament_id}/{case.name}"
        game = StoredGame(
            game_id=seeds.game_id(tournament.secret, deal_set),
            tournament_id=tournament.tournament_id,
            block_id=case.name,
            attempt=1,
            number=1,
            offer=1,
            deal_set=deal_set,
            entries=(first.entry_id, second.entry_id, third.entry_id),
            created=NOW,
        )
        await self._store.write(games.offer_game, game)
        a, b, c = (
            SeatOrder(entry_id=entry.entry_id, bot_id=entry.bot_id, name=entry.name)
            for entry in (first, second, third)
        )
        order = GameOrder(
            game_id=game.game_id,
            deal_set=deal_set,
            rules=case.game.rules,
            format=case.game.format,
            time_control=case.clock.control,
            conduct=case.clock.conduct,
            seats=(a, b, c),
            seed=seeds.deal_seed(tournament.secret, deal_set),
            incarnation=self._store.incarnation,
        )
        return order, game

    async def close(self, game: StoredGame, outcome: GameOutcome) -> None:
        """Keep how a game ended."""
        began = outcome.started
        state = GameState.FINISHED if began else GameState.NOT_STARTED
        await self._store.write(games.end_game, game.game_id, state, outcome, now=NOW)

    async def kept(self, case: Case, game_id: str) -> Kept:
        """Return what the store has of a case."""
        way = case.clock, case.game
        game = await self._store.read(games.game_with_id, game_id)
        assert game is not None
        hands = await self._store.read(hand_records.hands_of_game, game_id)
        by_id = {entry.entry_id: entry for entry in self._entries[way].values()}
        record = None
        if game.nonces is not None:
            record = record_of(game, self._tournaments[way], by_id, hands)
        return Kept(
            game=game,
            hands=hands,
            loose_faults=await self._store.read(_loose_faults, game_id),
            record=record,
        )


def _loose_faults(c: Connection, game_id: str) -> int:
    query = select(func.count()).where(faults.c.game_id == game_id)
    return c.execute(query).scalar_one()
