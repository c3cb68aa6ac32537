"""Example bots use nothing of the SDK but its public names: what they show must stay possible."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import euchre_sdk

ROOT = Path(__file__).resolve().parents[2]
BOTS = sorted((ROOT / "example_bots").rglob("*.py"))


def foreign_names(source: str) -> list[str]:
    """Return the imports of our packages that are not public names of `euchre_sdk`."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [
                alias.name
                for alias in node.names
                if alias.name.split(".")[0] in {"arena", "euchre"} or "euchre_sdk." in alias.name
            ]
        elif isinstance(node, ast.ImportFrom) and node.module == "euchre_sdk":
            found += [alias.name for alias in node.names if alias.name not in euchre_sdk.__all__]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            top = node.module.split(".")[0]
            found += [node.module] if top in {"arena", "euchre", "euchre_sdk"} else []
    return found


@pytest.mark.parametrize("bot", [pytest.param(b, id=str(b.relative_to(ROOT))) for b in BOTS])
def test_an_example_bot_uses_public_names_only(bot: Path) -> None:
    assert foreign_names(bot.read_text()) == []


@pytest.mark.parametrize(
    ("source", "names"),
    [
        pytest.param("from euchre_sdk import View", [], id="a public name may be used"),
        pytest.param("import euchre_sdk", [], id="so may the package"),
        pytest.param("from euchre_sdk import HOOKS", ["HOOKS"], id="another name may not"),
        pytest.param("from euchre_sdk.game import Hand", ["euchre_sdk.game"], id="nor a module"),
        pytest.param("import arena.store", ["arena.store"], id="nor the arena"),
    ],
)
def test_what_is_public_is_known(source: str, names: list[str]) -> None:
    assert foreign_names(source) == names
