"""What is annulled counts nowhere, stays in the records, and is told to whoever asks why."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
import trio
from sqlalchemy import Connection, update

from arena.referee import Termination
from arena.store import (
    Store,
    annulments,
    audit,
    block_attempts,
    bot_events,
    bots,
    games,
    hand_records,
    open_store,
    results,
    tables,
    tournaments,
)
from arena.store.games import StoredGame
from arena.store.states import BlockState
from arena.store.tournaments import StoredTournament
from arena.tournaments.annulling import OneBlock, OneGame, Target, reason_faults
from arena.tournaments.errors import Refusal, RefusedRequestError
from arena.tournaments.organiser import Organiser, open_tournaments
from arena.tournaments.records import record_of
from arena.tournaments.spec import TournamentSpec
from arena.tournaments.tabling import compute_table
from euchre_sdk.game import Session
from euchre_sdk.verify import verify_record
from tests.arena.fake_playroom import FakePlayroom
from tests.arena.registration import register

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
FIELD = ("ada", "bob", "cyd", "dot")
SPEC = TournamentSpec(format=Session(3), policy="all-trios")
"""Four blocks of two sessions."""


def now() -> datetime:
    return START + timedelta(seconds=trio.current_time() % 1e6)


@asynccontextmanager
async def arena(path: Path, playroom: FakePlayroom) -> AsyncIterator[tuple[Store, Organiser]]:
    async with open_store(path, now=START, group=timedelta(0)) as store:
        if not await store.read(bots.all_bots):
            await register(store, FIELD, created=START)
        opened = open_tournaments(store, playroom, now=now, games_at_once=50)
        async with opened as organiser:
            yield store, organiser


def present() -> FakePlayroom:
    return FakePlayroom(**dict.fromkeys(FIELD, 1))


async def until_finished(organiser: Organiser) -> None:
    while not (tournament := await organiser.named("spring")).state.over:
        await changed(organiser, tournament)


async def changed(organiser: Organiser, tournament: StoredTournament) -> None:
    await organiser.wait_change(tournament, organiser.fleet.feed(tournament).revision)


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with a tournament that is over."""
    path: Path = tmp_path_factory.mktemp("finished")

    async def play() -> None:
        async with arena(path, present()) as (_, organiser):
            await organiser.create("spring", SPEC, FIELD, seed="7")
            await organiser.start("spring")
            await until_finished(organiser)

    trio.run(play)
    return path


@pytest.fixture
def finished(once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(once, tmp_path / "data"))


async def all_games(store: Store, organiser: Organiser) -> tuple[StoredGame, ...]:
    return await store.read(games.games_of, (await organiser.named("spring")).tournament_id)


def strike(organiser: Organiser, target: Target, *, replay: bool = False, name: str = "spring"):
    return organiser.annul(name, target, reason="power cut", replay=replay)


async def sessions(store: Store, organiser: Organiser):
    tid = (await organiser.named("spring")).tournament_id
    return await store.read(results.session_results, tid, Session(3))


async def test_a_struck_game_is_left_out_of_everything_that_is_computed(finished: Path) -> None:
    async with arena(finished, present()) as (store, organiser):
        before = await sessions(store, organiser)
        first = (await all_games(store, organiser))[0]
        hands = (await organiser.scoreboard.rankings("spring")).table.hands
        annulment = await strike(organiser, OneGame(first.game_id))
        assert (annulment.games, annulment.block_id) == (1, first.block_id)
        after = await sessions(store, organiser)
        gone = [each for each in before if each not in after]
        assert len(after) == len(before) - 1
        assert gone[0].seats == first.entries
        rankings = await organiser.scoreboard.rankings("spring")
        assert rankings.table == await compute_table(store, rankings.tournament)
        assert (rankings.table.annulled, rankings.table.hands) == (1, hands - 3)
        counted = sum(row.standing.hands for row in rankings.table.rows if row.standing)
        assert counted == 3 * (hands - 3)


