"""The images name what exists. Building them takes a container engine: docker/README.md."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import click
import pytest
import yaml

from arena.settings import NOT_SETTINGS, Settings
from euchre_sdk.cli import euchre

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILES = sorted(ROOT.glob("docker/*.Dockerfile"))
COMPOSE = yaml.safe_load((ROOT / "docker/compose.yaml").read_text())
SETTINGS = {f"ARENA_{name.upper()}" for name in Settings.model_fields} | NOT_SETTINGS
BOTS = [name for name in COMPOSE["services"] if name != "arena"]


def instructions(dockerfile: Path) -> list[tuple[str, str]]:
    """Return the instructions of a Dockerfile with what follows them."""
    lines = [line for line in dockerfile.read_text().splitlines() if not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [(line.split()[0], line.split(None, 1)[1]) for line in joined.splitlines() if line]


def copied(dockerfile: Path) -> list[str]:
    """Return what a Dockerfile copies from the repository, with its arguments' defaults."""
    defaults = dict(rest.split("=", 1) for name, rest in instructions(dockerfile) if name == "ARG")
    return [
        re.sub(r"\$\{(\w+)\}", lambda match: defaults[match[1]], source)
        for name, rest in instructions(dockerfile)
        if name == "COPY" and not rest.startswith("--from=")
        for source in rest.split()[:-1]
    ]


def is_sent(path: str) -> bool:
    """Return whether .dockerignore lets a path into the build: the last line that fits decides."""
    sent = True
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        pattern = line.removeprefix("!")
        if line.startswith("#") or not pattern:
            continue
        if any(fnmatch(str(each), pattern) for each in (Path(path), *Path(path).parents[:-1])):
            sent = line.startswith("!")
    return sent


def test_there_is_an_image_of_the_arena_and_one_of_a_bot() -> None:
    assert [path.name for path in DOCKERFILES] == ["arena.Dockerfile", "bot.Dockerfile"]


@pytest.mark.parametrize("dockerfile", DOCKERFILES, ids=lambda path: path.name)
def test_what_an_image_copies_exists_and_is_sent_to_the_build(dockerfile: Path) -> None:
    sources = copied(dockerfile)
    assert sources
    assert [each for each in sources if not (ROOT / each).exists() or not is_sent(each)] == []


@pytest.mark.parametrize("dockerfile", DOCKERFILES, ids=lambda path: path.name)
def test_an_image_takes_hashed_libraries_and_does_not_run_as_root(dockerfile: Path) -> None:
    parts = instructions(dockerfile)
    installs = [rest for name, rest in parts if name == "RUN" and "pip install" in rest]
    assert installs
    for install in re.findall(r"pip install[^&]*", " ".join(installs)):
        assert "--require-hashes" in install or "--no-index" in install
    assert [rest for name, rest in parts if name == "USER"][-1] not in ("root", "0")


def test_what_the_distributions_show_is_in_the_image_of_the_arena() -> None:
    sources = copied(ROOT / "docker/arena.Dockerfile")
    table = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {table["readme"], *table["license-files"], "pyproject.toml", "sdk"} <= set(sources)


def test_every_variable_of_the_arena_is_a_setting() -> None:
    text = (ROOT / "docker/arena.Dockerfile").read_text() + (ROOT / "docker/README.md").read_text()
    used = set(re.findall(r"\bARENA_[A-Z_]+", text)) | set(
        COMPOSE["services"]["arena"]["environment"]
    )
    assert used >= {"ARENA_ADDRESS", "ARENA_PLAINTEXT"}
    assert used <= SETTINGS


def test_an_arena_without_tls_publishes_no_port() -> None:
    arena = COMPOSE["services"]["arena"]
    assert arena["environment"]["ARENA_PLAINTEXT"] == "true"
    assert "ports" not in arena


@pytest.mark.parametrize("service", COMPOSE["services"])
def test_a_service_is_built_from_files_that_exist(service: str) -> None:
    build = COMPOSE["services"][service]["build"]
    context = (ROOT / "docker" / build["context"]).resolve()
    assert context == ROOT
    assert (context / build["dockerfile"]).is_file()
    if service in BOTS:
        bot = build["args"]["BOT"]
        assert (context / bot).is_file()
        assert is_sent(bot)


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_is_started_with_options_that_exist_and_its_own_secret(
    bot: str, tmp_path: Path
) -> None:
    service = COMPOSE["services"][bot]
    assert service["secrets"] == [bot]
    assert COMPOSE["secrets"][bot]["file"] == f"./secrets/{bot}.token"

    secret = tmp_path / bot  # the command wants to see the file
    secret.touch()
    arguments = [each.replace("/run/secrets", str(tmp_path)) for each in service["command"]]
    connect = euchre.get_command(click.Context(euchre), "connect")
    options = connect.make_context("connect", arguments).params

    assert options["address"].partition(":")[0] in COMPOSE["services"]
    assert Path(options["token_file"]) == secret
