"""Deals that are shown twice go to fresh instances only: what does not type-check."""

from __future__ import annotations

from pathlib import Path

import pytest
from mypy import api

pytestmark = pytest.mark.cli  # mypy is not among what the SDK's range of libraries is tested with

SNIPPET = """
from euchre_sdk.bot import Bot
from euchre_sdk.bots import BUILT_IN
from euchre_sdk.isolation.fresh import FreshInstance, IsolatedProcess, Launcher, RepeatedDeals

deals = RepeatedDeals(1)
def refused(launcher: Launcher, process: IsolatedProcess, bot: Bot) -> None:
    deals.dealt_to(bot)
    deals.dealt_to(process)
    deals.dealt_to(BUILT_IN["random"])
    deals.dealt_to(launcher)
    FreshInstance(process)
    FreshInstance(process, object())
    class Mine(FreshInstance): ...
    class Own(Launcher):
        def launch(self) -> FreshInstance: ...  # type: ignore[empty-body]
def allowed(launcher: Launcher) -> None:
    with launcher.launch() as instance:
        deals.dealt_to(instance)
"""


def test_any_other_kind_of_instance_does_not_type_check(tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    file = tmp_path / "snippet.py"
    file.write_text(SNIPPET)
    config = [
        "--config-file",
        str(root / "pyproject.toml"),
        "--cache-dir",
        str(root / ".mypy_cache"),
    ]
    printed, _, code = api.run([*config, str(file)])
    refused = {
        number
        for line in printed.splitlines()
        if ": error:" in line and (number := int(line.rpartition("snippet.py:")[2].split(":")[0]))
    }
    lines = SNIPPET.splitlines()
    first, last = (
        lines.index(f"def {name}")
        for name in (
            "refused(launcher: Launcher, process: IsolatedProcess, bot: Bot) -> None:",
            "allowed(launcher: Launcher) -> None:",
        )
    )
    assert code == 1
    assert refused == set(range(first + 2, last + 1)) - {
        lines.index("    class Own(Launcher):") + 1
    }
