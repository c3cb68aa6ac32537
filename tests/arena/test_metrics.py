"""What is counted, and how Prometheus gets it."""

from __future__ import annotations

import socket
import urllib.request
from datetime import timedelta
from math import inf

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from arena.health import Part
from arena.metrics import DELAYS, Histogram, Metrics
from arena.metrics_page import ArenaCollector, MetricsError, serve_metrics
from arena.referee import FaultKind
from arena.settings import SettingsError, load_settings
from arena.snapshot import Snapshot

NOW = Snapshot(
    version="0.1.0",
    incarnation=3,
    up=timedelta(minutes=2),
    troubles={Part.DATABASE: "the disk is full"},
    streams=5,
    links=6,
    games_running=7,
    games_limit=8,
    games_allowed=9,
    tournaments_running=1,
    blocks_left=10,
    store_queue=11,
    store_commits=Histogram(DELAYS),
    store_failures={"full": 12},
    lag=0.001,
)


@given(st.lists(st.integers(0, 5_000_000), max_size=40))
def test_many_times_at_once_count_as_each_of_them(values):
    one, all_at_once = (Histogram((0.001, 0.5, 1.0), unit=1e-6) for _ in range(2))
    for value in values:
        one.add(value)
    all_at_once.add_all(values)
    assert all_at_once.counts == one.counts
    assert all_at_once.total == pytest.approx(one.total)


def test_times_of_another_unit_are_counted_by_seconds():
    histogram = Histogram((0.001, 1.0), unit=1e-6)
    histogram.add_all([1_000, 1_001, 1_000_000, 1_000_001])
    assert histogram.counts == [1, 2, 1]
    assert histogram.total == pytest.approx(2.002002)


def test_a_histogram_counts_by_inclusive_bounds():
    histogram = Histogram((1.0, 2.0))
    histogram.add(1.0)
    histogram.add(1.5, times=2)
    histogram.add_all([2.0, 3.0])
    assert histogram.counts == [1, 3, 1]
    assert (histogram.count, histogram.total) == (5, 9.0)


@pytest.mark.parametrize(
    ("counts", "share", "bound"),
    [
        pytest.param([0, 0, 0], 0.99, 0.0, id="nothing was counted"),
        pytest.param([98, 2, 0], 0.5, 1.0, id="the median is in the first bucket"),
        pytest.param([98, 2, 0], 0.99, 2.0, id="the 99th percentile is in the second"),
        pytest.param([0, 0, 1], 0.5, inf, id="above all bounds"),
    ],
)
def test_a_quantile_is_the_bound_of_its_bucket(counts, share, bound):
    histogram = Histogram((1.0, 2.0))
    histogram.counts = counts
    assert histogram.quantile(share) == bound


async def scrape(address: str) -> dict[tuple[str, tuple[str, ...]], float]:
    """Return every sample by its name and the values of its labels."""

    def read() -> str:
        with urllib.request.urlopen(f"http://{address}/metrics", timeout=5) as page:
            return str(page.read().decode())

    text = await trio.to_thread.run_sync(read)
    return {
        (sample.name, tuple(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_prometheus_reads_counts_and_the_present_state():
    metrics = Metrics()
    metrics.decisions = 41
    metrics.faults[FaultKind.TIME] += 2
    metrics.calls["ListBots", "OK"] += 1
    metrics.own_delay.add(300_000, times=3)
    async with serve_metrics("127.0.0.1:0", ArenaCollector(metrics, lambda: NOW)) as address:
        samples = await scrape(address)
    assert samples["arena_decisions_total", ()] == 41
    assert samples["arena_faults_total", ("time",)] == 2
    assert samples["arena_faults_total", ("illegal",)] == 0  # there before it happens
    assert samples["arena_calls_total", ("OK", "ListBots")] == 1
    assert samples["arena_own_delay_seconds_bucket", ("0.00025",)] == 0
    assert samples["arena_own_delay_seconds_bucket", ("0.0005",)] == 3
    assert samples["arena_own_delay_seconds_count", ()] == 3
    assert samples["arena_healthy", ("database",)] == 0
    assert samples["arena_healthy", ("edge",)] == 1
    assert samples["arena_store_failures_total", ("full",)] == 12
    assert samples["arena_games_running", ()] == 7
    assert samples["process_resident_memory_bytes", ()] > 1e6


async def test_two_scrapes_have_the_same_series():
    metrics = Metrics()
    async with serve_metrics("127.0.0.1:0", ArenaCollector(metrics, lambda: NOW)) as address:
        first = await scrape(address)
        metrics.faults.update(FaultKind)
        metrics.hands["void"] += 1
        assert (await scrape(address)).keys() == first.keys()


async def test_a_port_in_use_is_refused_in_a_sentence():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(MetricsError, match=rf"metrics cannot be served on {address} \("):
            async with serve_metrics(address, ArenaCollector(Metrics(), lambda: NOW)):
                pass


@pytest.mark.parametrize("address", ["9464", "unix:x", ":9464", "localhost:99999", "a:b", "h:²"])
def test_an_address_of_another_form_is_refused(address):
    with pytest.raises(SettingsError, match=r"metrics_address: must be HOST:PORT, not "):
        load_settings({"metrics_address": address})


def test_metrics_leave_this_machine_only_if_that_is_said():
    with pytest.raises(SettingsError, match="metrics are sent readable"):
        load_settings({"metrics_address": "0.0.0.0:9464"})
    assert load_settings({"metrics_address": "0.0.0.0:9464", "plaintext": True}).metrics_address
    assert load_settings({}).metrics_address is None
