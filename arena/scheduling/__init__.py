"""Which bots meet, in which seats: pure, resumable rows of blocks (docs/ratings.md).

schedule = Schedule(entries=(Entry(EntryId("a")), ...), format=Session(30), seed="spring")
for block in schedule.blocks(completed=done):
    for sitting in schedule.sittings(block):
        ...  # sitting.seats, sitting.format, sitting.number
"""

from arena.scheduling.all_trios import AllTrios
from arena.scheduling.balance import Balance, Spread
from arena.scheduling.block import (
    SESSION_HANDS,
    Block,
    BlockId,
    Entry,
    EntryId,
    OwnerId,
    Sitting,
    Trio,
    mirror,
    seatings,
    sittings,
)
from arena.scheduling.errors import ScheduleError
from arena.scheduling.gauntlet import Gauntlet
from arena.scheduling.policy import Policy
from arena.scheduling.round_robin import RoundRobin
from arena.scheduling.schedule import MAX_CYCLES, Schedule

POLICIES: dict[str, Policy] = {policy.name: policy for policy in (RoundRobin(), AllTrios())}
"""The policies that need nothing but the entries, by the name organisers use."""

__all__ = [
    "MAX_CYCLES",
    "POLICIES",
    "SESSION_HANDS",
    "AllTrios",
    "Balance",
    "Block",
    "BlockId",
    "Entry",
    "EntryId",
    "Gauntlet",
    "OwnerId",
    "Policy",
    "RoundRobin",
    "Schedule",
    "ScheduleError",
    "Sitting",
    "Spread",
    "Trio",
    "mirror",
    "seatings",
    "sittings",
]
