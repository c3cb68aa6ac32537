"""Records: written, read from any bytes, played again, told (docs/records.md)."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from euchre_sdk.game import (
    PRESETS,
    SEATS,
    STANDARD,
    Action,
    Game,
    GameRecord,
    RecordError,
    RuleSet,
    Session,
    ToTarget,
    VerifiableDeals,
    read_record,
    replay_record,
    write_record,
)
from euchre_sdk.game.record import (
    FaultNote,
    ForcedMove,
    HandEntry,
    SeededSource,
    VerifiableSource,
)
from euchre_sdk.game.replay import replay_hand
from euchre_sdk.game.rules import FirstDealer
from euchre_sdk.game.story import tell_hand, tell_record
from tests import strategies
from tests.game.tables import do
from tests.game.test_whole_hand import DECISIONS, before, w1


def recorded(rules: RuleSet, format, seed: int) -> GameRecord:
    """The record of a random game, with a void hand in it now and then."""
    rng = random.Random(seed)
    nonces = (rng.randbytes(32), rng.randbytes(32), rng.randbytes(32))
    deals = VerifiableDeals(rng.randbytes(32), nonces)
    game = Game(rules, deals, format)
    entries = []
    while game.result is None:
        retry = 0
        if rng.random() < 0.1:
            lost = game.start_hand()
            for _ in range(rng.randrange(4)):
                if lost.view is not None:
                    lost.apply(rng.choice(lost.view.legal))
            game.void_hand()
            entries.append(
                HandEntry(
                    hand_number=game.hand_number,
                    dealer=lost.dealer,
                    deck=tuple(lost.deck),
                    decisions=lost.decisions,
                    points=(0, 0, 0),
                    score=game.score,
                    void="server restarted",
                )
            )
            retry = 1
        hand = game.start_hand(retry)
        while hand.view is not None:
            hand.apply(rng.choice(hand.view.legal))
        game.finish_hand()
        entry = HandEntry.of(hand, game.score)
        entries.append(
            replace(
                entry,
                attempt=(0, retry),
                forced=(ForcedMove(0, "time"),) if rng.random() < 0.2 else (),
                faults=(FaultNote(SEATS[1], "illegal", 2, "must_follow_suit"),),
            )
        )
    source = VerifiableSource(
        deal_set="t/b/0/1/1", commitment=bytes(32), nonces=nonces, derived=(True, False, True)
    )
    return GameRecord.of(game, ("ann", "bob «x»", ""), entries, source)


GAME = recorded(STANDARD, ToTarget(), 7)


@settings(max_examples=40)
@given(strategies.rule_sets(), strategies.formats(), st.integers(0, 2**32))
def test_a_record_is_written_read_and_played_again(rules: RuleSet, format, seed: int) -> None:
    record = recorded(rules, format, seed)
    text = write_record(record)
    assert read_record(text.encode()) == record
    replayed = replay_record(record)
    assert [hand.points for hand, entry in zip(replayed.hands, record.hands, strict=True)][-1] == (
        record.hands[-1].points
    )
    assert replayed.result is not None
    assert record.result is not None
    assert replayed.result.score == record.result.score
    assert tell_record(record).count("\nhand ") == len(record.hands)


def test_a_game_that_goes_on_is_a_record_without_a_result() -> None:
    record = replace(GAME, hands=GAME.hands[:1], result=None)
    assert read_record(write_record(record).encode()) == record
    assert replay_record(record).result is None
    assert tell_record(record).endswith("the game goes on\n")


def test_fields_of_later_versions_are_kept() -> None:
    lines = write_record(GAME).splitlines()
    changed = [json.dumps({**json.loads(line), "spent_us": [1, 2.5, None]}) for line in lines]
    record = read_record("\n".join(changed).encode())
    assert record.hands[0].more == {"spent_us": [1, 2.5, None]}
    assert read_record(write_record(record).encode()) == record
    replay_record(record)


def test_a_seeded_source_is_kept() -> None:
    record = replace(GAME, source=SeededSource(12345678901234567890))
    assert read_record(write_record(record).encode()).source == record.source


@pytest.mark.parametrize(
    ("line", "change", "reason"),
    [
        pytest.param(
            1, {"format_version": 2}, "format_version is 2; this reader knows 1", id="version"
        ),
        pytest.param(1, {"names": ["a", "b"]}, "names must be a list of 3, not", id="two names"),
        pytest.param(
            1, {"first_dealer": 3}, "first_dealer must be a seat, 0 to 2, not 3", id="seat"
        ),
        pytest.param(
            1, {"rules": {"target": 0}}, "rules cannot be played: target must be", id="rules"
        ),
        pytest.param(1, {"rules": {"x": 0}}, 'unknown field "x"', id="unknown rule"),
        pytest.param(1, {"rules": []}, "rules must be an object, not []", id="no rules"),
        pytest.param(1, {"format": {"session": 0}}, "format cannot be played", id="no hands"),
        pytest.param(1, {"format": "game"}, 'format must be {"to_target": true}', id="format"),
        pytest.param(1, {"names": ["\ud800", "", ""]}, "names holds half a character", id="half"),
        pytest.param(
            1, {"deals": {"seeded": "1"}}, "deals seeded must be a whole number", id="seed"
        ),
        pytest.param(1, {"deals": {"verifiable": "x"}}, "deals commitment is missing", id="deals"),
        pytest.param(
            1,
            {"deals": {"verifiable": "x", "commitment": "zz"}},
            'deals commitment must be hexadecimal, not "zz"',
            id="not hexadecimal",
        ),
        pytest.param(1, {"draws": [[0, "9C 9D"]]}, "draws holds", id="two cards drawn"),
        pytest.param(2, {"hand": -1}, "hand must be a whole number from 0, not -1", id="negative"),
        pytest.param(
            2, {"hand": True}, "hand must be a whole number from 0, not true", id="a flag"
        ),
        pytest.param(2, {"deck": "9C ZZ"}, "deck is no series of cards: no card 'ZZ'", id="card"),
        pytest.param(2, {"deck": 5}, "deck must be a text, not 5", id="no deck"),
        pytest.param(2, {"decisions": ["paß"]}, "decisions holds", id="decision"),
        pytest.param(2, {"decisions": "pass"}, 'decisions must be a list, not "pass"', id="text"),
        pytest.param(2, {"points": [1, 2]}, "points must be a list of 3", id="two points"),
        pytest.param(2, {"points": [1, 2, 1e5]}, "points must be a whole number", id="a fraction"),
        pytest.param(2, {"attempt": [1]}, "attempt must be a list of 2", id="attempt"),
        pytest.param(2, {"faults": [[0, "x"]]}, "faults must be a list of 4", id="fault"),
        pytest.param(2, {"void": 5}, "void must be a text, not 5", id="void"),
    ],
)
def test_a_field_that_is_wrong_is_refused_with_its_line(
    line: int, change: dict[str, Any], reason: str
) -> None:
    lines = write_record(GAME).splitlines()
    lines[line - 1] = json.dumps({**json.loads(lines[line - 1]), **change})
    with pytest.raises(RecordError) as refused:
        read_record("\n".join(lines).encode())
    assert refused.value.line == line
    assert reason in str(refused.value)
    assert str(refused.value).startswith(f"line {line} of the record: ")


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        pytest.param(b"", 1, "the file is empty", id="empty"),
        pytest.param(b"\n", 1, "it is no JSON", id="an empty line"),
        pytest.param(b"\xff\xfe", 1, "it is no text in UTF-8", id="no text"),
        pytest.param(b"[]", 1, "it is no JSON object", id="a list"),
        pytest.param(b"{}", 1, "format_version is missing", id="an empty object"),
        pytest.param(b'{"a":NaN}', 1, "NaN is no number", id="NaN"),
        pytest.param(b'{"a":1e999}', 1, "1e999 is no number", id="infinity"),
        pytest.param(b"[" * 100_000, 1, "it is nested too deeply", id="nested"),
        pytest.param(b'{"a":' + b"9" * 5000 + b"}", 1, "it is no JSON", id="a long number"),
    ],
)
def test_bytes_that_are_no_record_are_refused(content: bytes, line: int, reason: str) -> None:
    with pytest.raises(RecordError) as refused:
        read_record(content)
    assert refused.value.line == line
    assert reason in refused.value.reason


def test_nothing_may_follow_the_result() -> None:
    lines = write_record(GAME).splitlines()
    with pytest.raises(RecordError, match="nothing may follow the result"):
        read_record("\n".join([*lines, lines[1]]).encode())


@given(st.data())
def test_a_damaged_record_is_read_or_refused_and_replays_or_is_refused(data: st.DataObject) -> None:
    content = bytearray(write_record(GAME).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    with suppress(RecordError):
        tell_record(read_record(bytes(content)))


@given(st.binary(max_size=300))
def test_any_bytes_are_a_record_or_refused(content: bytes) -> None:
    with suppress(RecordError):
        read_record(content)


# Replaying.


def changed(change: Callable[[HandEntry], HandEntry], at: int = 0) -> GameRecord:
    hands = list(GAME.hands)
    hands[at] = change(hands[at])
    return replace(GAME, hands=tuple(hands))


def _last_swapped(entry: HandEntry) -> HandEntry:
    return replace(entry, decisions=(*entry.decisions[:-1], Action.PASS))


@pytest.mark.parametrize(
    ("record", "line", "reason"),
    [
        pytest.param(
            changed(lambda e: replace(e, points=(9, 9, 9))), 2, "points of the hand:", id="points"
        ),
        pytest.param(changed(lambda e: replace(e, score=(9, 9, 9))), 2, "score after", id="score"),
        pytest.param(
            changed(lambda e: replace(e, dealer=e.dealer.left)),
            2,
            "dealer: the record",
            id="dealer",
        ),
        pytest.param(
            changed(lambda e: replace(e, hand_number=99)), 2, "hand number: the record", id="number"
        ),
        pytest.param(
            changed(lambda e: replace(e, decisions=e.decisions[:-1])),
            *(2, "the hand is not over after"),
            id="too short",
        ),
        pytest.param(
            changed(lambda e: replace(e, decisions=(*e.decisions, Action.PASS))),
            *(2, "illegal action pass: the hand is over"),
            id="too long",
        ),
        pytest.param(changed(_last_swapped), 2, "illegal action pass in hand 1", id="illegal"),
        pytest.param(
            changed(lambda e: replace(e, deck=(*e.deck[:-1], e.deck[0]))),
            *(2, "the deck is not the 24 cards"),
            id="deck",
        ),
        pytest.param(
            changed(lambda e: replace(e, void="restart", points=(0, 0, 0), score=(0, 0, 0))),
            *(3, "hand number: the record says 2, not 1"),
            id="a hand made void",
        ),
        pytest.param(
            replace(GAME, hands=GAME.hands[:-1]),
            len(GAME.hands) + 1,
            "not over",
            id="hands missing",
        ),
        pytest.param(
            replace(GAME, hands=(*GAME.hands, replace(GAME.hands[-1], attempt=(9, 9)))),
            *(len(GAME.hands) + 2, "the game was over before this hand"),
            id="a hand too many",
        ),
        pytest.param(
            replace(GAME, hands=(GAME.hands[0], *GAME.hands)),
            *(3, "another deal of this hand has the same attempt"),
            id="a hand twice",
        ),
        pytest.param(
            replace(GAME, draws=((SEATS[0], GAME.hands[0].deck[0]),)),
            *(1, "nobody draws for the first deal"),
            id="draws where nobody draws",
        ),
        pytest.param(
            replace(GAME, result=replace(GAME.result, places=(1, 1, 1)))
            if GAME.result is not None
            else GAME,
            *(len(GAME.hands) + 2, "places: the record says 1-1-1, not"),
            id="places",
        ),
    ],
)
def test_a_record_that_disagrees_with_the_rules_is_refused(
    record: GameRecord, line: int, reason: str
) -> None:
    with pytest.raises(RecordError) as refused:
        replay_record(record)
    assert refused.value.line == line
    assert reason in str(refused.value)


def test_the_end_of_a_forfeited_game_is_not_judged() -> None:
    assert GAME.result is not None
    result = replace(
        GAME.result,
        terminations=("time", "normal", "normal"),
        places=(3, 1, 1),
        score=(0, 0, 0),
    )
    replay_record(replace(GAME, hands=GAME.hands[:2], result=result))


@pytest.mark.parametrize("seed", range(6))
def test_a05_a06_the_draws_of_a_record_are_checked(seed: int) -> None:
    record = recorded(RuleSet(first_dealer=FirstDealer.DRAW_LOW, target=1), ToTarget(), seed)
    replay_record(record)
    spoilt = [
        replace(record, draws=()),
        replace(record, draws=record.draws[:-1]),
        replace(record, draws=(*record.draws, record.draws[0])),
        replace(record, draws=(record.draws[1], record.draws[0], *record.draws[2:])),
        replace(record, draws=(record.draws[1], *record.draws[1:])),
    ]
    for other in spoilt:
        with pytest.raises(RecordError) as refused:
            replay_record(other)
        assert refused.value.line == 1
    with pytest.raises(RecordError, match="first dealer"):
        replay_record(replace(record, first_dealer=record.first_dealer.left))


def test_a_hand_is_brought_to_its_middle() -> None:
    hand = do(w1(), DECISIONS)
    for length in range(len(hand.decisions) + 1):
        middle = replay_hand(STANDARD, hand.dealer, hand.deck, hand.decisions[:length])
        assert middle.decisions == hand.decisions[:length]
        assert (middle.view is None) == (length == len(hand.decisions))


def test_a_hand_is_not_dealt_from_another_deck() -> None:
    with pytest.raises(ValueError, match="not the 24 cards of this rule set's deck"):
        replay_hand(STANDARD, SEATS[0], PRESETS["british"].deck, ())


# Stories.


def test_w1_told() -> None:
    hand = do(w1(), DECISIONS)
    assert "\n".join(tell_hand(hand, ("ann", "bob", "cy"), {5: "time"})) == (
        """\
