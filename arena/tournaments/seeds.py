"""Secrets of a tournament's deals, and ids that give nothing away (docs/fair-dealing.md).

A deal set is named tournament/block/attempt/number/offer. The block stands in it under an opaque
name: the schedule is public, so its own id would tell a bot whom it is about to meet. In a blind
tournament each game has another one, or it would tell that the same three meet again.
"""

from __future__ import annotations

import hmac

from arena.scheduling import Sitting
from euchre_sdk.game.dealing import derive_seed

_BLOCK = b"euchre block name\0"
_GAME = b"euchre game id\0"


def deal_set_id(
    secret: bytes, tournament_id: str, sitting: Sitting, offer: int, *, blind: bool
) -> str:
    """Return the id of the deals of one offered game; no two offers share one."""
    of_one_game = f"/{sitting.attempt}/{sitting.number}/{offer}" if blind else ""
    block = _derive(secret, _BLOCK, sitting.block_id + of_one_game)[:8].hex()
    return f"{tournament_id}/{block}/{sitting.attempt}/{sitting.number}/{offer}"


def game_id(secret: bytes, deal_set: str) -> str:
    """Return the public id of one offered game."""
    return "g" + _derive(secret, _GAME, deal_set)[:8].hex()


def deal_seed(secret: bytes, deal_set: str) -> bytes:
    """Return the seed of a deal set, 32 bytes. Never logged, nor sent before it may be revealed."""
    return derive_seed(secret, deal_set)


def _derive(secret: bytes, label: bytes, name: str) -> bytes:
    """Return HMAC-SHA256 of a label and a name under the tournament's secret."""
    return hmac.digest(secret, label + name.encode(), "sha256")
