"""The schedules there are, by the names people use and as numbers of the contract."""

from __future__ import annotations

from euchre.v1 import tournaments_pb2

SCHEDULE = {
    "round-robin": tournaments_pb2.SCHEDULE_ROUND_ROBIN,
    "all-trios": tournaments_pb2.SCHEDULE_ALL_TRIOS,
}
"""By the name of the policy in `arena.scheduling.POLICIES`."""
POLICY = {number: name for name, number in SCHEDULE.items()}
