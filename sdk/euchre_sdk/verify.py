"""Whether a record is true: its commitment, nonces, decks, every action, score and place.

What is checked, and what no record can prove by itself, is in docs/fair-dealing.md. Everything here
is a pure function of a record.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, unique

from euchre_sdk.game.cards import Card, show_cards
from euchre_sdk.game.dealing import (
    FIRST_INCARNATION,
    SECRET_SIZE,
    VerifiableDeals,
    commitment,
    derived_nonce,
)
from euchre_sdk.game.deals import SeededDeals
from euchre_sdk.game.game import Deals, Draw
from euchre_sdk.game.record import (
    ENGINE_VERSION,
    GameRecord,
    HandEntry,
    RecordError,
    SeededSource,
    VerifiableSource,
)
from euchre_sdk.game.replay import Replayed, attempt_number, replay_record
from euchre_sdk.game.suits import SEATS
from euchre_sdk.revision import REVISION
from euchre_sdk.text import one_line
from euchre_sdk.verify_conduct import conduct_problems
from euchre_sdk.verify_problem import Problem

_MOST_HANDS, _MOST_STARTS, _MOST_RETRIES = 2**32, 2**48, 2**16
"""Hand, incarnation and retry have so many bits where a deck is drawn."""


@unique
class Verdict(Enum):
    """What came of a verification."""

    TRUE = "ok"
    """Nothing in it contradicts the rules, the seed or the commitment."""
    WRONG = "wrong"
    UNPROVED = "unproved"
    """Nothing is wrong as far as it can be checked, but something cannot be: `missing` says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What came of checking one record."""

    problems: tuple[Problem, ...] = ()
    """What is wrong, in the order of the record's lines."""
    missing: tuple[str, ...] = ()
    """Why something could not be checked."""
    notes: tuple[str, ...] = ()
    """What whoever doubts the arena should know, though it is in order."""
    hands: int = 0
    """Hands that count."""
    decks: int = 0
    """Decks that follow from the seed."""
    decisions: int = 0
    """Decisions played again."""

    @property
    def verdict(self) -> Verdict:
        """Whether the record is true."""
        if self.problems:
            return Verdict.WRONG
        return Verdict.UNPROVED if self.missing else Verdict.TRUE

    @property
    def sentence(self) -> str:
        """What is wrong, or what was checked, in one line."""
        if self.problems:
            more = len(self.problems) - 1
            said = f" (and {more} more)" if more else ""
            return f"{self.problems[0].sentence}{said}"
        parts = [f"{self.hands:,} hands", f"{self.decisions:,} actions"]
        if self.decks:
            parts.insert(1, f"{self.decks:,} decks from the seed")
        return "; ".join([", ".join(parts), *self.missing, *self.notes])

    def and_also(
        self,
        problems: Iterable[Problem],
        *,
        missing: Iterable[str] = (),
        notes: Iterable[str] = (),
    ) -> Verification:
        """Return it with what another check has found, such as one against an arena."""
        return replace(
            self,
            problems=(*self.problems, *problems),
            missing=(*self.missing, *missing),
            notes=(*self.notes, *notes),
        )


def verify_record(record: GameRecord) -> Verification:
    """Check everything that a record says of itself."""
    problems: list[Problem] = []
    missing = list(_unknown_versions(record))
    decks = 0
    match record.source:
        case VerifiableSource():
            source = record.source
            problems += _header_problems(record)
            if source.seed is None:
                missing.append("the seed is not revealed, so no deck can be checked")
            else:
                problems += _seed_problems(source, source.seed)
                deals = _deals_of(source, source.seed)
                if deals is not None:
                    problems += _deck_problems(record, deals)
                    decks = len(record.hands)
            problems += _attempt_problems(record.hands)
            missing += _chosen(record.hands)
        case SeededSource(seed):
            problems += _local_problems(record, seed)
            decks = len(record.hands)
        case None:
            missing.append("it does not say where its decks come from")
    replayed = None
    if not missing or record.engine_version == ENGINE_VERSION:
        try:
            replayed = replay_record(record)
        except RecordError as error:
            problems.append(_problem_of(record, error))
    if replayed is not None and isinstance(record.source, VerifiableSource):
        wrong, unknown = conduct_problems(record, replayed)
        problems += wrong
        missing += unknown
    if record.result is None:
        missing.append("the game is not over")
    return Verification(
        problems=tuple(sorted(problems, key=lambda problem: problem.line)),
        missing=tuple(missing),
        notes=tuple(_notes(record)),
        hands=sum(entry.void is None for entry in record.hands),
        decks=decks,
        decisions=_decisions(replayed),
    )


