"""Streams that are lost again and again in one game: it goes on as if nothing had been."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.referee import GameOutcome, LinkConduct, Termination, TimeControl
from arena.rpc.play.settings import PlaySettings
from euchre.v1 import play_pb2
from euchre_sdk import Action, View, run
from euchre_sdk.game import STANDARD, Session, replay_hand
from tests.integration.misbehaviour.crew import read_transcript, start_many
from tests.integration.raw_bot import Arena, Playing, arena
from tests.integration.test_sdk_in_arena import Proxy

pytestmark = [pytest.mark.slow, pytest.mark.cli, pytest.mark.timeout(900)]

DROPS = (1, 10, 100)
"""Streams lost in one game, one for each game that is played at the same time."""
HANDS = Session(15)
AMPLE = TimeControl(bank=timedelta(seconds=60), limit=timedelta(seconds=20))
FREE = PlaySettings(conduct=LinkConduct(reattach_per_minute=100_000))
GOOD = ("left", "right")


def decisions(outcome: GameOutcome, seat: int) -> Iterator[int]:
    """Yield the microseconds of each decision of a seat, in the order of its questions."""
    for record in outcome.hands:
        hand = replay_hand(STANDARD, record.dealer, record.deck, record.decisions)
        for (who, _), spent in zip(hand.public.history, record.spent_us, strict=True):
            if who == seat:
                yield spent


@asynccontextmanager
async def bots(a: Arena, folder: Path, *others: list[str]) -> Any:
    """Run two that behave, and others, in a process of many bots, until the block is left."""
    crew = [["--token", name, "--label", name, "--games", "9"] for name in GOOD]
    async with trio.open_nursery() as nursery:
        process = await start_many(nursery, a.address, folder / "bots", [*crew, *others])
        yield process
        nursery.cancel_scope.cancel()


async def present(a: Arena, *names: str) -> None:
    with trio.fail_after(30):
        while not all(a.play.presence(name) for name in names):
            await a.play.wait_change()


def assert_nothing_was_lost(playing: Playing) -> None:
    outcome = playing.outcome
    assert set(outcome.terminations) == {Termination.NORMAL}
    assert outcome.faults == (0, 0, 0)
    assert len(outcome.hands) == HANDS.hands
    assert all(hand.forced == () for hand in outcome.hands)


async def test_a_game_goes_on_after_1_10_and_100_lost_streams(tmp_path: Path) -> None:
    names = [f"drops-{number}" for number in DROPS]
    crew = [
        [
            *("--token", name, "--label", name, "--when", "any", "--do", "drop"),
            *("--times", str(number), "--leave-after", "1", "--transcript", str(tmp_path / name)),
        ]
        for name, number in zip(names, DROPS, strict=True)
    ]
    async with arena(FREE) as a, bots(a, tmp_path, *crew) as process:
        await present(a, *names, *GOOD)
        games = [
            a.start(a.order((name, *GOOD), game_id=name, format=HANDS, control=AMPLE))
            for name in names
        ]
        for name, playing in zip(names, games, strict=True):
            await playing.ended(60)
            await process.says(f"{name}: goodbye GOODBYE_REASON_DONE")
    for name, number, playing in zip(names, DROPS, games, strict=True):
        assert_nothing_was_lost(playing)
        came = [r for r in read_transcript(tmp_path / name) if r.HasField("welcome")]
        assert len(came) == 1 + number
        assert len({r.welcome.link_id for r in came}) == 1
        assert len({r.welcome.resume_secret for r in came}) == 1
        assert_one_instance(read_transcript(tmp_path / name))
        assert_clocks_went_on(read_transcript(tmp_path / name), playing.outcome)


def assert_one_instance(responses: list[play_pb2.PlayResponse]) -> None:
    """The bot is offered one game, once, asked everything once, and told nothing twice."""
    assert sum(len(r.offers) for r in responses) == 1
    notices = [notice.WhichOneof("event") for r in responses for notice in r.notices]
    assert notices.count("game_start") == 1
    ended = [n.hand_end.hand_number for r in responses for n in r.notices if n.HasField("hand_end")]
    assert ended == sorted(set(ended))  # a hand may end while it is away
    assert notices.count("game_over") == 1
    assert "answer_dropped" not in notices
    saved = [game for r in responses for game in r.snapshot.games]
    asked = [q.seq for r in responses for q in r.questions]
    assert asked == list(range(1, len(asked) + 1))
    for game in saved:
        assert game.ready
        assert game.faults == 0
        assert game.HasField("question")
    assert len({(game.offer.game_id, game.offer.slot, game.offer.seat) for game in saved}) == 1


def assert_clocks_went_on(responses: list[play_pb2.PlayResponse], outcome: GameOutcome) -> None:
    """What a snapshot says is left of an answer's time is what the record later says was spent."""
    spent = list(decisions(outcome, 0))
    had = {q.seq: q for r in responses for q in r.questions}
    for response in responses:
        for game in response.snapshot.games:
            before, again = had[game.question.seq], game.question
            assert again.hand == before.hand
            assert again.legal_kinds == before.legal_kinds
            gone = before.answer_duration.ToTimedelta() - again.answer_duration.ToTimedelta()
            assert timedelta(0) < gone
            assert gone <= timedelta(microseconds=spent[again.seq - 1] + 1)


