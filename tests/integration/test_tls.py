"""An arena with a certificate: encrypted for everybody outside, and no plaintext by accident."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
import trustme
from click.testing import CliRunner
from structlog.testing import capture_logs

from arena.cli import main as arena_main
from arena.rpc.client import ArenaClient, CallError, connect
from arena.rpc.listening import listening
from arena.rpc.tls import CertificateError, server_tls
from arena.server import running_arena
from arena.settings import load_settings
from euchre_sdk import BotBase
from euchre_sdk.cli_watch import watch as euchre_watch
from euchre_sdk.client import run
from euchre_sdk.client_dial import Address, Dial, Security
from euchre_sdk.client_errors import ConnectError, NoEntry
from tests.integration.served import create, served

NOW = datetime.now(UTC)
BOT = "class First:\n    def act(self, view):\n        return view.legal[0]\n"


@dataclass(frozen=True, slots=True)
class Pki:
    """An authority, and what it issues, as files."""

    directory: Path
    authority: trustme.CA

    @property
    def ca(self) -> Path:
        """The authority's own certificate."""
        return self.directory / "ca.pem"

    def issue(self, *names: str, **how: Any) -> tuple[Path, Path]:
        """Return a certificate and its key."""
        issued = self.authority.issue_cert(*(names or ("127.0.0.1", "localhost")), **how)
        number = len(list(self.directory.iterdir()))
        certificate, key = (self.directory / f"{number}.{kind}" for kind in ("pem", "key"))
        issued.private_key_pem.write_to_path(key)
        certificate.write_bytes(b"".join(blob.bytes() for blob in issued.cert_chain_pems))
        return certificate, key


@pytest.fixture
def pki(tmp_path: Path) -> Pki:
    directory = tmp_path / "pki"
    directory.mkdir()
    made = Pki(directory, trustme.CA())
    made.authority.cert_pem.write_to_path(made.ca)
    return made


