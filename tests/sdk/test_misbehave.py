"""The bot that misbehaves: what it can be asked for and what it answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from euchre.v1 import types_pb2
from euchre_sdk import Kind, View
from euchre_sdk.game import PRESETS, SEATS, Hand, IllegalActionError
from euchre_sdk.game.compiled import TURN_UP_PLACE
from euchre_sdk.testing.misdeeds import (
    REFUSED,
    Deed,
    MisdeedError,
    Moment,
    fits,
    read_misdeed,
)
from euchre_sdk.testing.wrong_answers import Style, moment_of, right_answer, wrong_answer
from euchre_sdk.wire_answer import read_answer
from euchre_sdk.wire_question import write_question
from euchre_sdk.wire_values import MalformedMessageError
from tests.sdk.asked import asked

ROOT = Path(__file__).parents[2]


def all_asked() -> list[tuple[View, Hand]]:
    return [*asked(), *asked(style=Style.WAITING)]


def test_right_answers_are_legal_and_come_to_every_moment():
    moments = {moment_of(write_question(1, 1, view)) for view, _ in all_asked()}
    assert moments == {moment for moment in Moment if moment.is_question} - {Moment.ANY}


@pytest.mark.parametrize("deed", sorted(REFUSED, key=str), ids=lambda deed: deed.value)
def test_wrong_answers_are_wrong_at_every_moment(deed):
    occasions = 0
    for view, hand in all_asked():
        answer = wrong_answer(deed, write_question(1, 7, view))
        if answer is None:
            assert deed is Deed.REVOKE
            continue
        occasions += 1
        assert (answer.slot, answer.seq) == (1, 7)
        with pytest.raises((MalformedMessageError, IllegalActionError)):
            hand.apply(read_answer(answer, view.kind, view.seat))
    assert occasions


def test_illegal_is_well_formed_and_answers_the_kind_of_question_where_it_can():
    kinds = {Kind.NAME_TRUMP, Kind.EXCHANGE, Kind.KEEP_FIVE, Kind.PLAY}
    for view, hand in all_asked():
        answer = wrong_answer(Deed.ILLEGAL, write_question(1, 1, view))
        action = read_answer(answer, view.kind, view.seat)
        with pytest.raises(IllegalActionError) as refused:
            hand.apply(action)
        assert (refused.value.reason.name == "WRONG_KIND") == (view.kind not in kinds)


def test_answers_that_go_astray_name_another_question_or_game():
    view, _ = asked()[0]
    right = right_answer(write_question(3, 4, view))
    seq = wrong_answer(Deed.WRONG_SEQ, write_question(3, 4, view))
    slot = wrong_answer(Deed.OTHER_GAME, write_question(3, 4, view))
    assert (seq.slot, seq.kind, seq.seq == 4) == (3, right.kind, False)
    assert (slot.seq, slot.kind, slot.slot == 3) == (4, right.kind, False)


@pytest.mark.parametrize(
    ("moment", "deed", "said"),
    [
        ("midnight", "crash", "no moment is called 'midnight'; there are connect ready bid"),
        ("bid", "cheat", "no misdeed is called 'cheat'; there are crash exit kill"),
        ("bid", "crash=3", "crash takes no amount, and '3' was given"),
        ("bid", "flood=many", "flood takes a whole number from 1, not 'many'"),
        ("bid", "flood=0", "flood takes a whole number from 1, not '0'"),
        ("bid", "slow=soon", "slow takes a time such as 1.5s, 20ms or 110%, not 'soon'"),
        ("ready", "illegal", "illegal makes no sense at ready; what does: crash exit"),
        ("lead", "revoke", "revoke makes no sense at lead"),
    ],
)
def test_what_cannot_be_done_is_refused_with_what_can(moment, deed, said):
    with pytest.raises(MisdeedError, match=said):
        read_misdeed(moment, deed)


@pytest.mark.parametrize("deed", Deed, ids=lambda deed: deed.value)
def test_every_misdeed_fits_some_moment_and_is_documented(deed):
    assert any(fits(deed, moment) for moment in Moment)
    page = (ROOT / "docs" / "misbehave.md").read_text(encoding="utf-8")
    assert f"`{deed.value}`" in page or f"`{deed.value}=" in page


@pytest.mark.parametrize("moment", Moment, ids=lambda moment: moment.value)
def test_every_moment_is_documented(moment):
    page = (ROOT / "docs" / "misbehave.md").read_text(encoding="utf-8")
    assert f"`{moment.value}`" in page


def test_an_unknown_number_is_no_legal_answer():
    view, _ = asked()[0]
    answer = wrong_answer(Deed.UNKNOWN_ENUM, write_question(1, 1, view))
    assert answer.kind not in types_pb2.ActionKind.values()


def test_where_every_suit_may_be_named_another_kind_of_answer_is_illegal():
    rules = PRESETS["british"]
    deck = sorted(rules.deck, key=lambda card: card.is_joker)
    deck.insert(TURN_UP_PLACE, deck.pop())  # the joker is turned up: the dealer names any suit
    hand = Hand(rules, SEATS[0], deck)
    view = hand.view
    answer = wrong_answer(Deed.ILLEGAL, write_question(1, 1, view))
    with pytest.raises(IllegalActionError):
        hand.apply(read_answer(answer, view.kind, view.seat))
