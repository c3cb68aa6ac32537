"""The proof: what the observer is sent in one world he is sent in the other, byte by byte."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any

from euchre.v1 import play_pb2
from euchre_sdk.game import RuleSet
from euchre_sdk.game.rules import LOWEST_RANKS, OPTIONS
from euchre_sdk.game.rules_file import rules_to_fields
from tests.leaks.lines import paired_game
from tests.leaks.script import Script
from tests.leaks.stage import Seen, Sent, perform

CHUNK = 60
"""Games that are played on one service, one after the other."""
CARD = re.compile(r"(?<![0-9A-Za-z])(?:[789TJQKA][CDHS]|XX)(?![0-9A-Za-z])")
"""A card as it is written."""


def random_rules(rng: Random) -> RuleSet:
    """Return any rule set that can be made, with small numbers."""
    chosen: dict[str, Any] = {}
    for option in OPTIONS:
        kind: Any = type(option.default)
        if option.name == "lowest_rank":
            chosen[option.name] = rng.choice(LOWEST_RANKS)
        elif kind is bool:
            chosen[option.name] = rng.random() < 0.5
        elif kind is int:
            chosen[option.name] = rng.randint(1, 12)
        else:
            chosen[option.name] = rng.choice(list(kind))
    return RuleSet(**chosen)


def scripts(rules: RuleSet, rng: Random, *, of_each: bool = True) -> Iterator[Script]:
    """Yield games under these rules for each seat: without trouble, with it, with secret faults.

    `of_each`: all three of them; else one of them for each seat, and one more.
    """
    fields = rules_to_fields(rules)
    kinds = [(observer, kind) for observer in range(3) for kind in range(3)]
    if not of_each:
        first = rng.randrange(3)
        kinds = [*((observer, (observer + first) % 3) for observer in range(3)), rng.choice(kinds)]
    for observer, kind in kinds:
        if kind == 0:
            plain = paired_game(fields, observer, rng, trouble=0)
            plain.house = (False, rng.random() < 0.3, rng.random() < 0.3)
            yield plain
        elif kind == 1:
            yield paired_game(fields, observer, rng, trouble=rng.choice((0.03, 0.1)))
        else:
            yield paired_game(fields, observer, rng, trouble=0.1, secretly=True)
    if rules.joker:
        for _ in range(2):
            yield paired_game(fields, rng.randrange(3), rng, trouble=0, joker=True)


@dataclass(slots=True)
class Tally:
    """What was proved, and that it was no empty proof."""

    points: int = 0
    """Decisions asked for in both worlds while they differ and the observer was told the same."""
    games: int = 0
    voids: int = 0
    """Hands that were void, as the arena failed."""
    messages: int = 0
    hidden: Counter[str] = field(default_factory=Counter)
    """Hands by what differs in them to the end."""
    hows: Counter[str] = field(default_factory=Counter)
    troubles: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, script: Script, seen: Seen) -> None:
        self.games += 1
        self.points += seen.steps
        self.voids += seen.voids
        self.messages += 0 if script.observer is None else len(seen.sent[script.observer])
        for hand in script.hands:
            self.hidden.update(hand.differ.keys())
            for step in hand.steps:
                self.hows.update({how.value for how in step.how})
                self.kinds[step.kind] += 1
                self.troubles.update(each.trouble.value for each in step.disturbances)


def prove(
    games: Iterable[Script], tally: Tally | None = None, *, at_once: int = CHUNK
) -> str | None:
    """Play games in both worlds; return what tells the worlds apart, or `None` if nothing does."""
    pending = iter(games)
    while chunk := list(islice(pending, at_once)):
        for script, one, two in zip(chunk, perform(chunk, 0), perform(chunk, 1), strict=True):
            if found := difference(script, one, two):
                return found
            if tally is not None:
                tally.add(script, one)
    return None


def difference(script: Script, one: Seen, two: Seen) -> str | None:
    """Return how the observer can tell the worlds apart."""
    return (
        _sent_otherwise(script, one, two)
        or _told_otherwise(one, two)
        or _logged_otherwise(script, one, two)
        or _gone_otherwise(one, two)
    )


def _sent_otherwise(script: Script, one: Seen, two: Seen) -> str | None:
    if script.observer is None:
        return None
    sent = one.sent[script.observer], two.sent[script.observer]
    for number, (first, second) in enumerate(zip(*sent, strict=False)):
        if first != second and _until_open(first) != _until_open(second):
            told = "\n\n".join(f"at {at}: {_shown(data)}" for at, data in (first, second))
            return f"message {number} to seat {script.observer} of {script.rules}:\n{told}"
    if len(sent[0]) != len(sent[1]):
        return f"{len(sent[0])} messages or {len(sent[1])} of {script.rules}"
    return None


def _told_otherwise(one: Seen, two: Seen) -> str | None:
    """Return what everybody may ask for that is answered otherwise."""
    for number, (first, second) in enumerate(zip(one.public, two.public, strict=False)):
        if first != second:
            return f"answer {number} of {first[0]}: {first[1]!r}, {second[1]!r}"
    if len(one.public) != len(two.public):
        return f"{len(one.public)} public answers or {len(two.public)}"
    return None if one.counts == two.counts else "the arena's counts differ"


def _logged_otherwise(script: Script, one: Seen, two: Seen) -> str | None:
    if not script.secretly and one.logs != two.logs:
        return f"log lines: {sorted(set(one.logs) ^ set(two.logs))[:4]}"
    named = next((line for line in (*one.logs, *two.logs) if CARD.search(line)), None)
    return None if named is None else f"a log line names a card: {named}"


def _gone_otherwise(one: Seen, two: Seen) -> str | None:
    for seen in (one, two):
        if seen.astray:
            return f"a game went another way: {seen.astray}"
    if one.steps != two.steps or one.over != two.over:
        return f"one game took {one.steps} decisions, the other {two.steps}"
    return None


def _until_open(sent: Sent) -> Sent:
    """Return what was sent without the seed that is shown together with the end of the game."""
    at, data = sent
    response = play_pb2.PlayResponse.FromString(data)
    if any(notice.HasField("game_over") for notice in response.notices):
        for notice in response.notices:
            notice.deals_revealed.ClearField("seed")
    return at, response.SerializeToString(deterministic=True)


def _shown(data: bytes) -> str:
    try:
        return str(play_pb2.PlayResponse.FromString(data))
    except ValueError:
        return repr(data)
