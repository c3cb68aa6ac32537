"""What a live table costs, and how late the arena's loop is while one is computed.

A tournament of 300 bots with 9,000 blocks is put into a fresh database, its hands with records as
long as usual; then its table is computed as the arena does for watchers: all results read anew, and
with those kept that were read before. Meanwhile the loop sleeps a millisecond again and again and
notes how late it wakes: that is what a game would wait.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in the arena; before numpy is imported

import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

import click
import numpy as np
import trio
from sqlalchemy import Connection, insert

from arena.store import Store, open_store, tables, tournaments
from arena.tournaments.fitting import ReadBefore
from arena.tournaments.spec import TournamentSpec, encode_spec
from arena.tournaments.standings import Table
from arena.tournaments.tabling import compute_table
from benchmarks.harness import Report, as_report, machine
from euchre_sdk.game import Session

HANDS = 30
RECORD = "x" * 600
"""About as long as the record of a hand."""
NAP = 0.001
"""Seconds."""


def fill(c: Connection, bots: int, blocks: int) -> None:
    """Store a tournament of random trios in which everything is played."""
    random = np.random.default_rng(1)
    c.execute(insert(tables.bots), [_bot(number) for number in range(bots)])
    spec = encode_spec(TournamentSpec(format=Session(HANDS)))
    one = {"id": "t", "name": "spring", "state": "running", "spec": spec, "public_seed": "7"}
    c.execute(insert(tables.tournaments), [{**one, "secret": b"s" * 32, "created": 0}])
    entries = [
        {"tournament_id": "t", "id": f"e{at}", "bot_id": f"b{at}", "state": "playing", "created": 0}
        for at in range(bots)
    ]
    c.execute(insert(tables.entries), entries)
    for number in range(1, blocks + 1):
        trio_of = [f"e{at}" for at in random.choice(bots, 3, replace=False)]
        block = {"tournament_id": "t", "block_id": f"c1b{number}", "attempt": 1}
        c.execute(insert(tables.blocks), [{**block, "state": "complete", "reason": ""}])
        for turn, seats in enumerate((trio_of, trio_of[::-1])):
            points = random.integers(0, 3, (HANDS, 3)).tolist()
            game = f"g{number}.{turn}"
            c.execute(insert(tables.games), [_game(block, game, turn, seats, points)])
            c.execute(insert(tables.hands), [_hand(game, at, row) for at, row in enumerate(points)])


def _bot(number: int) -> dict[str, object]:
    return {
        "id": f"b{number}",
        "name": f"bot{number}",
        "house": True,
        "state": "active",
        "created": 0,
    }


def _game(
    block: dict[str, object], game: str, turn: int, seats: list[str], points: list[list[int]]
) -> dict[str, object]:
    totals = [sum(row[seat] for row in points) for seat in range(3)]
    row: dict[str, object] = {
        **block,
        "id": game,
        "number": turn,
        "offer": 1,
        "deal_set": game,
        "state": "finished",
        "unfinished": False,
        "not_ready": "",
        "created": 0,
    }
    for seat in range(3):
        place = 1 + sum(total > totals[seat] for total in totals)
        row |= {f"entry{seat}": seats[seat], f"termination{seat}": "normal"}
        row |= {f"points{seat}": totals[seat], f"place{seat}": place}
    return row


def _hand(game: str, at: int, points: list[int]) -> dict[str, object]:
    return {
        "game_id": game,
        "hand": at + 1,
        "incarnation": 1,
        "retry": 0,
        "dealer": at % 3,
        **{f"points{seat}": points[seat] for seat in range(3)},
        "in_forfeit": False,
        "faulty": False,
        "record": RECORD,
    }


async def watched(store: Store, read: ReadBefore | None) -> tuple[Table, float, list[float]]:
    """Compute a table; return it, how long it took, and how late the loop was meanwhile, in ms."""
    spring = await store.read(tournaments.tournament_with_id, "t")
    late: list[float] = []

    async def nap() -> None:
        while True:
            began = trio.current_time()
            await trio.sleep(NAP)
            late.append((trio.current_time() - began - NAP) * 1e3)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(nap)
        began = trio.current_time()
        table = await compute_table(store, spring, read=read)
        took = (trio.current_time() - began) * 1e3
        nursery.cancel_scope.cancel()
    return table, took, late


async def measure(bots: int, blocks: int, rounds: int) -> Report:
    """Measure in alternating rounds, so that whatever else the machine does falls on both."""
    anew: list[float] = []
    kept: list[float] = []
    late: list[float] = []
    with tempfile.TemporaryDirectory() as directory:
        now = datetime(2026, 3, 1, tzinfo=UTC)
        async with open_store(Path(directory) / "data", now=now, group=timedelta(0)) as store:
            await store.write(fill, bots, blocks)
            read = ReadBefore()
            await watched(store, read)
            for _ in range(rounds):
                fresh, took, waits = await watched(store, None)
                anew.append(took)
                late += waits
                table, took, waits = await watched(store, read)
                kept.append(took)
                late += waits
                if table != fresh:
                    raise click.ClickException("the two tables differ: a bug, please report it")
    return Report(
        name="live table",
        compared_with="reading all results anew",
        ratios={"time of a table, anew over kept": (median(anew) / median(kept), ">= 2")},
        figures={
            "anew_ms": median(anew),
            "kept_ms": median(kept),
            "loop_late_median_ms": median(late),
            "loop_late_99_percent_ms": float(np.percentile(late, 99)),
            "loop_late_most_ms": max(late),
            "bots": bots,
            "blocks": blocks,
        },
        machine=machine("numpy", "sqlalchemy", "trio"),
    )


@click.command()
@click.option("--bots", default=300, show_default=True, help="Entries of the tournament.")
@click.option("--blocks", default=9_000, show_default=True, help="Blocks that are complete.")
@click.option("--rounds", default=5, show_default=True, help="Tables of each kind.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
def main(*, bots: int, blocks: int, rounds: int, as_json: bool) -> None:
    """Measure what a live table costs."""
    click.echo(as_report(trio.run(measure, bots, blocks, rounds), as_json=as_json))


if __name__ == "__main__":
    main()
