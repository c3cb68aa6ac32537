"""The limit of open files is raised as far as the system allows."""

from __future__ import annotations

import resource

import pytest

from arena.descriptors import WANTED, allow_many_files


@pytest.mark.parametrize(
    ("soft", "hard", "limit"),
    [
        pytest.param(1_024, 1_000_000, WANTED, id="room enough"),
        pytest.param(1_024, 4_096, 4_096, id="less than wanted"),
        pytest.param(1_024, resource.RLIM_INFINITY, WANTED, id="without end"),
        pytest.param(100_000, 100_000, 100_000, id="more than wanted"),
    ],
)
def test_as_many_files_as_wanted_and_allowed(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, limit: int
) -> None:
    limits = [(soft, hard)]
    monkeypatch.setattr(resource, "getrlimit", lambda _what: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _what, pair: limits.append(pair))
    assert allow_many_files() == limit
    assert limits[-1] == (limit, hard)
