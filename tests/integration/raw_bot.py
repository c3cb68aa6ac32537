"""A bot without an SDK, for tests: one stream, whose messages are written by hand."""

from __future__ import annotations

import queue
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from typing import Any

import grpc
import trio

from arena.referee import Conduct, Forfeit, GameOutcome, HandRecord, Nonces, Resumed, TimeControl
from arena.referee.outcome import Fault
from arena.rpc.binding import Listen
from arena.rpc.edge import Edge, serve
from arena.rpc.play.service import PlayService
from arena.rpc.play.settings import PlaySettings
from arena.tournaments.playroom import GameOrder, SeatOrder
from euchre.v1 import play_pb2, types_pb2
from euchre_sdk.game import STANDARD, Deals, Format, Seat, SeededDeals, Session

PLAY = "/euchre.v1.PlayService/Play"


class Source:
    """Deals of a small seed; commits to nothing worth having."""

    commitment = b"c" * 32

    def __init__(self, order: GameOrder) -> None:
        self._seed = order.seed[0]

    def derived_nonce(self, seat: Seat) -> bytes:
        return bytes([seat]) * 32

    def deals(self, nonces: Nonces) -> Deals:
        return SeededDeals(self._seed + len(nonces))


class Memory:
    """A journal that remembers."""

    def __init__(self) -> None:
        self.nonces: Nonces | None = None
        self.hands: list[HandRecord] = []
        self.faults: list[Fault] = []
        self.forfeits: list[Forfeit] = []
        self.outcome: GameOutcome | None = None

    async def ready(self, nonces: Nonces) -> None:
        await trio.lowlevel.checkpoint()
        self.nonces = nonces

    async def fault(self, hand_number: int, fault: Fault) -> None:
        await trio.lowlevel.checkpoint()
        assert hand_number > 0
        self.faults.append(fault)

    async def forfeit(self, forfeit: Forfeit) -> None:
        await trio.lowlevel.checkpoint()
        self.forfeits.append(forfeit)

    async def hand(self, record: HandRecord) -> None:
        await trio.lowlevel.checkpoint()
        self.hands.append(record)

    async def over(self, outcome: GameOutcome) -> None:
        await trio.lowlevel.checkpoint()
        self.outcome = outcome


class Caller:
    """Every token is a bot of the same name."""

    def __init__(self, token: str) -> None:
        self.bot_id = self.name = token


async def authenticate(token: str) -> Caller | None:
    await trio.lowlevel.checkpoint()
    return None if token == "wrong" else Caller(token)


class Arena:
    """A served play service and clients' channels to it."""

    def __init__(self, play: PlayService, edge: Edge, nursery: trio.Nursery) -> None:
        self.play = play
        self.edge = edge
        self.nursery = nursery
        self.address = f"127.0.0.1:{edge.ports[0]}"
        self._bots: list[RawBot] = []  # a stream that nobody holds is cancelled

    def bot(self, name: str, **options: Any) -> RawBot:
        """Dial with a stream of this bot, saying nothing yet."""
        bot = RawBot(self.address, name, **options)
        self._bots.append(bot)
        return bot

    async def greeted(self, name: str, *, games: int = 1, **more: Any) -> RawBot:
        """Dial, say Hello, and wait for the Welcome."""
        bot = self.bot(name)
        bot.say_hello(games=games, **more)
        await bot.until("welcome")
        return bot

    def order(
        self,
        names: tuple[str, str, str] = ("a", "b", "c"),
        *,
        format: Format = Session(2),
        control: TimeControl = TimeControl(),
        conduct: Conduct = Conduct(),
        game_id: str = "g1",
        seed: int = 1,
        played: Resumed | None = None,
    ) -> GameOrder:
        first, second, third = (
            SeatOrder(entry_id=f"e-{name}", bot_id=name, name=name.upper()) for name in names
        )
        return GameOrder(
            game_id=game_id,
            deal_set=f"set/{game_id}",
            rules=STANDARD,
            format=format,
            time_control=control,
            conduct=conduct,
            seats=(first, second, third),
            seed=bytes([seed]) * 32,
            incarnation=1,
            played=played or Resumed(),
        )

    def start(self, order: GameOrder) -> Playing:
        """Play a game in the background."""
        playing = Playing()

        async def run() -> None:
            playing.outcome = await self.play.play(order, playing.journal)
            playing.done.set()

        self.nursery.start_soon(run)
        return playing


class Playing:
    """A game in the background."""

    def __init__(self) -> None:
        self.journal = Memory()
        self.done = trio.Event()
        self.outcome: GameOutcome

    async def ended(self, within: float = 15) -> GameOutcome:
        with trio.fail_after(within):
            await self.done.wait()
        return self.outcome


@asynccontextmanager
async def arena(
    settings: PlaySettings | None = None, deal_source: Callable[[GameOrder], Any] = Source
) -> AsyncIterator[Arena]:
    """Serve on a free port; everything is stopped at the end of the block."""
    play = PlayService(authenticate=authenticate, deal_source=deal_source, settings=settings)
    failures: list[BaseException] = []
    limit = (settings or PlaySettings()).conduct.message_bytes
    async with (
        serve(
            (Listen(address="127.0.0.1:0"),),
            opened=play.opened,
            woken=play.woken,
            settled=play.settled,
            closing=play.stop,
            failed=failures.append,
            message_bytes=limit,
        ) as edge,
        trio.open_nursery() as nursery,
    ):
        await nursery.start(play.run)
        yield Arena(play, edge, nursery)
        nursery.cancel_scope.cancel()
    assert failures == []


