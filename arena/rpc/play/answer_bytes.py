"""The bytes of one answer, cut out of the request that brought it: evidence is what was sent."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from euchre.v1 import play_pb2

_ANSWERS = play_pb2.PlayRequest.ANSWERS_FIELD_NUMBER


def pick_answer(request: bytes, index: int) -> tuple[bytes, int]:
    """Return the bytes of one answer as they came, and how many there were.

    An answer has no other fields than the contract gives it. Where there are some nevertheless
    they are left out, and the rest is encoded anew: they may hold anything, a secret too.
    """
    raw = _cut(request).answer(index)
    answer = play_pb2.Answer.FromString(raw)
    whole = answer.ByteSize()
    answer.DiscardUnknownFields()
    if answer.ByteSize() != whole:
        return answer.SerializeToString(), len(raw)
    return raw, len(raw)


class _Cut:
    """The answers of one request, cut out as far as they were asked for: it may have thousands."""

    __slots__ = ("_found", "_rest")

    def __init__(self, request: bytes) -> None:
        self._found: list[bytes] = []
        self._rest = _answers_in(request)

    def answer(self, index: int) -> bytes:
        self._found += islice(self._rest, max(0, index + 1 - len(self._found)))
        return self._found[index] if index < len(self._found) else b""


_cut = lru_cache(maxsize=4)(_Cut)


def _answers_in(request: bytes) -> Iterator[bytes]:
    """Yield the encoded answers of a request that has been parsed, so that its encoding is right.

    The library would make an object of every field, which for thousands of them takes too long.
    Source: protobuf.dev, "Encoding": a tag, whose lowest three bits say how long the value is.
    """
    at = depth = 0
    while at < len(request):
        tag, at = _varint(request, at)
        match tag & 7:
            case 0:
                _, at = _varint(request, at)
            case 1:
                at += 8
            case 2:
                size, at = _varint(request, at)
                if tag >> 3 == _ANSWERS and depth == 0:
                    yield request[at : at + size]
                at += size
            case 3:
                depth += 1
            case 4:
                depth -= 1
            case 5:
                at += 4
            case _:
                return


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a number, and where it ends: seven bits of it in each byte, the lowest first."""
    number = shift = 0
    while at < len(data):
        byte = data[at]
        at += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
        shift += 7
    return number, at
