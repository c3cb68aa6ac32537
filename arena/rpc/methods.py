"""Which methods a service offers, and what is said of those that nobody offers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import grpc

from arena.rpc.calls import forgiving, not_offered
from arena.rpc.refusal import RefusedError, abort

Answers = Callable[[Any, str], Any]
"""Makes, of a servicer's method and its name on the wire, what gRPC calls."""


@dataclass(frozen=True, slots=True)
class Service:
    """A plain object with trio functions as methods (see `calls`), and what adds it to a server.

    Methods of the contract that the object lacks are answered UNIMPLEMENTED.
    """

    name: str
    """With its package, such as `euchre.v1.BotService`."""
    servicer: object
    add_to_server: Callable[[Any, Any], None]
    """The generated function, such as `bots_pb2_grpc.add_BotServiceServicer_to_server`."""


Behaviours = dict[str, "grpc.RpcMethodHandler[Any, Any]"]
"""What gRPC calls, by the name of the method."""


def register(server: Any, service: str, behaviours: Behaviours) -> None:
    """Have a server of grpc.aio answer methods: both as it does and as older versions do."""
    generic = grpc.method_handlers_generic_handler(service, behaviours)
    server.add_generic_rpc_handlers((generic,))
    server.add_registered_method_handlers(service, behaviours)


def handlers(service: Service, *, unary: Answers, streaming: Answers) -> Behaviours:
    """Return the service's methods, each answered by what `unary` or `streaming` makes of it."""
    generated = _Generated()
    service.add_to_server(_Methods(service.servicer), generated)
    behaviours: Behaviours = {}
    for method, made in generated.methods.items():
        name = f"/{service.name}/{method}"
        serial = (forgiving(made.request_deserializer), made.response_serializer)
        if made.request_streaming:
            behaviours[method] = grpc.stream_unary_rpc_method_handler(_refuse, *serial)
        elif made.response_streaming:
            behaviour = streaming(made.unary_stream, name)
            behaviours[method] = grpc.unary_stream_rpc_method_handler(behaviour, *serial)
        else:
            behaviour = unary(made.unary_unary, name)
            behaviours[method] = grpc.unary_unary_rpc_method_handler(behaviour, *serial)
    return behaviours


class _Methods:
    """Gives a generated function the methods a servicer has; those it lacks are not offered."""

    def __init__(self, servicer: object) -> None:
        self._servicer = servicer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._servicer, name, None)


class _Generated:
    """Takes the place of a server to see which methods a generated function adds."""

    def __init__(self) -> None:
        self.methods: dict[str, Any] = {}

    def add_generic_rpc_handlers(self, handlers: Iterable[Any]) -> None:
        """Ignore them: they hold the same methods as the registered ones."""

    def add_registered_method_handlers(self, _service: str, methods: dict[str, Any]) -> None:
        """Keep the methods."""
        self.methods.update(methods)


async def _refuse(_requests: object, context: Any) -> None:
    await abort(
        context,
        RefusedError(
            grpc.StatusCode.UNIMPLEMENTED, "UNIMPLEMENTED", "This arena does not offer that."
        ),
    )


class Unknown(grpc.GenericRpcHandler):
    """Refuses methods of no service as all others are refused: with a reason."""

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        """Return what answers a call that nobody else takes."""

        async def refuse(_requests: object, context: Any) -> None:
            await abort(context, not_offered(details.method or "a method of that name"))

        return grpc.stream_unary_rpc_method_handler(refuse)
