"""The deals in a second language: the vectors, and the decks of whole records."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from euchre_sdk.game import read_record, write_record

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "example_bots/typescript"
COMPILER = FOLDER / "node_modules/typescript/bin/tsc"
FILES = ("src/dealing.ts", "src/verify.ts", "test/dealing.test.ts")
RECORDS = sorted((ROOT / "tests/data/records").glob("*.jsonl"))
STRICT = (
    "--strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --noUnusedLocals "
    "--module NodeNext --target ES2022 --types node --skipLibCheck --rootDir . --outDir dist"
)


def node(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["node", *arguments],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        cwd=FOLDER,
    )


@pytest.fixture(scope="module")
def compiled() -> None:
    """The three files, compiled anew if they have changed."""
    if shutil.which("node") is None or not COMPILER.exists():
        pytest.skip("no node here, or no compiler: npm ci in example_bots/typescript")
    made = [(FOLDER / "dist" / name).with_suffix(".js") for name in FILES]
    written = max((FOLDER / name).stat().st_mtime for name in FILES)
    if not all(file.exists() and file.stat().st_mtime > written for file in made):
        done = node(COMPILER, *STRICT.split(), *FILES)
        assert done.returncode == 0, done.stdout


@pytest.mark.usefixtures("compiled")
def test_the_vectors_hold_in_typescript() -> None:
    done = node("--test", "dist/test/dealing.test.js")
    assert done.returncode == 0, done.stdout
    assert "# fail 0" in done.stdout
    assert "# pass 0" not in done.stdout


@pytest.mark.usefixtures("compiled")
def test_the_decks_of_records_are_checked_in_typescript(tmp_path: Path) -> None:
    assert len(RECORDS) >= 5
    good = read_record(RECORDS[0].read_bytes())
    deck = good.hands[0].deck
    first = replace(good.hands[0], deck=(deck[1], deck[0], *deck[2:]))
    bad = tmp_path / "bad.jsonl"
    bad.write_text(write_record(replace(good, hands=(first, *good.hands[1:]))))
    done = node("dist/src/verify.js", *RECORDS, bad)
    *true, wrong = done.stdout.splitlines()
    assert [": ok: " in line for line in true] == [True] * len(RECORDS), done.stderr
    assert f"{bad}: wrong: hand 1: deck: the record says {deck[1]} {deck[0]} " in wrong
    assert done.returncode == 1
