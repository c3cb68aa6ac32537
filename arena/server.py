"""The arena as one process: what is started in which order, and how it is stopped.

Start-up: (1) the data directory is held, the database brought up to date, this start counted;
(2) the organiser's token is read, or made; (3) the play service and its tables; (4) tournaments
that were running are taken up; (5) gRPC listens; (6) house bots are started where needed.

Shutdown, on SIGTERM or Ctrl-C, in the opposite order: house bots end; bots are told goodbye and
calls get a moment to end; directors stop where they are, which leaves every game resumable; what
was brought to the store is committed; the data directory is free.
"""

from __future__ import annotations

import importlib.metadata
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import structlog
import trio

from arena.descriptors import allow_many_files
from arena.errors import ArenaError
from arena.health import Health, Part
from arena.house_answers import HouseAnswers
from arena.house_bots import keep_house_bots, register_house_bots
from arena.luck_keeper import LuckCorrection, LuckKeeper
from arena.metrics import Metrics
from arena.metrics_page import ArenaCollector, serve_metrics
from arena.overview import Overview, watch_health
from arena.places import TOKEN_FILE
from arena.rpc.auth import Doorkeeper, Gate
from arena.rpc.bots import BotServicer
from arena.rpc.edge import serve
from arena.rpc.errors import translate
from arena.rpc.flights import FlightDesk
from arena.rpc.limits import CallLimits
from arena.rpc.listening import listening
from arena.rpc.matches import MatchServicer
from arena.rpc.play.link_keeping import StoreKeeper
from arena.rpc.play.service import PlayService
from arena.rpc.play.settings import play_settings
from arena.rpc.services import arena_service, bot_service, match_service, tournament_service
from arena.rpc.serving import serving
from arena.rpc.status import ArenaServicer
from arena.rpc.tls import ServerTls
from arena.rpc.tournaments import TournamentServicer
from arena.settings import Settings
from arena.store import Store, bots, open_store
from arena.store.bots import RegisteredBot
from arena.store.links import all_links
from arena.tokens import TokenKind, hash_token, new_token
from arena.tournaments.deal_sets import DealSet
from arena.tournaments.flights import FlightArchive, Retention
from arena.tournaments.history import HistoryKeeper
from arena.tournaments.organiser import Organiser, open_tournaments

log = structlog.get_logger(__name__)

RENEWAL = timedelta(days=14)
"""How long before the end of a certificate the log says so at the start."""
SPARE_FILES = 256
"""Files and connections beside the streams of bots: watchers, callers, house bots, the database."""


class ServerError(ArenaError):
    """The arena cannot start, for a reason outside its code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A running arena."""

    address: str
    """Where it can be dialled."""
    encrypted: bool
    """Whether it takes TLS only."""
    token_file: Path
    """Holds the organiser's token."""
    organiser: Organiser
    store: Store
    health: Health


def utc_now() -> datetime:
    """Return the time of day."""
    return datetime.now(UTC)


@asynccontextmanager
async def running_arena(
    settings: Settings, *, now: Callable[[], datetime] = utc_now
) -> AsyncIterator[Running]:
    """Run an arena while the block runs."""
    places = listening(settings)  # 1
    if places.tls is not None:
        _tell_of_certificate(places.tls)
    health, metrics = Health(), Metrics()
    async with open_store(settings.data, now=now()) as store:  # 1
        log.info("store_opened", incarnation=store.incarnation, backup=store.backup)
        token_file = settings.data / TOKEN_FILE
        organiser_hash = hash_token(_organiser_token(token_file))  # 2
        doorkeeper = Doorkeeper(
            organiser=organiser_hash, credentials=await store.read(bots.credentials)
        )
        gate = Gate(
            doorkeeper,
            lambda name: store.read(bots.bot_named, name),
            bot_with_id=lambda bot_id: store.read(bots.bot_with_id, bot_id),
            limits=CallLimits.of(
                calls_per_second=settings.calls_per_second, watchers=settings.watchers
            ),
        )
        archive = FlightArchive(store, _retention(settings), now=now)
        house = await register_house_bots(store, doorkeeper, now=now())
        playroom = PlayService(  # 3
            authenticate=partial(bot_with_token, store, gate),
            wrong_token=gate.slow_down,
            deal_source=DealSet,
            settings=play_settings(settings),
            versions=(_version("euchre-arena"), _version("euchre-sdk")),
            house_answer=HouseAnswers(),
            remarks=lambda bot_id, label: organiser.fleet.remarks(  # noqa: PLW0108 - made below
                bot_id, label
            ),
            on_late_house=lambda _order, _seat: organiser.fleet.guard.late(playroom.games_running),
            links=await store.read(all_links),
            keeper=StoreKeeper(store),
            keep_flight=archive.keep,
            keep_every_flight=archive.retention.everything,
            metrics=metrics,
        )
        async with (
            _background(archive.run),
            _background(playroom.run),
            open_tournaments(  # 4
                store, playroom, now=now, games_at_once=settings.games_at_once
            ) as organiser,
            _overview(settings, store, playroom, organiser, health, metrics, now) as overview,
            serve(  # 5
                places.listens,
                opened=playroom.opened,
                woken=playroom.woken,
                settled=playroom.settled,
                closing=playroom.stop,
                failed=_log_failure,
                services=(
                    bot_service(
                        BotServicer(
                            store,
                            organiser,
                            playroom,
                            doorkeeper,
                            now=now,
                            revoked=playroom.revoke,
                            registration_is_open=settings.open_registration,
                            flights=FlightDesk(store, archive.retention, playroom.flight, now=now),
                        ),
                        gate,
                    ),
                    tournament_service(TournamentServicer(store, organiser, playroom), gate),
                    match_service(MatchServicer(store, organiser), gate),
                    arena_service(ArenaServicer(overview.snapshot, metrics), gate),
                ),
                translate=translate,
                grace=settings.grace.total_seconds(),
                metrics=metrics,
            ) as edge,
            _background(
                partial(  # 6
                    keep_house_bots,
                    organiser.fleet,
                    house,
                    address=places.dialled_by_house_bots(edge.ports),
                    games_at_once=settings.house_games,
                )
            ),
            _background(partial(watch_health, health, store, edge)),
            _background(HistoryKeeper(store, organiser.fleet, now=now).run),
            _background(
                LuckKeeper(store, organiser.fleet, LuckCorrection(settings.luck_correction)).run
            ),
        ):
            overview.edge = edge
            health.listen(lambda: edge.serving.tell(serving(health)))
            health.listen(partial(_stop_clocks, health, playroom))
            address = places.dialled(edge.ports)
            log.info("arena_started", address=address, incarnation=store.incarnation)
            yield Running(
                address=address,
                encrypted=places.tls is not None,
                token_file=token_file,
                organiser=organiser,
                store=store,
                health=health,
            )
            health.report(Part.STOPPING, "the arena is stopping")
            log.info("arena_stopping")
    log.info("arena_stopped")


