"""Arenas that leak, each in one way: what the proof must find.

Every mutant is a small change of the arena by its public names. `Truth` lets it see all cards,
which the arena's own code cannot do where it writes messages.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterable
from typing import Any

import structlog
import trio
from pytest import MonkeyPatch  # noqa: PT013 - the name of a type

from arena.metrics import Metrics
from arena.referee.outputs import HandEnded, Output, Question, StoreFault
from arena.referee.table import Table
from arena.rpc.play import messages
from arena.rpc.play.link import PlayedGame
from euchre.v1 import play_pb2
from euchre_sdk.game import SEATS, Card, Hand, Public, View
from euchre_sdk.game.illegal import refusal
from euchre_sdk.wire_question import question_bytes
from tests.leaks.answers import CARD

Mutant = Callable[[MonkeyPatch], None]
MUTANTS: dict[str, Mutant] = {}
"""All mutants, by what they let out."""
_METHODS = ("nonces_stored", "hand_stored", "answer", "refuse", "unsupported", "expire", "forfeit")


def lets_out(what: str) -> Callable[[Mutant], Mutant]:
    """Enter a mutant in the list."""

    def enter(mutant: Mutant) -> Mutant:
        assert what not in MUTANTS
        MUTANTS[what] = mutant
        return mutant

    return enter


class Truth:
    """Finds the whole hand that something public belongs to."""

    def __init__(self, patch: MonkeyPatch, then: Callable[[Hand], None] = lambda _: None) -> None:
        self._hands: dict[int, Hand] = {}
        make = Hand.__init__

        def made(hand: Hand, *args: Any, **options: Any) -> None:
            make(hand, *args, **options)
            self._hands[id(hand.public)] = hand
            then(hand)

        patch.setattr(Hand, "__init__", made)

    def of(self, public: Public) -> Hand:
        return self._hands[id(public)]


def numbers(cards: Iterable[Card]) -> list[Any]:
    return [card + 1 for card in cards]


def in_questions(patch: MonkeyPatch, more: Callable[[View, Hand], dict[str, Any]]) -> None:
    """Add fields to every question."""
    truth = Truth(patch)

    def encoded(slot: int, seq: int, view: View) -> bytes:
        added = play_pb2.Question(**more(view, truth.of(view.public)))
        return question_bytes(slot, seq, view) + added.SerializeToString()

    patch.setattr("arena.rpc.play.link.question_bytes", encoded)


def in_outputs(patch: MonkeyPatch, more: Callable[[Table, Output], Iterable[Output]]) -> None:
    """Add something to what tables want done."""
    for name in _METHODS:
        method = getattr(Table, name)

        def called(table: Table, *args: Any, _method: Any = method, **options: Any) -> list[Output]:
            outputs = _method(table, *args, **options)
            return [each for out in outputs for each in (out, *more(table, out))]

        patch.setattr(Table, name, called)


@lets_out("the dummy's rest")
def _(patch: MonkeyPatch) -> None:
    def rest(view: View, hand: Hand) -> dict[str, Any]:
        maker = view.public.maker
        return {} if maker is None else {"buried": numbers(hand.views[maker].buried)}

    in_questions(patch, rest)


@lets_out("the dummy before the maker has said that he plays with it")
def _(patch: MonkeyPatch) -> None:
    in_questions(patch, lambda _view, hand: {"dummy": numbers(hand.dummy)})


@lets_out("the dealer's discard")
def _(patch: MonkeyPatch) -> None:
    def discard(view: View, hand: Hand) -> dict[str, Any]:
        card = hand.views[view.dealer].discard
        return {} if card is None else {"discard": card + 1}

    in_questions(patch, discard)


@lets_out("another seat's legal actions")
def _(patch: MonkeyPatch) -> None:
    def to_all(_table: Table, out: Output) -> Iterable[Output]:
        if isinstance(out, Question):
            for seat in SEATS:
                if seat is not out.seat:
                    yield Question(seat, out.seq, out.view, out.asked, out.budget)

    in_outputs(patch, to_all)


@lets_out("what the next seat could follow with")
def _(patch: MonkeyPatch) -> None:
    def following(view: View, hand: Hand) -> dict[str, Any]:
        after = hand.views[view.seat.left].hand
        return {"legal_cards": numbers(card for card in after if str(card).endswith("S"))}

    in_questions(patch, following)


@lets_out("the hand of the partner who sits out")
def _(patch: MonkeyPatch) -> None:
    def partner(view: View, hand: Hand) -> dict[str, Any]:
        out = view.sitting_out
        return {} if out is None else {"hand": numbers(hand.views[out].hand)}

    in_questions(patch, partner)


@lets_out("the stock")
def _(patch: MonkeyPatch) -> None:
    in_questions(patch, lambda _view, hand: {"plays": numbers(hand.stock[:1])})


@lets_out("whether the maker changed a card")
def _(patch: MonkeyPatch) -> None:
    def changed(view: View, hand: Hand) -> dict[str, Any]:
        maker = view.public.maker
        buried = 0 if maker is None else hand.views[maker].buried_mask
        own = 0 if maker is None else hand.views[maker].dummy_mask
        return {"target": 99} if buried != own else {}

    in_questions(patch, changed)


@lets_out("how many spades another seat holds, by the length of a question")
def _(patch: MonkeyPatch) -> None:
    truth = Truth(patch)

    def encoded(slot: int, seq: int, view: View) -> bytes:
        hand = truth.of(view.public)
        held = hand.views[view.seat.right].hand
        spades = sum(str(card).endswith("S") for card in held)
        return question_bytes(slot, seq, view) + b"\x98\x06\x01" * spades  # a field nobody knows

    patch.setattr("arena.rpc.play.link.question_bytes", encoded)


@lets_out("a hidden card, by the instant of a question")
def _(patch: MonkeyPatch) -> None:
    truth, answer = Truth(patch), Table.answer

    def slowly(table: Table, *args: Any) -> Any:
        hand = None if table.public is None else truth.of(table.public)
        outputs = answer(table, *args)
        if hand is not None and hand.dummy[0].mask & 0xFFFF:
            clock: Any = trio.lowlevel.current_clock()
            clock.jump(0.001)  # as if this had taken longer
        return outputs

    patch.setattr(Table, "answer", slowly)


@lets_out("the seed, in the offer")
def _(patch: MonkeyPatch) -> None:
    write = messages.write_offer

    def offered(order: Any, **options: Any) -> play_pb2.GameOffer:
        offer = write(order, **options)
        offer.deal_set_id += order.seed.hex()
        return offer

    patch.setattr(messages, "write_offer", offered)


@lets_out("the seed, by an id")
def _(patch: MonkeyPatch) -> None:
    write = messages.write_offer

    def offered(order: Any, **options: Any) -> play_pb2.GameOffer:
        offer = write(order, **options)
        offer.game_id = hashlib.sha256(order.seed).hexdigest()[:8]
        return offer

    patch.setattr(messages, "write_offer", offered)


@lets_out("the seed, before the game is over")
def _(patch: MonkeyPatch) -> None:
    write = messages.write_start

    def started(order: Any, told: Any) -> play_pb2.GameStart:
        start = write(order, told)
        start.nonces[0] = order.seed
        return start

    patch.setattr(messages, "write_start", started)


@lets_out("the faults of others while the hand is played")
def _(patch: MonkeyPatch) -> None:
    standing = Table.standing

    def summed(table: Table, *args: Any) -> Any:
        faults = sum(sitter.faults for sitter in table.sitters)
        return dataclasses.replace(standing(table, *args), faults=faults)

    patch.setattr(Table, "standing", summed)


@lets_out("another seat's question, to a bot that comes back")
def _(patch: MonkeyPatch) -> None:
    standing = Table.standing

    def asked(table: Table, *args: Any) -> Any:
        return dataclasses.replace(standing(table, *args), question=table.question)

    patch.setattr(Table, "standing", asked)


def overheard(patch: MonkeyPatch, writer: str, cards: Callable[[Any], list[Any]]) -> None:
    """Add to every question the cards of the last such notice, whoever it was for."""
    write = getattr(messages, writer)
    last: list[Any] = []

    def written(told: Any) -> play_pb2.Notice:
        notice: play_pb2.Notice = write(told)
        last[:] = cards(notice)
        return notice

    patch.setattr(messages, writer, written)
    in_questions(patch, lambda _view, _hand: {"plays": last})


@lets_out("which cards another seat was told are legal when it was refused")
def _(patch: MonkeyPatch) -> None:
    def cards(notice: play_pb2.Notice) -> list[Any]:
        words = notice.answer_refused.message.replace(",", " ").replace(".", " ").split()
        return [CARD[word] for word in words if word in CARD]

    overheard(patch, "write_refused", cards)


@lets_out("which cards were forced on another seat")
def _(patch: MonkeyPatch) -> None:
    overheard(patch, "write_forced", lambda notice: notice.move_forced.cards[:])


@lets_out("a hidden card, in the text of a refusal")
def _(patch: MonkeyPatch) -> None:
    truth = Truth(patch)

    def said(view: View, action: object) -> Any:
        error = refusal(view, action)
        dummy = truth.of(view.public).dummy
        error.args = (f"{error} The dummy holds {dummy[0]}.",)
        return error

    patch.setattr("euchre_sdk.game.hand.refusal", said)


@lets_out("his hand to a dealer who names trump blind")
def _(patch: MonkeyPatch) -> None:
    def show(hand: Hand) -> None:
        hand.views[hand.dealer].hand_mask |= hand._blind_mask

    Truth(patch, show)


@lets_out("the dummy, at the end of the hand")
def _(patch: MonkeyPatch) -> None:
    truth, write = Truth(patch), messages.PUBLIC[HandEnded]

    def ended(told: HandEnded) -> play_pb2.Notice:
        notice = write(told)
        notice.hand_end.plays.extend(numbers(truth.of(told.hand.public).dummy))
        return notice

    patch.setitem(messages.PUBLIC, HandEnded, ended)


@lets_out("the dealer's discard, to those who follow")
def _(patch: MonkeyPatch) -> None:
    truth, write = Truth(patch), messages.write_actions

    def actions(public: Public, *args: Any) -> play_pb2.Notice:
        notice = write(public, *args)
        card = truth.of(public).views[public.dealer].discard
        if card is not None:
            notice.public_actions.plays.append(card + 1)  # type: ignore[arg-type]
        return notice

    patch.setattr(messages, "write_actions", actions)


@lets_out("a hand, in a debug line of the log")
def _(patch: MonkeyPatch) -> None:
    def encoded(slot: int, seq: int, view: View) -> bytes:
        structlog.get_logger().debug("asked", hand=[str(card) for card in view.hand])
        return question_bytes(slot, seq, view)

    patch.setattr("arena.rpc.play.link.question_bytes", encoded)


@lets_out("how many cards are legal, in a debug line of the log")
def _(patch: MonkeyPatch) -> None:
    def encoded(slot: int, seq: int, view: View) -> bytes:
        structlog.get_logger().debug("asked", legal=len(view.legal))
        return question_bytes(slot, seq, view)

    patch.setattr("arena.rpc.play.link.question_bytes", encoded)


@lets_out("the seed, in a line of the log")
def _(patch: MonkeyPatch) -> None:
    write = messages.write_offer

    def offered(order: Any, **options: Any) -> play_pb2.GameOffer:
        structlog.get_logger().info("offered", seed=order.seed.hex())
        return write(order, **options)

    patch.setattr(messages, "write_offer", offered)


@lets_out("that somebody was charged with a fault, in the arena's status")
def _(patch: MonkeyPatch) -> None:
    keep, store = PlayedGame.keep, PlayedGame.store
    counts: list[Metrics] = []

    async def kept(game: PlayedGame, journal: Any, tell: Any, metrics: Metrics) -> Any:
        counts[:] = [metrics]
        return await keep(game, journal, tell, metrics)

    def stored(game: PlayedGame, fact: Any) -> None:
        if isinstance(fact, StoreFault):
            counts[0].faults[fact.fault.kind] += 1
        store(game, fact)

    patch.setattr(PlayedGame, "keep", kept)
    patch.setattr(PlayedGame, "store", stored)


@lets_out("a hand, by the words of a failure in the log")
def _(patch: MonkeyPatch) -> None:
    void = Table.void

    def voided(table: Table, *args: Any) -> Any:
        structlog.get_logger().error("table_failed", exc_info=True)
        return void(table, *args)

    patch.setattr(Table, "void", voided)
