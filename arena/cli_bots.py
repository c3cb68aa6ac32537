"""`arena bot …` and `arena author …`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import click
from rich.table import Table

from arena.cli_common import (
    Refusal,
    arena_options,
    dialled,
    find_token,
    json_option,
    show_json,
    token_option,
)
from arena.cli_conduct import events, lift, take_over
from arena.cli_history import history
from arena.rpc.plain import plain
from euchre_sdk.cli_ranking_screen import table_console
from euchre_sdk.client_dial import Dial


@click.group()
def bot() -> None:
    """Register bots and look after them."""


@bot.command()
@click.argument("name")
@click.option("--author", help="Whose bot it is. [default: an author of the bot's name]")
@click.option(
    "--token-to",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the token to this new file instead of showing it.",
)
@json_option
@token_option
@arena_options
def register(
    name: str,
    author: str | None,
    token_to: Path | None,
    *,
    as_json: bool,
    token_file: Path | None,
    dial: Dial,
) -> None:
    """Register a bot and show its token, this once."""
    with (
        _token_file(token_to) as file,
        dialled(dial, find_token(token_file)) as arena,
    ):
        response = arena.register_bot(name, author)
        _keep(response.token, file)
    if as_json:
        show_json(plain(response) if token_to is None else {"bot": plain(response.bot)})
    elif token_to is not None:
        click.echo(f"{name} is registered; its token is in {token_to}.")
    else:
        click.echo(f"{name} is registered. Its token, shown only now:\n\n  {response.token}\n")
        click.echo(f"Next: EUCHRE_TOKEN=… euchre connect {dial.address.text} my_bot.py")


@bot.command("list")
@click.option("--author", help="Only the bots of this author.")
@click.option("--mine", is_flag=True, help="Only the bots of the author whose token is used.")
@json_option
@token_option
@arena_options
def list_bots(
    *, author: str | None, mine: bool, as_json: bool, token_file: Path | None, dial: Dial
) -> None:
    """List all bots, or those of one author."""
    token = find_token(token_file) if mine or token_file else None
    with dialled(dial, token) as arena:
        bots = arena.list_bots(author=author, mine=mine)
    if as_json:
        show_json(bots)
        return
    table = Table(box=None, header_style="dim")
    for column in ("bot", "author", "version", "state"):
        table.add_column(column, overflow="fold")
    table.add_column("free games", justify="right")
    for each in bots:
        values = plain(each)
        table.add_row(
            each.name,
            values["author"] or "the arena",
            values["version_label"] or "–",
            values["state"],
            str(each.free_games) if each.free_games else "–",
        )
    table_console().print(table if bots else "No bots yet. Next: arena bot register NAME")


@bot.group()
def token() -> None:
    """Look after the tokens of bots."""


@token.command()
@click.argument("name")
@click.option(
    "--token-to",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the token to this new file instead of showing it.",
)
@json_option
@token_option
@arena_options
def rotate(
    name: str,
    token_to: Path | None,
    *,
    as_json: bool,
    token_file: Path | None,
    dial: Dial,
) -> None:
    """Make a new token for a bot; the old one is no good any more."""
    with (
        _token_file(token_to) as file,
        dialled(dial, find_token(token_file)) as arena,
    ):
        fresh = arena.rotate_token(name)
        _keep(fresh, file)
    if as_json:
        show_json({"name": name} if token_to else {"name": name, "token": fresh})
    elif token_to is not None:
        click.echo(f"The new token of {name} is in {token_to}.")
    else:
        click.echo(f"The new token of {name}, shown only now:\n\n  {fresh}\n")


@bot.command()
@click.argument("name")
@json_option
@token_option
@arena_options
def deactivate(
    name: str,
    *,
    as_json: bool,
    token_file: Path | None,
    dial: Dial,
) -> None:
    """Let a bot play no more, here and in running tournaments."""
    with dialled(dial, find_token(token_file)) as arena:
        gone = arena.deactivate_bot(name)
    if as_json:
        show_json(gone)
    else:
        click.echo(f"{name} is deactivated.")


@click.group()
def author() -> None:
    """Invite the authors of bots."""


@author.command()
@json_option
@token_option
@arena_options
def invite(
    *,
    as_json: bool,
    token_file: Path | None,
    dial: Dial,
) -> None:
    """Make an invitation with which one author may register."""
    with dialled(dial, find_token(token_file)) as arena:
        invitation = arena.invite_author()
    if as_json:
        show_json({"invitation": invitation})
    else:
        click.echo(f"An invitation, shown only now:\n\n  {invitation}\n")
        click.echo(f"For its author: arena author register NAME --arena {dial.address.text}")


@author.command("register")
@click.argument("name")
@click.option(
    "--token-to",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the token to this new file instead of showing it.",
)
@json_option
@arena_options
def register_author(name: str, token_to: Path | None, *, as_json: bool, dial: Dial) -> None:
    """Register as an author. It takes an invitation unless the arena is open."""
    invitation = click.prompt(
        "invitation (empty if the arena is open)",
        default="",
        show_default=False,
        hide_input=sys.stdin.isatty(),
    )
    with _token_file(token_to) as file, dialled(dial) as arena:
        made = arena.register_author(name, invitation.strip() or None)
        _keep(made.token, file)
    if as_json:
        show_json(plain(made) if token_to is None else {"author_id": made.author_id})
    elif token_to is not None:
        click.echo(f"{name} is registered; the token is in {token_to}.")
        click.echo(f"Next: arena bot register NAME --token-file {token_to}")
    else:
        click.echo(f"{name} is registered. Your token, shown only now:\n\n  {made.token}\n")
        click.echo("Next: ARENA_TOKEN=… arena bot register NAME")


@author.group("token")
def author_token() -> None:
    """Look after the tokens of authors."""


@author_token.command("rotate")
@click.argument("name", required=False)
@click.option(
    "--token-to",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the token to this new file instead of showing it.",
)
@json_option
@token_option
@arena_options
def rotate_author(
    name: str | None,
    token_to: Path | None,
    *,
    as_json: bool,
    token_file: Path | None,
    dial: Dial,
) -> None:
    """Make a new token for yourself; an organiser names the author.

    The old one is no good any more; the author's bots keep theirs.
    """
    with (
        _token_file(token_to) as file,
        dialled(dial, find_token(token_file)) as arena,
    ):
        fresh = arena.rotate_author_token(name)
        _keep(fresh, file)
    if as_json:
        show_json({"name": name} if token_to else {"name": name, "token": fresh})
    elif token_to is not None:
        click.echo(f"The new token is in {token_to}.")
    else:
        click.echo(f"The new token, shown only now:\n\n  {fresh}\n")


for _command in (events, history, take_over, lift):
    bot.add_command(_command)


@contextmanager
def _token_file(path: Path | None) -> Iterator[TextIO | None]:
    """Open a new file for a token, readable by its owner only; drop it if no token comes.

    It is opened before the arena is asked, so that no token is lost because of it.
    """
    if path is None:
        yield None
        return
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise Refusal(f"the token cannot be written to {path}: {error.strerror}.") from error
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            yield file
    except BaseException:
        path.unlink()
        raise


def _keep(token: str, file: TextIO | None) -> None:
    if file is not None:
        file.write(token + "\n")
