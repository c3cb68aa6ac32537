"""Everything an organiser may set, read once: flags over environment over file over defaults."""

from __future__ import annotations

import ipaddress
import os
import tomllib
from collections.abc import Collection, Mapping
from datetime import timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from arena.errors import ArenaError
from arena.places import DEFAULT_ADDRESS, DEFAULT_DATA
from euchre_sdk.text import LONGEST_SHOWN, cut, one_line, shown

PREFIX = "ARENA_"
NOT_SETTINGS = frozenset({"ARENA_TOKEN", "ARENA_SERVER"})
"""Variables that the commands read, not the server."""


class SettingsError(ArenaError):
    """Settings that cannot be used; `faults` lists everything that is wrong with them."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("settings: " + "; ".join(faults) + ".")
        self.faults = tuple(faults)


class Settings(BaseSettings):
    """The settings of one arena. Each may be given in a TOML file, as ARENA_NAME, or as --name."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="forbid")

    address: str = Field(
        DEFAULT_ADDRESS, description="Where to listen, HOST:PORT (port 0: any) or unix:PATH."
    )
    data: Path = Field(
        DEFAULT_DATA, description="Directory of the database and the organiser's token."
    )
    tls_certificate: Path | None = Field(
        None, description="PEM file with the certificate chain, for TLS. Needs tls_key."
    )
    tls_key: Path | None = Field(
        None, description="PEM file with the certificate's private key. Needs tls_certificate."
    )
    plaintext: bool = Field(
        default=False, description="Allow other machines to connect without TLS."
    )
    open_registration: bool = Field(
        default=False, description="Let anybody register as an author, without an invitation."
    )
    games_at_once: int = Field(
        256, ge=1, le=100_000, description="Games that may run at once, over all tournaments."
    )
    games_per_bot: int = Field(
        64, ge=1, le=1_000, description="Games of one bot that may run at once, at most."
    )
    house_games: int = Field(
        16, ge=1, le=1_000, description="Games that one house bot plays at once."
    )
    streams: int = Field(
        1024, ge=3, le=100_000, description="Streams of bots that may be open at once."
    )
    silent_streams: int = Field(
        5, ge=1, le=1_000, description="Those of one other machine that have not said Hello."
    )
    links_per_bot: int = Field(
        1, ge=1, le=100, description="Connections that one bot may have, at most."
    )
    link_lost: timedelta = Field(
        timedelta(seconds=60),
        gt=timedelta(0),
        le=timedelta(days=1),
        description="Time for which a bot that lost its stream finds its link again, in seconds.",
    )
    reattach_per_minute: int = Field(
        10, ge=1, le=10_000, description="Streams of a bot in a minute before it has to wait."
    )
    flood_rate: float = Field(
        20,
        gt=0,
        le=10_000,
        description="Useless or refused messages a second that a bot may send, on average.",
    )
    banned: timedelta = Field(
        timedelta(seconds=5),
        ge=timedelta(0),
        le=timedelta(days=1),
        description="Time in which a bot that was cut off is not let in again, in seconds.",
    )
    release_interval: timedelta = Field(
        timedelta(0),
        ge=timedelta(0),
        le=timedelta(seconds=10),
        description="Send bots messages at multiples of this time only, in seconds; at once if 0.",
    )
    watchers: int = Field(
        500, ge=1, le=100_000, description="Rankings that may be watched at once."
    )
    calls_per_second: int = Field(
        50, ge=1, le=100_000, description="Other calls that one caller may make in a second."
    )
    grace: timedelta = Field(
        timedelta(seconds=0.5),
        ge=timedelta(0),
        le=timedelta(seconds=60),
        description="Time that calls have to end when the arena stops, in seconds.",
    )
    luck_correction: Literal["off", "model", "playouts"] = Field(
        "model",
        description="Ratings without the luck of the cards: off, by the value model, or playouts, "
        "too.",
    )
    metrics_address: str | None = Field(
        None,
        description="Where to serve metrics for Prometheus, HOST:PORT; none if unset.",
    )
    flight_days: int = Field(
        30, ge=1, le=10_000, description="Days for which flight records of games are kept."
    )
    flight_megabytes: int = Field(
        256, ge=1, le=1_000_000, description="Most that they take up; refusals are kept anyway."
    )
    flight_everything: bool = Field(
        default=False,
        description="Keep flight records of games without any refusal or lost connection, too.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="What is logged: debug, info, warning or error."
    )

    @field_validator("address")
    @classmethod
    def _check_address(cls, address: str) -> str:
        """Accept HOST:PORT and unix:PATH."""
        if address.startswith("unix:") and len(address) > len("unix:"):
            return address
        if not _is_host_and_port(address):
            raise ValueError("must be HOST:PORT or unix:PATH")
        return address

    @field_validator("metrics_address")
    @classmethod
    def _check_metrics_address(cls, address: str | None) -> str | None:
        """Accept HOST:PORT."""
        if address is not None and not _is_host_and_port(address):
            raise ValueError("must be HOST:PORT")
        return address

    @model_validator(mode="after")
    def _check_together(self) -> Settings:
        """Check what depends on more than one setting."""
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise ValueError("tls_certificate and tls_key belong together; one is missing")
        if self.tls_certificate is None and not self.plaintext and not is_local(self.address):
            raise ValueError(
                f"{self.address} can be reached from other machines, and without TLS tokens and "
                "games would cross the network readable; set tls_certificate and tls_key, listen "
                f"on {DEFAULT_ADDRESS}, or set plaintext if the network is safe"
            )
        metrics = self.metrics_address
        if metrics is not None and not self.plaintext and not is_local(metrics):
            raise ValueError(
                f"{metrics} can be reached from other machines, and metrics are sent readable, to "
                "whoever asks; set metrics_address to one of this machine's own, such as "
                "127.0.0.1:9464, or set plaintext if the network is safe"
            )
        return self


