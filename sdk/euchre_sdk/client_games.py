"""The games a bot plays on one link: offers, questions and notices, without any network.

A `PlayResponse` goes in, answers come out one by one, so that a slow bot's first answers leave
before its last ones are thought out.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, assert_never

from euchre.v1 import play_pb2
from euchre_sdk.author_traceback import author_traceback
from euchre_sdk.bot import Bot, BotFactory, GameEnd, HandResult, hook
from euchre_sdk.client_begun import Begun
from euchre_sdk.client_doubts import incarnation_doubts, seed_doubts, start_doubts
from euchre_sdk.client_receipts import Receipts
from euchre_sdk.client_telling import result_line, tell_forced
from euchre_sdk.game import Action, Format, RuleSet, Seat, View, fallback
from euchre_sdk.game.illegal import refusal
from euchre_sdk.wire_answer import write_answer, write_unsupported
from euchre_sdk.wire_events import (
    NONCE_SIZE,
    read_game_over,
    read_game_start,
    read_hand_end,
    termination_name,
)
from euchre_sdk.wire_question import read_question
from euchre_sdk.wire_values import MalformedMessageError, read_format, read_rules, read_seat

log = logging.getLogger("euchre_sdk")

_MOST_TOLD = 20
"""Different errors of a bot that are shown; further ones are only counted."""


@dataclass(slots=True)
class Counts:
    """What a bot has done in an arena so far."""

    games: int = 0
    """Games and sessions that ended."""
    decisions: int = 0
    """Questions answered."""
    bot_errors: int = 0
    """Times the bot raised or chose what is not legal; the fallback was sent instead."""
    refused: int = 0
    """Answers the arena refused."""
    dropped: int = 0
    """Answers the arena did not look at: late, duplicate or unknown."""
    forced: int = 0
    """Moves the arena made for the bot."""
    unsupported: int = 0
    """Questions this package did not understand."""
    unknown: int = 0
    """Notices this package did not know."""


@dataclass(slots=True)
class _Game:
    slot: int
    game_id: str
    seat: Seat
    rules: RuleSet
    format: Format
    bot: Bot
    nonce: bytes
    offer: play_pb2.GameOffer
    own_nonce: bool = True
    """Whether `nonce` is what the game is played with: not if the bot was started anew in it."""
    start: play_pb2.GameStart | None = None
    attempt: tuple[int, int] = (0, 0)
    """Incarnation and retry with which hands are dealt, as far as the arena tells them."""
    started: bool = False
    names: tuple[str, str, str] | None = None
    """Whom the arena names at seats 0, 1, 2."""
    is_forfeit_told: bool = False
    pending: play_pb2.Question | None = None
    """The question asked last, until it is known to be closed."""
    retried: int = 0
    """The `seq` of the last question that was answered a second time."""


@dataclass(slots=True)
class Games:
    """Every game offered or running on the link."""

    factory: BotFactory
    counts: Counts = field(default_factory=Counts)
    receipts: Receipts | None = None
    """Where it is written down what the bot is told, if that is wanted."""
    _by_slot: dict[int, _Game] = field(default_factory=dict)
    _nonces: dict[str, bytes] = field(default_factory=dict)
    """What was given for games that are not over: one that is offered anew goes on with it."""
    _begun: Begun = field(default_factory=Begun)
    _told: set[str] = field(default_factory=set)
    """Errors of the bot already shown."""

    @property
    def running(self) -> int:
        """How many games are offered or running."""
        return len(self._by_slot)

    def forget(self) -> None:
        """Drop all games: their link has ended."""
        if self._by_slot:
            log.warning("games that ended with the connection they ran on: %d", len(self._by_slot))
        self._by_slot.clear()

    # Messages -------------------------------------------------------------------------------

    def readies(self, response: play_pb2.PlayResponse) -> list[play_pb2.Ready]:
        """Take up saved games and offers; return the Ready of each that waits for it."""
        readies = self._take_up(response.snapshot) if response.HasField("snapshot") else []
        for offer in response.offers:
            if offer.HasField("address"):
                log.warning("game %s is played at another address; not taken", offer.game_id)
                continue
            game = self._open(offer)
            if game is not None:
                readies.append(play_pb2.Ready(slot=game.slot, nonce=game.nonce))
        return readies

    def _take_up(self, snapshot: play_pb2.Snapshot) -> list[play_pb2.Ready]:
        """Go on with the games of a snapshot; a new link numbers games and questions anew."""
        readies = []
        known = {game.game_id: game for game in self._by_slot.values()}
        self._by_slot.clear()
        for saved in snapshot.games:
            game = known.pop(saved.offer.game_id, None)
            if game is None:
                game = self._open(saved.offer)
                if game is not None:
                    game.own_nonce = not saved.ready
            else:
                game.slot, game.pending, game.retried = saved.offer.slot, None, 0
                self._by_slot[game.slot] = game
            if game is None:
                continue
            if not saved.ready:
                readies.append(play_pb2.Ready(slot=game.slot, nonce=game.nonce))
            elif saved.HasField("start"):
                if not game.started:
                    self._start(game, saved.start)
                self._dealt_as(game, saved.start, saved.retry)
        for game in known.values():
            log.info("game %s ended while the bot was away", game.game_id)
        return readies

    def answers(self, response: play_pb2.PlayResponse) -> Iterator[play_pb2.Answer]:
        """Tell the bots what happened and ask them; yield each answer once it is known."""
        for saved in response.snapshot.games:
            if saved.HasField("question"):
                yield from self._ask(saved.question)
        for notice in response.notices:
            again = self._notice(notice)
            if again is not None:
                yield again
        for question in response.questions:
            yield from self._ask(question)

    # Games ----------------------------------------------------------------------------------

    def _open(self, offer: play_pb2.GameOffer) -> _Game | None:
        try:
            seat, rules = read_seat(offer.seat), read_rules(offer.rules)
            played = read_format(offer.format)
        except MalformedMessageError as error:
            self.counts.unsupported += 1
            log.warning("game %s is not taken: %s", offer.game_id, error)
            return None
        try:
            bot = self._begun.bot_for(offer.game_id, self.factory)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - the author's code may raise anything
            self._bot_raised(error, f"game {offer.game_id} is not taken: making the bot", None)
            return None
        game = _Game(
            slot=offer.slot,
            game_id=offer.game_id,
            seat=seat,
            rules=rules,
            format=played,
            bot=bot,
            nonce=self._nonces.setdefault(offer.game_id, secrets.token_bytes(NONCE_SIZE)),
            offer=offer,
        )
        self._by_slot[offer.slot] = game
        return game

    def _start(self, game: _Game, message: play_pb2.GameStart) -> None:
        game.started, game.start = True, message
        seed = secrets.randbits(64)
        start = read_game_start(
            message, seat=game.seat, rules=game.rules, format=game.format, seed=seed
        )
        game.names = start.names
        for sentence in start_doubts(game.seat, game.nonce if game.own_nonce else None, message):
            log.error("game %s: %s", game.game_id, sentence)
        if self.receipts is not None:
            self.receipts.started(
                game.offer,
                message,
                seat=game.seat,
                nonce=game.nonce if game.own_nonce else None,
                rules=game.rules,
                format=game.format,
            )
        game.attempt = (game.offer.incarnation, 0)
        self._dealt_as(game, message, 0)
        if self._begun.begins(game.game_id, game.bot):
            self._call(game, "game_started", start)

    def _dealt_as(self, game: _Game, start: play_pb2.GameStart, retry: int) -> None:
        """Take note of the attempt at which hands are dealt from now on, if that is told."""
        if not start.HasField("incarnation") or game.attempt == (start.incarnation, retry):
            return
        before, game.attempt = game.attempt[0], (start.incarnation, retry)
        for sentence in incarnation_doubts(before, start.incarnation):
            log.error("game %s: %s", game.game_id, sentence)
        if start.incarnation > before:
            log.info("game %s goes on after the arena was stopped", game.game_id)
        if self.receipts is not None:
            self.receipts.dealt_as(
                game.game_id, seat=game.seat, incarnation=start.incarnation, retry=retry
            )

    # Questions ------------------------------------------------------------------------------

    def _ask(self, question: play_pb2.Question) -> Iterator[play_pb2.Answer]:
        game = self._by_slot.get(question.slot)
        if game is None:
            self.counts.unsupported += 1
            log.warning("a question for the unknown slot %d is not answered", question.slot)
            return
        game.pending = question
        try:
            view = read_question(question, game.rules, game.format)
        except MalformedMessageError as error:
            self.counts.unsupported += 1
            log.warning("a question of game %s is not understood: %s", game.game_id, error)
            yield write_unsupported(question.slot, question.seq)
            return
        self.counts.decisions += 1
        kind = view.kind
        yield write_answer(question.slot, question.seq, kind, self._decide(game, view, question))

    def _decide(self, game: _Game, view: View, question: play_pb2.Question) -> Action:
        """Return what the bot chooses, or the fallback if that is nothing legal."""
        legal = view.legal
        try:
            action: object = game.bot.act(view)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - the author's code may raise anything
            view = read_question(question, game.rules, game.format)  # the bot may have changed it
            self._bot_raised(error, f"{type(game.bot).__name__}.act", view)
            return fallback(view)
        if isinstance(action, Action) and action in legal:
            return action
        view = read_question(question, game.rules, game.format)
        why = refusal(view, action)
        self._bot_failed(why.reason.value, f"{type(game.bot).__name__}: {why}", view)
        return fallback(view)

    def _call(self, game: _Game, name: str, value: Any) -> None:
        try:
            call = hook(game.bot, name)
            if call is not None:
                call(value)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - the author's code may raise anything
            self._bot_raised(error, f"{type(game.bot).__name__}.{name}", None)

    def _bot_raised(self, error: BaseException, where: str, view: View | None) -> None:
        trace = author_traceback(error)
        self._bot_failed(trace, f"{where} raised {type(error).__name__}\n{trace}", view)

    def _bot_failed(self, what: str, sentence: str, view: View | None) -> None:
        """Count an error of the bot, and show each kind once with the position."""
        self.counts.bot_errors += 1
        if what in self._told or len(self._told) >= _MOST_TOLD:
            return
        self._told.add(what)
        if view is None:
            log.error("%s", sentence)
        else:
            log.error("%s\nin\n%s\nThe bot's answer there: %s.", sentence, view, fallback(view))

    # Notices --------------------------------------------------------------------------------

    def _notice(self, notice: play_pb2.Notice) -> play_pb2.Answer | None:
        try:
            return self._tell(self._by_slot.get(notice.slot), notice)
        except MalformedMessageError as error:
            self.counts.unknown += 1
            log.warning("a notice is not understood: %s", error)
            return None

    def _tell(self, game: _Game | None, notice: play_pb2.Notice) -> play_pb2.Answer | None:
        event = notice.WhichOneof("event")
        if event is None:
            self.counts.unknown += 1
            return None
        if event == "answer_dropped":
            self.counts.dropped += 1
            log.warning("slot %d: answer %d was dropped", notice.slot, notice.answer_dropped.seq)
            return None
        if game is None:
            return None
        match event:
            case "game_start":
                self._start(game, notice.game_start)
            case "hand_end":
                ended: HandResult = read_hand_end(notice.hand_end, game.rules, game.format)
                if self.receipts is not None:
                    self.receipts.hand_ended(game.game_id, ended, seat=game.seat)
                game.attempt = (game.attempt[0], 0)
                self._call(game, "hand_ended", ended)
            case "game_over":
                del self._by_slot[game.slot]
                self.counts.games += 1
                self._nonces.pop(game.game_id, None)
                self._begun.over(game.game_id)
                self._over(game, notice.game_over)
            case "offer_withdrawn":
                del self._by_slot[game.slot]
                self._nonces.pop(game.game_id, None)
                self._begun.over(game.game_id)
                log.info("the offer of game %s is withdrawn", game.game_id)
            case "answer_refused":
                return self._refused(game, notice.answer_refused)
            case "move_forced":
                forced = notice.move_forced
                self.counts.forced += 1
                tell_forced(game, forced)
            case "hand_voided":
                game.pending = None
                log.info("game %s: a hand is void and dealt anew", game.game_id)
                self._voided(game, notice.hand_voided)
            case "deals_revealed":
                self._revealed(game, notice.deals_revealed)
            case "hand_start" | "public_actions":
                pass  # nothing a bot of this package asks for
            case _:
                assert_never(event)
        return None

    def _voided(self, game: _Game, message: play_pb2.HandVoided) -> None:
        """Count a void deal; one in which the arena was stopped has its incarnation instead."""
        if message.reason == play_pb2.VOID_REASON_ARENA_STOPPED:
            return
        incarnation, retry = game.attempt
        game.attempt = (incarnation, retry + 1)
        if self.receipts is not None:
            self.receipts.voided(game.game_id, seat=game.seat, hand_number=message.hand_number)

    def _revealed(self, game: _Game, message: play_pb2.DealsRevealed) -> None:
        """See whether the seed is the one that the arena had committed itself to."""
        for sentence in seed_doubts(game.offer, game.start, message):
            log.error("game %s: %s", game.game_id, sentence)
        if self.receipts is not None:
            self.receipts.revealed(game.game_id, message.seed)

    def _over(self, game: _Game, message: play_pb2.GameOver) -> None:
        end: GameEnd = read_game_over(message)
        if self.receipts is not None:
            self.receipts.over(game.game_id, end, message.terminations)
        endings = message.terminations
        if len(endings) > game.seat and termination_name(endings[game.seat]) != "normal":
            how = termination_name(endings[game.seat])
            said = end.message or "the arena does not say why"
            log.warning("game %s ended for this bot: %s. %s", game.game_id, how, said)
        log.info("game %s is over: %s", game.game_id, result_line(game, end))
        self._call(game, "game_ended", end)

    def _refused(self, game: _Game, refused: play_pb2.AnswerRefused) -> play_pb2.Answer | None:
        """Answer a refused question a second time, modestly, and then no more."""
        self.counts.refused += 1
        log.error(
            "game %s: answer %d was refused (fault %d of %d): %s",
            *(game.game_id, refused.seq, refused.faults, refused.fault_limit, refused.message),
        )
        question = game.pending
        if question is None or question.seq != refused.seq or game.retried == refused.seq:
            return None
        game.retried = refused.seq
        view = read_question(question, game.rules, game.format)
        return write_answer(question.slot, question.seq, view.kind, fallback(view))
