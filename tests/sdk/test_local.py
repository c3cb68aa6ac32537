"""One local game: the loop, the hooks, and bots of every bad kind."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pytest

from euchre_sdk import SEATS, STANDARD, SUITS, Action, Bot, Session, View
from euchre_sdk.faults import BotFaultError, FaultKind
from euchre_sdk.game import Hand, SeededDeals, sides
from euchre_sdk.game.record import FaultNote, ForcedMove
from euchre_sdk.game.replay import replay_hand
from euchre_sdk.local import DamagedViewError, PlayedGame, play_game
from tests.sdk import some_bots
from tests.sdk.some_bots import (
    Bold,
    Cheats,
    Divides,
    Exits,
    FailsInHooks,
    Forgets,
    HasNoAttributes,
    KeepsRubbish,
    Listener,
    Lot,
    Modest,
    RaisesControls,
    RaisesPastExceptions,
    RaisesSilently,
    ReturnsIncomparable,
    ReturnsLots,
    ReturnsNothing,
    ReturnsNumber,
    ReturnsOdd,
    ReturnsText,
    Revokes,
)

Factory = Callable[[], Bot]


def hands_of(played: PlayedGame) -> list[Hand]:
    """Return the hands of a record, played again."""
    record = played.record
    assert record is not None
    score = (0, 0, 0)
    hands = []
    for entry in record.hands:
        hands.append(
            replay_hand(
                record.rules,
                entry.dealer,
                entry.deck,
                entry.decisions,
                score=score,
                hand_number=entry.hand_number,
                format=record.format,
            )
        )
        score = entry.score
    return hands


def test_a_game_goes_to_the_target() -> None:
    played = play_game([Lot(), Lot(), Lot()], seed=3)
    assert max(played.result.score) >= STANDARD.target
    assert played.result.places is not None
    assert min(played.result.places) == 1
    assert played.fault_counts == (0, 0, 0)


def test_the_same_seed_gives_the_same_game() -> None:
    games = [play_game([Lot(), Lot(), Lot()], seed=seed) for seed in (3, 3, 4)]
    assert games[0] == games[1]
    assert games[0] != games[2]


def test_without_a_seed_no_two_games_are_alike() -> None:
    games = [play_game([Lot(), Lot(), Lot()], format=Session(30)) for _ in range(2)]
    assert games[0] != games[1]


def test_the_first_dealer_may_be_chosen() -> None:
    listener = Listener()
    play_game([listener, Lot(), Lot()], format=Session(4), first_dealer=SEATS[2])
    dealers = [told.public.dealer for told in listener.hands]
    assert dealers == [SEATS[2], SEATS[0], SEATS[1], SEATS[2]]


def test_hooks_are_told_what_happened() -> None:
    listener = Listener()
    played = play_game(
        [Lot(), listener, Modest()],
        format=Session(7),
        bot_seeds=(10, 11, 12),
        deals=SeededDeals(1),
        names=("a", "b", "c"),
        keep_record=True,
    )
    hands = hands_of(played)
    (start,) = listener.starts
    assert (start.seat, start.seed, start.names) == (SEATS[1], 11, ("a", "b", "c"))
    assert (start.rules, start.format) == (STANDARD, Session(7))
    assert [told.points for told in listener.hands] == [hand.points for hand in hands]
    assert [told.public for told in listener.hands] == [hand.public for hand in hands]
    assert listener.hands[-1].score == played.result.score
    sums = [sum(told.points[seat] for told in listener.hands) for seat in SEATS]
    assert tuple(sums) == played.result.score
    assert [told.is_passed_out for told in listener.hands] == [h.is_passed_out for h in hands]
    (end,) = listener.ends
    assert (end.score, end.places, end.hands) == (
        played.result.score,
        played.result.places,
        7,
    )


def test_counts_agree_with_the_hands() -> None:
    played = play_game([Lot(), Bold(), Lot()], format=Session(200), seed=1, keep_record=True)
    hands = hands_of(played)
    made = [hand.public for hand in hands if hand.public.maker is not None]
    for seat in SEATS:
        own = [public for public in made if public.maker is seat]
        tricks = [public.tricks_won[seat] for public in own]
        count = played.counts[seat]
        assert count.made == len(own) > 0
        assert count.marches == tricks.count(5)
        assert count.euchred == sum(won < 3 for won in tricks)
        assert count.alone == sum(p.maker_plays.value == "alone" for p in own)
        assert count.defended_alone == sum(p.lone_defender is seat for p in made)
    assert played.passed_out == len(hands) - len(made)


@pytest.mark.parametrize(
    ("bad", "kind", "sentence"),
    [
        (Divides, FaultKind.RAISED, "act raised ZeroDivisionError"),
        (Exits, FaultKind.RAISED, "act raised SystemExit: enough"),
        (ReturnsNothing, FaultKind.ILLEGAL_ACTION, "is a return missing?"),
        (ReturnsText, FaultKind.ILLEGAL_ACTION, "illegal action 'pass' in hand 1: it is not an"),
        (ReturnsNumber, FaultKind.ILLEGAL_ACTION, "it is not an Action"),
        (ReturnsIncomparable, FaultKind.ILLEGAL_ACTION, "it is not an Action"),
        (Revokes, FaultKind.ILLEGAL_ACTION, "does not hold"),
        (ReturnsOdd, FaultKind.ILLEGAL_ACTION, "illegal action <Odd instance> in hand 1: it is"),
        (ReturnsLots, FaultKind.ILLEGAL_ACTION, "it is not an Action"),
        (RaisesSilently, FaultKind.RAISED, "act raised SilentError: <an error whose str fails>"),
        (RaisesControls, FaultKind.RAISED, r"act raised ValueError: \x1b[2J and \ud800"),
        (RaisesPastExceptions, FaultKind.RAISED, "act raised CancelledError"),
    ],
)
def test_a_bad_bot_is_counted_described_and_played_for(
    bad: Factory, kind: FaultKind, sentence: str
) -> None:
    played = play_game([Lot(), bad(), Lot()], format=Session(20), names=("a", "bad", "c"), seed=2)
    assert played.result.hands == 20
    assert played.fault_counts[0] == played.fault_counts[2] == 0
    assert played.fault_counts[1] >= 1
    assert len(played.faults) == min(3, played.fault_counts[1])
    fault = played.faults[0]
    assert (fault.kind, fault.name, fault.seat, fault.method) == (kind, "bad", SEATS[1], "act")
    assert sentence in fault.sentence
    assert f"hand {fault.hand_number} · you are seat 1" in fault.table
    assert fault.forced
    assert bool(fault.traceback) is (kind is FaultKind.RAISED)
    assert len(fault.sentence) < 1000
    for text in (fault.sentence, fault.traceback):
        assert all(sign.isprintable() or sign == "\n" for sign in text)


def test_a_traceback_holds_the_authors_frames_and_no_others() -> None:
    (fault,) = play_game([Divides(), Lot(), Lot()], format=Session(5), seed=1).faults
    assert fault.traceback.count("some_bots.py") == 2
    assert "in weigh" in fault.traceback
    assert "local.py" not in fault.traceback
    assert fault.traceback.endswith("ZeroDivisionError: integer division or modulo by zero")


def test_a_fault_in_a_hook_is_a_fault() -> None:
    played = play_game([Lot(), Lot(), FailsInHooks()], format=Session(3), describe=(9, 9, 9))
    assert played.fault_counts == (0, 0, 5)
    assert [(fault.method, fault.hand_number) for fault in played.faults] == [
        ("game_started", 0),
        ("hand_ended", 1),
        ("hand_ended", 2),
        ("hand_ended", 3),
        ("game_ended", 3),
    ]
    assert played.faults[0].sentence == "game_started raised RuntimeError: no start"


def test_a_bot_that_cannot_be_looked_at_is_at_fault_each_time() -> None:
    played = play_game([Lot(), HasNoAttributes(), Lot()], format=Session(2), seed=1)
    assert [fault.method for fault in played.faults] == ["game_started", "hand_ended", "act"]
    assert played.faults[2].sentence == "act raised LookupError: act"
    assert played.fault_counts[1] > 5


@pytest.mark.parametrize("bad", [Forgets, Cheats])
def test_a_changed_view_ends_the_game_with_a_sentence(bad: Factory) -> None:
    with pytest.raises(DamagedViewError, match=r"^hand 1 between a, b, c cannot go on: one of "):
        play_game([Bold(), bad(), bad()], seed=1, names=("a", "b", "c"))


@pytest.mark.parametrize("step", ["_score", "_by_lead", "defend_alone"])
def test_a_bug_of_the_engine_is_not_laid_at_a_bots_door(
    monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def broken(hand: Hand, *_: object) -> None:
        raise AttributeError("a bug")

    if step == "_by_lead":
        monkeypatch.setattr(sides, "BY_LEAD", [{} for _ in SUITS])
    elif step == "defend_alone":
        monkeypatch.setattr(sides, "defend_alone", broken)
    else:
        monkeypatch.setattr(Hand, step, broken)
    with pytest.raises((AttributeError, KeyError)):
        play_game([Bold(), Modest(), Modest()], seed=1)


def test_only_the_first_faults_are_described() -> None:
    played = play_game([ReturnsNothing(), Lot(), Lot()], format=Session(50), describe=(2, 0, 0))
    assert played.fault_counts[0] > 100
    assert len(played.faults) == 2


def test_a_record_notes_every_fault_and_what_was_played_for_it() -> None:
    played = play_game(
        [Divides(), Lot(), Lot()], format=Session(5), describe=(0, 0, 0), seed=1, keep_record=True
    )
    assert played.record is not None
    (entry,) = [hand for hand in played.record.hands if hand.faults]
    (note,) = entry.faults
    assert (note.seat, note.kind) == (SEATS[0], "raised")
    assert note.reason == "act raised ZeroDivisionError: integer division or modulo by zero"
    assert entry.forced == (ForcedMove(note.decision, "raised"),)
    assert isinstance(note, FaultNote)
    assert played.faults == ()


def test_strict_ends_the_game_at_the_first_fault() -> None:
    with pytest.raises(BotFaultError, match=r"^Divides: act raised ZeroDivisionError") as caught:
        play_game([Lot(), Divides(), Lot()], strict=True)
    assert caught.value.fault.seat is SEATS[1]


def test_ctrl_c_is_nobodys_fault() -> None:
    class Interrupted(Lot):
        def act(self, view: View) -> Action:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_game([Interrupted(), Lot(), Lot()])


def test_two_bots_that_always_score_together_come_to_an_end() -> None:
    played = play_game([KeepsRubbish(), Modest(), Modest()], seed=1)
    assert played.result.score[1] == played.result.score[2] > STANDARD.target
    assert played.result.places == (3, 1, 1)  # A44


def test_one_bot_cannot_sit_at_two_seats() -> None:
    bot = Lot()
    with pytest.raises(ValueError, match="make one for each"):
        play_game([bot, Lot(), bot])


def test_every_bad_bot_is_tried_here() -> None:
    tried = inspect.getsource(inspect.getmodule(test_every_bad_bot_is_tried_here))  # type: ignore[arg-type]
    seated_elsewhere = {"CrashesTheProcess", "Chatty", "Incomparable", "Odd", "SilentError"}
    classes = {
        name
        for name, thing in vars(some_bots).items()
        if inspect.isclass(thing) and thing.__module__ == some_bots.__name__
    }
    assert {name for name in classes - seated_elsewhere if name not in tried} == set()
