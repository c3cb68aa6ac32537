"""The rules once more, written down as docs/rules.md tells them: slow, plain, sharing no code.

Cards are texts, a rule set is a plain mapping, and a hand is one generator that asks and is
answered in the order of section 2. It is the oracle the engine is compared with.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

Rules = Mapping[str, object]

OTHER_OF_COLOUR = {"C": "S", "S": "C", "D": "H", "H": "D"}


class Asked(NamedTuple):
    """A pending decision."""

    seat: int
    kind: str
    options: list[str]
    hand: list[str]


class Outcome(NamedTuple):
    """How a hand ended."""

    points: tuple[int, int, int]
    tricks: list[tuple[int, list[str], int]]
    """Leader, cards and winner of each trick."""
    passed_out: bool


def full_deck(rules: Rules) -> list[str]:
    """1.1."""
    ranks = {9: "9TJQKA", 8: "89TJQKA", 7: "789TJQKA"}[int(str(rules["lowest_rank"]))]
    return [r + s for s in "CDHS" for r in ranks] + (["XX"] if rules["joker"] else [])


def trump_order(trump: str) -> list[str]:
    """1.2, high to low."""
    bowers = ["XX", "J" + trump, "J" + OTHER_OF_COLOUR[trump]]
    return bowers + [rank + trump for rank in "AKQT987"]


def plain_order(suit: str, trump: str) -> list[str]:
    """1.2, high to low: the other suit of trump's colour has no jack."""
    return [r + suit for r in "AKQJT987" if r + suit not in trump_order(trump)]


def suit_of(card: str, trump: str) -> str:
    """1.2, the effective suit."""
    return trump if card in trump_order(trump) else card[1]


def followers(hand: Sequence[str], led: str | None, trump: str) -> list[str]:
    """2.10, who may play what."""
    if led is None:
        return list(hand)
    same = [card for card in hand if suit_of(card, trump) == suit_of(led, trump)]
    return same or list(hand)


def best_of(cards: Sequence[str], trump: str) -> int:
    """2.10, which card of a trick wins."""
    for winner in trump_order(trump) + plain_order(suit_of(cards[0], trump), trump):
        if winner in cards:
            return cards.index(winner)
    raise AssertionError(cards)


def deal(rules: Rules, deck: Sequence[str]) -> tuple[list[str], list[str], list[str], list[str]]:
    """2.3, the hands of E, M, X, D."""
    eldest: list[str] = []
    middle: list[str] = []
    dummy: list[str] = []
    dealer: list[str] = []
    rounds = {
        "3-2": ["3333", "2222"],
        "2-3": ["2222", "3333"],
        "3-2-3-2": ["3232", "2323"],
        "2-3-2-3": ["2323", "3232"],
        "singles": ["1111"] * 5,
    }[str(rules["deal_pattern"])]
    cards = list(deck)
    for sizes in rounds:
        for pile, size in zip((eldest, middle, dummy, dealer), sizes, strict=True):
            for _ in range(int(size)):
                pile.append(cards.pop(0))
    return eldest, middle, dummy, dealer


