"""Logging does no harm to the arena."""

from __future__ import annotations

import errno
import io
import json
import logging

import pytest
import structlog

from arena.logs import configure_logs
from arena.tokens import TokenKind, new_token


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


class Terminal(io.StringIO):
    """Is looked at by people."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_a_token_is_cut_wherever_it_is_logged(stream):
    token = new_token(TokenKind.BOT)
    configure_logs("debug", stream=(written := stream()))
    log = structlog.get_logger()
    said = f"said {token}"
    log.info(said, value=token, many=[token], deep={"x": {token: token}})
    try:
        int(token)
    except ValueError:
        log.exception("call_failed")
    logging.getLogger("alembic").warning("metadata %s", {"authorization": f"Bearer {token}"})
    assert "library_warned" in written.getvalue()
    assert token not in written.getvalue()
    assert written.getvalue().count("euchre_bot_...") >= 6


def test_what_a_terminal_would_obey_is_escaped_in_it():
    configure_logs("debug", stream=(written := Terminal()))
    structlog.get_logger().info("bot_connected", name="\x1b[2Jlynx", other="\u202exnyl\nnext")
    assert "\x1b[2J" not in written.getvalue()
    assert "\\x1b[2Jlynx" in written.getvalue()
    assert "\u202e" not in written.getvalue()


def test_what_strangers_have_grpc_warn_of_is_told_without_what_they_sent():
    spoiled = repr(f"Bearer {new_token(TokenKind.BOT)[:-9]}".encode() + b"\xff and the rest")
    configure_logs("debug", stream=(written := io.StringIO()))
    logging.getLogger("grpc._cython.cygrpc").error("Invalid encoding on %s", spoiled)
    assert "Invalid encoding on %s" in written.getvalue()
    assert "euchre_bot_" not in written.getvalue()


def test_a_warning_that_others_can_bring_about_is_written_now_and_then():
    configure_logs("debug", stream=(written := io.StringIO()))
    said = {"name": "grpc", "levelno": logging.ERROR, "msg": "Invalid encoding on %s"}
    for second in range(12):
        record = logging.makeLogRecord({**said, "args": (second,), "created": 1e9 + second})
        logging.getLogger().handle(record)
    other = logging.makeLogRecord({**said, "msg": "something else", "created": 1e9 + 12})
    logging.getLogger().handle(other)
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    assert [(line["said"], line["unwritten"]) for line in lines] == [
        ("Invalid encoding on %s", 0),
        ("Invalid encoding on %s", 9),
        ("something else", 0),
    ]
