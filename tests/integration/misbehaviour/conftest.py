"""Which cases are played: those that pytest has chosen, all at once, before the first is judged."""

from __future__ import annotations

from math import ceil

import pytest
import trio

from tests.integration.misbehaviour.cases import Case, all_cases, usual_cases
from tests.integration.misbehaviour.stage import AT_ONCE, PROCESSES, Report, play_all

pytest.register_assert_rewrite("tests.integration.misbehaviour.verdict")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give the usual cases, or with --long the whole product."""
    if "case" in metafunc.fixturenames:
        cases = all_cases() if metafunc.config.getoption("--long") else usual_cases()
        metafunc.parametrize("case", cases, ids=[case.name for case in cases])


@pytest.fixture(scope="session")
def reports(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> list[Report]:
    """Play every case that was chosen."""
    chosen: dict[Case, None] = {}
    for item in request.session.items:
        case = getattr(getattr(item, "callspec", None), "params", {}).get("case")
        if isinstance(case, Case):
            chosen[case] = None
    return [
        trio.run(play_all, tmp_path_factory.mktemp("misbehaviour"), cases)
        for cases in in_batches(list(chosen))
    ]


def in_batches(cases: list[Case]) -> list[tuple[Case, ...]]:
    """Return the cases in so many parts that neither games nor processes are too many at once."""
    own = [case for case in cases if case.has_own_process]
    shared = [case for case in cases if not case.has_own_process]
    parts = max(ceil(len(cases) / AT_ONCE), ceil(len(own) / PROCESSES))
    return [(*own[part::parts], *shared[part::parts]) for part in range(parts)]
