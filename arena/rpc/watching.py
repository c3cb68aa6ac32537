"""Watching a tournament for the commands, across restarts of the arena."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import grpc

from arena.rpc.client import connect
from euchre_sdk.client_dial import Dial
from euchre_sdk.client_redial import Redial
from euchre_sdk.errors import EuchreError


def watch_rankings(
    dial: Dial,
    name: str,
    *,
    redial: Redial,
    leave_out_forfeits: bool = False,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[Any]:
    """Yield the ranking now and whenever it has changed, until the tournament is over.

    An arena that has answered and goes away is dialled again, as long as `redial` says so. Raises
    `CallError` and `ConnectError`.
    """
    while True:
        try:
            with connect(dial) as client:
                watched = client.watch_rankings(name, leave_out_forfeits=leave_out_forfeits)
                for rankings in watched:
                    redial.answered()
                    yield rankings
        except EuchreError as error:
            lost = error.__cause__
            wait = redial.wait(lost) if isinstance(lost, grpc.RpcError) else None
            if wait is None:
                raise
            sleep(wait.total_seconds())
        else:
            return