class RawBot:
    """One stream of one bot."""

    def __init__(self, address: str, name: str, *, token: str | None = None) -> None:
        self.name = name
        self._channel = grpc.insecure_channel(
            address, options=[("grpc.use_local_subchannel_pool", 1)]
        )
        self._requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        play: Any = self._channel.stream_stream(PLAY)
        self._call = play(self._sending(), metadata=[("authorization", f"Bearer {token or name}")])
        self.secret = b""
        self.seen: list[play_pb2.PlayResponse] = []
        self._heard = trio.Event()

    def _sending(self) -> Iterator[bytes]:
        return iter(self._requests.get, None)

    def send(self, **fields: Any) -> None:
        self.send_bytes(play_pb2.PlayRequest(**fields).SerializeToString())

    def send_bytes(self, data: bytes) -> None:
        self._requests.put(data)

    def say_hello(self, *, games: int = 1, secret: bytes | None = None, **more: Any) -> None:
        hello = play_pb2.Hello(
            protocol_revision=1, version_label="v1", games_at_once=games, resume_secret=secret
        )
        hello.MergeFrom(play_pb2.Hello(**more))
        self.send(hello=hello)

    async def read(self, within: float = 10) -> play_pb2.PlayResponse | None:
        """Return the next response, None at the end of the stream."""
        with trio.fail_after(within):
            data = await trio.to_thread.run_sync(
                partial(next, self._call, None), abandon_on_cancel=True
            )
        if data is None:
            return None
        response = play_pb2.PlayResponse.FromString(data)
        self.seen.append(response)
        self._heard.set()
        self._heard = trio.Event()
        if response.HasField("welcome"):
            self.secret = response.welcome.resume_secret
        return response

    async def until(self, field: str, within: float = 10) -> play_pb2.PlayResponse:
        """Read until a response has this field; the notices' events count as fields."""
        with trio.fail_after(within):
            while (response := await self.read()) is not None:
                if field in {descriptor.name for descriptor, _ in response.ListFields()} | {
                    notice.WhichOneof("event") for notice in response.notices
                }:
                    return response
        raise AssertionError(f"the stream ended without {field}")

    async def error(self) -> grpc.RpcError:
        """Return the status that refuses the stream."""
        try:
            while await self.read() is not None:
                pass
        except grpc.RpcError as error:
            return error
        raise AssertionError("the stream ended well")

    def notices(self, event: str) -> list[Any]:
        """Return what was told so far of one kind."""
        return [
            getattr(notice, event)
            for response in self.seen
            for notice in response.notices
            if notice.WhichOneof("event") == event
        ]

    def ready(self, response: play_pb2.PlayResponse) -> None:
        """Take all offers of a response."""
        if response.offers:
            self.send(
                readies=[play_pb2.Ready(slot=o.slot, nonce=b"n" * 32) for o in response.offers]
            )

    async def hears(self, what: Callable[[], bool], within: float = 5) -> None:
        """Wait until something is so, looking after each response that another task reads."""
        with trio.fail_after(within):
            while not what():
                await self._heard.wait()

    async def told(self, event: str) -> None:
        """Wait for a notice that another task reads."""
        await self.hears(lambda: bool(self.notices(event)))

    async def play(
        self,
        decide: Callable[[play_pb2.Question], Awaitable[list[play_pb2.Answer]]] | None = None,
    ) -> None:
        """Take offers and answer every question, until the stream ends."""
        try:
            while (response := await self.read(within=60)) is not None:
                self.ready(response)
                questions = list(response.questions)
                questions += [g.question for g in response.snapshot.games if g.HasField("question")]
                answers = []
                for question in questions:
                    answers += await decide(question) if decide else [first_legal(question)]
                if answers:
                    self.send(answers=answers)
        except grpc.RpcError:
            pass

    def crash(self) -> None:
        """Vanish without a word."""
        self._call.cancel()
        self._requests.put(None)
        self._channel.close()


def first_legal(question: play_pb2.Question) -> play_pb2.Answer:
    """Return the first legal action that is not a pass, if there is one: hands are then played."""
    kinds = types_pb2.ActionKind
    kind = next((k for k in question.legal_kinds if k != kinds.ACTION_KIND_PASS), 1)
    answer = play_pb2.Answer(slot=question.slot, seq=question.seq, kind=kind)
    if kind in (kinds.ACTION_KIND_NAME_TRUMP, kinds.ACTION_KIND_NAME_TRUMP_ALONE):
        answer.suit = question.legal_suits[0]
    elif kind in (kinds.ACTION_KIND_PLAY, kinds.ACTION_KIND_EXCHANGE):
        answer.cards.append(question.legal_cards[0])
    elif kind == kinds.ACTION_KIND_KEEP_FIVE:
        answer.cards.extend(question.legal_cards[:5])
    return answer


SHORT = TimeControl(
    ready=timedelta(seconds=1), bank=timedelta(0), increment=timedelta(milliseconds=150)
)
"""Time enough for a test's own bots, and little to wait for those that never answer."""
