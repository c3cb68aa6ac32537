"""What happens in a game, between the SDK's values and `euchre.v1`."""

from __future__ import annotations

from euchre.v1 import play_pb2, types_pb2
from euchre_sdk.bot import GameEnd, GameStart, HandResult
from euchre_sdk.game import Format, Kind, Public, RuleSet, Seat
from euchre_sdk.wire_question import read_history
from euchre_sdk.wire_values import (
    CALL_NUMBER,
    CARD_BY_NUMBER,
    MAKER_PLAY_BY_NUMBER,
    MAKER_PLAY_NUMBER,
    TURN_UP_BY_NUMBER,
    TURN_UP_NUMBER,
    Malformed,
    MalformedMessageError,
    read_seat,
    read_suit,
    read_triple,
    read_value,
)

NONCE_SIZE = 32


def write_hand_end(result: HandResult) -> play_pb2.HandEnd:
    """Return a hand's result as a message; who failed how often is added by the referee."""
    public = result.public
    trump = public.trump
    return play_pb2.HandEnd(
        hand_number=public.hand_number,
        dealer=public.dealer,
        turn_up=public.turn_up + 1,  # type: ignore[arg-type]  # the contract counts from 1
        turn_up_state=TURN_UP_NUMBER[public.turn_up_state],
        trump=None if trump is None else trump + 1,  # type: ignore[arg-type]  # likewise
        maker=public.maker,
        maker_play=MAKER_PLAY_NUMBER.get(public.maker_plays) if trump is not None else None,
        lone_defender=public.lone_defender,
        call_seats=[seat for seat, _ in public.calls],
        call_kinds=[CALL_NUMBER[call] for _, call in public.calls],
        plays=[card + 1 for card in public.plays],  # type: ignore[misc]  # likewise
        leaders=public.leaders,
        points=result.points,
        score=result.score,
    )


def read_hand_end(message: play_pb2.HandEnd, rules: RuleSet, format: Format) -> HandResult:
    """Return the result of a hand. Raises `MalformedMessageError`."""
    points = read_triple(message.points, "points")
    score = read_triple(message.score, "a score")
    public = Public(
        rules,
        format,
        message.hand_number,
        read_seat(message.dealer),
        read_value(CARD_BY_NUMBER, message.turn_up, "card"),
        (score[0] - points[0], score[1] - points[1], score[2] - points[2]),
    )
    public.turn_up_state = read_value(TURN_UP_BY_NUMBER, message.turn_up_state, "turn-up state")
    if message.HasField("trump"):
        public.trump = read_suit(message.trump)
        public.maker = read_seat(message.maker)
        public.maker_plays = read_value(
            MAKER_PLAY_BY_NUMBER, message.maker_play, "way of the maker to play"
        )
        if message.HasField("lone_defender"):
            public.lone_defender = read_seat(message.lone_defender)
    try:
        read_history(message, public)
    except KeyError as error:
        sentence = f"a hand's history holds an unknown value: {error.args[0]}"
        raise MalformedMessageError(Malformed.UNKNOWN_VALUE, sentence) from None
    public.kind = Kind.PLAY if public.trump is not None else Kind.NAME_TRUMP
    return HandResult(points=points, score=score, public=public)


def read_game_start(
    message: play_pb2.GameStart, *, seat: Seat, rules: RuleSet, format: Format, seed: int
) -> GameStart:
    """Return what a bot is told before the first hand. Raises `MalformedMessageError`."""
    if len(message.nonces) != 3 or any(len(nonce) != NONCE_SIZE for nonce in message.nonces):
        sentence = f"a game starts with three nonces of {NONCE_SIZE} bytes"
        raise MalformedMessageError(Malformed.WRONG_LENGTH, sentence)
    names = None
    if message.names:
        if len(message.names) != 3:
            sentence = f"a game has three names, not {len(message.names)}"
            raise MalformedMessageError(Malformed.WRONG_LENGTH, sentence)
        names = (message.names[0], message.names[1], message.names[2])
    return GameStart(seat=seat, rules=rules, format=format, seed=seed, names=names)


def read_game_over(message: play_pb2.GameOver) -> GameEnd:
    """Return what a bot is told at the end. Raises `MalformedMessageError`."""
    return GameEnd(
        score=read_triple(message.points, "points"),
        places=read_triple(message.places, "places") if message.places else None,
        hands=message.hands,
        message=message.message,
    )


def termination_name(number: int) -> str:
    """Return how a game ended for a seat, in lower case; for people."""
    names: dict[int, str] = {n: name for name, n in types_pb2.Termination.items()}
    return names.get(number, "unknown").removeprefix("TERMINATION_").lower().replace("_", " ")
