"""Whole games over real gRPC, with streams that behave and streams that do not."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import grpc
import pytest
import trio

from arena.referee import FaultKind, Termination
from arena.rpc.play.settings import PlaySettings
from euchre.v1 import play_pb2, types_pb2
from euchre_sdk.game import Seat, Session
from tests.integration.raw_bot import SHORT, Arena, RawBot, arena, first_legal

NAMES = ("a", "b", "c")


async def field(a: Arena, *names: str, games: int = 1) -> list[RawBot]:
    return [await a.greeted(name, games=games) for name in names]


async def test_three_bots_play_a_session_and_are_told_everything_they_should_know() -> None:
    async with arena() as a:
        bots = await field(a, *NAMES)
        playing = a.start(a.order(format=Session(3)))
        for bot in bots:
            a.nursery.start_soon(bot.play)
        outcome = await playing.ended()
        assert set(outcome.terminations) == {Termination.NORMAL}
        assert outcome.hands == tuple(playing.journal.hands)
        assert len(outcome.hands) == 3
        for seat, bot in enumerate(bots):
            await bot.told("game_over")
            (start,) = bot.notices("game_start")
            assert list(start.names) == ["A", "B", "C"]
            assert tuple(start.nonces) == playing.journal.nonces
            ended = bot.notices("hand_end")
            assert [tuple(e.points) for e in ended] == [h.points for h in outcome.hands]
            (over,) = bot.notices("game_over")
            assert tuple(over.points) == outcome.points
            questions = [q for r in bot.seen for q in r.questions]
            assert {q.seat for q in questions} == {seat}
            assert [q.seq for q in questions] == list(range(1, len(questions) + 1))


async def test_who_follows_the_play_is_told_of_everything_public_and_nothing_else() -> None:
    async with arena() as a:
        follower = await a.greeted("a", follow_play=True)
        bots = [follower, *await field(a, "b", "c")]
        playing = a.start(a.order(format=Session(1)))
        for bot in bots:
            a.nursery.start_soon(bot.play)
        outcome = await playing.ended()
        await follower.told("game_over")
        (record,) = outcome.hands
        (start,) = follower.notices("hand_start")
        assert (start.hand_number, start.dealer) == (1, record.dealer)
        (end,) = follower.notices("hand_end")
        told = follower.notices("public_actions")
        seats = [seat for t in told for seat in t.seats]
        kinds = [kind for t in told for kind in t.kinds]
        plays = [card for t in told for card in t.plays]
        assert seats[: len(end.call_seats)] == end.call_seats
        assert kinds[: len(end.call_kinds)] == end.call_kinds
        assert plays == list(end.plays)[: len(plays)]
        assert len(plays) == len(end.plays) - 1, "the last card is told with the result"
        assert not bots[1].notices("public_actions")
        assert not bots[1].notices("hand_start")


async def test_an_offer_holds_the_commitment_and_nobodys_name() -> None:
    async with arena() as a:
        bots = await field(a, *NAMES)
        a.start(a.order(("a", "b", "c"), game_id="game-1"))
        (offer,) = (await bots[0].until("offers")).offers
        assert offer.commitment == b"c" * 32
        assert offer.game_id == "game-1"
        assert offer.time_control.bank_duration.seconds == 30
        assert "B" not in str(offer.game_id) + offer.deal_set_id


async def test_presence_tells_how_many_games_a_bot_takes() -> None:
    async with arena() as a:
        assert a.play.presence("a") == 0
        bot = await a.greeted("a", games=3)
        assert a.play.presence("a") == 3
        assert a.play.version("a") == "v1"
        bots = await field(a, "b", "c")
        playing = a.start(a.order())
        with trio.fail_after(5):
            while a.play.presence("a") != 2:
                await a.play.wait_change()
        for one in (bot, *bots):
            a.nursery.start_soon(one.play)
        await playing.ended()
        assert a.play.presence("a") == 3
        bot.crash()
        with trio.fail_after(5):
            while a.play.presence("a") != 0:
                await a.play.wait_change()


async def test_a_game_with_an_absent_bot_is_not_offered_to_the_others() -> None:
    async with arena() as a:
        await field(a, "a", "b")
        outcome = await a.start(a.order()).ended()
        assert outcome.not_ready == (Seat(2),)
        assert not outcome.started


async def test_many_games_run_on_one_stream_in_batches() -> None:
    async with arena() as a:
        bots = await field(a, *NAMES, games=16)
        games = [a.start(a.order(game_id=f"g{n}", seed=n)) for n in range(16)]
        for bot in bots:
            a.nursery.start_soon(bot.play)
        for game in games:
            assert set((await game.ended()).terminations) == {Termination.NORMAL}
        assert max(len(r.questions) for r in bots[0].seen) > 1
        slots = [o.slot for r in bots[0].seen for o in r.offers]
        assert sorted(slots) == list(range(1, 17))


# -- who may come in


@pytest.mark.parametrize(
    ("hello", "code", "reason"),
    [
        pytest.param(
            {"protocol_revision": 0}, "FAILED_PRECONDITION", "PROTOCOL_TOO_OLD", id="too old"
        ),
        pytest.param({"games_at_once": 0}, "INVALID_ARGUMENT", "BAD_HELLO", id="no games"),
        pytest.param({"version_label": ""}, "INVALID_ARGUMENT", "BAD_HELLO", id="no label"),
        pytest.param(
            {"version_label": "\x1b[31m"}, "INVALID_ARGUMENT", "BAD_HELLO", id="terminal escape"
        ),
        pytest.param(
            {"resume_secret": b"short"}, "INVALID_ARGUMENT", "BAD_HELLO", id="short secret"
        ),
        pytest.param({"ticket": b"t"}, "INVALID_ARGUMENT", "BAD_HELLO", id="unknown ticket"),
    ],
)
async def test_a_bad_hello_is_refused_with_a_reason(
    hello: dict[str, Any], code: str, reason: str
) -> None:
    async with arena() as a:
        bot = a.bot("a")
        good: dict[str, Any] = {
            "protocol_revision": 1,
            "version_label": "v1",
            "games_at_once": 1,
        }
        bot.send(hello=play_pb2.Hello(**(good | hello)))
        error: Any = await bot.error()
        assert error.code().name == code
        assert reason.encode() in dict(error.trailing_metadata())["grpc-status-details-bin"]


async def test_a_wrong_token_and_none_are_refused() -> None:
    async with arena() as a:
        for token in ("wrong", " "):
            bot = a.bot("a", token=token)
            bot.say_hello()
            error: Any = await bot.error()
            assert error.code() is grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize("first", [b"\xff\xff\xff", b""], ids=["no protobuf", "no hello"])
async def test_a_first_message_that_is_no_hello_is_refused(first: bytes) -> None:
    async with arena() as a:
        bot = a.bot("a")
        bot.send_bytes(first)
        error: Any = await bot.error()
        assert error.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_a_stream_that_says_no_hello_in_time_is_sent_away() -> None:
    async with arena(PlaySettings(hello=timedelta(milliseconds=100))) as a:
        bot = a.bot("a")
        goodbye = (await bot.until("goodbye", within=5)).goodbye
        assert goodbye.reason == play_pb2.GOODBYE_REASON_BAD_HELLO


async def test_a_second_link_is_turned_away_while_the_first_lives() -> None:
    async with arena() as a:
        first = await a.greeted("a")
        second = a.bot("a")
        second.say_hello()
        goodbye = (await second.until("goodbye")).goodbye
        assert goodbye.reason == play_pb2.GOODBYE_REASON_LINK_LIMIT
        assert not goodbye.HasField("retry_duration")
        assert a.play.version("a") == "v1"
        first.crash()


async def test_the_secret_takes_a_living_link_over() -> None:
    async with arena() as a:
        first = await a.greeted("a")
        second = await a.greeted("a", secret=first.secret)
        goodbye = (await first.until("goodbye")).goodbye
        assert goodbye.reason == play_pb2.GOODBYE_REASON_TAKEN_OVER
        assert second.secret == first.secret
        assert second.seen[0].welcome.link_id == first.seen[0].welcome.link_id


async def test_a_foreign_secret_is_void() -> None:
    async with arena() as a:
        other = await a.greeted("b")
        bot = a.bot("a")
        bot.say_hello(secret=other.secret)
        goodbye = (await bot.until("goodbye")).goodbye
        assert goodbye.reason == play_pb2.GOODBYE_REASON_LINK_ENDED


async def test_a_bot_that_leaves_is_told_goodbye_when_its_games_are_over() -> None:
    async with arena() as a:
        bots = await field(a, *NAMES)
        playing = a.start(a.order())
        bots[0].ready(await bots[0].until("offers"))
        bots[0].send(leave=play_pb2.Leave())
        for bot in bots:
            a.nursery.start_soon(bot.play)
        assert set((await playing.ended()).terminations) == {Termination.NORMAL}
        await bots[0].hears(lambda: bots[0].seen[-1].HasField("goodbye"))
        assert bots[0].seen[-1].goodbye.reason == play_pb2.GOODBYE_REASON_DONE
        assert a.play.presence("a") == 0


async def test_stopping_says_goodbye() -> None:
    async with arena() as a:
        bot = await a.greeted("a")
    assert (await bot.until("goodbye")).goodbye.reason == play_pb2.GOODBYE_REASON_STOPPING


# -- misbehaviour in play; the other two never suffer


class Bad:
    """Answers wrongly at the first question, then rightly, and plays on."""

    def __init__(self, *wrong: Any, then_right: bool = True) -> None:
        self._wrong = list(wrong)
        self._then_right = then_right

    async def __call__(self, question: play_pb2.Question) -> list[play_pb2.Answer]:
        wrong, self._wrong = self._wrong, []
        bad = [play_pb2.Answer(slot=question.slot, seq=question.seq, **fields) for fields in wrong]
        return bad if bad and not self._then_right else [*bad, first_legal(question)]


@pytest.mark.parametrize(
    ("wrong", "reason", "kind"),
    [
        pytest.param({}, "MALFORMED", FaultKind.MALFORMED, id="nothing set"),
        pytest.param({"kind": 99}, "MALFORMED", FaultKind.MALFORMED, id="enum 99"),
        pytest.param({"kind": 12}, "MALFORMED", FaultKind.MALFORMED, id="no card"),
        pytest.param({"kind": 12, "cards": [77]}, "MALFORMED", FaultKind.MALFORMED, id="card 77"),
        pytest.param(
            {"kind": 10, "cards": [1, 2, 3, 4]}, "MALFORMED", FaultKind.MALFORMED, id="keep four"
        ),
        pytest.param(
            {"kind": 10, "cards": [1, 1, 2, 3, 4]}, "MALFORMED", FaultKind.MALFORMED, id="twice"
        ),
        pytest.param({"kind": 9}, "WRONG_KIND", FaultKind.ILLEGAL, id="wrong kind"),
    ],
)
async def test_a_wrong_answer_is_refused_told_and_may_be_corrected(
    wrong: dict[str, Any], reason: str, kind: FaultKind
) -> None:
    async with arena() as a:
        bots = await field(a, *NAMES)
        playing = a.start(a.order())
        for bot, decide in zip(bots, (Bad(wrong), None, None), strict=True):
            a.nursery.start_soon(bot.play, decide)
        outcome = await playing.ended()
        assert set(outcome.terminations) == {Termination.NORMAL}
        assert outcome.faults == (1, 0, 0)
        assert [fault.kind for fault in playing.journal.faults] == [kind]
        (refused,) = bots[0].notices("answer_refused")
        assert refused.reason == getattr(play_pb2, f"REFUSAL_REASON_{reason}")
        assert "egal: " in refused.message
        assert not any(bot.notices("answer_refused") for bot in bots[1:])
        await bots[1].told("game_over")
        faults = [tuple(e.faults) for e in bots[1].notices("hand_end")]
        assert faults[-1] == (1, 0, 0)


async def test_the_third_fault_forfeits_and_the_other_two_keep_theirs() -> None:
    async with arena() as a:
        bots = await field(a, *NAMES)
        playing = a.start(a.order(format=Session(4)))
        bad = Bad({"kind": 99}, {"kind": 99}, {"kind": 99}, then_right=False)
        for bot, decide in zip(bots, (bad, None, None), strict=True):
            a.nursery.start_soon(bot.play, decide)
        outcome = await playing.ended()
        assert outcome.terminations[0] is Termination.MALFORMED
        assert outcome.terminations[1:] == (Termination.NORMAL, Termination.NORMAL)
        assert outcome.places[0] == 3
        for bot in bots:
            await bot.told("game_over")
            (over,) = bot.notices("game_over")
            assert over.terminations[0] == types_pb2.TERMINATION_MALFORMED


async def test_a_mute_bot_forfeits_by_time_and_the_game_ends() -> None:
    async with arena() as a:
        bots = await field(a, *NAMES)
        playing = a.start(a.order(format=Session(9), control=SHORT))

        async def mute(_question: play_pb2.Question) -> list[play_pb2.Answer]:
            await trio.lowlevel.checkpoint()
            return []

        for bot, decide in zip(bots, (mute, None, None), strict=True):
            a.nursery.start_soon(bot.play, decide)
        outcome = await playing.ended()
        assert outcome.terminations == (
            Termination.TIME,
            Termination.NORMAL,
            Termination.NORMAL,
        )
        assert len(bots[0].notices("move_forced")) >= 3


async def test_answers_that_are_repeated_or_belong_nowhere_are_dropped_and_told() -> None:
    async with arena() as a:
        bots = await field(a, *NAMES)
        playing = a.start(a.order())
        once = [True]

        async def stutter(question: play_pb2.Question) -> list[play_pb2.Answer]:
            await trio.lowlevel.checkpoint()
            answer = first_legal(question)
            if not once:
                return [answer]
            once.clear()
            unknown = play_pb2.Answer(slot=question.slot, seq=question.seq + 9)
            nowhere = play_pb2.Answer(slot=77, seq=1)
            return [answer, answer, unknown, nowhere]

        bots[1].send()  # an empty batch is no fault
        for bot, decide in zip(bots, (stutter, None, None), strict=True):
            a.nursery.start_soon(bot.play, decide)
        outcome = await playing.ended()
        assert set(outcome.terminations) == {Termination.NORMAL}
        assert outcome.faults == (0, 0, 0)
        dropped = [(d.reason) for d in bots[0].notices("answer_dropped")]
        assert dropped == [
            play_pb2.DROP_REASON_DUPLICATE,
            play_pb2.DROP_REASON_UNKNOWN,
            play_pb2.DROP_REASON_UNKNOWN,
        ]


async def test_a_bot_that_crashes_comes_back_to_its_pending_question() -> None:
    async with arena() as a:
        bots = await field(a, *NAMES)
        playing = a.start(a.order(format=Session(2)))
        for bot in bots[1:]:
            a.nursery.start_soon(bot.play)
        bots[0].ready(await bots[0].until("offers"))
        asked = (await bots[0].until("questions")).questions[0]
        bots[0].crash()
        with trio.fail_after(5):
            while a.play.presence("a") or a.play.version("a"):
                await a.play.wait_change()
        again = await a.greeted("a", secret=bots[0].secret)
        (game,) = again.seen[0].snapshot.games
        assert game.ready
        assert game.offer.slot == asked.slot
        assert (game.question.seq, game.question.hand) == (asked.seq, asked.hand)
        assert game.question.answer_duration.ToTimedelta() < asked.answer_duration.ToTimedelta()
        again.send(answers=[first_legal(game.question)])
        a.nursery.start_soon(again.play)
        outcome = await playing.ended()
        assert set(outcome.terminations) == {Termination.NORMAL}


async def test_a_bot_that_crashes_for_good_forfeits_and_the_others_are_told() -> None:
    async with arena() as a:
        bots = await field(a, *NAMES)
        playing = a.start(a.order(format=Session(9), control=SHORT))
        for bot in bots[1:]:
            a.nursery.start_soon(bot.play)
        bots[0].ready(await bots[0].until("offers"))
        await bots[0].until("questions")
        bots[0].crash()
        outcome = await playing.ended()
        assert outcome.terminations[0] is Termination.TIME
        for bot in bots[1:]:
            await bot.told("game_over")
        bot = a.bot("a")  # its link has ended with its game: a new one opens
        bot.say_hello()
        assert (await bot.until("welcome")).welcome.link_id


async def test_a_bot_that_is_never_ready_costs_the_others_only_the_ready_time() -> None:
    async with arena() as a:
        bots = await field(a, *NAMES)
        playing = a.start(a.order(control=SHORT))
        for bot in bots[:2]:
            a.nursery.start_soon(bot.play)
        outcome = await playing.ended()
        assert outcome.not_ready == (Seat(2),)
        withdrawn = (await bots[2].until("offer_withdrawn")).notices[0].offer_withdrawn
        assert withdrawn.reason == play_pb2.WITHDRAWAL_REASON_NOT_READY
        await bots[0].told("offer_withdrawn")
        (other,) = bots[0].notices("offer_withdrawn")
        assert other.reason == play_pb2.WITHDRAWAL_REASON_OTHER_NOT_READY
        assert a.play.presence("c") == 1


async def test_a_flood_is_cut_off_and_banned_while_the_others_play_on() -> None:
    async with arena() as a:
        bots = await field(a, *NAMES)
        flooder = await a.greeted("d")
        playing = a.start(a.order())
        for bot in bots:
            a.nursery.start_soon(bot.play)
        nothing = play_pb2.Answer(slot=99, seq=1)
        flooder.send(answers=[nothing] * 1_000)
        goodbye = (await flooder.until("goodbye")).goodbye
        assert goodbye.reason == play_pb2.GOODBYE_REASON_FLOOD
        assert 0 < goodbye.retry_duration.ToTimedelta().total_seconds() <= 5
        assert len(flooder.notices("answer_dropped")) < 30
        assert set((await playing.ended()).terminations) == {Termination.NORMAL}


async def test_readiness_for_games_that_never_were_is_a_flood_too() -> None:
    async with arena() as a:
        flooder = await a.greeted("d")
        flooder.send(readies=[play_pb2.Ready(slot=99, nonce=b"n" * 32)] * 1_000)
        goodbye = (await flooder.until("goodbye")).goodbye
        assert goodbye.reason == play_pb2.GOODBYE_REASON_FLOOD


async def test_late_readiness_for_many_games_is_no_flood() -> None:
    async with arena() as a:
        bots = await field(a, *NAMES, games=30)
        ordered = [a.start(a.order(game_id=f"g{number}")) for number in range(30)]
        offers: list[play_pb2.GameOffer] = []
        while len(offers) < len(ordered):
            offers += (await bots[0].until("offers")).offers
        for number in range(len(ordered)):
            a.play.stop_after_hand(f"g{number}")
        for playing in ordered:
            await playing.ended()
        a.start(a.order(game_id="next"))
        for offer in offers:
            bots[0].send(readies=[play_pb2.Ready(slot=offer.slot, nonce=b"n" * 32)])
        for bot in bots:
            a.nursery.start_soon(bot.play)
        await bots[0].told("game_start")


async def test_a_bot_in_a_game_that_floods_may_not_come_back_at_once() -> None:
    async with arena() as a:
        bots = await field(a, *NAMES)
        a.start(a.order())
        await bots[0].until("offers")
        bots[0].send(answers=[play_pb2.Answer(slot=99, seq=1)] * 1_000)
        await bots[0].until("goodbye")
        again = a.bot("a")
        again.say_hello(secret=bots[0].secret)
        goodbye = (await again.until("goodbye")).goodbye
        assert goodbye.reason == play_pb2.GOODBYE_REASON_FLOOD
        assert goodbye.HasField("retry_duration")


@pytest.mark.parametrize("size", [70_000, 2_000_000], ids=["over ours", "over the transport's"])
async def test_a_huge_message_ends_the_stream(size: int) -> None:
    async with arena() as a:
        bot = await a.greeted("a")
        bot.send_bytes(b"\0" * size)
        with trio.fail_after(10):
            if size > 2**20:
                error: Any = await bot.error()
                assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
            else:
                goodbye = (await bot.until("goodbye")).goodbye
                assert goodbye.reason == play_pb2.GOODBYE_REASON_FLOOD
            while a.play.version("a"):
                await a.play.wait_change()


async def test_rubbish_after_the_hello_ends_the_stream() -> None:
    async with arena() as a:
        bot = await a.greeted("a")
        bot.send_bytes(b"\xff\xff\xff")
        goodbye = (await bot.until("goodbye")).goodbye
        assert goodbye.reason == play_pb2.GOODBYE_REASON_BAD_HELLO
