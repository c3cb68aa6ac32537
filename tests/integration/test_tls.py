"""An arena with a certificate: encrypted for everybody outside, and no plaintext by accident."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio
import trustme

from arena.rpc.client import ArenaClient, connect
from arena.rpc.services import CertificateError
from arena.server import running_arena
from arena.settings import load_settings
from euchre_sdk.client_dial import Address, Dial
from euchre_sdk.client_errors import ConnectError


def settings_with(path: Path, certificate: Path, key: Path) -> Any:
    return load_settings(
        {
            "address": "127.0.0.1:0",
            "data": path / "data",
            "tls_certificate": certificate,
            "tls_key": key,
            "grace": 0,
        }
    )


async def ask(
    question: Callable[[ArenaClient], Any],
    address: str,
    *,
    token: str | None = None,
    ca_file: Path | None = None,
) -> Any:
    dial = Dial(address=Address(address), ca_file=ca_file)

    def in_thread() -> Any:
        with connect(dial, token=token) as client:
            return question(client)

    return await trio.to_thread.run_sync(in_thread)


async def test_only_those_who_encrypt_are_answered(tmp_path: Path) -> None:
    authority = trustme.CA()
    issued = authority.issue_cert("127.0.0.1", "localhost")
    ca, certificate, key = (tmp_path / name for name in ("ca.pem", "cert.pem", "key.pem"))
    authority.cert_pem.write_to_path(ca)
    issued.private_key_pem.write_to_path(key)
    certificate.write_bytes(b"".join(blob.bytes() for blob in issued.cert_chain_pems))
    async with running_arena(settings_with(tmp_path, certificate, key)) as running:
        token = running.token_file.read_text().strip()
        assert running.token_file.stat().st_mode & 0o077 == 0
        made = await ask(
            lambda client: client.register_bot("lynx", None),
            running.address,
            token=token,
            ca_file=ca,
        )
        assert made.bot.name == "lynx"
        with pytest.raises(ConnectError, match="if the arena there uses TLS"):
            await ask(lambda client: client.list_bots(), running.address)


async def test_a_certificate_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    settings = settings_with(tmp_path, tmp_path / "none.pem", tmp_path / "none.key")
    with pytest.RaisesGroup(
        pytest.RaisesExc(CertificateError, match="cannot be read"),
        flatten_subgroups=True,
        allow_unwrapped=True,
    ):
        async with running_arena(settings):
            pytest.fail("it started")
