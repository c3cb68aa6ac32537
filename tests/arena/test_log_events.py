"""What the arena logs stands in one list, and nothing that is secret goes with it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.log_events import EVENTS

ROOT = Path(__file__).resolve().parents[2]
LEVELS = {"debug", "info", "warning", "error", "exception", "critical"}
SECRET = {
    *("token", "secret", "resume_secret", "ticket", "seed", "nonce", "nonces", "deck"),
    *("card", "cards", "stock", "view", "legal", "action", "question", "answer"),
}


def log_calls() -> Iterator[tuple[str, ast.Call]]:
    """Yield every call of a logger in the arena, with the place it stands at."""
    for path in sorted((ROOT / "arena").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in LEVELS
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "log"
            ):
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node


CALLS = list(log_calls())


@pytest.mark.parametrize(("place", "call"), CALLS, ids=[place for place, _ in CALLS])
def test_a_line_of_the_log_is_an_event_of_the_list_at_its_level(place: str, call: ast.Call) -> None:
    assert isinstance(call.args[0], ast.Constant), f"{place}: the event is no fixed name"
    name = str(call.args[0].value)
    assert name in EVENTS, f"{place}: put {name} into arena/log_events.py and docs/monitoring.md"
    assert isinstance(call.func, ast.Attribute)
    level = call.func.attr.replace("exception", "error")
    assert level in EVENTS[name].levels.split(", "), place
    keys = {keyword.arg for keyword in call.keywords}
    assert not keys & SECRET, f"{place} logs what must not be told"
    assert len(call.args) == 1, f"{place}: what varies is a key, not part of the event"


def test_every_event_of_the_list_is_logged_somewhere() -> None:
    assert {call.args[0].value for _, call in CALLS} == set(EVENTS)  # type: ignore[attr-defined]


def test_names_are_facts_in_snake_case() -> None:
    assert [name for name in EVENTS if not re.fullmatch(r"[a-z]+(_[a-z]+)+", name)] == []


def test_the_documents_list_the_events() -> None:
    page = (ROOT / "docs" / "monitoring.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \| ([a-z, ]+) \| (.+) \|$", page, re.MULTILINE)
    told = {name: (levels, meaning) for name, levels, meaning in rows}
    assert told == {name: tuple(event) for name, event in EVENTS.items()}