def settings_with(path: Path, pair: tuple[Path, Path]) -> Any:
    return load_settings(
        {
            "address": "127.0.0.1:0",
            "data": path / "data",
            "tls_certificate": pair[0],
            "tls_key": pair[1],
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


async def test_only_those_who_encrypt_are_answered(tmp_path: Path, pki: Pki) -> None:
    async with running_arena(settings_with(tmp_path, pki.issue())) as running:
        token = running.token_file.read_text().strip()
        assert running.token_file.stat().st_mode & 0o077 == 0
        made = await ask(
            lambda client: client.register_bot("lynx", None),
            running.address,
            token=token,
            ca_file=pki.ca,
        )
        assert made.bot.name == "lynx"
        with pytest.raises(ConnectError, match="if the arena there uses TLS"):
            await ask(lambda client: client.list_bots(), running.address)


async def test_commands_and_bots_come_in_with_the_authority_by_option_or_variable(
    tmp_path: Path, pki: Pki
) -> None:
    async with running_arena(settings_with(tmp_path, pki.issue())) as running:
        address = running.address
        token = running.token_file.read_text().strip()

        def typed(command: Any, *arguments: str, **env: str) -> Any:
            env = {"ARENA_TOKEN": token, "EUCHRE_TOKEN": "", "EUCHRE_CA": "", **env}
            return CliRunner().invoke(command, arguments, env=env)

        async def says(command: Any, *arguments: str, **env: str) -> str:
            done = await trio.to_thread.run_sync(partial(typed, command, *arguments, **env))
            assert done.exit_code == 0, done.output
            return str(done.output)

        by_option, at = ("--ca", str(pki.ca)), ("--arena", address)
        assert "lynx is" in await says(arena_main, "bot", "register", "lynx", *at, *by_option)
        listed = await says(arena_main, "bot", "list", *at, "--tls", EUCHRE_CA=str(pki.ca))
        assert "lynx" in listed
        await ask(create, address, token=token, ca_file=pki.ca)
        assert "spring" in await says(euchre_watch, address, "spring", "--once", *by_option)
        shown = await says(
            euchre_watch, address, "spring", "--once", "--tls", EUCHRE_CA=str(pki.ca)
        )
        assert "spring" in shown
        fresh = await ask(
            lambda client: client.rotate_token("lynx"), address, token=token, ca_file=pki.ca
        )
        (tmp_path / "bot.py").write_text(BOT)
        async with trio.open_nursery() as playing:
            command = ("connect", address, str(tmp_path / "bot.py"), "--tls")
            bot = await playing.start(
                partial(
                    trio.run_process,
                    (sys.executable, "-m", "euchre_sdk", *command),
                    env=os.environ | {"EUCHRE_TOKEN": fresh, "EUCHRE_CA": str(pki.ca)},
                    stderr=subprocess.PIPE,
                    check=False,
                )
            )
            said = b""
            with trio.fail_after(20):
                while b"connected to" not in said:
                    said += await bot.stderr.receive_some()
            assert b"as lynx" in said
            bot.kill()


@pytest.mark.parametrize(
    ("names", "how", "said"),
    [
        pytest.param((), {}, "is not trusted here: give the file", id="no authority"),
        pytest.param(("arena.example",), {}, "is for another host", id="another host"),
    ],
)
async def test_a_client_says_why_it_does_not_trust_an_arena(
    tmp_path: Path, pki: Pki, names: tuple[str, ...], how: dict[str, Any], said: str
) -> None:
    other = tmp_path / "other.pem"
    trustme.CA().cert_pem.write_to_path(other)
    async with running_arena(settings_with(tmp_path, pki.issue(*names, **how))) as running:
        with pytest.raises(ConnectError, match=said) as caught:
            await ask(
                lambda client: client.list_bots(),
                running.address,
                ca_file=pki.ca if names else other,
            )
    assert caught.value.reason is NoEntry.CERTIFICATE


async def test_an_arena_whose_certificate_ends_soon_says_so(tmp_path: Path, pki: Pki) -> None:
    pair = pki.issue(not_after=NOW + timedelta(days=3))
    with capture_logs() as logs:
        async with running_arena(settings_with(tmp_path, pair)):
            pass
    events = [each["event"] for each in logs]
    assert "certificate_read" in events
    assert "certificate_expires_soon" in events


def damaged(path: Path) -> Path:
    lines = path.read_text().splitlines()
    path.write_text("\n".join((lines[0], "AAAA", lines[-1])))
    return path


def emptied(path: Path) -> Path:
    path.write_text("")
    return path


def unreadable(path: Path) -> Path:
    path.unlink()
    path.mkdir()
    return path


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        pytest.param(lambda _, c, k: (c / "no", k), "the certificate .* cannot be read", id="gone"),
        pytest.param(lambda _, c, k: (c, k / "no"), "the key .* cannot be read", id="key gone"),
        pytest.param(lambda _, c, k: (unreadable(c), k), "cannot be read", id="a directory"),
        pytest.param(lambda _, c, k: (emptied(c), k), "the certificate .* not PEM", id="empty"),
        pytest.param(lambda _, c, k: (c, emptied(k)), "the key .* is not PEM", id="empty key"),
        pytest.param(lambda _, c, k: (k, c), "tls_key swapped", id="swapped"),
        pytest.param(lambda _, c, k: (damaged(c), k), "certificate .* is damaged", id="damaged"),
        pytest.param(lambda _, c, k: (c, damaged(k)), "the key .* is damaged", id="damaged key"),
        pytest.param(lambda p, c, _: (c, p.issue()[1]), "is not the one of", id="another's key"),
        pytest.param(
            lambda p, *_: p.issue(not_after=NOW - timedelta(days=1)), "has expired", id="expired"
        ),
        pytest.param(
            lambda p, *_: p.issue(not_before=NOW + timedelta(days=1)), "not yet", id="too early"
        ),
    ],
)
def test_a_pair_that_cannot_be_used_is_one_sentence_at_the_start(
    pki: Pki, spoil: Callable[[Pki, Path, Path], tuple[Path, Path]], said: str
) -> None:
    with pytest.raises(CertificateError, match=said) as caught:
        server_tls(*spoil(pki, *pki.issue()))
    assert str(caught.value).count("\n") == 0
    assert str(caught.value).endswith(".")


