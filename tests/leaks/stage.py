"""One world on the stage: the real play service with three bots, and everything it lets out.

The service is the arena's own, from the bytes of a bot's message to the bytes of the answer. What
would differ by chance is injected and equal in both worlds: the clock (turned by hand), ids and
resume secrets, nonces, and the commitment. What is secret differs: the decks, and the seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import trio
import trio.testing

from arena.metrics import Metrics
from arena.referee import Conduct, Nonces, TimeControl
from arena.rpc.play.service import PlayService
from arena.rpc.stream import Stream
from arena.tournaments.playroom import GameOrder, SeatOrder
from euchre.v1 import play_pb2, types_pb2
from euchre_sdk.game import SEATS, Card, Seat, Session, ToTarget
from euchre_sdk.game.rules_file import rules_from_fields
from tests.leaks.answers import malformed, write_answer
from tests.leaks.injected import injected, instant, logged
from tests.leaks.script import Disturbance, How, Script, Step, Trouble
from tests.leaks.trouble import FAULTS

LIMIT = 20
"""Seconds for a decision."""
REST = 70
"""Seconds between two games, after which a bot may open as many streams in a minute as ever."""
CONDUCT = Conduct(
    faults=FAULTS,
    lost=timedelta(hours=2),
    house_limit=timedelta(seconds=LIMIT),
    forfeits=1000,  # games end so when their script does
)
CLOCKED = TimeControl(
    bank=timedelta(minutes=20), increment=timedelta(seconds=1), limit=timedelta(seconds=LIMIT)
)
UNCLOCKED = TimeControl(limit=timedelta(seconds=LIMIT), clocked=False)
NAMES = ("lynx", "marten", "stoat")

Sent = tuple[int, bytes]
"""When something was sent, in nanoseconds, and what."""


@dataclass(slots=True)
class Seen:
    """What came out of one game in one world."""

    sent: tuple[list[Sent], list[Sent], list[Sent]] = field(default_factory=lambda: ([], [], []))
    """To each seat."""
    logs: list[str] = field(default_factory=list)
    """Every log line, debug ones too."""
    counts: list[list[int]] = field(default_factory=list)
    """After each decision, what the arena's status tells everybody of faults, hands and times."""
    steps: int = 0
    """How many decisions were asked for."""
    over: bool = False
    voids: int = 0
    """Hands that were void."""
    public: list[tuple[str, bytes]] = field(default_factory=list)
    """What everybody may ask for, by the method asked."""
    astray: str = ""
    """What was not as the script has it; the game was not played on then."""


class AstrayError(Exception):
    """The game does not go as the script has it."""


class Decks:
    """The deals of a script in one world."""

    commitment = b"c" * 32

    def __init__(self, script: Script, world: int) -> None:
        self._script = script
        self._world = world

    def derived_nonce(self, seat: Seat) -> bytes:
        return bytes([seat]) * 32

    def deals(self, nonces: Nonces) -> Decks:
        return self

    def first_dealer(self, rules: object) -> tuple[Seat, tuple[()]]:
        return SEATS[self._script.hands[0].dealer], ()

    def deck(self, rules: object, hand_number: int, attempt: int) -> list[Card]:
        hands = self._script.hands
        if hand_number > len(hands):  # after the script: the same in both worlds
            return [Card.parse(text) for text in hands[0].decks[0]]
        return [Card.parse(text) for text in hands[hand_number - 1].decks[self._world]]


class Memory:
    """A journal that forgets, and says at once that it remembers."""

    def __getattr__(self, fact: str) -> Callable[..., Awaitable[None]]:
        return self._keep

    async def _keep(self, *_facts: object) -> None:
        await trio.lowlevel.checkpoint()


class Caller:
    """Every token is a bot of the same name."""

    def __init__(self, token: str) -> None:
        self.bot_id = self.name = token


async def authenticate(token: str) -> Caller:
    await trio.lowlevel.checkpoint()
    return Caller(token)


