"""Lines that say who decided what; they are only ever added."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import insert, select

from arena.store.tables import audit
from arena.store.times import from_stored, to_stored

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection


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


def lines(c: Connection, *, subject: str | None = None) -> tuple[AuditLine, ...]:
    """Return the lines about one subject, or all, oldest first."""
    query = select(audit).order_by(audit.c.id)
    if subject is not None:
        query = query.where(audit.c.subject == subject)
    return tuple(
        AuditLine(
            time=from_stored(row.time),
            actor=row.actor,
            action=row.action,
            subject=row.subject,
            reason=row.reason,
        )
        for row in c.execute(query)
    )
