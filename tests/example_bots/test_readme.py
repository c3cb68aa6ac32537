"""What the examples' README shows can be done in their folder."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.docs import snippets

FOLDER = Path(__file__).resolve().parents[2] / "example_bots"


@pytest.mark.cli
def test_the_snippets_of_the_readme_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for bot in FOLDER.glob("*_bot.py"):
        shutil.copy(bot, tmp_path)
    monkeypatch.chdir(tmp_path)
    session = snippets.Session(tmp_path)
    try:
        for block in snippets.blocks(FOLDER / "README.md"):
            session.run(block)
    finally:
        session.close()


def test_the_readme_lists_every_example() -> None:
    text = (FOLDER / "README.md").read_text()
    for path in (*FOLDER.glob("*_bot.py"), FOLDER / "typescript"):
        assert f"[{path.name}" in text
