"""The rules of three-handed Euchre: pure values and functions, standard library only."""

from euchre_sdk.game.cards import CARDS, JOKER, Action, Card, parse_cards, show_cards
from euchre_sdk.game.dealing import VerifiableDeals
from euchre_sdk.game.deals import SeededDeals
from euchre_sdk.game.game import Deals, Game, GameResult, fallback
from euchre_sdk.game.hand import Hand, View
from euchre_sdk.game.illegal import IllegalActionError, Reason
from euchre_sdk.game.named import NotationError
from euchre_sdk.game.public import Kind, MakerPlay, Public, Trick, TurnUp
from euchre_sdk.game.record import GameRecord, RecordError, write_record
from euchre_sdk.game.record_reading import read_record
from euchre_sdk.game.replay import replay_hand, replay_record
from euchre_sdk.game.rubber import Rubber
from euchre_sdk.game.rules import (
    PRESETS,
    STANDARD,
    Format,
    RuleSet,
    RuleSetError,
    Session,
    ToTarget,
)
from euchre_sdk.game.suits import RANKS, SEATS, SUITS, Rank, Seat, Suit

__all__ = [
    "CARDS",
    "JOKER",
    "PRESETS",
    "RANKS",
    "SEATS",
    "STANDARD",
    "SUITS",
    "Action",
    "Card",
    "Deals",
    "Format",
    "Game",
    "GameRecord",
    "GameResult",
    "Hand",
    "IllegalActionError",
    "Kind",
    "MakerPlay",
    "NotationError",
    "Public",
    "Rank",
    "Reason",
    "RecordError",
    "Rubber",
    "RuleSet",
    "RuleSetError",
    "Seat",
    "SeededDeals",
    "Session",
    "Suit",
    "ToTarget",
    "Trick",
    "TurnUp",
    "VerifiableDeals",
    "View",
    "fallback",
    "parse_cards",
    "read_record",
    "replay_hand",
    "replay_record",
    "show_cards",
    "write_record",
]
