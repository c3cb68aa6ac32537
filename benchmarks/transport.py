"""How much an arena costs on the wire, compared with bare gRPC.

raw    a grpc.aio server and grpc.aio clients on TCP; one prebuilt message of the size of a question
       one way and of an answer the other way; three client processes with one stream each, never
       more than one message under way on a stream.
arena  the play service with tables, clocks, verifiable deals and a journal in memory; the `random`
       bot through the SDK in three processes.

(a) one game: the median time from a question's departure to its answer's arrival, over raw's at
    one stream; (b) 64 games in flight per bot: decisions a second over raw's round trips a second
    on three streams. Rounds alternate; the median of the rounds' ratios counts.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import json
import logging
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import click
import grpc
import grpc.aio
import structlog
import trio

from arena.referee import Conduct, Fault, Forfeit, GameOutcome, HandRecord, Nonces, TimeControl
from arena.rpc.binding import Listen
from arena.rpc.edge import OPTIONS, serve
from arena.rpc.play.service import PlayService
from arena.tournaments.playroom import GameOrder, SeatOrder
from benchmarks.harness import Report, as_report, machine
from euchre.v1 import play_pb2
from euchre_sdk.bots import make_bot
from euchre_sdk.client import run as connect
from euchre_sdk.game import SEATS, STANDARD, Action, Deals, Hand, Seat, Session, fallback
from euchre_sdk.game.dealing import VerifiableDeals, commitment, derived_nonce
from euchre_sdk.wire import read_answer, read_question, write_answer, write_question
from euchre_sdk.wire_question import question_bytes

GAMES = 64
HOST = "127.0.0.1"
METHOD = "/raw.Raw/Talk"
WARM_UP = 0.7
"""Seconds before measuring: connections, caches, first deals."""


def sample() -> tuple[Hand, play_pb2.Question, play_pb2.Answer]:
    """Return a typical question, in the middle of a hand, and its answer."""
    hand = Hand(STANDARD, SEATS[0], STANDARD.deck)
    while (view := hand.view) is not None and len(hand.public.plays) < 7:
        wish = Action.ORDER_UP if Action.ORDER_UP in view.legal else fallback(view)
        hand.apply(wish)
    assert view is not None
    question = write_question(17, 140, view)
    return hand, question, write_answer(17, 140, view.kind, view.legal[0])


# -- raw


async def raw_server(streams: int, seconds: float) -> dict[str, Any]:
    """Serve `streams` clients for a while; return round trips a second and their times."""
    _, question, answer = sample()
    message = play_pb2.PlayResponse(questions=[question]).SerializeToString()
    times: list[int] = []
    connected = asyncio.Semaphore(0)
    go = asyncio.Event()
    until = [0.0]

    async def talk(_requests: object, context: Any) -> None:
        await context.read()
        connected.release()
        await go.wait()
        begun = time.monotonic() + WARM_UP
        while (now := time.monotonic()) < until[0]:
            departed = time.monotonic_ns()
            await context.write(message)
            await context.read()
            if now > begun:
                times.append(time.monotonic_ns() - departed)

    server = grpc.aio.server(options=OPTIONS)
    handler: Any = grpc.stream_stream_rpc_method_handler(talk)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("raw.Raw", {"Talk": handler}),)
    )
    port = server.add_insecure_port(f"{HOST}:0")
    await server.start()
    size = str(len(play_pb2.PlayRequest(answers=[answer]).SerializeToString()))
    with clients(streams, lambda _: ["raw-client", str(port), size]):
        for _ in range(streams):
            await connected.acquire()
        until[0] = time.monotonic() + WARM_UP + seconds
        go.set()
        await asyncio.sleep(WARM_UP + seconds + 0.1)
        await server.stop(0.2)
    return {"per_second": len(times) / seconds, "p50_us": statistics.median(times) / 1e3}


async def raw_client(port: str, size: str) -> None:
    """Answer every message with one of `size` bytes."""
    answer = b"\0" * int(size)
    async with grpc.aio.insecure_channel(f"{HOST}:{port}") as channel:
        method: Any = channel.stream_stream(METHOD)
        call = method()
        await call.write(answer)
        try:
            while await call.read() is not grpc.aio.EOF:
                await call.write(answer)
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            pass  # the measurement is over


# -- arena


class Source:
    """Verifiable deals of an order."""

    def __init__(self, order: GameOrder) -> None:
        self._seed = order.seed
        self.commitment = commitment(order.deal_set, order.seed)

    def derived_nonce(self, seat: Seat) -> bytes:
        """Return the nonce of a house bot."""
        return derived_nonce(self._seed, seat)

    def deals(self, nonces: Nonces) -> Deals:
        """Return what seed and nonces determine."""
        return VerifiableDeals(self._seed, nonces)


@dataclass(slots=True)
class Tally:
    """A journal that counts, and acknowledges at once."""

    begun: float
    decisions: int = 0
    times_us: list[int] = field(default_factory=list)

    async def ready(self, _nonces: Nonces) -> None:
        """Nothing is kept."""

    async def fault(self, _hand_number: int, fault: Fault) -> None:
        """Stop: the random bot makes no faults, so something is wrong with the measurement."""
        raise RuntimeError(fault)

    async def forfeit(self, forfeit: Forfeit) -> None:
        """Stop: nobody forfeits, so something is wrong with the measurement."""
        raise RuntimeError(forfeit)

    async def over(self, _outcome: GameOutcome) -> None:
        """Nothing is kept."""

    async def hand(self, record: HandRecord) -> None:
        """Count a hand's decisions."""
        if time.monotonic() > self.begun:
            self.decisions += len(record.decisions)
            self.times_us += record.spent_us


