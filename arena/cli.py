"""`arena …`: what an organiser types. Each command is loaded when it is called."""

from __future__ import annotations

import os

# gRPC would write lines of its own to the terminal; what they mean is told in our words.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import click

from euchre_sdk.cli_lazy import LazyCommand, LazyGroup

COMMANDS = {
    "serve": LazyCommand("arena.cli_serve:serve", "Run an arena until Ctrl-C or SIGTERM."),
    "status": LazyCommand(
        "arena.cli_status:status",
        "Say whether an arena answers, who is there, and what is being played.",
    ),
    "bot": LazyCommand("arena.cli_bots:bot", "Register bots and look after them."),
    "author": LazyCommand("arena.cli_bots:author", "Invite the authors of bots."),
    "tournament": LazyCommand(
        "arena.cli_tournaments:tournament", "Create tournaments and run them."
    ),
    "watch": LazyCommand("arena.cli_watch:watch", "Watch a tournament until it is over."),
}


@click.group(
    cls=LazyGroup,
    lazily=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="euchre-arena", prog_name="arena")
def main() -> None:
    """Run an arena for bots that play three-handed Euchre."""
