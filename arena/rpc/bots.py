"""`BotService`: authors, their bots, and their tokens."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta

import grpc

from arena.rpc.auth import Doorkeeper, owns
from arena.rpc.calls import Call
from arena.rpc.conduct_desk import ConductDesk
from arena.rpc.errors import invalid
from arena.rpc.flights import FlightDesk
from arena.rpc.paging import page_size, read_token, write_token
from arena.rpc.refusal import RefusedError
from arena.rpc.roles import ABot, AnAuthor, Caller, TheOrganiser
from arena.rpc.token_desk import TokenDesk, name_of
from arena.rpc.values import BOT_STATE, write_time
from arena.store import Store, audit, bots
from arena.store.bots import Author, Credential, RegisteredBot
from arena.store.states import BotState
from arena.tokens import TokenKind, hash_token, new_token
from arena.tournaments.errors import Refusal, RefusedRequestError
from arena.tournaments.names import name_faults, shown
from arena.tournaments.organiser import Organiser
from arena.tournaments.playroom import Playroom
from arena.tournaments.pseudonyms import veiled_bots
from euchre.v1 import bots_pb2 as pb
from euchre_sdk.wire import read_duration

INVITED_FOR = timedelta(days=14)
"""How long an invitation is good where nothing else is said."""

BOTS_OF_AN_AUTHOR = 100
"""Bots that an author may register himself."""


class BotServicer:
    """The methods of `BotService` that this arena offers."""

    def __init__(
        self,
        store: Store,
        organiser: Organiser,
        playroom: Playroom,
        doorkeeper: Doorkeeper,
        *,
        now: Callable[[], datetime],
        revoked: Callable[[str], None],
        registration_is_open: bool,
        flights: FlightDesk,
    ) -> None:
        """`revoked` is told of each bot whose token is no good any more: its links end."""
        self._flights = flights
        self._conduct = ConductDesk(store, organiser.fleet.quarantine)
        self._store = store
        self._organiser = organiser
        self._playroom = playroom
        self._door = doorkeeper
        self._now = now
        self._tokens = TokenDesk(store, doorkeeper, now=now, revoked=revoked)
        self._registration_is_open = registration_is_open

    async def InviteAuthor(  # noqa: N802 - named by the contract
        self, request: pb.InviteAuthorRequest, call: Call
    ) -> pb.InviteAuthorResponse:
        """Make an invitation."""
        valid = INVITED_FOR
        if request.HasField("valid_duration"):
            valid = read_duration(request.valid_duration)
        if not timedelta(0) < valid <= timedelta(days=365):
            raise invalid(["valid_duration must be more than nothing and at most 365 days"])
        invitation = new_token(TokenKind.INVITATION)
        now = self._now()
        line = await self._line("invited_author", "", call)
        hashed = hash_token(invitation)
        await self._store.write(
            audit.noted, line, bots.add_invitation, hashed, now=now, expires=now + valid
        )
        return pb.InviteAuthorResponse(invitation=invitation)

    async def RegisterAuthor(  # noqa: N802
        self, request: pb.RegisterAuthorRequest, call: Call
    ) -> pb.RegisterAuthorResponse:
        """Make an author: by invitation, by the organiser, or freely where the arena is open."""
        caller = call.caller
        faults = name_faults("name", request.name)
        invited = request.HasField("invitation")
        if not (invited or self._registration_is_open or isinstance(caller, TheOrganiser)):
            faults.append("invitation is missing; ask the organiser for one")
        if faults:
            raise invalid(faults)
        author = Author(author_id="a" + secrets.token_hex(6), name=request.name)
        token = new_token(TokenKind.AUTHOR)
        line = await self._line("registered_author", author.name, call)
        await self._store.write(
            audit.noted,
            line,
            bots.add_author,
            author,
            now=self._now(),
            token_hash=hash_token(token),
            invitation=hash_token(request.invitation) if invited else None,
        )
        self._door.add(Credential(hash_token(token), None, author.author_id))
        return pb.RegisterAuthorResponse(author_id=author.author_id, token=token)

    async def RegisterBot(  # noqa: N802
        self, request: pb.RegisterBotRequest, call: Call
    ) -> pb.RegisterBotResponse:
        """Make a bot of the calling author, or of the author an organiser names."""
        caller = call.caller
        faults = name_faults("name", request.name)
        if request.HasField("author"):
            faults += name_faults("author", request.author)
            if not isinstance(caller, TheOrganiser):
                faults.append("author is for organisers to name; accepted is none")
        if faults:
            raise invalid(faults)
        if isinstance(caller, AnAuthor):
            author = await self._store.read(bots.author_with_id, caller.author_id)
            await self._check_room(author)
        else:
            name = request.author if request.HasField("author") else request.name
            author = Author(author_id="a" + secrets.token_hex(6), name=name)
        bot = RegisteredBot(
            bot_id="b" + secrets.token_hex(6),
            name=request.name,
            author=author,
            state=BotState.ACTIVE,
            created=self._now(),
            version=None,
        )
        token = new_token(TokenKind.BOT)
        line = await self._line("registered_bot", bot.name, call)
        hashed = hash_token(token)
        await self._store.write(audit.noted, line, bots.add_bot, bot, token_hash=hashed)
        self._door.add(Credential(hash_token(token), bot.bot_id, None))
        return pb.RegisterBotResponse(bot=self._bot(bot), token=token)

    async def _line(self, action: str, subject: str, call: Call) -> audit.AuditLine:
        actor = await name_of(self._store, call.caller)
        return audit.AuditLine(time=self._now(), actor=actor, action=action, subject=subject)

    async def ListBots(  # noqa: N802
        self, request: pb.ListBotsRequest, call: Call
    ) -> pb.ListBotsResponse:
        """List bots by name."""
        size = page_size(request.page_size if request.HasField("page_size") else None)
        page = await self._store.read(
            bots.page_of_bots,
            after=read_token("bots", request.page_token, first=""),
            limit=size + 1,
            author=await self._whose(request, call.caller),
        )
        veiled = await self._store.read(veiled_bots)
        response = pb.ListBotsResponse(
            bots=[
                self._bot(bot, is_hidden=_is_hidden(bot, veiled, call.caller))
                for bot in page[:size]
            ]
        )
        if len(page) > size:
            response.next_page_token = write_token("bots", page[size - 1].name)
        return response

    async def _whose(self, request: pb.ListBotsRequest, caller: Caller) -> str | None:
        """Return the name of the author whose bots are asked for, None for everybody's."""
        if not request.mine:
            return request.author if request.HasField("author") else None
        if request.HasField("author"):
            raise invalid(["author and mine cannot both be given"])
        match caller:
            case AnAuthor(author_id):
                return (await self._store.read(bots.author_with_id, author_id)).name
            case ABot(bot_id):
                bot = await self._store.read(bots.bot_with_id, bot_id)
                return "" if bot is None or bot.author is None else bot.author.name
            case _:
                raise invalid(["mine is for authors and bots: send such a token"])

    async def GetBot(self, request: pb.GetBotRequest, call: Call) -> pb.GetBotResponse:  # noqa: N802
        """Give one bot."""
        bot = await self._named(request.name)
        hidden = _is_hidden(bot, await self._store.read(veiled_bots), call.caller)
        return pb.GetBotResponse(bot=self._bot(bot, is_hidden=hidden))

    async def RotateToken(  # noqa: N802
        self, request: pb.RotateTokenRequest, call: Call
    ) -> pb.RotateTokenResponse:
        """Make a new token; the old one is no good any more, and links opened with it end."""
        return pb.RotateTokenResponse(
            token=await self._tokens.rotate_for_bot(call.owned, call.caller)
        )

    async def RotateAuthorToken(  # noqa: N802
        self, request: pb.RotateAuthorTokenRequest, call: Call
    ) -> pb.RotateAuthorTokenResponse:
        """Make a new token for the calling author, or for the one whom an organiser names."""
        named = request.name if request.HasField("name") else None
        if isinstance(call.caller, AnAuthor):
            author = await self._store.read(bots.author_with_id, call.caller.author_id)
            if named not in {None, author.name}:
                raise RefusedError(
                    grpc.StatusCode.PERMISSION_DENIED,
                    "NOT_ALLOWED",
                    "RotateAuthorToken is for the author himself; the token given is another's.",
                    method="RotateAuthorToken",
                )
        elif named is None:
            raise invalid(["name is missing: the author who gets a new token"])
        else:
            author = await self._author(named)
        token = await self._tokens.rotate_for_author(author, call.caller)
        return pb.RotateAuthorTokenResponse(token=token)

    async def ListFlightRecords(  # noqa: N802
        self, request: pb.ListFlightRecordsRequest, call: Call
    ) -> pb.ListFlightRecordsResponse:
        """List the games of a bot that left evidence."""
        return await self._flights.page(request, call.owned)

    async def GetFlightRecord(  # noqa: N802
        self, request: pb.GetFlightRecordRequest, call: Call
    ) -> pb.GetFlightRecordResponse:
        """Give the evidence of a bot's seat in one game."""
        return await self._flights.record(request, call.owned, call)

    async def ListBotEvents(  # noqa: N802
        self, request: pb.ListBotEventsRequest, call: Call
    ) -> pb.ListBotEventsResponse:
        """List what was decided about a bot."""
        return await self._conduct.events(request, call.owned)

    async def TakeOver(  # noqa: N802
        self, _request: pb.TakeOverRequest, call: Call
    ) -> pb.TakeOverResponse:
        """End a bot's links; running games move to the next one."""
        return await self._conduct.take_over(call.owned, call.caller)

    async def LiftQuarantine(  # noqa: N802
        self, _request: pb.LiftQuarantineRequest, call: Call
    ) -> pb.LiftQuarantineResponse:
        """Check a bot, and let it play again if it passes."""
        bot = await self._conduct.lift(call.owned, call.caller)
        return pb.LiftQuarantineResponse(bot=self._bot(bot))

    async def DeactivateBot(  # noqa: N802
        self, request: pb.DeactivateBotRequest, call: Call
    ) -> pb.DeactivateBotResponse:
        """End a bot's links and take it out of running tournaments."""
        bot = call.owned
        await self._tokens.deactivate(bot, call.caller)
        await self._organiser.withdraw_everywhere(bot.bot_id)
        return pb.DeactivateBotResponse(bot=self._bot(await self._named(bot.name)))

    async def _named(self, name: str) -> RegisteredBot:
        bot = await self._store.read(bots.bot_named, name)
        if bot is None:
            raise RefusedRequestError(Refusal.NOT_FOUND, [f"there is no bot named {shown(name)}"])
        return bot

    async def _check_room(self, author: Author) -> None:
        most = BOTS_OF_AN_AUTHOR
        page = await self._store.read(bots.page_of_bots, after="", limit=most, author=author.name)
        if len(page) >= most:
            fault = f"{author.name} has {most} bots, and no author registers more; an organiser may"
            raise RefusedRequestError(Refusal.NOT_NOW, [fault])

    async def _author(self, name: str) -> Author:
        author = await self._store.read(bots.author_named, name)
        if author is None:
            fault = f"there is no author named {shown(name)}"
            raise RefusedRequestError(Refusal.NOT_FOUND, [fault])
        return author

    def _bot(self, bot: RegisteredBot, *, is_hidden: bool = False) -> pb.Bot:
        """Return the message of a bot; `is_hidden`: whether it plays now is not to be seen."""
        here = self._playroom.version(bot.bot_id)
        free = max(self._playroom.presence(bot.bot_id), 0)
        message = pb.Bot(
            bot_id=bot.bot_id,
            name=bot.name,
            state=BOT_STATE[bot.state],
            create_time=write_time(bot.created),
            free_games=int(here is not None) if is_hidden else free,
        )
        if bot.author is not None:
            message.author = bot.author.name
        label = here or bot.version
        if label is not None:
            message.version_label = label
        return message


def _is_hidden(bot: RegisteredBot, veiled: frozenset[str], caller: Caller) -> bool:
    """Return whether a caller may not see when a bot plays: it is another's, in a blind tournament.

    Who saw how many games it takes at the moment would see it sit down with whom.
    """
    return bot.bot_id in veiled and not owns(caller, bot)
