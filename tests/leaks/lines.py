"""Makes scripts: two worlds that differ in what is hidden from an observer, played in lock-step."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from random import Random

from tests.game import naive_rules
from tests.leaks.script import Disturbance, Hand, How, Said, Script, Step, Trouble
from tests.leaks.trouble import Plan
from tests.leaks.worlds import (
    TURN_UP,
    Made,
    Rules,
    World,
    choice,
    differences,
    face,
    forced,
    other_world,
)

MOST_DECISIONS = 25
"""In one hand."""


def paired_game(
    rules: Rules,
    observer: int | None,
    rng: Random,
    *,
    trouble: float,
    secretly: bool = False,
    joker: bool = False,
) -> Script:
    """Return a game of up to three hands; the last may be one that cannot go on alike.

    `joker`: turn it up in all of them, with the observer as the first dealer.
    """
    dealer = rng.randrange(3)
    if joker and observer is not None:
        dealer = observer
    plan = Plan(rng, trouble, observer, secretly)
    hands: list[Hand] = []
    while len(hands) < 3 and not plan.out:
        before = deepcopy((plan.faults, plan.away, plan.links, plan.overdue))
        hand = paired_hand(rules, dealer, plan, joker=joker)
        if hand is None:  # no second world was found: once more
            plan.faults, plan.away, plan.links, plan.overdue = before
            plan.out = set()
            continue
        hands.append(hand)
        dealer = (dealer + 1) % 3
        if secretly and hand.complete:
            hand.complete = False
            last = hand.steps.pop()
            _trim(hand.steps, last.how[0], list(last.disturbances))
        if not hand.complete:
            break
    if not trouble:  # what is done twice is charged twice
        for hand in hands:
            if hand.steps and rng.random() < 0.2:
                hand.void_at = rng.randrange(len(hand.steps))
    return Script(
        rules=rules,
        observer=observer,
        session=rng.choice((None, len(hands), 3)),
        follows=(rng.random() < 0.5, rng.random() < 0.5, rng.random() < 0.5),
        house=(False, False, False),
        clocked=rng.random() < 0.8,
        secretly=secretly,
        hands=hands,
    )


def paired_hand(rules: Rules, dealer: int, plan: Plan, *, joker: bool = False) -> Hand | None:
    """Return a hand in two worlds, if one is found; `plan` is then as it stands after it.

    `joker`: turn it up.
    """
    rng, observer = plan.rng, plan.observer
    deck = naive_rules.full_deck(rules)
    rng.shuffle(deck)
    if joker:
        place = deck.index("XX")
        deck[place], deck[TURN_UP] = deck[TURN_UP], deck[place]
    first = World(rules, dealer, deck)
    line: list[Made] = []
    dressed: list[tuple[How, list[Disturbance]]] = []
    split = rng.choice((0, 0, 1, 2)) if joker else rng.randrange(MOST_DECISIONS + 1)
    while first.asked is not None and len(line) < split:
        how, before = plan.dress(first.asked.seat, may_force=True)
        by_referee = how is not How.ANSWERED
        decision = forced(first) if by_referee else choice(first.asked, rng)
        line.append(Made(first.asked, decision, by_referee))
        dressed.append((how, before))
        first.apply(decision)
    second = other_world(first, line, observer, rng)
    if second is None:
        return None
    steps = _replay((first, second), dressed, plan)
    if line or not _is_blind(first, observer):
        _go_on((first, second), steps, plan)
    differ = differences((first, second), observer)
    if not differ:
        return None
    complete = first.outcome is not None and second.outcome is not None
    return Hand(dealer, (first.deck, second.deck), steps, complete, differ)


def _is_blind(world: World, observer: int | None) -> bool:
    """Return whether the observer is to name trump before he has seen his hand (A12)."""
    asked = world.asked
    return asked is not None and asked.seat == observer and not asked.hand


def _replay(
    worlds: tuple[World, World],
    dressed: list[tuple[How, list[Disturbance]]],
    plan: Plan,
) -> list[Step]:
    """Return the steps that led to where both worlds are."""
    one, two = (World(world.rules, world.dealer, world.deck) for world in worlds)
    steps = []
    for (how, before), *decisions in zip(
        dressed, worlds[0].decisions, worlds[1].decisions, strict=True
    ):
        steps.append(_step((one, two), (decisions[0], decisions[1]), how, before, plan))
    return steps


def _go_on(worlds: tuple[World, World], steps: list[Step], plan: Plan) -> None:
    """Add steps as long as the two worlds can go on alike in public."""
    observer = plan.observer
    one, two = worlds
    while one.asked is not None and two.asked is not None:
        asked = one.asked
        assert (asked.seat, asked.kind) == (two.asked.seat, two.asked.kind)
        forced_ones = forced(one), forced(two)
        may_force = face(asked.kind, forced_ones[0]) == face(asked.kind, forced_ones[1])
        how, before = plan.dress(asked.seat, may_force=may_force)
        decisions = forced_ones if may_force else None
        if how is How.ANSWERED:
            decisions = _alike(worlds, observer, plan.rng)
        if decisions is None:
            _trim(steps, how, before)
            return
        step = _step(worlds, decisions, how, before, plan)
        if _shows_dummy(worlds, observer) and observer not in plan.out:
            _trim(steps, how, before)
            return
        steps.append(step)


def _alike(
    worlds: tuple[World, World], observer: int | None, rng: Random
) -> tuple[str, str] | None:
    """Return a decision for each world with the same public face, if there is one."""
    one, two = (world.asked for world in worlds)
    assert one is not None
    assert two is not None
    if one.seat == observer:
        assert sorted(one.options) == sorted(two.options)
        decision = choice(one, rng)
        return decision, decision
    if one.kind == "play":
        common = sorted(set(one.options) & set(two.options))
        if not common:
            return None
        card = rng.choice(common)
        return card, card
    chosen = rng.choice(one.options)
    same = [option for option in two.options if face(two.kind, option) == face(one.kind, chosen)]
    return chosen, rng.choice(same)


def _shows_dummy(worlds: tuple[World, World], observer: int | None) -> bool:
    """Return whether the observer is about to be shown a dummy that is not the same."""
    asked = worlds[0].asked
    return (
        asked is not None
        and asked.kind == "keep_five"
        and asked.seat == observer
        and worlds[0].dummy != worlds[1].dummy
    )


def _trim(steps: list[Step], how: How, before: list[Disturbance]) -> None:
    """Drop the steps after which the referee would at once do what cannot be done alike."""
    while how is How.AUTOMATIC and not before and steps:
        step = steps.pop()
        how, before = step.how[0], list(step.disturbances)


def _step(
    worlds: tuple[World, World],
    decisions: tuple[str, str],
    how: How,
    before: list[Disturbance],
    plan: Plan,
) -> Step:
    """Return the step for the pending decision, which is carried out."""
    one, two = (world.asked for world in worlds)
    assert one is not None
    assert two is not None
    both = (how, how)
    if how is How.UNSUPPORTED and plan.secretly and one.seat != plan.observer:
        both = (How.ANSWERED, How.UNSUPPORTED)
    step = Step(
        seat=one.seat,
        kind=one.kind,
        how=both,
        said=(Said(one.kind, decisions[0]), Said(two.kind, decisions[1])),
        disturbances=tuple(_filled(each, worlds, plan) for each in before),
        pause_ms=plan.rng.randrange(150, 900),
    )
    for world, decision in zip(worlds, decisions, strict=True):
        world.apply(decision)
    return step


def _filled(each: Disturbance, worlds: tuple[World, World], plan: Plan) -> Disturbance:
    """Return a disturbance with what is said, if it is an illegal answer."""
    if each.trouble is not Trouble.ILLEGAL:
        return each
    rng = plan.rng
    one, two = (_illegal(world) for world in worlds)
    why = rng.choice(sorted(set(one) & set(two)))
    said = rng.choice(one[why]), rng.choice(two[why])
    if each.seat == plan.observer:
        said = (said[0], said[0])
    return replace(each, said=said)


def _illegal(world: World) -> dict[str, list[Said]]:
    """Return answers that are well formed and not legal, by why: that is logged afterwards."""
    asked = world.asked
    assert asked is not None
    deck = naive_rules.full_deck(world.rules)
    kind = asked.kind
    if kind in ("order_up", "name_trump"):
        return {"wrong kind": [Said("maker_alone", "alone"), *(Said("play", c) for c in deck)]}
    if kind in ("maker_alone", "defend_alone"):
        return {"wrong kind": [Said("order_up", "pass"), *(Said("exchange", c) for c in deck)]}
    if kind == "keep_five":
        ten = {*asked.options[0].split()[1:], *asked.options[-1].split()[1:]}
        four = " ".join(asked.options[0].split()[:5])
        return {"not of the ten": [Said(kind, f"{four} {c}") for c in deck if c not in ten]}
    illegal: dict[str, list[Said]] = {}
    for card in deck:
        if card not in asked.options:
            why = "held" if card in asked.hand else "not held"
            if kind == "exchange" and card == world.turn_up:
                why = "the turn-up"
            illegal.setdefault(why, []).append(Said(kind, card))
    return illegal
