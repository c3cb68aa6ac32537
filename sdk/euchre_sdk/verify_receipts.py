"""Whether a record agrees with what a bot was told while the game was played.

The arena writes the record, the bot its receipts (`euchre connect --receipts`): what both say was
so. Receipts hold the commitment from before the first deal, and everything public after it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from euchre_sdk.errors import EuchreError
from euchre_sdk.game.cards import show_cards
from euchre_sdk.game.record import GameRecord, RecordError, VerifiableSource, header_line
from euchre_sdk.game.replay import replay_record
from euchre_sdk.game.suits import SEATS
from euchre_sdk.text import cut, one_line, shown
from euchre_sdk.verify_attempts import Attempts
from euchre_sdk.verify_problem import Problem

_LONGEST = 200
"""Characters of a value that are shown."""
Receipts = Mapping[str, list[Mapping[str, Any]]]
"""What bots were told, line by line, by the id of the game."""


class ReceiptError(EuchreError):
    """A file holds no receipts."""


def read_receipts(paths: Iterable[Path]) -> Receipts:
    """Return the receipts that files hold. Raises `ReceiptError`.

    A last line that was cut off, as when the bot was killed, is left out.
    """
    receipts: dict[str, list[Mapping[str, Any]]] = {}
    for path in paths:
        try:
            lines = path.read_bytes().split(b"\n")
        except OSError as error:
            raise ReceiptError(f"cannot read {path}: {error.strerror}.") from error
        for number, line in enumerate(lines[:-1], 1):
            try:
                told = json.loads(line)
                receipts.setdefault(str(told["game_id"]), []).append(
                    {**told, "event": told["event"]}
                )
            except (ValueError, TypeError, KeyError, RecursionError):
                raise ReceiptError(f"{path} holds no receipts: line {number} is none.") from None
    return receipts


def receipt_problems(record: GameRecord, told: Iterable[Mapping[str, Any]]) -> Iterator[Problem]:
    """Yield where a record differs from what bots were told of its game."""
    header, hands = _header(record), _hands(record)
    result, end = record.result, len(record.hands) + 2
    attempts = Attempts()
    for event in told:
        yield from attempts.problems(record, event)
        said = {key: value for key, value in event.items() if key not in ("game_id", "event")}
        match event["event"]:
            case "start":
                yield from _start(record, header, said)
            case "hand":
                number = said.get("hand")
                line, played = hands.get(number if type(number) is int else 0, (end, {}))
                place = f"hand {shown(number)}"
                if not played:
                    yield Problem(
                        line=line, where=place, what="the bot was told of it, and it is gone"
                    )
                    continue
                yield from _differing(line, place, played, said)
            case "over" if result is not None:
                right = {
                    "score": list(result.score),
                    "places": None if result.places is None else list(result.places),
                    "hands": result.hands,
                    "terminations": list(result.terminations),
                }
                yield from _differing(end, "result", right, said)
            case "revealed" if isinstance(record.source, VerifiableSource):
                seed = None if record.source.seed is None else record.source.seed.hex()
                yield from _differing(1, "first line", {"seed": seed}, said)


def _start(
    record: GameRecord, header: Mapping[str, Any], said: dict[str, Any]
) -> Iterator[Problem]:
    seat, nonce = said.pop("seat", None), said.pop("nonce", None)
    yield from _differing(1, "first line", header, said)
    source = record.source
    if nonce is None or not isinstance(source, VerifiableSource):
        return
    if type(seat) is not int or seat not in SEATS:
        return
    if source.derived[seat]:
        what = f"nonce of seat {seat}: the arena did not use the one that the bot gave"
        yield Problem(line=1, where="first line", what=what, found="derived", expected=str(nonce))
    elif source.nonces[seat].hex() != nonce:
        found = source.nonces[seat].hex()
        yield Problem.disagreement(
            1, "first line", f"nonce of seat {seat}", found, str(nonce), gives="the bot"
        )


def _header(record: GameRecord) -> dict[str, Any]:
    """Return what bots are told at the start, as the record has it."""
    header: dict[str, Any] = json.loads(header_line(record))
    deals: dict[str, Any] = header.get("deals", {})
    return {
        "deal_set": deals.get("verifiable"),
        "commitment": deals.get("commitment"),
        "nonces": deals.get("nonces"),
        "derived": deals.get("derived"),
        **{key: header[key] for key in ("names", "rules", "format", "first_dealer")},
    }


def _hands(record: GameRecord) -> dict[Any, tuple[int, dict[str, Any]]]:
    """Return line and public course of every hand that counts, by its number."""
    try:
        played = replay_record(record).hands
    except RecordError:  # which is told already
        return {}
    hands: dict[Any, tuple[int, dict[str, Any]]] = {}
    for line, (entry, hand) in enumerate(zip(record.hands, played, strict=True), 2):
        public = hand.public
        if entry.void is None:
            hands[entry.hand_number] = (
                line,
                {
                    "hand": entry.hand_number,
                    "points": list(entry.points),
                    "score": list(entry.score),
                    "dealer": int(public.dealer),
                    "turn_up": str(public.turn_up),
                    "calls": [[int(seat), str(action)] for seat, action in public.calls],
                    "plays": show_cards(public.plays),
                },
            )
    return hands


def _differing(
    line: int, place: str, record: Mapping[str, Any], told: Mapping[str, Any]
) -> Iterator[Problem]:
    for key, expected in told.items():
        if key in record and record[key] != expected:
            yield Problem.disagreement(
                line, place, key, _show(record[key]), _show(expected), gives="the bot"
            )


def _show(value: object) -> str:
    return one_line(cut(json.dumps(value, ensure_ascii=False), _LONGEST))
