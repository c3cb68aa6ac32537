"""Whether faults, forced moves and the end in an arena's record fit together and the rules.

Who did what in how much time only the arena knows; but a forced move is the fallback of the rules,
time-outs are charged, and a forfeit has a reason, its places and its points (docs/protocol.md,
Conduct).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from euchre_sdk.game.cards import Action
from euchre_sdk.game.game import fallback, places
from euchre_sdk.game.hand import Hand
from euchre_sdk.game.hand_state import Points
from euchre_sdk.game.illegal import Reason
from euchre_sdk.game.notation import show_triple
from euchre_sdk.game.record import FaultNote, GameRecord, HandEntry, ResultEntry
from euchre_sdk.game.replay import Replayed
from euchre_sdk.game.rules import Session
from euchre_sdk.game.suits import SEATS, Seat
from euchre_sdk.text import one_line
from euchre_sdk.verify_problem import Problem

TIME, FORFEIT, HOUSE_LATE, UNSUPPORTED = "time", "forfeit", "house_late", "unsupported"
FORCED_CAUSES: tuple[str, ...] = (TIME, FORFEIT, HOUSE_LATE, UNSUPPORTED)
ILLEGAL, MALFORMED = "illegal", "malformed"
FAULT_KINDS: tuple[str, ...] = (ILLEGAL, MALFORMED, TIME)
ARENA_STOPPED = "arena_stopped"
VOID_CAUSES: tuple[str, ...] = ("arena_fault", ARENA_STOPPED)
NORMAL, LOST, VOID, ANNULLED = "normal", "lost", "void", "annulled"
BY_FAULT: tuple[str, ...] = FAULT_KINDS
"""Forfeits that a fault of the same name brought about."""
FORFEITS: tuple[str, ...] = (*BY_FAULT, LOST, FORFEIT)
TERMINATIONS: tuple[str, ...] = (NORMAL, *FORFEITS, VOID, ANNULLED)
_REASONS = {reason.name for reason in Reason}


def conduct_problems(record: GameRecord, replayed: Replayed) -> tuple[list[Problem], list[str]]:
    """Return what is wrong, and which words this version does not know and cannot judge."""
    unknown = list(_unknown_words(record))
    problems: list[Problem] = []
    for line, (entry, hand) in enumerate(zip(record.hands, replayed.hands, strict=True), 2):
        problems += _hand_problems(record, line, entry, hand)
    if record.result is not None and not unknown:
        problems += _ending_problems(record, record.result, replayed)
    return problems, unknown


def _unknown_words(record: GameRecord) -> Iterator[str]:
    said = [
        ("cause of a forced move", FORCED_CAUSES, f.cause) for h in record.hands for f in h.forced
    ]
    said += [("kind of fault", FAULT_KINDS, f.kind) for h in record.hands for f in h.faults]
    said += [
        ("cause of a void hand", VOID_CAUSES, h.void) for h in record.hands if h.void is not None
    ]
    if record.result is not None:
        said += [("kind of fault", FAULT_KINDS, f.kind) for f in record.result.open_faults]
        said += [("end of a game", TERMINATIONS, how) for how in record.result.terminations]
    for what, known, word in said:
        if word not in known:
            yield f"this euchre-sdk knows no {what} that is called {one_line(word)}"


# Hands.


def _hand_problems(
    record: GameRecord, line: int, entry: HandEntry, hand: Hand
) -> Iterator[Problem]:
    place = f"hand {entry.hand_number}"
    made = [move.decision for move in entry.forced]
    charged = [fault.decision for fault in entry.faults]
    if made != sorted(set(made)) or made[-1:] > [len(entry.decisions) - 1]:
        yield Problem(line=line, where=place, what="forced moves: they are not decisions in order")
        return
    if charged != sorted(charged):
        yield Problem(line=line, where=place, what="faults: they are not in order")
    timed_out = [fault.decision for fault in entry.faults if fault.kind == TIME]
    by_time = [move.decision for move in entry.forced if move.cause == TIME]
    # What was decided when the arena stopped is lost; what was charged is not.
    lost = entry.void == ARENA_STOPPED and not entry.decisions
    if timed_out != by_time and not lost:
        what = "decisions that time ran out for"
        yield Problem.disagreement(line, place, what, _numbers(timed_out), _numbers(by_time))
    seats, fallbacks = _asked(entry, hand)
    for move in entry.forced:
        number, seat = move.decision, seats[move.decision]
        action, modest = entry.decisions[number], fallbacks[number]
        what = f"decision {number + 1}, forced by {move.cause}"
        if move.cause == HOUSE_LATE:
            if not _is_derived(record, seat):
                yield Problem(line=line, where=place, what=f"{what}: seat {seat} is no house bot's")
        elif action != modest:
            yield Problem.disagreement(line, place, what, str(action), str(modest))
        elif move.cause == FORFEIT and not _has_forfeited(record, seat):
            why = f"{what}: seat {seat} did not forfeit"
            yield Problem(line=line, where=place, what=why)
    for fault in entry.faults:
        if not (lost and fault.decision >= len(seats)):
            yield from _fault_problems(line, place, fault, seats)


def _fault_problems(
    line: int, place: str, fault: FaultNote, seats: Sequence[Seat]
) -> Iterator[Problem]:
    """Yield what is wrong with a fault; `seats` are those that were asked, decision by decision."""

    def wrong(subject: str, found: object, expected: object) -> Problem:
        return Problem.disagreement(line, place, subject, str(found), str(expected))

    if fault.decision >= len(seats):
        yield wrong("decision of a fault", fault.decision, f"one from 0 to {len(seats) - 1}")
        return
    asked = seats[fault.decision]
    if fault.seat != asked:
        yield wrong(f"seat at fault in decision {fault.decision + 1}", fault.seat, asked)
    if fault.kind == TIME and fault.reason != TIME.upper():
        yield wrong("reason of a fault", one_line(fault.reason), TIME.upper())
    if fault.kind == ILLEGAL and fault.reason not in _REASONS:
        yield wrong("reason of a fault", one_line(fault.reason), "a reason of the rules")


def _asked(entry: HandEntry, hand: Hand) -> tuple[list[Seat], list[Action]]:
    """Return who was asked for each decision, the one that a void hand left open too.

    With them the fallback of each.
    """
    again = Hand(hand.rules, hand.dealer, hand.deck)
    seats: list[Seat] = []
    fallbacks: list[Action] = []
    for action in (*entry.decisions, None):
        view = again.view
        if view is None:
            break
        seats.append(view.seat)
        fallbacks.append(fallback(view))
        if action is not None:
            again.apply(action)
    return seats, fallbacks


def _is_derived(record: GameRecord, seat: Seat) -> bool:
    return bool(getattr(record.source, "derived", (False,) * 3)[seat])


def _has_forfeited(record: GameRecord, seat: Seat) -> bool:
    return record.result is None or record.result.terminations[seat] in (*FORFEITS, ANNULLED)


def _numbers(decisions: Sequence[int]) -> str:
    return ", ".join(str(number + 1) for number in decisions) or "none"


# The end.


def _ending_problems(
    record: GameRecord, result: ResultEntry, replayed: Replayed
) -> Iterator[Problem]:
    line = len(record.hands) + 2

    def wrong(subject: str, found: object, expected: object) -> Problem:
        return Problem.disagreement(line, "result", subject, str(found), str(expected))

    counted = [entry for entry in record.hands if entry.void is None]
    how = result.terminations
    gone = [seat for seat in SEATS if how[seat] in FORFEITS]
    complete = replayed.result is not None
    if ANNULLED not in how:  # else nobody says any more who forfeited
        yield from _forfeit_problems(record, result, gone, is_complete=complete)
    if result.is_normal:
        return  # the replay has compared it
    if result.hands != len(counted):
        yield wrong("number of hands", result.hands, len(counted))
    score = counted[-1].score if counted else (0, 0, 0)
    if gone:
        others = {how[seat] for seat in SEATS if seat not in gone}
        if others - {NORMAL}:
            yield wrong("end for who did not forfeit", ", ".join(sorted(others)), NORMAL)
        right = _forfeit_score(record, counted, gone, score)
        placed: Points | None = _forfeit_places(right, gone)
    else:
        if len(set(how)) > 1:
            yield wrong("ends", ", ".join(map(one_line, how)), "the same for all")
        right, placed = score, None
        somebody_forfeited = any(entry.in_forfeit for entry in counted)
        if ANNULLED in how and replayed.result is not None and not somebody_forfeited:
            placed = replayed.result.places
    if result.score != right:
        yield wrong("score", show_triple(result.score), show_triple(right))
    if result.places != placed:
        said = "none" if result.places is None else show_triple(result.places)
        yield wrong("places", said, "none" if placed is None else show_triple(placed))


def _forfeit_problems(
    record: GameRecord, result: ResultEntry, gone: Sequence[Seat], *, is_complete: bool
) -> Iterator[Problem]:
    """Yield forfeits that nothing in the hands bears out, and hands in one that nobody made."""
    line = len(record.hands) + 2
    last = next((entry for entry in reversed(record.hands) if entry.void is None), None)
    for number, entry in enumerate(record.hands, 2):
        place = f"hand {entry.hand_number}"
        if entry.in_forfeit and (entry is not last or not gone):
            yield Problem.disagreement(number, place, "in_forfeit", "true", "false")
        by_forfeit = any(move.cause == FORFEIT for move in entry.forced)
        if by_forfeit and entry.void is None and not entry.in_forfeit:
            yield Problem.disagreement(number, place, "in_forfeit", "false", "true")
    in_forfeit = last is not None and last.in_forfeit
    if gone and is_complete and not in_forfeit:
        yield Problem(line=line, where="result", what="the game was over before anybody forfeited")
    for seat in gone:
        how, what = result.terminations[seat], f"end for seat {seat}"
        if how not in BY_FAULT:
            continue
        kind, entry_of = _last_fault(record, result, seat)
        if kind != how:
            yield Problem.disagreement(line, "result", what, how, kind, gives="its last fault")
        elif entry_of is not None and entry_of.void is None and not entry_of.in_forfeit:
            why = f"{what}: the record says {how}, but its last hand was played without a forfeit"
            yield Problem(line=line, where="result", what=why)


def _last_fault(
    record: GameRecord, result: ResultEntry, seat: Seat
) -> tuple[str, HandEntry | None]:
    """Return the kind of a seat's last fault, and its hand, `None` if that is not in the record."""
    still_open = [fault.kind for fault in result.open_faults if fault.seat == seat]
    if still_open:
        return still_open[-1], None
    for entry in reversed(record.hands):
        kinds = [fault.kind for fault in entry.faults if fault.seat == seat]
        if kinds:
            return kinds[-1], entry
    return "none", None


def _forfeit_score(
    record: GameRecord, counted: Sequence[HandEntry], gone: Sequence[Seat], score: Points
) -> Points:
    """Return the points of a forfeited game: those played for; in a session none for who is gone.

    A session leaves the hand out in which the forfeit fell.
    """
    if not isinstance(record.format, Session):
        return score
    whole = [entry.points for entry in counted if not entry.in_forfeit]
    a, b, c = (0 if s in gone else sum(points[s] for points in whole) for s in SEATS)
    return a, b, c


def _forfeit_places(score: Points, gone: Sequence[Seat]) -> Points:
    """Return the places: who forfeited shares the last one, the others stand by score."""
    worst = min(score) - 1
    a, b, c = (worst if seat in gone else score[seat] for seat in SEATS)
    return places((a, b, c))
