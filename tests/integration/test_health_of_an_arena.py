"""A whole arena: what its health service, its metrics and its log tell when something fails."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from structlog.testing import capture_logs

from arena.health import Part
from arena.metrics_page import MetricsError
from arena.rpc.client import ArenaClient, connect
from arena.server import running_arena
from arena.settings import load_settings
from arena.store.errors import StoreReason
from euchre_sdk.client_dial import Address, Dial


def _settings(path: Path, **more: Any) -> Any:
    return load_settings({"address": "127.0.0.1:0", "data": path / "data", **more})


async def _ask(address: str, question: Any) -> Any:
    def in_thread() -> Any:
        with connect(Dial(address=Address(address))) as client:
            return question(client)

    return await trio.to_thread.run_sync(in_thread)


def _read(address: str) -> str:
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=5) as page:
        return str(page.read().decode())


async def test_an_arena_that_cannot_store_says_so_everywhere_until_it_can(tmp_path: Path) -> None:
    settings = _settings(tmp_path, metrics_address="127.0.0.1:0")
    with capture_logs() as lines:
        async with running_arena(settings) as arena:
            metrics = next(line["address"] for line in lines if line["event"] == "metrics_served")
            works = await _ask(arena.address, ArenaClient.services_that_work)
            assert set(works.values()) == {True}
            read = partial(trio.to_thread.run_sync, _read, metrics)
            assert 'arena_healthy{part="database"} 1.0' in await read()

            arena.store._writer._tell(StoreReason.FULL, "database or disk is full")
            await _until(arena.address, "PlayService", works=False)
            works = await _ask(arena.address, ArenaClient.services_that_work)
            assert [name for name, it_does in works.items() if it_does] == [
                "ArenaService",
                "MatchService",
            ]
            status = await _ask(arena.address, ArenaClient.get_status)
            assert [each.message for each in status.troubles] == [
                "the disk is full, or writing failed"
            ]
            assert 'arena_healthy{part="database"} 0.0' in await read()

            arena.store._writer._tell(None, "")
            await _until(arena.address, "PlayService", works=True)
            assert not arena.health.troubles
    assert dict(arena.health.troubles) == {Part.STOPPING: "the arena is stopping"}
    changes = [line for line in lines if line["event"] == "health_changed"]
    assert [(line["part"], line["trouble"]) for line in changes] == [
        ("database", "the disk is full, or writing failed"),
        ("database", None),
        ("stopping", "the arena is stopping"),
    ]
    with pytest.raises(OSError, match="refused"):
        _read(metrics)


async def _until(address: str, service: str, *, works: bool) -> None:
    with trio.fail_after(5):
        while (await _ask(address, ArenaClient.services_that_work))[service] is not works:
            pass


async def test_an_arena_whose_metrics_cannot_be_served_does_not_start(tmp_path: Path) -> None:
    async with running_arena(_settings(tmp_path)) as other:
        settings = _settings(tmp_path / "second", metrics_address=other.address)
        with pytest.raises(ExceptionGroup) as refused:
            async with running_arena(settings):
                pass
    error: BaseException = refused.value
    while isinstance(error, ExceptionGroup):
        (error,) = error.exceptions
    assert isinstance(error, MetricsError)
    assert other.address in str(error)


def test_the_log_is_json_where_nobody_sits_before_it(tmp_path: Path) -> None:
    log = tmp_path / "log"
    code = (
        "import structlog, sys; from arena.logs import configure_logs; configure_logs('debug');"
        "structlog.get_logger().info('hand_scored', points=(2, 0, 0));"
        "import logging; logging.getLogger('alembic').warning('%s left', 3)"
    )
    _run(code, log)
    first, second = map(json.loads, log.read_text().splitlines())
    assert (first["event"], first["points"], first["level"]) == ("hand_scored", [2, 0, 0], "info")
    assert (second["event"], second["library"], second["said"]) == (
        "library_warned",
        "alembic",
        "3 left",
    )


def _run(code: str, log: Path) -> None:
    with log.open("wb") as file:
        subprocess.run([sys.executable, "-c", code], stderr=file, check=True)
