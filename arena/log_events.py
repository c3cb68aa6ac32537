"""Every event the arena logs: its name, its level, and what has happened.

A name is one fact, subject first; whatever varies is a key beside it. Ids are bound where a task
begins: `tournament`, `block_id`, `game_id`. No card, token, nonce or seed stands in any of them.
docs/monitoring.md has the same table.
"""

from __future__ import annotations

from typing import NamedTuple


class Logged(NamedTuple):
    """What a line of the log means."""

    levels: str
    """One level, or two with a comma between."""
    meaning: str


EVENTS: dict[str, Logged] = {
    # the arena
    "store_opened": Logged("info", "the database is open; `incarnation` counts the starts"),
    "arena_started": Logged("info", "gRPC answers at `address`"),
    "certificate_read": Logged("info", "TLS is served with it: its names, until when"),
    "certificate_expires_soon": Logged("warning", "the certificate has to be renewed"),
    "file_limit_low": Logged("warning", "the system allows fewer open files than streams may need"),
    "metrics_served": Logged("info", "metrics can be read at `address`"),
    "store_failed": Logged("error", "nothing can be stored; `reason` and what the database said"),
    "store_recovered": Logged("info", "it can again; what waited is stored"),
    "clocks_stopped": Logged("warning", "nothing can be stored: all games stand still"),
    "clocks_started": Logged("info", "they go on; nobody is charged for the time between"),
    "flights_swept": Logged("info", "flight records that were too old or too many are gone"),
    "flights_not_swept": Logged("error", "that could not be done; it is tried again"),
    "flights_over_limit": Logged("warning", "those that must be kept take more than they may"),
    "host_slow": Logged("warning", "house bots are late: fewer games may run at once"),
    "host_recovered": Logged("info", "a minute without a late house bot; one game more may run"),
    "signal_received": Logged("info", "somebody asked the arena to stop"),
    "arena_stopping": Logged("info", "streams are told goodbye"),
    "arena_stopped": Logged("info", "everything is stored"),
    "health_changed": Logged("info, warning", "a `part` has a `trouble`, or has it no more"),
    "library_warned": Logged(
        "warning",
        "what a library had to say: each kind once in ten seconds, with how many were not written",
    ),
    # calls and streams
    "call_answered": Logged("info", "one line a call: method, code, reason, time"),
    "call_failed": Logged("error", "a call met a fault of the arena"),
    "admission_failed": Logged("error", "a stream met a fault of the arena before its Welcome"),
    "stream_closed": Logged("info", "one line a play stream: whose, why, how long, how much"),
    "bot_connected": Logged("info", "a bot has a link, or took it up again"),
    "bot_lost": Logged("info", "a link has no stream any more"),
    "link_ended": Logged("info", "a link was without a stream for too long"),
    "games_handed_on": Logged("info", "an owner gave a bot's games to its next link"),
    "bot_quarantined": Logged("warning", "a bot forfeited game after game and plays no more"),
    "quarantine_lifted": Logged("info", "it plays again, after a passed check"),
    "bot_banned": Logged("warning", "a stream was ended for what its bot did"),
    "token_changed": Logged("info", "a token was rotated or taken back: whose, by whom"),
    # games
    "game_started": Logged("debug", "all three are ready"),
    "hand_started": Logged("debug", "a hand is dealt"),
    "hand_scored": Logged("debug", "one line a hand, once it is stored"),
    "voids_in_excess": Logged("warning", "many hands of one bot were void: something is wrong"),
    "hand_voided": Logged("warning", "a hand does not count and is dealt anew"),
    "action_refused": Logged("debug", "an answer was illegal or malformed; told with its hand"),
    "move_forced": Logged("debug", "the referee decided for a seat; told with its hand"),
    "house_late": Logged("warning", "a house bot's answer is computed here: the machine is slow"),
    "house_answer_failed": Logged("error", "that failed, and the fallback is played: where"),
    "table_failed": Logged("error", "the arena failed at a table: where, without its words"),
    "flight_not_stored": Logged("error", "the flight record of a seat could not be stored"),
    "game_failed": Logged("error", "a game could not go on; its block is played again"),
    "game_not_started": Logged("info", "somebody was not ready"),
    "game_over": Logged("info", "one line a game: seats, points, places, how it ended"),
    # tournaments
    "tournament_taken_up": Logged("info", "a tournament is directed from here on"),
    "block_over": Logged("info", "one line a block: whether it counts"),
    "deadline_reached": Logged("info", "nothing new is begun any more"),
    "ratings_updated": Logged("debug", "a table was computed: of how many entries, how long"),
    "ratings_kept": Logged("debug", "the ratings of a moment are stored for the history of bots"),
    "ratings_not_kept": Logged("error", "that could not be done; a later moment is tried"),
    "luck_computed": Logged("debug", "what the cards of a finished game were worth is stored"),
    "luck_not_computed": Logged("warning", "that could not be done: `reason`, of which game"),
    "tournament_over": Logged("info", "all that is played of it is played"),
    "tournament_failed": Logged("error", "a tournament could not go on"),
    # house bots
    "house_bot_started": Logged("info", "a process of a house bot was started"),
    "house_bot_ended": Logged("warning", "it has ended, and is started again"),
}
