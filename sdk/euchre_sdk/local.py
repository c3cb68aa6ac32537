"""One game or session in this process, no network: the loop, and what a bot does wrong in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from euchre_sdk.bot import Bot, GameEnd, GameStart, HandResult, hook
from euchre_sdk.errors import EuchreError
from euchre_sdk.faults import BotFaultError, Fault, FaultBook, NotLegalError
from euchre_sdk.game import (
    SEATS,
    STANDARD,
    Action,
    Deals,
    Format,
    Game,
    GameResult,
    Hand,
    IllegalActionError,
    MakerPlay,
    Public,
    RuleSet,
    Seat,
    SeededDeals,
    ToTarget,
    View,
    fallback,
)
from euchre_sdk.game.cards import HAND_SIZE
from euchre_sdk.game.illegal import refusal
from euchre_sdk.game.record import (
    FaultNote,
    ForcedMove,
    GameRecord,
    HandEntry,
    SeededSource,
)

_PLAYS_ALONE = MakerPlay.ALONE


@dataclass(slots=True)
class SeatCounts:
    """What one seat did in one game."""

    made: int = 0
    """Hands in which it made trump."""
    marches: int = 0
    """Of these, with all five tricks."""
    euchred: int = 0
    """Of these, with fewer than three."""
    alone: int = 0
    """Of these, played without the dummy."""
    defended_alone: int = 0
    """Hands of the others in which it was the lone defender."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGame:
    """A finished game or session and what happened in it."""

    result: GameResult
    passed_out: int
    """Hands in which everybody passed twice."""
    counts: tuple[SeatCounts, SeatCounts, SeatCounts]
    fault_counts: tuple[int, int, int]
    """Faults of seats 0, 1, 2."""
    faults: tuple[Fault, ...]
    """The first of them, described: at most as many of each seat as asked for."""
    record: GameRecord | None = None
    """Everything that happened, if it was asked for."""


def play_game(
    bots: Sequence[Bot],
    *,
    rules: RuleSet = STANDARD,
    format: Format = ToTarget(),
    seed: int | None = None,
    deals: Deals | None = None,
    bot_seeds: Sequence[int] | None = None,
    first_dealer: Seat | None = None,
    names: Sequence[str] | None = None,
    strict: bool = False,
    describe: Sequence[int] = (3, 3, 3),
    keep_record: bool = False,
) -> PlayedGame:
    """Play one game with `bots` at seats 0, 1, 2.

    A bot that raises or returns no legal action has committed a fault: it is counted and the
    fallback of rules §4 is played. With `strict` it ends the game by `BotFaultError`.

    Args:
        bots: Fresh bots. The same one may not sit at two seats.
        rules: The rule set.
        format: A game to the target, or a session.
        seed: Decides the deals and the bots' seeds; drawn if absent.
        deals: Where decks come from, instead of `seed`.
        bot_seeds: Each seat's `GameStart.seed`, instead of `seed`.
        first_dealer: Who deals the first hand, instead of what the rules say.
        names: Names of the bots, for themselves and for messages; else those of their classes.
        strict: Whether a fault ends the game.
        describe: How many faults of each seat to describe in full.
        keep_record: Whether to keep everything that happened.
    """
    first, second, third = bots
    if first is second or second is third or first is third:
        raise ValueError("one bot cannot sit at two seats: make one for each, as in A(), A(), B()")
    if deals is None or bot_seeds is None:
        source = Random(seed)
        deals = deals or SeededDeals(source.getrandbits(64))
        bot_seeds = bot_seeds or [source.getrandbits(64) for _ in SEATS]
    a, b, c = names or [type(bot).__name__ for bot in bots]
    book = FaultBook((a, b, c), describe, strict=strict)
    game = Game(rules, deals, format, first_dealer=first_dealer)
    for seat in SEATS:
        if listen := _listener(bots, seat, "game_started", 0, book):
            start = GameStart(
                seat=seat, rules=rules, format=format, seed=bot_seeds[seat], names=(a, b, c)
            )
            _tell(listen, start, seat, "game_started", 0, book)
    entries: list[HandEntry] | None = [] if keep_record else None
    counts, passed_out = _play_hands(game, bots, book, entries)
    result = game.result
    assert result is not None  # the hands were played to the end
    for seat in SEATS:
        if listen := _listener(bots, seat, "game_ended", result.hands, book):
            end = GameEnd(score=result.score, places=result.places, hands=result.hands)
            _tell(listen, end, seat, "game_ended", result.hands, book)
    return PlayedGame(
        result=result,
        passed_out=passed_out,
        counts=counts,
        fault_counts=(book.counts[0], book.counts[1], book.counts[2]),
        faults=tuple(book.described),
        record=None if entries is None else GameRecord.of(game, (a, b, c), entries, _source(deals)),
    )


def _source(deals: Deals) -> SeededSource | None:
    """Return where a record says that its decks come from."""
    return SeededSource(deals.seed) if isinstance(deals, SeededDeals) else None


