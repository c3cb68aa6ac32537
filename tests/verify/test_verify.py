"""`verify_record` on what real tables leave behind (docs/fair-dealing.md)."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from euchre_sdk import play_game
from euchre_sdk.game import (
    PRESETS,
    SEATS,
    STANDARD,
    Card,
    GameRecord,
    RuleSet,
    Session,
    ToTarget,
    read_record,
    write_record,
)
from euchre_sdk.game.dealing import VerifiableDeals
from euchre_sdk.game.record import (
    FaultNote,
    ForcedMove,
    OpenFault,
    SeededSource,
    VerifiableSource,
)
from euchre_sdk.game.rules import FirstDealer
from euchre_sdk.verify import Verdict, verify_record
from tests.sdk.some_bots import Lot
from tests.verify.table_records import played_game

GAMES = [
    pytest.param({}, id="a session in which everybody misbehaves"),
    pytest.param({"trouble": 0.0}, id="a session without trouble"),
    pytest.param({"format": ToTarget(), "trouble": 0.0}, id="a game to the target"),
    pytest.param({"format": ToTarget(), "trouble": 0.1}, id="a forfeited game"),
    pytest.param({"trouble": 0.0, "until_forfeit": True}, id="a forfeited session"),
    pytest.param({"stopped_after": 1, "format": Session(6)}, id="a session over two starts"),
    pytest.param({"house": (True, True, True), "trouble": 0.01}, id="house bots only"),
    pytest.param({"rules": PRESETS["british"], "format": ToTarget()}, id="another deck"),
    pytest.param({"rules": RuleSet(first_dealer=FirstDealer.DRAW_LOW)}, id="a drawn dealer"),
]


@pytest.mark.parametrize("how", GAMES)
def test_what_a_table_leaves_behind_is_true(how) -> None:
    for seed in range(6):
        record = read_record(write_record(played_game(seed, **how)).encode())
        came = verify_record(record)
        assert came.verdict is Verdict.TRUE, came.sentence
        assert came.decks == len(record.hands) > 0
        assert came.decisions > 5


TRUE = played_game(1, trouble=0.0)
FORFEITED = played_game(0, trouble=0.0, until_forfeit=True)
VOIDED = played_game(4, trouble=0.12)
SOURCE = TRUE.source
assert isinstance(SOURCE, VerifiableSource)
assert SOURCE.seed is not None


def source(**changes: Any) -> GameRecord:
    """The record with another source of its decks."""
    assert isinstance(TRUE.source, VerifiableSource)
    return replace(TRUE, source=replace(TRUE.source, **changes))


def hand(number: int, record: GameRecord = TRUE, **changes: Any) -> GameRecord:
    """A record with another hand, counted from 0."""
    hands = list(record.hands)
    hands[number] = replace(hands[number], **changes)
    return replace(record, hands=tuple(hands))


def result(record: GameRecord = TRUE, **changes: Any) -> GameRecord:
    """A record with another end."""
    assert record.result is not None
    return replace(record, result=replace(record.result, **changes))


def swapped(deck: tuple[Card, ...]) -> tuple[Card, ...]:
    """A deck in which two cards of the stock have changed places: nobody could notice it."""
    return (*deck[:-2], deck[-1], deck[-2])


WRONG = [
    pytest.param(
        source(seed=bytes(32)),
        "first line: commitment: the record says [0-9a-f]{64}, the seed gives [0-9a-f]{64}",
        id="another seed",
    ),
    pytest.param(
        source(deal_set=SOURCE.deal_set[:-1] + "2"),
        "first line: commitment: the record says .* the seed gives",
        id="another deal set",
    ),
    pytest.param(
        source(seed=SOURCE.seed[:31]), "seed: the record says 31 bytes, not 32", id="a short seed"
    ),
    pytest.param(
        source(nonces=(SOURCE.nonces[0], bytes(32), SOURCE.nonces[2])),
        "nonce of seat 1: the record says 0{64}, the seed gives [0-9a-f]{64}",
        id="a nonce that the arena chose for a house bot",
    ),
    pytest.param(
        source(derived=(False, False, False)),
        "nonce of seat 1: the record says a nonce of its own, not derived from the seed",
        id="a house bot shown as a remote one",
    ),
    pytest.param(
        source(nonces=(bytes(32), *SOURCE.nonces[1:])),
        "(first dealer|deck, place \\d+): the record says .*, the seed gives",
        id="a nonce exchanged after the game",
    ),
    pytest.param(
        hand(1, deck=swapped(TRUE.hands[1].deck)),
        "hand 2: deck, place 22: the record says .., the seed gives ..",
        id="two cards exchanged in the stock",
    ),
    pytest.param(
        hand(1, attempt=(1, 1)), "hand 2: .* the seed gives|retry: the record says 1, not 0",
        id="a deal left out",
    ),
    pytest.param(
        hand(1, attempt=(0, 0)), "hand 2: (deck|incarnation)", id="a start before the last one"
    ),
    pytest.param(
        hand(0, attempt=(0, 65_536)), "hand 1: retry: the record says 65536, not 0",
        id="an attempt told another way",
    ),
    pytest.param(
        hand(0, decisions=TRUE.hands[0].decisions[:-1]),
        "hand 1: the hand is not over after \\d+ decisions",
        id="a decision left out",
    ),
    pytest.param(
        hand(0, decisions=(*TRUE.hands[0].decisions[:-1], TRUE.hands[0].decisions[-2])),
        "hand 1: decision \\d+: illegal action .. in hand 1, trick 5: .* Legal: ..",
        id="an illegal action",
    ),
    pytest.param(
        hand(0, points=(9, 9, 9)), "hand 1: points of the hand: the record says 9-9-9, not",
        id="points",
    ),
    pytest.param(
        hand(2, score=(9, 9, 9)), "hand 3: score after the hand: the record says 9-9-9, not",
        id="a score",
    ),
    pytest.param(result(places=(1, 1, 1)), "result: places: the record says 1-1-1", id="places"),
    pytest.param(result(score=(5, 5, 5)), "result: score: the record says 5-5-5", id="the result"),
    pytest.param(result(hands=2), "result: number of hands: the record says 2, not 3", id="hands"),
    pytest.param(
        replace(TRUE, first_dealer=TRUE.first_dealer.left),
        "first line: first dealer: the record says ., the seed gives .",
        id="the first dealer",
    ),
    pytest.param(replace(TRUE, game_id=None), "first line: game_id is missing", id="no id"),
    pytest.param(
        replace(TRUE, protocol_revision=None), "protocol_revision is missing", id="no revision"
    ),
    pytest.param(
        result(terminations=("time", "normal", "normal")),
        "result: end for seat 0: the record says time, its last fault gives none",
        id="a forfeit for nothing",
    ),
    pytest.param(
        result(terminations=("lost", "normal", "normal"), places=(3, 1, 1)),
        "result: the game was over before anybody forfeited",
        id="a forfeit after the end",
    ),
    pytest.param(
        result(terminations=("void", "normal", "normal")),
        "result: ends: the record says void, normal, normal, not the same for all",
        id="void for one alone",
    ),
    pytest.param(
        hand(0, forced=(ForcedMove(0, "time"),)),
        "hand 1: (decision 1, forced by time|decisions that time ran out for)",
        id="a forced move that nobody was charged for",
    ),
    pytest.param(
        hand(0, forced=(ForcedMove(99, "time"),)),
        "hand 1: forced moves: they are not decisions in order",
        id="a forced move that was none",
    ),
    pytest.param(
        hand(0, in_forfeit=True), "hand 1: in_forfeit: the record says true, not false",
        id="a hand left out of the points",
    ),
    pytest.param(
        hand(0, faults=(FaultNote(SEATS[0], "illegal", 99, "WRONG_KIND"),)),
        "hand 1: decision of a fault: the record says 99",
        id="a fault at no decision",
    ),
    pytest.param(
        hand(-1, FORFEITED, in_forfeit=False),
        "end for seat 0: the record says time, but its last hand was played without a forfeit",
        id="a hand counted in which somebody forfeited",
    ),
    pytest.param(
        result(FORFEITED, terminations=("normal", "normal", "normal")),
        "result: the game is not over after its last hand|hand \\d: decision",
        id="a forfeit hidden",
    ),
    pytest.param(
        result(FORFEITED, places=(1, 1, 1)), "result: places: the record says 1-1-1, not",
        id="places after a forfeit",
    ),
    pytest.param(
        result(FORFEITED, score=(1, 9, 9)), "result: score: the record says 1-9-9, not 0-",
        id="points of who forfeited a session",
    ),
    pytest.param(
        replace(VOIDED, hands=tuple(h for h in VOIDED.hands if h.void is None)),
        "hand \\d: retry: the record says 1, not 0",
        id="void hands left out",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("record", "sentence"), WRONG)
def test_what_is_wrong_is_said_in_one_line(record: GameRecord, sentence: str) -> None:
    came = verify_record(record)
    assert came.verdict is Verdict.WRONG
    assert any(re.search(sentence, problem.sentence) for problem in came.problems), came.problems
    assert came.problems[0].sentence in came.sentence
    assert "\n" not in came.sentence


@pytest.mark.parametrize(
    ("record", "why"),
    [
        pytest.param(source(seed=None), "the seed is not revealed", id="no seed"),
        pytest.param(
            played_game(1, first_start=14),
            "hand 1 is dealt in incarnation 14, not 1: nothing fixed that",
            id="an incarnation that nothing fixed before the nonces were known",
        ),
        pytest.param(
            played_game(1, stopped_after=1, skipped=30),
            "is dealt in incarnation 32, not 1 or 2: nothing fixed that",
            id="an incarnation that was chosen after a restart",
        ),
        pytest.param(replace(TRUE, result=None), "the game is not over", id="no result"),
        pytest.param(replace(TRUE, source=None), "where its decks come from", id="no source"),
        pytest.param(
            replace(TRUE, engine_version="2"),
            "played with version 2 of the rules engine and this euchre-sdk has version 1",
            id="another engine",
        ),
        pytest.param(
            replace(TRUE, protocol_revision=9),
            "played with revision 9 of the protocol and this euchre-sdk knows them up to 1",
            id="a newer protocol",
        ),
        pytest.param(
            result(terminations=("asleep", "asleep", "asleep")),
            "knows no end of a game that is called asleep",
            id="a word of a newer arena",
        ),
    ],
)
def test_what_cannot_be_checked_is_said_and_is_not_ok(record: GameRecord, why: str) -> None:
    came = verify_record(record)
    assert came.verdict is Verdict.UNPROVED, came.sentence
    assert why in came.sentence


@pytest.mark.parametrize(
    ("record", "note"),
    [
        pytest.param(
            played_game(1, house=(True, True, True), trouble=0.0),
            "no outside randomness: no bot at the table gave a nonce of its own",
            id="house bots only",
        ),
        pytest.param(
            played_game(1, stopped_after=1), "played over 2 starts of the arena", id="two starts"
        ),
        pytest.param(VOIDED, "void and dealt anew", id="void hands"),
        pytest.param(played_game(1, offer=3), "offer 3 of the game", id="offered again"),
    ],
)
def test_what_is_in_order_but_worth_knowing_is_noted(record: GameRecord, note: str) -> None:
    came = verify_record(record)
    assert came.verdict is Verdict.TRUE
    assert note in came.sentence


@pytest.mark.parametrize("rules", [STANDARD, RuleSet(first_dealer=FirstDealer.DRAW_LOW)])
def test_the_decks_of_a_local_game_follow_from_its_seed(rules: RuleSet) -> None:
    record = play_game([Lot(), Lot(), Lot()], rules=rules, seed=5, keep_record=True).record
    assert record is not None
    came = verify_record(record)
    assert came.verdict is Verdict.TRUE, came.sentence
    assert "a local game" in came.sentence
    for changed in (
        replace(record, source=SeededSource(6)),
        hand(0, record, deck=swapped(record.hands[0].deck)),
    ):
        assert verify_record(changed).verdict is Verdict.WRONG


def test_faults_of_a_hand_that_was_never_stored_bear_a_forfeit_out() -> None:
    record = played_game(0, until_forfeit=True, stopped_after=0, format=Session(6))
    assert record.result is not None
    assert record.result.terminations[0] == "time"
    assert record.hands == ()
    assert [fault.seat for fault in record.result.open_faults] == [0] * 4
    assert verify_record(record).verdict is Verdict.TRUE
    other = OpenFault(1, SEATS[0], "illegal", "WRONG_KIND")
    for faults in ((), (*record.result.open_faults[:-1], other)):
        came = verify_record(result(record, open_faults=faults))
        assert came.verdict is Verdict.WRONG
        assert "result: end for seat 0: the record says time, its last fault gives" in came.sentence


ANNULLED = ("annulled", "annulled", "annulled")


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(result(terminations=ANNULLED), id="played to its end"),
        pytest.param(
            result(FORFEITED, terminations=ANNULLED, places=None, score=FORFEITED.hands[-1].score),
            id="forfeited",
        ),
    ],
)
def test_an_annulled_game_is_true_as_it_was_played(record: GameRecord) -> None:
    came = verify_record(record)
    assert came.verdict is Verdict.TRUE, came.sentence
    for changed in (result(record, score=(9, 9, 9)), result(record, places=(2, 2, 1))):
        assert verify_record(changed).verdict is Verdict.WRONG


def test_faults_of_a_hand_in_which_the_arena_stopped_stand_without_its_decisions() -> None:
    record = played_game(3, stopped_after=1, trouble=0.0)
    source = record.source
    assert isinstance(source, VerifiableSource)
    assert source.seed is not None
    at = next(n for n, hand in enumerate(record.hands) if hand.attempt[0] == 2)
    anew = record.hands[at]
    deck = VerifiableDeals(source.seed, source.nonces).deck(
        record.rules, anew.hand_number, attempt=1 << 16
    )
    interrupted = replace(
        anew,
        attempt=(1, 0),
        deck=tuple(deck),
        decisions=(),
        points=(0, 0, 0),
        score=record.hands[at - 1].score,
        faults=(FaultNote(SEATS[0], "time", 5, "TIME"),),
        void="arena_stopped",
    )
    hands = (*record.hands[:at], interrupted, *record.hands[at:])
    assert verify_record(replace(record, hands=hands)).verdict is Verdict.TRUE
    lost = replace(record, hands=(*record.hands[:at], replace(interrupted, void="arena_fault")))
    assert verify_record(lost).verdict is Verdict.WRONG


VECTORS = json.loads(
    (Path(__file__).parents[1] / "data" / "dealing_vectors.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("row", VECTORS["attempts"], ids=lambda row: str(row["hands"]))
def test_whether_incarnations_are_determined_is_as_in_the_vectors(row: dict[str, Any]) -> None:
    hands = tuple(
        replace(TRUE.hands[0], hand_number=number, attempt=(incarnation, retry))
        for number, incarnation, retry in row["hands"]
    )
    missing = verify_record(replace(TRUE, hands=hands)).missing
    assert any("nothing fixed that before" in each for each in missing) != row["determined"]
