"""Why a bot cannot play in an arena: a reason for machines, a sentence for people."""

from __future__ import annotations

from enum import Enum, unique

from euchre_sdk.errors import EuchreError


@unique
class NoEntry(Enum):
    """What keeps a bot out; none of these mends itself by dialling again."""

    BAD_ADDRESS = "bad_address"
    NOBODY_THERE = "nobody_there"
    NO_ARENA = "no_arena"
    """Something answers, but it is no arena."""
    TLS_EXPECTED = "tls_expected"
    PLAINTEXT_EXPECTED = "plaintext_expected"
    CERTIFICATE = "certificate"
    WRONG_TOKEN = "wrong_token"  # noqa: S105 - a reason, no secret
    REFUSED = "refused"
    PROTOCOL_TOO_OLD = "protocol_too_old"
    LINK_LIMIT = "link_limit"
    TAKEN_OVER = "taken_over"
    REVOKED = "revoked"
    QUARANTINED = "quarantined"


class ConnectError(EuchreError):
    """The arena cannot be reached or does not want this bot; dialling again would not help."""

    def __init__(self, reason: NoEntry, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason
