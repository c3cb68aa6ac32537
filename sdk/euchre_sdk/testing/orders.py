"""What one bot of the testing kit is told to be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from euchre_sdk.client_dial import Dial
from euchre_sdk.testing.misdeeds import Misdeed
from euchre_sdk.testing.wrong_answers import Style


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """What one bot is told to be."""

    dial: Dial
    token: str
    label: str
    """What it is called in what is printed."""
    misdeed: Misdeed | None = None
    stay_away: bool = False
    """Whether it never comes back to a stream that is lost once it has misbehaved."""
    style: Style = Style.BOLD
    games: int = 1
    """Games at once."""
    leave_after: int | None = None
    """Games after which it leaves; None to play as long as the arena wishes."""
    seed: int | None = None
    """What its nonces are derived from; None for real randomness."""
    transcript: IO[bytes] | None = None
    """Takes every response received, each after its length, as `parseDelimitedFrom` reads them."""
