"""Answers as a bot sends them, from cards and bids as texts."""

from __future__ import annotations

from typing import Any

from euchre.v1 import play_pb2, types_pb2
from tests.leaks.script import Said


def write_answer(said: Said) -> play_pb2.Answer:
    """Return an answer without its slot and number."""
    kind, *rest = said.decision.split()
    if said.kind in ("exchange", "play", "keep_five") and kind != "decline":
        numbers = [CARD[card] for card in (rest if said.kind == "keep_five" else [kind])]
        return play_pb2.Answer(kind=_kind(said.kind), cards=numbers)
    if kind == "name":
        named = _kind("name_trump_alone" if "alone" in rest else "name_trump")
        return play_pb2.Answer(kind=named, suit=1 + "CDHS".index(rest[0]))  # type: ignore[arg-type]
    if kind == "order":
        return play_pb2.Answer(kind=_kind("order_up_alone" if rest else "order_up"))
    return play_pb2.Answer(kind=_kind("with_dummy" if kind == "dummy" else kind))


CARD = {
    name.removeprefix("CARD_").replace("JOKER", "XX"): number
    for name, number in types_pb2.Card.items()
}


def _kind(name: str) -> Any:
    return types_pb2.ActionKind.Value(f"ACTION_KIND_{name.upper()}")


def malformed(variant: int) -> play_pb2.Answer:
    """Return one of some answers that mean nothing."""
    card: Any = 9 + variant % 24
    other: Any = card + 1
    kinds = types_pb2
    return (
        play_pb2.Answer(kind=99),  # type: ignore[arg-type]
        play_pb2.Answer(),
        play_pb2.Answer(kind=kinds.ACTION_KIND_PLAY, cards=[card, other]),
        play_pb2.Answer(kind=kinds.ACTION_KIND_EXCHANGE, cards=[77]),  # type: ignore[list-item]
        play_pb2.Answer(kind=kinds.ACTION_KIND_KEEP_FIVE, cards=[card] * 5),
        play_pb2.Answer(kind=kinds.ACTION_KIND_NAME_TRUMP),
        play_pb2.Answer(kind=kinds.ACTION_KIND_PASS, suit=kinds.SUIT_HEARTS),
    )[variant % 7]
