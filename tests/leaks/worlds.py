"""Two deals of one hand that differ only in cards one observer may not know (docs/rules.md §5).

Nothing of the engine is asked: hands are played by `tests/game/naive_rules.py`, and who may know
which card is written down here once more. The engine's own `determinise` starts from a view, so it
would keep equal whatever a view gives away; these worlds do not.

An observer is a seat, or `None` for a spectator, who is shown no hand at all. Cards are texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from tests.game import naive_rules
from tests.game.naive_rules import Asked, Outcome

Rules = Mapping[str, object]
TURN_UP = 20
HAND = 5
KEPT_AS_IT_WAS = 0.3
"""Likelihood that a maker keeps the five cards he had; few would at random."""
_TRIES = 40


class World:
    """One deal of a hand and how far it has been played."""

    def __init__(self, rules: Rules, dealer: int, deck: Sequence[str]) -> None:
        self.rules = rules
        self.dealer = dealer
        self.deck = list(deck)
        self.decisions: list[str] = []
        self.asked: Asked | None
        self.outcome: Outcome | None = None
        self.trump = ""
        self.maker: int | None = None
        self.discard: str | None = None
        self.buried: set[str] | None = None
        """The cards a maker who combined did not keep."""
        self.loner: int | None = None
        self.trick: list[str] = []
        self.held: dict[int, set[str]] = {}
        """What each seat holds now, a blind dealer's hand too."""
        eldest, middle, dummy, own = naive_rules.deal(rules, self.deck)
        self.dummy = set(dummy)
        for seat, cards in enumerate((eldest, middle, own), start=dealer + 1):
            self.held[seat % 3] = set(cards)
        self._table = naive_rules.play_hand(rules, dealer, self.deck)
        self.asked = next(self._table)

    @property
    def turn_up(self) -> str:
        return self.deck[TURN_UP]

    def apply(self, decision: str) -> None:
        """Carry a legal decision out."""
        asked = self.asked
        assert asked is not None
        assert decision in asked.options, (asked, decision)
        seat = asked.seat
        match asked.kind:
            case "order_up" | "name_trump" if decision != "pass":
                self.maker = seat
                self.trump = self.turn_up[1] if decision.startswith("order") else decision[5]
            case "exchange" if decision != "decline":
                self.discard = decision
                self.held[seat] ^= {decision, self.turn_up}
            case "keep_five":
                kept = set(decision.split()[1:])
                self.buried = (self.held[seat] | self.dummy) - kept
                self.held[seat] = kept
            case "defend_alone" if decision == "alone":
                self.loner = seat
            case "play":
                self.held[seat].remove(decision)
                self.trick = [*self.trick, decision] if len(self.trick) < self._size else [decision]
        self.decisions.append(decision)
        try:
            self.asked = self._table.send(decision)
        except StopIteration as end:
            self.asked, self.outcome = None, end.value

    @property
    def _size(self) -> int:
        return 3 if self.loner is None else 2

    def hidden_from(self, observer: int | None) -> dict[str, frozenset[str]]:
        """Return what the observer may not know, by what it is. Stock: in its order."""
        own_dummy = self.maker == observer and self.buried is not None
        hidden = {
            f"hand {seat}": frozenset(cards)
            for seat, cards in self.held.items()
            if seat != observer
        }
        hidden["stock"] = frozenset(f"{n}{c}" for n, c in enumerate(self.deck[TURN_UP + 1 :]))
        if not own_dummy:
            hidden["dummy"] = frozenset(self.dummy)
            hidden["buried"] = frozenset(self.buried or ())
        if self.dealer != observer:
            hidden["discard"] = frozenset(() if self.discard is None else (self.discard,))
        if self.loner is not None and self.maker is not None:
            out = 3 - self.loner - self.maker
            if out != observer:
                hidden["sitting out"] = frozenset(self.held[out])
        return hidden


def face(kind: str, decision: str) -> str:
    """Return what everybody sees of a decision."""
    if kind == "exchange" and decision != "decline":
        return "take"
    return "combine" if kind == "keep_five" else decision


def choice(asked: Asked, rng: Random) -> str:
    """Return a random decision."""
    if asked.kind == "keep_five" and rng.random() < KEPT_AS_IT_WAS:
        return asked.options[0]
    return rng.choice(asked.options)


def forced(world: World) -> str:
    """Return the fallback of docs/rules.md §4 for the pending decision."""
    asked = world.asked
    assert asked is not None
    for tame in ("pass", "decline", "dummy", "together"):
        if tame in asked.options:
            return tame
    if asked.kind in ("name_trump", "keep_five"):
        return asked.options[0]  # clubs first; the five he held
    return min(asked.options, key=lambda card: _height(card, world.trump))


def _height(card: str, trump: str) -> tuple[int, int, int]:
    order = naive_rules.trump_order(trump)
    if card in order:
        return (1, -order.index(card), 0)
    return (0, "789TJQKA".index(card[0]), "CDHS".index(card[1]))


@dataclass(frozen=True, slots=True)
class Made:
    """One decision of the first world, and whether the referee made it."""

    asked: Asked
    decision: str
    forced: bool = False


