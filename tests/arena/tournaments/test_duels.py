"""Duels end by themselves, and say the same whatever happened on the way."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import trio

from arena.store import block_attempts, results, tournaments
from arena.store.states import BlockState, TournamentState
from arena.tournaments.annulling import OneBlock
from arena.tournaments.duel_terms import DuelTerms
from arena.tournaments.errors import RefusedRequestError
from arena.tournaments.spec import TournamentSpec, decode_spec, encode_spec
from euchre_sdk.duel import Decision
from euchre_sdk.game import Session, ToTarget
from tests.arena.fake_playroom import Crash
from tests.arena.tournaments.one_arena import FIELD, arena, play, present, stored, until_over

FAR = DuelTerms(first="ada", second="cyd", points1=2.0, cap=40)
"""Bots that play at random are not two points apart: 16 blocks say so."""
DUEL = TournamentSpec(policy="duel", format=Session(3), owners_apart=False, duel=FAR)


def among(terms: DuelTerms) -> TournamentSpec:
    return TournamentSpec(policy="duel", format=Session(3), owners_apart=False, duel=terms)


async def test_a_duel_ends_by_itself_once_the_test_is_over(tmp_path: Path) -> None:
    async with arena(tmp_path, present(*FIELD, games_at_once=3)) as (store, organiser):
        await play(organiser, DUEL)
        rankings = await organiser.scoreboard.rankings("spring")
        _, blocks = await stored(store, organiser)
    duel = rankings.table.duel
    assert rankings.state is TournamentState.FINISHED
    assert duel is not None
    assert duel.state.decision is Decision.NOT_STRONGER
    assert duel.state.evidence.blocks == 16
    assert (duel.first.name, duel.second.name) == ("ada", "cyd")
    assert [entry.name for entry in duel.thirds] == ["bob", "dot"]
    assert duel.hands == 16 * 6
    assert 16 <= len(blocks) <= 16 + 5  # a few were begun ahead
    assert {block.state for block in blocks} == {BlockState.COMPLETE}


async def test_a_duel_ends_undecided_at_its_cap(tmp_path: Path) -> None:
    terms = DuelTerms(first="ada", second="cyd", points0=-0.001, points1=0.001, cap=20)
    async with arena(tmp_path, present(*FIELD, games_at_once=3)) as (store, organiser):
        await play(organiser, among(terms))
        duel = (await organiser.scoreboard.rankings("spring")).table.duel
        _, blocks = await stored(store, organiser)
    assert duel is not None
    assert duel.state.decision is Decision.CAP
    assert len(blocks) == duel.state.evidence.blocks == 20


async def test_where_a_duel_stands_is_read_from_what_is_stored_in_any_order(
    tmp_path: Path,
) -> None:
    async with arena(tmp_path, present(*FIELD, games_at_once=3)) as (store, organiser):
        await play(organiser, DUEL)
        tournament = await organiser.named("spring")
        entries = await store.read(tournaments.entries_of, tournament.tournament_id)
        found = list(await store.read(results.block_results, tournament.tournament_id))
        shown = (await organiser.scoreboard.rankings("spring")).table.duel
    assert shown is not None
    duel = FAR.duel(entries, Session(3))
    for seed in range(5):
        random.Random(seed).shuffle(found)
        assert duel.after(found) == shown.state


@pytest.mark.parametrize("crash", [20, 95])
async def test_a_duel_goes_on_after_the_arena_died(tmp_path: Path, crash: int) -> None:
    playroom = present(*FIELD, games_at_once=2)
    playroom.crash_after = crash
    with pytest.raises((Crash, BaseExceptionGroup)):
        async with arena(tmp_path, playroom) as (_, organiser):
            await play(organiser, DUEL)
    async with arena(tmp_path, present(*FIELD, games_at_once=2)) as (store, organiser):
        await until_over(organiser)
        duel = (await organiser.scoreboard.rankings("spring")).table.duel
        _, blocks = await stored(store, organiser)
    assert duel is not None
    assert duel.state.decision is Decision.NOT_STRONGER
    assert duel.state.evidence.blocks == 16
    numbers = sorted(int(block.block_id.removeprefix("c1b")) for block in blocks)
    assert numbers == list(range(1, len(numbers) + 1))


async def test_a_duel_ends_when_one_of_the_two_withdraws(tmp_path: Path) -> None:
    playroom = present(*FIELD)
    playroom.gate = trio.Event()
    async with arena(tmp_path, playroom) as (_, organiser):
        await organiser.create("spring", DUEL, FIELD, seed="7")
        await organiser.start("spring")
        while not playroom.orders:
            await trio.lowlevel.checkpoint()
        await organiser.withdraw("spring", "cyd")
        playroom.gate.set()
        await until_over(organiser)
        duel = (await organiser.scoreboard.rankings("spring")).table.duel
    assert duel is not None
    assert duel.state.decision is Decision.OPEN
    assert duel.forfeits[1] >= 1


async def test_a_block_that_is_annulled_afterwards_is_read_no_more(tmp_path: Path) -> None:
    async with arena(tmp_path, present(*FIELD, games_at_once=3)) as (store, organiser):
        await play(organiser, DUEL)
        before = (await organiser.scoreboard.rankings("spring")).table.duel
        await organiser.annul("spring", OneBlock("c1b2"), reason="a test", replay=False)
        after = (await organiser.scoreboard.rankings("spring")).table.duel
        tid = (await organiser.named("spring")).tournament_id
        blocks = await store.read(block_attempts.blocks_of, tid)
    assert before is not None
    assert after is not None
    assert [each.block_id for each in blocks if each.state is BlockState.ANNULLED] == ["c1b2"]
    assert after.state.evidence != before.state.evidence
    assert after.state.evidence.blocks in (15, 16)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        (among(DuelTerms(first="ada", second="eve")), "eve must be entered to play a duel"),
        (among(DuelTerms(first="ada", second="ada")), "takes part in a duel twice"),
        (
            TournamentSpec(policy="duel", format=ToTarget(), owners_apart=False, duel=FAR),
            "accepted are sessions, not games",
        ),
        (TournamentSpec(policy="duel", format=Session(3)), "a duel needs its terms"),
    ],
)
async def test_a_duel_that_cannot_be_is_refused_at_its_start(
    tmp_path: Path, spec: TournamentSpec, sentence: str
) -> None:
    async with arena(tmp_path, present(*FIELD)) as (_, organiser):
        await organiser.create("spring", spec, FIELD, seed="7")
        with pytest.raises(RefusedRequestError, match=sentence):
            await organiser.start("spring")


def test_what_a_duel_asks_is_kept_with_its_tournament() -> None:
    assert decode_spec(encode_spec(DUEL)) == DUEL
