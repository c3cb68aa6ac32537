"""Entries and progress of tournaments as messages."""

from __future__ import annotations

from arena.store.tournaments import StoredEntry
from arena.tournaments.standings import Progress
from euchre.v1 import tournaments_pb2 as pb
from euchre_sdk.wire import write_duration


def write_entry(entry: StoredEntry) -> pb.Entry:
    """Return the message of an entry."""
    message = pb.Entry(
        entry_id=entry.entry_id,
        name=entry.name,
        house=entry.house,
        withdrawn=entry.state.is_out,
    )
    if entry.version is not None:
        message.version_label = entry.version
    return message


def write_progress(progress: Progress) -> pb.Progress:
    """Return the message of how much is played; hands are told by the table."""
    message = pb.Progress(
        blocks_complete=progress.blocks_complete,
        blocks_total=progress.blocks_total,
        games_running=progress.games_running,
    )
    if progress.remaining is not None:
        message.remaining_duration.CopyFrom(write_duration(progress.remaining))
    return message
