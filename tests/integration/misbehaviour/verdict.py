"""Whether a case came out as its row says: each check is one demand on the arena."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from itertools import accumulate, pairwise

from arena.referee import FaultKind, ForcedCause, Termination
from euchre.v1 import play_pb2, types_pb2
from euchre_sdk.game import (
    SEATS,
    Hand,
    Session,
    VerifiableDeals,
    fallback,
    read_record,
    replay_record,
    write_record,
)
from euchre_sdk.game.game import places
from euchre_sdk.game.replay import attempt_number
from tests.integration.misbehaviour.cases import Clock, Ending
from tests.integration.misbehaviour.evidence import Evidence, Seen

FAULT_LIMIT = 3
_EXIT_CODES = {"crash": 70, "exit": 0, "kill": -9, "stop": -9}
_US = timedelta(microseconds=1)


def misbehaved(e: Evidence) -> None:
    """It did what it was to do, when it was to do it."""
    did = [line.split() for line in e.said if line.startswith("did ")]
    deed, _, _ = e.case.row.deed.partition("=")
    assert did
    assert {(moment, what) for _, moment, what, *_ in did} == {(e.case.moment.value, deed)}
    assert len(did) == 1 or e.case.row.times == "always"
    expected = 0 if e.case.row.thaw else _EXIT_CODES.get(deed)
    assert e.exit_code == expected


def ended_as_it_should(e: Evidence) -> None:
    """The offender bears it, nobody else; the store says the same as the table."""
    how = e.outcome.terminations
    assert how[e.case.seat] in e.case.terminations
    began = e.case.row.ending is not Ending.NEVER_BEGAN
    normal = Termination.NORMAL if began else Termination.NOT_STARTED
    assert {how[seat] for seat in e.others} == {normal}
    assert e.outcome.not_ready == (() if began else (e.case.seat,))
    assert e.kept.game.terminations == how
    assert e.kept.game.points == e.outcome.points
    assert e.kept.game.places == e.outcome.places
    assert e.kept.hands == e.outcome.hands


def faults_are_the_offenders(e: Evidence) -> None:
    """What is charged is what was done, so often, and to nobody else."""
    row = e.case.row
    charged = [fault for hand in e.kept.hands for fault in hand.faults]
    waits = row.ending is Ending.VANISHED and e.case.clock is Clock.LOST_FIRST
    if row.ending is Ending.PLAYS_ON:
        expected = [row.kind] * row.faults
    elif row.ending is Ending.NEVER_BEGAN or waits:
        expected = []
    else:
        expected = [row.kind or FaultKind.TIME] * FAULT_LIMIT
    assert [fault.kind for fault in charged] == expected
    assert {fault.seat for fault in charged} <= {e.case.seat}
    assert e.outcome.faults[e.case.seat] == len(charged)
    assert sum(e.outcome.faults) == len(charged)
    assert e.kept.loose_faults == 0


def moves_were_forced_on_the_offender_alone(e: Evidence) -> None:
    """The arena decides for who forfeited or is late, and for nobody else."""
    causes = Counter(move.cause for hand in e.kept.hands for move in hand.forced)
    charged = Counter(fault.kind for hand in e.kept.hands for fault in hand.faults)
    forfeited = e.outcome.terminations[e.case.seat].is_forfeit
    assert causes[ForcedCause.TIME] == charged[FaultKind.TIME]
    assert causes[ForcedCause.UNSUPPORTED] == (e.case.row.deed == "unsupported")
    assert forfeited or not causes[ForcedCause.FORFEIT]
    assert set(causes) <= {ForcedCause.TIME, ForcedCause.UNSUPPORTED, ForcedCause.FORFEIT}
    if e.kept.record is not None:
        played = replay_record(e.kept.record).hands
        for hand, stored in zip(played, e.kept.hands, strict=True):
            seats = [seat for seat, _ in hand.public.history]
            assert {seats[move.decision] for move in stored.forced} <= {e.case.seat}
            assert {seats[fault.decision] for fault in stored.faults} <= {e.case.seat}


def points_are_those_of_the_hands(e: Evidence) -> None:
    """Points and places follow from the stored hands (docs/protocol.md, Conduct)."""
    if not e.outcome.started:
        assert e.kept.hands == ()
        return
    forfeited = e.outcome.terminations[e.case.seat].is_forfeit
    assert [hand.void for hand in e.kept.hands] == [None] * len(e.kept.hands)
    assert [hand.in_forfeit for hand in e.kept.hands[:-1]] == [False] * (len(e.kept.hands) - 1)
    assert e.kept.hands[-1].in_forfeit == forfeited
    session = isinstance(e.case.game.format, Session)
    counted = [hand.points for hand in e.kept.hands if not (session and hand.in_forfeit)]
    points = [sum(each[seat] for each in counted) for seat in SEATS]
    ranked = list(points)
    if forfeited:
        ranked[e.case.seat] = -1
        if session:
            points[e.case.seat] = 0
    elif session:
        assert len(e.kept.hands) == e.case.game.format.hands
    else:
        assert max(points) >= e.case.game.rules.target
    assert e.outcome.points == tuple(points)
    assert e.outcome.places == places(tuple(ranked))
    scores = list(accumulate((hand.points for hand in e.kept.hands), _add))
    assert [hand.score for hand in e.kept.hands] == scores


def every_clock_was_charged_for_its_own_decisions(e: Evidence) -> None:
    """A time-out takes what the increment does not give, and nothing is charged to the others."""
    if e.kept.record is None:
        return
    control = e.case.clock.control
    full, increment = control.bank // _US, control.increment // _US
    limit, allowance = control.limit // _US, control.allowance // _US
    played = replay_record(e.kept.record).hands
    for seat in SEATS:
        low = high = full  # how much there can be in the bank: what was allowed for is not stored
        for hand, stored in zip(played, e.kept.hands, strict=True):
            causes = {move.decision: move.cause for move in stored.forced}
            for number, (who, _) in enumerate(hand.public.history):
                cause, spent = causes.get(number), stored.spent_us[number]
                if who == seat and cause is ForcedCause.TIME:
                    low, high = (max(0, bank - (limit - increment)) for bank in (low, high))
                elif who == seat and cause is None:
                    assert spent <= limit + allowance
                    low = max(0, low - max(0, spent + 1 - increment))
                    high = max(0, high - max(0, spent - allowance - increment))
            assert low <= stored.bank_us[seat] <= high
            low = high = stored.bank_us[seat]
        seen = e.others.get(seat)
        if seen is not None:
            left = [question.bank_duration.ToTimedelta() for question in seen.questions]
            assert left[0] == control.bank
            assert all(later <= earlier for earlier, later in pairwise(left))
            assert left[-1] // _US >= low


def forced_moves_are_the_fallback(e: Evidence) -> None:
    """What the arena plays for a seat is what the rules say (docs/rules.md, 4)."""
    rules = e.case.game.rules
    for stored in e.kept.hands:
        hand = Hand(rules, stored.dealer, stored.deck)
        forced = {move.decision for move in stored.forced}
        for number, action in enumerate(stored.decisions):
            if number in forced:
                assert action == fallback(hand.view)
            hand.apply(action)


def the_others_saw_a_whole_game(e: Evidence) -> None:
    """They are offered the game once, asked every question once, told every hand, and its end."""
    for seat, seen in e.others.items():
        assert seen.offers == 1
        assert not seen.snapshots
        for hidden in ("answer_refused", "answer_dropped", "move_forced", "hand_voided"):
            assert seen.of(hidden) == []
        if not e.outcome.started:
            (withdrawn,) = seen.of("offer_withdrawn")
            assert withdrawn.reason == play_pb2.WITHDRAWAL_REASON_OTHER_NOT_READY
            assert seen.of("game_start") == seen.of("game_over") == seen.questions == []
            continue
        assert seen.of("offer_withdrawn") == []
        (start,) = seen.of("game_start")
        assert tuple(start.nonces) == e.kept.game.nonces
        assert [question.seq for question in seen.questions] == list(
            range(1, len(seen.questions) + 1)
        )
        assert {question.seat for question in seen.questions} == {seat}
        _saw_hands(e, seen)
        _saw_the_end(e, seen)


def _saw_hands(e: Evidence, seen: Seen) -> None:
    ended = seen.of("hand_end")
    assert [tuple(each.points) for each in ended] == [hand.points for hand in e.kept.hands]
    assert [tuple(each.score) for each in ended] == [hand.score for hand in e.kept.hands]
    charged = list(accumulate(len(hand.faults) for hand in e.kept.hands))
    told = [each.faults[e.case.seat] if each.faults else 0 for each in ended]
    assert told == charged
    forced = [each.forced_moves[e.case.seat] if each.forced_moves else 0 for each in ended]
    assert forced == [len(hand.forced) for hand in e.kept.hands]


def _saw_the_end(e: Evidence, seen: Seen) -> None:
    (over,) = seen.of("game_over")
    assert tuple(over.points) == e.outcome.points
    assert tuple(over.places) == e.outcome.places
    told = [types_pb2.Termination.Name(how) for how in over.terminations]
    assert told == [f"TERMINATION_{how.name}" for how in e.outcome.terminations]
    assert over.hands == len(e.kept.hands)
    assert bool(over.message) == any(how.is_forfeit for how in e.outcome.terminations)
    assert seen.notices[-1].HasField("game_over")


def the_offender_was_told(e: Evidence) -> None:
    """It is told what was wrong, by its reason; and of the end, if it was there."""
    row, own = e.case.row, e.own
    heard = {
        *(f"refused {_short(each, 'reason')}" for each in own.of("answer_refused")),
        *(f"dropped {_short(each, 'reason')}" for each in _dropped(e)),
        *(f"withdrawn {_short(each, 'reason')}" for each in own.of("offer_withdrawn")),
        *_goodbyes(e),
    } - {"goodbye DONE"}
    stays = row.ending not in {Ending.VANISHED, Ending.NEVER_BEGAN} and row.deed != "stop"
    assert row.told <= heard
    if stays or row.thaw:
        assert heard == row.told
        causes = [_short(each, "cause") for each in own.of("move_forced")]
        assert causes == [move.cause.name for hand in e.kept.hands for move in hand.forced]
        _saw_the_end(e, own)
        assert own.offers == 1
    refusals = own.of("answer_refused")
    assert all("egal: " in each.message for each in refusals)
    assert [each.faults for each in refusals] == list(range(1, len(refusals) + 1))


def it_came_back_to_its_question(e: Evidence) -> None:
    """Every stream of its link tells the game as it stands; the time for the answer has gone on."""
    welcomes = [each.welcome for each in e.responses if each.HasField("welcome")]
    assert len({each.link_id for each in welcomes}) == 1
    assert len({each.resume_secret for each in welcomes}) == 1
    asked: dict[int, play_pb2.Question] = {}
    for question in e.own.questions:
        before = asked.setdefault(question.seq, question)
        assert before.hand == question.hand
        assert before.legal_kinds == question.legal_kinds
        left, had = question.answer_duration.ToTimedelta(), before.answer_duration.ToTimedelta()
        assert left < had or question is before
    for saved in e.own.snapshots:
        assert saved.ready or e.case.moment.value == "ready"
        assert saved.offer.seat == e.case.seat


def the_record_replays(e: Evidence) -> None:
    """What is stored is played again to the same scores, from decks that nobody chose."""
    record = e.kept.record
    if record is None:
        return
    assert read_record(write_record(record).encode()) == record
    replayed = replay_record(record)
    points = [hand.points for hand in replayed.hands]
    assert points == [hand.points for hand in e.kept.hands]
    deals = VerifiableDeals(record.source.seed, record.source.nonces)
    for hand in record.hands:
        deck = deals.deck(record.rules, hand.hand_number, attempt_number(hand))
        assert tuple(deck) == hand.deck


def nothing_is_left(e: Evidence) -> None:
    """The arena has forgotten the game, its table and its link."""
    assert e.left_over == ()


CHECKS = (
    misbehaved,
    ended_as_it_should,
    faults_are_the_offenders,
    moves_were_forced_on_the_offender_alone,
    points_are_those_of_the_hands,
    every_clock_was_charged_for_its_own_decisions,
    forced_moves_are_the_fallback,
    the_others_saw_a_whole_game,
    the_offender_was_told,
    it_came_back_to_its_question,
    the_record_replays,
    nothing_is_left,
)


def _dropped(e: Evidence) -> list:
    """Return every answer that was dropped, those for games it does not play too."""
    return [
        notice.answer_dropped
        for response in e.responses
        for notice in response.notices
        if notice.HasField("answer_dropped")
    ]


def _goodbyes(e: Evidence) -> set[str]:
    """Return why its streams were ended, as it printed it."""
    lines = [line.split() for line in e.said if line.startswith("goodbye ")]
    return {f"goodbye {word.rstrip(':').removeprefix('GOODBYE_REASON_')}" for _, word, *_ in lines}


def _short(notice, field: str) -> str:
    """Return the name of an enum's value without that of the enum."""
    kind = notice.DESCRIPTOR.fields_by_name[field].enum_type
    prefix = {"RefusalReason": "REFUSAL_REASON_", "DropReason": "DROP_REASON_"}
    prefix |= {"ForcedCause": "FORCED_CAUSE_", "WithdrawalReason": "WITHDRAWAL_REASON_"}
    name: str = kind.values_by_number[getattr(notice, field)].name
    return name.removeprefix(prefix[kind.name])


def _add(one, other):
    return tuple(a + b for a, b in zip(one, other, strict=True))
