"""How `monte_carlo@1` spends its time, and what it imagines."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from euchre_sdk import Action, RuleSet, Session, Suit, View
from euchre_sdk.bots import make_bot
from euchre_sdk.bots.guess_1 import guess
from euchre_sdk.bots.heuristic_1 import by_keeping
from euchre_sdk.bots.monte_carlo_1 import (
    DEALS_WITH_CLOCK,
    MonteCarlo1,
    ahead,
    candidates,
    thinking_time,
)
from euchre_sdk.game import Hand
from euchre_sdk.local import play_game
from tests.game.tables import do, table
from tests.strategies import rule_sets


class Clock:
    """Goes on by a step whenever it is read."""

    def __init__(self, step: float) -> None:
        self.step = step
        self.reads = 0

    def __call__(self) -> float:
        self.reads += 1
        return self.reads * self.step


def no_clock() -> float:
    raise AssertionError("the clock was read")


def first_bid(cards: str = "9H TH AC 9S TS") -> View:
    """Eldest hand's first bid."""
    view = table({1: cards}, turn_up="QH").view
    assert view is not None
    return view


def timed(view: View, *, bank: float | None = 30, limit: float | None = 5) -> View:
    """The view with so many seconds left."""
    view.bank = None if bank is None else timedelta(seconds=bank)
    view.limit = None if limit is None else timedelta(seconds=limit)
    return view


@pytest.mark.parametrize(
    ("bank", "limit", "seconds"),
    [
        pytest.param(None, None, None, id="no clock"),
        pytest.param(30, 5, 0.25, id="never more than a quarter of a second"),
        pytest.param(11, 5, 0.2, id="a fiftieth of the bank, a second kept back"),
        pytest.param(30, 0.1, 0.05, id="half of the limit"),
        pytest.param(None, 0.1, 0.05, id="a limit only"),
        pytest.param(6, None, 0.1, id="a bank only"),
        pytest.param(1, 5, 0, id="the reserve is not touched"),
        pytest.param(0.2, 5, 0, id="nor what is left of it"),
    ],
)
def test_time_to_think(bank, limit, seconds):
    assert thinking_time(timed(first_bid(), bank=bank, limit=limit)) == seconds


def test_without_a_clock_none_is_read_and_the_same_seed_decides_alike():
    view = first_bid()
    assert MonteCarlo1(3, no_clock).act(view) == MonteCarlo1(3, no_clock).act(view)


def test_a_clock_ends_the_thinking():
    clock = Clock(step=0.1)
    MonteCarlo1(0, clock).act(timed(first_bid()))
    assert 2 <= clock.reads <= 4  # 0.25 s are over at the third reading after the first


def test_in_time_trouble_the_heuristic_answers_at_once():
    view = timed(first_bid(), bank=0.5)
    assert MonteCarlo1(0, no_clock).act(view) == make_bot("heuristic@1").act(view)


def test_a_bank_spent_by_its_shares_never_runs_out():
    bank = 30.0
    for _ in range(2000):
        spent = thinking_time(timed(first_bid(), bank=bank))
        assert spent is not None
        bank -= spent
    assert bank > 0.9


def test_stops_when_the_choice_is_clear():
    clock = Clock(step=1e-6)
    MonteCarlo1(0, clock).act(timed(first_bid("JH JD AH KH AS")))
    assert clock.reads < DEALS_WITH_CLOCK / 4


def test_does_not_think_about_a_card_it_has_to_play():
    rules = RuleSet(maker_alone_allowed=False, defender_alone_allowed=False)
    hands = {1: "AD KD 9C TC 9S", 2: "9D QC JC JS QS", 0: "JD TH AH KC AC"}
    hand = table(hands, turn_up="QH", rules=rules)
    do(hand, "1 pass, 2 pass, 0 order, 0 KC, 0 keep JD TH AH QH AC, 1 AD")
    view = hand.view
    assert view is not None
    assert [str(card) for card in view.legal] == ["9D"]
    assert str(MonteCarlo1(0, no_clock).act(timed(view))) == "9D"


def test_of_the_252_ways_to_keep_five_it_tries_those_about_the_last_two():
    cards = "JH JD AH KC 9D"
    hand = table({1: cards}, turn_up="QH", dummy="9C TC TD AS KS")
    do(hand, "1 order, 0 decline, 1 dummy")
    view = hand.view
    assert view is not None
    tried = [set(map(str, action.cards)) for action in candidates(view)]
    assert len(tried) == 6
    assert all({"JH", "JD", "AH"} <= five for five in tried)
    assert {"JH", "JD", "AH", "AS", "KS"} in tried
    assert all(action in view.legal for action in candidates(view))


@pytest.mark.parametrize(
    ("best", "other", "clear"),
    [
        pytest.param([2.0] * 40, [-1.0] * 40, True, id="always three points better"),
        pytest.param([1.0] * 40, [1.0] * 40, False, id="always the same"),
        pytest.param([1.0] * 8, [1.0] * 7 + [-2.0], False, id="better once"),
        pytest.param([3.0, -2.0] * 20, [-2.0, 3.0] * 20, False, id="now one, now the other"),
    ],
)
def test_a_lead_is_measured_in_standard_errors(best, other, clear):
    assert (ahead(best, other) > 3) is clear


class Watcher:
    """Plays the heuristic and looks at what would be imagined at each decision."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.heuristic = make_bot("heuristic@1")
        self.views = 0

    def act(self, view):
        """Imagine, check, play."""
        hand = guess(view, self.random, self.heuristic)
        assert hand.view == view
        assert hand.views[view.seat] == view
        self.views += 1
        return self.heuristic.act(view)


@given(rules=rule_sets(), seed=st.integers(0, 2**32))
@settings(max_examples=30)
def test_what_it_imagines_fits_all_it_knows(rules, seed):
    watchers = [Watcher(seed + n) for n in range(3)]
    play_game(watchers, rules=rules, format=Session(3), seed=seed, strict=True)
    assert all(watcher.views for watcher in watchers)


def imagined(hand: Hand, times: int) -> list[Hand]:
    """What the seat to decide imagines."""
    assert hand.view is not None
    rng, heuristic = Random(1), make_bot("heuristic@1")
    return [guess(hand.view, rng, heuristic) for _ in range(times)]


def test_imagined_makers_have_kept_their_best_five():
    hand = table({0: "JH AH 9S TS 9C", 1: "9D TD QD KS AS"}, turn_up="QH")
    do(hand, "1 pass, 2 pass, 0 order, 0 9C, 0 dummy, 0 keep JH AH QH 9S TS")
    do(hand, "1 together, 2 together")  # and seat 1 is to lead
    for deal in imagined(hand, 30):
        maker = deal.views[0]
        pool = (*maker.hand, *maker.buried)
        assert set(maker.hand) == set(by_keeping(pool, Suit.HEARTS)[:5])


def test_imagined_bidders_mostly_have_a_reason_to_bid():
    hand = table({1: "JH AH 9S TS QS", 2: "9C TC QC KC 9D"}, turn_up="9H")
    do(hand, "1 order, 0 decline, 1 dummy, 1 keep JH AH 9S TS QS")
    heuristic = make_bot("heuristic@1")
    bids = [heuristic.act(first) for deal in imagined(hand, 100) if (first := again(deal).view)]
    assert bids.count(Action.ORDER_UP) > 80


def again(hand: Hand) -> Hand:
    """The same deal before anybody has spoken."""
    return Hand(hand.rules, hand.dealer, hand.deck)
