"""An arena that dies at the worst instants; `python -m tests.crash` kills it a hundred times."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.crash.arena_process import ArenaProcess, dialling, free_port, wait_until
from tests.crash.campaign import Campaign

pytestmark = [pytest.mark.slow, pytest.mark.cli, pytest.mark.timeout(600)]


def test_a_tournament_survives_its_arena_whatever_kills_it(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path, seed=1, cycles=1, malformed=0.002)
    with campaign.running():
        campaign.at("a group before it is acknowledged")
        campaign.migrating(("revision 1 half done",))
        campaign.at("a game ended, its block not yet")
        campaign.finish()
    assert campaign.report.blocks == 12
    assert campaign.report.voids > 0, "no hand was interrupted"


def test_an_arena_without_room_says_so_and_can_be_stopped(tmp_path: Path) -> None:
    arena = ArenaProcess(tmp_path, f"127.0.0.1:{free_port()}", 1, {})
    try:
        arena.wait_for_answer()
        arena.ask(lambda client: client.register_bot("lynx", None))
        arena.fill_disk(full=True)
        asking = subprocess.Popen(
            (
                *(sys.executable, "-m", "arena", "bot", "register", "puma"),
                *("--arena", arena.address),
                *("--token-file", str(tmp_path / "data" / "organiser-token")),
            ),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until(lambda: "the disk is full" in _status(arena.address), "its status tells of it")
        arena.fill_disk(full=False)
        assert asking.wait(30) == 0, "it was stored when there was room again"
        wait_until(lambda: "the disk is full" not in _status(arena.address), "it is well again")
        arena.fill_disk(full=True)
        arena.kill(signal.SIGTERM)
        assert arena.wait(20) == 0
        assert "Traceback" not in arena.output
    finally:
        arena.kill()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT], ids=lambda s: s.name)
def test_who_stops_an_arena_while_it_starts_sees_no_traceback(
    tmp_path: Path, how: signal.Signals
) -> None:
    address = f"127.0.0.1:{free_port()}"
    arena = ArenaProcess(tmp_path, address, 1, {})
    try:
        wait_until(lambda: "store_opened" in arena.output, "it starts")
        arena.kill(how)
        arena.kill(how)  # twice: whoever is impatient gets no other end
        assert arena.wait(20) in {0, 130, 143, -how}
        assert "Traceback" not in arena.output
        assert dialling(address) == []
    finally:
        arena.kill()


def _status(address: str) -> str:
    done = subprocess.run(
        (sys.executable, "-m", "arena", "status", "--arena", address),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr
