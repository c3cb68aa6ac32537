"""A duel kept in a file, so that it can be ended at any time and gone on with.

The first line says which duel it is, each further line holds one block. A line that was cut short,
as by a power cut, is played again. Where the test stands follows from the blocks.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from euchre_sdk.duel.local import BlockResult, LocalDuel
from euchre_sdk.errors import EuchreError
from euchre_sdk.game.rules_file import rules_to_fields

SCHEMA = "euchre-duel-state/1"


class KeptDuelError(EuchreError):
    """A file that holds no duel, another one, or cannot be written; the text says which."""


class KeptDuel:
    """The file of one duel."""

    def __init__(self, file: Path, duel: LocalDuel) -> None:
        """Begin it, or take up the one that is there. Raises `KeptDuelError`."""
        self.file = file
        self.blocks: tuple[BlockResult, ...] = ()
        """What the file held when it was opened, in order."""
        header = {"schema": SCHEMA, **_identity(duel)}
        try:
            if file.exists() and file.stat().st_size:
                self.blocks = _read(file, header)
                text = "".join(f"{_line(block)}\n" for block in self.blocks)
            else:
                text = ""
            # written anew: whatever was cut short is gone, and the file is known to be writable
            file.write_text(f"{json.dumps(header)}\n{text}", encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise _unusable(file, error) from error

    def add(self, block: BlockResult) -> None:
        """Keep one block more."""
        try:
            with self.file.open("a", encoding="utf-8") as out:
                out.write(f"{_line(block)}\n")
        except OSError as error:
            raise _unusable(self.file, error) from error


def _unusable(file: Path, error: OSError | UnicodeDecodeError) -> KeptDuelError:
    reason = error.strerror if isinstance(error, OSError) else "it is no text"
    return KeptDuelError(f"the duel cannot be kept in {file}: {reason}.")


def _line(block: BlockResult) -> str:
    return json.dumps([*block.points, block.hands, *block.faults])


def _identity(duel: LocalDuel) -> dict[str, Any]:
    """Return all that decides how blocks go and what is asked of them."""
    specs = (duel.first, duel.second, *duel.thirds)
    return {
        "first": duel.first,
        "second": duel.second,
        "thirds": list(duel.thirds),
        "rules": rules_to_fields(duel.rules),
        "hands": duel.hands,
        "deals": duel.deals.value,
        "seed": duel.seed,
        **asdict(duel.test),
        "files": {spec: digest for spec in specs if (digest := _digest(spec))},
    }


def _digest(spec: str) -> str:
    """Return what tells one content of a bot's file from another; nothing for other bots."""
    path, _, name = spec.partition(".py:")
    file = Path(f"{path}.py" if name else path)
    return sha256(file.read_bytes()).hexdigest() if file.is_file() else ""


def _read(file: Path, header: dict[str, Any]) -> tuple[BlockResult, ...]:
    text = file.read_text(encoding="utf-8")
    first, *lines = text[: text.rfind("\n") + 1].splitlines() or [""]
    try:
        kept = json.loads(first)
    except ValueError:
        kept = None
    if not isinstance(kept, dict) or kept.get("schema") != SCHEMA:
        raise KeptDuelError(f"{file} holds no duel: name another file to keep this one in.")
    if differing := sorted(name for name in header if kept.get(name) != header[name]):
        raise KeptDuelError(
            f"{file} holds another duel ({_differences(differing, kept, header)}): "
            "name another file to keep this one in."
        )
    try:
        return tuple(_blocks(json.loads(line) for line in lines))
    except (ValueError, TypeError) as error:
        raise KeptDuelError(f"{file} is damaged: {error}.") from error


def _blocks(rows: Iterable[list[int]]) -> Iterable[BlockResult]:
    for row in rows:
        a, b, c, hands, x, y, z = row
        if not all(type(number) is int for number in row) or hands < 1:
            raise ValueError(f"{row} is no block")
        yield BlockResult(points=(a, b, c), hands=hands, faults=(x, y, z))


def _differences(names: list[str], kept: dict[str, Any], header: dict[str, Any]) -> str:
    """Return what differs, in words."""
    if names == ["files"]:
        changed = [spec for spec, it in header["files"].items() if kept["files"].get(spec) != it]
        return f"{', '.join(changed)} has changed since"
    plain = [name for name in names if isinstance(header[name], str | int | float)]
    told = [f"{name} {kept.get(name)!r}, now {header[name]!r}" for name in plain]
    return "; ".join(told) or f"other {', '.join(names)}"
