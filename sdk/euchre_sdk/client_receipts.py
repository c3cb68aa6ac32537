"""Receipts: what a bot was told that the record of its game must agree with afterwards.

One JSON line for each start, hand, end and revealed seed (docs/fair-dealing.md). Written as it is
told, so that nobody can change it later: it makes a commitment worth something.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from euchre.v1 import play_pb2, types_pb2
from euchre_sdk.bot import GameEnd, HandResult
from euchre_sdk.errors import EuchreError
from euchre_sdk.game.cards import show_cards
from euchre_sdk.game.rules import Format, RuleSet, Session
from euchre_sdk.game.rules_file import rules_to_fields
from euchre_sdk.game.suits import Seat

log = logging.getLogger("euchre_sdk")


class ReceiptFileError(EuchreError):
    """Receipts cannot be written where they were asked for."""


class Receipts:
    """Writes receipts to the end of a file."""

    def __init__(self, path: Path) -> None:
        """Open the file. Raises `ReceiptFileError`."""
        self._path = path
        try:
            self._file: TextIO | None = path.open("a", encoding="utf-8")
        except OSError as error:
            raise ReceiptFileError(f"no receipts in {path}: {error.strerror}.") from error

    def started(
        self,
        offer: play_pb2.GameOffer,
        start: play_pb2.GameStart,
        *,
        seat: Seat,
        nonce: bytes | None,
        rules: RuleSet,
        format: Format,
    ) -> None:
        """Write down with what randomness a game starts; `nonce` is what the bot itself gave."""
        self._write(
            offer.game_id,
            "start",
            deal_set=offer.deal_set_id,
            commitment=offer.commitment.hex(),
            seat=int(seat),
            nonce=None if nonce is None else nonce.hex(),
            nonces=[each.hex() for each in start.nonces],
            derived=list(start.nonces_derived),
            names=list(start.names),
            rules=rules_to_fields(rules),
            format={"session": format.hands}
            if isinstance(format, Session)
            else {"to_target": True},
            first_dealer=start.first_dealer,
            incarnation=offer.incarnation if offer.HasField("incarnation") else None,
        )

    def dealt_as(self, game_id: str, *, seat: Seat, incarnation: int, retry: int) -> None:
        """Write down from which attempt on hands are dealt, where it is not the one expected."""
        self._write(game_id, "resumed", seat=int(seat), incarnation=incarnation, retry=retry)

    def voided(self, game_id: str, *, seat: Seat, hand_number: int) -> None:
        """Write down that a hand is void through the arena, and dealt anew."""
        self._write(game_id, "voided", seat=int(seat), hand=hand_number)

    def hand_ended(self, game_id: str, result: HandResult, *, seat: Seat) -> None:
        """Write down what a hand came to, and all that was public of it."""
        public = result.public
        self._write(
            game_id,
            "hand",
            hand=public.hand_number,
            points=result.points,
            score=result.score,
            dealer=int(public.dealer),
            turn_up=str(public.turn_up),
            calls=[[int(seat), str(action)] for seat, action in public.calls],
            plays=show_cards(public.plays),
            seat=int(seat),
        )

    def over(self, game_id: str, end: GameEnd, terminations: Sequence[int]) -> None:
        """Write down how a game ended."""
        names: dict[int, str] = {number: name for name, number in types_pb2.Termination.items()}
        how = [names.get(n, "").removeprefix("TERMINATION_").lower() for n in terminations]
        self._write(
            game_id,
            "over",
            score=end.score,
            places=end.places,
            hands=end.hands,
            terminations=how,
        )

    def revealed(self, game_id: str, seed: bytes) -> None:
        """Write down the seed."""
        self._write(game_id, "revealed", seed=seed.hex())

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def _write(self, game_id: str, event: str, **told: object) -> None:
        if self._file is None:
            return
        line = {"game_id": game_id, "event": event, **told}
        try:
            self._file.write(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n")
            self._file.flush()
        except OSError as error:  # the disk is full: playing on matters more
            log.warning("no more receipts in %s: %s", self._path, error.strerror)
            self._file = None
