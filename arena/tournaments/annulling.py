"""Striking a game or a block from the results: who may be struck, and what is kept of it.

Nothing that was played is changed. Everything that is computed from the results leaves out what an
annulment names, and the audit log says who struck it and why.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias, assert_never

from sqlalchemy import Connection

from arena.store import annulments, audit, block_attempts, games, tournaments
from arena.store.annulments import Annulment
from arena.store.block_attempts import StoredBlock
from arena.store.games import StoredGame
from arena.store.states import BlockState, GameState
from arena.store.tournaments import StoredTournament
from arena.tournaments.errors import Refusal, RefusedRequestError
from arena.tournaments.names import shown

LONGEST_REASON = 200


@dataclass(frozen=True, slots=True)
class OneGame:
    """A game that is over."""

    game_id: str


@dataclass(frozen=True, slots=True)
class OneBlock:
    """The last attempt of a block."""

    block_id: str


Target: TypeAlias = OneGame | OneBlock


def reason_faults(reason: str) -> list[str]:
    """List what is wrong with why something is annulled: everybody reads it, in any terminal.

    >>> reason_faults("power cut at table 3")
    []
    """
    accepted = f"one line of 1 to {LONGEST_REASON} visible characters"
    if not reason.strip():
        return [f"reason must be {accepted}, but is empty"]
    if len(reason) > LONGEST_REASON:
        return [f"reason must be {accepted}, but has {len(reason):,}"]
    if not reason.isprintable():
        return [f"reason must be {accepted}, but {shown(reason)} holds others"]
    return []


def annul(
    c: Connection,
    tournament: StoredTournament,
    target: Target,
    *,
    reason: str,
    replay: bool,
    actor: str,
    now: datetime,
) -> Annulment:
    """Keep that a game or a block does not count, and who said so; return that.

    Raises `RefusedRequestError`.
    """
    before = annulments.annulments_of(c, tournament.tournament_id)
    match target:
        case OneGame(subject):
            game = _game(c, tournament, subject, before)
            if replay:
                raise _invalid(f"a game is not played again by itself: annul {game.block_id}")
            block_id, attempt = game.block_id, game.attempt
        case OneBlock(subject):
            block = _block(c, tournament, subject, before)
            if replay:
                _check_replay(c, tournament, block)
            block_id, attempt = subject, block.attempt
        case _:
            assert_never(target)
    annulment = Annulment(
        block_id=block_id,
        attempt=attempt,
        game_id=subject if isinstance(target, OneGame) else None,
        reason=reason,
        actor=actor,
        time=now,
        replayed=replay,
    )
    annulments.add_annulment(c, tournament.tournament_id, annulment)
    line = audit.AuditLine(
        time=now,
        actor=actor,
        action="annulled_to_replay" if replay else "annulled",
        subject=f"{tournament.name}/{subject}",
        reason=reason,
    )
    audit.add_line(c, line)
    counted = annulments.annulments_of(c, tournament.tournament_id)[-1].games
    return replace(annulment, games=counted)


def _game(
    c: Connection, tournament: StoredTournament, game_id: str, before: tuple[Annulment, ...]
) -> StoredGame:
    """Return a game that can be struck."""
    game = games.game_with_id(c, game_id)
    if game is None:
        raise _not_found(f"there is no game {shown(game_id)}")
    if game.tournament_id != tournament.tournament_id:
        other = tournaments.tournament_with_id(c, game.tournament_id).name
        raise _not_found(f"{game_id} is a game of {other}, not of {tournament.name}")
    if not game.state.over:
        raise _not_now(f"{game_id} is being played; it can be annulled when it is over")
    if game.state is not GameState.FINISHED:
        raise _not_now(f"{game_id} has no result, so there is nothing to annul")
    for each in before:
        whole = each.game_id is None and (each.block_id, each.attempt) == (
            game.block_id,
            game.attempt,
        )
        if whole or each.game_id == game_id:
            what = f"{game_id}, with all of {each.block_id}," if whole else game_id
            raise _not_now(_already(what, each))
    return game


def _block(
    c: Connection, tournament: StoredTournament, block_id: str, before: tuple[Annulment, ...]
) -> StoredBlock:
    """Return the last attempt of a block, if it can be struck."""
    attempts = [
        each
        for each in block_attempts.blocks_of(c, tournament.tournament_id)
        if each.block_id == block_id
    ]
    if not attempts:
        raise _not_found(f"no block {shown(block_id)} of {tournament.name} was played so far")
    block = attempts[-1]
    match block.state:
        case BlockState.COMPLETE:
            return block
        case BlockState.RUNNING:
            raise _not_now(f"{block_id} is being played; it can be annulled when it is complete")
        case BlockState.INCOMPLETE | BlockState.FAILED:
            raise _not_now(f"{block_id} does not count as it is: {block.reason}")
        case BlockState.ANNULLED | BlockState.REPLAYED:
            last = next(
                each
                for each in reversed(before)
                if each.game_id is None and each.block_id == block_id
            )
            raise _not_now(_already(block_id, last))
        case _:
            assert_never(block.state)


def _check_replay(c: Connection, tournament: StoredTournament, block: StoredBlock) -> None:
    """Refuse to play a block again that nobody can or will play."""
    tid = tournament.tournament_id
    state = tournaments.tournament_state(c, tid)
    if state.over or tournament.started is None:
        raise _not_now(
            f"{tournament.name} is {state.value}: {block.block_id} can be annulled but is not "
            "played again"
        )
    seats = {
        entry
        for game in games.games_of(c, tid)
        if (game.block_id, game.attempt) == (block.block_id, block.attempt)
        for entry in game.entries
    }
    gone = [
        entry.name
        for entry in tournaments.entries_of(c, tid)
        if entry.entry_id in seats and entry.state.is_out
    ]
    if gone:
        raise _not_now(
            f"{' and '.join(gone)} left {tournament.name}: {block.block_id} can be annulled but "
            "is not played again"
        )


def _already(what: str, annulment: Annulment) -> str:
    return (
        f"{what} was annulled already, by {annulment.actor} at {annulment.time:%Y-%m-%d %H:%M} "
        f"UTC: {annulment.reason}"
    )


def _invalid(fault: str) -> RefusedRequestError:
    return RefusedRequestError(Refusal.INVALID, [fault])


def _not_found(fault: str) -> RefusedRequestError:
    return RefusedRequestError(Refusal.NOT_FOUND, [fault])


def _not_now(fault: str) -> RefusedRequestError:
    return RefusedRequestError(Refusal.NOT_NOW, [fault])
