"""Queries about tournaments and their entries."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, insert, select, update

from arena.store.bots import NameTakenError
from arena.store.likeness import taken_by
from arena.store.states import EntryState, TournamentState
from arena.store.tables import authors, bots, entries, tournaments
from arena.store.times import from_stored, from_stored_or_none, to_stored

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTournament:
    """A tournament as it is kept, without its entries."""

    tournament_id: str
    name: str
    state: TournamentState
    spec: str
    """JSON; `arena.tournaments.spec` reads and writes it."""
    public_seed: str
    """What the schedule is drawn from."""
    secret: bytes = field(repr=False)
    """32 bytes from which the seeds of its deals are derived. Never logged, never sent."""
    created: datetime
    started: datetime | None = None
    ended: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEntry:
    """One version of a bot in one tournament."""

    entry_id: str
    """Unique in its tournament, public."""
    bot_id: str
    bot_name: str
    owner: str | None
    """Id of the bot's author; None for a house bot."""
    version: str | None
    """None until it is fixed."""
    state: EntryState
    created: datetime
    """When it entered; after the start of the tournament if it came late."""

    @property
    def house(self) -> bool:
        """Whether the arena runs the bot itself."""
        return self.owner is None

    @property
    def name(self) -> str:
        """What people call the entry."""
        return self.bot_name


def add_tournament(c: Connection, tournament: StoredTournament) -> None:
    """Keep a new tournament.

    Raises `NameTakenError`.
    """
    if (taken := taken_by(c, tournaments.c.name, tournament.name)) is not None:
        raise NameTakenError("a tournament", tournament.name, taken=taken)
    c.execute(
        insert(tournaments).values(
            id=tournament.tournament_id,
            name=tournament.name,
            state=tournament.state.value,
            spec=tournament.spec,
            public_seed=tournament.public_seed,
            secret=tournament.secret,
            created=to_stored(tournament.created),
        )
    )


def set_tournament_state(
    c: Connection, tournament_id: str, state: TournamentState, *, now: datetime
) -> None:
    """Keep where a tournament stands, and when it was first started and when it was over."""
    values: dict[str, object] = {"state": state.value}
    if state is TournamentState.RUNNING:
        values["started"] = func.coalesce(tournaments.c.started, to_stored(now))
    if state.over:
        values["ended"] = to_stored(now)
    c.execute(update(tournaments).where(tournaments.c.id == tournament_id).values(values))


def tournament_state(c: Connection, tournament_id: str) -> TournamentState:
    """Return where a tournament stands."""
    query = select(tournaments.c.state).where(tournaments.c.id == tournament_id)
    return TournamentState(c.execute(query).scalar_one())


def tournament_named(c: Connection, name: str) -> StoredTournament | None:
    """Return the tournament of that name."""
    row = c.execute(select(tournaments).where(tournaments.c.name == name)).first()
    return None if row is None else _tournament(row)


def tournament_with_id(c: Connection, tournament_id: str) -> StoredTournament:
    """Return the tournament with that id, which must exist."""
    query = select(tournaments).where(tournaments.c.id == tournament_id)
    return _tournament(c.execute(query).one())


def all_tournaments(c: Connection) -> tuple[StoredTournament, ...]:
    """Return every tournament, newest first."""
    newest_first = (tournaments.c.created.desc(), tournaments.c.name)
    return tuple(_tournament(row) for row in c.execute(select(tournaments).order_by(*newest_first)))


def unfinished_tournaments(c: Connection) -> tuple[StoredTournament, ...]:
    """Return every tournament that is not over, in no order."""
    states = [state.value for state in TournamentState if not state.over]
    query = select(tournaments).where(tournaments.c.state.in_(states))
    return tuple(_tournament(row) for row in c.execute(query))


def page_of_tournaments(c: Connection, *, skip: int, limit: int) -> tuple[StoredTournament, ...]:
    """Return up to `limit` tournaments, newest first, after the first `skip` of them."""
    newest_first = (tournaments.c.created.desc(), tournaments.c.name)
    query = select(tournaments).order_by(*newest_first).offset(skip).limit(limit)
    return tuple(_tournament(row) for row in c.execute(query))


def add_entry(
    c: Connection, tournament_id: str, *, bot_id: str, version: str | None, now: datetime
) -> str:
    """Enter a bot and return the entry's id: `e1` for the first entry of a tournament."""
    mine = select(entries.c.id).where(entries.c.tournament_id == tournament_id)
    number = 1 + max((int(entry_id[1:]) for entry_id in c.scalars(mine)), default=0)
    c.execute(
        insert(entries).values(
            tournament_id=tournament_id,
            id=f"e{number}",
            bot_id=bot_id,
            version=version,
            state=EntryState.PLAYING.value,
            created=to_stored(now),
        )
    )
    return f"e{number}"


def remove_entry(c: Connection, tournament_id: str, entry_id: str) -> None:
    """Forget an entry of a tournament that has not started."""
    this = (entries.c.tournament_id == tournament_id) & (entries.c.id == entry_id)
    c.execute(delete(entries).where(this))


def fix_version(c: Connection, tournament_id: str, entry_id: str, version: str) -> None:
    """Keep which version an entry is, if that is not kept yet."""
    this = (entries.c.tournament_id == tournament_id) & (entries.c.id == entry_id)
    unfixed = this & entries.c.version.is_(None)
    c.execute(update(entries).where(unfixed).values(version=version))


def set_entry_state(c: Connection, tournament_id: str, entry_id: str, state: EntryState) -> None:
    """Keep whether an entry takes part."""
    this = (entries.c.tournament_id == tournament_id) & (entries.c.id == entry_id)
    c.execute(update(entries).where(this).values(state=state.value))


def entries_of(c: Connection, tournament_id: str) -> tuple[StoredEntry, ...]:
    """Return the entries of a tournament in the order in which they entered."""
    query = (
        select(entries, bots.c.name.label("bot_name"), authors.c.id.label("owner"))
        .select_from(entries.join(bots).outerjoin(authors))
        .where(entries.c.tournament_id == tournament_id)
        .order_by(entries.c.created, func.length(entries.c.id), entries.c.id)
    )
    return tuple(
        StoredEntry(
            entry_id=row.id,
            bot_id=row.bot_id,
            bot_name=row.bot_name,
            owner=row.owner,
            version=row.version,
            state=EntryState(row.state),
            created=from_stored(row.created),
        )
        for row in c.execute(query)
    )


def _tournament(row: Row[tuple[object, ...]]) -> StoredTournament:
    return StoredTournament(
        tournament_id=row.id,
        name=row.name,
        state=TournamentState(row.state),
        spec=row.spec,
        public_seed=row.public_seed,
        secret=row.secret,
        created=from_stored(row.created),
        started=from_stored_or_none(row.started),
        ended=from_stored_or_none(row.ended),
    )
