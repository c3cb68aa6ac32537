"""`arena …`: what an organiser types."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

# gRPC would write lines of its own to the terminal; what they mean is told in our words.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import click

from arena.cli_bots import author, bot
from arena.cli_common import Refusal, arena_options, dialled, json_option, show_json
from arena.cli_tournaments import tournament
from arena.cli_watch import watch
from arena.errors import ArenaError
from arena.rpc.plain import plain
from arena.settings import Settings, load_settings
from euchre_sdk.cli_ranking_screen import table_console


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="euchre-arena", prog_name="arena")
def main() -> None:
    """Run an arena for bots that play three-handed Euchre."""


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


@main.command()
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
    # The other commands need not wait for these.
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


@main.command()
@json_option
@arena_options
def status(*, as_json: bool, address: str, ca_file: Path | None, plaintext: bool) -> None:
    """Say whether an arena answers, who is there, and what is being played."""
    with dialled(address, ca_file, plaintext) as arena:
        tournaments = [
            each for each in arena.list_tournaments() if plain(each)["state"] == "running"
        ]
        bots = arena.list_bots()
    games = sum(each.progress.games_running for each in tournaments)
    present = [each.name for each in bots if each.free_games or plain(each)["free_games"]]
    if as_json:
        show_json(
            {
                "address": address,
                "tournaments_running": [each.name for each in tournaments],
                "games_running": games,
                "bots": len(bots),
                "bots_free": present,
            }
        )
        return
    table_console().print(
        f"The arena at {address} answers: {len(tournaments)} tournaments and {games} games "
        f"running, {len(bots)} bots registered, {len(present)} free for a game."
    )
    for each in tournaments:
        done = f"{each.progress.blocks_complete:,}/{each.progress.blocks_total:,} blocks"
        table_console().print(f"  {each.name}: {done}. Watch it: arena watch {each.name}")


for command in (bot, author, tournament, watch):
    main.add_command(command)


def _tell_what_is_next(running: Any) -> None:
    """Say where the arena is and what to type next."""
    option = (
        ""
        if running.address == Settings.model_fields["address"].default
        else (f" --arena {running.address}")
    )
    token = f" --token-file {running.token_file}"
    click.echo(
        f"\n  The arena answers at {running.address}. Ctrl-C stops it; games go on at the next "
        "start.\n"
        f"  The organiser's token is in {running.token_file}\n\n"
        "  Next, in another terminal:\n"
        f"    arena bot register my_bot{option}{token}\n"
        f"    euchre connect {running.address} my_bot.py\n"
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
