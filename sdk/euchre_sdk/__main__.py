"""`python -m euchre_sdk` is the `euchre` command."""

from euchre_sdk.cli import main

if __name__ == "__main__":
    main()
