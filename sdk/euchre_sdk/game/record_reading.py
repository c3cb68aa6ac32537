"""Reading a record: any bytes are either a record or refused with the line and the reason."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import NoReturn, TypeVar

from euchre_sdk.errors import EuchreError
from euchre_sdk.game.cards import Action, Card, parse_cards
from euchre_sdk.game.record import (
    FORMAT_VERSION,
    FaultNote,
    ForcedMove,
    GameRecord,
    HandEntry,
    NewerRecordError,
    OpenFault,
    RecordError,
    ResultEntry,
    SeededSource,
    Source,
    VerifiableSource,
)
from euchre_sdk.game.rules import Format, RuleSet, RuleSetError, Session, ToTarget
from euchre_sdk.game.rules_file import rules_from_fields
from euchre_sdk.game.suits import SEATS, Seat

T = TypeVar("T")


class _NoNumberError(ValueError):
    """`NaN`, or a number beyond all bounds."""


class _RefusedError(EuchreError):
    """Why a line is refused."""


class _NewerError(_RefusedError):
    """It is of a later format."""


def read_record(content: bytes) -> GameRecord:
    """Return the record that a file holds. Raises `RecordError`.

    It is read, not judged: whether its hands can be played so is for `replay_record` to say.
    """
    lines = content.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    if not lines:
        raise RecordError(1, "the file is empty")
    record = _on_line(1, _header, lines[0])
    hands: list[HandEntry] = []
    for number, line in enumerate(lines[1:], 2):
        if record.result is not None:
            raise RecordError(number, "nothing may follow the result")
        entry = _on_line(number, _entry, line)
        if isinstance(entry, ResultEntry):
            record = replace(record, result=entry)
        else:
            hands.append(entry)
    return replace(record, hands=tuple(hands))


def _on_line(number: int, read: Callable[[_Fields], T], line: bytes) -> T:
    """Return what `read` makes of a line, refusing it by its number."""
    try:
        return read(_Fields(_object(line)))
    except _NewerError as refusal:
        raise NewerRecordError(number, str(refusal)) from None
    except _RefusedError as refusal:
        raise RecordError(number, str(refusal)) from None


def _object(line: bytes) -> dict[str, object]:
    try:
        parsed = json.loads(line.decode("utf-8"), parse_constant=_no_number, parse_float=_finite)
    except UnicodeDecodeError:
        _refuse("it is no text in UTF-8")
    except RecursionError:
        _refuse("it is nested too deeply")
    except (json.JSONDecodeError, _NoNumberError) as error:
        _refuse(f"it is no JSON: {error}")
    except ValueError:
        _refuse("it is no JSON: a number has too many digits")
    if not isinstance(parsed, dict):
        _refuse("it is no JSON object")
    return parsed


def _header(fields: _Fields) -> GameRecord:
    version = fields.take("format_version", _number)
    if version != FORMAT_VERSION:
        reason = f"format_version is {version}; this reader knows {FORMAT_VERSION}"
        raise _NewerError(reason) if version > FORMAT_VERSION else _RefusedError(reason)
    return GameRecord(
        engine_version=fields.take("engine_version", _text),
        protocol_revision=fields.take("protocol_revision", _or_none(_number), None),
        game_id=fields.take("game_id", _or_none(_text), None),
        rules=fields.take("rules", _rules),
        format=fields.take("format", _format),
        names=fields.take("names", _triple_of(_text)),
        first_dealer=fields.take("first_dealer", _seat),
        draws=fields.take("draws", _list_of(_draw), ()),
        source=fields.take("deals", _source, None),
        more=fields.rest(),
    )


def _entry(fields: _Fields) -> HandEntry | ResultEntry:
    if "result" in fields.left:
        return ResultEntry(
            score=fields.take("result", _triple_of(_number)),
            places=fields.take("places", _or_none(_triple_of(_number))),
            hands=fields.take("hands", _number),
            terminations=fields.take("terminations", _triple_of(_text)),
            open_faults=fields.take("open_faults", _list_of(_open_fault), ()),
            more=fields.rest(),
        )
    return HandEntry(
        hand_number=fields.take("hand", _number),
        attempt=fields.take("attempt", _attempt, (0, 0)),
        dealer=fields.take("dealer", _seat),
        deck=fields.take("deck", _cards),
        decisions=fields.take("decisions", _list_of(_action)),
        points=fields.take("points", _triple_of(_number)),
        score=fields.take("score", _triple_of(_number)),
        forced=fields.take("forced", _list_of(_forced), ()),
        faults=fields.take("faults", _list_of(_fault), ()),
        in_forfeit=fields.take("in_forfeit", _flag, False),  # noqa: FBT003 - the default
        void=fields.take("void", _or_none(_text), None),
        more=fields.rest(),
    )


class _Fields:
    """The fields of one object, each taken once; what is left is unknown to this version."""

    def __init__(self, fields: Mapping[str, object]) -> None:
        self.left = dict(fields)

    def take(self, name: str, read: Callable[[object], T], *default: T) -> T:
        if name not in self.left:
            if default:
                return default[0]
            _refuse(f"{name} is missing")
        try:
            return read(self.left.pop(name))
        except _RefusedError as refusal:
            raise _RefusedError(f"{name} {refusal}") from None

    def rest(self) -> dict[str, object]:
        return self.left


def _refuse(reason: str) -> NoReturn:
    raise _RefusedError(reason)


def _no_number(text: str) -> NoReturn:
    raise _NoNumberError(f"{text} is no number")


def _finite(text: str) -> float:
    value = float(text)
    return value if isfinite(value) else _no_number(text)


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "…"


# Readers of single values. Each refuses with what was expected.


def _number(value: object) -> int:
    if type(value) is not int or not 0 <= value < 2**63:
        _refuse(f"must be a whole number from 0, not {_shown(value)}")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        _refuse(f"must be a text, not {_shown(value)}")
    if any("\ud800" <= sign <= "\udfff" for sign in value):
        _refuse("holds half a character")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        _refuse(f"must be true or false, not {_shown(value)}")
    return value


def _bytes(value: object) -> bytes:
    try:
        return bytes.fromhex(_text(value))
    except ValueError:
        _refuse(f"must be hexadecimal, not {_shown(value)}")


def _seat(value: object) -> Seat:
    if type(value) is not int or not 0 <= value < len(SEATS):
        _refuse(f"must be a seat, 0 to 2, not {_shown(value)}")
    return SEATS[value]


def _cards(value: object) -> tuple[Card, ...]:
    try:
        return parse_cards(_text(value))
    except ValueError as error:
        _refuse(f"is no series of cards: {error}")


def _action(value: object) -> Action:
    try:
        return Action.parse(_text(value))
    except ValueError as error:
        _refuse(f"holds {_shown(value)}: {error}")


def _or_none(read: Callable[[object], T]) -> Callable[[object], T | None]:
    return lambda value: None if value is None else read(value)


def _items(value: object, count: int | None = None) -> Sequence[object]:
    if not isinstance(value, list) or (count is not None and len(value) != count):
        expected = "a list" if count is None else f"a list of {count}"
        _refuse(f"must be {expected}, not {_shown(value)}")
    return value


def _list_of(read: Callable[[object], T]) -> Callable[[object], tuple[T, ...]]:
    return lambda value: tuple([read(item) for item in _items(value)])


def _triple_of(read: Callable[[object], T]) -> Callable[[object], tuple[T, T, T]]:
    def triple(value: object) -> tuple[T, T, T]:
        a, b, c = _items(value, 3)
        return read(a), read(b), read(c)

    return triple


def _attempt(value: object) -> tuple[int, int]:
    incarnation, retry = _items(value, 2)
    return _number(incarnation), _number(retry)


def _draw(value: object) -> tuple[Seat, Card]:
    seat, card = _items(value, 2)
    cards = _cards(card)
    if len(cards) != 1:
        _refuse(f"holds {_shown(card)}: expected one card")
    return _seat(seat), cards[0]


def _forced(value: object) -> ForcedMove:
    decision, cause = _items(value, 2)
    return ForcedMove(_number(decision), _text(cause))


def _fault(value: object) -> FaultNote:
    seat, kind, decision, reason = _items(value, 4)
    return FaultNote(_seat(seat), _text(kind), _number(decision), _text(reason))


def _open_fault(value: object) -> OpenFault:
    hand, seat, kind, reason = _items(value, 4)
    return OpenFault(_number(hand), _seat(seat), _text(kind), _text(reason))


def _rules(value: object) -> RuleSet:
    if not isinstance(value, dict):
        _refuse(f"must be an object, not {_shown(value)}")
    try:
        return rules_from_fields(value)
    except RuleSetError as error:
        _refuse(f"cannot be played: {'; '.join(error.faults)}")


def _format(value: object) -> Format:
    match value:
        case {"to_target": True}:
            return ToTarget()
        case {"session": int(hands)}:
            try:
                return Session(hands)
            except RuleSetError as error:
                _refuse(f"cannot be played: {'; '.join(error.faults)}")
        case _:
            _refuse(f'must be {{"to_target": true}} or {{"session": 60}}, not {_shown(value)}')


def _source(value: object) -> Source:
    if not isinstance(value, dict):
        _refuse(f"must be an object, not {_shown(value)}")
    fields = _Fields(value)
    if "seeded" in fields.left:
        return SeededSource(fields.take("seeded", _seed))
    return VerifiableSource(
        deal_set=fields.take("verifiable", _text),
        commitment=fields.take("commitment", _bytes),
        nonces=fields.take("nonces", _triple_of(_bytes)),
        derived=fields.take("derived", _triple_of(_flag), (False, False, False)),
        seed=fields.take("seed", _or_none(_bytes), None),
    )


def _seed(value: object) -> int:
    if type(value) is not int:
        _refuse(f"must be a whole number, not {_shown(value)}")
    return value
