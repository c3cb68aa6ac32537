"""Rankings as messages: whatever is known is told, and a veil changes names and nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from arena.ratings import Forfeits, Standing
from arena.rpc.ranking_values import write_rankings
from arena.store.states import EntryState, TournamentState
from arena.store.tournaments import StoredEntry, StoredTournament
from arena.tournaments.spec import TournamentSpec, encode_spec
from arena.tournaments.standings import Corrected, Pair, Progress, Rankings, Row, Table
from euchre.v1 import tournaments_pb2 as pb
from euchre_sdk.game import Session
from euchre_sdk.wire_rankings import read_rankings

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
BLIND = TournamentSpec(format=Session(3), blind=True)
OPEN = replace(BLIND, blind=False)


def standing(entry: str, rank: int, group: int = 0, error: float = 20.0) -> Standing:
    return Standing(
        rank=rank,
        entry=entry,
        elo=1600.0 - 10 * rank,
        elo_error=error,
        points_per_hand=0.9,
        points_error=0.05,
        hands=120,
        blocks=4,
        places=(3, 3, 2),
        forfeits=0,
        unfinished=1,
        not_started=0,
        group=group,
        anchored=group == 0,
        one_sided=rank == 2,
    )


def row(name: str, rank: int, group: int = 0, **changes: object) -> Row:
    entry = StoredEntry(
        entry_id=f"e-{name}",
        bot_id=name,
        bot_name=name,
        owner="somebody",
        version="1",
        state=EntryState.PLAYING,
        created=START,
    )
    made = Row(
        rank=rank,
        entry=entry,
        standing=standing(f"e-{name}", rank, group),
        superiority=0.7,
        separated=False,
        not_started=0,
        faults=0,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def rankings(*rows: Row, spec: TournamentSpec = OPEN, **table: object) -> Rankings:
    made = Table(rows=rows, anchor=rows[0].entry, hands=720, annulled=0)
    return Rankings(
        tournament=StoredTournament(
            tournament_id="t1",
            name="spring",
            spec=encode_spec(spec),
            public_seed="7",
            secret=b"s" * 32,
            state=TournamentState.RUNNING,
            created=START,
        ),
        spec=spec,
        state=TournamentState.RUNNING,
        progress=Progress(
            blocks_complete=4, blocks_total=9, games_running=1, remaining=timedelta(60)
        ),
        table=replace(made, **table),  # type: ignore[arg-type]
        computed=START,
        revision=3,
    )


def written(made: Rankings) -> pb.Rankings:
    return write_rankings(made, online=lambda _entry: True)


def test_what_luck_took_and_what_is_missing_reach_whoever_looks() -> None:
    corrected = Corrected(
        elo=1580.0, elo_error=12.0, points_per_hand=0.88, points_error=0.03, saving_factor=1.7
    )
    lynx = row("lynx", 1, corrected=corrected, online_elo=1611.5)
    puma = row("puma", 2, blocks_to_separate=120)
    made = rankings(
        lynx,
        puma,
        forfeits=Forfeits.LEFT_OUT,
        saving_factor=1.8,
        pairs=(Pair(first=0, second=1, superiority=0.7, separated=False),),
    )
    seen = read_rankings(written(made))
    first, second = seen.rows
    assert first.corrected is not None
    assert (first.corrected.elo, first.corrected.elo_error) == (1580.0, 12.0)
    assert (first.corrected.points_per_hand, first.corrected.saving_factor) == (0.88, 1.7)
    assert second.corrected is None
    assert (first.online_elo, second.online_elo) == (1611.5, None)
    assert (first.blocks_to_separate, second.blocks_to_separate) == (None, 120)
    assert (first.group, first.anchored, first.unfinished) == (1, True, 1)
    assert (first.one_sided, second.one_sided) == (False, True)
    assert (seen.saving_factor, seen.forfeits_left_out) == (1.8, True)
    assert [(pair.first, pair.second, pair.superiority) for pair in seen.pairs] == [(0, 1, 0.7)]


@pytest.mark.parametrize("error", [0.0, float("inf")])
def test_an_interval_that_cannot_be_told_is_absent(error: float) -> None:
    corrected = Corrected(
        elo=1500.0, elo_error=error, points_per_hand=0.9, points_error=0.1, saving_factor=1.0
    )
    lynx = row("lynx", 1, standing=standing("e-lynx", 1, error=error), corrected=corrected)
    (line,) = written(rankings(lynx)).rows
    assert line.HasField("elo")
    assert not line.HasField("elo_error")
    assert not line.HasField("corrected_elo_error")


def test_a_veil_keeps_the_groups_and_every_comparison_with_its_lines() -> None:
    rows = (row("lynx", 1), row("puma", 2), row("cat", 1, 1), row("dog", 1, 1), row("elk", 1, 1))
    pairs = (
        Pair(first=0, second=1, superiority=0.9, separated=False),
        Pair(first=2, second=3, superiority=0.6, separated=False),
        Pair(first=2, second=4, superiority=0.7, separated=False),
        Pair(first=3, second=4, superiority=0.8, separated=True),
    )
    told = [(each.entry.name, each) for each in rows]
    seen = written(rankings(*rows, spec=BLIND, pairs=pairs))
    assert [line.group for line in seen.rows] == [1, 1, 2, 2, 2]
    assert [line.entry.name for line in seen.rows[2:]] == sorted(
        line.entry.name for line in seen.rows[2:]
    )
    assert not any(name in str(seen) for name, _ in told)
    assert all(pair.first < pair.second for pair in seen.superiorities)
    likely = sorted(max(pair.likelihood, 1 - pair.likelihood) for pair in seen.superiorities)
    assert likely == pytest.approx([0.6, 0.7, 0.8, 0.9])
    ((separated,),) = ([pair for pair in seen.superiorities if pair.separated],)
    from_open = written(rankings(*rows, pairs=pairs))
    assert from_open.rows[3].entry.name == "dog"
    assert {separated.first, separated.second} <= {2, 3, 4}
