"""The record of a game: everything that happened in it, one JSON line a step (docs/records.md).

A record holds hidden cards. It is for whoever keeps or studies games, never for a bot in one.
Writing is here, reading in `record_reading`, playing again in `replay`, telling in `story`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from euchre_sdk.errors import EuchreError
from euchre_sdk.game.cards import Action, Card, show_cards
from euchre_sdk.game.game import Draw, Game
from euchre_sdk.game.hand import Hand
from euchre_sdk.game.hand_state import Points
from euchre_sdk.game.rules import Format, RuleSet, Session
from euchre_sdk.game.rules_file import rules_to_fields
from euchre_sdk.game.suits import Seat

FORMAT_VERSION = 1
"""Raised when a reader of an older version could misunderstand a record."""
ENGINE_VERSION = "1"
"""Raised when the engine could play the same decisions to another end."""

Names: TypeAlias = tuple[str, str, str]
Json: TypeAlias = Mapping[str, object]


class RecordError(EuchreError, ValueError):
    """A file is no record, or a record does not replay. `line` counts from 1."""

    def __init__(self, line: int, reason: str, *, found: str = "", expected: str = "") -> None:
        super().__init__(f"line {line} of the record: {reason}")
        self.line = line
        self.reason = reason
        self.found = found
        """What the record says, empty if the reason alone tells it."""
        self.expected = expected
        """What it should say."""


class NewerRecordError(RecordError):
    """A record of a later format than this version reads."""


@dataclass(frozen=True, slots=True)
class SeededSource:
    """Decks from a seed by the local generator of the Python package that wrote the record."""

    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiableSource:
    """Decks that anyone can verify once the seed is revealed (docs/fair-dealing.md)."""

    deal_set: str
    commitment: bytes
    nonces: tuple[bytes, bytes, bytes]
    derived: tuple[bool, bool, bool] = (False, False, False)
    """Which seats' nonces the arena derived from the seed: no outside randomness."""
    seed: bytes | None = None
    """`None` until it may be revealed."""


Source: TypeAlias = SeededSource | VerifiableSource


class ForcedMove(NamedTuple):
    """A decision that was made for a seat."""

    decision: int
    """Index into the hand's decisions."""
    cause: str


class FaultNote(NamedTuple):
    """A fault that a seat was charged with."""

    seat: Seat
    kind: str
    decision: int
    """Index into the hand's decisions of the one that was asked for."""
    reason: str


