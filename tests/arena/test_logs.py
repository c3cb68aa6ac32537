"""Logging does no harm to the arena."""

from __future__ import annotations

import errno
import io

import pytest
import structlog

from arena.logs import configure_logs


class FullDisk(io.StringIO):
    """Takes nothing."""

    def write(self, _text: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture(autouse=True)
def logging_as_it_was():
    before = structlog.get_config()
    yield
    structlog.configure(**before)


def test_a_log_that_cannot_be_written_loses_its_lines_and_nothing_else():
    configure_logs("info", stream=FullDisk())
    structlog.get_logger().info("arena_started")
    configure_logs("info", stream=(gone := io.StringIO()))
    gone.close()
    structlog.get_logger().info("arena_stopped")


def test_a_log_that_can_be_written_has_its_lines():
    stream = io.StringIO()
    configure_logs("info", stream=stream)
    log = structlog.get_logger()
    log.info("arena_started", incarnation=3)
    log.debug("not_shown")
    assert '"incarnation": 3' in stream.getvalue()
    assert "not_shown" not in stream.getvalue()