async def test_the_record_of_a_struck_game_says_so_and_is_true(finished: Path) -> None:
    async with arena(finished, present()) as (store, organiser):
        game_id = (await all_games(store, organiser))[0].game_id
        await strike(organiser, OneGame(game_id))
        game = await store.read(games.game_with_id, game_id)
        assert game is not None
        assert game.annulled
        assert game.terminations == (Termination.NORMAL,) * 3, "what was played is kept"
        tournament = await organiser.named("spring")
        entries = {each.entry_id: each for each in await organiser.entries(tournament)}
        hands = await store.read(hand_records.hands_of_game, game_id)
        record = record_of(game, tournament, entries, hands)
        assert record.result is not None
        assert record.result.terminations == ("annulled",) * 3
        found = verify_record(record).problems  # the decks of a fake playroom come from nowhere
        assert [problem for problem in found if problem.where == "result"] == []


async def test_a_struck_block_counts_no_more_also_after_a_restart(finished: Path) -> None:
    playroom = present()
    async with arena(finished, playroom) as (store, organiser):
        total = (await organiser.scoreboard.rankings("spring")).progress.blocks_complete
        annulment = await strike(organiser, OneBlock("c1b1"))
        assert (annulment.games, annulment.game_id, annulment.attempt) == (2, None, 1)
        rankings = await organiser.scoreboard.rankings("spring")
        assert rankings.progress.blocks_complete == total - 1
        assert rankings.table.annulled == 2
    async with arena(finished, playroom) as (store, organiser):
        again = await organiser.scoreboard.rankings("spring")
        assert again.table.rows == rankings.table.rows
        assert again.progress.blocks_complete == total - 1
        blocks = await store.read(block_attempts.blocks_of, again.tournament.tournament_id)
        states = {block.block_id: (block.state, block.reason) for block in blocks}
        assert states["c1b1"] == (BlockState.ANNULLED, "power cut")


@pytest.mark.parametrize("how", ["while it runs", "while it is paused", "and goes on later"])
async def test_a_block_can_be_played_again_with_other_deals(tmp_path: Path, how: str) -> None:
    playroom = present()
    async with arena(tmp_path, playroom) as (store, organiser):
        await organiser.create("spring", SPEC, FIELD, seed="7")
        await organiser.start("spring")
        while not (done := await _complete(store, organiser)):
            await changed(organiser, await organiser.named("spring"))
        if how != "while it runs":
            await organiser.pause("spring")
        annulment = await strike(organiser, OneBlock(done[0]), replay=True)
        assert annulment.replayed
        if how == "while it is paused":
            await organiser.start("spring")
        if how != "and goes on later":
            await until_finished(organiser)
    async with arena(tmp_path, playroom) as (store, organiser):
        if how == "and goes on later":
            await organiser.start("spring")
            await until_finished(organiser)
        tournament = await organiser.named("spring")
        blocks = await store.read(block_attempts.blocks_of, tournament.tournament_id)
        mine = [(b.attempt, b.state) for b in blocks if b.block_id == done[0]]
        assert mine == [(1, BlockState.REPLAYED), (2, BlockState.COMPLETE)]
        rankings = await organiser.scoreboard.rankings("spring")
        assert rankings.progress.blocks_complete == rankings.progress.blocks_total == 4
        assert rankings.table.annulled == 2
        rated = await sessions(store, organiser)
        assert len(rated) == 8, "every block counts once"
        sets = [game.deal_set for game in await all_games(store, organiser)]
        assert len(set(sets)) == len(sets) == 10


async def test_a_tournament_does_not_end_while_something_is_being_struck(tmp_path: Path) -> None:
    async with arena(tmp_path, present()) as (store, organiser):
        await organiser.create("spring", SPEC, FIELD, seed="7")
        await organiser.start("spring")
        tournament = await organiser.named("spring")
        director = organiser.fleet.director(tournament)
        with director.kept_open():
            while len(await _complete(store, organiser)) < 4:
                await changed(organiser, tournament)
            while director.in_play.running:
                await trio.lowlevel.checkpoint()
            assert director.begins_blocks
            await strike(organiser, OneBlock("c1b1"), replay=True)
        await until_finished(organiser)
        blocks = await store.read(block_attempts.blocks_of, tournament.tournament_id)
        assert [b.state for b in blocks if b.block_id == "c1b1"] == [
            BlockState.REPLAYED,
            BlockState.COMPLETE,
        ]
        assert not director.begins_blocks
        refusal, words = await refused(organiser, OneBlock("c1b1"), replay=True)
        assert (refusal, "is finished" in words) == (Refusal.NOT_NOW, True)


async def _complete(store: Store, organiser: Organiser) -> list[str]:
    tid = (await organiser.named("spring")).tournament_id
    blocks = await store.read(block_attempts.blocks_of, tid)
    return [block.block_id for block in blocks if block.state is BlockState.COMPLETE]


async def test_a_block_struck_in_mid_tournament_is_not_waited_for(tmp_path: Path) -> None:
    async with arena(tmp_path, present()) as (store, organiser):
        await organiser.create("spring", SPEC, FIELD, seed="7")
        await organiser.start("spring")
        while not (done := await _complete(store, organiser)):
            await changed(organiser, await organiser.named("spring"))
        await strike(organiser, OneBlock(done[0]))
        await until_finished(organiser)
        assert (await organiser.scoreboard.rankings("spring")).progress.blocks_complete == 3


async def refused(organiser: Organiser, target: Target, **how) -> tuple[Refusal, str]:
    with pytest.raises(RefusedRequestError) as caught:
        await strike(organiser, target, **how)
    return caught.value.refusal, str(caught.value)


async def test_what_cannot_be_struck_is_refused_in_words(finished: Path) -> None:
    async with arena(finished, present()) as (store, organiser):
        await organiser.create("summer", SPEC, FIELD, seed="7")
        game, other, *_ = await all_games(store, organiser)
        assert game.block_id == other.block_id
        no = partial(refused, organiser)
        assert await no(OneGame("g0")) == (Refusal.NOT_FOUND, "there is no game 'g0'.")
        refusal, words = await no(OneGame(game.game_id), name="summer")
        assert (refusal, "is a game of spring, not of summer" in words) == (
            Refusal.NOT_FOUND,
            True,
        )
        assert (await no(OneBlock("c9b9")))[0] is Refusal.NOT_FOUND
        assert (await no(OneBlock("c1b1"), name="summer"))[0] is Refusal.NOT_FOUND
        assert (await no(OneGame(game.game_id), name="winter"))[0] is Refusal.NOT_FOUND
        refusal, words = await no(OneGame(game.game_id), replay=True)
        assert (refusal, f"annul {game.block_id}" in words) == (Refusal.INVALID, True)
        refusal, words = await no(OneBlock(game.block_id), replay=True)
        assert refusal is Refusal.NOT_NOW
        assert "spring is finished" in words
        await strike(organiser, OneGame(game.game_id))
        refusal, words = await no(OneGame(game.game_id))
        assert refusal is Refusal.NOT_NOW
        assert "was annulled already, by organiser at 2026-03-" in words
        assert words.endswith("power cut.")
        await strike(organiser, OneBlock(game.block_id))
        assert "annulled already" in (await no(OneBlock(game.block_id)))[1]
        with pytest.raises(RefusedRequestError, match="reason must be"):
            await organiser.annul("spring", OneBlock("c1b2"), reason=" ", replay=False)
        assert f"with all of {game.block_id}" in (await no(OneGame(other.game_id)))[1]
        assert len(await store.read(audit.lines, subject=f"spring/{game.game_id}")) == 1


