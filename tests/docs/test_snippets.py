"""Every snippet of README.md and docs/ runs, and prints what the page shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs import snippets

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "sdk/README.md", *ROOT.glob("docs/**/*.md")])


@pytest.mark.parametrize("page", [pytest.param(p, id=str(p.relative_to(ROOT))) for p in PAGES])
def test_the_snippets_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    session = snippets.Session(tmp_path)
    try:
        for block in snippets.blocks(page):
            try:
                session.run(block)
            except Exception as error:
                error.add_note(f"{page.relative_to(ROOT)}, line {block.line}")
                raise
    finally:
        session.close()


def test_a_command_that_fails_is_seen(tmp_path: Path) -> None:
    session = snippets.Session(tmp_path)
    with pytest.raises(snippets.SnippetError, match="ended with 3"):
        session.run(snippets.Block("console", "", "$ exit 3\n", 1))


def test_output_that_differs_is_seen(tmp_path: Path) -> None:
    session = snippets.Session(tmp_path)
    block = snippets.Block("console", "", "$ echo two 12 words\ntwo 34 words\n", 1)
    session.run(block)
    with pytest.raises(snippets.SnippetError, match="the page shows"):
        session.run(snippets.Block("console", "", "$ echo two words\nthree words\n", 1))


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        pytest.param(("a 1.5 b",), "a  27 b\n", True, id="numbers and spaces may differ"),
        pytest.param(("a", "…", "z"), "a\nb\nc\nz\n", True, id="an ellipsis stands for any lines"),
        pytest.param(("a … z",), "a b z\n", True, id="an ellipsis stands for any words"),
        pytest.param(("a",), "a\nb\n", False, id="a line too many is a difference"),
        pytest.param(("a", "b"), "a\n", False, id="a line too few is a difference"),
    ],
)
def test_output_is_compared_loosely(shown: tuple[str, ...], printed: str, *, same: bool) -> None:
    assert snippets.matches(shown, printed) is same
