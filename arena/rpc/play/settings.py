"""The numbers of the play service, with the defaults of docs/protocol.md."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from arena.referee import LinkConduct
from arena.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySettings:
    """Limits of the play service."""

    games_at_once: int = 64
    """Most games at once that any link is given."""
    links_per_bot: int = 1
    streams: int = 1024
    silent_streams: int = 5
    """Streams of one address that have not said Hello."""
    silent_streams_locally: int = 128
    """The same for this machine's own addresses, from which a whole field may start at once."""
    takeovers_per_minute: int = 3
    """Times an owner may hand his bot's games to its next link."""
    release_interval: timedelta = timedelta(0)
    """Messages leave at multiples of it only, so that bots do not see how long others thought."""
    hello: timedelta = timedelta(seconds=3)
    """Time in which a stream must say Hello."""
    conduct: LinkConduct = field(default_factory=LinkConduct)
    """Floods, slow readers, large messages, streams opened one after the other."""


def play_settings(settings: Settings) -> PlaySettings:
    """Return the limits that an organiser has set."""
    return PlaySettings(
        games_at_once=settings.games_per_bot,
        links_per_bot=settings.links_per_bot,
        streams=settings.streams,
        silent_streams=settings.silent_streams,
        release_interval=settings.release_interval,
        conduct=LinkConduct(
            lost=settings.link_lost,
            flood_rate=settings.flood_rate,
            banned=settings.banned,
            reattach_per_minute=settings.reattach_per_minute,
        ),
    )
