"""`arena serve`: one option for each setting, and the arena itself."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from arena.cli_common import Refusal
from arena.errors import ArenaError
from arena.places import DEFAULT_ADDRESS
from arena.settings import Settings, is_local, load_settings


def _setting_options(command: Any) -> Any:
    """Give `serve` one option for each setting, explained by the setting itself."""
    for name, setting in reversed(Settings.model_fields.items()):
        flag = "--" + name.replace("_", "-")
        shown = setting.default
        if isinstance(shown, bool):
            option = click.option(
                f"{flag}/--no-{flag[2:]}", name, default=None, help=setting.description
            )
        else:
            value = f"{shown.total_seconds():g}" if hasattr(shown, "total_seconds") else shown
            default = "" if value is None else f"  [default: {value}]"
            option = click.option(
                flag, name, metavar="VALUE", help=f"{setting.description}{default}"
            )
        command = option(command)
    return command


@click.command()
@click.option(
    "--settings",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="TOML file with settings. Flags win over ARENA_… variables, and those over the file.",
)
@_setting_options
def serve(file: Path | None, **flags: Any) -> None:
    """Run an arena until Ctrl-C or SIGTERM.

    Tournaments that were running go on where they stopped. Without any option the arena can be
    reached from this machine only.
    """
    # `--help` need not wait for these.
    import trio  # noqa: PLC0415

    from arena.logs import configure_logs  # noqa: PLC0415
    from arena.server import run_arena  # noqa: PLC0415

    given = {name: value for name, value in flags.items() if value is not None}
    try:
        settings = load_settings(given, file=file)
        configure_logs(settings.log_level)
        trio.run(lambda: run_arena(settings, started=_tell_what_is_next))
    except ArenaError as error:
        raise Refusal(str(error)) from error
    except BaseExceptionGroup as group:
        refusals, rest = group.split(ArenaError)
        if refusals is None or rest is not None:
            raise
        raise Refusal(str(_first(refusals))) from group


def _tell_what_is_next(running: Any) -> None:
    """Say where the arena is and what to type next."""
    option = "" if running.address == DEFAULT_ADDRESS else f" --arena {running.address}"
    tls = " --tls" if running.encrypted and is_local(running.address) else ""
    option += tls
    token = f" --token-file {running.token_file}"
    with suppress(OSError):  # nobody reads it, or the disk is full
        click.echo(
            f"\n  The arena answers at {running.address}. Ctrl-C stops it; games go on at the next "
            "start.\n"
            f"  The organiser's token is in {running.token_file}\n\n"
            "  Next, in another terminal:\n"
            f"    arena bot register my_bot{option}{token}\n"
            f"    euchre connect {running.address} my_bot.py{tls}\n"
            "    arena tournament create spring --bot my_bot --bot heuristic@1 --bot random@1"
            f"{option}{token}\n"
            f"    arena tournament start spring{option}{token}\n"
            f"    arena watch spring{option}\n"
        )


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