@dataclass(frozen=True, slots=True)
class Caller:
    """A token is the bot's name."""

    bot_id: str
    name: str


async def known(token: str) -> Caller:
    """Let everybody in."""
    return Caller(token, token)


async def arena_server(games: int, seconds: float) -> dict[str, Any]:
    """Play `games` games at once for a while; return decisions a second and their times."""
    play = PlayService(authenticate=known, deal_source=Source)
    times: dict[str, float] = {}

    def failed(error: BaseException) -> None:
        raise error

    async with serve(
        (Listen(address=f"{HOST}:0"),),
        opened=play.opened,
        woken=play.woken,
        settled=play.settled,
        failed=failed,
    ) as edge:
        port = str(edge.ports[0])
        with clients(3, lambda n: ["arena-client", port, f"bot{n}", str(games)]):
            async with trio.open_nursery() as nursery:
                await nursery.start(play.run)
                while any(play.presence(f"bot{seat}") < games for seat in SEATS):
                    await play.wait_change()
                tally = Tally(time.monotonic() + WARM_UP)
                for number in range(games):
                    nursery.start_soon(play.play, order(number), tally)
                await trio.sleep(WARM_UP)
                cpu = time.thread_time(), time.process_time()
                await trio.sleep(seconds)
                times["trio"] = time.thread_time() - cpu[0]
                times["all"] = time.process_time() - cpu[1]
                decisions, spent = tally.decisions, tally.times_us[:]
                nursery.cancel_scope.cancel()
    return {
        "per_second": decisions / seconds,
        "p50_us": statistics.median(spent),
        "server_us": times["all"] * 1e6 / decisions,
        "trio_us": times["trio"] * 1e6 / decisions,
        "decisions": decisions,
    }


def order(number: int) -> GameOrder:
    """Return one endless session; the seats of the bots rotate from game to game."""
    first, second, third = (
        SeatOrder(entry_id=name, bot_id=name, name=name)
        for name in (f"bot{(number + seat) % 3}" for seat in SEATS)
    )
    return GameOrder(
        game_id=f"game{number}",
        deal_set=f"bench/{number}",
        rules=STANDARD,
        format=Session(1_000_000),
        time_control=TimeControl(),
        conduct=Conduct(),
        seats=(first, second, third),
        seed=number.to_bytes(32, "big"),
        incarnation=1,
    )


def arena_client(port: str, name: str, games: str) -> None:
    """Play as the `random` bot through the SDK until the arena is gone."""
    logging.disable()
    connect(
        lambda: make_bot("random"),
        arena=f"{HOST}:{port}",
        token=name,
        games=int(games),
    )


# -- the orchestra


