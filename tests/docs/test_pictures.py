"""The pictures of the docs are what their script draws today, and every one is shown."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"


def test_the_pictures_are_those_that_the_script_draws(tmp_path: Path) -> None:
    script = ROOT / "tools" / "make_pictures.py"
    subprocess.run([sys.executable, script, tmp_path], check=True, cwd=ROOT)
    drawn = {file.name: file.read_text() for file in tmp_path.iterdir()}
    kept = {file.name: file.read_text() for file in PICTURES.iterdir()}
    assert sorted(drawn) == sorted(kept)
    for name, text in drawn.items():
        assert kept[name] == text, f"{name} is out of date: run python tools/make_pictures.py"


def test_every_picture_stands_in_a_page_with_words_for_who_cannot_see_it() -> None:
    text = "\n".join(page.read_text() for page in ROOT.glob("docs/*.md"))
    shown = {file: words for words, file in re.findall(r"!\[([^]]*)\]\(pictures/([^)]+)\)", text)}
    assert set(shown) == {file.name for file in PICTURES.iterdir()}
    assert all(len(words.split()) >= 4 for words in shown.values())
