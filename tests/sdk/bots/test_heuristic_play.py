"""How `heuristic@1` plays its cards, position by position. Trump is hearts; the dealer is seat 0.

Nobody is alone, so seat 1 leads to the first trick. Who is maker decides who sits where: seat 1
leads as maker, seat 2 plays between the defenders, seat 0 plays last. All hands are as at the lead.
"""

from __future__ import annotations

import pytest

from euchre_sdk import RuleSet, parse_cards
from euchre_sdk.bots import make_bot
from euchre_sdk.game import Hand
from tests.game.tables import do, table

RULES = RuleSet(maker_alone_allowed=False, defender_alone_allowed=False)


def at_the_lead(maker: int, hands: dict[int, str], dummy: str) -> Hand:
    """A hand with these cards once the calls are over: the maker keeps what he was dealt.

    What is left open is filled up with clubs and spades, so that everybody is void in the rest.
    """
    turn_up = "QH" if maker else "QS"  # nobody holds it: the dealer leaves it, or all pass
    used = f"{turn_up} {dummy} {' '.join(hands.values())}".split()
    black = [c for c in map(str, RULES.deck) if c[1] in "CS" and c not in used]
    full = {seat: cards.split() for seat, cards in hands.items()}
    for cards in full.values():
        while len(cards) < 5:
            cards.append(black.pop())
    bids = {1: "1 order", 2: "1 pass, 2 order", 0: "1 pass, 2 pass, 0 pass, 1 pass, 2 pass"}
    laid = {seat: " ".join(cards) for seat, cards in full.items()}
    hand = table(laid, turn_up=turn_up, dummy=dummy, rules=RULES)
    do(hand, f"{bids[maker]}, 0 decline" if maker else f"{bids[0]}, 0 name H")
    return do(hand, f"{maker} keep {laid[maker]}")


def played(maker: int, hands: dict[int, str], plays: str = "", dummy: str = "") -> str:
    """The card the bot plays next, in notation."""
    hand = at_the_lead(maker, hands, dummy)
    for card in parse_cards(plays):
        hand.apply(card)
    assert hand.view is not None
    decision = make_bot("heuristic@1").act(hand.view)
    hand.apply(decision)
    return str(decision)


@pytest.mark.parametrize(
    ("cards", "card"),
    [
        pytest.param("JH AH AS KC 9D", "JH", id="draws trump with the right bower"),
        pytest.param("JD 9H AS KC 9D", "JD", id="draws out the right bower with the left"),
        pytest.param("9H AS KC 9D KD", "AS", id="with one small trump, an ace first"),
        pytest.param("AS KC TC 9D KD", "AS", id="without trumps, the ace"),
    ],
)
def test_the_maker_leads(cards, card):
    assert played(1, {1: cards}, dummy="TD QD TS QS QC") == card


def test_the_maker_draws_trump_while_one_may_be_out():
    hands = {1: "JH JD AH KH AS", 2: "9C TC QC KC JC", 0: "TH 9S TS KS QD"}
    assert played(1, hands, "JH 9C TH", dummy="9D TD KD JS QS") == "JD"  # 9H is in the stock


def test_the_maker_stops_drawing_trump_when_none_is_out():
    hands = {1: "JH JD AH KH AS", 2: "9H 9C TC QC KC", 0: "TH 9S TS KS QD"}
    assert played(1, hands, "JH 9H TH", dummy="9D TD KD JS QS") == "AS"


@pytest.mark.parametrize(
    ("cards", "card"),
    [
        pytest.param("AS 9C TC JH 9D", "AS", id="an ace, and not the right bower"),
        pytest.param("KS 9C TC AH TD", "9C", id="without an ace a low card, and no trump"),
        pytest.param("JH JD AH KH TH", "JH", id="with nothing but trumps, the highest"),
    ],
)
def test_a_defender_leads(cards, card):
    assert played(0, {1: cards, 0: "9H AC KC QC QD"}) == card


class TestTheLastDefender:
    """Seat 1 led, seat 2 is the maker and has played, seat 0 comes last."""

    @pytest.mark.parametrize(
        ("cards", "plays", "card"),
        [
            pytest.param("AD QD 9C TC 9S", "KD 9D", "QD", id="does not overtake its partner"),
            pytest.param("AH JC 9C TC 9S", "KD 9D", "9C", id="does not trump its partner's trick"),
            pytest.param("AD KD 9C TC 9S", "TD QD", "KD", id="beats the maker with the lowest"),
            pytest.param("AH KH 9C TC 9S", "TD QD", "KH", id="trumps the maker with the lowest"),
            pytest.param("AH 9C TC JC 9S", "KD TH", "AH", id="overtrumps the maker"),
            pytest.param("KD 9D 9C TC 9S", "TD AD", "9D", id="gives its lowest if it cannot win"),
            pytest.param("9H AC TC JC 9S", "KD TH", "9S", id="keeps a trump that cannot win"),
        ],
    )
    def test_plays(self, cards, plays, card):
        lead, answer = plays.split()
        assert played(2, {0: cards, 1: lead, 2: answer}, plays) == card


class TestTheDefenderInTheMiddle:
    """Seat 1 led, seat 2 decides, the maker at seat 0 comes last."""

    @pytest.mark.parametrize(
        ("cards", "lead", "card"),
        [
            pytest.param("9D QD 9C TC 9S", "AD", "9D", id="leaves a high card the trick"),
            pytest.param("AH 9C TC JC 9S", "AD", "9C", id="does not trump a high card"),
            pytest.param("AD 9D 9C TC 9S", "QD", "AD", id="overtakes what the maker could beat"),
            pytest.param("AD 9D 9C TC 9S", "KD", "9D", id="but not what only we could beat"),
            pytest.param("QD 9D 9C TC 9S", "TD", "9D", id="not with what he could beat, too"),
            pytest.param("KD 9D 9C TC 9S", "QD", "9D", id="the ace being out"),
        ],
    )
    def test_plays(self, cards, lead, card):
        assert played(0, {1: lead, 2: cards, 0: "TH KH"}, lead) == card
