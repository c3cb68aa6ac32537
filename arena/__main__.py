"""`python -m arena` is the `arena` command."""

try:
    from arena.cli import main
except KeyboardInterrupt:  # Ctrl-C while it is loaded
    raise SystemExit(130) from None

main(prog_name="arena")
