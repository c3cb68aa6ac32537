"""Baselines of finished games are computed beside the arena, and the table has both ratings."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trio
from sqlalchemy import update
from structlog.testing import capture_logs

from arena import luck_keeper
from arena.luck import BaselineKind, LuckError, model_baselines, value_model
from arena.luck.baselines import to_bytes
from arena.luck_keeper import LuckCorrection, LuckKeeper, WorkerGoneError, luck_worker
from arena.luck_worker import LuckJob, compute
from arena.store import baselines, games, hand_records, tournaments
from arena.store.baselines import StoredBaselines
from arena.store.hand_json import dealt_and_decided, decode_hand, encode_hand
from arena.store.states import BlockState
from arena.store.tables import blocks
from arena.tournaments.annulling import OneBlock
from arena.tournaments.fitting import ReadBefore
from arena.tournaments.spec import TournamentSpec
from arena.tournaments.tabling import compute_table
from euchre_sdk.game import PRESETS, STANDARD, Session, ToTarget
from euchre_sdk.game.rules_file import rules_to_fields
from tests.arena.luck.played import at_random, decks, play
from tests.arena.tournaments import one_arena
from tests.arena.tournaments.one_arena import FIELD, arena, present

SESSIONS = TournamentSpec(format=Session(30), policy="all-trios")
VERSION = value_model().version
MODEL, PLAYOUTS = BaselineKind.MODEL, BaselineKind.PLAYOUTS


@asynccontextmanager
async def played(path: Path, spec: TournamentSpec = SESSIONS) -> Any:
    """An arena in which a tournament of four bots that play at random is over."""
    async with arena(path, present(*FIELD)) as (store, organiser):
        if not await store.read(tournaments.all_tournaments):
            await one_arena.play(organiser, spec)
        yield store, organiser, await organiser.named("spring")


@pytest.fixture(scope="module")
def played_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of an arena with `SESSIONS`, played once for all tests."""
    path = tmp_path_factory.mktemp("played")

    async def fill() -> None:
        async with played(path):
            pass

    trio.run(fill)
    return path


@pytest.fixture
def data(played_once: Path, tmp_path: Path) -> Path:
    """A copy for one test."""
    shutil.copytree(played_once, tmp_path / "data")
    return tmp_path / "data"


async def keep(store: Any, organiser: Any, how: LuckCorrection = LuckCorrection.MODEL) -> None:
    keeper = LuckKeeper(store, organiser.fleet, how)
    await keeper.catch_up()
    await keeper.work_off(idle=0)


async def known(store: Any, spring: Any) -> dict[str, frozenset[BaselineKind]]:
    found: dict[str, frozenset[BaselineKind]] = await store.read(
        baselines.kinds_known, spring.tournament_id, version=VERSION
    )
    return found


async def test_both_ratings_stand_side_by_side_and_the_raw_ones_stay(data: Path) -> None:
    async with played(data) as (store, organiser, _):
        before = (await organiser.scoreboard.rankings("spring")).table
        assert before.saving_factor is None
        assert all(row.corrected is None for row in before.rows)
        await keep(store, organiser)
        after = (await organiser.scoreboard.rankings("spring")).table
        assert [row.standing for row in after.rows] == [row.standing for row in before.rows]
        assert after.saving_factor is not None
        for row in after.rows:
            assert row.corrected is not None
            assert row.standing is not None
            assert row.corrected.elo != row.standing.elo
            assert abs(row.corrected.points_per_hand - row.standing.points_per_hand) < 0.3
            assert 0.5 < row.corrected.saving_factor < 5
        total = sum(row.corrected.points_per_hand for row in after.rows)
        assert total == pytest.approx(
            sum(row.standing.points_per_hand for row in after.rows), abs=0.05
        )


