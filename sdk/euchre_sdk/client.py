"""A bot's connection to an arena: `run` plays until the arena has nothing more for the bot.

The bot runs in the thread that reads the stream: that answers fastest, and gRPC's own threads keep
the connection alive however long a bot thinks.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import logging
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from datetime import timedelta
from pathlib import Path
from random import SystemRandom
from time import monotonic
from types import FrameType
from typing import cast

import grpc
import grpc.aio

from euchre.v1 import play_pb2, play_pb2_grpc
from euchre_sdk.bot import Bot, BotFactory
from euchre_sdk.client_backoff import BackOff
from euchre_sdk.client_dial import Address, Dial, Security, nobody_there, refusal
from euchre_sdk.client_errors import ConnectError, NoEntry
from euchre_sdk.client_games import Counts, Games
from euchre_sdk.client_receipts import Receipts
from euchre_sdk.client_stream import Stream, was_cut_short
from euchre_sdk.revision import REVISION
from euchre_sdk.text import LONGEST_SAID, cut, one_line
from euchre_sdk.wire_values import MalformedMessageError, read_duration

__all__ = ["ConnectError", "Counts", "NoEntry", "Security", "run"]

log = logging.getLogger("euchre_sdk")

TERMINATED = 128 + signal.SIGTERM
"""Exit code after SIGTERM, as shells have it."""
_FAREWELL = 0.2
"""Seconds in which a farewell reaches the arena, or does not."""
_MOST_REMARKS = 10
"""Remarks of a greeting that are told."""
_GREETS_WITHIN = 10.0
"""Seconds in which an arena must greet a bot."""
_REFUSES_WITHIN = 1.0
"""Seconds in which a refusal without a Hello is waited for."""
_LONG_THOUGHT = 0.05
"""Seconds of thinking during which an arena may have ended the stream."""
_FLUSH_AFTER = 0.002
"""Seconds after which an answer no longer waits for others of its batch."""


def run(
    bot: Bot | BotFactory,
    *,
    arena: str,
    token: str | None = None,
    games: int = 1,
    version: str = "dev",
    security: Security = Security.AUTOMATIC,
    ca_file: Path | None = None,
    wait_for_arena: bool = False,
    patience: timedelta | None = None,
    receipts: Path | None = None,
) -> Counts:
    """Play in an arena until it says that there is nothing more to play; return what was done.

    A lost connection is dialled again, and running games go on. Ctrl-C finishes the running games
    first; a second one ends at once. SIGTERM says goodbye and ends the program without waiting for
    them: `SystemExit` with code 143.

    Args:
        bot: A class or function that makes a bot for each game, or one bot that plays them all
            (with `games` above 1 it then has several games in its head at once).
        arena: Where to dial, `HOST:PORT` or `unix:PATH`.
        token: What the arena gave out when the bot was registered; by default the environment's
            `EUCHRE_TOKEN`.
        games: Games to play at once. Their clocks run independently, so declare only what the bot
            can serve.
        version: The author's label for this version of the bot.
        security: TLS or plaintext; by itself plaintext only to this machine.
        ca_file: Certificates to trust, PEM; by default those in the file named by `EUCHRE_CA`.
        wait_for_arena: Keep dialling if nobody answers the first time.
        patience: Give up when the arena has not been reached for so long; never by default.
        receipts: Write at the end of this file what the bot is told of each game, so that the
            record of the game can be held to it (docs/fair-dealing.md).

    Raises:
        ConnectError: The arena cannot be reached, or does not want this bot.
        ReceiptFileError: No receipts can be written there.
        ValueError: An argument is not usable.
    """
    token = os.environ.get("EUCHRE_TOKEN", "") if token is None else token
    if not token or not token.isascii() or not token.isprintable():
        msg = "a token is a line of printable ASCII: give token=… or set EUCHRE_TOKEN"
        raise ValueError(msg)
    if games < 1:
        msg = f"games is {games}: a bot plays at least one game at once"
        raise ValueError(msg)
    dial = Dial(address=Address(arena), security=security, ca_file=ca_file)
    kept = None if receipts is None else Receipts(receipts)
    link = _Link(
        dial=dial,
        token=token,
        hello=play_pb2.Hello(
            protocol_revision=REVISION,
            sdk_name="euchre-sdk",
            sdk_version=_sdk_version(),
            version_label=version,
            games_at_once=games,
        ),
        games=Games(_factory(bot), receipts=kept),
        wait_for_arena=wait_for_arena,
        patience=patience,
    )
    file = closing(kept) if kept is not None else nullcontext()
    with file, asyncio.Runner() as runner, _signals(link):
        try:
            runner.run(link.play())
        except asyncio.CancelledError:
            if not link.told_to_end:
                raise
    if link.told_to_end:
        sys.exit(TERMINATED)
    return link.games.counts


def _factory(bot: Bot | BotFactory) -> BotFactory:
    if not isinstance(bot, type) and callable(getattr(bot, "act", None)):
        only: Bot = bot  # type: ignore[assignment]  # it has an act
        return lambda: only
    if not callable(bot):
        msg = f"{bot!r} is no bot: expected a method act(self, view), or what makes such a bot"
        raise TypeError(msg)
    return bot


def _sdk_version() -> str:
    try:
        return importlib.metadata.version("euchre-sdk")
    except importlib.metadata.PackageNotFoundError:
        return "source"


@contextmanager
def _signals(link: _Link) -> Iterator[None]:
    """Leave after the running games at Ctrl-C, at once at SIGTERM; a second one is not waited for.

    It is an ordinary KeyboardInterrupt, or ends the process.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupted(_signal: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        link.leave_from_signal()

    def terminated(_signal: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        link.quit_from_signal()

    handlers = {signal.SIGINT: interrupted, signal.SIGTERM: terminated}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Link:
    """One bot in one arena, over as many streams as it takes."""

    def __init__(
        self,
        *,
        dial: Dial,
        token: str,
        hello: play_pb2.Hello,
        games: Games,
        wait_for_arena: bool,
        patience: timedelta | None,
    ) -> None:
        self.games = games
        self._dial = dial
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._hello = hello
        self._wait = wait_for_arena
        self._patience = patience
        self._link_id = ""
        self._back_off = BackOff(SystemRandom())
        self.told_to_end = False
        """Whether the program is to end, whatever is running."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._leave = asyncio.Event()
        self._welcomed = False
        self._quiet = False
        """Whether the present loss has been told of."""
        self._lost_at = monotonic()
        self._pause = timedelta(0)
        """What the arena asked to wait before the next dial."""

    def leave_from_signal(self) -> None:
        """Ask for no further games; safe at any moment of the main thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._leave.set)

    def quit_from_signal(self) -> None:
        """Say goodbye and cancel `play`; safe at any moment of the main thread."""
        if self._loop is None:
            sys.exit(TERMINATED)
        self._loop.call_soon_threadsafe(self._quit)

    def _quit(self) -> None:
        assert self._loop is not None  # it is running this
        assert self._task is not None
        self.told_to_end = True
        log.info("told to end; games that are left running: %d", self.games.running)
        self._leave.set()
        self._loop.call_later(_FAREWELL if self._welcomed else 0.0, self._task.cancel)

    async def play(self) -> None:
        """Dial until there is nothing more to play. Raises `ConnectError`."""
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        while not await self._stream_ends_it():
            lost_for = timedelta(seconds=monotonic() - self._lost_at)
            if self._patience is not None and lost_for > self._patience:
                sentence = f"the arena at {self._dial.address.text} is gone since {lost_for}."
                raise ConnectError(NoEntry.NOBODY_THERE, sentence)
            wait = max(self._pause, self._back_off.next(lost_for))
            self._pause = timedelta(0)
            if await self._left_within(wait):
                return

    async def _left_within(self, wait: timedelta) -> bool:
        """Wait; return true, and at once, if the bot is to leave: it waits for nobody then."""
        try:
            async with asyncio.timeout(wait.total_seconds()):
                await self._leave.wait()
        except TimeoutError:
            return False
        return True

    async def _stream_ends_it(self) -> bool:
        """Play over one stream; return whether that was the last one. Raises `ConnectError`."""
        channel = self._dial.channel()
        # one class at run time; its typed name for this kind of channel exists in stubs only
        stub = cast("play_pb2_grpc.PlayServiceAsyncStub", play_pb2_grpc.PlayServiceStub(channel))
        stream = Stream(stub.Play(metadata=self._metadata))
        leaver = None
        try:
            await stream.write(play_pb2.PlayRequest(hello=self._hello))
            async with asyncio.timeout(_GREETS_WITHIN):
                come = await stream.read()
            if not come:
                self._lost(self._hung_up())
                return False
            if come[0].HasField("welcome"):
                self._welcome(come[0].welcome, resumed=come[0].HasField("snapshot"))
                leaver = asyncio.create_task(self._say_leave(stream))
            return await self._follow(stream, come)
        except TimeoutError:
            sentence = f"something answers at {self._dial.address.text}, but it greets no bots."
            self._lost(ConnectError(NoEntry.NO_ARENA, sentence))
        except grpc.aio.AioRpcError as error:
            if leaver is not None and was_cut_short(error):  # no refusal: it had been greeted
                sentence = f"the connection to the arena at {self._dial.address.text} was lost."
                self._lost(ConnectError(NoEntry.NOBODY_THERE, sentence), error)
                return False
            reason = await self._ask_why(stub) if was_cut_short(error) else error
            if reason is None:
                self._lost(self._hung_up(), error)
            elif (final := refusal(reason, self._dial)) is not None:
                raise final from error
            else:
                self._lost(nobody_there(reason, self._dial), error)
        finally:
            if leaver is not None:
                leaver.cancel()
                self._lost_at = monotonic()
            await stream.close()
            await channel.close()
        return False

    async def _ask_why(
        self, stub: play_pb2_grpc.PlayServiceAsyncStub
    ) -> grpc.aio.AioRpcError | None:
        """Return the refusal that a stream gets on which nothing is said, if it comes at once."""
        stream = Stream(stub.Play(metadata=self._metadata))
        try:
            async with asyncio.timeout(_REFUSES_WITHIN):
                await stream.read()
        except grpc.aio.AioRpcError as error:
            return error
        except TimeoutError:
            return None
        finally:
            stream.cancel()
            await stream.close()
        return None

    def _hung_up(self) -> ConnectError:
        sentence = f"the arena at {self._dial.address.text} hangs up without saying why."
        return ConnectError(NoEntry.REFUSED, sentence)

    def _lost(self, why: ConnectError, error: Exception | None = None) -> None:
        """Take note that the stream is lost. Raises `ConnectError` if it never was one."""
        if not self._welcomed and not self._wait:
            raise why from error
        if self._quiet:
            log.debug("still no stream: %s", why)
        else:
            log.warning("%s Dialling again.", why)
        self._quiet = True

    def _welcome(self, welcome: play_pb2.Welcome, *, resumed: bool) -> None:
        if welcome.link_id != self._link_id and not resumed:
            self.games.forget()
        if not self._welcomed or welcome.link_id != self._link_id:
            at_once = min(welcome.limits.games_at_once, self._hello.games_at_once)
            log.info(
                "connected to %s as %s, games at once: up to %d",
                *(self._dial.address.text, one_line(welcome.bot_name), at_once),
            )
        else:
            log.info("connected to %s again", self._dial.address.text)
        for remark in welcome.remarks[:_MOST_REMARKS]:
            log.warning("the arena says: %s", one_line(cut(remark, LONGEST_SAID)))
        self._link_id = welcome.link_id
        self._hello.resume_secret = welcome.resume_secret
        self._welcomed = True
        self._quiet = False
        self._back_off.reset()

    async def _say_leave(self, stream: Stream) -> None:
        await self._leave.wait()
        running = self.games.running
        if running:
            log.info("leaving after running games (%d); Ctrl-C again leaves at once", running)
        await stream.write(play_pb2.PlayRequest(leave=play_pb2.Leave()))
        if not running:
            stream.cancel()

    async def _follow(self, stream: Stream, come: list[play_pb2.PlayResponse]) -> bool:
        """Answer the stream to its end; return whether nothing more is to come."""
        while come:
            await self._answer(stream, come)
            if come[-1].HasField("goodbye"):
                return self._goodbye(come[-1].goodbye)
            if self._leave.is_set() and not self.games.running:
                return True
            come = await stream.read()
        if not self._leave.is_set():
            self._lost(self._hung_up())
        return self._leave.is_set() and not self.games.running

    async def _answer(self, stream: Stream, come: list[play_pb2.PlayResponse]) -> None:
        batch: list[play_pb2.Answer] = []
        since = monotonic()
        for response in come:
            readies = self.games.readies(response)
            if readies:
                await stream.write(play_pb2.PlayRequest(readies=readies))
            for answer in self.games.answers(response):
                batch.append(answer)
                thought = monotonic() - since
                if thought > _FLUSH_AFTER:
                    if thought > _LONG_THOUGHT and await stream.catch_up():
                        return
                    await stream.write(play_pb2.PlayRequest(answers=batch))
                    batch = []
                    since = monotonic()
        if batch:
            await stream.write(play_pb2.PlayRequest(answers=batch))

    def _goodbye(self, goodbye: play_pb2.Goodbye) -> bool:
        """Return whether nothing more is to be played. Raises `ConnectError` if not welcome."""
        if goodbye.HasField("retry_duration"):
            with suppress(MalformedMessageError):  # then the back-off alone says when
                self._pause = max(timedelta(0), read_duration(goodbye.retry_duration))
        said = f"{one_line(cut(goodbye.message, LONGEST_SAID))} " if goodbye.message else ""
        address = self._dial.address.text
        match goodbye.reason:
            case play_pb2.GOODBYE_REASON_DONE:
                log.info("the arena says goodbye: nothing more to play")
                return True
            case play_pb2.GOODBYE_REASON_TAKEN_OVER:
                reason, why = NoEntry.TAKEN_OVER, "another connection of this bot took over"
            case play_pb2.GOODBYE_REASON_REVOKED:
                reason, why = NoEntry.REVOKED, "this token is no longer good"
            case play_pb2.GOODBYE_REASON_QUARANTINED:
                reason, why = NoEntry.QUARANTINED, "this bot is in quarantine"
            case play_pb2.GOODBYE_REASON_LINK_LIMIT if not goodbye.HasField("retry_duration"):
                reason, why = NoEntry.LINK_LIMIT, "this bot is connected already"
            case play_pb2.GOODBYE_REASON_LINK_ENDED:
                self._hello.ClearField("resume_secret")
                return self._leave.is_set()
            case _:
                log.warning("the arena ends the stream: %s", said or "no reason given")
                return self._leave.is_set() and not self.games.running
        raise ConnectError(reason, f"the arena at {address} says goodbye: {said}({why}).")
