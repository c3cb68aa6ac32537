"""`euchre verify`: whether records are true."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

import click

from euchre_sdk.cli_arena import dial_options
from euchre_sdk.client_dial import Address, Dial, Security
from euchre_sdk.client_matches import MatchError, Matches, dialled
from euchre_sdk.game.record import GameRecord, NewerRecordError, RecordError
from euchre_sdk.game.record_reading import read_record
from euchre_sdk.record_files import RecordFileError, load_record, record_files
from euchre_sdk.text import one_line
from euchre_sdk.verify import Verdict, Verification, verify_record
from euchre_sdk.verify_arena import arena_problems
from euchre_sdk.verify_attempts import receipt_gaps, told_attempts
from euchre_sdk.verify_problem import Problem
from euchre_sdk.verify_receipts import Receipts, read_receipts, receipt_problems

SCHEMA = "euchre-verify/1"
WRONG, UNPROVED = 1, 3
"""Exit codes beside 0, all is true, and 2, misused."""
_WORDS = {Verdict.TRUE: "ok", Verdict.WRONG: "WRONG", Verdict.UNPROVED: "not proved"}


@click.command()
@click.argument("records", nargs=-1, required=True, metavar="RECORD...")
@click.option(
    "--arena",
    metavar="ADDRESS",
    help="Compare with what the arena at ADDRESS says. RECORD may be the id of a game of it.",
)
@click.option(
    "--receipts",
    "receipt_files",
    type=click.Path(dir_okay=False, path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Compare with what a bot was told: a file of euchre connect --receipts. May be repeated.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@dial_options
def verify(
    *,
    records: tuple[str, ...],
    arena: str | None,
    receipt_files: tuple[Path, ...],
    as_json: bool,
    security: Security | None,
    ca_file: Path | None,
) -> int:
    """Check records: commitment, nonces, every deck, action, score and place.

    RECORD is a file, a directory of *.jsonl, or a pattern in quotes. For each record one line says
    what is wrong, or ok. The exit code is 0 if all are true, 1 if something is wrong, and 3 if
    nothing is wrong but something cannot be checked, as while a seed is not revealed.
    """
    verdicts: Counter[Verdict] = Counter()
    told: list[dict[str, object]] = []
    receipts = read_receipts(receipt_files) if receipt_files else None
    with ExitStack() as stack:
        matches = None
        if arena is not None:
            how = security or Security.AUTOMATIC
            dial = Dial(address=Address(arena), security=how, ca_file=ca_file)
            matches = stack.enter_context(dialled(dial))
        for name, found in _records(records, matches):
            came = _verified(found, matches, receipts)
            verdicts[came.verdict] += 1
            if as_json:
                told.append(_as_json(name, found, came))
            else:
                click.echo(f"{one_line(name)}: {_WORDS[came.verdict]}: {one_line(came.sentence)}")
    if as_json:
        counts = {verdict.value: verdicts[verdict] for verdict in Verdict}
        click.echo(json.dumps({"schema": SCHEMA, "records": told, **counts}, indent=2))
    elif verdicts.total() > 1:
        parts = [f"{verdicts[each]:,} {_WORDS[each]}" for each in Verdict if verdicts[each]]
        click.echo(f"{verdicts.total():,} records: {', '.join(parts)}")
    if verdicts[Verdict.WRONG]:
        return WRONG
    return UNPROVED if verdicts[Verdict.UNPROVED] else 0


def _records(
    named: Sequence[str], matches: Matches | None
) -> Iterator[tuple[str, GameRecord | Verification]]:
    """Yield name and record of each, or what there is to say of it. Raises `EuchreError`."""
    for name in named:
        try:
            files = list(record_files([name]))
        except RecordFileError:
            if matches is None:
                raise
            yield name, read_record(matches.record(name))
            continue
        for file in files:
            try:
                yield str(file), load_record(file)
            except NewerRecordError as error:
                yield str(file), Verification(missing=(error.reason,))
            except RecordError as error:
                where, what = f"line {error.line}", error.reason
                problem = Problem(line=error.line, where=where, what=what)
                yield str(file), Verification(problems=(problem,))


def _verified(
    record: GameRecord | Verification, matches: Matches | None, receipts: Receipts | None
) -> Verification:
    if isinstance(record, Verification):
        return record
    came = verify_record(record)
    if matches is not None:
        try:
            problems = list(arena_problems(record, matches))
        except MatchError as error:
            came = came.and_also([], missing=[f"the arena does not show it: {error}".rstrip(".")])
        else:
            came = came.and_also(problems, notes=["as the arena gives it out"])
    if receipts is None:
        return came
    told = receipts.get(record.game_id or "", [])
    if not told:
        return came.and_also([], missing=["no receipts of this game are there"])
    return came.and_also(
        receipt_problems(record, told),
        missing=receipt_gaps(record, told),
        notes=["as the bot was told", *told_attempts(told)],
    )


def _as_json(name: str, found: GameRecord | Verification, came: Verification) -> dict[str, object]:
    return {
        "record": name,
        "game_id": found.game_id if isinstance(found, GameRecord) else None,
        "verdict": came.verdict.value,
        "sentence": came.sentence,
        "problems": [asdict(problem) for problem in came.problems],
        "missing": came.missing,
        "notes": came.notes,
        "hands": came.hands,
        "decks": came.decks,
        "decisions": came.decisions,
    }