async def test_the_sdk_goes_on_after_1_10_and_100_cut_connections(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        a = await stack.enter_async_context(arena(FREE))
        await stack.enter_async_context(bots(a, tmp_path))
        nursery = await stack.enter_async_context(trio.open_nursery())
        games, crew = [], []
        for number in DROPS:
            proxy = Counting(a.edge.ports[0])
            await a.nursery.start(proxy.run)
            sdk = SdkBot(proxy, f"sdk-{number}", number)
            nursery.start_soon(sdk.run)
            crew.append(sdk)
        await present(a, *(sdk.name for sdk in crew), *GOOD)
        for sdk in crew:
            order = a.order((sdk.name, *GOOD), game_id=sdk.name, format=HANDS, control=AMPLE)
            games.append(a.start(order))
        for playing in games:
            await playing.ended(60)
        for sdk in crew:
            a.play.revoke(sdk.name)
    for sdk, playing in zip(crew, games, strict=True):
        assert_nothing_was_lost(playing)
        assert (sdk.cuts, sdk.made, sdk.starts) == (sdk.most, 1, 1)
        assert (
            sdk.proxy.connections == 1 + sdk.cuts
        )  # it dials once for each, and asks nothing else
        assert len(sdk.asked) == len(list(decisions(playing.outcome, 0)))


class Counting(Proxy):
    """Counts the connections that go through it."""

    connections = 0

    async def _pass_on(self, near: trio.SocketStream) -> None:
        self.connections += 1
        await super()._pass_on(near)


class SdkBot:
    """A bot of the SDK whose connection is cut whenever it is asked something new."""

    def __init__(self, proxy: Counting, name: str, most: int) -> None:
        self.proxy = proxy
        self.name = name
        self.most = most
        self.cuts = self.made = self.starts = 0
        self.asked: set[str] = set()

    async def run(self) -> None:
        await trio.to_thread.run_sync(self._run)

    def _run(self) -> None:
        outer = self

        class Cut:
            def __init__(self) -> None:
                outer.made += 1

            def game_started(self, _start: object) -> None:
                outer.starts += 1

            def act(self, view: View) -> Action:
                return outer.act(view)

        with pytest.raises(Exception, match="no longer good"):
            run(Cut, arena=self.proxy.address, token=self.name)

    def act(self, view: View) -> Action:
        if str(view) not in self.asked and self.cuts < self.most:
            self.cuts += 1
            trio.from_thread.run(self.proxy.cut)
        self.asked.add(str(view))
        return view.legal[0]


async def test_a_bot_that_comes_back_too_often_waits_while_its_clock_runs(tmp_path: Path) -> None:
    few = PlaySettings(conduct=LinkConduct(reattach_per_minute=30))
    hasty = TimeControl(bank=timedelta(0), increment=timedelta(seconds=0.5))
    storm = [
        *("--token", "storm", "--label", "storm", "--when", "bid", "--do", "reconnect-storm=31"),
        *("--leave-after", "1", "--transcript", str(tmp_path / "storm")),
    ]
    async with arena(few) as a, bots(a, tmp_path, storm):
        await present(a, "storm", *GOOD)
        names = ("storm", *GOOD)
        outcome = await a.start(a.order(names, format=Session(4), control=hasty)).ended(30)
    assert outcome.terminations == (Termination.TIME, Termination.NORMAL, Termination.NORMAL)
    assert outcome.faults == (3, 0, 0)
