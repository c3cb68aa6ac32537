"""`arena …`: what an organiser types. Each command is loaded when it is called."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

# gRPC would write lines of its own to the terminal; what they mean is told in our words.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import click

from euchre_sdk.cli_lazy import LazyCommand, LazyGroup
from euchre_sdk.cli_sentences import run_in_sentences

COMMANDS = {
    "serve": LazyCommand("arena.cli_serve:serve", "Run an arena until Ctrl-C or SIGTERM."),
    "status": LazyCommand(
        "arena.cli_status:status",
        "Say whether an arena works, who is there, what is being played, and how fast.",
    ),
    "bot": LazyCommand("arena.cli_bots:bot", "Register bots and look after them."),
    "author": LazyCommand("arena.cli_bots:author", "Invite the authors of bots."),
    "tournament": LazyCommand(
        "arena.cli_tournaments:tournament", "Create tournaments and run them."
    ),
    "duel": LazyCommand("arena.cli_duel:duel", "Find out whether bot A is stronger than bot B."),
    "annul": LazyCommand("arena.cli_audit:annul", "Strike a game or a block from the results."),
    "audit": LazyCommand("arena.cli_audit:audit", "Show who decided what, when and why."),
    "watch": LazyCommand("arena.cli_watch:watch", "Watch a tournament until it is over."),
}


class ArenaGroup(LazyGroup):
    """The commands as a program: what goes wrong is said in a sentence, as `euchre` does."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: FBT001, FBT002 - click calls it so
        **extra: Any,
    ) -> Any:
        """Run the command line, then exit with its code; if not standalone, as click does."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        given = sys.argv[1:] if args is None else args
        sys.exit(run_in_sentences(self, given, name=prog_name or "arena"))


@click.group(
    "arena",
    cls=ArenaGroup,
    lazily=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="euchre-arena", prog_name="arena")
def main() -> None:
    """Run an arena for bots that play three-handed Euchre."""
