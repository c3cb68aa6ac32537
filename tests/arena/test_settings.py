"""Settings: one order of precedence, everything wrong listed at once, safe where nobody chose."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.rpc.limits import CallLimits
from arena.settings import Settings, SettingsError, load_settings


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"ARENA_{name.upper()}", raising=False)


def written(path: Path, text: str) -> Path:
    file = path / "arena.toml"
    file.write_text(text)
    return file


def test_without_anything_only_this_machine_can_connect() -> None:
    assert load_settings({}).address == "127.0.0.1:50051"


def test_flags_win_over_the_environment_and_that_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path, "games_at_once = 1\ngames_per_bot = 1\nhouse_games = 1\n")
    monkeypatch.setenv("ARENA_GAMES_PER_BOT", "2")
    monkeypatch.setenv("ARENA_HOUSE_GAMES", "2")
    settings = load_settings({"house_games": 3}, file=file)
    assert (settings.games_at_once, settings.games_per_bot, settings.house_games) == (1, 2, 3)


def test_everything_wrong_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = written(tmp_path, 'adress = "x:1"\ngames_at_once = 0\n')
    monkeypatch.setenv("ARENA_GAMES_PER_BOT", "many")
    monkeypatch.setenv("ARENA_LOG_LEVLE", "info")
    with pytest.raises(SettingsError) as caught:
        load_settings({"log_level": "loud"}, file=file)
    said = str(caught.value)
    assert len(caught.value.faults) == 5
    assert "did you mean address?" in said
    assert "did you mean ARENA_LOG_LEVEL?" in said
    for name in ("games_at_once", "games_per_bot", "log_level"):
        assert name in said


@pytest.mark.parametrize("address", ["nowhere", ":1", "localhost:", "localhost:99999", "unix:"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(SettingsError, match="HOST:PORT"):
        load_settings({"address": address})


@pytest.mark.parametrize("address", ["0.0.0.0:1", "[::]:1", "arena.example:1", "192.168.0.9:1"])
def test_plaintext_is_refused_where_others_can_connect_unless_asked_for(address: str) -> None:
    with pytest.raises(SettingsError, match="plaintext"):
        load_settings({"address": address})
    assert load_settings({"address": address, "plaintext": True}).address == address
    tls = {"tls_certificate": Path("cert.pem"), "tls_key": Path("key.pem")}
    assert load_settings({"address": address, **tls}).address == address


@pytest.mark.parametrize("address", ["127.0.0.1:0", "[::1]:5", "localhost:5", "unix:/tmp/arena"])
def test_plaintext_is_fine_where_only_this_machine_can_connect(address: str) -> None:
    assert load_settings({"address": address}).address == address


def test_half_of_a_certificate_is_refused() -> None:
    with pytest.raises(SettingsError, match="belong together"):
        load_settings({"tls_key": Path("key.pem")})


@pytest.mark.parametrize("text", ["not toml", "games = [", '"unfinished'])
def test_a_file_that_is_not_toml_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(SettingsError, match="not TOML"):
        load_settings({}, file=written(tmp_path, text))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings({}, file=tmp_path / "none.toml")


def test_settings_cannot_be_changed_afterwards() -> None:
    settings = load_settings({})
    with pytest.raises(ValueError, match="frozen"):
        settings.games_at_once = 3


def test_limits_follow_what_the_organiser_chooses() -> None:
    chosen = CallLimits.of(calls_per_second=7, watchers=5)
    assert (chosen.per_second, chosen.burst) == (7, 28)
    assert (chosen.watchers, chosen.watched_at_once) == (5, 1)
    settings = load_settings({})
    assert CallLimits() == CallLimits.of(
        calls_per_second=settings.calls_per_second, watchers=settings.watchers
    )
