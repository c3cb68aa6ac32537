"""How a tournament is to be played: the values, and their JSON in the database."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from typing import Any, assert_never

from arena.referee import Conduct, TimeControl
from arena.scheduling import POLICIES, SESSION_HANDS, Entry, EntryId, OwnerId, Schedule
from arena.store.tournaments import StoredEntry
from euchre_sdk.game import STANDARD, Format, RuleSet, Session, ToTarget
from euchre_sdk.game.rules_file import rules_from_fields, rules_to_fields


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSpec:
    """Everything an organiser chooses, except names and entries."""

    policy: str = "round-robin"
    """Which trios meet: a key of `arena.scheduling.POLICIES`."""
    cycles: int = 1
    rules: RuleSet = STANDARD
    format: Format = Session(SESSION_HANDS)
    time_control: TimeControl = field(default_factory=TimeControl)
    conduct: Conduct = field(default_factory=Conduct)
    owners_apart: bool = True
    blind: bool = False
    """Whether nobody is told who plays before the end."""
    deadline: datetime | None = None
    """Until when absent bots are waited for; None for as long as it takes."""

    def seconds_left(self, now: datetime) -> float:
        """Return the time until the deadline: 0 once it has come, without end if there is none."""
        return math.inf if self.deadline is None else max((self.deadline - now).total_seconds(), 0)

    def schedule(self, entries: tuple[StoredEntry, ...], *, seed: str) -> Schedule:
        """Return who meets whom. Withdrawn entries are still part of it: ids must not move.

        Raises `ScheduleError` with everything that is wrong.
        """
        return Schedule(
            entries=tuple(
                Entry(EntryId(each.entry_id), None if each.owner is None else OwnerId(each.owner))
                for each in entries
            ),
            format=self.format,
            seed=seed,
            cycles=self.cycles,
            policy=POLICIES[self.policy],
            owners_apart=self.owners_apart,
        )


def encode_spec(spec: TournamentSpec) -> str:
    """Return a spec as JSON; `decode_spec` gives it back."""
    return json.dumps(
        {
            "policy": spec.policy,
            "cycles": spec.cycles,
            "rules": rules_to_fields(spec.rules),
            "hands": _hands(spec.format),
            "time_control": _values(spec.time_control),
            "conduct": _values(spec.conduct),
            "owners_apart": spec.owners_apart,
            "blind": spec.blind,
            "deadline": None if spec.deadline is None else spec.deadline.isoformat(),
        }
    )


def decode_spec(text: str) -> TournamentSpec:
    """Return the spec that `encode_spec` wrote."""
    data = json.loads(text)
    return TournamentSpec(
        policy=data["policy"],
        cycles=data["cycles"],
        rules=rules_from_fields(data["rules"]),
        format=ToTarget() if data["hands"] is None else Session(data["hands"]),
        time_control=TimeControl(**_read(TimeControl, data["time_control"])),
        conduct=Conduct(**_read(Conduct, data["conduct"])),
        owners_apart=data["owners_apart"],
        blind=data.get("blind", False),
        deadline=None if data["deadline"] is None else datetime.fromisoformat(data["deadline"]),
    )


def _hands(format: Format) -> int | None:
    match format:
        case Session(hands=hands):
            return hands
        case ToTarget():
            return None
        case _:
            assert_never(format)


def _values(settings: TimeControl | Conduct) -> dict[str, object]:
    """Return the fields of a settings class; durations in microseconds."""
    values = {each.name: getattr(settings, each.name) for each in fields(settings)}
    return {
        name: value // timedelta(microseconds=1) if isinstance(value, timedelta) else value
        for name, value in values.items()
    }


def _read(kind: type[TimeControl | Conduct], values: dict[str, Any]) -> dict[str, Any]:
    """Return what `_values` gave, for the constructor. Fields that came later have defaults."""
    defaults = kind()
    return {
        each.name: timedelta(microseconds=values[each.name])
        if isinstance(getattr(defaults, each.name), timedelta)
        else values[each.name]
        for each in fields(kind)
        if each.name in values
    }
