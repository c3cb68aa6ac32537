"""An illegal action is refused with a reason and a sentence, and changes nothing (A42)."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from euchre_sdk.game import Action, Card, Hand, IllegalActionError, Reason, RuleSet
from euchre_sdk.game.rules import AloneTiming
from tests import strategies
from tests.game.tables import do, table, trump_is

OPEN = "1 pass, 2 pass, 0 pass"


def led() -> Hand:
    """Seat 2 must follow AD with 9D."""
    return do(trump_is("H", {1: "AD 9C TC QC KC", 2: "9D TD JD AS KS"}), "1 AD")


@pytest.mark.parametrize(
    ("hand", "seat", "action", "reason", "sentence"),
    [
        pytest.param(
            *(led, 2, "AS", Reason.MUST_FOLLOW_SUIT),
            "illegal action AS in hand 1, trick 1: seat 2 holds 9D TD and must follow diamonds. "
            "Legal: 9D, TD.",
            id="A42 a revoke",
        ),
        pytest.param(
            *(led, 2, "JD", Reason.MUST_FOLLOW_SUIT),
            "illegal action JD in hand 1, trick 1: seat 2 holds 9D TD and must follow diamonds. "
            "Legal: 9D, TD.",
            id="A42 the left bower does not follow its printed suit",
        ),
        pytest.param(
            *(led, 2, "9C", Reason.CARD_NOT_HELD),
            "illegal action 9C in hand 1, trick 1: seat 2 does not hold 9C. Legal: 9D, TD.",
            id="A42 a card of another",
        ),
        pytest.param(
            *(led, 2, "pass", Reason.WRONG_KIND),
            "illegal action pass in hand 1, trick 1: seat 2 is asked to play a card. "
            "Legal: 9D, TD.",
            id="A42 a bid where a card is asked for",
        ),
        pytest.param(
            *(lambda: table({}, turn_up="QH"), 1, "dummy", Reason.WRONG_KIND),
            "illegal action dummy in hand 1: seat 1 is asked to order up or pass. "
            "Legal: pass, order.",
            id="A42 the dummy before trump is made",
        ),
        pytest.param(
            *(lambda: do(table({}, turn_up="QH"), OPEN), 1, "name H", Reason.SUIT_TURNED_DOWN),
            "illegal action name H in hand 1: hearts was turned down. "
            "Legal: pass, name C, name D, name S.",
            id="A42 A15 the suit turned down",
        ),
        pytest.param(
            *(lambda: do(table({}, turn_up="QH"), OPEN), 1, "name C alone", Reason.WRONG_KIND),
            "illegal action name C alone in hand 1: alone is not said with the bid. "
            "Legal: pass, name C, name D, name S.",
            id="A42 A23 alone with the bid",
        ),
        pytest.param(
            lambda: do(table({0: "9C TC QC KC AC"}, turn_up="QH"), "1 order"),
            *(0, "AH", Reason.CARD_NOT_HELD),
            "illegal action AH in hand 1: seat 0 does not hold AH. "
            "Legal: decline, 9C, TC, QC, KC, AC.",
            id="A42 a discard he does not hold",
        ),
        pytest.param(
            lambda: do(table({0: "9C TC QC KC AC"}, turn_up="QH"), "1 order"),
            *(0, "QH", Reason.TURN_UP_NOT_DISCARDABLE),
            "illegal action QH in hand 1: the turn-up itself cannot be laid down. "
            "Legal: decline, 9C, TC, QC, KC, AC.",
            id="A42 A13 the turn-up as discard",
        ),
        pytest.param(
            lambda: do(
                table({1: "9C TC QC KC AC"}, turn_up="QH", dummy="9S TS QS KS AS"),
                "1 order, 0 decline, 1 dummy",
            ),
            *(1, "keep 9C TC QC KC AH", Reason.NOT_FIVE_OF_THE_TEN),
            "illegal action keep 9C TC QC KC AH in hand 1: not all of them are among the ten. "
            "Legal: any five of 9C TC QC KC AC 9S TS QS KS AS.",
            id="A42 not five of the ten",
        ),
    ],
)
def test_a_refusal_says_what_why_and_what_is_accepted(
    hand, seat: int, action: str, reason: Reason, sentence: str
) -> None:
    position = hand()
    before = position.clone()
    with pytest.raises(IllegalActionError) as refused:
        position.apply(Action.parse(action))
    assert (refused.value.reason, refused.value.seat) == (reason, seat)
    assert str(refused.value) == sentence
    assert position.views == before.views
    assert position.view == before.view


def test_a42_after_the_end_everything_is_refused() -> None:
    hand = do(table({}, turn_up="QH"), f"{OPEN}, 1 pass, 2 pass, 0 pass")
    with pytest.raises(IllegalActionError, match="the hand is over") as refused:
        hand.apply(Action.PASS)
    assert refused.value.reason is Reason.HAND_OVER


@pytest.mark.parametrize("nonsense", [None, "JH", 33, 3, 1.5, [], object()], ids=repr)
def test_a42_what_is_no_action_is_refused_at_every_question(nonsense: object) -> None:
    rng = random.Random(4)
    for _ in range(6):
        hand = strategies.dealt(RuleSet(), rng)
        while (view := hand.view) is not None:
            before = hand.clone()
            with pytest.raises(IllegalActionError) as refused:
                hand.apply(nonsense)  # type: ignore[arg-type]
            assert refused.value.reason is Reason.NOT_AN_ACTION
            assert hand.views == before.views
            hand.apply(rng.choice(view.legal))


@settings(max_examples=40)
@given(strategies.rule_sets(), st.integers(0, 2**32))
def test_a42_legal_is_what_apply_accepts_and_a_refusal_changes_nothing(
    rules: RuleSet, seed: int
) -> None:
    rng = random.Random(seed)
    hand = strategies.dealt(rules, rng)
    while (view := hand.view) is not None:
        legal = set(view.legal)
        before = [watching.freeze() for watching in hand.views]
        fives = [Action.keep(rng.sample(rules.deck, 5)) for _ in range(5)]
        for action in (*strategies.ALL_ACTIONS, *fives, *rng.sample(list(view.legal), 1)):
            if action in legal:
                hand.clone().apply(action)
            else:
                assert action not in view.legal
                with pytest.raises(IllegalActionError):
                    hand.apply(action)
        assert list(hand.views) == before
        hand.apply(rng.choice(view.legal))
    with pytest.raises(IllegalActionError):
        hand.apply(Action.PASS)


def test_a42_a_refusal_tells_its_seat_nothing_it_may_not_know() -> None:
    # Two hands that differ only in what seat 2 cannot see refuse alike.
    rng = random.Random(9)
    for _ in range(200):
        hand = strategies.played(RuleSet(alone_timing=AloneTiming.WITH_BID), rng, 12)
        if hand.view is None:
            continue
        view = hand.view
        other = view.determinise(rng)
        for action in strategies.ALL_ACTIONS:
            if action in view.legal:
                continue
            sentences = []
            for position in (hand, other):
                with pytest.raises(IllegalActionError) as refused:
                    position.apply(action)
                sentences.append(str(refused.value))
            assert sentences[0] == sentences[1]


def test_a_card_that_is_a_bare_number_is_no_action() -> None:
    hand = led()
    with pytest.raises(IllegalActionError):
        hand.apply(int(Card.parse("9D")))  # type: ignore[arg-type]
