"""Who may call what: one table for every method of every service this arena answers.

Nothing else decides it. `auth.Gate` looks here before a method runs, and refuses what is not named.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique
from typing import TypeAlias


@unique
class Role(Enum):
    """Who may call a method. The value completes "this method is for …"."""

    ANYBODY = "anybody"
    """No token is needed; a wrong one is refused all the same."""
    AUTHOR = "an author"
    """Whoever has an author's token; an organiser may too."""
    OWNER = "the bot's owner"
    """The bot's author or its own token, as many authors have no other; an organiser may too."""
    BOT = "a bot"
    """A bot's own token, and no other: it plays."""
    ORGANISER = "an organiser"


@dataclass(frozen=True, slots=True)
class Rule:
    """What a method asks of its caller."""

    role: Role
    bot: str = ""
    """Field of the request that names the bot which the caller must own; for `Role.OWNER`."""
    may_be_empty: bool = False
    """Whether no name stands for the bot whose token is used."""
    scarce: bool = False
    """Whether it is done only now and then, as each time something new is kept for ever."""


_ANYBODY = Rule(Role.ANYBODY)
_ORGANISER = Rule(Role.ORGANISER)
_OWNER = Rule(Role.OWNER, bot="name")
_OWN = Rule(Role.OWNER, bot="name", may_be_empty=True)

RULES: dict[str, Rule] = {
    "/euchre.v1.PlayService/Play": Rule(Role.BOT),
    "/euchre.v1.ArenaService/GetArenaStatus": _ANYBODY,
    "/euchre.v1.BotService/InviteAuthor": _ORGANISER,
    "/euchre.v1.BotService/RegisterAuthor": Rule(Role.ANYBODY, scarce=True),  # if invited, or open
    "/euchre.v1.BotService/RotateAuthorToken": Rule(Role.AUTHOR, scarce=True),  # his own
    "/euchre.v1.BotService/RegisterBot": Rule(Role.AUTHOR),
    "/euchre.v1.BotService/ListBots": _ANYBODY,
    "/euchre.v1.BotService/GetBot": _ANYBODY,
    "/euchre.v1.BotService/RotateToken": Rule(Role.OWNER, bot="name", scarce=True),
    "/euchre.v1.BotService/SubmitVersion": Rule(Role.OWNER, bot="header.name"),
    "/euchre.v1.BotService/WatchSubmission": Rule(Role.AUTHOR),
    "/euchre.v1.BotService/ListLogLines": _OWNER,
    "/euchre.v1.BotService/ListFlightRecords": _OWN,
    "/euchre.v1.BotService/GetFlightRecord": _OWN,
    "/euchre.v1.BotService/ListBotEvents": _OWN,
    "/euchre.v1.BotService/TakeOver": _OWNER,
    "/euchre.v1.BotService/LiftQuarantine": _OWNER,
    "/euchre.v1.BotService/DeactivateBot": _OWNER,
    "/euchre.v1.TournamentService/CreateTournament": _ORGANISER,
    "/euchre.v1.TournamentService/StartTournament": _ORGANISER,
    "/euchre.v1.TournamentService/PauseTournament": _ORGANISER,
    "/euchre.v1.TournamentService/CancelTournament": _ORGANISER,
    "/euchre.v1.TournamentService/AnnulResults": _ORGANISER,
    "/euchre.v1.TournamentService/ListAuditLines": _ORGANISER,
    "/euchre.v1.TournamentService/GetReport": _ORGANISER,
    "/euchre.v1.TournamentService/EnterTournament": Rule(Role.OWNER, bot="bot"),
    "/euchre.v1.TournamentService/WithdrawEntry": Rule(Role.OWNER, bot="bot", scarce=True),
    "/euchre.v1.TournamentService/ListTournaments": _ANYBODY,
    "/euchre.v1.TournamentService/GetTournament": _ANYBODY,
    "/euchre.v1.TournamentService/GetRankings": _ANYBODY,
    "/euchre.v1.TournamentService/WatchRankings": _ANYBODY,
    "/euchre.v1.TournamentService/ListRatingHistory": _ANYBODY,
    "/euchre.v1.MatchService/ListMatches": _ANYBODY,
    "/euchre.v1.MatchService/GetMatchRecord": _ANYBODY,
    "/euchre.v1.MatchService/WatchMatch": _ANYBODY,
    "/euchre.v1.MatchService/GetVerification": _ANYBODY,
    # gRPC's own, which tell nothing that is not public
    "/grpc.health.v1.Health/Check": _ANYBODY,
    "/grpc.health.v1.Health/List": _ANYBODY,
    "/grpc.health.v1.Health/Watch": _ANYBODY,
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo": _ANYBODY,
}


@dataclass(frozen=True, slots=True)
class TheOrganiser:
    """A caller with the organiser's token."""


@dataclass(frozen=True, slots=True)
class AnAuthor:
    """A caller with an author's token."""

    author_id: str


@dataclass(frozen=True, slots=True)
class ABot:
    """A caller with a bot's token."""

    bot_id: str


@dataclass(frozen=True, slots=True)
class Stranger:
    """A caller without a token."""


Caller: TypeAlias = TheOrganiser | AnAuthor | ABot | Stranger
