"""`euchre rules`: rule sets to look at and to start from."""

from __future__ import annotations

import click
from rich.console import Console
from rich.table import Table

from euchre_sdk.game import PRESETS, STANDARD, RuleSet
from euchre_sdk.game.rules_file import find_rules, rules_to_fields, to_json, to_toml


@click.command()
@click.argument("name", required=False, metavar="[PRESET|FILE]")
@click.option("--toml", "form", flag_value="toml", help="Write it as TOML, to start a file from.")
@click.option("--json", "form", flag_value="json", help="Write it as JSON.")
def rules(*, name: str | None, form: str | None) -> None:
    """Show rule sets, or write one as a file to start from.

    Without a name, the presets and what differs from the standard rules in each. With one, every
    option of it. A file may hold just what differs: euchre rules pub --toml > mine.toml, and then
    euchre play A B C --rules mine.toml.
    """
    if form is not None:
        chosen = find_rules(name or "standard")
        click.echo(to_json(chosen) if form == "json" else to_toml(chosen), nl=False)
        return
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
    if name is None:
        _list_presets(table)
    else:
        _list_options(table, find_rules(name))
    console = Console(highlight=False)
    console.print(table)
    console.print("\n [dim]What they mean: docs/rules.md, section 3. To a file: --toml, --json[/]")


def _list_presets(table: Table) -> None:
    table.add_column(" preset", no_wrap=True)
    table.add_column("differs from standard in")
    for name, preset in PRESETS.items():
        table.add_row(f" {name}", ", ".join(_changes(preset)) or "–")


def _list_options(table: Table, chosen: RuleSet) -> None:
    table.add_column(" option", no_wrap=True)
    table.add_column("value")
    table.add_column("standard", style="dim")
    usual = rules_to_fields(STANDARD)
    for option, value in rules_to_fields(chosen).items():
        changed = value != usual[option]
        table.add_row(
            f" {option}",
            f"[bold]{_word(value)}[/]" if changed else _word(value),
            _word(usual[option]) if changed else "",
        )


def _changes(chosen: RuleSet) -> list[str]:
    usual = rules_to_fields(STANDARD)
    return [
        f"{option} {_word(value)}"
        for option, value in rules_to_fields(chosen).items()
        if value != usual[option]
    ]


def _word(value: bool | int | str) -> str:  # noqa: FBT001 - the value of an option
    return str(value).lower() if isinstance(value, bool) else str(value)