async def test_a_running_game_and_block_are_not_struck(tmp_path: Path) -> None:
    playroom = present()
    playroom.gate = trio.Event()
    async with arena(tmp_path, playroom) as (store, organiser):
        await organiser.create("spring", SPEC, FIELD, seed="7")
        await organiser.start("spring")
        while not playroom.orders:
            await trio.lowlevel.checkpoint()
        while (game := (await all_games(store, organiser))[0]).nonces is None:
            await trio.lowlevel.checkpoint()
        assert "is being played" in (await refused(organiser, OneGame(game.game_id)))[1]
        assert "is being played" in (await refused(organiser, OneBlock(game.block_id)))[1]


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        pytest.param("", "is empty", id="none"),
        pytest.param("   ", "is empty", id="only spaces"),
        pytest.param("x" * 201, "has 201", id="too long"),
        pytest.param("a\x1b[2Jb", "holds others", id="a terminal's escape"),
        pytest.param("two\nlines", "holds others", id="two lines"),
    ],
)
def test_a_reason_is_one_line_that_anybody_may_read(reason: str, words: str) -> None:
    (fault,) = reason_faults(reason)
    assert words in fault
    assert "one line of 1 to 200 visible characters" in fault


async def test_who_struck_what_and_why_stays_in_the_audit_log(finished: Path) -> None:
    async with arena(finished, present()) as (store, organiser):
        await strike(organiser, OneBlock("c1b2"))
        (line,) = await store.read(audit.lines, subject="spring/c1b2")
        assert (line.actor, line.action, line.reason) == ("organiser", "annulled", "power cut")
        page = await store.read(audit.page_of_lines, subject="spring", skip=0, limit=9)
        assert [each.action for each in page] == ["annulled", "running", "created"]
        assert await store.read(audit.page_of_lines, subject="spring_", skip=0, limit=9) == ()


async def test_a_struck_forfeit_is_no_step_towards_quarantine(finished: Path) -> None:
    def forfeit(c: Connection, game: StoredGame, seat: int) -> None:
        values = {f"termination{seat}": Termination.ILLEGAL.value}
        c.execute(update(tables.games).where(tables.games.c.id == game.game_id).values(values))

    async with arena(finished, present()) as (store, organiser):
        entry = next(
            each.entry_id
            for each in await organiser.entries(await organiser.named("spring"))
            if each.bot_id == "ada"
        )
        mine = [game for game in await all_games(store, organiser) if entry in game.entries]
        for game in mine:
            await store.write(forfeit, game, game.entries.index(entry))
        assert await store.read(bot_events.forfeits_in_a_row, "ada", most=99) == len(mine) == 6
        await strike(organiser, OneGame(mine[-1].game_id))
        assert await store.read(bot_events.forfeits_in_a_row, "ada", most=99) == 5


async def test_an_annulment_and_its_line_are_stored_together_or_not_at_all(
    finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with arena(finished, present()) as (store, organiser):
        tid = (await organiser.named("spring")).tournament_id
        monkeypatch.setattr(audit, "add_line", _broken)
        with pytest.raises(ZeroDivisionError):
            await strike(organiser, OneBlock("c1b2"))
        assert await store.read(annulments.annulments_of, tid) == ()
        assert (await organiser.scoreboard.rankings("spring")).progress.blocks_complete == 4


@pytest.mark.parametrize("started", [False, True])
async def test_a_withdrawal_and_its_line_are_stored_together_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, started: bool
) -> None:
    playroom = present()
    playroom.gate = trio.Event()
    async with arena(tmp_path, playroom) as (store, organiser):
        await organiser.create("spring", SPEC, FIELD, seed="7")
        if started:
            await organiser.start("spring")
        with monkeypatch.context() as patched:
            patched.setattr(tournaments, "set_entry_state", _broken)
            patched.setattr(tournaments, "remove_entry", _broken)
            with pytest.raises(ZeroDivisionError):
                await organiser.withdraw("spring", "dot", actor="bot dot")
        assert await store.read(audit.lines, subject="spring/dot") == ()
        await organiser.withdraw("spring", "dot", actor="bot dot")
        (line,) = await store.read(audit.lines, subject="spring/dot")
        assert (line.actor, line.action) == ("bot dot", "withdrew")


def _broken(*_: object, **__: object) -> None:
    raise ZeroDivisionError
