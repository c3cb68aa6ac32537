"""Messages and the rules: both directions agree; whatever else comes is refused with a reason."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st

from euchre.v1 import play_pb2, types_pb2
from euchre_sdk import wire
from euchre_sdk.game import (
    CARDS,
    PRESETS,
    SEATS,
    STANDARD,
    Action,
    Card,
    Hand,
    IllegalActionError,
    Kind,
    RuleSet,
    Session,
    ToTarget,
    View,
    fallback,
    parse_cards,
)
from euchre_sdk.game.rules import OPTIONS
from euchre_sdk.wire_values import KIND_NUMBER

SHUFFLED = st.randoms(use_true_random=False)


def rule_sets() -> st.SearchStrategy[RuleSet]:
    """Any rule set that can be made."""
    chosen: dict[str, st.SearchStrategy[object]] = {}
    for option in OPTIONS:
        kind: Any = type(option.default)
        if option.name == "lowest_rank":
            chosen[option.name] = st.sampled_from((9, 8, 7))
        elif kind is bool:
            chosen[option.name] = st.booleans()
        elif kind is int:
            chosen[option.name] = st.integers(1, 1000)
        else:
            chosen[option.name] = st.sampled_from(list(kind))
    return st.builds(RuleSet, **chosen)


def decisions(rules: RuleSet, rng: random.Random) -> list[tuple[View, Action]]:
    """A random hand's decisions: what was asked and what was done."""
    deck = list(rules.deck)
    rng.shuffle(deck)
    hand = Hand(
        rules,
        rng.choice(SEATS),
        deck,
        score=(rng.randrange(9), rng.randrange(9), 3),
        hand_number=rng.randrange(1, 99),
        format=Session(30) if rng.random() < 0.5 else ToTarget(),
    )
    made = []
    while (view := hand.view) is not None:
        view.bank = rng.choice([None, timedelta(microseconds=rng.randrange(10**9))])
        view.limit = timedelta(seconds=5)
        action = rng.choice(view.legal)
        made.append((view.freeze(), action))
        hand.apply(action)
    return made


@settings(deadline=None)
@given(rule_sets(), SHUFFLED)
def test_a_question_read_back_is_the_view_it_was_written_from(
    rules: RuleSet, rng: random.Random
) -> None:
    for seq, (view, _) in enumerate(decisions(rules, rng), 1):
        message = wire.write_question(7, seq, view)
        sent = play_pb2.Question.FromString(message.SerializeToString())
        assert (sent.slot, sent.seq, sent.seat) == (7, seq, view.seat)
        assert wire.read_question(sent, view.rules, view.format) == view


@settings(deadline=None)
@given(rule_sets(), SHUFFLED)
def test_an_answer_read_back_is_the_action_it_was_written_from(
    rules: RuleSet, rng: random.Random
) -> None:
    for view, action in decisions(rules, rng):
        message = wire.write_answer(7, 3, view.kind, action)
        sent = play_pb2.Answer.FromString(message.SerializeToString())
        assert (sent.slot, sent.seq) == (7, 3)
        assert wire.read_answer(sent, view.kind, view.seat) == action


@given(rule_sets())
def test_a_rule_set_read_back_is_the_one_written(rules: RuleSet) -> None:
    assert wire.read_rules(wire.write_rules(rules)) == rules


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_every_option_of_a_preset_has_its_field(rules: RuleSet) -> None:
    names = {field.name for field in types_pb2.RuleSet.DESCRIPTOR.fields}
    assert names == {option.name for option in OPTIONS}
    assert wire.read_rules(wire.write_rules(rules)) == rules


@pytest.mark.parametrize("chosen", [ToTarget(), Session(1), Session(60)])
def test_a_format_read_back_is_the_one_written(chosen: ToTarget | Session) -> None:
    assert wire.read_format(wire.write_format(chosen)) == chosen


@given(st.timedeltas(min_value=timedelta(days=-2), max_value=timedelta(days=9999)))
def test_a_time_read_back_is_the_one_written(time: timedelta) -> None:
    assert wire.read_duration(wire.write_duration(time)) == time


def test_card_numbers_on_the_wire_are_the_deck_order_from_one() -> None:
    names: dict[int, str] = {number: name for name, number in types_pb2.Card.items()}
    spelled = [names[card + 1] for card in CARDS]
    assert spelled == [f"CARD_{card}" if not card.is_joker else "CARD_JOKER" for card in CARDS]
    assert len(names) == len(CARDS) + 1


def test_a_question_of_every_kind_is_known_on_both_sides() -> None:
    wire_kinds = {name for name, number in types_pb2.QuestionKind.items() if number}
    assert wire_kinds == {f"QUESTION_KIND_{kind.name}" for kind in Kind}


# Refusals


def answer(**fields: object) -> play_pb2.Answer:
    """An answer of these fields."""
    return play_pb2.Answer(slot=1, seq=1, **fields)  # type: ignore[arg-type]


