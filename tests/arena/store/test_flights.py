"""Flight records in the database: one for each run of the arena, and bounded in all."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from arena.referee.flight import FlightEntry, FlightKind, FlightRecord, Weight
from arena.store import Store, bots, flights, games, open_store, tournaments
from arena.store.bots import Author, RegisteredBot
from arena.store.flight_json import decode_flight, encode_flight
from arena.store.games import StoredGame
from arena.store.states import BotState, TournamentState
from arena.store.tournaments import StoredTournament
from euchre_sdk.game import Seat

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ANSWER = FlightEntry(
    at_us=12,
    kind=FlightKind.ANSWER,
    weight=Weight.ORDINARY,
    seq=3,
    raw=b"\x00\xff",
    size=2,
    action="JH",
    verdict="accepted",
    charged_us=7,
)
REFUSED = FlightEntry(
    at_us=15,
    kind=FlightKind.ANSWER,
    weight=Weight.ALWAYS,
    seq=4,
    raw=b"\x01",
    size=9000,
    verdict="MALFORMED",
    why="it is no action",
)
ORDINARY = FlightRecord(entries=(ANSWER,), accepted_left_out=5)
FAULTY = FlightRecord(entries=(ANSWER, REFUSED), notices_left_out=2, odd_left_out=1)


def test_a_record_comes_back_as_it_was() -> None:
    for record in (ORDINARY, FAULTY, FlightRecord(entries=())):
        assert decode_flight(encode_flight(record)) == record


@asynccontextmanager
async def with_games(path: Path, *ids: str) -> AsyncIterator[Store]:
    author = Author(author_id="ada", name="ada")
    bot = RegisteredBot(
        bot_id="b1", name="lynx", author=author, state=BotState.ACTIVE, created=NOW, version=None
    )
    cup = StoredTournament(
        tournament_id="t1",
        name="spring",
        state=TournamentState.CREATED,
        spec="{}",
        public_seed="1",
        secret=b"s",
        created=NOW,
    )
    async with open_store(path, now=NOW, group=timedelta(0)) as store:
        await store.write(bots.add_bot, bot)
        await store.write(tournaments.add_tournament, cup)
        for number, game_id in enumerate(ids, 1):
            game = StoredGame(
                game_id=game_id,
                tournament_id="t1",
                block_id="c1b1",
                attempt=1,
                number=number,
                offer=1,
                deal_set=game_id,
                entries=("e1", "e2", "e3"),
                created=NOW,
            )
            await store.write(games.offer_game, game)
        yield store


keep = partial(flights.keep_flight, bot_id="b1", incarnation=1, now=NOW)
FIRST = Seat(0)


async def test_a_later_look_takes_the_place_of_an_earlier_one_of_the_same_run(
    tmp_path: Path,
) -> None:
    async with with_games(tmp_path, "g1") as store:
        await store.write(keep, "g1", FIRST, ORDINARY)
        await store.write(keep, "g1", FIRST, FAULTY)
        await store.write(keep, "g1", FIRST, ORDINARY, incarnation=2)
        kept = await store.read(flights.flight_of, "g1", FIRST)
        assert kept == ((1, FAULTY), (2, ORDINARY))
        (summary,) = await store.read(flights.page_of_flights, "b1", skip=0, limit=9)
        assert (summary.tournament, summary.refused, summary.forced) == ("spring", 1, 0)


async def test_games_are_listed_newest_first_and_only_of_that_bot(tmp_path: Path) -> None:
    async with with_games(tmp_path, "g1", "g2", "g3") as store:
        for hours, game_id in enumerate(("g2", "g1", "g3")):
            later = NOW + timedelta(hours=hours)
            await store.write(keep, game_id, FIRST, FAULTY, now=later)

        async def page(bot_id: str, skip: int) -> list[str]:
            found = await store.read(flights.page_of_flights, bot_id, skip=skip, limit=2)
            return [each.game_id for each in found]

        assert await page("b1", 0) == ["g3", "g1"]
        assert await page("b1", 2) == ["g2"]
        assert await page("b2", 0) == []


async def test_the_oldest_ordinary_play_goes_first_and_refusals_stay(tmp_path: Path) -> None:
    async with with_games(tmp_path, "g1", "g2", "g3", "g4") as store:
        for hours, (game_id, record) in enumerate(
            {"g1": FAULTY, "g2": ORDINARY, "g3": ORDINARY, "g4": FAULTY}.items()
        ):
            await store.write(keep, game_id, FIRST, record, now=NOW + timedelta(hours=hours))

        async def sweep(most_bytes: int) -> list[str]:
            await store.write(flights.sweep_flights, before=NOW, most_bytes=most_bytes)
            left = await store.read(flights.page_of_flights, "b1", skip=0, limit=9)
            return sorted(each.game_id for each in left)

        all_of_them = 2 * len(encode_flight(ORDINARY)) + 2 * len(encode_flight(FAULTY))
        assert await sweep(all_of_them) == ["g1", "g2", "g3", "g4"]
        assert await sweep(all_of_them - 1) == ["g1", "g3", "g4"]
        assert await sweep(2 * len(encode_flight(FAULTY))) == ["g1", "g4"]
        assert await sweep(2 * len(encode_flight(FAULTY)) - 1) == ["g1", "g4"]
        ((_, oldest),) = await store.read(flights.flight_of, "g1", FIRST)
        ((_, newest),) = await store.read(flights.flight_of, "g4", FIRST)
        assert oldest == FAULTY.only_always()
        assert newest == FAULTY
        assert await sweep(0) == ["g1", "g4"], "refusals are kept for their age"


async def test_what_is_too_old_goes_whatever_it_is(tmp_path: Path) -> None:
    async with with_games(tmp_path, "g1", "g2") as store:
        await store.write(keep, "g1", FIRST, FAULTY)
        await store.write(keep, "g2", FIRST, FAULTY, now=NOW + timedelta(days=2))
        swept = await store.write(
            flights.sweep_flights, before=NOW + timedelta(days=1), most_bytes=10**9
        )
        assert (swept.removed, swept.thinned) == (1, 0)
        assert await store.read(flights.flight_of, "g1", FIRST) == ()
        assert len(await store.read(flights.flight_of, "g2", FIRST)) == 1