def where(record: GameRecord, line: int) -> str:
    """Return what stands in a line of a record, for people."""
    if line == 1:
        return "first line"
    if line - 2 < len(record.hands):
        entry = record.hands[line - 2]
        incarnation, retry = entry.attempt
        void = f", void attempt {incarnation}.{retry}" if entry.void is not None else ""
        return f"hand {entry.hand_number}{void}"
    return "result"


def _problem_of(record: GameRecord, error: RecordError) -> Problem:
    return Problem(
        line=error.line,
        where=where(record, error.line),
        what=error.reason,
        found=error.found,
        expected=error.expected,
    )


def _decisions(replayed: Replayed | None) -> int:
    return 0 if replayed is None else sum(len(hand.decisions) for hand in replayed.hands)


def _unknown_versions(record: GameRecord) -> Iterator[str]:
    if record.engine_version != ENGINE_VERSION:
        version = one_line(record.engine_version)
        yield (
            f"it was played with version {version} of the rules engine and this euchre-sdk has "
            f"version {ENGINE_VERSION}: verify it with one that has the other"
        )
    revision = record.protocol_revision
    if revision is not None and revision > REVISION:
        yield (
            f"it was played with revision {revision} of the protocol and this euchre-sdk knows "
            f"them up to {REVISION}: verify it with a newer one"
        )


def _header_problems(record: GameRecord) -> Iterator[Problem]:
    """Yield what an arena's record lacks."""
    if record.game_id is None:
        yield Problem(line=1, where="first line", what="game_id is missing")
    if record.protocol_revision is None:
        yield Problem(line=1, where="first line", what="protocol_revision is missing")
    elif record.protocol_revision < 1:
        yield Problem.disagreement(1, "first line", "protocol_revision", "0", "1 or more")


def _seed_problems(source: VerifiableSource, seed: bytes) -> Iterator[Problem]:
    """Yield what is wrong with sizes, commitment and derived nonces."""
    sized = [("seed", seed), ("commitment", source.commitment)]
    sized += [(f"nonce of seat {seat}", source.nonces[seat]) for seat in SEATS]
    for what, value in sized:
        if len(value) != SECRET_SIZE:
            size = f"{len(value)} bytes"
            yield Problem.disagreement(1, "first line", what, size, f"{SECRET_SIZE} bytes")
    right = commitment(source.deal_set, seed)
    if source.commitment != right:
        yield Problem.disagreement(
            1, "first line", "commitment", source.commitment.hex(), right.hex(), gives="the seed"
        )
    for seat in SEATS:
        nonce, derived = source.nonces[seat], derived_nonce(seed, seat)
        what = f"nonce of seat {seat}"
        if source.derived[seat] and nonce != derived:
            yield Problem.disagreement(
                1, "first line", what, nonce.hex(), derived.hex(), gives="the seed"
            )
        elif nonce == derived and not source.derived[seat]:
            said = "a nonce of its own"
            yield Problem.disagreement(1, "first line", what, said, "derived from the seed")


def _deals_of(source: VerifiableSource, seed: bytes) -> Deals | None:
    try:
        return VerifiableDeals(seed, source.nonces)
    except ValueError:  # of another size, which is told already
        return None


def _deck_problems(record: GameRecord, deals: Deals) -> Iterator[Problem]:
    """Yield where first dealer, draws or a deck are not those that `deals` gives."""
    dealer, draws = deals.first_dealer(record.rules)
    if record.first_dealer != dealer:
        said, right = str(record.first_dealer), str(dealer)
        yield Problem.disagreement(1, "first line", "first dealer", said, right, gives="the seed")
    if record.draws != tuple(draws):
        said, right = _draws(record.draws), _draws(draws)
        yield Problem.disagreement(1, "first line", "draws", said, right, gives="the seed")
    for line, entry in enumerate(record.hands, 2):
        try:
            deck = deals.deck(record.rules, entry.hand_number, attempt_number(entry))
        except (struct.error, OverflowError):  # beyond what an attempt can be, which is told then
            continue
        if entry.deck != tuple(deck):
            yield _deck_problem(record, line, entry.deck, deck)