@dataclass(slots=True)
class Known:
    """What the beginning of a hand has shown of the seats."""

    played: dict[int, list[str]] = field(default_factory=lambda: {0: [], 1: [], 2: []})
    void: dict[int, set[str]] = field(default_factory=lambda: {0: set(), 1: set(), 2: set()})
    """Effective suits each seat did not follow."""
    combined: int | None = None
    """The maker who keeps five of ten."""

    @staticmethod
    def of(line: Sequence[Made], trump: str) -> Known:
        known = Known()
        out = 0
        trick: list[str] = []
        for made in line:
            seat, kind = made.asked.seat, made.asked.kind
            if kind == "keep_five":
                known.combined = seat
            elif kind == "defend_alone":
                out += made.decision == "alone"
            elif kind == "play":
                trick = [made.decision] if len(trick) == 3 - out else [*trick, made.decision]
                led = naive_rules.suit_of(trick[0], trump)
                if naive_rules.suit_of(made.decision, trump) != led:
                    known.void[seat].add(led)
                known.played[seat].append(made.decision)
        return known


def other_world(
    first: World, line: Sequence[Made], observer: int | None, rng: Random
) -> World | None:
    """Return a world in which the observer has seen the same of `line`, or `None` if none is found.

    `line` begins at the deal; what the observer has been asked after it counts as seen, too.
    """
    known = Known.of(line, first.trump)
    pending = first.asked
    sees_dummy = known.combined == observer or (
        pending is not None and pending.kind == "keep_five" and pending.seat == observer
    )
    blind = first.turn_up == "XX" and first.rules["joker_turned_up"] == "blind"
    places = _places(first)
    fixed = {TURN_UP}
    if observer is not None and not (blind and observer == first.dealer and not line):
        fixed |= places[observer]
    if sees_dummy and observer is not None:
        fixed |= places[3]
    hidden = [place for place in range(len(first.deck)) if place not in fixed]
    for _ in range(_TRIES):
        deck = _redealt(first, known, places, hidden, observer, rng)
        found = None if deck is None else _replayed(first, deck, line, known, observer, rng)
        if found is not None:
            return found
    return None


def _places(world: World) -> dict[int, set[int]]:
    """Return the places in the deck of each seat's cards, and of the dummy's as 3."""
    numbers = [str(place) for place in range(len(world.deck))]
    eldest, middle, dummy, own = (
        set(map(int, pile)) for pile in naive_rules.deal(world.rules, numbers)
    )
    left = (world.dealer + 1) % 3
    return {left: eldest, (left + 1) % 3: middle, world.dealer: own, 3: dummy}


def _redealt(
    first: World,
    known: Known,
    places: dict[int, set[int]],
    hidden: list[int],
    observer: int | None,
    rng: Random,
) -> list[str] | None:
    """Return the deck with all hidden cards dealt anew; who played a card has it again."""
    deck = list(first.deck)
    free_places = set(hidden)
    cards = [deck[place] for place in hidden]
    for seat in range(3):
        if seat == observer:
            continue
        reach = places[seat] | (places[3] if known.combined == seat else set())
        room = sorted(reach & free_places)
        shown = [card for card in known.played[seat] if card != first.turn_up]
        if len(room) < len(shown):
            return None
        for card, place in zip(shown, rng.sample(room, len(shown)), strict=True):
            deck[place] = card
            free_places.remove(place)
            cards.remove(card)
    rng.shuffle(cards)
    for place, card in zip(sorted(free_places), cards, strict=True):
        deck[place] = card
    return deck


def _replayed(
    first: World,
    deck: list[str],
    line: Sequence[Made],
    known: Known,
    observer: int | None,
    rng: Random,
) -> World | None:
    """Return the world of that deck after the same public line, if it can be had there."""
    world = World(first.rules, first.dealer, deck)
    for made in line:
        asked = world.asked
        if asked is None or (asked.seat, asked.kind) != (made.asked.seat, made.asked.kind):
            return None
        decision = made.decision
        if made.forced:
            decision = forced(world)
        elif asked.seat != observer:
            decision = _hidden_choice(world, made, known, rng)
        if face(asked.kind, decision) != face(asked.kind, made.decision):
            return None
        if asked.seat == observer and decision != made.decision:
            return None
        if decision not in asked.options:
            return None
        world.apply(decision)
    return world


def _hidden_choice(world: World, made: Made, known: Known, rng: Random) -> str:
    """Return a decision with the same public face, its hidden cards chosen anew."""
    asked = world.asked
    assert asked is not None
    shown = known.played[asked.seat]
    if asked.kind == "exchange" and made.decision != "decline":
        may_go = [card for card in asked.hand if card not in shown]
        return rng.choice(may_go or asked.hand)
    if asked.kind == "keep_five":
        ten = asked.options[0].split()[1:] + asked.options[-1].split()[1:]
        rest = [
            card
            for card in ten
            if card not in shown
            and naive_rules.suit_of(card, world.trump) not in known.void[asked.seat]
        ]
        more = HAND - len(shown)
        if len(rest) < more:
            return "none"
        own = [card for card in asked.hand if card in rest]
        if rng.random() < KEPT_AS_IT_WAS and len(own) == more:
            return asked.options[0]
        kept = {*shown, *rng.sample(rest, more)}
        return " ".join(["keep", *(card for card in ten if card in kept)])
    return made.decision


def differences(worlds: Sequence[World], observer: int | None) -> Counter[str]:
    """Count what is hidden from the observer and differs between the worlds, by what it is."""
    one, two = (world.hidden_from(observer) for world in worlds)
    return Counter(
        "hand" if what.startswith("hand") else what for what in one if one[what] != two[what]
    )
