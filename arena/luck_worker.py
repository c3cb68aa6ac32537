"""The process that computes baselines beside the arena, where nobody waits for it.

One JSON object a line: rules and the hands of a finished game come in, baselines go out. It runs
on cores that would be idle (`SCHED_IDLE` where the system has it, else with the lowest priority),
in one thread, touches no file and no network, and ends when its input does.
"""

from __future__ import annotations

import json
import os
import sys
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO

from arena.luck import BaselineKind, LuckError, model_baselines, playouts, value_model
from arena.luck.baselines import to_bytes
from euchre_sdk.bots import make_bot
from euchre_sdk.errors import EuchreError
from euchre_sdk.game import Action, parse_cards
from euchre_sdk.game.rules_file import rules_from_fields

HOUSE = "heuristic@1"
"""The policy that plays the deals again."""
REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckJob:
    """One finished game of which baselines are wanted."""

    rules: Mapping[str, object]
    """Fields of the rule set."""
    hands: Sequence[tuple[str, Sequence[str]]]
    """Cut deck and decisions of each hand, in notation."""
    kinds: frozenset[BaselineKind]

    def to_line(self) -> bytes:
        """Return what the worker reads."""
        kinds = [kind.value for kind in BaselineKind if kind in self.kinds]
        job = {"rules": self.rules, "hands": self.hands, "kinds": kinds}
        return json.dumps(job, separators=(",", ":")).encode() + b"\n"


def read_answer(line: bytes) -> dict[BaselineKind, bytes]:
    """Return what the worker computed. Raises `LuckError` with the reason if it did not."""
    answer = json.loads(line)
    if REFUSED in answer:
        raise LuckError(answer[REFUSED])
    return {BaselineKind(kind): b64decode(terms) for kind, terms in answer.items()}


def compute(line: str) -> dict[str, str]:
    """Return the answer to one line."""
    job = json.loads(line)
    try:
        rules = rules_from_fields(job["rules"])
        played = [
            (parse_cards(deck), [Action.parse(action) for action in decisions])
            for deck, decisions in job["hands"]
        ]
        made = {}
        for kind in map(BaselineKind, job["kinds"]):
            if kind is BaselineKind.MODEL:
                terms = model_baselines(value_model(), rules, played)
            else:
                decks = [deck for deck, _ in played]
                terms = playouts(rules, decks, value_model(), make_bot(HOUSE).act)
            made[kind.value] = b64encode(to_bytes(terms)).decode()
    except (EuchreError, ValueError) as error:
        return {REFUSED: str(error)}
    return made


def work(lines: Iterable[str], answers: TextIO) -> None:
    """Answer line after line, as long as somebody reads the answers."""
    for line in lines:
        try:
            answers.write(json.dumps(compute(line)) + "\n")
            answers.flush()
        except BrokenPipeError:  # the arena is gone, and nobody misses this
            # What is still buffered goes nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), answers.fileno())
            return


def step_back() -> None:
    """Let everybody else go first."""
    os.nice(19)
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


if __name__ == "__main__":
    step_back()
    work(sys.stdin, sys.stdout)
