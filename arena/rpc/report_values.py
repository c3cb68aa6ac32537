"""The report of a tournament as a message."""

from __future__ import annotations

from arena.tournaments.reporting import Report
from euchre.v1 import tournaments_pb2 as pb


def write_report(report: Report) -> pb.GetReportResponse:
    """Return a report as a message."""
    message = pb.GetReportResponse(
        partner_effects=(
            pb.PartnerEffect(
                bot=report.entries[effect.entry].name,
                partner=report.entries[effect.partner].name,
                points=effect.points,
                points_error=effect.error,
                blocks=effect.blocks,
                notable=effect.notable,
            )
            for effect in report.effects
        )
    )
    for times in report.times:
        line = message.response_times.add(bot=times.entry.name, answers=times.answers)
        line.median_duration.FromTimedelta(times.median)
        line.p95_duration.FromTimedelta(times.p95)
        line.longest_duration.FromTimedelta(times.longest)
    return message