async def test_what_is_kept_is_what_the_model_says_of_the_hands(data: Path) -> None:
    async with played(data) as (store, organiser, spring):
        await keep(store, organiser)
        found = await known(store, spring)
        assert set(found.values()) == {frozenset({MODEL})}
        sessions = await store.read(baselines.played_sessions, found, version=VERSION)
        for game, session in sessions.items():
            hands = await store.read(hand_records.hands_of_game, game)
            terms = model_baselines(
                value_model(), STANDARD, [(hand.deck, hand.decisions) for hand in hands]
            )
            assert np.array_equal(session.baselines[MODEL], terms)
            assert session.dealers.tolist() == [hand.dealer for hand in hands]
            assert session.points.tolist() == [list(hand.points) for hand in hands]


async def test_playouts_come_beside_the_model_where_they_are_wanted(data: Path) -> None:
    async with played(data) as (store, organiser, spring):
        await keep(store, organiser)
        by_model = await compute_table(store, spring)
        await keep(store, organiser, LuckCorrection.PLAYOUTS)
        assert set((await known(store, spring)).values()) == {frozenset({MODEL, PLAYOUTS})}
        by_all = await compute_table(store, spring)
        assert by_all.rows[0].corrected != by_model.rows[0].corrected


async def test_a_table_that_remembers_says_what_a_fresh_one_says(data: Path) -> None:
    async with played(data) as (store, organiser, spring):
        read = ReadBefore()
        assert (await compute_table(store, spring, read=read)).saving_factor is None
        await keep(store, organiser)
        fresh = await compute_table(store, spring)
        assert fresh.saving_factor is not None
        for _ in range(2):
            assert await compute_table(store, spring, read=read) == fresh
        await organiser.annul("spring", OneBlock("c1b1"), reason="a bad disk", replay=False)
        after = await compute_table(store, spring, read=read)
        assert after == await compute_table(store, spring)
        assert after.saving_factor != fresh.saving_factor


async def test_games_to_the_target_are_not_corrected(tmp_path: Path) -> None:
    spec = TournamentSpec(format=ToTarget(), policy="all-trios")
    async with played(tmp_path, spec) as (store, organiser, spring):
        await keep(store, organiser, LuckCorrection.PLAYOUTS)
        found = await known(store, spring)
        assert found
        assert not any(found.values())
        assert (await compute_table(store, spring)).saving_factor is None


async def test_another_deck_is_corrected_too(tmp_path: Path) -> None:
    spec = TournamentSpec(rules=PRESETS["british"], format=Session(30), policy="all-trios")
    async with played(tmp_path, spec) as (store, organiser, spring):
        await keep(store, organiser)
        assert (await compute_table(store, spring)).saving_factor is not None


async def test_nothing_is_read_of_a_game_whose_block_goes_on(data: Path) -> None:
    async with played(data) as (store, organiser, spring):
        tid = spring.tournament_id
        every = await known(store, spring)
        game = next(each for each in await store.read(games.games_of, tid))

        def goes_on(c: Any) -> None:
            mine = (blocks.c.tournament_id == tid) & (blocks.c.block_id == game.block_id)
            c.execute(update(blocks).where(mine).values(state=BlockState.RUNNING.value))

        await store.write(goes_on)
        assert await store.read(baselines.hands_dealt, tid, game.game_id) is None
        assert game.game_id not in await known(store, spring)
        await keep(store, organiser)
        assert len(await known(store, spring)) == len(every) - 2
        newer = await store.read(baselines.kinds_known, tid, version=VERSION + 1)
        assert newer.keys() == (await known(store, spring)).keys()
        assert not any(newer.values())


async def test_too_few_hands_are_not_corrected(tmp_path: Path) -> None:
    spec = TournamentSpec(format=Session(3), policy="all-trios")
    async with played(tmp_path, spec) as (store, organiser, spring):
        await keep(store, organiser)
        assert all((await known(store, spring)).values())
        assert (await compute_table(store, spring)).saving_factor is None


async def test_newer_baselines_take_the_place_of_older_ones(data: Path) -> None:
    async with played(data) as (store, _, spring):
        game = next(iter(await known(store, spring)))
        for version in (VERSION + 1, VERSION):
            row = StoredBaselines(game_id=game, kind=MODEL, version=version, hands=0, terms=b"\x00")
            await store.write(baselines.keep_baselines, [row])
        assert (await known(store, spring))[game] == {MODEL}
        with pytest.raises(LuckError, match="model baselines of 30 hands are 1 bytes"):
            await store.read(baselines.played_sessions, {game: ()}, version=VERSION)


