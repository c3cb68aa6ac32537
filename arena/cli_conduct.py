"""`arena bot events`, `take-over` and `lift`: what owners do about their bots' conduct."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli_common import (
    arena_options,
    dialled,
    find_token,
    json_option,
    show_json,
    token_option,
)
from arena.rpc.client import when
from arena.rpc.plain import plain
from euchre_sdk.client_dial import Dial


@click.command()
@click.argument("name")
@json_option
@token_option
@arena_options
def events(name: str, *, as_json: bool, token_file: Path | None, dial: Dial) -> None:
    """Say what the arena has decided about a bot, newest first."""
    with dialled(dial, find_token(token_file)) as arena:
        found = arena.bot_events(name)
    if as_json:
        show_json(found)
        return
    for event in found:
        kind = plain(event)["kind"].replace("_", " ")
        click.echo(f"{when(event.event_time):%Y-%m-%d %H:%M:%S}  {kind}: {event.message}")
    if not found:
        click.echo(f"Nothing was decided about {name}.")


@click.command("take-over")
@click.argument("name")
@json_option
@token_option
@arena_options
def take_over(name: str, *, as_json: bool, token_file: Path | None, dial: Dial) -> None:
    """End a bot's connections; its next one plays its games on.

    Three times a minute at most. Games that no connection takes over in time are forfeits.
    """
    with dialled(dial, find_token(token_file)) as arena:
        handed = arena.take_over(name)
    if as_json:
        show_json(handed)
    else:
        click.echo(
            f"{name}: connections ended: {handed.links}; games that wait for the next one: "
            f"{handed.games}."
        )


@click.command()
@click.argument("name")
@json_option
@token_option
@arena_options
def lift(name: str, *, as_json: bool, token_file: Path | None, dial: Dial) -> None:
    """Check a bot in quarantine, and let it out if it passes.

    The bot has to be connected: it plays three hands against house bots, and passes if it makes no
    fault. An owner may do this once for a bot, an organiser again and again.
    """
    with dialled(dial, find_token(token_file)) as arena:
        bot = arena.lift_quarantine(name)
    if as_json:
        show_json(bot)
    else:
        click.echo(f"{name} has passed its check and may play again.")
