"""What is typed for a tournament: rule sets, spans of time, clocks, limits."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import click

from arena.referee import Conduct, TimeControl
from euchre_sdk.errors import EuchreError
from euchre_sdk.game import RuleSet
from euchre_sdk.game.rules_file import find_rules


class Rules(click.ParamType[RuleSet]):
    """The name of a preset or a rule-set file."""

    name = "preset or file"

    def convert(self, value: Any, param: Any, ctx: Any) -> RuleSet:
        """Return the rule set, or say what is wrong with it."""
        if isinstance(value, RuleSet):
            return value
        try:
            return find_rules(str(value))
        except EuchreError as error:
            self.fail(str(error), param, ctx)


class Span(click.ParamType[timedelta]):
    """A time span such as 90s, 30m, 12h or 7d."""

    name = "span"
    _UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}  # noqa: RUF012 - a constant

    def convert(self, value: Any, param: Any, ctx: Any) -> timedelta:
        """Return the span, or say what is accepted."""
        if isinstance(value, timedelta):
            return value
        match = re.fullmatch(r"(\d{1,6})([smhd])", str(value))
        if match is None:
            self.fail(f"{value!r} is no span of time; accepted are 90s, 30m, 12h, 7d", param, ctx)
        return timedelta(seconds=int(match[1]) * self._UNITS[match[2]])


class Clocks(click.ParamType[TimeControl]):
    """Seconds of bank, increment and limit, as in 30+0.1/5."""

    name = "bank+increment/limit"

    def convert(self, value: Any, param: Any, ctx: Any) -> TimeControl:
        """Return the time control, or say what is accepted."""
        if isinstance(value, TimeControl):
            return value
        number = r"(\d{1,6}(?:\.\d{1,3})?)"
        match = re.fullmatch(rf"{number}\+{number}/{number}", str(value))
        if match is None:
            self.fail(
                f"{value!r} is no time control; accepted are seconds of bank, increment a decision "
                "and limit of a decision, as in 30+0.1/5",
                param,
                ctx,
            )
        bank, increment, limit = (timedelta(seconds=float(seconds)) for seconds in match.groups())
        try:
            return TimeControl(bank=bank, increment=increment, limit=limit)
        except ValueError as error:
            self.fail(f"{error}", param, ctx)


class Limits(click.ParamType[Conduct]):
    """Values of the conduct, as in faults=5,lost=30s."""

    name = "name=value,…"
    _COUNTS = ("faults", "fault_hands", "misses", "forfeits")
    _TIMES = ("lost", "house_limit")

    def convert(self, value: Any, param: Any, ctx: Any) -> Conduct:
        """Return the conduct, or say what is accepted."""
        if isinstance(value, Conduct):
            return value
        given: dict[str, Any] = {}
        for part in str(value).split(","):
            name, _, number = part.strip().partition("=")
            if name in given:
                self.fail(f"{name} is given twice", param, ctx)
            if name in self._COUNTS and re.fullmatch(r"[0-9]{1,6}", number):
                given[name] = int(number)
            elif name in self._TIMES:
                given[name] = Span().convert(number, param, ctx)
            else:
                self.fail(
                    f"{part!r} is no limit; accepted are {', '.join(self._COUNTS)} with a number, "
                    f"{' and '.join(self._TIMES)} with a span such as 30s",
                    param,
                    ctx,
                )
        try:
            return Conduct(**given)
        except ValueError as error:
            self.fail(f"{error}", param, ctx)
