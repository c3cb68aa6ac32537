"""Whether a record is the one that its arena gives out, to the last name."""

from __future__ import annotations

from collections.abc import Iterator

from euchre_sdk.client_matches import Matches, Proof
from euchre_sdk.game.record import GameRecord, VerifiableSource, record_lines
from euchre_sdk.game.record_reading import read_record
from euchre_sdk.text import cut, one_line
from euchre_sdk.verify import where
from euchre_sdk.verify_problem import Problem

_LONGEST = 100
"""Characters of a line that are shown."""


def arena_problems(record: GameRecord, arena: Matches) -> Iterator[Problem]:
    """Yield where a record differs from what the arena says now.

    Raises `MatchError` for a game that the arena does not know or does not show, `ConnectError`.
    """
    if record.game_id is None:
        yield Problem(line=1, where="first line", what="no game of an arena: game_id is missing")
        return
    theirs = read_record(arena.record(record.game_id))
    yield from _differing_lines(record, theirs)
    if isinstance(record.source, VerifiableSource):
        yield from _differing_proof(record.source, arena.proof(record.game_id))


def _differing_lines(record: GameRecord, theirs: GameRecord) -> Iterator[Problem]:
    said, right = list(record_lines(record)), list(record_lines(theirs))
    size = max(len(said), len(right))
    said += [""] * (size - len(said))
    right += [""] * (size - len(right))
    for line, (found, expected) in enumerate(zip(said, right, strict=True), 1):
        if found != expected:
            at = next(
                (n for n, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b), 0
            )
            yield Problem.disagreement(
                line,
                where(record if found else theirs, line),
                f"sign {at + 1}",
                _around(found, at),
                _around(expected, at),
                gives="the arena",
            )


def _around(line: str, at: int) -> str:
    return one_line(cut(line[max(0, at - 10) :], _LONGEST)) or "nothing"


def _differing_proof(source: VerifiableSource, proof: Proof) -> Iterator[Problem]:
    for what, found, expected in (
        ("deal set", source.deal_set, proof.deal_set),
        ("commitment", source.commitment.hex(), proof.commitment.hex()),
        ("seed", _hex(source.seed), _hex(proof.seed)),
        *(
            (f"nonce of seat {seat}", mine.hex(), theirs.hex())
            for seat, (mine, theirs) in enumerate(zip(source.nonces, proof.nonces, strict=False))
        ),
        ("derived nonces", str(source.derived), str(proof.derived)),
    ):
        if found != expected:
            yield Problem.disagreement(
                1, "first line", what, one_line(found), one_line(expected), gives="the arena"
            )


def _hex(seed: bytes | None) -> str:
    return "none" if seed is None else seed.hex()
