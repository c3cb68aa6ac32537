"""A bot that plays at random and writes down every message it is sent, before it does anything.

It is the SDK's own client: it comes back by itself. What it wrote is what the arena has told
somebody, and so may never become untrue. Some of its answers are no answers at all (`--malformed`),
so that there are faults to remember.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import time
from base64 import b64encode
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import euchre_sdk.client
from euchre.v1 import play_pb2, types_pb2
from euchre_sdk.client_games import Games
from euchre_sdk.game import Action, View


class Random:
    """Any legal action."""

    def act(self, view: View) -> Action:
        return random.choice(view.legal)


class Recording(Games):
    """Games that are written down."""

    file: object
    malformed: float
    pause: Path

    def readies(self, response: play_pb2.PlayResponse) -> list[play_pb2.Ready]:
        told = b64encode(response.SerializeToString()).decode()
        self.log.write(json.dumps({"at": time.time(), "told": told}) + "\n")  # type: ignore[attr-defined]
        self.log.flush()  # type: ignore[attr-defined]
        return super().readies(response)

    def answers(self, response: play_pb2.PlayResponse) -> Iterator[play_pb2.Answer]:
        for answer in super().answers(response):
            if self.pause.exists():
                time.sleep(random.expovariate(1 / 0.004))
            refused = any(notice.HasField("answer_refused") for notice in response.notices)
            if not refused and random.random() < self.malformed:
                answer.kind = types_pb2.ACTION_KIND_UNSPECIFIED
            yield answer


def run(arguments: argparse.Namespace) -> None:
    with arguments.log.open("a") as log:

        class Here(Recording):
            malformed = arguments.malformed
            pause = arguments.pause

        Here.log = log  # type: ignore[attr-defined]
        euchre_sdk.client.Games = Here  # type: ignore[attr-defined] # it is looked up there
        euchre_sdk.client.run(
            Random,
            arena=arguments.address,
            games=arguments.games,
            version="1",
            wait_for_arena=True,
            patience=timedelta(minutes=5),
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("log", type=Path)
    parser.add_argument("pause", type=Path, help="as long as this file is there, the bot is slow")
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--malformed", type=float, default=0.0)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    run(parser.parse_args())
