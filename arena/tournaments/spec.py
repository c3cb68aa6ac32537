"""How a tournament is to be played: the values, and their JSON in the database."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from typing import Any, assert_never

from arena.referee import Conduct, TimeControl
from arena.scheduling import (
    POLICIES,
    SESSION_HANDS,
    Chooser,
    Course,
    Entry,
    EntryId,
    FixedCourse,
    Gauntlet,
    Ladder,
    LiveCourse,
    OwnerId,
    Policy,
    Schedule,
    ScheduleError,
    Swiss,
)
from arena.scheduling.duel_course import DuelCourse
from arena.store.tournaments import StoredEntry, StoredTournament
from arena.tournaments.duel_terms import DuelTerms, terms_from_fields
from euchre_sdk.game import STANDARD, Format, RuleSet, Session, ToTarget
from euchre_sdk.game.rules_file import rules_from_fields, rules_to_fields


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSpec:
    """Everything an organiser chooses, except names and entries."""

    policy: str = "round-robin"
    """Which trios meet: one of `arena.scheduling.SCHEDULES`."""
    cycles: int = 1
    """Passes of the schedule; the rounds of a Swiss system. Of no meaning to a ladder."""
    newcomer: str | None = None
    """Name of the bot that runs a gauntlet."""
    blocks: int | None = None
    """After so many blocks a ladder ends; None for never."""
    rules: RuleSet = STANDARD
    format: Format = Session(SESSION_HANDS)
    time_control: TimeControl = field(default_factory=TimeControl)
    conduct: Conduct = field(default_factory=Conduct)
    owners_apart: bool = True
    blind: bool = False
    """Whether nobody is told who plays before the end."""
    deadline: datetime | None = None
    """Until when absent bots are waited for; None for as long as it takes."""
    duel: DuelTerms | None = None
    """What a duel asks; None for all other policies."""

    def seconds_left(self, now: datetime) -> float:
        """Return the time until the deadline: 0 once it has come, without end if there is none."""
        return math.inf if self.deadline is None else max((self.deadline - now).total_seconds(), 0)

    def course(self, tournament: StoredTournament, entries: tuple[StoredEntry, ...]) -> Course:
        """Return who meets whom. Withdrawn entries are still part of it: ids must not move.

        Raises `ScheduleError` with everything that is wrong.
        """
        match self.policy:
            case "swiss":
                return self._live(Swiss(self.cycles), tournament, entries)
            case "ladder":
                return self._live(Ladder.of(self.format, self.blocks), tournament, entries)
            case "gauntlet":
                return self._fixed(Gauntlet(self._newcomer(entries)), tournament, entries)
            case "duel":
                if self.duel is None:
                    raise ScheduleError(["a duel needs its terms: which two bots, at least"])
                duel = self.duel.duel(entries, self.format)
                return DuelCourse(duel, entries=map(entry_of, entries), format=self.format)
            case _:
                return self._fixed(POLICIES[self.policy], tournament, entries)

    def _fixed(
        self, policy: Policy, tournament: StoredTournament, entries: tuple[StoredEntry, ...]
    ) -> FixedCourse:
        began = tournament.started
        late = [each for each in entries if began is not None and each.created > began]
        schedule = Schedule(
            entries=tuple(entry_of(each) for each in entries if each not in late),
            format=self.format,
            seed=tournament.public_seed,
            cycles=self.cycles,
            policy=policy,
            owners_apart=self.owners_apart,
        )
        late.sort(key=lambda each: (each.created, each.entry_id))
        return FixedCourse(schedule, late=map(entry_of, late))

    def _live(
        self, chooser: Chooser, tournament: StoredTournament, entries: tuple[StoredEntry, ...]
    ) -> LiveCourse:
        return LiveCourse(
            chooser,
            entries=map(entry_of, entries),
            format=self.format,
            seed=tournament.public_seed,
            owners_apart=self.owners_apart,
        )

    def _newcomer(self, entries: tuple[StoredEntry, ...]) -> EntryId:
        for each in entries:
            if each.bot_name == self.newcomer:
                return EntryId(each.entry_id)
        raise ScheduleError([f"{self.newcomer}, who runs the gauntlet, is not entered"])


def entry_of(entry: StoredEntry) -> Entry:
    """Return an entry as schedules see it."""
    owner = None if entry.owner is None else OwnerId(entry.owner)
    return Entry(EntryId(entry.entry_id), owner)


def encode_spec(spec: TournamentSpec) -> str:
    """Return a spec as JSON; `decode_spec` gives it back."""
    return json.dumps(
        {
            "policy": spec.policy,
            "cycles": spec.cycles,
            "newcomer": spec.newcomer,
            "blocks": spec.blocks,
            "rules": rules_to_fields(spec.rules),
            "hands": _hands(spec.format),
            "time_control": _values(spec.time_control),
            "conduct": _values(spec.conduct),
            "owners_apart": spec.owners_apart,
            "blind": spec.blind,
            "deadline": None if spec.deadline is None else spec.deadline.isoformat(),
            "duel": None if spec.duel is None else spec.duel.to_fields(),
        }
    )


def decode_spec(text: str) -> TournamentSpec:
    """Return the spec that `encode_spec` wrote."""
    data = json.loads(text)
    return TournamentSpec(
        policy=data["policy"],
        cycles=data["cycles"],
        newcomer=data.get("newcomer"),
        blocks=data.get("blocks"),
        rules=rules_from_fields(data["rules"]),
        format=ToTarget() if data["hands"] is None else Session(data["hands"]),
        time_control=TimeControl(**_read(TimeControl, data["time_control"])),
        conduct=Conduct(**_read(Conduct, data["conduct"])),
        owners_apart=data["owners_apart"],
        blind=data.get("blind", False),
        deadline=None if data["deadline"] is None else datetime.fromisoformat(data["deadline"]),
        duel=None if data.get("duel") is None else terms_from_fields(data["duel"]),
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
