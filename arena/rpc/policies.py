"""The schedules there are, by the names people use and as numbers of the contract."""

from __future__ import annotations

from euchre.v1 import tournaments_pb2

SCHEDULE = {
    "round-robin": tournaments_pb2.SCHEDULE_ROUND_ROBIN,
    "all-trios": tournaments_pb2.SCHEDULE_ALL_TRIOS,
    "steiner": tournaments_pb2.SCHEDULE_STEINER,
    "gauntlet": tournaments_pb2.SCHEDULE_GAUNTLET,
    "swiss": tournaments_pb2.SCHEDULE_SWISS,
    "ladder": tournaments_pb2.SCHEDULE_LADDER,
    "duel": tournaments_pb2.SCHEDULE_DUEL,
}
"""By the name in `arena.scheduling.SCHEDULES`."""
POLICY = {number: name for name, number in SCHEDULE.items()}