def numbers(text: str) -> list[int]:
    """Cards as the wire writes them."""
    return [card + 1 for card in parse_cards(text)]


A = types_pb2


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        pytest.param(answer(), wire.Malformed.UNKNOWN_VALUE, id="an empty answer"),
        pytest.param(answer(kind=99), wire.Malformed.UNKNOWN_VALUE, id="kind 99"),
        pytest.param(
            answer(kind=A.ACTION_KIND_PLAY), wire.Malformed.WRONG_LENGTH, id="play nothing"
        ),
        pytest.param(
            answer(kind=A.ACTION_KIND_PLAY, cards=[0]),
            wire.Malformed.UNKNOWN_VALUE,
            id="play card zero",
        ),
        pytest.param(
            answer(kind=A.ACTION_KIND_PLAY, cards=[99]),
            wire.Malformed.UNKNOWN_VALUE,
            id="play card 99",
        ),
        pytest.param(
            answer(kind=A.ACTION_KIND_PLAY, cards=[1, 2]),
            wire.Malformed.WRONG_LENGTH,
            id="play two cards",
        ),
        pytest.param(
            answer(kind=A.ACTION_KIND_KEEP_FIVE, cards=[1, 2, 3, 4]),
            wire.Malformed.WRONG_LENGTH,
            id="keep four",
        ),
        pytest.param(
            answer(kind=A.ACTION_KIND_KEEP_FIVE, cards=[1, 2, 3, 4, 5, 6]),
            wire.Malformed.WRONG_LENGTH,
            id="keep six",
        ),
        pytest.param(
            answer(kind=A.ACTION_KIND_KEEP_FIVE, cards=[1, 2, 3, 4, 4]),
            wire.Malformed.REPEATED_CARD,
            id="keep a card twice",
        ),
        pytest.param(
            answer(kind=A.ACTION_KIND_PASS, cards=[1]),
            wire.Malformed.WRONG_LENGTH,
            id="pass with a card",
        ),
        pytest.param(
            answer(kind=A.ACTION_KIND_PASS, suit=1),
            wire.Malformed.NOT_TAKEN,
            id="pass with a suit",
        ),
        pytest.param(
            answer(kind=A.ACTION_KIND_NAME_TRUMP),
            wire.Malformed.MISSING,
            id="name trump without a suit",
        ),
        pytest.param(
            answer(kind=A.ACTION_KIND_NAME_TRUMP, suit=0),
            wire.Malformed.UNKNOWN_VALUE,
            id="name suit zero",
        ),
        pytest.param(
            answer(kind=A.ACTION_KIND_NAME_TRUMP, suit=5),
            wire.Malformed.UNKNOWN_VALUE,
            id="name suit 5",
        ),
    ],
)
def test_an_answer_that_is_no_action_is_malformed(
    message: play_pb2.Answer, reason: wire.Malformed
) -> None:
    with pytest.raises(wire.MalformedMessageError) as refused:
        wire.read_answer(message, Kind.PLAY, SEATS[1])
    assert refused.value.reason is reason


@pytest.mark.parametrize(
    ("kind", "asked"),
    [
        pytest.param(A.ACTION_KIND_EXCHANGE, Kind.PLAY, id="laid down instead of played"),
        pytest.param(A.ACTION_KIND_PLAY, Kind.EXCHANGE, id="played instead of laid down"),
    ],
)
def test_a_card_for_the_other_question_is_illegal_not_played(kind: int, asked: Kind) -> None:
    with pytest.raises(IllegalActionError, match="illegal action JH"):
        wire.read_answer(answer(kind=kind, cards=numbers("JH")), asked, SEATS[0])


def test_unsupported_is_an_answer_but_no_action() -> None:
    message = wire.write_unsupported(4, 9)
    assert (message.slot, message.seq) == (4, 9)
    assert wire.read_answer(message, Kind.PLAY, SEATS[0]) is wire.Unsupported.UNSUPPORTED


TEN_CARDS = [card + 1 for card in STANDARD.deck[:10]]


