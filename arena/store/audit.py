"""Lines that say who decided what; they are only ever added."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from sqlalchemy import insert, select

from arena.store.tables import audit
from arena.store.times import from_stored, to_stored

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy import Connection, Row

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditLine:
    """One decision of a person."""

    time: datetime
    actor: str
    action: str
    subject: str
    reason: str = ""


def add_line(c: Connection, line: AuditLine) -> None:
    """Keep one line."""
    c.execute(
        insert(audit).values(
            time=to_stored(line.time),
            actor=line.actor,
            action=line.action,
            subject=line.subject,
            reason=line.reason,
        )
    )


def noted(
    c: Connection,
    line: AuditLine,
    change: Callable[Concatenate[Connection, P], T],
    /,
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Make a change and keep the line about it, both or neither; return what the change gives."""
    value = change(c, *args, **kwargs)
    add_line(c, line)
    return value


def page_of_lines(
    c: Connection, *, subject: str | None, skip: int, limit: int
) -> tuple[AuditLine, ...]:
    """Return lines, newest first: of a subject and what is in it, such as a tournament, or all."""
    query = select(audit).order_by(audit.c.id.desc()).offset(skip).limit(limit)
    if subject is not None:
        within = audit.c.subject.startswith(f"{subject}/", autoescape=True)
        query = query.where((audit.c.subject == subject) | within)
    return tuple(map(_line, c.execute(query)))


def lines(c: Connection, *, subject: str | None = None) -> tuple[AuditLine, ...]:
    """Return the lines about one subject, or all, oldest first."""
    query = select(audit).order_by(audit.c.id)
    if subject is not None:
        query = query.where(audit.c.subject == subject)
    return tuple(map(_line, c.execute(query)))


def _line(row: Row[tuple[object, ...]]) -> AuditLine:
    return AuditLine(
        time=from_stored(row.time),
        actor=row.actor,
        action=row.action,
        subject=row.subject,
        reason=row.reason,
    )
