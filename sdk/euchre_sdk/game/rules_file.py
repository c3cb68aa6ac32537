"""Rule sets as small TOML or JSON files, and by name.

A file holds the fields of rules §3 that differ from the defaults, or from those of the preset it
names:

    preset = "pub"
    target = 7
    points_alone_march = 5
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from enum import Enum
from pathlib import Path
from typing import Any

from euchre_sdk.game.rules import OPTIONS, PRESETS, RuleSet, RuleSetError
from euchre_sdk.text import LONGEST_SHOWN, cut, one_line, shown

PRESET = "preset"
"""The field of a file that names the preset it starts from."""
MAX_BYTES = 100_000
"""A rule set file is far smaller; anything larger is some other file."""


def find_rules(text: str) -> RuleSet:
    """Return the rule set of a preset's name or of a file's path. Raises `RuleSetError`."""
    preset = PRESETS.get(text)
    if preset is not None:
        return preset
    path = Path(text)
    if path.suffix.lower() in (".toml", ".json") or (text and _exists(path)):
        return load_rules(path)
    said = one_line(cut(text, LONGEST_SHOWN))
    raise RuleSetError(
        [f'no rule set "{said}": expected {_one_of(text, PRESETS)}, or a TOML or JSON file']
    )


def load_rules(path: Path) -> RuleSet:
    """Return the rule set of a file. Raises `RuleSetError` with all its faults in one sentence."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # the latter: no file can have such a name
        said = one_line(cut(str(path), LONGEST_SHOWN))
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise RuleSetError([f"rule set {said}: {why}"]) from None
    if len(content) > MAX_BYTES:
        raise RuleSetError([f"rule set {path}: no rule set is larger than {MAX_BYTES:,} bytes"])
    return read_rules(content, name=path.name)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def save_rules(rules: RuleSet, path: Path) -> None:
    """Write a rule set to a file: JSON if its name ends in `.json`, else TOML."""
    text = to_json(rules) if path.suffix.lower() == ".json" else to_toml(rules)
    path.write_text(text, encoding="utf-8")


def read_rules(content: bytes, *, name: str) -> RuleSet:
    """Return the rule set that a file holds; `name` stands in messages and tells JSON from TOML.

    Raises `RuleSetError`.
    """
    try:
        text = content.decode("utf-8")
        parsed: object = json.loads(text) if name.lower().endswith(".json") else tomllib.loads(text)
    except UnicodeDecodeError:
        raise RuleSetError([f"rule set {name}: it is no text in UTF-8"]) from None
    except RecursionError:
        raise RuleSetError([f"rule set {name}: it is nested too deeply"]) from None
    except ValueError as error:
        kind = "JSON" if name.lower().endswith(".json") else "TOML"
        is_syntax = isinstance(error, json.JSONDecodeError | tomllib.TOMLDecodeError)
        why = error if is_syntax else "a number has too many digits"
        raise RuleSetError([f"rule set {name}: it is no {kind}: {why}"]) from None
    if not isinstance(parsed, dict):
        raise RuleSetError([f"rule set {name}: expected fields and their values, as in {{}}"])
    try:
        return rules_from_fields(parsed)
    except RuleSetError as error:
        first, *others = error.faults
        raise RuleSetError([f"rule set {name}: {first}", *others]) from None


def rules_from_fields(fields: Mapping[str, object]) -> RuleSet:
    """Return the rule set of plain values by field name. Raises `RuleSetError`.

    Fields that are absent have the value of the preset named, else the default.
    """
    faults = []
    base: dict[str, Any] = {}
    preset = fields.get(PRESET)
    if isinstance(preset, str) and preset in PRESETS:
        base = {option.name: getattr(PRESETS[preset], option.name) for option in OPTIONS}
    elif PRESET in fields:
        text = preset if isinstance(preset, str) else shown(preset)
        said = f'"{one_line(cut(text, LONGEST_SHOWN))}"' if text is preset else text
        faults.append(f"preset must be {_one_of(text, PRESETS)}, not {said}")
    kinds = {option.name: type(option.default) for option in OPTIONS}
    unknown = []
    for name, value in fields.items():
        if name in kinds:
            base[name] = _member(kinds[name], value)
        elif name != PRESET:
            said = one_line(cut(name, LONGEST_SHOWN))
            unknown.append(f'unknown field "{said}"{_did_you_mean(name, (*kinds, PRESET))}')
    try:
        rules = RuleSet(**base)
    except RuleSetError as error:
        raise RuleSetError([*faults, *error.faults, *unknown]) from None
    if faults or unknown:
        raise RuleSetError([*faults, *unknown])
    return rules


def rules_to_fields(rules: RuleSet) -> dict[str, bool | int | str]:
    """Return every field of a rule set as a plain value, in the order of rules §3."""
    plain: dict[str, bool | int | str] = {}
    for option in OPTIONS:
        value = getattr(rules, option.name)
        plain[option.name] = str(value.value) if isinstance(value, Enum) else value
    return plain


def to_toml(rules: RuleSet) -> str:
    """Return a rule set as TOML with every field."""
    # A JSON scalar of these kinds is a TOML scalar.
    return "".join(f"{name} = {json.dumps(v)}\n" for name, v in rules_to_fields(rules).items())


def to_json(rules: RuleSet) -> str:
    """Return a rule set as JSON with every field."""
    return json.dumps(rules_to_fields(rules), indent=2) + "\n"


def _member(kind: type[Any], value: object) -> object:
    """Return the option that a value writes, or the value itself for `RuleSet` to refuse."""
    if issubclass(kind, Enum) and isinstance(value, str):
        return next((member for member in kind if member.value == value), value)
    return value


def _one_of(text: str, names: Mapping[str, object]) -> str:
    return f"one of {', '.join(names)}{_did_you_mean(text, tuple(names))}"


def _did_you_mean(text: str, names: tuple[str, ...]) -> str:
    close = get_close_matches(text, names, n=1)
    return f' (did you mean "{close[0]}"?)' if close else ""
