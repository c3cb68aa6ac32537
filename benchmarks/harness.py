"""What every benchmark prints: ratios with their aims, figures, and what it was measured on."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One benchmark's outcome."""

    name: str
    compared_with: str
    """What the ratios are against, versions included."""
    ratios: dict[str, tuple[float, str]]
    """Ratio and aim (`>= 1.5`, `<= 5`, or nothing) by name."""
    figures: dict[str, float] = field(default_factory=dict)
    """Absolute figures, true for this machine only, with the unit in the name."""
    machine: dict[str, str | int] = field(default_factory=dict)


def machine(*packages: str) -> dict[str, str | int]:
    """Return cores, interpreter and the versions of packages that matter."""
    facts: dict[str, str | int] = {
        "cores": len(os.sched_getaffinity(0)),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }
    for package in packages:
        try:
            facts[package] = version(package)
        except PackageNotFoundError:
            facts[package] = "not installed"
    return facts


def meets(value: float, aim: str) -> bool:
    """Return whether a ratio meets its aim; one without an aim always does."""
    if not aim:
        return True
    relation, bound = aim.split()
    return value >= float(bound) if relation == ">=" else value <= float(bound)


def as_report(report: Report, *, as_json: bool) -> str:
    """Return the report as one JSON object or as text for people."""
    if as_json:
        return json.dumps(
            {
                "benchmark": report.name,
                "compared_with": report.compared_with,
                "ratios": {name: value for name, (value, _) in report.ratios.items()},
                "aims": {name: aim for name, (_, aim) in report.ratios.items() if aim},
                "figures": report.figures,
                "machine": report.machine,
            }
        )
    lines = [f"{report.name}: against {report.compared_with}"]
    width = max(map(len, (*report.ratios, *report.figures)))
    for name, (value, aim) in report.ratios.items():
        mark = "" if meets(value, aim) else "   MISSED"
        lines.append(f"  {name:{width}}  {value:10.3f}   {f'aim {aim}' if aim else ''}{mark}")
    lines += [f"  {name:{width}}  {value:10.3f}" for name, value in report.figures.items()]
    facts = ", ".join(f"{name} {value}" for name, value in report.machine.items())
    return "\n".join([*lines, f"  on {facts}"])
