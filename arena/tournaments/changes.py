"""What organisers change, in one transaction each: refused if it is no longer as it was seen.

An organiser looks first and asks then; in between somebody else may have changed what he saw.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from arena.store import audit, bots, tournaments
from arena.store.bots import RegisteredBot
from arena.store.states import BotState, EntryState, TournamentState
from arena.store.tournaments import StoredTournament
from arena.tournaments.errors import Refusal, RefusedRequestError


def unfit(bot: RegisteredBot) -> list[str]:
    """List why a bot may not enter."""
    if bot.state is BotState.ACTIVE:
        return []
    return [f"{bot.name} is {bot.state.value}; accepted are active bots"]


def create_tournament(
    c: Connection,
    tournament: StoredTournament,
    field: tuple[RegisteredBot, ...],
    *,
    now: datetime,
) -> None:
    """Keep a new tournament with its first entries.

    Raises `NameTakenError`, `RefusedRequestError`.
    """
    tournaments.add_tournament(c, tournament)
    for bot in field:
        enter_bot(c, tournament.tournament_id, bot, None, now=now)
    line = audit.AuditLine(time=now, actor="organiser", action="created", subject=tournament.name)
    audit.add_line(c, line)


def enter_bot(
    c: Connection,
    tournament_id: str,
    bot: RegisteredBot,
    version: str | None,
    *,
    line: audit.AuditLine | None = None,
    now: datetime,
) -> str:
    """Keep an entry, unless its bot has been taken out of everything since it was looked at."""
    stands = bots.bot_named(c, bot.name)
    if stands is not None and (faults := unfit(stands)):
        raise RefusedRequestError(Refusal.INVALID, faults)
    if line is not None:
        audit.add_line(c, line)
    return tournaments.add_entry(c, tournament_id, bot_id=bot.bot_id, version=version, now=now)


def take_out(
    c: Connection,
    tournament_id: str,
    entry_id: str,
    gone: EntryState,
    *,
    line: audit.AuditLine | None,
) -> None:
    """Keep that an entry plays no more, and who decided it."""
    tournaments.set_entry_state(c, tournament_id, entry_id, gone)
    if line is not None:
        audit.add_line(c, line)


def drop_entry(c: Connection, tournament_id: str, entry_id: str, *, line: audit.AuditLine) -> None:
    """Forget an entry of a tournament that has not started, and keep who decided it."""
    tournaments.remove_entry(c, tournament_id, entry_id)
    audit.add_line(c, line)


def change_state(
    c: Connection,
    tournament: StoredTournament,
    state: TournamentState,
    *,
    line: audit.AuditLine,
    now: datetime,
) -> None:
    """Keep a new state, unless the tournament has left the one it was seen in."""
    stands = tournaments.tournament_state(c, tournament.tournament_id)
    if stands is not tournament.state:
        fault = f"{tournament.name} has become {stands.value} meanwhile; look again"
        raise RefusedRequestError(Refusal.NOT_NOW, [fault])
    tournaments.set_tournament_state(c, tournament.tournament_id, state, now=now)
    audit.add_line(c, line)
