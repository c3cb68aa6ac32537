"""Whatever is asked of whichever method: a refusal has a code, a reason, and a plain sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import pytest
import trio
from google.protobuf import message_factory
from google.protobuf.descriptor import FieldDescriptor

from arena.rpc.limits import Allowance, CallLimits
from arena.server import running_arena
from arena.settings import load_settings
from euchre.v1 import arena_pb2, bots_pb2, errors_pb2, matches_pb2, tournaments_pb2
from tests.strategies import HOSTILE

CONTRACT = (arena_pb2, bots_pb2, matches_pb2, tournaments_pb2)
UNPLAIN = [name for name in HOSTILE if name.encode(errors="ignore").decode() == name]
NUMBERS = (0, 1, 2**31 - 1)


def methods() -> Iterator[Any]:
    for module in CONTRACT:
        for service in module.DESCRIPTOR.services_by_name.values():
            yield from service.methods


def filled(kind: Any, text: str, number: int, depth: int = 3) -> Any:
    """Return a message in which every text is that text and every number that number."""
    message = message_factory.GetMessageClass(kind)()
    for field in kind.fields:
        value: Any
        if field.type == FieldDescriptor.TYPE_STRING:
            value = text
        elif field.type == FieldDescriptor.TYPE_BYTES:
            value = text.encode()
        elif field.type == FieldDescriptor.TYPE_MESSAGE:
            if depth:
                below = filled(field.message_type, text, number, depth - 1)
                target = getattr(message, field.name)
                if hasattr(target, "append"):
                    target.append(below)
                else:
                    target.CopyFrom(below)
            continue
        elif field.type == FieldDescriptor.TYPE_BOOL:
            value = bool(number)
        else:
            value = number
        if hasattr(getattr(message, field.name), "append"):
            getattr(message, field.name).extend([value, value])
        else:
            setattr(message, field.name, value)
    return message


def ask(channel: grpc.Channel, method: Any, request: bytes, token: str) -> grpc.RpcError | None:
    """Call a method with these bytes; return how it was refused, or None."""
    name = f"/{method.containing_service.full_name}/{method.name}"
    metadata = (("authorization", f"Bearer {token}"),)
    given = iter([request]) if method.client_streaming else request
    sent = "stream" if method.client_streaming else "unary"
    got = "stream" if method.server_streaming else "unary"
    try:
        answer = getattr(channel, f"{sent}_{got}")(name)(given, metadata=metadata, timeout=20)
        if method.server_streaming:
            with suppress(StopIteration):
                next(answer)
            answer.cancel()
    except grpc.RpcError as error:
        return error
    return None


def check(method: Any, request: Any, error: Any) -> None:
    """Demand of a refusal what docs/protocol.md promises."""
    told = (method.name, str(request)[:200], error.code(), error.details())
    details = dict(error.trailing_metadata() or ()).get("grpc-status-details-bin")
    assert details, told
    status = errors_pb2.Status.FromString(details)
    (packed,) = status.details
    info = errors_pb2.ErrorInfo.FromString(packed.value)
    assert error.code() not in {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN}, told
    assert status.code == error.code().value[0], told
    assert status.message == error.details(), told
    assert info.domain == "euchre-arena", told
    assert re.fullmatch(r"[A-Z][A-Z0-9_]{2,40}", info.reason), told
    keys = [item.key for item in info.metadata]
    assert len(set(keys)) == len(keys), told
    for text in (error.details(), *(item.value for item in info.metadata)):
        assert text.isprintable(), told
        assert text.isascii(), told
        assert len(text) < 4000, told
    assert error.details().endswith((".", "?")), told


def requests(method: Any) -> Iterator[Any]:
    """Yield empty requests, and some with the same hostile text or number everywhere."""
    kind = method.input_type
    yield message_factory.GetMessageClass(kind)()
    for number, text in enumerate(UNPLAIN[::2]):
        yield filled(kind, text, NUMBERS[number % len(NUMBERS)])


def everything(address: str, token: str) -> tuple[int, int]:
    """Ask everything; return how many calls were made, and how many were refused."""
    asked = refused = 0
    with grpc.insecure_channel(address) as channel:
        for method in methods():
            for request in (*requests(method), b"\xff\xff\xff", b"\x0a\x05abc"):
                data = request if isinstance(request, bytes) else request.SerializeToString()
                error = ask(channel, method, data, token)
                asked += 1
                if error is not None:
                    refused += 1
                    check(method, request, error)
    return asked, refused


async def test_every_refusal_of_every_method_says_why_and_nothing_raw(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = CallLimits(wrong_burst=10_000)  # invitations are guessed
    monkeypatch.setattr("arena.rpc.auth.Allowance", lambda _: Allowance(limits))
    settings = load_settings({"address": "127.0.0.1:0", "data": tmp_path, "grace": 0})
    async with running_arena(settings) as running:
        token = running.token_file.read_text().strip()
        asked, refused = await trio.to_thread.run_sync(everything, running.address, token)
    assert asked > 500
    assert refused > asked / 2
