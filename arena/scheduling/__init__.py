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
    place_of,
    seatings,
    sittings,
    unseated,
)
from arena.scheduling.course import BlockResult, Course, cycles_over
from arena.scheduling.errors import ScheduleError
from arena.scheduling.fixed_course import FixedCourse
from arena.scheduling.gauntlet import Gauntlet
from arena.scheduling.ladder import Ladder
from arena.scheduling.live_course import Chooser, LiveCourse
from arena.scheduling.policy import Policy
from arena.scheduling.round_robin import RoundRobin
from arena.scheduling.schedule import MAX_CYCLES, Schedule
from arena.scheduling.steiner import Steiner
from arena.scheduling.swiss import Swiss

POLICIES: dict[str, Policy] = {
    policy.name: policy for policy in (RoundRobin(), AllTrios(), Steiner())
}
"""The policies that need nothing but the entries, by the name organisers use."""
SCHEDULES = (*POLICIES, "gauntlet", "swiss", "ladder", "duel")
"""All schedules that an organiser can choose."""

__all__ = [
    "MAX_CYCLES",
    "POLICIES",
    "SCHEDULES",
    "SESSION_HANDS",
    "AllTrios",
    "Balance",
    "Block",
    "BlockId",
    "BlockResult",
    "Chooser",
    "Course",
    "Entry",
    "EntryId",
    "FixedCourse",
    "Gauntlet",
    "Ladder",
    "LiveCourse",
    "OwnerId",
    "Policy",
    "RoundRobin",
    "Schedule",
    "ScheduleError",
    "Sitting",
    "Spread",
    "Steiner",
    "Swiss",
    "Trio",
    "cycles_over",
    "mirror",
    "place_of",
    "seatings",
    "sittings",
    "unseated",
]
