"""The `euchre` command. Its tables and progress bars are the extra `[cli]`, which it asks for."""

from __future__ import annotations

import sys

MISSING = 'the euchre command needs its extra: pip install "euchre-sdk[cli]"'

try:
    from importlib.util import find_spec
    from io import TextIOWrapper

    _IS_COMPLETE = all(find_spec(name) is not None for name in ("click", "rich"))
    if _IS_COMPLETE:
        from euchre_sdk.cli_group import euchre, run
except KeyboardInterrupt:  # Ctrl-C while it loads is as clean as later
    sys.exit(130)


def main() -> None:
    """Run the command; the exit code says how it went: 0, 1 refused or failed, 2 misused."""
    if not _IS_COMPLETE:
        sys.exit(_ask_for_extra())
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal may know no dot and no dash
    sys.exit(run(sys.argv[1:]))


def _ask_for_extra() -> int:
    print(MISSING, file=sys.stderr)  # noqa: T201 - there is nothing else to say it with
    return 2


__all__ = ["euchre", "main"]
