"""The record of a stored game, in the format of docs/records.md. Open once the game is over."""

from __future__ import annotations

from arena.errors import ArenaBugError
from arena.referee import HandRecord, Termination
from arena.store.games import StoredGame
from arena.store.states import GameState
from arena.store.tournaments import StoredEntry, StoredTournament
from arena.tournaments import seeds
from arena.tournaments.pseudonyms import seat_names
from arena.tournaments.spec import decode_spec
from euchre_sdk.game.dealing import VerifiableDeals, commitment
from euchre_sdk.game.record import (
    FaultNote,
    ForcedMove,
    GameRecord,
    HandEntry,
    OpenFault,
    ResultEntry,
    VerifiableSource,
)


def record_of(
    game: StoredGame,
    tournament: StoredTournament,
    entries: dict[str, StoredEntry],
    hands: tuple[HandRecord, ...],
    open_faults: tuple[OpenFault, ...] = (),
) -> GameRecord:
    """Return the whole record of a game that is over, seed and hidden cards included.

    `open_faults` are those in hands that the arena did not live to store.
    """
    if not game.state.over or game.nonces is None:
        raise ArenaBugError(f"A record of {game.game_id} was asked for before it is over.")
    spec = decode_spec(tournament.spec)
    seats = [entries[entry] for entry in game.entries]
    seed = seeds.deal_seed(tournament.secret, game.deal_set)
    first_dealer, draws = VerifiableDeals(seed, game.nonces).first_dealer(spec.rules)
    return GameRecord(
        engine_version=game.engine_version,
        protocol_revision=game.protocol_revision,
        game_id=game.game_id,
        rules=spec.rules,
        format=spec.format,
        names=seat_names(tournament, game, entries),
        first_dealer=first_dealer,
        draws=tuple(draws),
        source=VerifiableSource(
            deal_set=game.deal_set,
            commitment=commitment(game.deal_set, seed),
            nonces=game.nonces,
            derived=(seats[0].house, seats[1].house, seats[2].house),
            seed=seed,
        ),
        hands=tuple(map(_hand, hands)),
        result=_result(game, hands, open_faults),
    )


def _hand(hand: HandRecord) -> HandEntry:
    return HandEntry(
        hand_number=hand.hand_number,
        dealer=hand.dealer,
        deck=hand.deck,
        decisions=hand.decisions,
        points=hand.points,
        score=hand.score,
        attempt=(hand.attempt.incarnation, hand.attempt.retry),
        forced=tuple(ForcedMove(each.decision, each.cause.value) for each in hand.forced),
        faults=tuple(
            FaultNote(each.seat, each.kind.value, each.decision, each.reason)
            for each in hand.faults
        ),
        in_forfeit=hand.in_forfeit,
        void=None if hand.void is None else hand.void.value,
    )


def _result(
    game: StoredGame, hands: tuple[HandRecord, ...], open_faults: tuple[OpenFault, ...]
) -> ResultEntry:
    void, annulled = (Termination.VOID,) * 3, (Termination.ANNULLED,) * 3
    how = game.terminations or void
    counted = [hand for hand in hands if hand.void is None]
    so_far = counted[-1].score if counted else (0, 0, 0)
    decided = game.state is GameState.FINISHED and not game.unfinished
    if game.annulled:
        decided = decided and not any(each.is_forfeit for each in how)
        how = annulled
    return ResultEntry(
        score=so_far if how in (void, annulled) or game.points is None else game.points,
        places=game.places if decided else None,
        hands=len(counted),
        terminations=(how[0].value, how[1].value, how[2].value),
        open_faults=open_faults,
    )