hand 1 · dealer seat 0 ann · score 0-0-0
  seat 1 bob           KH 9H AD TS 9S
  seat 2 cy            JH JD AH TC QS
  dummy                AC KC QD TD 9D
  seat 0 ann           QC JC 9C AS KS
  turn-up and stock    QH | JS KD TH
  seat 1 bob passes
  seat 2 cy orders QH up
  seat 0 ann takes QH and lays down 9C
  seat 2 cy plays with the dummy
  seat 2 cy keeps JH JD AH AC KC
  seat 0 ann defends together with the other [forced: time]
  seat 1 bob defends together with the other
  trick 1: 1 AD, 2 JD, 0 QC — seat 2 cy with JD, the left bower
  trick 2: 2 JH, 0 QH, 1 9H — seat 2 cy with JH, the right bower
  trick 3: 2 AH, 0 JC, 1 KH — seat 2 cy with AH, the highest trump
  trick 4: 2 AC, 0 KS, 1 9S — seat 2 cy with AC, the highest of clubs
  trick 5: 2 KC, 0 AS, 1 TS — seat 2 cy with KC, the highest of clubs
  maker seat 2 cy with the dummy: 5 of 5 tricks, march · points 0-0-3"""
    )


def test_a_hand_is_told_as_far_as_it_was_played() -> None:
    lines = tell_hand(do(w1(), before("2 JH") + ", 2 JH"))
    assert lines[-2:] == ["  trick 2: 2 JH …", "  next: seat 0, to play a card"]


def test_one_hand_of_a_record_is_told() -> None:
    story = tell_record(GAME, 2)
    assert "hand 2 ·" in story
    assert "hand 1 ·" not in story
    with pytest.raises(ValueError, match="the record has no hand 99: it has hands 1 to"):
        tell_record(GAME, 99)


def test_a_story_marks_the_score_by_two_low_cards_and_who_is_at_the_bridge() -> None:
    stories = [tell_record(recorded(STANDARD, ToTarget(), seed)) for seed in range(8)]
    assert all(re.search(r"\n  ●{6} ●{4}  seat \d.*: place 1\n", story) for story in stories)
    at_the_bridge = [
        re.search(r"score (\d+)-(\d+)-(\d+) · seat (\d)( \w+)?.* is at the bridge", story)
        for story in stories
    ]
    seen = [found for found in at_the_bridge if found]
    assert seen
    for found in seen:
        score = [int(found[place]) for place in (1, 2, 3)]
        assert score.pop(int(found[4])) == 9
        assert max(score) <= 7
    session = tell_record(recorded(STANDARD, Session(4), 1))
    assert "●" not in session
    assert "bridge" not in session


def test_a_story_names_the_rules_the_players_and_the_result() -> None:
    story = tell_record(GAME)
    assert story.startswith("game to 10 · standard rules\nseat 0 ann · seat 1 bob «x» · seat 2\n")
    assert "fault of seat 1 bob «x»: illegal, must_follow_suit" in story
    assert ": place 1\n" in story
    other = recorded(RuleSet(joker=True, target=2), Session(2), 3)
    assert tell_record(other).startswith(
        "session of 2 hands · standard rules but joker yes, target 2\n"
    )
