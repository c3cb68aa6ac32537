"""Tokens: long enough to need no salt, and known again wherever one is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tokens import PATTERN, TokenKind, hash_token, is_token, new_token, without_tokens

SAMPLE = "euchre_bot_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg1VZosl"
"""Made up. It holds what a scanner for lost secrets is told to look for."""


@pytest.mark.parametrize("kind", TokenKind)
def test_a_token_says_what_it_is_and_that_it_is_one(kind: TokenKind) -> None:
    tokens = {new_token(kind) for _ in range(50)}
    assert len(tokens) == 50
    for token in tokens:
        assert token.startswith(f"euchre_{kind.value}_")
        assert PATTERN.fullmatch(token)
        assert is_token(token)


def test_the_look_of_tokens_is_a_promise_to_scanners() -> None:
    assert is_token(SAMPLE)


@given(place=st.integers(0, len(SAMPLE) - 1), sign=st.sampled_from("0aZ_-"))
def test_one_wrong_sign_makes_it_no_token(place: int, sign: str) -> None:
    changed = SAMPLE[:place] + sign + SAMPLE[place + 1 :]
    assert is_token(changed) is (changed == SAMPLE)


@given(st.text(), st.text())
def test_no_text_keeps_a_token(before: str, after: str) -> None:
    told = without_tokens(f"{before} {SAMPLE} {after}")
    assert SAMPLE not in told
    assert told.startswith(before)
    assert "euchre_bot_..." in told


@given(st.text())
def test_whatever_is_sent_as_a_token_has_a_hash(text: str) -> None:
    assert len(hash_token(text)) == 32
