"""Values of the arena as messages of `euchre.v1`, and back where people send them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from google.protobuf.timestamp_pb2 import Timestamp

from arena.rpc.duel_values import read_terms, write_terms
from arena.rpc.errors import invalid
from arena.rpc.policies import POLICY, SCHEDULE
from arena.rpc.terms import (
    read_conduct,
    read_time_control,
    write_conduct,
    write_time_control,
)
from arena.store.states import BotState, TournamentState
from arena.store.times import EPOCH
from arena.tournaments.spec import TournamentSpec
from euchre.v1 import bots_pb2, tournaments_pb2
from euchre_sdk.wire import (
    MalformedMessageError,
    read_format,
    read_rules,
    write_format,
    write_rules,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from euchre_sdk.game import Format, RuleSet

BOT_STATE = {
    BotState.ACTIVE: bots_pb2.BOT_STATE_ACTIVE,
    BotState.QUARANTINED: bots_pb2.BOT_STATE_QUARANTINED,
    BotState.DEACTIVATED: bots_pb2.BOT_STATE_DEACTIVATED,
}
TOURNAMENT_STATE = {
    TournamentState.CREATED: tournaments_pb2.TOURNAMENT_STATE_CREATED,
    TournamentState.RUNNING: tournaments_pb2.TOURNAMENT_STATE_RUNNING,
    TournamentState.PAUSED: tournaments_pb2.TOURNAMENT_STATE_PAUSED,
    TournamentState.FINISHED: tournaments_pb2.TOURNAMENT_STATE_FINISHED,
    TournamentState.CANCELLED: tournaments_pb2.TOURNAMENT_STATE_CANCELLED,
}

LATEST = datetime(9000, 1, 1, tzinfo=EPOCH.tzinfo)
T = TypeVar("T")


def write_time(instant: datetime) -> Timestamp:
    """Return an instant as a message."""
    message = Timestamp()
    message.FromDatetime(instant)
    return message


def write_plan(spec: TournamentSpec, *, seed: str | None) -> tournaments_pb2.TournamentPlan:
    """Return how a tournament is played as a message; `seed` of the schedule if it may be told."""
    message = tournaments_pb2.TournamentPlan(
        schedule=SCHEDULE[spec.policy],
        cycles=spec.cycles,
        rules=write_rules(spec.rules),
        format=write_format(spec.format),
        time_control=write_time_control(spec.time_control),
        conduct=write_conduct(spec.conduct),
        owners_apart=spec.owners_apart,
        blind=spec.blind,
    )
    if seed is not None and seed.isdigit():
        message.schedule_seed = int(seed)
    if spec.deadline is not None:
        message.deadline_time.CopyFrom(write_time(spec.deadline))
    if spec.newcomer is not None:
        message.newcomer = spec.newcomer
    if spec.blocks is not None:
        message.blocks = spec.blocks
    if spec.duel is not None:
        message.duel.CopyFrom(write_terms(spec.duel))
    return message


class _Reader:
    """Reads parts of a request and gathers what is wrong with them."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def read(self, what: str, read: Callable[[], T], default: T) -> T:
        """Return what a part says, or note the fault and return the default."""
        try:
            return read()
        except (MalformedMessageError, ValueError) as error:
            self.faults.append(f"{what}: {str(error).removesuffix('.')}")
            return default


def read_plan(message: tournaments_pb2.TournamentPlan) -> TournamentSpec:
    """Return how a tournament is to be played.

    Raises `RefusedRequestError` with everything that is wrong.
    """
    reader = _Reader()
    standard = TournamentSpec()
    policy = POLICY.get(message.schedule)
    if policy is None:
        known = ", ".join(tournaments_pb2.Schedule.Name(number) for number in POLICY)
        reader.faults.append(f"schedule must be one of {known}")
        policy = standard.policy
    rules: RuleSet = standard.rules
    if message.HasField("rules"):
        rules = reader.read("rules", lambda: read_rules(message.rules), rules)
    played: Format = standard.format
    if message.HasField("format"):
        played = reader.read("format", lambda: read_format(message.format), played)
    time_control = standard.time_control
    if message.HasField("time_control"):
        time_control = reader.read(
            "time_control", lambda: read_time_control(message.time_control), time_control
        )
    conduct = standard.conduct
    if message.HasField("conduct"):
        conduct = reader.read("conduct", lambda: read_conduct(message.conduct), conduct)
    deadline = None
    if message.HasField("deadline_time"):
        deadline = reader.read(
            "deadline_time", lambda: _read_time(message.deadline_time), standard.deadline
        )
    cycles = message.cycles
    if not 1 <= cycles <= 10_000:
        reader.faults.append(f"cycles must be 1 to 10000, not {cycles}")
    newcomer = message.newcomer if message.HasField("newcomer") else None
    blocks = message.blocks if message.HasField("blocks") else None
    reader.faults += _schedule_faults(policy, newcomer, blocks)
    duel = None
    if message.HasField("duel"):
        duel = reader.read("duel", lambda: read_terms(message.duel, played), duel)
    if (policy == "duel") is not message.HasField("duel"):
        reader.faults.append("duel must be given for a duel, and for no other schedule")
    if reader.faults:
        raise invalid(reader.faults)
    return TournamentSpec(
        policy=policy,
        cycles=cycles,
        newcomer=newcomer,
        blocks=blocks,
        rules=rules,
        format=played,
        time_control=time_control,
        conduct=conduct,
        owners_apart=message.owners_apart,
        blind=message.blind,
        deadline=deadline,
        duel=duel,
    )


def _schedule_faults(policy: str, newcomer: str | None, blocks: int | None) -> list[str]:
    """List what is missing for a schedule, and what has no meaning for it."""
    faults = []
    if policy == "gauntlet" and not newcomer:
        faults.append("newcomer must be the name of the bot that runs the gauntlet")
    if policy != "gauntlet" and newcomer is not None:
        faults.append(f"newcomer is for a gauntlet, not for {policy}")
    if policy == "ladder" and blocks == 0:
        faults.append("blocks must be 1 or more; without it a ladder has no end")
    if policy != "ladder" and blocks is not None:
        faults.append(f"blocks is for a ladder, not for {policy}")
    return faults


def _read_time(message: Timestamp) -> datetime:
    try:
        instant = EPOCH + timedelta(seconds=message.seconds, microseconds=message.nanos // 1000)
    except OverflowError:
        instant = LATEST
    if not EPOCH <= instant < LATEST:
        raise ValueError("it must be between 1970 and 9000")
    return instant
