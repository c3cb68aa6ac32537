"""Deals that are shown twice go to fresh instances only: by type, and at run time."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from euchre_sdk.bots import BUILT_IN
from euchre_sdk.isolation.fresh import (
    WAYS,
    FreshInstance,
    IsolatedProcess,
    Launcher,
    NotIsolatedError,
    RepeatedDealError,
    RepeatedDeals,
)


class Process:
    def __init__(self, tried: Mapping[str, str]) -> None:
        self._tried = tried
        self.ended = 0

    def tried(self) -> Mapping[str, str]:
        return self._tried

    def ask(self, job: str) -> str:
        return job

    def end(self) -> None:
        self.ended += 1


class Starting(Launcher):
    def __init__(self, process: Process) -> None:
        self.process = process

    def _start(self) -> IsolatedProcess:
        return self.process


NOTHING = dict.fromkeys(WAYS, "")


def test_a_launched_instance_is_shown_deals_once() -> None:
    deals = RepeatedDeals(7)
    with Starting(Process(NOTHING)).launch() as instance:
        assert deals.dealt_to(instance).seed == 7
        for more in (deals, RepeatedDeals(8)):
            with pytest.raises(RepeatedDealError, match="has been shown deals before"):
                more.dealt_to(instance)
    with Starting(Process(NOTHING)).launch() as another:
        assert deals.dealt_to(another).seed == 7


@pytest.mark.parametrize(
    "other", [BUILT_IN["random"](), BUILT_IN["random"], Process(NOTHING), None, "my_bot.py"]
)
def test_deals_are_shown_to_nobody_else(other: object) -> None:
    with pytest.raises(RepeatedDealError, match="to a FreshInstance only, not to"):
        RepeatedDeals(1).dealt_to(other)


def test_an_instance_is_made_by_a_launcher_alone() -> None:
    with pytest.raises(RepeatedDealError, match="is not made but launched"):
        FreshInstance(Process(NOTHING), object())


def test_an_instance_has_no_subclasses() -> None:
    with pytest.raises(RepeatedDealError, match="has no subclasses"):
        type("Mine", (FreshInstance,), {})


def test_the_seed_of_repeated_deals_is_no_attribute_to_read() -> None:
    deals = RepeatedDeals(123456)
    assert "123456" not in repr(deals)
    assert not [
        name for name in dir(deals) if getattr(deals, name, None) == 123456 and "__" not in name
    ]


@pytest.mark.parametrize("way", WAYS)
def test_a_process_that_can_keep_anything_is_no_fresh_instance(way: str) -> None:
    process = Process({**NOTHING, way: "here"})
    with pytest.raises(NotIsolatedError, match=f"could keep {way} \\(here\\)"):
        Starting(process).launch()
    assert process.ended == 1


@pytest.mark.parametrize("way", WAYS)
def test_a_process_that_has_not_tried_everything_is_no_fresh_instance(way: str) -> None:
    process = Process({name: kept for name, kept in NOTHING.items() if name != way})
    with pytest.raises(NotIsolatedError, match=f"did not try {way}"):
        Starting(process).launch()
    assert process.ended == 1


def test_the_process_of_an_instance_is_ended() -> None:
    process = Process(NOTHING)
    with pytest.raises(ZeroDivisionError), Starting(process).launch():
        _ = 1 / 0
    assert process.ended == 1