def _play_hands(
    game: Game,
    bots: Sequence[Bot],
    book: FaultBook,
    entries: list[HandEntry] | None,
) -> tuple[tuple[SeatCounts, SeatCounts, SeatCounts], int]:
    """Play hands until the game is over; return what each seat did, and the hands passed out."""
    acts = [_act(bot) for bot in bots]
    listeners = [
        (seat, listen) for seat in SEATS if (listen := _listener(bots, seat, "hand_ended", 0, book))
    ]
    counts = SeatCounts(), SeatCounts(), SeatCounts()
    passed_out = 0
    while game.result is None:
        book.missteps.clear()
        hand = game.start_hand()
        _play_hand(hand, acts, book)
        if not _is_whole(hand.public):
            raise _damaged(hand, book)
        points = game.finish_hand()
        if entries is not None:
            entries.append(_entry(hand, game, book))
        public = hand.public
        maker = public.maker
        if maker is None:
            passed_out += 1
        else:
            count = counts[maker]
            count.made += 1
            won = public.leaders.count(maker) - (public.leaders[0] is maker)
            if won == 5:
                count.marches += 1
            elif won < 3:
                count.euchred += 1
            if public.maker_plays is _PLAYS_ALONE:
                count.alone += 1
            if public.lone_defender is not None:
                counts[public.lone_defender].defended_alone += 1
        if listeners:
            told = HandResult(points=points, score=game.score, public=public)
            for seat, listen in listeners:
                _tell(listen, told, seat, "hand_ended", public.hand_number, book)
    return counts, passed_out


class DamagedViewError(EuchreError):
    """A hand cannot go on, because a bot changed what a view holds."""


def _damaged(hand: Hand, book: FaultBook) -> DamagedViewError:
    return DamagedViewError(
        f"hand {hand.public.hand_number} between {', '.join(book.names)} cannot go on: one of them "
        "changed its view, or a list in it. Views are the engine's own, to be read only: change "
        "a copy, as view.freeze() gives, or the hand that view.determinise() gives."
    )


def _is_whole(public: Public) -> bool:
    """Return whether a finished hand still holds what was played in it."""
    if public.maker is None:
        return not public.plays
    size = 3 if public.lone_defender is None else 2
    return len(public.leaders) == HAND_SIZE + 1 and len(public.plays) == HAND_SIZE * size


def _plays_well_again(hand: Hand, last: object) -> bool:
    """Return whether the engine carries a hand's decisions out once nobody can change its views.

    Then what failed was not the engine. `last` is the decision at which it failed.
    """
    try:
        decisions = hand.decisions
    except Exception:  # noqa: BLE001 - what it reads may be anything by now
        return True
    try:
        again = Hand(hand.rules, hand.dealer, hand.deck)
        for action in (*decisions, last):
            if isinstance(action, Action):
                again.apply(action)
    except IllegalActionError:
        return True  # they are no longer the decisions that were made
    except Exception:  # noqa: BLE001 - whatever a bug of the engine raises
        return False
    return True


def _entry(hand: Hand, game: Game, book: FaultBook) -> HandEntry:
    """Return a hand as a record keeps it, with what was decided for a bot."""
    return replace(
        HandEntry.of(hand, game.score),
        forced=tuple(ForcedMove(m.decision, m.kind.value) for m in book.missteps),
        faults=tuple(
            FaultNote(m.seat, m.kind.value, m.decision, m.sentence) for m in book.missteps
        ),
    )


def _play_hand(hand: Hand, acts: Sequence[Callable[[View], Action]], book: FaultBook) -> None:
    """Play one hand to its end. No `try` costs anything while nothing is raised.

    Whatever a bot's code raises is its fault, `SystemExit` too; only Ctrl-C is nobody's.
    """
    apply = hand.apply
    view = hand.view
    action: Any = None
    try:
        while view is not None:
            try:
                action = acts[view.seat](view)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # noqa: BLE001
                action = fallback(view)
                book.add(view.seat, hand.public.hand_number, "act", error, view=view, forced=action)
            try:
                apply(action)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                if not isinstance(error, IllegalActionError) and _is_action(action):
                    raise  # the engine's fault, not the bot's
                _refused(hand, view, action, book)
            view = hand.view
    except (BotFaultError, KeyboardInterrupt):
        raise
    except Exception as error:
        if not _plays_well_again(hand, action):
            raise
        raise _damaged(hand, book) from error


def _is_action(returned: object) -> bool:
    """Return whether a bot kept to the type; what it returns is anything until looked at."""
    return isinstance(returned, Action)


def _refused(hand: Hand, view: View, action: object, book: FaultBook) -> None:
    """Count an action that is not legal and carry out the fallback in its place."""
    sentence = str(refusal(view, action))
    if action is None:
        sentence += " (act returned nothing: is a return missing?)"
    forced = fallback(view)
    number = hand.public.hand_number
    error = NotLegalError(sentence)
    book.add(view.seat, number, "act", error, view=view, forced=forced)
    hand.apply(forced)


def _act(bot: Bot) -> Callable[[View], Action]:
    """Return a bot's `act`; where looking it up raises, what raises that at every decision."""
    try:
        return bot.act
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - a property, or `__getattr__`
        raised, where = error, error.__traceback__

    def act(_: View) -> Action:
        raise raised.with_traceback(where)  # else it would grow each time

    return act


def _listener(
    bots: Sequence[Bot], seat: Seat, name: str, hand_number: int, book: FaultBook
) -> Callable[[Any], object] | None:
    """Return a bot's hook if it has one."""
    try:
        return hook(bots[seat], name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - a property, or `__getattr__`
        book.add(seat, hand_number, name, error)
        return None


def _tell(
    listen: Callable[[Any], object],
    what: Any,
    seat: Seat,
    name: str,
    hand_number: int,
    book: FaultBook,
) -> None:
    """Call a hook of a bot."""
    try:
        listen(what)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - the author's code may raise anything
        book.add(seat, hand_number, name, error)
