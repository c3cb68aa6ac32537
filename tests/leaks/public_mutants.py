"""Arenas that let out in public what is hidden, each in one way."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import structlog
from pytest import MonkeyPatch  # noqa: PT013 - the name of a type

from arena.referee import HandRecord
from arena.rpc.matches import MatchServicer
from arena.rpc.play.messages import write_ended
from arena.rpc.play.service import PlayService
from arena.store import games, hand_records
from arena.store.states import GameState
from arena.tournaments import seeds
from arena.tournaments.journal import StoreJournal
from euchre.v1 import matches_pb2, play_pb2
from euchre_sdk.game import Seat
from tests.leaks.mutants import Mutant, numbers

PUBLIC_MUTANTS: dict[str, Mutant] = {}
"""All of them, by what they let out."""


def lets_out(what: str) -> Any:
    """Enter a mutant in the list."""

    def enter(mutant: Mutant) -> Mutant:
        assert what not in PUBLIC_MUTANTS
        PUBLIC_MUTANTS[what] = mutant
        return mutant

    return enter


def as_if_over(patch: MonkeyPatch, method: str) -> None:
    """Let a method answer as if the game were over, whether it is or not."""
    begun, answer = MatchServicer._begun, getattr(MatchServicer, method)
    asked = {"now": False}

    async def found(servicer: MatchServicer, game_id: str) -> Any:
        game, tournament = await begun(servicer, game_id)
        return replace(game, state=GameState.FINISHED) if asked["now"] else game, tournament

    async def answered(*args: Any) -> Any:
        asked["now"] = True
        try:
            return await answer(*args)
        finally:
            asked["now"] = False

    patch.setattr(MatchServicer, "_begun", found)
    patch.setattr(MatchServicer, method, answered)


@lets_out("the record of a game that is played")
def _(patch: MonkeyPatch) -> None:
    as_if_over(patch, "GetMatchRecord")


@lets_out("the seed of a game that is played")
def _(patch: MonkeyPatch) -> None:
    as_if_over(patch, "GetVerification")


@lets_out("the flight record of another seat")
def _(patch: MonkeyPatch) -> None:
    flight = PlayService.flight

    def of_the_left(service: PlayService, game_id: str, seat: Seat) -> Any:
        return flight(service, game_id, seat.left)

    patch.setattr(PlayService, "flight", of_the_left)


@lets_out("the discard, to spectators")
def _(patch: MonkeyPatch) -> None:
    def ended(told: Any) -> play_pb2.Notice:
        notice = write_ended(told)
        discard = told.hand.views[told.hand.dealer].discard
        notice.hand_end.plays.extend(numbers(told.hand.stock if discard is None else [discard]))
        return notice

    patch.setattr("arena.rpc.spectators.write_ended", ended)


@lets_out("the seed, by the id of a game")
def _(patch: MonkeyPatch) -> None:
    def game_id(secret: bytes, deal_set: str) -> str:
        return "g" + hashlib.sha256(seeds.deal_seed(secret, deal_set)).hexdigest()[:16]

    patch.setattr(seeds, "game_id", game_id)


@lets_out("the cards of a hand that was stored, in the log")
def _(patch: MonkeyPatch) -> None:
    keep = StoreJournal.hand

    async def kept(journal: StoreJournal, record: HandRecord) -> None:
        structlog.get_logger().debug("hand_stored", record=record)
        await keep(journal, record)

    patch.setattr(StoreJournal, "hand", kept)


@lets_out("the cards of the hands so far, in the text of a refusal")
def _(patch: MonkeyPatch) -> None:
    answer = MatchServicer.GetMatchRecord

    async def answered(servicer: MatchServicer, request: Any, call: Any) -> Any:
        try:
            return await answer(servicer, request, call)
        except Exception as error:
            hands = await servicer._store.read(hand_records.hands_of_game, request.game_id)
            # Short: of long faults a refusal tells only that there are more.
            decks = [" ".join(map(str, hand.deck[:8])) for hand in hands[:1]]
            error.faults = (*error.faults, f"so far: {decks}")  # type: ignore[attr-defined]
            raise

    patch.setattr(MatchServicer, "GetMatchRecord", answered)


@lets_out("the seed, by a number in the list of matches")
def _(patch: MonkeyPatch) -> None:
    answer = MatchServicer.ListMatches

    async def answered(servicer: MatchServicer, request: Any, call: Any) -> Any:
        response: matches_pb2.ListMatchesResponse = await answer(servicer, request, call)
        for match in response.matches:
            game = await servicer._store.read(games.game_with_id, match.game_id)
            assert game is not None
            tournament = await servicer._organiser.named(request.tournament)
            match.block = seeds.deal_seed(tournament.secret, game.deal_set)[0]
        return response

    patch.setattr(MatchServicer, "ListMatches", answered)
