"""Runs a command line: what goes wrong is a sentence, and the exit code says whose fault it is."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

import click

from euchre_sdk.errors import EuchreError
from euchre_sdk.loading import BotLoadError
from euchre_sdk.text import printable

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""


def run_in_sentences(command: click.Command, arguments: Sequence[str], *, name: str) -> int:
    """Run a command line and return its exit code. Only a bug of ours leaves a traceback."""
    try:
        # past `command.main`: a group's own may be what calls this
        code = click.Command.main(command, list(arguments), prog_name=name, standalone_mode=False)
    except click.UsageError as error:
        if _is_help(error):
            _say(error.format_message())
            return error.exit_code
        path = error.ctx.command_path if error.ctx else name
        _say(f"{_sentence(error.format_message())} Help: {path} --help")
        return error.exit_code
    except click.ClickException as error:
        _say(_sentence(error.format_message()))
        return error.exit_code
    except BotLoadError as error:
        _say(f"{error.traceback}\n{error}".lstrip())
        return 1
    except EuchreError as error:
        _say(str(error))
        return 1
    except (click.Abort, KeyboardInterrupt):
        _say("")
        return INTERRUPTED
    except BrokenPipeError:  # as in `euchre rules | head`
        sys.stderr.close()
        return 0
    except OSError as error:  # the disk is full, as a rule
        what = "the output cannot be written" if error.filename is None else error.filename
        _say(f"{what}: {error.strerror}.")
        with suppress(OSError, ValueError):  # else what is left to write is tried again at the end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code if isinstance(code, int) else 0


def _is_help(error: click.UsageError) -> bool:
    """Return whether it is a group's help, asked for by naming no command; older clicks exit."""
    return isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ()))


def _sentence(text: str) -> str:
    text = text[:1].lower() + text[1:] if text[:2] != text[:2].upper() else text
    return text if text.endswith((".", "?", "!", ")")) else f"{text}."


def _say(text: str) -> None:
    click.echo(printable(text), err=True)
