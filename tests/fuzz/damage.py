"""Inputs nobody meant: random messages, and valid things with something broken.

Everything is drawn from a `Random`, so that Hypothesis reproduces it from one number. The number of
examples is small in every run; FUZZ=100 multiplies it and draws others each time.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from google.protobuf.message import Message
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

MORE = int(os.environ.get("FUZZ", "1"))
"""By how much the number of examples is multiplied."""
INTEGERS = (0, 1, 2, 3, 4, 5, 6, 7, 10, 24, 33, 34, 99, 255, 2**16, 2**31 - 1, 2**31, 2**32 - 1)
LARGE = (2**63 - 1, 2**63, 2**64 - 1, -1, -(2**31), -(2**63))
TEXTS = (
    "",
    "a",
    "JH",
    "??",
    "standard",
    "\x00",
    "\x1b[31m",
    "<b>",
    "ﷺ",
    "x" * 5000,
    "-1",
    "9" * 5000,
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 10**400, 1e308, 0.5, "", "JH", "1", "x" * 300),
    *([], {}, [[]], [1, 2, 3], {"a": 1}, [None] * 3, ["AS"] * 24),
)


def fuzzed(examples: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test with so many `Random`s, times FUZZ."""

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        more = settings(
            max_examples=examples * MORE,
            derandomize=MORE == 1,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        run = given(random=st.integers(0, 2**32).map(Random))(more(test))
        return run if MORE == 1 else seed(os.urandom(4))(run)

    return decorate


def broken_bytes(random: Random, valid: bytes) -> bytes:
    """Return bytes with a few of them changed, cut out, doubled or put in."""
    data = bytearray(valid)
    for _ in range(random.choice((0, 1, 1, 2, 3, 8))):
        at = random.randrange(len(data) + 1)
        size = random.choice((1, 1, 2, 5, 20))
        match random.randrange(5):
            case 0:
                del data[at : at + size]
            case 1:
                data[at:at] = random.randbytes(size)
            case 2:
                data[at:at] = data[at : at + size]
            case 3 if data:
                data[at % len(data)] = random.choice((0, 0x7F, 0x80, 0xFF, random.randrange(256)))
            case _:
                del data[at:]
    return bytes(data)


def broken_text(random: Random, valid: str) -> str:
    """Return a text with a few characters changed, whatever they are."""
    return broken_bytes(random, valid.encode()).decode("utf-8", "surrogateescape")


def broken_json(random: Random, value: Any) -> Any:
    """Return a JSON value in which one place holds something else, or is gone, or is new.

    What it then holds is often of the right type: taken from another place of the same value.
    """
    return _broken_at(random, value, tuple(_leaves(value)))


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _leaves(each)
    else:
        yield value


def _broken_at(random: Random, value: Any, leaves: tuple[Any, ...]) -> Any:
    if not isinstance(value, dict | list) or not value or random.random() < 0.1:
        alike = [leaf for leaf in leaves if type(leaf) is type(value)]
        return random.choice(alike if alike and random.random() < 0.6 else VALUES)
    at: Any = random.choice(list(value) if isinstance(value, dict) else range(len(value)))
    changed = value.copy()
    match random.randrange(8):
        case 0:
            del changed[at]
        case 1 if isinstance(changed, dict):
            changed[random.choice(TEXTS)] = random.choice(VALUES)
        case 1:
            changed.insert(at, changed[at])
        case _:
            changed[at] = _broken_at(random, value[at], leaves)
    return changed


def broken_lines(random: Random, lines: str) -> bytes:
    """Return JSON lines of which one or two are broken, swapped, doubled or gone."""
    parts: list[Any] = [json.loads(line) for line in lines.splitlines()]
    for _ in range(random.choice((1, 1, 2))):
        at = random.randrange(len(parts))
        match random.randrange(6):
            case 0:
                del parts[at]
            case 1:
                parts.insert(at, random.choice(parts))
            case _:
                parts[at] = broken_json(random, parts[at])
        if not parts:
            break
    return "".join(json.dumps(part) + "\n" for part in parts).encode()


def random_message(random: Random, message: Message, depth: int = 4) -> Any:
    """Fill a message with anything its fields can hold, and return it."""
    for field in message.DESCRIPTOR.fields:
        if random.random() < 0.4:
            continue
        target = getattr(message, field.name)
        repeated = hasattr(target, "append")
        for _ in range(random.choice((0, 1, 2, 3, 5, 30)) if repeated else 1):
            if field.message_type is not None:
                if depth:
                    inner = target.add() if repeated else target
                    random_message(random, inner, depth - 1)
                    if not repeated:
                        inner.SetInParent()
            elif repeated:
                target.append(_scalar(random, field))
            else:
                setattr(message, field.name, _scalar(random, field))
    return message


def _scalar(random: Random, field: Any) -> Any:
    kind = field.type
    if kind == field.TYPE_STRING:
        return random.choice(TEXTS)
    if kind == field.TYPE_BYTES:
        return random.randbytes(random.choice((0, 1, 31, 32, 33, 100)))
    if kind == field.TYPE_BOOL:
        return random.random() < 0.5
    if kind in (field.TYPE_DOUBLE, field.TYPE_FLOAT):
        return random.choice((0.0, -1.0, 0.5, 20.0, 1e300, float("inf"), float("nan")))
    if kind == field.TYPE_ENUM:
        return random.choice((0, 1, 2, 3, 4, 5, 10, 33, 99, 2**31 - 1, -1))
    bits = 64 if kind in _LONG else 32
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1)) if kind in _SIGNED else (0, 2**bits)
    return random.choice([n for n in (*INTEGERS, *LARGE) if low <= n < high])


# Numbers of field types: 64 bits wide, and signed.
_LONG = (3, 4, 6, 16, 18)
_SIGNED = (3, 5, 15, 16, 17, 18)
