"""What everybody may ask for, and every log line, is the same whatever anybody holds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from euchre.v1 import matches_pb2, play_pb2
from euchre_sdk.game import PRESETS
from euchre_sdk.game.rules_file import rules_to_fields
from tests.leaks.lines import paired_game
from tests.leaks.proof import difference, random_rules
from tests.leaks.public_mutants import PUBLIC_MUTANTS
from tests.leaks.public_stage import HANDS, new_database, perform_in_public
from tests.leaks.script import Script
from tests.leaks.stage import Seen


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new_database(tmp_path_factory.mktemp("arena"))


def games(
    rng: Random, *, random_ones: int = 0, hands: int = 1, observer: int | None = None
) -> list[Script]:
    """Return games under all presets and some other rules, of which so many hands are whole."""
    made = []
    others = [random_rules(rng) for _ in range(random_ones)]
    for number, rules in enumerate([*PRESETS.values(), *others]):
        while True:
            trouble = rng.choice((0, 0.04))
            secretly = number % 3 == 2
            script = paired_game(
                rules_to_fields(rules), observer, rng, trouble=trouble, secretly=secretly
            )
            if secretly or sum(hand.complete for hand in script.hands) >= hands:
                break
        script.session = script.session and HANDS
        made.append(script)
    return made


def found(scripts: list[Script], database: Path) -> tuple[str | None, list[Seen]]:
    """Return what tells the worlds apart in public, and what was seen in the first one."""
    one, two = (perform_in_public(scripts, world, database) for world in range(2))
    for script, first, second in zip(scripts, one, two, strict=True):
        if difference(script, first, second):
            return difference(script, first, second), one
    return None, one


def test_nobody_is_told_anything_that_depends_on_hidden_cards(database: Path) -> None:
    what, seen = found(games(Random(3), random_ones=3), database)
    assert what is None
    asked = Counter(method for each in seen for method, _ in each.public)
    for method in (
        "list",
        "record",
        "verification",
        "rankings",
        "tournament",
        "enter",
        "flight",
        "watch",
    ):
        assert asked[method] >= 10, method
    told = [
        matches_pb2.WatchMatchResponse.FromString(data)
        for each in seen
        for method, data in each.public
        if method == "watch"
    ]
    assert sum(response.HasField("hand_end") for response in told) >= 5


def test_spectators_are_told_what_the_seats_were_told(database: Path) -> None:
    compared = 0
    for each in perform_in_public(games(Random(4), hands=2), 0, database):
        shown = {data for method, data in each.public if method == "watch"}
        for _, message in each.sent[0]:
            for notice in play_pb2.PlayResponse.FromString(message).notices:
                if notice.HasField("hand_end"):
                    told = matches_pb2.WatchMatchResponse(hand_end=notice.hand_end)
                    assert told.SerializeToString(deterministic=True) in shown
                    compared += 1
    assert compared >= 5


@pytest.mark.parametrize("seat", range(3))
def test_an_owner_is_told_of_a_game_of_his_bot_what_the_bot_is_told(
    seat: int, database: Path
) -> None:
    what, seen = found(games(Random(6), observer=seat, hands=2)[:3], database)
    assert what is None
    flights = [data for each in seen for method, data in each.public if method == "flight"]
    assert sum(len(data) > 1000 for data in flights) >= 3


@pytest.mark.parametrize("what", PUBLIC_MUTANTS)
def test_an_arena_is_found_out_that_lets_out(
    what: str, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    observer = 0 if what.startswith("the flight") else None
    watched = games(Random(5), observer=observer, hands=2)
    scripts = [each for each in watched if not each.secretly][:2]
    PUBLIC_MUTANTS[what](monkeypatch)
    assert found(scripts, database)[0] is not None
