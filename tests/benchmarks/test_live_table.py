"""The benchmark of live tables, small."""

from __future__ import annotations

from benchmarks.live_table import measure


async def test_both_ways_to_read_give_one_table_and_the_loop_is_watched() -> None:
    report = await measure(6, 8, 1)
    assert report.figures["anew_ms"] > 0
    assert report.figures["loop_late_most_ms"] >= report.figures["loop_late_median_ms"]