def _is_host_and_port(address: str) -> bool:
    host, colon, port = address.rpartition(":")
    return bool(
        colon and host and port.isascii() and port.isdigit() and len(port) < 6 and int(port) < 65536
    )


def load_settings(flags: Mapping[str, Any], *, file: Path | None = None) -> Settings:
    """Return the settings from flags, environment, file and defaults, in falling precedence.

    Raises `SettingsError` with everything that is wrong.
    """

    class FromAll(Settings):
        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - not a source of ours
            file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - nor is this
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            in_file = InitSettingsSource(settings_cls, init_kwargs=_read_file(file))
            return (init_settings, env_settings, in_file)

    faults = _unknown_variables()
    if unreadable := _unreadable(flags):
        raise SettingsError([*faults, *unreadable])
    try:
        settings = FromAll(**flags)
    except ValidationError as error:
        faults += [_sentence(dict(each)) for each in error.errors()]
    else:
        if not faults:
            return settings
    raise SettingsError(faults)


def is_local(address: str) -> bool:
    """Return whether only this machine can reach an address.

    >>> is_local("127.0.0.1:0"), is_local("0.0.0.0:0"), is_local("unix:arena.sock")
    (True, False, True)
    """
    if address.startswith("unix:"):
        return True
    host = address.rpartition(":")[0].strip("[]")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _read_file(file: Path | None) -> dict[str, Any]:
    if file is None:
        return {}
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError([f"{_shown(file)} cannot be read: {error.strerror}"]) from error
    except RecursionError:
        raise SettingsError([f"{_shown(file)} is not TOML: it is nested too deeply"]) from None
    except ValueError as error:  # also a number with too many digits, or a name no file can have
        said = one_line(cut(str(error), LONGEST_SHOWN))
        raise SettingsError([f"{_shown(file)} is not TOML: {said}"]) from error


def _shown(file: Path) -> str:
    return one_line(cut(str(file), LONGEST_SHOWN))


def _unknown_variables() -> list[str]:
    """List variables of the environment that look like settings and are none."""
    names = {PREFIX + name.upper() for name in Settings.model_fields}
    unknown = sorted(
        name for name in os.environ if name.startswith(PREFIX) and name not in names | NOT_SETTINGS
    )
    return [
        f"the environment has {one_line(cut(name, LONGEST_SHOWN))}, which is no setting"
        f"{_meant(name, names)}"
        for name in unknown
    ]


def _unreadable(flags: Mapping[str, Any]) -> list[str]:
    """List what is no text: bytes of a command line or of the environment that are no UTF-8."""
    given = {name: str(value) for name, value in flags.items() if isinstance(value, str | Path)}
    given |= {name: value for name, value in os.environ.items() if name.startswith(PREFIX)}
    return [
        f"{one_line(cut(name, LONGEST_SHOWN))} is no text in UTF-8: {shown(value)}"
        for name, value in sorted(given.items())
        if any("\ud800" <= sign <= "\udfff" for sign in value)
    ]


def _meant(name: str, names: Collection[str]) -> str:
    near = get_close_matches(name, names, n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def _sentence(error: dict[str, Any]) -> str:
    """Return what is wrong with one setting, in one sentence without a full stop."""
    name = one_line(cut(".".join(map(str, error["loc"])), LONGEST_SHOWN))
    if error["type"] == "extra_forbidden":
        return f"{name} is no setting{_meant(name, Settings.model_fields)}"
    message = str(error["msg"]).removeprefix("Value error, ")
    if not name:
        return message
    message = message[0].lower() + message[1:]
    value = error["input"]
    said = shown(value) if isinstance(value, str | int) else shown(str(value))
    return f"{name}: {message}, not {said}"
