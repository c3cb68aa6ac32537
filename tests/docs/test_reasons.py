"""Every reason for which the arena refuses a call stands in the docs, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from arena.store.errors import StoreReason
from arena.tournaments.errors import Refusal

ROOT = Path(__file__).resolve().parents[2]
REASON = re.compile(r"[A-Z][A-Z_]{2,}")


def reasons() -> Iterator[str]:
    """Yield the reasons that the code of the services names."""
    for path in (ROOT / "arena").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "RefusedError":
                for part in ast.walk(node.args[1]) if len(node.args) > 1 else ():
                    if isinstance(part, ast.Constant) and REASON.fullmatch(str(part.value)):
                        yield str(part.value)
    yield from (each.name for each in Refusal)
    yield from (f"STORE_{each.name}" for each in StoreReason)


def documented() -> set[str]:
    """Return the reasons in the table of docs/protocol.md."""
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    rows = page[page.index("| code | reasons |") :].partition("\n\n")[0].splitlines()[2:]
    return {reason for row in rows for reason in re.findall(r"`([A-Z_]+)`", row.split("|")[2])}


def test_the_reasons_of_refusals_are_those_of_the_protocol_page() -> None:
    named = set(reasons()) - {"STORE_"}
    assert len(named) > 20
    assert documented() == named
