"""What organisers decided, as messages of `euchre.v1`."""

from __future__ import annotations

from arena.rpc.values import write_time
from arena.store.annulments import Annulment
from arena.store.audit import AuditLine
from euchre.v1 import tournaments_pb2 as pb


def write_annulment(annulment: Annulment) -> pb.Annulment:
    """Return an annulment as a message."""
    return pb.Annulment(
        block_id=annulment.block_id,
        attempt=annulment.attempt,
        game_id=annulment.game_id,
        games=annulment.games,
        reason=annulment.reason,
        annul_time=write_time(annulment.time),
        replayed=annulment.replayed,
    )


def write_line(line: AuditLine) -> pb.AuditLine:
    """Return a line of the audit log as a message."""
    return pb.AuditLine(
        decide_time=write_time(line.time),
        actor=line.actor,
        action=line.action,
        subject=line.subject,
        reason=line.reason,
    )
