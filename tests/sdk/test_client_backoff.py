"""How long a bot waits before it dials again."""

from datetime import timedelta
from itertools import pairwise
from random import Random

from euchre_sdk.client_backoff import BackOff


class Highest(Random):
    def random(self) -> float:
        return 1.0


def seconds(*numbers: float) -> list[timedelta]:
    return [timedelta(seconds=number) for number in numbers]


def test_waits_double_from_a_tenth_to_one_second():
    back_off = BackOff(Highest())
    waits = [back_off.next(timedelta(0)) for _ in range(6)]
    assert waits == seconds(0.1, 0.2, 0.4, 0.8, 1, 1)


def test_after_a_minute_they_double_to_fifteen_seconds():
    back_off = BackOff(Highest())
    for _ in range(6):
        back_off.next(timedelta(0))
    waits = [back_off.next(timedelta(minutes=1)) for _ in range(6)]
    assert waits == seconds(2, 4, 8, 15, 15, 15)


def test_a_welcome_starts_them_anew():
    back_off = BackOff(Highest())
    for _ in range(6):
        back_off.next(timedelta(0))
    back_off.reset()
    assert back_off.next(timedelta(0)) == timedelta(seconds=0.1)


def test_jitter_is_full():
    waits = [BackOff(Random(seed)).next(timedelta(0)) for seed in range(200)]
    assert timedelta(0) <= min(waits) < timedelta(seconds=0.005)
    assert timedelta(seconds=0.095) < max(waits) <= timedelta(seconds=0.1)
    assert all(a < b for a, b in pairwise(sorted(waits)))