class OpenFault(NamedTuple):
    """A fault in a hand that is not in the record: the arena stopped while it was played."""

    hand_number: int
    seat: Seat
    kind: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEntry:
    """One hand of a record."""

    hand_number: int
    """1 for the first hand of the game; void hands share the number of the one that counts."""
    dealer: Seat
    deck: tuple[Card, ...]
    """The cut deck, in the order in which it was dealt."""
    decisions: tuple[Action, ...]
    """Every decision in the order made, the hidden ones too."""
    points: Points
    """Points won in this hand."""
    score: Points
    """The score after it."""
    attempt: tuple[int, int] = (0, 0)
    """Which deal of the hand this is: starts of the arena, void deals since."""
    forced: tuple[ForcedMove, ...] = ()
    faults: tuple[FaultNote, ...] = ()
    in_forfeit: bool = False
    """Whether somebody had forfeited before the hand was over."""
    void: str | None = None
    """Why the hand does not count, `None` if it does (A43)."""
    more: Json = field(default_factory=dict)
    """Fields that this version does not know, kept as they are."""

    @staticmethod
    def of(hand: Hand, score: Points) -> HandEntry:
        """Return the entry of a finished hand; `score` is the one after it."""
        assert hand.points is not None  # it is finished
        return HandEntry(
            hand_number=hand.public.hand_number,
            dealer=hand.dealer,
            deck=tuple(hand.deck),
            decisions=hand.decisions,
            points=hand.points,
            score=score,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultEntry:
    """How the game ended."""

    score: Points
    places: tuple[int, int, int] | None
    """`None` for a game without a winner: unfinished (A19), void."""
    hands: int
    """Hands that count."""
    terminations: Names = ("normal", "normal", "normal")
    """How it ended for each seat."""
    open_faults: tuple[OpenFault, ...] = ()
    more: Json = field(default_factory=dict)

    @property
    def is_normal(self) -> bool:
        """Whether the game was played to its end by all three."""
        return set(self.terminations) == {"normal"}


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """A whole game or session, or as much of it as has been played."""

    rules: RuleSet
    format: Format
    names: Names
    """Of the bots at seats 0, 1, 2."""
    first_dealer: Seat
    draws: tuple[Draw, ...] = ()
    """The cards drawn for the first deal (A05)."""
    source: Source | None = None
    """Where the decks came from, if the record says so."""
    hands: tuple[HandEntry, ...] = ()
    result: ResultEntry | None = None
    """`None` while the game goes on."""
    engine_version: str = ENGINE_VERSION
    """Of the rules engine that it was played with."""
    protocol_revision: int | None = None
    """Of `euchre.v1`, as the arena spoke it; `None` for a game that was played without."""
    game_id: str | None = None
    """What the arena called the game, `None` for one played elsewhere."""
    more: Json = field(default_factory=dict)
    """Fields of the header that this version does not know, kept as they are."""

    @staticmethod
    def of(
        game: Game, names: Names, hands: Iterable[HandEntry], source: Source | None = None
    ) -> GameRecord:
        """Return the record of a game and the hands that have been played of it."""
        result = game.result
        return GameRecord(
            rules=game.rules,
            format=game.format,
            names=names,
            first_dealer=game.first_dealer,
            draws=tuple(game.draws),
            source=source,
            hands=tuple(hands),
            result=None
            if result is None
            else ResultEntry(score=result.score, places=result.places, hands=result.hands),
        )


def write_record(record: GameRecord) -> str:
    """Return a record as text, a line a step; `read_record` gives it back."""
    return "".join(f"{line}\n" for line in record_lines(record))


def record_lines(record: GameRecord) -> Iterator[str]:
    """Yield the lines of a record without their ends."""
    yield header_line(record)
    for hand in record.hands:
        yield hand_line(hand)
    if record.result is not None:
        yield result_line(record.result)


def header_line(record: GameRecord) -> str:
    """Return the first line, which says what was played by whom."""
    game = record.format
    header: dict[str, object] = {
        "format_version": FORMAT_VERSION,
        "engine_version": record.engine_version,
    }
    if record.protocol_revision is not None:
        header["protocol_revision"] = record.protocol_revision
    if record.game_id is not None:
        header["game_id"] = record.game_id
    header |= {
        "rules": rules_to_fields(record.rules),
        "format": {"session": game.hands} if isinstance(game, Session) else {"to_target": True},
        "names": record.names,
        "first_dealer": int(record.first_dealer),
    }
    if record.draws:
        header["draws"] = [[int(seat), str(card)] for seat, card in record.draws]
    if record.source is not None:
        header["deals"] = _source(record.source)
    return _line({**header, **record.more})


def hand_line(hand: HandEntry) -> str:
    """Return the line of one hand."""
    entry: dict[str, object] = {
        "hand": hand.hand_number,
        "attempt": hand.attempt,
        "dealer": int(hand.dealer),
        "deck": show_cards(hand.deck),
        "decisions": [str(action) for action in hand.decisions],
        "points": hand.points,
        "score": hand.score,
    }
    if hand.forced:
        entry["forced"] = hand.forced
    if hand.faults:
        entry["faults"] = [[int(f.seat), f.kind, f.decision, f.reason] for f in hand.faults]
    if hand.in_forfeit:
        entry["in_forfeit"] = True
    if hand.void is not None:
        entry["void"] = hand.void
    return _line({**entry, **hand.more})


def result_line(result: ResultEntry) -> str:
    """Return the last line, which says how the game ended."""
    entry: dict[str, object] = {
        "result": result.score,
        "places": result.places,
        "hands": result.hands,
        "terminations": result.terminations,
    }
    if result.open_faults:
        entry["open_faults"] = [
            [f.hand_number, int(f.seat), f.kind, f.reason] for f in result.open_faults
        ]
    return _line({**entry, **result.more})


def _source(source: Source) -> dict[str, object]:
    if isinstance(source, SeededSource):
        return {"seeded": source.seed}
    return {
        "verifiable": source.deal_set,
        "commitment": source.commitment.hex(),
        "nonces": [nonce.hex() for nonce in source.nonces],
        "derived": source.derived,
        "seed": None if source.seed is None else source.seed.hex(),
    }


def _line(entry: Json) -> str:
    return json.dumps(entry, separators=(",", ":"), ensure_ascii=False)
