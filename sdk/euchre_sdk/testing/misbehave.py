"""`python -m euchre_sdk.testing.misbehave`: bots that misbehave, to try an arena with."""

from __future__ import annotations

import sys
from importlib.util import find_spec

MISSING = 'this command needs the extra of the package: pip install "euchre-sdk[cli]"'


def main() -> None:
    """Run the command, or say what it lacks."""
    if find_spec("click") is None:
        sys.exit(MISSING)
    from euchre_sdk.testing.misbehave_command import misbehave  # noqa: PLC0415 - needs the extra

    misbehave(prog_name=f"python -m {__package__}.misbehave")


if __name__ == "__main__":
    main()