async def test_a_game_that_cannot_be_computed_is_told_of_and_the_others_are(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with played(data) as (store, organiser, spring):
        bad = next(iter(await known(store, spring)))
        whole = baselines.hands_dealt

        def damaged(c: Any, tid: str, game: str) -> Any:
            records = whole(c, tid, game)
            return ('{"deck": "JH", "decisions": []}', *records) if game == bad else records

        monkeypatch.setattr(luck_keeper, "hands_dealt", damaged)
        with capture_logs() as lines:
            await keep(store, organiser)
        told = [line for line in lines if line["event"] == "luck_not_computed"]
        assert [line["game_id"] for line in told] == [bad]
        assert "JH" not in json.dumps(lines)
        kinds = await known(store, spring)
        assert [game for game, have in kinds.items() if not have] == [bad]
        table = await compute_table(store, spring)
        assert table.saving_factor is not None


def job(*kinds: BaselineKind) -> LuckJob:
    bot = at_random(4)
    hands = [play(STANDARD, deck, bot)[0] for deck in decks(STANDARD, 30)]
    return LuckJob(
        rules=rules_to_fields(STANDARD),
        hands=[(" ".join(map(str, deck)), [*map(str, done)]) for deck, done in hands],
        kinds=frozenset(kinds),
    )


async def test_the_process_stands_back_and_knows_nothing_of_the_arena(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ARENA_TOKEN", "secret")
    asked = job(MODEL, PLAYOUTS)
    async with luck_worker() as worker:
        made = await worker.compute(asked)
        pid = worker._process.pid
        assert os.getpriority(os.PRIO_PROCESS, pid) == 19
        assert os.sched_getscheduler(pid) == os.SCHED_IDLE
        environ = await trio.Path(f"/proc/{pid}/environ").read_bytes()
        assert b"ARENA_" not in environ
        assert made == await worker.compute(asked)
    assert set(made) == {MODEL, PLAYOUTS}
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_process_that_is_gone_is_noticed() -> None:
    async with luck_worker() as worker:
        worker._process.kill()
        await worker._process.wait()
        with pytest.raises(WorkerGoneError):
            await worker.compute(job(MODEL))


def test_the_process_ends_quietly_when_the_arena_is_gone() -> None:
    command = [sys.executable, "-m", "arena.luck_worker"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None
        process.stdout.close()
        _, said = process.communicate(job(MODEL).to_line(), timeout=60)
    assert (process.returncode, said) == (0, b"")


async def test_nothing_is_done_where_it_is_not_wanted() -> None:
    with trio.fail_after(5):
        await LuckKeeper(None, None, LuckCorrection.OFF).run()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        pytest.param({"hands": [["JH JD", []]]}, "deck 0 has other cards", id="another deck"),
        pytest.param({"hands": [["1H", []]]}, "no card '1H'", id="no card"),
        pytest.param({"rules": {"target": 0}}, "target", id="no rules"),
    ],
)
def test_a_job_that_makes_no_sense_is_refused_in_words(
    changes: dict[str, object], said: str
) -> None:
    asked = {**json.loads(job(MODEL).to_line()), **changes}
    assert said in compute(json.dumps(asked))["refused"]


async def test_a_stored_hand_gives_the_deck_and_the_decisions(data: Path) -> None:
    async with played(data) as (store, _, spring):
        game = next(iter(await known(store, spring)))
        records = await store.read(baselines.hands_dealt, spring.tournament_id, game)
        assert len(records) == 30
        for record in records:
            hand = decode_hand(record)
            assert dealt_and_decided(encode_hand(hand)) == (
                " ".join(map(str, hand.deck)),
                [str(action) for action in hand.decisions],
            )


def test_single_precision_is_kept_little_endian() -> None:
    assert to_bytes(np.array([[[1.0, 2.0, 0.5]]], dtype=np.float32))[:8] == bytes.fromhex(
        "0000803f00000040"
    )
