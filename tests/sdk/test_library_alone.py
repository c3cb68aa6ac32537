"""The SDK's library needs grpcio and protobuf, and loads nothing else."""

from __future__ import annotations

import subprocess
import sys

import pytest

import euchre_sdk

OURS = {"euchre", "euchre_sdk"}
GRPCIO = {"grpc", "grpc_health", "grpc_reflection", "grpc_status", "typing_extensions"}
"""grpcio, its dependency, and the companions that it loads where they happen to be installed."""
COMPILED = {"cython_runtime"}
PROTOBUF = {"google"}


def loaded_by(statement: str) -> set[str]:
    """Return the foreign top-level modules that a fresh Python loads for it."""
    code = (
        "import sys; before = set(sys.modules)\n"
        f"{statement}\n"
        "print(*sorted({name.split('.')[0] for name in set(sys.modules) - before}))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], check=True, capture_output=True, text=True
    )
    names = {name for name in done.stdout.split() if not name.startswith("_cython")}
    return names - sys.stdlib_module_names


@pytest.mark.parametrize(
    "statement",
    ["import euchre_sdk", "import euchre_sdk.client", "from euchre.v1 import play_pb2_grpc"],
)
def test_the_library_loads_grpcio_and_protobuf_only(statement: str) -> None:
    assert loaded_by(statement) - OURS - GRPCIO - PROTOBUF - COMPILED == set()


def test_the_rules_engine_loads_the_standard_library_only() -> None:
    assert loaded_by("import euchre_sdk.game, euchre_sdk.bots") == {"euchre_sdk"}


def test_a_bot_that_only_thinks_does_not_load_grpc() -> None:
    assert loaded_by("import euchre_sdk; euchre_sdk.BotBase, euchre_sdk.fallback") == {"euchre_sdk"}


@pytest.mark.parametrize("name", euchre_sdk.__all__)
def test_a_public_name_can_be_imported(name: str) -> None:
    assert getattr(euchre_sdk, name) is not None
    assert name in dir(euchre_sdk)


def test_what_is_no_public_name_is_said() -> None:
    with pytest.raises(AttributeError, match="'euchre_sdk' has no attribute 'play_games'"):
        _ = euchre_sdk.play_games