def play_hand(  # noqa: C901, PLR0912, PLR0915 - section 2 in one piece, as it is told
    rules: Rules, dealer: int, deck: Sequence[str]
) -> Generator[Asked, str, Outcome]:
    """2, the course of one hand."""
    eldest, middle = (dealer + 1) % 3, (dealer + 2) % 3
    hands: dict[int, list[str]] = {}
    hands[eldest], hands[middle], dummy, hands[dealer] = deal(rules, deck)
    turn_up = deck[20]
    with_bid = rules["alone_timing"] == "with_bid" and rules["maker_alone_allowed"]

    maker: int | None = None
    trump = ""
    said_alone = False
    exchange = "none"

    if turn_up == "XX":  # A12
        names = ["name " + s for s in "CDHS"]
        if with_bid:
            names += [name + " alone" for name in names]
        shown = [] if rules["joker_turned_up"] == "blind" else hands[dealer]
        bid = yield Asked(dealer, "name_trump", names, shown)
        maker, trump, said_alone, exchange = dealer, bid[5], bid.endswith("alone"), "required"
    else:
        for seat in (eldest, middle, dealer):  # 2.4
            options = ["pass", "order"] + (["order alone"] if with_bid else [])
            bid = yield Asked(seat, "order_up", options, hands[seat])
            if bid != "pass":
                maker, trump, said_alone = seat, turn_up[1], bid == "order alone"
                key = "exchange_on_accept" if seat == dealer else "exchange_on_order"
                exchange = str(rules[key])
                break
        if maker is None:
            for seat in (eldest, middle, dealer):  # 2.6
                suits = [s for s in "CDHS" if s != turn_up[1] or rules["turned_down_suit_allowed"]]
                options = ["name " + s for s in suits]
                if with_bid:
                    options += [name + " alone" for name in options]
                if seat != dealer or not rules["stick_the_dealer"]:
                    options = ["pass", *options]
                bid = yield Asked(seat, "name_trump", options, hands[seat])
                if bid != "pass":
                    maker, trump, said_alone = seat, bid[5], bid.endswith("alone")
                    break
    if maker is None:
        return Outcome((0, 0, 0), [], passed_out=True)

    if exchange != "none":  # 2.5
        options = (["decline"] if exchange == "optional" else []) + list(hands[dealer])
        choice = yield Asked(dealer, "exchange", options, hands[dealer])
        if choice != "decline":
            hands[dealer].remove(choice)
            hands[dealer].append(turn_up)

    alone = said_alone  # 2.7
    if rules["maker_alone_allowed"] and not with_bid:
        answer = yield Asked(maker, "maker_alone", ["alone", "dummy"], hands[maker])
        alone = answer == "alone"
    if not alone:
        ten = hands[maker] + dummy
        fives = [" ".join(["keep", *five]) for five in combinations(ten, 5)]
        kept = yield Asked(maker, "keep_five", fives, hands[maker])
        hands[maker] = kept.split()[1:]

    loner: int | None = None  # 2.8
    if rules["defender_alone_allowed"]:
        for seat in ((maker + 1) % 3, (maker + 2) % 3):
            answer = yield Asked(seat, "defend_alone", ["alone", "together"], hands[seat])
            if answer == "alone":
                loner = seat
                break

    active = [s for s in range(3) if loner is None or s in (maker, loner)]  # 2.9
    reference = dealer
    if rules["lead_rule"] == "left_of_loner":
        if alone:
            reference = maker
        elif loner is not None:
            reference = loner
    leader = (reference + 1) % 3
    while leader not in active:
        leader = (leader + 1) % 3

    tricks: list[tuple[int, list[str], int]] = []  # 2.10
    for _ in range(5):
        order = [s for s in (leader, (leader + 1) % 3, (leader + 2) % 3) if s in active]
        trick: list[str] = []
        for seat in order:
            legal = followers(hands[seat], trick[0] if trick else None, trump)
            card = yield Asked(seat, "play", legal, hands[seat])
            hands[seat].remove(card)
            trick.append(card)
        winner = order[best_of(trick, trump)]
        tricks.append((leader, trick, winner))
        leader = winner

    won = sum(winner == maker for _, _, winner in tricks)
    return Outcome(score(rules, maker, won, alone=alone, loner=loner), tricks, passed_out=False)


def score(
    rules: Rules, maker: int, won: int, *, alone: bool, loner: int | None
) -> tuple[int, int, int]:
    """2.11, line by line."""
    to_maker = to_defenders = 0
    if won == 5:
        to_maker = int(str(rules["points_alone_march" if alone else "points_march"]))
    elif won in (3, 4):
        to_maker = int(str(rules["points_make"]))
    elif loner is not None and won == 0:
        to_defenders = int(str(rules["points_lone_defender_march"]))
    elif loner is not None:
        to_defenders = int(str(rules["points_lone_defender"]))
    elif alone:
        to_defenders = int(str(rules["points_alone_euchred"]))
    else:
        to_defenders = int(str(rules["points_euchred"]))
    first, second, third = (to_maker if s == maker else to_defenders for s in range(3))
    return first, second, third


def resume(
    rules: Rules, dealer: int, deck: Sequence[str], decisions: Sequence[str]
) -> tuple[Generator[Asked, str, Outcome], Asked | Outcome]:
    """A hand after these decisions: the generator to go on with, and what it asks now."""
    table = play_hand(rules, dealer, deck)
    asked = next(table)
    for decision in decisions:
        try:
            asked = table.send(decision)
        except StopIteration as end:
            outcome: Outcome = end.value
            return table, outcome
    return table, asked


def count_series(
    rules: Rules, dealer: int, deck: Sequence[str], decisions: Sequence[str], depth: int
) -> int:
    """How many series of exactly `depth` legal decisions follow these."""
    _, asked = resume(rules, dealer, deck, decisions)
    if depth == 0:
        return 1
    if isinstance(asked, Outcome):
        return 0
    if depth == 1:
        return len(asked.options)
    return sum(
        count_series(rules, dealer, deck, [*decisions, option], depth - 1)
        for option in asked.options
    )