class Bot:
    """A bot as far as the arena can see it: its stream, and what it was asked last."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.seat = number
        """Where it sits in the game."""
        self.stream: Stream | None = None
        self.secret: bytes | None = None
        self.slot = 0
        self.asked: play_pb2.Question | None = None
        self.last_seq = 0
        self.banned_until = 0

    def hear(self, data: bytes, now: int) -> None:
        """Note what is needed to go on."""
        response = play_pb2.PlayResponse.FromString(data)
        if response.goodbye.HasField("retry_duration"):
            retry = response.goodbye.retry_duration
            self.banned_until = now + retry.seconds * 10**9 + retry.nanos
        if response.HasField("welcome"):
            self.secret = response.welcome.resume_secret
        for game in response.snapshot.games:
            if game.HasField("question"):
                self.asked = game.question
        for offer in response.offers:
            self.slot, self.seat = offer.slot, offer.seat
        for question in response.questions:
            self.asked = question


class Stage:
    """One world."""

    def __init__(self, world: int, clock: trio.testing.MockClock, nursery: trio.Nursery) -> None:
        self.world = world
        self.seen = Seen()
        self._clock = clock
        self._nursery = nursery
        self._bots = [Bot(number) for number in range(3)]
        """By seat while a game is played."""
        self._metrics = Metrics()
        self._script: Script
        self._order: GameOrder
        self._service = PlayService(
            authenticate=authenticate,
            deal_source=lambda _order: Decks(self._script, world),
            metrics=self._metrics,
        )

    @property
    def now(self) -> int:
        return instant()

    async def open(self) -> None:
        await self._nursery.start(self._service.run)

    # -- what the edge would do

    def to_edge(self, call: Callable[[Any], None], argument: Any) -> None:
        """Take the place of the bridge: what is sent leaves at once."""
        call(argument)

    def _sent(self, stream: Stream) -> None:
        number = int(stream.peer[-1])
        bot = next(bot for bot in self._bots if bot.number == number)
        sent = self.seen.sent[bot.seat]
        while stream.outbox:
            data, departure = stream.outbox.popleft()
            stream.written_messages += 1
            stream.written_bytes += len(data)
            if departure is not None:
                departure.at = self.now
            sent.append((self.now, data))
            bot.hear(data, self.now)
        if stream.closing and not stream.ended:
            stream.ended = True
            if stream.refusal is not None:
                status = (stream.refusal.code.name, stream.refusal.trailing_metadata())
                sent.append((self.now, repr(status).encode()))
            if bot.stream is stream:
                bot.stream = None
            self._service.woken(stream)

    def _say(self, bot: Bot, request: play_pb2.PlayRequest) -> None:
        stream = bot.stream
        assert stream is not None
        stream.inbox.append((request.SerializeToString(), self.now))
        self._service.woken(stream)
        self._service.settled()

    # -- time

    async def settle(self) -> None:
        await trio.testing.wait_all_tasks_blocked()

    async def wait(self, milliseconds: int) -> None:
        self._clock.jump(milliseconds / 1000)
        await self.settle()

    # -- links

    async def _dial(self, bot: Bot, *, follows: bool) -> None:
        wait = bot.banned_until - self.now
        if wait > 0:
            await self.wait(wait // 1_000_000 + 1)
        hello = play_pb2.Hello(
            protocol_revision=1,
            version_label="1",
            games_at_once=1,
            resume_secret=bot.secret,
            follow_play=follows,
        )
        bot.asked = None
        peer = f"unix:{bot.number}"
        token = {"authorization": f"Bearer {NAMES[bot.number]}"}
        bot.stream = Stream(peer, token, 1 << 16, self, self._sent)  # type: ignore[arg-type]
        self._service.opened(bot.stream)
        self._say(bot, play_pb2.PlayRequest(hello=hello))
        await self.settle()
        if bot.stream is None:  # the link has ended with its game
            bot.secret = None
            await self._dial(bot, follows=follows)

    async def _come_back(self, bot: Bot) -> None:
        if bot.stream is None:
            await self._dial(bot, follows=self._script.follows[bot.seat])

    def _hang_up(self, bot: Bot) -> None:
        stream, bot.stream = bot.stream, None
        assert stream is not None
        stream.ended = True
        self._service.woken(stream)
        self._service.settled()

    # -- games

    async def play(self, script: Script, number: int) -> Seen:
        """Play a script as far as it goes; return what came out."""
        self._script = script
        self.seen = seen = Seen()
        with logged(seen.logs):
            await self.wait(REST * 1000)
            for bot in self._bots:
                bot.banned_until = bot.last_seq = 0
                await self._dial(bot, follows=script.follows[bot.seat])
            await self._offer(script, number)
            await self.settle()
            self._bots.sort(key=lambda bot: bot.seat)
            for bot in self._bots:
                ready = play_pb2.Ready(slot=bot.slot, nonce=bytes([bot.seat]) * 32)
                self._say(bot, play_pb2.PlayRequest(readies=[ready]))
            await self.settle()
            try:
                await self._follow(script)
            except AstrayError as error:
                seen.astray = str(error)
        self.seen = Seen()  # it cannot go on alike: what is said now is not looked at
        with logged([]):
            await self._end(seen)
            for bot in self._bots:
                if bot.stream is not None:
                    self._hang_up(bot)
            await self.settle()
        return seen

    async def _follow(self, script: Script) -> None:
        seen, before = self.seen, self._count()
        for hand in script.hands:
            if hand.void_at is not None and not seen.over:
                for step in hand.steps[: hand.void_at]:
                    await self._step(step)
                await self._fail(hand.steps[hand.void_at])
                seen.voids += 1
            for step in hand.steps:
                if not seen.over:
                    await self._step(step)
                    await self._look(step)
                    seen.counts.append(sorted((self._count() - before).values()))
            if not hand.complete:
                seen.steps += not seen.over  # the question after the last step

    def _count(self) -> Counter[object]:
        """Return what the arena's status counts of all games so far."""
        counted = self._metrics
        counts: Counter[object] = Counter({"decisions": counted.decisions})
        for kinds in (counted.hands, counted.faults, counted.forced):
            counts.update(kinds)
        for what in (counted.own_delay, counted.response):
            counts.update({(id(what), n): count for n, count in enumerate(what.counts)})
        return counts

    async def _offer(self, script: Script, number: int) -> None:
        """Have the game offered."""
        self._order = _order(script, number, self.world)
        self._nursery.start_soon(self._play, self.seen)

    async def _play(self, seen: Seen) -> None:
        await self._service.play(self._order, Memory())  # type: ignore[arg-type]
        seen.over = True

    async def _look(self, step: Step) -> None:
        """Look at what is to be seen after a step besides what bots are sent."""

    async def _end(self, _seen: Seen) -> None:
        """Get the game over with."""
        for seat in SEATS:
            self._service.forfeit(self._order.game_id, seat)
        await self.settle()

    async def _step(self, step: Step) -> None:
        how = step.how[self.world]
        if how is not How.AUTOMATIC or step.disturbances:
            await self.wait(step.pause_ms)
        for each in step.disturbances:
            if each.only_in in (None, self.world):
                await self._disturb(each, step)
        self.seen.steps += 1
        bot = self._bots[step.seat]
        if how in (How.ANSWERED, How.UNSUPPORTED):
            await self._come_back(bot)  # too many refused answers may have been a flood
        match how:
            case How.ANSWERED:
                self._answer(bot, step.kind, write_answer(step.said[self.world]))
            case How.UNSUPPORTED:
                answer = play_pb2.Answer(kind=types_pb2.ACTION_KIND_UNSUPPORTED)
                self._answer(bot, step.kind, answer)
            case How.TIMED_OUT:
                await self.wait(LIMIT * 1000 + 1000)
        await self.settle()

    async def _fail(self, step: Step) -> None:
        """Let the table fail when it is told the next answer, with an error that names cards."""
        table = self._service._tables.games[self._order.game_id].table

        def broken(*_: object) -> None:
            assert table.question is not None
            raise KeyError(*map(str, table.question.view.hand))

        table.answer = broken  # type: ignore[method-assign, assignment]
        try:
            answer = write_answer(step.said[self.world])
            self._answer(self._bots[step.seat], step.kind, answer)
        finally:
            del table.answer
        await self.settle()

    def _answer(self, bot: Bot, kind: str, answer: play_pb2.Answer) -> None:
        asked = bot.asked
        wanted = f"QUESTION_KIND_{kind.upper()}"
        if asked is None or types_pb2.QuestionKind.Name(asked.kind) != wanted:
            raise AstrayError(f"seat {bot.seat} was not asked {wanted}")
        bot.last_seq = answer.seq = asked.seq
        answer.slot = asked.slot
        self._say(bot, play_pb2.PlayRequest(answers=[answer]))

    async def _disturb(self, each: Disturbance, step: Step) -> None:
        bot = self._bots[each.seat]
        if each.trouble is not Trouble.BACK:
            await self._come_back(bot)
        match each.trouble:
            case Trouble.ILLEGAL:
                assert each.said is not None
                self._answer(bot, step.kind, write_answer(each.said[self.world]))
            case Trouble.MALFORMED:
                self._answer(bot, step.kind, malformed(each.variant))
            case Trouble.STRAY:
                seq = (9999, bot.last_seq, 0)[each.variant]
                slot = bot.slot + (each.variant == 2)
                stray = play_pb2.Answer(slot=slot, seq=seq, kind=types_pb2.ACTION_KIND_PASS)
                self._say(bot, play_pb2.PlayRequest(answers=[stray]))
            case Trouble.FLOOD:
                stray = play_pb2.Answer(slot=bot.slot, seq=8888)
                self._say(bot, play_pb2.PlayRequest(answers=[stray] * 12))
                if bot.stream is not None:
                    raise AstrayError(f"the flood of seat {bot.seat} was borne")
            case Trouble.LOST:
                self._hang_up(bot)
            case Trouble.BACK:
                await self._come_back(bot)
            case Trouble.WITHDRAWN:
                self._service.forfeit(self._order.game_id, SEATS[each.seat])
        await self.settle()


def _order(script: Script, number: int, world: int) -> GameOrder:
    seats = tuple(
        SeatOrder(entry_id=f"e{name}", bot_id=name, name=name.title(), house=script.house[seat])
        for seat, name in enumerate(NAMES)
    )
    return GameOrder(
        game_id=f"g{number}",
        deal_set=f"set/{number}",
        rules=rules_from_fields(dict(script.rules)),
        format=ToTarget() if script.session is None else Session(script.session),
        time_control=CLOCKED if script.clocked else UNCLOCKED,
        conduct=CONDUCT,
        seats=(seats[0], seats[1], seats[2]),
        seed=bytes([17 + world, number % 251]) * 16,
        incarnation=1,
    )


def perform(scripts: list[Script], world: int) -> list[Seen]:
    """Play scripts one after the other in one world, on one service."""
    clock = trio.testing.MockClock()

    async def main() -> list[Seen]:
        async with trio.open_nursery() as nursery:
            stage = Stage(world, clock, nursery)
            await stage.open()
            seen = [await stage.play(script, n) for n, script in enumerate(scripts)]
            nursery.cancel_scope.cancel()
        return seen

    with injected():
        return trio.run(main, clock=clock)
