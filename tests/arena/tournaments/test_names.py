"""Names: whatever is accepted is harmless everywhere, and a refusal can be shown anywhere."""

from __future__ import annotations

import html
import json
import shlex
import unicodedata
from io import StringIO
from pathlib import PurePath

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.console import Console
from rich.markup import escape

from arena.store.likeness import likeness
from arena.tournaments.names import (
    LONGEST,
    LONGEST_LABEL,
    label_faults,
    name_faults,
    shown,
)
from tests.strategies import HOSTILE

ALPHABET = "abcXYZ0189_.-+@"
NEARLY = st.text(st.sampled_from(ALPHABET + " <[:\x1b\u202e"), max_size=LONGEST + 2)
CONSOLE = Console(file=StringIO(), width=200, force_terminal=True, highlight=False)
TEXTS = st.one_of(st.text(max_size=80), NEARLY, st.sampled_from(HOSTILE))


@settings(max_examples=60)
@given(TEXTS)
@example("lynx-2.b_C")
def test_an_accepted_name_means_nothing_to_anything_that_shows_it(name: str) -> None:
    if name_faults("name", name):
        return
    assert 0 < len(name) <= LONGEST
    assert name.isascii()
    assert name.isprintable()
    assert unicodedata.normalize("NFKC", name) == name
    assert html.escape(name) == shlex.quote(name) == escape(name) == name
    assert json.dumps(name) == f'"{name}"'
    assert PurePath(name).parts == (name,)
    assert not name.startswith(("-", "."))
    with CONSOLE.capture() as captured:
        CONSOLE.print(name)
    assert captured.get() == name + "\n"


@given(TEXTS)
@example("v1.2+g2414721")
@example("heuristic@1")
def test_an_accepted_label_is_as_harmless(label: str) -> None:
    if label_faults("label", label):
        return
    assert 0 < len(label) <= LONGEST_LABEL
    assert label.isascii()
    assert label.isprintable()
    assert html.escape(label) == shlex.quote(label) == escape(label) == label


@given(TEXTS)
def test_a_refusal_says_the_field_and_what_is_accepted_and_shows_nothing_raw(name: str) -> None:
    for fault in (*name_faults("name", name), *label_faults("name", name)):
        assert fault.startswith("name must be 1 to ")
        assert fault.isascii()
        assert fault.isprintable()
        assert len(fault) < 400


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_refused(name: str) -> None:
    assert name_faults("name", name)
    assert label_faults("label", name)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "but is empty"),
        ("a b", "holds a space"),
        ("<b>", "holds '<'"),
        ("-f", "begins with '-'"),
        ("x" * 33, "has 33 signs"),
        ("lynx@2", "holds '@'"),
        ("l\u0443nx", "holds U+0443 CYRILLIC SMALL LETTER U"),
        ("xnyl\u202e", "holds U+202E RIGHT-TO-LEFT OVERRIDE"),
        ("ly\u200bnx", "holds U+200B ZERO WIDTH SPACE"),
        ("ly\x1b[2Jnx", "holds U+001B"),
    ],
)
def test_each_fault_has_its_sentence(name: str, said: str) -> None:
    (fault,) = name_faults("name", name)
    assert said in fault


def test_a_name_with_two_faults_is_told_both() -> None:
    assert len(name_faults("name", "<" * 50)) == 2


@given(st.text(max_size=2000))
def test_whatever_is_shown_is_short_and_plain(text: str) -> None:
    told = shown(text)
    assert told.isascii()
    assert told.isprintable()
    assert len(told) <= 10 * 40 + 2


def test_a_token_given_as_a_name_is_not_shown() -> None:
    token = "euchre_bot_" + "a" * 49
    assert "aaaa" not in shown(token)
    assert "aaaa" not in "".join(name_faults("name", token))


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("lynx", "Lynx", True),
        ("lynx", "Iynx", True),
        ("lynx1", "lynxl", True),
        ("bot-10", "bot_1O", True),
        ("Iris", "iris", True),
        ("v1.0", "v1-0", True),
        ("lynx", "lynx2", False),
        ("lynx-1", "lynx-2", False),
        ("heuristic", "heuristic@1", False),
    ],
)
def test_names_that_would_be_taken_for_one_another_are_alike(
    one: str,
    other: str,
    alike: bool,  # noqa: FBT001 - a column of the table
) -> None:
    assert bool(likeness(one) & likeness(other)) is alike
