"""Every method of every service, called over gRPC by everybody who could think of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from threading import Event
from typing import Any

import grpc
import pytest
import trio
from google.protobuf import message_factory
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from arena.rpc.limits import Allowance, CallLimits
from arena.rpc.roles import RULES
from arena.server import running_arena
from arena.settings import load_settings
from euchre.v1 import (
    arena_pb2,
    bots_pb2,
    bots_pb2_grpc,
    errors_pb2,
    matches_pb2,
    play_pb2,
    tournaments_pb2,
)
from euchre_sdk.client_dial import error_info

CALLERS = ("nobody", "wrong token", "her bot", "his bot", "her", "him", "organiser")
"""She owns the bot in question, he another one."""
SERVED = (arena_pb2, bots_pb2, matches_pb2, play_pb2, tournaments_pb2, health_pb2, reflection_pb2)
"""Where every service of the arena is described."""

MAY = {
    "anybody": {"nobody", "her bot", "his bot", "her", "him", "organiser"},
    "authors": {"her", "him", "organiser"},
    "owner": {"her bot", "her", "organiser"},
    "bots": {"her bot", "his bot"},
    "organiser": {"organiser"},
}
WANTED = """
    euchre.v1.PlayService/Play                                      bots
    euchre.v1.ArenaService/GetArenaStatus                           anybody
    euchre.v1.BotService/InviteAuthor                               organiser
    euchre.v1.BotService/RegisterAuthor                             anybody
    euchre.v1.BotService/RotateAuthorToken                          authors
    euchre.v1.BotService/RegisterBot                                authors
    euchre.v1.BotService/ListBots                                   anybody
    euchre.v1.BotService/GetBot                                     anybody
    euchre.v1.BotService/RotateToken                                owner
    euchre.v1.BotService/SubmitVersion                              nobody yet
    euchre.v1.BotService/WatchSubmission                            authors
    euchre.v1.BotService/ListLogLines                               owner
    euchre.v1.BotService/ListFlightRecords                          owner
    euchre.v1.BotService/GetFlightRecord                            owner
    euchre.v1.BotService/TakeOver                                   owner
    euchre.v1.BotService/LiftQuarantine                             owner
    euchre.v1.BotService/ListBotEvents                              owner
    euchre.v1.BotService/DeactivateBot                              owner
    euchre.v1.TournamentService/CreateTournament                    organiser
    euchre.v1.TournamentService/StartTournament                     organiser
    euchre.v1.TournamentService/PauseTournament                     organiser
    euchre.v1.TournamentService/CancelTournament                    organiser
    euchre.v1.TournamentService/AnnulResults                        organiser
    euchre.v1.TournamentService/ListAuditLines                      organiser
    euchre.v1.TournamentService/GetReport                           organiser
    euchre.v1.TournamentService/EnterTournament                     owner
    euchre.v1.TournamentService/WithdrawEntry                       owner
    euchre.v1.TournamentService/ListTournaments                     anybody
    euchre.v1.TournamentService/GetTournament                       anybody
    euchre.v1.TournamentService/GetRankings                         anybody
    euchre.v1.TournamentService/WatchRankings                       anybody
    euchre.v1.TournamentService/ListRatingHistory                   anybody
    euchre.v1.MatchService/ListMatches                              anybody
    euchre.v1.MatchService/GetMatchRecord                           anybody
    euchre.v1.MatchService/WatchMatch                               anybody
    euchre.v1.MatchService/GetVerification                          anybody
    grpc.health.v1.Health/Check                                     open
    grpc.health.v1.Health/List                                      open
    grpc.health.v1.Health/Watch                                     open
    grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo   open