def test_a_key_with_a_password_is_one_sentence_and_asks_nobody(pki: Pki) -> None:
    certificate, key = pki.issue(key_type=trustme.KeyType.RSA)
    locked = key.with_suffix(".locked")
    openssl = ("openssl", "rsa", "-aes256", "-passout", "pass:x", "-in", key, "-out", locked)
    try:
        subprocess.run(openssl, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("no openssl here to lock a key with")
    with pytest.raises(CertificateError, match="is encrypted"):
        server_tls(certificate, locked)


def test_what_is_read_of_a_certificate_is_what_is_in_it(pki: Pki) -> None:
    ends = (NOW + timedelta(days=90)).replace(microsecond=0)
    found = server_tls(*pki.issue("127.0.0.1", "arena.example", not_after=ends))
    assert found.expires == ends
    assert set(found.names) == {"127.0.0.1", "arena.example"}


async def test_an_arena_with_a_bad_pair_does_not_start(tmp_path: Path) -> None:
    settings = settings_with(tmp_path, (tmp_path / "none.pem", tmp_path / "none.key"))
    with pytest.RaisesGroup(
        pytest.RaisesExc(CertificateError, match="cannot be read"),
        flatten_subgroups=True,
        allow_unwrapped=True,
    ):
        async with running_arena(settings):
            pytest.fail("it started")
    assert not (tmp_path / "data").exists()  # nothing was begun


@pytest.mark.parametrize(
    ("address", "names", "dialled"),
    [
        ("127.0.0.1:50051", ("arena.example",), "127.0.0.1:7"),
        ("0.0.0.0:50051", ("arena.example",), "arena.example:7"),
        ("[::]:50051", ("*.example", "192.0.2.1"), "192.0.2.1:7"),
        ("0.0.0.0:50051", ("*.example",), "127.0.0.1:7"),
        ("unix:/tmp/arena", ("arena.example",), "unix:/tmp/arena"),
    ],
)
def test_an_arena_says_by_which_name_it_is_dialled(
    tmp_path: Path, pki: Pki, address: str, names: tuple[str, ...], dialled: str
) -> None:
    certificate, key = pki.issue(*names)
    chosen = {"address": address, "tls_certificate": certificate, "tls_key": key}
    places = listening(load_settings(chosen))
    assert places.dialled((7, 8)) == dialled
    assert places.dialled_by_house_bots((7, 8)) == "127.0.0.1:8"
    assert places.listens[1].credentials is None


def test_without_a_certificate_an_arena_everywhere_is_dialled_on_this_machine() -> None:
    places = listening(load_settings({"address": "0.0.0.0:1", "plaintext": True}))
    assert places.dialled((7, 8)) == "127.0.0.1:7"
    alone = listening(load_settings({"address": "localhost:1"}))
    assert alone.dialled((7,)) == alone.dialled_by_house_bots((7,)) == "localhost:7"


@pytest.mark.parametrize("content", [b"", b"hello", b"\xff\x00", b"-----BEGIN PRIVATE KEY-----\n"])
def test_a_file_without_authorities_is_said_before_anybody_is_dialled(
    tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "ca.pem"
    file.write_bytes(content)
    dial = Dial(address=Address("arena.example:1"), ca_file=file)
    with pytest.raises(ConnectError, match="holds no certificate"):
        dial.credentials()


def test_a_variable_with_authorities_encrypts_nothing_that_was_plain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EUCHRE_CA", str(tmp_path / "none.pem"))
    assert Dial(address=Address("127.0.0.1:1")).credentials() is None
    with pytest.raises(ConnectError, match=r"cannot read the certificates in .*none\.pem"):
        Dial(address=Address("arena.example:1")).credentials()


@pytest.mark.parametrize("host", ["arena.example", "192.168.0.9", "0.0.0.0", "[2001:db8::1]"])
def test_a_token_goes_in_the_clear_to_another_machine_only_when_asked_for(host: str) -> None:
    address = Address(f"{host}:50051")
    assert Dial(address=address).credentials() is not None
    assert Dial(address=address, security=Security.PLAINTEXT).credentials() is None


@pytest.mark.parametrize("security", [Security.AUTOMATIC, Security.PLAINTEXT])
async def test_what_goes_in_the_clear_goes_over_no_proxy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, security: Security
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        proxy.setblocking(False)  # noqa: FBT003 - the socket's own
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.getsockname()[1]}")
        async with served(tmp_path) as arena:
            dial = Dial(address=Address(arena.address), security=security)

            def by_both_clients() -> None:
                with connect(dial, token="secret") as client, pytest.raises(CallError):
                    client.invite_author()
                with pytest.raises(ConnectError, match="hangs up"):
                    run(BotBase, arena=arena.address, token="secret", security=security)

            await trio.to_thread.run_sync(by_both_clients)
        with pytest.raises(BlockingIOError):
            proxy.accept()
