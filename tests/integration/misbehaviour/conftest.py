"""Which cases are played: those that pytest has chosen, all at once, before the first is judged."""

from __future__ import annotations

import pytest
import trio

from tests.integration.misbehaviour.cases import Case, all_cases, usual_cases
from tests.integration.misbehaviour.stage import AT_ONCE, Report, play_all

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
    cases = list(chosen)
    return [
        trio.run(play_all, tmp_path_factory.mktemp("misbehaviour"), tuple(cases[at : at + AT_ONCE]))
        for at in range(0, len(cases), AT_ONCE)
    ]