def _deck_problem(
    record: GameRecord, line: int, said: Sequence[Card], right: Sequence[Card]
) -> Problem:
    if len(said) != len(right):
        size = f"{len(right)} cards"
        return Problem.disagreement(line, where(record, line), "deck", f"{len(said)} cards", size)
    place = next(place for place, card in enumerate(right) if said[place] is not card)
    what = f"deck, place {place}"
    return replace(
        Problem.disagreement(
            line, where(record, line), what, str(said[place]), str(right[place]), gives="the seed"
        ),
        found=show_cards(said),
        expected=show_cards(right),
    )


def _draws(draws: Sequence[Draw]) -> str:
    return ", ".join(f"{seat} {card}" for seat, card in draws) or "none"


def _attempt_problems(hands: Sequence[HandEntry]) -> Iterator[Problem]:
    """Yield attempts that cannot be: none may be left out, or an arena could choose its deals."""
    starts, voids = 0, 0
    before: HandEntry | None = None
    for line, entry in enumerate(hands, 2):
        incarnation, retry = entry.attempt
        place = f"hand {entry.hand_number}"
        again = before is not None and before.hand_number == entry.hand_number
        voids = voids + 1 if again and incarnation == starts else 0
        if incarnation < starts:
            yield Problem.disagreement(
                line, place, "incarnation", str(incarnation), f"{starts} or more"
            )
        elif retry != voids:
            yield Problem.disagreement(line, place, "retry", str(retry), str(voids))
        elif incarnation >= _MOST_STARTS or retry >= _MOST_RETRIES:
            yield Problem(line=line, where=place, what="attempt: no arena starts so often")
        elif entry.hand_number >= _MOST_HANDS:
            yield Problem(line=line, where=place, what="hand number: no game has so many hands")
        starts, before = max(starts, incarnation), entry


def _chosen(hands: Sequence[HandEntry]) -> Iterator[str]:
    """Yield that an incarnation was not determined: an arena may have chosen it for its decks."""
    expected = FIRST_INCARNATION
    for entry in hands:
        incarnation, _ = entry.attempt
        if incarnation not in (expected, expected + (entry is not hands[0])):
            right = str(expected) if entry is hands[0] else f"{expected} or {expected + 1}"
            yield (
                f"hand {entry.hand_number} is dealt in incarnation {incarnation:,}, not {right}: "
                "nothing fixed that before the nonces were known, so its deck may have been chosen"
            )
            return
        expected = incarnation


def _local_problems(record: GameRecord, seed: int) -> Iterator[Problem]:
    """Yield where the decks are not those of the local generator.

    Who dealt first may have been decided without it, so both ways are tried.
    """
    rules, count = record.rules, len(record.hands)
    drawn, given = SeededDeals(seed), SeededDeals(seed)
    dealer, draws = drawn.first_dealer(rules)
    chosen = (dealer, tuple(draws)) == (record.first_dealer, record.draws)
    ways = [given, drawn] if chosen else [given]
    problems: list[list[Problem]] = []
    for deals in ways:
        decks = [deals.deck(rules, number, 0) for number in range(1, count + 1)]
        problems.append(
            [
                _deck_problem(record, line, entry.deck, deck)
                for line, (entry, deck) in enumerate(zip(record.hands, decks, strict=True), 2)
                if entry.deck != tuple(deck)
            ]
        )
    yield from min(problems, key=len)


def _notes(record: GameRecord) -> Iterator[str]:
    source = record.source
    if isinstance(source, VerifiableSource):
        if all(source.derived):
            yield "no outside randomness: no bot at the table gave a nonce of its own"
        yield from _again(source.deal_set)
        starts = {entry.attempt[0] for entry in record.hands}
        if len(starts) > 1:
            yield f"played over {len(starts)} starts of the arena"
    elif isinstance(source, SeededSource):
        yield "a local game: nobody was committed to its seed"
    if voids := sum(entry.void is not None for entry in record.hands):
        yield f"{voids} void and dealt anew"


def _again(deal_set: str) -> Iterator[str]:
    """Yield that a game was offered before, as an arena would that looks for better deals."""
    parts = deal_set.split("/")
    if len(parts) == 5:
        for what, number in zip(("attempt", "offer"), (parts[2], parts[4]), strict=True):
            if number.isdecimal() and number != "1":
                of = "its block" if what == "attempt" else "the game"
                yield f"{what} {one_line(number)} of {of}"
