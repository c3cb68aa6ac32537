"""The docs name what a bot author may use."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

import euchre_sdk
from euchre_sdk import View

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]


@pytest.mark.parametrize("name", euchre_sdk.__all__)
def test_a_public_name_of_the_sdk_stands_in_the_docs(name: str) -> None:
    assert any(re.search(rf"\b{name}\b", page.read_text()) for page in PAGES)


@pytest.mark.parametrize("name", [name for name in dir(View) if not name.startswith("_")])
def test_a_field_of_a_view_stands_in_the_guide(name: str) -> None:
    assert re.search(rf"`(view\.)?{name}\b", (ROOT / "docs/view.md").read_text())


def test_every_document_stands_in_the_map() -> None:
    listed = (ROOT / "docs/README.md").read_text()
    assert [page.name for page in ROOT.glob("docs/*.md") if f"]({page.name})" not in listed] == [
        "README.md"
    ]


@pytest.mark.parametrize("package", ["arena", "sdk/euchre_sdk"])
def test_every_module_stands_in_the_module_map(package: str) -> None:
    text = (ROOT / "docs/architecture.md").read_text().partition("## Module map")[2]
    rows = re.findall(
        r"^\| (`[^|]+) \|", text.partition("\n\n|")[2].partition("\n\n")[0], re.MULTILINE
    )
    listed = [
        name.rpartition(".")[2]
        for row in rows
        if row.startswith(f"`{Path(package).name}.")
        for name in re.findall(r"`([^`]+)`", row)
    ]
    assert listed
    modules = {path.stem for path in (ROOT / package).iterdir() if path.suffix in ("", ".py")}
    missing = {name for name in modules if not any(fnmatch(name, each) for each in listed)}
    assert {name for name in missing if not name.startswith("_")} == set()
    assert [each for each in listed if not any(fnmatch(name, each) for name in modules)] == []


@pytest.mark.parametrize("page", [pytest.param(p, id=str(p.relative_to(ROOT))) for p in PAGES])
def test_a_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []
