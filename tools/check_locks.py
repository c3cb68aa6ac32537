"""Checks the lock files without asking any registry.

Every requirement that a pyproject.toml or a requirements/*.in file declares is pinned, at a version
that satisfies it and with its hashes, and no lock file names the place it was resolved from: the
same lock must work behind any mirror.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ROOT / "requirements"
PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>\S+)(?P<rest>.*)$")


def pins(lock: Path) -> dict[str, list[str]]:
    """Return the pinned versions by canonical name (several where markers choose)."""
    found: dict[str, list[str]] = {}
    for line in lock.read_text().splitlines():
        if match := PIN.match(line):
            found.setdefault(canonicalize_name(match["name"]), []).append(match["version"])
    return found


def faults_of_format(lock: Path) -> Iterator[str]:
    """Yield what a lock file holds that it must not, and which pins lack a hash."""
    text = lock.read_text()
    for number, line in enumerate(text.splitlines(), start=1):
        code = line.split("#")[0]
        if "://" in code or code.startswith("-"):
            yield f"{lock.name}:{number}: names a place or an option: {line.strip()}"
    for block in re.split(r"\n(?=\S)", text):
        if PIN.match(block) and "--hash=sha256:" not in block:
            yield f"{lock.name}: no hash for {block.split()[0]}"


def declared(project: Path, *, groups: tuple[str, ...] = (), extras: bool) -> list[str]:
    """Return the requirements of a pyproject.toml."""
    table = tomllib.loads(project.read_text())
    wanted: list[str] = list(table["project"]["dependencies"])
    if extras:
        for extra in table["project"].get("optional-dependencies", {}).values():
            wanted += extra
    for group in groups:
        wanted += table["dependency-groups"][group]
    return wanted


def written(source: Path) -> list[str]:
    """Return the requirements of a requirements/*.in file, including those it refers to."""
    wanted: list[str] = []
    for line in source.read_text().splitlines():
        text = line.split("#")[0].strip()
        if text.startswith("-r "):
            wanted += written(source.parent / text.removeprefix("-r "))
        elif text:
            wanted.append(text)
    return wanted


def faults_of_content(lock: Path, wanted: list[str]) -> Iterator[str]:
    """Yield the requirements that a lock file does not satisfy."""
    pinned = pins(lock)
    for text in wanted:
        requirement = Requirement(text)
        name = canonicalize_name(requirement.name)
        if name == "euchre-sdk":  # ours, installed from sdk/
            continue
        versions = pinned.get(name, [])
        if not versions:
            yield f"{lock.name}: {text} is not pinned"
        for version in versions:
            if not requirement.specifier.contains(version, prereleases=True):
                yield f"{lock.name}: {name}=={version} does not satisfy {text}"


def faults_of_difference(lock: Path, tested: Path) -> Iterator[str]:
    """Yield the pins of a lock file of the images that are not those the tests run with."""
    tested_pins = pins(tested)
    for name, versions in pins(lock).items():
        if not set(versions) <= set(tested_pins.get(name, [])):
            yield f"{lock.name}: {name}=={versions[0]} is not what {tested.name} pins"


def faults_of_npm(lock: Path) -> Iterator[str]:
    """Yield the packages of a package-lock.json that say where they come from or lack a hash."""
    for name, package in json.loads(lock.read_text())["packages"].items():
        if name and "resolved" in package:
            yield f"{lock.relative_to(ROOT)}: {name} names the place it comes from"
        if name and "integrity" not in package and not package.get("link"):
            yield f"{lock.relative_to(ROOT)}: no hash for {name}"


def main() -> int:
    """Print every fault; the exit code is 1 if there is one."""
    faults: list[str] = []
    for lock in sorted(LOCKS.glob("*.txt")):
        faults += faults_of_format(lock)
    arena = declared(ROOT / "pyproject.toml", groups=("dev",), extras=False)
    sdk = declared(ROOT / "sdk" / "pyproject.toml", extras=True)
    faults += faults_of_content(LOCKS / "dev.txt", arena + sdk)
    runtime = declared(ROOT / "pyproject.toml", extras=False)
    faults += faults_of_content(LOCKS / "arena.txt", runtime + sdk)
    faults += faults_of_content(LOCKS / "bot.txt", sdk)
    for name in ("arena.txt", "bot.txt", "wheels.txt"):
        faults += faults_of_difference(LOCKS / name, LOCKS / "dev.txt")
    for source in sorted(LOCKS.glob("*.in")):
        lock = source.with_suffix(".txt")
        if lock.exists():
            faults += faults_of_content(lock, written(source))
    library = declared(ROOT / "sdk" / "pyproject.toml", extras=False)
    for name in ("sdk-lowest.txt", "sdk-newest.txt"):
        faults += faults_of_content(LOCKS / name, library)
    for npm in sorted(ROOT.glob("example_bots/*/package-lock.json")):
        faults += faults_of_npm(npm)
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        print("run make lock", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