@asynccontextmanager
async def _overview(
    settings: Settings,
    store: Store,
    playroom: PlayService,
    organiser: Organiser,
    health: Health,
    metrics: Metrics,
    now: Callable[[], datetime],
) -> AsyncIterator[Overview]:
    """Give what tells how the arena stands, and serve the metrics if that is wished."""
    overview = Overview(
        version=_version("euchre-arena"),
        store=store,
        playroom=playroom,
        organiser=organiser,
        health=health,
        now=now,
    )
    if settings.metrics_address is None:
        yield overview
        return
    collector = ArenaCollector(metrics, overview.snapshot)
    async with serve_metrics(settings.metrics_address, collector) as address:
        log.info("metrics_served", address=address)
        yield overview


async def run_arena(settings: Settings, *, started: Callable[[Running], None]) -> None:
    """Run an arena until SIGTERM or Ctrl-C; `started` is told when it answers."""
    files = allow_many_files()
    if files < settings.streams + SPARE_FILES:
        log.warning("file_limit_low", files=files, streams=settings.streams)
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async with running_arena(settings) as running:
            started(running)
            async for number in signals:
                log.info("signal_received", signal=signal.Signals(number).name)
                break


@asynccontextmanager
async def _background(task: Callable[[], Awaitable[object]]) -> AsyncIterator[None]:
    """Run a task while the block runs."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(task)
        yield
        nursery.cancel_scope.cancel()


def _stop_clocks(health: Health, playroom: PlayService) -> None:
    """Let nobody's clock run while nothing can be stored."""
    if health.allows({Part.DATABASE}):
        playroom.go_on()
    else:
        playroom.stand_still()


async def bot_with_token(store: Store, gate: Gate, token: str) -> RegisteredBot | None:
    """Return the bot a token belongs to, if it may play.

    Raises `RefusedError` for the token of somebody who is no bot.
    """
    bot_id = gate.admit_player(token)
    if bot_id is None:
        return None
    bot = await store.read(bots.playing_bot, bot_id)
    return bot if gate.admit_player(token) == bot_id else None  # it may be another's meanwhile


def _write_whole(path: Path, text: str) -> None:
    """Make a file that only its owner may read: with all of its text, or not at all."""
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.rename(path)


def _organiser_token(path: Path) -> str:
    """Return the organiser's token; make it at the first start, readable by its owner only."""
    try:
        if not path.exists():
            _write_whole(path, new_token(TokenKind.ORGANISER) + "\n")
        token = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ServerError(f"the organiser's token in {path} cannot be used: {error}.") from error
    if len(token) < 32:
        raise ServerError(
            f"the organiser's token in {path} is too short to be safe: remove the file, and a new "
            "one is made at the next start."
        )
    return token


def _retention(settings: Settings) -> Retention:
    return Retention(
        age=timedelta(days=settings.flight_days),
        most_bytes=settings.flight_megabytes * 1024 * 1024,
        everything=settings.flight_everything,
    )


def _tell_of_certificate(tls: ServerTls) -> None:
    """Log until when the certificate is good."""
    log.info("certificate_read", expires=tls.expires.isoformat(), names=tls.names)
    if tls.expires - datetime.now(UTC) < RENEWAL:
        log.warning("certificate_expires_soon", expires=tls.expires.isoformat())


def _log_failure(error: BaseException) -> None:
    log.error("call_failed", exc_info=error)


def _version(distribution: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"
