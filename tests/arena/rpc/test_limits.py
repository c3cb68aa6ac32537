"""Limits on callers: whoever asks too much is turned away, and nobody else."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import pytest
import trio
import trio.testing

from arena.rpc.limits import (
    ORGANISER,
    Allowance,
    Buckets,
    CallLimits,
    address_of,
    key_of,
)
from arena.rpc.refusal import RefusedError
from arena.rpc.roles import ABot, AnAuthor, Stranger, TheOrganiser

EVE = "ipv4:192.0.2.66:50000"
ADA = "ipv4:192.0.2.7:50000"


def clock() -> int:
    return int(trio.current_time() * 1e9)


def reason(caught: Any) -> str:
    error: RefusedError = caught.value
    return error.reason


def test_a_caller_is_counted_by_his_token_and_a_stranger_by_his_address() -> None:
    assert key_of(ABot("b1"), EVE) == key_of(ABot("b1"), ADA)
    assert len({key_of(each, EVE) for each in (ABot("x"), AnAuthor("x"), Stranger())}) == 3
    assert key_of(Stranger(), EVE) == key_of(Stranger(), EVE.replace("50000", "50001"))
    assert key_of(Stranger(), EVE) != key_of(Stranger(), ADA)
    assert key_of(TheOrganiser(), EVE) == ORGANISER


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("ipv4:192.0.2.7:1", "192.0.2.7"),
        ("ipv6:%5B::1%5D:1", "::/64"),
        ("ipv6:[2001:db8::9]:1", "2001:db8::/64"),
        ("ipv6:%5B::ffff:192.0.2.7%5D:1", "192.0.2.7"),
        ("ipv6:%5Bfe80::1%25eth0%5D:1", "fe80::/64"),
        ("unix:", "unix:"),
        ("unix:/tmp/arena", "unix:/tmp/arena"),
        ("", ""),
        ("ipv4:", ""),
        ("ipv4:nonsense:1", "nonsense"),
    ],
)
def test_an_address_is_what_one_subscriber_has(peer: str, address: str) -> None:
    assert address_of(peer) == address


def test_calls_of_one_caller_run_out_and_come_back_and_are_no_others() -> None:
    now = 0
    allowance = Allowance(CallLimits(per_second=10, burst=3), now=lambda: now)
    for _ in range(3):
        with allowance.call("eve", streams=False):
            pass
    with (
        pytest.raises(RefusedError, match="10 calls a second") as caught,
        allowance.call("eve", streams=False),
    ):
        pytest.fail("it was let in")
    assert reason(caught) == "TOO_MANY_CALLS"
    assert caught.value.variables == {"maximum": "10", "retry_seconds": "0.1"}
    with allowance.call("ada", streams=False):
        pass
    now = 100_000_000
    with allowance.call("eve", streams=False):
        pass


def test_a_call_that_takes_long_counts_for_many() -> None:
    now = 0
    limits = CallLimits(per_second=1, burst=20, long_ms=5, longest=15)
    allowance = Allowance(limits, now=lambda: now)
    with allowance.call("eve", streams=False):
        now += 1_000_000_000
    with allowance.call("eve", streams=False):
        now += 50_000_000
    with (
        pytest.raises(RefusedError, match=r"Try again in 7\.0 s"),
        allowance.call("eve", streams=False),
    ):
        pytest.fail("it was let in")
    with allowance.call("ada", streams=False):
        pass


def test_scarce_things_are_done_now_and_then_but_for_the_organiser() -> None:
    now = 0
    allowance = Allowance(CallLimits(scarce_per_second=0.5, scarce_burst=2), now=lambda: now)
    for _ in range(2):
        allowance.scarce("eve")
    with pytest.raises(RefusedError, match=r"One such call in 2 s is accepted.*in 2\.0 s"):
        allowance.scarce("eve")
    allowance.scarce("ada")
    for _ in range(5):
        allowance.scarce(ORGANISER)
    now = 2_000_000_000
    allowance.scarce("eve")


@pytest.mark.parametrize(
    ("streams", "said"), [(False, "TOO_MANY_CALLS_AT_ONCE"), (True, "TOO_MANY_WATCHED")]
)
def test_calls_that_last_are_bounded_for_each_caller_and_in_all(
    streams: bool,  # noqa: FBT001 - a row of the table
    said: str,
) -> None:
    limits = CallLimits(at_once=2, at_once_in_all=3, watched_at_once=2, watchers=3)
    allowance = Allowance(limits)
    with ExitStack() as going:
        for who in ("eve", "eve", "ada"):
            going.enter_context(allowance.call(who, streams=streams))
        for who, most in (("eve", "2"), ("bob", "3")):
            with pytest.raises(RefusedError) as caught, allowance.call(who, streams=streams):
                pytest.fail("it was let in")
            assert reason(caught) == said
            assert caught.value.variables == {"maximum": most}
        with allowance.call(ORGANISER, streams=streams), allowance.call("bob", streams=not streams):
            pass
    with allowance.call("bob", streams=streams):
        pass


async def test_wrong_tokens_are_answered_more_and_more_slowly_to_their_address_only(
    autojump_clock: trio.testing.MockClock,
) -> None:
    limits = CallLimits(wrong_per_second=0.5, wrong_burst=3)
    allowance = Allowance(limits, now=clock)
    began = trio.current_time()
    took = []
    for _ in range(6):
        await allowance.wrong(EVE)
        took.append(trio.current_time() - began)
    assert took == pytest.approx([0, 0, 0, 2, 4, 6], abs=0.1)
    before = trio.current_time()
    await allowance.wrong(ADA)
    assert trio.current_time() == before


async def test_few_answers_are_held_and_more_tries_are_turned_away(
    autojump_clock: trio.testing.MockClock,
) -> None:
    limits = CallLimits(wrong_per_second=0.5, wrong_burst=1, wrong_held=3, wrong_held_in_all=4)
    allowance = Allowance(limits, now=clock)
    turned_away: list[str] = []
    began = trio.current_time()
    answered: list[float] = []

    async def tries(peer: str) -> None:
        try:
            await allowance.wrong(peer)
        except RefusedError as refusal:
            turned_away.append(refusal.reason)
            assert trio.current_time() - began == pytest.approx(limits.refused_for)
        else:
            answered.append(trio.current_time())

    async with trio.open_nursery() as nursery:
        for peer in (*[EVE] * 10, *[ADA] * 5):
            nursery.start_soon(tries, peer)
    assert turned_away == ["TOO_MANY_WRONG_TOKENS"] * 9
    assert len(answered) == 6
    assert not allowance._held


async def test_refusals_of_who_asks_too_much_are_held_for_a_while_but_not_all(
    autojump_clock: trio.testing.MockClock,
) -> None:
    allowance = Allowance(CallLimits(refused_for=1, refused_held=2, refused_held_in_all=3))
    held: list[float] = []

    async def refused(key: str) -> None:
        began = trio.current_time()
        await allowance.hold(key)
        held.append(trio.current_time() - began)

    async with trio.open_nursery() as nursery:
        for key in ("eve", "eve", "eve", "ada", "ada"):
            nursery.start_soon(refused, key)
    assert sorted(held) == [0, 0, 1, 1, 1]
    assert not allowance._refused


def test_however_many_callers_there_are_few_are_remembered() -> None:
    now = 0
    buckets = Buckets(1, burst=2, most=100, now=lambda: now)
    for number in range(10_000):
        assert buckets.take(f"address {number}")
        buckets.take("eve")
    assert len(buckets) == 100
    assert not buckets.take("eve")