def good_question() -> play_pb2.Question:
    """A question in the middle of the play."""
    views = [v for v, _ in decisions(STANDARD, random.Random(5)) if v.kind is Kind.PLAY]
    return wire.write_question(1, 1, views[5])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param({"kind": 0}, wire.Malformed.UNKNOWN_VALUE, id="no kind"),
        pytest.param({"kind": 99}, wire.Malformed.UNKNOWN_VALUE, id="kind 99"),
        pytest.param({"seat": 3}, wire.Malformed.UNKNOWN_VALUE, id="seat 3"),
        pytest.param({"turn_up": 0}, wire.Malformed.UNKNOWN_VALUE, id="no turn-up"),
        pytest.param({"score": [1, 2]}, wire.Malformed.WRONG_LENGTH, id="two scores"),
        pytest.param({"hand": [1, 1]}, wire.Malformed.REPEATED_CARD, id="a card twice in hand"),
        pytest.param({"hand": [1, 2, 3, 4, 5, 6]}, wire.Malformed.WRONG_LENGTH, id="six cards"),
        pytest.param({"dummy": [1, 2]}, wire.Malformed.WRONG_LENGTH, id="a dummy of two"),
        pytest.param({"call_seats": [1]}, wire.Malformed.WRONG_LENGTH, id="calls without seats"),
        pytest.param({"leaders": [1]}, wire.Malformed.WRONG_LENGTH, id="too few leaders"),
        pytest.param({"legal_cards": []}, wire.Malformed.MISSING, id="nothing legal"),
        pytest.param(
            {"trump": 0, "plays": [], "leaders": [], "call_kinds": [], "call_seats": []},
            wire.Malformed.IMPOSSIBLE,
            id="no trump",
        ),
        pytest.param({"plays": [], "leaders": []}, wire.Malformed.IMPOSSIBLE, id="no leader"),
        pytest.param(
            {"kind": KIND_NUMBER[Kind.KEEP_FIVE], "legal_cards": TEN_CARDS},
            wire.Malformed.IMPOSSIBLE,
            id="five to keep of a hand of four",
        ),
        pytest.param(
            {"maker": 1, "lone_defender": 1}, wire.Malformed.IMPOSSIBLE, id="the maker defends"
        ),
        pytest.param({"legal_cards": [44]}, wire.Malformed.UNKNOWN_VALUE, id="legal card 44"),
    ],
)
def test_a_question_that_means_nothing_is_malformed(
    change: dict[str, object], reason: wire.Malformed
) -> None:
    message = good_question()
    for name, value in change.items():
        message.ClearField(name)  # type: ignore[arg-type]
        message.MergeFrom(play_pb2.Question(**{name: value}))  # type: ignore[arg-type]
    with pytest.raises(wire.MalformedMessageError) as refused:
        wire.read_question(message, STANDARD, ToTarget())
    assert refused.value.reason is reason


def test_a_format_without_a_kind_is_malformed() -> None:
    with pytest.raises(wire.MalformedMessageError, match="neither is set"):
        wire.read_format(types_pb2.Format())


def test_an_impossible_rule_set_is_malformed_with_all_its_faults() -> None:
    message = wire.write_rules(STANDARD)
    message.lowest_rank = 10
    message.target = 0
    with pytest.raises(wire.MalformedMessageError, match=r"lowest_rank.*target"):
        wire.read_rules(message)


# Any bytes


@given(st.binary(max_size=200))
def test_any_bytes_are_an_action_or_malformed(data: bytes) -> None:
    try:
        message = play_pb2.Answer.FromString(data)
    except DecodeError:
        return
    try:
        action = wire.read_answer(message, Kind.PLAY, SEATS[0])
    except (wire.MalformedMessageError, IllegalActionError):
        return
    assert isinstance(action, (Action, wire.Unsupported))


@given(
    kind=st.integers(0, 20),
    suit=st.none() | st.integers(-1, 9),
    cards=st.lists(st.integers(-1, 60), max_size=8),
    asked=st.sampled_from(Kind),
)
def test_any_answer_is_an_action_or_refused(
    kind: int, suit: int | None, cards: list[int], asked: Kind
) -> None:
    message = play_pb2.Answer(kind=kind, suit=suit, cards=cards)  # type: ignore[arg-type]
    try:
        action = wire.read_answer(message, asked, SEATS[0])
    except (wire.MalformedMessageError, IllegalActionError):
        return
    if isinstance(action, Card):
        assert cards == [action + 1]


@settings(deadline=None)
@given(st.data())
def test_a_damaged_question_is_a_view_or_malformed(data: st.DataObject) -> None:
    raw = bytearray(good_question().SerializeToString())
    for _ in range(data.draw(st.integers(1, 6))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    try:
        message = play_pb2.Question.FromString(bytes(raw))
    except DecodeError:
        return
    try:
        view = wire.read_question(message, STANDARD, ToTarget())
    except wire.MalformedMessageError:
        return
    assert view.legal
    assert fallback(view) in view.legal or view.kind is Kind.KEEP_FIVE
    assert str(view)
    assert [view.public.voids(seat) for seat in SEATS]


@given(st.binary(max_size=120))
def test_any_bytes_are_rules_and_a_format_or_malformed(data: bytes) -> None:
    for kind in (types_pb2.RuleSet, types_pb2.Format):
        try:
            message = kind.FromString(data)
        except DecodeError:
            continue
        try:
            if isinstance(message, types_pb2.RuleSet):
                assert isinstance(wire.read_rules(message), RuleSet)
            else:
                assert isinstance(wire.read_format(message), (ToTarget, Session))
        except wire.MalformedMessageError:
            continue
