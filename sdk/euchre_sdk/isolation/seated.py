"""Plays one seating of three bots, in the process that is there for it alone."""

from __future__ import annotations

import json
import random
from typing import Any

from euchre_sdk.errors import EuchreError
from euchre_sdk.faults import BotFaultError, constructor_fault
from euchre_sdk.game import SEATS, SeededDeals, Session
from euchre_sdk.game.rules_file import rules_from_fields
from euchre_sdk.loading import BotLoadError, load_bot
from euchre_sdk.local import PlayedGame, play_game


def answer(job: str) -> str:
    """Play what a line of JSON asks for and return the outcome as another.

    The first of `points` belongs to seat 0. A job that only names bots to `load` gives how many
    could be. Instead of an outcome there may be an `error`, with the
    author's `traceback`.
    """
    try:
        asked = json.loads(job)
        outcome = _loaded(asked["load"]) if "load" in asked else _outcome(_played(asked))
    except BotLoadError as error:
        outcome = {"error": str(error), "traceback": error.traceback}
    except BotFaultError as error:
        outcome = {"error": str(error), "traceback": error.fault.traceback}
    except EuchreError as error:
        outcome = {"error": str(error), "traceback": ""}
    return json.dumps(outcome)


def _loaded(specs: list[str]) -> dict[str, Any]:
    return {"loaded": len([load_bot(spec) for spec in specs])}


def _played(job: dict[str, Any]) -> PlayedGame:
    random.seed(job["deals"])  # for bots that use it: it would be as its parent's every time
    factories = [load_bot(spec) for spec in job["bots"]]
    bots = []
    for factory, name in zip(factories, job["names"], strict=True):
        try:
            bots.append(factory())
        except Exception as error:
            raise BotFaultError(constructor_fault(name, error)) from error
    return play_game(
        bots,
        rules=rules_from_fields(job["rules"]),
        format=Session(job["hands"]),
        deals=SeededDeals(job["deals"]),
        bot_seeds=job["bot_seeds"],
        first_dealer=None if job["first_dealer"] is None else SEATS[job["first_dealer"]],
        names=job["names"],
        describe=(1, 1, 1),
    )


def _outcome(played: PlayedGame) -> dict[str, Any]:
    return {
        "points": list(played.result.score),
        "hands": played.result.hands,
        "faults": list(played.fault_counts),
        "described": [[int(f.seat or 0), f.hand_number, f.sentence] for f in played.faults],
    }