@contextmanager
def clients(number: int, arguments: Callable[[int], list[str]]) -> Iterator[None]:
    """Run client processes while the block runs."""
    command = [sys.executable, __file__, "--role"]
    running = [subprocess.Popen([*command, *arguments(n)]) for n in range(number)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
        for process in running:
            process.wait()


def play_role(role: str, arguments: list[str]) -> None:
    """Do the part of one process of a measurement."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    match role:
        case "raw-client":
            asyncio.run(raw_client(*arguments))
        case "arena-client":
            arena_client(*arguments)
        case "raw" | "arena":
            count, seconds = int(arguments[0]), float(arguments[1])
            if role == "raw":
                result = asyncio.run(raw_server(count, seconds))
            else:
                result = trio.run(arena_server, count, seconds)
            sys.stdout.write(json.dumps(result))


def measured(role: str, count: int, seconds: float) -> dict[str, Any]:
    """Return what one measurement, in processes of its own, gives."""
    command = [sys.executable, __file__, "--role", role, str(count), str(seconds)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def parts() -> dict[str, float]:
    """Return what single steps of a decision take in this process, in microseconds."""
    hand, question, answer = sample()
    view = hand.view
    assert view is not None
    kind, seat, legal = view.kind, view.seat, view.legal[0]
    asked = play_pb2.PlayResponse(questions=[question])
    data = asked.SerializeToString()
    replied = play_pb2.PlayRequest(answers=[answer]).SerializeToString()
    bot: Any = make_bot("random")
    steps: dict[str, Callable[[], Any]] = {
        "arena: encode the question, us": lambda: question_bytes(17, 140, view),
        "arena: parse the answer, us": lambda: read_answer(
            play_pb2.PlayRequest.FromString(replied).answers[0], kind, seat
        ),
        "bot: parse the question, us": lambda: read_question(
            play_pb2.PlayResponse.FromString(data).questions[0], STANDARD, Session(1)
        ),
        "bot: decide at random, us": lambda: bot.act(view),
        "bot: build and serialise the answer, us": lambda: play_pb2.PlayRequest(
            answers=[write_answer(17, 140, kind, legal)]
        ).SerializeToString(),
    }
    return {name: best_us(step) for name, step in steps.items()}


def best_us(step: Callable[[], Any]) -> float:
    """Return the best of some timings of one step."""
    best = float("inf")
    for _ in range(5):
        begun = time.perf_counter()
        for _ in range(2_000):
            step()
        best = min(best, time.perf_counter() - begun)
    return best / 2_000 * 1e6


@click.command(help=__doc__)
@click.option("--rounds", default=5, show_default=True)
@click.option("--seconds", default=2.0, show_default=True, help="Of each measurement.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def main(rounds: int, seconds: float, *, as_json: bool) -> None:
    """Measure in alternating rounds, and print what came out."""
    done: list[dict[str, dict[str, Any]]] = []
    for number in range(rounds):
        one = {
            "raw_one": measured("raw", 1, seconds),
            "arena_one": measured("arena", 1, seconds),
            "raw_three": measured("raw", 3, seconds),
            "arena_many": measured("arena", GAMES, seconds),
        }
        done.append(one)
        click.echo(
            f"round {number + 1}: p50 raw {one['raw_one']['p50_us']:.0f} us,"
            f" one game {one['arena_one']['p50_us']:.0f} us;"
            f" a second: raw {one['raw_three']['per_second']:.0f},"
            f" {GAMES} games {one['arena_many']['per_second']:.0f}",
            err=True,
        )
    p50 = [r["arena_one"]["p50_us"] / r["raw_one"]["p50_us"] for r in done]
    rate = [r["arena_many"]["per_second"] / r["raw_three"]["per_second"] for r in done]

    def middle(measurement: str, figure: str) -> float:
        return float(statistics.median(r[measurement][figure] for r in done))

    report = Report(
        name="transport",
        compared_with=f"bare grpc.aio {importlib.metadata.version('grpcio')}",
        ratios={
            "p50_one_game": (statistics.median(p50), "<= 2.5"),
            "decisions_64_games": (statistics.median(rate), ">= 2.0"),
        },
        figures={
            "p50_one_game lowest": min(p50),
            "p50_one_game highest": max(p50),
            "decisions_64_games lowest": min(rate),
            "decisions_64_games highest": max(rate),
            "raw, 1 stream: p50 us": middle("raw_one", "p50_us"),
            "raw, 3 streams: a second": middle("raw_three", "per_second"),
            "1 game: p50 us": middle("arena_one", "p50_us"),
            "1 game: decisions a second": middle("arena_one", "per_second"),
            "64 games: decisions a second": middle("arena_many", "per_second"),
            "64 games: p50 us": middle("arena_many", "p50_us"),
            "64 games: arena's CPU us a decision": middle("arena_many", "server_us"),
            "64 games: of it tables and links, us": middle("arena_many", "trio_us"),
            **parts(),
        },
        machine={**machine("grpcio", "protobuf", "trio"), "load": f"{os.getloadavg()[0]:.1f}"},
    )
    click.echo(as_report(report, as_json=as_json))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--role"]:  # one process of a measurement
        play_role(sys.argv[2], sys.argv[3:])
    else:
        main()