"""
"""Who may call what, as a person would write it down; `open` looks at no token at all."""

REFUSED = {grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED}


def described() -> Iterator[tuple[str, Any]]:
    """Yield every method that the arena's contract and gRPC's own describe."""
    for module in SERVED:
        for service in module.DESCRIPTOR.services_by_name.values():
            for method in service.methods:
                yield f"{service.full_name}/{method.name}", method


def wanted() -> dict[str, str]:
    rows = (row.split(maxsplit=1) for row in WANTED.strip().splitlines())
    return {method: who.strip() for method, who in rows}


def test_the_table_of_roles_names_every_method_of_the_contract_and_no_other() -> None:
    methods = {method for method, _ in described()}
    assert {rule.lstrip("/") for rule in RULES} == methods
    assert set(wanted()) == methods


@pytest.mark.parametrize("method", [method for method, _ in described()])
def test_a_rule_for_owners_says_which_field_names_the_bot(method: str) -> None:
    rule = RULES["/" + method]
    fields = dict(described())[method].input_type.fields_by_name
    for name in filter(None, rule.bot.split(".")):
        field = fields[name]
        fields = field.message_type.fields_by_name if field.message_type else {}
    assert (rule.role.name == "OWNER") == bool(rule.bot)


class Asked:
    """An arena, with tokens for everybody."""

    def __init__(self, channel: grpc.Channel, organiser: str) -> None:
        self._channel = channel
        self._bots: Any = bots_pb2_grpc.BotServiceStub(channel)
        self._tokens: dict[str, str | None] = {
            "nobody": None,
            "wrong token": "x" * 43,
            "organiser": organiser,
        }
        self._hers = "hers-0"
        for who in ("her", "him"):
            request = bots_pb2.RegisterAuthorRequest(name=who)
            self._tokens[who] = self._bots.RegisterAuthor(request).token
        self._tokens["his bot"] = self._register("him", "his")
        self.have_a_fresh_bot()

    def _register(self, author: str, bot: str) -> str:
        metadata = (("authorization", f"Bearer {self._tokens[author]}"),)
        request = bots_pb2.RegisterBotRequest(name=bot)
        return str(self._bots.RegisterBot(request, metadata=metadata).token)

    def have_a_fresh_bot(self) -> None:
        """Let another bot be hers: what was done may have ended the one before."""
        self._hers = f"hers-{int(self._hers.partition('-')[2]) + 1}"
        self._tokens["her bot"] = self._register("her", self._hers)

    def code(self, method: Any, caller: str) -> tuple[grpc.StatusCode, str, str]:
        """Call a method about her bot; return code, reason and domain of the answer."""
        kind = message_factory.GetMessageClass(method.input_type)
        request = kind()
        rule = RULES[f"/{method.containing_service.full_name}/{method.name}"]
        if rule.bot and "." not in rule.bot:
            setattr(request, rule.bot, self._hers)
        token = self._tokens[caller]
        metadata = () if token is None else (("authorization", f"Bearer {token}"),)
        kinds = ("unary", "stream")
        sent, got = kinds[method.client_streaming], kinds[method.server_streaming]
        call = getattr(self._channel, f"{sent}_{got}")(
            f"/{method.containing_service.full_name}/{method.name}",
            kind.SerializeToString,
            message_factory.GetMessageClass(method.output_type).FromString,
        )
        done = Event()
        given = chain([request], held(done)) if method.client_streaming else request
        try:
            answer = call(given, metadata=metadata, timeout=10)
            if method.server_streaming:
                with suppress(StopIteration):
                    next(answer)
                answer.cancel()
            if method.name == "RotateAuthorToken":
                self._tokens[caller] = answer.token
        except grpc.RpcError as error:
            found: Any = error
            details = dict(found.trailing_metadata() or ()).get("grpc-status-details-bin", b"")
            domains = [
                errors_pb2.ErrorInfo.FromString(each.value).domain
                for each in errors_pb2.Status.FromString(details).details
            ]
            return found.code(), error_info(found)[0], " ".join(domains)
        finally:
            done.set()
        return grpc.StatusCode.OK, "", ""


def held(until: Event) -> Iterator[Any]:
    """Yield nothing, and end when told to."""
    until.wait()
    yield from ()


async def test_every_method_is_for_those_that_the_table_says_and_for_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = CallLimits(wrong_burst=1000, per_second=1000)
    monkeypatch.setattr("arena.rpc.auth.Allowance", lambda _: Allowance(limits))
    settings = load_settings(
        {"address": "127.0.0.1:0", "data": tmp_path, "open_registration": True, "grace": 0}
    )
    async with running_arena(settings) as running:
        organiser = running.token_file.read_text().strip()
        found = await trio.to_thread.run_sync(ask_everything, running.address, organiser)
    for method, who in wanted().items():
        for caller, (code, reason, domain) in found[method].items():
            told = (method, caller, code, reason)
            if who == "nobody yet":
                assert code is grpc.StatusCode.UNIMPLEMENTED, told
                continue
            if who == "open":
                assert code not in REFUSED, told
                continue
            assert (code in REFUSED) is (caller not in MAY[who]), told
            if code is not grpc.StatusCode.OK:
                assert reason, told
                assert domain == "euchre-arena", told
            assert (code is grpc.StatusCode.UNAUTHENTICATED) is (
                caller == "wrong token" or (caller == "nobody" and who != "anybody")
            ), told


def ask_everything(
    address: str, organiser: str
) -> dict[str, dict[str, tuple[grpc.StatusCode, str, str]]]:
    """Call every method as everybody; return what was answered."""
    found: dict[str, dict[str, tuple[grpc.StatusCode, str, str]]] = {}
    with grpc.insecure_channel(address) as channel:
        asked = Asked(channel, organiser)
        for name, method in described():
            found[name] = {}
            for caller in CALLERS:
                found[name][caller] = asked.code(method, caller)
                if method.name in {"RotateToken", "DeactivateBot"}:
                    asked.have_a_fresh_bot()
    return found
